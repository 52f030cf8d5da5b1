#!/usr/bin/env python3
"""Kills the arena by SIGKILL at many moments of the start of its agents, and looks for what is left.

    tests/torture/start_kills.py [MAUMAU] [--sandbox LEVEL] [--sandbox-user NAME] [--kills N] [--until MS]

The agents are deaf to the end of their input. Each of N starts is killed a little later than the one before, up to MS after its
begin. The last line is `N passed, N failed`: a kill after which a process is left two seconds later has failed.
"""

import argparse
import contextlib
import os
import pathlib
import subprocess
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))
from processes import left_after, marked  # noqa: E402

PATIENCE_S = 2
DEAF = "sh -c 'trap : HUP TERM; while :; do sleep 1; done'"


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("maumau", nargs="?", default=HERE.parent.parent / "target/release/maumau", type=pathlib.Path)
    parser.add_argument("--sandbox", default="strict")
    parser.add_argument("--sandbox-user")
    parser.add_argument("--kills", type=int, default=100)
    parser.add_argument("--until", type=float, default=120)
    options = parser.parse_args()
    options.maumau = str(options.maumau.resolve())
    passed = failed = most = 0
    for number in range(options.kills):
        with tempfile.TemporaryDirectory(prefix="maumau-start-kills-") as folder:
            os.chmod(folder, 0o755)
            words = [options.maumau, "play", "--start-ms", "60000", "--sandbox", options.sandbox]
            words += ["--sandbox-user", options.sandbox_user] if options.sandbox_user else []
            words += [word for _ in range(4) for word in ("--seat", DEAF)]
            # Every process of it has this in its environment or in that of its parent when it began.
            environment = {**os.environ, "PATH": f"{os.environ['PATH']}:{folder}"}
            arena = subprocess.Popen(words, env=environment, cwd=folder, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                                     stderr=subprocess.DEVNULL)
            time.sleep(options.until / 1e3 * number / options.kills)
            most = max(most, len(marked(folder)))
            arena.kill()
            arena.wait()
            left = left_after(folder, PATIENCE_S)
            passed, failed = passed + (not left), failed + bool(left)
            if left:
                print(f"kill {number}: left are {left}", flush=True)
                for pid in left:
                    with contextlib.suppress(ProcessLookupError):
                        os.kill(pid, 9)
    print(f"at most {most} processes were there at a kill")
    print(f"{passed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
