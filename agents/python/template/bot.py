"""my-bot: a bot for the Mau-Mau arena. README.md has the commands."""

from maumau_kit import Action, Ask, Bot, card_points, run


class MyBot(Bot):
    def choose(self, ask: Ask) -> Action:
        # Think here. Each entry of ask["legal"] is a whole answer; ask["view"] is the position.
        plays = [action for action in ask["legal"] if action["do"] == "play"]
        if not plays:
            return ask["legal"][0]
        return max(plays, key=lambda action: card_points(action["card"]))  # the dearest card first


if __name__ == "__main__":
    run(MyBot, name="my-bot", games=64)
