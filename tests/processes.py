"""Finds processes by a mark in their environment or folder, and waits until they have ended. It starts and kills none."""

import os
import pathlib
import select
import time


def marked(mark):
    """Living processes in whose environment or folder the text `mark` is, by number: their command lines."""
    found, mark = {}, mark.encode()
    for pid in map(int, filter(str.isdigit, os.listdir("/proc"))):
        try:
            place = os.readlink(f"/proc/{pid}/cwd").encode()
            if pid != os.getpid() and (mark in place or mark in pathlib.Path(f"/proc/{pid}/environ").read_bytes()):
                words = pathlib.Path(f"/proc/{pid}/cmdline").read_bytes().replace(b"\0", b" ")
                found[pid] = words.decode(errors="replace").strip()
        except OSError:
            pass  # it has ended, or is not ours
    return found


def left_after(mark, patience_s):
    """What of `marked` is still there after `patience_s`; returns as soon as nothing is."""
    end = time.monotonic() + patience_s
    while left := marked(mark):
        if time.monotonic() > end:
            return left
        wait_for_end(left, end - time.monotonic())
    return {}


def wait_for_end(pids, patience_s):
    """Waits until every one of `pids` has ended, at most `patience_s`."""
    end, watched, ends = time.monotonic() + patience_s, set(), select.poll()
    try:
        for pid in pids:
            try:
                watched.add(fd := os.pidfd_open(pid))
                ends.register(fd, select.POLLIN)
            except ProcessLookupError:
                pass  # it has ended
        open_ones = len(watched)
        while open_ones and (left := end - time.monotonic()) > 0:
            for fd, _ in ends.poll(1_000 * left):
                ends.unregister(fd)
                open_ones -= 1
    finally:
        for fd in watched:
            os.close(fd)
