//! What a person can do now, read off the newest ask: cards, words, calls, and everything else. It decides nothing by the
//! rules of its own; only what no ask lists, such as a point of order, is taken from the rule set.

use maumau_protocol::message::What;
use maumau_protocol::ruleset::{DealtBy, Loud};
use maumau_protocol::{Action, Card, CardSet, Choice, Reach, RuleFault, Seat, Text, Verb};

use super::PersonGame;

/// A card that the person holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CardInHand {
    /// The card.
    pub card: Card,
    /// What may be named with it where it may be played, `None` for nothing; empty where it may not be played.
    pub choices: Vec<Option<Choice>>,
}

/// A word that the rules want said.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DueWord {
    /// The word.
    pub text: Text,
    /// With what it is due.
    pub when: When,
    /// Whether it is on the tongue.
    pub is_chosen: bool,
}

/// When a word is due.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum When {
    /// Now, by itself.
    Now,
    /// With one of these cards; none where it goes with an action that plays no card.
    With(CardSet),
}

impl PersonGame {
    /// The cards of the hand, each with what may be done with it. Cards that may not be looked at are missing.
    pub fn hand(&self) -> Vec<CardInHand> {
        let choices = |card| self.plays().filter(|(played, _)| *played == card).map(|(_, choose)| choose).collect();
        self.view().hand.iter().map(|card| CardInHand { card: *card, choices: choices(*card) }).collect()
    }

    /// The legal ways to play cards.
    pub(super) fn plays(&self) -> impl Iterator<Item = (Card, Option<Choice>)> {
        self.legal().iter().filter_map(|action| match action.verb {
            Verb::Play { card, choose } => Some((card, choose)),
            _ => None,
        })
    }

    /// The legal actions as the ask lists them, with their words.
    pub fn legal(&self) -> &[Action] {
        self.ask().map_or(&[], |ask| &ask.legal)
    }

    /// Legal actions that play no card, say no word, call no mistake: draw, pass, look, take, choose, deal and so on.
    pub fn moves(&self) -> Vec<Verb> {
        let other =
            |verb: &&Verb| !matches!(verb, Verb::Play { .. } | Verb::Say { .. } | Verb::Call { .. } | Verb::Wait);
        self.legal().iter().map(|action| &action.verb).filter(other).cloned().collect()
    }

    /// The words that are due now or with an action that is legal now, each once, those that are due now first.
    pub fn words(&self) -> Vec<DueWord> {
        let mut words: Vec<DueWord> = Vec::new();
        let mut add = |text: &Text, when: When| match words.iter_mut().find(|word| word.text == *text) {
            None => words.push(DueWord { text: text.clone(), when, is_chosen: self.tongue().contains(text) }),
            Some(word) => {
                if let (When::With(cards), When::With(more)) = (&mut word.when, when) {
                    *cards = cards.union(more);
                }
            }
        };
        for action in self.legal() {
            if let Verb::Say { text } = &action.verb {
                add(text, When::Now);
            }
        }
        for action in self.legal() {
            let cards = match action.verb {
                Verb::Play { card, .. } => CardSet::of(card),
                _ => CardSet::EMPTY,
            };
            action.say.texts().iter().for_each(|text| add(text, When::With(cards)));
        }
        words
    }

    /// Calls of mistakes that would be upheld, as far as every seat could see the mistake.
    pub fn calls(&self) -> Vec<(Seat, Text)> {
        let calls = self.legal().iter().filter_map(|action| match &action.verb {
            Verb::Call { against, fault } => Some((*against, fault.clone())),
            _ => None,
        });
        calls.collect()
    }

    /// The mistakes that can be called by name, upheld or not.
    pub fn callable(&self) -> impl Iterator<Item = &'static str> {
        RuleFault::ALL.into_iter().map(RuleFault::name)
    }

    /// What no ask lists and the rule set knows: pauses, glares, movements, the parts of a deal by hand. Each may be a mistake
    /// now.
    pub fn unlisted(&self) -> Vec<Verb> {
        let Some(rules) = self.start().and_then(|start| start.rules.as_ref()) else { return Vec::new() };
        let seats = self.start().map_or(0, |start| start.names.len());
        let mut verbs = Vec::new();
        if rules.point_of_order.is_some() {
            verbs.push(Verb::PointOfOrder);
            verbs.extend([Reach::Draw, Reach::Play].map(|r#for| Verb::Reach { r#for }));
        }
        if rules.talk.as_ref().is_some_and(|talk| talk.loud == Loud::Glares) {
            let others = Seat::all(seats).filter(|seat| *seat != self.seat());
            verbs.extend(others.map(|at| Verb::Glare { at }));
        }
        if rules.deal.by != DealtBy::default() {
            verbs.extend([Verb::Count, Verb::PickUp]);
        }
        verbs
    }

    /// Whether the person could act although it is another seat's turn: play a card out of turn, say a word, call.
    pub fn may_interject(&self) -> bool {
        let something = |action: &Action| action.verb != Verb::Wait;
        self.ask().is_some_and(|ask| ask.what == What::React && ask.legal.iter().any(something))
    }
}
