"""Kinds that attack the machine. What of it succeeds is written into the record as a note, `{"held": [...]}` or
`{"got": [...]}`; a sandbox has to hold it, and no level may let it disturb the game."""

import mmap
import os
import resource
import socket
import subprocess

import bot
from bot import answers, act, send

MIB = 1 << 20


def report(ask, what, got):
    send({"type": "note", "game": ask["game"], "note": {"got" if got else "held": what}})
    send(act(ask))


def succeeds(attempt):
    try:
        attempt()
    except (OSError, MemoryError):
        return False
    return True


@answers
def memory_bomb(ask):
    """Asks for 8 GiB, touched page by page only as far as 640 MiB, so that the test's own machine stays whole."""
    def grab():
        with mmap.mmap(-1, 8192 * MIB, mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS) as block:
            for at in range(0, 640 * MIB, 4_096):
                block[at] = 1

    report(ask, "memory", succeeds(grab))


@answers
def fork_bomb(ask):
    """80 children at once; they end with it."""
    children = []

    def fork():
        for _ in range(80):
            children.append(subprocess.Popen(["sleep", "60"]))

    got = succeeds(fork)
    for child in children:
        child.kill()
        child.wait()
    report(ask, f"{len(children)} children", got)


@answers
def writes_file(ask):
    """Outside its own folder."""
    path = "/tmp/maumau-torture-outside"
    got = succeeds(lambda: open(path, "w", encoding="ascii").close())
    if got:
        os.remove(path)
    report(ask, "a file outside", got)


@answers
def network(ask):
    def listen():
        with socket.socket() as server, socket.socket() as client:
            server.bind(("127.0.0.1", 0))
            server.listen()
            client.settimeout(1)
            client.connect(server.getsockname())

    report(ask, "the network", succeeds(listen))


@answers
def reads_proc(ask):
    """Environments of other processes."""
    mine = {os.getpid(), os.getppid()}
    others = 0
    try:
        names = os.listdir("/proc")
    except OSError:
        names = []
    for pid in filter(str.isdigit, names):
        if int(pid) not in mine and succeeds(lambda: open(f"/proc/{pid}/environ", "rb").read(1)):
            others += 1
    report(ask, f"{others} processes", others > 0)


@answers
def descriptors(ask):
    """Open files that it was handed besides its three streams."""
    inherited = [name for name in os.listdir("/proc/self/fd") if int(name) > 3]
    report(ask, f"descriptors {inherited}", bool(inherited))


@answers
def environment(ask):
    """Variables that are none of its business."""
    allowed = {"PATH", "HOME", "LANG", "LC_ALL", "TMPDIR", "TZ", "LC_CTYPE", "PWD"}
    report(ask, "variables", bool(set(os.environ) - allowed))


@answers
def limits_of_others(ask):
    """Sets the limits of every process that it can: no files, no processor time."""
    got = 0
    for pid in {os.getppid(), *range(os.getpid() - 20, os.getpid() + 20)} - {os.getpid()}:
        try:
            # The limit stays what it was, so that the test's own machine does.
            resource.prlimit(pid, resource.RLIMIT_CORE, resource.prlimit(pid, resource.RLIMIT_CORE))
            got += 1
        except OSError:
            pass
    report(ask, f"limits of {got} processes", got > 0)


bot.run()
