//! What an action is worth to a seat that knows no more than it has seen: the hidden cards are dealt at random, to agree with
//! that, and the action is followed by a round that all seats play greedily. It chooses nothing, and reads no clock; the arena judges
//! recorded decisions by it, in the deals and by the playouts of `search`.

use std::sync::Arc;

use maumau_engine::{ChoiceStream, Game, Rules};
use maumau_observer::Lost;
use maumau_protocol::{Action, Seat, SeenEvent, Verb, View};

use crate::flat::{outcome, outcome_of};
use crate::mind::Mind;
use crate::stakes::Stakes;
use crate::table::CurrentValues;

/// The standing of each seat at a moment of a recorded game, by which the end of the round is judged as that of a playout is.
#[derive(Clone, Copy, Debug)]
pub struct RoundStakes(Stakes);

impl RoundStakes {
    /// As they are in `game`.
    pub fn of(game: &Game) -> RoundStakes {
        RoundStakes(Stakes::of(game))
    }

    /// What came of the round for `seat`: the share of the other seats that were beaten, from 0 to 1. The round has ended in `game`, and
    /// the next one may have begun.
    pub fn outcome(&self, game: &Game, seat: Seat) -> f32 {
        self.0.share_after_round(game, seat)
    }
}

/// What one seat knows of its game, and a table on which its actions are tried.
///
/// Give it every event that the seat sees, in order. Then [`Evaluator::stands_at`] finds the position of an ask,
/// [`Evaluator::deal`] deals the hidden cards, and [`Evaluator::outcome`] tries an action in that deal, as often as wanted.
#[derive(Debug)]
pub struct Evaluator {
    seat: Seat,
    mind: Mind,
    table: CurrentValues,
}

impl Evaluator {
    /// What `seat` knows before a match by `rules`; `dice` decide what is hidden.
    pub fn new(rules: Arc<Rules>, seat: Seat, dice: ChoiceStream<'static>) -> Evaluator {
        let table = CurrentValues::of(&rules);
        Evaluator { seat, mind: Mind::new(rules, seat, dice), table }
    }

    /// Takes note of the next event.
    pub fn see(&mut self, event: &SeenEvent) {
        self.mind.see(std::slice::from_ref(event));
    }

    /// Explains the events seen so far; if it `infers`, others' actions make cards of their hands more or less likely.
    ///
    /// # Errors
    /// As for [`maumau_observer::Observer::catch_up`].
    pub fn catch_up(&mut self, infers: bool) -> Result<(), Lost> {
        self.mind.catch_up(infers.then_some(self.table.now()))
    }

    /// Whether the events have led to the position that shows the seat `view`, in which play is going on.
    ///
    /// # Errors
    /// As for [`maumau_observer::Observer::catch_up`].
    pub fn stands_at(&mut self, view: &View) -> Result<bool, Lost> {
        self.table.read(&view.rules);
        self.mind.knows(self.seat, view)
    }

    /// `verb` with the words that are due with it now.
    ///
    /// # Errors
    /// As for [`maumau_observer::Observer::catch_up`].
    pub fn with_words(&mut self, verb: Verb) -> Result<Action, Lost> {
        let say = self.mind.position()?.words_due(self.seat, &verb);
        Ok(Action { verb, say })
    }

    /// Deals by other dice from now on.
    pub fn deal_by(&mut self, dice: ChoiceStream<'static>) {
        self.mind.dice = dice;
    }

    /// Deals the hidden cards at random, as likely as the seat must think.
    ///
    /// # Errors
    /// As for [`maumau_observer::Observer::catch_up`].
    pub fn deal(&mut self) -> Result<(), Lost> {
        self.mind.sample()
    }

    /// What comes of `action` in this deal: the share of the other seats that are beaten, from 0 to 1.
    pub fn outcome(&mut self, action: &Action) -> f32 {
        self.mind.trial.clone_from(&self.mind.world);
        outcome(&mut self.mind.trial, self.seat, action, self.table.now())
    }

    /// As [`Evaluator::outcome`], after whatever `change` does to the game.
    pub fn outcome_after(&mut self, change: impl FnOnce(&mut Game)) -> f32 {
        self.mind.trial.clone_from(&self.mind.world);
        outcome_of(&mut self.mind.trial, self.seat, self.table.now(), |game, _| change(game))
    }
}
