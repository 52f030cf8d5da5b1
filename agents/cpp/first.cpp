// Plays the first legal action. C++17 with "JSON for Modern C++" (Debian: nlohmann-json3-dev).
//
//     c++ -std=c++17 -O2 -o first first.cpp

#include <cstdlib>
#include <iostream>
#include <string>

#include <nlohmann/json.hpp>

using nlohmann::json;

/// Think here. Each entry of "legal" is a whole answer, with the words that must be said; "view" is the position.
static json choose(const json& ask) { return ask.at("legal").front(); }

static json ready(const json& hello) {
    const std::string protocol = hello.at("protocol");
    if ((protocol + '.').rfind("maumau/1.", 0) != 0) {
        std::cerr << "first.cpp speaks maumau/1 and the arena " << protocol << '\n';
        std::exit(2);
    }
    return {{"type", "ready"}, {"protocol", "maumau/1"}, {"name", "first.cpp"}, {"games", 64}};
}

static json act(const json& ask) {
    json action = choose(ask);
    action.update({{"type", "act"}, {"game", ask.at("game")}, {"id", ask.at("id")}});
    return action;
}

int main() {
    std::ios::sync_with_stdio(false);
    for (std::string line; std::getline(std::cin, line);) {
        const json message = json::parse(line);
        const std::string type = message.at("type");
        if (type == "hello") {
            std::cout << ready(message) << std::endl; // endl flushes: the arena waits for each line
        } else if (type == "ask") {
            std::cout << act(message) << std::endl;
        } else if (type == "fault") {
            std::cerr << line << '\n';
        } else if (type == "bye") {
            break;
        }
    }
}
