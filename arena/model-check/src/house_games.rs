//! Random games by house rules that join what no built-in set joins, and by the further games of the family, held to the
//! same laws. What such rules say is tested by scenarios.

use std::sync::Arc;

use maumau_engine::ChoiceStream;
use maumau_engine::rules::{BuiltIn, NoRuleText, RuleFiles, RuleText, family, load};

use super::{play, tables};

/// The built-in sets, and one file of house rules.
struct House(String);

impl RuleFiles for House {
    fn text(&self, name: &str, from: Option<&str>) -> Result<RuleText, NoRuleText> {
        match name {
            "house" => Ok(RuleText { file: "house".to_owned(), text: self.0.clone() }),
            _ => BuiltIn.text(name, from),
        }
    }
}

/// Plays random games by house rules that add `rules` to the set `extends`.
fn check(extends: &str, rules: &str) {
    let house = House(format!("format = 1\nname = \"house\"\nextends = \"{extends}\"\nturn.cap = 80\n{rules}"));
    let set = load(&house, "house", &[]).unwrap_or_else(|problems| panic!("{rules}: {problems}")).set;
    let set = Arc::new(set);
    let mut legal = 0;
    for number in 0..60 {
        let mut dice = ChoiceStream::new(&[number]);
        let table = tables::random_table(&set, &mut dice);
        match play(&table, &mut dice) {
            Ok(played) => legal += played.legal,
            Err(breach) => panic!("{rules}: game {number} at a table of {}: {breach}", table.seats()),
        }
    }
    assert!(legal > 200, "{rules}: {legal} positions");
}

/// Cards that serve a request were listed without a suit and refused without one (D-48).
#[test]
fn games_in_which_cards_that_name_a_suit_serve_requests_are_lawful() {
    for how in ["may", "must", "new", "spoken"] {
        check("deluxe", &format!("[effects.nine]\ncards = \"8 9\"\nchoose_suit = \"{how}\""));
    }
}

/// Every way to answer a debt, together with what moves the direction and the turn (G-30 to G-34).
#[test]
fn games_in_which_debts_are_passed_on_sent_back_cancelled_and_saved_from_are_lawful() {
    let ways = "answers = \"7\", passes = { cards = \"9\", match = \"suit\" }, returns = { cards = \"T\", match = \"fit\" }, \
                cancels = \"8\"";
    for more in
        ["", "on = \"previous\", ", "on = \"previous\", resume = \"after_debtor\", rescue = true, ", "rescue = true, "]
    {
        check(
            "basic",
            &format!("[effects.seven]\nowe = {{ cards = 2, kind = \"seven\", {ways}, {more}then = \"turn_over\" }}"),
        );
    }
    check(
        "skat",
        &format!(
            "[effects.four]\ncards = \"4\"\nowe = {{ cards = 3, kind = \"4\", {}, then = \"turn_stays\" }}",
            ways.replace('7', "4")
        ),
    );
}

/// Cards that are drawn at once, cards that are open to all, turns that one seat loses (G-35 to G-37).
#[test]
fn games_in_which_others_draw_at_once_and_one_seat_loses_several_turns_are_lawful() {
    for who in ["others", "previous", "next", "self"] {
        check(
            "basic",
            &format!("[effects.queen]\ncards = \"Q\"\ndraw = {{ cards = 2, who = \"{who}\" }}\nopen_to_all = true"),
        );
    }
    check("crazy-eights", "[effects.four]\ncards = \"4\"\nskip = { answers = \"4\", of = \"turns\" }");
    check("deluxe", "[effects.nine]\ncards = \"9\"\nskip = { answers = \"9\", of = \"turns\" }");
}

/// Further cards of the suit, of any kind, or drawn for; requests of few values that may be declined (G-38, G-39).
#[test]
fn games_with_further_cards_of_a_suit_and_requests_that_may_be_declined_are_lawful() {
    for fits in ["card", "suit", "anything"] {
        for draws in ["one", "until_fits"] {
            for must in [true, false] {
                check(
                    "basic",
                    &format!(
                        "[effects.queen]\ncards = \"Q\"\nagain = {{ must = {must}, fits = \"{fits}\", draws = \"{draws}\" }}"
                    ),
                );
            }
        }
    }
    check(
        "basic",
        "[effects.queen]\ncards = \"Q\"\n\
         request = { names = \"rank\", of = \"8-T\", may_decline = true, ends = \"lap\", revocable = \"always\" }",
    );
}

/// Several cards in one play, with effects that add up, under debts and requests (G-40 to G-42).
#[test]
fn games_in_which_several_cards_are_played_at_once_are_lawful() {
    for (step, counts) in [("\"rank\"", "all"), ("[\"rank\", \"run\"]", "last_rank"), ("\"run\"", "last")] {
        let way = format!(
            "[together.x]\ncards = \"2-A\"\nstep = {step}\ncounts = \"{counts}\"\nwraps = {}\n",
            step.contains("run")
        );
        check("basic", &way);
        check("crazy-eights", &format!("{way}sizes = [2, 4]"));
        check(
            "basic",
            &format!(
                "{way}[effects.eight]\nskip = {{ answers = \"8\" }}\n[effects.ten]\ncards = \"T\"\nreverse = true\n\
                 [effects.seven]\nowe = {{ cards = 2, kind = \"7\", answers = \"7\", cancels = \"8\", on = \"previous\", then = \"turn_over\" }}\n\
                 [effects.queen]\ncards = \"Q\"\nrequest = {{ names = \"rank\", may_decline = true, ends = \"lap\" }}"
            ),
        );
    }
}

/// Runs of a suit that stay open, with cards that end them and all that acts as the last card of one (G-73).
#[test]
fn games_in_which_runs_of_a_suit_stay_open_are_lawful() {
    for (counts, open) in [("last", true), ("all", true), ("last_rank", false)] {
        let way = format!(
            "deck.jokers = 2\n[effects.joker]\ncards = \"XX\"\nany_time = true\nchoose_suit = \"must\"\n[together.x]\n\
             cards = \"2-A\"\nopened_by = \"Q T\"\nended_by = \"XX\"\nstep = \"suit\"\ncounts = \"{counts}\"\nopen = {open}\n"
        );
        check("crazy-eights", &way);
        check(
            "crazy-eights",
            &format!(
                "{way}[effects.nine]\ncards = \"9\"\nskip = {{ answers = \"9\" }}\n[effects.five]\ncards = \"5\"\nreverse = true\n\
                 [effects.seven]\ncards = \"7\"\nowe = {{ cards = 2, kind = \"7\", answers = \"7\", cancels = \"6\", then = \"turn_over\" }}\n\
                 [effects.six]\ncards = \"6\"\nagain = {{ must = false, fits = \"anything\" }}\nopen_to_all = true"
            ),
        );
    }
}

/// Seats that are out are stepped over, whatever moves the turn (G-43).
#[test]
fn games_in_which_the_others_play_on_for_places_are_lawful() {
    let more = "[effects.seven]\nowe = { cards = 2, kind = \"7\", answers = \"7\", returns = \"9\", on = \"previous\", then = \"turn_over\" }\n\
                [effects.eight]\nskip = { answers = \"8\", of = \"turns\" }\n[effects.ten]\ncards = \"T\"\nreverse = true\n\
                draw = { cards = 1, who = \"others\" }\n[effects.queen]\ncards = \"Q\"\n\
                request = { names = \"rank\", ends = \"lap\" }\n[together.x]\ncards = \"7-A\"";
    check("basic", "ending.goes_on = \"places\"");
    for effects in ["die", "act"] {
        check("basic", &format!("ending = {{ goes_on = \"places\", last_card_effects = \"{effects}\" }}\n{more}"));
    }
    check("crazy-eights", "ending.goes_on = \"places\"\n[effects.queen]\ncards = \"Q\"\nskip = {}");
}

/// Hands that go from seat to seat, also while others are out (G-44).
#[test]
fn games_in_which_hands_move_are_lawful() {
    for how in ["rotate", "swap_next", "show_next"] {
        let moves =
            format!("[effects.queen]\ncards = \"Q\"\nhands = \"{how}\"\n[effects.ten]\ncards = \"T\"\nreverse = true");
        check("basic", &moves);
        check("skat", &moves.replace('T', "9"));
        check("crazy-eights", &format!("ending.goes_on = \"places\"\n{moves}"));
    }
}

#[test]
fn further_games_of_the_family_are_lawful_with_all_their_options() {
    for set in family() {
        let choices = tables::Choices::of(set.name).unwrap_or_else(|problems| panic!("{problems}"));
        let mut legal = 0;
        for number in 0..60 {
            let mut dice = ChoiceStream::new(&[number]);
            let (rules, shown) = choices.random_set(number, &mut dice);
            let table = tables::random_table(&rules, &mut dice);
            match play(&table, &mut dice) {
                Ok(played) => legal += played.legal,
                Err(breach) => panic!("{shown}: game {number} at a table of {}: {breach}", table.seats()),
            }
        }
        assert!(legal > 400, "{}: {legal} positions", set.name);
    }
}

/// Draws and passes that say what a hand does not hold (G-53, G-54).
#[test]
fn games_in_which_one_draws_only_for_want_of_a_play_are_lawful() {
    for base in ["basic", "skat", "deluxe"] {
        let closing = if base == "deluxe" { "ending.at = \"once\"\n" } else { "" };
        check(base, &format!("{closing}turn.may_draw = \"unable\""));
        check(base, &format!("{closing}turn.after_draw = \"drawn_card_must\""));
        check(base, &format!("{closing}turn.may_draw = \"unable\"\nturn.after_draw = \"drawn_card_must\""));
        check(base, &format!("{closing}turn.draws = 3\nturn.after_draw = \"drawn_card_must\""));
        for after in ["drawn_card_must", "drawn_card", "any_card"] {
            check(base, &format!("{closing}turn.draws = 0\nturn.after_draw = \"{after}\""));
        }
        check(
            base,
            &format!("{closing}turn.draws = 0\nturn.may_draw = \"unable\"\nturn.after_draw = \"drawn_card_must\""),
        );
        check(base, &format!("{closing}turn.draws = 0\nturn.may_draw = \"unable\"\nturn.after_draw = \"any_card\""));
    }
}

/// Cards judged by the count of the seat that plays them, hands of different sizes, and matches that a count ends (G-57, G-58).
#[test]
fn games_in_which_every_seat_has_a_count_are_lawful() {
    let counts = "deal = { cards = \"count\", not_first = \"count\", first_card = \"plain\" }\nscoring.decides = \"count\"\n\
                  scoring.rounds = 0\n[effects.x]\ncards = \"count\"\nany_time = true\nchoose_suit = \"must\"\n";
    for (start, on_win, match_at) in [(8, -1, 0), (1, 1, 6), (5, -2, -1)] {
        let match_at = if match_at < 0 { 1 } else { match_at };
        let count = format!("[count]\nstart = {start}\non_win = {on_win}\nmatch_at = {match_at}\n");
        check("crazy-eights", &format!("{counts}{count}[effects.eight]\noff = true"));
        check("basic", &format!("{counts}{count}[effects.y]\ncards = \"count\"\nreverse = true\nhands = \"rotate\""));
    }
}

/// Effects that fall on a chosen player, also while others are out (G-59); further cards drawn for as in any turn, and requests of
/// the next player alone (G-60, G-61).
#[test]
fn games_in_which_players_are_chosen_are_lawful() {
    let check = |base: &str, rules: &str| check(base, &format!("deal.first_card = \"plain\"\n{rules}"));
    let swaps = "[effects.queen]\ncards = \"Q\"\nhands = \"swap_chosen\"\n[effects.ten]\ncards = \"T\"\nreverse = true";
    let draws = "[effects.queen]\ncards = \"Q\"\ndraw = { cards = 2, who = \"chosen\" }\nhands = \"rotate\"";
    for resume in ["after_card", "after_debtor"] {
        let owes = format!(
            "[effects.four]\ncards = \"9\"\nowe = {{ cards = 2, kind = \"9\", answers = \"9\", passes = \"T\", on = \"chosen\", \
             resume = \"{resume}\", then = \"turn_over\" }}"
        );
        check("crazy-eights", &owes);
        check("crazy-eights", &format!("ending.goes_on = \"places\"\n{owes}"));
    }
    for base in ["basic", "skat", "crazy-eights"] {
        check(base, swaps);
        check(base, &draws.replace("hands = \"rotate\"", ""));
    }
    check("basic", draws);
    check("crazy-eights", &format!("ending.goes_on = \"places\"\n{swaps}"));
    let word = "[calls]\ncards = 1\n[duties.words.spade]\ncards = \"S\"\nsay = [\"spade\"]\nfault = \"no_spade\"";
    check("basic", &format!("{swaps}\n{word}\n[together.x]\ncards = \"7-A\""));
    for draws in ["drawn_card", "any_card", "over"] {
        check(
            "basic",
            &format!(
                "turn.after_draw = \"{draws}\"\n[effects.queen]\ncards = \"Q\"\nagain = {{ must = true, draws = \"as_turn\" }}\n\
                 [effects.ten]\ncards = \"T\"\nrequest = {{ names = \"rank\", ends = \"next_turn\" }}"
            ),
        );
    }
}

/// Cards that bound what goes on them, and suits that are named by the one who has drawn (G-69, G-70).
#[test]
fn games_in_which_the_card_after_is_bound_are_lawful() {
    for after in ["over", "drawn_card", "any_card"] {
        check("basic", &format!("turn.after_draw = \"{after}\"\n[effects.ten]\ncards = \"T\"\nfollowed_by = \"7-T\""));
    }
    check("crazy-eights", "[effects.five]\ncards = \"5\"\nfollowed_by = \"2-5\"\nopen_to_all = true");
    for then in ["turn_over", "turn_stays"] {
        let names = format!(
            "[effects.ten]\ncards = \"T\"\nowe = {{ cards = 2, kind = \"T\", answers = \"T\", passes = \"Q\", drawer_names = true, \
             then = \"{then}\" }}"
        );
        check("basic", &names);
        check("crazy-eights", &names);
        check("basic", &format!("deal.first_card = \"effect\"\nturn.owed_one_by_one = true\n{names}"));
        check("crazy-eights", &format!("turn.shortage = \"top_card\"\nturn.reshuffle = false\n{names}"));
    }
}

/// Cards that stand for others, among all that those can do (G-79).
#[test]
fn games_with_cards_that_stand_for_others_are_lawful() {
    let joker = "deck.jokers = 3\ndeal.not_first = \"Q\"\n[effects.stand_in]\ncards = \"XX\"\nstands_for = \"2-A\"\n";
    let debt = "[effects.own_five]\ncards = \"5\"\nowe = { cards = 2, kind = \"5\", answers = { cards = \"5 6\", match = \"fit\" }, \
                passes = \"9\", cancels = \"8\", rescue = true, then = \"turn_over\" }\n\
                [effects.own_six]\ncards = \"6\"\nowe = { cards = 1, kind = \"5\", answers = \"5\", then = \"turn_stays\" }\n";
    let named = "[effects.own_queen]\ncards = \"Q\"\nhands = \"swap_chosen\"\n\
                 [effects.own_ten]\ncards = \"T\"\nrequest = { names = \"rank\", of = \"2-7\", may_decline = true, unheld_costs = 1, ends = \"lap\" }\n";
    for more in [
        debt,
        named,
        "[effects.own_four]\ncards = \"4\"\nonly_without = \"suit\"\nnot_on = \"5\"\nnever_last = true\nlast_costs = 2\n",
    ] {
        check("crazy-eights", &format!("{joker}{more}"));
        check(
            "crazy-eights",
            &format!("turn.may_draw = \"unable\"\nturn.after_draw = \"drawn_card_must\"\n{joker}{more}"),
        );
        check(
            "crazy-eights",
            &format!(
                "ending.goes_on = \"places\"\nturn.shortage = \"top_card\"\n{joker}{more}[together.x]\ncards = \"5-9\""
            ),
        );
    }
    check(
        "crazy-eights",
        &format!(
            "{joker}[effects.own_four]\ncards = \"4\"\nonly_without = \"suit\"\nowe = {{ cards = 2, kind = \"4\", then = \"turn_over\" }}\n[challenge]"
        ),
    );
    check(
        "crazy-eights",
        &format!("{joker}[effects.own_ace]\ncards = \"A\"\nagain = {{ must = true, draws = \"until_fits\" }}"),
    );
}

/// Seats that come back into a round, and hands that are dealt while it goes on (G-71, G-72).
#[test]
fn games_in_which_seats_come_back_or_get_new_hands_are_lawful() {
    let back = "ending = { goes_on = \"places\", last_card_effects = \"act\" }\n[effects.seven]\ncards = \"7\"\nbrings_back = true\n\
                owe = { cards = 2, kind = \"7\", answers = \"7\", then = \"turn_over\" }\n";
    check("basic", back);
    check("crazy-eights", &format!("deal.cards = 2\n{back}[together.x]\ncards = \"2-A\""));
    check(
        "basic",
        &format!(
            "deal.cards = 2\n{back}[effects.eight]\nskip = {{ answers = \"8\" }}\n[effects.jack]\nlast_multiplies = 2"
        ),
    );
    check("skat", &format!("deal.cards = 2\n{back}[effects.eight]\nskip = {{ answers = \"8\", of = \"turns\" }}"));
    let counts = "deal = { cards = \"count\", first_card = \"plain\" }\nscoring.decides = \"count\"\nscoring.rounds = 0\nending.blocked_after = 0\n\
                  [count]\nstart = 3\non_win = -1\nmatch_at = 0\nredeal = false\n[effects.x]\ncards = \"count\"\nany_time = true\n";
    check("crazy-eights", &format!("{counts}[effects.eight]\noff = true"));
    check(
        "basic",
        &format!("{counts}[effects.seven]\nowe = {{ cards = 2, kind = \"7\", answers = \"7\", then = \"turn_over\" }}"),
    );
    check("countdown", "count.redeal = false\nscoring.rounds = 2");
}

/// Cards that only a hand without the suit allows, refused or challenged where they are wrong (G-67).
#[test]
fn games_with_cards_that_are_allowed_without_a_suit_only_are_lawful() {
    let wary = "[effects.wary]\ncards = \"Q\"\nany_time = true\nonly_without = \"suit\"\n\
                owe = { cards = 3, kind = \"Q\", answers = \"Q\", then = \"turn_over\" }";
    for base in ["basic", "crazy-eights"] {
        check(base, wary);
        for shows in ["challenger", "table", "nobody"] {
            check(base, &format!("{wary}\n[challenge]\nshows = \"{shows}\"\nfailed = 1"));
        }
        check(base, &format!("{wary}\n[challenge]\nfailed = 0\n[effects.ten]\ncards = \"T\"\nhands = \"rotate\""));
    }
}
