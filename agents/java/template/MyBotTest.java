// Feeds the bot a recorded game: lines.jsonl is what the arena sent a player of game.jsonl.

import java.nio.file.Files;
import java.nio.file.Path;
import maumau.Maumau;

public final class MyBotTest {
    public static void main(String[] args) throws java.io.IOException {
        var answers = Maumau.rehearse(MyBot::new, Files.readAllLines(Path.of("lines.jsonl")));
        if (answers.isEmpty()) throw new AssertionError("no asks");
        for (var answer : answers) {
            var isLegal = answer.ask().legal.stream().anyMatch(legal -> legal.json().equals(answer.action().json()));
            if (!isLegal) throw new AssertionError(answer.action() + " is not legal");
        }
        System.out.println(answers.size() + " answers, all of them legal");
    }
}
