//! The inputs of a game: mostly legal actions, with or without the words that are due, and anything else. Whether the
//! game keeps the laws is checked elsewhere. It draws them from the dice and applies them to the game.

use maumau_engine::{ChoiceStream, Game, Phase, Verdict};
use maumau_protocol::{
    Action, Card, CardSet, Choice, Elapse, Event, EventNumber, Pack, Rank, Reach, RuleFault, Say, Seat, Stand, Text,
    Verb,
};

/// One input.
#[derive(Clone, Debug)]
pub(super) enum InputStep {
    Round,
    Act(Seat, Action, EventNumber),
    Stand(Seat, Stand),
    Elapse(Elapse),
}

impl InputStep {
    /// Applies it to `game`.
    pub(super) fn take(&self, game: &mut Game, events: &mut Vec<Event>) -> Option<Verdict> {
        match self {
            InputStep::Round => game.start_round(events),
            InputStep::Act(seat, action, as_of) => return Some(game.apply(*seat, action, *as_of, events)),
            InputStep::Stand(seat, why) => game.act_for(*seat, *why, events),
            InputStep::Elapse(what) => game.elapse(*what, events),
        }
        None
    }
}

/// Phrases that seats say, whether they should or not.
const PHRASES: [&str; 18] = [
    "mau",
    "Mau Mau!",
    "snap",
    "spam",
    "wonderful spam",
    "last card",
    "oom papa mau mau",
    "spade",
    "hearts",
    "jack of spades",
    "clubs",
    "done",
    "3 done",
    "why not?",
    "cthulhu",
    "damn",
    "THAT WAS MINE",
    "hello",
];

const TIMES: [Elapse; 6] =
    [Elapse::Grace, Elapse::Reaction, Elapse::TurnLimit, Elapse::Closing, Elapse::CountOfTen, Elapse::PointOfOrder];

pub(super) fn any_seat(game: &Game, dice: &mut ChoiceStream<'_>) -> Seat {
    let seats: Vec<Seat> = Seat::all(game.rules().seats()).collect();
    *dice.pick(&seats)
}

/// Any card of `pack`.
pub(super) fn any_card(pack: Pack, dice: &mut ChoiceStream<'_>) -> Card {
    pack.cards().nth(dice.below(pack.cards().len())).unwrap_or(Card::JOKER)
}

/// Any suit or value of `pack`.
pub(super) fn any_choice(pack: Pack, dice: &mut ChoiceStream<'_>) -> Choice {
    let rank = Some(pack.ranks()[dice.below(Rank::COUNT)]).filter(|_| dice.often(20));
    rank.map_or_else(|| Choice::Suit(*dice.pick(&pack.suits())), Choice::Rank)
}

fn phrase(dice: &mut ChoiceStream<'_>) -> Text {
    Text::fixed(PHRASES[dice.below(PHRASES.len())])
}

/// Any action, by any seat.
fn nonsense(game: &Game, dice: &mut ChoiceStream<'_>) -> Verb {
    let seat = any_seat(game, dice);
    match dice.below(15) {
        0..=3 => Verb::Play {
            card: any_card(game.rules().pack(), dice),
            choose: dice.often(30).then(|| any_choice(game.rules().pack(), dice)),
        },
        4 => Verb::Draw,
        5 => Verb::Pass,
        6 => Verb::Choose(any_choice(game.rules().pack(), dice)),
        7 => Verb::Take { from: seat },
        8 => Verb::TurnUp,
        9 => Verb::Deal { to: (0..1 + dice.below(3)).map(|_| any_seat(game, dice)).collect() },
        10 => Verb::Look,
        11 => Verb::Challenge,
        12 if game.rules().set().menu.is_some() => {
            let names: Vec<&String> = game.rules().set().menu.iter().flat_map(|menu| menu.add.keys()).collect();
            let rule = Text::try_from(dice.pick(&names).as_str());
            rule.map_or(Verb::Draw, |rule| Verb::ChooseRule { rule })
        }
        _ => dice
            .pick(&[
                Verb::Count,
                Verb::PickUp,
                Verb::Wait,
                Verb::PointOfOrder,
                Verb::EndPointOfOrder,
                Verb::DealPenalties,
            ])
            .clone(),
    }
}

/// Any action of `seat`, mostly a card that it holds.
pub(super) fn any_action(game: &Game, seat: Seat, dice: &mut ChoiceStream<'_>) -> Action {
    let verb = if dice.often(60) { held(game, seat, dice) } else { nonsense(game, dice) };
    let say = words(game, seat, &verb, dice);
    Action { verb, say }
}

/// Speech, calls and movements.
fn manners(game: &Game, dice: &mut ChoiceStream<'_>) -> Verb {
    let seat = any_seat(game, dice);
    match dice.below(10) {
        0..=3 => Verb::Say { text: phrase(dice) },
        4..=6 => {
            let fault = dice.pick(&RuleFault::ALL).name();
            Verb::Call { against: seat, fault: Text::fixed(if dice.often(95) { fault } else { "cheating" }) }
        }
        7 => Verb::Reach { r#for: if dice.often(50) { Reach::Draw } else { Reach::Play } },
        8 => Verb::Glare { at: seat },
        _ => Verb::PointOfOrder,
    }
}

/// A card of the hand, sealed ones included, whether it fits or not.
fn held(game: &Game, seat: Seat, dice: &mut ChoiceStream<'_>) -> Verb {
    let cards: Vec<Card> = game.hand(seat).cards().chain(game.sealed_hand(seat).cards()).collect();
    let card = if cards.is_empty() { any_card(game.rules().pack(), dice) } else { *dice.pick(&cards) };
    if !game.rules().set().together.is_empty() && dice.often(40) {
        let ways = game.rules().set().together.values();
        let openers = ways.fold(CardSet::EMPTY, |all, way| all.union(way.opened_by.0));
        let open = game.pending().run.map_or(CardSet::EMPTY, |run| CardSet::suit(run.suit));
        let begins: Vec<Card> = cards.iter().copied().filter(|card| openers.union(open).contains(*card)).collect();
        let first = if !begins.is_empty() && dice.often(70) { *dice.pick(&begins) } else { card };
        return several(game.rules().pack(), &cards, first, !openers.is_empty(), dice);
    }
    let choose = dice.often(20).then(|| any_choice(game.rules().pack(), dice));
    let mut others = game.rules().set().effects.values().filter(|effect| effect.cards.0.contains(card));
    match others.find(|effect| !effect.stands_for.is_empty()) {
        Some(effect) if dice.often(80) => Verb::PlayAs { card, stands_for: any_of(effect.stands_for.0, dice), choose },
        _ => Verb::Play { card, choose },
    }
}

/// One of `cards`, of which there are some; rarely any other card.
fn any_of(cards: CardSet, dice: &mut ChoiceStream<'_>) -> Card {
    let strange = dice.often(5);
    cards.nth(dice.below(cards.len())).filter(|_| !strange).unwrap_or_else(|| any_card(cards.pack(), dice))
}

/// Several of `cards`, beginning with `first`: mostly such as may be one play.
fn several(pack: Pack, cards: &[Card], first: Card, runs: bool, dice: &mut ChoiceStream<'_>) -> Verb {
    let mut left = cards.to_vec();
    if let Some(at) = left.iter().position(|card| *card == first) {
        left.swap_remove(at);
    }
    let mut played = vec![first];
    while let Some(last) = played.last().copied().filter(|_| played.len() < 4) {
        let wild = runs && dice.often(15);
        let near = |card: &Card| match (last.rank(), card.rank()) {
            _ if runs => first.suit().is_none() || first.suit() == card.suit() || (wild && card.suit().is_none()),
            (Some(one), Some(other)) if one == other => true,
            (Some(one), Some(other)) => last.suit() == card.suit() && one.index().abs_diff(other.index()) == 1,
            _ => false,
        };
        let strange = dice.often(5);
        let Some(at) = left.iter().position(|card| strange || near(card)) else { break };
        played.push(left.swap_remove(at));
    }
    let names = if runs && played.last().is_some_and(|last| last.suit().is_none()) { 60 } else { 20 };
    let (choose, close) = (dice.often(names).then(|| any_choice(pack, dice)), !(runs && dice.often(50)));
    Verb::PlayTogether { cards: played, choose, close }
}

/// One of the legal actions; if there is none, some card.
fn legal(game: &Game, seat: Seat, dice: &mut ChoiceStream<'_>) -> Verb {
    let legal = game.legal(seat);
    let verb = (!legal.is_empty()).then(|| legal.nth(dice.below(legal.len()))).flatten();
    verb.unwrap_or_else(|| held(game, seat, dice))
}

/// The words said with `verb`.
fn words(game: &Game, seat: Seat, verb: &Verb, dice: &mut ChoiceStream<'_>) -> Say {
    match dice.below(10) {
        0..6 => game.words_due(seat, verb),
        6 => Say::One(phrase(dice)),
        7 => Say::Many([phrase(dice), phrase(dice)].into()),
        _ => Say::Nothing,
    }
}

/// The next input of a game.
pub(super) fn next_step(game: &Game, dice: &mut ChoiceStream<'_>) -> InputStep {
    let Some(mover) = game.waits_for() else { return InputStep::Round };
    if game.is_closing() && dice.often(30) {
        return InputStep::Elapse(Elapse::Closing);
    }
    if let Some(by) = game.point_of_order()
        && dice.often(30)
    {
        return if dice.often(50) {
            act(game, by, Verb::EndPointOfOrder, dice)
        } else {
            InputStep::Elapse(Elapse::PointOfOrder)
        };
    }
    let (seat, verb) = match dice.below(100) {
        0..62 => (mover, legal(game, mover, dice)),
        62..74 => {
            let seat = any_seat(game, dice);
            (seat, legal(game, seat, dice))
        }
        74..79 => (mover, held(game, mover, dice)),
        79..85 => (any_seat(game, dice), nonsense(game, dice)),
        85..92 => (any_seat(game, dice), manners(game, dice)),
        92..96 => return InputStep::Elapse(*dice.pick(&TIMES)),
        _ => {
            let why = [Stand::Slow, Stand::Refusals, Stand::Dismissed, Stand::Absent];
            let seat = if dice.often(80) { mover } else { any_seat(game, dice) };
            // A dealer for whom the referee plays makes no dealing mistakes, which are the purpose of these games.
            return match game.phase() == Phase::Deal && dice.often(70) {
                true => act(game, mover, legal(game, mover, dice), dice),
                false => InputStep::Stand(seat, *dice.pick(&why)),
            };
        }
    };
    act(game, seat, verb, dice)
}

fn act(game: &Game, seat: Seat, verb: Verb, dice: &mut ChoiceStream<'_>) -> InputStep {
    let say = words(game, seat, &verb, dice);
    let last = game.last_event().0;
    let as_of = if dice.often(90) { last } else { last.saturating_sub(dice.below(12) as u32) };
    InputStep::Act(seat, Action { verb, say }, EventNumber(as_of))
}
