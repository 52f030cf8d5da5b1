#!/usr/bin/env python3
"""The test vectors of SPEC 8.11, worked out from the text of SPEC 8 and 9 alone, with nothing but the standard library.

    python3 protocol/tests/vectors.py            prints them
    python3 protocol/tests/vectors.py --write    puts them into SPEC.md
"""

import hashlib
import hmac
import json
import pathlib
import struct
import sys
import zlib

SPEC = pathlib.Path(__file__).resolve().parent.parent / "SPEC.md"
DEAL, DRAW, ORDER, TAKE = 1, 2, 3, 4
MASK = 0xFFFFFFFF


# SPEC 8.1 to 8.4: seeds

def seed_of_number(number):
    return hashlib.sha256(f"maumau seed {number}".encode()).digest()


def keyed_hash(key, *parts):
    return hmac.new(key, b"".join(part + b"\0" for part in parts), hashlib.sha256).digest()


def deal_seed(master, deal):
    return keyed_hash(master, b"maumau/1 deal", deal.encode())


def game_id(master, planned):
    return keyed_hash(master, b"maumau/1 game", planned.encode())[:8].hex()


def agent_seed(seed, game, seat):
    return keyed_hash(seed, b"maumau/1 agent", game.encode(), str(seat).encode())[:8].hex()


def commitment(game, seed):
    return hashlib.sha256(b"maumau/1 commitment\0" + game.encode() + b"\0" + seed).hexdigest()


def game_of_a_run(master, deal, rotation):
    """SPEC 8.3, 8.10: a game of a run of the seed of the number 1, from the names of its deal and itself to its commitment."""
    planned, seed = f"{deal}-r{rotation}", deal_seed(master, deal)
    game = game_id(master, planned)
    return {"master": 1, "deal": deal, "planned": planned, "seed": seed.hex(), "game": game, "commitment": commitment(game, seed)}


# SPEC 8.5: the generator

def chacha20_block(key, counter, stream):
    start = list(struct.unpack("<4I", b"expand 32-byte k") + struct.unpack("<8I", key))
    start += [counter & MASK, counter >> 32, stream & MASK, stream >> 32]
    words = start[:]

    def quarter(a, b, c, d):
        for into, by, other, turn in ((a, b, d, 16), (c, d, b, 12), (a, b, d, 8), (c, d, b, 7)):
            words[into] = (words[into] + words[by]) & MASK
            mixed = words[other] ^ words[into]
            words[other] = (mixed << turn | mixed >> (32 - turn)) & MASK

    for _ in range(10):
        for column in range(4):
            quarter(column, column + 4, column + 8, column + 12)
        for diagonal in range(4):
            quarter(diagonal, 4 + (diagonal + 1) % 4, 8 + (diagonal + 2) % 4, 12 + (diagonal + 3) % 4)
    return [(word + first) & MASK for word, first in zip(words, start)]


def stream_number(round_number, purpose, count):
    return round_number << 32 | purpose << 28 | count & 0x0FFFFFFF


class Words:
    """The words of one stream; `seat` makes it that seat's share of a draw stream (SPEC 8.8)."""

    def __init__(self, seed, round_number, purpose, count, seat=None):
        self.key = keyed_hash(seed, b"maumau/1 chance")
        self.stream = stream_number(round_number, purpose, count)
        self.seat, self.used = seat, 0

    def word(self):
        block = self.used // 16
        block = block if self.seat is None else 16 * block + self.seat
        word = chacha20_block(self.key, block, self.stream)[self.used % 16]
        self.used += 1
        return word

    def below(self, bound):
        """SPEC 8.6"""
        while True:
            product = self.word() * bound
            if product & MASK >= 2**32 % bound:
                return product >> 32

    def shuffle_front(self, items, count):
        """SPEC 8.7"""
        for place in range(min(count, len(items) - 1)):
            other = place + self.below(len(items) - place)
            items[place], items[other] = items[other], items[place]


# SPEC 8.7 to 8.9: cards

def deck(ranks, packs):
    return [rank + suit for _ in range(packs) for suit in "CDHS" for rank in ranks]


def deal(seed, round_number, seats, dealer, cards, pack):
    pack = pack[:]
    dealt = seats * cards
    Words(seed, round_number, DEAL, 0).shuffle_front(pack, dealt + 1)
    hands = [[] for _ in range(seats)]
    for place in range(dealt):
        hands[(dealer + 1 + place) % seats].append(pack[place])
    return {"hands": hands, "first_card": pack[dealt], "pool": pack[dealt + 1:]}


class DrawPile:
    def __init__(self, seed, round_number, count, pool, seats):
        self.pool, self.gone = pool, set()
        self.words = [Words(seed, round_number, DRAW, count, seat) for seat in range(seats)]
        self.orders = [list(range(len(pool))) for _ in range(seats)]
        self.next = [0] * seats

    def draw(self, seat):
        while True:
            place, order = self.next[seat], self.orders[seat]
            other = place + self.words[seat].below(len(order) - place)
            order[place], order[other] = order[other], order[place]
            self.next[seat] += 1
            if order[place] not in self.gone:
                self.gone.add(order[place])
                return self.pool[order[place]]


def dealers_deck(seed, round_number, pack):
    pack = pack[:]
    Words(seed, round_number, DEAL, 0).shuffle_front(pack, len(pack))
    return pack


def void_deal(seed, round_number, count, pack, dealt):
    """The deck after a deal in which `dealt` cards of `pack` were dealt is void."""
    cards = pack[:dealt - 1:-1] + pack[:dealt]
    Words(seed, round_number, DEAL, count).shuffle_front(cards, len(cards))
    return cards


def taken(seed, round_number, take, hand):
    return hand[Words(seed, round_number, TAKE, take).below(len(hand))]


def order_of_answers(seed, round_number, tick, seats):
    seats = sorted(seats)
    Words(seed, round_number, ORDER, tick).shuffle_front(seats, len(seats))
    return seats


# SPEC 9: records

def record(entries):
    digest, check, lines = hashlib.sha256(), 0, []
    for entry, meta in entries:
        entry = json.dumps(entry, separators=(",", ":"))
        digest.update(entry.encode() + b"\n")
        line = entry[:-1]
        if meta:
            line += f',"meta":{json.dumps(meta, separators=(",", ":"))}'
        check = zlib.crc32(line.encode(), check)
        lines.append(f'{line},"check":"{check:08x}"}}')
    return lines, digest.hexdigest()


def vectors():
    seed = seed_of_number(1)
    game = game_id(seed, "play")
    short, double = deck("789TJQKA", 1), deck("23456789TJQKA", 2)
    hand = ["7C", "TC", "5D", "QD", "8H", "KH", "2S"]
    first = deal(seed, 1, 2, 0, 5, short)
    shuffled = dealers_deck(seed, 1, double)
    void = void_deal(seed, 1, 1, shuffled, 3)

    streams = []
    for round_number, purpose, count in ((1, DEAL, 0), (2, DEAL, 0), (1, ORDER, 7)):
        words = Words(seed, round_number, purpose, count)
        streams.append({
            "round": round_number, "purpose": purpose, "count": count,
            "stream": f"{words.stream:016x}", "words": [f"{words.word():08x}" for _ in range(18)],
        })

    below = []
    for bound in (1, 2, 32, 52, 0xC0000000):
        words = Words(seed, 1, DEAL, 0)
        numbers = [words.below(bound) for _ in range(8)]
        below.append({"bound": bound, "numbers": numbers, "words_used": words.used})

    seat_words = []
    for seat in (0, 1, 5):
        words = Words(seed, 1, DRAW, 1, seat)
        words = [f"{words.word():08x}" for _ in range(18)]
        seat_words.append({"seat": seat, "word_0": words[0], "word_15": words[15], "word_16": words[16]})

    pile, drawn = DrawPile(seed, 1, 1, first["pool"], 2), []
    for seat in (0, 0, 1, 1, 1, 0, 1, 0, 0, 0, 0, 0, 1, 1, 1, 0, 0, 0, 1, 0, 1):
        drawn.append([seat, pile.draw(seat)])

    notes = [({"entry": "note", "seat": 1, "note": 1}, None), ({"entry": "note", "seat": 1, "note": 2}, {"took_us": 17})]
    _, digest = record(notes)
    lines, _ = record(notes + [({"entry": "end", "lines": 3, "digest": digest}, None)])

    return {
        "seed_of_number": {str(n): seed_of_number(n).hex() for n in (0, 1, 2**64 - 1)},
        "game_id": [{"master": 1, "planned": name, "is": game_id(seed, name)} for name in ("play", "g000-d0000-r0")],
        "deal_seed": [{"master": 1, "deal": deal, "is": deal_seed(seed, deal).hex()} for deal in ("g000-d0000", "g003-d0041", "g1000-d10000")],
        "game_of_a_run": [game_of_a_run(seed, deal, rotation) for deal, rotation in (("g000-d0000", 0), ("g000-d0000", 1), ("g003-d0007", 1))],
        "agent_seed": [
            {"seed": 1, "game": game, "seat": seat, "is": agent_seed(seed, game, seat)} for seat in (0, 1, 15)
        ],
        "commitment": [{"seed": 1, "game": game, "is": commitment(game, seed)}],
        "generator_key": [{"seed": 1, "is": keyed_hash(seed, b"maumau/1 chance").hex()}],
        "streams_of_seed_1": streams,
        "below_of_stream_1_deal_0": below,
        "seat_words_of_stream_1_draw_1": seat_words,
        "deals_of_seed_1_for_basic": [
            {"round": 1, "dealer": 0, "seats": 2, **first},
            {"round": 2, "dealer": 1, "seats": 2, **deal(seed, 2, 2, 1, 5, short)},
        ],
        "draws_from_the_pool_of_round_1": drawn,
        "order_of_answers_of_seed_1": [
            {"round": 1, "tick": tick, "asked": asked, "is": order_of_answers(seed, 1, tick, asked)}
            for tick, asked in ((0, [0, 1, 2, 3]), (1, [0, 1, 2, 3]), (7, [0, 2, 3]), (300, [1, 3]))
        ],
        "dealers_deck_of_seed_1_for_snap": {"round": 1, "seats": 2, "cards": shuffled},
        "void_deals_of_seed_1_for_snap": [
            {"round": 1, "seats": 2, "dealt": 3, "cards": void},
            {"round": 1, "seats": 2, "dealt": 1, "cards": void_deal(seed, 1, 2, void, 1)},
        ],
        "takes_of_seed_1": [
            {"round": round_number, "take": take, "hand": hand, "is": taken(seed, round_number, take, hand)}
            for round_number, take in ((1, 1), (1, 2), (2, 1))
        ],
        "record": lines,
    }


def text():
    """One line for each innermost thing, so that the block can be read."""
    parts = []
    for name, value in vectors().items():
        if isinstance(value, list) and name != "draws_from_the_pool_of_round_1":
            items = ",\n".join(f"    {json.dumps(item)}" for item in value)
            parts.append(f'  "{name}": [\n{items}\n  ]')
        else:
            parts.append(f'  "{name}": {json.dumps(value)}')
    return "{\n" + ",\n".join(parts) + "\n}"


def main():
    if sys.argv[1:] == ["--write"]:
        spec = SPEC.read_text(encoding="utf-8")
        head, rest = spec.split("<!-- vectors -->\n```json\n", 1)
        tail = rest.split("\n```\n", 1)[1]
        SPEC.write_text(f"{head}<!-- vectors -->\n```json\n{text()}\n```\n{tail}", encoding="utf-8")
    else:
        print(text())


if __name__ == "__main__":
    main()
