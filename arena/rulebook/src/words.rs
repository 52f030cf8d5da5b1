//! Cards, numbers and lists in English. Of the rules it knows only what cards are called.

use std::collections::BTreeSet;

use maumau_protocol::{Card, CardSet, Rank, RuleFault, Suit};

pub(super) use maumau_places::list;

use super::Rulebook;

impl Rulebook<'_> {
    /// `sevens`, `nines and aces`, `the king of hearts`.
    pub(super) fn all_of(&self, cards: CardSet) -> String {
        let faces = self.set.deck.faces;
        let suit = |suit: Suit| format!("all {}", faces.suit(suit));
        let card = |card: Card| match card.other_name() {
            Some(_) if card.is_joker() => "jokers".to_owned(),
            Some(name) => format!("{name} cards"),
            None => format!("the {}", self.card_name(card)),
        };
        list(&parts(cards, suit, |rank| faces.ranks(rank), card), "and")
    }

    /// `a seven`, `a nine or an ace`, `a king of hearts`.
    pub(super) fn one_of(&self, cards: CardSet) -> String {
        let suit = |suit: Suit| with_article(self.set.deck.faces.one_of_suit(suit));
        let rank = |rank: Rank| with_article(&self.rank_name(rank));
        list(&parts(cards, suit, rank, |card| with_article(&self.card_name(card))), "or")
    }

    /// As [`Rulebook::all_of`], or the exceptions if they are shorter: `all cards but jacks`.
    pub(super) fn all_but(&self, cards: CardSet) -> String {
        self.or_exceptions(cards, "all cards", Rulebook::all_of)
    }

    /// As [`Rulebook::one_of`], or the exceptions if they are shorter: `any card but a jack or a joker`.
    pub(super) fn any_but(&self, cards: CardSet) -> String {
        self.or_exceptions(cards, "any card", Rulebook::one_of)
    }

    fn or_exceptions(&self, cards: CardSet, whole: &str, name: fn(&Self, CardSet) -> String) -> String {
        let rest = cards.pack().cards().without(cards);
        match (rest.is_empty(), rest.len() < cards.len()) {
            (true, _) => whole.to_owned(),
            (_, true) => format!("{whole} but {}", name(self, rest)),
            _ => name(self, cards),
        }
    }

    /// `king of hearts`, `joker`.
    pub(super) fn card_name(&self, card: Card) -> String {
        self.set.deck.faces.card(card)
    }

    /// `seven`, `plus two card`.
    pub(super) fn rank_name(&self, rank: Rank) -> String {
        let name = self.set.deck.faces.rank(rank);
        if rank.is_symbol() { format!("{name} card") } else { name.to_owned() }
    }

    /// The cards of a pack, as a range of ranks if they form one.
    pub(super) fn pack(&self, cards: CardSet) -> String {
        let all = cards.pack().ranks();
        let ranks: Vec<Rank> =
            all.into_iter().filter(|rank| !cards.intersect(CardSet::rank(*rank)).is_empty()).collect();
        let whole = ranks.iter().all(|rank| cards.intersect(CardSet::rank(*rank)) == CardSet::rank(*rank))
            && cards.iter().all(|card| card.rank().is_some());
        let place = |rank: &Rank| all.iter().position(|other| other == rank).unwrap_or_default();
        match (ranks.first(), ranks.last()) {
            (Some(low), Some(high)) if whole && place(high) - place(low) + 1 == ranks.len() => {
                let [low, high] = [low, high].map(|rank| self.set.deck.faces.rank(*rank));
                format!("{} cards, {low} to {high} of the four suits", cards.len())
            }
            _ => format!("{} cards: {}", cards.len(), self.all_of(cards)),
        }
    }
}

fn parts(
    cards: CardSet,
    whole_suit: impl Fn(Suit) -> String,
    whole_rank: impl Fn(Rank) -> String,
    one_card: impl Fn(Card) -> String,
) -> Vec<String> {
    let whole = |set: CardSet| cards.intersect(set) == set;
    let mut rest = cards;
    let mut parts = Vec::new();
    let pack = cards.pack();
    let suits = pack.suits().into_iter().filter(|suit| whole(CardSet::suit(*suit)));
    for suit in suits.filter(|_| !pack.suits().iter().all(|suit| whole(CardSet::suit(*suit)))) {
        parts.push(whole_suit(suit));
        rest = rest.without(CardSet::suit(suit));
    }
    for rank in pack.ranks() {
        let set = CardSet::rank(rank);
        if whole(set) {
            parts.push(whole_rank(rank));
            rest = rest.without(set);
        }
    }
    parts.extend(rest.iter().map(one_card));
    parts
}

fn with_article(noun: &str) -> String {
    let vowel = noun.starts_with(['a', 'e', 'i', 'o', 'u']);
    format!("{} {noun}", if vowel { "an" } else { "a" })
}

/// `one card`, `two cards`, `13 cards`.
pub(super) fn count(number: u32, noun: &str) -> String {
    const NAMES: [&str; 13] =
        ["no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"];
    let number_name = NAMES.get(number as usize).map_or_else(|| number.to_string(), |name| (*name).to_owned());
    format!("{number_name} {noun}{}", if number == 1 { "" } else { "s" })
}

/// `2 players`, `2 to 5 players`.
pub(super) fn players([low, high]: [u8; 2]) -> String {
    if low == high { format!("{low} players") } else { format!("{low} to {high} players") }
}

/// `2 players`, `2 to 5 or 8 players`.
pub(super) fn sizes(tables: &BTreeSet<usize>) -> String {
    let mut ranges: Vec<[usize; 2]> = Vec::new();
    for size in tables {
        match ranges.last_mut() {
            Some([_, high]) if *high + 1 == *size => *high = *size,
            _ => ranges.push([*size, *size]),
        }
    }
    let range = |[low, high]: &[usize; 2]| if low == high { low.to_string() } else { format!("{low} to {high}") };
    format!("{} players", list(&ranges.iter().map(range).collect::<Vec<_>>(), "or"))
}

/// A fault as a seat calls it: `"slow"`, `"slow" or "too_long"`.
pub(super) fn fault(fault: RuleFault) -> String {
    match fault.other_name() {
        Some(other) => format!("{:?} or {other:?}", fault.name()),
        None => format!("{:?}", fault.name()),
    }
}

/// `once`, `twice`, `three times`.
pub(super) fn times(number: u32) -> String {
    match number {
        1 => "once".to_owned(),
        2 => "twice".to_owned(),
        more => count(more, "time"),
    }
}

/// ` [B-01, B-02]`, or nothing.
pub(super) fn cite(ids: &[impl AsRef<str>]) -> String {
    let ids: Vec<&str> = ids.iter().map(AsRef::as_ref).collect();
    if ids.is_empty() { String::new() } else { format!(" [{}]", ids.join(", ")) }
}

/// A word to say: `"mau mau"`.
pub(super) fn spoken(word: &str) -> String {
    format!("\"{word}\"")
}

/// The text with its first letter in upper case.
pub(super) fn capital(text: &str) -> String {
    let mut chars = text.chars();
    chars.next().map_or_else(String::new, |first| first.to_uppercase().collect::<String>() + chars.as_str())
}
