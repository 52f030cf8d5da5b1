//! The numbers of actions: blocks in a fixed order, each present if the rules can produce it. It knows no position except
//! where an action depends on one, and judges nothing.

use maumau_engine::Game;
use maumau_engine::rules::Vocabulary;
use maumau_protocol::message::What;
use maumau_protocol::{Card, CardSet, Choice, Direction, Rank, RuleFault, Seat, Suit, Text, Verb};
use maumau_referee::legal_verbs;

use crate::begun::{ActionStep, BegunPlay};
use crate::table::SteppedGame;

/// Consecutive numbers of one meaning.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ObservationBlock {
    /// Its name.
    pub name: &'static str,
    /// Its first number.
    pub at: usize,
    /// Its size.
    pub size: usize,
}

/// A block that is absent.
const NONE: usize = usize::MAX;

/// The suits of a pack.
pub(crate) const SUITS: usize = 4;

/// The numbers of the actions of a table.
#[derive(Clone, Debug)]
pub struct Actions {
    seats: usize,
    size: usize,
    cards: Vec<Card>,
    /// The place of each card among `cards`, by [`Card::index`].
    places: [u8; Card::PLACES],
    with_suit: CardSet,
    /// The first number of each of them.
    suited: [u16; Card::PLACES],
    with_rank: CardSet,
    suits: [Suit; SUITS],
    ranks: Vec<Rank>,
    rank_set: [u8; Rank::COUNT],
    suit_block: usize,
    rank_block: usize,
    draw: usize,
    pass: usize,
    wait: usize,
    choose_suit: usize,
    choose_rank: usize,
    say: usize,
    take: usize,
    call: usize,
    look: usize,
    challenge: usize,
    end_point_of_order: usize,
    deal: usize,
    deal_penalties: usize,
    turn_up: usize,
    /// Cards with which a seat is chosen, and how many others there can be.
    with_seat: CardSet,
    others: usize,
    seat_block: usize,
    /// Cards that can be part of a play of several.
    together: CardSet,
    more_block: usize,
    leave_open: usize,
    /// Cards that can stand for others.
    stand_ins: CardSet,
    stand_block: usize,
    /// The rules of the menu, and the first number of choosing one of them.
    rules: Vec<String>,
    rule_block: usize,
    blocks: Vec<ObservationBlock>,
}

/// An action that cannot be done, or has no number.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum IllegalAction {
    /// There is no such number.
    #[error("action {action} does not exist: actions are numbered from 0 to {last}")]
    Number {
        /// The number.
        action: i64,
        /// The largest one.
        last: usize,
    },
    /// The seat is not asked.
    #[error("seat {0} is not asked now")]
    NotAsked(Seat),
    /// It stands for nothing in this position.
    #[error("action {action} ({name}) cannot be done now (clause G-02)")]
    Nothing {
        /// The number.
        action: usize,
        /// Its name.
        name: String,
    },
    /// The rules refuse it.
    #[error("action {action} ({name}) is refused: {words} (clause {clause})")]
    Refused {
        /// The number.
        action: usize,
        /// Its name.
        name: String,
        /// Why.
        words: &'static str,
        /// The clause of the rules.
        clause: &'static str,
    },
    /// The game is over.
    #[error("the game is over; reset it first")]
    Over,
}

impl Actions {
    /// The actions of a table of `seats` with this vocabulary and the rules of its menu, with room for `places` seats.
    pub(crate) fn new(vocabulary: &Vocabulary, rules: &[String], seats: usize, places: usize) -> Actions {
        let cards: Vec<Card> = vocabulary.kinds().collect();
        let mut place_of = [u8::MAX; Card::PLACES];
        for (place, card) in cards.iter().enumerate() {
            place_of[card.index()] = place as u8;
        }
        let has_rank = |rank: &Rank| cards.iter().any(|card| card.rank() == Some(*rank));
        let suits = vocabulary.pack.suits();
        let ranks: Vec<Rank> = vocabulary.pack.ranks().into_iter().filter(has_rank).collect();
        let mut rank_set = [u8::MAX; Rank::COUNT];
        for (place, rank) in ranks.iter().enumerate() {
            rank_set[rank.index()] = place as u8;
        }
        let kinds: CardSet = cards.iter().copied().collect();
        let (with_suit, with_rank) = (vocabulary.with_suit.intersect(kinds), vocabulary.with_rank.intersect(kinds));
        let mut blocks = Vec::new();
        let mut size = 0;
        let mut block = |name: &'static str, is_there: bool, length: usize| {
            if !is_there || length == 0 {
                return NONE;
            }
            blocks.push(ObservationBlock { name, at: size, size: length });
            size += length;
            size - length
        };
        block("play", true, cards.len());
        let suit_block = block("play and name a suit", true, with_suit.len() * SUITS);
        let rank_block = block("play and name a value", true, with_rank.len() * ranks.len());
        let mut suited = [u16::MAX; Card::PLACES];
        for (place, card) in with_suit.iter().enumerate() {
            suited[card.index()] = (suit_block + place * SUITS) as u16;
        }
        let draw = block("draw", true, 1);
        let pass = block("pass", true, 1);
        let wait = block("wait", true, 1);
        let choose_suit = block("choose a suit", vocabulary.names_suit, SUITS);
        let choose_rank = block("choose a value", vocabulary.names_rank, ranks.len());
        let say = block("say what is owed", vocabulary.owes_words, 1);
        let take = block("take from", vocabulary.takes, places - 1);
        let call = block("call", vocabulary.calls, places - 1);
        let look = block("look", vocabulary.looks, 1);
        let end_point_of_order = block("end the point of order", vocabulary.point_of_order, 1);
        let deal = block("deal", vocabulary.deals, 1);
        let by_hand = vocabulary.deals || vocabulary.looks;
        let deal_penalties = block("deal penalty cards", by_hand, 1);
        let turn_up = block("turn up", by_hand, 1);
        let challenge = block("challenge", vocabulary.challenges, 1);
        // What follows came later; it never changes the numbers above.
        let with_seat = vocabulary.with_seat.intersect(kinds);
        let others = places - 1;
        let seat_block = block("play and choose a player", true, with_seat.len() * others);
        let together = vocabulary.together.intersect(kinds);
        let more_block = block("play with more to follow", true, together.len());
        let leave_open = block("leave the run open", vocabulary.open_runs, 1);
        let stand_ins = vocabulary.stand_ins.intersect(kinds);
        let stand_block = block("play as the next card", true, stand_ins.len());
        let rule_block = block("add a rule", true, rules.len());
        Actions {
            seats,
            size,
            cards,
            places: place_of,
            with_suit,
            suited,
            with_rank,
            suits,
            ranks,
            rank_set,
            suit_block,
            rank_block,
            draw,
            pass,
            wait,
            choose_suit,
            choose_rank,
            say,
            take,
            call,
            look,
            challenge,
            end_point_of_order,
            deal,
            deal_penalties,
            turn_up,
            with_seat,
            others,
            seat_block,
            together,
            more_block,
            leave_open,
            stand_ins,
            stand_block,
            rules: rules.to_vec(),
            rule_block,
            blocks,
        }
    }

    /// The number of actions.
    pub fn len(&self) -> usize {
        self.size
    }

    /// Never true: every table has actions.
    pub fn is_empty(&self) -> bool {
        self.size == 0
    }

    /// The blocks, in order.
    pub fn blocks(&self) -> &[ObservationBlock] {
        &self.blocks
    }

    /// The number of `wait`, which is all that a seat can do that is not asked.
    pub fn wait(&self) -> usize {
        self.wait
    }

    /// Whether some plays take several steps.
    pub fn takes_steps(&self) -> bool {
        [self.more_block, self.leave_open, self.stand_block].iter().any(|block| *block != NONE)
    }

    pub(crate) fn cards(&self) -> &[Card] {
        &self.cards
    }

    #[inline]
    pub(crate) fn place(&self, card: Card) -> usize {
        usize::from(self.places[card.index()])
    }

    /// The number of `card` with the first suit named; one beyond all actions if none can be.
    #[inline]
    fn suited(&self, card: Card) -> usize {
        usize::from(self.suited[card.index()])
    }

    fn relative(&self, block: usize, seat: Seat, other: Seat) -> Option<usize> {
        let ahead = (other.index() + self.seats - seat.index()) % self.seats;
        (block != NONE && ahead > 0).then(|| block + ahead - 1)
    }

    /// The number of `verb` when `seat` does it; `None` if it has none, as an action that is never listed as legal, or one that takes
    /// several steps ([`Actions::encode_next`]).
    pub fn encode(&self, seat: Seat, verb: &Verb) -> Option<usize> {
        let there = |block: usize| (block != NONE).then_some(block);
        match verb {
            Verb::Play { card, .. } if self.places[card.index()] == u8::MAX => None,
            Verb::Play { card, choose: None } => Some(self.place(*card)),
            Verb::Play { card, choose: Some(Choice::Suit(suit)) } => {
                self.with_suit.contains(*card).then(|| self.suited(*card) + suit.index())
            }
            Verb::Play { card, choose: Some(Choice::Rank(rank)) } => {
                let place = usize::from(self.rank_set[rank.index()]);
                let row = self.with_rank.before(*card).len() * self.ranks.len();
                (self.with_rank.contains(*card) && place < self.ranks.len()).then(|| self.rank_block + row + place)
            }
            Verb::Play { card, choose: Some(Choice::Seat(chosen)) } => {
                let row = self.with_seat.before(*card).len() * self.others;
                let there = self.with_seat.contains(*card) && self.seat_block != NONE;
                there.then(|| self.relative(self.seat_block + row, seat, *chosen)).flatten()
            }
            Verb::Draw => Some(self.draw),
            Verb::Pass => Some(self.pass),
            Verb::Wait => Some(self.wait),
            Verb::Choose(Choice::Suit(suit)) => there(self.choose_suit).map(|block| block + suit.index()),
            Verb::Choose(Choice::Seat(_)) => None,
            Verb::Choose(Choice::Rank(rank)) => {
                let place = usize::from(self.rank_set[rank.index()]);
                there(self.choose_rank).filter(|_| place < self.ranks.len()).map(|block| block + place)
            }
            Verb::ChooseRule { rule } => {
                let place = self.rules.iter().position(|name| name == rule.as_str());
                there(self.rule_block).zip(place).map(|(block, place)| block + place)
            }
            Verb::Say { .. } => there(self.say),
            Verb::Take { from } => self.relative(self.take, seat, *from),
            Verb::Call { against, .. } => self.relative(self.call, seat, *against),
            Verb::Look => there(self.look),
            Verb::Challenge => there(self.challenge),
            Verb::EndPointOfOrder => there(self.end_point_of_order),
            Verb::Deal { .. } => there(self.deal),
            Verb::DealPenalties => there(self.deal_penalties),
            Verb::TurnUp => there(self.turn_up),
            Verb::PlayTogether { .. }
            | Verb::PlayAs { .. }
            | Verb::Reach { .. }
            | Verb::Glare { .. }
            | Verb::PointOfOrder
            | Verb::Count
            | Verb::PickUp => None,
        }
    }

    /// The number of the next step to `verb`, when `seat` does it and has `begun` a play: of an action of one step, that of
    /// [`Actions::encode`]. `None` if it has none, or the play goes on otherwise.
    pub fn encode_next(&self, begun: &BegunPlay, seat: Seat, verb: &Verb) -> Option<usize> {
        if let Verb::PlayAs { card, stands_for, choose } = verb {
            return match begun.stand_in {
                Some(begun) if begun == *card => self.encode(seat, &Verb::Play { card: *stands_for, choose: *choose }),
                Some(_) => None,
                None => self.stand_in(*card).filter(|_| begun.is_nothing()),
            };
        }
        let Verb::PlayTogether { cards, choose, close } = verb else {
            return begun.is_nothing().then(|| self.encode(seat, verb)).flatten();
        };
        let rest = cards.strip_prefix(begun.cards.as_slice())?;
        if begun.open == *close {
            let may_open = !close && begun.is_nothing() && self.leave_open != NONE;
            return may_open.then_some(self.leave_open);
        }
        match rest {
            [] => None,
            [last] => self.encode(seat, &Verb::Play { card: *last, choose: *choose }),
            [next, ..] => self.more(*next),
        }
    }

    /// The number of `card` as one that stands for the next card.
    fn stand_in(&self, card: Card) -> Option<usize> {
        let there = self.stand_block != NONE && self.stand_ins.contains(card);
        there.then(|| self.stand_block + self.stand_ins.before(card).len())
    }

    /// The number of `card` with more to follow.
    fn more(&self, card: Card) -> Option<usize> {
        let there = self.more_block != NONE && self.together.contains(card);
        there.then(|| self.more_block + self.together.before(card).len())
    }

    /// The numbers of the steps that lead to `begun`, in order.
    pub fn steps_to(&self, begun: &BegunPlay) -> Vec<usize> {
        let open = begun.open.then_some(self.leave_open);
        let cards = begun.cards.iter().filter_map(|card| self.more(*card));
        open.into_iter().chain(cards).chain(begun.stand_in.and_then(|card| self.stand_in(card))).collect()
    }

    /// What `seat` does with action number `action` in the position of `table`. A call names the first fault that would be
    /// upheld against the seat, and the fault `no_mau` if none would.
    ///
    /// # Errors
    /// There is no such action, or it stands for nothing in this position.
    #[inline]
    pub fn decode(&self, table: &SteppedGame, seat: Seat, action: usize) -> Result<ActionStep, IllegalAction> {
        if action < self.cards.len() {
            let verb = Verb::Play { card: self.cards[action], choose: None };
            return Ok(ActionStep::Answer(table.begun(seat).ended_by(verb)));
        }
        let begun = table.begun(seat);
        if self.more_block != NONE && action >= self.more_block {
            let place = action - self.more_block;
            if let Some(card) = self.together.nth(place).filter(|_| place < self.together.len()) {
                return Ok(ActionStep::Begin(begun.with(card)));
            }
        }
        let stand_ins = self.stand_block..self.stand_block.saturating_add(self.stand_ins.len());
        if self.stand_block != NONE && stand_ins.contains(&action) {
            let nothing = || IllegalAction::Nothing { action, name: self.name(action) };
            let card = self.stand_ins.nth(action - self.stand_block).filter(|_| begun.is_nothing());
            return card.map(|card| ActionStep::Begin(BegunPlay::standing(card))).ok_or_else(nothing);
        }
        if action == self.leave_open {
            let nothing = || IllegalAction::Nothing { action, name: self.name(action) };
            return begun
                .is_nothing()
                .then_some(ActionStep::Begin(BegunPlay { open: true, ..BegunPlay::NOTHING }))
                .ok_or_else(nothing);
        }
        self.decode_rare(table.game(), seat, action).map(|verb| ActionStep::Answer(begun.ended_by(verb)))
    }

    fn decode_rare(&self, game: &Game, seat: Seat, action: usize) -> Result<Verb, IllegalAction> {
        let block = self.blocks.iter().rev().find(|block| block.at <= action).filter(|_| action < self.size);
        let Some(block) = block else {
            return Err(IllegalAction::Number { action: action as i64, last: self.size - 1 });
        };
        let place = action - block.at;
        let suit = |place: usize| Choice::Suit(self.suits[place % SUITS]);
        let nothing = || IllegalAction::Nothing { action, name: self.name(action) };
        let other = |place: usize| {
            let ahead = (place + 1 < self.seats).then_some(place + 1).ok_or_else(nothing)?;
            Ok(seat.step(Direction::Clockwise, ahead, self.seats))
        };
        Ok(match block.at {
            at if at == self.suit_block => {
                let card = self.with_suit.nth(place / SUITS).ok_or_else(nothing)?;
                Verb::Play { card, choose: Some(suit(place)) }
            }
            at if at == self.rank_block => {
                let card = self.with_rank.nth(place / self.ranks.len()).ok_or_else(nothing)?;
                Verb::Play { card, choose: Some(Choice::Rank(self.ranks[place % self.ranks.len()])) }
            }
            at if at == self.seat_block => {
                let card = self.with_seat.nth(place / self.others).ok_or_else(nothing)?;
                Verb::Play { card, choose: Some(Choice::Seat(other(place % self.others)?)) }
            }
            at if at == self.draw => Verb::Draw,
            at if at == self.pass => Verb::Pass,
            at if at == self.wait => Verb::Wait,
            at if at == self.choose_suit => Verb::Choose(suit(place)),
            at if at == self.choose_rank => Verb::Choose(Choice::Rank(self.ranks[place])),
            at if at == self.say => Verb::Say { text: game.word_owed(seat).ok_or_else(nothing)? },
            at if at == self.take => Verb::Take { from: other(place)? },
            at if at == self.call => {
                let against = other(place)?;
                let fault = game.calls(seat).find(|(accused, _)| *accused == against).map(|(_, fault)| fault);
                let name = fault.unwrap_or(RuleFault::NoMau).name();
                Verb::Call { against, fault: Text::try_from(name).map_err(|_| nothing())? }
            }
            at if at == self.look => Verb::Look,
            at if at == self.challenge => Verb::Challenge,
            at if at == self.end_point_of_order => Verb::EndPointOfOrder,
            at if at == self.deal => {
                let left = game.legal(seat).rare.and_then(|rare| rare.deal).ok_or_else(nothing)?;
                Verb::Deal { to: left.receivers() }
            }
            at if at == self.deal_penalties => Verb::DealPenalties,
            at if at == self.rule_block => {
                let rule = Text::try_from(self.rules[place].as_str()).map_err(|_| nothing())?;
                Verb::ChooseRule { rule }
            }
            _ => Verb::TurnUp,
        })
    }

    /// A name of action number `action`, the same in every position: `play 7H`, `play JC name D`, `call +1`.
    pub fn name(&self, action: usize) -> String {
        let code = |card: Card| String::from_utf8_lossy(&card.code()).into_owned();
        if action < self.cards.len() {
            return format!("play {}", code(self.cards[action]));
        }
        let Some(block) = self.blocks.iter().rev().find(|block| block.at <= action).filter(|_| action < self.size)
        else {
            return format!("action {action}");
        };
        let place = action - block.at;
        let suit = |place: usize| self.suits[place % SUITS].letter();
        match block.at {
            at if at == self.suit_block => {
                let card = self.with_suit.nth(place / SUITS).map(code).unwrap_or_default();
                format!("play {card} name {}", suit(place))
            }
            at if at == self.rank_block => {
                let card = self.with_rank.nth(place / self.ranks.len()).map(code).unwrap_or_default();
                format!("play {card} name {}", self.ranks[place % self.ranks.len()].letter())
            }
            at if at == self.seat_block => {
                let card = self.with_seat.nth(place / self.others).map(code).unwrap_or_default();
                format!("play {card} choose +{}", place % self.others + 1)
            }
            at if at == self.more_block => {
                let card = self.together.nth(place).map(code).unwrap_or_default();
                format!("play {card} with more to follow")
            }
            at if at == self.stand_block => {
                let card = self.stand_ins.nth(place).map(code).unwrap_or_default();
                format!("play {card} as the next card")
            }
            at if at == self.choose_suit => format!("choose {}", suit(place)),
            at if at == self.choose_rank => format!("choose {}", self.ranks[place].letter()),
            at if at == self.rule_block => format!("add the rule {}", self.rules[place]),
            at if at == self.take => format!("take from +{}", place + 1),
            at if at == self.call => format!("call +{}", place + 1),
            _ => block.name.to_owned(),
        }
    }

    /// Passes the numbers of the actions that are legal for `seat`, which is asked for `what`, to `each`; a number may come
    /// more than once.
    #[inline]
    pub fn legal(&self, table: &SteppedGame, seat: Seat, what: What, mut each: impl FnMut(usize)) {
        let (game, begun) = (table.game(), table.begun(seat));
        if let Some(card) = begun.stand_in {
            return self.legal_as(game, seat, card, each);
        }
        if self.more_block != NONE && what == What::Turn {
            self.legal_parts(game, seat, begun, &mut each);
            if !begun.is_nothing() {
                return;
            }
        }
        let legal = game.legal(seat);
        if legal.rare.is_some() || what == What::React || game.can_call(seat) {
            return self.legal_of_list(game, seat, what, each);
        }
        legal.silent.iter().for_each(|card| each(self.place(card)));
        for card in legal.with_suit.iter() {
            let first = self.suited(card);
            (first..first + SUITS).for_each(&mut each);
        }
        if legal.draw {
            each(self.draw);
        }
        if legal.pass {
            each(self.pass);
        }
    }

    #[inline(never)]
    fn legal_of_list(&self, game: &Game, seat: Seat, what: What, mut each: impl FnMut(usize)) {
        legal_verbs(game, seat, what, |verb| self.legal_verb(seat, &verb, &mut each));
    }

    /// The cards for which `card` may stand, each as if it were played by itself.
    #[inline(never)]
    fn legal_as(&self, game: &Game, seat: Seat, card: Card, mut each: impl FnMut(usize)) {
        game.legal(seat).for_each(|verb| match verb {
            Verb::PlayAs { card: played, stands_for, choose } if played == card => {
                self.legal_verb(seat, &Verb::Play { card: stands_for, choose }, &mut each);
            }
            _ => {}
        });
    }

    fn legal_verb(&self, seat: Seat, verb: &Verb, mut each: impl FnMut(usize)) {
        let action = match verb {
            Verb::PlayAs { card, .. } => self.stand_in(*card),
            verb => self.encode(seat, verb),
        };
        debug_assert!(action.is_some(), "{verb:?} has no number");
        if let Some(action) = action {
            each(action);
        }
    }

    /// The parts of plays of several cards that may come next.
    #[inline(never)]
    fn legal_parts(&self, game: &Game, seat: Seat, begun: &BegunPlay, mut each: impl FnMut(usize)) {
        let next = game.next_card(seat, &begun.cards, begun.open);
        next.more.iter().filter_map(|card| self.more(card)).for_each(&mut each);
        next.last.for_each(|verb| self.legal_verb(seat, &verb, &mut each));
        if self.leave_open != NONE && begun.is_nothing() && !game.next_card(seat, &[], true).is_empty() {
            each(self.leave_open);
        }
    }

    /// Whether action number `action` is legal for `seat`, which is asked for `what`.
    pub(crate) fn is_legal(&self, table: &SteppedGame, seat: Seat, what: What, action: usize) -> bool {
        let mut is_there = false;
        self.legal(table, seat, what, |legal| is_there |= legal == action);
        is_there
    }
}
