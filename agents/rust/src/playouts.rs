//! Chooses by playing on: the hidden cards are dealt at random many times, to agree with everything seen, and each action is
//! followed by a round that all seats play. Used by `sample`, `ismcts` and `search`, which differ in how long they think, in what
//! they suspect of hands, and in how they search: `flat` and `tree`. With a fixed number of playouts no clock has a say, and
//! every machine makes the same choices.

use maumau_engine::Game;
use maumau_observer::Lost;
use maumau_protocol::message::{Ask, Start, Tell};
use maumau_protocol::ruleset::RuleSet;
use maumau_protocol::{Action, Seat, SeenEvent, View};
use maumau_sdk::{Agent, first_legal};

use crate::careful::duty;
use crate::flat;
use crate::greedy::Greedy;
use crate::mind::{Mind, PlayoutBudget, Thought};
use crate::tree::SearchTree;

/// How a bot thinks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Thinking {
    /// How it searches.
    pub method: SearchMethod,
    /// Playouts for a choice, all actions together.
    pub simulations: u32,
    /// The same where seats act between turns, which makes each playout cost more.
    pub in_races: u32,
    /// Whether it makes all of them however long they take. Otherwise it stops after a part of the time that an ask gives.
    pub is_fixed: bool,
    /// Whether it infers hands from what others do.
    pub infers: bool,
}

/// How a bot searches.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SearchMethod {
    /// Each action is tried in the same deals, and all seats play on greedily.
    Flat,
    /// A tree of what all seats may do grows over the deals, and all seats play on roughly.
    Tree,
}

impl Thinking {
    /// As the bot `sample` thinks.
    pub const SAMPLE: Thinking =
        Thinking { method: SearchMethod::Flat, simulations: 600, in_races: 240, is_fixed: false, infers: false };
    /// As the bot `ismcts` thinks.
    pub const ISMCTS: Thinking =
        Thinking { method: SearchMethod::Tree, simulations: 10_000, in_races: 2_500, is_fixed: false, infers: false };
    /// As the bot `search` thinks.
    pub const SEARCH: Thinking =
        Thinking { method: SearchMethod::Flat, simulations: 14_000, in_races: 2_500, is_fixed: false, infers: true };

    /// As the bot `name` thinks; `None` if it does not think ahead.
    pub fn of(name: &str) -> Option<Thinking> {
        match name {
            "sample" => Some(Thinking::SAMPLE),
            "ismcts" => Some(Thinking::ISMCTS),
            "search" => Some(Thinking::SEARCH),
            _ => None,
        }
    }

    /// The same, but always with so many playouts.
    pub const fn fixed(self, simulations: u32) -> Thinking {
        Thinking { simulations, in_races: simulations, is_fixed: true, ..self }
    }
}

/// Chooses by playing on.
#[derive(Debug)]
pub struct Playouts {
    thinking: Thinking,
    greedy: Greedy,
    mind: Option<Mind>,
    tree: SearchTree,
    /// How the last choice came about, for its note.
    thought: Option<Thought>,
}

impl Playouts {
    /// The player of one game.
    pub fn new(start: &Start, mut thinking: Thinking) -> Playouts {
        if start.rules.as_ref().is_some_and(|rules| acts_between_turns(rules)) {
            thinking.simulations = thinking.in_races;
        }
        Playouts {
            thinking,
            greedy: Greedy::new(start),
            mind: Mind::of(start),
            tree: SearchTree::default(),
            thought: None,
        }
    }

    /// As [`Agent::choose`] of a player that sees the hands of `game`, which is the game that it plays, or only the hand of one seat,
    /// but not what will be drawn: for measurements, as the upper end of what knowledge of hands is worth.
    pub fn choose_with_true_hands(&mut self, game: &Game, only: Option<Seat>, ask: &Ask) -> Action {
        if let Some(mind) = &mut self.mind {
            mind.show(game, only);
        }
        self.choose(ask)
    }

    fn see(&mut self, events: &[SeenEvent]) {
        if let Some(mind) = &mut self.mind {
            mind.see(events);
        }
    }

    /// What it does, if there is something to choose; an error where the position is not known.
    fn think(&mut self, ask: &Ask, view: &View) -> Result<Option<Action>, Lost> {
        let Some(mind) = &mut self.mind else { return Ok(None) };
        let Thinking { method, simulations, is_fixed, infers, .. } = self.thinking;
        self.greedy.read_rules(view);
        mind.catch_up(infers.then(|| self.greedy.table()))?;
        if ask.legal.is_empty() || !mind.knows(ask.seat, view)? {
            return Ok(None);
        }
        let usual = self.greedy.best_play(ask, view, |_, worth| worth);
        let together = match view.turn == Some(ask.seat) {
            true => mind.plays_of_several(self.greedy.table(), ask.seat, view)?,
            false => Vec::new(),
        };
        let other = usual.iter().chain(&together).filter(|action| !ask.legal.contains(action));
        let mut actions: Vec<&Action> = ask.legal.iter().collect();
        for action in other {
            if !actions.contains(&action) {
                actions.push(action);
            }
        }
        if actions.len() < 2 {
            return Ok(None);
        }
        let budget = PlayoutBudget::of(ask, simulations, is_fixed);
        let table = self.greedy.table();
        let thought = match method {
            SearchMethod::Flat => {
                let usual = usual.as_ref().and_then(|usual| actions.iter().position(|action| *action == usual));
                flat::best_of(mind, table, ask.seat, &actions, usual.unwrap_or_default(), budget)
            }
            SearchMethod::Tree => self.tree.best_of(mind, table, ask.seat, &actions, budget),
        }?;
        self.thought = Some(thought);
        Ok(actions.get(thought.best).map(|action| (*action).clone()))
    }
}

/// Whether cards of other seats or words are due between turns, which makes each playout cost more.
pub fn acts_between_turns(rules: &RuleSet) -> bool {
    rules.interject.is_some() || rules.duties.identical.is_some()
}

impl Agent for Playouts {
    fn choose(&mut self, ask: &Ask) -> Action {
        self.see(&ask.events);
        self.thought = None;
        let Some(view) = &ask.view else { return first_legal(ask) };
        if let Some(duty) = duty(ask) {
            return duty.clone();
        }
        match self.think(ask, view) {
            Ok(Some(action)) => action,
            // Nothing to choose, or a position that is not known.
            Ok(None) | Err(_) => self.greedy.choose(ask),
        }
    }

    fn note(&mut self) -> Option<serde_json::Value> {
        let Thought { simulations, value, .. } = self.thought?;
        Some(serde_json::json!({ "simulations": simulations, "value": (value * 1000.0).round() / 1000.0 }))
    }

    fn tell(&mut self, tell: &Tell) {
        self.see(&tell.events);
    }
}
