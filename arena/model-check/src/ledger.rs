//! A second account of a game, kept from its events alone: where every card is, and the value of every round. It never
//! asks the game what happened; where the two accounts differ, a law is broken.

use maumau_engine::{Game, Rules};
use maumau_protocol::limits::{MAX_EXTRA_ROUNDS, MAX_ROUNDS};
use maumau_protocol::ruleset::{Blocked, ChipDebt, DealOrder, DealtBy, Decides, Effect, Tie};
use maumau_protocol::{Card, Direction, DrawReason, Event, RoundEnd, Seat, SeatSet, Text};

use super::{Breach, hold};

/// The number of copies of each card.
type Counts = [u16; Card::PLACES];

const NONE: Counts = [0; Card::PLACES];

fn count(cards: impl Iterator<Item = Card>) -> Counts {
    let mut counts = NONE;
    cards.for_each(|card| counts[card.index()] += 1);
    counts
}

/// One card fewer; `false` if there was none.
fn remove(counts: &mut Counts, card: Card) -> bool {
    let place = &mut counts[card.index()];
    let is_there = *place > 0;
    *place -= u16::from(is_there);
    is_there
}

/// The cards of one seat by the events.
#[derive(Clone, Copy)]
struct Held {
    open: Counts,
    sealed: Counts,
    /// Cards dealt by a dealer that no event has shown yet.
    unknown: u16,
}

impl Held {
    const NOTHING: Held = Held { open: NONE, sealed: NONE, unknown: 0 };

    /// A card leaves, one of the sealed cards or of the others.
    fn give(&mut self, card: Card, sealed: bool) -> Result<(), Breach> {
        if remove(if sealed { &mut self.sealed } else { &mut self.open }, card) {
            return Ok(());
        }
        hold!(!sealed && self.unknown > 0, "{card} leaves a hand that does not hold it");
        self.unknown -= 1;
        Ok(())
    }

    fn len(&self) -> u16 {
        self.open.iter().chain(&self.sealed).sum::<u16>() + self.unknown
    }
}

/// The table by the events.
#[derive(Clone)]
pub struct EventLedger {
    held: Vec<Held>,
    pile: Vec<Card>,
    draw_pile: usize,
    size: usize,
    points: Vec<i32>,
    wins: Vec<u32>,
    round: u32,
    /// Rounds that no seat has won, and what counted against each seat in them.
    unwon: u32,
    left: Vec<i32>,
    /// How the round ended and its value for each seat.
    over: Option<(SeatSet, Vec<i32>)>,
    /// The seats that are out of this round, the first one first, with their last cards (G-43).
    out: Vec<(Seat, Card)>,
    events: u32,
    /// The rules of the menu that are offered (G-74).
    offer: Vec<Text>,
    /// Before the last card that was played, in case it goes back (option `illegal=stands`).
    before_card: Option<Box<EventLedger>>,
}

/// The cards that a table plays with.
fn deck_of(rules: &Rules) -> Counts {
    count(rules.set().deck.list(rules.seats()).unwrap_or_default().into_iter())
}

/// Whether every card of the deck exists once, wherever it is.
///
/// # Errors
/// A card is missing, or exists twice.
pub fn check_cards(game: &Game) -> Result<(), Breach> {
    if game.round() == 0 {
        return Ok(());
    }
    let hands =
        Seat::all(game.rules().seats()).flat_map(|seat| game.hand(seat).cards().chain(game.sealed_hand(seat).cards()));
    let all = count(game.draw_pile_cards().chain(game.pile().iter().copied()).chain(hands));
    hold!(all == deck_of(game.rules()), "a card is lost or made");
    Ok(())
}

fn effects(rules: &Rules) -> impl Iterator<Item = &Effect> {
    let seats = rules.seats() as u8;
    let holds = move |effect: &&Effect| effect.seats.is_none_or(|[low, high]| (low..=high).contains(&seats));
    rules.set().effects.values().filter(|effect| !effect.off).filter(holds)
}

fn card_of(card: &Option<Card>) -> Result<Card, Breach> {
    card.ok_or_else(|| Breach("the referee does not see a card".to_owned()))
}

impl EventLedger {
    /// Before the first event of a game.
    pub fn new(rules: &Rules) -> EventLedger {
        let (set, seats) = (rules.set(), rules.seats());
        let deck = deck_of(rules);
        EventLedger {
            held: vec![Held::NOTHING; seats],
            pile: Vec::new(),
            draw_pile: 0,
            size: deck.iter().map(|count| usize::from(*count)).sum(),
            points: vec![set.count.as_ref().map_or(set.scoring.chips.into(), |count| count.start.into()); seats],
            wins: vec![0; seats],
            unwon: 0,
            left: vec![0; seats],
            round: 0,
            over: None,
            out: Vec::new(),
            events: 0,
            offer: Vec::new(),
            before_card: None,
        }
    }

    /// Reads the events since the last time and compares the result with the game.
    ///
    /// # Errors
    /// The difference.
    pub fn follow(&mut self, game: &Game, news: &[Event]) -> Result<(), Breach> {
        let events = self.events + news.len() as u32;
        for event in news {
            self.read(game.rules(), event).map_err(|breach| Breach(format!("{event:?}: {breach}")))?;
        }
        self.events = events;
        hold!(game.last_event().0 == events, "every event has a number");
        hold!(game.pile() == self.pile, "the discard pile is {:?}, by the events {:?}", game.pile(), self.pile);
        hold!(
            game.draw_pile_len() == self.draw_pile,
            "{} to draw, by the events {}",
            game.draw_pile_len(),
            self.draw_pile
        );
        if self.round == 0 {
            return Ok(());
        }
        for (seat, held) in Seat::all(self.held.len()).zip(&self.held) {
            let (open, sealed) = (game.hand(seat), game.sealed_hand(seat));
            hold!(
                open.len() + sealed.len() == held.len(),
                "seat {seat} holds {}, by the events {}",
                game.held(seat),
                held.len()
            );
            for card in game.rules().pack().cards().iter() {
                let index = card.index();
                let holds = u16::from(open.copies(card)) + u16::from(sealed.copies(card));
                let known = held.open[index] + held.sealed[index];
                hold!(held.unknown > 0 || holds == known, "seat {seat} holds {holds} {card}, by the events {known}");
            }
        }
        check_cards(game)?;
        let known = (&self.points[..], &self.wins[..], self.round);
        let stand = (game.points(), game.wins(), game.round());
        hold!(stand == known, "points, wins and round are {stand:?}, by the events {known:?}");
        Ok(())
    }

    fn read(&mut self, rules: &Rules, event: &Event) -> Result<(), Breach> {
        let set = rules.set();
        match event {
            Event::RoundStarted { round, .. } => {
                hold!(*round == self.round + 1, "a round is left out");
                self.round = *round;
                self.over = None;
                self.out.clear();
                self.held.fill(Held::NOTHING);
                self.pile.clear();
                self.draw_pile = self.size;
                self.before_card = None;
            }
            Event::Dealt { seat, count: said, cards, .. } => {
                let cards = count(cards.iter().flatten().copied());
                hold!(cards.iter().sum::<u16>() == *said, "not so many cards");
                let held = &mut self.held[seat.index()];
                match (set.deal.by, set.deal.order) {
                    (DealtBy::Dealer, DealOrder::Free) => {
                        held.open.iter_mut().zip(cards).for_each(|(open, more)| *open += more);
                        self.draw_pile -= usize::from(*said);
                    }
                    // The cards are shown once all are dealt.
                    (DealtBy::Dealer, _) => (held.open, held.unknown) = (cards, 0),
                    (DealtBy::Referee, _) => {
                        held.open = cards;
                        self.draw_pile -= usize::from(*said);
                    }
                }
            }
            Event::DealtCard { to, .. } => {
                self.held[to.index()].unknown += 1;
                self.draw_pile -= 1;
            }
            Event::Returned { seat, card, sealed } => {
                let held = &mut self.held[seat.index()];
                // In the deal it is a card that was dealt, even if a sealed penalty card may be its copy.
                match held.unknown.checked_sub(1) {
                    Some(unknown) => held.unknown = unknown,
                    None => held.give(card_of(card)?, *sealed && held.sealed[card_of(card)?.index()] > 0)?,
                }
                self.draw_pile += 1;
            }
            Event::DealVoid => {
                self.held.fill(Held::NOTHING);
                self.draw_pile = self.size;
            }
            Event::TurnedUp { card } => {
                self.pile.push(*card);
                self.draw_pile -= 1;
            }
            Event::Played { seat, card, .. } => {
                hold!(self.over.is_none(), "nothing is played after the end");
                self.before_card = None;
                self.before_card = Some(Box::new(self.clone()));
                self.held[seat.index()].give(*card, false)?;
                self.pile.push(*card);
            }
            Event::TakenBack { .. } => {
                let Some(before) = self.before_card.take() else {
                    return Err(Breach("no card to take back".to_owned()));
                };
                *self = *before;
            }
            Event::Drew { seat, card, why: DrawReason::Shortage, .. } => {
                hold!(self.pile.pop() == *card, "not the top card");
                self.held[seat.index()].open[card_of(card)?.index()] += 1;
            }
            Event::Drew { seat, card, .. } => self.draw(*seat, card_of(card)?, false),
            Event::Penalty { seat, card, .. } => self.draw(*seat, card_of(card)?, set.prices.sealed),
            Event::Unsealed { seat, count: said, cards } => {
                let cards = cards.iter().flatten();
                hold!(cards.clone().count() == usize::from(*said), "not so many cards");
                let held = &mut self.held[seat.index()];
                for card in cards.filter(|card| remove(&mut held.sealed, **card)).collect::<Vec<_>>() {
                    held.open[card.index()] += 1;
                }
            }
            Event::Taken { by, from, card, sealed, .. } => {
                let card = card_of(card)?;
                self.held[from.index()].give(card, *sealed)?;
                self.held[by.index()].open[card.index()] += 1;
            }
            Event::Reshuffled { count } => {
                hold!(self.draw_pile == 0, "only when nothing is left");
                // N-126: cards that are looked through stay with the card that counts.
                let stays =
                    |card: &Card| !effects(rules).any(|effect| effect.transparent && effect.cards.0.contains(*card));
                let under = self.pile.iter().rposition(stays).unwrap_or(0);
                hold!(usize::from(*count) == under, "{under} cards lie under what stays");
                self.pile.drain(..under);
                self.draw_pile = under;
            }
            Event::RoundOver { winners, end } => {
                if winners.is_empty() {
                    self.unwon += 1;
                    let counts = set.scoring.points.values().any(|points| *points != 0);
                    for seat in Seat::all(self.held.len()) {
                        let cards = i32::from(self.held[seat.index()].len());
                        self.left[seat.index()] += if counts { self.value(rules, seat) } else { cards };
                    }
                }
                self.over = Some((*winners, self.worth(rules, *winners, *end)?));
            }
            Event::HandsRotated { direction } => {
                let playing =
                    Seat::all(self.held.len()).filter(|seat| self.held[seat.index()].len() > 0 || self.out.is_empty());
                let mut seats: Vec<Seat> = playing.collect();
                if *direction == Direction::Counterclockwise {
                    seats.reverse();
                }
                seats.windows(2).rev().for_each(|pair| self.held.swap(pair[0].index(), pair[1].index()));
            }
            Event::HandsSwapped { seats } => {
                let seats: Vec<Seat> = seats.iter().collect();
                hold!(seats.len() == 2, "two seats exchange hands");
                self.held.swap(seats[0].index(), seats[1].index());
            }
            Event::Shown { seat, cards, .. } => {
                let held = self.held[seat.index()];
                // G-67: penalty cards since the card in doubt are no part of it.
                let is_held = |cards: &[Card]| {
                    let shown = count(cards.iter().copied());
                    let all = set.challenge.is_some() || shown == held.open;
                    all && shown.iter().zip(&held.open).all(|(shown, held)| shown <= held)
                };
                hold!(cards.iter().all(|cards| is_held(cards)), "the hand of {seat} is shown as it is");
            }
            Event::WentOut { seat, place } => {
                hold!(self.held[seat.index()].len() == 0, "who is out holds no card");
                hold!(usize::from(*place) == self.out.len() + 1, "place {place} is not the next");
                self.out.extend(self.pile.last().map(|card| (*seat, *card)));
            }
            Event::CameBack { seat } => {
                hold!(self.out.iter().any(|(out, _)| out == seat), "who comes back was out");
                self.out.retain(|(out, _)| out != seat);
            }
            Event::Counted { seat, total } => {
                hold!(self.held[seat.index()].len() == 0, "who counts on holds no card");
                let count = set.count.as_ref().filter(|count| !count.redeal);
                self.points[seat.index()] += count.map_or(0, |count| i32::from(count.on_win));
                let goes_on = count.is_some_and(|count| i32::from(count.match_at) != *total);
                hold!(goes_on && *total == self.points[seat.index()], "the count changes by a won hand");
            }
            Event::Scored { seat, hand, points, total } => {
                let held = self.held[seat.index()];
                let all: Vec<u16> = held.open.iter().zip(held.sealed).map(|(open, sealed)| open + sealed).collect();
                hold!(count(hand.iter().copied())[..] == all, "not the hand that it holds");
                let Some((winners, worth)) = &self.over else { return Err(Breach("the round is not over".to_owned())) };
                let worth = worth[seat.index()];
                self.wins[seat.index()] += u32::from(winners.contains(*seat));
                self.points[seat.index()] += worth;
                hold!((*points, *total) == (worth, self.points[seat.index()]), "it is worth {worth}");
            }
            Event::RuleOffered { by, offer } => {
                let won = self.over.as_ref().is_some_and(|(winners, _)| winners.contains(*by));
                hold!(won && !offer.is_empty(), "G-74: a winner chooses, and among something");
                self.offer = offer.to_vec();
            }
            Event::RuleAdded { rule, .. } => {
                hold!(self.offer.contains(rule), "G-74: only what was offered is added");
                self.offer.clear();
            }
            Event::MatchOver { winners } => self.check_end(rules, *winners)?,
            _ => {}
        }
        Ok(())
    }

    fn draw(&mut self, seat: Seat, card: Card, sealed: bool) {
        let held = &mut self.held[seat.index()];
        let cards = if sealed { &mut held.sealed } else { &mut held.open };
        cards[card.index()] += 1;
        self.draw_pile -= 1;
    }

    /// The value of a round: chips for the cards left (D-12, D-15), or the points of a seat's cards, multiplied as the last
    /// card says (K-45, K-46, K-37).
    fn worth(&self, rules: &Rules, winners: SeatSet, end: RoundEnd) -> Result<Vec<i32>, Breach> {
        let (set, seats) = (rules.set(), self.held.len());
        let out = winners.iter().all(|winner| self.held[winner.index()].len() == 0);
        let won = end == RoundEnd::Won || !self.out.is_empty();
        let first = self.out.first().is_none_or(|(first, _)| winners == SeatSet::of(*first));
        hold!(first, "who went out first has won");
        let counts = set.scoring.points.values().any(|points| *points != 0);
        let left = |seat| if counts { self.value(rules, seat) } else { self.held[seat.index()].len() as i32 };
        if end == RoundEnd::Blocked && set.ending.blocked == Blocked::Lowest && self.out.is_empty() {
            // G-46
            let lowest = Seat::all(seats).map(left).min();
            let lowest: SeatSet = Seat::all(seats).filter(|seat| Some(left(*seat)) == lowest).collect();
            hold!(winners == lowest, "{lowest:?} have the lowest hands");
        } else {
            hold!(out && won != winners.is_empty(), "who has won holds no card");
        }
        let others = Seat::all(seats).filter(|seat| !winners.contains(*seat));
        let mut worth = vec![0; seats];
        if rules.decides() == Decides::MostChips {
            let Some(winner) = winners.iter().next() else { return Ok(worth) };
            for seat in others {
                let owed = i32::from(self.held[seat.index()].len());
                let pays = match set.scoring.debt {
                    ChipDebt::None => owed.min(self.points[seat.index()]),
                    ChipDebt::Negative => owed,
                };
                worth[seat.index()] = -pays;
                worth[winner.index()] += pays;
            }
            hold!(worth.iter().sum::<i32>() == 0, "chips are neither lost nor made");
            return Ok(worth);
        }
        if rules.decides() == Decides::Count {
            // G-57
            let step = set.count.as_ref().map_or(0, |count| i32::from(count.on_win));
            winners.iter().for_each(|winner| worth[winner.index()] = step);
            return Ok(worth);
        }
        let last = self.out.first().map(|(_, card)| *card).or(self.pile.last().copied()).filter(|_| won);
        let times = effects(rules).filter(|effect| last.is_some_and(|card| effect.cards.0.contains(card)));
        let times = i32::from(times.filter_map(|effect| effect.last_multiplies).next().unwrap_or(1));
        if rules.decides() == Decides::MostPoints {
            // G-45, G-46: nothing is lost but what cannot be shared.
            let all: i32 = others.map(|seat| self.value(rules, seat)).sum();
            for winner in winners.iter() {
                let own = self.value(rules, winner) * (seats - winners.len()) as i32;
                worth[winner.index()] = (all - own) * times / winners.len() as i32;
            }
            return Ok(worth);
        }
        let counted = |seat: &Seat| end == RoundEnd::Blocked || !winners.contains(*seat);
        for seat in Seat::all(seats).filter(counted) {
            worth[seat.index()] = self.value(rules, seat) * times;
        }
        Ok(worth)
    }

    /// The points of the cards that `seat` holds.
    fn value(&self, rules: &Rules, seat: Seat) -> i32 {
        let held = &self.held[seat.index()];
        let points = rules.pack().cards().iter().map(|card| {
            let index = card.index();
            // G-68, read from the file once more: a card's own points go before those of its rank.
            let points = &rules.set().scoring.points;
            let by_rank = card.rank().and_then(|rank| points.get(&rank.to_string()));
            let value = points.get(&card.to_string()).or(by_rank).map_or(0, |points| i32::from(*points));
            i32::from(held.open[index] + held.sealed[index]) * value
        });
        points.sum()
    }

    /// The match is over when it must be, and the seats with the best standing have won it.
    fn check_end(&self, rules: &Rules, winners: SeatSet) -> Result<(), Breach> {
        let scoring = &rules.set().scoring;
        let standing = |seat: Seat| match rules.decides() {
            Decides::RoundsWon => i64::from(self.wins[seat.index()]),
            Decides::FewestPoints => -i64::from(self.points[seat.index()]),
            Decides::MostChips | Decides::MostPoints => i64::from(self.points[seat.index()]),
            Decides::Count => match &rules.set().count {
                Some(count) => -(i64::from(self.points[seat.index()]) - i64::from(count.match_at)).abs(),
                None => 0,
            },
        };
        // G-23: hands that were left over decide between seats that stand alike, and no round won is no match won.
        let rank = |seat: Seat| (standing(seat), -self.left[seat.index()]);
        let best = Seat::all(self.held.len()).map(rank).max().filter(|_| self.unwon < self.round);
        let first: SeatSet = Seat::all(self.held.len()).filter(|seat| Some(rank(*seat)) == best).collect();
        hold!(winners == first, "{first:?} stand best");
        let most = Seat::all(self.held.len()).map(standing).max();
        let alike = Seat::all(self.held.len()).filter(|seat| Some(standing(*seat)) == most).count();
        let broke = |chips: &i32| match scoring.debt {
            ChipDebt::None => *chips == 0,
            ChipDebt::Negative => *chips < 0,
        };
        let is_broke = scoring.decides == Decides::MostChips && self.points.iter().any(broke);
        let most = MAX_ROUNDS.min(rules.rounds() + MAX_EXTRA_ROUNDS);
        let decided = scoring.tie == Tie::Shared || alike == 1 || self.round >= most;
        // G-29, by the numbers of this ledger.
        let target = scoring.target.as_ref().and_then(|target| target.get(self.held.len())).copied().unwrap_or(0);
        let counted = |seat: Seat| match rules.decides() {
            Decides::RoundsWon => i64::from(self.wins[seat.index()]),
            _ => i64::from(self.points[seat.index()]),
        };
        let reached = target > 0 && Seat::all(self.held.len()).any(|seat| counted(seat) >= i64::from(target));
        let counted_out = rules.set().count.as_ref().map(|count| i32::from(count.match_at));
        let reached = reached || counted_out.is_some_and(|count| self.points.contains(&count));
        let ends = is_broke || ((reached || self.round >= rules.rounds()) && decided);
        hold!(ends, "it ends after round {}", self.round);
        Ok(())
    }
}
