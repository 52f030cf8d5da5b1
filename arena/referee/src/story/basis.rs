//! The basis of an event: the clauses that the game's rule set names for it, or those of the common conventions. Only
//! names are read from the rule set; the sentences themselves are in `sentence`.
//!
//! An effect rests on the clauses of the card on top, a mistake on those of the missed duty. Events that follow from an
//! ordinary turn alone cite nothing.

use maumau_engine::rules::{EffectEvent, rests_on};
use maumau_protocol::ruleset::{Effect, RuleSet};
use maumau_protocol::{Card, DrawReason, Event, Knowledge, Reason, RuleFault, Stand};

/// The effects that `card` has by `set` at a table of `seats`.
pub(super) fn effects(set: &RuleSet, seats: usize, card: Card) -> impl Iterator<Item = &Effect> {
    let holds = move |effect: &&Effect| {
        let at_table = |[least, most]: [u8; 2]| (usize::from(least)..=usize::from(most)).contains(&seats);
        !effect.off && effect.cards.0.contains(card) && effect.seats.is_none_or(at_table)
    };
    set.effects.values().filter(holds)
}

/// The clauses of `event` when `top` is the card played last at a table of `seats`.
pub(super) fn clauses<K: Knowledge>(set: &RuleSet, seats: usize, top: Option<Card>, event: &Event<K>) -> Vec<String> {
    let effect = |what: EffectEvent| {
        let of_top = top.into_iter().flat_map(|card| effects(set, seats, card));
        of_top.filter(|effect| rests_on(effect, what)).flat_map(|effect| effect.clauses.iter().cloned()).collect()
    };
    match event {
        Event::Played { choose: Some(_), .. } | Event::Chose { .. } => effect(EffectEvent::Named),
        Event::Together { .. } => {
            let ways = set.together.values().filter(|together| !together.off);
            ways.flat_map(|together| together.clauses.iter().cloned()).collect()
        }
        Event::Drew { why: DrawReason::Owed, .. } => effect(EffectEvent::OwedDrawn),
        Event::Drew { why: DrawReason::Effect, .. } => effect(EffectEvent::DrawnAtOnce),
        Event::Shown { .. } if challenges(set, top) => of_challenge(set),
        Event::HandsRotated { .. } | Event::HandsSwapped { .. } | Event::Shown { .. } => {
            effect(EffectEvent::HandsMoved)
        }
        Event::Challenged { .. } => of_challenge(set),
        Event::WentOut { .. } => common(&["G-43"]),
        Event::CameBack { .. } => effect(EffectEvent::CameBack),
        Event::Counted { .. } => common(&["G-72"]),
        Event::DebtCancelled { .. } => common(&["G-32"]),
        Event::DebtReturned { .. } => common(&["G-31"]),
        Event::Drew { why: DrawReason::Shortage, .. } | Event::Waived { .. } => common(&["G-07"]),
        Event::Reshuffled { .. } => common(&["G-06"]),
        Event::Skipped { .. } => effect(EffectEvent::Skipped),
        Event::Reversed { .. } => effect(EffectEvent::Reversed),
        Event::Swapped { .. } => effect(EffectEvent::Swapped),
        Event::Taken { .. } => effect(EffectEvent::Taken),
        Event::Free { .. } => effect(EffectEvent::Free),
        Event::RaceOpened { .. } => effect(EffectEvent::RaceOpened),
        Event::Revoked { .. } | Event::RequestOver => effect(EffectEvent::RequestOver),
        Event::Interjected { .. } => set.interject.iter().flat_map(|twin| twin.clauses.iter().cloned()).collect(),
        Event::PointOfOrder { .. } | Event::PointOfOrderOver => {
            set.point_of_order.iter().flat_map(|pause| pause.clauses.iter().cloned()).collect()
        }
        Event::Penalty { fault, .. } | Event::Mistake { fault, .. } => of_mistake(set, *fault),
        Event::Refused { reason, .. } => match reason {
            Reason::Interrupted => common(&["G-03"]),
            Reason::NotInHand | Reason::ChoiceMissing | Reason::ChoiceWrong => common(&["G-04"]),
            Reason::DoesNotFit
            | Reason::MayNotBeLast
            | Reason::NotYourTurn
            | Reason::NotNow
            | Reason::NotUpheld
            | Reason::SuitBarred
            | Reason::Sealed
            | Reason::NothingToTake
            | Reason::NotYours
            | Reason::Rests
            | Reason::NotLooked
            | Reason::LookInPause
            | Reason::PauseBarred => Vec::new(),
        },
        Event::ActedFor { why, .. } => common(match why {
            Stand::Slow => &["G-05"],
            Stand::Refusals => &["G-21"],
            Stand::Dismissed => &["G-04"],
            Stand::Absent => &["G-22"],
        }),
        Event::RuleOffered { .. } | Event::RuleAdded { .. } => {
            set.menu.iter().flat_map(|menu| menu.clauses.iter().cloned()).collect()
        }
        Event::Named { .. } => common(&["G-05"]),
        Event::Called { .. } => common(&["G-12"]),
        Event::RoundStarted { .. }
        | Event::Dealt { .. }
        | Event::TurnedUp { .. }
        | Event::Said { .. }
        | Event::Played { choose: None, .. }
        | Event::Drew { why: DrawReason::Turn, .. }
        | Event::Passed { .. }
        | Event::Unsealed { .. }
        | Event::DealtCard { .. }
        | Event::PenaltiesDealt { .. }
        | Event::Counting { .. }
        | Event::PickedUp { .. }
        | Event::DealVoid
        | Event::TakenBack { .. }
        | Event::Closed
        | Event::RoundOver { .. }
        | Event::Scored { .. }
        | Event::SuitStated { .. }
        | Event::Looked { .. }
        | Event::HandShown { .. }
        | Event::Reached { .. }
        | Event::Glared { .. }
        | Event::Returned { .. }
        | Event::MatchOver { .. } => Vec::new(),
    }
}

/// Whether hands are shown for a challenge of `top`.
fn challenges(set: &RuleSet, top: Option<Card>) -> bool {
    let is_wary =
        |effect: &Effect| effect.only_without.is_some() && top.is_some_and(|card| effect.cards.0.contains(card));
    set.challenge.is_some() && set.effects.values().any(is_wary)
}

fn of_challenge(set: &RuleSet) -> Vec<String> {
    set.challenge.iter().flat_map(|challenge| challenge.clauses.iter().cloned()).collect()
}

fn common(ids: &[&str]) -> Vec<String> {
    ids.iter().map(|id| (*id).to_owned()).collect()
}

/// The clauses of the duty that a mistake violates.
fn of_mistake(set: &RuleSet, fault: RuleFault) -> Vec<String> {
    let duties = &set.duties;
    let talk = || set.talk.iter().flat_map(|talk| talk.clauses.iter().cloned()).collect();
    match fault {
        RuleFault::NoMau | RuleFault::NoLastCard => duties.mau.iter().flat_map(|mau| mau.clauses.clone()).collect(),
        RuleFault::NoMauMau => {
            let last = duties.last.iter().flat_map(|word| word.clauses.clone());
            duties.mau_mau.iter().flat_map(|word| word.clauses.clone()).chain(last).collect()
        }
        RuleFault::NoSnap => duties.identical.iter().flat_map(|word| word.clauses.clone()).collect(),
        RuleFault::NoDone => duties.done.iter().flat_map(|done| done.clauses.clone()).collect(),
        RuleFault::NoSpade | RuleFault::NoOomPapa | RuleFault::NoSpam | RuleFault::NoWonderful => {
            let missed = duties.words.values().filter(|duty| duty.fault == fault);
            missed.flat_map(|duty| duty.clauses.clone()).collect()
        }
        RuleFault::Question | RuleFault::Swear | RuleFault::TooLoud | RuleFault::Explaining | RuleFault::Talking => {
            talk()
        }
        RuleFault::PoToSwear | RuleFault::LookInPo | RuleFault::IllegalPo => {
            set.point_of_order.iter().flat_map(|pause| pause.clauses.clone()).collect()
        }
        RuleFault::WrongCard
        | RuleFault::OutOfTurn
        | RuleFault::Slow
        | RuleFault::Must
        | RuleFault::NoSuit
        | RuleFault::Sealed
        | RuleFault::FalseDeal
        | RuleFault::WrongDirection
        | RuleFault::Misdeal
        | RuleFault::PenaltiesNotDealt
        | RuleFault::PickUp
        | RuleFault::EarlyLook
        | RuleFault::Flinch
        | RuleFault::FalseCall => Vec::new(),
    }
}
