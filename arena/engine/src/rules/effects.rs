//! Whether the effects of a set make sense: each by itself, and those of the same cards with one another, at every
//! table where they hold. Other sections are the business of `agree`. It reads the draft and only adds problems.

use maumau_protocol::CardList;
use maumau_protocol::ruleset::Effect;

use super::active_effects::{active_effects, without};
use super::examined::Examined;
use super::options::OptionDefinition;
use super::tree::join;

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

    /// Whether an effect explicitly says that it does not have a part.
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
        let has = |effect: &Effect| {
            [effect.again.is_some(), effect.owe.is_some(), effect.request.is_some(), effect.skip.is_some()]
        };
        const PARTS: [&str; 4] = ["again", "owe", "request", "skip"];
        for (part, here) in PARTS.iter().zip(has(effect)) {
            for (other_part, there) in PARTS.iter().zip(has(other)) {
                // Of one effect's own parts, report the one in the nearer file.
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
}

/// Parts of an effect that another part prevents from ever being carried out, with the reason.
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

/// Parts of which a card can have only one form, and whether the two effects disagree about them.
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
