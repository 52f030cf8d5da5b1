//! Comparison of the expected results with the actual ones. It only reads the game. What differs becomes a list of
//! failures; how it is shown is left to the caller.

use std::collections::BTreeMap;

use maumau_engine::{Game, Phase, Rules};
use maumau_protocol::ruleset::Decides;
use maumau_protocol::{DrawReason, Event, Reason, RuleChoice, Seat, SeatSet};
use serde::Serialize;

use super::file::{BySeat, Expect, ExpectPending, HandExpectation, RuleExpectation, ScenarioEnd, SeatKey};
use super::{StepOutcome, UnmetExpectation, taken};

struct Check<'a> {
    step: Option<usize>,
    failures: &'a mut Vec<UnmetExpectation>,
}

impl Check<'_> {
    fn same<T: PartialEq + Serialize>(&mut self, key: &str, expected: &T, found: &T) {
        if expected != found {
            self.fail(key, as_written(expected), as_written(found));
        }
    }

    fn given<T: PartialEq + Serialize>(&mut self, key: &str, expected: &Option<T>, found: impl FnOnce() -> T) {
        if let Some(expected) = expected {
            self.same(key, expected, &found());
        }
    }

    fn fail(&mut self, key: &str, expected: String, found: String) {
        self.failures.push(UnmetExpectation { step: self.step, key: key.to_owned(), expected, found });
    }
}

/// A value as a scenario has it.
fn as_written<T: Serialize>(value: &T) -> String {
    serde_json::to_string(value).unwrap_or_else(|error| error.to_string())
}

/// Compares one step.
pub(crate) fn step(
    number: usize,
    expect: &Expect,
    outcome: &StepOutcome,
    game: Option<&Game>,
    failures: &mut Vec<UnmetExpectation>,
) {
    let mut check = Check { step: Some(number), failures };
    check.given("ok", &expect.ok, || outcome.ok);
    let penalty = taken(&outcome.events, |event| match event {
        Event::Penalty { seat, .. } => Some(*seat),
        _ => None,
    });
    let drew = taken(&outcome.events, |event| match event {
        Event::Drew { seat, why: DrawReason::Turn | DrawReason::Owed | DrawReason::Effect, .. } => Some(*seat),
        _ => None,
    });
    complete(&mut check, "penalty", &expect.penalty, &penalty);
    complete(&mut check, "drew", &expect.drew, &drew);
    let names = event_names(&outcome.events);
    let mut later = names.iter();
    for wanted in &expect.events {
        if !later.any(|name| name == wanted) {
            check.fail("events", format!("{} in this order", as_written(&expect.events)), as_written(&names));
            break;
        }
    }
    for unwanted in expect.no_events.iter().filter(|unwanted| names.contains(unwanted)) {
        check.fail("no_events", format!("no {unwanted}"), as_written(&names));
    }
    if let Some(expected) = &expect.shown {
        let shown = outcome.events.iter().find_map(|event| match event {
            Event::Shown { seat, to, cards } => {
                let mut cards: Vec<_> = cards.iter().flatten().copied().collect();
                cards.sort_by_key(|card| card.index());
                Some(HandExpectation { seat: *seat, to: list(*to), cards })
            }
            _ => None,
        });
        let mut cards = expected.cards.clone();
        cards.sort_by_key(|card| card.index());
        let expected = HandExpectation { seat: expected.seat, to: expected.to.clone(), cards };
        check.same("shown", &Some(&expected), &shown.as_ref());
    }
    if let Some(game) = game {
        position(&mut check, expect, game);
    }
}

/// Cards drawn or taken: seats that are not listed took none.
fn complete(check: &mut Check<'_>, key: &str, expected: &Option<BySeat<u16>>, found: &BTreeMap<Seat, u16>) {
    if let Some(expected) = expected {
        let expected: BTreeMap<Seat, u16> =
            expected.iter().filter(|(_, count)| **count > 0).map(|(seat, count)| (seat.0, *count)).collect();
        check.same(key, &expected, found);
    }
}

fn position(check: &mut Check<'_>, expect: &Expect, game: &Game) {
    for (seat, size) in &expect.hands {
        check.same(&format!("hands of seat {}", seat.0), size, &game.held(seat.0));
    }
    for (seat, cards) in &expect.has {
        for card in cards.iter().filter(|card| !game.holds(seat.0, **card)) {
            check.fail("has", format!("{card} in the hand of seat {}", seat.0), "not there".to_owned());
        }
    }
    for (seat, cards) in &expect.lacks {
        for card in cards.iter().filter(|card| game.holds(seat.0, **card)) {
            check.fail("lacks", format!("no {card} in the hand of seat {}", seat.0), "there".to_owned());
        }
    }
    for (seat, sealed) in &expect.sealed {
        check.same(&format!("sealed of seat {}", seat.0), sealed, &game.sealed(seat.0));
    }
    let over = matches!(game.phase(), Phase::BetweenRounds | Phase::ChooseRule | Phase::MatchOver);
    check.given("turn", &expect.turn, || game.turn());
    if let Some(expected) = &expect.may_act {
        check.same("may_act", &expected.iter().copied().collect::<SeatSet>(), &may_act(game));
    }
    check.given("top", &expect.top, || game.pile().last().copied());
    check.given("direction", &expect.direction, || game.direction());
    check.given("draw_left", &expect.draw_left, || game.draw_pile_len());
    check.given("phase", &expect.phase, || phase_name(game.phase()).to_owned());
    check.given("round_over", &expect.round_over, || over && game.round() > 0);
    pending(check, &expect.pending, game);
}

/// The seats that may play a card now, free cards and twins of others aside: none while play rests or something must be
/// named; in a closing time, the seats that may answer; while neighbours race, these two.
fn may_act(game: &Game) -> SeatSet {
    let (pending, turn) = (game.pending(), game.turn());
    if game.point_of_order().is_some() || pending.choose.is_some() {
        return SeatSet::EMPTY;
    }
    if pending.closing {
        let debtor = turn.filter(|_| pending.draw > 0);
        let answering = pending.skip_victim.or(debtor).filter(|_| !game.rules().set().ending.rests);
        return answering.into_iter().collect();
    }
    let may_play = |seat: &Seat| match game.race() {
        Some(_) => game.is_racing(*seat),
        None if turn == Some(*seat) || pending.skip_victim == Some(*seat) => true,
        None => !game.legal(*seat).plays.is_empty(),
    };
    Seat::all(game.rules().seats()).filter(may_play).collect()
}

fn pending(check: &mut Check<'_>, expect: &ExpectPending, game: &Game) {
    let pending = game.pending();
    // `null`, 0 and absent are the same.
    check.given("pending.draw", &expect.draw.map(Option::unwrap_or_default), || pending.draw);
    check.given("pending.draw_by", &expect.draw_by, || game.turn().filter(|_| pending.draw > 0));
    check.given("pending.challenge", &expect.challenge, || pending.challenge);
    check.given("pending.turns_lost", &expect.turns_lost, || turns_lost(game));
    check.given("pending.draw_kind", &expect.draw_kind, || pending.draw_kind.as_deref().map(str::to_owned));
    check.given("pending.skip", &expect.skip.map(Option::unwrap_or_default), || pending.skip);
    check.given("pending.sevens", &expect.sevens.map(Option::unwrap_or_default), || pending.sevens);
    check.given("pending.suit_open", &expect.suit_open.map(Option::unwrap_or_default), || pending.suit_open);
    check.given("pending.joker", &expect.joker, || pending.joker);
    check.given("pending.suit", &expect.suit, || pending.suit);
    check.given("pending.request", &expect.request, || pending.request);
    check.given("pending.skip_victim", &expect.skip_victim, || pending.skip_victim);
    check.given("pending.take", &expect.take, || pending.take);
    check.given("pending.snap", &expect.snap.map(Option::unwrap_or_default), || pending.snap);
    check.given("pending.owed_turn", &expect.owed_turn, || pending.owed_turn);
    check.given("pending.run", &expect.run, || pending.run);
    check.given("pending.stands_for", &expect.stands_for, || game.stands_for());
    check.given("pending.again", &expect.again, || pending.again);
    check.given("pending.choose", &expect.choose, || pending.choose);
    check.given("pending.choose_rule", &expect.choose_rule, || {
        let offer = |choice: &RuleChoice| choice.offer.iter().map(|rule| rule.as_str().to_owned()).collect();
        pending.choose_rule.as_deref().map(|choice| RuleExpectation { by: choice.by, offer: offer(choice) })
    });
}

/// The seats that have turns to miss, each with their number.
fn turns_lost(game: &Game) -> BySeat<u16> {
    let seats = Seat::all(game.rules().seats()).map(|seat| (SeatKey(seat), game.turns_lost(seat)));
    seats.filter(|(_, lost)| *lost > 0).collect()
}

/// Compares the end.
pub(crate) fn end(expect: &ScenarioEnd, game: Option<&Game>, failures: &mut Vec<UnmetExpectation>) {
    let mut check = Check { step: None, failures };
    let Some(game) = game else { return };
    let over = matches!(game.phase(), Phase::BetweenRounds | Phase::ChooseRule | Phase::MatchOver);
    check.given("round_over", &expect.round_over, || over && game.round() > 0);
    check.given("places", &expect.places, || game.went_out().to_vec());
    check.given("winners", &expect.winners, || list(game.round_winners()));
    let counted = || match counts_rounds(game.rules()) {
        true => game.wins().iter().map(|wins| *wins as i32).collect(),
        false => game.points().to_vec(),
    };
    check.given("points", &expect.points, counted);
    check.given("chips", &expect.chips, counted);
    check.given("count", &expect.count, counted);
    check.given("match_over", &expect.match_over, || game.is_over());
    check.given("match_winners", &expect.match_winners, || match game.is_over() {
        true => list(game.leaders()),
        false => Vec::new(),
    });
    check.given("next_dealer", &expect.next_dealer, || game.next_dealer());
    check.given("direction", &expect.direction, || game.direction());
    check.given("rules", &expect.rules, || game.added_rules().iter().map(|rule| rule.as_str().to_owned()).collect());
}

/// Whether the numbers of a scenario are rounds won: if these decide the match, also by option (B-43, K-48).
pub(crate) fn counts_rounds(rules: &Rules) -> bool {
    rules.decides() == Decides::RoundsWon
}

fn list(seats: SeatSet) -> Vec<Seat> {
    seats.iter().collect()
}

fn phase_name(phase: Phase) -> &'static str {
    match phase {
        Phase::BetweenRounds => "between_rounds",
        Phase::Deal => "deal",
        Phase::TurnUp => "turn_up",
        Phase::Play => "play",
        Phase::ChooseRule => "choose_rule",
        Phase::MatchOver => "match_over",
    }
}

/// Events by the names that scenarios use for them. Several mistakes of one seat in a step also have a common name: it
/// follows the last of them.
fn event_names(events: &[Event]) -> Vec<String> {
    let mistakes = |event: &Event, of: Seat| match event {
        Event::Mistake { seat, count, .. } if *seat == of => *count,
        _ => 0,
    };
    let together = |at: usize| match &events[at] {
        Event::Mistake { seat, .. } if !events[at + 1..].iter().any(|later| mistakes(later, *seat) > 0) => {
            let all: u16 = events.iter().map(|event| mistakes(event, *seat)).sum();
            (all > mistakes(&events[at], *seat)).then(|| format!("mistakes:{all}"))
        }
        _ => None,
    };
    let name = |event: &Event| {
        Some(match event {
            Event::Skipped { seat } => format!("skip:{seat}"),
            Event::Reshuffled { .. } => "reshuffle".to_owned(),
            Event::Refused { reason: Reason::Interrupted, .. } => "interrupted".to_owned(),
            Event::Interjected { .. } => "spam".to_owned(),
            Event::Free { .. } => "free".to_owned(),
            Event::Taken { .. } => "taken".to_owned(),
            Event::Swapped { back: true, .. } => "swap_back".to_owned(),
            Event::PenaltiesDealt { .. } => "penalties_dealt".to_owned(),
            Event::Mistake { seat, count: 1, .. } => format!("mistake:{seat}"),
            Event::Mistake { count, .. } => format!("mistakes:{count}"),
            Event::Revoked { .. } => "revoked".to_owned(),
            Event::RequestOver => "request_over".to_owned(),
            Event::HandsRotated { .. } => "hands_rotated".to_owned(),
            Event::HandsSwapped { seats } => {
                let seats: Vec<String> = seats.iter().map(|seat| seat.to_string()).collect();
                format!("hands_swapped:{}", seats.join(":"))
            }
            Event::Shown { seat, .. } => format!("shown:{seat}"),
            Event::CameBack { seat } => format!("returned:{seat}"),
            Event::Challenged { by, .. } => format!("challenged:{by}"),
            Event::DebtCancelled { .. } => "cancelled".to_owned(),
            Event::DebtReturned { .. } => "returned".to_owned(),
            Event::HandShown { seat, .. } => format!("hand_shown:{seat}"),
            Event::Waived { count, .. } => format!("waived:{count}"),
            Event::RoundOver { .. } => "round_over".to_owned(),
            Event::RuleAdded { rule, .. } => format!("rule_added:{}", rule.as_str()),
            _ => return None,
        })
    };
    events.iter().enumerate().flat_map(|(at, event)| name(event).into_iter().chain(together(at))).collect()
}
