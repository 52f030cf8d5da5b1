"""The bot of the kits' suite in Python: it plays by the name of its game."""

import sys

import maumau_kit


class Suite(maumau_kit.Bot):
    def start(self, start):
        self.asks = 0
        self.counter = maumau_kit.CardCounter(self.rules, len(self.names)) if self.rules else None
        self.fail("start")

    def fail(self, place):
        if self.game == f"in-{place}":
            raise RuntimeError(f"no hands in {place}")

    def choose(self, ask):
        self.asks += 1
        self.fail("choose")
        kind = self.game.split("-")[0]
        if kind == "last":
            return ask["legal"][-1]
        if kind == "count":
            return {"do": "say", "text": f"{self.game} {self.asks}"}
        if kind == "nothing":
            return None
        if kind == "print":
            print("thinking aloud")
            return {"do": "draw"}
        if kind == "dice":
            return {"do": "say", "text": str(self.random.random())}
        if kind == "note":
            self.note({"win": 0.5} if self.asks == 1 else "x" * 5000)
        if kind == "table":
            return {"do": "say", "text": self.table(ask)}
        return ask["legal"][0]

    def table(self, ask):
        self.counter.see(ask.get("events", []))
        cost = maumau_kit.card_points("JS"), maumau_kit.card_points("JS", self.rules), maumau_kit.card_points("7H", self.rules)
        return (
            f"next {maumau_kit.next_seat(ask['view'], self.seat)}, fits {' '.join(maumau_kit.fits(ask))}, "
            f"points {cost[0]} {cost[1]} {cost[2]}, deck {len(maumau_kit.deck(self.rules, len(self.names)))}, "
            f"unseen {len(self.counter.unseen(ask['view']['hand']))}"
        )

    def tell(self, tell):
        self.fail("tell")

    def fault(self, fault):
        self.fail("fault")
        return {"do": "draw"} if self.game == "sorry" else super().fault(fault)

    def over(self, over):
        self.fail("over")
        if self.game == "note":
            self.note("too late")


if __name__ == "__main__":
    given = dict(word.split("=") for word in sys.argv[1:])
    maumau_kit.run(
        Suite,
        name=given.get("name", "suite"),
        version=given.get("version", "1"),
        wants=given.get("wants", "view,legal,events,rules").split(","),
        ticks=given.get("ticks") == "true",
        games=int(given.get("games", 8)),
    )
