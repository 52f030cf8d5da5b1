//! The rules in words, made from the resolved data, for people who do not know the game. It changes nothing and plays
//! nothing.
//!
//! Only the data is consulted: this module does not know which rule set it explains. Each sentence names the clauses that
//! it states, in whatever rule set; a page cites those that its set names, except where another file has changed the rule.

mod calls;
mod dealing;
mod ending;
mod menu;
mod mistakes;
mod owed_words;
mod page;
mod requests;
mod sentence;
mod special;
mod start;
mod talk;
mod times;
mod together;
mod turn;
mod turns_lost;
mod warnings;
mod words;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use maumau_engine::Rules;
use maumau_engine::rules::{LoadedRules, OptionDefinition, holds};
use maumau_protocol::message::TimeControl;
use maumau_protocol::ruleset::{BySeats, DealtCards, Effect, FirstCard, OptionValue, RuleSet};
use maumau_protocol::{Card, CardSet, MAX_SEATS};

use page::Page;
pub use page::Passage;
pub use sentence::Sentence;

/// The rules of one set in words, for a table of some size or for all tables.
pub struct Rulebook<'a> {
    set: &'a RuleSet,
    time: TimeControl,
    seats: Option<usize>,
    loaded: Option<&'a LoadedRules>,
    /// The clauses that the rule set names, in any part.
    named: BTreeSet<String>,
    /// Those that its sections name.
    of_sections: BTreeSet<String>,
}

impl<'a> Rulebook<'a> {
    /// Of a resolved set, as games hold it, with the times `time`. Everything that only the rule file knows is left out: the
    /// other values of the options and the clauses of the sections; see [`Rulebook::of_file`].
    pub fn new(set: &'a RuleSet, time: &TimeControl, seats: Option<usize>) -> Rulebook<'a> {
        let named = clauses_of_parts(set).into_values().flatten().collect();
        Rulebook { set, time: *time, seats, loaded: None, named, of_sections: BTreeSet::new() }
    }

    /// Of a loaded file, with the usual times.
    pub fn of_file(loaded: &'a LoadedRules, seats: Option<usize>) -> Rulebook<'a> {
        let mut book = Rulebook::new(&loaded.set, &TimeControl::default(), seats);
        book.loaded = Some(loaded);
        book.of_sections = loaded.clauses.values().flatten().cloned().collect();
        book.named.extend(book.of_sections.iter().cloned());
        book
    }

    /// The whole text, in lines of at most `width` characters.
    pub fn text(&self, width: usize) -> String {
        self.page().write(width, |sentence| self.cited(sentence))
    }

    /// The text sentence by sentence.
    pub fn sentences(&self) -> Vec<Sentence> {
        self.page().sentences()
    }

    /// The text for a page with a form of its own, each sentence with the clauses to cite.
    pub fn passages(&self) -> Vec<Passage> {
        self.page().passages(|sentence| self.cited(sentence))
    }
}

impl Rulebook<'_> {
    fn page(&self) -> Page {
        let mut page = Page::new(self.set.deck.pack);
        page.title(&format!("{} ({})", self.set.title, self.set.name));
        self.about(&mut page);
        self.players(&mut page);
        self.deal(&mut page);
        self.turn(&mut page);
        self.special_cards(&mut page);
        self.together(&mut page);
        self.interjections(&mut page);
        self.what_must_be_said(&mut page);
        self.manners(&mut page);
        self.mistakes(&mut page);
        self.ending(&mut page);
        self.scoring(&mut page);
        self.menu(&mut page);
        self.times(&mut page);
        self.table_options(&mut page);
        page
    }

    /// The clauses to cite after `sentence`. Of those that it states: the conventions', and those that the set names, or in
    /// a sentence about one part that part, unless a file that extends that set changed what the sentence follows from.
    fn cited(&self, sentence: &Sentence) -> Vec<String> {
        let changed = self.loaded.is_some_and(|loaded| loaded.changed.iter().any(|key| sentence.depends_on(key)));
        let named = |id: &String| match sentence.may_cite() {
            Some(own) => own.contains(id) || (!own.is_empty() && self.of_sections.contains(id)),
            None => self.named.contains(id),
        };
        let is_common = |id: &&String| id.starts_with("G-");
        let own = sentence.clauses().iter().filter(|id| !is_common(id) && !changed && named(id));
        own.chain(sentence.clauses().iter().filter(is_common)).cloned().collect()
    }

    /// A value that may depend on the number of seats, passed to `say` for each number that matters here.
    fn by_seats<T>(&self, value: &BySeats<T>, say: impl Fn(&T) -> String) -> String {
        match (value, self.seats) {
            (BySeats::All(value), _) => say(value),
            (BySeats::Rows(_), Some(seats)) => value.get(seats).map_or_else(|| "nothing defined".to_owned(), say),
            (BySeats::Rows(rows), None) => match rows.as_slice() {
                [row] => say(&row.is),
                rows => {
                    let part = |row: &maumau_protocol::ruleset::SeatRow<T>| {
                        format!("{} ({})", say(&row.is), words::players(row.seats))
                    };
                    words::list(&rows.iter().map(part).collect::<Vec<_>>(), "or")
                }
            },
        }
    }

    /// The cards that are dealt to each player.
    fn dealt(&self) -> String {
        match &self.set.deal.cards {
            DealtCards::Fixed(cards) => self.by_seats(cards, |cards| words::count(u32::from(*cards), "card")),
            DealtCards::Count => "as many cards as its count".to_owned(),
        }
    }

    /// The numbers of players for which a table can be set up.
    fn tables(&self) -> BTreeSet<usize> {
        let set = Arc::new(self.set.clone());
        let sizes = self.set.seats.min as usize..=(self.set.seats.max as usize).min(MAX_SEATS);
        sizes.filter(|seats| Rules::for_table(&set, *seats, None).is_ok()).collect()
    }

    /// Whether the table has two players, or some table of the set may.
    fn may_be_two(&self) -> bool {
        self.seats.map_or(self.set.seats.min <= 2, |seats| seats == 2)
    }

    /// The effects that hold at this table, or at any table, with their names.
    fn effects_here(&self) -> impl Iterator<Item = (&String, &Effect)> {
        let seats = self.seats.map(|seats| u8::try_from(seats).unwrap_or(u8::MAX));
        let here = move |effect: &Effect| seats.map_or(!effect.off, |seats| holds(effect, seats));
        let no_cards = move |effect: &Effect| !effect.cards.1 && self.in_pack(effect.cards.0).is_empty();
        self.set.effects.iter().filter(move |(_, effect)| here(effect) && !no_cards(effect))
    }

    /// `cards` without jokers, where the pack has none.
    fn in_pack(&self, cards: CardSet) -> CardSet {
        if self.set.deck.jokers > 0 { cards } else { cards.without(CardSet::of(Card::JOKER)) }
    }

    /// Whether some card here has the part.
    fn some_card(&self, has: impl Fn(&Effect) -> bool) -> bool {
        self.effects_here().any(|(_, effect)| has(effect))
    }

    /// The cards here that have the part.
    fn cards_with(&self, has: impl Fn(&Effect) -> bool) -> CardSet {
        let effects = self.effects_here().filter(|(_, effect)| has(effect));
        effects.fold(CardSet::EMPTY, |all, (_, effect)| all.union(effect.cards.0))
    }

    /// The cards here whose player, or the dealer if one is turned up first, must name something before any seat moves.
    fn named_when_turned_up(&self) -> CardSet {
        use maumau_protocol::ruleset::ChooseSuit::Spoken;
        let names = |effect: &Effect| effect.request.is_some() || effect.choose_suit.is_some_and(|how| how != Spoken);
        self.turned_up_with(names).without(self.set.deal.not_first.0)
    }

    /// The cards here that have their effect when they are turned up first, of those that have some of what `has` asks for.
    fn turned_up_with(&self, has: impl Fn(&Effect) -> bool) -> CardSet {
        let cards = self.cards_with(has);
        match self.set.deal.first_card {
            FirstCard::Effect => cards,
            FirstCard::Plain => cards.intersect(self.set.deal.first_effects.0),
        }
    }

    /// Whether an answer to a lost turn can be due in one's own turn.
    fn skips_can_be_answered(&self) -> bool {
        self.some_card(|effect| effect.skip.as_ref().is_some_and(|skip| !skip.threat && !skip.answers.0.is_empty()))
    }

    /// What the game is, in its author's words, unless an option makes another game of it.
    fn about(&self, page: &mut Page) {
        let standing = |options: &[OptionDefinition]| {
            let changes = |(name, chosen): (&String, &OptionValue)| {
                // What every game has makes no other game of it.
                let option = options.iter().find(|option| option.name == *name);
                option.is_none_or(|option| option.default != *chosen && !option.clause.starts_with("G-"))
            };
            !self.set.options.iter().any(changes)
        };
        page.paragraph();
        if let Some(base) = self.loaded.and_then(|loaded| loaded.base.as_ref()) {
            page.say(format!("House rules that change {base}.")).played("fn a_house_rule_is_explained_too");
        }
        if self.loaded.is_none_or(|loaded| standing(&loaded.options)) && !self.set.about.trim().is_empty() {
            page.say(self.set.about.trim()).from("about").rendered();
        }
    }

    fn table_options(&self, page: &mut Page) {
        if self.set.options.is_empty() {
            return;
        }
        page.heading("Table options");
        page.paragraph()
            .say(
                "A table chooses these before the first deal, as in --set rounds=5; the values are those of this page.",
            )
            .states("G-20 P-90")
            .played("fn the_text_follows_from_the_resolved_rules");
        for (name, value) in &self.set.options {
            let definition = self.loaded.and_then(|loaded| loaded.options.iter().find(|option| option.name == *name));
            // A match that ends at a target needs no number of rounds.
            let no_number = name == "rounds" && *value == OptionValue::Int(0);
            let as_many = if no_number { " Here as many as it takes." } else { "" };
            let about = definition.map_or_else(String::new, |option| {
                format!(": {}{as_many} Possible: {}.", option.about, option.choices())
            });
            let clause = definition.map(|option| option.clause.clone()).filter(|clause| !clause.is_empty());
            let clause: Vec<String> = clause.into_iter().collect();
            page.item().about(format!("options.{name}")).cite_only(&clause);
            page.say(format!("{name} = {value}{about}"))
                .states_all(&clause)
                .from(&format!("options.{name}"))
                .rendered();
        }
    }
}

/// The clauses by the section or part that names them.
fn clauses_of_parts(set: &RuleSet) -> BTreeMap<String, Vec<String>> {
    let mut parts: BTreeMap<String, Vec<String>> = BTreeMap::new();
    let mut add = |part: String, clauses: &[String]| drop(parts.insert(part, clauses.to_vec()));
    for (name, effect) in &set.effects {
        add(format!("effects.{name}"), &effect.clauses);
    }
    let duties = &set.duties;
    for (name, duty) in &duties.words {
        add(format!("duties.words.{name}"), &duty.clauses);
    }
    duties.mau.iter().for_each(|duty| add("duties.mau".to_owned(), &duty.clauses));
    duties.mau_mau.iter().for_each(|duty| add("duties.mau_mau".to_owned(), &duty.clauses));
    duties.last.iter().for_each(|duty| add("duties.last".to_owned(), &duty.clauses));
    duties.identical.iter().for_each(|duty| add("duties.identical".to_owned(), &duty.clauses));
    duties.done.iter().for_each(|duty| add("duties.done".to_owned(), &duty.clauses));
    set.interject.iter().for_each(|interject| add("interject".to_owned(), &interject.clauses));
    set.challenge.iter().for_each(|challenge| add("challenge".to_owned(), &challenge.clauses));
    set.talk.iter().for_each(|talk| add("talk".to_owned(), &talk.clauses));
    set.menu.iter().for_each(|menu| add("menu".to_owned(), &menu.clauses));
    set.point_of_order.iter().for_each(|pause| add("point_of_order".to_owned(), &pause.clauses));
    parts
}

/// The example of the crate's README is a test.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
