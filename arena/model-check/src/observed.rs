//! What observers make of a random game agrees with it: their samples show their seats what the game shows, and play on. It
//! gives an observer of each seat the events that the seat sees, and compares; the games are those of its neighbours.

use std::sync::Arc;

use maumau_engine::{ChoiceStream, Game, Rules, seed_of_number};
use maumau_protocol::{Action, Card, Elapse, Event, Hidden, Seat, SeenEvent, Verb, View};

use super::steps::{InputStep, next_step};
use super::{Breach, MOST_ROUNDS, SelfTest, hold};
use maumau_observer::Observer;

/// Inputs given to a sample, to see that it plays on.
const PLAYED_ON: usize = 12;

/// What was compared in a game.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Watched {
    /// Inputs of the game.
    pub steps: u64,
    /// Samples compared with the game.
    pub samples: u64,
}

/// How the seats of a watched game behave.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Manners {
    /// They do what is legal, with the words that are due; the seats that may react do so now and then.
    Lawful,
    /// They do anything, as in all random games.
    Any,
}

impl SelfTest {
    /// Plays game `number` under the eyes of an observer for each seat, and compares samples of each with it. Some observers
    /// are also shown what their seat sees of the position, some explain events only when several inputs have been taken.
    ///
    /// # Errors
    /// What a sample shows its seat that the game does not, or an event that an observer cannot explain.
    pub fn watch(&mut self, number: u64, manners: Manners) -> Result<Watched, Breach> {
        let (rules, mut dice) = self.table_of(number);
        watch(&rules, manners, &mut dice)
    }
}

/// A legal action with the words that are due with it, mostly of the seat to move.
fn lawful_step(game: &Game, dice: &mut ChoiceStream<'_>) -> InputStep {
    let Some(mover) = game.waits_for() else { return InputStep::Round };
    if game.is_closing() && dice.one_in(3) {
        return InputStep::Elapse(Elapse::Closing);
    }
    let seats: Vec<Seat> = Seat::all(game.rules().seats()).filter(|seat| !game.legal(*seat).is_empty()).collect();
    let seat = match seats.as_slice() {
        [] => return InputStep::Elapse(if game.is_closing() { Elapse::Closing } else { Elapse::TurnLimit }),
        seats if game.legal(mover).is_empty() || dice.one_in(3) => *dice.pick(seats),
        _ => mover,
    };
    let legal = game.legal(seat);
    let verb = legal.nth(dice.below(legal.len())).unwrap_or(Verb::Draw);
    let say = game.words_due(seat, &verb);
    InputStep::Act(seat, Action { verb, say }, game.last_event())
}

/// An observer of one seat, and what is known of its game.
struct Watcher {
    seat: Seat,
    observer: Observer,
    /// Whether it is shown what its seat sees of the position, as a seat that is asked.
    looks: bool,
    /// After how many inputs it explains what it has seen.
    pace: u64,
    shown: Vec<(Seat, Card)>,
}

impl Watcher {
    fn new(rules: &Arc<Rules>, seat: Seat, dice: &mut ChoiceStream<'_>) -> Watcher {
        let observer = Observer::new(Arc::clone(rules), seat);
        Watcher { seat, observer, looks: dice.often(50), pace: *dice.pick(&[1, 1, 2, 5]), shown: Vec::new() }
    }

    /// It sees `events`, and makes a sample if it is its time.
    fn watch(
        &mut self,
        game: &Game,
        events: &[Event],
        step: u64,
        sample: &mut Game,
        dice: &mut ChoiceStream<'_>,
    ) -> Result<bool, Breach> {
        let seat = self.seat;
        for event in events {
            let event = event.seen_by(seat);
            note_shown(&event, seat, &mut self.shown);
            self.observer.see(&event);
        }
        if !step.is_multiple_of(self.pace) {
            return Ok(false);
        }
        let view = game.view(seat);
        let looked = if self.looks { self.observer.look(&view) } else { self.observer.catch_up() };
        looked.map_err(|lost| Breach(format!("seat {seat}: {lost}")))?;
        if !self.looks && !self.observer.is_certain() {
            return Ok(false);
        }
        self.observer.sample_into(sample, dice).map_err(|lost| Breach(format!("seat {seat}: {lost}")))?;
        compare(game, &view, sample, seat, &self.shown)?;
        Ok(true)
    }
}

fn watch(rules: &Arc<Rules>, manners: Manners, dice: &mut ChoiceStream<'_>) -> Result<Watched, Breach> {
    let mut game = Game::new(Arc::clone(rules), &seed_of_number(dice.any()));
    let mut watchers: Vec<Watcher> = Seat::all(rules.seats()).map(|seat| Watcher::new(rules, seat, dice)).collect();
    // The game does not depend on what is made of it.
    let mut apart = ChoiceStream::new(&[dice.any()]);
    let mut sample = Game::new(Arc::clone(rules), &seed_of_number(0));
    let mut events: Vec<Event> = Vec::new();
    let mut watched = Watched::default();
    let most = 500 + 80 * u64::from(rules.set().turn.cap);
    while !game.is_over() && game.round() <= MOST_ROUNDS && watched.steps < most {
        let step = match manners {
            Manners::Lawful => lawful_step(&game, dice),
            Manners::Any => next_step(&game, dice),
        };
        let from = events.len();
        step.take(&mut game, &mut events);
        watched.steps += 1;
        for watcher in &mut watchers {
            let sampled =
                watcher.watch(&game, &events[from..], watched.steps, &mut sample, &mut apart).map_err(|breach| {
                    let events = events.iter().rev().take(16).rev().map(|event| format!("\n  event {event:?}"));
                    let events: String = events.collect();
                    Breach(format!("{breach}\n  input {step:?}{events}\n  after {} events", events.len()))
                })?;
            if sampled {
                watched.samples += 1;
                if apart.one_in(4) {
                    play_on(&mut sample, &mut apart);
                }
            }
        }
    }
    Ok(watched)
}

/// Keeps the cards that `me` has seen go into other hands, until one of that kind leaves the hand.
fn note_shown(event: &SeenEvent, me: Seat, shown: &mut Vec<(Seat, Card)>) {
    match event {
        Event::RoundStarted { .. } | Event::DealVoid | Event::TakenBack { .. } => shown.clear(),
        Event::Played { seat, card, .. } => shown.retain(|held| *held != (*seat, *card)),
        Event::Taken { by, from, card, .. } => {
            // Which card went is hidden from others: then nothing is known of the hand any more.
            shown.retain(|(seat, held)| seat != from || (card.get().is_some() && card.get() != Some(held)));
            shown.extend(card.get().filter(|_| *from == me).map(|card| (*by, *card)));
        }
        Event::Returned { seat, .. } => shown.retain(|(whose, _)| whose != seat),
        Event::HandsRotated { .. } | Event::HandsSwapped { .. } => shown.clear(),
        Event::Shown { seat, cards, .. } if *seat != me => {
            shown.extend(cards.get().iter().flat_map(|cards| cards.iter()).map(|card| (*seat, *card)));
        }
        _ => {}
    }
}

/// `sample` shows `seat` what `game` does, its view of which is `here`, has the same cards, and has them where they were `shown`
/// to be.
fn compare(game: &Game, here: &View, sample: &Game, seat: Seat, shown: &[(Seat, Card)]) -> Result<(), Breach> {
    let there = &sample.view(seat);
    hold!(here == there, "seat {seat} sees\n{here:?}\nbut in a sample\n{there:?}");
    let (here, there) = (game.legal(seat), sample.legal(seat));
    hold!(here == there, "seat {seat} may do\n{here:?}\nbut in a sample\n{there:?}");
    hold!(game.waits_for() == sample.waits_for(), "another seat must act in a sample");
    hold!(game.last_event() == sample.last_event(), "a sample counts other events");
    hold!(game.pile() == sample.pile(), "another discard pile in a sample");
    if super::is_in_round(game) {
        let [here, there] = [game, sample].map(all_cards);
        hold!(here == there, "other cards in a sample:\n{here:?}\n{there:?}");
    }
    for (whose, card) in shown {
        hold!(sample.holds(*whose, *card), "seat {whose} was seen to take {card} and does not hold it in a sample");
    }
    Ok(())
}

/// How many of each kind there are.
fn all_cards(game: &Game) -> [u8; Card::PLACES] {
    let mut copies = [0; Card::PLACES];
    let mut count = |card: Card| copies[card.index()] += 1;
    for seat in Seat::all(game.rules().seats()) {
        game.hand(seat).cards().for_each(&mut count);
        game.sealed_hand(seat).cards().for_each(&mut count);
    }
    game.draw_pile_cards().chain(game.pile().iter().copied()).for_each(count);
    copies
}

/// Gives `sample` some more inputs.
fn play_on(sample: &mut Game, dice: &mut ChoiceStream<'_>) {
    for _ in 0..PLAYED_ON {
        if sample.is_over() {
            return;
        }
        let step = next_step(sample, dice);
        step.take(sample, &mut Vec::new());
    }
}
