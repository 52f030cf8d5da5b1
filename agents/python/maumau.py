"""What a bot needs to play in the Mau-Mau arena: `maumau/1` in one file, the standard library only.

    import maumau

    class MyBot(maumau.Bot):
        def choose(self, ask):
            return self.random.choice(ask["legal"])

    if __name__ == "__main__":
        maumau.run(MyBot, name="my bot")

Messages are the parsed JSON objects of the protocol, as plain dictionaries; protocol/SPEC.md describes
their members. `run` makes one bot object for each game, so a process can play many games at once without
mixing them up.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable, Iterator, Sequence
from functools import cached_property, lru_cache
from random import Random
from time import monotonic
from typing import Any

__all__ = ["Action", "Agent", "Bot", "Message", "PROTOCOL", "card_points", "commitment", "deck", "run"]

PROTOCOL = "maumau/1"

Message = dict[str, Any]
Action = dict[str, Any]

_WANTS = ("view", "legal", "events", "rules")
_MAX_NAME_CHARS = 64
_MAX_NOTE_BYTES = 4096
_MAX_CRASH_CHARS = 1000
_READ_BYTES = 1 << 16
_VERBS = frozenset(
    "play draw pass say call choose take deal deal_penalties turn_up look reach glare point_of_order "
    "end_point_of_order count pick_up wait".split()
)
_PATIENCE_S = 0.001  # answers are gathered for one write only as long as this

# Compact, and never the NaN and Infinity that Python would write though JSON has no such words.
_encode = json.JSONEncoder(separators=(",", ":"), allow_nan=False, check_circular=False).encode
_decode = json.JSONDecoder().raw_decode


@lru_cache(maxsize=1024, typed=True)
def _act_end(do: str, *card: str) -> str:
    """The end of the line of an act that lays a card, or has no member but `do`: nearly all are like that."""
    return _encode(dict(zip(("do", "card"), (do, *card))))[1:] + "\n"


_POINTS = {"J": 20, "A": 11, "T": 10, "9": 9, "8": 8, "7": 7, "K": 3, "Q": 3}


def card_points(card: str, rules: Message | None = None) -> int:
    """Points against whoever is left with `card`: by the table of `rules`, else by that of `skat`."""
    points = rules["scoring"]["points"] if rules else _POINTS
    return points.get(card[0], 0)


_CARDS = [rank + suit for suit in "CDHS" for rank in "23456789TJQKA"]


def deck(rules: Message, seats: int) -> list[str]:
    """All cards of a table of so many seats, each as often as it is there. `rules` are those of `start`."""

    def here(value: Any) -> Any:
        """`value`, or that of the row for this number of seats."""
        rows = value if isinstance(value, list) and isinstance(value[0], dict) else ()
        return next((row["is"] for row in rows if row["seats"][0] <= seats <= row["seats"][1]), value)

    cards = here(rules["deck"]["cards"])
    named = set(cards.split() if isinstance(cards, str) else cards)
    pack = [card for card in _CARDS if named & {card, *card}]
    return (pack + ["XX"] * rules["deck"].get("jokers", 0)) * here(rules["deck"].get("packs", 1))


def commitment(game: str, seed: str) -> str:
    """What `start` must have published for a game whose seed is `seed` (64 hexadecimal digits)."""
    return _sha256()(b"maumau/1 commitment\0" + game.encode() + b"\0" + bytes.fromhex(seed)).hexdigest()


@lru_cache
def _sha256() -> Callable[..., Any]:
    from hashlib import sha256  # loading it takes longer than a game

    return sha256


class Bot:
    """The player of one game. Derive from it and write `choose`; the other methods may stay as they are."""

    game: str
    """The name of the game."""
    seat: int
    """Your seat; seats are counted clockwise from 0."""
    names: list[str]
    """The names of all seats, in order."""
    rules: Message | None
    """The resolved rule set, if `wants` includes "rules"."""
    asked: Message | None = None
    """The last ask of this game."""

    _seed: str
    _commitment: str
    _act_begin: str
    _crash: str | None = None
    _outbox: list[str] | None = None

    @cached_property
    def random(self) -> Random:
        """Seeded by the arena: draw from it, and a game that is played again goes the same way."""
        return Random(int(self._seed, 16))  # made when it is wanted, for that takes as long as a move

    def start(self, start: Message) -> None:
        """The game begins. The attributes above are set."""

    def choose(self, ask: Message) -> Action:
        """The answer to `ask`: one of `ask["legal"]`, or an action made by hand like `{"do": "draw"}`.

        `legal` holds the actions that this kit knows; those of a later version of the protocol are left out.
        A legal action says what the rules want said with it; one made by hand says what its `say` holds.
        """
        raise NotImplementedError("write a choose(self, ask) that returns an action")

    def tell(self, tell: Message) -> None:
        """Something happened while nothing is asked; only for a bot that wants "events"."""

    def fault(self, fault: Message) -> Action | None:
        """Something was wrong. Where `fault["open"]`, an action returned here answers the same ask anew.

        Unless overridden, it reports the fault on stderr and answers an open ask with its first legal action.
        """
        _complain(f"{fault['fault']} in game {self.game}: {fault['message']} ({fault['clause']})")
        asked = self.asked
        if fault.get("open") and asked and asked["id"] == fault.get("id") and asked.get("legal"):
            return asked["legal"][0]
        return None

    def over(self, over: Message) -> None:
        """The game is over; this object is not used again."""

    def note(self, note: Any) -> None:
        """Puts any JSON value of at most 4 KiB into the game's record, such as your view of the position."""
        try:
            line = _encode({"type": "note", "game": self.game, "note": note})
        except (TypeError, ValueError) as error:
            _complain(f"a note was dropped, for it is no JSON: {error}")
            return
        if len(line) > _MAX_NOTE_BYTES:
            _complain(f"a note of {len(line)} bytes was dropped; at most {_MAX_NOTE_BYTES}")
        elif self._outbox is not None:  # no game takes notes after its end
            self._outbox.append(line + "\n")


class _Unmade(Bot):
    """In the place of a bot that could not be made: it fails at every ask, for that reason."""

    def __init__(self, error: Exception) -> None:
        self._error = error

    def choose(self, ask: Message) -> Action:
        raise self._error


class Agent:
    """A process's side of the protocol without its pipes: the arena's bytes go in, lines for it come out."""

    def __init__(
        self,
        make_bot: Callable[[], Bot],
        *,
        name: str = "",
        version: str = "",
        wants: Sequence[str] = ("view", "legal"),
        ticks: bool = False,
        games: int = 1,
    ) -> None:
        for what, text in (("name", name), ("version", version)):
            if len(text) > _MAX_NAME_CHARS:
                raise ValueError(f"{what} has {len(text)} characters; at most {_MAX_NAME_CHARS}")
        unknown = [want for want in wants if want not in _WANTS]
        if isinstance(wants, str) or unknown:
            raise ValueError(f"wants is {wants!r}; it is a sequence of some of {', '.join(_WANTS)}")
        if games < 1:
            raise ValueError(f"games is {games}; at least 1")
        self.done = False
        """Whether the arena has said `bye`."""
        self._make_bot = make_bot
        self._ready = {"name": name, "version": version, "wants": list(wants), "ticks": ticks, "games": games}
        self._bots: dict[str, Bot] = {}
        self._out: list[str] = []
        self._rest = b""
        self._handlers = {
            "ask": self._ask,
            "tell": self._tell,
            "fault": self._fault,
            "start": self._start,
            "over": self._over,
            "hello": self._hello,
            "bye": self._bye,
        }

    def receive(self, data: bytes) -> Iterator[str]:
        """Takes bytes as they come, whole lines or not; yields lines to send as soon as each is known."""
        data = self._rest + data if self._rest else data
        whole, newline, self._rest = data.rpartition(b"\n")
        if not newline:
            return
        out = self._out
        for line in whole.decode("utf-8", "replace").split("\n"):
            line = line.strip()
            if not line:
                continue
            try:
                message, end = _decode(line)
                if end < len(line):
                    raise ValueError("something follows the JSON object")
                handler = self._handlers.get(message["type"])
                if handler:
                    handler(message)
            except Exception:
                # One game's misfortune must not end the others of this process.
                _complain(f"could not deal with this line of the arena: {line[:200]}", trace=True)
            if out:
                yield "".join(out)
                out.clear()

    def _hello(self, hello: Message) -> None:
        theirs = str(hello.get("protocol"))
        if theirs.split(".")[0] != PROTOCOL:
            _complain(f"this agent speaks {PROTOCOL} and the arena {theirs}: they cannot play together")
            sys.exit(2)
        games = min(self._ready["games"], hello.get("limits", {}).get("games", 1))
        self._send({"type": "ready", "protocol": PROTOCOL, **self._ready, "games": games})

    def _start(self, start: Message) -> None:
        try:
            bot = self._make_bot()
        except Exception as error:
            _complain(f"the bot of game {start['game']} could not be made", trace=True)
            bot = _Unmade(error)
        bot.game, bot.seat, bot.names = start["game"], start["seat"], start["names"]
        bot.rules = start.get("rules")
        bot._seed, bot._commitment, bot._outbox = start["seed"], start["commitment"], self._out
        bot._act_begin = _encode({"type": "act", "game": bot.game})[:-1]
        self._bots[bot.game] = bot
        self._call(bot, bot.start, start)

    def _ask(self, ask: Message) -> None:
        bot = self._bots[ask["game"]]
        bot.asked = ask
        legal = ask.get("legal", ())
        for action in legal:
            if action["do"] not in _VERBS:
                ask["legal"] = [action for action in legal if action["do"] in _VERBS]
                if not ask["legal"]:  # a later version wants something that no bot of this kit knows
                    return self._act(bot, ask["id"], legal[0])
                break
        try:
            self._act(bot, ask["id"], bot.choose(ask))
        except Exception as error:
            self._crashed(bot, error, f"at ask {ask['id']}", "; it plays the first legal action" if legal else "")
            if fallback := _fallback(ask):
                self._act(bot, ask["id"], fallback)

    def _tell(self, tell: Message) -> None:
        bot = self._bots[tell["game"]]
        self._call(bot, bot.tell, tell)

    def _call(self, bot: Bot, method: Callable[[Message], Any], message: Message) -> Any:
        """Calls a method of the author's that has nothing to answer, or not at once."""
        try:
            return method(message)
        except Exception as error:
            self._crashed(bot, error, f"in {method.__name__}")
            return None

    def _crashed(self, bot: Bot, error: Exception, where: str, so: str = "") -> None:
        """Tells the author on stderr, and the arena with the next act."""
        _complain(f"the bot failed {where} of game {bot.game}{so}", trace=True)
        if bot._crash is None:
            bot._crash = _sentence(error)

    def _fault(self, fault: Message) -> None:
        bot = self._bots.get(fault.get("game"))
        if bot is None:
            _complain(f"{fault['fault']}: {fault['message']} ({fault['clause']})")
            return
        action = self._call(bot, bot.fault, fault)
        if action is not None and fault.get("open"):
            self._act(bot, fault["id"], action)

    def _over(self, over: Message) -> None:
        bot = self._bots.pop(over["game"])
        bot._outbox = None
        seed = over.get("seed")
        if seed and commitment(bot.game, seed) != bot._commitment:
            _complain(f"the seed of game {bot.game} is not the one that the arena was committed to")
        bot.over(over)

    def _bye(self, bye: Message) -> None:
        self.done = True

    def _act(self, bot: Bot, ask_id: str, action: Action) -> None:
        if not isinstance(action, dict) or "do" not in action:
            raise TypeError(f'{action!r} is no action; an action is a dictionary such as {{"do": "draw"}}')
        if bot._crash is not None:
            crash, bot._crash = bot._crash, None
            return self._send({"type": "act", **action, "game": bot.game, "id": ask_id, "crash": crash})
        if len(action) == 1:
            end = _act_end(action["do"])
        elif len(action) == 2 and "card" in action:
            end = _act_end(action["do"], action["card"])
        else:
            return self._send({"type": "act", **action, "game": bot.game, "id": ask_id})
        self._out.append(f'{bot._act_begin},"id":"{ask_id}",{end}')

    def _send(self, message: Message) -> None:
        self._out.append(_encode(message) + "\n")


def run(
    make_bot: Callable[[], Bot],
    *,
    name: str = "",
    version: str = "",
    wants: Sequence[str] = ("view", "legal"),
    ticks: bool = False,
    games: int = 1,
) -> None:
    """Plays until the arena says `bye` or goes away.

    `make_bot` is called once for each game; a class will do. `wants` is what an ask should hold: "view",
    "legal", "events"; and "rules" for the rule set in `start`. `ticks`: be asked at every opportunity to act,
    not only when there is a card to lay. `games`: how many games this process plays at once. Their asks are
    answered one after another and each has its own deadline, so leave it at 1 if the bot thinks for long.

    Standard output belongs to the arena: while this runs, whatever is printed goes to stderr.
    """
    agent = Agent(make_bot, name=name, version=version, wants=wants, ticks=ticks, games=games)
    if sys.stdin is not None and sys.stdin.isatty():
        _complain("this is a bot; it now waits for an arena to speak to it. See agents/README.md.")
    arena = _take_stdout()
    try:
        while not agent.done:
            data = os.read(0, _READ_BYTES)
            if not data:
                return
            write_by = monotonic() + _PATIENCE_S
            answers = []
            for answer in agent.receive(data):
                answers.append(answer)
                if monotonic() >= write_by:
                    _write(arena, answers)
            if answers:
                _write(arena, answers)
    except BrokenPipeError:
        return  # the arena has gone
    except KeyboardInterrupt:
        sys.exit(130)


def _take_stdout() -> int:
    """A private descriptor of standard output; the public one and `print` lead to stderr from now on."""
    arena = os.dup(1)
    os.dup2(2, 1)
    sys.stdout.flush()  # what was printed while the bot was loading
    sys.stdout = sys.stderr
    return arena


def _write(descriptor: int, lines: list[str]) -> None:
    data = "".join(lines).encode()
    lines.clear()
    while data:
        data = data[os.write(descriptor, data) :]


def _fallback(ask: Message) -> Action | None:
    """What is played where the bot fails, if there is anything that is sure to be an answer."""
    if ask.get("legal"):
        return ask["legal"][0]
    return {"turn": {"do": "draw"}, "react": {"do": "wait"}}.get(ask["what"])


def _sentence(error: Exception) -> str:
    """What was raised, and where: in the author's file, if that is known."""
    import traceback  # loading it takes longer than a game

    sentence = "".join(traceback.format_exception_only(error)).strip()
    frames = [frame for frame in traceback.extract_tb(error.__traceback__) if frame.filename != __file__]
    if frames:
        sentence += f" ({os.path.basename(frames[-1].filename)}, line {frames[-1].lineno}, in {frames[-1].name})"
    return sentence[:_MAX_CRASH_CHARS]


def _complain(sentence: str, *, trace: bool = False) -> None:
    print(f"maumau: {sentence}", file=sys.stderr)
    if trace:
        sys.excepthook(*sys.exc_info())
    sys.stderr.flush()
