//! A game as text, event by event.

use std::cell::Cell;

use maumau_engine::Game;
use maumau_protocol::message::GameResult;
use maumau_protocol::ruleset::Decides;
use maumau_protocol::{
    Card, Choice, DrawReason, Event, Hidden, Knowledge, Reach, Reason, RoundEnd, RuleFault, Seat, SeatSet, Stand,
};
use maumau_referee::record::{Crash, Entry, Header};

use maumau_referee::CRASH;

use super::{counted, paint};
use crate::agent::diagnosis;
use crate::io::untrusted::{Untrusted, json};

/// Tells a game in sentences, from the referee's eyes or one seat's.
pub(crate) struct Narrator {
    names: Vec<String>,
    /// What is counted over the rounds, if anything but rounds is.
    unit: Option<&'static str>,
    eyes: Option<Seat>,
    /// Whether the referee has just acted for a seat because of refusals, and not of time.
    refused: Cell<bool>,
}

impl Narrator {
    /// `eyes`: the seat whose knowledge limits what is told; `None` tells everything.
    pub(crate) fn new(header: &Header, eyes: Option<Seat>) -> Narrator {
        let names = header.names.iter().map(|name| Untrusted::new(name).terminal()).collect();
        Narrator { names, unit: unit(header), eyes, refused: Cell::new(false) }
    }

    /// The name of a seat, to be shown.
    pub(super) fn name(&self, seat: Seat) -> String {
        paint::name(self.names.get(seat.index()).map_or("?", String::as_str))
    }

    /// Whether what only `seat` is told may be told here.
    pub(super) fn may_tell(&self, seat: Seat) -> bool {
        self.eyes.is_none_or(|eyes| eyes == seat)
    }

    /// One line for an event, without its newline; `None` for events that another line tells as well.
    pub(crate) fn event(&self, event: &Event) -> Option<String> {
        match self.eyes {
            Some(seat) => self.known_event(&event.seen_by(seat)),
            None => self.known_event(event),
        }
    }

    fn known_event<K: Knowledge>(&self, event: &Event<K>) -> Option<String> {
        let name = |seat: &Seat| self.name(*seat);
        Some(match event {
            Event::RoundStarted { round, dealer, .. } => format!("Round {round}; {} deals", name(dealer)),
            Event::Dealt { seat, cards, .. } => format!("  {} is dealt {}", name(seat), list(cards.get()?)),
            Event::TurnedUp { card } => format!("  {} is turned up", paint::card(*card)),
            Event::Said { seat, text } => format!("  {} says {}", name(seat), Untrusted::new(text.as_str()).quoted()),
            Event::Played { seat, card, choose } => match choose {
                Some(choice) => {
                    format!("  {} lays {} and names {}", name(seat), paint::card(*card), choice_name(choice))
                }
                None => format!("  {} lays {}", name(seat), paint::card(*card)),
            },
            Event::Chose { seat, choose } => format!("  {} names {}", name(seat), choice_name(choose)),
            Event::Drew { seat, card, why, .. } => {
                let what = card_name(card, "a card");
                match why {
                    DrawReason::Turn => format!("  {} draws {what}", name(seat)),
                    DrawReason::Owed => format!("  {} draws {what}, owed", name(seat)),
                    DrawReason::Shortage => format!("  {} takes the top card {what}", name(seat)),
                }
            }
            Event::Penalty { seat, card, fault, .. } => {
                let what = card_name(card, "a card");
                // The price of too many refusals is that of slowness (G-21).
                let fault = match fault {
                    RuleFault::Slow if self.refused.get() => "refused too often",
                    fault => fault_name(*fault),
                };
                let why = paint::refused(&format!("as penalty ({fault})"));
                format!("  {} takes {what} {why}", name(seat))
            }
            Event::Refused { seat, card, reason, .. } => {
                let what = card_name(card, "an action");
                format!(
                    "  {}: {what} {}",
                    name(seat),
                    paint::refused(&format!("is refused ({})", reason_name(*reason)))
                )
            }
            Event::Called { by, against, fault, upheld } => {
                let fault = Untrusted::new(fault.as_str()).terminal();
                let verdict = if *upheld { "upheld" } else { "not upheld" };
                format!("  {} calls {fault} against {}: {verdict}", name(by), name(against))
            }
            Event::Passed { seat } => format!("  {} passes", name(seat)),
            Event::Skipped { seat } => format!("  {} loses a turn", name(seat)),
            Event::Reversed { .. } => "  the direction turns round".to_owned(),
            Event::Reshuffled { count } => format!("  {count} cards are shuffled into a new draw pile"),
            Event::Waived { seat, count } => format!("  nothing is left to draw: {} is spared {count}", name(seat)),
            Event::ActedFor { seat, why } => {
                self.refused.set(*why == Stand::Refusals);
                match why {
                    Stand::Slow => format!("  {} is too slow: the referee acts", name(seat)),
                    Stand::Refusals => format!("  {} was refused too often: the referee acts", name(seat)),
                    Stand::Absent => format!("  {} does nothing: the referee acts", name(seat)),
                    Stand::Dismissed => format!("  the referee plays for {}", name(seat)),
                }
            }
            Event::Named { choose, .. } => format!("  the referee names {}", choice_name(choose)),
            Event::Revoked { .. } => "  the request before is revoked".to_owned(),
            Event::RequestOver => "  the request is over".to_owned(),
            Event::Free { .. } => "    a free card: the turn stays where it is".to_owned(),
            Event::Swapped { seats, back: false } => format!("  {} change places", self.list(*seats)),
            Event::Swapped { seats, back: true } => format!("  {} change places back", self.list(*seats)),
            Event::Taken { by, from, card } => {
                format!("  {} takes {} from {}", name(by), card_name(card, "a card"), name(from))
            }
            Event::Unsealed { seat, count, cards } => match cards.get() {
                Some(cards) => format!("  {} opens sealed cards: {}", name(seat), list(cards)),
                None => format!("  {} opens {count} sealed cards", name(seat)),
            },
            Event::Mistake { seat, fault, count: 1 } => {
                format!("  {} makes a mistake ({})", name(seat), fault_name(*fault))
            }
            Event::Mistake { seat, fault, count } => {
                format!("  {} makes {count} mistakes ({})", name(seat), fault_name(*fault))
            }
            Event::DealtCard { by, to } => format!("  {} deals a card to {}", name(by), name(to)),
            Event::PenaltiesDealt { by } => format!("  {} deals out the penalty cards", name(by)),
            Event::Counting { by } => format!("  {} counts down from ten", name(by)),
            Event::PickedUp { by } => format!("  {} picks up the cards", name(by)),
            Event::DealVoid => "  the deal is void; the cards go back".to_owned(),
            Event::Returned { seat, .. } => format!("  cards of {} go back under the draw pile", name(seat)),
            Event::TakenBack { seat } => format!("  {} takes the wrong card back", name(seat)),
            Event::Interjected { seat, count } => {
                format!("    an interjection of {}, number {count} in a row", name(seat))
            }
            Event::RaceOpened { by } => format!("    either neighbour of {} may act now", name(by)),
            Event::SuitStated { seat, suit } => format!("  {} states {}", name(seat), suit.name()),
            Event::Looked { seat } => format!("  {} looks at the cards", name(seat)),
            Event::HandShown { seat, cards } => format!("    {} sees {}", name(seat), list(cards.get()?)),
            Event::Reached { seat, r#for } => match r#for {
                Reach::Draw => format!("  {} reaches for the draw pile", name(seat)),
                Reach::Play => format!("  {} reaches for the discard pile", name(seat)),
            },
            Event::Glared { seat, at } => format!("  {} glares at {}", name(seat), name(at)),
            Event::PointOfOrder { seat } => format!("  {} calls a point of order: play rests", name(seat)),
            Event::PointOfOrderOver => "  play goes on".to_owned(),
            Event::Closed => "  the closing time is over".to_owned(),
            Event::RoundOver { winners, end } => match end {
                RoundEnd::Won => format!("  {} the round", self.win(*winners)),
                RoundEnd::TurnCap => "  the round is ended at its turn cap; nobody wins it".to_owned(),
                RoundEnd::Blocked => "  nobody can draw and everybody passes; nobody wins the round".to_owned(),
            },
            Event::Scored { seat, hand, points, total } if !hand.is_empty() || *points != 0 => {
                let counted = self.unit.map(|unit| format!(": {points} {unit}, {total} in all")).unwrap_or_default();
                format!("    {} is left with {}{counted}", name(seat), list(hand))
            }
            Event::Scored { .. } => return None,
            Event::MatchOver { winners } => format!("{} the match", self.win(*winners)),
        })
    }

    /// One line for an entry of a record, without its newline; `None` for entries that their events tell as well.
    pub(crate) fn entry(&self, entry: &Entry) -> Option<String> {
        if !matches!(entry, Entry::Event(_)) {
            self.refused.set(false);
        }
        Some(match entry {
            Entry::Event(event) => return self.event(&event.event),
            Entry::Fault(fault) if self.may_tell(fault.seat) => {
                let (what, message) = (fault.fault.name(), Untrusted::new(&fault.message).terminal());
                let what = paint::fault(&format!("{what} ({message}), strike {}", fault.strikes));
                format!("  ! {}: {what}", self.name(fault.seat))
            }
            Entry::Dismissed(gone) if self.may_tell(gone.seat) => {
                let what = paint::fault(&format!("is dismissed: {}", Untrusted::new(&gone.message).terminal()));
                format!("  ! {} {what}", self.name(gone.seat))
            }
            Entry::Note(note) if self.may_tell(note.seat) => {
                let noted = json(&note.note).unwrap_or_else(|error| error.to_string());
                format!("  # {} {}", self.name(note.seat), paint::aside(&format!("notes {noted}")))
            }
            Entry::Fault(_)
            | Entry::Dismissed(_)
            | Entry::Note(_)
            | Entry::Header(_)
            | Entry::Act(_)
            | Entry::Stand(_)
            | Entry::Elapse(_)
            | Entry::Result(_)
            | Entry::End(_) => return None,
        })
    }

    /// The line for a failure of an author's code.
    pub(super) fn crash(&self, crash: &Crash) -> String {
        let told = diagnosis::crash(&crash.crash);
        let what = format!("{CRASH} ({})", Untrusted::new(&told).terminal());
        format!("  ! {}: {}", self.name(crash.seat), paint::fault(&what))
    }

    fn list(&self, seats: SeatSet) -> String {
        match seats.iter().map(|seat| self.name(seat)).collect::<Vec<_>>().as_slice() {
            [] => "nobody".to_owned(),
            names => names.join(" and "),
        }
    }

    fn win(&self, seats: SeatSet) -> String {
        format!("{} {}", self.list(seats), if seats.len() > 1 { "share" } else { "wins" })
    }

    /// The table as it stands: hands (those that may be seen), top card, what the seat to move faces.
    pub(crate) fn position(&self, game: &Game) -> String {
        let mut text = String::new();
        for seat in Seat::all(game.rules().seats()) {
            let hand = game.hand(seat);
            let shown = match self.eyes {
                None => list(&hand.cards().collect::<Vec<_>>()),
                // It may hold cards that it has not seen itself.
                Some(eyes) if eyes == seat => list(&game.view(seat).hand),
                Some(_) => counted(hand.len() as u64, "card"),
            };
            let mark = if game.turn() == Some(seat) { ">" } else { " " };
            let name = &self.names[seat.index()];
            text += &format!("         {mark} {}{} {shown}\n", paint::name(name), padding(name, 16));
        }
        let top = game.pile().last().map_or("empty".to_owned(), |card| paint::card(*card));
        text += &format!("           pile: {top}; draw pile: {}", game.draw_pile_len());
        let pending = game.pending();
        if let Some(suit) = pending.suit {
            text += &format!("; {} must be served", suit.name());
        }
        if pending.draw > 0 {
            text += &format!("; {} owed", counted(pending.draw, "card"));
        }
        if pending.skip > 0 {
            text += &format!("; {} to be lost", counted(pending.skip, "turn"));
        }
        text + "\n"
    }
}

/// What the rule set of a game counts besides rounds.
fn unit(header: &Header) -> Option<&'static str> {
    match header.rules.scoring.decides {
        Decides::RoundsWon => None,
        Decides::FewestPoints => Some("points"),
        Decides::MostChips => Some("chips"),
    }
}

/// The result of a match, a line a seat, the best first.
pub(crate) fn result_lines(header: &Header, result: &GameResult) -> String {
    let names = &header.names;
    let mut seats: Vec<usize> = (0..names.len()).collect();
    seats.sort_by_key(|seat| (result.places[*seat], *seat));
    let mut text = String::new();
    for seat in seats {
        let name = Untrusted::new(&names[seat]).terminal();
        let out = if result.dismissed.iter().any(|gone| gone.index() == seat) { "  dismissed" } else { "" };
        let points = unit(header).map(|unit| format!("{:>6} {unit}", result.points[seat])).unwrap_or_default();
        text += &format!(
            "{:>3}. {name}{}{points}{:>5} of {} won{out}\n",
            result.places[seat],
            padding(&name, 24),
            result.wins[seat],
            counted(result.rounds, "round")
        );
    }
    text
}

/// The blanks that fill a text up to `width` columns of a terminal.
fn padding(text: &str, width: usize) -> String {
    " ".repeat(width.saturating_sub(textwrap::core::display_width(text)))
}

fn list(cards: &[Card]) -> String {
    if cards.is_empty() {
        return "nothing".to_owned();
    }
    cards.iter().map(|card| paint::card(*card)).collect::<Vec<_>>().join(" ")
}

/// The card, or `unknown` where it is not seen.
fn card_name(card: &impl Hidden<Value = Card>, unknown: &str) -> String {
    card.get().map_or(unknown.to_owned(), |card| paint::card(*card))
}

fn choice_name(choice: &Choice) -> String {
    match choice {
        Choice::Suit(suit) => suit.name().to_owned(),
        Choice::Rank(rank) => format!("{}s", rank.name()),
    }
}

fn fault_name(fault: RuleFault) -> &'static str {
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

fn reason_name(reason: Reason) -> &'static str {
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
