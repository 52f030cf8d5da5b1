//! Two tables that differ only in cards that one seat may not know show that seat the same (G-08). It exchanges those
//! cards through `game::probe` and compares what is shown; it does not judge whether the game is lawful otherwise.

use maumau_engine::{ChoiceStream, Game, Phase};
use maumau_protocol::{Action, Event, RuleFault, Say, Seat, SeenEvent, Stand, Verb};

use super::steps::{InputStep, any_seat, next_step};
use super::{Breach, hold, is_in_round};

/// Inputs after which two tables are no longer compared.
const MOST_STEPS: usize = 8;

/// Compares this position with another one for some seat, then what follows; returns the number of positions compared.
pub(super) fn check(game: &Game, dice: &mut ChoiceStream<'_>) -> Result<u64, Breach> {
    if !is_in_round(game) {
        return Ok(0);
    }
    let seat = any_seat(game, dice);
    let (mut one, mut other) = (game.clone(), game.probe().with_other_hidden_cards(seat, |cards| dice.shuffle(cards)));
    let mut compared = 0;
    let mut taken: Vec<InputStep> = Vec::new();
    loop {
        let (here, there) = (shown(&one, seat), shown(&other, seat));
        hold!(here == there, "seat {seat} is shown what it may not know after {taken:?}:\n{here}\n{there}");
        compared += 1;
        let step = next_step(&one, dice);
        if taken.len() == MOST_STEPS || shows_cards(&one, seat, &step) {
            return Ok(compared);
        }
        let [(verdict, seen, learns), (verdict_there, seen_there, _)] = [&mut one, &mut other].map(|game| {
            let mut events = Vec::new();
            let verdict = step.take(game, &mut events);
            let (seen, learns) = seen(&events, seat);
            (verdict, seen, learns)
        });
        hold!(verdict == verdict_there, "{step:?}: {verdict:?}, but {verdict_there:?} with other hidden cards");
        hold!(seen == seen_there, "seat {seat} sees what it may not know with {step:?}:\n{seen}\n{seen_there}");
        let same_hand = one.hand(seat) == other.hand(seat) || one.is_covered(seat);
        if learns || !is_in_round(&one) || one.pile() != other.pile() || !same_hand {
            return Ok(compared);
        }
        taken.push(step);
    }
}

/// Everything that a line to `seat` could contain.
fn shown(game: &Game, seat: Seat) -> String {
    let legal: Vec<(Say, Verb)> = game.legal(seat).iter().map(|verb| (game.words_due(seat, &verb), verb)).collect();
    let public = (game.pending(), game.turn(), game.waits_for(), game.is_closing(), game.word_owed(seat));
    let calls: Vec<(Seat, RuleFault)> = game.calls(seat).collect();
    serde_json::to_string(&(game.view(seat), legal, calls, public)).unwrap_or_default()
}

/// A table that differs from that of `game` only in cards that `seat` may not know; always the same for the same `number`.
/// `None` if no round is being played, so that nothing is hidden.
pub fn twin(game: &Game, seat: Seat, number: u64) -> Option<Game> {
    let mut dice = ChoiceStream::new(&[number]);
    is_in_round(game).then(|| game.probe().with_other_hidden_cards(seat, |cards| dice.shuffle(cards)))
}

/// Whether the rules let `verb`, done by `by`, show `seat` what another seat holds, so that two twins differ after it.
pub fn may_show_cards(game: &Game, seat: Seat, by: Seat, verb: &Verb) -> bool {
    let action = Action { verb: verb.clone(), say: Say::Nothing };
    shows_cards(game, seat, &InputStep::Act(by, action, game.last_event()))
}

/// Whether the rules let `step` show what a seat holds.
fn shows_cards(game: &Game, seat: Seat, step: &InputStep) -> bool {
    match step {
        // The referee may have to name something for a seat, depending on a hand that penalty cards have just changed.
        _ if game.probe().names_by_hand() => true,
        InputStep::Round => true,
        // A dismissed seat is played on by its first legal action, as if it had chosen it (G-04).
        InputStep::Stand(by, Stand::Dismissed) => game.phase() != Phase::Play || *by != seat,
        InputStep::Stand(..) | InputStep::Elapse(_) => game.phase() != Phase::Play,
        InputStep::Act(by, action, _) => match &action.verb {
            // A seat knows its own card, unless it is sealed: trying to play that is a mistake of its own (N-103).
            Verb::Play { card, .. } => *by != seat || (game.sealed(seat) > 0 && !game.hand(seat).contains(*card)),
            Verb::PlayTogether { .. } | Verb::PlayAs { .. } => *by != seat,
            // G-67: whether a challenge is upheld shows what a hand held.
            Verb::TurnUp | Verb::Challenge => true,
            // D-65: a seat that may not draw holds a card that fits.
            // G-53, G-54: nor does one that may draw or pass hold one that it would have to play.
            Verb::Draw => *by != seat && (game.probe().plays_again() || game.probe().must_play()),
            Verb::Pass => *by != seat && game.probe().must_play(),
            _ => false,
        },
    }
}

/// The events as `seat` sees them up to the end of the round, without the cards that it is meant to see; and whether there
/// was such a card.
fn seen(events: &[Event], seat: Seat) -> (String, bool) {
    let round = events.iter().take_while(|event| !matches!(event, Event::RoundOver { .. }));
    let (mut events, mut learns) = (Vec::new(), false);
    for event in round {
        let mut event = event.seen_by(seat);
        learns |= take_cards(&mut event, seat);
        events.push(event);
    }
    (serde_json::to_string(&events).unwrap_or_default(), learns)
}

/// Removes the cards that only some seats may see, `seat` among them, from an event; returns whether there were any.
fn take_cards(event: &mut SeenEvent, seat: Seat) -> bool {
    match event {
        Event::Drew { seat: whose, card, .. }
        | Event::Penalty { seat: whose, card, .. }
        | Event::Returned { seat: whose, card, .. }
            if *whose == seat =>
        {
            card.take().is_some()
        }
        Event::Taken { card, .. } => card.take().is_some(),
        Event::Shown { cards, .. } => cards.take().is_some(),
        Event::Unsealed { seat: whose, cards, .. }
        | Event::HandShown { seat: whose, cards }
        | Event::Dealt { seat: whose, cards, .. }
            if *whose == seat =>
        {
            cards.take().is_some()
        }
        _ => false,
    }
}
