"""A bot that plays the first legal action, each time a gate lets it: `gated_bot.py PORT`. Tests decide by it when a game goes on."""

import json
import socket
import sys

gate = socket.create_connection(("127.0.0.1", int(sys.argv[1])))


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
