"""Kinds whose lines are well-formed and whose actions are wrong, by the rules or by the protocol. What the arena must make of each is in kinds.toml."""

import random
import sys

import bot
from bot import act, answers, first, greets, send

PACK = [rank + suit for rank in "23456789TJQKA" for suit in "CDHS"]
CHANCE = random.Random(7)


def fitting(ask):
    return {action.get("card") for action in ask["legal"]}


def unfitting(ask):
    """A card of the hand that is not among the legal ones."""
    return next((card for card in ask["view"]["hand"] if card not in fitting(ask)), None)


def legal(ask, **wanted):
    """The first legal action with these members."""
    return next((dict(one) for one in ask["legal"] if all(one.get(key) == value for key, value in wanted.items())), None)


def jack(ask):
    return next((dict(one) for one in ask["legal"] if one.get("card", "  ")[0] == "J"), None)


@answers
def illegal_card(ask):
    """A card that is not in the hand, and in nobody's that it knows of."""
    send(act(ask, {"do": "play", "card": next(card for card in reversed(PACK) if card not in ask["view"]["hand"])}))


@answers
def opponents_card(ask):
    """Every card that it does not hold, in turn: one of them is the opponent's. The error must not show which."""
    absent = [card for card in PACK if card not in ask["view"]["hand"]]
    send(act(ask, {"do": "play", "card": CHANCE.choice(absent)}))


@answers
def no_such_card(ask):
    send(act(ask, {"do": "play", "card": "1X"}))


@answers
def card_in_lower_case(ask):
    send(act(ask, {"do": "play", "card": "7h"}))


@answers
def not_its_suit(ask):
    card = unfitting(ask)
    send(act(ask, {"do": "play", "card": card} if card else None))


always_illegal = answers(not_its_suit)
bot.KINDS["answers"]["always-illegal"] = not_its_suit


@answers
def pass_when_forbidden(ask):
    send(act(ask, {"do": "pass"} if legal(ask, do="pass") is None else None))


@answers
def wish_missing(ask):
    wish = jack(ask)
    if wish:
        wish.pop("choose", None)
    send(act(ask, wish))


@answers
def wish_invalid(ask):
    wish = jack(ask)
    send(act(ask, wish and {**wish, "choose": {"suit": "X"}}))


@answers
def wish_of_a_value(ask):
    wish = jack(ask)
    send(act(ask, wish and {**wish, "choose": {"rank": "9"}}))


@answers
def wish_with_a_plain_card(ask):
    plain = next((dict(one) for one in ask["legal"] if one["do"] == "play" and one["card"][0] not in "JQ"), None)
    send(act(ask, plain and {**plain, "choose": {"suit": "H"}}))


@answers
def draw_after_draw(ask):
    send(act(ask, {"do": "draw"} if ask["what"] == "turn" else None))


@answers
def random_garbage(ask):
    send(act(ask) if CHANCE.random() < 0.5 else "garbage")


@answers
def mau_forgotten(ask):
    action = first(ask)
    action.pop("say", None)
    send(act(ask, action))


@answers
def mau_false(ask):
    send(act(ask, say=["mau"]))


@answers
def says_too_many(ask):
    send(act(ask, say=["mau"] * 9))


@answers
def says_too_long(ask):
    send(act(ask, say=["m" * 201]))


@answers
def says_as_much_as_it_may(ask):
    send(act(ask, say=["\U0001f0a1" * 200] * 8))


@answers
def says_escapes(ask):
    send(act(ask, say=["\x1b[2J\x1b]0;owned\x07\u202emau\u0000\x9b31m\r"]))


# Every way to end a line, and marks that turn or hide one.
BREAKS = ["\n", "\r\n", "\x0b", "\x0c", "\x85", "\u2028", "\u2029", "\x1b[2K\r", "\u202e", "\u200b"]
FORGED = "mau" + "".join(f"{end}FORGED line" for end in BREAKS)


@answers
def forges_lines(ask):
    """Says, notes, writes to stderr and sends what would pass for lines of the arena, were it printed as it is."""
    forges_lines.times += 1
    if forges_lines.times == 1:
        return send("{}" + FORGED.replace("\n", " "))
    if forges_lines.times == 2:
        return send(act(ask, game=FORGED[:64]))
    print(FORGED, file=sys.stderr, flush=True)
    send({"type": "note", "game": ask["game"], "note": {FORGED: FORGED}})
    send(act(ask, say=[FORGED]))


forges_lines.times = 0


@answers
def challenge_false(ask):
    seats = len(ask["view"]["hands"])
    send(act(ask, {"do": "call", "against": (ask["seat"] + 1) % seats, "fault": "no_mau"}))


@answers
def challenge_nobody(ask):
    send(act(ask, {"do": "call", "against": 15, "fault": "no_mau"}))


@answers
def challenge_itself(ask):
    send(act(ask, {"do": "call", "against": ask["seat"], "fault": "\x1b[31mno_mau"}))


@answers
def seat_out_of_range(ask):
    send(act(ask, {"do": "glare", "at": 16}))


@answers
def reaction_as_move(ask):
    send(act(ask, {"do": "wait"}))


@answers
def other_seats_move(ask):
    """There is no such member: it is passed over (SPEC 4.1)."""
    send(act(ask, seat=(ask["seat"] + 1) % 2))


@answers
def verb_of_another_game(ask):
    send(act(ask, {"do": "turn_up"}))


@answers
def deals_at_any_time(ask):
    send(act(ask, {"do": "deal", "to": [0] * 512}))


@answers
def deals_too_many(ask):
    send(act(ask, {"do": "deal", "to": [0] * 513}))


@answers
def no_such_verb(ask):
    send(act(ask, {"do": "dance"}))


@answers
def takes_from_itself(ask):
    send(act(ask, {"do": "take", "from": ask["seat"]}))


@answers
def point_of_order_for_ever(ask):
    send(act(ask, {"do": "point_of_order"}))


@answers
def talks_and_never_moves(ask):
    send(act(ask, {"do": "say", "text": "wait, I am thinking"}))


@greets
def _false_calls(hello):
    send(bot.ready(ticks=True))


CALLS = {"state": None, "made": 0}


@answers
def false_calls(ask):
    """On the live clock: calls of nothing, as many as are allowed while nothing moves, as soon as nothing is left to draw; until
    then a few at each ask, which cost cards. Else it waits for others, or for its time to be over."""
    view = ask["view"]
    state = (view["hands"], view["top"] if "top" in view else None, view.get("turn"), view["draw_pile"])
    if CALLS["state"] != state:
        CALLS.update(state=state, made=0)
    most = 56 if view["draw_pile"] == 0 else 4
    while CALLS["made"] < most:
        CALLS["made"] += 1
        send(act(ask, {"do": "call", "against": (ask["seat"] + 1) % len(view["hands"]), "fault": "slow"}))


bot.run()
