//! Which actions each seat has now. It only reads the position and charges nothing; `selftest` checks that exactly the
//! listed actions are accepted.

use maumau_protocol::ruleset::Again;
use maumau_protocol::{Card, CardSet, Reach, Seat, SeatSet};

use crate::game::legal::{DealLeft, Legal, RareActions, StandIns};
use crate::game::{Facing, Game, Phase};

impl Game {
    /// The actions that `seat` has now.
    // The usual turn is inlined, so that its actions stay in registers.
    #[inline(always)]
    pub fn legal(&self, seat: Seat) -> Legal<'_> {
        let plain = if self.is_plain { self.legal_by_fit::<true>(seat) } else { None };
        plain.unwrap_or_else(|| self.legal_otherwise(seat))
    }

    /// As [`Game::legal`], if the rules are not plain or fit alone does not decide.
    #[inline(never)]
    fn legal_otherwise(&self, seat: Seat) -> Legal<'_> {
        let by_fit = !self.is_plain && self.judges_by_fit;
        let legal = if by_fit { self.legal_by_fit::<false>(seat) } else { None };
        legal.unwrap_or_else(|| self.legal_in_any_case(seat))
    }

    /// As [`Game::legal`], for most turns by most rules: the seat to move plays a card that fits or answers, draws or
    /// passes.
    #[inline(always)]
    fn legal_by_fit<const PLAIN: bool>(&self, seat: Seat) -> Option<Legal<'_>> {
        let (rules, table, hand) = (&*self.rules, &self.table, self.hand(seat));
        let in_turn = self.phase == Phase::Play && seat == table.seating.turn();
        let any_card = !rules.bars_last || hand.len() > 1;
        if !(in_turn && any_card) || (self.features::<PLAIN>().requests && table.request.stands()) {
            return None;
        }
        if matches!(table.facing, Facing::Again(Again { must: true, .. }) | Facing::Naming | Facing::Race { .. })
            || (self.features::<PLAIN>().movements && self.reached(seat).is_some())
            || (self.features::<PLAIN>().stand_ins && !hand.kinds().intersect(rules.stand_ins).is_empty())
        {
            return None;
        }
        let (draw, pass) = self.may_draw_or_pass::<PLAIN>(seat);
        let plays = self.allowed_cards().intersect(hand.kinds());
        let naming = plays.intersect(rules.naming);
        if !naming.intersect(rules.demanding).is_empty() {
            return None;
        }
        // Built in one expression from parts in registers: a value that is written in parts and then moved waits for them.
        let silent = plays.without(naming.intersect(rules.must_choose));
        let with_suit = naming.intersect(rules.chooses);
        Some(Legal { plays, silent, with_suit, draw, pass, rare: None })
    }

    /// As [`Game::legal`], by any rules and at any time.
    #[inline(never)]
    fn legal_in_any_case(&self, seat: Seat) -> Legal<'_> {
        if self.rests() || !self.has_looked(seat) {
            return self.legal_apart(seat);
        }
        if self.phase == Phase::Play && seat == self.table.seating.turn() {
            return self.legal_in_turn(seat);
        }
        match self.phase {
            Phase::Deal => self.legal_deal(seat),
            Phase::TurnUp => self.legal_turn_up(seat),
            Phase::Play => self.legal_between_turns(seat),
            Phase::ChooseRule => self.legal_rules(seat),
            Phase::BetweenRounds | Phase::MatchOver => Legal::default(),
        }
    }

    fn legal_in_turn(&self, seat: Seat) -> Legal<'_> {
        let (plays, draw) = self.unflinching(seat, self.playable(seat), self.may_draw::<false>(seat));
        let plays = plays.union(self.twins_of(seat));
        let is_rare = self.features.stand_ins || self.table.facing == Facing::Naming || !self.table.takes.is_empty();
        if is_rare || self.challenger().is_some() {
            return self.legal_in_rare_turn(seat, plays, draw);
        }
        self.plays(seat, plays, draw, self.may_pass())
    }

    /// As [`Game::legal_in_turn`], where more may be done than play, draw or pass.
    #[cold]
    #[inline(never)]
    fn legal_in_rare_turn(&self, seat: Seat, plays: CardSet, draw: bool) -> Legal<'_> {
        let mut legal = self.plays(seat, plays, draw, self.may_pass());
        if self.features.stand_ins {
            self.add_stand_ins(seat, &mut legal);
        }
        if self.table.facing == Facing::Naming {
            let (name, barred) = (self.waits_for_name(), self.table.barred_suits.suits());
            let ranks = self.rules.requestable;
            legal.rare = Some(RareActions { name, ranks, barred, ..legal.rare.unwrap_or_default() });
        }
        if self.challenger().is_some() {
            legal.rare = Some(RareActions { challenge: true, ..legal.rare.unwrap_or_default() });
        }
        if !self.table.takes.is_empty() {
            self.add_takes(seat, &mut legal);
        }
        legal
    }

    /// Of `plays` and a draw, what ends the movement that `seat` has begun, if it can be ended: anything else is a flinch
    /// (P-78).
    fn unflinching(&self, seat: Seat, plays: CardSet, draw: bool) -> (CardSet, bool) {
        match self.reached(seat) {
            Some(Reach::Draw) if draw => (CardSet::EMPTY, true),
            Some(Reach::Play) if !plays.is_empty() => (plays, false),
            _ => (plays, draw),
        }
    }

    fn legal_turn_up(&self, seat: Seat) -> Legal<'_> {
        let deal_penalties = self.owes_penalty_deal(seat);
        let turn_up = seat == self.table.dealer && !deal_penalties;
        Legal::only(RareActions { deal_penalties, turn_up, ..RareActions::default() })
    }

    /// The rules that `seat` may add (G-74).
    fn legal_rules(&self, seat: Seat) -> Legal<'_> {
        let rule = self.rule_choice().filter(|due| due.by == seat);
        Legal::only(RareActions { rule, ..RareActions::default() })
    }

    /// While play rests, or before the seat has looked at its cards (P-05, P-96). A draw out of turn, which is its own
    /// penalty where it is possible, is never listed (P-75).
    fn legal_apart(&self, seat: Seat) -> Legal<'_> {
        let in_round = matches!(self.phase, Phase::Deal | Phase::TurnUp | Phase::Play);
        let covered = in_round && !self.is_paused() && !self.has_looked(seat);
        let dealer_first = seat == self.table.dealer || self.has_looked(self.table.dealer);
        let dealt = self.phase != Phase::Deal || self.dealing_is_complete();
        let moves = match self.phase {
            _ if self.rests() => Legal::default(),
            Phase::Deal => self.legal_deal(seat),
            Phase::TurnUp => self.legal_turn_up(seat),
            Phase::Play if seat == self.table.seating.turn() => {
                Legal { draw: self.may_draw::<false>(seat), ..Legal::default() }
            }
            Phase::Play => Legal { draw: self.is_racing(seat), ..Legal::default() },
            Phase::ChooseRule => self.legal_rules(seat),
            Phase::BetweenRounds | Phase::MatchOver => Legal::default(),
        };
        let look = covered && dealer_first && dealt && !self.hand(seat).is_empty();
        let end_point_of_order = self.point_of_order() == Some(seat);
        let rare = RareActions { look, end_point_of_order, ..moves.rare.unwrap_or_default() };
        Legal { rare: Some(rare), ..moves }
    }

    /// Adds the cards that `seat` may play as others.
    fn add_stand_ins(&self, seat: Seat, legal: &mut Legal) {
        let cards = self.playable_stand_ins(seat);
        let Some(card) = cards.iter().next() else { return };
        // What one of them may stand for, each may.
        let Legal { plays, silent, with_suit, rare, .. } =
            self.plays(seat, self.may_stand_for(seat, card), false, false);
        let named = rare.unwrap_or_default();
        let (with_rank, with_seat) = (named.with_rank, named.with_seat);
        let stand_ins = Some(StandIns { cards, plays, silent, with_suit, with_rank, with_seat });
        let (ranks, seats) = (self.rules.requestable, named.seats);
        legal.rare = Some(match legal.rare {
            Some(rare) => RareActions { stand_ins, seats: rare.seats.union(seats), ..rare },
            None => RareActions { stand_ins, ranks, seats, ..RareActions::default() },
        });
    }

    /// Adds the hands from which `seat` must take a card.
    #[cold]
    fn add_takes(&self, seat: Seat, legal: &mut Legal) {
        legal.rare = Some(RareActions { takes: self.table.takes.of(seat), ..legal.rare.unwrap_or_default() });
    }

    fn legal_deal(&self, seat: Seat) -> Legal<'_> {
        if seat != self.dealing_seat() {
            return Legal::default();
        }
        let (dealt, all) = (self.dealt_cards(), self.rules.deal_cards * self.seats());
        let (dealer, direction, seats) = (seat, self.table.seating.direction(), self.seats() as u16);
        let only = SeatSet::EMPTY;
        let left = DealLeft { dealer, direction, seats, dealt: dealt as u16, all: all as u16, only };
        // A dealer that has left a seat without a card can at least give it one.
        let lacking = self.without_card(&[]);
        let mending = (self.deals_freely() && !lacking.is_empty()).then_some(DealLeft { only: lacking, ..left });
        let mut deals = (dealt < all).then_some(left).into_iter().chain(mending);
        let deal = deals.find(|left| self.may_deal(seat, &left.receivers()));
        let deal_penalties = self.owes_penalty_deal(seat);
        // In a fixed deal this is a mistake while anything is left to deal (N-110, N-119).
        let finished = self.deals_freely() || (deal.is_none() && !deal_penalties);
        let turn_up = dealt > 0 && self.dealing_is_complete() && finished;
        Legal::only(RareActions { deal, deal_penalties, turn_up, ..RareActions::default() })
    }

    /// Free cards in the hand of `seat`, which any seat may play at any time.
    fn free_plays(&self, seat: Seat) -> CardSet {
        let held = self.hand(seat).kinds().intersect(self.rules.free);
        if held.is_empty() || self.table.facing == Facing::Naming {
            return CardSet::EMPTY;
        }
        held.iter().filter(|card| self.is_free(*card)).collect()
    }

    /// Whether the seat to move may play a card.
    pub(in crate::game) fn can_play(&self, seat: Seat) -> bool {
        !self.playable(seat).is_empty() || !self.playable_stand_ins(seat).is_empty()
    }

    /// The cards in the hand of the seat to move that it may play by themselves.
    #[inline]
    pub(in crate::game) fn playable(&self, seat: Seat) -> CardSet {
        let held = self.hand(seat).kinds();
        let mut plays = self.allowed_cards().intersect(held).without(self.rules.stand_ins);
        if self.judges_by_fit {
            return self.without_barred(seat, plays);
        }
        if !plays.intersect(self.rules.choosy).is_empty() {
            plays = plays.iter().filter(|card| !self.is_barred_here(*card)).collect();
        }
        if !self.may_play_while_closing(seat) {
            plays = CardSet::EMPTY;
        }
        plays = self.without_barred(seat, plays);
        if self.rules.free.is_empty() { plays } else { plays.union(self.free_plays(seat)) }
    }

    #[inline(always)]
    pub(in crate::game) fn without_barred(&self, seat: Seat, plays: CardSet) -> CardSet {
        if !self.rules.bars_last || self.hand(seat).len() > 1 { plays } else { self.last_of(seat, plays) }
    }

    /// Those of `plays` that may be the last card.
    #[inline(never)]
    fn last_of(&self, seat: Seat, plays: CardSet) -> CardSet {
        // Under option `mau_any_time` the last card may be played if the word goes with it, so it is listed (K-43).
        let word = self.rules.mau.as_ref().is_some_and(|mau| mau.any_time);
        plays.iter().filter(|card| self.may_be_last(seat, *card, word)).collect()
    }

    fn legal_between_turns(&self, seat: Seat) -> Legal<'_> {
        if self.is_racing(seat) {
            let any = self.without_barred(seat, self.hand(seat).kinds());
            let (plays, draw) = self.unflinching(seat, any, true);
            return self.plays(seat, plays.union(self.twins_of(seat)), draw, false);
        }
        if !self.features.react() {
            return Legal::default();
        }
        if !self.rules.out_of_turn.is_empty() && self.open_between_turns() {
            let held = self.hand(seat).kinds().intersect(self.rules.out_of_turn);
            return self.plays(seat, self.without_barred(seat, held), false, false);
        }
        let threatened = self.table.threat.victim() == Some(seat);
        let answers = self.answers_of(seat).intersect(self.hand(seat).kinds());
        let plays = answers.union(self.free_plays(seat)).union(self.twins_of(seat));
        let mut legal = self.plays(seat, plays, false, threatened);
        if !self.table.takes.is_empty() {
            self.add_takes(seat, &mut legal);
        }
        legal
    }

    /// The twin of the top card in the hand of `seat`, which may be played at any time; in the seat's own turn, with its word
    /// if it could not be played otherwise (P-41, P-47), and not where there is no such word (G-65).
    fn twins_of(&self, seat: Seat) -> CardSet {
        if !self.features.interjections {
            return CardSet::EMPTY;
        }
        let Some(card) = self.top().filter(|card| self.hand(seat).kinds().contains(*card) && self.is_twin(*card))
        else {
            return CardSet::EMPTY;
        };
        let in_turn = seat == self.table.seating.turn();
        if in_turn && !self.interjects_with_words() {
            CardSet::EMPTY
        } else {
            self.without_barred(seat, CardSet::of(card))
        }
    }

    /// Splits `plays` by what must be named with them: some demand a value, a suit of all seats, or a new suit, which is
    /// neither their own nor that of the card they would lie on (N-54).
    #[inline(always)]
    pub(super) fn plays(&self, seat: Seat, plays: CardSet, draw: bool, pass: bool) -> Legal<'_> {
        let naming = plays.intersect(self.rules.naming);
        match naming.is_empty() {
            true => Legal { plays, silent: plays, with_suit: naming, draw, pass, rare: None },
            false => self.plays_naming(seat, plays, naming, draw, pass),
        }
    }

    /// As [`Game::plays`], of which something may be named with those of `naming`.
    #[inline(never)]
    fn plays_naming(&self, seat: Seat, plays: CardSet, naming: CardSet, draw: bool, pass: bool) -> Legal<'_> {
        // A card that serves a request names nothing, nor does one that is powerless under it.
        let bound = self.table.request.serving();
        let bound = if self.table.request.stands() { bound.union(self.powerless()) } else { bound };
        let naming = naming.without(bound);
        let silent = plays.without(naming.intersect(self.rules.must_choose));
        let with_suit = naming.intersect(self.rules.chooses.union(self.rules.spoken));
        if naming.intersect(self.rules.demanding).is_empty() {
            return Legal { plays, silent, with_suit, draw, pass, rare: None };
        }
        let new_suit = naming.intersect(self.rules.new_suit);
        let with_rank = naming.intersect(self.rules.request_ranks);
        let requesting = naming.intersect(self.rules.request_suits);
        let with_seat = naming.intersect(self.rules.chooses_seat);
        let seats = if with_seat.is_empty() { SeatSet::EMPTY } else { self.may_be_chosen(seat) };
        let barred = match self.waits_for_name() {
            _ if new_suit.is_empty() => [None, None],
            Some(_) => self.table.barred_suits.suits(),
            None => [self.visible_top().and_then(Card::suit), None],
        };
        let bound = with_rank.union(requesting).without(self.rules.may_decline);
        Legal {
            plays,
            silent: silent.without(new_suit).without(bound).without(with_seat),
            with_suit: with_suit.union(requesting),
            draw,
            pass,
            rare: Some(RareActions {
                new_suit,
                with_rank,
                barred,
                ranks: self.rules.requestable,
                with_seat,
                seats,
                ..RareActions::default()
            }),
        }
    }

    /// Whether `seat` can do something although it is not to move; such seats are also asked
    /// (ARCHITECTURE.md#order-and-time).
    pub fn may_react(&self, seat: Seat) -> bool {
        self.turn().is_some_and(|turn| turn != seat) && !self.legal(seat).is_empty()
    }

    /// Whether by these rules only the seat to move ever acts, and no seat owes words but those said with its action: then
    /// [`Game::legal`] is empty for all other seats.
    #[inline]
    pub fn acts_in_turn_only(&self) -> bool {
        self.is_plain
    }

    /// The seat that must act before anything else can happen.
    pub fn waits_for(&self) -> Option<Seat> {
        match self.phase {
            Phase::Play => Some(self.table.seating.turn()),
            Phase::TurnUp => Some(self.table.dealer),
            Phase::Deal => Some(self.dealing_seat()),
            Phase::ChooseRule => self.rule_choice().map(|due| due.by),
            Phase::BetweenRounds | Phase::MatchOver => None,
        }
    }
}
