#!/usr/bin/env python3
"""A club behind a proxy that speaks TLS: nginx and Caddy in turn, set up as arena/docs/club-hosting.md says, a certificate of our own.

    tests/club/proxies.py [MAUMAU]

The blocks for both proxies are taken from the document; only names, ports and paths are changed. Behind each of them people join by a
form, a form of another page is refused, the cookie is for TLS alone, archives up to the limit pass and larger ones are refused by the club,
and events arrive at once, also after a silence. Without `Host` from nginx no form is taken. `maumau submit` must refuse a certificate that
no authority has signed, unless `SSL_CERT_FILE` names it. A proxy that is not installed is left out. It needs openssl. The last line is `N passed, N failed`.
"""

import argparse
import contextlib
import http.client
import io
import json
import os
import pathlib
import re
import shutil
import socket
import ssl
import subprocess
import sys
import tarfile
import tempfile
import time
import urllib.parse

TOP = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(TOP / "tests"))
from checks import Checks  # noqa: E402
from processes import left_after  # noqa: E402

NAME = "club.example.org"
DOCUMENT = TOP / "arena/docs/club-hosting.md"
LIMIT_MIB = 32
# Longer than the minute after which nginx gives up an answer that says nothing.
SILENCE_S = 70
EVENT_WITHIN_S = 2


def free_port():
    with socket.create_server(("127.0.0.1", 0)) as listener:
        return listener.getsockname()[1]


def documented(first_line):
    """The block of the document that begins with this line."""
    return re.search(rf"```\w*\n({re.escape(first_line)}\n.*?)```", DOCUMENT.read_text(), re.S)[1]


def nginx(folder, port, club):
    """The server block of the document with other paths and ports, in the least around it."""
    block = documented("server {").replace("listen 443", f"listen 127.0.0.1:{port}").replace("127.0.0.1:4243", f"127.0.0.1:{club}")
    block = re.sub(r"(ssl_certificate) \S+;", rf"\1 {folder}/certificate.pem;", block)
    block = re.sub(r"(ssl_certificate_key) \S+;", rf"\1 {folder}/key.pem;", block)
    places = "".join(f"{kind}_temp_path {folder}/{kind};\n" for kind in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi"))
    head = f"daemon off; pid {folder}/nginx.pid; error_log {folder}/nginx.log; events {{}}\nhttp {{ access_log off;\n{places}"
    (folder / "nginx.conf").write_text(f"{'user root;' if os.geteuid() == 0 else ''}{head}{block}}}\n")
    return ["nginx", "-e", str(folder / "nginx.log"), "-c", str(folder / "nginx.conf")]


def caddy(folder, port, club):
    """The Caddyfile of the document with our certificate and ports."""
    block = documented(f"{NAME} {{").replace("127.0.0.1:4243", f"127.0.0.1:{club}")
    # `maumau submit` of the test finds it under this name alone.
    block = block.replace(f"{NAME} {{", f"{NAME}, localhost {{")
    block = block.replace("{\n", f"{{\n    tls {folder}/certificate.pem {folder}/key.pem\n", 1)
    options = f"{{\n    admin off\n    auto_https disable_redirects\n    https_port {port}\n}}\n"
    (folder / "Caddyfile").write_text(options + block)
    return ["caddy", "run", "--adapter", "caddyfile", "--config", str(folder / "Caddyfile")]


class Site:
    """The club as people reach it: under its name, by TLS."""

    def __init__(self, folder, port):
        self.port, self.host = port, f"{NAME}:{port}"
        self.trusted = ssl.create_default_context(cafile=str(folder / "certificate.pem"))

    def connect(self, seconds=60):
        connection = http.client.HTTPSConnection(NAME, self.port, timeout=seconds)
        plain = socket.create_connection(("127.0.0.1", self.port), timeout=seconds)
        connection.sock = self.trusted.wrap_socket(plain, server_hostname=NAME)
        return connection

    def ask(self, method, path, body=None, **headers):
        """Status, headers and body of an answer."""
        headers = {name.replace("_", "-"): value for name, value in headers.items()}
        with contextlib.closing(self.connect()) as connection:
            try:
                connection.request(method, path, body=body, headers={"Host": self.host} | headers)
            except (BrokenPipeError, ConnectionResetError, ssl.SSLEOFError):
                pass  # an answer may come before all was sent
            answer = connection.getresponse()
            return answer.status, answer.headers, answer.read().decode(errors="replace")

    def form(self, path, origin=None, **fields):
        kind = {"Content_Type": "application/x-www-form-urlencoded", "Origin": origin or f"https://{self.host}"}
        return self.ask("POST", path, urllib.parse.urlencode(fields), **kind)


class EventStream:
    """The events of a club, as a program follows them."""

    def __init__(self, site, after):
        self.connection = site.connect(SILENCE_S + 60)
        path = f"/api/1/events?after={after}"
        self.connection.request("GET", path, headers={"Host": site.host, "Accept": "text/event-stream"})
        self.answer = self.connection.getresponse()

    def next(self):
        """The next event; None if the stream has ended."""
        while line := self.answer.fp.readline():
            if line.startswith(b"data: "):
                return json.loads(line[6:])
        return None


def bot_of(mebibytes):
    """An archive of about this size that no compression helps: a bot that is refused, which does not matter here."""
    archive = io.BytesIO()
    with tarfile.open(fileobj=archive, mode="w") as tar:
        for name, data in (("bot.py", b"raise SystemExit(1)\n"), ("net.bin", os.urandom(int(mebibytes * 2**20)))):
            info = tarfile.TarInfo(name)
            info.size = len(data)
            tar.addfile(info, io.BytesIO(data))
    return archive.getvalue()


class ServedBehind:
    """A club and the proxy in front of it."""

    def __init__(self, maumau, folder, proxy, changed=lambda words: words):
        self.maumau, self.folder, self.club = maumau, folder, folder / "club"
        self.port, inner = free_port(), free_port()
        self.site = Site(folder.parent, self.port)
        made = subprocess.run([maumau, "club", "new", self.club, "--sandbox", "basic"], capture_output=True, text=True, check=True)
        settings = self.club / "club.toml"
        text = settings.read_text().replace("http://127.0.0.1:4243", f"https://{self.site.host}")
        settings.write_text(re.sub(r"upload_mib = \d+", f"upload_mib = {LIMIT_MIB}", text))
        self.key = made.stdout.strip().rsplit("/", 1)[1]
        for name in ("certificate.pem", "key.pem"):
            shutil.copy(folder.parent / name, folder)
        words = changed(proxy(folder, self.port, inner))
        log = open(folder / "log", "wb")
        with log:
            serve = [maumau, "club", "serve", self.club, "--addr", f"127.0.0.1:{inner}"]
            self.processes = [subprocess.Popen(serve, stdout=subprocess.PIPE, stderr=log)]
            self.processes[0].stdout.readline()
            environment = dict(os.environ, XDG_DATA_HOME=str(folder), XDG_CONFIG_HOME=str(folder))
            self.processes.append(subprocess.Popen(words, stdout=log, stderr=log, env=environment))
        for _ in range(200):
            with contextlib.suppress(ConnectionRefusedError), socket.create_connection(("127.0.0.1", self.port)):
                return
            time.sleep(0.05)
        raise RuntimeError(f"the proxy does not listen: {(folder / 'log').read_text()[-2000:]}")

    def invite(self, *words):
        done = subprocess.run([self.maumau, "club", "invite", self.club, *words], capture_output=True, text=True, check=True)
        return done.stdout.strip()

    def end(self):
        for process in reversed(self.processes):
            process.terminate()
            process.wait(30)
        self.processes[0].stdout.close()


def joins(served, checks, name):
    """A member's token, after the page and the form of an invitation."""
    site, link = served.site, served.invite()
    checks.check(f"{name}: the link {link} names the club by its address", link.startswith(f"https://{site.host}/join/"))
    path = urllib.parse.urlsplit(link).path
    status, _, page = site.ask("GET", path)
    checks.check(f"{name}: the page of an invitation: {status}", status == 200 and "You are invited" in page)
    status, _, page = site.form(path, origin="https://evil.example", name="eve")
    checks.check(f"{name}: a form of another page: {status}", status == 403)
    status, headers, page = site.form(path, name="ann")
    cookie = headers.get("Set-Cookie", "")
    checks.check(f"{name}: the form of an invitation: {status} {page[:300]}", status == 200)
    checks.check(f"{name}: the cookie is for TLS alone: {cookie}", cookie.startswith("maumau-club=") and "; Secure" in cookie and "HttpOnly" in cookie)
    status, _, page = site.ask("GET", "/bots", Cookie=cookie.split(";")[0])
    checks.check(f"{name}: the page of one's bots: {status}", status == 200 and "My bots" in page)
    return re.search(r"maumau-club=([0-9a-f]+)", cookie)[1]


def uploads(served, checks, name, token):
    """Archives of many sizes; the club itself says that one is too large."""
    send = lambda bot, body: served.site.ask("PUT", f"/api/1/bots/{bot}/versions", body, Authorization=f"Bearer {token}")  # noqa: E731
    status, _, said = send("eight", bot_of(8))
    checks.check(f"{name}: 8 MiB: {status} {said[:200]}", status == 201)
    status, _, said = send("most", bot_of(LIMIT_MIB - 1))
    checks.check(f"{name}: {LIMIT_MIB - 1} MiB: {status} {said[:200]}", status == 201)
    for mebibytes in (LIMIT_MIB + 1, 2 * LIMIT_MIB - 1):
        status, _, said = send("large", bot_of(mebibytes))
        checks.check(f"{name}: {mebibytes} MiB: {status} {said[:200]}", status == 413 and "upload_mib" in said)


def events(served, checks, name):
    """Events come at once, also after a silence that is longer than proxies wait."""
    newest = served.site.ask("GET", "/api/1/events?after=0")
    after = json.loads(newest[2])[-1]["id"]
    stream = EventStream(served.site, after)
    late = []
    for wait_s, say in ((1, "freeze"), (SILENCE_S, "thaw")):
        time.sleep(wait_s)
        began = time.monotonic()
        done = subprocess.run([served.maumau, "club", say, served.club], capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
        event = stream.next()
        late.append(time.monotonic() - began)
        checks.check(f"{name}: an event after {wait_s} s of silence: {event}, {late[-1]:.2f} s", event and late[-1] < EVENT_WITHIN_S)
    stream.connection.close()
    return late


def settle(served):
    """Waits until nothing is on its way, and says nothing any more."""
    for _ in range(600):
        if json.loads(served.site.ask("GET", "/api/1/queue")[2]) == [] and (served.club / "season/season.maumau").exists():
            return
        time.sleep(0.2)


def submits(served, checks, name):
    """`maumau submit` refuses a certificate that no authority has signed, unless `SSL_CERT_FILE` trusts it."""
    bot = served.folder / "bot"
    bot.mkdir()
    (bot / "bot.py").write_text("raise SystemExit(1)\n")
    words = [served.maumau, "submit", bot, "--no-check", "--to", f"https://localhost:{served.port}"]
    plain = {key: value for key, value in os.environ.items() if not key.startswith("SSL_CERT_")}

    def submit(**variables):
        return subprocess.run(words, env=dict(plain, MAUMAU_TOKEN="00", **variables), capture_output=True, text=True)

    done = submit(SSL_CERT_FILE=served.folder.parent / "certificate.pem")
    reached = done.returncode == 2 and "token" in done.stderr
    checks.check(f"{name}: submit to a certificate that SSL_CERT_FILE trusts: {done.returncode} {done.stderr}", reached)
    done = submit(SSL_CERT_FILE=served.folder / "none.pem")
    named = done.returncode == 2 and "SSL_CERT_FILE names no certificate" in done.stderr
    checks.check(f"{name}: submit with authorities that are not there: {done.returncode} {done.stderr}", named)
    done = submit()
    checks.check(f"{name}: submit to a certificate of our own: {done.returncode} {done.stderr}", done.returncode == 3)
    return done.stderr.strip().rsplit(": ", 1)[-1]


def without(served, checks, name):
    """Without Host from the proxy no form is taken."""
    link = urllib.parse.urlsplit(served.invite()).path
    status, _, _ = served.site.form(link, name="bob")
    checks.check(f"{name} without Host: {status}", status == 403)


def behind(proxy, maumau, place, checks):
    name = proxy.__name__
    folder = place / name
    folder.mkdir()
    served = ServedBehind(maumau, folder, proxy)
    try:
        token = joins(served, checks, name)
        uploads(served, checks, name, token)
        said = submits(served, checks, name)
        settle(served)
        late = events(served, checks, name)
    finally:
        served.end()
    print(f"{name}: forms, uploads and events; events after {' and '.join(f'{one:.2f} s' for one in late)}; submit: {said}", flush=True)


def careless(words):
    """nginx without what the document says about headers."""
    file = pathlib.Path(words[-1])
    file.write_text(re.sub(r"proxy_set_header [^;]*;", "", file.read_text()))
    return words


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("maumau", nargs="?", default=TOP / "target/release/maumau", type=pathlib.Path)
    options = parser.parse_args()
    maumau, checks = str(options.maumau.resolve()), Checks()
    with tempfile.TemporaryDirectory(prefix="maumau-proxies-") as name:
        place = pathlib.Path(name)
        make = ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", f"/CN={NAME}"]
        files = ["-keyout", place / "key.pem", "-out", place / "certificate.pem", "-addext", f"subjectAltName=DNS:{NAME},DNS:localhost", "-addext", "basicConstraints=critical,CA:FALSE"]
        subprocess.run([*make, *files], check=True, capture_output=True)
        for proxy in (nginx, caddy):
            if shutil.which(proxy.__name__):
                behind(proxy, maumau, place, checks)
            else:
                print(f"{proxy.__name__}: left out, it is not installed")
        if shutil.which("nginx"):
            (place / "careless").mkdir()
            served = ServedBehind(maumau, place / "careless", nginx, careless)
            try:
                without(served, checks, "nginx")
            finally:
                served.end()
        left = left_after(name, 10)
        checks.check(f"processes are left: {left}", not left)
    print(f"{checks.passed} passed, {checks.failed} failed")
    return 1 if checks.failed else 0


if __name__ == "__main__":
    sys.exit(main())
