//! Questions that a screen asks before something is done: what to name, whom to call, what else there is. A menu holds what each
//! answer does; it does nothing itself.

use maumau_agents::person::PersonGame;
use maumau_protocol::{Card, Choice, Seat, Verb};

/// What an answer does.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Pick {
    /// Plays a card and names something.
    Play(Card, Option<Choice>),
    /// Plays the cards that were picked and names something; `None`: whether their run is left open is asked first.
    PlaySeveral(Option<Choice>, Option<bool>),
    /// Does something.
    Do(Verb),
    /// Asks which mistake of this seat is called.
    Accuse(Seat),
    /// Asks whom to accuse.
    AccuseSomebody,
}

/// An answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Item {
    pub(super) key: char,
    pub(super) words: String,
    pub(super) pick: Pick,
}

/// A question.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum KeyMenu {
    /// One of several answers, the one at `at` chosen.
    List { title: String, items: Vec<Item>, at: usize },
    /// Something to say.
    Say(String),
}

/// The keys of items without one of their own.
const KEYS: &str = "123456789abcdefghijklmnopqrstuvwxyz";

impl KeyMenu {
    /// A list of answers; those without a key get one.
    pub(super) fn list(title: &str, answers: Vec<(Option<char>, String, Pick)>) -> KeyMenu {
        let taken: Vec<char> = answers.iter().filter_map(|(key, ..)| *key).collect();
        let mut free = KEYS.chars().filter(|key| !taken.contains(key));
        let item = |(key, words, pick): (Option<char>, String, Pick)| Item {
            key: key.or_else(|| free.next()).unwrap_or(' '),
            words,
            pick,
        };
        KeyMenu::List { title: title.to_owned(), items: answers.into_iter().map(item).collect(), at: 0 }
    }

    /// Chooses an answer, if it is one.
    pub(super) fn choose(&mut self, pick: &Pick) {
        if let KeyMenu::List { items, at, .. } = self
            && let Some(place) = items.iter().position(|item| item.pick == *pick)
        {
            *at = place;
        }
    }

    /// Whether the question can still be answered after a new ask: cards that were to be played may have gone, or another seat may
    /// have acted first.
    pub(super) fn still_stands(&self, table: &PersonGame) -> bool {
        let KeyMenu::List { items, .. } = self else { return true };
        items.iter().all(|item| match &item.pick {
            Pick::Play(card, _) | Pick::Do(Verb::PlayAs { card, .. }) => {
                table.hand().iter().any(|held| held.card == *card && held.may_be_played())
            }
            Pick::Do(verb @ (Verb::Take { .. } | Verb::Choose(_) | Verb::ChooseRule { .. })) => {
                table.moves().contains(verb)
            }
            // What was picked is given up with every ask.
            Pick::PlaySeveral(..) => false,
            Pick::Do(_) | Pick::Accuse(_) | Pick::AccuseSomebody => true,
        })
    }
}
