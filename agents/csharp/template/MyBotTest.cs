// Feeds the bot a recorded game: lines.jsonl is what the arena sent a player of game.jsonl.

using System;
using System.IO;
using System.Linq;
using Maumau;

static class MyBotTest
{
    internal static int Run()
    {
        var answers = Kit.Rehearse(() => new MyBot(), File.ReadAllLines("lines.jsonl"));
        foreach (var answer in answers)
        {
            if (answer.Ask.Legal.Any(legal => legal.ToString() == answer.Action.ToString())) continue;
            Console.Error.WriteLine(answer.Action + " is not legal");
            return 1;
        }
        Console.WriteLine(answers.Count + " answers, all of them legal");
        return answers.Count > 0 ? 0 : 1;
    }
}
