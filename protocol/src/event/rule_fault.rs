//! What a seat did wrong by the rules. Names and their spelling only: rule sets say what each costs, the engine decides
//! when one was committed.

use crate::named::named;

named! {
    /// What a seat did wrong by the rules.
    pub enum RuleFault {
        /// A card that does not fit, or may not be the last one.
        WrongCard = "wrong_card",
        /// A card between turns.
        OutOfTurn = "out_of_turn",
        /// No action within the turn limit.
        Slow = "slow",
        /// The warning of the last card, or the word with it, was not said.
        NoMau = "no_mau",
        /// A spade was not called (P-60).
        NoSpade = "no_spade",
        /// The last card was not announced (P-61).
        NoLastCard = "no_last_card",
        /// The word of an empty hand was not said.
        NoMauMau = "no_mau_mau",
        /// The word for a joker as the last card was not said (P-64).
        NoOomPapa = "no_oom_papa",
        /// An interjection was not called (P-65).
        NoSpam = "no_spam",
        /// The third interjection in a row was not called (P-66).
        NoWonderful = "no_wonderful",
        /// The end of drawing was not told, or not with its number (P-93).
        NoDone = "no_done",
        /// The word after two identical cards was not said.
        NoSnap = "no_snap",
        /// An instruction was not followed in time.
        Must = "must",
        /// A suit that had to be named was not, or could not be.
        NoSuit = "no_suit",
        /// A sealed card was offered or looked at.
        Sealed = "sealed",
        /// Dealing out of one's turn to deal.
        FalseDeal = "false_deal",
        /// Dealing in the wrong direction.
        WrongDirection = "wrong_direction",
        /// Wrong numbers of cards dealt.
        Misdeal = "misdeal",
        /// Penalty cards were not dealt out.
        PenaltiesNotDealt = "penalties_not_dealt",
        /// The cards were not picked up in time, or by the wrong seat.
        PickUp = "pick_up",
        /// A look at the cards before the dealer's (P-73).
        EarlyLook = "early_look",
        /// A movement for one thing, then the other (P-78).
        Flinch = "flinch",
        /// A question outside a point of order (P-79).
        Question = "question",
        /// Swearing, or the name of a deity, outside a point of order (P-80).
        Swear = "swear",
        /// A point of order in which its caller did nothing but swear (P-82).
        PoToSwear = "po_to_swear",
        /// A look at the cards during a point of order (P-83).
        LookInPo = "look_in_po",
        /// Loud speech (P-84).
        TooLoud = "too_loud",
        /// A point of order that may not be called (P-92, P-95).
        IllegalPo = "illegal_po",
        /// The rules were explained (P-14, option `no_explaining`).
        Explaining = "explaining",
        /// A call that was not upheld.
        FalseCall = "false_call",
    }
}

impl RuleFault {
    /// The other name by which clauses call it, where they have one.
    pub const fn other_name(self) -> Option<&'static str> {
        match self {
            RuleFault::OutOfTurn => Some("out_of_order"),
            RuleFault::WrongCard => Some("incorrect_play"),
            RuleFault::Slow => Some("too_long"),
            RuleFault::FalseCall => Some("bad_penalty"),
            _ => None,
        }
    }

    /// The fault that a call names, by either of its names.
    pub fn from_name(name: &str) -> Option<RuleFault> {
        RuleFault::ALL.into_iter().find(|fault| fault.name() == name || fault.other_name() == Some(name))
    }
}
