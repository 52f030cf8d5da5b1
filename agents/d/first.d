// Plays the first legal action. D, nothing to install.
//
//     ldc2 -O first.d

import std.algorithm : startsWith;
import std.json : JSONValue, parseJSON;
import std.stdio : stderr, stdin, stdout;

/// Think here. Each entry of `legal` is a whole answer, with the words that must be said; `view` is the position.
JSONValue choose(JSONValue ask)
{
    return ask["legal"][0];
}

void answer(JSONValue message)
{
    stdout.writeln(message.toString);
    stdout.flush; // the arena waits for each line
}

int main()
{
    foreach (line; stdin.byLine)
    {
        auto message = parseJSON(line);
        switch (message["type"].str)
        {
        case "hello":
            const protocol = message["protocol"].str;
            if (!(protocol ~ ".").startsWith("maumau/1."))
            {
                stderr.writeln("first.d speaks maumau/1 and the arena ", protocol);
                return 2;
            }
            answer(JSONValue(["type": JSONValue("ready"), "protocol": JSONValue("maumau/1"),
                    "name": JSONValue("first.d"), "games": JSONValue(64)]));
            break;
        case "ask":
            auto act = choose(message);
            act["type"] = "act";
            act["game"] = message["game"];
            act["id"] = message["id"];
            answer(act);
            break;
        case "fault":
            stderr.writeln(line);
            break;
        case "bye":
            return 0;
        default: // a message that says nothing to this bot, or one of a later version
        }
    }
    return 0;
}
