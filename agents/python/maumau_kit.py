"""What a bot needs to play in the Mau-Mau arena: `maumau/1` in one file, the standard library only.

    from maumau_kit import Bot, run

    class MyBot(Bot):
        def choose(self, ask):
            return self.random.choice(ask["legal"])

    if __name__ == "__main__":
        run(MyBot, name="my bot")

Messages are the parsed JSON objects of the protocol, as plain dictionaries; protocol/SPEC.md describes
their members. `run` makes one bot object for each game, so a process can play many games at once without
mixing them up.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cached_property, lru_cache
from random import Random
from time import monotonic
from typing import TYPE_CHECKING, Any, Literal, TypedDict, TypeVar

__all__ = [
    "Action", "Agent", "Ask", "Bot", "CardCounter", "Event", "Fault", "Message", "Over", "PROTOCOL",
    "Start", "Tell", "View", "card_points", "commitment", "deck", "fits", "next_seat", "rehearse",
    "run",
]

PROTOCOL = "maumau/1"

Message = dict[str, Any]
_Sent = TypeVar("_Sent")

_WANTS = ("view", "legal", "events", "rules")
_MAX_NAME_CHARS = 64
_MAX_NOTE_BYTES = 4096
_MAX_CRASH_CHARS = 1000
_READ_BYTES = 1 << 16
_PATIENCE_S = 0.001  # answers are gathered for one write only as long as this

# <messages> made from the protocol's types by a test of agents/sdk
if TYPE_CHECKING:
    ClockMode = Literal["lockstep", "live"]
    Direction = Literal["cw", "ccw"]
    DrawReason = Literal["turn", "owed", "shortage", "effect"]
    Reach = Literal["draw", "play"]
    Reason = Literal[
        "does_not_fit",
        "may_not_be_last",
        "not_your_turn",
        "interrupted",
        "not_in_hand",
        "choice_missing",
        "choice_wrong",
        "not_now",
        "not_upheld",
        "suit_barred",
        "sealed",
        "nothing_to_take",
        "not_yours",
        "rests",
        "not_looked",
        "look_in_pause",
        "pause_barred",
    ]
    RoundEnd = Literal["won", "turn_cap", "blocked"]
    RuleFault = Literal[
        "wrong_card",
        "out_of_turn",
        "slow",
        "no_mau",
        "no_spade",
        "no_last_card",
        "no_mau_mau",
        "no_oom_papa",
        "no_spam",
        "no_wonderful",
        "no_done",
        "no_snap",
        "must",
        "no_suit",
        "sealed",
        "false_deal",
        "wrong_direction",
        "misdeal",
        "penalties_not_dealt",
        "pick_up",
        "early_look",
        "flinch",
        "question",
        "swear",
        "po_to_swear",
        "look_in_po",
        "too_loud",
        "illegal_po",
        "explaining",
        "talking",
        "false_call",
    ]
    Stand = Literal["slow", "refusals", "dismissed", "absent"]
    Verb = Literal[
        "play",
        "draw",
        "pass",
        "challenge",
        "say",
        "call",
        "choose",
        "take",
        "deal",
        "deal_penalties",
        "turn_up",
        "look",
        "reach",
        "glare",
        "point_of_order",
        "end_point_of_order",
        "count",
        "pick_up",
        "wait",
    ]
    Want = Literal["view", "legal", "events", "rules"]
    What = Literal["turn", "react", "choose", "deal"]

    class Limits(TypedDict):
        """The limits that the arena announces in `hello`."""

        line_bytes: int
        lines_per_ask: int
        says: int
        say_chars: int
        note_bytes: int
        games: int

    class Hello(TypedDict):
        """First line of every process."""

        protocol: str
        arena: str
        limits: Limits
        clock: ClockMode

    class TimeControl(TypedDict):
        """The time a seat has."""

        move_ms: int
        bank_ms: int
        increment_ms: int
        start_ms: int
        grace_ms: int
        reaction_ms: int
        closing_ms: int
        count_ms: int

    class _Start(TypedDict):
        game: str
        seat: int
        names: list[str]
        rule_set: str
        rounds: int
        time: TimeControl
        max_strikes: int
        commitment: str
        seed: str


    class Start(_Start, total=False):
        """A game begins."""

        public_seed: bool
        rules: dict[str, Any]

    class Choice(TypedDict, total=False):
        """A suit, a rank or a seat that a card lets its player name."""

        rank: str
        seat: int
        suit: str

    Event = TypedDict(
        "Event",
        {
            "event": "str",
            "against": "int",
            "apart": "bool",
            "as": "str",
            "at": "int",
            "back": "bool",
            "by": "int",
            "card": "str",
            "cards": "list[str]",
            "choose": "Choice",
            "count": "int",
            "dealer": "int",
            "direction": "Direction",
            "end": "RoundEnd",
            "fault": "str",
            "for": "Reach",
            "from": "int",
            "hand": "list[str]",
            "offer": "list[str]",
            "open": "bool",
            "overdue": "bool",
            "place": "int",
            "points": "int",
            "reason": "Reason",
            "round": "int",
            "rule": "str",
            "sealed": "bool",
            "seat": "int",
            "seats": "list[int]",
            "shown": "bool",
            "suit": "str",
            "text": "str",
            "to": "int",
            "total": "int",
            "upheld": "bool",
            "why": "str",
            "winners": "list[int]",
        },
        total=False,
    )

    Action = TypedDict(
        "Action",
        {
            "do": "Verb",
            "against": "int",
            "as": "str",
            "at": "int",
            "card": "str",
            "cards": "list[str]",
            "choose": "Choice",
            "close": "bool",
            "fault": "str",
            "for": "Reach",
            "from": "int",
            "rank": "str",
            "rule": "str",
            "say": "list[str]",
            "suit": "str",
            "text": "str",
            "to": "list[int]",
        },
        total=False,
    )

    class RuleChoice(TypedDict):
        """A choice of a rule to add."""

        by: int
        offer: list[str]

    class Race(TypedDict):
        """A card that either neighbour of its player may answer."""

        by: int

    class _Request(TypedDict):
        by: int


    class Request(_Request, total=False):
        """A value or suit that the whole table has to serve."""

        rank: str
        seat: int
        suit: str

    class OpenRun(TypedDict):
        """A run of a suit that the next player may go on with."""

        suit: str
        by: int

    TakeOrder = TypedDict(
        "TakeOrder",
        {
            "by": "int",
            "from": "int",
        },
        total=False,
    )

    class Pending(TypedDict, total=False):
        """What stands between the seat to move and an ordinary play. Absent, 0 and `null` mean the same."""

        again: int
        anything: bool
        challenge: int
        choose: int
        choose_rule: RuleChoice
        closing: bool
        draw: int
        draw_kind: str
        drawn: int
        joker: Race
        owed_turn: int
        request: Request
        run: OpenRun
        sevens: int
        skip: int
        skip_victim: int
        snap: bool
        suit: str
        suit_open: bool
        take: TakeOrder

    class _View(TypedDict):
        hand: list[str]
        direction: Direction
        hands: list[int]
        draw_pile: int
        pending: Pending
        round: int
        rounds: int
        dealer: int
        points: list[int]
        wins: list[int]


    class View(_View, total=False):
        """Everything that a seat may know of the present position (G-08). Lists by seat are in seat order."""

        mau_said: list[int]
        not_looked: list[int]
        out: list[int]
        point_of_order: int
        rules: list[str]
        sealed: list[int]
        top: str
        turn: int
        turns_lost: list[int]
        visible: str

    class _Ask(TypedDict):
        game: str
        id: str
        seat: int
        what: What
        time_ms: int
        as_of: int


    class Ask(_Ask, total=False):
        """An answer is wanted."""

        events: list[Event]
        legal: list[Action]
        view: View

    class Tell(TypedDict):
        """Something happened and nothing is asked."""

        game: str
        events: list[Event]

    class _Fault(TypedDict):
        fault: str
        message: str
        clause: str
        cards: int
        strikes: int
        open: bool


    class Fault(_Fault, total=False):
        """A line or an action was wrong."""

        game: str
        id: str

    class _GameResult(TypedDict):
        places: list[int]
        points: list[int]
        wins: list[int]
        rounds: int
        dismissed: list[int]


    class GameResult(_GameResult, total=False):
        """The result of a match. Lists are in seat order."""

        unwon: int

    class _Over(TypedDict):
        game: str
        result: GameResult


    class Over(_Over, total=False):
        """A game is over."""

        events: list[Event]
        seed: str

    class Bye(TypedDict):
        """The process is no longer needed and should end."""

        reason: str

else:  # which costs nothing at the start of a bot
    Limits = Hello = TimeControl = Start = Choice = Event = Action = RuleChoice = dict
    Race = Request = OpenRun = TakeOrder = Pending = View = Ask = Tell = dict
    Fault = GameResult = Over = Bye = dict

_VERBS = frozenset(
    "play draw pass challenge say call choose take deal deal_penalties turn_up look reach glare "
    "point_of_order end_point_of_order count pick_up wait".split()
)
# </messages>

# Compact, and never the NaN and Infinity that Python would write though JSON has no such words.
_encode = json.JSONEncoder(separators=(",", ":"), allow_nan=False, check_circular=False).encode
_decode = json.JSONDecoder().raw_decode


@lru_cache(maxsize=1024, typed=True)
def _act_end(do: str, *card: str) -> str:
    """The end of the line of an act that plays a card, or has no member but `do`: nearly all are like that."""
    return _encode(dict(zip(("do", "card"), (do, *card))))[1:] + "\n"


_POINTS = {"J": 20, "A": 11, "T": 10, "9": 9, "8": 8, "7": 7, "K": 3, "Q": 3}


def card_points(card: str, rules: Message | None = None) -> int:
    """Points against a seat that is left with `card`: by the table of `rules`, else by that of `skat`."""
    points = rules["scoring"]["points"] if rules else _POINTS
    return points.get(card, points.get(card[0], 0))


_PACKS = {
    "french": [rank + suit for suit in "CDHS" for rank in "23456789TJQKA"],
    "colours": [*(rank + suit for suit in "BGRY" for rank in "23456789NVP01"), "W0", "W4"],
    "waterfall": [*(rank + suit for suit in "BGRY" for rank in "M3456789NVPF1"), "W0", "WF", "WK"],
}
"""The cards of each pack but for jokers, in the order of a deck."""


def _among(card: str, cards: str | list[str]) -> bool:
    """Whether a list of values, suits and cards names `card`. The letters of a wild card stand for nothing by themselves."""
    named = cards.split() if isinstance(cards, str) else cards
    return card in named or (card[0] != "W" and (card[0] in named or card[1] in named))


def deck(rules: Message, seats: int) -> list[str]:
    """All cards of a table of so many seats, each as often as it is there. `rules` are those of `start`."""

    def here(value: Any) -> Any:
        """`value`, or that of the row for this number of seats."""
        rows = value if isinstance(value, list) and isinstance(value[0], dict) else ()
        return next((row["is"] for row in rows if row["seats"][0] <= seats <= row["seats"][1]), value)

    of: Message = rules["deck"]
    pack: list[str] = []
    for card in _PACKS[of.get("pack", "french")]:
        if _among(card, here(of["cards"])):
            pack += [card] * next((row["is"] for row in of.get("copies", ()) if _among(card, row["cards"])), 1)
    packs: int = here(of.get("packs", 1))
    return (pack + ["XX"] * of.get("jokers", 0)) * packs


def next_seat(view: View, seat: int) -> int:
    """The seat after `seat` in the direction of play, if nobody is skipped."""
    return (seat + (1 if view["direction"] == "cw" else -1)) % len(view["hands"])


def fits(ask: Ask) -> list[str]:
    """The cards that may be played now, each once, in the order of `legal`."""
    return list(dict.fromkeys(action["card"] for action in ask.get("legal", ()) if action["do"] == "play"))


class CardCounter:
    """Keeps count of the cards that a seat has not seen; for a bot that wants "events" and "rules"."""

    def __init__(self, rules: Message, seats: int) -> None:
        self._deck = deck(rules, seats)
        self._played: list[str] = []

    def see(self, events: Sequence[Event]) -> None:
        """Takes the events of an ask, a tell or an over, in order."""
        for event in events:
            kind = event["event"]
            if kind == "turned_up" or kind == "played":
                self._played.append(event["card"])
            elif kind == "reshuffled":  # all but the top card
                del self._played[:-1]
            elif kind == "taken_back":
                del self._played[-1:]
            elif kind == "round_started":
                self._played.clear()

    def unseen(self, hand: Sequence[str]) -> list[str]:
        """The cards in other hands and in the draw pile, in the order of the deck, for a seat that holds `hand`."""
        left = list(self._deck)
        for card in [*self._played, *hand]:
            if card in left:
                left.remove(card)
        return left


def commitment(game: str, seed: str) -> str:
    """What `start` must have published for a game whose seed is `seed` (64 hexadecimal digits)."""
    digest: str = _sha256()(b"maumau/1 commitment\0" + game.encode() + b"\0" + bytes.fromhex(seed)).hexdigest()
    return digest


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
    asked: Ask | None = None
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

    def start(self, start: Start) -> None:
        """The game begins. The attributes above are set."""

    def choose(self, ask: Ask) -> Action:
        """The answer to `ask`: one of `ask["legal"]`, or an action made by hand like `{"do": "draw"}`.

        `legal` holds the actions that this kit knows; those of a later version of the protocol are left out.
        A legal action says what the rules want said with it; one made by hand says what its `say` holds.
        """
        raise NotImplementedError("write a choose(self, ask) that returns an action")

    def tell(self, tell: Tell) -> None:
        """Something happened while nothing is asked; only for a bot that wants "events"."""

    def fault(self, fault: Fault) -> Action | None:
        """Something was wrong. Where `fault["open"]`, an action returned here answers the same ask again.

        Unless overridden, it reports the fault on stderr and answers an open ask with its first legal action.
        """
        _complain(f"{fault['fault']} in game {self.game}: {fault['message']} ({fault['clause']})")
        asked = self.asked
        if fault.get("open") and asked and asked["id"] == fault.get("id") and asked.get("legal"):
            return asked["legal"][0]
        return None

    def over(self, over: Over) -> None:
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

    def choose(self, ask: Ask) -> Action:
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
        plays: Mapping[str, Sequence[str] | Sequence[int]] | None = None,
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
        if plays is not None:
            self._ready["plays"] = {member: list(values) for member, values in plays.items()}
        self._bots: dict[str, Bot] = {}
        self._out: list[str] = []
        self._rest = b""
        self._is_rehearsal = False
        self._handlers: dict[str, Callable[[Any], None]] = {
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
                self._handle(line)
            except Exception:
                # One game's misfortune must not end the others of this process.
                _complain(f"could not deal with this line of the arena: {line[:200]}", trace=True)
            if out:
                yield "".join(out)
                out.clear()

    def _handle(self, line: str) -> None:
        message, end = _decode(line)
        if end < len(line):
            raise ValueError("something follows the JSON object")
        handler = self._handlers.get(message["type"])
        if handler:
            handler(message)

    def _hello(self, hello: Message) -> None:
        theirs = str(hello.get("protocol"))
        if theirs.split(".")[0] != PROTOCOL:
            _complain(f"this agent speaks {PROTOCOL} and the arena {theirs}: they cannot play together")
            sys.exit(2)
        games = min(self._ready["games"], hello.get("limits", {}).get("games", 1))
        self._send({"type": "ready", "protocol": PROTOCOL, **self._ready, "games": games})

    def _start(self, start: Start) -> None:
        try:
            bot = self._make_bot()
        except Exception as error:
            if self._is_rehearsal:
                raise
            _complain(f"the bot of game {start['game']} could not be made", trace=True)
            bot = _Unmade(error)
        bot.game, bot.seat, bot.names = start["game"], start["seat"], start["names"]
        bot.rules = start.get("rules")
        bot._seed, bot._commitment, bot._outbox = start["seed"], start["commitment"], self._out
        bot._act_begin = _encode({"type": "act", "game": bot.game})[:-1]
        self._bots[bot.game] = bot
        self._call(bot, bot.start, start)

    def _ask(self, ask: Ask) -> None:
        bot = self._bots[ask["game"]]
        bot.asked = ask
        legal = ask.get("legal", [])
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

    def _tell(self, tell: Tell) -> None:
        bot = self._bots[tell["game"]]
        self._call(bot, bot.tell, tell)

    def _call(self, bot: Bot, method: Callable[[_Sent], Any], message: _Sent) -> Any:
        """Calls a method of the author's that has nothing to answer, or not at once."""
        try:
            return method(message)
        except Exception as error:
            self._crashed(bot, error, f"in {method.__name__}")
            return None

    def _crashed(self, bot: Bot, error: Exception, where: str, so: str = "") -> None:
        """Tells the author on stderr, and the arena with the next act."""
        if self._is_rehearsal:
            raise error
        _complain(f"the bot failed {where} of game {bot.game}{so}", trace=True)
        if bot._crash is None:
            bot._crash = _sentence(error)

    def _fault(self, fault: Fault) -> None:
        bot = self._bots.get(fault.get("game", ""))
        if bot is None:
            _complain(f"{fault['fault']}: {fault['message']} ({fault['clause']})")
            return
        action = self._call(bot, bot.fault, fault)
        if action is not None and fault.get("open"):
            self._act(bot, fault["id"], action)

    def _over(self, over: Over) -> None:
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
    plays: Mapping[str, Sequence[str] | Sequence[int]] | None = None,
) -> None:
    """Plays until the arena says `bye` or goes away.

    `make_bot` is called once for each game; a class will do. `wants` is what an ask should hold: "view",
    "legal", "events"; and "rules" for the rule set in `start`. `ticks`: be asked at every opportunity to act,
    not only when there is a card to play. `games`: how many games this process plays at once. Their asks are
    answered one after another and each has its own deadline, so leave it at 1 if the bot thinks for long.
    `plays`: the games that the bot was made for, such as `{"rules": ["skat"], "seats": [2, 3]}`; a league with
    others is not begun, and `maumau check` leaves them out. By default all.

    Standard output belongs to the arena: while this runs, whatever is printed goes to stderr.
    """
    agent = Agent(make_bot, name=name, version=version, wants=wants, ticks=ticks, games=games, plays=plays)
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


def rehearse(make_bot: Callable[[], Bot], lines: Sequence[str], **options: Any) -> list[tuple[Ask, Action]]:
    """Sends a bot recorded lines of the arena, without an arena: each ask with its answer.

    `lines` are those that `maumau feed GAME --seat N --lines` prints; the options are those of `run`. What the bot
    raises is raised here, so that a test or a debugger stops at its line.
    """
    agent = Agent(make_bot, **options)
    agent._is_rehearsal = True
    answers: list[tuple[Ask, Action]] = []
    for line in filter(None, map(str.strip, lines)):
        agent._handle(line)
        acts = [act for act in map(json.loads, agent._out) if act["type"] == "act"]
        agent._out.clear()
        for act in acts:
            for member in ("type", "game", "id"):
                del act[member]
            answers.append((json.loads(line), act))
    return answers


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


def _fallback(ask: Ask) -> Action | None:
    """What is played where the bot fails, if there is anything that is sure to be an answer."""
    if ask.get("legal"):
        return ask["legal"][0]
    sure: dict[str, Action] = {"turn": {"do": "draw"}, "react": {"do": "wait"}}
    return sure.get(ask["what"])


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
