"""An endpoint of chat completions that repeats the key which it is sent: `repeating_endpoint.py WAY`. Prints its port."""

import base64
import http.server
import json
import sys

WAY = sys.argv[1]


class Endpoint(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *_):
        pass

    def do_POST(self):
        self.rfile.read(int(self.headers["Content-Length"]))
        bearer = self.headers["Authorization"]
        key = bearer.split()[-1]
        # Where a text of so many characters is kept, the key stands at its end and is cut.
        said = {"refuse": (401, {"error": {"message": f"Incorrect API key provided: {key}, {base64.b64encode(bearer.encode()).decode()}"}}),
                "break": (500, f"<pre>{key.encode().hex()} {key}"),
                "answer": (200, answer(f"{bearer} {key[::-1][::-1]}")),
                "cut": (200, answer("x" * 188 + " " + key))}[WAY]
        body = (said[1] if isinstance(said[1], str) else json.dumps(said[1])).encode()
        self.send_response(said[0])
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)


def answer(why):
    text = json.dumps({"why": why, "action": 1})
    return {"choices": [{"message": {"content": text}}], "usage": {"prompt_tokens": 1, "completion_tokens": 1}}


with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Endpoint) as server:
    print(server.server_port, flush=True)
    server.serve_forever()
