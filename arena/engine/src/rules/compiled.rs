//! A rule set compiled for one table: every question that a turn asks is a table look-up. `check` has already made sure
//! that the set makes sense. It knows no game in progress. It is made once for each table and never changed.

use std::sync::Arc;

use maumau_protocol::limits::MAX_ROUNDS;
use maumau_protocol::ruleset::{
    AfterDraw, ChooseSuit, Count, Decides, Effect, EndingAt, GoesOn, HandsMove, Illegal, Look, LostBy, Mau, MauDue,
    MauMissing, MayDraw, Named, RuleSet, SaidDuty, Shortage,
};
use maumau_protocol::{Card, CardSet, MAX_SEATS, Pack, Rank};

use super::active_effects::holds;
use super::face::{Debt, Face, LostTurn};
use super::features::Features;
use super::together::SeveralAtOnce;
use crate::speech::Phrases;

/// Rules for one table. Made once; nothing later asks again whether they make sense.
#[derive(Clone, Debug)]
pub struct Rules {
    pub(crate) set: Arc<RuleSet>,
    pub(crate) seats: usize,
    pub(crate) rounds: u32,
    /// Every card of the deck, one entry per copy.
    pub(crate) deck: Vec<Card>,
    pub(crate) deal_cards: usize,
    pub(crate) faces: [Face; Card::PLACES],
    /// For each top card, the cards that fit by suit or value, or at any time.
    pub(crate) fits: [CardSet; Card::PLACES],
    /// For each top card, the cards that fit whatever suit is named for it.
    pub(crate) also_fits: [CardSet; Card::PLACES],
    /// Cards whose suit is stated in words.
    pub(crate) spoken: CardSet,
    /// Cards whose twin may be played at any time.
    pub(crate) interject: CardSet,
    /// Cards called by name when they are played, so that rank and suit together state no suit (P-29).
    pub(crate) calls_itself: CardSet,
    /// The words owed with cards at this table, and the phrases that fulfil them.
    pub(crate) duties: Vec<SaidDuty>,
    pub(crate) phrases: Phrases,
    pub(crate) any_time: CardSet,
    pub(crate) out_of_turn: CardSet,
    pub(crate) never_last: CardSet,
    pub(crate) chooses: CardSet,
    pub(crate) must_choose: CardSet,
    /// Cards with which a new suit must be named, possibly later.
    pub(crate) new_suit: CardSet,
    /// Cards that are treated as absent.
    pub(crate) transparent: CardSet,
    /// Cards with which hands go from seat to seat (G-44).
    pub(crate) moves_hands: CardSet,
    /// Cards that are free on some others.
    pub(crate) free: CardSet,
    /// Cards that may not be played on some others.
    pub(crate) choosy: CardSet,
    /// Cards without a suit that open runs of one (G-73).
    pub(crate) openers: CardSet,
    /// Cards that stand for others, and the cards for which they can stand (G-79).
    pub(crate) stand_ins: CardSet,
    pub(crate) stands_for: CardSet,
    /// Cards after which not simply what is printed on them counts.
    pub(crate) suit_apart: CardSet,
    /// Cards that are allowed only without a suit, and those of them that nobody can challenge (G-67).
    pub(crate) only_without: CardSet,
    pub(crate) enforced: CardSet,
    /// Cards that request a value, and cards that request a suit.
    pub(crate) request_ranks: CardSet,
    pub(crate) request_suits: CardSet,
    /// Cards that request a value or suit only if their player likes.
    pub(crate) may_decline: CardSet,
    /// The cards whose values can be requested.
    pub(crate) requestable: CardSet,
    /// Cards with which a seat must be chosen (G-59).
    pub(crate) chooses_seat: CardSet,
    /// Cards with which something may or must be named; and those that demand a value, a suit of all seats or a new suit.
    pub(crate) naming: CardSet,
    pub(crate) demanding: CardSet,
    /// The kinds of cards in the deck.
    pub(crate) kinds: CardSet,
    pub(crate) debts: Vec<Debt>,
    /// The ways to play several cards at once.
    pub(crate) together: Vec<SeveralAtOnce>,
    pub(crate) skips: Vec<LostTurn>,
    pub(crate) mau: Option<Mau>,
    /// Whether some card, or some hand, may not be the last.
    pub(crate) bars_last: bool,
    /// The families of rules that have an effect at this table.
    pub(crate) features: Features,
    /// Whether the warning of the last card is owed at the end of a turn.
    pub(crate) mau_at_turn_end: bool,
    /// Whether the warning of the last card costs something if it is said with more cards in hand.
    pub(crate) false_mau_costs: bool,
    /// Whether after a draw only the card just drawn may be played.
    pub(crate) plays_drawn_only: bool,
    /// Cards that can be drawn in a turn; the largest number where there is no limit (G-56).
    pub(crate) draws: u8,
    /// Whether a seat that can play a card may have to (G-53, G-54).
    pub(crate) must_play: bool,
    /// These rules for seats of each count, by the counts that are played, where something depends on it (G-58).
    by_count: Vec<(i32, Arc<Rules>)>,
    /// What ends the match once a seat has as much of what decides it (G-29).
    pub(crate) target: Option<i64>,
    /// Whether a seat can ever pass, and whether a card can order a seat to take one.
    pub(crate) passes: bool,
    pub(crate) takes: bool,
    /// The turn after which a round is over, the number of cards played after which it is over, and the passes in a row with
    /// nothing left to draw; the largest number where the rules set no limit.
    pub(crate) turn_cap: u32,
    pub(crate) played_cap: u32,
    pub(crate) blocked_at: u32,
}

/// A table that this rule set does not provide for.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct TableError(pub String);

impl Rules {
    /// Makes `set` ready for a table of `seats`; `rounds` overrides the rule set's own number.
    ///
    /// # Errors
    /// Says what the rule set does not provide for: this number of seats, a deal that its deck cannot serve, or a match of
    /// this many rounds.
    pub fn for_table(set: &Arc<RuleSet>, seats: usize, rounds: Option<u32>) -> Result<Rules, TableError> {
        let counts = set.count.as_ref().filter(|_| set.depends_on_count()).map(Count::played).unwrap_or_default();
        let Some(highest) = counts.iter().max() else { return Rules::by_one_count(set, seats, rounds) };
        let at = |count: u8| {
            let rules = Rules::by_one_count(&Arc::new(set.at_count(count)), seats, rounds)?;
            let features = Features { counts: true, ..rules.features };
            Ok(Rules { set: Arc::clone(set), features, ..rules })
        };
        // No seat is dealt more cards than one of the highest count.
        let mut rules = at(*highest)?;
        for count in counts {
            rules.by_count.push((i32::from(count), Arc::new(at(count)?)));
        }
        Ok(rules)
    }

    /// As [`Rules::for_table`], where nothing depends on the count of a seat.
    fn by_one_count(set: &Arc<RuleSet>, seats: usize, rounds: Option<u32>) -> Result<Rules, TableError> {
        let refuse = |message: String| Err(TableError(format!("{}: {message}", set.name)));
        let (min, max) = (set.seats.min as usize, (set.seats.max as usize).min(MAX_SEATS));
        if !(min..=max).contains(&seats) {
            return refuse(format!("{seats} seat{}; {min} to {max} can play", if seats == 1 { "" } else { "s" }));
        }
        let Some(deck) = set.deck.list(seats) else {
            return refuse(format!("there is no deck for {seats} seats (deck.cards and deck.packs)"));
        };
        let Some(deal_cards) = set.deal.cards.get(seats).map(|cards| *cards as usize) else {
            return refuse(format!("its deal is not defined for {seats} seats"));
        };
        if deal_cards * seats + 1 > deck.len() {
            return refuse(format!(
                "{} cards are too few to deal {deal_cards} to each of {seats} seats and turn one up",
                deck.len()
            ));
        }
        let left = deck.len() - deal_cards * seats - 1;
        if left < set.deal.leave_each as usize * seats {
            return refuse(format!("{left} cards would be left to draw, too few for {seats} seats"));
        }
        // G-29: without a number of its own, a match lasts until somebody has reached the target.
        let rounds = rounds.unwrap_or(if set.scoring.rounds == 0 { MAX_ROUNDS } else { set.scoring.rounds });
        if !(1..=MAX_ROUNDS).contains(&rounds) {
            return refuse(format!("{rounds} rounds; a match has 1 to {MAX_ROUNDS}"));
        }
        let mut rules = Rules {
            set: Arc::clone(set),
            seats,
            rounds,
            deck: deck.clone(),
            deal_cards,
            faces: [Face::PLAIN; Card::PLACES],
            fits: [CardSet::EMPTY; Card::PLACES],
            also_fits: [CardSet::EMPTY; Card::PLACES],
            spoken: CardSet::EMPTY,
            interject: CardSet::EMPTY,
            calls_itself: CardSet::EMPTY,
            duties: Vec::new(),
            phrases: Phrases::default(),
            any_time: CardSet::EMPTY,
            out_of_turn: CardSet::EMPTY,
            never_last: CardSet::EMPTY,
            chooses: CardSet::EMPTY,
            new_suit: CardSet::EMPTY,
            must_choose: CardSet::EMPTY,
            transparent: CardSet::EMPTY,
            moves_hands: CardSet::EMPTY,
            free: CardSet::EMPTY,
            choosy: CardSet::EMPTY,
            openers: CardSet::EMPTY,
            stand_ins: CardSet::EMPTY,
            stands_for: CardSet::EMPTY,
            suit_apart: CardSet::EMPTY,
            only_without: CardSet::EMPTY,
            enforced: CardSet::EMPTY,
            request_ranks: CardSet::EMPTY,
            request_suits: CardSet::EMPTY,
            may_decline: CardSet::EMPTY,
            requestable: deck.iter().copied().collect::<CardSet>().in_pack(set.deck.pack),
            chooses_seat: CardSet::EMPTY,
            naming: CardSet::EMPTY,
            demanding: CardSet::EMPTY,
            kinds: deck.iter().copied().collect::<CardSet>().in_pack(set.deck.pack),
            debts: Vec::new(),
            together: Vec::new(),
            skips: Vec::new(),
            mau: set.duties.mau.clone(),
            bars_last: false,
            features: Features::default(),
            mau_at_turn_end: set
                .duties
                .mau
                .as_ref()
                .is_some_and(|mau| mau.if_missing != MauMissing::BarsLastCard && mau.due == MauDue::NextTurn),
            false_mau_costs: set.duties.mau.as_ref().is_some_and(|mau| mau.false_costs > 0),
            plays_drawn_only: matches!(set.turn.after_draw, AfterDraw::DrawnCard | AfterDraw::DrawnCardMust),
            draws: if set.turn.draws == 0 { u8::MAX } else { set.turn.draws },
            must_play: set.turn.may_draw == MayDraw::Unable || set.turn.after_draw == AfterDraw::DrawnCardMust,
            by_count: Vec::new(),
            target: set
                .scoring
                .target
                .as_ref()
                .and_then(|target| target.get(seats))
                .filter(|target| **target > 0)
                .map(|target| i64::from(*target)),
            passes: false,
            takes: false,
            turn_cap: set.turn.cap,
            played_cap: set.turn.cards_cap.unwrap_or(u32::MAX),
            blocked_at: set.ending.blocked_after.map_or(u32::MAX, |again| seats as u32 + u32::from(again)),
        };
        for card in set.deck.pack.cards().iter() {
            rules.fits[card.index()] = match (card.rank(), card.suit()) {
                (Some(rank), Some(suit)) => CardSet::rank(rank).union(CardSet::suit(suit)),
                _ => CardSet::ALL,
            };
            rules.faces[card.index()].points = set.scoring.points_of(card);
        }
        set.effects.values().filter(|effect| holds(effect, seats as u8)).for_each(|effect| rules.add(effect));
        let ways = set.together.values().filter(|together| !together.off && !together.cards.is_empty());
        rules.together = ways.map(|together| SeveralAtOnce::new(together, rules.kinds)).collect();
        rules.add_speech();
        rules.also_fits.iter_mut().for_each(|fits| *fits = fits.union(rules.any_time));
        for (fits, also) in rules.fits.iter_mut().zip(&rules.also_fits) {
            *fits = fits.union(*also);
        }
        // G-69
        for effect in set.effects.values().filter(|effect| holds(effect, seats as u8) && !effect.followed_by.is_empty())
        {
            for card in effect.cards.0.iter() {
                for fits in [&mut rules.fits[card.index()], &mut rules.also_fits[card.index()]] {
                    *fits = fits.intersect(effect.followed_by.0);
                }
            }
        }
        for card in rules.debts.iter().fold(CardSet::EMPTY, |cards, debt| cards.union(debt.movers())).iter() {
            // What it does depends on what its player faces.
            rules.faces[card.index()].plain = false;
        }
        let requests = rules.request_ranks.union(rules.request_suits);
        let chooses = rules.chooses.union(rules.must_choose).union(rules.new_suit).union(rules.spoken);
        rules.naming = requests.union(chooses).union(rules.chooses_seat).union(rules.stand_ins);
        let openers = rules.together.iter().fold(CardSet::EMPTY, |all, way| all.union(way.openers()));
        rules.openers = openers.iter().filter(|card| card.suit().is_none()).collect();
        rules.suit_apart = rules.naming.union(rules.transparent).union(rules.openers);
        rules.demanding = requests.union(rules.new_suit).union(rules.chooses_seat).union(rules.stand_ins);
        let stops = |face: &Face| face.again.is_some_and(|again| !again.must);
        rules.passes = rules.may_play_after_draw()
            || set.turn.shortage == Shortage::Pass
            || rules.skips.iter().any(|skip| skip.threat || !skip.answers.is_empty())
            || rules.faces.iter().any(stops);
        rules.takes = rules.faces.iter().any(|face| face.take.is_some());
        rules.features = rules.features_used();
        Ok(rules)
    }

    /// The families of rules that have an effect, once everything else has been compiled.
    fn features_used(&self) -> Features {
        let (set, duties) = (&self.set, &self.set.duties);
        let some_face = |does: fn(&Face) -> bool| self.faces.iter().any(does);
        let due_before_card = duties.mau.as_ref().is_some_and(|mau| mau.due == MauDue::NextCard);
        let announces_done = duties.done.as_ref().is_some_and(|done| !done.off);
        Features {
            choosy_cards: !self.choosy.is_empty(),
            transparent_cards: !self.transparent.is_empty(),
            stated_suits: !self.spoken.is_empty(),
            out_of_turn: !self.out_of_turn.is_empty(),
            free_cards: !self.free.is_empty(),
            interjections: !self.interject.is_empty(),
            orders: self.takes || self.skips.iter().any(|skip| skip.threat),
            races: some_face(|face| face.race),
            closing: set.ending.at == EndingAt::Closing,
            rests: set.ending.rests || set.point_of_order.is_some(),
            covered_hands: set.deal.look != Look::Dealt,
            standing_mistakes: set.prices.illegal == Illegal::Stands,
            announcements: due_before_card || duties.mau_mau.is_some() || duties.identical.is_some(),
            speech: !self.duties.is_empty() || !self.spoken.is_empty() || set.talk.is_some() || announces_done,
            movements: set.talk.is_some() || set.calls.movements,
            requests: !self.request_ranks.union(self.request_suits).is_empty(),
            exchanges: some_face(|face| face.swap_next),
            sealed_cards: set.prices.sealed,
            turns_lost: self.skips.iter().any(|skip| skip.of == LostBy::Turns),
            places: set.ending.goes_on == GoesOn::Places,
            runs: self.together.iter().any(|way| !way.openers().is_empty()),
            challenges: !self.only_without.without(self.enforced).is_empty(),
            counts: !self.by_count.is_empty(),
            stand_ins: !self.stand_ins.is_empty(),
        }
    }

    fn add_speech(&mut self) {
        let set = Arc::clone(&self.set);
        if let Some(interject) = set.interject.as_ref().filter(|interject| !interject.off) {
            self.interject = interject.cards.0.intersect(self.kinds);
        }
        for duty in set.duties.words.values().filter(|duty| !duty.off) {
            for phrase in &duty.say {
                self.phrases.add(phrase, self.duties.len());
            }
            let plain = duty.left.is_none() && duty.interjection.is_none();
            let called = duty.cards.filter(|_| plain).map_or(CardSet::EMPTY, |cards| cards.0);
            let by_suit = |card: &Card| card.suit().is_some_and(|suit| duty.say.iter().any(|say| say == suit.name()));
            self.calls_itself = self.calls_itself.union(called.iter().filter(by_suit).collect());
            self.duties.push(duty.clone());
        }
        let bars = |mau: &Mau| mau.if_missing == MauMissing::BarsLastCard || mau.before_last_of_chain;
        self.bars_last = !self.never_last.is_empty() || self.mau.as_ref().is_some_and(bars);
    }

    fn add(&mut self, effect: &Effect) {
        let cards = effect.cards.0;
        let owe = effect.owe.as_ref().map(|owe| {
            self.debts.push(Debt::new(owe));
            (self.debts.len() - 1) as u8
        });
        let skip = effect.skip.as_ref().map(|skip| {
            self.skips.push(LostTurn::new(skip));
            (self.skips.len() - 1) as u8
        });
        for card in cards.iter() {
            self.faces[card.index()].add(card, effect, owe, skip);
        }
        if effect.any_time || effect.out_of_turn {
            self.any_time = self.any_time.union(cards);
        }
        if effect.out_of_turn {
            self.out_of_turn = self.out_of_turn.union(cards);
        }
        if effect.transparent {
            self.transparent = self.transparent.union(cards);
        }
        if !effect.free_on.0.is_empty() {
            self.free = self.free.union(cards);
        }
        if !effect.not_on.0.is_empty() || effect.not_on_own_suit {
            self.choosy = self.choosy.union(cards);
        }
        if effect.only_without.is_some() {
            self.only_without = self.only_without.union(cards);
            if self.set.challenge.as_ref().is_none_or(|challenge| challenge.off) {
                (self.enforced, self.choosy) = (self.enforced.union(cards), self.choosy.union(cards));
            }
        }
        for top in effect.also_on.0.iter() {
            let also = &mut self.also_fits[top.index()];
            *also = also.union(cards);
        }
        if effect.also_on_value {
            for (top, rank) in cards.iter().filter_map(|top| Some((top, top.rank()?))) {
                let also = &mut self.also_fits[top.index()];
                *also = also.union(cards.intersect(CardSet::rank(rank)));
            }
        }
        if !effect.stands_for.is_empty() {
            let held = cards.intersect(self.kinds);
            self.stand_ins = self.stand_ins.union(held);
            self.must_choose = self.must_choose.union(held);
            self.stands_for = effect.stands_for.0.intersect(self.kinds);
        }
        if effect.open_to_all {
            cards.iter().for_each(|card| self.fits[card.index()] = CardSet::ALL);
        }
        if effect.hands.is_some_and(|how| how != HandsMove::ShowNext) {
            self.moves_hands = self.moves_hands.union(cards);
        }
        if effect.chooses_seat() {
            self.chooses_seat = self.chooses_seat.union(cards);
        }
        if effect.never_last {
            self.never_last = self.never_last.union(cards);
        }
        if let Some(request) = effect.request {
            if request.may_decline {
                self.may_decline = self.may_decline.union(cards);
            }
            if !request.of.is_empty() {
                self.requestable = self.requestable.intersect(request.of.0);
            }
        }
        match effect.request.map(|request| request.names) {
            Some(Named::Rank) => self.request_ranks = self.request_ranks.union(cards),
            Some(Named::Suit) => self.request_suits = self.request_suits.union(cards),
            None => {}
        }
        if let Some(how) = effect.choose_suit {
            if how == ChooseSuit::Spoken {
                self.spoken = self.spoken.union(cards);
                return;
            }
            self.chooses = self.chooses.union(cards);
            if how == ChooseSuit::Must {
                self.must_choose = self.must_choose.union(cards);
            }
            if how == ChooseSuit::New {
                self.new_suit = self.new_suit.union(cards);
            }
        }
    }

    /// These rules for a seat of this count, if something depends on it (G-58).
    pub(crate) fn at_count(&self, count: i32) -> Option<&Arc<Rules>> {
        self.by_count.iter().find(|(of, _)| *of == count).map(|(_, rules)| rules)
    }

    /// These rules for seats of each count, where something depends on it.
    pub(super) fn at_all_counts(&self) -> impl Iterator<Item = &Rules> {
        self.by_count.iter().map(|(_, rules)| &**rules)
    }

    /// What every seat has of what the match counts before the first round.
    pub fn points_at_start(&self) -> i32 {
        match &self.set.count {
            Some(count) => i32::from(count.start),
            None => i32::from(self.set.scoring.chips),
        }
    }

    /// The resolved rule set.
    pub fn set(&self) -> &Arc<RuleSet> {
        &self.set
    }

    /// The number of seats.
    pub fn seats(&self) -> usize {
        self.seats
    }

    /// The kind of pack.
    #[inline]
    pub fn pack(&self) -> Pack {
        self.set.deck.pack
    }

    /// Rounds of a match.
    pub fn rounds(&self) -> u32 {
        self.rounds
    }

    /// All cards that are in play, each copy by itself.
    pub fn deck(&self) -> &[Card] {
        &self.deck
    }

    /// Turn limits after which the referee acts for a silent seat; 0 = at the first (G-05, G-22).
    pub fn absent_limits(&self) -> u8 {
        self.set.turn.absent_limits
    }

    /// Conduct faults after which an agent is dismissed (G-04).
    pub fn max_strikes(&self) -> u8 {
        self.set.turn.max_strikes
    }

    /// The number that decides a match.
    pub fn decides(&self) -> Decides {
        self.set.scoring.decides
    }

    /// Whether cards that are left in a hand count points against it, and are not merely counted.
    pub(crate) fn counts_points(&self) -> bool {
        self.set.scoring.counts_points()
    }

    /// Whether `rank` can be requested: a value of the pack, and one that requests can name (D-52, G-39).
    pub(crate) fn can_request(&self, rank: Rank) -> bool {
        !self.requestable.intersect(CardSet::rank(rank)).is_empty() && self.pack().ranks().contains(&rank)
    }

    pub(crate) fn may_play_after_draw(&self) -> bool {
        self.set.turn.after_draw != AfterDraw::Over
    }
}

/// What points are stated for: the ranks, the cards without a rank, then every other card by itself.
pub(crate) fn point_names(pack: Pack) -> impl Iterator<Item = String> {
    let others = std::iter::once(Card::JOKER).chain(pack.others()).map(|card| card.to_string());
    let ranked = pack.cards().iter().filter(|card| card.rank().is_some()).map(|card| card.to_string());
    pack.ranks().into_iter().map(|rank| rank.to_string()).chain(others).chain(ranked)
}
