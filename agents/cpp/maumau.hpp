// What a bot needs to play in the Mau-Mau arena: maumau/1 in one header, C++17, nothing to install.
//
//     #include "maumau.hpp"
//
//     struct MyBot : maumau::Bot {
//         maumau::Action choose(const maumau::Ask& ask) override { return pick(ask.legal); }
//     };
//
//     int main() {
//         maumau::Options options;
//         options.name = "my bot";
//         return maumau::run([] { return std::make_unique<MyBot>(); }, options);
//     }
//
// Messages are structures with the members of the protocol; protocol/SPEC.md describes them. `run` makes one bot for each
// game, so a process can play many games at once without mixing them up.

#ifndef MAUMAU_HPP
#define MAUMAU_HPP

#include <algorithm>
#include <array>
#include <cctype>
#include <cerrno>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <functional>
#include <iostream>
#include <map>
#include <memory>
#include <optional>
#include <random>
#include <set>
#include <sstream>
#include <stdexcept>
#include <string>
#include <typeinfo>
#include <utility>
#include <vector>

#ifdef _WIN32
#include <fcntl.h>
#include <io.h>
#else
#include <unistd.h>
#endif
#if defined(__GNUC__)
#include <cxxabi.h>
#endif

namespace maumau {

/// The protocol that the kit speaks.
inline const char* const PROTOCOL = "maumau/1";

/// A value of JSON.
class Json {
public:
    enum class Kind { null, boolean, number, text, list, object };
    using Members = std::vector<std::pair<std::string, Json>>;

    Json() = default;
    Json(std::nullptr_t) {}
    Json(bool value) : kind_(Kind::boolean), truth_(value) {}
    Json(int value) : Json(static_cast<std::int64_t>(value)) {}
    Json(std::int64_t value) : kind_(Kind::number), is_whole_(true), whole_(value), number_(static_cast<double>(value)) {}
    Json(double value) : kind_(Kind::number), number_(value) {}
    Json(const char* value) : kind_(Kind::text), text_(value) {}
    Json(std::string value) : kind_(Kind::text), text_(std::move(value)) {}
    Json(const std::vector<std::string>& values) : kind_(Kind::list), items_(values.begin(), values.end()) {}
    Json(const std::vector<int>& values) : kind_(Kind::list), items_(values.begin(), values.end()) {}
    Json(std::vector<Json> values) : kind_(Kind::list), items_(std::move(values)) {}

    static Json object(Members members = {}) {
        Json json;
        json.kind_ = Kind::object;
        json.members_ = std::move(members);
        return json;
    }

    Kind kind() const { return kind_; }
    bool truth() const { return truth_; }
    double number() const { return number_; }
    const std::string& text() const { return text_; }
    const std::vector<Json>& items() const { return items_; }
    const Members& members() const { return members_; }

    /// A member of an object; null where there is none.
    const Json& operator[](const std::string& name) const {
        static const Json nothing;
        for (const auto& member : members_) {
            if (member.first == name) return member.second;
        }
        return nothing;
    }

    /// Sets a member of an object.
    void set(const std::string& name, Json value) {
        for (auto& member : members_) {
            if (member.first == name) {
                member.second = std::move(value);
                return;
            }
        }
        members_.emplace_back(name, std::move(value));
    }

    /// Reads a text; throws std::invalid_argument where it is no JSON.
    static Json read(const std::string& text) {
        Reader reader{text, 0};
        Json json = reader.value();
        if (reader.next() != '\0') throw reader.wrong("the end");
        return json;
    }

    /// The value as text.
    std::string write() const {
        std::string out;
        write(out);
        return out;
    }

private:
    Kind kind_ = Kind::null;
    bool truth_ = false;
    bool is_whole_ = false;
    std::int64_t whole_ = 0;
    double number_ = 0;
    std::string text_;
    std::vector<Json> items_;
    Members members_;

    struct Reader {
        const std::string& text;
        std::size_t at;

        std::invalid_argument wrong(const std::string& expected) const {
            return std::invalid_argument("expected " + expected + " at byte " + std::to_string(at + 1));
        }

        char next() {
            while (at < text.size() && static_cast<unsigned char>(text[at]) <= ' ') at++;
            return at < text.size() ? text[at] : '\0';
        }

        bool eats(char wanted) {
            if (next() != wanted) return false;
            at++;
            return true;
        }

        Json value() {
            switch (next()) {
                case '{': return members();
                case '[': return list();
                case '"': return Json(string());
                case 't': return word("true", Json(true));
                case 'f': return word("false", Json(false));
                case 'n': return word("null", Json());
                default: return number();
            }
        }

        Json members() {
            Json json = object();
            at++;
            if (eats('}')) return json;
            do {
                if (next() != '"') throw wrong("a name");
                std::string name = string();
                if (!eats(':')) throw wrong(":");
                json.members_.emplace_back(std::move(name), value());
            } while (eats(','));
            if (!eats('}')) throw wrong("}");
            return json;
        }

        Json list() {
            std::vector<Json> items;
            at++;
            if (eats(']')) return Json(std::move(items));
            do items.push_back(value()); while (eats(','));
            if (!eats(']')) throw wrong("]");
            return Json(std::move(items));
        }

        Json word(const char* word, Json json) {
            if (text.compare(at, std::strlen(word), word) != 0) throw wrong("a value");
            at += std::strlen(word);
            return json;
        }

        Json number() {
            const std::size_t begin = at;
            while (at < text.size() && std::strchr("+-.eE0123456789", text[at]) != nullptr) at++;
            const std::string digits = text.substr(begin, at - begin);
            if (digits.empty()) throw wrong("a value");
            if (digits.size() < 18 && digits.find_first_of(".eE") == std::string::npos) {
                return Json(static_cast<std::int64_t>(std::strtoll(digits.c_str(), nullptr, 10)));
            }
            return Json(std::strtod(digits.c_str(), nullptr));
        }

        unsigned hex() {
            if (at + 4 >= text.size()) throw wrong("four digits");
            const auto code = static_cast<unsigned>(std::strtoul(text.substr(at + 1, 4).c_str(), nullptr, 16));
            at += 4;
            return code;
        }

        std::string string() {
            std::string out;
            for (at++; at < text.size(); at++) {
                if (text[at] == '"') {
                    at++;
                    return out;
                }
                if (text[at] != '\\' || at + 1 == text.size()) {
                    out += text[at];
                    continue;
                }
                const char letter = text[++at];
                const std::size_t escape = std::string("bfnrt").find(letter);
                if (letter == 'u') {
                    unsigned code = hex();
                    if (code >= 0xd800 && code < 0xdc00 && text.compare(at + 1, 2, "\\u") == 0) {
                        at += 2;
                        code = 0x10000 + ((code - 0xd800) << 10) + (hex() - 0xdc00);
                    }
                    append(out, code);
                } else {
                    out += escape == std::string::npos ? letter : "\b\f\n\r\t"[escape];
                }
            }
            throw wrong("the end of a text");
        }

        static void append(std::string& out, unsigned code) {
            if (code < 0x80) {
                out += static_cast<char>(code);
                return;
            }
            const int more = code < 0x800 ? 1 : code < 0x10000 ? 2 : 3;
            const unsigned heads[] = {0, 0xc0, 0xe0, 0xf0};
            out += static_cast<char>(heads[more] | code >> (6 * more));
            for (int part = more - 1; part >= 0; part--) out += static_cast<char>(0x80 | (code >> (6 * part) & 0x3f));
        }
    };

    static void quote(std::string& out, const std::string& text) {
        out += '"';
        for (const char letter : text) {
            if (letter == '"' || letter == '\\') {
                out += '\\';
                out += letter;
            } else if (static_cast<unsigned char>(letter) < ' ') {
                char code[8];
                std::snprintf(code, sizeof code, "\\u%04x", static_cast<unsigned>(letter));
                out += code;
            } else {
                out += letter;
            }
        }
        out += '"';
    }

    void write(std::string& out) const {
        char before = kind_ == Kind::object ? '{' : '[';
        switch (kind_) {
            case Kind::null: out += "null"; break;
            case Kind::boolean: out += truth_ ? "true" : "false"; break;
            case Kind::text: quote(out, text_); break;
            case Kind::number:
                if (is_whole_) {
                    out += std::to_string(whole_);
                } else if (std::isfinite(number_)) {
                    char digits[32];
                    std::snprintf(digits, sizeof digits, "%.17g", number_);
                    out += digits;
                } else {
                    throw std::invalid_argument("a number that JSON does not have");
                }
                break;
            case Kind::list:
                for (const Json& item : items_) {
                    out += before;
                    item.write(out);
                    before = ',';
                }
                out += items_.empty() ? "[]" : "]";
                break;
            case Kind::object:
                for (const auto& member : members_) {
                    out += before;
                    quote(out, member.first);
                    out += ':';
                    member.second.write(out);
                    before = ',';
                }
                out += members_.empty() ? "{}" : "}";
                break;
        }
    }
};

namespace detail {

constexpr std::size_t max_name_chars = 64;
constexpr std::size_t max_note_bytes = 4096;
constexpr std::size_t max_crash_chars = 1000;
constexpr std::size_t read_bytes = 1 << 16;
constexpr auto patience = std::chrono::milliseconds(1);  // answers are gathered for one write only as long as this

// Members as C++ has them; what is of another type, as in a later version, is absent.
inline bool get(const Json& json, std::string& out) {
    if (json.kind() == Json::Kind::text) out = json.text();
    return json.kind() == Json::Kind::text;
}
inline bool get(const Json& json, int& out) {
    if (json.kind() == Json::Kind::number) out = static_cast<int>(json.number());
    return json.kind() == Json::Kind::number;
}
inline bool get(const Json& json, bool& out) {
    if (json.kind() == Json::Kind::boolean) out = json.truth();
    return json.kind() == Json::Kind::boolean;
}
inline bool get(const Json& json, Json& out) {
    out = json;
    return json.kind() == Json::Kind::object;
}
template <typename T>
bool get(const Json& json, T& out) {
    if (json.kind() == Json::Kind::object) out = T(json);
    return json.kind() == Json::Kind::object;
}
template <typename T>
bool get(const Json& json, std::vector<T>& out) {
    for (const Json& item : json.items()) {
        T value{};
        if (get(item, value)) out.push_back(std::move(value));
    }
    return true;
}
template <typename T>
void read(const Json& json, const char* name, T& out) {
    get(json[name], out);
}
template <typename T>
void read(const Json& json, const char* name, std::optional<T>& out) {
    T value{};
    if (get(json[name], value)) out = std::move(value);
}

template <typename T>
auto to_json(const T& value, int) -> decltype(value.json()) {
    return value.json();
}
template <typename T>
Json to_json(const T& value, long) {
    return Json(value);
}
template <typename T>
void write(Json& json, const char* name, const T& value) {
    json.set(name, to_json(value, 0));
}
template <typename T>
void write(Json& json, const char* name, const std::optional<T>& value) {
    if (value) write(json, name, *value);
}
template <typename T>
void write(Json& json, const char* name, const std::vector<T>& values) {
    if (!values.empty()) json.set(name, Json(values));
}

}  // namespace detail

// <messages> made from the protocol's types by a test of agents/sdk

/// The limits that the arena announces in `hello`.
struct Limits {
    /// Bytes in a line, newline included, in either direction.
    int line_bytes = 0;
    /// Lines one agent may send while one ask is open.
    int lines_per_ask = 0;
    /// Utterances in an action.
    int says = 0;
    /// Characters in an utterance.
    int say_chars = 0;
    /// Bytes of JSON in a note.
    int note_bytes = 0;
    /// Games in one process.
    int games = 0;

    Limits() = default;
    explicit Limits(const Json& json) {
        detail::read(json, "line_bytes", line_bytes);
        detail::read(json, "lines_per_ask", lines_per_ask);
        detail::read(json, "says", says);
        detail::read(json, "say_chars", say_chars);
        detail::read(json, "note_bytes", note_bytes);
        detail::read(json, "games", games);
    }
};

/// First line of every process.
struct Hello {
    /// The protocol that the arena speaks: `maumau/1`.
    std::string protocol;
    /// The version of the arena.
    std::string arena;
    /// Limits on what is sent: of the lines in either direction, and of what an agent may send.
    Limits limits;
    /// How answers are put in order. (lockstep, live)
    std::string clock;

    Hello() = default;
    explicit Hello(const Json& json) {
        detail::read(json, "protocol", protocol);
        detail::read(json, "arena", arena);
        detail::read(json, "limits", limits);
        detail::read(json, "clock", clock);
    }
};

/// The time a seat has.
struct TimeControl {
    /// Milliseconds for one answer.
    int move_ms = 0;
    /// Milliseconds a seat may overdraw in a whole game, beyond `move_ms` of each answer.
    int bank_ms = 0;
    /// Milliseconds that each answer in time adds to the bank.
    int increment_ms = 0;
    /// Milliseconds from the start of a process to its `ready`.
    int start_ms = 0;
    /// Live clock: milliseconds for words that are due (G-13).
    int grace_ms = 0;
    /// Live clock: milliseconds that others have to answer before the seat to move is heard (G-13).
    int reaction_ms = 0;
    /// Live clock: milliseconds after a last card (G-13).
    int closing_ms = 0;
    /// Live clock: milliseconds of a count of ten (G-13).
    int count_ms = 0;

    TimeControl() = default;
    explicit TimeControl(const Json& json) {
        detail::read(json, "move_ms", move_ms);
        detail::read(json, "bank_ms", bank_ms);
        detail::read(json, "increment_ms", increment_ms);
        detail::read(json, "start_ms", start_ms);
        detail::read(json, "grace_ms", grace_ms);
        detail::read(json, "reaction_ms", reaction_ms);
        detail::read(json, "closing_ms", closing_ms);
        detail::read(json, "count_ms", count_ms);
    }
};

/// A game begins.
struct Start {
    /// The game.
    std::string game;
    /// The agent's seat.
    int seat = 0;
    /// The names of all seats, in order; `seat-0`, `seat-1` and so on where the organiser hides them.
    std::vector<std::string> names;
    /// The name of the rule set.
    std::string rule_set;
    /// Rounds of the match.
    int rounds = 0;
    /// The time a seat has.
    TimeControl time;
    /// Conduct faults after which the agent is dismissed.
    int max_strikes = 0;
    /// The commitment to the game's seed, 64 hexadecimal digits (SPEC 8.10).
    std::string commitment;
    /// A seed for the agent's own use, 16 hexadecimal digits, the same whenever this game is played again.
    std::string seed;
    /// True if the organiser says that agents may know the run's seed, and so every card (SPEC 8.1).
    std::optional<bool> public_seed;
    /// The resolved rule set; only for an agent that wants `rules`, and if a line holds it.
    std::optional<Json> rules;

    Start() = default;
    explicit Start(const Json& json) {
        detail::read(json, "game", game);
        detail::read(json, "seat", seat);
        detail::read(json, "names", names);
        detail::read(json, "rule_set", rule_set);
        detail::read(json, "rounds", rounds);
        detail::read(json, "time", time);
        detail::read(json, "max_strikes", max_strikes);
        detail::read(json, "commitment", commitment);
        detail::read(json, "seed", seed);
        detail::read(json, "public_seed", public_seed);
        detail::read(json, "rules", rules);
    }
};

/// A suit, a rank or a seat that a card lets its player name.
struct Choice {
    /// A value.
    std::optional<std::string> rank;
    /// A seat.
    std::optional<int> seat;
    /// A suit.
    std::optional<std::string> suit;

    Choice() = default;
    explicit Choice(const Json& json) {
        detail::read(json, "rank", rank);
        detail::read(json, "seat", seat);
        detail::read(json, "suit", suit);
    }

    Json json() const {
        Json json = Json::object();
        detail::write(json, "rank", rank);
        detail::write(json, "seat", seat);
        detail::write(json, "suit", suit);
        return json;
    }
};

/// An event as one seat may see it.
struct Event {
    /// What it is.
    std::string event;
    /// The accused.
    std::optional<int> against;
    /// True if the words were said by themselves, and not with a card that is played, drawn or taken, a pass or a choice: words that are due with a card are said with it or after it (G-24, P-59).
    std::optional<bool> apart;
    /// The card for which it stands, if it stands for another (G-79).
    std::optional<std::string> as;
    /// At whom.
    std::optional<int> at;
    /// Whether it is the change back.
    std::optional<bool> back;
    /// The accuser.
    std::optional<int> by;
    /// The card.
    std::optional<std::string> card;
    /// The cards; absent for others.
    std::vector<std::string> cards;
    /// What was named with it.
    std::optional<Choice> choose;
    /// How many cards.
    std::optional<int> count;
    /// Who deals.
    std::optional<int> dealer;
    /// The direction of play. (cw, ccw)
    std::optional<std::string> direction;
    /// How it ended. (won, turn_cap, blocked)
    std::optional<std::string> end;
    /// For what.
    std::optional<std::string> fault;
    /// Towards what. (draw, play)
    std::optional<std::string> for_;
    /// From whose hand.
    std::optional<int> from;
    /// The cards left.
    std::vector<std::string> hand;
    /// The names of the rules, in alphabetical order.
    std::vector<std::string> offer;
    /// Whether they leave a run open for the next player (G-73).
    std::optional<bool> open;
    /// Whether the referee carried it out because it was overdue, which is a mistake of the seat that takes (N-106).
    std::optional<bool> overdue;
    /// Its place in the round, from 1.
    std::optional<int> place;
    /// Points of this round.
    std::optional<int> points;
    /// Why. (a word of SPEC's Reason)
    std::optional<std::string> reason;
    /// Counted from 1.
    std::optional<int> round;
    /// The name of the rule.
    std::optional<std::string> rule;
    /// Whether its owner may not look at it yet.
    std::optional<bool> sealed;
    /// Whose hand.
    std::optional<int> seat;
    /// Both seats.
    std::vector<int> seats;
    /// The card was played openly before it was refused: everybody saw it.
    std::optional<bool> shown;
    /// The suit.
    std::optional<std::string> suit;
    /// The words.
    std::optional<std::string> text;
    /// To whom.
    std::optional<int> to;
    /// Points of the match so far.
    std::optional<int> total;
    /// Whether it was upheld.
    std::optional<bool> upheld;
    /// Why.
    std::optional<std::string> why;
    /// The winners; nobody where the turn cap was reached.
    std::vector<int> winners;

    Event() = default;
    explicit Event(const Json& json) {
        detail::read(json, "event", event);
        detail::read(json, "against", against);
        detail::read(json, "apart", apart);
        detail::read(json, "as", as);
        detail::read(json, "at", at);
        detail::read(json, "back", back);
        detail::read(json, "by", by);
        detail::read(json, "card", card);
        detail::read(json, "cards", cards);
        detail::read(json, "choose", choose);
        detail::read(json, "count", count);
        detail::read(json, "dealer", dealer);
        detail::read(json, "direction", direction);
        detail::read(json, "end", end);
        detail::read(json, "fault", fault);
        detail::read(json, "for", for_);
        detail::read(json, "from", from);
        detail::read(json, "hand", hand);
        detail::read(json, "offer", offer);
        detail::read(json, "open", open);
        detail::read(json, "overdue", overdue);
        detail::read(json, "place", place);
        detail::read(json, "points", points);
        detail::read(json, "reason", reason);
        detail::read(json, "round", round);
        detail::read(json, "rule", rule);
        detail::read(json, "sealed", sealed);
        detail::read(json, "seat", seat);
        detail::read(json, "seats", seats);
        detail::read(json, "shown", shown);
        detail::read(json, "suit", suit);
        detail::read(json, "text", text);
        detail::read(json, "to", to);
        detail::read(json, "total", total);
        detail::read(json, "upheld", upheld);
        detail::read(json, "why", why);
        detail::read(json, "winners", winners);
    }
};

/// A verb and the words spoken with it.
struct Action {
    /// What it is. (a word of SPEC's Verb)
    std::string do_;
    /// The accused.
    std::optional<int> against;
    /// The card for which it stands.
    std::optional<std::string> as;
    /// The loud seat.
    std::optional<int> at;
    /// The card, which must be in the seat's hand.
    std::optional<std::string> card;
    /// The cards, which must be in the seat's hand, in the order in which they are played: the last one lies on top.
    std::vector<std::string> cards;
    /// What the card lets its player name.
    std::optional<Choice> choose;
    /// False leaves a run open for the next player, where the rules let it; a list of one card is then possible (G-73).
    std::optional<bool> close;
    /// The name of the fault; an unknown one is a call that is not upheld.
    std::optional<std::string> fault;
    /// Towards what. (draw, play)
    std::optional<std::string> for_;
    /// The hand to take from.
    std::optional<int> from;
    /// A value.
    std::optional<std::string> rank;
    /// The name of the rule in the menu, one of the offer.
    std::optional<std::string> rule;
    /// What is said with it, heard before its effects (G-11).
    std::vector<std::string> say;
    /// A suit.
    std::optional<std::string> suit;
    /// The words.
    std::optional<std::string> text;
    /// The receivers.
    std::vector<int> to;

    Action() = default;
    /// An action without further members, such as `draw`.
    explicit Action(const char* verb) : do_(verb) {}
    explicit Action(const Json& json) {
        detail::read(json, "do", do_);
        detail::read(json, "against", against);
        detail::read(json, "as", as);
        detail::read(json, "at", at);
        detail::read(json, "card", card);
        detail::read(json, "cards", cards);
        detail::read(json, "choose", choose);
        detail::read(json, "close", close);
        detail::read(json, "fault", fault);
        detail::read(json, "for", for_);
        detail::read(json, "from", from);
        detail::read(json, "rank", rank);
        detail::read(json, "rule", rule);
        detail::read(json, "say", say);
        detail::read(json, "suit", suit);
        detail::read(json, "text", text);
        detail::read(json, "to", to);
    }

    Json json() const {
        Json json = Json::object();
        detail::write(json, "do", do_);
        detail::write(json, "against", against);
        detail::write(json, "as", as);
        detail::write(json, "at", at);
        detail::write(json, "card", card);
        detail::write(json, "cards", cards);
        detail::write(json, "choose", choose);
        detail::write(json, "close", close);
        detail::write(json, "fault", fault);
        detail::write(json, "for", for_);
        detail::write(json, "from", from);
        detail::write(json, "rank", rank);
        detail::write(json, "rule", rule);
        detail::write(json, "say", say);
        detail::write(json, "suit", suit);
        detail::write(json, "text", text);
        detail::write(json, "to", to);
        return json;
    }
};

/// A choice of a rule to add.
struct RuleChoice {
    /// Who chooses.
    int by = 0;
    /// The names of the rules that can be chosen, in alphabetical order.
    std::vector<std::string> offer;

    RuleChoice() = default;
    explicit RuleChoice(const Json& json) {
        detail::read(json, "by", by);
        detail::read(json, "offer", offer);
    }
};

/// A card that either neighbour of its player may answer.
struct Race {
    /// Who played it.
    int by = 0;

    Race() = default;
    explicit Race(const Json& json) {
        detail::read(json, "by", by);
    }
};

/// A value or suit that the whole table has to serve.
struct Request {
    /// By whom.
    int by = 0;
    /// A value.
    std::optional<std::string> rank;
    /// A seat.
    std::optional<int> seat;
    /// A suit.
    std::optional<std::string> suit;

    Request() = default;
    explicit Request(const Json& json) {
        detail::read(json, "by", by);
        detail::read(json, "rank", rank);
        detail::read(json, "seat", seat);
        detail::read(json, "suit", suit);
    }
};

/// A run of a suit that the next player may go on with.
struct OpenRun {
    /// The suit of its cards.
    std::string suit;
    /// Who opened it, or played its last card.
    int by = 0;

    OpenRun() = default;
    explicit OpenRun(const Json& json) {
        detail::read(json, "suit", suit);
        detail::read(json, "by", by);
    }
};

/// An instruction to take a card from another hand.
struct TakeOrder {
    /// Who has to take it.
    int by = 0;
    /// From whose hand.
    int from = 0;

    TakeOrder() = default;
    explicit TakeOrder(const Json& json) {
        detail::read(json, "by", by);
        detail::read(json, "from", from);
    }
};

/// What stands between the seat to move and an ordinary play. Absent, 0 and `null` mean the same.
struct Pending {
    /// The seat that may play a further card.
    std::optional<int> again;
    /// Anything may be played.
    std::optional<bool> anything;
    /// The seat that may challenge the card which makes it owe cards.
    std::optional<int> challenge;
    /// The seat that must name a suit.
    std::optional<int> choose;
    /// A rule of the menu has to be added, before the next round (G-74).
    std::optional<RuleChoice> choose_rule;
    /// Whether a hand is empty and the round closes unless that changes.
    std::optional<bool> closing;
    /// Cards owed.
    std::optional<int> draw;
    /// The kind of the debt, as the rule set names it.
    std::optional<std::string> draw_kind;
    /// Cards that the seat to move has drawn in this turn.
    std::optional<int> drawn;
    /// The race of the neighbours of a joker's player.
    std::optional<Race> joker;
    /// The seat that has played a free card in its turn and still owes the turn.
    std::optional<int> owed_turn;
    /// The value or suit that the whole table has to serve.
    std::optional<Request> request;
    /// The run that is open, which the seat to move may go on with.
    std::optional<OpenRun> run;
    /// Cards that lie one on another and make the debt, where it is drawn one by one.
    std::optional<int> sevens;
    /// Players to be suspended, beginning with the seat to move.
    std::optional<int> skip;
    /// The seat that is skipped unless it answers.
    std::optional<int> skip_victim;
    /// The player of the next card owes the word for two identical cards.
    std::optional<bool> snap;
    /// The suit that must be served: wished, or the top card's own where a wish was possible and not made.
    std::optional<std::string> suit;
    /// A suit must be stated, by anybody, before a card has to be of it.
    std::optional<bool> suit_open;
    /// The oldest instruction to take a card.
    std::optional<TakeOrder> take;

    Pending() = default;
    explicit Pending(const Json& json) {
        detail::read(json, "again", again);
        detail::read(json, "anything", anything);
        detail::read(json, "challenge", challenge);
        detail::read(json, "choose", choose);
        detail::read(json, "choose_rule", choose_rule);
        detail::read(json, "closing", closing);
        detail::read(json, "draw", draw);
        detail::read(json, "draw_kind", draw_kind);
        detail::read(json, "drawn", drawn);
        detail::read(json, "joker", joker);
        detail::read(json, "owed_turn", owed_turn);
        detail::read(json, "request", request);
        detail::read(json, "run", run);
        detail::read(json, "sevens", sevens);
        detail::read(json, "skip", skip);
        detail::read(json, "skip_victim", skip_victim);
        detail::read(json, "snap", snap);
        detail::read(json, "suit", suit);
        detail::read(json, "suit_open", suit_open);
        detail::read(json, "take", take);
    }
};

/// Everything that a seat may know of the present position (G-08). Lists by seat are in seat order.
struct View {
    /// The seat's own cards, by suit (C, D, H, S) and in a suit from two to ace, jokers last.
    std::vector<std::string> hand;
    /// The direction of play. (cw, ccw)
    std::string direction;
    /// The number of cards in each hand.
    std::vector<int> hands;
    /// The number of cards in the draw pile.
    int draw_pile = 0;
    /// What the seat to move faces.
    Pending pending;
    /// The round, counted from 1.
    int round = 0;
    /// The rounds of the match.
    int rounds = 0;
    /// Who dealt.
    int dealer = 0;
    /// Points of each seat in the match so far.
    std::vector<int> points;
    /// Rounds won by each seat so far.
    std::vector<int> wins;
    /// Seats that hold one card and have said so.
    std::vector<int> mau_said;
    /// Seats that have not looked at their cards yet.
    std::vector<int> not_looked;
    /// Seats that are out of the round.
    std::vector<int> out;
    /// The seat whose point of order lasts.
    std::optional<int> point_of_order;
    /// The rules of the menu that hold, by name, in the order in which they were added.
    std::vector<std::string> rules;
    /// The number of sealed cards in each hand; absent where there are none.
    std::vector<int> sealed;
    /// The top card of the discard pile; absent where the pile is empty.
    std::optional<std::string> top;
    /// The seat to move; absent between rounds.
    std::optional<int> turn;
    /// The turns that each seat has still to miss; absent where no seat can lose several.
    std::vector<int> turns_lost;
    /// The card that counts, if it is not the top card: the one below cards that are as if they were not there, or the one for which the top card stands (G-79).
    std::optional<std::string> visible;

    View() = default;
    explicit View(const Json& json) {
        detail::read(json, "hand", hand);
        detail::read(json, "direction", direction);
        detail::read(json, "hands", hands);
        detail::read(json, "draw_pile", draw_pile);
        detail::read(json, "pending", pending);
        detail::read(json, "round", round);
        detail::read(json, "rounds", rounds);
        detail::read(json, "dealer", dealer);
        detail::read(json, "points", points);
        detail::read(json, "wins", wins);
        detail::read(json, "mau_said", mau_said);
        detail::read(json, "not_looked", not_looked);
        detail::read(json, "out", out);
        detail::read(json, "point_of_order", point_of_order);
        detail::read(json, "rules", rules);
        detail::read(json, "sealed", sealed);
        detail::read(json, "top", top);
        detail::read(json, "turn", turn);
        detail::read(json, "turns_lost", turns_lost);
        detail::read(json, "visible", visible);
    }
};

/// An answer is wanted.
struct Ask {
    /// The game.
    std::string game;
    /// The id to repeat in the answer.
    std::string id;
    /// The agent's seat.
    int seat = 0;
    /// What kind of answer. (turn, react, choose, deal)
    std::string what;
    /// Milliseconds until the deadline, counted from when the line was written.
    int time_ms = 0;
    /// The number of the last event so far.
    int as_of = 0;
    /// Events since the last line of this game; for an agent that wants `events`.
    std::vector<Event> events;
    /// The actions that would be accepted, each with the words that the rules want said with it; for an agent that wants `legal`. Never empty where it stands.
    std::vector<Action> legal;
    /// The position; for an agent that wants `view`.
    std::optional<View> view;

    Ask() = default;
    explicit Ask(const Json& json) {
        detail::read(json, "game", game);
        detail::read(json, "id", id);
        detail::read(json, "seat", seat);
        detail::read(json, "what", what);
        detail::read(json, "time_ms", time_ms);
        detail::read(json, "as_of", as_of);
        detail::read(json, "events", events);
        detail::read(json, "legal", legal);
        detail::read(json, "view", view);
    }
};

/// Something happened and nothing is asked.
struct Tell {
    /// The game.
    std::string game;
    /// What happened since the last line of this game.
    std::vector<Event> events;

    Tell() = default;
    explicit Tell(const Json& json) {
        detail::read(json, "game", game);
        detail::read(json, "events", events);
    }
};

/// A line or an action was wrong.
struct Fault {
    /// The name in the fault table.
    std::string fault;
    /// What was expected, what came, where.
    std::string message;
    /// The rule clause or SPEC clause.
    std::string clause;
    /// Penalty cards that it cost.
    int cards = 0;
    /// Conduct faults of this seat in this game so far.
    int strikes = 0;
    /// Whether the ask is still open, so that another answer may be sent before its deadline.
    bool open = false;
    /// The game it counts in; absent before the first game.
    std::optional<std::string> game;
    /// The ask that it belongs to, where one is open.
    std::optional<std::string> id;

    Fault() = default;
    explicit Fault(const Json& json) {
        detail::read(json, "fault", fault);
        detail::read(json, "message", message);
        detail::read(json, "clause", clause);
        detail::read(json, "cards", cards);
        detail::read(json, "strikes", strikes);
        detail::read(json, "open", open);
        detail::read(json, "game", game);
        detail::read(json, "id", id);
    }
};

/// The result of a match. Lists are in seat order.
struct GameResult {
    /// The place of each seat, 1 for the first; equal seats share the better place.
    std::vector<int> places;
    /// Points of each seat.
    std::vector<int> points;
    /// Rounds won by each seat.
    std::vector<int> wins;
    /// Rounds played.
    int rounds = 0;
    /// Seats that were dismissed.
    std::vector<int> dismissed;
    /// Rounds that no seat has won, if any: their places follow from the hands as they stood (G-23).
    std::optional<int> unwon;

    GameResult() = default;
    explicit GameResult(const Json& json) {
        detail::read(json, "places", places);
        detail::read(json, "points", points);
        detail::read(json, "wins", wins);
        detail::read(json, "rounds", rounds);
        detail::read(json, "dismissed", dismissed);
        detail::read(json, "unwon", unwon);
    }
};

/// A game is over.
struct Over {
    /// The game.
    std::string game;
    /// The result.
    GameResult result;
    /// What happened since the last line of this game.
    std::vector<Event> events;
    /// The game's seed, 64 hexadecimal digits; absent unless all other games of the deal were stored when this one began (SPEC 8.10).
    std::optional<std::string> seed;

    Over() = default;
    explicit Over(const Json& json) {
        detail::read(json, "game", game);
        detail::read(json, "result", result);
        detail::read(json, "events", events);
        detail::read(json, "seed", seed);
    }
};

/// The process is no longer needed and should end.
struct Bye {
    /// Why, in a sentence.
    std::string reason;

    Bye() = default;
    explicit Bye(const Json& json) {
        detail::read(json, "reason", reason);
    }
};

inline bool is_verb(const std::string& word) {
    static const std::set<std::string> verbs = {
        "play", "draw", "pass", "challenge", "say", "call", "choose", "take", "deal",
        "deal_penalties", "turn_up", "look", "reach", "glare", "point_of_order",
        "end_point_of_order", "count", "pick_up", "wait",
    };
    return verbs.count(word) > 0;
}
// </messages>

/// Points against a seat that is left with `card`: by the table of `rules`, or for null by that of skat.
inline int card_points(const std::string& card, const Json& rules = Json()) {
    static const std::map<char, int> points = {{'J', 20}, {'A', 11}, {'T', 10}, {'9', 9}, {'8', 8}, {'7', 7}, {'K', 3}, {'Q', 3}};
    if (rules.kind() == Json::Kind::object) {
        const auto& table = rules["scoring"]["points"];
        const auto& own = table[card];
        return static_cast<int>((own.kind() == Json::Kind::number ? own : table[card.substr(0, 1)]).number());
    }
    const auto found = points.find(card[0]);
    return found == points.end() ? 0 : found->second;
}

namespace detail {

/// A value, or that of the row for this number of seats.
inline const Json& for_seats(const Json& value, int seats) {
    for (const Json& row : value.items()) {
        const auto& bounds = row["seats"].items();
        if (bounds.size() == 2 && bounds[0].number() <= seats && seats <= bounds[1].number()) return row["is"];
    }
    return value;
}

/// The suits, the ranks and the other cards of a pack, in the order of a deck.
struct Pack {
    std::string suits, ranks;
    std::vector<std::string> others;
};

inline const Pack& pack_of(const std::string& name) {
    static const std::map<std::string, Pack> packs = {
        {"", {"CDHS", "23456789TJQKA", {}}},
        {"french", {"CDHS", "23456789TJQKA", {}}},
        {"colours", {"BGRY", "23456789NVP01", {"W0", "W4"}}},
        {"waterfall", {"BGRY", "M3456789NVPF1", {"W0", "WF", "WK"}}},
    };
    return packs.at(name);
}

/// Whether a list of values, suits and cards names `card`. The letters of a wild card stand for nothing by themselves.
inline bool among(const std::string& card, const Json& list) {
    const auto is_named = [&card](const std::string& name) {
        return name == card || (card[0] != 'W' && (name == card.substr(0, 1) || name == card.substr(1)));
    };
    std::istringstream words(list.text());
    for (std::string word; words >> word;) {
        if (is_named(word)) return true;
    }
    const auto& items = list.items();
    return std::any_of(items.begin(), items.end(), [&is_named](const Json& item) { return is_named(item.text()); });
}

}  // namespace detail

/// All cards of a table of so many seats, each as often as it is there. The rules are those of `start`.
inline std::vector<std::string> deck(const Json& rules, int seats) {
    const Json& cards = detail::for_seats(rules["deck"]["cards"], seats);
    const detail::Pack& parts = detail::pack_of(rules["deck"]["pack"].text());
    std::vector<std::string> whole;
    for (const char suit : parts.suits) {
        for (const char rank : parts.ranks) whole.push_back({rank, suit});
    }
    whole.insert(whole.end(), parts.others.begin(), parts.others.end());
    const auto& copies = rules["deck"]["copies"].items();
    std::vector<std::string> pack;
    for (const std::string& card : whole) {
        if (!detail::among(card, cards)) continue;
        const auto row = std::find_if(copies.begin(), copies.end(), [&card](const Json& one) { return detail::among(card, one["cards"]); });
        pack.insert(pack.end(), row == copies.end() ? 1 : static_cast<std::size_t>((*row)["is"].number()), card);
    }
    pack.insert(pack.end(), static_cast<std::size_t>(rules["deck"]["jokers"].number()), "XX");
    const Json& packs = detail::for_seats(rules["deck"]["packs"], seats);
    std::vector<std::string> all;
    for (int left = packs.kind() == Json::Kind::number ? static_cast<int>(packs.number()) : 1; left > 0; left--) {
        all.insert(all.end(), pack.begin(), pack.end());
    }
    return all;
}

/// The seat after `seat` in the direction of play, if nobody is skipped.
inline int next_seat(const View& view, int seat) {
    const int seats = static_cast<int>(view.hands.size());
    return (seat + (view.direction == "cw" ? 1 : seats - 1)) % seats;
}

/// The cards that may be played now, each once, in the order of `legal`.
inline std::vector<std::string> fits(const Ask& ask) {
    std::vector<std::string> cards;
    for (const Action& action : ask.legal) {
        if (action.do_ == "play" && std::find(cards.begin(), cards.end(), action.card) == cards.end()) {
            cards.push_back(*action.card);
        }
    }
    return cards;
}

/// Keeps count of the cards that a seat has not seen; for a bot that wants "events" and "rules".
class CardCounter {
public:
    /// For the rules of `start`.
    CardCounter(const Json& rules, int seats) : deck_(deck(rules, seats)) {}

    /// Takes the events of an ask, a tell or an over, in order.
    void see(const std::vector<Event>& events) {
        for (const Event& event : events) {
            if ((event.event == "turned_up" || event.event == "played") && event.card) played_.push_back(*event.card);
            if (event.event == "reshuffled" && !played_.empty()) played_ = {played_.back()};  // all but the top card
            if (event.event == "taken_back" && !played_.empty()) played_.pop_back();
            if (event.event == "round_started") played_.clear();
        }
    }

    /// The cards in other hands and in the draw pile, in the order of the deck, for a seat that holds `hand`.
    std::vector<std::string> unseen(const std::vector<std::string>& hand) const {
        std::multiset<std::string> known(played_.begin(), played_.end());
        known.insert(hand.begin(), hand.end());
        std::vector<std::string> left;
        for (const std::string& card : deck_) {
            const auto found = known.find(card);
            if (found == known.end()) left.push_back(card);
            else known.erase(found);
        }
        return left;
    }

private:
    std::vector<std::string> deck_, played_;
};

namespace detail {

inline std::string sha256(std::string data) {
    static const std::uint32_t constants[64] = {
        0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5, 0xd807aa98, 0x12835b01, 0x243185be,
        0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174, 0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa,
        0x5cb0a9dc, 0x76f988da, 0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967, 0x27b70a85,
        0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85, 0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3,
        0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070, 0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f,
        0x682e6ff3, 0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2};
    std::uint32_t state[8] = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
    const std::uint64_t bits = 8 * static_cast<std::uint64_t>(data.size());
    data += '\x80';
    while (data.size() % 64 != 56) data += '\0';
    for (int shift = 56; shift >= 0; shift -= 8) data += static_cast<char>(bits >> shift & 0xff);
    const auto turned = [](std::uint32_t word, int by) { return word >> by | word << (32 - by); };
    for (std::size_t block = 0; block < data.size(); block += 64) {
        std::uint32_t words[64];
        for (std::size_t i = 0; i < 64; i++) {
            if (i < 16) {
                words[i] = 0;
                for (std::size_t byte = 0; byte < 4; byte++) words[i] = words[i] << 8 | static_cast<unsigned char>(data[block + 4 * i + byte]);
            } else {
                const std::uint32_t a = words[i - 15], b = words[i - 2];
                words[i] = words[i - 16] + (turned(a, 7) ^ turned(a, 18) ^ a >> 3) + words[i - 7] + (turned(b, 17) ^ turned(b, 19) ^ b >> 10);
            }
        }
        std::uint32_t s[8];
        std::copy(state, state + 8, s);
        for (std::size_t i = 0; i < 64; i++) {
            const std::uint32_t one = s[7] + (turned(s[4], 6) ^ turned(s[4], 11) ^ turned(s[4], 25)) + ((s[4] & s[5]) ^ (~s[4] & s[6])) + constants[i] + words[i];
            const std::uint32_t two = (turned(s[0], 2) ^ turned(s[0], 13) ^ turned(s[0], 22)) + ((s[0] & s[1]) ^ (s[0] & s[2]) ^ (s[1] & s[2]));
            std::copy_backward(s, s + 7, s + 8);
            s[4] += one;
            s[0] = one + two;
        }
        for (int i = 0; i < 8; i++) state[i] += s[i];
    }
    std::string text;
    for (const std::uint32_t word : state) {
        char digits[9];
        std::snprintf(digits, sizeof digits, "%08x", static_cast<unsigned>(word));
        text += digits;
    }
    return text;
}

inline void complain(const std::string& sentence) { std::cerr << "maumau: " << sentence << std::endl; }

inline std::size_t chars(const std::string& text) {
    return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), [](char byte) { return (byte & 0xc0) != 0x80; }));
}

}  // namespace detail

/// What `start` must have published for a game whose seed is `seed` (64 hexadecimal digits).
inline std::string commitment(const std::string& game, const std::string& seed) {
    std::string data = std::string("maumau/1 commitment") + '\0' + game + '\0';
    for (std::size_t at = 0; at + 1 < seed.size(); at += 2) data += static_cast<char>(std::strtoul(seed.substr(at, 2).c_str(), nullptr, 16));
    return detail::sha256(data);
}

class Agent;

/// The player of one game. Derive from it and write `choose`; the other methods may stay as they are.
class Bot {
public:
    std::string game;                ///< The name of the game.
    int seat = 0;                    ///< Your seat; seats are counted clockwise from 0.
    std::vector<std::string> names;  ///< The names of all seats, in order.
    Json rules;                      ///< The resolved rule set, if `wants` includes "rules"; else null.
    std::optional<Ask> asked;        ///< The last ask of this game.
    /// Seeded by the arena: draw from it, and a game that is played again goes the same way.
    std::mt19937_64 random;

    virtual ~Bot() = default;

    /// The game begins. The members above are set.
    virtual void start(const Start&) {}

    /// The answer to `ask`: one of `ask.legal`, or an action made by hand like `Action("draw")`. `legal` holds the actions
    /// that this kit knows; those of a later version of the protocol are left out. A legal action says what the rules want
    /// said with it; one made by hand says what its `say` holds.
    virtual Action choose(const Ask& ask) = 0;

    /// Something happened while nothing is asked; only for a bot that wants "events".
    virtual void tell(const Tell&) {}

    /// Something was wrong. Where `fault.open`, an action returned here answers the same ask again. Unless overridden, it
    /// reports the fault on stderr and answers an open ask with its first legal action.
    virtual std::optional<Action> fault(const Fault& fault) {
        detail::complain(fault.fault + " in game " + game + ": " + fault.message + " (" + fault.clause + ")");
        if (fault.open && asked && asked->id == fault.id && !asked->legal.empty()) return asked->legal.front();
        return std::nullopt;
    }

    /// The game is over; this object is not used again.
    virtual void over(const Over&) {}

    /// Any element of a list, each as likely as the others.
    template <typename T>
    const T& pick(const std::vector<T>& list) {
        return list.at(std::uniform_int_distribution<std::size_t>(0, list.size() - 1)(random));
    }

    /// Puts any JSON value of at most 4 KiB into the game's record, such as your view of the position.
    void note(const Json& note);

private:
    friend class Agent;
    std::string* out_ = nullptr;
    std::string commitment_;
    std::string crash_;
};

/// How a bot introduces itself.
struct Options {
    std::string name;     ///< At most 64 characters.
    std::string version;  ///< At most 64 characters.
    /// What an ask should hold: "view", "legal", "events"; and "rules" for the rules.
    std::vector<std::string> wants = {"view", "legal"};
    bool ticks = false;  ///< Be asked at every opportunity to act, not only when there is a card to play.
    /// How many games this process plays at once. Their asks are answered one after another and each has its own deadline,
    /// so leave it at 1 if the bot thinks for long.
    int games = 1;
    /// The rule sets that the bot was made for; empty for all. A league with others is not begun.
    std::vector<std::string> plays_rules;
    std::vector<int> plays_seats;  ///< The sizes of the tables that it was made for; empty for all.
};

/// Makes the bot of a game.
using MakeBot = std::function<std::unique_ptr<Bot>()>;

/// The arena speaks another protocol.
struct Refusal : std::runtime_error {
    using std::runtime_error::runtime_error;
};

/// An ask with its answer.
struct Rehearsed {
    Ask ask;
    Action action;
};

/// A process's side of the protocol without its pipes: lines of the arena go in, lines for it come out.
class Agent {
public:
    bool done = false;  ///< Whether the arena has said `bye`.

    /// `make_bot` is called once for each game; throws std::invalid_argument for a mistake in the options.
    Agent(MakeBot make_bot, Options options) : make_bot_(std::move(make_bot)), options_(std::move(options)) {
        if (detail::chars(options_.name) > detail::max_name_chars || detail::chars(options_.version) > detail::max_name_chars) {
            throw std::invalid_argument("name and version have at most 64 characters");
        }
        for (const std::string& want : options_.wants) {
            if (want != "view" && want != "legal" && want != "events" && want != "rules") {
                throw std::invalid_argument("wants holds " + want + "; it is some of view, legal, events, rules");
            }
        }
        if (options_.games < 1) throw std::invalid_argument("games is " + std::to_string(options_.games) + "; at least 1");
    }

    Agent(const Agent&) = delete;
    Agent& operator=(const Agent&) = delete;

    /// Takes a line and returns the lines to send, which are there until the next line.
    const std::string& receive(const std::string& line) {
        out_.clear();
        try {
            handle(line);
        } catch (const Refusal&) {
            throw;
        } catch (const std::exception& error) {  // one game's misfortune must not end the others of this process
            detail::complain("could not deal with this line of the arena: " + line.substr(0, 200) + "\n" + error.what());
        }
        return out_;
    }

    /// See `maumau::rehearse`.
    std::vector<Rehearsed> rehearse(std::istream& lines) {
        is_rehearsal_ = true;
        std::vector<Rehearsed> answers;
        for (std::string line; std::getline(lines, line);) {
            out_.clear();
            handle(line);
            std::istringstream out(out_);
            for (std::string text; std::getline(out, text);) {
                const Json act = Json::read(text);
                if (act["type"].text() == "act") answers.push_back({Ask(Json::read(line)), Action(act)});
            }
        }
        return answers;
    }

private:
    MakeBot make_bot_;
    Options options_;
    std::map<std::string, std::unique_ptr<Bot>> bots_;
    std::string out_;
    bool is_rehearsal_ = false;

    /// In the place of a bot that could not be made: it fails at every ask, for that reason.
    struct Unmade : Bot {
        std::exception_ptr problem = std::current_exception();
        Action choose(const Ask&) override { std::rethrow_exception(problem); }
    };

    void handle(const std::string& line) {
        if (line.find_first_not_of(" \t\r\n") == std::string::npos) return;
        const Json message = Json::read(line);
        if (message.kind() != Json::Kind::object) throw std::invalid_argument("it is no object");
        const std::string& kind = message["type"].text();
        const auto found = bots_.find(message["game"].text());
        Bot* const bot = found == bots_.end() ? nullptr : found->second.get();
        if (bot == nullptr && (kind == "ask" || kind == "tell" || kind == "over")) {
            throw std::invalid_argument("no game " + message["game"].text() + " has been started");
        }
        if (kind == "ask") ask(*bot, message);
        else if (kind == "tell") call(*bot, "in tell", [&] { bot->tell(Tell(message)); });
        else if (kind == "fault") fault(bot, Fault(message));
        else if (kind == "start") start(Start(message));
        else if (kind == "over") over(*bot, Over(message));
        else if (kind == "hello") hello(message);
        else if (kind == "bye") done = true;
    }

    void hello(const Json& message) {
        const std::string& theirs = message["protocol"].text();
        if (theirs.substr(0, theirs.find('.')) != PROTOCOL) {
            throw Refusal(std::string("this agent speaks ") + PROTOCOL + " and the arena " + theirs + ": they cannot play together");
        }
        const Json& games = message["limits"]["games"];
        const int allowed = games.kind() == Json::Kind::number ? static_cast<int>(games.number()) : 1;
        Json::Members plays;
        if (!options_.plays_rules.empty()) plays.emplace_back("rules", options_.plays_rules);
        if (!options_.plays_seats.empty()) plays.emplace_back("seats", options_.plays_seats);
        Json::Members ready{{"type", "ready"}, {"protocol", PROTOCOL}, {"name", options_.name}, {"version", options_.version},
                            {"wants", options_.wants}, {"ticks", options_.ticks}, {"games", std::min(options_.games, allowed)}};
        if (!plays.empty()) ready.emplace_back("plays", Json::object(std::move(plays)));
        send(Json::object(std::move(ready)));
    }

    void start(const Start& start) {
        std::unique_ptr<Bot> made;
        try {
            made = make_bot_();
        } catch (...) {
            if (is_rehearsal_) throw;
            detail::complain("the bot of game " + start.game + " could not be made: " + sentence());
            made = std::make_unique<Unmade>();
        }
        Bot& bot = *made;
        bot.game = start.game;
        bot.seat = start.seat;
        bot.names = start.names;
        if (start.rules) bot.rules = *start.rules;
        bot.random.seed(std::strtoull(start.seed.c_str(), nullptr, 16));
        bot.out_ = &out_;
        bot.commitment_ = start.commitment;
        bots_[start.game] = std::move(made);
        call(bot, "in start", [&] { bot.start(start); });
    }

    void ask(Bot& bot, const Json& message) {
        Ask ask(message);
        const auto is_new = [](const Action& action) { return !is_verb(action.do_); };
        const bool has_legal = !ask.legal.empty();
        ask.legal.erase(std::remove_if(ask.legal.begin(), ask.legal.end(), is_new), ask.legal.end());
        bot.asked = ask;
        if (has_legal && ask.legal.empty()) {  // a later version wants something that no bot of this kit knows
            Json act = message["legal"].items().front();
            act.set("type", "act");
            act.set("game", ask.game);
            act.set("id", ask.id);
            return send(act);
        }
        std::optional<Action> action;
        if (has_legal) action = ask.legal.front();
        else if (ask.what == "turn") action = Action("draw");
        else if (ask.what == "react") action = Action("wait");
        call(bot, "at ask " + ask.id + (has_legal ? "; it plays the first legal action" : ""), [&] {
            Action chosen = bot.choose(ask);
            if (chosen.do_.empty()) throw std::invalid_argument("an Action without do_ is no action; one is like Action(\"draw\")");
            action = std::move(chosen);
        });
        if (action) act(bot, ask.id, *action);
    }

    /// Calls the author's code. If it fails, the author is told on stderr, and the arena with the next act.
    template <typename Code>
    void call(Bot& bot, const std::string& where, Code code) {
        if (is_rehearsal_) return code();
        try {
            code();
        } catch (...) {
            const std::string what = sentence();
            detail::complain("the bot failed " + where + " of game " + bot.game + ": " + what);
            if (bot.crash_.empty()) bot.crash_ = what;
        }
    }

    void fault(Bot* bot, const Fault& fault) {
        if (bot == nullptr) return detail::complain(fault.fault + ": " + fault.message + " (" + fault.clause + ")");
        call(*bot, "in fault", [&] {
            const std::optional<Action> action = bot->fault(fault);
            if (action && fault.open && fault.id) act(*bot, *fault.id, *action);
        });
    }

    void over(Bot& bot, const Over& over) {
        bot.out_ = nullptr;
        if (over.seed && commitment(over.game, *over.seed) != bot.commitment_) {
            detail::complain("the seed of game " + over.game + " is not the one that the arena was committed to");
        }
        call(bot, "in over", [&] { bot.over(over); });
        bots_.erase(over.game);
    }

    void act(Bot& bot, const std::string& id, const Action& action) {
        Json act = Json::object({{"type", "act"}, {"game", bot.game}, {"id", id}});
        const Json chosen = action.json();
        for (const auto& member : chosen.members()) act.set(member.first, member.second);
        if (!bot.crash_.empty()) act.set("crash", bot.crash_);
        bot.crash_.clear();
        send(act);
    }

    void send(const Json& message) { out_ += message.write() + '\n'; }

    /// What is being thrown, in one sentence of at most as many characters as the arena takes.
    static std::string sentence() {
        std::string text = "something that is no std::exception was thrown";
        try {
            throw;
        } catch (const std::exception& error) {
            text = name_of(typeid(error)) + ": " + error.what();
        } catch (const std::string& thrown) {
            text = thrown;
        } catch (const char* thrown) {
            text = thrown;
        } catch (...) {
        }
        while (detail::chars(text) > detail::max_crash_chars) text.pop_back();
        return text;
    }

    static std::string name_of(const std::type_info& type) {
#if defined(__GNUC__)
        int status = 0;
        const std::unique_ptr<char, void (*)(void*)> name(abi::__cxa_demangle(type.name(), nullptr, nullptr, &status), std::free);
        if (name) return name.get();
#endif
        return type.name();
    }
};

inline void Bot::note(const Json& note) {
    std::string line;
    try {
        line = Json::object({{"type", "note"}, {"game", game}, {"note", note}}).write();
    } catch (const std::invalid_argument& error) {
        return detail::complain(std::string("a note was dropped, for it is no JSON: ") + error.what());
    }
    if (line.size() > detail::max_note_bytes) {
        return detail::complain("a note of " + std::to_string(line.size()) + " bytes was dropped; at most 4096");
    }
    if (out_ != nullptr) *out_ += line + '\n';  // no game takes notes after its end
}

namespace detail {

#ifdef _WIN32
inline int copy_of_stdout() {
    std::fflush(stdout);
    const int arena = _dup(1);
    _dup2(2, 1);
    _setmode(arena, _O_BINARY);
    _setmode(0, _O_BINARY);
    return arena;
}
inline int read_some(char* to, std::size_t bytes) { return _read(0, to, static_cast<unsigned>(bytes)); }
inline int write_some(int to, const char* from, std::size_t bytes) { return _write(to, from, static_cast<unsigned>(bytes)); }
#else
inline int copy_of_stdout() {
    std::fflush(stdout);
    const int arena = dup(1);
    dup2(2, 1);
    return arena;
}
inline ssize_t read_some(char* to, std::size_t bytes) { return ::read(0, to, bytes); }
inline ssize_t write_some(int to, const char* from, std::size_t bytes) { return ::write(to, from, bytes); }
#endif

/// Writes and empties `out`; false if the arena has gone.
inline bool write_all(int arena, std::string& out) {
    for (std::size_t at = 0; at < out.size();) {
        const auto count = write_some(arena, out.data() + at, out.size() - at);
        if (count < 0 && errno != EINTR) return false;
        if (count > 0) at += static_cast<std::size_t>(count);
    }
    out.clear();
    return true;
}

}  // namespace detail

/// Plays until the arena says `bye` or goes away; returns the exit status. `make_bot` is called once for each game.
/// Standard output belongs to the arena: while this runs, whatever is printed goes to stderr.
inline int run(MakeBot make_bot, Options options = {}) {
    try {
        Agent agent(std::move(make_bot), std::move(options));
#ifndef _WIN32
        if (isatty(0)) detail::complain("this is a bot; it now waits for an arena to speak to it. See agents/README.md.");
#endif
        std::cout.flush();
        const int arena = detail::copy_of_stdout();
        std::vector<char> buffer(detail::read_bytes);
        std::string rest, out;
        while (!agent.done) {
            const auto count = detail::read_some(buffer.data(), buffer.size());
            if (count < 0 && errno == EINTR) continue;
            if (count <= 0) return 0;  // the arena has gone
            const auto came = std::chrono::steady_clock::now();
            rest.append(buffer.data(), static_cast<std::size_t>(count));
            std::size_t begin = 0;
            for (std::size_t end; !agent.done && (end = rest.find('\n', begin)) != std::string::npos; begin = end + 1) {
                out += agent.receive(rest.substr(begin, end - begin));
                const bool is_due = std::chrono::steady_clock::now() - came >= detail::patience;
                if (!out.empty() && is_due && !detail::write_all(arena, out)) return 0;
            }
            rest.erase(0, begin);
            if (!out.empty() && !detail::write_all(arena, out)) return 0;
        }
        return 0;
    } catch (const std::exception& error) {  // another protocol, or a mistake in the options
        detail::complain(error.what());
        return 2;
    }
}

/// Sends a bot recorded lines of the arena, without an arena: those that `maumau feed GAME --seat N --lines` prints. What the
/// bot throws goes through, so that a test or a debugger stops at its line.
inline std::vector<Rehearsed> rehearse(MakeBot make_bot, std::istream& lines) {
    return Agent(std::move(make_bot), Options()).rehearse(lines);
}

}  // namespace maumau

#endif
