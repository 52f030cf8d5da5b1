// The bot of the kits' suite in Java: it plays by the name of its game.

import java.util.HashMap;
import java.util.Map;
import maumau.Maumau;

public final class Suite extends Maumau.Bot {
    private int asks;
    private Maumau.CardCounter counter;

    private void fail(String place) {
        if (game.equals("in-" + place)) throw new IllegalStateException("no hands in " + place);
    }

    @Override
    public void start(Maumau.Start start) {
        if (rules != null) counter = new Maumau.CardCounter(rules, names.size());
        fail("start");
    }

    private static Maumau.Action say(String text) {
        var action = new Maumau.Action("say");
        action.text = text;
        return action;
    }

    @Override
    public Maumau.Action choose(Maumau.Ask ask) {
        asks++;
        fail("choose");
        switch (game.split("-")[0]) {
            case "last": return ask.legal.get(ask.legal.size() - 1);
            case "count": return say(game + " " + asks);
            case "nothing": return null;
            case "print":
                System.out.println("thinking aloud");
                return new Maumau.Action("draw");
            case "dice": return say("" + random.nextDouble());
            case "note":
                note(asks == 1 ? Map.of("win", 0.5) : "x".repeat(5000));
                break;
            case "table": return say(table(ask));
            default: break;
        }
        return ask.legal.get(0);
    }

    private String table(Maumau.Ask ask) {
        counter.see(ask.events);
        return "next " + Maumau.nextSeat(ask.view, seat) + ", fits " + String.join(" ", Maumau.fits(ask)) + ", points "
                + Maumau.cardPoints("JS", null) + " " + Maumau.cardPoints("JS", rules) + " " + Maumau.cardPoints("7H", rules)
                + ", deck " + Maumau.deck(rules, names.size()).size() + ", unseen " + counter.unseen(ask.view.hand).size();
    }

    @Override
    public void tell(Maumau.Tell tell) {
        fail("tell");
    }

    @Override
    public Maumau.Action fault(Maumau.Fault fault) {
        fail("fault");
        return game.equals("sorry") ? new Maumau.Action("draw") : super.fault(fault);
    }

    @Override
    public void over(Maumau.Over over) {
        fail("over");
        if (game.equals("note")) note("too late");
    }

    public static void main(String[] args) {
        var given = new HashMap<>(Map.of("name", "suite", "version", "1", "wants", "view,legal,events,rules", "games", "8"));
        for (var word : args) given.put(word.split("=")[0], word.split("=")[1]);
        Maumau.run(Suite::new, new Maumau.Options().name(given.get("name")).version(given.get("version"))
                .wants(given.get("wants").split(",")).ticks("true".equals(given.get("ticks")))
                .games(Integer.parseInt(given.get("games"))));
    }
}
