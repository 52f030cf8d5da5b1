#!/usr/bin/env python3
"""Hosts as network namespaces: a worker and the collector lose the server for a while, and a link is slow.

    tests/cluster/hosts.py [MAUMAU] [--away SECONDS]

Needs root and `ip`. The server, two workers and the collector each have an address of their own on a bridge. One worker is cut off for
AWAY seconds, then the collector; the link of the other worker delays everything by 80 ms and passes 2 Mbit/s. Nothing may be lost or
doubled, the tables must be those of one process, and `status` must name what is late. The last line is `N passed, N failed`.
"""

import argparse
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import time

TOP = pathlib.Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(TOP / "tests"))
from checks import Checks  # noqa: E402
from cluster import Place, ends_within, league, same_as_alone, wait  # noqa: E402
from server import Server  # noqa: E402

MARK = f"mm{os.getpid()}"
HOSTS = {"server": 1, "slow": 2, "cut": 3, "collector": 4}


def ip(*words):
    subprocess.run(["ip", *words], check=True)


def link(host, state):
    """The host's link, as a switch sees it."""
    ip("netns", "exec", f"{MARK}net", "ip", "link", "set", f"to-{host}", state)


class Hosts:
    def __enter__(self):
        # The bridge has a namespace of its own, so this machine's network is not changed.
        ip("netns", "add", f"{MARK}net")
        inside = ("netns", "exec", f"{MARK}net", "ip")
        ip(*inside, "link", "add", "bridge", "type", "bridge")
        ip(*inside, "link", "set", "bridge", "up")
        for host, number in HOSTS.items():
            space = f"{MARK}{host}"
            ip("netns", "add", space)
            ip(*inside, "link", "add", f"to-{host}", "type", "veth", "peer", "name", "eth0", "netns", space)
            ip(*inside, "link", "set", f"to-{host}", "master", "bridge", "up")
            for words in (("addr", "add", f"10.99.0.{number}/24", "dev", "eth0"), ("link", "set", "eth0", "up"), ("link", "set", "lo", "up")):
                ip("-n", space, *words)
        return self

    def __exit__(self, *_):
        for name in (f"{MARK}net", *(f"{MARK}{host}" for host in HOSTS)):
            subprocess.run(["ip", "netns", "del", name], check=False)


class There(Place):
    """A place on one of the hosts."""

    def __init__(self, maumau, folder, server, host):
        super().__init__(maumau, folder, server)
        self.maumau = maumau
        self.inside = ["ip", "netns", "exec", f"{MARK}{host}"]

    def start(self, *words, **more):
        with open(self.folder / f"{self.inside[3]}-{words[1]}.log", "ab") as log:
            return subprocess.Popen([*self.inside, self.maumau, *map(str, words)], cwd=self.folder, env=self.environment,
                                    stdout=subprocess.DEVNULL, stderr=log)

    def run(self, *words, env=None):
        done = subprocess.run([*self.inside, self.maumau, *map(str, words)], cwd=self.folder, env=self.environment, capture_output=True,
                              text=True, timeout=600)
        return done.returncode, done.stdout, done.stderr


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("maumau", nargs="?", default=TOP / "target/debug/maumau", type=pathlib.Path)
    parser.add_argument("--away", type=int, default=30)
    parser.add_argument("--games", type=int, default=6_000)
    options = parser.parse_args()
    checks, maumau = Checks(), options.maumau.resolve()
    with tempfile.TemporaryDirectory(prefix="maumau-hosts-") as folder, Hosts():
        folder = pathlib.Path(folder)
        server = Server(folder, 4222, "10.99.0.1", within=("ip", "netns", "exec", f"{MARK}server"))
        slow = None
        try:
            on = {host: There(maumau, folder, server, host) for host in HOSTS}
            slow = subprocess.Popen([*on["slow"].inside, sys.executable, TOP / "tests/cluster/slow_link.py", "4222", server.host, "4222",
                                     "80", "250000"], stdout=subprocess.PIPE, text=True)
            slow.stdout.readline()
            on["slow"].environment["NATS_URL"] = "nats://127.0.0.1:4222"
            (folder / "hosts.toml").write_text(league(options.games))
            code, out, error = on["server"].run("cluster", "submit", "hosts.toml", "--lease", 10, "--unit-games", 16)
            checks.check(f"submit: {out} {error}", code == 0)
            began = time.monotonic()
            workers = {host: on[host].worker(number) for number, host in enumerate(("slow", "cut"))}
            collector = on["collector"].start("cluster", "collect", "hosts", "--to", "hosts.maumau", "--quiet")

            def status():
                code, out, error = on["server"].run("cluster", "status", "--format", "json")
                checks.check(f"status: {code} {error}", code == 0)
                return json.loads(out)

            def results():
                return status()["runs"][0]["results"]

            def all_play():
                return sum(worker["state"] == "playing" and bool(worker["in_hand"]) for worker in status()["workers"]) == len(workers)

            while (results() < 4 or not all_play()) and not ends_within(collector, 0.2):
                pass
            link("cut", "down")
            print(f"the worker is cut off at {time.monotonic() - began:.0f} s", flush=True)
            end, named = time.monotonic() + options.away, False
            while time.monotonic() < end and not ends_within(collector, 0.5):
                seen = status()
                silent = [worker for worker in seen["workers"] if worker["state"] == "silent"]
                named |= bool(silent and seen["runs"][0]["late"])
            checks.check("status names the silent worker and its late units", named)
            link("cut", "up")
            before = results()
            print(f"it is back at {time.monotonic() - began:.0f} s; the collector is cut off", flush=True)
            link("collector", "down")
            checks.check("the collector waits for the server", not ends_within(collector, options.away))
            checks.check("workers go on without the collector", results() > before or results() == status()["runs"][0]["units"])
            link("collector", "up")
            print(f"it is back at {time.monotonic() - began:.0f} s", flush=True)
            code = wait(collector, checks, "the collector")
            checks.check(f"the collector ends with {code}", code == 0)
            print(f"all is collected at {time.monotonic() - began:.0f} s", flush=True)
            for worker in workers.values():
                worker.terminate()
                wait(worker, checks, "a worker")
            same_as_alone(on["server"], checks, "hosts")
        finally:
            server.kill()
            if slow:
                slow.kill()
                slow.wait()
    print(f"{checks.passed} passed, {checks.failed} failed")
    return 0 if checks.failed == 0 else 1


if __name__ == "__main__":
    sys.exit(main())
