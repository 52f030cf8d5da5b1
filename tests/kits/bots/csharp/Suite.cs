// The bot of the kits' suite in C#: it plays by the name of its game.

using System.Collections.Generic;
using System.Globalization;
using Maumau;

public class Suite : Bot
{
    int asks;
    CardCounter counter;

    void Fail(string place)
    {
        if (Game == "in-" + place) throw new System.InvalidOperationException("no hands in " + place);
    }

    public override void Start(Start start)
    {
        if (Rules != null) counter = new CardCounter(Rules, Names.Count);
        Fail("start");
    }

    static Action Say(string text) { return new Action("say") { Text = text }; }

    public override Action Choose(Ask ask)
    {
        asks++;
        Fail("choose");
        switch (Game.Split('-')[0])
        {
            case "last": return ask.Legal[ask.Legal.Count - 1];
            case "count": return Say(Game + " " + asks);
            case "nothing": return null;
            case "print":
                System.Console.WriteLine("thinking aloud");
                return new Action("draw");
            case "dice": return Say(Random.NextDouble().ToString(CultureInfo.InvariantCulture));
            case "note":
                if (asks == 1) Note(new Dictionary<string, object> { { "win", 0.5 } });
                else Note(new string('x', 5000));
                break;
            case "table": return Say(Table(ask));
        }
        return ask.Legal[0];
    }

    string Table(Ask ask)
    {
        counter.See(ask.Events);
        return "next " + Kit.NextSeat(ask.View, Seat) + ", fits " + string.Join(" ", Kit.Fits(ask)) + ", points "
            + Kit.CardPoints("JS") + " " + Kit.CardPoints("JS", Rules) + " " + Kit.CardPoints("7H", Rules)
            + ", deck " + Kit.Deck(Rules, Names.Count).Count + ", unseen " + counter.Unseen(ask.View.Hand).Count;
    }

    public override void Tell(Tell tell) { Fail("tell"); }

    public override Action Fault(Fault fault)
    {
        Fail("fault");
        return Game == "sorry" ? new Action("draw") : base.Fault(fault);
    }

    public override void Over(Over over)
    {
        Fail("over");
        if (Game == "note") Note("too late");
    }

    public static void Main(string[] words)
    {
        var given = new Dictionary<string, string> {
            { "name", "suite" }, { "version", "1" }, { "wants", "view,legal,events,rules" }, { "games", "8" }, { "ticks", "false" },
        };
        foreach (var word in words) given[word.Split('=')[0]] = word.Split('=')[1];
        Kit.Run(() => new Suite(), new Options {
            Name = given["name"], Version = given["version"], Wants = given["wants"].Split(','),
            Ticks = given["ticks"] == "true", Games = int.Parse(given["games"]),
        });
    }
}
