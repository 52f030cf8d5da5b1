//! Plays of several cards that begin with a card which may be played (G-40, G-73): for each card that can lie on top, as many as
//! possible. It reads the rule set and what a seat sees of the position; others rate what it proposes.

#[cfg(test)]
mod tests;

use maumau_engine::{Game, Hand, Legal};
use maumau_protocol::ruleset::{ChooseSuit, Effect, MauMissing, RuleSet, SeveralCards, Step};
use maumau_protocol::{Action, Card, CardSet, Choice, Pending, Rank, Say, Suit, Text, Verb, View};

/// Steps of the search for rows of neighbouring values that begin with one card.
const MOST_STEPS: u32 = 300;

/// The ways to play several cards at one table.
#[derive(Clone, Debug, Default)]
pub(crate) struct SeveralPlays {
    ways: Vec<SeveralWay>,
    /// The suits of the pack.
    suits: Vec<Suit>,
    /// Cards with which something is named, and those of them with which any suit may be.
    naming: CardSet,
    names_suit: CardSet,
    /// What is said with a play that leaves one card, and with one that leaves none.
    words: [Option<Text>; 2],
    /// What is said with some cards, or with so many left.
    duties: Vec<(Option<CardSet>, Option<u8>, Text)>,
    /// Whether a last card may be played only after a word in an earlier turn.
    bars_last: bool,
    roles: CardRoles,
}

/// What cards do, as far as their order in a play depends on it.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct CardRoles {
    /// Cards that ask for a further card, and those that act against the next player.
    pub(crate) again: CardSet,
    pub(crate) attacks: CardSet,
    /// Cards that fit anything, and those by playing which a seat that holds nothing else does not win.
    pub(crate) universal: CardSet,
    pub(crate) cannot_win: CardSet,
}

/// One of them.
#[derive(Clone, Debug)]
struct SeveralWay {
    rules: SeveralCards,
    /// The values of the pack, from the lowest up.
    ranks: Vec<Rank>,
}

/// What a seat that is to move sees, as far as plays of several cards depend on it.
#[derive(Debug)]
pub(crate) struct SeveralSight<'a> {
    hand: &'a Hand,
    /// The suit in force, and that of the open run.
    suit: Option<Suit>,
    run: Option<Suit>,
    /// The cards of which all have to be, under a demand.
    demanded: Option<CardSet>,
}

/// A play of several cards, or of one that goes on with an open run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct SeveralPlay {
    /// In their order: the last one lies on top.
    pub(crate) cards: Vec<Card>,
    pub(crate) choose: Option<Choice>,
    /// Whether its run can be left open.
    pub(crate) can_stay_open: bool,
}

impl SeveralPlay {
    /// The play, with its run closed or left open.
    pub(crate) fn verb(&self, close: bool) -> Verb {
        Verb::PlayTogether { cards: self.cards.clone(), choose: self.choose, close }
    }

    /// Whether the same cards lie in it, with the same one on top.
    pub(crate) fn is_like(&self, other: &SeveralPlay) -> bool {
        let sorted = |play: &SeveralPlay| {
            let mut cards = play.cards.clone();
            cards.sort_by_key(|card| card.index());
            cards
        };
        (self.cards.last(), self.choose) == (other.cards.last(), other.choose)
            && self.cards.len() == other.cards.len()
            && sorted(self) == sorted(other)
    }
}

impl SeveralPlays {
    /// Reads `rules` for a table of so many seats.
    pub(crate) fn of(rules: &RuleSet, seats: usize, roles: CardRoles) -> SeveralPlays {
        let pack = rules.deck.pack;
        let kinds: CardSet = rules.deck.list(seats).into_iter().flatten().collect();
        let in_deck = |rank: &Rank| !kinds.intersect(CardSet::rank(*rank)).is_empty();
        let ranks: Vec<Rank> = pack.ranks().into_iter().filter(in_deck).collect();
        let ways = rules.together.values().filter(|way| !way.off);
        let ways = ways.map(|way| SeveralWay { rules: way.clone(), ranks: ranks.clone() }).collect();
        let effects = || rules.effects.values().filter(|effect| !effect.off);
        let cards_of = |cards: CardSet, effect: &Effect| cards.union(effect.cards.0);
        let other = effects().filter(|effect| {
            let strange = matches!(effect.choose_suit, Some(ChooseSuit::Spoken | ChooseSuit::New));
            strange || effect.request.is_some() || effect.chooses_seat()
        });
        let other = other.fold(CardSet::EMPTY, cards_of);
        let naming = effects().filter(|effect| effect.choose_suit.is_some()).fold(other, cards_of);
        let mau = rules.duties.mau.as_ref();
        let text = |word: &String| Text::try_from(word.as_str()).ok();
        let words = [mau.and_then(|mau| text(&mau.word)), rules.duties.last.as_ref().and_then(|last| text(&last.word))];
        let due = rules.duties.words.values().filter(|duty| !duty.off && duty.interjection.is_none());
        let due = due.filter_map(|duty| Some((duty.cards.map(|cards| cards.0), duty.left, text(duty.say.first()?)?)));
        let duties = due.collect();
        let bars_last = mau.is_some_and(|mau| mau.if_missing == MauMissing::BarsLastCard);
        let (suits, names_suit) = (pack.suits().to_vec(), naming.without(other));
        SeveralPlays { ways, suits, naming, names_suit, words, duties, bars_last, roles }
    }

    /// Whether only single cards are played.
    pub(crate) fn is_empty(&self) -> bool {
        self.ways.is_empty()
    }

    /// What the seat of `view` sees, if it can play several cards now, beginning with one of `legal`.
    pub(crate) fn sight_of_view<'a>(&self, view: &View, hand: &'a Hand, legal: &[Action]) -> Option<SeveralSight<'a>> {
        let plays = legal.iter().filter_map(|action| match action.verb {
            Verb::Play { card, .. } => Some(card),
            _ => None,
        });
        let plays = if self.ways.is_empty() { CardSet::EMPTY } else { plays.collect() };
        self.sight(&view.pending, view.visible.or(view.top), hand, plays)
    }

    /// What the seat to move in `game`, which holds `hand`, sees, if it can play several cards now.
    pub(crate) fn sight_of_game<'a>(&self, game: &Game, hand: &'a Hand, legal: &Legal<'_>) -> Option<SeveralSight<'a>> {
        if self.ways.is_empty() || legal.plays.is_empty() {
            return None;
        }
        self.sight(&game.pending(), game.visible_top(), hand, legal.plays)
    }

    fn sight<'a>(
        &self,
        pending: &Pending,
        top: Option<Card>,
        hand: &'a Hand,
        plays: CardSet,
    ) -> Option<SeveralSight<'a>> {
        if self.ways.is_empty() || pending.drawn > 0 {
            return None;
        }
        let demands = pending.draw > 0 || pending.skip > 0 || pending.request.is_some();
        Some(SeveralSight {
            hand,
            suit: pending.suit.or_else(|| top?.suit()),
            run: pending.run.map(|run| run.suit),
            demanded: demands.then_some(plays),
        })
    }

    /// The plays that begin as one of `verbs` does, plays of one card; those with the same card stand side by side.
    pub(crate) fn of_all(
        &self,
        verbs: impl IntoIterator<Item = impl std::borrow::Borrow<Verb>>,
        sight: &SeveralSight<'_>,
        mut found: impl FnMut(SeveralPlay),
    ) {
        let mut before = None;
        for verb in verbs {
            let Verb::Play { card, .. } = *verb.borrow() else { continue };
            self.each(verb.borrow(), before.replace(card) != Some(card), sight, &mut found);
        }
    }

    /// The plays that begin as `verb` does, the play of one card. Of verbs with one card but different things named `is_first` is
    /// true for the first one: plays in which nothing of it is named are found once.
    fn each(&self, verb: &Verb, is_first: bool, sight: &SeveralSight<'_>, mut found: impl FnMut(SeveralPlay)) {
        let Verb::Play { card: first, choose } = *verb else { return };
        let names = self.naming.contains(first);
        let mut propose = |cards: Vec<Card>, can_stay_open: bool| {
            let Some(last) = cards.last().copied() else { return };
            let same = last == first || (last.rank().is_some() && last.rank() == first.rank());
            let choose = match self.naming.contains(last) {
                false if !is_first => return,
                false => None,
                true if same && names => choose,
                true if !is_first || !self.names_suit.contains(last) => return,
                true => self.longest_suit(sight.hand, &cards),
            };
            let empties = cards.len() == usize::from(sight.hand.len());
            if !(empties && (self.bars_last || self.roles.cannot_win.contains(last))) {
                found(SeveralPlay { cards, choose, can_stay_open });
            }
        };
        for way in self.ways.iter().filter(|way| way.rules.cards.0.contains(first)) {
            way.of_suit(self.roles, first, sight, &mut propose);
            match way.rules.step.0.contains(&Step::Run) {
                true => way.rows(first, sight).into_iter().for_each(|cards| propose(cards, false)),
                false if way.rules.step.0.contains(&Step::Rank) => {
                    let joins = |card: &Card| card.rank().is_some() && card.rank() == first.rank();
                    way.with_each_on_top(self.roles, first, joins, CardSet::EMPTY, sight, |cards, _| {
                        propose(cards, false)
                    });
                }
                false => {}
            }
        }
    }

    /// The cards of which one more could have been part of a play of `cards`: those of the value on top, or of the suit of a run that
    /// the first one opened.
    pub(crate) fn joining(&self, cards: &[Card]) -> CardSet {
        let (Some(first), Some(top)) = (cards.first(), cards.last()) else { return CardSet::EMPTY };
        let mut joining = CardSet::EMPTY;
        for SeveralWay { rules, .. } in &self.ways {
            let of_a_size =
                rules.sizes.is_empty() || rules.sizes.iter().any(|size| usize::from(*size) == cards.len() + 1);
            if !(of_a_size && rules.cards.0.contains(*top)) {
                continue;
            }
            let value = top.rank().filter(|_| rules.step.0.contains(&Step::Rank)).map(CardSet::rank);
            let opens = rules.step.0.contains(&Step::Suit) && rules.opened_by.0.contains(*first);
            let suit = first.suit().filter(|_| opens).map(CardSet::suit);
            for kinds in value.into_iter().chain(suit) {
                joining = joining.union(kinds.intersect(rules.cards.0));
            }
        }
        joining
    }

    /// The suit of which most is left in `hand` without `cards`.
    fn longest_suit(&self, hand: &Hand, cards: &[Card]) -> Option<Choice> {
        let left = |suit: Suit| {
            let of_suit = |card: &Card| card.suit() == Some(suit) && !self.roles.universal.contains(*card);
            hand.cards().filter(of_suit).count() as i32 - cards.iter().filter(|card| of_suit(card)).count() as i32
        };
        // The first of those that are equally long.
        self.suits.iter().rev().copied().max_by_key(|suit| left(*suit)).map(Choice::Suit)
    }

    /// `verb`, a play of several cards out of `view`, with the words that are due.
    pub(crate) fn with_words(&self, verb: Verb, view: &View) -> Action {
        let cards: &[Card] = match &verb {
            Verb::PlayTogether { cards, .. } => cards,
            Verb::Play { card, .. } => std::slice::from_ref(card),
            _ => &[],
        };
        let left = view.hand.len().saturating_sub(cards.len().max(1));
        let last = match left {
            1 => self.words[0].clone(),
            0 => self.words[1].clone(),
            _ => None,
        };
        let is_due = |of: &Option<CardSet>, number: &Option<u8>| {
            of.is_none_or(|of| cards.iter().any(|card| of.contains(*card)))
                && number.is_none_or(|number| usize::from(number) == left)
        };
        let duties = self.duties.iter().filter(|(of, number, _)| is_due(of, number)).map(|(.., word)| word.clone());
        let mut words: Vec<Text> = last.into_iter().chain(duties).collect();
        let say = match words.len() {
            0 => Say::Nothing,
            1 => Say::One(words.swap_remove(0)),
            _ => Say::Many(words.into()),
        };
        Action { verb, say }
    }
}

impl SeveralWay {
    /// The cards beside `first` that may be part of the play, each copy by itself.
    fn others(&self, first: Card, sight: &SeveralSight<'_>) -> Vec<Card> {
        let mut others: Vec<Card> = sight.hand.cards().collect();
        if let Some(at) = others.iter().position(|card| *card == first) {
            others.swap_remove(at);
        }
        others.retain(|card| sight.demanded.is_none_or(|demanded| demanded.contains(*card)));
        others
    }

    /// Runs of a suit: those that `first` opens, or that go on with the open one.
    fn of_suit(
        &self,
        roles: CardRoles,
        first: Card,
        sight: &SeveralSight<'_>,
        propose: &mut impl FnMut(Vec<Card>, bool),
    ) {
        let opens = self.rules.opened_by.0.contains(first);
        let suit = match opens {
            true => first.suit().or(sight.suit),
            false => sight.run.filter(|run| first.suit() == Some(*run)),
        };
        let Some(suit) = suit.filter(|_| self.rules.step.0.contains(&Step::Suit)) else { return };
        let goes_on = sight.run == Some(suit);
        if self.rules.open && goes_on && !opens && self.rules.sizes.is_empty() {
            propose(vec![first], true);
        }
        let joins = |card: &Card| match card.suit() {
            Some(own) => own == suit,
            None => self.rules.opened_by.0.contains(*card),
        };
        let (open, enders) = (self.rules.open, self.rules.ended_by.0);
        self.with_each_on_top(roles, first, joins, enders, sight, |cards, ends| propose(cards, open && !ends));
    }

    /// `first` with as many as possible of the others that join it, once for each card that can lie on top, `enders` too: what
    /// asks for a further card lies before what does nothing, and that before what acts against the next player.
    fn with_each_on_top(
        &self,
        roles: CardRoles,
        first: Card,
        joins: impl Fn(&Card) -> bool,
        enders: CardSet,
        sight: &SeveralSight<'_>,
        mut propose: impl FnMut(Vec<Card>, bool),
    ) {
        let mut others = self.others(first, sight);
        let mut tops: Vec<Card> = others.iter().copied().filter(|card| enders.contains(*card)).collect();
        others.retain(|card| joins(card) && self.rules.cards.0.contains(*card));
        others.sort_by_key(|card| match (roles.again.contains(*card), roles.attacks.contains(*card)) {
            (true, _) => 0,
            (false, false) => 1,
            (false, true) => 2,
        });
        tops.extend(others.iter().rev());
        let mut done = CardSet::EMPTY;
        for top in tops {
            if done.contains(top) {
                continue;
            }
            done.insert(top);
            let ends = enders.contains(top) && !joins(&top);
            let mut before = others.clone();
            if let Some(at) = before.iter().rposition(|card| *card == top) {
                before.remove(at);
            }
            let Some(most) = self.most(before.len() + 2) else { continue };
            let before = before.split_off(before.len() + 2 - most);
            propose([first].into_iter().chain(before).chain([top]).collect(), ends);
        }
    }

    /// How many cards a play can have of so many.
    fn most(&self, count: usize) -> Option<usize> {
        let sizes = || self.rules.sizes.iter().map(|size| usize::from(*size));
        match self.rules.sizes.is_empty() {
            true => Some(count),
            false => sizes().filter(|size| *size > 1 && *size <= count).max(),
        }
    }

    /// The longest rows of neighbouring values that begin with `first`, one for each card that can lie on top.
    fn rows(&self, first: Card, sight: &SeveralSight<'_>) -> Vec<Vec<Card>> {
        let mut left: Hand =
            self.others(first, sight).into_iter().filter(|card| self.rules.cards.0.contains(*card)).collect();
        let mut rows = Rows { way: self, row: vec![first], longest: Vec::new(), steps: MOST_STEPS };
        rows.go_on(&mut left, true, true);
        rows.longest
    }

    /// Whether the value of `high` comes directly after that of `low` (G-40).
    fn is_next(&self, low: Card, high: Card) -> bool {
        let place = |card: Card| self.ranks.iter().position(|rank| Some(*rank) == card.rank());
        let (Some(low), Some(high)) = (place(low), place(high)) else { return false };
        high == low + 1 || (self.rules.wraps && high == 0 && low + 1 == self.ranks.len())
    }
}

/// The search for rows, depth first.
struct Rows<'a> {
    way: &'a SeveralWay,
    row: Vec<Card>,
    longest: Vec<Vec<Card>>,
    /// Steps that are left.
    steps: u32,
}

impl Rows<'_> {
    /// Lays each card of `left` that may follow; `up` and `down` say which way the row may still go.
    fn go_on(&mut self, left: &mut Hand, up: bool, down: bool) {
        let Some(top) = self.row.last().copied() else { return };
        let rules = &self.way.rules;
        let of_a_size = rules.sizes.is_empty() || rules.sizes.iter().any(|size| usize::from(*size) == self.row.len());
        if self.row.len() > 1 && of_a_size {
            match self.longest.iter_mut().find(|row| row.last() == Some(&top)) {
                Some(row) if row.len() < self.row.len() => row.clone_from(&self.row),
                Some(_) => {}
                None => self.longest.push(self.row.clone()),
            }
        }
        for card in left.kinds().iter() {
            let same = rules.step.0.contains(&Step::Rank) && card.rank() == top.rank();
            let (up, down) = match same {
                true => (up, down),
                false if card.suit() != top.suit() => continue,
                false => (up && self.way.is_next(top, card), down && self.way.is_next(card, top)),
            };
            if !(same || up || down) || self.steps == 0 {
                continue;
            }
            self.steps -= 1;
            left.remove(card);
            self.row.push(card);
            self.go_on(left, up, down);
            self.row.pop();
            left.add(card);
        }
    }
}
