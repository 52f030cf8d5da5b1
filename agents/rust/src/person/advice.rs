//! Why a bot would act as it does: sentences of facts that the person can see, and what came of the action where it was tried in deals
//! of the hidden cards. It uses nothing that the seat does not know, and reads no clock.

use std::sync::Arc;

use maumau_engine::{ChoiceStream, Rules};
use maumau_protocol::message::{Ask, Start, What};
use maumau_protocol::{Action, Card, CardSet, Choice, Faces, Suit, Verb, View};

use super::PersonGame;
use crate::evaluation::Evaluator;
use crate::sight::cards_with;
use crate::table::{CardValues, CurrentValues};
use crate::{BotRunError, acts_between_turns};

/// Deals in which actions are tried: some hundredths of a second for a hand of ten cards.
const DEALS: u32 = 200;
/// The same where seats act between turns, which makes each playout cost more.
const DEALS_IN_RACES: u32 = 40;

/// What a bot would do now, and why.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Advice {
    /// The action.
    pub action: Action,
    /// Sentences that say why; empty if nothing can be said.
    pub reasons: Vec<String>,
}

impl PersonGame {
    /// What the built-in bot `bot` would do now, and why; `None` if nothing is asked.
    ///
    /// # Errors
    /// There is no such bot.
    pub fn advice(&self, bot: &str) -> Result<Option<Advice>, BotRunError> {
        let (Some(action), Some(start), Some(ask)) = (self.hint(bot)?, self.start(), self.ask()) else {
            return Ok(None);
        };
        let mut table = CurrentValues::new(start);
        table.read(&self.view().rules);
        let mut reasons: Vec<String> =
            facts(table.now(), self.view(), ask, &action.verb, start.faces()).into_iter().collect();
        reasons.extend(self.tried(start, ask, &action));
        Ok(Some(Advice { action, reasons }))
    }

    /// What came of `action` and of the best other one in deals that agree with what the seat has seen.
    fn tried(&self, start: &Start, ask: &Ask, action: &Action) -> Option<String> {
        if !matches!(ask.what, What::Turn | What::Choose) || ask.legal.len() < 2 {
            return None;
        }
        // Events with gaps between them cannot be explained, and to find that out may take long.
        if self.seen().len() as u64 != u64::from(ask.as_of.0) {
            return None;
        }
        let set = start.rules.as_ref()?;
        let rules = Rules::for_table(set, start.names.len(), Some(start.rounds)).ok()?;
        let dice = ChoiceStream::new(&[u64::from(ask.as_of.0)]);
        let mut evaluator = Evaluator::new(Arc::new(rules), ask.seat, dice);
        self.seen().iter().for_each(|event| evaluator.see(event));
        evaluator.catch_up(true).ok()?;
        if !evaluator.stands_at(self.view()).ok()? {
            return None;
        }
        let deals = if acts_between_turns(set) { DEALS_IN_RACES } else { DEALS };
        let mut sums = vec![0.0; ask.legal.len()];
        for _ in 0..deals {
            evaluator.deal().ok()?;
            for (sum, legal) in sums.iter_mut().zip(&ask.legal) {
                *sum += f64::from(evaluator.outcome(legal));
            }
        }
        let own = ask.legal.iter().position(|legal| legal == action)?;
        let others = (0..sums.len()).filter(|at| *at != own);
        let other = others.reduce(|most, at| if sums[at] > sums[most] { at } else { most })?;
        let percent = |at: usize| (100.0 * sums[at] / f64::from(deals)).round();
        let [this, that] = [own, other].map(percent);
        let (wins, of) = if start.names.len() == 2 { ("wins", "") } else { ("beats", " of the others") };
        let short = short(&ask.legal[other].verb, start.faces());
        Some(format!(
            "In {deals} deals of the cards that you cannot see, with all playing on as greedy does, it {wins} {this} %{of}; the best of \
             the rest, to {short}, {that} %."
        ))
    }
}

/// What the table shows of an action: a sentence, if there is something to be said.
fn facts(table: &CardValues, view: &View, ask: &Ask, verb: &Verb, faces: Faces) -> Option<String> {
    match *verb {
        Verb::Play { card, choose } | Verb::PlayAs { stands_for: card, choose, .. } => {
            Some(facts_of_play(table, view, card, choose, faces))
        }
        Verb::Choose(choice) => holding(view, None, choice, faces),
        Verb::Draw => {
            let plays = |action: &Action| action.verb.plays();
            let why = match ask.legal.iter().any(plays) {
                false => "No card of yours may be played.",
                true => "It rates the cards that may be played lower than a draw.",
            };
            let owed = view.pending.draw;
            Some(if owed > 1 { format!("You owe {owed} cards. {why}") } else { why.to_owned() })
        }
        Verb::Take { .. } => Some("It is owed.".to_owned()),
        Verb::Say { .. } => Some("The word is due.".to_owned()),
        _ => None,
    }
}

fn facts_of_play(table: &CardValues, view: &View, card: Card, choose: Option<Choice>, faces: Faces) -> String {
    let name = faces.short(card);
    let shares = |other: &Card| {
        let suit = card.suit().is_some() && other.suit() == card.suit();
        suit || card.rank().is_some() && other.rank() == card.rank()
    };
    let mut said = Vec::new();
    let rest = view.hand.len().saturating_sub(1);
    said.push(match (view.visible.or(view.top), view.pending.suit) {
        _ if rest == 0 => format!("{name} is your last card"),
        (_, Some(suit)) if card.suit() == Some(suit) => {
            format!("{name} is of the suit that is asked for, {}", faces.suit(suit))
        }
        (Some(top), _) if card.rank().is_some() && top.rank() == card.rank() => {
            format!("{name} has the value of {}", faces.short(top))
        }
        (Some(top), None) if shares(&top) => format!("{name} is of the suit of {}", faces.short(top)),
        (Some(top), _) => format!("{name} may be played on {} whatever its suit and value", faces.short(top)),
        (None, _) => format!("{name} may be played"),
    });
    // Under a request no card has an effect.
    if view.pending.request.is_none() {
        if table.debts.contains(card) {
            said.push("another player owes cards for it".to_owned());
        } else if table.attacks.contains(card) {
            said.push("another player may lose a turn by it".to_owned());
        }
        if table.again.contains(card) {
            said.push("you may play once more".to_owned());
        }
    }
    if choose.is_none() && rest > 0 {
        // One of them is the card itself.
        let fitting = view.hand.iter().filter(|other| shares(other)).count().saturating_sub(1);
        said.push(match (rest, fitting) {
            (1, 1) => "the card that you keep shares its suit or value".to_owned(),
            (1, _) => "the card that you keep shares neither its suit nor its value".to_owned(),
            (rest, fitting) => format!("{fitting} of the {rest} cards that you keep share its suit or value"),
        });
    }
    if table.points(card) > 0 && rest > 0 {
        let points = table.points(card);
        said.push(format!("it counts {points} points against you if you hold it at the end of the round"));
    }
    let mut sentence = said.join(", ");
    if let Some(choice) = choose
        && let Some(why) = holding(view, Some(card), choice, faces)
    {
        sentence += &format!(". {}", why.trim_end_matches('.'));
    }
    sentence + "."
}

/// Why `choice` is named: how many such cards the hand holds, without the one that is played.
fn holding(view: &View, played: Option<Card>, choice: Choice, faces: Faces) -> Option<String> {
    let count = |kinds: CardSet| {
        let held = view.hand.iter().filter(|card| kinds.contains(**card)).count();
        held - usize::from(played.is_some_and(|card| kinds.contains(card) && view.hand.contains(&card)))
    };
    let held = count(cards_with(choice));
    match choice {
        Choice::Suit(suit) => {
            let others = Suit::ALL.into_iter().filter(|other| *other != suit);
            let most = others.map(|other| count(cards_with(Choice::Suit(other)))).max().unwrap_or_default();
            let more = if held > most { ", more than of any other suit" } else { "" };
            Some(format!("You hold {held} of {}{more}.", faces.suit(suit)))
        }
        Choice::Rank(rank) => Some(format!("You hold {held} of the value {}.", faces.rank(rank))),
        Choice::Seat(seat) => view.hands.get(seat.index()).map(|cards| format!("That player holds {cards} cards.")),
    }
}

/// An action in a few words, as it stands after "to".
fn short(verb: &Verb, faces: Faces) -> String {
    let named = |choice: &Choice| match choice {
        Choice::Suit(suit) => faces.suit(*suit).to_owned(),
        Choice::Rank(rank) => faces.rank(*rank).to_owned(),
        Choice::Seat(seat) => format!("seat {seat}"),
    };
    match verb {
        Verb::Play { card, choose: Some(choice) } => format!("play {} and name {}", faces.short(*card), named(choice)),
        Verb::Play { card, choose: None } => format!("play {}", faces.short(*card)),
        Verb::PlayTogether { .. } => "play several cards".to_owned(),
        Verb::PlayAs { card, stands_for, .. } => format!("play {} as {}", faces.short(*card), faces.short(*stands_for)),
        Verb::Choose(choice) => format!("name {}", named(choice)),
        Verb::ChooseRule { rule } => format!("add {}", rule.as_str()),
        other => other.name().replace('_', " "),
    }
}
