//! A person at the table, as far as every client of a person is the same: what the seat knows, what it can do now, which
//! words are due, whose time runs. Lines are read and written by the client, which also draws; no clock is read here.
//!
//! A client reads `hello`, answers [`ready`], and gives every later message to [`PersonGame::hear`], with its own milliseconds. It
//! shows what [`PersonGame`] says, and sends what [`PersonGame::answer`] makes of the person's choice:
//!
//! ```
//! use maumau_agents::person::{PersonGame, ready};
//! use maumau_protocol::message::{ArenaMessage, ClockMode};
//! use maumau_protocol::wire;
//!
//! # fn main() -> Result<(), serde_json::Error> {
//! let ready = ready("human");
//! let mut table = PersonGame::new(ClockMode::Live);
//! let line = r#"{"type":"ask","game":"g","id":"00000000000000ff","seat":0,"what":"turn","time_ms":5000,"as_of":3,
//!     "legal":[{"do":"play","card":"7H","say":["mau"]},{"do":"draw"}]}"#;
//! if let Some(message) = wire::read_arena_line(line)? {
//!     table.hear(message, 1_000);
//! }
//! assert_eq!(table.words()[0].text.as_str(), "mau"); // due, and said only if the person says it
//! table.toggle(&table.words()[0].text.clone());
//! let card = "7H".parse().expect("a card");
//! let act = table.play(card, None).and_then(|action| table.answer(action)).expect("an answer");
//! assert_eq!(act.action.say.texts().len(), 1);
//! # Ok(())
//! # }
//! ```

mod advice;
mod table;

use maumau_protocol::message::{Ready, Want, What};
use maumau_protocol::ruleset::{ChooseSuit, DealtBy, Effect, LastCosts, Loud, Named, OnlyWithout, Request};
use maumau_protocol::{Action, Card, CardSet, Choice, Faces, Rank, Reach, RuleFault, Seat, Suit, Text, Verb};

use crate::{BotRunError, player};

pub use advice::Advice;
pub use table::{PersonGame, PersonNews, Running, SeenPlay};

#[cfg(test)]
mod tests;

/// How a person's client introduces itself: it wants to know everything, and to be asked at every opportunity.
pub fn ready(name: &str) -> Ready {
    let wants = vec![Want::View, Want::Legal, Want::Events, Want::Rules];
    Ready { version: env!("CARGO_PKG_VERSION").to_owned(), ticks: true, ..Ready::new(name, wants) }
}

impl PersonGame {
    /// What the built-in bot `bot` would do now; `None` if nothing is asked.
    ///
    /// # Errors
    /// There is no such bot.
    pub fn hint(&self, bot: &str) -> Result<Option<maumau_protocol::Action>, BotRunError> {
        let (Some(start), Some(ask)) = (self.start(), self.ask()) else { return Ok(None) };
        Ok(Some(player(bot, start)?.choose(ask)))
    }
}

/// A card that the person holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CardInHand {
    /// The card.
    pub card: Card,
    /// What may be named with it where it may be played, `None` for nothing; empty where it may not be played.
    pub choices: Vec<Option<Choice>>,
    /// What may be named with it where it is the last of several cards that are played at once, `None` for nothing.
    pub as_last: Vec<Option<Choice>>,
    /// The cards for which it may stand, each with what may be named with that one (G-79).
    pub stands_for: Vec<(Card, Vec<Option<Choice>>)>,
    /// What it costs to play it now, though it may be played.
    pub cost: Option<PlayCost>,
}

/// Cards that a play costs which the rules allow.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PlayCost {
    /// As the last card it does not win, and costs so many (G-49).
    AsLast(u8),
    /// It is wrong beside a card of this suit, and costs so many if it is challenged (G-67).
    IfChallenged(u16, Suit),
}

impl PlayCost {
    /// In words, as the end of a sentence about the card.
    pub fn in_words(self, faces: Faces) -> String {
        match self {
            PlayCost::AsLast(1) => "does not win as your last card and costs a card".to_owned(),
            PlayCost::AsLast(cards) => format!("does not win as your last card and costs {cards} cards"),
            PlayCost::IfChallenged(cards, suit) => {
                format!("is wrong while you hold {}: a challenge costs you {cards} cards", faces.suit(suit))
            }
        }
    }
}

impl CardInHand {
    /// Whether it may be played, by itself or as another card.
    pub fn may_be_played(&self) -> bool {
        !self.choices.is_empty() || !self.stands_for.is_empty()
    }
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
    /// With a play of several cards that leaves so many in the hand.
    Leaving(u8),
}

impl PersonGame {
    /// The cards of the hand in the order in which people look for them, each with what may be done with it. Cards that may not
    /// be looked at are missing.
    pub fn hand(&self) -> Vec<CardInHand> {
        let choices = |card| self.plays().filter(|(played, _)| *played == card).map(|(_, choose)| choose).collect();
        let held = |card: &Card| {
            let choices: Vec<_> = choices(*card);
            let as_last = if choices.is_empty() { self.named_with(*card) } else { choices.clone() };
            CardInHand { card: *card, choices, as_last, stands_for: self.stands_for(*card), cost: self.cost_of(*card) }
        };
        self.view().hand.iter().map(held).collect()
    }

    /// What the rules let a seat name with `card`, wherever it may be played: no ask says it of a card that can only follow
    /// another one.
    fn named_with(&self, card: Card) -> Vec<Option<Choice>> {
        let rules = self.start().and_then(|start| start.rules.as_ref()).filter(|_| self.plays_several());
        let Some(rules) = rules.filter(|_| self.view().pending.request.is_none()) else { return vec![None] };
        let pack = rules.deck.pack;
        let mut named = Vec::new();
        let mut must = false;
        for effect in rules.effects.values().filter(|effect| !effect.off && effect.cards.0.contains(card)) {
            if let Some(how) = effect.choose_suit {
                must |= how == ChooseSuit::Must;
                named.extend(pack.suits().map(Choice::Suit));
            }
            let Some(request) = &effect.request else { continue };
            must |= !request.may_decline;
            match request.names {
                Named::Suit => named.extend(pack.suits().map(Choice::Suit)),
                Named::Rank => {
                    let can =
                        |rank: &Rank| request.of.is_empty() || !request.of.0.intersect(CardSet::rank(*rank)).is_empty();
                    named.extend(pack.ranks().into_iter().filter(can).map(Choice::Rank));
                }
            }
        }
        (!must).then_some(None).into_iter().chain(named.into_iter().map(Some)).collect()
    }

    /// The effects of `card` at this table, as far as the rules are known.
    fn effects(&self, card: Card) -> impl Iterator<Item = &Effect> {
        let start = self.start();
        let seats = start.map_or(0, |start| start.names.len() as u8);
        let rules = start.and_then(|start| start.rules.as_ref());
        let effects = rules.into_iter().flat_map(|rules| rules.effects.values());
        effects.filter(move |effect| {
            let holds = effect.seats.is_none_or(|[least, most]| (least..=most).contains(&seats));
            !effect.off && holds && effect.cards.0.contains(card)
        })
    }

    /// What it costs to play `card`, if it may be played.
    fn cost_of(&self, card: Card) -> Option<PlayCost> {
        let is_legal = self.plays().any(|(played, _)| played == card);
        match (is_legal, self.view().hand.len()) {
            (false, _) => None,
            (true, 1) => Some(self.costs_as_last(card)).filter(|cards| *cards > 0).map(PlayCost::AsLast),
            (true, _) => self.costs_if_challenged(card),
        }
    }

    /// What a challenge costs that finds out a card of the suit that counts beside `card`.
    fn costs_if_challenged(&self, card: Card) -> Option<PlayCost> {
        let rules = self.start().and_then(|start| start.rules.as_ref())?;
        rules.challenge.as_ref().filter(|challenge| !challenge.off)?;
        let view = self.view();
        let suit = view.pending.suit.or_else(|| view.visible.or(view.top)?.suit())?;
        let holds = view.hand.iter().any(|held| held.suit() == Some(suit));
        let mut doubtful = self.effects(card).filter(|effect| effect.only_without == Some(OnlyWithout::Suit));
        let owed = doubtful.find_map(|effect| effect.owe.as_ref()).filter(|_| holds)?;
        Some(PlayCost::IfChallenged(u16::from(owed.cards) + view.pending.draw, suit))
    }

    fn costs_as_last(&self, card: Card) -> u8 {
        let unheld = self.effects(card).filter_map(|effect| effect.request).map(|request| request.unheld_costs).max();
        let cost = |effect: &Effect| match effect.last_costs {
            LastCosts::Nothing => 0,
            LastCosts::Cards(cards) => cards,
            LastCosts::Unheld => unheld.unwrap_or_default().max(1),
        };
        self.effects(card).map(cost).max().unwrap_or_default()
    }

    /// Cards that it costs to name `choice` with `card`, since the hand has nothing that serves such a request (D-50).
    pub fn naming_costs(&self, card: Card, choice: Choice) -> u8 {
        let named = |request: &Request| match choice {
            Choice::Rank(rank) => (request.names == Named::Rank).then(|| CardSet::rank(rank)),
            Choice::Suit(suit) => (request.names == Named::Suit).then(|| CardSet::suit(suit)),
            Choice::Seat(_) => None,
        };
        let mut left = self.view().hand.clone();
        left.iter().position(|held| *held == card).map(|at| left.swap_remove(at));
        let requests = self.effects(card).filter_map(|effect| effect.request);
        let costs = requests.filter_map(|request| {
            let serving = named(&request)?;
            (!left.iter().any(|held| serving.contains(*held))).then_some(request.unheld_costs)
        });
        costs.max().unwrap_or_default()
    }

    /// Cards that a challenge costs the person if the challenged card was right.
    pub fn challenge_costs(&self) -> Option<u16> {
        let rules = self.start().and_then(|start| start.rules.as_ref())?;
        let challenge = rules.challenge.as_ref().filter(|challenge| !challenge.off)?;
        Some(u16::from(challenge.failed) + self.view().pending.draw)
    }

    /// The cards for which `card` may stand, each with what may be named with that one.
    fn stands_for(&self, card: Card) -> Vec<(Card, Vec<Option<Choice>>)> {
        let mut found: Vec<(Card, Vec<Option<Choice>>)> = Vec::new();
        for action in self.legal() {
            let Verb::PlayAs { card: played, stands_for, choose } = action.verb else { continue };
            match found.last_mut() {
                _ if played != card => {}
                Some((last, choices)) if *last == stands_for => choices.push(choose),
                _ => found.push((stands_for, vec![choose])),
            }
        }
        found
    }

    /// The legal ways to play cards.
    fn plays(&self) -> impl Iterator<Item = (Card, Option<Choice>)> {
        self.legal().iter().filter_map(|action| match action.verb {
            Verb::Play { card, choose } => Some((card, choose)),
            _ => None,
        })
    }

    /// The legal actions as the ask lists them, with their words.
    pub fn legal(&self) -> &[Action] {
        self.ask().map_or(&[], |ask| &ask.legal)
    }

    /// What can be done that plays no card and calls no mistake: take, draw, pass, look, choose, deal and so on; also to state a
    /// suit that anybody may state.
    pub fn moves(&self) -> Vec<Verb> {
        let other = |verb: &&Verb| !verb.plays() && !matches!(verb, Verb::Say { .. } | Verb::Call { .. } | Verb::Wait);
        let mut moves: Vec<Verb> = self.legal().iter().map(|action| &action.verb).filter(other).cloned().collect();
        // What is owed comes first.
        moves.sort_by_key(|verb| !matches!(verb, Verb::Take { .. }));
        if self.ask().is_some() && self.view().pending.suit_open {
            moves.extend(Suit::ALL.map(|suit| self.stating(suit)).into_iter().filter(|verb| !self.can(verb)));
        }
        moves
    }

    fn can(&self, verb: &Verb) -> bool {
        self.legal().iter().any(|action| action.verb == *verb)
    }

    /// How the seat states a suit that anybody may state (P-26): by a choice in its turn, by a word at any other time.
    fn stating(&self, suit: Suit) -> Verb {
        match self.view().turn == Some(self.seat()) {
            true => Verb::Choose(Choice::Suit(suit)),
            false => Verb::Say { text: Text::fixed(suit.name()) },
        }
    }

    /// Whose card the person was ordered to take, if anybody's. It is a mistake to leave that until another seat acts
    /// (N-106).
    pub fn owed_take(&self) -> Option<Seat> {
        self.legal().iter().find_map(|action| match action.verb {
            Verb::Take { from } => Some(from),
            _ => None,
        })
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
                Verb::Play { card, .. } | Verb::PlayAs { card, .. } => CardSet::of(card),
                _ => CardSet::EMPTY,
            };
            action.say.texts().iter().for_each(|text| add(text, When::With(cards)));
        }
        // What a play of several cards leaves in the hand no ask says.
        if let Some(rules) = self.start().and_then(|start| start.rules.as_ref()).filter(|_| self.plays_several()) {
            let duties = &rules.duties;
            let due = duties.mau.iter().map(|mau| (&mau.word, 1)).chain(duties.last.iter().map(|last| (&last.word, 0)));
            due.filter_map(|(word, left)| Some((Text::try_from(word.as_str()).ok()?, left)))
                .for_each(|(text, left)| add(&text, When::Leaving(left)));
        }
        words
    }

    /// True if it is this seat's turn by rules that have plays of several cards (G-40).
    pub fn plays_several(&self) -> bool {
        let rules = self.start().and_then(|start| start.rules.as_ref());
        self.must_move() && rules.is_some_and(|rules| rules.together.values().any(|way| !way.off))
    }

    /// True if it is this seat's turn by rules in which a run can be left open (G-73).
    pub fn leaves_open(&self) -> bool {
        let rules = self.start().and_then(|start| start.rules.as_ref());
        self.must_move() && rules.is_some_and(|rules| rules.together.values().any(|way| !way.off && way.open))
    }

    /// Playing `cards` at once, or the only one of them, with the words on the tongue; unless it closes it, their run stays open.
    /// It need not be legal: the referee judges. `None` if the seat does not hold them.
    pub fn play_together(&self, mut cards: Vec<Card>, choose: Option<Choice>, close: bool) -> Option<Action> {
        let mut hand = self.view().hand.clone();
        for card in &cards {
            hand.swap_remove(hand.iter().position(|held| held == card)?);
        }
        let verb = match (cards.len(), close) {
            (0, _) => return None,
            (1, true) => Verb::Play { card: cards.remove(0), choose },
            _ => Verb::PlayTogether { cards, choose, close },
        };
        Some(self.with_words(verb))
    }

    /// What the rule of the menu with this name says, for a person who chooses among rules that can be added (G-74).
    pub fn rule_about(&self, name: &str) -> Option<&str> {
        let menu = self.start()?.rules.as_ref()?.menu.as_ref()?;
        menu.add.get(name).map(|entry| entry.about.as_str())
    }

    /// Calls of mistakes that would be upheld, as far as every seat could see the mistake.
    pub fn calls(&self) -> Vec<(Seat, Text)> {
        let calls = self.legal().iter().filter_map(|action| match &action.verb {
            Verb::Call { against, fault } => Some((*against, fault.clone())),
            _ => None,
        });
        calls.collect()
    }

    /// The mistakes of this rule set, which can be called by name, upheld or not; all of them where the rules are not known.
    pub fn callable(&self) -> impl Iterator<Item = RuleFault> {
        let rules = self.start().and_then(|start| start.rules.as_ref());
        RuleFault::ALL.into_iter().filter(move |fault| rules.is_none_or(|rules| rules.knows_fault(*fault)))
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
