//! What happened: the events of a game as the referee knows them, and as one seat may see them. Only the data is
//! defined here; the engine decides when an event happens, the referee who is sent it.
//!
//! [`Event`] holds everything. [`SeenEvent`] is what a seat is sent, a type of its own, whose hidden members only
//! [`Event::seen_by`] can fill (G-08).

mod cause;
mod knowledge;
mod seen;

use serde::{Deserialize, Serialize};

use crate::action::{Choice, Reach};
use crate::card::{Card, Suit};
use crate::named::named;
use crate::seat::{Direction, Seat, SeatSet};
use crate::speech::Text;

pub use cause::{DrawReason, Elapse, Reason, RoundEnd, Stand};
pub use knowledge::{Everything, Hidden, Knowledge, OneSeat, Seen};
pub use seen::SeenEvent;

#[cfg(test)]
use schemars::JsonSchema;

/// The number of an event in its game, counted from 1 in the order in which they happened; as an `as_of` stamp, the last
/// event that a seat had seen, 0 for none (G-03).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(test, derive(JsonSchema))]
#[serde(transparent)]
pub struct EventNumber(pub u32);

/// One thing that happened: in full, unless `K` says that it is as one seat knows it.
///
/// A member that not everybody may see is a `K::Card` or a `K::Cards`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(JsonSchema))]
#[cfg_attr(test, schemars(rename = "SeenEvent", description = "An event as one seat may see it."))]
#[cfg_attr(test, schemars(bound = "K::Card: JsonSchema, K::Cards: JsonSchema"))]
#[serde(tag = "event", rename_all = "snake_case", bound = "")]
pub enum Event<K: Knowledge = Everything> {
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
        #[serde(default, skip_serializing_if = "Hidden::is_absent")]
        cards: K::Cards,
        /// Whether its owner may not look at it yet.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        sealed: bool,
    },
    /// The first card was turned up.
    TurnedUp {
        /// The card.
        card: Card,
    },
    /// A seat spoke, with an action that words can be due with, or apart from any.
    Said {
        /// Who.
        seat: Seat,
        /// The words.
        text: Text,
        /// True if the words were said by themselves, and not with a card that is played, drawn or taken, a pass or a choice: words
        /// that are due with a card are said with it or after it (G-24, P-59).
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        apart: bool,
    },
    /// The next cards that are played are one play (G-40).
    Together {
        /// By whom.
        seat: Seat,
        /// How many they are.
        count: u16,
        /// Whether they leave a run open for the next player (G-73).
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        open: bool,
    },
    /// A card was played.
    Played {
        /// By whom.
        seat: Seat,
        /// The card.
        card: Card,
        /// The card for which it stands, if it stands for another (G-79).
        #[serde(default, rename = "as", skip_serializing_if = "Option::is_none")]
        stands_for: Option<Card>,
        /// What was named with it.
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
        #[serde(default, skip_serializing_if = "Hidden::is_absent")]
        card: K::Card,
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
        #[serde(default, skip_serializing_if = "Hidden::is_absent")]
        card: K::Card,
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
        #[serde(default, skip_serializing_if = "Hidden::is_absent")]
        card: K::Card,
        /// Why.
        reason: Reason,
        /// The card was played openly before it was refused: everybody saw it.
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
    /// All hands have gone to the next player in this direction (G-44).
    HandsRotated {
        /// Which way.
        direction: Direction,
    },
    /// Two seats have exchanged their hands (G-44).
    HandsSwapped {
        /// Both seats.
        seats: SeatSet,
    },
    /// A hand was shown (G-62).
    Shown {
        /// Whose.
        seat: Seat,
        /// To whom.
        to: SeatSet,
        /// The cards; absent for those to whom they were not shown.
        #[serde(default, skip_serializing_if = "Hidden::is_absent")]
        cards: K::Cards,
    },
    /// A hand is empty, and its seat is out of the round, which goes on (G-43).
    WentOut {
        /// Whose.
        seat: Seat,
        /// Its place in the round, from 1.
        place: u8,
    },
    /// A seat that was out is back in the round, and draws cards (G-71).
    CameBack {
        /// Which.
        seat: Seat,
    },
    /// A hand is empty, and its seat goes on with a new one: its count has changed (G-72).
    Counted {
        /// Whose.
        seat: Seat,
        /// Points of the match so far.
        total: i32,
    },
    /// A card that makes a debt was challenged (G-67).
    Challenged {
        /// By whom.
        by: Seat,
        /// Who played the card.
        against: Seat,
        /// Whether the card was not allowed.
        upheld: bool,
    },
    /// The card that was played cancels the debt: nothing is owed any more (G-32).
    DebtCancelled {
        /// By whom.
        by: Seat,
    },
    /// The card that was played sends the debt back (G-31).
    DebtReturned {
        /// By whom.
        by: Seat,
    },
    /// The card that was played before was a free one: no turn.
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
    /// A card went from hand to hand, a sealed one or not, in time or, overdue, by the referee. Only the two seats see the card.
    Taken {
        /// By whom.
        by: Seat,
        /// From whose hand.
        from: Seat,
        /// The card; absent for the others.
        #[serde(default, skip_serializing_if = "Hidden::is_absent")]
        card: K::Card,
        /// Whether it was a sealed card.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        sealed: bool,
        /// Whether the referee carried it out because it was overdue, which is a mistake of the seat that takes (N-106).
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        overdue: bool,
    },
    /// Sealed cards may be looked at from now on. Others see only that.
    Unsealed {
        /// Whose.
        seat: Seat,
        /// How many.
        count: u16,
        /// The cards; absent for others.
        #[serde(default, skip_serializing_if = "Hidden::is_absent")]
        cards: K::Cards,
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
    /// A card played was an interjection: the twin of the top card.
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
        #[serde(default, skip_serializing_if = "Hidden::is_absent")]
        cards: K::Cards,
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
        #[serde(default, skip_serializing_if = "Hidden::is_absent")]
        card: K::Card,
        /// Whether its owner had not seen it.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        sealed: bool,
    },
    /// A seat that has won the round has to add one of these rules of the menu (G-74).
    RuleOffered {
        /// Who chooses.
        by: Seat,
        /// The names of the rules, in alphabetical order.
        offer: Box<[Text]>,
    },
    /// A rule of the menu was added, and holds from now on.
    RuleAdded {
        /// By whom.
        by: Seat,
        /// The name of the rule.
        rule: Text,
    },
    /// The match is over.
    MatchOver {
        /// Everybody who shares the first place.
        winners: SeatSet,
    },
}

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
        /// The word of an empty hand, or of a last card, was not said.
        NoMauMau = "no_mau_mau",
        /// The word for a joker as the last card was not said (P-64).
        NoOomPapa = "no_oom_papa",
        /// An interjection was not called (P-65).
        NoSpam = "no_spam",
        /// The third interjection in a row was not called (P-66).
        NoWonderful = "no_wonderful",
        /// The end of drawing was not announced, or not with its number (P-93).
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
        /// Speech without a word that the rules ask for (G-78).
        Talking = "talking",
        /// A call that was not upheld, or the warning of the last card with more cards in hand (G-47).
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
