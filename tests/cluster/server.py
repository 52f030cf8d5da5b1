"""A NATS server with JetStream for tests, and the few messages that tests send to it by themselves. It depends on nothing in maumau."""

import json
import pathlib
import queue
import signal
import socket
import subprocess
import threading


class Server:
    """A `nats-server` in a folder of its own, which outlives its restarts."""

    def __init__(self, folder, port=0, host="127.0.0.1", words=(), within=()):
        """`words` are further ones for the server; `within` come before them all, as a network namespace needs them."""
        self.folder, self.host = pathlib.Path(folder), host
        self.port = port or free_port()
        self.words, self.within, self.process = list(words), list(within), None
        self.start()

    @property
    def url(self):
        return f"nats://{self.host}:{self.port}"

    def start(self):
        command = [*self.within, "nats-server", "-js", "-sd", self.folder / "jetstream", "-a", self.host, "-p", str(self.port), *self.words]
        self.process = subprocess.Popen(command, stderr=subprocess.PIPE)
        said = queue.Queue()
        threading.Thread(target=self.keep, args=(self.process.stderr, said), daemon=True).start()
        try:
            is_ready = said.get(timeout=20)
        except queue.Empty:
            is_ready = False
        if not is_ready:
            raise SystemExit(f"nats-server does not start: see {self.folder / 'server.log'}")

    def keep(self, lines, said):
        """Keeps the log of the server; says when it is ready, and when it has ended."""
        with open(self.folder / "server.log", "ab", 0) as log:
            for line in lines:
                log.write(line)
                if b"Server is ready" in line:
                    said.put(True)
        lines.close()
        said.put(False)

    def freeze(self, is_frozen):
        """As if it had lost the network: it says nothing, and what it is sent until connections are given up is lost."""
        self.process.send_signal(signal.SIGSTOP if is_frozen else signal.SIGCONT)

    def kill(self):
        self.process.kill()
        self.process.wait()

    def restart(self):
        self.kill()
        self.start()


class Client:
    """One connection; a message at a time."""

    def __init__(self, server):
        self.socket = socket.create_connection((server.host, server.port), 10)
        self.file = self.socket.makefile("rb")
        self.file.readline()
        self.count = 0
        self.socket.sendall(b'CONNECT {"verbose":false,"headers":true}\r\nSUB inbox.* 1\r\n')

    def request(self, subject, payload=b"", headers=None):
        """The answer, as JSON."""
        self.count += 1
        inbox = f"inbox.{self.count}"
        if headers:
            head = b"NATS/1.0\r\n" + b"".join(f"{name}: {value}\r\n".encode() for name, value in headers.items()) + b"\r\n"
            line = f"HPUB {subject} {inbox} {len(head)} {len(head) + len(payload)}\r\n"
            self.socket.sendall(line.encode() + head + payload + b"\r\n")
        else:
            self.socket.sendall(f"PUB {subject} {inbox} {len(payload)}\r\n".encode() + payload + b"\r\n")
        while True:
            words = self.file.readline().split()
            if words[:1] == [b"PING"]:
                self.socket.sendall(b"PONG\r\n")
            elif words[:1] in ([b"MSG"], [b"HMSG"]):  # a unit comes under its own subject, and has headers
                head = int(words[-2]) if words[0] == b"HMSG" else 0
                body = self.file.read(int(words[-1]))[head:]
                self.file.readline()
                return json.loads(body)
            elif not words:
                raise SystemExit("the server has closed the connection")

    def close(self):
        self.file.close()
        self.socket.close()


def free_port():
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return listener.getsockname()[1]
