#!/usr/bin/env python3
"""A new bot in every language: begun, built, tested, checked in every rule set, timed, and all of them in one league.

    tests/languages/languages.py [MAUMAU] [--install] [--only LANGUAGE...] [--at-least N] [--games N]

For each language of `maumau agent languages` whose tools are installed (`--install` installs what is missing, as root on Debian)
it does in an empty folder what its author would do, and measures how long it takes from `maumau agent new` to the end of
the first game. Then it prints a table. The last line is `N passed, N failed`; fewer than N languages are a failure.
"""

import argparse
import json
import os
import pathlib
import shlex
import subprocess
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent.parent / "agents/python"))
import benchmark  # noqa: E402, how the other languages are measured too

ASKS = 2000


class Failed(Exception):
    """A command did not do what it should; its output."""


def run(command, folder, environment):
    words = command if isinstance(command, list) else shlex.split(command)
    done = subprocess.run(words, cwd=folder, env=environment, capture_output=True, text=True)
    if done.returncode:
        raise Failed(f"`{shlex.join(words)}` ended with {done.returncode}:\n{done.stdout[-1500:]}{done.stderr[-1500:]}")
    return done.stdout


def measured(command, folder, games):
    """Milliseconds until it has started and ended, and answers a second."""
    here = os.getcwd()
    os.chdir(folder)
    try:
        _, idle_s = min(benchmark.play(shlex.split(command), 1, 0) for _ in range(3))
        _, wall_s = benchmark.play(shlex.split(command), games, ASKS)
    finally:
        os.chdir(here)
    return 1e3 * idle_s, ASKS / max(wall_s - idle_s, 1e-4)


def begin(language, folder, options, environment):
    """All that an author does at first; the row of the table."""
    began = time.monotonic()
    run([options.maumau, "agent", "new", "my-bot", "--language", language["name"]], folder, environment)
    bot = folder / "my-bot"
    for command in language["build"]:
        run(command, bot, environment)
    sandbox = language["sandbox"] or "basic"
    game = run([options.maumau, "play", "--rules", "basic", "--seed", "3", "--format", "json", "--start-ms", "60000", "--move-ms", "20000",
                "--sandbox", sandbox, "--seat", language["run"], "--seat", "maumau agent greedy"], bot, environment)
    faults = json.loads(game)["faults"][0]
    if faults:
        raise Failed(f"its first game has faults: {faults}")
    first_game_s = time.monotonic() - began
    if language["test"]:
        run(language["test"], bot, environment)
    run([options.maumau, "check", "--sandbox", sandbox, "--games", "1", "--start-ms", "60000", "--move-ms", "20000", "--", *shlex.split(language["run"])], bot, environment)
    fed = run([options.maumau, "feed", "game.jsonl", "--seat", "0", "--any-answer", "--sandbox", sandbox, "--", *shlex.split(language["run"])], bot, environment)
    if "stderr |" in fed:
        raise Failed(f"it complains of messages that it is fed:\n{fed[-1500:]}")
    start_ms, moves = measured(language["run"], bot, 64)
    return {"first_game_s": first_game_s, "start_ms": start_ms, "moves": moves}


def league(languages, folder, games):
    text = f'name = "languages"\nrules = "basic"\nseats = 2\nrounds = 1\ngames_per_pairing = {games}\npublic_seed = true\nseed = "7"\n\n[time]\nstart_ms = 60000\nmove_ms = 20000\n'
    for language in languages:
        directory = folder / language["name"] / "my-bot"
        text += f'\n[[agent]]\nname = {json.dumps(language["title"])}\ndirectory = "{directory}"\ncommand = {json.dumps(language["run"])}\n'
        # Its folder may hold a thousand classes of a library.
        text += 'files = ["README.md"]\n'
    (folder / "league.toml").write_text(text)
    return folder / "league.toml"


def install(languages):
    packages = sorted({package for language in languages for package in language["missing"]})
    if packages:
        print(f"installing {' '.join(packages)}", flush=True)
        subprocess.run(["apt-get", "update", "-qq"], check=True)
        quiet = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
        done = subprocess.run(["apt-get", "install", "-y", "-qq", "--no-install-recommends", *packages], env=quiet, stdout=subprocess.DEVNULL)
        if done.returncode:
            print("not all of them could be installed", flush=True)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("maumau", nargs="?", default=HERE.parent.parent / "target/release/maumau", type=pathlib.Path)
    parser.add_argument("--install", action="store_true")
    parser.add_argument("--only", nargs="+", default=[])
    parser.add_argument("--at-least", type=int, default=10)
    parser.add_argument("--games", type=int, default=2, help="games of each pairing in the league; 0: no league")
    options = parser.parse_args()
    options.maumau = str(options.maumau.resolve())

    def known():
        listed = json.loads(subprocess.check_output([options.maumau, "agent", "languages", "--format", "json"]))
        return [one for one in listed if not options.only or one["name"] in options.only]

    languages = known()
    if options.install:
        install(languages)
        languages = known()
    passed, failed, there = 0, 0, []
    with tempfile.TemporaryDirectory(prefix="maumau-languages-") as name:
        os.chmod(name, 0o755)  # agents may be another user's
        folder = pathlib.Path(name)
        environment = {**os.environ, "GOCACHE": f"{name}/go-cache", "GOFLAGS": "-mod=mod", "PATH": f"{os.path.dirname(options.maumau)}:{os.environ['PATH']}"}
        for language in languages:
            if language["missing"]:
                print(f"== {language['name']}: left out, {' '.join(language['missing'])} is not installed", flush=True)
                continue
            (folder / language["name"]).mkdir()
            try:
                language |= begin(language, folder / language["name"], options, environment)
                there.append(language)
                passed += 1
                print(f"{language['name']}: begun, built, played, tested, checked; first game after {language['first_game_s']:.1f} s", flush=True)
            except Failed as error:
                failed += 1
                print(f"FAILED: {language['name']}: {error}", flush=True)
        if options.games and len(there) > 1:
            try:
                # One level is that of all seats.
                sit = [language for language in there if not language["sandbox"]]
                path = league(sit, folder, options.games)
                print(f"a league of {len(sit)} languages", flush=True)
                run([options.maumau, "tournament", "run", str(path), "--quiet"], folder, environment)
                print(run([options.maumau, "tournament", "show", "--all", str(path.with_suffix(".maumau"))], folder, environment))
                passed += 1
            except Failed as error:
                failed += 1
                print(f"FAILED: the league of {len(there)} languages: {error}")
    print("| language | what | lines | start and stop, ms | moves/s | first game, s | check, six sets |\n|---|---|---|---|---|---|---|")
    for one in there:
        kind = "kit" if one["kit"] else "starter"
        print(f"| {one['title']} | {kind} | {one['lines']} | {one['start_ms']:.0f} | {one['moves']:,.0f} | {one['first_game_s']:.1f} | passed |")
    if len(there) < options.at_least and not options.only:
        failed += 1
        print(f"FAILED: {len(there)} languages; at least {options.at_least}")
    print(f"{passed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
