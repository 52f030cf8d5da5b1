// Plays the first legal action. Java 17 or later with Gson (Debian: libgoogle-gson-java).
//
//     javac -cp /usr/share/java/gson.jar First.java
//     java -Xmx128m -cp /usr/share/java/gson.jar:. First

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;

public final class First {
    private static final PrintStream ARENA = new PrintStream(System.out, false, StandardCharsets.UTF_8);

    /** Think here. Each entry of legal is a whole answer, with the words that must be said; view is the position. */
    private static JsonObject choose(JsonObject ask) {
        return ask.getAsJsonArray("legal").get(0).getAsJsonObject();
    }

    public static void main(String[] args) throws IOException {
        var lines = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        for (String line; (line = lines.readLine()) != null; ) {
            var message = JsonParser.parseString(line).getAsJsonObject();
            switch (message.get("type").getAsString()) {
                case "hello" -> ready(message.get("protocol").getAsString());
                case "ask" -> act(message);
                case "fault" -> System.err.println(line);
                case "bye" -> { return; }
                default -> { } // a message that says nothing to this bot, or one of a later version
            }
        }
    }

    private static void ready(String protocol) {
        if (!protocol.matches("maumau/1(\\..*)?")) {
            System.err.println("First speaks maumau/1 and the arena " + protocol);
            System.exit(2);
        }
        answer(JsonParser.parseString("{'type':'ready','protocol':'maumau/1','name':'First.java','games':64}"));
    }

    private static void act(JsonObject ask) {
        var act = choose(ask);
        act.addProperty("type", "act");
        act.add("game", ask.get("game"));
        act.add("id", ask.get("id"));
        answer(act);
    }

    private static void answer(Object message) {
        ARENA.print(message + "\n");
        ARENA.flush(); // the arena waits for each line
    }
}
