"""Kinds whose lines are no messages, or not the right ones. What the arena must make of each is in kinds.toml."""

import json
import os
import time

import bot
from bot import act, answers, put, send

LIMIT = 65_536


def padded(ask, size):
    """A whole answer of `size` bytes, newline included."""
    text = json.dumps(act(ask, x=""))
    return text[:-2] + "y" * (size - 1 - len(text)) + text[-2:]


def raw(ask, text):
    """Sends `text` with the game and the id put in for GAME and ID."""
    send(text.replace("GAME", ask["game"]).replace("ID", ask["id"]))


ACT = '{"type":"act","game":"GAME","id":"ID","do":"draw"'

TEXTS = {
    "not-json": "what is this?",
    "json-no-object": '"draw"',
    "json-a-number": "7",
    "json-null": "null",
    "missing-member": '{"type":"act","game":"GAME","id":"ID"}',
    "missing-type": '{"game":"GAME","id":"ID","do":"draw"}',
    "missing-game": '{"type":"act","id":"ID","do":"draw"}',
    "missing-id": '{"type":"act","game":"GAME","do":"draw"}',
    "wrong-type": '{"type":"act","game":"GAME","id":"ID","do":7}',
    "null-move": '{"type":"act","game":"GAME","id":"ID","do":null}',
    "null-choice": ACT + ',"choose":null}',
    "id-a-number": '{"type":"act","game":"GAME","id":18446744073709551616,"do":"draw"}',
    "id-in-capitals": '{"type":"act","game":"GAME","id":"00000000000000FF","do":"draw"}',
    "id-a-bomb": '{"type":"act","game":"GAME","id":"' + "f" * 60_000 + '","do":"draw"}',
    "wrong-id": '{"type":"act","game":"GAME","id":"0000000000000000","do":"draw"}',
    "wrong-game": '{"type":"act","game":"another","id":"ID","do":"draw"}',
    "game-negative": '{"type":"act","game":-1,"id":"ID","do":"draw"}',
    "game-huge": '{"type":"act","game":1e999,"id":"ID","do":"draw"}',
    "game-long-name": '{"type":"act","game":"' + "\\u001b" * 9_000 + '","id":"ID","do":"draw"}',
    "game-an-object": '{"type":"act","game":{"id":"GAME"},"id":"ID","do":"draw"}',
    "truncated-json": ACT,
    "two-objects-on-a-line": ACT + "}" + ACT + "}",
    "trailing-comma": ACT + ",}",
    "single-quotes": "{'type':'act','game':'GAME','id':'ID','do':'draw'}",
    "comment": ACT + "} // my best move",
    "nan": ACT + ',"x":NaN}',
    "duplicate-member": ACT + ',"do":"draw"}',
    "duplicate-in-escapes": ACT + ',"\\u0064o":"pass"}',
    "array-for-object": '["act","GAME","ID","draw"]',
    "leading-zero": ACT + ',"x":007}',
    "control-character": ACT + ',"x":"a\tb"}',
    "lone-surrogate": ACT + ',"say":["\\ud83c"]}',
    "unknown-type": '{"type":"dance","game":"GAME"}',
    "type-of-the-arena": '{"type":"over","game":"GAME"}',
    "type-long": '{"type":"' + "\\u202e" * 9_000 + '","game":"GAME"}',
    "deep-nesting": "[" * 60_000,
    "deep-nesting-closed": "[" * 30_000 + "]" * 30_000,
    "deep-note": '{"type":"note","game":"GAME","note":' + "[" * 2_000 + "]" * 2_000 + "}",
}
for name, text in TEXTS.items():
    bot.KINDS["answers"][name] = lambda ask, text=text: raw(ask, text)


@answers
def empty_line_only(ask):
    send("")


@answers
def blank_lines(ask):
    put(b"\n" * 4_096)


@answers
def unknown_member(ask):
    send(act(ask, comment={"I": ["think", 1.5, None]}, seat=3))


@answers
def unknown_member_deep(ask):
    """What is passed over may be nested as deep as it likes."""
    text = json.dumps(act(ask))
    send(text[:-1] + ',"x":' + "[" * 20_000 + "]" * 20_000 + "}")


@answers
def unknown_member_huge_number(ask):
    send(json.dumps(act(ask))[:-1] + ',"x":' + "9" * 60_000 + "}")


@answers
def unknown_members_many(ask):
    send(act(ask, **{f"x{number}": 0 for number in range(4_000)}))


@answers
def members_in_escapes(ask):
    """Escapes are resolved before names and texts are compared (SPEC 4.7)."""
    escaped = "".join(f"\\u{ord(letter):04x}" for letter in "type")
    send(json.dumps(act(ask)).replace('"type"', f'"{escaped}"'))


@answers
def crlf(ask):
    send(act(ask), end="\r\n")


@answers
def white_space_around(ask):
    send(" \t\r" + json.dumps(act(ask), indent=None) + " \t\r")


@answers
def invalid_utf8(ask):
    send(json.dumps(act(ask, x="?")).encode().replace(b'"?"', b'"\xff\xc0\x80"'))


@answers
def utf16(ask):
    send(json.dumps(act(ask)).encode("utf-16"))


@answers
def nul_byte(ask):
    send(json.dumps(act(ask)).encode() + b"\0")


@answers
def byte_order_mark(ask):
    send(b"\xef\xbb\xbf" + json.dumps(act(ask)).encode())


@answers
def line_65k(ask):
    send(padded(ask, LIMIT + 1))


@answers
def line_65k_less_one(ask):
    send(padded(ask, LIMIT))


@answers
def line_with_a_legal_tail(ask):
    """What stands behind the limit is skipped to the newline, not read afresh."""
    send(" " * (LIMIT + 10) + json.dumps(act(ask)))


@answers
def split_code_point(ask):
    """An answer in reads that cut through a character."""
    data = json.dumps(act(ask, x="\U0001f0a1"), ensure_ascii=False).encode() + b"\n"
    for byte in data:
        put(bytes([byte]))


@answers
def coalesced_lines(ask):
    """A note and the answer in one write."""
    put(json.dumps({"type": "note", "game": ask["game"], "note": 1}).encode() + b"\n" + json.dumps(act(ask)).encode() + b"\n")


@answers
def half_line_then_exit(ask):
    put(json.dumps(act(ask)).encode())
    os._exit(0)


@answers
def old_id(ask):
    """The answer to the ask before, once more, in place of one."""
    if old_id.before is None or old_id.before["game"] != ask["game"]:
        send(act(ask))
    else:
        send(act(old_id.before))
    old_id.before = old_id.before or ask


old_id.before = None


@answers
def two_answers(ask):
    send(act(ask))
    send(act(ask))


@answers
def two_answers_in_one_write(ask):
    line = json.dumps(act(ask)).encode() + b"\n"
    put(line + line)


@answers
def guessed_ids(ask):
    """Answers to asks that are still to come."""
    for number in range(10):
        send(act(ask, id=f"{int(ask['id'], 16) + number + 1 & 2**64 - 1:016x}"))


@answers
def note_too_long(ask):
    send({"type": "note", "game": ask["game"], "note": "n" * 4_096})


@answers
def notes_by_the_thousand(ask):
    """As many as fit between two asks, each of the greatest length: kept in part, dropped and counted from then on."""
    for _ in range(60):
        send({"type": "note", "game": ask["game"], "note": [[[]] * 600, "\x1b[2J"]})
    send(act(ask))


@answers
def note_escapes(ask):
    send({"type": "note", "game": ask["game"], "note": {"\x1b[2J\u202e": "\x1b]0;owned\x07\u2066\x9b31m"}})
    send(act(ask))


@answers
def note_of_another_game(ask):
    send({"type": "note", "game": "another", "note": 1})


@answers
def line_after_the_end(ask):
    """Answers at once, and the same again and again for a while, also when the game is over."""
    send(act(ask))
    if not os.fork():
        for _ in range(20):
            time.sleep(0.01)
            send(act(ask))
        os._exit(0)


bot.run()
