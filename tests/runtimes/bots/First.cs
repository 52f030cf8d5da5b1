using System;
using System.Threading;

/// No library: the first legal action is the first {...} after "legal":[ . A thread of its own reads, as programs in C# like to.
static class First {
    static string Between(string text, string start, string end) {
        int from = text.IndexOf(start) + start.Length;
        return text.Substring(from, text.IndexOf(end, from) - from);
    }

    static string FirstObject(string text) {
        int from = text.IndexOf("\"legal\":[") + "\"legal\":[".Length, at = from, depth = 0;
        do {
            char c = text[at++];
            depth += c == '{' ? 1 : c == '}' ? -1 : 0;
        } while (depth > 0);
        return text.Substring(from + 1, at - from - 1);
    }

    static void Play() {
        for (string line; (line = Console.In.ReadLine()) != null; ) {
            if (line.Contains("\"type\":\"hello\"")) {
                Console.Out.Write("{\"type\":\"ready\",\"protocol\":\"maumau/1\",\"name\":\"mono\",\"wants\":[\"legal\"]}\n");
            } else if (line.Contains("\"type\":\"ask\"")) {
                Console.Out.Write("{\"type\":\"act\",\"game\":\"" + Between(line, "\"game\":\"", "\"") + "\",\"id\":\""
                    + Between(line, "\"id\":\"", "\"") + "\"," + FirstObject(line) + "\n");
            } else if (line.Contains("\"type\":\"bye\"")) {
                return;
            }
            Console.Out.Flush();
        }
    }

    static void Main() {
        var player = new Thread(Play);
        player.Start();
        player.Join();
    }
}
