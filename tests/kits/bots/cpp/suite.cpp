// The bot of the kits' suite in C++: it plays by the name of its game.

#include <iomanip>

#include "maumau.hpp"

namespace {

maumau::Action say(const std::string& text) {
    maumau::Action action("say");
    action.text = text;
    return action;
}

struct Suite : maumau::Bot {
    int asks = 0;
    std::optional<maumau::CardCounter> counter;

    void fail(const std::string& place) const {
        if (game == "in-" + place) throw std::runtime_error("no hands in " + place);
    }

    void start(const maumau::Start&) override {
        if (rules.kind() == maumau::Json::Kind::object) counter.emplace(rules, static_cast<int>(names.size()));
        fail("start");
    }

    maumau::Action choose(const maumau::Ask& ask) override {
        asks++;
        fail("choose");
        const std::string kind = game.substr(0, game.find('-'));
        if (kind == "last") return ask.legal.back();
        if (kind == "count") return say(game + " " + std::to_string(asks));
        if (kind == "nothing") return {};
        if (kind == "print") {
            std::cout << "thinking aloud" << std::endl;
            return maumau::Action("draw");
        }
        if (kind == "dice") return say(std::to_string(random()));
        if (kind == "note") note(asks == 1 ? maumau::Json::object({{"win", 0.5}}) : maumau::Json(std::string(5000, 'x')));
        if (kind == "table") return say(table(ask));
        return ask.legal.front();
    }

    std::string table(const maumau::Ask& ask) {
        counter->see(ask.events);
        std::string cards;
        for (const std::string& card : maumau::fits(ask)) cards += (cards.empty() ? "" : " ") + card;
        std::ostringstream text;
        text << "next " << maumau::next_seat(*ask.view, seat) << ", fits " << cards << ", points " << maumau::card_points("JS") << " "
             << maumau::card_points("JS", rules) << " " << maumau::card_points("7H", rules) << ", deck "
             << maumau::deck(rules, static_cast<int>(names.size())).size() << ", unseen " << counter->unseen(ask.view->hand).size();
        return text.str();
    }

    void tell(const maumau::Tell&) override { fail("tell"); }

    std::optional<maumau::Action> fault(const maumau::Fault& fault) override {
        fail("fault");
        if (game == "sorry") return maumau::Action("draw");
        return Bot::fault(fault);
    }

    void over(const maumau::Over&) override {
        fail("over");
        if (game == "note") note("too late");
    }
};

}  // namespace

int main(int count, char** words) {
    std::map<std::string, std::string> given = {
        {"name", "suite"}, {"version", "1"}, {"wants", "view,legal,events,rules"}, {"games", "8"}, {"ticks", "false"}};
    for (int place = 1; place < count; place++) {
        const std::string word = words[place];
        given[word.substr(0, word.find('='))] = word.substr(word.find('=') + 1);
    }
    maumau::Options options;
    options.name = given["name"];
    options.version = given["version"];
    options.ticks = given["ticks"] == "true";
    options.games = std::stoi(given["games"]);
    options.wants.clear();
    std::istringstream wants(given["wants"]);
    for (std::string want; std::getline(wants, want, ',');) options.wants.push_back(want);
    return maumau::run([] { return std::make_unique<Suite>(); }, options);
}
