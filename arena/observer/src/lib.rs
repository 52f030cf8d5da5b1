//! One seat's knowledge of a match: from the events that the seat sees it keeps a whole game that agrees with all of them,
//! and makes others that do.
//!
//! The public part of that game is exact: it is played by the same code as every game. For each step the observer finds the
//! input that leads to the events which were seen (`inputs`, `alike`), gives it to its game, and then puts the cards where
//! the seat knows them to be (`follow`), all others where they may be (`places`). A sample (`sampler`) exchanges the hidden ones. It
//! does not know how its seat or others choose.

mod alike;
mod follow;
mod inputs;
mod places;
mod playout;
mod sampler;
mod spots;

use std::sync::Arc;

use maumau_engine::{ChoiceStream, Foreseen, Game, Phase, Rules, SeenTake, seed_of_number};
use maumau_protocol::{
    Action, Card, CardSet, Event, EventNumber, Hidden, RoundEnd, Seat, SeatSet, SeenEvent, Text, Verb, View,
};

use alike::are_alike;
use inputs::{
    MOST_OF_AN_INPUT, ObservedInput, candidates, defining, draws_from_pile, is_ambiguous, pays_for_naming, played_on,
    played_together, shows_sealed,
};
use places::CardPlaces;
pub use playout::{Policy, play_out};
use sampler::Sampler;

/// An event that cannot follow from those before it by these rules, or that an observer cannot explain. Its position is
/// not known until the next round begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Lost {
    /// The number of the event.
    pub event: EventNumber,
}

impl std::fmt::Display for Lost {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "event {} does not follow from the events before it", self.event.0)
    }
}

impl std::error::Error for Lost {}

/// What an action lets one suspect of a hand.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Suspicion {
    /// Kinds of cards.
    pub kinds: CardSet,
    /// How many times as likely as before each hidden card of the hand is to be one of them; 0 rules them out.
    pub factor: f32,
}

/// An action of a seat that was seen to be carried out. Only what is public of the positions is true.
#[derive(Clone, Copy, Debug)]
pub struct SeenStep<'a> {
    /// The position before it.
    pub before: &'a Game,
    /// Whose action it is.
    pub seat: Seat,
    /// What was done, with the words that were said with it.
    pub action: &'a Action,
    /// The position after it.
    pub after: &'a Game,
}

/// One seat's knowledge of a match.
///
/// Give it every event that the seat sees, in order, then ask for samples: games that show the seat the same view, in which
/// it has the same legal actions, and in which everything that it has seen is true. All else in them is random: hidden
/// cards, and whatever will be drawn. Cards are remembered: what lay on the discard pile when it was turned over is in the
/// draw pile, and not in a hand that has not drawn since. Mistakes that may be called ([`Game::calls`]) can differ: events do
/// not say how much a seat had seen when it acted.
///
/// ```
/// use std::sync::Arc;
///
/// use maumau_engine::rules::load_built_in;
/// use maumau_engine::{ChoiceStream, Game, Rules, seed_of_number};
/// use maumau_observer::Observer;
/// use maumau_protocol::{Event, Seat};
///
/// let set = Arc::new(load_built_in("basic", &[]).expect("a built-in set").set);
/// let rules = Arc::new(Rules::for_table(&set, 2, None).expect("two may play"));
/// let mut table = Game::new(Arc::clone(&rules), &seed_of_number(1));
/// let mut events: Vec<Event> = Vec::new();
/// table.start_round(&mut events);
///
/// let seat = Seat::FIRST;
/// let mut observer = Observer::new(Arc::clone(&rules), seat);
/// events.iter().for_each(|event| observer.see(&event.seen_by(seat)));
///
/// let (mut dice, mut game) = (ChoiceStream::new(&[1]), Game::new(rules, &seed_of_number(0)));
/// observer.sample_into(&mut game, &mut dice).expect("the events are those of a game");
/// assert_eq!(game.view(seat), table.view(seat));
/// ```
#[derive(Clone, Debug)]
pub struct Observer {
    seat: Seat,
    game: Box<Game>,
    places: CardPlaces,
    /// The cards and the position when a wrong card was played that still may be taken back.
    before: Option<Box<CardPlaces>>,
    /// Events that have not been explained yet.
    seen: Vec<SeenEvent>,
    /// Events that have been.
    number: u32,
    /// What a seat was just seen to name at a cost.
    named: Option<Naming>,
    lost: Option<Lost>,
    dice: ChoiceStream<'static>,
    sampler: Option<Sampler>,
    spare: Spare,
}

/// What was named where naming something that one does not hold costs cards.
#[derive(Clone, Copy, Debug)]
struct Naming {
    seat: Seat,
    /// What serves the request.
    kinds: CardSet,
    /// Whether the seat holds some of it.
    holds: bool,
}

/// Games whose memory is used again; a copy of an observer has none.
#[derive(Debug, Default)]
#[expect(clippy::vec_box, reason = "a game is handed on, not moved: it is large")]
struct Spare(Vec<Box<Game>>);

impl Clone for Spare {
    fn clone(&self) -> Spare {
        Spare::default()
    }
}

impl Spare {
    /// A copy of `game`.
    fn copy_of(&mut self, game: &Game) -> Box<Game> {
        match self.0.pop() {
            Some(mut copy) => {
                (*copy).clone_from(game);
                copy
            }
            None => Box::new(game.clone()),
        }
    }

    /// Keeps the memory of `game`.
    fn keep(&mut self, game: Box<Game>) {
        self.0.push(game);
    }
}

impl Observer {
    /// The knowledge of `seat` before a match by `rules`.
    pub fn new(rules: Arc<Rules>, seat: Seat) -> Observer {
        let seats = rules.seats();
        Observer {
            seat,
            game: Box::new(Game::new(rules, &seed_of_number(0))),
            places: CardPlaces::new(seats),
            before: None,
            seen: Vec::new(),
            number: 0,
            named: None,
            lost: None,
            dice: ChoiceStream::new(&[seat.index() as u64]),
            sampler: None,
            spare: Spare::default(),
        }
    }

    /// The seat whose knowledge it is.
    pub fn seat(&self) -> Seat {
        self.seat
    }

    /// The rules of the match.
    pub fn rules(&self) -> &Arc<Rules> {
        self.game.rules()
    }

    /// Takes note of the next event; it is explained when the position is asked for.
    pub fn see(&mut self, event: &SeenEvent) {
        self.seen.push(event.clone());
    }

    /// Explains the events seen so far.
    ///
    /// # Errors
    /// An event cannot be explained, or what followed from the last input has not been seen completely.
    pub fn catch_up(&mut self) -> Result<(), Lost> {
        self.catch_up_by(&mut |_| Vec::new())
    }

    /// As [`Observer::catch_up`]; asks `suspect` about each action, with the position before it, who did it, and what was
    /// done, for what it lets one suspect of the hand that its seat keeps. Only what is public of the position is true.
    ///
    /// # Errors
    /// As for [`Observer::catch_up`].
    pub fn catch_up_with(&mut self, mut suspect: impl FnMut(&Game, Seat, &Verb) -> Vec<Suspicion>) -> Result<(), Lost> {
        let own = self.seat;
        self.catch_up_by(&mut |step| match step.seat == own {
            true => Vec::new(),
            false => suspect(step.before, step.seat, &step.action.verb),
        })
    }

    /// As [`Observer::catch_up`]; shows `each` every action of a seat that was carried out, its own ones included.
    ///
    /// # Errors
    /// As for [`Observer::catch_up`].
    pub fn catch_up_showing(&mut self, mut each: impl FnMut(SeenStep<'_>)) -> Result<(), Lost> {
        self.catch_up_by(&mut |step| {
            each(step);
            Vec::new()
        })
    }

    fn catch_up_by(&mut self, suspect: &mut impl FnMut(SeenStep<'_>) -> Vec<Suspicion>) -> Result<(), Lost> {
        let seen = std::mem::take(&mut self.seen);
        let mut read = 0;
        while read < seen.len() {
            if self.lost.is_some() {
                read += self.pass_over(&seen[read..]);
                continue;
            }
            match self.explain(&seen[read..], suspect) {
                Explained::Events(count) => {
                    read += count;
                    self.number += count as u32;
                    self.sampler = None;
                }
                Explained::Incomplete => {
                    let event = EventNumber(self.number + 1);
                    self.seen = seen[read..].to_vec();
                    return Err(Lost { event });
                }
                Explained::Not => self.lost = Some(Lost { event: EventNumber(self.number + 1) }),
            }
        }
        self.seen = seen;
        self.seen.clear();
        self.lost.map_or(Ok(()), Err)
    }

    /// Takes note of what the seat sees of the present position. Events alone leave one thing open: the cards that a dealer
    /// deals by actions.
    ///
    /// # Errors
    /// As for [`Observer::catch_up`].
    pub fn look(&mut self, view: &View) -> Result<(), Lost> {
        self.catch_up()?;
        if !view.hand.is_empty() && !self.places.knows_hand(self.seat, &view.hand) {
            self.places.reveal(self.seat, &view.hand, false, &mut self.dice);
            self.place_all(None, 0);
            self.sampler = None;
        }
        Ok(())
    }

    /// Whether the events seen so far leave nothing open that the seat sees of the position ([`Observer::look`]).
    pub fn is_certain(&self) -> bool {
        self.game.phase() != Phase::Deal
    }

    /// A game that agrees with everything seen so far, always the same one: the public part of it is true, hidden cards are
    /// where they may be.
    ///
    /// # Errors
    /// As for [`Observer::catch_up`].
    pub fn position(&mut self) -> Result<&Game, Lost> {
        self.catch_up()?;
        Ok(&self.game)
    }

    /// What the seat sees of the position.
    ///
    /// # Errors
    /// As for [`Observer::catch_up`].
    pub fn view(&mut self) -> Result<View, Lost> {
        let seat = self.seat;
        self.position().map(|game| game.view(seat))
    }

    /// Makes `game`, of any table by the same rules, a game that agrees with everything seen so far; `dice` decide what is
    /// hidden, and everything random that follows. `game` keeps its memory.
    ///
    /// # Errors
    /// As for [`Observer::catch_up`].
    pub fn sample_into(&mut self, game: &mut Game, dice: &mut ChoiceStream<'_>) -> Result<(), Lost> {
        self.catch_up()?;
        let sampler = self.sampler.get_or_insert_with(|| Sampler::new(&self.places, self.game.turn()));
        game.clone_from(&self.game);
        sampler.deal(game, dice);
        Ok(())
    }

    /// Passes over events of a round that could not be explained, as far as later rounds need nothing of them.
    fn pass_over(&mut self, events: &[SeenEvent]) -> usize {
        match &events[0] {
            Event::RoundStarted { .. } => {
                self.lost = None;
                return 0;
            }
            Event::Reversed { direction } => self.game.retrace().know_direction(*direction),
            Event::RoundOver { winners, .. } => self.game.retrace().know_winners(*winners),
            Event::Scored { seat, total, .. } => self.game.retrace().know_totals(&[(*seat, *total)], false),
            Event::MatchOver { .. } => self.game.retrace().know_totals(&[], true),
            Event::RuleOffered { by, offer } => self.game.retrace().know_offer(*by, offer),
            Event::RuleAdded { rule, .. } => self.game.retrace().know_rule(rule),
            _ => {}
        }
        self.number += 1;
        self.game.retrace().know_number(EventNumber(self.number));
        1
    }

    /// Finds the input that led to the first of `events` and carries it out.
    fn explain(&mut self, events: &[SeenEvent], suspect: &mut impl FnMut(SeenStep<'_>) -> Vec<Suspicion>) -> Explained {
        // What is done with a card may come only after the next input, which may bring it.
        let done = self.shown_by(events).map_or(0, |event| place_of(event, events));
        let unprepared =
            events[..done].iter().any(|event| !matches!(event, Event::Said { .. })).then(|| self.places.clone());
        self.prepare(events);
        self.named = self.naming_of(events);
        self.place(events);
        self.try_inputs(events, unprepared.map(|places| (done, places)), suspect)
    }

    /// Carries out the input that explains most of `events`. If it ends before the event number `done` of them, for which the
    /// cards were prepared, they are put back as they were.
    fn try_inputs(
        &mut self,
        events: &[SeenEvent],
        unprepared: Option<(usize, CardPlaces)>,
        suspect: &mut impl FnMut(SeenStep<'_>) -> Vec<Suspicion>,
    ) -> Explained {
        let ambiguous = is_ambiguous(events);
        let mut made = Vec::new();
        let mut incomplete = false;
        let mut best: Option<(usize, ObservedInput, Box<Game>)> = None;
        for input in candidates(&self.game, events) {
            if best.is_some() && !ambiguous {
                break;
            }
            let mut then = self.spare.copy_of(&self.game);
            then.retrace().change_chance([self.dice.any(), self.dice.any(), self.dice.any(), self.dice.any()]);
            let explained = self.try_input(&input, &mut then, events, &mut made);
            let mut other = then;
            if let Explained::Events(count) = explained
                && best.as_ref().is_none_or(|(most, ..)| count > *most)
            {
                match best.replace((count, input, other)) {
                    Some((.., last)) => other = last,
                    None => continue,
                }
            }
            incomplete |= explained == Explained::Incomplete;
            self.spare.keep(other);
        }
        let Some((count, input, then)) = best else {
            return if incomplete { Explained::Incomplete } else { Explained::Not };
        };
        if let Some((_, places)) = unprepared.filter(|(done, _)| count <= *done) {
            (self.places, self.named) = (places, None);
        }
        self.note(&input, &then, suspect);
        let lies_anew = then.may_be_taken_back_to().filter(|since| Some(*since) != self.game.may_be_taken_back_to());
        self.spare.keep(std::mem::replace(&mut self.game, then));
        if self.follow(&events[..count], lies_anew.is_some()) { Explained::Events(count) } else { Explained::Not }
    }

    /// Gives `input` to `game`, and compares what it makes with `events`, which show what depends on hidden cards.
    fn try_input(
        &self,
        input: &ObservedInput,
        game: &mut Game,
        events: &[SeenEvent],
        made: &mut Vec<Event>,
    ) -> Explained {
        made.clear();
        let holds_named = self.named.map(|naming| naming.holds);
        let (takes, lowest, upheld) = (self.takes_of(events), lowest_of(events), challenge_of(events));
        let foreseen = Foreseen { holds_named, takes, upheld, lowest, offered: offered_by(events) };
        game.retrace().foresee((foreseen != Foreseen::default()).then_some(foreseen));
        input.take(game, made);
        game.retrace().foresee(None);
        self.compare(made, events)
    }

    /// The cards that go from hand to hand with `events`, the first of them last.
    fn takes_of(&self, events: &[SeenEvent]) -> Vec<SeenTake> {
        let played = match self.shown_by(events) {
            Some(Event::Played { seat, card, .. }) => Some((*seat, *card)),
            _ => None,
        };
        let takes = events.iter().take(MOST_OF_AN_INPUT).filter_map(|event| match event {
            Event::Taken { from, card, sealed, .. } => {
                let stays = played.filter(|(seat, _)| seat == from).map(|(_, card)| card);
                Some(SeenTake { card: card.get().copied(), sealed: *sealed, stays })
            }
            _ => None,
        });
        let mut takes: Vec<SeenTake> = takes.collect();
        takes.reverse();
        takes
    }

    /// The first of `events` that says what was done, by a seat or by the referee for a dismissed one.
    fn shown_by<'a>(&self, events: &'a [SeenEvent]) -> Option<&'a SeenEvent> {
        defining(played_on(&self.game, events).map_or(events, |(_, action)| action))
    }

    /// Settles beforehand what the events show of hands: a card that is played is held.
    fn prepare(&mut self, events: &[SeenEvent]) {
        // A seat that draws in place of a further card that it must play can play none (D-65).
        let action = played_on(&self.game, events).map_or(events, |(_, action)| action);
        let first = action.iter().find(|event| !matches!(event, Event::Said { .. }));
        if let Some(Event::Drew { seat, .. } | Event::Waived { seat, .. }) = first {
            let barred = self.game.barred_by_draw(*seat);
            if !barred.is_empty() {
                self.places.suspect_beside(*seat, None, barred, 0.0, &mut self.dice);
            }
        }
        // One that draws again, or passes, cannot play the card that it has drawn (G-54).
        if let Some(Event::Drew { seat, .. } | Event::Waived { seat, .. } | Event::Passed { seat }) = first {
            let barred = self.game.barred_for_drawn_card(*seat);
            if !barred.is_empty() {
                self.places.bar_last(*seat, barred, &mut self.dice);
            }
            let (kinds, beside) = self.game.excused_for_drawn_card(*seat);
            if !kinds.is_empty() {
                self.places.excuse_last(*seat, kinds, beside, &mut self.dice);
            }
        }
        let Some(event) = self.shown_by(events) else { return };
        match event {
            Event::Played { seat, card, stands_for, .. } => {
                // A draw for which nothing was left was an input of its own, and ended the turn (G-07).
                let in_a_later_turn = matches!(first, Some(Event::Waived { seat: whose, .. }) if whose == seat);
                if self.game.plays_as_drawn_card(*seat, *card) && *seat != self.seat && !in_a_later_turn {
                    self.places.make_last(*seat, *card, &mut self.dice);
                }
                self.places.show(*seat, *card, false, &mut self.dice);
                // G-67: nobody plays it beside a card of the suit, where that is refused.
                let barred = self.game.shown_without(stands_for.unwrap_or(*card));
                if !barred.is_empty() {
                    self.places.suspect_beside(*seat, Some(*card), barred, 0.0, &mut self.dice);
                }
            }
            // G-67: it is judged by the hand as it was right after the card.
            Event::Challenged { upheld, .. } => match (self.game.in_doubt(), upheld) {
                (Some((against, kinds, _)), true) => self.places.require(against, kinds, &mut self.dice),
                (Some((against, kinds, since)), false) => {
                    self.places.bar_older(against, since, kinds, &mut self.dice);
                }
                (None, _) => {}
            },
            Event::Together { seat, count, .. } => {
                let (cards, _) = played_together(event, usize::from(*count), events);
                self.places.show_all(*seat, &cards, &mut self.dice);
            }
            Event::Refused { seat, card, reason, shown } => {
                let sealed = shows_sealed(*reason).filter(|_| *shown || *seat == self.seat);
                if let (Some(sealed), Some(card)) = (sealed, card.get()) {
                    self.places.show(*seat, *card, sealed, &mut self.dice);
                }
            }
            _ => {}
        }
    }

    /// What the first of `events` in which something is named names at a cost, if it does.
    fn naming_of(&self, events: &[SeenEvent]) -> Option<Naming> {
        let top = self.game.stands_for().or(self.game.pile().last().copied());
        let (at, seat, card, choice) =
            events.iter().take(MOST_OF_AN_INPUT).enumerate().find_map(|(at, event)| match event {
                Event::Played { seat, card, stands_for, choose: Some(choice) } => {
                    Some((at, *seat, stands_for.or(Some(*card)), *choice))
                }
                Event::Chose { seat, choose } | Event::Named { seat, choose } => Some((at, *seat, top, *choose)),
                _ => None,
            })?;
        let kinds = self.game.served_at_a_cost(card?, choice)?;
        Some(Naming { seat, kinds, holds: !pays_for_naming(seat, &events[at..]) })
    }

    /// What was named shows whether the hand that its seat now has serves it.
    fn learn_of_naming(&mut self) {
        match self.named.take() {
            Some(Naming { seat, kinds, holds: true }) => self.places.require(seat, kinds, &mut self.dice),
            Some(Naming { seat, kinds, holds: false }) => {
                self.places.suspect_beside(seat, None, kinds, 0.0, &mut self.dice);
            }
            None => {}
        }
    }

    /// Puts the cards of the game where they are believed to be; the first card that is turned up next, if one is, lies so
    /// that it will be.
    fn place(&mut self, events: &[SeenEvent]) {
        let turned_up = match self.game.phase() {
            Phase::Deal | Phase::TurnUp => events.iter().position(|event| matches!(event, Event::TurnedUp { .. })),
            _ => None,
        };
        let next = turned_up.and_then(|at| match &events[at] {
            Event::TurnedUp { card } => {
                Some((*card, events[..at].iter().filter(|event| draws_from_pile(event)).count()))
            }
            _ => None,
        });
        if let Some((card, _)) = next {
            self.places.make_next(card, &mut self.dice);
        }
        let (next, before) = (next.map(|(card, _)| card), next.map_or(0, |(_, before)| before));
        self.place_all(next, before);
    }

    fn place_all(&mut self, next: Option<Card>, before: usize) {
        let hands = self.places.hands();
        let pile = self.places.pile_with(next, before);
        self.game.retrace().place_cards(
            hands.iter().map(|(open, sealed)| (open, sealed)),
            pile.into_iter(),
            self.places.under().iter().copied(),
        );
        if let Some((against, _, since)) = self.game.in_doubt()
            && since > 0
        {
            self.game.retrace().place_since_doubt(&self.places.newest_of(against, since));
        }
        if self.game.holds_drawn_card()
            && let Some(card) = self.game.turn().and_then(|mover| self.places.last_of(mover))
        {
            self.game.retrace().place_last_drawn(card);
        }
    }

    /// How many of `seen` are explained by `made`, the events that an input leads to.
    fn compare(&self, made: &[Event], seen: &[SeenEvent]) -> Explained {
        if made.is_empty() {
            return Explained::Not;
        }
        for (index, event) in made.iter().enumerate() {
            match (event, seen.get(index)) {
                // Whether the match is over depends on points that are not known here.
                (Event::MatchOver { .. }, Some(Event::MatchOver { .. })) => {}
                (Event::MatchOver { .. }, _) => return Explained::Events(index),
                (_, None) => return Explained::Incomplete,
                (_, Some(other)) if !are_alike(event, other, self.seat) => return Explained::Not,
                _ => {}
            }
        }
        let ended = matches!(made.last(), Some(Event::Scored { .. }));
        let over = ended && matches!(seen.get(made.len()), Some(Event::MatchOver { .. }));
        Explained::Events(made.len() + usize::from(over))
    }

    /// Lets `suspect` judge the action that `input` is.
    fn note(&mut self, input: &ObservedInput, after: &Game, suspect: &mut impl FnMut(SeenStep<'_>) -> Vec<Suspicion>) {
        let Some((seat, action)) = input.action() else { return };
        for Suspicion { kinds, factor } in suspect(SeenStep { before: &self.game, seat, action, after }) {
            match &action.verb {
                Verb::Play { card, .. } => self.places.suspect_beside(seat, Some(*card), kinds, factor, &mut self.dice),
                _ => self.places.suspect_beside(seat, None, kinds, factor, &mut self.dice),
            }
        }
    }
}

/// The seats that win the round which the first of `events` may end because nobody can do anything any more.
fn lowest_of(events: &[SeenEvent]) -> SeatSet {
    let winners = events.iter().take(MOST_OF_AN_INPUT).find_map(|event| match event {
        Event::RoundOver { winners, end: RoundEnd::Blocked } => Some(*winners),
        _ => None,
    });
    winners.unwrap_or(SeatSet::EMPTY)
}

/// Whether the first challenge among `events` is upheld.
fn challenge_of(events: &[SeenEvent]) -> Option<bool> {
    events.iter().take(MOST_OF_AN_INPUT).find_map(|event| match event {
        Event::Challenged { upheld, .. } => Some(*upheld),
        _ => None,
    })
}

/// The rules of the menu that are offered after this round, if the first of `events` belongs to it.
fn offered_by(events: &[SeenEvent]) -> Vec<Text> {
    let round = events.iter().take_while(|event| !matches!(event, Event::RoundStarted { .. }));
    let mut offers = round.filter_map(|event| match event {
        Event::RuleOffered { offer, .. } => Some(offer.to_vec()),
        _ => None,
    });
    offers.next().unwrap_or_default()
}

/// The number of `event` among `events`.
fn place_of(event: &SeenEvent, events: &[SeenEvent]) -> usize {
    events.iter().position(|other| std::ptr::eq(other, event)).unwrap_or(0)
}

/// What was found of the next events.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Explained {
    /// One input explains this many of them.
    Events(usize),
    /// More must follow than has been seen.
    Incomplete,
    /// Nothing explains them.
    Not,
}

/// The example of the crate's README is a test.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
