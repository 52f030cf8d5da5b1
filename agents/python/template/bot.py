"""my-bot: a bot for the Mau-Mau arena. README.md has the commands."""

import maumau


class MyBot(maumau.Bot):
    def choose(self, ask: maumau.Ask) -> maumau.Action:
        # Think here. Each entry of ask["legal"] is a whole answer; ask["view"] is the position.
        plays = [action for action in ask["legal"] if action["do"] == "play"]
        if not plays:
            return ask["legal"][0]
        return max(plays, key=lambda action: maumau.card_points(action["card"]))  # the dearest card first


if __name__ == "__main__":
    maumau.run(MyBot, name="my-bot", games=64)
