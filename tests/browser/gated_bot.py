"""A bot that plays the first legal action, each time a gate lets it: `gated_bot.py`. Tests decide by it when a game goes on. The gate
is the one host that it is permitted."""

import json
import os
import socket
import sys

ask = socket.socket(fileno=int(os.environ["MAUMAU_HOST_FD"]))
ask.send(b"c")
_, files, _, _ = socket.recv_fds(ask, 256, 1)
gate = socket.socket(fileno=files[0])


def send(message):
    print(json.dumps(message), flush=True)


for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "hello":
        send({"type": "ready", "protocol": "maumau/1", "name": "gated"})
    elif message["type"] == "ask":
        gate.sendall(b"?")
        if not gate.recv(1):
            break
        send({"type": "act", "game": message["game"], "id": message["id"], **message["legal"][0]})
    elif message["type"] == "bye":
        break
