"""A person who plays whole matches, on the page of a seat or at a terminal: it reads what a person sees (buttons, lifted cards,
sentences), plays by that alone, and takes the time of a person. It prints, for each rule set, what it did and what it was
penalised for.

    tests/browser/run.sh target/release/maumau person.py                        # every rule set, in human time: about an hour
    tests/browser/run.sh target/release/maumau person.py --at terminal --rules snap,spam --rounds 2

A penalty is *announced* if the page had said what it costs before the person acted: a card that does not fit and is pressed again
(`--dares`), a challenge. It is for being *too slow* if the page had said what is due, a word or a card to be taken, and others acted
before the person did it; or if it became due in the very moment in which the person acted. Every other one is a fault of the page,
and the exit code is 1. A *race* is a chance to act out of turn: a card that is lifted although another seat is to move, a mistake that
can be called, a suit that anybody may state; but not the answer of a person who is to miss a turn, for which the others wait. It is
won if what the person does is taken up, and lost if the chance is gone before the person acts or another was first.
"""

import argparse
import collections
import dataclasses
import fcntl
import os
import pathlib
import pty
import random
import re
import select
import shutil
import signal
import struct
import subprocess
import sys
import tempfile
import termios
import time

MAUMAU = os.environ["MAUMAU"]
RULES = (
    "basic skat deluxe snap spam crazy-eights eights countdown mau-mau tschau-sepp pesten prsi makao switch colours waterfall bartok".split()
)
BOTS = ("maumau agent greedy", "maumau agent careful")
# Rounds of a match where nothing else is said: races are rare.
ROUNDS = {"snap": 10, "spam": 10}
# Seconds that a person takes to choose and to react, before the speed of a run.
CHOICE = (0.5, 2.0)
REACTION = (0.4, 1.2)
# How long after a mistake it may be called.
CALLED = 30.0
# What comes so shortly before an action nobody can have read.
MOMENT = 0.2
# How long the story may take to say what became of an action.
ANSWERED = 6.0


@dataclasses.dataclass
class Held:
    """A card of the hand as it lies there."""

    name: str
    is_lifted: bool


@dataclasses.dataclass
class Word:
    text: str
    # "now", "with" and the cards that it goes with, "if one card is left", "with your last cards", "with your move".
    when: str
    is_chosen: bool


@dataclasses.dataclass
class Seen:
    """What can be seen at a seat. What is offered has the words of the page."""

    is_over: bool = False
    # The scores of a round are shown, until the person goes on.
    sheet: bool = False
    # A question with these answers.
    question: tuple = ()
    # What is said of whose turn it is, and above the table.
    turn: str = ""
    status: str = ""
    is_mine: bool = False
    # The others wait for the answer of this seat, which is to miss a turn.
    is_waited_for: bool = False
    is_owed: bool = False
    can_decline: bool = False
    hand: list = dataclasses.field(default_factory=list)
    words: list = dataclasses.field(default_factory=list)
    moves: list = dataclasses.field(default_factory=list)
    calls: list = dataclasses.field(default_factory=list)
    can_play_several: bool = False
    # Lines of the story that are new since the last look.
    lines: list = dataclasses.field(default_factory=list)


@dataclasses.dataclass
class Intent:
    """What the person is about to do, once the time for it has passed."""

    kind: str
    # What makes it the same intent at the next look.
    offer: tuple
    what: object = None
    times: tuple = CHOICE
    is_race: bool = False


# ---- the two kinds of seats --------------------------------------------------------------------------------------------------


LOOK = """([read, name]) => {
    const find = (selector) => document.querySelector(selector);
    const all = (selector) => [...document.querySelectorAll(selector)];
    const text = (node) => node.textContent.trim();
    const isShown = (node) => node.offsetParent !== null;
    const key = /\\s+\\S$/u;
    const lines = all('#lines .line');
    const words = JSON.parse(find('#needed').textContent).words;
    const short = (card) => find('#hand').matches('.x') || Object.values(words).map((faces) => faces.cards[card]?.short).filter(Boolean);
    return {
        is_over: text(find('#turn')) === 'The game is over',
        sheet: find('#sheet').open,
        question: find('#naming').hidden ? [] : all('#naming button').map(text),
        turn: text(find('#turn')),
        status: text(find('#status')),
        is_mine: /^(Your move|You must name)|first$/.test(text(find('#turn'))) && find('#hand').matches('.mine'),
        is_waited_for: all('#table .facing span').some((words) => text(words) === `${name} is skipped unless it answers`),
        is_owed: / first$/.test(text(find('#turn'))),
        can_decline: all('#moves-now .decline').length > 0,
        hand: all('#hand .hand-card').map((card) => [short(card.dataset.card), card.matches('.legal')]),
        words: all('#words button').map((word) => [text(word.querySelector('bdi')), text(word.querySelector('small')), word.ariaPressed === 'true']),
        moves: all('#moves-now [data-do]:not(.decline)').filter((move) => move.dataset.do !== 'call').map((move) => text(move.querySelector('bdi'))),
        calls: all('#moves-now [data-do=call]').map((move) => text(move.querySelector('bdi'))),
        can_play_several: all('#moves-now .several').length > 0,
        lines: lines.slice(read).map((line) => text(line.querySelector('.text'))),
        count: lines.length,
    };
}"""


class Page:
    """A seat in a browser."""

    def __init__(self, browser, rules, rounds, extra, seed):
        self.folder = pathlib.Path(tempfile.mkdtemp())
        self.record = self.folder / "game.jsonl"
        seats = [word for seat in ("web", *BOTS) for word in ("--seat", seat)]
        command = [MAUMAU, "play", "--serve", "--addr", "127.0.0.1:0", "--seed", seed, "--record", self.record, "--rules", rules]
        command += [*rounds, *extra, *seats]
        self.game = subprocess.Popen(
            list(map(str, command)), stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True
        )
        said = ""
        while "token=" not in said:
            line = self.game.stderr.readline()
            assert line, said
            said += line
        self.context = browser.new_context(viewport={"width": 1280, "height": 800}, reduced_motion="reduce")
        self.page = self.context.new_page()
        self.page.goto(re.search(r"http\S+token=\S+", said)[0])
        self.name = "web"
        self.read = 0

    def sit_down(self):
        """Takes the seat, with which the match begins."""
        self.page.click("form.act button")
        self.page.wait_for_selector("#table")

    def look(self):
        raw = self.page.evaluate(LOOK, [self.read, self.name])
        self.read = raw.pop("count")
        raw["hand"] = [Held(*card) for card in raw["hand"]]
        raw["words"] = [Word(*word) for word in raw["words"]]
        raw["question"] = tuple(raw["question"])
        return Seen(**raw)

    def click(self, selector, at=0):
        """Presses the button there; `False` if it is gone."""
        return self.page.evaluate(
            "([selector, at]) => { const found = document.querySelectorAll(selector)[at]; found?.click(); return !!found; }", [selector, at]
        )

    def go_on(self):
        self.click("#sheet-next")

    def answer(self, at):
        self.click("#naming button", at)

    def take_word(self, at):
        self.click("#words button", at)

    def play(self, at):
        self.click("#hand .hand-card", at)

    def play_several(self, places):
        self.click("#moves-now .several")
        for at in places:
            self.click("#hand .hand-card", at)
        self.click("#moves-now .several")

    def play_single(self):
        # The last of these buttons, after those that play what is picked.
        self.page.evaluate("[...document.querySelectorAll('#moves-now .several')].at(-1)?.click()")

    def move(self, at):
        self.click("#moves-now [data-do]:not(.decline):not([data-do=call])", at)

    def call(self, at):
        self.click("#moves-now [data-do=call]", at)

    def decline(self):
        self.click("#moves-now .decline")

    def cards_of(self, word):
        return word.when.removeprefix("with ").split(" ")

    def is_gone(self):
        return self.game.poll() is not None

    def close(self):
        self.context.close()
        self.game.kill()
        self.game.communicate()


class Terminal:
    """A seat in a terminal of 80 columns and 24 rows."""

    COLUMNS, ROWS = 80, 24

    def __init__(self, _, rules, rounds, extra, seed):
        import pyte

        self.folder = pathlib.Path(tempfile.mkdtemp())
        self.record = self.folder / "game.jsonl"
        seats = [word for seat in ("human", *BOTS) for word in ("--seat", seat)]
        command = [MAUMAU, "play", "--seed", seed, "--record", self.record, "--rules", rules, *rounds, *extra, *seats]
        self.command = list(map(str, command))
        self.screen = pyte.Screen(self.COLUMNS, self.ROWS)
        self.stream = pyte.ByteStream(self.screen)
        self.name = "human"
        self.story = []
        self.has_ended = False
        self.seen, self.came_at = Seen(), 0.0

    def sit_down(self):
        """Starts the program, with which the match begins."""
        self.pid, self.master = pty.fork()
        if self.pid == 0:
            os.environ.update(TERM="xterm-256color", LANG="C.UTF-8")
            os.execv(MAUMAU, self.command)
        fcntl.ioctl(self.master, termios.TIOCSWINSZ, struct.pack("HHHH", self.ROWS, self.COLUMNS, 0, 0))
        os.kill(self.pid, signal.SIGWINCH)

    def read(self):
        while not self.has_ended and select.select([self.master], [], [], 0)[0]:
            try:
                came = os.read(self.master, 65_536)
            except OSError:
                came = b""
            if not came:
                self.has_ended = True
                return
            self.came_at = time.monotonic()
            # Sequences that pyte does not know would be shown as text.
            self.stream.feed(re.sub(rb"\x1b\[[<>=][0-9;]*[a-zA-Z]|\x1b\[\?[0-9;]*[nu]", b"", came))

    def press(self, keys):
        os.write(self.master, keys.encode())

    def look(self):
        self.read()
        # A screen that is being drawn is not read.
        if time.monotonic() < self.came_at + 0.05 and not self.has_ended:
            return dataclasses.replace(self.seen, lines=[])
        self.seen = self.seen_now()
        return self.seen

    def seen_now(self):
        rows = [row.rstrip() for row in self.screen.display]
        seen = Seen(is_over=self.has_ended or any("The match is over" in row for row in rows))
        seen.lines = self.new_lines(rows)
        box = [row for row in rows if "│" in row and row.count("│") >= 2]
        titles = [found[1] for row in rows if (found := re.search(r"╭─ (.*?) ─+╮", row))]
        inside = [part.split("│")[1].strip() for part in box]
        seen.sheet = any("any key goes on" in row for row in rows)
        if titles and not seen.sheet:
            # Where the hand is drawn as boxes, its cards stand between such lines too.
            seen.question = tuple(line for line in inside if re.match(r"\S \S", line) and len(line) > 4)
        you = next((at for at, row in enumerate(rows) if row.startswith("─ you ─")), None)
        if you is None:
            return seen
        first, second = rows[you + 1], rows[you + 2]
        seen.turn, seen.status = first, f"{first} {rows[-1]}"
        seen.is_owed = first.startswith("First take")
        seen.is_waited_for = any(f"{self.name} is skipped unless it answers" in row for row in rows)
        seen.is_mine = seen.is_owed or re.match(r"Your move|You must name|You deal", first) is not None
        seen.can_decline = "w do nothing" in first
        offered = first.split(": ", 1)[-1] if seen.is_mine or "You may act" in first else first
        seen.moves = [part.strip() for part in re.split(r"  +", offered) if re.match(r"[dpxltngbuo] \S", part.strip())]
        # What a challenge costs stands below.
        seen.moves = [f"{move}: {rows[you + 3]}" if move.startswith("x ") else move for move in seen.moves]
        seen.can_play_several = "a several" in first
        for number, mark, text, when in re.findall(r'(\d) (✓?)"([^"]+)"((?: now| with \S.*?| if \S.*?)?)(?=  |$)', second):
            seen.words.append(Word(text, when.strip() or "with your move", mark == "✓"))
        calls = re.search(r"c (\d+) to call", second)
        seen.calls = ["a mistake"] * (int(calls[1]) if calls else 0)
        seen.hand = self.hand(rows)
        return seen

    def new_lines(self, rows):
        """Lines of the list of what happens that were not there at the last look."""
        top = next((row for row in rows if "─ what happens ─" in row), None)
        if top is None:
            return []
        left = top.index("─ what happens ─")
        end = next((at for at, row in enumerate(rows) if row.startswith("─ you ─")), len(rows))
        # What a question lies over is read when it is gone.
        if any(re.search(r"[│╭╰]", row[left:]) for row in self.screen.display[rows.index(top) + 1 : end]):
            return []
        shown = []
        for row in self.screen.display[rows.index(top) + 1 : end]:
            row = row[left:].rstrip()
            # The screen breaks long lines; what goes on from one that is not there any more is left out.
            if row.startswith("  ") and shown:
                shown[-1] = f"{shown[-1]} {row.strip()}"
            elif row and not row.startswith(" "):
                shown.append(row)
        # What was shown before has moved up by as many lines as are new.
        for new in range(len(shown) + 1):
            kept = shown[: len(shown) - new]
            if not kept or self.story[len(self.story) - len(kept) :] == kept:
                break
        self.story = (self.story + shown[len(shown) - new :])[-200:]
        return shown[len(shown) - new :]

    def hand(self, rows):
        start = next((at for at, row in enumerate(rows) if re.match(r"─ your \d+ cards", row)), None)
        if start is None:
            return []
        area = [row.ljust(self.COLUMNS) for row in rows[start + 1 : self.ROWS - 1]]
        if any("╭" in row for row in area):
            held = []
            for x in range(0, self.COLUMNS - 4, 5):
                tops = [y for y, row in enumerate(area[:2]) if row[x] in "╭"]
                if tops:
                    held.append(Held([area[tops[0] + 1][x + 1 : x + 4].strip()], tops[0] == 0))
            return held
        held = []
        for y in range(0, len(area) - 1, 2):
            for x in range(0, self.COLUMNS - 4, 5):
                lifted, lying = area[y][x : x + 3].strip(), area[y + 1][x : x + 3].strip()
                if lifted or lying:
                    held.append(Held([lifted or lying], bool(lifted)))
        return held

    def go_on(self):
        self.press(" ")

    def answer(self, at):
        self.press("\x1b[B" * at + "\r")

    def take_word(self, at):
        words = self.seen.words
        self.press(f"{at + 1}")
        if words[at].when == "now":
            self.press("s")

    def play(self, at):
        self.press("\x1b[H" + "\x1b[C" * at + "\r")

    def play_several(self, places):
        self.press("".join("\x1b[H" + "\x1b[C" * at + "a" for at in places) + "\r")

    def play_single(self):
        self.press("\x1b")

    def move(self, at):
        self.press(self.seen.moves[at][0])

    def call(self, at):
        self.press("c\r")

    def decline(self):
        self.press("w")

    def cards_of(self, word):
        return word.when.removeprefix("with ").split(" ")

    def is_gone(self):
        self.read()
        return self.has_ended

    def close(self):
        try:
            os.kill(self.pid, signal.SIGKILL)
        except ProcessLookupError:
            pass
        os.waitpid(self.pid, 0)
        os.close(self.master)


# ---- the person --------------------------------------------------------------------------------------------------------------


class Person:
    """Plays at one seat. `step` never waits: it looks, and acts once the time for it has passed."""

    def __init__(self, seat, rules, seed, speed, dares, log):
        self.seat, self.rules, self.speed, self.dares, self.log = seat, rules, speed, dares, log
        self.dice = random.Random(f"{rules} {seed}")
        self.intent, self.due = None, 0.0
        self.moves = self.announced = self.slow = self.met = self.won = self.overtaken = 0
        self.unannounced = []
        # The last warning that was overridden, and what was done in a race and is not answered yet.
        self.dared, self.racing = False, None
        # Whether the page has said what it costs to leave what is owed, and when the person was too slow for that.
        self.was_owed, self.missed_at = False, -1e9
        # Whether the page has just said that several cards do not go together.
        self.is_warned, self.may_join = False, True
        self.story = collections.deque(maxlen=14)
        self.began = time.monotonic()
        # When a card that does not fit was played after the warning, and when each word was shown as due.
        self.dared_at, self.due_at = -1e9, {}
        # When the person acted last, and the words that became due then.
        self.acted_at, self.due_unread = -1e9, set()
        self.is_done = False
        # Until when what was done is not looked at: the table answers first.
        self.waits, self.acted_on = 0.0, None

    def step(self):
        now = time.monotonic()
        seen = self.seat.look()
        self.hear(seen, now)
        if seen.is_over:
            self.end_race(False)
            self.is_done = True
            return
        # What was done is not done again before the table has answered, unless that takes very long.
        if seen.lines or offers(seen) != self.acted_on:
            self.waits = 0.0
        if now < self.waits:
            return
        intent = self.decide(seen)
        if intent is None:
            self.end_race(False) if self.intent and self.intent.is_race and not self.racing else None
            self.intent = None
            return
        if self.intent is None or (self.intent.kind, self.intent.offer) != (intent.kind, intent.offer):
            if self.intent and self.intent.is_race and not self.racing:
                self.end_race(False)
            self.intent, self.due = intent, now + self.dice.uniform(*intent.times) * self.speed
            if intent.is_race:
                self.met += 1
                self.note(f"race: {intent.kind} {intent.offer}")
            return
        if now >= self.due:
            self.act(self.intent if intent.what is None else intent, seen, now)

    def note(self, text):
        self.log.write(f"{self.rules}: {time.monotonic() - self.began:8.2f} {text}\n")
        self.log.flush()

    def hear(self, seen, now):
        me = re.escape(self.seat.name)
        for line in seen.lines:
            self.note(line)
            self.story.append(line)
            if now < self.acted_at + MOMENT and (word := re.search(r"(\w+) is due with the next card", line)):
                self.due_unread.add(word[1])
            if self.was_owed and re.search(rf"for {me}, which was too late", line):
                self.missed_at = now
            if "may not be played together" in line or "may not be left open" in line:
                self.is_warned = True
            if re.match(rf"(! )?{me} takes .* as penalty", line):
                if self.is_announced(line, now):
                    self.announced += 1
                elif self.is_too_slow(line, now):
                    self.slow += 1
                else:
                    self.unannounced.append(list(self.story))
                    self.note("PENALTY that was not announced")
            if self.racing:
                if re.search(rf"{me}.*(too late|refused)|^too late", line):
                    self.end_race(False)
                elif re.match(rf"{me} (plays|interjects|calls|states|says|names|challenges|throws)", line):
                    self.end_race(True)
            elif re.search(rf"{me}.*too late|^too late", line):
                self.overtaken += 1
        self.due_at.update({word.text: now for word in seen.words if word.when == "now"})
        if "may not be played so" in seen.status:
            self.is_warned = True
        if seen.is_owed:
            self.was_owed = re.search(r"a call costs you|if called", seen.status) is not None
        elif seen.is_mine:
            self.was_owed = False
        if self.racing and now > self.racing:
            self.note("race: no answer")
            self.end_race(False)

    def is_announced(self, line, now):
        """Whether the page had said what this penalty is for, before there was one."""
        return self.dared or ("(wrong card)" in line and now < self.dared_at + CALLED)

    def is_too_slow(self, line, now):
        """Whether the page had said that what this penalty is for is due at once."""
        if any(f"{word} was not said" in line for word in self.due_unread):
            return True
        was_shown = self.was_owed or now < self.missed_at + CALLED
        if was_shown and "had to be taken" in line:
            return True
        return any(f"{word} was not said".lower() in line.lower() and now < at + CALLED for word, at in self.due_at.items())

    def end_race(self, won):
        """A race that is acted in is over."""
        if self.racing or (self.intent and self.intent.is_race):
            self.note("race won" if won else "race lost")
            self.won += won
        self.racing = None
        self.intent = None

    def decide(self, seen):
        """What a person would do next who does what the page says."""
        if seen.sheet:
            return Intent("next", ())
        if seen.question:
            return Intent("answer", seen.question)
        if self.racing:
            return None
        if self.is_warned:
            return Intent("single", ())
        for at, word in enumerate(seen.words):
            if word.when == "now":
                return Intent("word", (word.text,), at, REACTION)
        if seen.is_owed:
            owed = next((at for at, move in enumerate(seen.moves) if re.match(r"(t )?[Tt]ake", move)), None)
            if owed is not None:
                return Intent("move", ("owed", *seen.moves), owed)
        if seen.calls:
            return Intent("call", tuple(seen.calls), 0, REACTION, is_race=True)
        lifted = [at for at, card in enumerate(seen.hand) if card.is_lifted]
        if not seen.is_mine:
            if lifted:
                return Intent("interject", tuple(seen.hand[at].name[0] for at in lifted), lifted, REACTION, is_race=not seen.is_waited_for)
            stating = [at for at, move in enumerate(seen.moves) if move.startswith("State")]
            if stating:
                return Intent("state", tuple(seen.moves), stating, REACTION, is_race=True)
            if seen.can_decline:
                return Intent("decline", (), None, REACTION)
            return None
        offer = (*(card.name[0] for card in seen.hand), *lifted, *seen.moves)
        return Intent("turn", offer, lifted) if lifted or seen.moves else None

    def act(self, intent, seen, now):
        kind, self.intent = intent.kind, None
        self.waits, self.acted_on = now + ANSWERED, offers(seen)
        self.acted_at, self.due_unread = now, set()
        self.note(f"does: {kind} {intent.offer}")
        if kind == "next":
            return self.seat.go_on()
        if kind == "answer":
            free = [at for at, answer in enumerate(seen.question) if "costs" not in answer]
            return self.seat.answer(self.dice.choice(free or range(len(seen.question))))
        if kind == "word":
            return self.seat.take_word(intent.what)
        if kind == "decline":
            return self.seat.decline()
        if kind == "single":
            self.is_warned = False
            self.may_join = False
            return self.seat.play_single()
        self.dared = False
        if intent.is_race:
            self.racing = now + ANSWERED
        else:
            self.moves += 1
        if kind == "call":
            return self.seat.call(intent.what)
        if kind == "state":
            return self.seat.move(self.dice.choice(intent.what))
        if kind == "move":
            return self.seat.move(intent.what)
        if kind == "interject":
            return self.play(self.dice.choice(intent.what), seen)
        self.turn(intent.what, seen)

    def turn(self, lifted, seen):
        may_join, self.may_join = self.may_join, True
        rest = [at for at, card in enumerate(seen.hand) if not card.is_lifted]
        if rest and self.dice.random() < self.dares:
            at = self.dice.choice(rest)
            self.note(f"dares: {seen.hand[at].name[0]}")
            self.dared = True
            self.dared_at = time.monotonic()
            self.seat.play(at)
            return self.seat.play(at)
        if lifted and (not seen.moves or self.dice.random() < 0.95):
            at = self.dice.choice(lifted)
            equal = [other for other, card in enumerate(seen.hand) if other != at and card.name[0][0] == seen.hand[at].name[0][0]]
            if seen.can_play_several and equal and may_join and self.dice.random() < 0.5:
                places = [at, self.dice.choice(equal)]
                self.note(f"several: {[seen.hand[place].name[0] for place in places]}")
                self.choose_words(places, seen)
                return self.seat.play_several(places)
            return self.play(at, seen)
        at = self.dice.randrange(len(seen.moves))
        self.dared = re.search(r"if (it|the card) was right, you draw \d+", seen.moves[at]) is not None
        self.seat.move(at)

    def choose_words(self, places, seen):
        """Takes the words that the page lists with what is to be played, and leaves the others."""
        for number, word in enumerate(seen.words):
            cards = self.seat.cards_of(word)
            goes = any(short in cards for short in seen.hand[places[-1]].name)
            left = len(seen.hand) - len(places)
            if word.when in ("if one card is left", "with your move"):
                goes = left == 1
            if word.when == "with your last cards":
                goes = left == 0
            if goes != word.is_chosen and word.when != "now":
                self.seat.take_word(number)

    def play(self, at, seen):
        self.choose_words([at], seen)
        self.note(f"plays: {seen.hand[at].name[0]}")
        self.seat.play(at)


def offers(seen):
    """What can be done there."""
    hand = tuple((*card.name, card.is_lifted) for card in seen.hand)
    words = tuple((word.text, word.is_chosen) for word in seen.words)
    return (seen.sheet, seen.question, seen.turn, hand, words, tuple(seen.moves), len(seen.calls))


@dataclasses.dataclass
class Played:
    """What became of one match."""

    rules: str
    ended: bool
    moves: int
    announced: int
    slow: int
    unannounced: list
    met: int
    won: int
    overtaken: int
    seconds: float


def play_all(browser, seat, rules, rounds, extra, speed, dares, seed, limit, log, most_moves=None):
    """Plays one match of each of the rule sets, all at once."""
    began = time.monotonic()
    people = []
    for name in rules:
        played = rounds or ROUNDS.get(name)
        of_match = ["--rounds", played] if played else []
        people.append(Person(seat(browser, name, of_match, extra, seed), name, seed, speed, dares, log))
    # Nobody waits for a person who is still being seated elsewhere.
    for person in people:
        person.seat.sit_down()
    ended = {}
    waiting = list(people)
    while waiting and time.monotonic() < began + limit:
        for person in list(waiting):
            person.step()
            if person.is_done or person.seat.is_gone() or (most_moves and person.moves >= most_moves):
                ended[person.rules] = time.monotonic() - began
                waiting.remove(person)
        time.sleep(0.02)
    played = []
    for person in people:
        if person not in waiting and not most_moves:
            try:
                person.seat.game.wait(20) if isinstance(person.seat, Page) else None
            except subprocess.TimeoutExpired:
                pass
        if os.environ.get("KEEP"):
            shutil.copy(person.seat.record, pathlib.Path(os.environ["KEEP"]) / f"{person.rules}.jsonl") if person.seat.record.exists() else None
        played.append(
            Played(
                person.rules, person.rules in ended, person.moves, person.announced, person.slow, person.unannounced, person.met, person.won,
                person.overtaken, ended.get(person.rules, limit),
            )
        )
        person.seat.close()
        shutil.rmtree(person.seat.folder, ignore_errors=True)
    return played


def table(played):
    """What became of the matches, a row for each."""
    heads = ["set", "moves", "penalties announced", "too slow", "not announced", "races met", "won", "share", "overtaken", "s"]
    rows = [
        [
            one.rules if one.ended else f"{one.rules} (not to the end)", one.moves, one.announced, one.slow, len(one.unannounced), one.met, one.won,
            f"{100 * one.won / one.met:.0f} %" if one.met else "", one.overtaken, f"{one.seconds:.0f}",
        ]
        for one in played
    ]
    rows = [heads, *[[str(cell) for cell in row] for row in rows]]
    widths = [max(len(row[at]) for row in rows) for at in range(len(heads))]
    line = lambda row: "  ".join(cell.ljust(width) if at == 0 else cell.rjust(width) for at, (cell, width) in enumerate(zip(row, widths)))
    return "\n".join(map(line, rows))


def main():
    options = argparse.ArgumentParser(description="Plays as a person, in human time.")
    options.add_argument("--at", choices=["page", "terminal"], default="page")
    options.add_argument("--rules", default=",".join(RULES), help="rule sets, with commas between them")
    options.add_argument("--rounds", type=int, help="rounds of a match, instead of those of the rule set")
    options.add_argument("--speed", type=float, default=1.0, help="what the times of the person are multiplied with")
    options.add_argument("--dares", type=float, default=0.02, help="how often a card that does not fit is played after the warning")
    options.add_argument("--seed", type=int, default=7)
    options.add_argument("--limit", type=float, default=5400, help="seconds after which no more is played")
    options.add_argument("--log", default=os.devnull, help="a file for what is seen and done")
    chosen, extra = options.parse_known_args()
    with open(chosen.log, "w") as log:
        everything = [chosen.rounds, extra, chosen.speed, chosen.dares, chosen.seed, chosen.limit, log]
        rules = chosen.rules.split(",")
        if chosen.at == "terminal":
            played = play_all(None, Terminal, rules, *everything)
        else:
            from playwright.sync_api import sync_playwright

            with sync_playwright() as playwright:
                browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=["--no-sandbox"])
                played = play_all(browser, Page, rules, *everything)
                browser.close()
    print(table(played))
    for one in played:
        for story in one.unannounced:
            print(f"\n{one.rules}, a penalty that was not announced, after:", *story, sep="\n  ")
    sys.exit(any(one.unannounced or not one.ended for one in played))


if __name__ == "__main__":
    main()
