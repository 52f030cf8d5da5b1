//! The course of a match: deal, turn-up, end of a round, scoring, end of the match. Deals by the dealer's own actions
//! are in `by_dealer`. Resets the whole table for a round; what happens between the first card and the last belongs to
//! `turn` and its neighbours.

use maumau_protocol::limits::{MAX_EXTRA_ROUNDS, MAX_ROUNDS};
use maumau_protocol::ruleset::{
    Blocked, ChipDebt, DealtBy, Decides, FirstCard, FirstNames, FirstReverse, LastCardEffects, Look, NextDealer, Tie,
    rank_of_count,
};
use maumau_protocol::{Card, CardSet, Direction, DrawReason, Event, MAX_SEATS, RoundEnd, Seat, SeatSet};

use crate::game::calls::WrongCard;
use crate::game::speech::PlayedCards;
use crate::game::way::PlayWay;
use crate::game::{Game, Phase, Witness};
use crate::hand::Hand;
use crate::random::Purpose;
use crate::rules::Rules;

impl Game {
    /// Deals the next round and turns up its first card (N-08, G-14). Nothing happens unless a round is due.
    pub fn start_round<W: Witness>(&mut self, witness: &mut W) {
        if self.phase != Phase::BetweenRounds {
            return;
        }
        self.deal(witness);
        if self.phase == Phase::TurnUp && self.rules.set.deal.look != Look::Asked {
            self.turn_up(witness);
        }
    }

    /// Deals the next round, but does not turn up its first card.
    pub fn deal<W: Witness>(&mut self, witness: &mut W) {
        self.clear_table(witness);
        if self.rules.set.deal.by == DealtBy::Dealer {
            return self.begin_dealing();
        }
        // The discard pile is empty, so its place serves for shuffling.
        let mut deck = self.table.pile.lend();
        deck.extend_from_slice(&self.rules.deck);
        let dealt: usize = Seat::all(self.seats()).map(|seat| self.dealt_to(seat)).sum();
        // One more in front: the card to turn up.
        self.draw_pile.clear(self.seats());
        self.chance.stream(Purpose::Deal, 0).shuffle_front(&mut deck, dealt + 1);
        let mut seat = self.table.dealer;
        for card in &deck[..dealt] {
            seat = self.after(seat, 1);
            // A seat that has its cards is passed over (G-58).
            while usize::from(self.table.hands[seat.index()].len()) >= self.dealt_to(seat) {
                seat = self.after(seat, 1);
            }
            self.table.hands[seat.index()].add(*card);
        }
        self.draw_pile.fill(deck[dealt + 1..].iter().copied());
        self.draw_pile.put_on_top(deck[dealt..=dealt].iter().copied());
        self.table.pile.give_back(deck);
        for seat in Seat::all(self.seats()) {
            let hand = &self.table.hands[seat.index()];
            let (count, cards) = (hand.len(), witness.looks().then(|| hand.cards().collect()));
            let sealed = self.is_covered(seat);
            self.emit(witness, Event::Dealt { seat, count, cards, sealed });
        }
        self.phase = Phase::TurnUp;
        self.look_for_all(witness);
    }

    /// The cards that are dealt to `seat`.
    fn dealt_to(&self, seat: Seat) -> usize {
        if self.features.counts { self.rules_of(seat).deal_cards } else { self.rules.deal_cards }
    }

    /// The rules for the count of `seat`.
    fn rules_of(&self, seat: Seat) -> &Rules {
        let by_count = self.table_rules.at_count(self.points[seat.index()]);
        by_count.unwrap_or(&self.table_rules)
    }

    /// A new round begins with nothing on the table.
    pub(in crate::game) fn clear_table<W: Witness>(&mut self, witness: &mut W) {
        if self.round > 0 {
            self.table.dealer = self.next_dealer();
        }
        self.round += 1;
        self.chance.enter_round(self.round);
        self.round_winners = SeatSet::EMPTY;
        let carries = self.rules.set.deal.direction_carries && self.round > 1;
        // G-28
        let direction = if carries { self.table.seating.direction() } else { self.rules.set.deal.direction };
        self.table.begin_round(direction, self.looking_at_deal(), self.seats());
        self.forget_manners();
        self.wrong_card = WrongCard::default();
        self.note_round();
        self.emit(
            witness,
            Event::RoundStarted {
                round: self.round,
                dealer: self.table.dealer,
                direction: self.table.seating.direction(),
            },
        );
    }

    /// Turns up the first card (B-03, K-07). It is plain, or counts as just played by the dealer (B-39, K-08).
    pub fn turn_up<W: Witness>(&mut self, witness: &mut W) {
        if self.phase != Phase::TurnUp {
            return;
        }
        if let Some(card) = self.play_first_card(witness) {
            self.first_card_takes_effect(witness, card);
        }
    }

    /// The first card lies face up, and the round has begun; `None` if there is no card.
    pub(super) fn play_first_card<W: Witness>(&mut self, witness: &mut W) -> Option<Card> {
        self.look_for_all(witness);
        self.note_misdeal(witness, true);
        let dealer = self.table.dealer;
        self.deal_outstanding(witness);
        let card = self.first_card(dealer)?;
        self.phase = Phase::Play;
        self.table.pile.turn_up(card, &self.rules);
        self.give_turn(dealer);
        self.emit(witness, Event::TurnedUp { card });
        self.note_top();
        self.refill(witness);
        Some(card)
    }

    /// Carries out the effect of the first card as if the dealer had played it; the next seat moves.
    pub(super) fn first_card_takes_effect<W: Witness>(&mut self, witness: &mut W, card: Card) {
        let dealer = self.table.dealer;
        let first = PlayedCards {
            seat: dealer,
            kinds: CardSet::of(card),
            way: PlayWay::Turn,
            turn: self.table.turns,
            first: true,
        };
        self.table.pile.extend_run(PlayWay::Turn);
        let deal = &self.rules.set.deal;
        // G-51
        if deal.first_card == FirstCard::Plain && !deal.first_effects.0.contains(card) {
            return self.pass_turn::<false, _>(witness, 1);
        }
        let stays = deal.first_reverse == FirstReverse::Dealer && self.rules.faces[card.index()].only_reverses();
        if self.rules.chooses.contains(card) || self.requests(card).is_some() {
            if deal.first_names == FirstNames::FirstPlayer {
                self.pass_turn::<false, _>(witness, 1);
            }
            return self.ask_for_first_name(card);
        }
        self.table.pile.serve(None, self.rules.spoken.contains(card), &self.rules);
        if stays {
            // G-52
            self.reverse(witness);
            self.pass_turn::<false, _>(witness, 0);
        } else {
            self.run_effects(witness, dealer, card, PlayWay::Turn, None);
        }
        self.owe_calls(first);
    }

    /// The card to turn up: one that may not be turned up is shuffled back, unless there is no other.
    fn first_card(&mut self, dealer: Seat) -> Option<Card> {
        let barred = self.not_first();
        let mut card = self.draw_pile.draw(&self.chance, dealer)?;
        while barred.contains(card) && self.draw_pile.cards().any(|other| !barred.contains(other)) {
            self.draw_pile.shuffle_in(card);
            card = self.draw_pile.draw(&self.chance, dealer)?;
        }
        Some(card)
    }

    /// The cards that are not turned up first: those that are listed, and those of the count of any seat (G-58).
    fn not_first(&self) -> CardSet {
        let listed = self.rules.set.deal.not_first;
        let counted = Seat::all(self.seats()).filter(|_| listed.1).filter_map(|seat| {
            let count = u8::try_from(self.points[seat.index()]).ok()?;
            rank_of_count(count).map(CardSet::rank)
        });
        counted.fold(listed.0, CardSet::union)
    }

    /// Clears the round's record of the conduct of the seats (G-12).
    fn forget_manners(&mut self) {
        self.ledger.clear();
        self.dealing.begin();
        if let Some(conduct) = &mut self.conduct {
            **conduct = Default::default();
        }
        if let Some(pauses) = &mut self.pauses {
            **pauses = Default::default();
        }
    }

    /// The dealer of the next round (G-14, B-41, K-61).
    pub fn next_dealer(&self) -> Seat {
        let mut winners = self.round_winners.iter();
        match (self.rules.set.deal.next_dealer, winners.next(), winners.next()) {
            (NextDealer::Winner, Some(winner), None) => winner,
            (NextDealer::InDirection, ..) => self.table.dealer.step(self.table.seating.direction(), 1, self.seats()),
            _ => self.table.dealer.step(Direction::Clockwise, 1, self.seats()),
        }
    }

    /// A hand is empty: the round is won (B-04, B-35, B-43, K-39).
    pub(in crate::game) fn win_round<W: Witness>(&mut self, witness: &mut W, winner: Seat, last: Card, plain: bool) {
        let face = self.rules.faces[last.index()];
        if plain {
            return self.finish_round(witness, SeatSet::of(winner), RoundEnd::Won, 1);
        }
        if let (LastCardEffects::DrawFirst, Some(debt)) = (self.rules.set.ending.last_card_effects, face.owe) {
            let owed = self.owed_with(self.debt_answered(self.table.facing, debt), debt);
            if face.reverse {
                self.reverse(witness);
            }
            let victim = self.after(winner, 1);
            self.draw_cards(witness, victim, owed, DrawReason::Owed);
        }
        self.finish_round(witness, SeatSet::of(winner), RoundEnd::Won, i32::from(face.multiplies));
    }

    /// Shows and counts the hands, and ends the match after its last round (K-45, K-49, B-43).
    pub(in crate::game) fn finish_round<W: Witness>(
        &mut self,
        witness: &mut W,
        winners: SeatSet,
        end: RoundEnd,
        times: i32,
    ) {
        self.round_winners = winners;
        self.emit(witness, Event::RoundOver { winners, end });
        let chips = self.settle_chips(winners);
        let collected = match self.rules.decides() {
            Decides::MostPoints => self.collected(winners, times),
            _ => 0,
        };
        for seat in Seat::all(self.seats()) {
            let hand = || self.table.hands[seat.index()].cards().chain(self.table.sealed.of(seat).cards());
            let value = || self.value_held(seat);
            let hand: Box<[Card]> = if witness.looks() { hand().collect() } else { Box::default() };
            let points = match self.rules.decides() {
                Decides::MostChips => chips[seat.index()],
                Decides::MostPoints => {
                    if winners.contains(seat) {
                        collected
                    } else {
                        0
                    }
                }
                Decides::Count => self.count_won(winners.contains(seat)),
                // G-46: the lowest hand is not empty, and counts like the others.
                _ if winners.contains(seat) && end != RoundEnd::Blocked => 0,
                _ => value() * times,
            };
            self.points[seat.index()] = self.points[seat.index()].saturating_add(points);
            self.wins[seat.index()] += u32::from(winners.contains(seat));
            if winners.is_empty() {
                let left = if self.rules.counts_points() { self.value_held(seat) } else { i32::from(self.held(seat)) };
                self.left_over[seat.index()] = self.left_over[seat.index()].saturating_add(left);
            }
            let total = self.points[seat.index()];
            self.emit(witness, Event::Scored { seat, hand, points, total });
        }
        self.unwon += u32::from(winners.is_empty());
        self.turns_before = self.turns_before.saturating_add(self.table.turns + self.table.further_draws);
        self.phase = Phase::BetweenRounds;
        self.note_turn();
        if self.is_last_round() {
            self.phase = Phase::MatchOver;
            let winners = self.leaders();
            self.emit(witness, Event::MatchOver { winners });
        } else if self.menu.is_some() {
            self.offer_rules(witness, winners);
        }
    }

    /// A round in which nobody can do anything any more is over: nobody wins it, or the lowest hand (G-46).
    #[cold]
    pub(in crate::game) fn finish_blocked<W: Witness>(&mut self, witness: &mut W) {
        let first_out = self.table.places.winner();
        let winners = match (self.rules.set.ending.blocked, self.were_seen_lowest()) {
            _ if !first_out.is_empty() => first_out,
            (Blocked::Nobody, _) => SeatSet::EMPTY,
            (Blocked::Lowest, Some(seen)) => seen,
            (Blocked::Lowest, None) if self.rules.counts_points() => self.first_by(|seat| -self.value_held(seat)),
            (Blocked::Lowest, None) => self.first_by(|seat| std::cmp::Reverse(self.held(seat))),
        };
        self.finish_round(witness, winners, RoundEnd::Blocked, self.table.places.times());
    }

    /// What each of `winners` collects: its share of the points by which other hands exceed its own (G-45, G-46).
    fn collected(&self, winners: SeatSet, times: i32) -> i32 {
        let Some(winner) = winners.iter().next() else { return 0 };
        let own = self.value_held(winner);
        let others = Seat::all(self.seats()).filter(|seat| !winners.contains(*seat));
        others.map(|seat| self.value_held(seat) - own).sum::<i32>() * times / winners.len() as i32
    }

    /// What a round adds to the count of a seat (G-57).
    fn count_won(&self, has_won: bool) -> i32 {
        self.rules.set.count.as_ref().filter(|_| has_won).map_or(0, |count| i32::from(count.on_win))
    }

    /// The points of the cards that `seat` holds, sealed ones included.
    fn value_held(&self, seat: Seat) -> i32 {
        self.value(&self.table.hands[seat.index()]) + self.value(self.table.sealed.of(seat))
    }

    /// The points of the cards in `hand`.
    fn value(&self, hand: &Hand) -> i32 {
        let points = |card: Card| i32::from(self.rules.faces[card.index()].points) * i32::from(hand.copies(card));
        hand.kinds().iter().map(points).sum()
    }

    /// The chips that each seat gains or pays: one for each card left, to the winner (D-12, D-15).
    fn settle_chips(&self, winners: SeatSet) -> [i32; MAX_SEATS] {
        let mut gains = [0; MAX_SEATS];
        let (Decides::MostChips, Some(winner)) = (self.rules.decides(), winners.iter().next()) else { return gains };
        for seat in Seat::all(self.seats()).filter(|seat| *seat != winner) {
            let owed = i32::from(self.hand(seat).len());
            let paid = match self.rules.set.scoring.debt {
                ChipDebt::None => owed.min(self.points[seat.index()]),
                ChipDebt::Negative => owed,
            };
            gains[seat.index()] = -paid;
            gains[winner.index()] += paid;
        }
        gains
    }

    /// Whether the match ends here: after the agreed rounds, with a seat without chips (D-13, D-14, D-15, D-16, G-15), with one
    /// that has reached the target (G-29), or because it has lasted too long (G-82).
    fn is_last_round(&self) -> bool {
        let scoring = &self.rules.set.scoring;
        let broke = |chips: &i32| match scoring.debt {
            ChipDebt::None => *chips <= 0,
            ChipDebt::Negative => *chips < 0,
        };
        if scoring.decides == Decides::MostChips && self.points.iter().any(broke) {
            return true;
        }
        let most = MAX_ROUNDS.min(self.rules.rounds.saturating_add(MAX_EXTRA_ROUNDS));
        let tied = scoring.tie == Tie::ExtraRound && self.shares_the_lead() && self.round < most;
        self.has_lasted_too_long() || ((self.round >= self.rules.rounds || self.has_reached_target()) && !tied)
    }

    /// Whether a match whose number of rounds is open has had so many turns that no further round begins (G-82).
    pub fn has_lasted_too_long(&self) -> bool {
        let is_open =
            self.rules.rounds == MAX_ROUNDS && (self.rules.target.is_some() || self.rules.set.count.is_some());
        is_open && self.turns_before > self.rules.set.turn.match_cap()
    }

    /// Whether a seat has as much of what decides the match as ends it: points, rounds won or chips (G-29).
    fn has_reached_target(&self) -> bool {
        if let Some(count) = &self.rules.set.count {
            return self.points.contains(&i32::from(count.match_at));
        }
        let Some(target) = self.rules.target else { return false };
        let counted = |seat| match self.rules.decides() {
            Decides::FewestPoints => -self.standing(seat),
            Decides::RoundsWon | Decides::MostChips | Decides::MostPoints | Decides::Count => self.standing(seat),
        };
        Seat::all(self.seats()).any(|seat| counted(seat) >= target)
    }

    /// The seats that share first place at present (G-15); none in a match whose rounds no seat has won (G-23).
    pub fn leaders(&self) -> SeatSet {
        if self.unwon > 0 && self.unwon == self.round {
            return SeatSet::EMPTY;
        }
        self.first_by(|seat| self.ranking(seat))
    }

    /// Whether several seats have the best standing (D-16).
    fn shares_the_lead(&self) -> bool {
        self.first_by(|seat| self.standing(seat)).len() > 1
    }

    /// The seats whose `rank` is the highest.
    fn first_by<R: Ord>(&self, rank: impl Fn(Seat) -> R) -> SeatSet {
        let mut first: Option<(R, SeatSet)> = None;
        for seat in Seat::all(self.seats()) {
            let rank = rank(seat);
            match &mut first {
                Some((highest, _)) if rank < *highest => {}
                Some((highest, seats)) if rank == *highest => seats.insert(seat),
                _ => first = Some((rank, SeatSet::of(seat))),
            }
        }
        first.map_or(SeatSet::EMPTY, |(_, seats)| seats)
    }

    /// The rank of a seat in the match; a higher one is better: its standing, then what it held at the end of rounds that no
    /// seat has won (G-23).
    pub fn ranking(&self, seat: Seat) -> (i64, i64) {
        (self.standing(seat), -i64::from(self.left_over[seat.index()]))
    }

    /// What decides the match, as a number for a seat; a higher one is better (K-47, K-48, B-43).
    pub fn standing(&self, seat: Seat) -> i64 {
        match self.rules.decides() {
            Decides::RoundsWon => i64::from(self.wins[seat.index()]),
            Decides::FewestPoints => -i64::from(self.points[seat.index()]),
            Decides::MostChips | Decides::MostPoints => i64::from(self.points[seat.index()]),
            Decides::Count => {
                let on_win = self.rules.set.count.as_ref().map_or(1, |count| i64::from(count.on_win));
                i64::from(self.points[seat.index()]) * on_win.signum()
            }
        }
    }
}
