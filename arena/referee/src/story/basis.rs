//! The basis of an event: the clauses that the game's rule set names for it, or those of the common conventions. Only
//! names are read from the rule set; the sentences themselves are in `sentence`.
//!
//! An effect rests on the clauses of the card on top, a mistake on those of the missed duty. Events that follow from an
//! ordinary turn alone cite nothing.

use maumau_protocol::ruleset::{Effect, RuleSet};
use maumau_protocol::{Card, DrawReason, Event, Knowledge, Reason, RuleFault, Stand};

/// The clauses of `event` when `top` is the card laid last at a table of `seats`.
pub(super) fn clauses<K: Knowledge>(set: &RuleSet, seats: usize, top: Option<Card>, event: &Event<K>) -> Vec<String> {
    let effect = |does: fn(&Effect) -> bool| {
        let holds = |effect: &&Effect| {
            !effect.off
                && effect.seats.is_none_or(|[least, most]| (usize::from(least)..=usize::from(most)).contains(&seats))
                && top.is_some_and(|card| effect.cards.0.contains(card))
                && does(effect)
        };
        set.effects.values().filter(holds).flat_map(|effect| effect.clauses.iter().cloned()).collect()
    };
    match event {
        Event::Played { choose: Some(_), .. } | Event::Chose { .. } => {
            effect(|effect| effect.choose_suit.is_some() || effect.request.is_some())
        }
        Event::Drew { why: DrawReason::Owed, .. } => effect(|effect| effect.owe.is_some()),
        Event::Drew { why: DrawReason::Shortage, .. } | Event::Waived { .. } => common(&["G-07"]),
        Event::Reshuffled { .. } => common(&["G-06"]),
        Event::Skipped { .. } => effect(|effect| effect.skip.is_some()),
        Event::Reversed { .. } => effect(|effect| effect.reverse),
        Event::Swapped { .. } => effect(|effect| effect.swap_next),
        Event::Taken { .. } => effect(|effect| effect.take.is_some()),
        Event::Free { .. } => effect(|effect| !effect.free_on.is_empty()),
        Event::RaceOpened { .. } => effect(|effect| effect.race),
        Event::Revoked { .. } | Event::RequestOver => effect(|effect| effect.request.is_some()),
        Event::Interjected { .. } => set.interject.iter().flat_map(|twin| twin.clauses.iter().cloned()).collect(),
        Event::PointOfOrder { .. } | Event::PointOfOrderOver => {
            set.point_of_order.iter().flat_map(|pause| pause.clauses.iter().cloned()).collect()
        }
        Event::Penalty { fault, .. } | Event::Mistake { fault, .. } => of_mistake(set, *fault),
        Event::Refused { reason, .. } => match reason {
            Reason::Interrupted => common(&["G-03"]),
            Reason::NotInHand | Reason::ChoiceMissing | Reason::ChoiceWrong => common(&["G-04"]),
            _ => Vec::new(),
        },
        Event::ActedFor { why, .. } => common(match why {
            Stand::Slow => &["G-05"],
            Stand::Refusals => &["G-21"],
            Stand::Dismissed => &["G-04"],
            Stand::Absent => &["G-22"],
        }),
        Event::Named { .. } => common(&["G-05"]),
        Event::Called { .. } => common(&["G-12"]),
        _ => Vec::new(),
    }
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
        RuleFault::NoMauMau => duties.mau_mau.iter().flat_map(|word| word.clauses.clone()).collect(),
        RuleFault::NoSnap => duties.identical.iter().flat_map(|word| word.clauses.clone()).collect(),
        RuleFault::NoDone => duties.done.iter().flat_map(|done| done.clauses.clone()).collect(),
        RuleFault::NoSpade | RuleFault::NoOomPapa | RuleFault::NoSpam | RuleFault::NoWonderful => {
            let missed = duties.words.values().filter(|duty| duty.fault == fault);
            missed.flat_map(|duty| duty.clauses.clone()).collect()
        }
        RuleFault::Question | RuleFault::Swear | RuleFault::TooLoud | RuleFault::Explaining => talk(),
        RuleFault::PoToSwear | RuleFault::LookInPo | RuleFault::IllegalPo => {
            set.point_of_order.iter().flat_map(|pause| pause.clauses.clone()).collect()
        }
        _ => Vec::new(),
    }
}
