"""Kinds that end too early, or do not end. What the arena must make of each is in kinds.toml."""

import os
import signal
import subprocess
import sys
import time

import bot
from bot import act, answers, first_ask, forever, parts, ready, send, signal_arrival, starts


def detach(then):
    """A grandchild in a session of its own, whose parent is gone, runs `then`."""
    if os.fork() == 0:
        os.setsid()
        if os.fork() == 0:
            then()
            os._exit(0)
        os._exit(0)
    os.wait()


def sleeper():
    subprocess.Popen(["sleep", "60"])


def crash(number):
    return lambda ask: (signal.signal(number, signal.SIG_DFL) if number != signal.SIGKILL else None, os.kill(os.getpid(), number))


bot.KINDS["answers"].update({
    "crash-mid-game": crash(signal.SIGSEGV),
    "killed-mid-game": crash(signal.SIGKILL),
    "terminated-mid-game": crash(signal.SIGTERM),
    "exit-0-mid-game": lambda ask: os._exit(0),
    "exit-1-mid-game": lambda ask: os._exit(1),
    "exit-77-mid-game": lambda ask: os._exit(77),
})


@answers
def answer_then_exit(ask):
    """Last words: a whole line in the pipe counts."""
    send(act(ask))
    os._exit(0)


@answers
def exception(ask):
    raise ValueError("\x1b[31mno idea\x1b[0m " + "x" * 10_000)


@starts
def ignore_sigterm():
    for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP, signal.SIGPIPE):
        signal.signal(number, signal.SIG_IGN)


parts(ignore_sigterm)
bot.KINDS["parts"]["ignore-sigterm"] = forever


@parts
def stop_at_the_end():
    os.kill(os.getpid(), signal.SIGSTOP)


@parts
def exit_77_at_the_end():
    sys.exit(77)


@parts
def crash_at_the_end():
    os.abort()


@parts
def flood_at_the_end():
    while True:
        os.write(1, b"x" * 65_536)


@parts
def child_at_the_end():
    sleeper()


@answers
def signal_start(ask):
    """Says that it was asked, and thinks for ever, deaf to everything."""
    ignore_sigterm()
    signal_arrival()
    forever()


@first_ask
def child_left_behind(ask):
    sleeper()


@first_ask
def child_in_own_group(ask):
    subprocess.Popen(["sleep", "60"], process_group=0)


@first_ask
def child_in_own_session(ask):
    subprocess.Popen(["sleep", "60"], start_new_session=True)


@first_ask
def daemon_with_pipes(ask):
    detach(lambda: time.sleep(60))


@first_ask
def daemon_without_pipes(ask):
    detach(lambda: (os.closerange(0, 64), time.sleep(60)))


@first_ask
def daemon_that_ignores(ask):
    detach(lambda: (ignore_sigterm(), time.sleep(60)))


@first_ask
def daemon_that_talks(ask):
    detach(lambda: [(send("I am still here"), time.sleep(0.2)) for _ in range(300)])


@answers
def exit_with_child(ask):
    """The child keeps the pipes open."""
    sleeper()
    os._exit(7)


@answers
def exit_with_daemon(ask):
    detach(lambda: time.sleep(60))
    os._exit(7)


@first_ask
def leaves_its_group(ask):
    """A child that a group kill does not find any more."""
    if not os.fork():
        os.setsid()
        forever()


@first_ask
def fork_rabbit(ask):
    """A child that begets the next one and goes, for ever."""

    def hop():
        while True:
            if os.fork():
                os._exit(0)
            time.sleep(0.005)

    detach(hop)


@answers
def zombies(ask):
    """Children that nobody waits for; not so many that the limit of processes ends the agent, which another kind tries."""
    zombies.asks += 1
    for _ in range(5 if zombies.asks <= 3 else 0):
        if not os.fork():
            os._exit(0)
    send(act(ask))


zombies.asks = 0


bot.run()
