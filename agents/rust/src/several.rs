//! The further cards that go with one that may be played (G-40, G-73): as many as possible, the one that acts best last. It
//! reads the rule set and a view, and rates nothing; runs of neighbouring values it leaves alone.

use maumau_protocol::message::Start;
use maumau_protocol::ruleset::{MauMissing, RuleSet, SeveralCards, Step};
use maumau_protocol::{Action, Card, CardSet, Say, Text, Verb, View};

use crate::table::CardValues;

/// The ways to play several cards at one table.
#[derive(Clone, Debug, Default)]
pub(crate) struct SeveralPlays {
    ways: Vec<SeveralCards>,
    /// Cards with which something is named: they are played by themselves.
    naming: CardSet,
    /// What is said with a play that leaves one card, and with one that leaves none.
    words: [Option<Text>; 2],
    /// Whether a last card may be played only after a word in an earlier turn.
    bars_last: bool,
}

impl SeveralPlays {
    /// Reads the rule set of `start`.
    pub(crate) fn new(start: &Start) -> SeveralPlays {
        start.rules.as_deref().map(SeveralPlays::of).unwrap_or_default()
    }

    fn of(rules: &RuleSet) -> SeveralPlays {
        let ways: Vec<SeveralCards> = rules.together.values().filter(|way| !way.off).cloned().collect();
        let effects = rules.effects.values().filter(|effect| !effect.off);
        let naming = effects
            .filter(|effect| effect.choose_suit.is_some() || effect.request.is_some() || effect.chooses_seat())
            .fold(CardSet::EMPTY, |all, effect| all.union(effect.cards.0));
        let mau = rules.duties.mau.as_ref();
        let text = |word: &String| Text::try_from(word.as_str()).ok();
        let words = [mau.and_then(|mau| text(&mau.word)), rules.duties.last.as_ref().and_then(|last| text(&last.word))];
        let bars_last = mau.is_some_and(|mau| mau.if_missing == MauMissing::BarsLastCard);
        SeveralPlays { ways, naming, words, bars_last }
    }

    /// All cards of a play that begins with that of `verb`, in their order; `None` if nothing goes with it now.
    pub(crate) fn cards(&self, verb: &Verb, view: &View, table: &CardValues) -> Option<Vec<Card>> {
        let Verb::Play { card: first, choose: None } = *verb else { return None };
        let pending = &view.pending;
        let free = pending.draw == 0 && pending.skip == 0 && pending.drawn == 0 && pending.request.is_none();
        if self.ways.is_empty() || !free || self.naming.contains(first) {
            return None;
        }
        let plays = self.ways.iter().filter_map(|way| self.by(way, first, view, table));
        plays.max_by_key(Vec::len)
    }

    fn by(&self, way: &SeveralCards, first: Card, view: &View, table: &CardValues) -> Option<Vec<Card>> {
        let goes_on = view.pending.run.filter(|run| first.suit() == Some(run.suit)).map(|run| run.suit);
        let suit = match way.opened_by.0.contains(first) {
            true => first.suit().or(view.pending.suit).or_else(|| view.top?.suit()),
            false => goes_on,
        };
        let joins = |card: &Card| match way.step.0.contains(&Step::Suit) {
            true => suit.is_some() && card.suit() == suit,
            false => way.step.0.contains(&Step::Rank) && card.rank() == first.rank(),
        };
        let mut others = view.hand.clone();
        others.swap_remove(others.iter().position(|card| *card == first)?);
        others.retain(|card| joins(card) && way.cards.0.contains(*card) && !self.naming.contains(*card));
        // What acts against the next player comes last, what asks for a further card before it.
        others.sort_by_key(|card| match (table.again.contains(*card), table.attacks.contains(*card)) {
            (true, _) => 0,
            (false, false) => 1,
            (false, true) => 2,
        });
        let most = match way.sizes.iter().filter(|size| usize::from(**size) <= others.len() + 1).max() {
            Some(size) => usize::from(*size),
            None if way.sizes.is_empty() => others.len() + 1,
            None => return None,
        };
        let cards: Vec<Card> = [first].into_iter().chain(others.split_off(others.len() + 1 - most)).collect();
        let last = *cards.last()?;
        let empties = cards.len() == view.hand.len();
        let wins = !empties || !(self.bars_last || table.cannot_win().contains(last));
        (cards.len() > 1 && wins && way.cards.0.contains(first)).then_some(cards)
    }

    /// The play of `cards` out of `view`, with the word that is due.
    pub(crate) fn play(&self, cards: Vec<Card>, view: &View) -> Action {
        let word = match view.hand.len() - cards.len() {
            1 => self.words[0].clone(),
            0 => self.words[1].clone(),
            _ => None,
        };
        let say = word.map_or(Say::Nothing, Say::One);
        Action { verb: Verb::PlayTogether { cards, choose: None, close: true }, say }
    }
}
