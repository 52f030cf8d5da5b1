"""A bot that leaks the secret which it was granted, by every way there is; no part of it may be left in any file or output.

The forms that are looked for are made here, by Python's own modules, and not by the program that hides them.
"""

import base64
import http.client
import os
import re
import shutil
import subprocess
import sys
import urllib.parse

from plays import HERE, Kind, Place, Play

NAME = "talk-back-a-secret"
SECRET = "sk-Live/0123+4567=89AbCdEf"
# So much of a secret in a row is more than an accident.
PIECE = 13
ARGUMENTS = ("--sandbox-env", "API_KEY")
# Ways that need no game: the agent never gets ready.
AT_START = ("banner", "crash", "stderr-flood", "version", "half-line")
IN_GAME = ("ready", "notes", "speech", "members", "not-json", "verb", "game", "number", "pieces", "long-line", "exit", "stderr")


def talk_back(options):
    """All of it: what it was, and what was wrong."""
    if not options.only or NAME in options.only:
        yield f"{NAME}: a league", league(options)
        yield f"{NAME}: a match that is not played", no_match(options)
        yield f"{NAME}: check", check(options)
        yield f"{NAME}: an endpoint", endpoint(options)


def forms(secret=SECRET):
    """Every form of the secret, by name, in small letters."""
    data = secret.encode()
    found = {"plain": secret, "hexadecimal": data.hex(), "percent": urllib.parse.quote(secret, safe=""),
             "all percent": "".join(f"%{byte:02x}" for byte in data), "escapes": "".join(f"\\u{byte:04x}" for byte in data)}
    for before in range(3):
        text = base64.b64encode(b"x" * before + data).decode()
        # Without the digits that what stands before and after has a part in.
        found[f"base64 after {before}"] = text[-(-before * 8 // 6):(before + len(data)) * 8 // 6]
    return {name: text.lower() for name, text in found.items()}


def leaks(data):
    """Which forms of the secret, or of half of it, stand in these bytes."""
    text = data.decode("utf-8", "replace").lower()
    texts = {text, urllib.parse.unquote(text), re.sub(r"\\u([0-9a-f]{4})", lambda code: chr(int(code[1], 16)).lower(), text)}
    half = {name: len(form) * PIECE // len(SECRET) for name, form in forms().items()}
    pieces = {name: [form[at:at + half[name]] for at in range(len(form) - half[name] + 1)] for name, form in forms().items()}
    return sorted({name for name, parts in pieces.items() for part in parts for text in texts if part in text})


def look(play, what, *outputs):
    """Checks everything that is in the play's folder, and these outputs."""
    files = {str(path.relative_to(play.folder)): path.read_bytes() for path in play.folder.rglob("*") if path.is_file()}
    for name, data in {**files, **dict(enumerate(outputs))}.items():
        if found := leaks(data if isinstance(data, bytes) else data.encode()):
            play.check(False, f"{what}: {name} has the secret: {', '.join(found)}")
    return files


def run(play, *arguments, codes=(0, 1, 2)):
    environment = {**os.environ, "API_KEY": SECRET, "MAUMAU_LOG": "trace"}
    done = subprocess.run([play.options.maumau, *map(str, arguments)], cwd=play.folder, env=environment, capture_output=True,
                          stdin=subprocess.DEVNULL, timeout=300)
    play.check(done.returncode in codes, f"{arguments[0]}: exit code {done.returncode}: {done.stderr[-300:]!r}")
    return done.stdout, done.stderr


def begin(options):
    play = Play(options, Kind("leaks_secret", "notes", {}), Place("basic"))
    play.check(not leaks(b"[secret API_KEY]") and leaks(SECRET.encode()) and leaks(base64.b64encode(b"Bearer " + SECRET.encode())),
               "what is looked for would not be found")
    return play


def end(play):
    play.check_left()
    if not play.wrong or not play.options.keep:
        shutil.rmtree(play.folder, ignore_errors=True)
    return play.wrong


def bot(way):
    return f"{sys.executable} {HERE / 'bots' / 'leaks_secret.py'} {way}"


def league(options):
    """Every way at once, and everything that can be made of the run."""
    play = begin(options)
    agents = [("honest", "maumau agent greedy"), *((way, bot(way)) for way in IN_GAME + AT_START)]
    play.write_league(agents, {"move_ms": 2_000, "start_ms": 10_000, "turn_cap": 20}, games_per_pairing=2, concurrency=4)
    settings, *rest = (play.folder / "league.toml").read_text().split("[[agent]]\n")
    rest = [part if "maumau agent" in part else f'{part}secrets = ["API_KEY"]\n' for part in rest]
    schedule = '[schedule]\nformat = "gauntlet"\nchallengers = ["honest"]\n'
    (play.folder / "league.toml").write_text("[[agent]]\n".join([settings + schedule, *rest]))
    outputs = run(play, "tournament", "run", "league.toml", "--quiet", "--log", "run.log", *options.level, codes=(0, 1))
    for words in (("export", "league.maumau", "--to", "records"), ("show", "league.maumau", "--all", "--times"),
                  ("show", "league.maumau", "--format", "json"), ("faults", "league.maumau"),
                  ("show", "league.maumau", "--format", "html"), ("site", "league.maumau", "--to", "site")):
        outputs += run(play, "tournament", *words)
    records = sorted((play.folder / "records").glob("*.jsonl"))
    play.check(len(records) == 2 * (len(agents) - 1), f"{len(records)} records")
    for record in records:
        outputs += run(play, "replay", record)
    outputs += run(play, "replay", records[0], "--html", "replay.html")
    outputs += tuple(served(play))
    files = look(play, "a league", *outputs)
    everything = b"".join(data for data in [*files.values(), *outputs])
    play.check(everything.count(b"[secret API_KEY]") > 100, "the secret was not sent in many places")
    notes = b"".join(path.read_bytes() for path in records if b'"notes"' in path.read_bytes().splitlines()[0])
    play.check(notes.count(b"[secret API_KEY]") >= len(forms()), "not every form was sent in a note")
    return end(play)


def served(play):
    """The pages of a run."""
    process = subprocess.Popen([play.options.maumau, "serve", "league.maumau", "--addr", "127.0.0.1:0"], cwd=play.folder,
                               stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    try:
        place = process.stdout.readline().partition("http://")[2].strip().strip("/")
        pages, seen = ["/", "/games"], set()
        while pages:
            path = pages.pop()
            seen.add(path)
            connection = http.client.HTTPConnection(place, timeout=20)
            connection.request("GET", path)
            answer = connection.getresponse()
            text = answer.read()
            yield text
            links = re.findall(rb'href="(/games/[^"?]*)"', text) if path == "/games" else []
            pages += sorted({link.decode() for link in links} - seen - set(pages))
        play.check(len(seen) > 10, f"only {len(seen)} pages")
    finally:
        process.terminate()
        process.communicate()


def no_match(options):
    play = begin(options)
    for way in AT_START:
        outputs = run(play, "play", "--rules", "basic", "--fault-reports", "reports", "--log", "run.log", "--seat", bot(way), "--seat",
                      "maumau agent greedy", *ARGUMENTS, *options.level)
        outputs += run(play, "play", "--rules", "basic", "--format", "json", "--seat", bot(way), "--seat", "maumau agent greedy",
                       *ARGUMENTS, *options.level)
        look(play, way, *outputs)
    return end(play)


def check(options):
    play = begin(options)
    for way in IN_GAME + AT_START:
        for more in ((), ("--format", "json")):
            outputs = run(play, "check", "--rules", "basic", "--games", 1, "--move-ms", 500, "--start-ms", 3_000, "--fail-fast", *more,
                          *ARGUMENTS, *options.level, "--", *bot(way).split())
            look(play, f"check {way}", *outputs)
    return end(play)


def endpoint(options):
    """An endpoint that repeats the key, to the agent that asks language models; from a variable, and from a file, which the arena
    does not know."""
    play = begin(options)
    key = play.folder / "key"
    for way in ("refuse", "answer", "break", "cut"):
        stub = subprocess.Popen([sys.executable, HERE / "bots" / "repeating_endpoint.py", way], stdout=subprocess.PIPE, text=True)
        try:
            port = stub.stdout.readline().strip()
            for by, permits in (("--key-env API_KEY", ARGUMENTS), (f"--key-file {key}", ("--sandbox-read", key))):
                key.write_text(SECRET)
                key.chmod(0o644)
                seat = f"maumau agent llm --endpoint http://127.0.0.1:{port}/v1 --model m --tries 1 --patience-ms 8000 {by}"
                outputs = run(play, "play", "--rules", "basic", "--seed", 1, "--move-ms", 10_000, "--record", "game.jsonl",
                              "--fault-reports", "reports", "--log", "run.log", "--sandbox-host", f"127.0.0.1:{port}", *permits,
                              "--seat", seat, "--seat", "maumau agent greedy", *options.level, codes=(0,))
                outputs += run(play, "replay", "game.jsonl")
                key.unlink()
                files = look(play, f"{way}, {by}", *outputs)
                play.check(b"[secret k" in files.get("game.jsonl", b""), f"{way}, {by}: the endpoint sent no secret")
        finally:
            stub.kill()
            stub.communicate()
    return end(play)
