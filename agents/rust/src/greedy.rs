//! A short heuristic without memory: rates each legal action by itself and takes the best one. It sees the ask and what
//! `table` knows of the rule set; it draws no random numbers. Playouts of other bots rate by the same text.

use maumau_engine::{Game, Hand, Legal};
use maumau_observer::Policy;
use maumau_protocol::message::{Ask, Start};
use maumau_protocol::{Action, Card, CardSet, Choice, Seat, Verb, View};
use maumau_sdk::{Agent, first_legal};

use crate::several::SeveralPlay;
use crate::sight::{Sight, cards_with};
use crate::table::{CardValues, CurrentValues};

/// Values on one scale, about one per card point.
const CALL: i32 = 3_000;
/// A word that is listed by itself is owed, and other seats may call its absence.
const SAY: i32 = 2_500;
const TAKE: i32 = 2_000;
const WIN: i32 = 1_000;
const PLAY: i32 = 100;
/// Waiting, passing and drawing are worse than any play: a card played between turns is one fewer at no cost.
const WAIT: i32 = -1_000;
const PASS: i32 = -1_000;
const DRAW: i32 = -1_001;
/// A card that only a hand without its suit may play is challenged where its player was in a hurry: few hands lack a suit.
const CHALLENGE: i32 = -900;
const CHALLENGE_OF_A_CALM_PLAY: i32 = -1_002;
/// Requesting something the seat does not hold costs more cards than a draw.
const UNHELD: i32 = -2_000;
/// A request binds the table until every seat has played one of few cards. A card that makes one is better kept to serve the
/// request of another seat, and a card drawn, while there are cards to draw.
const BINDING: i32 = -1_005;
const KEEP_UNIVERSAL: i32 = -50;
const STRANDED: i32 = -100;
const ATTACK: i32 = 6;
const ATTACK_WHO_IS_NEARLY_OUT: i32 = 30;
/// The size of the draw pile below which a debt only sends the same few cards round, endlessly if every seat continues it.
const THIN_PILE: usize = 4;
const IN_VAIN: i32 = -40;
const AGAIN: i32 = 15;
/// A card that changes hands together with the one played.
const GIVE: i32 = 15;
/// For each card by which another hand is smaller than what is left of its own, if the two are exchanged.
const SWAP: i32 = 60;
/// For each card that is played together with the first.
const TOGETHER: i32 = 60;
/// For each remaining card that fits on the one played.
const GOES_ON: i32 = 3;

/// Sheds expensive and attacking cards, keeps cards that fit anything for later, names its longest suit.
#[derive(Clone, Debug)]
pub struct Greedy {
    table: CurrentValues,
}

impl Greedy {
    /// The player of one game.
    pub fn new(start: &Start) -> Greedy {
        Greedy { table: CurrentValues::new(start) }
    }

    /// What it does: the best of `legal`, or of the plays of several cards that begin with one of them.
    pub(crate) fn best_play(&self, ask: &Ask, view: &View, rate: impl Fn(&Verb, i32) -> i32) -> Option<Action> {
        let table = self.table();
        let hand: Hand = view.hand.iter().copied().collect();
        let sight = Sight::of_view(view, ask.seat, &hand);
        let worths = ask.legal.iter().filter_map(|action| {
            let worth = worth(table, &action.verb, &sight)?;
            Some((rate(&action.verb, worth), action))
        });
        let best = worths.reduce(|best, next| if next.0 > best.0 { next } else { best });
        let several = &table.several;
        let ground = several.sight_of_view(view, &hand, &ask.legal).filter(|_| view.turn == Some(ask.seat));
        let mut together: Option<(i32, SeveralPlay)> = None;
        if let Some(ground) = ground {
            let verbs = ask.legal.iter().map(|action| &action.verb);
            several.of_all(verbs, &ground, |play| {
                let worth = worth_together(table, &play, &sight, &rate);
                let best = together.as_ref().map(|(most, _)| *most).or(best.map(|(most, _)| most));
                if best.is_none_or(|most| worth > most) {
                    together = Some((worth, play));
                }
            });
        }
        match together {
            Some((_, play)) => Some(several.with_words(play.verb(true), view)),
            None => best.map(|(_, action)| action.clone()),
        }
    }

    /// What it knows of the rules.
    pub(crate) fn table(&self) -> &CardValues {
        self.table.now()
    }

    /// Takes note of the rules that `view` shows to hold.
    pub(crate) fn read_rules(&mut self, view: &View) {
        self.table.read(&view.rules);
    }
}

/// How good `play` looks, whose last card is rated by `rate` as if the others had been played before it.
fn worth_together(table: &CardValues, play: &SeveralPlay, sight: &Sight<'_>, rate: impl Fn(&Verb, i32) -> i32) -> i32 {
    let Some((last, before)) = play.cards.split_last() else { return WAIT };
    let mut left = sight.hand.clone();
    before.iter().for_each(|card| left.remove(*card));
    let held = sight.held.saturating_sub(before.len() as u16);
    let sight = Sight { hand: &left, held, top: before.last().copied().or(sight.top), ..*sight };
    let verb = Verb::Play { card: *last, choose: play.choose };
    rate(&verb, worth_of_play(table, *last, play.choose, &sight)) + TOGETHER * before.len() as i32
}

/// The most promising plays of several cards of `seat`, the seat to move, at most so many: with each of them, where the rules let
/// it, also the one that leaves its run open.
pub(crate) fn several_plays(table: &CardValues, game: &Game, seat: Seat, legal: &Legal<'_>, most: usize) -> Vec<Verb> {
    let Some(ground) = table.several.sight_of_game(game, game.hand(seat), legal) else { return Vec::new() };
    let sight = Sight::of_game(game, seat, game.pending().request.is_some());
    let mut found: Vec<(i32, SeveralPlay)> = Vec::new();
    table.several.of_all(legal.iter(), &ground, |play| {
        if !found.iter().any(|(_, other)| other.is_like(&play)) {
            found.push((worth_together(table, &play, &sight, |_, worth| worth), play));
        }
    });
    found.sort_by_key(|(worth, _)| std::cmp::Reverse(*worth));
    let ways = |(_, play): &(i32, SeveralPlay)| {
        let open = play.can_stay_open.then(|| play.verb(false));
        [(play.cards.len() > 1).then(|| play.verb(true)), open]
    };
    found.iter().flat_map(ways).flatten().take(most).collect()
}

/// How good `verb` looks; `None` for a verb that is not rated.
pub(crate) fn worth(table: &CardValues, verb: &Verb, sight: &Sight<'_>) -> Option<i32> {
    match *verb {
        Verb::Play { card, choose } => Some(worth_of_play(table, card, choose, sight)),
        // It could stand for another card later.
        Verb::PlayAs { card, stands_for, choose } => {
            let keep = if sight.held == 1 { 0 } else { KEEP_UNIVERSAL };
            let points = table.points(card) - table.points(stands_for);
            Some(worth_of_play(table, stands_for, choose, sight) + points + keep)
        }
        Verb::Choose(choice) => Some(sight.count_without(None, cards_with(choice).without(table.universal))),
        Verb::Call { .. } => Some(CALL),
        Verb::Say { .. } => Some(SAY),
        Verb::Take { .. } => Some(TAKE),
        Verb::Wait => Some(WAIT),
        Verb::Pass => Some(PASS),
        Verb::Draw => Some(DRAW),
        Verb::Challenge if sight.was_in_a_hurry_before() => Some(CHALLENGE),
        Verb::Challenge => Some(CHALLENGE_OF_A_CALM_PLAY),
        _ => None,
    }
}

/// How good it looks to play `card`.
pub(crate) fn worth_of_play(table: &CardValues, card: Card, choose: Option<Choice>, sight: &Sight<'_>) -> i32 {
    if sight.held == 1 {
        return WIN;
    }
    let left = |kinds: CardSet| sight.count_without(Some(card), kinds);
    if let Some(choice) = choose
        && table.requests.contains(card)
        && left(cards_with(choice)) == 0
    {
        return UNHELD;
    }
    if choose.is_some() && table.binding.contains(card) && sight.draw_pile > 0 {
        return BINDING;
    }
    // How many of the cards left need what is to be served, and have it.
    let fitting = |choice: Choice| left(cards_with(choice).without(table.universal));
    let goes_on = match (choose, card.suit(), card.rank()) {
        (Some(choice @ (Choice::Suit(_) | Choice::Rank(_))), ..) => fitting(choice),
        (_, Some(suit), Some(rank)) => fitting(Choice::Suit(suit)) + fitting(Choice::Rank(rank)),
        _ => 0,
    };
    let mut worth = PLAY + table.points(card) + GOES_ON * goes_on;
    if table.universal.contains(card) && !(table.points(card) > 0 && sight.nearly_out) {
        worth += KEEP_UNIVERSAL - table.points(card);
    }
    // Under a request no card has an effect.
    let strikes = table.attacks.contains(card) && !sight.requested;
    if strikes && table.debts.contains(card) && sight.draw_pile < THIN_PILE {
        worth += IN_VAIN;
    } else if strikes {
        let nearly_out = sight.next.is_some_and(|cards| cards <= 2);
        worth += if nearly_out { ATTACK_WHO_IS_NEARLY_OUT } else { ATTACK };
    }
    let is_free = sight.top.is_some_and(|top| table.is_free_on(card, top));
    if (table.again.contains(card) && goes_on > 0) || is_free {
        worth += AGAIN;
    }
    if let Some(Choice::Seat(other)) = choose {
        // What falls on a chosen seat falls on the one that is nearest to its end.
        let theirs = i32::from(sight.held_by(other));
        worth += if table.swaps.contains(card) { SWAP * (i32::from(sight.held) - 1 - theirs) } else { -theirs };
    }
    worth += GIVE * (i32::from(table.give.contains(card)) - i32::from(table.take.contains(card)));
    if left(CardSet::ALL.without(table.cannot_win())) == 0 {
        worth += STRANDED;
    }
    worth
}

/// Plays like [`Greedy`] in playouts.
#[derive(Clone, Copy, Debug)]
pub(crate) struct GreedyPolicy<'a> {
    pub(crate) table: &'a CardValues,
    /// A seat that has decided to do nothing until something has changed, and the state of the game then.
    pub(crate) waits: Option<(Seat, u64)>,
}

impl Policy for GreedyPolicy<'_> {
    fn choose(&mut self, game: &Game, seat: Seat, legal: &Legal<'_>) -> Option<Verb> {
        let moves = game.waits_for() == Some(seat);
        if !moves && self.waits == Some((seat, game.progress())) {
            return None;
        }
        let requested = !legal.plays.intersect(self.table.attacks).is_empty() && game.pending().request.is_some();
        let sight = Sight::of_game(game, seat, requested);
        let mut best = (!moves).then_some((WAIT, None));
        legal.for_each(|verb| {
            if let Some(worth) = worth(self.table, &verb, &sight)
                && best.as_ref().is_none_or(|(most, _)| worth > *most)
            {
                best = Some((worth, Some(verb)));
            }
        });
        if moves && let Some(ground) = self.table.several.sight_of_game(game, sight.hand, legal) {
            self.table.several.of_all(legal.iter(), &ground, |play| {
                let worth = worth_together(self.table, &play, &sight, |_, worth| worth);
                if best.as_ref().is_none_or(|(most, _)| worth > *most) {
                    best = Some((worth, Some(play.verb(true))));
                }
            });
        }
        match best {
            Some((_, verb)) => verb,
            None => legal.nth(0),
        }
    }
}

impl Agent for Greedy {
    fn choose(&mut self, ask: &Ask) -> Action {
        let best = ask.view.as_ref().and_then(|view| {
            self.read_rules(view);
            self.best_play(ask, view, |_, worth| worth)
        });
        best.unwrap_or_else(|| first_legal(ask))
    }
}
