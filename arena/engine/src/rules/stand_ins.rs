//! Whether cards that stand for others make sense (G-79): each effect of them by itself, and beside the other rules. It reads the
//! draft and only adds problems.

use maumau_places::join;
use maumau_protocol::ruleset::{
    ChooseSuit, DealtBy, Effect, EndingAt, Illegal, LastCardEffects, Look, MauDue, SeveralCards,
};
use maumau_protocol::{Card, CardList, CardSet};

use super::active_effects::active_effects;
use super::effect_parts::parts;
use super::examined::Examined;

/// Reports all cards that cannot stand for others.
pub(super) fn check(set: &mut Examined<'_>) {
    for active in active_effects(set.set) {
        for (index, (name, effect)) in active.iter().enumerate().filter(|(_, (_, effect))| stands(effect)) {
            let path = join("effects", name);
            set.stand_in(&path, effect);
            let unlike =
                active[..index].iter().find(|(_, other)| stands(other) && other.stands_for != effect.stands_for);
            if let Some((other, _)) = unlike {
                let message = format!("contradicts effects.{other}.stands_for: all of them stand for the same cards");
                set.wrong(&join(&path, "stands_for"), message);
            }
            for (other_name, other) in &active {
                set.beside_effect(&path, effect, &join("effects", other_name), other);
            }
            set.beside_several(&path, effect);
            set.beside_sections_of_one_card(&path);
        }
    }
}

fn stands(effect: &Effect) -> bool {
    !effect.stands_for.is_empty()
}

impl Examined<'_> {
    fn stand_in(&mut self, path: &str, effect: &Effect) {
        let of_suit = |cards: CardSet, suited: bool| -> CardList {
            CardList(cards.iter().filter(|card: &Card| card.suit().is_some() == suited).collect())
        };
        let suited = of_suit(effect.cards.0, true);
        if !suited.is_empty() {
            self.wrong(&join(path, "cards"), format!("{suited} has a suit; only cards without one stand for others"));
        }
        let suitless = of_suit(effect.stands_for.0, false);
        if !suitless.is_empty() {
            self.wrong(&join(path, "stands_for"), format!("expected cards with a suit, which {suitless} has not"));
        }
    }

    /// What another effect, or its own, gives the card that stands for others, and what it gives cards for which it would stand.
    fn beside_effect(&mut self, path: &str, effect: &Effect, other_path: &str, other: &Effect) {
        let both = CardList(effect.cards.0.intersect(other.cards.0));
        if !both.is_empty() {
            for part in parts(other).iter().filter(|part| part.is_there() && part.key != "stands_for") {
                let message = format!(
                    "contradicts {path}.stands_for on {both}, which has the effects of the card for which it stands"
                );
                self.wrong(&join(other_path, part.key), message);
            }
        }
        type Has = fn(&Effect) -> bool;
        const OUT_OF_ORDER: [(&str, Has); 8] = [
            ("out_of_turn", |effect| effect.out_of_turn),
            ("transparent", |effect| effect.transparent),
            ("free_on", |effect| !effect.free_on.is_empty()),
            ("race", |effect| effect.race),
            ("swap_next", |effect| effect.swap_next),
            ("take", |effect| effect.take.is_some()),
            ("choose_suit", |effect| matches!(effect.choose_suit, Some(ChooseSuit::New | ChooseSuit::Spoken))),
            ("skip.threat", |effect| effect.skip.as_ref().is_some_and(|skip| skip.threat)),
        ];
        for (key, has) in OUT_OF_ORDER {
            if has(other) {
                let message = format!(
                    "contradicts {other_path}.{key}: a card that stands for another is played in turn, and lies open"
                );
                self.wrong(&join(path, "stands_for"), message);
            }
        }
    }

    fn beside_several(&mut self, path: &str, effect: &Effect) {
        for (name, SeveralCards { cards, opened_by, ended_by, .. }) in
            self.set.together.iter().filter(|(_, together)| !together.off)
        {
            for (key, cards) in [("cards", cards), ("opened_by", opened_by), ("ended_by", ended_by)] {
                let both = CardList(cards.0.intersect(effect.cards.0));
                if !both.is_empty() {
                    let message = format!(
                        "contradicts {path}.stands_for: {both} is played by itself, as the card for which it stands"
                    );
                    self.wrong(&join(&join("together", name), key), message);
                }
            }
        }
    }

    /// Rules that ask what the card itself is, or that let it be played out of turn.
    fn beside_sections_of_one_card(&mut self, path: &str) {
        let set = self.set;
        for (is_so, key) in [
            (set.interject.as_ref().is_some_and(|interject| !interject.off), "interject"),
            (set.duties.identical.is_some(), "duties.identical"),
            (set.duties.mau_mau.is_some(), "duties.mau_mau"),
            (set.duties.words.values().any(|duty| !duty.off), "duties.words"),
            (set.duties.mau.as_ref().is_some_and(|mau| mau.due == MauDue::NextCard), "duties.mau.due = \"next_card\""),
            (set.point_of_order.is_some(), "point_of_order"),
            (set.calls.movements, "calls.movements"),
            (set.talk.is_some(), "talk"),
            (set.prices.illegal == Illegal::Stands, "prices.illegal = \"stands\""),
            (set.prices.sealed, "prices.sealed"),
            (set.deal.by == DealtBy::Dealer, "deal.by = \"dealer\""),
            (set.deal.look != Look::Dealt, "deal.look"),
            (set.ending.at == EndingAt::Closing, "ending.at = \"closing\""),
            (set.ending.last_card_effects == LastCardEffects::DrawFirst, "ending.last_card_effects = \"draw_first\""),
        ] {
            if is_so {
                self.wrong(&join(path, "stands_for"), format!("contradicts {key}, which asks what a card itself is"));
            }
        }
    }
}
