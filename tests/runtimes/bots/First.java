import java.io.BufferedReader;
import java.io.InputStreamReader;

/** No library: the first legal action is the first {...} after "legal":[ . */
public class First {
    static String between(String text, String start, String end) {
        int from = text.indexOf(start) + start.length();
        return text.substring(from, text.indexOf(end, from));
    }

    static String firstObject(String text) {
        int at = text.indexOf("\"legal\":[") + "\"legal\":[".length(), depth = 0, from = at;
        do {
            char c = text.charAt(at++);
            depth += c == '{' ? 1 : c == '}' ? -1 : 0;
        } while (depth > 0);
        return text.substring(from + 1, at);
    }

    public static void main(String[] arguments) throws Exception {
        BufferedReader lines = new BufferedReader(new InputStreamReader(System.in));
        for (String line; (line = lines.readLine()) != null; ) {
            if (line.contains("\"type\":\"hello\"")) {
                System.out.println("{\"type\":\"ready\",\"protocol\":\"maumau/1\",\"name\":\"java\",\"wants\":[\"legal\"]}");
            } else if (line.contains("\"type\":\"ask\"")) {
                System.out.println("{\"type\":\"act\",\"game\":\"" + between(line, "\"game\":\"", "\"") + "\",\"id\":\""
                    + between(line, "\"id\":\"", "\"") + "\"," + firstObject(line));
            } else if (line.contains("\"type\":\"bye\"")) {
                return;
            }
        }
    }
}
