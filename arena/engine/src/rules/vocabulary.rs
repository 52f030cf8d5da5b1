//! What can be done and met at a table by its rules, for codes of actions and positions. It reads compiled rules and knows
//! no game in progress.

use maumau_protocol::ruleset::{DealtBy, EndingAt, Look, MauMissing, Notice};
use maumau_protocol::{Card, CardSet, Pack, Text};

use super::compiled::Rules;
use super::together::SeveralAtOnce;

/// What can be done and met at a table. Every legal action of every game by the rules is among these; not all of these need
/// ever be legal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Vocabulary {
    /// The kind of pack.
    pub pack: Pack,
    /// Copies of each card in the deck, by [`Card::index`].
    pub copies: [u8; Card::PLACES],
    /// Cards with which a suit can be named.
    pub with_suit: CardSet,
    /// Cards with which a value can be named.
    pub with_rank: CardSet,
    /// Cards with which a seat can be chosen.
    pub with_seat: CardSet,
    /// Cards that can be part of a play of several.
    pub together: CardSet,
    /// Cards that can stand for others.
    pub stand_ins: CardSet,
    /// Whether runs can be left open.
    pub open_runs: bool,
    /// Whether a suit can be named by itself.
    pub names_suit: bool,
    /// Whether a value can be named by itself.
    pub names_rank: bool,
    /// Whether cards can be challenged.
    pub challenges: bool,
    /// Whether words can be owed by themselves.
    pub owes_words: bool,
    /// Whether cards order seats to take cards.
    pub takes: bool,
    /// Whether mistakes can be called.
    pub calls: bool,
    /// Whether seats look at their cards by an action.
    pub looks: bool,
    /// Whether the dealer deals by actions.
    pub deals: bool,
    /// Whether play can rest in a point of order.
    pub point_of_order: bool,
    /// Whether some cards are treated as absent.
    pub transparent: bool,
    /// Whether suits are stated in words.
    pub stated_suits: bool,
    /// Whether a request can bind the table.
    pub requests: bool,
    /// Whether neighbours can race.
    pub races: bool,
    /// Whether seats can be skipped unless they answer.
    pub threats: bool,
    /// Whether play closes before a round ends.
    pub closes: bool,
    /// Whether penalty cards are sealed.
    pub sealed: bool,
    /// Whether cards can be free.
    pub free: bool,
    /// Whether owed cards are drawn one by one.
    pub owed_one_by_one: bool,
    /// The kinds of debts, in a fixed order.
    pub debts: Vec<String>,
    /// The rules of the menu, in a fixed order.
    pub rules: Vec<String>,
}

impl Vocabulary {
    /// That of all rules for a kind of pack together, with debts of no kind.
    pub fn universal(pack: Pack) -> Vocabulary {
        let mut copies = [0; Card::PLACES];
        pack.cards().iter().for_each(|card| copies[card.index()] = 1);
        Vocabulary {
            pack,
            copies,
            with_suit: CardSet::ALL,
            with_rank: CardSet::ALL,
            with_seat: CardSet::EMPTY,
            together: CardSet::EMPTY,
            stand_ins: CardSet::EMPTY,
            open_runs: false,
            names_suit: true,
            names_rank: true,
            challenges: pack != Pack::French,
            owes_words: true,
            takes: true,
            calls: true,
            looks: true,
            deals: true,
            point_of_order: true,
            transparent: true,
            stated_suits: true,
            requests: true,
            races: true,
            threats: true,
            closes: true,
            sealed: true,
            free: true,
            owed_one_by_one: true,
            debts: Vec::new(),
            rules: Vec::new(),
        }
    }

    /// Takes in what the language of rules could not state at first.
    pub fn add_later(&mut self) {
        (self.with_seat, self.together, self.stand_ins) = (CardSet::ALL, CardSet::ALL, CardSet::ALL);
        (self.open_runs, self.challenges) = (true, true);
    }

    /// Takes in what can be done and met by other rules with the same cards.
    fn extend(&mut self, other: Vocabulary) {
        let Vocabulary {
            pack: _,
            copies: _,
            with_suit,
            with_rank,
            with_seat,
            together,
            stand_ins,
            open_runs,
            names_suit,
            names_rank,
            challenges,
            owes_words,
            takes,
            calls,
            looks,
            deals,
            point_of_order,
            transparent,
            stated_suits,
            requests,
            races,
            threats,
            closes,
            sealed,
            free,
            owed_one_by_one,
            debts,
            rules: _,
        } = other;
        self.with_suit = self.with_suit.union(with_suit);
        self.with_rank = self.with_rank.union(with_rank);
        self.with_seat = self.with_seat.union(with_seat);
        self.together = self.together.union(together);
        self.stand_ins = self.stand_ins.union(stand_ins);
        self.open_runs |= open_runs;
        self.names_suit |= names_suit;
        self.names_rank |= names_rank;
        self.challenges |= challenges;
        self.owes_words |= owes_words;
        self.takes |= takes;
        self.calls |= calls;
        self.looks |= looks;
        self.deals |= deals;
        self.point_of_order |= point_of_order;
        self.transparent |= transparent;
        self.stated_suits |= stated_suits;
        self.requests |= requests;
        self.races |= races;
        self.threats |= threats;
        self.closes |= closes;
        self.sealed |= sealed;
        self.free |= free;
        self.owed_one_by_one |= owed_one_by_one;
        self.debts.extend(debts);
        self.debts.sort();
        self.debts.dedup();
    }

    /// The kinds of cards.
    pub fn kinds(&self) -> impl Iterator<Item = Card> + '_ {
        self.pack.cards().iter().filter(|card| self.copies[card.index()] > 0)
    }
}

impl Rules {
    /// What can be done and met at this table, also once rules of its menu have been added.
    pub fn vocabulary(&self) -> Vocabulary {
        let mut all = self.vocabulary_at_first();
        for (name, _) in self.set.menu.iter().flat_map(|menu| &menu.add).filter(|(_, entry)| !entry.off) {
            let text = Text::try_from(name.as_str());
            if let Some(rules) = text.ok().and_then(|name| self.with_added(&[name]).ok()) {
                all.extend(rules.vocabulary_at_first());
            }
            all.rules.push(name.clone());
        }
        all
    }

    fn vocabulary_at_first(&self) -> Vocabulary {
        let (set, features) = (&self.set, &self.features);
        let mut copies = [0; Card::PLACES];
        self.deck.iter().for_each(|card| copies[card.index()] += 1);
        let kinds = self.kinds;
        let mut debts: Vec<String> = self.debts.iter().map(|debt| debt.kind.to_string()).collect();
        debts.sort();
        debts.dedup();
        let called = self.mau.as_ref().is_some_and(|mau| mau.if_missing == MauMissing::Called);
        let chooses = self.at_all_counts().fold(self.chooses, |all, rules| all.union(rules.chooses));
        let with_seat = self.at_all_counts().fold(self.chooses_seat, |all, rules| all.union(rules.chooses_seat));
        let must_name =
            self.must_choose.without(self.stand_ins).union(self.new_suit).union(self.request_suits).union(chooses);
        Vocabulary {
            pack: self.pack(),
            copies,
            with_suit: chooses.union(self.spoken).union(self.request_suits).intersect(kinds),
            with_rank: self.request_ranks.intersect(kinds),
            with_seat: with_seat.intersect(kinds),
            together: self.together.iter().fold(CardSet::EMPTY, |all, way| all.union(way.all())).intersect(kinds),
            stand_ins: self.stand_ins,
            open_runs: self.together.iter().any(SeveralAtOnce::may_stay_open),
            names_suit: !must_name.intersect(kinds).is_empty() || self.debts.iter().any(|debt| debt.drawer_names),
            names_rank: !self.request_ranks.intersect(kinds).is_empty(),
            challenges: features.challenges,
            owes_words: features.announcements || features.speech,
            takes: self.faces.iter().any(|face| face.take.is_some()),
            calls: called || (set.calls.notice == Notice::Seats && set.calls.cards > 0),
            looks: features.covered_hands || features.sealed_cards || set.deal.look != Look::Dealt,
            deals: set.deal.by == DealtBy::Dealer,
            point_of_order: set.point_of_order.is_some(),
            transparent: features.transparent_cards,
            stated_suits: features.stated_suits,
            requests: features.requests,
            races: features.races,
            threats: self.skips.iter().any(|skip| skip.threat),
            closes: set.ending.at == EndingAt::Closing,
            sealed: features.sealed_cards,
            free: features.free_cards,
            owed_one_by_one: set.turn.owed_one_by_one,
            debts,
            rules: Vec::new(),
        }
    }
}
