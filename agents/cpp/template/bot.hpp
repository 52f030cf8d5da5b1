// my-bot: a bot for the Mau-Mau arena. README.md has the commands.

#ifndef MY_BOT_HPP
#define MY_BOT_HPP

#include "maumau.hpp"

struct MyBot : maumau::Bot {
    maumau::Action choose(const maumau::Ask& ask) override {
        // Think here. Each entry of ask.legal is a whole answer; ask.view is the position.
        const maumau::Action* best = &ask.legal.front();
        int dearest = -1;
        for (const maumau::Action& action : ask.legal) {
            if (action.do_ == "play" && maumau::card_points(*action.card) > dearest) {  // the dearest card first
                best = &action;
                dearest = maumau::card_points(*action.card);
            }
        }
        return *best;
    }
};

#endif
