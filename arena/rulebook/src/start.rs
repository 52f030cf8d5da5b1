//! Who plays, with which cards, and how a round begins if the referee deals. A deal by the dealer's own actions stands
//! in `dealing`.

use maumau_protocol::ruleset::{
    ChooseSuit, DealOrder, DealtBy, DealtCards, FirstCard, FirstNames, FirstReverse, Look, Named, NextDealer, Take,
};
use maumau_protocol::{Card, CardSet, Direction, Faces, Pack, Rank, Suit};

use super::words::{capital, count, fault, list, sizes};
use super::{Page, Rulebook};
use maumau_protocol::RuleFault;

impl Rulebook<'_> {
    pub(super) fn players(&self, page: &mut Page) {
        let set = self.set;
        page.heading("Players and cards");
        let can = sizes(&self.tables());
        page.paragraph();
        page.say(match self.seats {
            Some(seats) => format!("This page is for {seats} players; {can} can play."),
            None => format!("{} can play.", capital(&can)),
        })
        .states("B-01 B-38 K-01 K-02 D-01 D-02 D-03 N-02 P-01")
        .from("seats.min seats.max deck.cards deal.cards")
        .played("crazy-eights/sixteen");
        let (way, side) = match set.deal.direction {
            Direction::Clockwise => ("clockwise", "left"),
            Direction::Counterclockwise => ("counter-clockwise", "right"),
        };
        match (self.some_card(|effect| effect.reverse), set.deal.direction_carries) {
            (false, false) => page
                .say(format!("Play goes {way}, which is to the {side}."))
                .states("G-01 B-40 D-20 K-03")
                .from("deal.direction_carries deal.direction"),
            (true, false) => page
                .say(format!(
                    "Every round begins {way}, which is to the {side}; a card may turn the direction round until the round is \
                     over."
                ))
                .states("G-01 K-03 K-62 P-08 P-09")
                .from("deal.direction_carries deal.direction"),
            (_, true) => page
                .say(format!(
                    "A match begins {way}, which is to the {side}; when a card turns the direction round, it stays so, from \
                     round to round too."
                ))
                .states("G-01 N-18 N-107")
                .from("deal.direction_carries deal.direction"),
        };
        if set.deal.direction == Direction::Counterclockwise {
            page.say("Seats are numbered clockwise all the same.").states("G-28").from("deal.direction");
        }
        let cards = self.by_seats(&set.deck.cards, |cards| {
            let kinds = cards.0.in_pack(set.deck.pack).without(CardSet::of(Card::JOKER));
            if set.deck.copies.is_empty() {
                return self.pack(kinds);
            }
            let colours = set.deck.pack.suits().map(|suit| suit.name().to_owned());
            let colours = match set.deck.pack {
                Pack::French => String::new(),
                Pack::Colours | Pack::Waterfall => format!(" in {}", list(&colours, "and")),
            };
            format!(
                "{} cards{colours}: {}",
                kinds.iter().map(|card| u32::from(set.deck.copies_of(card))).sum::<u32>(),
                self.all_of(kinds)
            )
        });
        let jokers = match set.deck.jokers {
            0 => String::new(),
            jokers => format!(", and {}", count(jokers.into(), "joker")),
        };
        page.say(format!("A pack has {cards}{jokers}."))
            .states(match set.deck.pack {
                Pack::French => "B-01 B-37 K-01 D-01 D-02 D-03 N-01 P-01",
                _ => "G-63",
            })
            .from("deck.cards deck.jokers deck.pack");
        if set.deck.faces != Faces::French {
            self.faces(page);
        }
        if set.deck.pack != Pack::French {
            self.signs(page);
        }
        for copies in &set.deck.copies {
            let number = count(copies.is.into(), "copy");
            let number = number.strip_suffix("copys").map_or(number.clone(), |front| format!("{front}copies"));
            page.say(format!("Of {} it has {number} each.", self.all_of(copies.cards.0)))
                .states("G-64")
                .from("deck.copies")
                .played("colours/CO-01");
        }
        let packs = self.by_seats(&set.deck.packs, |packs| count(u32::from(*packs), "pack"));
        page.say(format!("The game is played with {packs}."))
            .states("B-01 B-38 K-01 K-02 N-01 N-03 P-01 P-40")
            .from("deck.packs");
    }

    /// What the cards look like, and how they are written all the same.
    fn faces(&self, page: &mut Page) {
        let faces = self.set.deck.faces;
        let suits =
            Suit::ALL.map(|suit| format!("{} ({}, written {})", faces.suit(suit), faces.sign(suit), suit.letter()));
        let others = Rank::all().filter(|rank| faces.rank(*rank) != rank.name());
        let ranks: Vec<String> = others
            .map(|rank| format!("{} ({}) are written {}", faces.ranks(rank), faces.printed(rank), rank.letter()))
            .collect();
        page.say(format!("Its suits are {}; {}.", list(&suits, "and"), list(&ranks, "and")))
            .states("G-80")
            .from("deck.faces")
            .rendered();
    }

    /// By which signs a game shows the cards of a pack that has its own.
    fn signs(&self, page: &mut Page) {
        let deck = &self.set.deck;
        let colours = deck.pack.suits().map(|suit| format!("{} {}", deck.faces.sign(suit), suit.name()));
        let kinds = self.by_seats(&deck.cards, |cards| {
            let kinds = cards.0.in_pack(deck.pack);
            let has = |rank: &Rank| kinds.iter().any(|card| card.rank() == Some(*rank));
            let ranks = deck.pack.ranks().into_iter().filter(|rank| rank.is_symbol()).filter(has);
            let ranks = ranks.map(|rank| format!("{} {}", deck.faces.printed(rank), rank.name()));
            let others = deck.pack.others().filter(|card| kinds.contains(*card));
            let others = others.map(|card| format!("{} {}", card.pretty(), card.name()));
            list(&ranks.chain(others).collect::<Vec<_>>(), "and")
        });
        page.say(format!("Shown by signs, the colours are {}, and the cards {kinds}.", list(&colours, "and")))
            .states("G-63")
            .from("deck.pack")
            .rendered();
    }

    pub(super) fn deal(&self, page: &mut Page) {
        let deal = &self.set.deal;
        page.heading("The deal");
        page.paragraph();
        page.say("Seat 0 deals first in a match.")
            .states("G-14 N-13")
            .played("basic/B-41, skat/K-61, deluxe/D-17, spam/P-101");
        match deal.next_dealer {
            NextDealer::InDirection => page.say("The next round is dealt by the next player in the direction of play."),
            NextDealer::Left => page.say("The next round is dealt by the player to the dealer's left."),
            NextDealer::Winner => page.say(
                "The winner of a round deals the next one; without a single winner, the player to the dealer's left does.",
            ),
        }
        .states("G-14 B-41 D-17 K-61 N-108 P-101")
        .from("deal.next_dealer");
        match (deal.by, deal.order) {
            (DealtBy::Referee, _) => self.referee_deals(page),
            (DealtBy::Dealer, DealOrder::Fixed) => self.dealer_deals_in_order(page),
            (DealtBy::Dealer, DealOrder::Free) => self.dealer_deals_freely(page),
        }
        self.looking(page);
        self.first_card(page);
    }

    fn referee_deals(&self, page: &mut Page) {
        let deal = &self.set.deal;
        let cards = self.dealt();
        page.say("The referee shuffles and deals singly, beginning after the dealer and ending with the dealer.")
            .states("G-09 D-07 N-14 P-04")
            .from("deal.by")
            .played("fn deals_are_those_of_spec");
        page.say(format!("Each player gets {cards}."))
            .states(match deal.cards {
                DealtCards::Fixed(_) => "B-02 K-04 K-05 K-06 D-06 N-15 P-02 P-03",
                DealtCards::Count => "G-58",
            })
            .from("deal.cards")
            .played("crazy-eights/two-players, spam/P-01, countdown/CD-01-everybody-is-dealt-eight-cards-at-first");
        if deal.leave_each > 0 {
            page.say(format!(
                "After the turn-up at least {} for each player must be left to draw, or no such table can be set up.",
                count(deal.leave_each.into(), "card")
            ))
            .states("P-03")
            .from("deal.leave_each");
        }
        page.say("The rest is the draw pile, face down.").states("B-03 K-07 D-08 P-06").played("snap/N-01");
        page.say("Its top card is turned up and begins the discard pile.")
            .states("B-03 K-07 D-09 P-06 N-13 N-16")
            .played("crazy-eights/two-players");
    }

    /// When players see their cards.
    fn looking(&self, page: &mut Page) {
        let early = fault(RuleFault::EarlyLook);
        match (self.set.deal.look, self.set.deal.by) {
            (Look::Dealt, _) => {}
            (Look::Auto, DealtBy::Referee) => {
                page.say(
                    "Before the first card is turned up the referee shows all players their cards, the dealer first.",
                )
                .states("P-05")
                .from("deal.look deal.by");
            }
            (Look::Auto, DealtBy::Dealer) => {
                page.say(format!(
                    "Players see their cards when they look at them (\"look\"); to do so before the dealer is a mistake \
                     ({early}). Before the first card is turned up the referee looks for all who have not."
                ))
                .states("P-05 P-73")
                .from("deal.look deal.by");
            }
            (Look::Asked, _) => {
                page.say(format!(
                    "Players see their cards when they look at them (\"look\"); to do so before the dealer is a mistake \
                     ({early}). A player who has not looked may draw, speak and call, but play no card."
                ))
                .states("P-05 P-73")
                .from("deal.look");
            }
        }
    }

    /// What the card turned up first does, and who has the first turn.
    fn first_card(&self, page: &mut Page) {
        let deal = &self.set.deal;
        page.paragraph();
        if deal.not_first.1 {
            page.say(
                "If the first card has the value of any player's count, it is shuffled back unseen and another is turned up.",
            )
            .states("G-58")
            .from("deal.not_first")
            .played("countdown/CD-05");
        }
        let not_first = self.in_pack(deal.not_first.0);
        if !not_first.is_empty() {
            page.say(format!(
                "If the first card is {}, it is shuffled back unseen and another is turned up.",
                self.one_of(not_first)
            ))
            .from("deal.not_first")
            .played("fn no_eight_is_turned_up_first");
        }
        let first = match deal.direction_carries {
            true => "the player after the dealer, in the direction of play,",
            false if deal.direction == Direction::Counterclockwise => "the player to the right of the dealer",
            false => "the player to the left of the dealer",
        };
        if deal.first_card == FirstCard::Plain && deal.first_effects.0.is_empty() {
            page.say("The first card is a plain card, whatever it is.").states("B-39 D-10").from("deal.first_card");
            page.say(format!("{} has the first turn.", capital(first)))
                .states("B-40 D-18")
                .from("deal.first_card deal.direction_carries deal.direction");
            return;
        }
        match deal.first_card {
            FirstCard::Effect => page
                .say("The first card counts as played by the dealer, and has its effect on the players after the dealer.")
                .states("K-08 K-09 N-16 N-17 P-07 B-39 D-10")
                .from("deal.first_card")
                .played("crazy-eights/a-queen-turned-up"),
            FirstCard::Plain => page
                .say(format!(
                    "A first card counts as played by the dealer, and has its effect, only if it is {}; any other is a plain card.",
                    self.one_of(deal.first_effects.0)
                ))
                .states("G-51")
                .from("deal.first_card deal.first_effects"),
        };
        self.dealers_part(page);
        page.say(format!("{} has the first turn, unless the first card says otherwise.", capital(first)))
            .states("K-63 P-08 N-16 B-40 D-18")
            .from("deal.first_card deal.direction_carries deal.direction")
            .played("basic/B-39-option, crazy-eights/a-queen-turned-up");
        let reverses = self.turned_up_with(|effect| effect.reverse && !effect.race);
        if !reverses.is_empty() {
            match deal.first_reverse {
                FirstReverse::Neighbour => page
                    .say(format!(
                        "If it is {}, the direction turns round before that, and the player on the dealer's other side has it.",
                        self.one_of(reverses)
                    ))
                    .states("K-09 K-56 N-16 N-46 P-08 P-15")
                    .from("deal.first_card")
                    .played("skat/K-09-turned-up-ten, spam/P-08, crazy-eights/an-ace-turned-up"),
                FirstReverse::Dealer => page
                    .say(format!(
                        "If it is {} and does nothing else, the direction turns round, and the dealer has the first turn.",
                        self.one_of(reverses)
                    ))
                    .states("G-52")
                    .from("deal.first_reverse"),
            };
        }
        let skips = self.turned_up_with(|effect| effect.skip.as_ref().is_some_and(|skip| skip.answers.0.is_empty()));
        let of_few =
            self.turned_up_with(|effect| effect.skip.is_some() && effect.seats.is_some_and(|[_, high]| high == 2));
        if !skips.is_empty() {
            let which = match (of_few.is_empty() || self.seats.is_some(), skips.without(of_few).is_empty()) {
                (true, _) => self.one_of(skips),
                (false, true) => format!("{} with two players", self.one_of(skips)),
                (false, false) => {
                    format!(
                        "{}, or {} with two players",
                        self.one_of(skips.without(of_few)),
                        self.one_of(of_few.intersect(skips))
                    )
                }
            };
            page.say(format!("If it is {which}, that player misses the turn, and the next one begins."))
                .states("B-39 D-10 P-07")
                .from("deal.first_card")
                .played("crazy-eights/a-queen-turned-up");
        }
    }

    /// What a first card with an effect obliges the dealer to do.
    fn dealers_part(&self, page: &mut Page) {
        let named = self.named_when_turned_up();
        if !named.is_empty() {
            let by_rank = self.turned_up_with(|effect| effect.request.is_some_and(|made| made.names == Named::Rank));
            let what = match (by_rank.intersect(named).is_empty(), named.without(by_rank).is_empty()) {
                (true, _) => "a suit",
                (false, true) => "a value",
                (false, false) => "the value or suit",
            };
            match self.set.deal.first_names {
                FirstNames::Dealer => page
                    .say(format!("After {} the dealer names {what} before anybody moves.", self.one_of(named)))
                    .states("K-10 N-17 B-39 D-10")
                    .from("deal.first_card"),
                FirstNames::FirstPlayer => page
                    .say(format!(
                        "After {} the player who has the first turn names {what} before it.",
                        self.one_of(named)
                    ))
                    .states("G-51")
                    .from("deal.first_names"),
            };
            let new = self.turned_up_with(|effect| effect.choose_suit == Some(ChooseSuit::New));
            if !new.intersect(named).is_empty() {
                page.say("Not naming it at once is no mistake here, and any suit but the card's own may be named.")
                    .states("N-17")
                    .from("deal.first_card");
            }
        }
        let may = self.turned_up_with(|effect| effect.again.is_some_and(|again| !again.must));
        if !may.is_empty() {
            page.say(format!("After {} the dealer may play a further card, or pass.", self.one_of(may)))
                .states("K-11 B-39")
                .from("deal.first_card");
        }
        let must = self.turned_up_with(|effect| effect.again.is_some_and(|again| again.must));
        if !must.is_empty() {
            page.say(format!("After {} the dealer must play a further card, or draw.", self.one_of(must)))
                .states("D-10")
                .from("deal.first_card")
                .played("deluxe/D-10-option-turned-up-ace");
        }
        let take = |way: Take| self.turned_up_with(|effect| effect.take == Some(way));
        let (given, taken) = (take(Take::FromPlayer), take(Take::FromNext));
        if !given.is_empty() {
            page.say(format!("After {} the next player takes a card from the dealer.", self.one_of(given)))
                .states("N-17")
                .from("deal.first_card");
        }
        if !taken.is_empty() {
            page.say(format!("After {} the dealer takes a card from the next player.", self.one_of(taken)))
                .states("N-17")
                .from("deal.first_card");
        }
        let transparent = self.turned_up_with(|effect| effect.transparent);
        if !transparent.is_empty() {
            page.say(format!("On {} anything may be played, as there is nothing below.", self.one_of(transparent)))
                .states("N-17")
                .from("deal.first_card");
        }
        let races = self.turned_up_with(|effect| effect.race);
        if !races.is_empty() {
            page.say(format!("After {} the dealer's two neighbours race.", self.one_of(races)))
                .states("P-07")
                .from("deal.first_card");
        }
        let spoken = self.turned_up_with(|effect| effect.choose_suit == Some(ChooseSuit::Spoken));
        if !spoken.is_empty() {
            page.say(format!("After {} anybody may state the suit.", self.one_of(spoken)))
                .states("P-07")
                .from("deal.first_card");
        }
        if self.set.prices.sealed {
            page.say("The turn-up is no turn of the dealer: sealed cards stay sealed.")
                .states("N-17 N-122")
                .from("prices.sealed");
        }
    }
}
