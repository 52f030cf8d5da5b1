//! Rules that are each valid, but together make no sense. Mistakes in a single value are in the parent file.

use super::{check, check_whole, load_text, problems};

#[test]
fn rules_that_contradict_themselves_or_cannot_end() {
    check(
        "deck.packs = [{ seats = [5, 2], is = 2 }, {seats = [3, 4], is = 1}, {seats=[4,6], is = 1}]",
        &[],
        &[
            "my.toml:4:25: deck.packs.0.seats: expected the smaller number of seats first, found [5, 2]",
            "my.toml:4:76: deck.packs.2.seats: an earlier row is for some of 4 to 6 seats already",
        ],
    );
    check(
        "effects.new = { cards = \"Q\" }",
        &[],
        &["my.toml:4:9: effects.new: does nothing: add what its cards do, such as skip = {} or again = \"may\""],
    );
    check(
        "effects.new = { cards = \"\", reverse = true }",
        &[],
        &["my.toml:4:25: effects.new.cards: an effect needs at least one card; off = true switches it off"],
    );
    check(
        "effects.new = { cards = \"Q\", owe = { cards = 1, kind = \"Q\", answers = \"K\", then = \"turn_over\" }, again = \"may\" }",
        &[],
        &[
            "my.toml:4:71: effects.new.owe.answers: K cannot answer: no effect of theirs makes a debt of kind \"Q\"",
            "my.toml:4:106: effects.new.again: contradicts effects.new.owe on Q: a card has only one of again, owe, request and skip",
        ],
    );
    check(
        "effects.eight.skip.answers = \"7 8\"",
        &[],
        &["my.toml:4:30: effects.eight.skip.answers: 7 cannot answer: they skip nobody"],
    );
    check(
        "effects.new = { cards = \"8 9\", owe = { cards = 1, kind = \"x\", then = \"turn_over\" } }",
        &[],
        &[
            "my.toml:4:32: effects.new.owe: contradicts effects.again.again on 9: a card has only one of again, owe, request and skip",
            "my.toml:4:32: effects.new.owe: contradicts effects.eight.skip on 8: a card has only one of again, owe, request and skip",
        ],
    );
    check(
        "effects.new = { cards = \"7\", owe = { cards = 1, kind = \"x\", then = \"turn_over\" } }",
        &[],
        &["my.toml:4:30: effects.new.owe: contradicts effects.seven.owe on 7: they differ"],
    );
    check(
        "effects.all = { cards = \"2-A\", never_last = true }",
        &[],
        &[
            "my.toml:4:1: effects: no round can be won with 2, 3, 4, 5, 6, 7, 8, 9 or 10 seats: every card is never_last",
        ],
    );
    check(
        "duties.mau = { word = \"!\", if_missing = \"bars_last_card\" }",
        &[],
        &[
            "my.toml:4:23: duties.mau.word: cannot be said, and no round could be won without it: expected 1 to 200 characters",
        ],
    );
    check(
        "duties.mau = { word = \"Last Card!\", any_time = true }",
        &[],
        &[
            "my.toml:4:23: duties.mau.word: words are compared in small letters without punctuation (G-10): write \"last card\"",
            "my.toml:4:48: duties.mau.any_time: means something only with if_missing = \"bars_last_card\"",
        ],
    );
    check(
        "deal.cards = 20",
        &[],
        &[
            "my.toml:4:14: deal.cards: no table can be set up: 32 cards are too few to deal 20 to each of 2 seats and turn one up",
        ],
    );
    check("seats = { min = 8, max = 3 }", &[], &["my.toml:4:17: seats.min: 8 is more than seats.max, which is 3"]);
    check(
        "turn.draws = 3",
        &[],
        &["my.toml:4:14: turn.draws: only one card can be drawn where after_draw = \"over\" ends the turn"],
    );
    check(
        "deal.cards = [{ seats = [3, 4], is = 5 }]\nseats = { min = 5, max = 6 }",
        &[],
        &["my.toml:5:1: seats: no table can be set up: its deal is not defined for 5 seats"],
    );
    check(
        "effects.eight.skip.every_victim_may_answer = true",
        &[],
        &["my.toml:4:46: effects.eight.skip.every_victim_may_answer: nobody can answer: skip.answers names no cards"],
    );
    check(
        "effects.wish = { cards = \"J\", choose_suit = \"must\" }",
        &[],
        &["my.toml:4:45: effects.wish.choose_suit: contradicts effects.jack.choose_suit on J: they differ"],
    );
}

/// As [`check`], over another set.
fn check_over(base: &str, text: &str, set: &[&str], expected: &[&str]) {
    check_whole(&format!("format = 1\nname = \"my\"\nextends = \"{base}\"\n{text}"), set, expected);
}

#[test]
fn effects_that_contradict_one_another() {
    let deluxe = |text: &str, expected: &[&str]| check_over("deluxe", text, &[], expected);
    let snap = |text: &str, expected: &[&str]| check_over("snap", text, &[], expected);
    deluxe(
        "effects.jack.skip = {}\neffects.queen.again = \"may\"",
        &[
            "my.toml:4:14: effects.jack.skip: contradicts effects.jack.request on J: a card has only one of again, owe, request and skip",
            "my.toml:5:23: effects.queen.again: contradicts effects.queen.request on Q: a card has only one of again, owe, request and skip",
        ],
    );
    deluxe(
        "effects.new = { cards = \"Q\", reverse = true, choose_suit = \"may\" }",
        &[
            "my.toml:4:40: effects.new.reverse: contradicts effects.queen.request on Q: a card that makes a request does nothing else",
            "my.toml:4:60: effects.new.choose_suit: contradicts effects.queen.request on Q: a card that makes a request does nothing else",
        ],
    );
    deluxe(
        "effects.jack.swap_next = true",
        &[
            "my.toml:4:26: effects.jack.swap_next: contradicts effects.jack.request on J: a card that makes a request does nothing else",
        ],
    );
    deluxe(
        "effects.new = { cards = \"A\", again = \"may\" }",
        &["my.toml:4:38: effects.new.again: contradicts effects.ace.again on A: they differ"],
    );
    deluxe(
        "effects.new = { cards = \"J\", request = { names = \"suit\" } }",
        &["my.toml:4:30: effects.new.request: contradicts effects.jack.request on J: they differ"],
    );
    deluxe(
        "effects.new = { cards = \"J\", request = { names = \"colour\", unheld_costs = 30 } }",
        &[
            "my.toml:4:50: effects.new.request.names: expected \"rank\" or \"suit\", found \"colour\"",
            "my.toml:4:75: effects.new.request.unheld_costs: expected a whole number from 0 to 20, found 30",
        ],
    );
    deluxe(
        "effects.new = { cards = \"7 T\", last_costs = true }",
        &["my.toml:4:45: effects.new.last_costs: 7 may be the last card and wins: never_last is missing"],
    );
    deluxe(
        "effects.last_special.off = false\neffects.jack.request.unheld_costs = 0",
        &[
            "built-in deluxe.toml: effects.last_special.last_costs: J would cost nothing: effects.jack.request.unheld_costs is 0",
        ],
    );
    snap(
        "effects.five.choose_suit = \"may\"",
        &[
            "my.toml:4:28: effects.five.choose_suit: contradicts effects.five.transparent on 5: what counts is the card below",
        ],
    );
    snap(
        "effects.new = { cards = \"A\", take = \"from_next\" }",
        &["my.toml:4:37: effects.new.take: contradicts effects.ace.take on A: they differ"],
    );
    snap(
        "effects.eight.skip.answers = \"\"",
        &["built-in snap.toml: effects.eight.skip.threat: nobody can answer it: skip.answers names no cards"],
    );
    snap(
        "effects.eight.skip.every_victim_may_answer = true",
        &[
            "built-in snap.toml: effects.eight.skip.threat: contradicts skip.every_victim_may_answer: an answer never adds up, one is skipped",
        ],
    );
    snap(
        "effects.four = { cards = \"4\", skip = {} }\neffects.eight.skip.answers = \"4 8\"",
        &["my.toml:5:30: effects.eight.skip.answers: 4 cannot answer: skip.threat is not the same there"],
    );
    snap(
        "effects.all = { cards = \"2-A\", transparent = true }\neffects.jack.off = true",
        &["my.toml:4:1: effects: there is nothing to match: every card of the deck is transparent"],
    );
}

#[test]
fn sections_that_contradict_one_another() {
    let basic = |text: &str, expected: &[&str]| check_over("basic", text, &[], expected);
    let deluxe = |text: &str, expected: &[&str]| check_over("deluxe", text, &[], expected);
    let snap = |text: &str, expected: &[&str]| check_over("snap", text, &[], expected);
    snap(
        "calls.cards = 0",
        &[
            "my.toml:4:15: calls.cards: nobody would call what costs no card: it is the price of duties.mau.due, duties.mau_mau, duties.identical, effects.ace.take and effects.ten.take",
        ],
    );
    snap(
        "calls = { cards = 0, slow = \"seats\" }\nturn.musts_at_once = true\nduties.mau.due = \"next_turn\"\ndeal.by = \"dealer\"",
        &[
            "my.toml:4:19: calls.cards: nobody would call what costs no card: it is the price of duties.mau_mau, duties.identical, deal.by and turn.absent_limits",
        ],
    );
    snap(
        "calls = { cards = 0, notice = \"referee\", false_call = \"cards\" }",
        &["my.toml:4:55: calls.false_call: costs the cards of a mistake, and calls.cards is 0"],
    );
    snap(
        "prices = { illegal = \"stands\", misplay.ends_turn = true }\ncalls.notice = \"referee\"",
        &[
            "my.toml:4:22: prices.illegal: \"stands\" waits for a call, and with calls.notice = \"referee\" nobody needs to call",
            "my.toml:4:52: prices.misplay.ends_turn: contradicts prices.illegal = \"stands\": a card that is called goes back, and so does the turn",
        ],
    );
    check_over(
        "snap",
        "",
        &["strict=true", "illegal=stands"],
        &[
            "built-in snap.toml: prices.illegal: \"stands\" waits for a call, and with calls.notice = \"referee\" nobody needs to call",
        ],
    );
    basic(
        "prices = { sealed = true, misplay.cards = 0, slow_cards = 0 }\nduties.mau.cards = 0",
        &["my.toml:4:21: prices.sealed: there are no penalty cards to seal: nothing costs any"],
    );
    basic(
        "turn.absent_limits = 3\ncalls.slow = \"referee\"",
        &[
            "my.toml:4:22: turn.absent_limits: contradicts prices.slow_cards, which is 2: where the referee waits for several limits, slowness costs what calls.cards says (options.slow_cards.off = true, prices.slow_cards = 0)",
        ],
    );
    basic(
        "turn.absent_limits = 101\nscoring.chips = 10001\ncalls.cards = 21",
        &[
            "my.toml:4:22: turn.absent_limits: expected a whole number from 0 to 100, found 101",
            "my.toml:5:17: scoring.chips: expected a whole number from 0 to 10000, found 10001",
            "my.toml:6:15: calls.cards: expected a whole number from 0 to 20, found 21",
        ],
    );
    snap(
        "duties.mau = { if_missing = \"charged\", cards = 2, callable_until = \"next_but_one\" }",
        &[
            "built-in snap.toml: duties.mau.due: \"next_card\" needs if_missing = \"called\"; calls.notice = \"referee\" makes the referee notice it",
            "my.toml:4:48: duties.mau.cards: with due = \"next_card\" a missing word costs what calls.cards says",
            "my.toml:4:68: duties.mau.callable_until: with due = \"next_card\" it can be called until \"own_turn\"",
        ],
    );
    snap(
        "duties.mau.word = \"my mau mau\"\nduties.identical.word = \"Snap!\"",
        &[
            "built-in snap.toml: duties.mau_mau.word: who says \"my mau mau\" for one card left would say it too: choose another",
            "my.toml:5:25: duties.identical.word: words are compared in small letters without punctuation (G-10): write \"snap\"",
        ],
    );
    snap(
        "ending = { at = \"once\", free_card_wins_in_turn = true }",
        &[
            "built-in snap.toml: effects.ace.take: a hand that it empties wins only with ending.at = \"closing\"",
            "built-in snap.toml: effects.ten.take: a hand that it empties wins only with ending.at = \"closing\"",
            "built-in snap.toml: effects.king.free_on: a hand that it empties wins only with ending.at = \"closing\"",
            "built-in snap.toml: effects.queen.free_on: a hand that it empties wins only with ending.at = \"closing\"",
            "built-in snap.toml: duties.mau_mau: comes too late: without ending.at = \"closing\" the round is over with the last card",
            "my.toml:4:50: ending.free_card_wins_in_turn: means something only with at = \"closing\"",
        ],
    );
    snap(
        "ending.last_card_effects = \"draw_first\"\neffects.jack.last_multiplies = 2",
        &[
            "my.toml:4:28: ending.last_card_effects: contradicts at = \"closing\", which carries out every effect before hands are counted",
            "my.toml:5:32: effects.jack.last_multiplies: means something only with ending.at = \"once\": in the closing time no card is the last one",
        ],
    );
    snap(
        "effects.ace = { never_last = true, last_costs = true }",
        &[
            "my.toml:4:49: effects.ace.last_costs: means something only with ending.at = \"once\": in the closing time no card is the last one",
        ],
    );
    deluxe(
        "scoring.chips = 0\nending.at = \"closing\"\neffects.last_special.cards = \"\"",
        &[
            "my.toml:4:17: scoring.chips: decides = \"most_chips\" needs chips to play for",
            "my.toml:5:13: ending.at: \"closing\" can give several winners, and with decides = \"most_chips\" one is paid",
        ],
    );
    check_over(
        "skat",
        "scoring = { decides = \"most_chips\", chips = 40 }",
        &[],
        &[
            "my.toml:4:23: scoring.decides: \"most_chips\" counts cards, not points: effects.jack.last_multiplies means nothing",
        ],
    );
}

#[test]
fn what_looks_odd_but_makes_sense_is_accepted() {
    let check = |base: &str, text: &str, set: &[&str]| {
        if let Err(problems) = load_text(&format!("format = 1\nname = \"my\"\nextends = \"{base}\"\n{text}"), set) {
            panic!("{base} {text}: {problems}");
        }
    };
    check("deluxe", "effects.seven = { cards = \"7\", not_on = \"XX 2-6\" }", &[]);
    check("deluxe", "scoring.decides = \"rounds_won\"", &["tie=extra_round"]);
    check("skat", "", &["last_card_effects=draw_first"]);
    check("skat", "scoring.tie = \"extra_round\"", &[]);
    check("snap", "effects.five.transparent = false", &[]);
    check("snap", "turn.musts_at_once = true\ncalls = { cards = 0, notice = \"referee\" }", &[]);
    check("basic", "calls.cards = 1\nduties.identical.word = \"snap\"", &[]);
    check("basic", "ending.at = \"closing\"", &[]);
}

#[test]
fn lost_turns_that_do_not_add_up_exclude_what_counts_on_adding() {
    check(
        "effects.eight.skip.adds = false",
        &[],
        &["my.toml:4:27: effects.eight.skip.adds: there is nothing to pass on: skip.answers names no cards"],
    );
    check(
        "effects.eight.skip = { answers = \"8\", adds = false, every_victim_may_answer = true }",
        &[],
        &[
            "my.toml:4:46: effects.eight.skip.adds: contradicts skip.every_victim_may_answer: where nothing adds up there is one victim",
        ],
    );
    check(
        "effects.eight.skip = { answers = \"8\", adds = false, threat = true }",
        &[],
        &["my.toml:4:46: effects.eight.skip.adds: contradicts skip.threat, under which nothing adds up anyway"],
    );
    check(
        "effects.eight.skip = { answers = \"8 Q\", adds = false }\neffects.new = { cards = \"Q\", skip = { answers = \"Q\" } }",
        &[],
        &["my.toml:4:34: effects.eight.skip.answers: Q cannot answer: skip.adds is not the same there"],
    );
}

#[test]
fn a_list_is_not_read_as_the_members_of_a_table() {
    check("ending = [\"die\"]", &[], &["my.toml:4:10: ending: expected a table, found a list"]);
    check(
        "effects.seven.owe = [2, \"7\", \"7\", \"turn_over\"]",
        &[],
        &["my.toml:4:21: effects.seven.owe: expected a table, found a list"],
    );
    check("deal.cards = [[[2, 10], 5]]", &[], &["my.toml:4:15: deal.cards.0: expected a table, found a list"]);
}

#[test]
fn answers_that_contradict() {
    let owe =
        |more: &str| format!("[effects.seven]\nowe = {{ cards = 2, kind = \"7\", {more}, then = \"turn_over\" }}");
    for (more, problem) in [
        ("answers = \"7\", cancels = \"7 8\"", "cancels: contradicts owe.answers: 7 can answer in one way only"),
        (
            "resume = \"after_debtor\"",
            "resume: means something only with owe.then = \"turn_over\" and owe.on other than \"next\"",
        ),
        ("answers = \"\", rescue = true", "rescue: no card can save: none answers the debt"),
        ("cards = 1, rescue = true", "rescue: contradicts owe.cards = 1: after the first card nothing is left to draw"),
        (
            "cancels = { cards = \"8\", match = \"rank\" }",
            "cancels.match: expected \"none\", \"fit\" or \"suit\", found \"rank\"",
        ),
        (
            "cancels = 8",
            "cancels: expected cards, as a text like \"7 8 KH\", or a table like { cards = \"8\", match = \"suit\" }, found 8",
        ),
    ] {
        let found = problems(&owe(more).replacen("cards = 2, ", "", usize::from(more.starts_with("cards"))));
        assert!(found.len() == 1 && found[0].ends_with(problem), "{more}: {found:#?}");
    }
}

#[test]
fn lost_turns_and_requests_that_contradict() {
    for (text, problem) in [
        ("effects.eight.skip = { of = \"turns\" }", "no turns add up: skip.answers names no cards"),
        (
            "effects.eight.skip = { answers = \"8\", adds = false, of = \"turns\" }",
            "contradicts skip.adds = false: no turns add up",
        ),
        (
            "effects.eight.skip = { answers = \"8\", every_victim_may_answer = true, of = \"turns\" }",
            "contradicts skip.every_victim_may_answer: there is one victim",
        ),
        (
            "effects.x = { cards = \"Q\", request = { names = \"suit\", of = \"8\" } }",
            "means something only with request.names = \"rank\"",
        ),
        (
            "effects.x = { cards = \"Q\", request = { names = \"rank\", of = \"8S\" } }",
            "expected whole values, as in \"5-T\"",
        ),
        (
            "effects.x = { cards = \"Q\", open_to_all = true, choose_suit = \"must\" }",
            "the next card must be of the suit that is named",
        ),
    ] {
        let found = problems(text);
        assert!(found.len() == 1 && found[0].ends_with(problem), "{text}: {found:#?}");
    }
}

#[test]
fn plays_of_several_cards_that_contradict() {
    for (text, problem) in [
        ("together.x = {}", "together.x.cards: expected at least one card; off = true switches it off"),
        ("together.x.cards = \"7 XX\"", "together.x.cards: XX has no value that a card could follow"),
        (
            "together.x = { cards = \"7\", step = [] }",
            "together.x.step: expected \"rank\", \"run\", \"suit\" or a list of them",
        ),
        ("together.x = { cards = \"7\", wraps = true }", "together.x.wraps: means something only with step = \"run\""),
        (
            "together.x = { cards = \"7\", sizes = [1] }",
            "together.x.sizes.0: expected a whole number from 2 to 64, found 1",
        ),
        (
            "together.x = { cards = \"7\", step = \"suit\" }",
            "together.x.opened_by: step = \"suit\" needs cards that open a run",
        ),
        (
            "together.x = { cards = \"7\", opened_by = \"7\" }",
            "together.x.opened_by: means something only with step = \"suit\"",
        ),
        (
            "together.x = { cards = \"7\", opened_by = \"7\", step = [\"suit\", \"rank\"] }",
            "together.x.step: \"suit\" stands alone: write a way of its own for other steps",
        ),
        (
            "together.x = { cards = \"7\", opened_by = \"7 8\", step = \"suit\" }",
            "together.x.opened_by: 8 cannot be part of the play: together.x.cards lacks it",
        ),
        (
            "together.x = { cards = \"7\", opened_by = \"7\", ended_by = \"9S XX\", step = \"suit\" }",
            "together.x.ended_by: 9S has a suit; only cards without one end any run",
        ),
        ("together.x = { cards = \"7\", open = true }", "together.x.open: means something only with opened_by"),
        (
            "together.x.cards = \"7\"\neffects.x = { cards = \"7S\", out_of_turn = true }",
            "together.x.cards: contradicts effects.x.out_of_turn on 7S: such a card is played alone",
        ),
        (
            "together.x.cards = \"7\"\nending.last_card_effects = \"draw_first\"",
            "together.x: contradicts ending.last_card_effects = \"draw_first\", which is about cards played one by one",
        ),
    ] {
        let found = problems(text);
        assert!(found.len() == 1 && found[0].ends_with(problem), "{text}: {found:#?}");
    }
}

#[test]
fn keys_of_the_first_card_need_a_first_card_that_acts() {
    check(
        "deal = { first_card = \"effect\", first_effects = \"J\" }",
        &[],
        &[
            "my.toml:4:49: deal.first_effects: says nothing beside deal.first_card = \"effect\", with which every first card has its effect",
        ],
    );
    check(
        "deal = { first_effects = \"7\", first_names = \"first_player\" }",
        &[],
        &[
            "my.toml:4:45: deal.first_names: there is nothing to name: no card that deal.first_card or deal.first_effects lets act has choose_suit",
        ],
    );
    check_over(
        "deluxe",
        "deal = { first_card = \"effect\", first_names = \"first_player\" }",
        &[],
        &[
            "my.toml:4:47: deal.first_names: \"first_player\" names suits only, and some first card makes a request (request)",
        ],
    );
    check(
        "deal.first_reverse = \"dealer\"",
        &[],
        &[
            "my.toml:4:22: deal.first_reverse: means nothing: no card that deal.first_card or deal.first_effects lets act has reverse",
        ],
    );
}

#[test]
fn a_count_of_each_seat_is_reached_and_decides_and_judges_the_seat_to_move() {
    let counts = "count = { start = 8, on_win = -1, match_at = 0 }\nscoring.decides = \"count\"\n";
    for (text, problem) in [
        ("deal.cards = \"count\"", "deal.cards: \"count\" needs a count of each seat: write [count]"),
        ("effects.seven.cards = \"count\"", "effects.seven.cards: \"count\" needs a count of each seat: write [count]"),
        ("scoring.decides = \"count\"", "scoring.decides: \"count\" needs a count of each seat: write [count]"),
        (
            "count = { start = 8, on_win = -3, match_at = 0 }\nscoring.decides = \"count\"",
            "count.match_at: count.on_win = -3 never leads from 8 to 0",
        ),
        (
            "count = { start = 8, on_win = 1, match_at = 14 }",
            "count: means something only with scoring.decides = \"count\"",
        ),
        (
            "count = { start = 14, on_win = -1, match_at = 0 }",
            "count.start: expected a whole number from 1 to 13, found 14",
        ),
        (&format!("{counts}scoring.target = 5"), "scoring.target: contradicts count.match_at, which ends the match"),
        (
            &format!("{counts}deal.cards = \"count\"\ndeal.first_card = \"effect\""),
            "count: contradicts deal.first_card = \"effect\": cards are judged by the count of the seat to move",
        ),
        (
            &format!("{counts}effects.x = {{ cards = \"count\", open_to_all = true }}"),
            "effects.x.open_to_all: contradicts effects.x.cards: once played, a card of a count is like any other",
        ),
        (
            &format!(
                "{counts}effects.x = {{ cards = \"count\", reverse = true }}\neffects.y = {{ cards = \"9\", out_of_turn = true }}"
            ),
            "effects.y.out_of_turn: contradicts count: cards are judged by the count of the seat to move",
        ),
        (
            &format!("{counts}effects.x = {{ cards = \"count\", again = \"may\" }}"),
            "contradicts effects.eight.skip on 8: a card has only one of again, owe, request and skip",
        ),
    ] {
        let found = problems(text);
        assert!(found.iter().any(|found| found.ends_with(problem)), "{text}: {found:#?}");
    }
}

#[test]
fn a_chosen_player_is_chosen_with_a_play_and_nothing_else_is_named_with_it() {
    let swap = "effects.x = { cards = \"Q J\", hands = \"swap_chosen\" }";
    for (text, problem) in [
        (
            swap.to_owned(),
            "effects.x: contradicts effects.jack.choose_suit on J: with a chosen player nothing else is named",
        ),
        (
            format!("{}\ndeal.first_card = \"effect\"", swap.replace(" J", "")),
            "effects.x: contradicts deal.first_card or deal.first_effects: nobody chooses for a first card, so write deal.not_first",
        ),
    ] {
        let found = problems(&text);
        assert!(found.len() == 1 && found[0].ends_with(problem), "{text}: {found:#?}");
    }
}

#[test]
fn cards_that_bring_back_ask_for_a_suit_or_deal_a_new_hand_need_a_round_that_has_such() {
    for (text, problem) in [
        (
            "effects.x = { cards = \"7\", brings_back = true }",
            "effects.x.brings_back: means something only with ending.goes_on = \"places\": nobody is out otherwise",
        ),
        (
            "ending.goes_on = \"places\"\neffects.x = { cards = \"9\", brings_back = true }",
            "effects.x.brings_back: the player who comes back draws what the card owes, and 9 makes no debt",
        ),
        (
            "effects.seven.owe = { on = \"previous\", drawer_names = true }",
            "effects.seven.owe.drawer_names: means something only with owe.on = \"next\"",
        ),
        (
            "effects.seven.owe.drawer_names = true\neffects.x = { cards = \"7\", choose_suit = \"may\" }",
            "effects.seven.owe.drawer_names: contradicts effects.x.choose_suit on 7: the next card is of the suit that is named",
        ),
        (
            "effects.x = { cards = \"J\", followed_by = \"9\" }",
            "effects.x.followed_by: contradicts effects.jack.choose_suit on J: the next card must be of the suit that is named",
        ),
        (
            "count = { start = 8, on_win = -1, match_at = 0, redeal = false }\nscoring.decides = \"count\"\nending.goes_on = \"places\"",
            "count.redeal: contradicts ending.goes_on = \"places\": with redeal = false the hand is dealt again at once",
        ),
    ] {
        let found = problems(text);
        assert!(found.iter().any(|found| found.ends_with(problem)), "{text}: {found:#?}");
    }
}

#[test]
fn only_a_french_pack_has_other_faces_and_their_suits_are_not_said() {
    check_whole(
        "format = 1\nname = \"my\"\nextends = \"colours\"\ndeck.faces = \"swiss\"",
        &[],
        &["my.toml:4:14: deck.faces: only a French pack has other faces: deck.pack is \"colours\""],
    );
    check_whole(
        "format = 1\nname = \"my\"\nextends = \"spam\"",
        &["deck.faces=german"],
        &["built-in spam.toml: effects.jack.choose_suit: \"spoken\" knows the words for French suits only"],
    );
}
