//! Why a play was legal, and what it leaves the next seat to face, in words; and why a word was said, a card refused or nothing drawn.
//! The ground is the engine's judgement and what is faced the engine's account of the position: no rule stands here.

use std::collections::BTreeSet;

use maumau_engine::{Game, Phase, PlayGround};
use maumau_protocol::ruleset::{
    AgainDraws, Counting, Debtor, Decides, Effect, EndingAt, LostBy, RequestEnds, RuleSet, SaidDuty, SeveralCards,
    Step, rank_of_count,
};
use maumau_protocol::{Action, Card, CardSet, Choice, Direction, Faces, Pack, Pending, Reason, Seat, TakeOrder, Verb};

use super::line::Piece;
use crate::record::Entry;

/// What is known of a play before it is taken: the ground on which it is legal, and what its player faces.
pub(super) struct BeforePlay {
    ground: PlayGround,
    /// The cards that are played.
    cards: Vec<Card>,
    /// Cards that are left in the hand after it, if nothing else happens.
    left: u16,
    /// The card that it goes on.
    under: Option<Card>,
    /// The seat's count, where the cards of its value are wild for it (G-58).
    count: Option<u8>,
    /// Whether suits are colours.
    coloured: bool,
    faces: Faces,
    /// Whether something is named with it.
    names: bool,
    /// Whether cards of a suit go together only in the order of their values.
    in_run: bool,
    /// Whether what it goes on lies under cards that are as if they were not there.
    is_looked_through: bool,
    direction: Direction,
    faced: Faced,
}

/// What stands before something happens: what the seat to move faces, and what that does not show.
#[derive(Clone, Debug, Default)]
pub(super) struct Faced {
    pub(super) pending: Pending,
    /// The cards that an answer passes on.
    owed: u16,
    takes: Vec<TakeOrder>,
}

impl Faced {
    /// By `game` as it stands.
    pub(super) fn of(game: &Game) -> Faced {
        let pending = game.pending();
        let owed = pending.draw + u16::from(game.is_rescue());
        Faced { pending, owed, takes: game.takes().to_vec() }
    }
}

/// The effects that `card` has by `set`.
fn effects(set: &RuleSet, card: Card) -> impl Iterator<Item = &Effect> {
    set.effects.values().filter(move |effect| !effect.off && effect.cards.0.contains(card))
}

/// What a suit is called by `set`.
fn suit_word(set: &RuleSet) -> &'static str {
    if set.deck.pack == Pack::French { "suit" } else { "colour" }
}

impl BeforePlay {
    /// Of the play that `entry` is, if it is one that `game` allows.
    pub(super) fn new(game: &Game, entry: &Entry) -> Option<BeforePlay> {
        let Entry::Act(act) = entry else { return None };
        BeforePlay::of(game, act.seat, &act.action)
    }

    /// Of `action`, if it is a play that `game` allows to `seat`.
    pub(super) fn of(game: &Game, seat: Seat, action: &Action) -> Option<BeforePlay> {
        if !action.verb.plays() || seat.index() >= game.rules().seats() {
            return None;
        }
        let ground = game.play_ground(seat, &action.verb, &action.say)?;
        let set = game.rules().set();
        let cards = match &action.verb {
            Verb::Play { card, .. } => vec![*card],
            Verb::PlayAs { stands_for, .. } => vec![*stands_for],
            Verb::PlayTogether { cards, .. } => cards.to_vec(),
            _ => Vec::new(),
        };
        let has_own = set.effects.values().any(|effect| !effect.off && effect.any_time && effect.cards.1);
        let count = game.points().get(seat.index()).and_then(|count| u8::try_from(*count).ok()).filter(|_| has_own);
        let (coloured, faces) = (set.deck.pack != Pack::French, set.deck.faces);
        let top = game.pile().last().copied();
        let names = match &action.verb {
            Verb::Play { choose, .. } | Verb::PlayTogether { choose, .. } | Verb::PlayAs { choose, .. } => {
                choose.is_some()
            }
            _ => false,
        };
        Some(BeforePlay {
            ground,
            left: game.held(seat).saturating_sub(cards.len() as u16),
            under: game.visible_top(),
            count,
            coloured,
            faces,
            names,
            in_run: several(set, &cards).is_some_and(|way| way.step.0.contains(&Step::Run)),
            cards,
            is_looked_through: top.is_some_and(|top| effects(set, top).any(|effect| effect.transparent)),
            direction: game.direction(),
            faced: Faced::of(game),
        })
    }

    /// On what ground it may be made.
    pub(super) fn ground(&self) -> PlayGround {
        self.ground
    }

    /// Its last card.
    pub(super) fn last(&self) -> Option<Card> {
        self.cards.last().copied()
    }

    /// Cards that are left in the hand after it, if nothing else happens.
    pub(super) fn left(&self) -> u16 {
        self.left
    }

    /// Why `card` of it, the one at place `at`, was played, and after its last card what it leaves to be faced in `after`, if the
    /// round goes on there.
    pub(super) fn of_card(
        &self,
        seat: Seat,
        card: Card,
        at: usize,
        after: Option<&Game>,
    ) -> (Option<PlayGround>, Vec<Piece>) {
        let (ground, because) = match at {
            0 => (Some(self.ground), self.words(seat, card)),
            _ => (None, self.joined(card, at)),
        };
        let mut all = Clauses(because);
        if let Some(game) = after {
            self.uncounted(game.rules().set()).into_iter().for_each(|piece| all.say(vec![piece]));
            self.looked_through(game, card).into_iter().for_each(|pieces| all.say(pieces));
            self.unwon(game, seat).into_iter().for_each(|piece| all.say(vec![piece]));
            leaves(game, Some((seat, self)), &self.faced, &mut all);
        }
        (ground, all.0)
    }

    /// That not all cards of it have their effects, where some that have one do not count (G-41).
    fn uncounted(&self, set: &RuleSet) -> Option<Piece> {
        let (last, earlier) = self.cards.split_last()?;
        let way = several(set, &self.cards)?;
        let counts = |card: &Card| match way.counts {
            Counting::All => true,
            Counting::LastRank => card.rank() == last.rank(),
            Counting::Last => false,
        };
        earlier.iter().any(|card| !counts(card) && effects(set, *card).any(is_felt)).then(|| match way.counts {
            Counting::LastRank => "only the last cards of one value have an effect".into(),
            Counting::All | Counting::Last => "only the last card has an effect".into(),
        })
    }

    /// What the next card goes on, where `card` is as if it were not there.
    fn looked_through(&self, game: &Game, card: Card) -> Option<Vec<Piece>> {
        let is_looked_through = effects(game.rules().set(), card).any(|effect| effect.transparent);
        let under = game.visible_top().filter(|under| is_looked_through && *under != card)?;
        Some(vec!["the next card goes on ".into(), under.into(), ", which lies under it".into()])
    }

    /// That a last card did not end the round for `seat`.
    fn unwon(&self, game: &Game, seat: Seat) -> Option<Piece> {
        let set = game.rules().set();
        let wins_at_once = set.ending.at == EndingAt::Once && set.scoring.decides != Decides::Count;
        if self.left > 0 || !wins_at_once || game.held(seat) == 0 || self.ground == PlayGround::Free {
            return None;
        }
        let is_paid = self.faced.pending.draw > 0 && game.pending().draw == 0;
        Some(match is_paid {
            true => "as the last card it does not win, and nothing is owed any more".into(),
            false => "as the last card it does not win".into(),
        })
    }

    /// What a suit is called.
    fn suit(&self) -> &'static str {
        if self.coloured { "colour" } else { "suit" }
    }

    /// Why `card`, the one at place `at`, goes with the cards before it.
    fn joined(&self, card: Card, at: usize) -> Vec<Piece> {
        let before = at.checked_sub(1).and_then(|before| self.cards.get(before));
        let why = match before {
            Some(before) if before.rank().is_some() && before.rank() == card.rank() => ": the same value".to_owned(),
            Some(before) if before.suit().is_some() && before.suit() == card.suit() => match self.in_run {
                true => ": the next value of the same suit".to_owned(),
                false => format!(": the same {}", self.suit()),
            },
            Some(before) if before.suit().is_none() && card.suit().is_some() => {
                format!(": the {} that counts", self.suit())
            }
            _ => String::new(),
        };
        vec![format!("in the same play{why}").into()]
    }

    /// The ground on which `card` could be played, in a few words.
    fn words(&self, seat: Seat, card: Card) -> Vec<Piece> {
        let own = self.count.filter(|count| card.rank().is_some() && rank_of_count(*count) == card.rank());
        if let (PlayGround::AnyTime, Some(count), Some(rank)) = (self.ground, own, card.rank()) {
            return vec![
                format!("{} fit any card for ", self.faces.ranks(rank)).into(),
                seat.into(),
                format!(", whose count is {count}").into(),
            ];
        }
        let answers = |what: &'static str| match self.under.and_then(Card::rank) {
            Some(rank) => format!("answers the {}", self.faces.rank(rank)).into(),
            None => Piece::from(what),
        };
        let mut words = vec![match self.ground {
            PlayGround::SameSuit => format!("same {}", self.suit()).into(),
            PlayGround::SameRank => match self.under.and_then(Card::rank).filter(|_| self.coloured) {
                None => "same value",
                Some(rank) if rank.is_symbol() => "same symbol",
                Some(_) => "same number",
            }
            .into(),
            PlayGround::SameCard => "the same card".into(),
            // A card without colour may have taken over the one before it, which nobody named.
            PlayGround::NamedSuit if self.coloured => match card.suit() {
                Some(suit) => format!("{} is the colour that counts", self.faces.suit(suit)).into(),
                None => "the colour that counts".into(),
            },
            PlayGround::NamedSuit => "the suit that was named".into(),
            PlayGround::AnyTime => "fits any card".into(),
            PlayGround::ByRule => match (card.rank(), self.under.and_then(Card::rank)) {
                (Some(rank), Some(under)) if rank == under => {
                    format!("{0} may lie on {0}, whatever is named", self.faces.ranks(rank)).into()
                }
                (_, Some(under)) => format!("may lie on any {}", self.faces.rank(under)).into(),
                _ => match self.under {
                    Some(under) => return vec!["may lie on ".into(), under.into()],
                    None => "may lie there".into(),
                },
            },
            PlayGround::Anything => match self.under {
                Some(under) => return vec!["anything fits on ".into(), under.into()],
                None => "anything fits here".into(),
            },
            PlayGround::AnswersDebt => answers("answers what is owed"),
            PlayGround::AnswersSkip => answers("answers the lost turn"),
            PlayGround::ServesRequest => "serves the request".into(),
            PlayGround::RevokesRequest if self.names => "replaces the request".into(),
            PlayGround::RevokesRequest => "ends the request".into(),
            PlayGround::Twin => "twin of the top card".into(),
            PlayGround::WonRace => "first of the two neighbours".into(),
            PlayGround::Free => "a free card, which takes no turn".into(),
            PlayGround::BetweenTurns => "may come between turns".into(),
        }];
        if let (Some(under), true, PlayGround::SameSuit | PlayGround::SameRank | PlayGround::SameCard) =
            (self.under, self.is_looked_through, self.ground)
        {
            let with = if self.ground == PlayGround::SameCard { " again: " } else { " as " };
            words.extend([with.into(), under.into(), " under what is looked through".into()]);
        }
        if let (Some(count), Some(rank), true) = (own, card.rank(), self.names) {
            words.extend([format!("; {} are wild for ", self.faces.ranks(rank)).into(), seat.into()]);
            words.push(format!(", whose count is {count}").into());
        }
        words
    }
}

/// The way in which `cards` go together by `set`, if only one does.
fn several<'a>(set: &'a RuleSet, cards: &[Card]) -> Option<&'a SeveralCards> {
    let may =
        |way: &&SeveralCards| !way.off && cards.iter().all(|card| way.cards.0.union(way.ended_by.0).contains(*card));
    let mut ways = set.together.values().filter(may);
    ways.next().filter(|_| cards.len() > 1 && ways.next().is_none())
}

/// Whether the others feel an effect of a card when it is played.
fn is_felt(effect: &Effect) -> bool {
    effect.owe.is_some()
        || effect.skip.is_some()
        || effect.reverse
        || effect.again.is_some()
        || effect.choose_suit.is_some()
        || effect.request.is_some()
        || effect.draw.is_some()
        || effect.hands.is_some()
        || effect.take.is_some()
}

/// What is said of a card, with `; ` between its parts.
struct Clauses(Vec<Piece>);

impl Clauses {
    fn say(&mut self, more: Vec<Piece>) {
        if !self.0.is_empty() {
            self.0.push("; ".into());
        }
        self.0.extend(more);
    }
}

/// Says what a play, with the seat that made it, leaves to be faced in `game`, as it stands now, beside what was faced before; nothing
/// if nothing is new. Without a play it is the card that was turned up.
fn leaves(game: &Game, by: Option<(Seat, &BeforePlay)>, faced: &Faced, all: &mut Clauses) {
    let (now, old, set) = (game.pending(), &faced.pending, game.rules().set());
    let (seat, play) = by.unzip();
    let cards = play.map(|play| play.cards.as_slice()).unwrap_or_default();
    let turn = game.turn();
    let may_challenge = turn.is_some() && now.challenge == turn;
    let or_answer = match (game.can_be_answered(), may_challenge) {
        (true, true) => ", answer or challenge",
        (true, false) => " or answer",
        (false, true) => " or challenge",
        (false, false) => "",
    };
    let has_turned = play.is_some_and(|play| play.ground != PlayGround::WonRace && play.direction != game.direction());
    let turned = if has_turned { "play reverses, so " } else { "" };
    if let Some(turn) = turn.filter(|_| now.draw > 0) {
        let adds = match faced.owed {
            0 if cards.len() > 1 => "in all ".to_owned(),
            0 => String::new(),
            before if before == now.draw => "passed on: ".to_owned(),
            before if before < now.draw => format!("{before} and {} more: ", now.draw - before),
            _ => String::new(),
        };
        let strikes_back = |card: &Card| {
            effects(set, *card).any(|effect| effect.owe.as_ref().is_some_and(|owe| owe.on == Debtor::Previous))
        };
        let before =
            if game.rules().seats() > 2 && cards.iter().any(strikes_back) { ", the player before," } else { "" };
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
            skip if usize::from(skip) >= game.rules().seats() => {
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
    let threatens = |card: &Card| effects(set, *card).any(|effect| effect.skip.is_some());
    if let Some(victim) = now.skip_victim
        && (now.skip_victim != old.skip_victim || cards.iter().any(threatens))
    {
        all.say(vec![victim.into(), " must miss a turn or answer".into()]);
    }
    if let Some(seat) = seat.filter(|seat| now.again == Some(*seat)) {
        all.say(vec![seat.into(), " moves again".into()]);
    }
    if let (Some(run), Some(turn)) = (now.run.filter(|run| Some(run.by) == seat), turn) {
        let counts =
            if cards.last().is_some_and(|last| last.suit().is_none()) { ", the colour that counts" } else { "" };
        let named = Choice::Suit(run.suit).into();
        all.say(vec![
            "the run stays open: ".into(),
            turn.into(),
            " may add ".into(),
            named,
            " cards".into(),
            counts.into(),
        ]);
    }
    if let Some(chooser) = now.choose {
        all.say(vec![chooser.into(), format!(" must name a {}", suit_word(set)).into()]);
    }
    if let Some(request) = now.request.filter(|_| now.request != old.request) {
        let names = request.names.into();
        all.say(match request_ends(set) {
            Some(RequestEnds::Lap) => vec!["for one lap everybody must play ".into(), names, " or draw".into()],
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
        all.say(vec![format!("a {} must be said before the next card", suit_word(set)).into()]);
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
    all.0.extend(
        of_closing(faced, game)
            .into_iter()
            .flat_map(|piece| match all.0.is_empty() {
                true => vec![piece],
                false => vec!["; ".into(), piece],
            })
            .collect::<Vec<_>>(),
    );
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
fn request_ends(set: &RuleSet) -> Option<RequestEnds> {
    let mut requests = set.effects.values().filter(|effect| !effect.off).filter_map(|effect| effect.request.as_ref());
    let ends = requests.next()?.ends;
    requests.all(|request| request.ends == ends).then_some(ends)
}

/// Why a request is over, where nothing has revoked it.
pub(super) fn of_request_over(play: Option<&BeforePlay>, game: &Game) -> Vec<Piece> {
    if play.is_some_and(|play| play.ground == PlayGround::RevokesRequest) {
        return Vec::new();
    }
    match request_ends(game.rules().set()) {
        Some(RequestEnds::AllServed) => vec!["everybody has served it, or nobody can".into()],
        Some(RequestEnds::Lap) => vec!["everybody has had a turn".into()],
        Some(RequestEnds::NextTurn) | None => Vec::new(),
    }
}

/// Why a card of `seat` does not fit, where what it faced says more than its suit and value.
pub(super) fn of_refusal(seat: Seat, reason: Reason, turn: Option<Seat>, faced: &Faced) -> Vec<Piece> {
    let Pending { draw, skip, request, suit, .. } = faced.pending;
    if reason != Reason::DoesNotFit || turn != Some(seat) {
        return Vec::new();
    }
    match (draw, skip, request, suit) {
        (1, ..) => vec!["a card is owed".into()],
        (2.., ..) => vec![format!("{draw} cards are owed").into()],
        (_, 1.., ..) => vec!["a turn has to be missed".into()],
        (_, _, Some(request), _) => vec![request.names.into(), " must be served".into()],
        (.., Some(suit)) => vec![Choice::Suit(suit).into(), " must be served".into()],
        _ => Vec::new(),
    }
}

/// What the card that was turned up leaves the first player of `game` to face, and what the dealer has to say for it.
pub(super) fn of_first_card(game: &Game) -> Vec<Piece> {
    let mut all = Clauses(Vec::new());
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

/// Why a card was taken from another hand, where the position before, in which `faced` stood, did not say so.
pub(super) fn of_taking(by: Seat, from: Seat, faced: &Faced, game: &Game) -> Vec<Piece> {
    if faced.takes.iter().any(|order| (order.by, order.from) == (by, from)) {
        return Vec::new();
    }
    let set = game.rules().set();
    let asking = set.effects.values().filter(|effect| !effect.off && effect.take.is_some());
    let cards = asking.fold(CardSet::EMPTY, |cards, effect| cards.union(effect.cards.0));
    let ranks: BTreeSet<_> = cards.iter().filter_map(Card::rank).collect();
    let names: Vec<String> = ranks.into_iter().map(|rank| set.deck.faces.ranks(rank)).collect();
    if names.is_empty() { Vec::new() } else { vec![format!("{} ask for that", names.join(" and ")).into()] }
}

/// Why `seat` passed in its turn, in which it faced `faced`.
pub(super) fn of_pass(seat: Seat, faced: &Pending, could_draw: bool, game: &Game) -> Vec<Piece> {
    let draws = u16::from(game.rules().set().turn.draws);
    let may_draw_more = faced.drawn == 0 || draws == 0 || faced.drawn < draws;
    if faced.again == Some(seat) {
        vec!["plays no further card".into()]
    } else if draws > 1 && faced.drawn >= draws {
        vec![format!("{draws} cards are drawn").into()]
    } else if !could_draw && faced.skip == 0 && may_draw_more {
        vec!["nothing is left to draw".into()]
    } else {
        Vec::new()
    }
}

/// How many more turns a seat misses that has lost one: `before` it had so many to miss, and has `left` now (G-37).
pub(super) fn of_lost_turn(before: u16, left: u16) -> Vec<Piece> {
    match (before, left) {
        (0, 0) => Vec::new(),
        (_, 0) => vec!["the last that it had to miss".into()],
        (_, left) => vec![format!("{left} more to miss").into()],
    }
}

/// What a challenge has shown of the hand of `against` (G-67).
pub(super) fn of_challenge(against: Seat, upheld: bool, game: &Game) -> Vec<Piece> {
    let suit = suit_word(game.rules().set());
    let held = if upheld { "held a card" } else { "held no card" };
    vec![against.into(), format!(" {held} of the {suit} that counted").into()]
}

/// What `seat` still has to draw in `game` after it has drawn some of what it owes.
pub(super) fn of_draw(seat: Seat, game: &Game) -> Vec<Piece> {
    let left = game.pending().draw;
    if game.turn() != Some(seat) || game.phase() != Phase::Play {
        return Vec::new();
    }
    vec![match (left, game.can_be_answered(), game.is_rescue()) {
        (0, ..) => "the turn goes on".into(),
        (_, true, _) => format!("{left} more to draw, or an answer").into(),
        (_, false, true) => format!("the first one does not answer: {left} more to draw").into(),
        (_, false, false) => format!("{left} more to draw").into(),
    }]
}

/// Why `seat` draws in place of the further card that `faced` wants (G-38).
pub(super) fn of_further_card(game: &Game) -> Piece {
    let set = game.rules().set();
    let until_one_fits = game.pile().last().is_some_and(|top| {
        effects(set, *top).any(|effect| effect.again.is_some_and(|again| again.draws == AgainDraws::UntilFits))
    });
    if until_one_fits { "until a further card fits".into() } else { "in place of a further card".into() }
}

/// What is known of a word besides its text and the play that it came with.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Spoken {
    /// The cards that its seat held before, and holds after the action that it came with.
    pub(super) before: u16,
    pub(super) after: u16,
    /// The card on top.
    pub(super) top: Option<Card>,
    /// Whether that is the card turned up, and the seat its dealer.
    pub(super) by_dealer: bool,
}

/// Why a seat may have said `text`, by itself or with `play`; empty if no rule of `set` asks for the word.
pub(super) fn of_word(set: &RuleSet, text: &str, play: Option<&BeforePlay>, spoken: Spoken) -> Vec<Piece> {
    let (duties, ground) = (&set.duties, play.map(BeforePlay::ground));
    let left = play.map_or(spoken.after, BeforePlay::left);
    let leaves = |cards: u16| match (cards, play.is_some()) {
        (0, true) => "leaves no card",
        (0, false) => "no card is left",
        (1, true) => "leaves one card",
        (1, false) => "one card is left",
        (2, true) => "leaves two cards",
        (2, false) => "two cards are left",
        _ => "so many cards are left",
    };
    let of_duty = |duty: &SaidDuty| {
        let is_due = !duty.off && duty.say.iter().any(|word| word == text);
        let fits = duty.cards.is_none_or(|cards| spoken.top.is_some_and(|top| cards.0.contains(top)));
        let why = match (duty.left.map(u16::from), duty.interjection) {
            (Some(wanted), _) if wanted != left => return None,
            (Some(wanted), _) => leaves(wanted),
            (None, Some(_)) if ground != Some(PlayGround::Twin) => return None,
            (None, Some(0)) => "due with a card out of turn",
            (None, Some(_)) => "due with so many twins in a row",
            (None, None) if ground.is_none() && duty.first_card && spoken.by_dealer => {
                "due from the dealer for the card turned up"
            }
            (None, None) if ground.is_none() => return None,
            (None, None) => "due with this card",
        };
        (is_due && fits).then_some(why)
    };
    let is = |word: Option<&String>| word.is_some_and(|word| word == text);
    let why = if is(duties.mau.as_ref().map(|mau| &mau.word)) && left == 1 {
        Some(leaves(1))
    } else if is(duties.mau.as_ref().map(|mau| &mau.word)) && spoken.before == 1 {
        Some("one card was left")
    } else if is(duties.last.as_ref().map(|last| &last.word)) && left == 0 {
        Some("due with the last card")
    } else if is(duties.mau_mau.as_ref().map(|mau_mau| &mau_mau.word)) && left == 0 {
        Some(leaves(0))
    } else if is(duties.identical.as_ref().map(|snap| &snap.word)) && ground.is_some() {
        Some("due with the card after two of the same")
    } else if duties.done.as_ref().is_some_and(|done| !done.off && text.ends_with(&done.word)) {
        Some("all that was owed is drawn")
    } else {
        duties.words.values().find_map(of_duty)
    };
    why.map(Piece::from).into_iter().collect()
}

/// Whether the turns that are lost by the top card are all of one player (G-37).
fn misses_all(game: &Game) -> bool {
    let Some(top) = game.visible_top() else { return false };
    effects(game.rules().set(), top).any(|effect| effect.skip.as_ref().is_some_and(|skip| skip.of == LostBy::Turns))
}
