//! Whether the effects of a set make sense: each by itself, and those of the same cards with one another, at every
//! table where they hold. Other sections are the business of `agree`. It reads the draft and only adds problems.

use maumau_places::join;
use maumau_protocol::CardList;
use maumau_protocol::ruleset::Effect;

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
                && !skip.adds
            {
                let adds = join(&path, "skip.adds");
                if skip.answers.0.is_empty() {
                    self.wrong(&adds, "there is nothing to pass on: skip.answers names no cards");
                } else if skip.every_victim_may_answer {
                    self.wrong(
                        &adds,
                        "contradicts skip.every_victim_may_answer: where nothing adds up there is one victim",
                    );
                } else if skip.threat {
                    self.wrong(&adds, "contradicts skip.threat, under which nothing adds up anyway");
                }
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
                    let same = |other: &Effect| other.skip.as_ref().is_none_or(|answer| answer.adds == skip.adds);
                    let unlike = without(skip.answers, &active, same);
                    if silent.0.is_empty() && !unlike.0.is_empty() {
                        let message = format!("{unlike} cannot answer: skip.adds is not the same there");
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
            let is_nearer = path != other_path || (layer(part), part.key) < (layer(other), other.key);
            if part.is_alone() && other.is_alone() && part.key != other.key && is_nearer {
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
        for (part, other) in own.iter().zip(&others).filter(|(part, other)| part.differs(other)) {
            self.wrong(&join(path, part.key), contradicts(other, "they differ"));
        }
    }
}
