//! Whether a count of each seat makes sense: by itself, and beside the other rules. It reads the draft and only adds
//! problems. What the rules are for one count is judged by the other files, once for each.

use maumau_places::join;
use maumau_protocol::ruleset::{
    ChooseSuit, Count, DealtBy, DealtCards, Decides, Effect, EndingAt, FirstCard, GoesOn, Illegal, LastCardEffects,
    Look, rank_of_count,
};

use super::examined::Examined;

/// Reports all that makes no sense about counts; returns the counts by which seats can play.
pub(super) fn check(set: &mut Examined<'_>) -> Vec<u8> {
    match &set.set.count {
        None => {
            set.without_counts();
            Vec::new()
        }
        Some(count) => {
            set.beside_counts();
            if !count.redeal {
                set.beside_new_hands();
            }
            set.counts(count)
        }
    }
}

impl Examined<'_> {
    /// Keys that need `[count]`.
    fn without_counts(&mut self) {
        let set = self.set;
        let mut paths: Vec<String> = Vec::new();
        let mut add = |is_so: bool, path: &str| paths.extend(is_so.then(|| path.to_owned()));
        add(set.deal.cards == DealtCards::Count, "deal.cards");
        add(set.deal.not_first.1, "deal.not_first");
        add(set.scoring.decides == Decides::Count, "scoring.decides");
        for (name, _) in set.effects.iter().filter(|(_, effect)| effect.cards.1) {
            add(true, &join(&join("effects", name), "cards"));
        }
        for path in paths {
            self.wrong(&path, "\"count\" needs a count of each seat: write [count]");
        }
    }

    /// The counts by which seats can play.
    fn counts(&mut self, count: &Count) -> Vec<u8> {
        let played = count.played();
        if played.is_empty() {
            let message =
                format!("count.on_win = {} never leads from {} to {}", count.on_win, count.start, count.match_at);
            self.wrong("count.match_at", message);
        } else if played.iter().any(|count| rank_of_count(*count).is_none()) {
            self.wrong("count.start", "expected counts from 1, the ace, to 13, the king");
            return Vec::new();
        }
        if self.set.scoring.decides != Decides::Count {
            self.wrong("count", "means something only with scoring.decides = \"count\"");
        }
        if self.set.scoring.target.is_some() {
            self.wrong("scoring.target", "contradicts count.match_at, which ends the match");
        }
        played
    }

    /// What cannot be beside hands that are dealt again while the round goes on (G-72).
    fn beside_new_hands(&mut self) {
        let ending = self.set.ending;
        for (is_so, key) in [
            (ending.at == EndingAt::Closing, "ending.at = \"closing\""),
            (ending.goes_on == GoesOn::Places, "ending.goes_on = \"places\""),
            (ending.last_card_effects == LastCardEffects::DrawFirst, "ending.last_card_effects = \"draw_first\""),
            (self.set.together.values().any(|together| !together.off), "together"),
        ] {
            if is_so {
                self.wrong(
                    "count.redeal",
                    format!("contradicts {key}: with redeal = false the hand is dealt again at once"),
                );
            }
        }
    }

    /// What cannot be beside counts: whatever lets a seat play that has not the turn, or whose cards act when others move.
    fn beside_counts(&mut self) {
        let set = self.set;
        if !set.depends_on_count() {
            return;
        }
        for (is_so, key) in [
            (set.deal.by == DealtBy::Dealer, "deal.by = \"dealer\""),
            (set.deal.look != Look::Dealt, "deal.look"),
            (set.deal.first_card == FirstCard::Effect, "deal.first_card = \"effect\""),
            (!set.deal.first_effects.is_empty(), "deal.first_effects"),
            (set.interject.as_ref().is_some_and(|interject| !interject.off), "interject"),
            (set.point_of_order.is_some(), "point_of_order"),
            (set.prices.illegal == Illegal::Stands, "prices.illegal = \"stands\""),
            (set.prices.sealed, "prices.sealed"),
            (set.ending.at == EndingAt::Closing, "ending.at = \"closing\""),
            (set.ending.goes_on == GoesOn::Places, "ending.goes_on = \"places\""),
            (set.cards_depend_on_count() && set.together.values().any(|together| !together.off), "together"),
        ] {
            if is_so {
                self.wrong("count", format!("contradicts {key}: cards are judged by the count of the seat to move"));
            }
        }
        type Has = fn(&Effect) -> bool;
        const ANYWHERE: [(&str, Has); 5] = [
            ("out_of_turn", |effect| effect.out_of_turn),
            ("free_on", |effect| !effect.free_on.is_empty()),
            ("race", |effect| effect.race),
            ("swap_next", |effect| effect.swap_next),
            ("skip.threat", |effect| effect.skip.as_ref().is_some_and(|skip| skip.threat)),
        ];
        const OF_COUNT: [(&str, Has); 6] = [
            ("transparent", |effect| effect.transparent),
            ("open_to_all", |effect| effect.open_to_all),
            ("request", |effect| effect.request.is_some()),
            ("take", |effect| effect.take.is_some()),
            ("choose_suit", |effect| matches!(effect.choose_suit, Some(ChooseSuit::New | ChooseSuit::Spoken))),
            ("last_multiplies", |effect| effect.last_multiplies.is_some()),
        ];
        for (name, effect) in set.effects.iter().filter(|(_, effect)| !effect.off) {
            let path = join("effects", name);
            for (key, _) in ANYWHERE.iter().filter(|(_, has)| has(effect)) {
                let message = "contradicts count: cards are judged by the count of the seat to move";
                self.wrong(&join(&path, key), message);
            }
            for (key, _) in OF_COUNT.iter().filter(|(_, has)| effect.cards.1 && has(effect)) {
                let message = format!("contradicts {path}.cards: once played, a card of a count is like any other");
                self.wrong(&join(&path, key), message);
            }
        }
    }
}
