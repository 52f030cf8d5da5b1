//! What a game promises its seats: a listed action, taken as it is listed, costs nothing, and its words are heard (G-25);
//! a refused action leaves everything but its price and counters (G-02); and what has nothing to do with an action does
//! not change how it is judged (G-03). It tries actions on copies of the game.

use maumau_engine::{ChoiceStream, Game, Verdict};
use maumau_protocol::ruleset::{Effect, LastCosts};
use maumau_protocol::{Action, Elapse, Event, EventNumber, Reason, RuleFault, Say, Seat, Text, Verb};

use super::{Breach, hold, is_accepted};

/// Checks the promises for an action of `seat` that is listed, and for any other action.
pub(super) fn check(game: &Game, seat: Seat, any: Action, dice: &mut ChoiceStream<'_>) -> Result<(), Breach> {
    if let Some(verb) = listed(game, seat, dice) {
        let say = game.words_due(seat, &verb);
        let action = Action { verb, say };
        check_offer(game, seat, &action)?;
        check_judgement(game, seat, &action)?;
    }
    check_judgement(game, seat, &any)
}

/// One of the actions that `seat` is offered.
fn listed(game: &Game, seat: Seat, dice: &mut ChoiceStream<'_>) -> Option<Verb> {
    let legal = game.legal(seat);
    (!legal.is_empty()).then(|| legal.nth(dice.below(legal.len()))).flatten()
}

/// The mistakes of `seat` that another seat could call once the grace time is over.
fn callable(game: &Game, seat: Seat) -> Vec<RuleFault> {
    let mut later = game.clone();
    later.elapse(Elapse::Grace, &mut Vec::<Event>::new());
    let caller = Seat::all(game.rules().seats()).find(|other| *other != seat);
    let calls = caller.into_iter().flat_map(|caller| later.calls(caller).collect::<Vec<_>>());
    let mut faults: Vec<RuleFault> = calls.filter(|(against, _)| *against == seat).map(|(_, fault)| fault).collect();
    faults.dedup();
    faults
}

/// A listed action is accepted, costs nothing, and its words are heard (G-25).
fn check_offer(game: &Game, seat: Seat, action: &Action) -> Result<(), Breach> {
    let (mut then, mut events) = (game.clone(), Vec::new());
    let known = callable(game, seat);
    let verdict = then.apply(seat, action, game.last_event(), &mut events);
    if verdict == Verdict::Refused(Reason::Interrupted) && was_taken(&events) {
        // N-106: an overdue take of another seat has drawn this very card.
        return Ok(());
    }
    hold!(is_accepted(verdict), "seat {seat} is offered {action:?} and gets {verdict:?}");
    let said =
        |text: &Text| events.iter().any(|event| matches!(event, Event::Said { text: heard, .. } if heard == text));
    hold!(action.say.texts().iter().all(said), "seat {seat} is not heard: {action:?}, {events:?}");
    // P-78: a movement to play a card, begun without one that could be played, cannot be ended without a flinch; P-82: what was
    // said in a point of order is judged when it ends; B-14: a warning that was forgotten can be called from the next move on, which
    // may be the same seat's.
    let is_of_before = |fault: RuleFault| {
        (fault == RuleFault::Flinch && game.probe().has_reached(seat))
            || (fault == RuleFault::NoMau && (!action.verb.plays() || game.probe().has_forgotten_mau(seat)))
            || (fault == RuleFault::PoToSwear && action.verb == Verb::EndPointOfOrder)
    };
    let has_priced_last_card = plays_priced_last_card(game, seat, &action.verb);
    // A warning that was forgotten before is charged with the next move (B-14).
    let cost = |event: &Event| match event {
        Event::Penalty { fault: RuleFault::WrongCard, .. } if has_priced_last_card => false,
        Event::Penalty { seat: whose, fault, .. } => {
            *whose == seat && *fault != RuleFault::NoMau && !is_of_before(*fault)
        }
        Event::Mistake { seat: whose, fault, .. } => *whose == seat && !is_of_before(*fault),
        _ => false,
    };
    // N-106: what others have left undone is noted for them; N-110: a deal may end with the mistakes made before.
    // G-67: a challenge that is not upheld has a price.
    let dealing =
        matches!(action.verb, Verb::Challenge | Verb::TurnUp | Verb::Deal { .. } | Verb::DealPenalties | Verb::Look);
    hold!(dealing || !events.iter().any(cost), "seat {seat} is offered {action:?} and pays: {events:?}");
    if !dealing && then.round() == game.round() && !then.is_over() && then.turn().is_some() {
        let new = callable(&then, seat).into_iter().filter(|fault| !known.contains(fault) && !is_of_before(*fault));
        let new: Vec<RuleFault> = new.collect();
        // N-79, N-132: a take that the card ordered leaves another hand, whose word is offered next.
        let taken = events.iter().any(|event| matches!(event, Event::Taken { from, .. } if *from == seat));
        let offered_next = taken && then.word_owed(seat).is_some();
        hold!(
            new.is_empty() || offered_next,
            "seat {seat} is offered {action:?} and can be called for {new:?}: {events:?}"
        );
    }
    Ok(())
}

/// Whether `verb` empties the hand of `seat` with a card that has a number as its price in this place (G-49).
fn plays_priced_last_card(game: &Game, seat: Seat, verb: &Verb) -> bool {
    let (played, last) = match verb {
        Verb::Play { card, .. } | Verb::PlayAs { stands_for: card, .. } => (1, Some(*card)),
        Verb::PlayTogether { cards, .. } => (cards.len(), cards.last().copied()),
        _ => return false,
    };
    let is_priced = |effect: &Effect| {
        let names_it = last.is_some_and(|card| effect.cards.0.contains(card));
        names_it && matches!(effect.last_costs, LastCosts::Cards(_))
    };
    usize::from(game.held(seat)) == played && game.rules().set().effects.values().any(is_priced)
}

fn was_taken(events: &[Event]) -> bool {
    events.iter().any(|event| matches!(event, Event::Taken { .. }))
}

/// What another seat says after the stamp of an action does not change how it is judged (G-03).
fn check_judgement(game: &Game, seat: Seat, action: &Action) -> Result<(), Breach> {
    let as_of = game.last_event();
    let Some(other) = Seat::all(game.rules().seats()).find(|other| *other != seat) else { return Ok(()) };
    let judge = |game: &Game, from: EventNumber| {
        let (mut then, mut events) = (game.clone(), Vec::new());
        (then.apply(seat, action, from, &mut events), events)
    };
    let mut later = game.clone();
    let hello = Action { verb: Verb::Say { text: Text::fixed("hello") }, say: Say::Nothing };
    later.apply(other, &hello, as_of, &mut Vec::<Event>::new());
    let (alone, after) = (judge(game, as_of), judge(&later, as_of));
    hold!(
        alone == after,
        "seat {seat}: {action:?} is judged otherwise after a word of seat {other}: {alone:?}, {after:?}"
    );
    Ok(())
}
