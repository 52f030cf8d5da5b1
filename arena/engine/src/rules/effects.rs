//! Whether the effects of a set make sense: each by itself, and those of the same cards with one another, at every
//! table where they hold. Other sections are the business of `agree`. It reads the draft and only adds problems.

use maumau_places::join;
use maumau_protocol::ruleset::{
    AfterOwed, Debtor, Effect, EndingAt, GoesOn, LostBy, Named, Owe, Request, Resume, Skip,
};
use maumau_protocol::{CardList, CardSet};

use super::active_effects::{active_effects, without};
use super::effect_parts::{Part, alone, parts};
use super::examined::Examined;
use super::options::OptionDefinition;

/// Reports all effects that make no sense. If `options` is `None`, effects that are written and do nothing are not
/// reported.
pub(super) fn check(set: &mut Examined<'_>, options: Option<&[OptionDefinition]>) {
    if let Some(options) = options {
        set.idle_effects(options);
    }
    set.effects();
    set.agreement();
}

impl Examined<'_> {
    /// Effects that are written and do nothing.
    fn idle_effects(&mut self, options: &[OptionDefinition]) {
        for (name, effect) in &self.set.effects {
            let path = join("effects", name);
            let cards = join(&path, "cards");
            let by_option = options.iter().any(|option| option.key.as_deref() == Some(&cards));
            if effect.cards.0.is_empty() && !effect.off && !by_option {
                self.wrong(&cards, "an effect needs at least one card; off = true switches it off");
            }
            let parts = parts(effect);
            let denied = |part: &Part| part.can_be_denied() && self.tree.get(&join(&path, part.key)).is_some();
            if !effect.off && !parts.iter().any(|part| part.is_there() || denied(part)) {
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
            if let Some(owe) = &effect.owe {
                self.owe(&path, owe);
            }
            if let Some(skip) = &effect.skip {
                self.skip(&path, skip);
            }
            if let Some(request) = &effect.request {
                self.request(&path, request);
            }
        }
    }

    fn owe(&mut self, path: &str, owe: &Owe) {
        if owe.kind.trim().is_empty() || owe.kind.chars().count() > 32 {
            self.wrong(&join(path, "owe.kind"), "expected a name of 1 to 32 characters for the debt");
        }
        let ways =
            [("answers", owe.answers), ("passes", owe.passes), ("returns", owe.returns), ("cancels", owe.cancels)];
        for (index, (key, way)) in ways.iter().enumerate() {
            for (before, other) in &ways[..index] {
                let both = CardList(way.cards.0.intersect(other.cards.0));
                if !both.is_empty() {
                    let message = format!("contradicts owe.{before}: {both} can answer in one way only");
                    self.wrong(&join(path, &join("owe", key)), message);
                }
            }
        }
        let turn_before = owe.on != Debtor::Next && owe.then == AfterOwed::TurnOver;
        if owe.resume != Resume::default() && !turn_before {
            let message = "means something only with owe.then = \"turn_over\" and owe.on other than \"next\"";
            self.wrong(&join(path, "owe.resume"), message);
        }
        if owe.drawer_names {
            let names = join(path, "owe.drawer_names");
            if owe.on != Debtor::Next {
                self.wrong(&names, "means something only with owe.on = \"next\"");
            }
            if self.set.ending.at == EndingAt::Closing {
                self.wrong(&names, "contradicts ending.at = \"closing\", in which nothing is named");
            }
        }
        if owe.rescue {
            let rescue = join(path, "owe.rescue");
            if ways.iter().all(|(_, way)| way.is_empty()) {
                self.wrong(&rescue, "no card can save: none answers the debt");
            } else if owe.cards == 1 {
                self.wrong(&rescue, "contradicts owe.cards = 1: after the first card nothing is left to draw");
            } else if self.set.turn.owed_one_by_one {
                self.wrong(&rescue, "contradicts turn.owed_one_by_one, by which the first card is too late to answer");
            }
        }
    }

    fn skip(&mut self, path: &str, skip: &Skip) {
        let at = |key: &str| join(path, &join("skip", key));
        let nobody = skip.answers.0.is_empty();
        if skip.every_victim_may_answer && nobody {
            self.wrong(&at("every_victim_may_answer"), "nobody can answer: skip.answers names no cards");
        }
        if !skip.adds {
            if nobody {
                self.wrong(&at("adds"), "there is nothing to pass on: skip.answers names no cards");
            } else if skip.every_victim_may_answer {
                self.wrong(
                    &at("adds"),
                    "contradicts skip.every_victim_may_answer: where nothing adds up there is one victim",
                );
            } else if skip.threat {
                self.wrong(&at("adds"), "contradicts skip.threat, under which nothing adds up anyway");
            }
        }
        if skip.threat {
            if nobody {
                self.wrong(&at("threat"), "nobody can answer it: skip.answers names no cards");
            }
            if skip.every_victim_may_answer {
                self.wrong(
                    &at("threat"),
                    "contradicts skip.every_victim_may_answer: an answer never adds up, one is skipped",
                );
            }
        }
        if skip.of == LostBy::Turns {
            if nobody {
                self.wrong(&at("of"), "no turns add up: skip.answers names no cards");
            } else if !skip.adds {
                self.wrong(&at("of"), "contradicts skip.adds = false: no turns add up");
            } else if skip.threat {
                self.wrong(&at("of"), "contradicts skip.threat, under which nothing adds up");
            } else if skip.every_victim_may_answer {
                self.wrong(&at("of"), "contradicts skip.every_victim_may_answer: there is one victim");
            }
        }
    }

    fn request(&mut self, path: &str, request: &Request) {
        let of = join(path, "request.of");
        if request.of.is_empty() {
            return;
        }
        if request.names != Named::Rank {
            self.wrong(&of, "means something only with request.names = \"rank\"");
        }
        let whole = self
            .set
            .deck
            .pack
            .ranks()
            .into_iter()
            .map(CardSet::rank)
            .filter(|rank| !rank.intersect(request.of.0).is_empty());
        if whole.fold(CardSet::EMPTY, CardSet::union) != request.of.0 {
            self.wrong(&of, "expected whole values, as in \"5-T\"");
        }
    }

    /// The effects with one another, at every table where they hold.
    fn agreement(&mut self) {
        for active in active_effects(self.set) {
            for (index, (name, effect)) in active.iter().enumerate() {
                let path = join("effects", name);
                if let Some(owe) = &effect.owe {
                    let silent = without(owe.answers.cards, &active, |other| {
                        other.owe.as_ref().is_some_and(|debt| debt.kind == owe.kind)
                    });
                    if !silent.0.is_empty() {
                        let message =
                            format!("{silent} cannot answer: no effect of theirs makes a debt of kind {:?}", owe.kind);
                        self.wrong(&join(&path, "owe.answers"), message);
                    }
                }
                if effect.brings_back {
                    let key = join(&path, "brings_back");
                    if self.set.ending.goes_on != GoesOn::Places {
                        self.wrong(
                            &key,
                            "means something only with ending.goes_on = \"places\": nobody is out otherwise",
                        );
                    }
                    let poor = without(CardList(effect.cards.0), &active, |other| other.owe.is_some());
                    if !poor.0.is_empty() {
                        self.wrong(
                            &key,
                            format!("the player who comes back draws what the card owes, and {poor} makes no debt"),
                        );
                    }
                }
                if let Some(request) = effect.request.filter(|request| request.names == Named::Rank) {
                    let unlike = active[..index].iter().find(|(_, other)| {
                        other.request.is_some_and(|other| other.names == Named::Rank && other.of != request.of)
                    });
                    if let Some((other, _)) = unlike {
                        let message =
                            format!("contradicts effects.{other}.request.of: all requests name the same values");
                        self.wrong(&join(&path, "request.of"), message);
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
                    let same = |other: &Effect| other.skip.as_ref().is_none_or(|answer| answer.adds == skip.adds);
                    let unlike = without(skip.answers, &active, same);
                    if silent.0.is_empty() && !unlike.0.is_empty() {
                        let message = format!("{unlike} cannot answer: skip.adds is not the same there");
                        self.wrong(&join(&path, "skip.answers"), message);
                    }
                    let same = |other: &Effect| other.skip.as_ref().is_none_or(|answer| answer.of == skip.of);
                    let unlike = without(skip.answers, &active, same);
                    if silent.0.is_empty() && !unlike.0.is_empty() {
                        let message = format!("{unlike} cannot answer: skip.of is not the same there");
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
                    // Report the nearer file.
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
        let (own, others) = (parts(effect), parts(other));
        let contradicts = |part: &Part, why: &str| format!("contradicts {other_path}.{} on {both}: {why}", part.key);
        let pairs: Vec<(&Part, &Part)> =
            own.iter().flat_map(|part| others.iter().map(move |other| (part, other))).collect();
        for (part, other) in &pairs {
            // Of one effect's own parts, report the one in the nearer file.
            let layer = |part: &Part| std::cmp::Reverse(self.tree.nearest(&join(path, part.key)).0.key_at.layer);
            let is_nearer = || path != other_path || (layer(part), part.key) < (layer(other), other.key);
            if part.is_alone() && other.is_alone() && part.key != other.key && is_nearer() {
                self.wrong(&join(path, part.key), contradicts(other, &format!("a card has only one of {}", alone())));
            }
        }
        for (part, other) in &pairs {
            if let Some(why) = part.idle_because_of(other) {
                self.wrong(&join(path, part.key), contradicts(other, why));
            }
            if path != other_path
                && let Some(why) = other.idle_because_of(part)
            {
                self.wrong(&join(path, part.key), contradicts(other, why));
            }
        }
        self.named_by_drawer(path, effect, other_path, other, both);
        if path != other_path {
            self.named_by_drawer(other_path, other, path, effect, both);
        }
        for (part, other) in own.iter().zip(&others).filter(|(part, other)| part.differs(other)) {
            self.wrong(&join(path, part.key), contradicts(other, "they differ"));
        }
    }

    /// What cannot be beside a suit that is named by the one who has drawn (G-70), on the same cards.
    fn named_by_drawer(&mut self, path: &str, effect: &Effect, other_path: &str, other: &Effect, both: CardList) {
        let key = match other {
            Effect { choose_suit: Some(_), .. } => "choose_suit",
            Effect { transparent: true, .. } => "transparent",
            Effect { open_to_all: true, .. } => "open_to_all",
            Effect { followed_by, .. } if !followed_by.is_empty() => "followed_by",
            _ => return,
        };
        if effect.owe.as_ref().is_some_and(|owe| owe.drawer_names) {
            let message =
                format!("contradicts {other_path}.{key} on {both}: the next card is of the suit that is named");
            self.wrong(&join(path, "owe.drawer_names"), message);
        }
    }
}
