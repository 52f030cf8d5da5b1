//! Names of mistakes, refusals and choices in plain words. It only maps names to words; which of them a seat may read
//! is decided by its callers.

use maumau_protocol::{Choice, Reason, RuleFault};

pub(super) fn choice_name(choice: &Choice) -> String {
    match choice {
        Choice::Suit(suit) => suit.name().to_owned(),
        Choice::Rank(rank) => format!("{}s", rank.name()),
    }
}

pub(super) fn fault_name(fault: RuleFault) -> &'static str {
    match fault {
        RuleFault::WrongCard => "wrong card",
        RuleFault::OutOfTurn => "out of turn",
        RuleFault::Slow => "slow",
        RuleFault::NoMau => "Mau was not said",
        RuleFault::NoSpade => "a spade was not called",
        RuleFault::NoLastCard => "the last card was not announced",
        RuleFault::NoOomPapa => "Oom papa Mau Mau was not said",
        RuleFault::NoSpam => "Spam was not called",
        RuleFault::NoWonderful => "Wonderful Spam was not called",
        RuleFault::NoDone => "the end of drawing was not told",
        RuleFault::EarlyLook => "a look before the dealer's",
        RuleFault::Flinch => "a movement for one thing, then the other",
        RuleFault::Question => "a question",
        RuleFault::Swear => "swearing",
        RuleFault::PoToSwear => "a point of order only to swear",
        RuleFault::LookInPo => "a look during a point of order",
        RuleFault::TooLoud => "loud speech",
        RuleFault::IllegalPo => "a point of order out of place",
        RuleFault::Explaining => "explaining the rules",
        RuleFault::NoMauMau => "Mau Mau was not said",
        RuleFault::NoSnap => "Snap was not said",
        RuleFault::Must => "an instruction was not followed",
        RuleFault::NoSuit => "no suit that could be named",
        RuleFault::Sealed => "a sealed card",
        RuleFault::FalseDeal => "a false deal",
        RuleFault::WrongDirection => "dealt the wrong way",
        RuleFault::Misdeal => "wrong numbers of cards dealt",
        RuleFault::PenaltiesNotDealt => "penalty cards not dealt",
        RuleFault::PickUp => "the cards were not picked up",
        RuleFault::FalseCall => "a call without a mistake",
    }
}

pub(super) fn reason_name(reason: Reason) -> &'static str {
    match reason {
        Reason::DoesNotFit => "it does not fit",
        Reason::MayNotBeLast => "it may not be the last card",
        Reason::NotYourTurn => "it is another seat's turn",
        Reason::Interrupted => "another action came first",
        Reason::NotInHand => "the card is not in the hand",
        Reason::ChoiceMissing => "a suit must be named",
        Reason::ChoiceWrong => "that cannot be named",
        Reason::NotNow => "not now",
        Reason::NotUpheld => "not upheld",
        Reason::Rests => "play rests",
        Reason::NotLooked => "the cards have not been looked at",
        Reason::LookInPause => "nobody looks during a point of order",
        Reason::PauseBarred => "no point of order may be called now",
        Reason::SuitBarred => "that suit may not be named",
        Reason::Sealed => "the card is sealed",
        Reason::NothingToTake => "nothing orders it",
        Reason::NotYours => "it is another seat's part",
    }
}
