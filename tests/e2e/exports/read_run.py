"""Reads a run file and the records of its games without any code of the arena: prints what its tables of games and seats must hold.

    python3 read_run.py RUN RECORDS

A JSON object a line: {"games": {...}} and {"seats": {...}}, in the order of the plan.
"""

import json
import pathlib
import sqlite3
import sys


def numbers(blob):
    """The LEB128 numbers of a result, all of them."""
    value, shift, found = 0, 0, []
    for byte in blob:
        value |= (byte & 0x7F) << shift
        shift += 7
        if byte < 0x80:
            found.append(value)
            value, shift = 0, 0
    assert shift == 0, "cut off"
    return found


def signed(number):
    return (number >> 1) ^ -(number & 1)


def record(path):
    """Who sat where, how many actions were taken up, and by which rules, from a record."""
    header, actions = None, 0
    for line in path.read_text().splitlines():
        entry = json.loads(line)
        if entry["entry"] == "header":
            header = entry
        actions += entry["entry"] in ("act", "stand")
    return header["names"], actions, header["rules"]["name"]


def main(run, records):
    records = {path.stem: record(path) for path in pathlib.Path(records).glob("*.jsonl")}
    # In the order of the plan: deal, group, rotation.
    def place(name):
        group, deal, rotation = (int(part[1:]) for part in name.split("-"))
        return deal, group, rotation

    names = sorted(records, key=place)
    games = sqlite3.connect(f"file:{run}?mode=ro", uri=True).execute(
        "SELECT number, outcome, faults, digest FROM games ORDER BY number"
    )
    for name, (number, outcome, faults, digest) in zip(names, games, strict=True):
        agents, actions, rules = records[name]
        count, rounds, unwon, *rest = numbers(outcome)
        assert count == len(agents), name
        faults = json.loads(faults) if faults else [{} for _ in agents]
        seats = [rest[7 * seat : 7 * seat + 7] for seat in range(count)]
        deal, group, rotation = place(name)
        identity = {"game": name, "number": number, "group": group, "deal": deal, "rotation": rotation}
        identity["rules"] = rules
        places = [seat[0] for seat in seats]
        first = [agent for agent, place in zip(agents, places) if place == 1]
        print(json.dumps({"games": identity | {
            "seats": count,
            "rounds": rounds,
            "rounds_unwon": unwon,
            "winner": first[0] if len(first) == 1 and unwon < rounds else "",
            "first_places": len(first),
            "actions": actions,
            "faults": sum(sum(kinds.values()) for kinds in faults),
            "dismissals": sum(seat[2] & 1 for seat in seats),
            "answers": sum(seat[3] for seat in seats),
            "took_us": sum(seat[4] for seat in seats),
            "digest": digest.hex(),
        }}))
        for at, (agent, (place_, points, wins, answers, took_us, late, void)) in enumerate(zip(agents, seats)):
            behind = sum(place_ < other for other in places) + (places.count(place_) - 1) / 2
            print(json.dumps({"seats": identity | {
                "seat": at,
                "agent": agent,
                "author": "",
                "lane": rotation,
                "place": place_,
                "score": behind / (count - 1),
                "points": signed(points),
                "rounds": rounds,
                "rounds_won": wins >> 1,
                "dismissed": wins & 1,
                "faults": sum(faults[at].values()),
                "fault_kinds": " ".join(f"{count} {kind}" for kind, count in sorted(faults[at].items())),
                "answers": answers,
                "took_us": took_us,
                "late": late,
                "void": void,
            }}))


main(*sys.argv[1:])
