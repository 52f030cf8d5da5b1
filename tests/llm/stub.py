"""A stub of a language model's endpoint: answers chat completions with any number of the list, and misbehaves on request.

    python3 tests/llm/stub.py --port 8080 --faulty 0.2

Prints the address that it serves, one line. Misbehaviours: see KINDS. What it was asked is counted and printed at the
end as JSON. For tests, and for trying `maumau agent llm` without a model.
"""

import argparse
import json
import random
import re
import signal
import sys
import threading
import time
from collections import Counter
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

# What is wrong with a faulty reply.
KINDS = ["slow", "cut", "status", "busy", "html", "empty", "nonsense", "rude", "number", "long", "huge"]
# Slow replies cost the most time, so they are rarer than the others.
WEIGHTS = [1, 4, 4, 4, 4, 4, 4, 4, 4, 2, 1]


class Stub(ThreadingHTTPServer):
    """What all connections share."""

    daemon_threads = True
    request_queue_size = 128

    def __init__(self, options):
        super().__init__(("127.0.0.1", options.port), Handler)
        self.options = options
        self.dice = random.Random(options.seed)
        self.lock = threading.Lock()
        self.counts = Counter()
        self.prefixes = set()
        self.shortest_list = None

    def handle_error(self, request, client_address):
        """A client that has hung up is what a slow reply is for."""


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True

    def log_message(self, *_):
        pass

    def do_POST(self):
        stub = self.server
        body = json.loads(self.rfile.read(int(self.headers["content-length"])))
        messages = body["messages"]
        actions = len(re.findall(r"^\d+\. ", messages[1]["content"].split("The legal actions:")[1], re.MULTILINE))
        with stub.lock:
            stub.counts["asked"] += 1
            stub.prefixes.add(messages[0]["content"])
            stub.shortest_list = min(actions, stub.shortest_list or actions)
            is_faulty = stub.dice.random() < stub.options.faulty
            kind = stub.dice.choices(KINDS, WEIGHTS)[0] if is_faulty else "good"
            number = stub.dice.randint(1, actions)
            stub.counts[kind] += 1
        if stub.options.key and self.headers["authorization"] != f"Bearer {stub.options.key}":
            return self.reply(401, "application/json", '{"error": {"message": "a wrong key"}}')
        if self.path != "/v1/chat/completions":
            return self.reply(404, "text/plain", "no such page")
        if stub.options.new_bound and "max_tokens" in body:
            message = "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead."
            return self.reply(400, "application/json", json.dumps({"error": {"message": message}}))
        if stub.options.no_schema and "response_format" in body:
            return self.reply(400, "application/json", '{"error": {"message": "response_format is not known here"}}')
        return getattr(self, kind)(number, actions)

    def reply(self, status, form, text, **headers):
        data = text.encode()
        self.send_response(status)
        self.send_header("content-type", form)
        self.send_header("content-length", str(len(data)))
        for name, value in headers.items():
            self.send_header(name.replace("_", "-"), value)
        self.end_headers()
        self.wfile.write(data)

    def says(self, text):
        usage = {"prompt_tokens": 1000, "completion_tokens": 20, "prompt_tokens_details": {"cached_tokens": 800}}
        choice = {"index": 0, "message": {"role": "assistant", "content": text}, "finish_reason": "stop"}
        self.reply(200, "application/json", json.dumps({"choices": [choice], "usage": usage}))

    def good(self, number, _):
        self.says(json.dumps({"why": "any will do", "action": number}))

    def slow(self, number, actions):
        time.sleep(self.server.options.slow_ms / 1000)
        self.good(number, actions)

    def cut(self, *_):
        self.send_response(200)
        self.send_header("content-length", "5000")
        self.end_headers()
        self.wfile.write(b'{"choices": [')
        self.close_connection = True

    def status(self, *_):
        self.reply(500, "text/plain", "out of order")

    def busy(self, *_):
        self.reply(429, "application/json", '{"error": {"message": "too many requests"}}', retry_after="0.01")

    def html(self, *_):
        self.reply(200, "text/html", "<html><body>Welcome to the hotel's network</body></html>")

    def empty(self, *_):
        self.reply(200, "application/json", "{}")

    def nonsense(self, *_):
        self.says("As a language model I would rather talk about the weather.")

    def rude(self, *_):
        self.says('{"why": "\x1b[31mI will not play with you\x1b[0m", "action": "no"}')

    def number(self, _, actions):
        self.says(json.dumps({"why": "off the list", "action": actions + 7}))

    def long(self, number, _):
        self.says(json.dumps({"why": "thinking " * 20_000, "action": number}))

    def huge(self, *_):
        self.says("{" * 3_000_000)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--port", type=int, default=0, help="0 for any that is free")
    parser.add_argument("--faulty", type=float, default=0.0, help="the share of faulty replies")
    parser.add_argument("--slow-ms", type=int, default=2000, help="how long a slow reply takes")
    parser.add_argument("--no-schema", action="store_true", help="refuse response_format, as older endpoints do")
    parser.add_argument("--new-bound", action="store_true", help="refuse max_tokens, as newer models do")
    parser.add_argument("--key", help="the key to ask for")
    parser.add_argument("--seed", type=int, default=1)
    stub = Stub(parser.parse_args())
    print(f"http://127.0.0.1:{stub.server_address[1]}/v1", flush=True)
    signal.signal(signal.SIGTERM, lambda *_: threading.Thread(target=stub.shutdown).start())
    try:
        stub.serve_forever()
    except KeyboardInterrupt:
        pass
    counts = dict(stub.counts, prefixes=len(stub.prefixes), shortest_list=stub.shortest_list)
    print(json.dumps(counts), flush=True)


if __name__ == "__main__":
    sys.exit(main())
