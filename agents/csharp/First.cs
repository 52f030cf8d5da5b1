// Plays the first legal action. .NET or Mono with Json.NET (NuGet: Newtonsoft.Json; Debian: libnewtonsoft-json5.0-cil).
//
//     mcs -r:/usr/lib/cli/Newtonsoft.Json-5.0/Newtonsoft.Json.dll First.cs
//     mono First.exe

using System;
using System.IO;
using System.Text;
using Newtonsoft.Json;
using Newtonsoft.Json.Linq;

static class First
{
    static readonly TextWriter Arena =
        new StreamWriter(Console.OpenStandardOutput(), new UTF8Encoding(false)) { AutoFlush = true };

    /// Think here. Each entry of "legal" is a whole answer, with the words that must be said; "view" is the position.
    static JObject Choose(JObject ask)
    {
        return (JObject)ask["legal"][0];
    }

    static int Main()
    {
        var lines = new StreamReader(Console.OpenStandardInput(), new UTF8Encoding(false));
        for (string line; (line = lines.ReadLine()) != null; )
        {
            var message = JObject.Parse(line);
            switch ((string)message["type"])
            {
                case "hello":
                    if (!(message["protocol"] + ".").StartsWith("maumau/1.", StringComparison.Ordinal))
                    {
                        Console.Error.WriteLine("First.cs speaks maumau/1 and the arena " + message["protocol"]);
                        return 2;
                    }
                    Answer(new JObject
                        { ["type"] = "ready", ["protocol"] = "maumau/1", ["name"] = "First.cs", ["games"] = 64 });
                    break;
                case "ask":
                    Answer(new JObject(Choose(message))
                        { ["type"] = "act", ["game"] = message["game"], ["id"] = message["id"] });
                    break;
                case "fault":
                    Console.Error.WriteLine(line);
                    break;
                case "bye":
                    return 0;
            }
        }
        return 0;
    }

    static void Answer(JObject message)
    {
        Arena.Write(message.ToString(Formatting.None) + "\n");
    }
}
