//! Scores and last cards that contradict one another.

use super::check;

#[test]
fn a_target_that_nobody_reaches_or_that_everybody_has_is_refused() {
    check(
        "scoring = { decides = \"fewest_points\", target = 100 }",
        &[],
        &["my.toml:4:49: scoring.target: nobody would reach it: scoring.points names no card that counts"],
    );
    check(
        "scoring = { decides = \"most_chips\", chips = 20, target = 20 }",
        &[],
        &["my.toml:4:58: scoring.target: everybody has reached it before the first round: scoring.chips is 20"],
    );
    check(
        "scoring.target = [{ seats = [2, 4], is = 3 }, { seats = [4, 6], is = 5 }]",
        &[],
        &["my.toml:4:57: scoring.target.1.seats: an earlier row is for some of 4 to 6 seats already"],
    );
}

#[test]
fn what_winners_collect_has_one_collector_and_something_to_collect() {
    check(
        "scoring = { decides = \"most_points\" }",
        &[],
        &["my.toml:4:23: scoring.decides: \"most_points\" counts what winners collect: write scoring.collects = true"],
    );
    check(
        "scoring = { collects = true }",
        &[],
        &["my.toml:4:24: scoring.collects: means something only with decides = \"most_points\""],
    );
    check(
        "scoring = { decides = \"most_points\", collects = true }",
        &[],
        &["my.toml:4:49: scoring.collects: there is nothing to collect: scoring.points names no card that counts"],
    );
    check(
        "ending.at = \"closing\"\nscoring = { decides = \"most_points\", collects = true, points = { K = 4 } }",
        &[],
        &["my.toml:4:13: ending.at: \"closing\" can give several winners, and with scoring.collects one collects"],
    );
    check(
        "ending.blocked = \"lowest\"",
        &[],
        &[
            "my.toml:4:18: ending.blocked: means something only with ending.blocked_after: no round is blocked without it",
        ],
    );
    check(
        "ending = { blocked_after = 0, blocked = \"lowest\" }\nscoring = { decides = \"most_chips\", chips = 20 }",
        &[],
        &[
            "my.toml:4:41: ending.blocked: \"lowest\" can give several winners, and with scoring.decides = \"most_chips\" one is paid",
        ],
    );
    check(
        "scoring = { rounds = 0, target = [{ seats = [2, 2], is = 3 }, { seats = [3, 10], is = 0 }] }",
        &[],
        &["my.toml:4:22: scoring.rounds: 0 lets scoring.target end the match, and some table has no target"],
    );
}

#[test]
fn words_and_prices_of_last_cards_that_mean_nothing_are_refused() {
    check(
        "duties.mau = { false_costs = 2, before_last_of_chain = true }",
        &[],
        &[
            "my.toml:4:30: duties.mau.false_costs: contradicts duties.mau.before_last_of_chain, which asks for the word before there is one card",
        ],
    );
    check(
        "duties.mau = { false_costs = 2, due = \"next_card\", if_missing = \"called\", cards = 0 }\ncalls.cards = 1",
        &["mau=called"],
        &["my.toml:4:30: duties.mau.false_costs: means something only with duties.mau.due = \"next_turn\""],
    );
    check(
        "duties.mau.callable_until = \"next_action\"",
        &[],
        &["my.toml:4:29: duties.mau.callable_until: \"next_action\" means something only with if_missing = \"called\""],
    );
    check(
        "duties.last = { word = \"out\", cards = 2 }\nending.at = \"closing\"",
        &[],
        &[
            "my.toml:4:8: duties.last: means something only with ending.at = \"once\": in the closing time write duties.mau_mau",
        ],
    );
    check(
        "duties.last = { word = \"out\", cards = 2 }\nprices.sealed = true",
        &[],
        &[
            "my.toml:4:8: duties.last: contradicts prices.sealed: its cards bring a player back, who cannot play sealed ones",
        ],
    );
    check(
        "duties.last = { word = \"out\", cards = 0 }",
        &[],
        &["my.toml:4:39: duties.last.cards: expected a whole number from 1 to 20, found 0"],
    );
    check(
        "effects.jack = { never_last = true, last_costs = 0 }",
        &[],
        &["my.toml:4:50: effects.jack.last_costs: expected a whole number from 1 to 20, found 0"],
    );
    check(
        "effects.jack = { never_last = true, last_costs = 2 }\neffects.new = { cards = \"J\", never_last = true, last_costs = 3 }",
        &[],
        &["my.toml:5:62: effects.new.last_costs: effects.jack.last_costs is another price of the same card"],
    );
}
