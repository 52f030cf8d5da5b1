//! What happened: the events of a game as the referee knows them, and as one seat may see them.
//!
//! [`Event`] holds everything. [`SeenEvent`] is what a seat is sent; [`Event::seen_by`] is the only place that makes one,
//! so what a seat may not know is left out there or nowhere (G-08).

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::action::{Choice, Reach};
use crate::card::{Card, Suit};
use crate::seat::{Direction, Seat, SeatSet};
use crate::speech::Text;

/// The number of an event in its game, counted from 1 in the order in which they happened; as an `as_of` stamp, the last
/// event that a seat had seen, 0 for none (G-03).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(transparent)]
pub struct EventNumber(pub u32);

/// Why a card was drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum DrawReason {
    /// In place of a play, or before one.
    Turn,
    /// It was owed for a card.
    Owed,
    /// The top card, taken because nothing else was left (option `shortage`).
    Shortage,
}

/// What a seat did wrong by the rules.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum RuleFault {
    /// A card that does not fit, or may not be the last one.
    WrongCard,
    /// A card between turns.
    OutOfTurn,
    /// No action within the turn limit.
    Slow,
    /// The warning of the last card, or the word with it, was not said.
    NoMau,
    /// A spade was not called (P-60).
    NoSpade,
    /// The last card was not announced (P-61).
    NoLastCard,
    /// The word of an empty hand was not said.
    NoMauMau,
    /// The word for a joker as the last card was not said (P-64).
    NoOomPapa,
    /// An interjection was not called (P-65).
    NoSpam,
    /// The third interjection in a row was not called (P-66).
    NoWonderful,
    /// The end of drawing was not told, or not with its number (P-93).
    NoDone,
    /// The word after two identical cards was not said.
    NoSnap,
    /// An instruction was not followed in time.
    Must,
    /// A suit that had to be named was not, or could not be.
    NoSuit,
    /// A sealed card was offered or looked at.
    Sealed,
    /// Dealing out of one's turn to deal.
    FalseDeal,
    /// Dealing in the wrong direction.
    WrongDirection,
    /// Wrong numbers of cards dealt.
    Misdeal,
    /// Penalty cards were not dealt out.
    PenaltiesNotDealt,
    /// The cards were not picked up in time, or by the wrong seat.
    PickUp,
    /// A look at the cards before the dealer's (P-73).
    EarlyLook,
    /// A movement for one thing, then the other (P-78).
    Flinch,
    /// A question outside a point of order (P-79).
    Question,
    /// Swearing, or the name of a deity, outside a point of order (P-80).
    Swear,
    /// A point of order in which its caller did nothing but swear (P-82).
    PoToSwear,
    /// A look at the cards during a point of order (P-83).
    LookInPo,
    /// Loud speech (P-84).
    TooLoud,
    /// A point of order that may not be called (P-92, P-95).
    IllegalPo,
    /// The rules were explained (P-14, option `no_explaining`).
    Explaining,
    /// A call that was not upheld.
    FalseCall,
}

impl RuleFault {
    /// Every fault in the order of the fault table.
    pub const ALL: [RuleFault; 30] = [
        RuleFault::WrongCard,
        RuleFault::OutOfTurn,
        RuleFault::Slow,
        RuleFault::NoMau,
        RuleFault::NoSpade,
        RuleFault::NoLastCard,
        RuleFault::NoMauMau,
        RuleFault::NoOomPapa,
        RuleFault::NoSpam,
        RuleFault::NoWonderful,
        RuleFault::NoDone,
        RuleFault::NoSnap,
        RuleFault::Must,
        RuleFault::NoSuit,
        RuleFault::Sealed,
        RuleFault::FalseDeal,
        RuleFault::WrongDirection,
        RuleFault::Misdeal,
        RuleFault::PenaltiesNotDealt,
        RuleFault::PickUp,
        RuleFault::EarlyLook,
        RuleFault::Flinch,
        RuleFault::Question,
        RuleFault::Swear,
        RuleFault::PoToSwear,
        RuleFault::LookInPo,
        RuleFault::TooLoud,
        RuleFault::IllegalPo,
        RuleFault::Explaining,
        RuleFault::FalseCall,
    ];

    /// The name on the wire and in tables.
    pub const fn name(self) -> &'static str {
        match self {
            RuleFault::WrongCard => "wrong_card",
            RuleFault::OutOfTurn => "out_of_turn",
            RuleFault::Slow => "slow",
            RuleFault::NoMau => "no_mau",
            RuleFault::NoSpade => "no_spade",
            RuleFault::NoLastCard => "no_last_card",
            RuleFault::NoMauMau => "no_mau_mau",
            RuleFault::NoOomPapa => "no_oom_papa",
            RuleFault::NoSpam => "no_spam",
            RuleFault::NoWonderful => "no_wonderful",
            RuleFault::NoDone => "no_done",
            RuleFault::NoSnap => "no_snap",
            RuleFault::Must => "must",
            RuleFault::NoSuit => "no_suit",
            RuleFault::Sealed => "sealed",
            RuleFault::FalseDeal => "false_deal",
            RuleFault::WrongDirection => "wrong_direction",
            RuleFault::Misdeal => "misdeal",
            RuleFault::PenaltiesNotDealt => "penalties_not_dealt",
            RuleFault::PickUp => "pick_up",
            RuleFault::EarlyLook => "early_look",
            RuleFault::Flinch => "flinch",
            RuleFault::Question => "question",
            RuleFault::Swear => "swear",
            RuleFault::PoToSwear => "po_to_swear",
            RuleFault::LookInPo => "look_in_po",
            RuleFault::TooLoud => "too_loud",
            RuleFault::IllegalPo => "illegal_po",
            RuleFault::Explaining => "explaining",
            RuleFault::FalseCall => "false_call",
        }
    }

    /// The fault that a call names: by its name, or by another that clauses have for it.
    pub fn from_name(name: &str) -> Option<RuleFault> {
        let known = match name {
            "out_of_order" => "out_of_turn",
            "incorrect_play" => "wrong_card",
            "too_long" => "slow",
            "bad_penalty" => "false_call",
            other => other,
        };
        RuleFault::ALL.into_iter().find(|fault| fault.name() == known)
    }
}

/// Why an action was refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Reason {
    /// The card does not fit (rule fault).
    DoesNotFit,
    /// The card may not be the last one, or the warning before it is missing (rule fault).
    MayNotBeLast,
    /// It is another seat's turn (rule fault for a card, free otherwise).
    NotYourTurn,
    /// An event that the seat had not seen came first; no fault (G-03).
    Interrupted,
    /// The card is not in the hand (protocol error, G-04).
    NotInHand,
    /// A suit or value had to be named (protocol error, G-04).
    ChoiceMissing,
    /// A suit or value was named that is not asked for or cannot be named (protocol error, G-04).
    ChoiceWrong,
    /// The action does not exist in this rule set or at this moment.
    NotNow,
    /// A call that is not upheld.
    NotUpheld,
    /// The suit may not be named here (rule fault).
    SuitBarred,
    /// The card is sealed (rule fault).
    Sealed,
    /// An instruction to another seat, or none, stands here.
    NothingToTake,
    /// It is another seat's part to do this.
    NotYours,
    /// Play rests: a point of order, or the closing time after a last card; no fault (P-96, P-98).
    Rests,
    /// The seat has not looked at its cards yet; no fault (P-05).
    NotLooked,
    /// Nobody may look at cards during a point of order (rule fault, P-83).
    LookInPause,
    /// A point of order that may not be called now (rule fault, P-92, P-95).
    PauseBarred,
}

/// Why the referee acted in a seat's place.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Stand {
    /// The time was over (G-05).
    Slow,
    /// Too many cards were refused in one turn (G-21).
    Refusals,
    /// The seat has been dismissed (G-04).
    Dismissed,
    /// Several turn limits in a row have passed (G-22).
    Absent,
}

/// Time that passes with nobody acting (G-13).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Elapse {
    /// Long enough for words that are due.
    Grace,
    /// Long enough to answer a card.
    Reaction,
    /// The time of a turn.
    TurnLimit,
    /// The time after a last card, the grace time included.
    Closing,
    /// A count of ten.
    CountOfTen,
    /// The longest time that a point of order may last (P-95).
    PointOfOrder,
}

/// How a round ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum RoundEnd {
    /// A hand was empty.
    Won,
    /// The turn cap, or the most cards that may be laid, was reached; nobody wins.
    TurnCap,
    /// Nothing was left to draw, and everybody passed; nobody wins.
    Blocked,
}

/// One thing that happened, in full.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "event", rename_all = "snake_case")]
pub enum Event {
    /// A round begins.
    RoundStarted {
        /// Counted from 1.
        round: u32,
        /// Who deals.
        dealer: Seat,
        /// The direction of play.
        direction: Direction,
    },
    /// A hand was dealt. Others see only the number.
    Dealt {
        /// Whose hand.
        seat: Seat,
        /// How many cards.
        count: u16,
        /// The cards; absent for others.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        cards: Option<Box<[Card]>>,
        /// Whether its owner may not look at it yet.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        sealed: bool,
    },
    /// The first card was turned up.
    TurnedUp {
        /// The card.
        card: Card,
    },
    /// A seat spoke.
    Said {
        /// Who.
        seat: Seat,
        /// The words.
        text: Text,
    },
    /// A card was laid.
    Played {
        /// By whom.
        seat: Seat,
        /// The card.
        card: Card,
        /// The suit or value named with it.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        choose: Option<Choice>,
    },
    /// A suit or value was named apart from a play.
    Chose {
        /// By whom.
        seat: Seat,
        /// What.
        choose: Choice,
    },
    /// A card was drawn. Others see only that it was.
    Drew {
        /// By whom.
        seat: Seat,
        /// The card; absent for others.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        card: Option<Card>,
        /// Why.
        why: DrawReason,
        /// Whether its owner may not look at it yet.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        sealed: bool,
    },
    /// A penalty card was taken. Others see only that it was.
    Penalty {
        /// By whom.
        seat: Seat,
        /// The card; absent for others.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        card: Option<Card>,
        /// For what.
        fault: RuleFault,
        /// Whether its owner may not look at it yet.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        sealed: bool,
    },
    /// An action was refused.
    Refused {
        /// Whose.
        seat: Seat,
        /// The card, where one was offered; absent for others.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        card: Option<Card>,
        /// Why.
        reason: Reason,
        /// The card was laid openly before it was refused: everybody saw it.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        shown: bool,
    },
    /// A seat accused another.
    Called {
        /// The accuser.
        by: Seat,
        /// The accused.
        against: Seat,
        /// The fault named.
        fault: Text,
        /// Whether it was upheld.
        upheld: bool,
    },
    /// A seat suspended, declined or stopped.
    Passed {
        /// Who.
        seat: Seat,
    },
    /// A seat lost its turn.
    Skipped {
        /// Who.
        seat: Seat,
    },
    /// The direction of play turned round.
    Reversed {
        /// The new direction.
        direction: Direction,
    },
    /// The discard pile became the draw pile.
    Reshuffled {
        /// Cards in the new draw pile.
        count: u16,
    },
    /// Owed or drawn cards were waived because nothing was left (G-07).
    Waived {
        /// Who owed them.
        seat: Seat,
        /// How many.
        count: u16,
    },
    /// The referee acted in a seat's place.
    ActedFor {
        /// Whose.
        seat: Seat,
        /// Why.
        why: Stand,
    },
    /// A suit or value was named by the referee (G-05).
    Named {
        /// For whom.
        seat: Seat,
        /// What.
        choose: Choice,
    },
    /// A request was revoked by another one.
    Revoked {
        /// By whom.
        by: Seat,
    },
    /// A request is over.
    RequestOver,
    /// The card that was laid before was a free one: no turn.
    Free {
        /// By whom.
        seat: Seat,
    },
    /// Two seats have changed places, or changed back.
    Swapped {
        /// Both seats.
        seats: SeatSet,
        /// Whether it is the change back.
        back: bool,
    },
    /// A card went from hand to hand. Only the two seats see which.
    Taken {
        /// By whom.
        by: Seat,
        /// From whose hand.
        from: Seat,
        /// The card; absent for the others.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        card: Option<Card>,
    },
    /// Sealed cards may be looked at from now on. Others see only that.
    Unsealed {
        /// Whose.
        seat: Seat,
        /// How many.
        count: u16,
        /// The cards; absent for others.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        cards: Option<Box<[Card]>>,
    },
    /// A mistake that is noted by the referee.
    Mistake {
        /// Whose.
        seat: Seat,
        /// Which.
        fault: RuleFault,
        /// How many of its kind.
        count: u16,
    },
    /// A card was dealt. Others see only that it was.
    DealtCard {
        /// By whom.
        by: Seat,
        /// To whom.
        to: Seat,
    },
    /// Outstanding penalty cards were dealt out.
    PenaltiesDealt {
        /// By whom.
        by: Seat,
    },
    /// A seat counts down from ten.
    Counting {
        /// Who.
        by: Seat,
    },
    /// A seat picked up the cards.
    PickedUp {
        /// Who.
        by: Seat,
    },
    /// A deal is void; the right dealer deals again.
    DealVoid,
    /// A wrong card that lay went back, with everything that had followed from it.
    TakenBack {
        /// Whose card.
        seat: Seat,
    },
    /// The closing time is over.
    Closed,
    /// The round is over.
    RoundOver {
        /// The winners; nobody where the turn cap was reached.
        winners: SeatSet,
        /// How it ended.
        end: RoundEnd,
    },
    /// A seat's hand was shown and counted.
    Scored {
        /// Whose.
        seat: Seat,
        /// The cards left.
        hand: Box<[Card]>,
        /// Points of this round.
        points: i32,
        /// Points of the match so far.
        total: i32,
    },
    /// A card laid was an interjection: the twin of the top card.
    Interjected {
        /// By whom.
        seat: Seat,
        /// The interjections of this card in a row.
        count: u8,
    },
    /// Either neighbour of this seat may act now.
    RaceOpened {
        /// Whose neighbours.
        by: Seat,
    },
    /// The suit of the next card was stated.
    SuitStated {
        /// By whom.
        seat: Seat,
        /// The suit.
        suit: Suit,
    },
    /// A seat looked at its cards.
    Looked {
        /// Who.
        seat: Seat,
    },
    /// A seat sees its hand; nobody else does.
    HandShown {
        /// Whose.
        seat: Seat,
        /// The cards; absent for others.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        cards: Option<Box<[Card]>>,
    },
    /// A seat began a movement.
    Reached {
        /// Who.
        seat: Seat,
        /// Towards what.
        r#for: Reach,
    },
    /// A seat showed another that it is too loud.
    Glared {
        /// Who.
        seat: Seat,
        /// At whom.
        at: Seat,
    },
    /// Play rests.
    PointOfOrder {
        /// Who asked for it.
        seat: Seat,
    },
    /// Play goes on.
    PointOfOrderOver,
    /// A card dealt too many went under the draw pile.
    Returned {
        /// From whose hand.
        seat: Seat,
        /// The card; absent for others.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        card: Option<Card>,
        /// Whether its owner had not seen it.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        sealed: bool,
    },
    /// The match is over.
    MatchOver {
        /// Everybody who shares the first place.
        winners: SeatSet,
    },
}

/// An event as one seat may see it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(transparent)]
pub struct SeenEvent(Event);

impl Event {
    /// The event without what `seat` may not know (G-08).
    pub fn seen_by(&self, seat: Seat) -> SeenEvent {
        SeenEvent(match self {
            Event::Dealt { seat: whose, count, cards, sealed } => Event::Dealt {
                seat: *whose,
                count: *count,
                cards: cards.clone().filter(|_| *whose == seat && !sealed),
                sealed: *sealed,
            },
            Event::Drew { why: DrawReason::Shortage, .. } => self.clone(),
            Event::Drew { seat: whose, card, why, sealed } => {
                let card = card.filter(|_| *whose == seat && !sealed);
                Event::Drew { seat: *whose, card, why: *why, sealed: *sealed }
            }
            Event::Penalty { seat: whose, card, fault, sealed } => {
                let card = card.filter(|_| *whose == seat && !sealed);
                Event::Penalty { seat: *whose, card, fault: *fault, sealed: *sealed }
            }
            Event::Returned { seat: whose, card, sealed } => {
                let card = card.filter(|_| *whose == seat && !sealed);
                Event::Returned { seat: *whose, card, sealed: *sealed }
            }
            Event::HandShown { seat: whose, cards } => {
                Event::HandShown { seat: *whose, cards: cards.clone().filter(|_| *whose == seat) }
            }
            Event::Taken { by, from, card } => {
                Event::Taken { by: *by, from: *from, card: card.filter(|_| seat == *by || seat == *from) }
            }
            Event::Unsealed { seat: whose, count, cards } => {
                Event::Unsealed { seat: *whose, count: *count, cards: cards.clone().filter(|_| *whose == seat) }
            }
            Event::Refused { seat: whose, card, reason, shown } => Event::Refused {
                seat: *whose,
                card: card.filter(|_| *whose == seat || *shown),
                reason: *reason,
                shown: *shown,
            },
            public => public.clone(),
        })
    }
}

impl SeenEvent {
    /// The event; hidden members are `None`.
    pub fn event(&self) -> &Event {
        &self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn others_see_that_a_card_was_drawn_but_not_which() {
        let [me, other] = [0, 1].map(|index| Seat::new(index).expect("a small seat"));
        let drew = Event::Drew { seat: me, card: Card::from_code("7H"), why: DrawReason::Turn, sealed: false };
        assert_eq!(
            serde_json::to_string(&drew.seen_by(other)).expect("json"),
            r#"{"event":"drew","seat":0,"why":"turn"}"#
        );
        assert_eq!(
            serde_json::to_string(&drew.seen_by(me)).expect("json"),
            r#"{"event":"drew","seat":0,"card":"7H","why":"turn"}"#
        );
    }
}
