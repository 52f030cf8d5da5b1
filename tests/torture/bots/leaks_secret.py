"""Leaks the secret that it was granted, in each form, by one way: `leaks_secret.py WAY`."""

import base64
import json
import os
import sys
import time
import urllib.parse

WAY = sys.argv[1]
SECRET = os.environ.get("API_KEY", "")
DATA = SECRET.encode()
FORMS = [SECRET, f"Bearer {SECRET}", SECRET.upper(), DATA.hex(), DATA.hex().upper(), urllib.parse.quote(SECRET, safe=""),
         "".join(f"%{byte:02X}" for byte in DATA), SECRET[:20] + "...", "..." + SECRET[6:], json.dumps({"key": SECRET}),
         json.dumps({"key": "".join(f"\\u{byte:04x}" for byte in DATA)})]
FORMS += [encode(before + DATA).decode() for encode in (base64.b64encode, base64.urlsafe_b64encode)
          for before in (b"", b"x", b"xy", b"Bearer ")]
ESCAPED = '"' + "".join(f"\\u{byte:04x}" for byte in DATA) + '"'


def send(message):
    write(json.dumps(message) + "\n")


def write(text):
    sys.stdout.write(text)
    sys.stdout.flush()


def complain():
    for form in FORMS:
        print("the key is", form, file=sys.stderr, flush=True)


if WAY == "banner":
    write(f"my key is {SECRET}\n")
elif WAY == "crash":
    raise RuntimeError(f"cannot use {SECRET}, {FORMS[-1]}")
elif WAY == "stderr-flood":
    for _ in range(3_000):
        print(SECRET, end=" ", file=sys.stderr)
    sys.exit(f"{SECRET} is wrong")
elif WAY == "version":
    send({"type": "ready", "protocol": SECRET, "name": "bot"})
elif WAY == "half-line":
    write(f'{{"type":"ready","protocol":"{SECRET[:15]}')
    sys.exit(1)
for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "hello":
        name = SECRET if WAY == "ready" else "bot"
        write(json.dumps({"type": "ready", "protocol": "maumau/1", "name": name, "version": SECRET, SECRET: DATA.hex()}) + "\n")
        if WAY == "stderr":
            complain()
    elif message["type"] == "ask":
        game = {"game": message["game"]}
        act = {"type": "act", **game, "id": message["id"], **message["legal"][0]}
        if WAY == "notes":
            for form in FORMS:
                send({"type": "note", **game, "note": {"why": form, form: [form]}})
            write(f'{{"type":"note","game":{json.dumps(message["game"])},"note":{{"why":{ESCAPED}}}}}\n')
        elif WAY == "speech":
            for form in FORMS[:4]:
                send({**act, "say": [form]})
        elif WAY == "members":
            send({**act, "key": SECRET, SECRET: FORMS})
        elif WAY == "not-json":
            for form in FORMS[:6]:
                write(f"{form}\n")
        elif WAY == "verb":
            send({**act, "do": SECRET})
        elif WAY == "game":
            send({**act, "game": SECRET})
        elif WAY == "number":
            send({**act, "id": SECRET})
        elif WAY == "pieces":
            # Each is less than half of it, and a read of its own.
            for at in range(0, len(SECRET), 10):
                write(SECRET[at:at + 10])
                time.sleep(0.01)
            write("\n")
        elif WAY == "long-line":
            write((SECRET + " ") * 4_000 + "\n")
        elif WAY == "exit":
            write(json.dumps(act)[:-1] + SECRET)
            sys.exit(SECRET)
        send(act)
    elif message["type"] == "bye":
        break
