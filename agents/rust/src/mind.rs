//! What a bot that remembers knows of its game: its observer, the games in which it tries actions, and how long it may think.
//! It chooses nothing; `careful`, `flat` and `tree` do.

use std::sync::Arc;
use std::time::{Duration, Instant};

use maumau_engine::{ChoiceStream, Game, Hand, Phase, Rules, Unseen, Verdict};
use maumau_observer::{Lost, Observer};
use maumau_protocol::message::{Ask, Start};
use maumau_protocol::{Action, Card, Seat, SeenEvent, View};

use crate::belief::suspicions;
use crate::greedy::several_plays;
use crate::table::CardValues;

/// The part of an ask's time after which it stops to think.
const PATIENCE: u32 = 2;

/// Plays of several cards that are tried in one choice.
const MOST_TOGETHER: usize = 10;

/// What a bot knows of its game, and where it tries things out.
#[derive(Debug)]
pub(crate) struct Mind {
    observer: Observer,
    pub(crate) dice: ChoiceStream<'static>,
    /// The last sample.
    pub(crate) world: Game,
    /// A copy of it, in which something is tried.
    pub(crate) trial: Game,
    /// The game itself, if the bot was shown it, and the seat whose hand it may know; `None` for all of them.
    shown: Option<(Game, Option<Seat>)>,
}

/// How many playouts a choice may take, and how long.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PlayoutBudget {
    /// All actions together.
    pub(crate) simulations: u32,
    began: Instant,
    /// `None` if all playouts are made however long they take.
    most: Option<Duration>,
}

/// How a choice came about.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Thought {
    /// The place of the best action in the list.
    pub(crate) best: usize,
    /// Playouts that were made.
    pub(crate) simulations: u32,
    /// The share of opponents that the best action beat in them.
    pub(crate) value: f32,
}

impl Mind {
    /// Before the game of `start`, if its rules are known.
    pub(crate) fn of(start: &Start) -> Option<Mind> {
        let rules = Rules::for_table(start.rules.as_ref()?, start.names.len(), Some(start.rounds)).ok()?;
        let seed = u64::from_str_radix(&start.seed, 16).unwrap_or_default();
        Some(Mind::new(Arc::new(rules), start.seat, ChoiceStream::new(&[seed])))
    }

    /// Of `seat`, before a match by `rules`; `dice` decide what is hidden.
    pub(crate) fn new(rules: Arc<Rules>, seat: Seat, dice: ChoiceStream<'static>) -> Mind {
        let empty = Game::new(Arc::clone(&rules), &maumau_engine::seed_of_number(0));
        Mind { observer: Observer::new(rules, seat), dice, world: empty.clone(), trial: empty, shown: None }
    }

    /// Takes note of `events`.
    pub(crate) fn see(&mut self, events: &[SeenEvent]) {
        events.iter().for_each(|event| self.observer.see(event));
    }

    /// Shows it `game`, whose hands it knows from now on, or only the hand of one seat.
    pub(crate) fn show(&mut self, game: &Game, only: Option<Seat>) {
        self.shown = Some((game.clone(), only));
    }

    /// Explains what was seen; with `table` it infers hands from what others did.
    pub(crate) fn catch_up(&mut self, table: Option<&CardValues>) -> Result<(), Lost> {
        match table {
            Some(table) => self.observer.catch_up_with(|game, seat, verb| suspicions(table, game, seat, verb)),
            None => self.observer.catch_up(),
        }
    }

    /// The position as far as it is known.
    pub(crate) fn position(&mut self) -> Result<&Game, Lost> {
        self.observer.position()
    }

    /// Whether the position that shows `seat` this view is known and cards are played in it.
    pub(crate) fn knows(&mut self, seat: Seat, view: &View) -> Result<bool, Lost> {
        let position = match &self.shown {
            Some((shown, None)) => shown,
            _ => {
                self.observer.look(view)?;
                self.observer.position()?
            }
        };
        Ok(position.phase() == Phase::Play && position.view(seat) == *view)
    }

    /// The most promising plays of several cards of `seat`, which is to move and sees `view`: those that the rules let it make.
    pub(crate) fn plays_of_several(
        &mut self,
        table: &CardValues,
        seat: Seat,
        view: &View,
    ) -> Result<Vec<Action>, Lost> {
        if table.several.is_empty() {
            return Ok(Vec::new());
        }
        let position = match &self.shown {
            Some((shown, None)) => shown,
            _ => self.observer.position()?,
        };
        let verbs = several_plays(table, position, seat, &position.legal(seat), MOST_TOGETHER);
        let actions = verbs.into_iter().map(|verb| table.several.with_words(verb, view));
        let accepts = |action: &Action| {
            let verdict = position.clone().apply(seat, action, position.last_event(), &mut Unseen);
            verdict == Verdict::Accepted
        };
        Ok(actions.filter(accepts).collect())
    }

    /// Makes `world` another sample.
    pub(crate) fn sample(&mut self) -> Result<(), Lost> {
        let Mind { observer, dice, world, shown, .. } = self;
        match shown {
            Some((shown, None)) => {
                with_another_pile(world, shown, dice);
                Ok(())
            }
            Some((shown, Some(seat))) => {
                observer.sample_into(world, dice)?;
                put_right(world, shown, observer.seat(), *seat, dice);
                Ok(())
            }
            None => observer.sample_into(world, dice),
        }
    }
}

/// Makes `world` a copy of `shown` in which all draw other cards.
fn with_another_pile(world: &mut Game, shown: &Game, dice: &mut ChoiceStream<'static>) {
    world.clone_from(shown);
    let mut pile: Vec<Card> = shown.draw_pile_cards().collect();
    dice.shuffle(&mut pile);
    let hands = Seat::all(shown.rules().seats()).map(|seat| (shown.hand(seat), shown.sealed_hand(seat)));
    world.retrace().place_cards(hands, pile.into_iter(), std::iter::empty());
    world.retrace().change_chance([dice.any(), dice.any(), dice.any(), dice.any()]);
}

/// Gives `seat` in the sample `world` of the seat `own` the hand that it has in `shown`: each wrong card changes places with a
/// right one.
fn put_right(world: &mut Game, shown: &Game, own: Seat, seat: Seat, dice: &mut ChoiceStream<'static>) {
    let seats = Seat::all(shown.rules().seats());
    let mut hands: Vec<[Hand; 2]> =
        seats.map(|seat| [world.hand(seat), world.sealed_hand(seat)].map(Hand::clone)).collect();
    let mut pile: Vec<Card> = world.draw_pile_cards().collect();
    let right = shown.hand(seat).clone();
    let wrong = std::mem::replace(&mut hands[seat.index()][0], right.clone());
    let more_than = |one: &Hand, other: &Hand| {
        let kinds = one.kinds().iter().map(|card| (card, one.copies(card).saturating_sub(other.copies(card))));
        kinds.flat_map(|(card, copies)| std::iter::repeat_n(card, copies.into())).collect::<Vec<Card>>()
    };
    for (missing, extra) in more_than(&right, &wrong).into_iter().zip(more_than(&wrong, &right)) {
        let others = hands
            .iter_mut()
            .enumerate()
            .filter(|(at, _)| ![own.index(), seat.index()].contains(at))
            .flat_map(|(_, both)| both);
        if let Some(at) = pile.iter().position(|card| *card == missing) {
            pile[at] = extra;
        } else if let Some(hand) = others.into_iter().find(|hand| hand.contains(missing)) {
            hand.remove(missing);
            hand.add(extra);
        }
    }
    dice.shuffle(&mut pile);
    world.retrace().place_cards(
        hands.iter().map(|[open, sealed]| (open, sealed)),
        pile.into_iter(),
        std::iter::empty(),
    );
    world.retrace().change_chance([dice.any(), dice.any(), dice.any(), dice.any()]);
}

impl PlayoutBudget {
    /// From now on, for `ask`; without a limit of time if all playouts are made.
    pub(crate) fn of(ask: &Ask, simulations: u32, is_fixed: bool) -> PlayoutBudget {
        let most = (!is_fixed).then(|| Duration::from_millis(ask.time_ms) / PATIENCE);
        PlayoutBudget { simulations, began: Instant::now(), most }
    }

    /// Whether the time for thinking has passed.
    pub(crate) fn is_late(&self) -> bool {
        self.most.is_some_and(|most| self.began.elapsed() > most)
    }
}
