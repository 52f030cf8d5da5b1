// my-bot: a bot for the Mau-Mau arena. README.md has the commands.

using System;
using Maumau;
using Action = Maumau.Action; // and not System.Action

public class MyBot : Bot
{
    public override Action Choose(Ask ask)
    {
        // Think here. Each entry of ask.Legal is a whole answer; ask.View is the position.
        var best = ask.Legal[0];
        var dearest = -1;
        foreach (var action in ask.Legal)
        {
            if (action.Do == "play" && Kit.CardPoints(action.Card) > dearest) // the dearest card first
            {
                best = action;
                dearest = Kit.CardPoints(action.Card);
            }
        }
        return best;
    }

    public static int Main(string[] words)
    {
        if (words.Length > 0 && words[0] == "test") return MyBotTest.Run();
        Kit.Run(() => new MyBot(), new Options { Name = "my-bot", Games = 64 });
        return 0;
    }
}
