// The program of the bot, whose thoughts are in bot.hpp.

#include "bot.hpp"

int main() {
    maumau::Options options;
    options.name = "my-bot";
    options.games = 64;
    return maumau::run([] { return std::make_unique<MyBot>(); }, options);
}
