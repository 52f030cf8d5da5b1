//! Whether a draft makes sense: whether it can be played, whether its parts agree, whether it can end.
//!
//! Names, shapes and the bounds of numbers are settled before. Every problem is listed; nothing later asks again.

use std::sync::Arc;

use maumau_protocol::limits::MAX_SAY_CHARS;
use maumau_protocol::ruleset::{AfterDraw, BySeats, Effect, Mau, MauMissing, RuleSet};
use maumau_protocol::{Card, CardList, MAX_SEATS};

use super::active_effects::{active_effects, without};
use super::agree;
use super::compiled::{Rules, TableError, point_names};
use super::options::OptionDefinition;
use super::problem::{Report, list, suggestion};
use super::tree::{Node, join};
use crate::speech;

/// The most effects of a set.
const MAX_EFFECTS: usize = 64;
/// The most duties to say something with a card.
const MAX_WORD_DUTIES: usize = 64;
/// The most phrases that fulfil one duty.
const MAX_PHRASES: usize = 64;

/// Reports everything in `set` that makes no sense; `tree` gives the places, and `options` what may be chosen. Where the set
/// is resolved and its files are not known, `options` is `None`: then nothing is said of parts that are written and do
/// nothing.
pub(crate) fn check(set: &RuleSet, tree: &Node, options: Option<&[OptionDefinition]>, report: &mut Report) {
    let mut draft = Draft { set, tree, report };
    // Effects and duties are compared with one another: beyond their number that would take too long.
    if draft.has_too_many_parts() {
        return;
    }
    draft.heading();
    draft.tables();
    if let Some(options) = options {
        draft.idle_effects(options);
    }
    draft.effects();
    draft.agreement();
    draft.points();
    if let Some(mau) = &set.duties.mau {
        draft.mau(mau);
    }
    draft.other_words();
    agree::check(set, tree, report);
}

struct Draft<'a> {
    set: &'a RuleSet,
    tree: &'a Node,
    report: &'a mut Report,
}

impl Draft<'_> {
    fn wrong(&mut self, path: &str, message: impl Into<String>) {
        self.report.add_in(self.tree, path, message);
    }

    fn heading(&mut self) {
        let name = &self.set.name;
        let well_formed = name.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-' || c == '_');
        if name.is_empty() || name.len() > 40 || !well_formed {
            self.wrong("name", "expected 1 to 40 small letters, digits, - and _");
        }
        if self.set.title.trim().is_empty() || self.set.title.chars().count() > 100 {
            self.wrong("title", "expected a title of 1 to 100 characters");
        }
    }

    /// Some table must be playable, and on it some card must be able to be the last one.
    fn tables(&mut self) {
        let set = self.set;
        if set.seats.min > set.seats.max {
            self.wrong("seats.min", format!("{} is more than seats.max, which is {}", set.seats.min, set.seats.max));
        }
        self.rows("deck.cards", &set.deck.cards);
        self.rows("deck.packs", &set.deck.packs);
        self.rows("deal.cards", &set.deal.cards);
        if set.turn.draws > 1 && set.turn.after_draw == AfterDraw::Over {
            self.wrong("turn.draws", "only one card can be drawn where after_draw = \"over\" ends the turn");
        }
        let DeckSummary { empty, joker } = DeckSummary::of(&set.deck.cards);
        if empty || joker {
            let what = if joker { "jokers are counted by deck.jokers" } else { "a pack needs cards" };
            self.wrong("deck.cards", what);
            return;
        }
        let shared = Arc::new(set.clone());
        let sizes = set.seats.min as usize..=(set.seats.max as usize).min(MAX_SEATS);
        let tables: Vec<(usize, Result<Rules, TableError>)> =
            sizes.map(|seats| (seats, Rules::for_table(&shared, seats, None))).collect();
        let playable: Vec<&Rules> = tables.iter().filter_map(|(_, rules)| rules.as_ref().ok()).collect();
        if let (true, Some((seats, Err(error)))) = (playable.is_empty(), tables.first()) {
            let laid_down = set.deck.cards.get(*seats).and(set.deck.packs.get(*seats)).and(set.deal.cards.get(*seats));
            let path = if laid_down.is_some() { "deal.cards" } else { "seats" };
            let reason = error.0.strip_prefix(&format!("{}: ", set.name)).unwrap_or(&error.0);
            self.wrong(path, format!("no table can be set up: {reason}"));
        }
        let hopeless = playable.iter().filter(|rules| rules.deck.iter().all(|card| rules.never_last.contains(*card)));
        let hopeless: Vec<String> = hopeless.map(|rules| rules.seats.to_string()).collect();
        if !hopeless.is_empty() {
            let seats = list(&hopeless, "or");
            self.wrong("effects", format!("no round can be won with {seats} seats: every card is never_last"));
        }
        if playable.iter().any(|rules| rules.deck.iter().all(|card| set.deal.not_first.0.contains(*card))) {
            self.wrong("deal.not_first", "no card could be turned up: it names every card of the deck");
        }
        if playable.iter().any(|rules| rules.deck.iter().all(|card| rules.transparent.contains(*card))) {
            self.wrong("effects", "there is nothing to match: every card of the deck is transparent");
        }
    }

    fn rows<T>(&mut self, path: &str, value: &BySeats<T>) {
        let BySeats::Rows(rows) = value else { return };
        if rows.is_empty() {
            self.wrong(path, "expected at least one row");
        }
        for (index, row) in rows.iter().enumerate() {
            let [low, high] = row.seats;
            let row_path = format!("{path}.{index}.seats");
            self.range(&row_path, row.seats);
            let twice = rows[..index].iter().any(|before| low <= before.seats[1] && before.seats[0] <= high);
            if twice {
                self.wrong(&row_path, format!("an earlier row is for some of {low} to {high} seats already"));
            }
        }
    }

    fn range(&mut self, path: &str, [low, high]: [u8; 2]) {
        if low > high {
            self.wrong(path, format!("expected the smaller number of seats first, found [{low}, {high}]"));
        }
    }

    fn has_too_many_parts(&mut self) -> bool {
        let duties = &self.set.duties.words;
        let phrases = duties.iter().map(|(name, duty)| (join(&join("duties.words", name), "say"), duty.say.len()));
        let interject = self.set.interject.iter().map(|interject| ("interject.say".to_owned(), interject.say.len()));
        let counted = [
            ("effects".to_owned(), "effects", self.set.effects.len(), MAX_EFFECTS),
            ("duties.words".to_owned(), "duties", duties.len(), MAX_WORD_DUTIES),
        ];
        let phrases = phrases.chain(interject).map(|(path, count)| (path, "phrases", count, MAX_PHRASES));
        let wrong: Vec<_> = counted.into_iter().chain(phrases).filter(|(.., count, most)| count > most).collect();
        for (path, what, count, most) in &wrong {
            self.wrong(path, format!("{count} {what} are too many: at most {most}"));
        }
        !wrong.is_empty()
    }

    /// Effects that are written and do nothing.
    fn idle_effects(&mut self, options: &[OptionDefinition]) {
        for (name, effect) in &self.set.effects {
            let path = join("effects", name);
            let cards = join(&path, "cards");
            let by_option = options.iter().any(|option| option.key.as_deref() == Some(&cards));
            if effect.cards.0.is_empty() && !effect.off && !by_option {
                self.wrong(&cards, "an effect needs at least one card; off = true switches it off");
            }
            let bare = Effect {
                clauses: effect.clauses.clone(),
                cards: effect.cards,
                seats: effect.seats,
                off: effect.off,
                ..Effect::default()
            };
            if *effect == bare && !effect.off && !self.neutral(&path) {
                self.wrong(&path, "does nothing: add what its cards do, such as skip = {} or again = \"may\"");
            }
        }
    }

    /// Each effect by itself.
    fn effects(&mut self) {
        for (name, effect) in &self.set.effects {
            let path = join("effects", name);
            if let Some(seats) = effect.seats {
                self.range(&join(&path, "seats"), seats);
            }
            if let Some(owe) = &effect.owe
                && (owe.kind.trim().is_empty() || owe.kind.chars().count() > 32)
            {
                self.wrong(&join(&path, "owe.kind"), "expected a name of 1 to 32 characters for the debt");
            }
            if let Some(skip) = &effect.skip
                && skip.every_victim_may_answer
                && skip.answers.0.is_empty()
            {
                self.wrong(
                    &join(&path, "skip.every_victim_may_answer"),
                    "nobody can answer: skip.answers names no cards",
                );
            }
            if let Some(skip) = &effect.skip
                && skip.threat
            {
                let threat = join(&path, "skip.threat");
                if skip.answers.0.is_empty() {
                    self.wrong(&threat, "nobody can answer it: skip.answers names no cards");
                }
                if skip.every_victim_may_answer {
                    self.wrong(
                        &threat,
                        "contradicts skip.every_victim_may_answer: an answer never adds up, one is skipped",
                    );
                }
            }
        }
    }

    /// Whether an effect says in so many words that it does not have a part.
    fn neutral(&self, path: &str) -> bool {
        let parts = [
            "any_time",
            "out_of_turn",
            "transparent",
            "not_on",
            "not_on_own_suit",
            "free_on",
            "swap_next",
            "reverse",
            "never_last",
            "last_costs",
        ];
        parts.iter().any(|part| self.tree.get(&join(path, part)).is_some())
    }

    /// The effects with one another, at every table where they hold.
    fn agreement(&mut self) {
        for active in active_effects(self.set) {
            for (index, (name, effect)) in active.iter().enumerate() {
                let path = join("effects", name);
                if let Some(owe) = &effect.owe {
                    let silent = without(owe.answers, &active, |other| {
                        other.owe.as_ref().is_some_and(|debt| debt.kind == owe.kind)
                    });
                    if !silent.0.is_empty() {
                        let message =
                            format!("{silent} cannot answer: no effect of theirs makes a debt of kind {:?}", owe.kind);
                        self.wrong(&join(&path, "owe.answers"), message);
                    }
                }
                if let Some(skip) = &effect.skip {
                    let silent = without(skip.answers, &active, |other| other.skip.is_some());
                    if !silent.0.is_empty() {
                        self.wrong(&join(&path, "skip.answers"), format!("{silent} cannot answer: they skip nobody"));
                    }
                    let same = |other: &Effect| other.skip.as_ref().is_none_or(|answer| answer.threat == skip.threat);
                    let unlike = without(skip.answers, &active, same);
                    if silent.0.is_empty() && !unlike.0.is_empty() {
                        let message = format!("{unlike} cannot answer: skip.threat is not the same there");
                        self.wrong(&join(&path, "skip.answers"), message);
                    }
                }
                for (before_name, before) in &active[..=index] {
                    let both = CardList(before.cards.0.intersect(effect.cards.0));
                    if both.0.is_empty() {
                        continue;
                    }
                    let before_path = join("effects", before_name);
                    let layer = |path: &str| self.tree.nearest(path).0.key_at.layer;
                    // The nearer file is told.
                    if layer(&before_path) > layer(&path) {
                        self.pair(&before_path, before, &path, effect, both);
                    } else {
                        self.pair(&path, effect, &before_path, before, both);
                    }
                }
            }
        }
    }

    /// Two effects of the same cards, or one with itself.
    fn pair(&mut self, path: &str, effect: &Effect, other_path: &str, other: &Effect, both: CardList) {
        let has = |effect: &Effect| {
            [effect.again.is_some(), effect.owe.is_some(), effect.request.is_some(), effect.skip.is_some()]
        };
        const PARTS: [&str; 4] = ["again", "owe", "request", "skip"];
        for (part, here) in PARTS.iter().zip(has(effect)) {
            for (other_part, there) in PARTS.iter().zip(has(other)) {
                // Of one effect's own parts the one in the nearer file is told.
                let layer = |part: &str| std::cmp::Reverse(self.tree.nearest(&join(path, part)).0.key_at.layer);
                let is_told = path != other_path || (layer(part), part) < (layer(other_part), other_part);
                if here && there && part != other_part && is_told {
                    let message = format!(
                        "contradicts {other_path}.{other_part} on {both}: a card has only one of again, owe, request and skip"
                    );
                    self.wrong(&join(path, part), message);
                }
            }
        }
        for (part, other_part, why) in idle_parts(effect, other) {
            self.wrong(&join(path, part), format!("contradicts {other_path}.{other_part} on {both}: {why}"));
        }
        if path != other_path {
            for (part, effect_part, why) in idle_parts(other, effect) {
                self.wrong(&join(path, effect_part), format!("contradicts {other_path}.{part} on {both}: {why}"));
            }
        }
        for (part, _) in differing(effect, other).into_iter().filter(|(_, differ)| *differ) {
            self.wrong(&join(path, part), format!("contradicts {other_path}.{part} on {both}: they differ"));
        }
    }

    fn points(&mut self) {
        let names: Vec<String> = point_names().collect();
        for name in self.set.scoring.points.keys().filter(|name| !names.contains(name)) {
            let path = join("scoring.points", name);
            let known = suggestion(name, names.iter().map(String::as_str));
            self.wrong(&path, format!("is no rank{known}"));
        }
    }

    fn mau(&mut self, mau: &Mau) {
        let barred = mau.if_missing == MauMissing::BarsLastCard;
        self.word("duties.mau.word", &mau.word, if barred { ", and no round could be won without it" } else { "" });
        if mau.any_time && mau.if_missing != MauMissing::BarsLastCard {
            self.wrong("duties.mau.any_time", "means something only with if_missing = \"bars_last_card\"");
        }
    }

    fn other_words(&mut self) {
        let duties = &self.set.duties;
        if let Some(mau_mau) = &duties.mau_mau {
            self.word("duties.mau_mau.word", &mau_mau.word, "");
        }
        if let Some(identical) = &duties.identical {
            self.word("duties.identical.word", &identical.word, "");
        }
    }

    /// Words are written in the form in which they are compared; `why` says what an empty one would lead to.
    fn word(&mut self, path: &str, word: &str, why: &str) {
        let normal = speech::normal_form(word);
        if normal.is_empty() || word.chars().count() > MAX_SAY_CHARS {
            self.wrong(path, format!("cannot be said{why}: expected 1 to {MAX_SAY_CHARS} characters"));
        } else if normal != word {
            let message = format!("words are compared in small letters without punctuation (G-10): write {normal:?}");
            self.wrong(path, message);
        }
    }
}

/// What can be wrong with the cards of a pack, in any of its rows.
struct DeckSummary {
    empty: bool,
    joker: bool,
}

impl DeckSummary {
    fn of(cards: &BySeats<CardList>) -> DeckSummary {
        let lists: Vec<CardList> = match cards {
            BySeats::All(list) => vec![*list],
            BySeats::Rows(rows) => rows.iter().map(|row| row.is).collect(),
        };
        DeckSummary {
            empty: lists.iter().any(|list| list.0.is_empty()),
            joker: lists.iter().any(|list| list.0.contains(Card::JOKER)),
        }
    }
}

/// Parts of an effect that another part keeps from ever being carried out, with the reason.
fn idle_parts(effect: &Effect, other: &Effect) -> Vec<(&'static str, &'static str, &'static str)> {
    let named = "a card that makes a request does nothing else";
    let mut idle = Vec::new();
    if other.request.is_some() {
        let parts = [
            ("choose_suit", effect.choose_suit.is_some()),
            ("reverse", effect.reverse),
            ("swap_next", effect.swap_next),
            ("take", effect.take.is_some()),
        ];
        idle.extend(parts.into_iter().filter(|(_, has)| *has).map(|(part, _)| (part, "request", named)));
    }
    if other.transparent && effect.choose_suit.is_some() {
        idle.push(("choose_suit", "transparent", "what counts is the card below"));
    }
    idle
}

/// Parts of which a card can have only one form, and whether two effects disagree about them.
fn differing(effect: &Effect, other: &Effect) -> [(&'static str, bool); 7] {
    fn differ<T: PartialEq>(one: &Option<T>, other: &Option<T>) -> bool {
        one.is_some() && other.is_some() && one != other
    }
    [
        ("again", differ(&effect.again, &other.again)),
        ("choose_suit", differ(&effect.choose_suit, &other.choose_suit)),
        ("last_multiplies", differ(&effect.last_multiplies, &other.last_multiplies)),
        ("owe", differ(&effect.owe, &other.owe)),
        ("request", differ(&effect.request, &other.request)),
        ("skip", differ(&effect.skip, &other.skip)),
        ("take", differ(&effect.take, &other.take)),
    ]
}
