"""From a league's decisions as Parquet to a picture: python3 study.py, with polars, pyarrow and matplotlib

The program `maumau` (or the one that the variable MAUMAU names) has to be built with the feature parquet. Cells between `# %%`
run one after another in editors that show notebooks.
"""

# %% A league of three bots, and all its decisions.
import json
import os
import subprocess
import tempfile
from pathlib import Path

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt
import polars
import pyarrow.parquet

LEAGUE = """
rules = "skat"
seats = 3
games_per_pairing = 60
seed = 5
agent = [
    { command = "maumau agent greedy" },
    { command = "maumau agent first" },
    { command = "maumau agent random" },
]
"""
maumau = os.environ.get("MAUMAU", "maumau")
folder = Path(tempfile.mkdtemp())
(folder / "league.toml").write_text(LEAGUE)
run = folder / "league.maumau"
subprocess.run([maumau, "tournament", "run", folder / "league.toml", "--run", run, "--quiet"], check=True)
subprocess.run([maumau, "tournament", "export", run, "--decisions-to", folder / "moves.parquet"], check=True)

# %% Hands by the number of the turn, for each bot.
metadata = pyarrow.parquet.read_metadata(folder / "moves.parquet").metadata[b"maumau"]
names = json.loads(metadata)["meanings"]["agent"]
moves = polars.read_parquet(folder / "moves.parquet")
turns = moves.with_columns(turn_number=polars.int_range(polars.len()).over("game", "round", "seat"))
hands = (turns.filter(polars.col("turn_number") < 15).group_by("agent", "turn_number")
         .agg(cards=polars.col("hand").list.len().mean()).sort("agent", "turn_number"))
print(hands.filter(polars.col("turn_number") == 5))

# %% The picture.
for agent, rows in hands.group_by("agent", maintain_order=True):
    plt.plot(rows["turn_number"], rows["cards"], label=names[agent[0]])
plt.xlabel("turn of the seat")
plt.ylabel("cards in its hand, mean")
plt.legend()
plt.savefig("study.png", dpi=120)
print(f"{len(moves)} decisions; the picture is study.png")
