//! What stands to be faced, and what a play leaves to be faced, in words: debts, lost turns, requests, takes, the end of a round. By the
//! engine's account of the position: no rule stands here.

use maumau_engine::Game;
use maumau_protocol::ruleset::{AgainFits, Debtor, LostBy, RequestEnds, Revocable, RuleSet, SaidDuty};
use maumau_protocol::{Card, Choice, Pack, Pending, Seat, TakeOrder};

use super::basis::effects;
use super::line::Piece;

/// What stands before something happens: what the seat to move faces, and what that does not show.
#[derive(Clone, Debug, Default)]
pub(super) struct Faced {
    pub(super) pending: Pending,
    /// The cards that an answer passes on.
    owed: u16,
    pub(super) takes: Vec<TakeOrder>,
}

impl Faced {
    /// By `game` as it stands.
    pub(super) fn of(game: &Game) -> Faced {
        let pending = game.pending();
        let owed = pending.draw + u16::from(game.is_rescue());
        Faced { pending, owed, takes: game.takes().to_vec() }
    }
}

/// What a suit is called by `set`.
pub(super) fn suit_word(set: &RuleSet) -> &'static str {
    if set.deck.pack == Pack::French { "suit" } else { "colour" }
}

/// The reasons of a card, with `; ` between them.
pub(super) struct ReasonList(pub(super) Vec<Piece>);

impl ReasonList {
    pub(super) fn say(&mut self, more: Vec<Piece>) {
        if !self.0.is_empty() {
            self.0.push("; ".into());
        }
        self.0.extend(more);
    }
}

/// A play that has been made.
#[derive(Clone, Copy)]
pub(super) struct MadePlay<'a> {
    pub(super) seat: Seat,
    /// Its cards, in their order.
    pub(super) cards: &'a [Card],
    /// Whether something was named with it.
    pub(super) names: bool,
    /// Whether it has turned the direction of play.
    pub(super) has_turned: bool,
    /// Whether it begins a run that may stay open.
    pub(super) opens_run: bool,
}

/// Says what a play leaves to be faced in `game`, as it stands now, beside what was faced before; nothing
/// if nothing is new. Without a play it is the card that was turned up.
pub(super) fn leaves(game: &Game, play: Option<MadePlay<'_>>, faced: &Faced, all: &mut ReasonList) {
    let (now, old) = (game.pending(), &faced.pending);
    let (set, seats) = (game.rules().set(), game.rules().seats());
    let seat = play.map(|play| play.seat);
    let cards = play.map(|play| play.cards).unwrap_or_default();
    let turn = game.turn();
    let may_challenge = turn.is_some() && now.challenge == turn;
    let or_answer = match (game.can_be_answered(), may_challenge) {
        (true, true) => ", answer or challenge",
        (true, false) => " or answer",
        (false, true) => " or challenge",
        (false, false) => "",
    };
    let has_turned = play.is_some_and(|play| play.has_turned);
    let turned = if has_turned { "play reverses, so " } else { "" };
    if let Some(turn) = turn.filter(|_| now.draw > 0) {
        let owes = |card: &&Card| effects(set, seats, **card).any(|effect| effect.owe.is_some());
        let adds = match faced.owed {
            0 if cards.iter().filter(owes).count() > 1 => "in all ".to_owned(),
            0 => String::new(),
            before if before == now.draw => "passed on: ".to_owned(),
            before if before < now.draw => format!("{before} and {} more: ", now.draw - before),
            _ => String::new(),
        };
        let strikes_back = |card: &Card| {
            effects(set, seats, *card).any(|effect| effect.owe.as_ref().is_some_and(|owe| owe.on == Debtor::Previous))
        };
        let before = if seats > 2 && cards.iter().any(strikes_back) { ", the player before," } else { "" };
        let count = if now.draw == 1 { "card" } else { "cards" };
        let draws = format!("{before} must draw {} {count}{or_answer}", now.draw);
        all.say(vec![format!("{turned}{adds}").into(), turn.into(), draws.into()]);
    }
    if let Some(turn) = turn.filter(|_| now.skip > 0) {
        let unless = if game.can_be_answered() { ", unless it answers" } else { "" };
        all.say(match now.skip {
            1 => vec![turned.into(), turn.into(), " must miss a turn".into(), or_answer.into()],
            skip if misses_all(game) => {
                vec!["that adds up: ".into(), turn.into(), format!(" must miss {skip} turns{or_answer}").into()]
            }
            skip if usize::from(skip) >= seats => {
                let turns = format!("that adds up: {skip} turns are missed, one after another, first by ");
                vec![turns.into(), turn.into(), unless.into()]
            }
            skip => vec![
                format!("that adds up: {skip} players miss a turn, ").into(),
                turn.into(),
                " first".into(),
                unless.into(),
            ],
        });
    }
    let threatens = |card: &Card| effects(set, seats, *card).any(|effect| effect.skip.is_some());
    if let Some(victim) = now.skip_victim
        && (now.skip_victim != old.skip_victim || cards.iter().any(threatens))
    {
        all.say(vec![victim.into(), " must miss a turn or answer".into()]);
    }
    if let Some(seat) = seat.filter(|seat| now.again == Some(*seat)) {
        let again = cards.last().and_then(|last| effects(set, seats, *last).find_map(|effect| effect.again));
        let further = match again.map(|again| again.fits) {
            Some(AgainFits::Suit) => format!("a further card of this {}", suit_word(set)),
            Some(AgainFits::Anything) => "any further card".to_owned(),
            Some(AgainFits::Card) | None => "a further card".to_owned(),
        };
        all.say(match again {
            Some(again) if again.must => vec![seat.into(), format!(" must play {further} or draw").into()],
            Some(_) => vec![seat.into(), format!(" may play {further}").into()],
            None => vec![seat.into(), " moves again".into()],
        });
    }
    if seat.is_none()
        && let Some(turn) = turn.filter(|_| now.again == turn)
    {
        all.say(vec![turn.into(), ", the dealer, may play a further card".into()]);
    }
    let is_colourless = cards.last().is_some_and(|last| last.suit().is_none());
    if now.run.is_none() && play.is_some_and(|play| play.opens_run || old.run.is_some()) {
        all.say(vec!["the run is closed".into()]);
    }
    if let Some(suit) = now.suit.filter(|_| is_colourless && now.run.is_none() && play.is_some_and(|play| !play.names))
    {
        all.say(vec![Choice::Suit(suit).into(), format!(" is still the {} that counts", suit_word(set)).into()]);
    }
    if let (Some(run), Some(turn)) = (now.run.filter(|run| Some(run.by) == seat), turn) {
        let named = || Piece::from(Choice::Suit(run.suit));
        all.say(vec!["the run stays open: ".into(), turn.into(), " may add ".into(), named(), " cards".into()]);
        if is_colourless {
            all.say(vec![named(), format!(" is the {} that counts", suit_word(set)).into()]);
        }
    }
    if let Some(chooser) = now.choose {
        all.say(vec![chooser.into(), format!(" must name a {}", suit_word(set)).into()]);
    }
    if let Some(request) = now.request.filter(|_| now.request != old.request) {
        let names = request.names.into();
        all.say(match request_ends(set) {
            Some(RequestEnds::Lap) => {
                let or = if is_always_revocable(set) { ", ask for something else or draw" } else { " or draw" };
                vec!["for one lap everybody must play ".into(), names, or.into()]
            }
            Some(RequestEnds::NextTurn) => match turn {
                Some(turn) => vec![turn.into(), " must play ".into(), names, " or draw".into()],
                None => vec!["the next player must play ".into(), names, " or draw".into()],
            },
            Some(RequestEnds::AllServed) => {
                vec!["everybody must play ".into(), names, "; a card that serves has no effect".into()]
            }
            None => vec!["everybody must play ".into(), names],
        });
    }
    if now.suit_open && !old.suit_open {
        let jokers = if set.deck.jokers > 0 { ", jokers aside" } else { "" };
        all.say(vec![format!("a {} must be said before the next card{jokers}", suit_word(set)).into()]);
    }
    for order in game.takes() {
        if !faced.takes.contains(order) {
            all.say(vec![order.by.into(), " must take a card from ".into(), order.from.into()]);
        } else if Some(order.by) == seat {
            all.say(vec![order.by.into(), " still has to take a card from ".into(), order.from.into()]);
        }
    }
    if let Some(owing) = now.owed_turn.filter(|_| now.owed_turn != old.owed_turn) {
        all.say(vec![owing.into(), " still has its turn".into()]);
    }
    if now.snap && !old.snap {
        all.say(vec!["Snap is due with the next card".into()]);
    }
    if let Some(closing) = of_closing(faced, game) {
        all.say(vec![closing]);
    }
}

/// What the card that was turned up leaves the first player of `game` to face, and what the dealer has to say for it.
pub(super) fn of_first_card(game: &Game) -> Vec<Piece> {
    let mut all = ReasonList(Vec::new());
    leaves(game, None, &Faced::default(), &mut all);
    let card = game.pile().last().copied();
    let is_due = |duty: &&SaidDuty| {
        !duty.off && duty.first_card && duty.cards.is_none_or(|cards| card.is_some_and(|card| cards.0.contains(card)))
    };
    for word in game.rules().set().duties.words.values().filter(is_due).filter_map(|duty| duty.say.first()) {
        all.say(vec![game.dealer().into(), ", the dealer, must say ".into(), Piece::Quoted(word.clone())]);
    }
    all.0
}

/// That the round is about to close, if it is since `faced` (N-131, P-71).
pub(super) fn of_closing(faced: &Faced, game: &Game) -> Option<Piece> {
    let set = game.rules().set();
    (game.pending().closing && !faced.pending.closing).then(|| match set.ending.rests {
        true => "no card is left: the round closes, unless a mistake is called in time".into(),
        false => "the round is about to close: who can answer or play a free card may still do so".into(),
    })
}

/// When a request is over, if all requests of the rule set end alike.
pub(super) fn request_ends(set: &RuleSet) -> Option<RequestEnds> {
    let mut requests = set.effects.values().filter(|effect| !effect.off).filter_map(|effect| effect.request.as_ref());
    let ends = requests.next()?.ends;
    requests.all(|request| request.ends == ends).then_some(ends)
}

/// Whether every seat may replace a request by one of its own (G-81).
fn is_always_revocable(set: &RuleSet) -> bool {
    let mut requests = set.effects.values().filter(|effect| !effect.off).filter_map(|effect| effect.request.as_ref());
    requests.any(|request| request.revocable == Revocable::Always)
}

/// Whether the turns that are lost by the top card are all of one player (G-37).
fn misses_all(game: &Game) -> bool {
    let Some(top) = game.visible_top() else { return false };
    effects(game.rules().set(), game.rules().seats(), top)
        .any(|effect| effect.skip.as_ref().is_some_and(|skip| skip.of == LostBy::Turns))
}
