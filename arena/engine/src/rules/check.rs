//! Whether a draft makes sense: whether it can be played, whether its parts agree, whether it can end. It reads the
//! draft and only adds problems.
//!
//! Names, shapes and the bounds of numbers are settled before; `effects` judges effects, and `agree` judges sections that
//! must agree with one another. Every problem is listed; nothing later asks again.

use std::sync::Arc;

use maumau_places::{Node, ProblemCollector, join, list, suggestion};
use maumau_protocol::ruleset::{AfterDraw, BySeats, ChooseSuit, DealtCards, Mau, MauMissing, RuleSet};
use maumau_protocol::{Card, CardList, Faces, MAX_SEATS, Pack, Rank};

use super::compiled::{Rules, TableError, point_names};
use super::examined::Examined;
use super::options::OptionDefinition;
use super::{agree, counts, effects, plays, stand_ins};

/// The most effects of a set.
const MAX_EFFECTS: usize = 64;
/// The most duties to say something with a card.
const MAX_WORD_DUTIES: usize = 64;
/// The most phrases that fulfil one duty.
const MAX_PHRASES: usize = 64;

/// Reports everything in `set` that makes no sense; `tree` gives the places, and `options` the possible choices. If the set
/// is resolved and its files are not known, `options` is `None`: then parts that are written and do nothing are not
/// reported.
pub(crate) fn check(set: &RuleSet, tree: &Node, options: Option<&[OptionDefinition]>, report: &mut ProblemCollector) {
    let mut draft = Examined { set, tree, report };
    let counts = counts::check(&mut draft);
    if counts.is_empty() {
        return check_at_one_count(set, tree, options, report);
    }
    // The same is wrong for many counts: the first will do.
    for count in counts {
        check_at_one_count(&set.at_count(count), tree, options, report);
        if !report.is_empty() {
            return;
        }
    }
}

/// As [`check`], for a set of which only the rules of playing are new: its heading and its tables are known to be right.
pub(super) fn check_rules(set: &RuleSet, tree: &Node, report: &mut ProblemCollector) {
    let counts = counts::check(&mut Examined { set, tree, report });
    if counts.is_empty() {
        return check_rules_at_one_count(set, tree, report);
    }
    for count in counts {
        check_rules_at_one_count(&set.at_count(count), tree, report);
        if !report.is_empty() {
            return;
        }
    }
}

/// As [`check_rules`], where nothing depends on the count of a seat.
fn check_rules_at_one_count(set: &RuleSet, tree: &Node, report: &mut ProblemCollector) {
    let mut draft = Examined { set, tree, report };
    if !draft.has_too_many_parts() {
        draft.of_one_pack();
        draft.rules(None);
    }
}

/// As [`check`], where nothing depends on the count of a seat.
fn check_at_one_count(set: &RuleSet, tree: &Node, options: Option<&[OptionDefinition]>, report: &mut ProblemCollector) {
    let mut draft = Examined { set, tree, report };
    // Effects and duties are compared pairwise: beyond these limits that would take too long.
    if draft.has_too_many_parts() {
        return;
    }
    draft.heading();
    draft.of_one_pack();
    draft.tables();
    draft.points();
    draft.rules(options);
}

impl Examined<'_> {
    /// The rules of playing.
    fn rules(&mut self, options: Option<&[OptionDefinition]>) {
        effects::check(self, options);
        if let Some(mau) = &self.set.duties.mau {
            self.mau(mau);
        }
        self.other_words();
        agree::check(self);
        plays::check(self);
        stand_ins::check(self);
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

    /// Every card that is named must be of the pack (G-63), and have one number of copies (G-64).
    fn of_one_pack(&mut self) {
        let set = self.set;
        let mut lists: Vec<(String, CardList)> = vec![
            ("deal.not_first".to_owned(), CardList(set.deal.not_first.0)),
            ("deal.first_effects".to_owned(), set.deal.first_effects),
        ];
        match &set.deck.cards {
            BySeats::All(cards) => lists.push(("deck.cards".to_owned(), *cards)),
            BySeats::Rows(rows) => {
                lists.extend(rows.iter().enumerate().map(|(at, row)| (format!("deck.cards.{at}.is"), row.is)));
            }
        }
        for (at, copies) in set.deck.copies.iter().enumerate() {
            lists.push((format!("deck.copies.{at}.cards"), copies.cards));
        }
        for (name, effect) in &set.effects {
            let path = join("effects", name);
            let mut add = |key: &str, cards: CardList| lists.push((join(&path, key), cards));
            add("cards", CardList(effect.cards.0));
            add("stands_for", effect.stands_for);
            add("also_on", effect.also_on);
            add("not_on", effect.not_on);
            add("free_on", effect.free_on);
            if let Some(owe) = &effect.owe {
                add("owe.answers", owe.answers.cards);
                add("owe.passes", owe.passes.cards);
                add("owe.returns", owe.returns.cards);
                add("owe.cancels", owe.cancels.cards);
            }
            if let Some(skip) = &effect.skip {
                add("skip.answers", skip.answers);
            }
            if let Some(request) = &effect.request {
                add("request.of", request.of);
            }
        }
        for (name, together) in &set.together {
            for (key, cards) in
                [("cards", together.cards), ("opened_by", together.opened_by), ("ended_by", together.ended_by)]
            {
                lists.push((join(&join("together", name), key), cards));
            }
        }
        for (name, word) in &set.duties.words {
            lists.extend(word.cards.map(|cards| (join(&join("duties.words", name), "cards"), cards)));
        }
        lists.extend(set.interject.iter().map(|interject| ("interject.cards".to_owned(), interject.cards)));
        let pack = set.deck.pack;
        for (path, _) in lists.iter().filter(|(_, cards)| cards.0.is_foreign_to(pack)) {
            self.wrong(path, format!("names cards that are not of the pack: deck.pack is {:?}", pack.name()));
        }
        for (at, copies) in set.deck.copies.iter().enumerate() {
            let path = format!("deck.copies.{at}.cards");
            if copies.cards.is_empty() {
                self.wrong(&path, "names no card");
            }
            if set.deck.copies[..at].iter().any(|before| !before.cards.0.intersect(copies.cards.0).is_empty()) {
                self.wrong(&path, "an earlier row says how often there are some of these cards");
            }
            if copies.cards.0.contains(Card::JOKER) {
                self.wrong(&path, "jokers are counted by deck.jokers");
            }
        }
        if pack != Pack::French {
            if set.deck.faces != Faces::French {
                let reason = format!("only a French pack has other faces: deck.pack is {:?}", pack.name());
                self.wrong("deck.faces", reason);
            }
            let counted = set.effects.iter().filter(|(_, effect)| effect.cards.1);
            let mut counted: Vec<String> = counted.map(|(name, _)| join(&join("effects", name), "cards")).collect();
            counted.extend(set.deal.not_first.1.then(|| "deal.not_first".to_owned()));
            for path in counted {
                self.wrong(&path, "\"count\" stands for values of the French pack only");
            }
        }
        if pack != Pack::French || set.deck.faces != Faces::French {
            let spoken = set.effects.iter().filter(|(_, effect)| effect.choose_suit == Some(ChooseSuit::Spoken));
            for (name, _) in spoken {
                let path = join(&join("effects", name), "choose_suit");
                self.wrong(&path, "\"spoken\" knows the words for French suits only");
            }
        }
    }

    /// Some table must be playable, and at it some card must be able to be the last one.
    fn tables(&mut self) {
        let set = self.set;
        if set.seats.min > set.seats.max {
            self.wrong("seats.min", format!("{} is more than seats.max, which is {}", set.seats.min, set.seats.max));
        }
        self.rows("deck.cards", &set.deck.cards);
        self.rows("deck.packs", &set.deck.packs);
        if let DealtCards::Fixed(cards) = &set.deal.cards {
            self.rows("deal.cards", cards);
        }
        if let Some(target) = &set.scoring.target {
            self.rows("scoring.target", target);
        }
        if set.turn.draws != 1 && set.turn.after_draw == AfterDraw::Over {
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
            let defined = set.deck.cards.get(*seats).and(set.deck.packs.get(*seats)).and(set.deal.cards.get(*seats));
            let path = if defined.is_some() { "deal.cards" } else { "seats" };
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

    /// A range of numbers of seats.
    pub(super) fn range(&mut self, path: &str, [low, high]: [u8; 2]) {
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

    fn points(&mut self) {
        let names: Vec<String> = point_names(self.set.deck.pack).collect();
        for name in self.set.scoring.points.keys().filter(|name| !names.contains(name)) {
            let path = join("scoring.points", name);
            let known = suggestion(name, names.iter().take(Rank::COUNT).map(String::as_str));
            self.wrong(&path, format!("is neither a rank nor a card{known}"));
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
}

/// Everything that can be wrong with the cards of a pack, in any of its rows.
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
