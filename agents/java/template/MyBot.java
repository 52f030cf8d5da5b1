// my-bot: a bot for the Mau-Mau arena. README.md has the commands.

import maumau.Maumau;

public final class MyBot extends Maumau.Bot {
    @Override
    public Maumau.Action choose(Maumau.Ask ask) {
        // Think here. Each entry of ask.legal is a whole answer; ask.view is the position.
        var best = ask.legal.get(0);
        int dearest = -1;
        for (var action : ask.legal) {
            if (action.do_.equals("play") && Maumau.cardPoints(action.card, null) > dearest) { // the dearest card first
                best = action;
                dearest = Maumau.cardPoints(action.card, null);
            }
        }
        return best;
    }

    public static void main(String[] args) {
        Maumau.run(MyBot::new, new Maumau.Options().name("my-bot").games(64));
    }
}
