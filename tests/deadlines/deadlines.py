"""How late verdicts on missed deadlines are, whether answers at nine tenths of the time are ever late, and what an awkward
seat costs the others: measured with real processes, from the times in the records.

    python3 tests/deadlines/deadlines.py [MAUMAU]

MAUMAU is the program, by default the release build. Prints Markdown tables; takes about two minutes. The figures mean something
only on a machine that does nothing else; its load is printed with them.
"""

import json
import os
import pathlib
import subprocess
import sys
import tempfile

BOT = pathlib.Path(__file__).resolve().with_name("bot.py")
MAUMAU = sys.argv[1] if len(sys.argv) > 1 else BOT.parents[2] / "target/release/maumau"
MOVE_MS = 400


def play(kinds, games, at_once, cpus):
    """Plays a league of these kinds two at a table; gives the lines of all records, each with the kinds at its table."""
    agents = "".join(
        f'[[agent]]\nname = "{kind} {index}"\ncommand = "{sys.executable} {BOT} {kind}"\n' for index, kind in enumerate(kinds)
    )
    with tempfile.TemporaryDirectory() as folder:
        league = pathlib.Path(folder, "deadlines.toml")
        league.write_text(
            f'name = "deadlines"\nrules = "basic"\nseats = 2\nrounds = 1\ngames_per_pairing = {games}\npublic_seed = true\nseed = 1\n'
            f"concurrency = {at_once}\n[options]\nturn_cap = 40\n[time]\nmove_ms = {MOVE_MS}\n{agents}"
        )
        run = pathlib.Path(folder, "deadlines.maumau")
        records = pathlib.Path(folder, "records")
        command = [MAUMAU, "tournament", "run", league, "--run", run, "--quiet", "--cpus", str(cpus), "--seed", "1"]
        subprocess.run([*command, "--sandbox-read", BOT.parent], check=True, stdout=subprocess.DEVNULL)
        export = [MAUMAU, "tournament", "export", run, "--to", records]
        subprocess.run(export, check=True, stdout=subprocess.DEVNULL)
        for record in sorted(path for path in records.rglob("*") if path.is_file()):
            seats = None
            for line in record.read_text().splitlines():
                entry = json.loads(line)
                seats = seats or [name.split()[0] for name in entry["names"]]
                yield seats, entry


def at(values, part):
    return sorted(values)[min(len(values) - 1, int(len(values) * part))] / 1_000


def described(values):
    return f"{at(values, 0.5):.1f} | {at(values, 0.99):.1f} | {at(values, 1):.1f}" if values else "- | - | -"


def deadlines():
    print(f"| agent, {MOVE_MS} ms a move | games at once | deadlines missed | void | verdict after the deadline, ms: p50 | p99 | most |")
    print("|---|---|---|---|---|---|---|")
    for kind in ("silent", "drip", "late"):
        for at_once, games in ((1, 4), (16, 32)):
            late, void = [], 0
            for seats, entry in play([kind, "prompt"], games, at_once, 2):
                meta = entry.get("meta", {})
                void += sum(missed["void"] for missed in meta.get("missed", []))
                if entry["entry"] == "stand" and entry["why"] == "slow" and seats[entry["seat"]] == kind:
                    late.append(meta["took_us"] + meta.get("stalled_us", 0) - 1_000 * MOVE_MS)
            print(f"| {kind} | {at_once} | {len(late)} | {void} | {described(late)} |", flush=True)


def isolation():
    print("\n| beside two prompt agents, 8 games at once in one loop | their answers | took ms: p50 | p99 | most |")
    print("|---|---|---|---|---|")
    for kind in ("prompt", "deaf", "flood", "drip"):
        took = [
            entry["meta"]["took_us"]
            for seats, entry in play(["prompt", "prompt", kind], 8, 8, 1)
            if entry["entry"] == "act" and seats[entry["seat"]] == "prompt" and "took_us" in entry.get("meta", {})
        ]
        print(f"| {kind} | {len(took)} | {described(took)} |", flush=True)


print(f"{os.cpu_count()} processors, load {os.getloadavg()[0]:.1f}\n")
deadlines()
isolation()
