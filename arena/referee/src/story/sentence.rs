//! One sentence for each event of a game, limited to what these eyes may know of it. It knows one event and names at a
//! time, not the rest of the game; mistakes of agents as programs stand in `story_writer`.

use std::borrow::Cow;

use maumau_protocol::ruleset::{Decides, LastCosts, RuleSet};
use maumau_protocol::{
    Card, Choice, Direction, DrawReason, Event, Faces, Hidden, Knowledge, Reach, Reason, RoundEnd, RuleFault, Seat,
    SeatSet, Stand, Text,
};

use super::line::{About, Level, Line, Piece};

/// The pieces of a sentence.
macro_rules! say {
    ($($piece:expr),+ $(,)?) => { vec![$(Piece::from($piece)),+] };
}

/// The context of a sentence beyond its event.
#[derive(Clone, Copy, Debug)]
pub(super) struct Context<'a> {
    /// The rule set, by which mistakes, added rules and what is counted have their words.
    pub(super) set: &'a RuleSet,
    /// True if the referee has just acted for a seat because of refusals, and not because of time.
    pub(super) refusals: bool,
    /// The seats that share the first place, if the match is over; dismissed agents come after all others.
    pub(super) winners: SeatSet,
    /// The seat that acted before an action that came too late, if it is known.
    pub(super) faster: Option<Seat>,
    /// What came before the event.
    pub(super) deed: PriorDeed,
    /// The card on top.
    pub(super) top: Option<Card>,
    /// The seats of the table.
    pub(super) seats: usize,
    /// What the seat of an action without a card wanted to do, for eyes that may know it.
    pub(super) wanted: Option<&'static str>,
}

/// The last deed before an event, where it explains a price.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum PriorDeed {
    /// A seat has played a card and named nothing.
    Played(Seat),
    /// A seat has named something.
    Named(Seat),
    /// A seat has challenged a card.
    Challenged(Seat),
    /// Anything else.
    #[default]
    Other,
}

impl PriorDeed {
    /// The last deed after `event`.
    pub(super) fn after<K: Knowledge>(self, event: &Event<K>) -> PriorDeed {
        match event {
            Event::Played { seat, choose: Some(_), .. } | Event::Chose { seat, .. } => PriorDeed::Named(*seat),
            Event::Played { seat, .. } => PriorDeed::Played(*seat),
            Event::Challenged { by, .. } => PriorDeed::Challenged(*by),
            Event::Drew { seat, why: DrawReason::Owed, .. }
                if [PriorDeed::Named(*seat), PriorDeed::Challenged(*seat)].contains(&self) =>
            {
                self
            }
            Event::Drew { .. }
            | Event::Passed { .. }
            | Event::Skipped { .. }
            | Event::Refused { .. }
            | Event::Called { .. }
            | Event::RoundOver { .. } => PriorDeed::Other,
            _ => self,
        }
    }
}

/// The line of an event; `None` for events that another line covers.
pub(super) fn line<K: Knowledge>(event: &Event<K>, context: Context<'_>) -> Option<Line> {
    sentence(event, context).map(|line| Line { faces: faces(context.set), ..line })
}

fn faces(set: &RuleSet) -> Faces {
    set.deck.faces
}

fn sentence<K: Knowledge>(event: &Event<K>, context: Context<'_>) -> Option<Line> {
    let main = |seat: Seat, pieces| Line::new(Level::Main, About::Game, Some(seat), pieces);
    let detail = |seat: Seat, pieces| Line::new(Level::Detail, About::Game, Some(seat), pieces);
    let mistake = |seat: Seat, pieces| Line::new(Level::Main, About::RuleFault, Some(seat), pieces);
    let all = |pieces| Line::new(Level::Main, About::Game, None, pieces);
    let heading = |pieces| Line::new(Level::Heading, About::Game, None, pieces);
    Some(match event {
        Event::RoundStarted { round, dealer, direction } => {
            let way = if *direction == Direction::Clockwise { "" } else { "; play goes counter-clockwise" };
            heading(say![format!("Round {round}; "), *dealer, " deals", way])
        }
        Event::Dealt { seat, cards, .. } => main(*seat, with_cards(say![*seat, " is dealt "], cards.get()?)),
        Event::TurnedUp { card } => all(say![*card, " is turned up"]),
        Event::Said { seat, text, .. } => {
            main(*seat, vec![Piece::from(*seat), " says ".into(), Piece::Quoted(text.as_str().to_owned())])
        }
        Event::Together { seat, count, open } => {
            let cards = if *count == 1 { " plays a card".to_owned() } else { format!(" plays {count} cards at once") };
            let run = if *open { " and leaves the run open" } else { "" };
            main(*seat, say![*seat, cards, run])
        }
        Event::Played { seat, card, stands_for, choose } => {
            let mut pieces = say![*seat, " plays ", *card];
            if let Some(other) = stands_for {
                pieces.extend(say![" as ", *other]);
            }
            match choose {
                Some(Choice::Seat(chosen)) => pieces.extend(say![" and chooses ", *chosen]),
                Some(choice) => pieces.extend(say![" and names ", *choice]),
                None => {}
            }
            main(*seat, pieces)
        }
        Event::Chose { seat, choose } => main(*seat, say![*seat, " names ", *choose]),
        Event::Drew { seat, card, why, .. } => {
            let card = card_or(card, "a card");
            let (pieces, what) = match why {
                DrawReason::Turn => (say![*seat, " draws ", card], "cards"),
                // The price of naming what one does not hold (D-50).
                DrawReason::Owed if context.deed == PriorDeed::Named(*seat) => (
                    say![*seat, " draws ", card, " (holds none of what it has named)"],
                    "cards, as it holds none of them",
                ),
                DrawReason::Owed => (say![*seat, " draws ", card, " (owed)"], "cards it owes"),
                DrawReason::Shortage => return Some(main(*seat, say![*seat, " takes the top card ", card])),
                DrawReason::Effect => {
                    let mut pieces = say![*seat, " draws ", card];
                    if let Some(top) = context.top {
                        pieces.extend(say![" for ", top]);
                    }
                    (pieces, "cards because of the card")
                }
            };
            Line { counted: Some(["draws", what]), ..main(*seat, pieces) }
        }
        Event::Penalty { seat, card, fault, .. } => {
            // The penalty for too many refusals is that for slowness (G-21).
            let fault = match fault {
                RuleFault::Slow if context.refusals => "refused too often".into(),
                RuleFault::FalseCall if context.deed == PriorDeed::Challenged(*seat) => {
                    "the challenged card was right".into()
                }
                RuleFault::WrongCard
                    if [PriorDeed::Played(*seat), PriorDeed::Named(*seat)].contains(&context.deed)
                        && prices_last_cards(context.set) =>
                {
                    "that card may not be the last".into()
                }
                fault => mistake_name(*fault, context.set),
            };
            let why = Piece::refused(format!("as penalty ({fault})"));
            let line = mistake(*seat, say![*seat, " takes ", card_or(card, "a card"), " ", why]);
            Line { counted: Some(["takes", "penalty cards"]), ..line }
        }
        Event::Refused { seat, card, reason: Reason::Interrupted, .. } => {
            let mut pieces = say![*seat];
            match card.get() {
                Some(card) => pieces.extend(say![" was too late with ", *card, ": "]),
                None => pieces.push(format!(" was too late{}: ", context.wanted.unwrap_or_default()).into()),
            }
            match context.faster {
                Some(faster) if faster == *seat => pieces.push("its own action came first".into()),
                Some(faster) => pieces.extend(say![faster, " was faster"]),
                None => pieces.push("the game had gone on".into()),
            }
            Line::new(Level::Main, About::Late, Some(*seat), pieces)
        }
        Event::Refused { seat, card, reason, .. } => {
            let why = Piece::refused(format!("is refused ({})", reason_name(*reason)));
            mistake(*seat, say![*seat, ": ", card_or(card, "an action"), " ", why])
        }
        Event::Called { by, against, fault, upheld } => {
            let fault = match RuleFault::from_name(fault.as_str()) {
                Some(known) => Piece::from(mistake_name(known, context.set).into_owned()),
                None => Piece::Foreign(Default::default(), fault.as_str().to_owned()),
            };
            let verdict = if *upheld { ", correctly: " } else { ", wrongly: " };
            main(*by, say![*by, " calls ", *against, verdict, fault])
        }
        Event::Passed { seat } => main(*seat, say![*seat, " passes"]),
        Event::Skipped { seat } => main(*seat, say![*seat, " loses a turn"]),
        Event::Reversed { .. } => all(say!["play reverses"]),
        Event::Reshuffled { count: 1 } => all(say!["a card becomes the new draw pile"]),
        Event::Reshuffled { count } => all(say![format!("{count} cards are shuffled into a new draw pile")]),
        Event::Waived { seat, count } => main(
            *seat,
            say![
                "nothing is left to draw: ",
                *seat,
                format!(" draws {count} card{} fewer", if *count == 1 { "" } else { "s" })
            ],
        ),
        Event::ActedFor { seat, why } => mistake(
            *seat,
            match why {
                Stand::Slow => say![*seat, " is too slow: the referee acts"],
                Stand::Refusals => {
                    let limit = match context.set.turn.max_refusals {
                        1 => "once".to_owned(),
                        limit => format!("{limit} times"),
                    };
                    say![*seat, format!(" was refused {limit} in its turn: the referee acts")]
                }
                Stand::Absent => say![*seat, " does nothing: the referee acts"],
                Stand::Dismissed => say!["the referee plays for ", *seat],
            },
        ),
        Event::Named { seat, choose } => main(*seat, say!["the referee names ", *choose]),
        Event::Revoked { by } => main(*by, say!["the request before is revoked"]),
        Event::RequestOver => all(say!["the request is over"]),
        Event::HandsRotated { .. } => all(say!["every hand goes to the next player"]),
        Event::HandsSwapped { seats } => {
            let mut pieces = list(*seats);
            pieces.push(" exchange hands".into());
            all(pieces)
        }
        Event::Shown { seat, cards, .. } => detail(*seat, with_cards(say![*seat, " shows "], cards.get()?)),
        Event::WentOut { seat, place } => main(*seat, say![*seat, format!(" is out, at place {place}")]),
        Event::CameBack { seat } => main(*seat, say![*seat, " is back in the round"]),
        Event::Counted { seat, total } => {
            main(*seat, say![*seat, format!(" has counted to {total} and goes on with a new hand")])
        }
        Event::Challenged { by, against, upheld } => {
            let verdict = if *upheld { ": the card was wrong" } else { ": the card was right" };
            main(*by, say![*by, " challenges the card of ", *against, verdict])
        }
        Event::DebtCancelled { by } => main(*by, say![*by, " cancels what is owed"]),
        Event::DebtReturned { by } => main(*by, say![*by, " sends back what is owed"]),
        Event::Free { seat } => detail(*seat, say!["a free card: the turn stays where it is"]),
        Event::Swapped { seats, back } => {
            let mut pieces = list(*seats);
            pieces.push(match back {
                true => " change places back".into(),
                false => " change places until both have had a turn".into(),
            });
            all(pieces)
        }
        Event::Taken { by, from, card, sealed, overdue } => {
            let taken = card_or(card, if *sealed { "a sealed card" } else { "a card" });
            match overdue {
                false => main(*by, say![*by, " takes ", taken, " from ", *from]),
                true => {
                    main(*by, say!["the referee takes ", taken, " from ", *from, " for ", *by, ", which was too late"])
                }
            }
        }
        Event::Unsealed { seat, count, cards } => main(
            *seat,
            match cards.get() {
                Some(cards) => with_cards(say![*seat, " opens sealed cards: "], cards),
                None => say![*seat, format!(" opens {count} sealed cards")],
            },
        ),
        Event::Mistake { seat, fault, count } => {
            let fault = mistake_name(*fault, context.set);
            mistake(
                *seat,
                match count {
                    1 => say![*seat, format!(" makes a mistake ({fault})")],
                    count => say![*seat, format!(" makes {count} mistakes ({fault})")],
                },
            )
        }
        Event::DealtCard { by, to } => main(*by, say![*by, " deals a card to ", *to]),
        Event::PenaltiesDealt { by } => main(*by, say![*by, " deals out the penalty cards"]),
        Event::Counting { by } => main(*by, say![*by, " counts down from ten"]),
        Event::PickedUp { by } => main(*by, say![*by, " picks up the cards"]),
        Event::DealVoid => all(say!["the deal is void; the cards go back"]),
        Event::Returned { seat, .. } => main(*seat, say!["cards of ", *seat, " go back under the draw pile"]),
        Event::TakenBack { seat } => main(*seat, say![*seat, " takes the wrong card back"]),
        Event::Interjected { seat, count } => {
            detail(*seat, say![*seat, format!(" interjects ({} in a row)", ordinal(*count))])
        }
        Event::RaceOpened { by } if context.seats == 2 => detail(*by, say!["the other player may act now"]),
        Event::RaceOpened { by } => detail(*by, say!["either neighbour of ", *by, " may act now"]),
        Event::SuitStated { seat, suit } => main(*seat, say![*seat, " says the suit is ", Choice::Suit(*suit)]),
        Event::Looked { seat } => main(*seat, say![*seat, " looks at the cards"]),
        Event::HandShown { seat, cards } => detail(*seat, with_cards(say![*seat, "'s hand: "], cards.get()?)),
        Event::Reached { seat, r#for } => main(
            *seat,
            match r#for {
                Reach::Draw => say![*seat, " reaches for the draw pile"],
                Reach::Play => say![*seat, " reaches for the discard pile"],
            },
        ),
        Event::Glared { seat, at } => main(*seat, say![*seat, " glares at ", *at]),
        Event::PointOfOrder { seat } => main(*seat, say![*seat, " calls a point of order: play rests"]),
        Event::PointOfOrderOver => all(say!["play goes on"]),
        Event::Closed => all(say!["the closing time is over"]),
        Event::RoundOver { winners, end } => all(match end {
            RoundEnd::Won => win(*winners, " the round"),
            RoundEnd::TurnCap => say![too_long(context.set)],
            RoundEnd::Blocked if winners.is_empty() => {
                say![format!("{}; nobody wins the round", blocked(context.set))]
            }
            RoundEnd::Blocked => {
                let mut pieces = say![format!("{}; with the lowest hand ", blocked(context.set))];
                pieces.extend(win(*winners, " the round"));
                pieces
            }
        }),
        Event::Scored { hand, points: 0, .. } if hand.is_empty() => return None,
        Event::Scored { seat, hand, points, total } => detail(*seat, scored(*seat, hand, *points, *total, context)),
        Event::RuleOffered { by, offer } => {
            let rules: Vec<String> = offer.iter().map(|rule| added_rule(rule, context.set)).collect();
            main(*by, say![*by, format!(" may add one of these rules: {}", rules.join("; "))])
        }
        Event::RuleAdded { by, rule } => {
            main(*by, say![*by, format!(" adds a rule: {}", added_rule(rule, context.set))])
        }
        Event::MatchOver { .. } => {
            let mut pieces = win(context.winners, " the match");
            pieces.push(match context.set.scoring.decides {
                Decides::FewestPoints if context.winners.is_empty() => {
                    ", as nobody has won a round; the fewest points come first".into()
                }
                Decides::MostPoints | Decides::MostChips | Decides::RoundsWon | Decides::Count
                    if context.winners.is_empty() =>
                {
                    format!(
                        ", as nobody has won a round; who held least comes first, counted in {}",
                        held_in(context.set)
                    )
                    .into()
                }
                Decides::FewestPoints => " with the fewest points".into(),
                Decides::MostPoints => " with the most points".into(),
                Decides::MostChips => " with the most chips".into(),
                Decides::Count => match &context.set.count {
                    Some(count) => format!(" with the count nearest to {}", count.match_at).into(),
                    None => "".into(),
                },
                Decides::RoundsWon => "".into(),
            });
            heading(pieces)
        }
    })
}

/// What hands are compared by in rounds that nobody has won (G-23).
fn held_in(set: &RuleSet) -> &'static str {
    match set.scoring.counts_points() {
        true => "points",
        false => "cards",
    }
}

/// That a round has taken too long (G-23).
fn too_long(set: &RuleSet) -> String {
    let cards = set.turn.cards_cap.map_or(String::new(), |cards| format!(" or {cards} cards"));
    format!("the round is ended, as it may take {} turns{cards} at most; nobody wins it", set.turn.cap)
}

/// What has blocked a round.
fn blocked(set: &RuleSet) -> &'static str {
    match set.ending.blocked_after {
        Some(0) | None => "nobody can draw and everybody passes",
        Some(1) => "nobody can draw, and everybody has passed in a row, one player twice",
        Some(_) => "nobody can draw, and everybody has passed in a row, some players twice",
    }
}

/// What a seat has left at the end of a round, and what that counts.
fn scored(seat: Seat, hand: &[Card], points: i32, total: i32, context: Context<'_>) -> Vec<Piece> {
    let set = context.set;
    let mut pieces = match hand {
        [] => say![seat],
        _ if set.scoring.collects && points > 0 => with_cards(say![seat, " holds "], hand),
        _ if set.scoring.decides == Decides::RoundsWon => with_cards(say![seat, " still holds "], hand),
        _ => with_cards(say![seat, " is caught with "], hand),
    };
    let worth: i32 = hand.iter().map(|card| i32::from(set.scoring.points_of(*card))).sum();
    if set.scoring.collects && worth > 0 {
        pieces.push(format!(", worth {worth}{}", if points > 0 { "," } else { "" }).into());
    }
    let gets = if hand.is_empty() { " gets " } else { " and gets " };
    let counted: Piece = match set.scoring.decides {
        Decides::RoundsWon => "".into(),
        // What is counted down is a number of the seat's own, which only a won round changes.
        Decides::Count if points == 0 => "".into(),
        Decides::Count if hand.is_empty() => format!("'s count goes from {} to {total}", total - points).into(),
        Decides::Count => format!("; its count goes from {} to {total}", total - points).into(),
        Decides::FewestPoints if worth > 0 && points == 2 * worth => match context.top {
            Some(top) => {
                pieces.extend(say![": as ", top, " was the last card, twice"]);
                format!(" {worth} points, {total} in all").into()
            }
            None => format!(": twice {worth} points, {total} in all").into(),
        },
        Decides::FewestPoints => format!(": {points} points, {total} in all").into(),
        Decides::MostPoints if points == 0 => format!("; it has {total} points in all").into(),
        Decides::MostPoints => format!("{gets}{points} points, {total} in all").into(),
        Decides::MostChips if hand.is_empty() => format!("{gets}{points} chips, {total} in all").into(),
        Decides::MostChips => format!(": {points} chips, {total} in all").into(),
    };
    pieces.push(counted);
    pieces
}

/// What a rule says that was added, in the words of its menu; its name where they are not known.
fn added_rule(rule: &Text, set: &RuleSet) -> String {
    let entry = set.menu.as_ref().and_then(|menu| menu.add.get(rule.as_str()));
    match entry.map(|entry| entry.about.trim_end_matches('.')).filter(|about| !about.is_empty()) {
        Some(about) => about.to_owned(),
        None => rule.as_str().replace('_', " "),
    }
}

/// `1st`, `2nd`, `12th`.
pub fn ordinal(count: impl Into<u64>) -> String {
    let count = count.into();
    let end = match (count % 100 / 10, count % 10) {
        (1, _) => "th",
        (_, 1) => "st",
        (_, 2) => "nd",
        (_, 3) => "rd",
        _ => "th",
    };
    format!("{count}{end}")
}

fn list(seats: SeatSet) -> Vec<Piece> {
    let mut pieces = Vec::new();
    for seat in seats.iter() {
        if !pieces.is_empty() {
            pieces.push(" and ".into());
        }
        pieces.push(seat.into());
    }
    if pieces.is_empty() { say!["nobody"] } else { pieces }
}

fn win(seats: SeatSet, what: &'static str) -> Vec<Piece> {
    let mut pieces = list(seats);
    pieces.push(if seats.len() > 1 { " share" } else { " wins" }.into());
    pieces.push(what.into());
    pieces
}

fn with_cards(mut pieces: Vec<Piece>, cards: &[Card]) -> Vec<Piece> {
    if cards.is_empty() {
        pieces.push("nothing".into());
    }
    for (at, card) in cards.iter().enumerate() {
        if at > 0 {
            pieces.push(" ".into());
        }
        pieces.push((*card).into());
    }
    pieces
}

/// The card, or `unknown` if it is not visible.
fn card_or(card: &impl Hidden<Value = Card>, unknown: &'static str) -> Piece {
    card.get().map_or(unknown.into(), |card| (*card).into())
}

/// A mistake in words, as in a sentence, with the word that `set` wants said: `Mau was not said`, `Tschau was not said`.
pub fn fault_name(fault: RuleFault, set: &RuleSet) -> Cow<'static, str> {
    let duties = &set.duties;
    let said = || duties.words.values().find(|duty| !duty.off && duty.fault == fault)?.say.first();
    let word = match fault {
        RuleFault::NoMau => duties.mau.as_ref().map(|mau| &mau.word).or_else(said),
        RuleFault::NoMauMau => {
            let last = || duties.last.as_ref().map(|last| &last.word);
            duties.mau_mau.as_ref().map(|mau_mau| &mau_mau.word).or_else(last).or_else(said)
        }
        RuleFault::NoLastCard => said(),
        _ => None,
    };
    let mut letters = word.map(|word| word.chars()).into_iter().flatten();
    match letters.next() {
        Some(first) => format!("{}{} was not said", first.to_uppercase(), letters.collect::<String>()).into(),
        None => usual_fault_name(fault).into(),
    }
}

/// Whether a card of `set` costs penalty cards as the last one (G-49).
fn prices_last_cards(set: &RuleSet) -> bool {
    set.effects.values().any(|effect| !effect.off && matches!(effect.last_costs, LastCosts::Cards(_)))
}

/// A mistake that was made: a word that is missing may have been said later.
fn mistake_name(fault: RuleFault, set: &RuleSet) -> Cow<'static, str> {
    let name = fault_name(fault, set);
    if name.ends_with(" was not said") { format!("{name} in time").into() } else { name }
}

/// A mistake in words, whatever the rules.
fn usual_fault_name(fault: RuleFault) -> &'static str {
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
        RuleFault::NoDone => "the end of drawing was not announced",
        RuleFault::EarlyLook => "a look before the dealer's",
        RuleFault::Flinch => "a movement for one thing, then the other",
        RuleFault::Question => "a question",
        RuleFault::Swear => "swearing",
        RuleFault::PoToSwear => "a point of order only to swear",
        RuleFault::LookInPo => "a look during a point of order",
        RuleFault::TooLoud => "loud speech",
        RuleFault::IllegalPo => "a point of order out of place",
        RuleFault::Explaining => "explaining the rules",
        RuleFault::Talking => "talking",
        RuleFault::NoMauMau => "Mau Mau was not said",
        RuleFault::NoSnap => "Snap was not said",
        RuleFault::Must => "a card that had to be taken was not taken",
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
