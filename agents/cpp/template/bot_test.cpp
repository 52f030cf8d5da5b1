// Feeds the bot a recorded game: lines.jsonl is what the arena sent a player of game.jsonl.

#include <fstream>

#include "bot.hpp"

int main() {
    std::ifstream lines("lines.jsonl");
    const auto answers = maumau::rehearse([] { return std::make_unique<MyBot>(); }, lines);
    for (const auto& answer : answers) {
        const std::string text = answer.action.json().write();
        const auto is_same = [&text](const maumau::Action& legal) { return legal.json().write() == text; };
        if (std::none_of(answer.ask.legal.begin(), answer.ask.legal.end(), is_same)) {
            std::cerr << text << " is not legal\n";
            return 1;
        }
    }
    std::cout << answers.size() << " answers, all of them legal\n";
    return answers.empty() ? 1 : 0;
}
