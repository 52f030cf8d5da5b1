"""One environment used from two threads, Ctrl-C in what takes long, buffers of every kind, and every public function with nonsense:
exceptions of Python's, no panic and no crash.

    python test_robust.py --seconds 600 --seed 1     # the fuzz alone, for as long as that
"""

import argparse
import concurrent.futures
import contextlib
import faulthandler
import inspect
import io
import os
import random
import signal
import subprocess
import sys
import tempfile
import threading
import time
import unittest

import numpy as np

import maumau
from maumau import _native

SECONDS = float(os.environ.get("FUZZ_SECONDS", "20"))
"""How long the fuzz of the tests takes."""

LONG = 10**9
"""Steps that nobody waits for."""


def together(*works):
    """Runs these at once, and raises what any of them raises, a panic too."""
    with concurrent.futures.ThreadPoolExecutor(len(works)) as pool:
        for done in [pool.submit(work) for work in works]:
            done.result()


class Threads(unittest.TestCase):
    def test_an_environment_used_from_two_threads_raises_or_steps(self):
        for threads in (1, 2):
            env = maumau.vector("basic", 2, 64, seed=1, threads=threads)
            found, stop = [], time.monotonic() + 2

            def work():
                while time.monotonic() < stop:
                    try:
                        env.step_at_random(20)
                        env.step_into(env.random_actions())
                        env.row_seed(3)
                        found.append(None)
                    except (RuntimeError, ValueError, IndexError) as error:
                        found.append(type(error))

            together(work, work, work)
            self.assertIn(None, found, "nobody stepped")
            env.reset()
            env.step_into(env.mask.argmax(axis=1))

    def test_games_used_from_two_threads_raise_or_go_on(self):
        game, seen = maumau.Game("basic", 2, seed=1), maumau.Game("basic", 2, seed=1).observer(0)
        stop = time.monotonic() + 1

        def work(number):
            while time.monotonic() < stop:
                for call in (lambda: game.step(game.legal_actions()[0]), lambda: game.playout("first", number), game.clone, game.view,
                             lambda: seen.follow(game), lambda: seen.sample(number), lambda: game._game.restart(number)):
                    with contextlib.suppress(RuntimeError, ValueError, IndexError, TypeError):
                        call()

        together(*(lambda number=number: work(number) for number in range(3)))

    def test_nobody_resizes_or_changes_what_is_being_read_and_written(self):
        for threads in (1, 2):
            env = maumau.vector("basic", 2, 256, seed=1, threads=threads)
            actions, over, refused = np.zeros(256, np.int64), threading.Event(), []

            def meddle():
                while not over.is_set():
                    actions[:] = random.choice((-1, 0, 1, 5, 10**6, -10**12))
                    for array in env._arrays[:5]:
                        try:
                            # Twice the room, and back: it moves.
                            shape = array.shape
                            array.resize((2 * shape[0], *shape[1:]), refcheck=False)
                            array.resize(shape, refcheck=False)
                        except ValueError as error:
                            refused.append(str(error))

            meddler = threading.Thread(target=meddle)
            meddler.start()
            stop = time.monotonic() + 2
            while time.monotonic() < stop:
                with contextlib.suppress(ValueError, IndexError, TypeError, RuntimeError):
                    env.step_at_random(300)
                with contextlib.suppress(ValueError, IndexError, TypeError, RuntimeError):
                    env.step_into(actions)
            over.set()
            meddler.join()
            self.assertTrue(any("resize" in words for words in refused), "no array was resized while it was written")


    def test_nobody_frees_what_is_being_written(self):
        for threads in (1, 2):
            env = maumau.vector("basic", 2, 256, seed=1, threads=threads)
            over, raised = threading.Event(), []

            def meddle():
                while not over.is_set():
                    for place in (0, 1):
                        array = env._arrays[place]
                        try:
                            array.data = np.zeros(array.shape, array.dtype).data
                        except AttributeError:
                            # Newer numpys exchange memory in this way only.
                            array.__setstate__(np.zeros(array.shape, array.dtype).__reduce__()[2])
                    time.sleep(0.001)

            def renew():
                """Arrays of their own, and views of such."""
                whole, mask = np.zeros((256, 2, env._arrays[0].shape[1]), env._arrays[0].dtype), np.zeros_like(env._arrays[1])
                env._arrays = (whole.reshape(512, -1)[:256], mask, *env._arrays[2:])

            meddler = threading.Thread(target=meddle)
            meddler.start()
            stop = time.monotonic() + 2
            while time.monotonic() < stop:
                renew()
                try:
                    env.step_at_random(300)
                except ValueError as error:
                    raised.append(str(error))
            over.set()
            meddler.join()
            self.assertTrue(any("exchanged while it was written" in words for words in raised), set(raised))
            renew()
            env.step_at_random(1)
            self.assertTrue(env._arrays[1].flags.owndata, "an array has its memory back")


@unittest.skipUnless(hasattr(signal, "setitimer"), "there are no timers that signal")
class Interrupts(unittest.TestCase):
    def check(self, call):
        """Ctrl-C after a moment ends the call."""
        before = signal.signal(signal.SIGALRM, signal.default_int_handler)
        begin = time.monotonic()
        try:
            signal.setitimer(signal.ITIMER_REAL, 0.3)
            with self.assertRaises(KeyboardInterrupt):
                call()
        finally:
            signal.setitimer(signal.ITIMER_REAL, 0)
            signal.signal(signal.SIGALRM, before)
        self.assertLess(time.monotonic() - begin, 20)

    def test_what_takes_long_ends(self):
        for threads in (1, 2):
            env = maumau.vector("basic", 2, 64, seed=1, threads=threads)
            self.check(lambda: env.step_at_random(LONG))
            env.reset()
            env.step_into(env.mask.argmax(axis=1))
            thinking = maumau.vector("basic", 2, 2000, seed=1, threads=threads, opponents=["sample:200"])
            self.check(lambda: [thinking.step_at_random(1000) for _ in range(1000)])
            self.check(lambda: thinking.step_at_random(LONG))
        game = maumau.Game("skat", 4, seed=1, rounds=100)
        self.check(lambda: [game.playout("sample:200") for _ in range(1000)])

    def test_no_choice_takes_longer_than_seconds(self):
        with self.assertRaisesRegex(ValueError, "up to 100000"):
            maumau.vector("basic", 2, 1, opponents=["search:4000000000"])


class Buffers(unittest.TestCase):
    def setUp(self):
        self.env = maumau.vector("basic", 2, 4, seed=1)

    def replaced(self, place, array):
        return (*self.env._arrays[:place], array, *self.env._arrays[place + 1:])

    def test_an_array_that_cannot_be_written_or_is_laid_out_otherwise_is_refused(self):
        env = self.env
        for place, name in enumerate(("observation", "mask", "seat", "reward", "done")):
            good = env._arrays[place]
            frozen = good.copy()
            frozen.setflags(write=False)
            wide = np.zeros((2 * good.shape[0], *good.shape[1:]), good.dtype)
            bytes_of_it = np.zeros(good.nbytes + 1, np.uint8)
            kinds = [frozen, wide[::2], wide[::-1][:4], np.asfortranarray(good) if good.ndim > 1 else wide[::2],
                     np.broadcast_to(np.zeros((), good.dtype), good.shape), np.frombuffer(bytes(good.nbytes), good.dtype).reshape(good.shape),
                     good.astype(object), good.astype(np.complex128), good.astype(good.dtype.newbyteorder("S")) if good.itemsize > 1 else wide,
                     wide, good[:2], good.tolist(), memoryview(good), np.ma.masked_array(good[:2])]
            if good.itemsize > 1:
                kinds.append(bytes_of_it[1:].view(good.dtype).reshape(good.shape))
            for number, array in enumerate(kinds):
                with self.subTest(name=name, kind=number):
                    self.assertRaises((TypeError, ValueError), env._batch.show, self.replaced(place, array))
        self.assertRaises(ValueError, env._batch.show, self.replaced(4, env.seat))
        self.assertRaises(ValueError, env._batch.show, self.replaced(2, env.mask.reshape(-1)[:4]))
        self.assertRaises(ValueError, env._batch.show, env._arrays[:4])

    def test_an_environment_says_what_it_is(self):
        self.assertEqual(repr(self.env), "VectorEnv('basic', seats=2, games=4)")

    def test_actions_of_another_kind_are_refused(self):
        good = np.full(4, -1, np.int64)
        misaligned = np.zeros(33, np.uint8)[1:].view(np.int64)
        for actions in (good[:2], np.zeros(8, np.int64)[::2], good.astype(np.int32), good.astype(">i8"), misaligned, good.reshape(2, 2),
                        good.tolist(), np.array(-1), good.astype(float)):
            self.assertRaises((TypeError, ValueError), self.env._batch.step, actions, self.env._arrays)
        frozen = good.copy()
        frozen.setflags(write=False)
        self.env._batch.step(frozen, self.env._arrays)

    def test_an_array_of_memory_that_is_gone_cannot_be_made(self):
        memory = bytearray(self.env.observation.nbytes)
        array = np.frombuffer(memory, np.uint8).reshape(self.env.observation.shape).view(self.env.observation.dtype)
        self.env._batch.show(self.replaced(0, array))
        self.assertRaises(BufferError, memory.clear)
        self.assertTrue(any(memory))


# Of the methods that Python calls.
CALLED_TOO = ("__copy__", "__deepcopy__", "__eq__", "__hash__", "__init__", "__reduce__", "__repr__", "__setstate__", "__str__")


class Fuzz:
    """Calls public functions and methods with values that fit, that nearly fit, and that do not fit at all."""

    def __init__(self, seed):
        self.random, self.calls, self.raised = random.Random(seed), 0, 0
        self.folder = tempfile.mkdtemp()
        self.renew()

    def renew(self):
        game = maumau.Game("basic", 2, seed=1)
        env = maumau.vector("basic", 2, 4, seed=2)
        self.objects = [
            game, game._game, game.spec, game.observer(0), game.observer(0)._observer, env, env._batch, _native.MatchTest(),
            _native.Player(game.spec, "first", 1, 0), _native.Reader(game.spec.rules_json(), 2, 1, False),
            maumau.env("basic", 2, seed=1), maumau.parallel_env("basic", 2, seed=1),
        ]
        ask = game._game.ask_json(game._game.next_asked())
        while not game.is_over:
            game.step(game.legal_actions()[0])
        record = game.record()
        self.objects += [game, _native.Replay(record.encode())]
        cut = record.encode()[:len(record) // 2]
        self.values = [
            None, True, -1, 0, 1, 2, 3, 7, 2**31, 2**63, 2**64, 10**30, 0.5, float("nan"), float("inf"), "", "basic", "skat", "first", "greedy",
            "sample:2", "turn", "x" * 1000, "\x00", "\ud800", "../" * 50, b"", b"\xff", record, record.encode(), cut, ask, [], ["a", "b"],
            [[0.5]], {}, {"do": "wait"}, {"do": "draw"}, object(), (), range(3), env._arrays, (*env._arrays[:4], None),
            np.zeros(4, np.int64), np.full(4, -1, np.int64), np.zeros((4, env.observation.shape[1]), np.uint8), np.zeros(0),
            ("[]", None), (f'[[0,{{"do":"draw"}}]]', (0, '{"events":[],"looks":[[0,[]]]}', "turn")), '{"events":[],"looks":[[0,[]]]}',
            [(1, 2, b"\0\0")] * 4, np.zeros((2, 2, 2)), np.array("x"), memoryview(b"12"), first, *self.objects,
        ]
        files = [os.path.join(self.folder, name) for name in ("a.py", "b.toml")]
        self.values += files

    def functions(self):
        later = [getattr(maumau, name) for name in maumau.__all__ if callable(getattr(maumau, name))]
        native = [getattr(_native, name) for name in dir(_native) if not name.startswith("_") and callable(getattr(_native, name))]
        from maumau import bots, table

        # What plays as an agent takes stdin and does not come back.
        return later + native + [bots.text, table.rule_set]

    def one(self):
        """One call; a panic is no `Exception` and goes through."""
        chance = self.random
        if chance.random() < 0.3:
            call = chance.choice(self.functions())
        else:
            thing = chance.choice(self.objects)
            names = [name for name in dir(type(thing)) if not name.startswith("_") or name in CALLED_TOO]
            try:
                call = getattr(thing, chance.choice(names), None)
            except Exception:
                return
        count = self.places(call)
        words = [chance.choice(self.values) for _ in range(chance.choice(count))]
        # Not a million rows, threads or games: they are allowed, and take their room and time.
        words = [chance.choice((1, 2, 9)) if isinstance(word, int) and word > 1000 and self.is_large(call) else word for word in words]
        self.last = (call, words)
        self.calls += 1
        begin = time.monotonic()
        try:
            with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
                if callable(call):
                    call(*words)
        except Exception:
            self.raised += 1
        took = time.monotonic() - begin
        if took > 20:
            raise SystemExit(f"{took:.1f} s: {self.shown()}")

    @staticmethod
    def is_large(call):
        return getattr(call, "__name__", "") in ("vector", "VectorEnv", "Batch", "step_at_random", "evaluate", "episodes", "__init__", "spec",
                                                 "Spec", "Game", "env", "aec_env", "parallel_env", "Reader")

    @staticmethod
    def places(call):
        try:
            places = len(inspect.signature(call).parameters)
        except (TypeError, ValueError):
            places = 4
        return [min(places, 7)] * 6 + [0, 1, 2, min(places + 1, 8)]

    def shown(self):
        call, words = self.last
        return f"{call!r} with {[repr(word)[:80] if isinstance(word, (int, str, bytes, list)) else type(word) for word in words]}"

    def run(self, seconds):
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            for _ in range(200):
                self.one()
            self.renew()


def first(observations, masks):
    return masks.argmax(axis=1)


class Fuzzed(unittest.TestCase):
    def test_every_public_function_raises_exceptions_only(self):
        seed = random.randrange(10**6)
        ran = subprocess.run([sys.executable, "-X", "faulthandler", __file__, "--seconds", str(SECONDS), "--seed", str(seed)],
                             capture_output=True, text=True, stdin=subprocess.DEVNULL)
        self.assertEqual(ran.returncode, 0, f"--seed {seed}\n{ran.stdout[-2000:]}\n{ran.stderr[-6000:]}")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--seconds", type=float, required=True)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    faulthandler.enable()
    fuzz = Fuzz(options.seed)
    try:
        fuzz.run(options.seconds)
    except BaseException:
        print(f"call {fuzz.calls} of seed {options.seed}: {fuzz.shown()}", file=sys.stderr)
        raise
    print(f"{fuzz.calls} calls, {fuzz.raised} raised")


if __name__ == "__main__":
    main() if "--seconds" in sys.argv else unittest.main()
