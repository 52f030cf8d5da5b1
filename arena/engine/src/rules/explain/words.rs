//! Cards, numbers and lists in English.

use maumau_protocol::{Card, CardSet, Rank, Suit};

pub(super) use crate::rules::problem::list;

/// `sevens`, `nines and aces`, `the king of hearts`.
pub(super) fn all_of(cards: CardSet) -> String {
    list(
        &parts(
            cards,
            |rank| if rank.name() == "six" { "sixes".to_owned() } else { format!("{}s", rank.name()) },
            |card| format!("the {}", card_name(card)),
        ),
        "and",
    )
}

/// `a seven`, `a nine or an ace`, `a king of hearts`.
pub(super) fn one_of(cards: CardSet) -> String {
    list(&parts(cards, |rank| with_article(rank.name()), |card| with_article(&card_name(card))), "or")
}

fn parts(cards: CardSet, rank_name: impl Fn(Rank) -> String, one_card: impl Fn(Card) -> String) -> Vec<String> {
    let whole = |set: CardSet| cards.intersect(set) == set;
    let mut rest = cards;
    let mut parts = Vec::new();
    for suit in Suit::ALL {
        let set = CardSet::suit(suit);
        if whole(set) && !Rank::all().all(|rank| whole(CardSet::rank(rank))) {
            parts.push(format!("all {}", suit.name()));
            rest = rest.without(set);
        }
    }
    for rank in Rank::all() {
        let set = CardSet::rank(rank);
        if whole(set) {
            parts.push(rank_name(rank));
            rest = rest.without(set);
        }
    }
    for card in rest.iter() {
        parts.push(if card.is_joker() { "jokers".to_owned() } else { one_card(card) });
    }
    parts
}

/// `king of hearts`, `joker`.
pub(super) fn card_name(card: Card) -> String {
    match (card.rank(), card.suit()) {
        (Some(rank), Some(suit)) => format!("{} of {}", rank.name(), suit.name()),
        _ => "joker".to_owned(),
    }
}

/// The cards of a pack: a range of ranks where it is one.
pub(super) fn pack(cards: CardSet) -> String {
    let ranks: Vec<Rank> = Rank::all().filter(|rank| !cards.intersect(CardSet::rank(*rank)).is_empty()).collect();
    let whole = ranks.iter().all(|rank| cards.intersect(CardSet::rank(*rank)) == CardSet::rank(*rank));
    match (ranks.first(), ranks.last()) {
        (Some(low), Some(high)) if whole && high.index() - low.index() + 1 == ranks.len() => {
            format!("{} cards, {} to {} of the four suits", cards.len(), low.name(), high.name())
        }
        _ => format!("{} cards: {}", cards.len(), all_of(cards)),
    }
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

/// ` [B-01, B-02]`, or nothing.
pub(super) fn cite(ids: &[impl AsRef<str>]) -> String {
    let ids: Vec<&str> = ids.iter().map(AsRef::as_ref).collect();
    if ids.is_empty() { String::new() } else { format!(" [{}]", ids.join(", ")) }
}

/// A word to say as it is written: `Mau Mau`.
pub(super) fn spoken(word: &str) -> String {
    word.split(' ').map(capital).collect::<Vec<String>>().join(" ")
}

/// The text with a capital at the beginning.
pub(super) fn capital(text: &str) -> String {
    let mut chars = text.chars();
    chars.next().map_or_else(String::new, |first| first.to_uppercase().collect::<String>() + chars.as_str())
}
