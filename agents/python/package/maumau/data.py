"""Decisions, games and seats as files for other programs, and the program `maumau` of this package."""

from __future__ import annotations

import csv
import json
import os
import shutil
import subprocess
import sysconfig
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from . import _native
from .bots import record_bytes

_ROWS = {"decisions": "--decisions-to", "games": "--games-to", "seats": "--seats-to", "rounds": "--rounds-to", "seeds": "--seeds"}
_ENDINGS = {"parquet": ".parquet", "csv": ".csv", "jsonl": ".jsonl", "jsonl.zst": ".jsonl.zst"}


def program() -> str:
    """The path of the program `maumau`: what the variable MAUMAU names, else the one of this package, else one in PATH.

    Raises `FileNotFoundError` if there is none.
    """
    name = "maumau.exe" if os.name == "nt" else "maumau"
    own = Path(sysconfig.get_path("scripts"), name)
    found = os.environ.get("MAUMAU") or (str(own) if own.exists() else shutil.which("maumau"))
    if not found:
        raise FileNotFoundError(f"the program maumau is neither at {own} nor in PATH")
    return found


def run_program(*arguments: str | Path, folder: str | Path | None = None) -> str:
    """What the program `maumau` prints with these arguments, which it runs in `folder`; raises `ValueError` with its own words if it
    fails."""
    done = subprocess.run([program(), *map(str, arguments)], cwd=folder, capture_output=True, text=True, encoding="utf-8")
    if done.returncode:
        raise ValueError(done.stderr.strip() or f"maumau ended with {done.returncode}")
    return done.stdout


def export(source: str | bytes | Path | Iterable[str | bytes], path: str | Path, *, rows: str = "decisions", format: str | None = None,
           dense: bool = False, games_per_file: int | None = None) -> Path:
    """Writes the decisions of games to a file: a row for each answer, with the position that its seat saw.

    The columns are described in arena/docs/data.md of the repository. A record has those that do not say where in a
    tournament the game was played; its `game` is a text.

    Parameters
    ----------
    source
        The path of a run file (`.maumau`), or records: the path of one, or the text of one (`game.record()`), or a list of texts.
    path
        The file to write. One that exists is replaced.
    rows
        `"decisions"`; of a run also `"games"`, `"seats"`, `"rounds"`, or `"seeds"`.
    format
        By default what the ending of `path` says. Decisions of a run: `"parquet"` or `"jsonl.zst"`. Its other rows: `"csv"` or
        `"jsonl"`. Records: `"csv"` or `"jsonl"`, or `"parquet"` if pyarrow is installed. In CSV and in the Parquet of records,
        lists and actions are JSON.
    dense
        Write the Parquet of a run with smaller encodings, which fewer readers know.
    games_per_file
        Write the decisions of a run to numbered files of so many games.

    Returns
    -------
    Path
        `path`.

    Raises
    ------
    ValueError
        The format does not suit the rows, a record is wrong, or the program refuses.
    FileNotFoundError
        There is no such file, or no program.

    Examples
    --------
    >>> import maumau, tempfile
    >>> game = maumau.play("greedy", "first", seed=1)
    >>> file = maumau.export(game.record(), tempfile.mkdtemp() + "/moves.csv")
    >>> file.read_text().splitlines()[0][:34]
    'game,rules,round,tick,seat,agent,w'
    """
    path = Path(path)
    if format is None:
        format = next((name for name, ending in _ENDINGS.items() if path.name.endswith(ending)), None)
    if format not in _ENDINGS:
        raise ValueError(f"format: expected one of {', '.join(_ENDINGS)}, or a path that ends so, found {format or path.name!r}")
    if rows not in _ROWS:
        raise ValueError(f"rows: expected one of {', '.join(_ROWS)}, found {rows!r}")
    if isinstance(source, str) and not source.lstrip().startswith("{"):
        source = Path(source)
    if isinstance(source, Path) and source.suffix == ".maumau":
        return _of_run(source, path, rows, format, dense, games_per_file)
    if rows != "decisions" or dense or games_per_file is not None:
        raise ValueError("records have decisions alone, in one file; rows, dense and games_per_file are for runs")
    records = [source] if isinstance(source, (str, bytes, Path)) else list(source)
    decisions = [dict(json.loads(row)) for record in records for row in _native.decisions(record_bytes(record))]
    _write(decisions, path, format)
    return path


def _of_run(run: Path, path: Path, rows: str, format: str, dense: bool, games_per_file: int | None) -> Path:
    allowed = ("parquet", "jsonl.zst") if rows == "decisions" else ("csv", "jsonl")
    if format not in allowed:
        raise ValueError(f"format: {rows} of a run are written as {' or '.join(allowed)}, not {format}")
    if not run.exists():
        raise FileNotFoundError(f"{run}: no such run file")
    # The program goes by the ending.
    file = path if path.name.endswith(_ENDINGS[format]) else path.with_name(path.name + _ENDINGS[format])
    more = [*(["--dense"] if dense else []), *(["--games-per-file", str(games_per_file)] if games_per_file is not None else [])]
    run_program("tournament", "export", run, _ROWS[rows], file, *more)
    if file != path and games_per_file is None:
        file.replace(path)
    return path


def _write(rows: list[dict[str, Any]], path: Path, format: str) -> None:
    if format == "jsonl":
        path.write_text("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows), encoding="utf-8")
        return
    if format == "jsonl.zst":
        raise ValueError("format: records are written as csv, jsonl or parquet, not jsonl.zst")
    flat = [{name: json.dumps(value, ensure_ascii=False) if isinstance(value, (list, dict)) else value for name, value in row.items()}
            for row in rows]
    if format == "csv":
        with path.open("w", encoding="utf-8", newline="") as file:
            writer = csv.DictWriter(file, list(flat[0]) if flat else [], lineterminator="\n")
            writer.writeheader()
            writer.writerows(flat)
        return
    try:
        import pyarrow
        from pyarrow import parquet
    except ImportError as error:
        raise ImportError("records as Parquet need pyarrow: pip install pyarrow") from error
    parquet.write_table(pyarrow.Table.from_pylist(flat), path)
