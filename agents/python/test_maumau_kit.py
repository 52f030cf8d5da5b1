"""Tests of the SDK and the bots beside it. They need no arena: every line of it is made here."""

import contextlib
import hashlib
import io
import json
import os
import subprocess
import sys
import unittest
from pathlib import Path

import maumau_kit

HERE = Path(__file__).parent
SEED = "00" * 31 + "07"


def line(kind, **members):
    return json.dumps({"type": kind, **members}) + "\n"


def hello(**members):
    usual = {"protocol": "maumau/1", "arena": "0.1.0", "limits": {"games": 4096}}
    return line("hello", **usual | members)


def start(game="g1", **members):
    usual = {"seat": 0, "names": ["me", "you"], "rule_set": "basic", "rounds": 1, "commitment": "0" * 64}
    return line("start", **usual | {"game": game, "seed": "0123456789abcdef"} | members)


def ask(game="g1", number=1, hand=("7H", "9C", "JS"), legal=None, **members):
    legal = legal or [{"do": "play", "card": "7H"}, {"do": "draw"}]
    view = {"hand": list(hand), "top": "8H", "turn": 0, "direction": "cw", "hands": [len(hand), 5]}
    usual = {"seat": 0, "what": "turn", "time_ms": 5000, "as_of": 3, "view": view, "legal": legal}
    return line("ask", **usual | {"game": game, "id": f"{number:016x}"} | members)


def over(game="g1", **members):
    result = {"places": [1, 2], "points": [0, 9], "wins": [1, 0], "rounds": 1}
    return line("over", game=game, result=result, **members)


def fault(**members):
    usual = {"game": "g1", "fault": "wrong_shape", "message": "/card: missing", "clause": "SPEC 6"}
    return line("fault", **usual | members)


BYE = line("bye", reason="done")


class FirstBot(maumau_kit.Bot):
    def choose(self, ask):
        return ask["legal"][0]


def talk(*lines, bot=FirstBot, **options):
    """What an agent answers to `lines`, parsed, and what it says on stderr."""
    agent = maumau_kit.Agent(bot, **options)
    stderr = io.StringIO()
    with contextlib.redirect_stderr(stderr):
        answers = "".join(agent.receive("".join(lines).encode()))
    return [json.loads(answer) for answer in answers.splitlines()], stderr.getvalue()


def process(source):
    command = [sys.executable, "-c", f"import maumau_kit\n{source}"]
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONUNBUFFERED"}
    pipes = dict.fromkeys(("stdin", "stdout", "stderr"), subprocess.PIPE)
    return subprocess.Popen(command, cwd=HERE, env=environment, text=True, **pipes)


def run(source, *lines, stdin_stays_open=False):
    """The answers, the stderr and the exit status of a process that runs `source` and is sent `lines`."""
    with process(source) as bot:
        try:
            if stdin_stays_open:
                bot.stdin.write("".join(lines))
                bot.stdin.flush()
                bot.wait(timeout=10)
            out, err = bot.communicate(None if stdin_stays_open else "".join(lines), timeout=10)
        finally:
            bot.kill()
    return [json.loads(answer) for answer in out.splitlines()], err, bot.returncode


class Handshake(unittest.TestCase):
    def test_hello_is_answered_with_what_the_bot_wants(self):
        answers, _ = talk(hello(), name="b", version="2", wants=("legal",), ticks=True, games=8)
        ready = {"type": "ready", "protocol": "maumau/1", "name": "b", "version": "2", "wants": ["legal"]}
        self.assertEqual(answers, [ready | {"ticks": True, "games": 8}])
        plays = {"rules": ["skat"], "seats": [2, 3]}
        self.assertEqual(talk(hello(), plays=plays)[0][0]["plays"], plays)

    def test_no_more_games_than_the_arena_allows(self):
        answers, _ = talk(hello(limits={"games": 4}), games=64)
        self.assertEqual(answers[0]["games"], 4)

    def test_another_major_version_is_refused_in_one_sentence(self):
        for theirs in ("maumau/2", "maumau/10", "chess/1", None):
            answers, err, status = run("maumau_kit.run(maumau_kit.Bot)", hello(protocol=theirs))
            self.assertEqual((answers, status), ([], 2), theirs)
            self.assertEqual(err.count("\n"), 1, err)
            self.assertIn(f"speaks maumau/1 and the arena {theirs}:", err)

    def test_a_minor_version_is_accepted(self):
        self.assertEqual(len(talk(hello(protocol="maumau/1.4"))[0]), 1)

    def test_mistakes_in_the_call_of_run_are_named(self):
        for options in ({"name": "x" * 65}, {"wants": ("sight",)}, {"wants": "view"}, {"games": 0}):
            with self.assertRaises(ValueError, msg=str(options)):
                maumau_kit.Agent(FirstBot, **options)


class Answers(unittest.TestCase):
    def test_an_act_repeats_the_game_and_the_id(self):
        answers, _ = talk(start("päär"), ask("päär", 255))
        act = {"type": "act", "game": "päär", "id": "00000000000000ff", "do": "play", "card": "7H"}
        self.assertEqual(answers, [act])

    def test_what_must_be_said_goes_out_as_it_stands_in_legal(self):
        play = {"do": "play", "card": "7H", "say": ["snap", "last card"]}
        act = {"type": "act", "game": "g1", "id": f"{1:016x}", **play}
        self.assertEqual(talk(start(), ask(legal=[play]))[0], [act])

    def test_points_are_those_of_the_rules_else_those_of_skat(self):
        points = [maumau_kit.card_points(card) for card in ("JS", "AH", "TD", "7C", "KC", "XX")]
        self.assertEqual(points, [20, 11, 10, 7, 3, 0])
        table = {"scoring": {"points": {"K": 4, "KH": 50, "XX": 30}}}
        self.assertEqual([maumau_kit.card_points(card, table) for card in ("KC", "KH", "XX", "7C")], [4, 50, 30, 0])

    def test_the_deck_is_that_of_the_rules_and_the_seats(self):
        packs = [{"seats": [2, 4], "is": 1}, {"seats": [5, 8], "is": 2}]
        skat = {"deck": {"cards": "7 8 9 T J Q K A", "packs": packs}}
        self.assertEqual((len(maumau_kit.deck(skat, 4)), len(maumau_kit.deck(skat, 5))), (32, 64))
        self.assertEqual(set(maumau_kit.deck(skat, 2)) & {"6S", "7C", "AS"}, {"7C", "AS"})
        odd = {"deck": {"cards": ["S", "2", "KH"], "jokers": 2, "packs": 3}}
        self.assertEqual(sorted(set(maumau_kit.deck(odd, 2)))[:4], ["2C", "2D", "2H", "2S"])
        self.assertEqual((maumau_kit.deck(odd, 2).count("XX"), len(maumau_kit.deck(odd, 2))), (6, 3 * (13 + 3 + 1 + 2)))

    def test_a_deck_of_another_pack_has_its_cards_and_copies(self):
        copies = [{"cards": "1 2 3 4 5 6 7 8 9 N V P", "is": 2}, {"cards": ["W0", "W4"], "is": 4}]
        of = {"pack": "colours", "cards": "0 1 2 3 4 5 6 7 8 9 N V P W0 W4", "copies": copies}
        cards = maumau_kit.deck({"deck": of}, 2)
        self.assertEqual([cards.count(card) for card in ("0B", "1G", "PY", "W0", "W4")], [1, 2, 2, 4, 4])
        self.assertEqual(len(cards), 108)
        points = {"scoring": {"points": {"0": 7, "P": 20, "W0": 50}}}
        self.assertEqual([maumau_kit.card_points(card, points) for card in ("0B", "PR", "W0", "W4")], [7, 20, 50, 0])
        self.assertEqual(maumau_kit.deck({"deck": {**of, "cards": "0"}}, 2), ["0B", "0G", "0R", "0Y"])

    def test_interleaved_games_keep_to_themselves(self):
        class Counter(FirstBot):
            asks = 0

            def choose(self, ask):
                self.asks += 1
                return {"do": "say", "text": f"{self.game} {self.asks}"}

        lines = [start("a"), start("b"), ask("b"), ask("a"), over("b"), ask("a"), start("b"), ask("b")]
        answers, err = talk(*lines, bot=Counter)
        self.assertEqual([answer["text"] for answer in answers], ["b 1", "a 1", "a 2", "b 1"])
        self.assertEqual(err, "")

    def test_unknown_types_and_members_and_blank_lines_mean_nothing(self):
        lines = [hello(new=1), line("weather", sky=[{}]), "\n", " \r\n", start(new=1), ask(new={"a": 1})]
        answers, err = talk(*lines, over(new=1))
        self.assertEqual([answer["type"] for answer in answers], ["ready", "act"])
        self.assertEqual(err, "")

    def test_lines_may_arrive_in_pieces(self):
        stream = (hello() + start("gä") + ask("gä", 1) + ask("gä", 2)).replace("\\u00e4", "ä").encode()
        for size in (1, 7, 100, len(stream)):
            agent = maumau_kit.Agent(FirstBot)
            pieces = [stream[at : at + size] for at in range(0, len(stream), size)]
            answers = "".join("".join(agent.receive(piece)) for piece in pieces).splitlines()
            ids = [json.loads(answer).get("id", "")[-1:] for answer in answers]
            self.assertEqual(ids, ["", "1", "2"], size)

    def test_the_bots_own_numbers_follow_from_the_seed(self):
        class Dice(FirstBot):
            def choose(self, ask):
                return {"do": "say", "text": str(self.random.random())}

        def roll(seed):
            return talk(start(seed=seed), ask(), bot=Dice)[0][0]["text"]

        self.assertEqual(roll("00000000000000aa"), roll("00000000000000aa"))
        self.assertNotEqual(roll("00000000000000aa"), roll("00000000000000ab"))


class Trouble(unittest.TestCase):
    def test_an_open_fault_is_answered_again(self):
        answers, err = talk(start(), ask(number=5), fault(id=f"{5:016x}", open=True))
        self.assertEqual([answer["id"] for answer in answers], [f"{5:016x}"] * 2)
        self.assertIn("wrong_shape in game g1: /card: missing (SPEC 6)", err)

    def test_a_closed_fault_is_only_reported(self):
        faults = [fault(id=f"{1:016x}"), fault(game=None), fault(id="0" * 16, open=True)]
        answers, err = talk(start(), ask(), *faults)
        self.assertEqual(len(answers), 1)
        self.assertEqual(err.count("wrong_shape"), 3)

    def test_a_bot_may_answer_a_fault_itself(self):
        class Sorry(FirstBot):
            def fault(self, fault):
                return {"do": "draw"}

        answers, _ = talk(start(), ask(), fault(id=f"{1:016x}", open=True), fault(id=f"{1:016x}"), bot=Sorry)
        self.assertEqual([answer["do"] for answer in answers], ["play", "draw"])

    def test_a_bot_that_fails_plays_the_first_legal_action_and_tells_its_author(self):
        class Broken(FirstBot):
            def choose(self, ask):
                return {"nothing": None, "nan": {"do": float("nan")}}.get(self.game) or [][7]

        legal = [{"do": "play", "card": "7H", "say": ["mau"]}]
        for game, error in (("g1", "IndexError"), ("nan", "ValueError")):
            answers, err = talk(start(game), ask(game, legal=legal), bot=Broken)
            [act] = answers
            self.assertIn(error, act["crash"])
            self.assertEqual((act["card"], act["say"]), ("7H", ["mau"]))
            self.assertIn("Traceback", err)

    def test_what_fails_is_told_with_the_next_act_once_and_with_its_place(self):
        class Clumsy(FirstBot):
            def __init__(self):
                self.fail("make")

            def fail(self, at):
                if at == place:
                    raise KeyError(f"{at} {'x' * 2000}")

            def start(self, start):
                self.fail("start")

            def tell(self, tell):
                self.fail("tell")

            def fault(self, fault):
                self.fail("fault")
                return super().fault(fault)

            def choose(self, ask):
                self.fail("choose")
                return {"do": "draw"}

        for place in ("make", "start", "tell", "fault", "choose", "over"):
            tell = line("tell", game="g1", events=[])
            answers, err = talk(start(), tell, fault(), ask(), ask(number=2), over(), bot=Clumsy)
            first, second = answers
            always = place in ("make", "choose")
            self.assertEqual("crash" in first, place != "over", place)
            self.assertEqual("crash" in second, always, place)
            self.assertEqual(first["do"], "play" if always else "draw")
            self.assertLessEqual(len(first.get("crash", "")), 1000)
            self.assertIn(place, first.get("crash", "over"))

    def test_the_place_of_a_failure_is_in_the_authors_file(self):
        class Broken(FirstBot):
            def choose(self, ask):
                return ask["view"]["nope"]

        crash = talk(start(), ask(), bot=Broken)[0][0]["crash"]
        self.assertRegex(crash, r"^KeyError: 'nope' \(test_maumau_kit.py, line \d+, in choose\)$")

    def test_without_a_list_of_what_is_legal_a_failure_draws_or_waits(self):
        class Broken(FirstBot):
            pass

        bare = [json.loads(ask(what=what, number=number)) for number, what in enumerate(("turn", "react", "choose"))]
        for one in bare:
            del one["legal"]
        answers, _ = talk(start(), *(json.dumps(one) + "\n" for one in bare), ask(number=9), bot=Broken)
        self.assertEqual([answer["do"] for answer in answers], ["draw", "wait", "play"])
        self.assertEqual(["KeyError" in answer.get("crash", "") for answer in answers], [True] * 3)

    def test_what_a_later_version_adds_to_legal_is_left_out(self):
        class Last(maumau_kit.Bot):
            def choose(self, ask):
                return ask["legal"][-1]

        juggle = {"do": "x_juggle", "balls": 3}
        answers, err = talk(start(), ask(legal=[juggle, {"do": "draw"}, juggle]), ask(legal=[juggle]), bot=Last)
        self.assertEqual([answer["do"] for answer in answers], ["draw", "x_juggle"])
        self.assertEqual((answers[1]["balls"], err), (3, ""))

    def test_an_answer_that_is_no_action_is_explained(self):
        class Forgetful(maumau_kit.Bot):
            def choose(self, ask):
                ask["legal"][0]

        self.assertIn("None is no action", talk(start(), ask(), bot=Forgetful)[1])

    def test_a_line_that_makes_no_sense_is_reported_and_passed_over(self):
        answers, err = talk("nonsense\n", "[]\n", "{}{}\n", line("ask", game="unknown"), start(), ask())
        self.assertEqual(len(answers), 1)
        self.assertEqual(err.count("could not deal with this line"), 4)

    def test_a_seed_is_checked_against_the_commitment(self):
        digest = hashlib.sha256(b"maumau/1 commitment\x00g1\x00" + bytes(31) + b"\x07").hexdigest()
        self.assertEqual(maumau_kit.commitment("g1", SEED), digest)
        self.assertEqual(talk(start(commitment=digest), over(seed=SEED))[1], "")
        self.assertEqual(talk(start(), over())[1], "")
        err = talk(start(), over(seed=SEED))[1]
        self.assertEqual(err.count("\n"), 1)
        self.assertIn("the seed of game g1 is not the one", err)

    def test_notes_go_before_the_act_and_bad_ones_nowhere(self):
        class Writer(FirstBot):
            def choose(self, ask):
                for note in ({"win": 0.5}, "x" * 5000, float("inf"), object()):
                    self.note(note)
                return super().choose(ask)

            def over(self, over):
                self.note("too late")

        answers, err = talk(start(), ask(), over(), bot=Writer)
        self.assertEqual([answer["type"] for answer in answers], ["note", "act"])
        self.assertEqual(answers[0], {"type": "note", "game": "g1", "note": {"win": 0.5}})
        self.assertEqual(err.count("was dropped"), 3)


class Readme(unittest.TestCase):
    def test_the_bot_and_the_ask_of_the_readme_go_together(self):
        blocks = (HERE.parent / "README.md").read_text(encoding="utf-8").split("\n```")[1::2]
        told = (block.partition("\n") for block in blocks)
        told = [(kind, text) for kind, _, text in told]
        bot = next(text for kind, text in told if kind == "python")
        example, act = (text for kind, text in told if kind == "json")
        asked = json.loads(example)
        answers, err, status = run(bot, hello(), start("g17", seat=1), json.dumps(asked) + "\n", BYE)
        self.assertEqual((err, status, answers[0]["name"]), ("", 0, "my bot"))
        head = {"type": "act", "game": "g17", "id": asked["id"]}
        for answer in (answers[1], json.loads(act)):
            self.assertIn(answer, [head | action for action in asked["legal"]])


class Process(unittest.TestCase):
    def test_print_does_not_reach_the_arena(self):
        source = """
import os
print("loading")
class Chatty(maumau_kit.Bot):
    def choose(self, ask):
        print("thinking")
        os.system("echo from a child")
        return {"do": "draw"}
maumau_kit.run(Chatty)
"""
        answers, err, status = run(source, hello(), start(), ask(), BYE)
        self.assertEqual([answer["type"] for answer in answers], ["ready", "act"])
        self.assertEqual(status, 0)
        for words in ("loading", "thinking", "from a child"):
            self.assertIn(words, err)

    def test_bye_ends_the_process(self):
        answers, err, status = run("maumau_kit.run(maumau_kit.Bot)", hello(), BYE, stdin_stays_open=True)
        self.assertEqual((len(answers), err, status), (1, "", 0))

    def test_a_closed_stdin_ends_the_process(self):
        _, err, status = run("maumau_kit.run(maumau_kit.Bot)", hello(), start(), ask()[:40])
        self.assertEqual((err, status), ("", 0))

    def test_a_closed_stdout_ends_the_process(self):
        source = "import os\nr, w = os.pipe(); os.close(r); os.dup2(w, 1)\nmaumau_kit.run(maumau_kit.Bot)"
        self.assertEqual(run(source, hello())[1:], ("", 0))

    def test_a_slow_bot_does_not_hold_finished_answers_back(self):
        source = """
import threading, time
class Slow(maumau_kit.Bot):
    def choose(self, ask):
        if ask["id"].endswith("2"):
            threading.Event().wait()
        begun = time.monotonic()
        while time.monotonic() <= begun + 2 * maumau_kit._PATIENCE_S:
            pass
        return {"do": "draw"}
maumau_kit.run(Slow)
"""
        with process(source) as bot:
            bot.stdin.write(hello() + start() + ask(number=1) + ask(number=2))
            bot.stdin.flush()
            bot.stdout.readline()
            self.assertEqual(json.loads(bot.stdout.readline())["id"], f"{1:016x}")
            bot.kill()


class Bots(unittest.TestCase):
    def play(self, name, *lines):
        command = [sys.executable, str(HERE / name)]
        lines = "".join(lines)
        bot = subprocess.run(command, cwd="/", input=lines, capture_output=True, text=True, timeout=10)
        self.assertEqual((bot.returncode, bot.stderr), (0, ""))
        return [json.loads(answer) for answer in bot.stdout.splitlines()]

    def careful(self, legal, **members):
        return self.play("careful_bot.py", hello(), start(), ask(legal=legal, **members), BYE)[1]

    def test_every_bot_plays_and_repeats_itself(self):
        asks = [ask(number=number) for number in range(20)]
        for name in ("random_bot.py", "careful_bot.py"):
            games = [self.play(name, hello(), start(), *asks, BYE) for _ in range(2)]
            self.assertEqual(len(games[0]), 21, name)
            self.assertEqual(games[0], games[1], name)

    def test_careful_sheds_the_dear_card_and_keeps_the_jack(self):
        plays = [{"do": "play", "card": card} for card in ("7H", "TH")]
        jacks = [{"do": "play", "card": "JS", "choose": {"suit": suit}} for suit in "CDHS"]
        act = self.careful([*jacks, *plays, {"do": "draw"}], hand=["7H", "TH", "JS"])
        self.assertEqual(act["card"], "TH")

    def test_careful_names_its_longest_suit(self):
        jacks = [{"do": "play", "card": "JS", "choose": {"suit": suit}} for suit in "CDHS"]
        act = self.careful([*jacks, {"do": "draw"}], hand=["9D", "QD", "7C", "JS"])
        self.assertEqual(act["choose"], {"suit": "D"})
        names = [{"do": "choose", "suit": suit} for suit in "CDHS"]
        self.assertEqual(self.careful(names, hand=["9D", "QD", "7C"], what="choose")["suit"], "D")

    def test_careful_requests_what_it_holds_or_draws(self):
        def requests(ranks):
            return [{"do": "play", "card": "JS", "choose": {"rank": rank}} for rank in ranks]

        hand = ["9D", "QD", "9C", "JS"]
        self.assertEqual(self.careful([*requests("89Q"), {"do": "draw"}], hand=hand)["choose"], {"rank": "9"})
        self.assertEqual(self.careful([*requests("8K"), {"do": "draw"}], hand=hand)["do"], "draw")

    def test_careful_attacks_a_neighbour_with_few_cards(self):
        plays = [{"do": "play", "card": card} for card in ("7H", "AH")]
        seen = {"hand": ["7H", "AH", "9C"], "direction": "ccw", "hands": [3, 5, 5]}
        self.assertEqual(self.careful(plays, view=seen)["card"], "AH")
        self.assertEqual(self.careful(plays, view={**seen, "hands": [3, 5, 1]})["card"], "7H")

    def test_careful_waits_when_it_has_nothing_to_play(self):
        self.assertEqual(self.careful([{"do": "wait"}], what="react")["do"], "wait")

    def test_careful_takes_when_ordered_and_answers_what_it_can(self):
        answers = [{"do": "wait"}, {"do": "play", "card": "8S"}, {"do": "pass"}]
        hand = ["8S", "9D", "QC"]
        self.assertEqual(self.careful(answers, hand=hand, what="react")["card"], "8S")
        answers.insert(0, {"do": "take", "from": 1})
        self.assertEqual(self.careful(answers, hand=hand, what="react")["do"], "take")

    def test_random_draws_the_card_before_the_suit(self):
        jacks = [{"do": "play", "card": "JS", "choose": {"suit": suit}} for suit in "CDHS"]
        asks = [ask(number=number, legal=[*jacks, {"do": "draw"}]) for number in range(1000)]
        acts = self.play("random_bot.py", hello(), start(), *asks, BYE)[1:]
        self.assertAlmostEqual(sum(act["do"] == "draw" for act in acts), 500, delta=60)
        hearts = sum(act.get("choose") == {"suit": "H"} for act in acts)
        self.assertAlmostEqual(hearts, 125, delta=40)


if __name__ == "__main__":
    unittest.main()
