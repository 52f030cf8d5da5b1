//! Everything but the special cards, section by section in the order of play.

use maumau_protocol::ruleset::{
    AfterDraw, CallableUntil, ChipDebt, ChooseSuit, DealtBy, DebtAfterWrong, Decides, EndingAt, FirstCard, Illegal,
    LastCardEffects, MauDue, MauMissing, NextDealer, Shortage, Take, Tie,
};
use maumau_protocol::{CardSet, Rank};

use super::words::{capital, card_name, cite, count, list, one_of, pack, players, spoken};
use super::{Explainer, Page};

impl Explainer<'_> {
    pub(super) fn players(&self, page: &mut Page) {
        let set = self.set;
        let can = players([set.seats.min, set.seats.max]);
        let who = match self.seats {
            Some(seats) => format!("The game for {seats} players; {can} can play it."),
            None => format!("{} can play.", capital(&can)),
        };
        let cards =
            self.by_seats(&set.deck.cards, |cards| pack(cards.0.without(CardSet::of(maumau_protocol::Card::JOKER))));
        let packs = self.by_seats(&set.deck.packs, |packs| count(u32::from(*packs), "pack"));
        let jokers = match set.deck.jokers {
            0 => String::new(),
            jokers => format!(", and {}", count(jokers.into(), "joker")),
        };
        let turning = match (self.some_card(|effect| effect.reverse), set.deal.direction_carries) {
            (true, true) => " at first; a direction that was turned round lasts, from round to round too",
            (true, false) => " until a card turns the direction round, and clockwise again in the next round",
            (false, _) => "",
        };
        page.heading("Players and cards");
        page.paragraph(&format!(
            "{who} They sit in a circle, and play goes clockwise{turning}. A pack has {cards}{jokers}. In the game: {packs}.{}",
            self.cited(&["seats", "deck"])
        ));
    }

    pub(super) fn deal(&self, page: &mut Page) {
        let deal = &self.set.deal;
        let cards = self.by_seats(&deal.cards, |cards| count(u32::from(*cards), "card"));
        let first = match deal.first_card {
            FirstCard::Plain => "It is a plain card, whatever it is.".to_owned(),
            FirstCard::Effect => self.first_card_effect(),
        };
        let first = match deal.not_first.0.is_empty() {
            true => first,
            false => {
                let barred = one_of(deal.not_first.0);
                format!("If it is {barred}, it is shuffled back unseen and another is turned up. {first}")
            }
        };
        let next = match deal.next_dealer {
            NextDealer::InDirection => "Each round is dealt by the next player in the direction of play.",
            NextDealer::Left => "Each round is dealt by the next player clockwise.",
            NextDealer::Winner => {
                "The winner of a round deals the next one; where there is no single winner, the next player clockwise."
            }
        };
        let begins = match deal.direction_carries {
            true => "The next player after the dealer in the direction of play has the first turn.",
            false => "The player to the left of the dealer has the first turn.",
        };
        page.heading("The deal");
        page.paragraph(&format!(
            "Each player gets {cards}. The rest is the draw pile, face down. Its top card is turned up and begins the \
             discard pile. {first} {begins} {next}{}",
            self.cited(&["deal"])
        ));
        if deal.by == DealtBy::Dealer {
            page.paragraph(&self.dealing());
        }
    }

    /// What a card turned up first does, where it counts as laid by the dealer.
    fn first_card_effect(&self) -> String {
        let mut text = "It counts as just laid by the dealer and has its effect: who would have to draw, to answer or \
                        to miss a turn does so, and where the card lets its player name a suit or lay a further card, \
                        the dealer does."
            .to_owned();
        if self.some_card(|effect| effect.take == Some(Take::FromPlayer)) {
            text.push_str(" A card that is taken from whoever laid it is taken from the dealer.");
        }
        if self.some_card(|effect| effect.take == Some(Take::FromNext)) {
            text.push_str(" A card that whoever laid it takes from the next player is taken by the dealer.");
        }
        if self.some_card(|effect| effect.choose_suit == Some(ChooseSuit::New)) {
            text.push_str(" A suit that must be named the dealer names afterwards, which is no mistake here.");
        }
        if self.some_card(|effect| effect.transparent) {
            text.push_str(" On a card that is looked through anything may be laid, as there is nothing below.");
        }
        text
    }

    pub(super) fn turn(&self, page: &mut Page) {
        let turn = &self.set.turn;
        page.heading("A turn");
        let mut text =
            "You lay one card on the discard pile, face up, or you draw. A card fits if it has the suit or the \
                        value of the top card. You may draw although you could lay a card."
                .to_owned();
        if self.set.deck.jokers > 0 {
            text.push_str(" On a joker every card fits.");
        }
        let draws = match turn.draws {
            1 => "one card".to_owned(),
            more => format!("up to {}, one after another", count(more.into(), "card")),
        };
        let after = match turn.after_draw {
            AfterDraw::Over => "and your turn is over".to_owned(),
            AfterDraw::DrawnCard => {
                "and may lay the card just drawn, if it fits, but no other; otherwise you pass".to_owned()
            }
            AfterDraw::AnyCard => "and may then still lay any card that fits; otherwise you pass".to_owned(),
        };
        text.push_str(&format!(" For a draw you take {draws}, {after}."));
        if turn.after_draw != AfterDraw::Over {
            let dry = if turn.shortage == Shortage::Pass { " or nothing is left to draw" } else { "" };
            text.push_str(&format!(" Nobody can pass without having drawn, unless a special card allows it{dry}."));
        }
        page.paragraph(&(text + &self.cited(&["turn"])));
        let stays = match self.some_card(|effect| effect.transparent) {
            true => "everything under the top card, and under what is looked through above it,",
            false => "everything under the top card",
        };
        let shortage = match turn.shortage {
            Shortage::Waive => "what is missing need not be drawn",
            Shortage::TopCard => "the drawer also takes the top card, and the next player may lay anything",
            Shortage::Pass => {
                "nobody draws: one lays a card or passes, owed cards that are missing need not be drawn, and no card \
                 makes anybody owe cards"
            }
        };
        page.paragraph(&match turn.reshuffle {
            true => format!(
                "When the draw pile is used up, {stays} is shuffled and becomes the new draw pile [G-06]. If even that is \
                 not enough, {shortage} [G-07]."
            ),
            false => format!("A draw pile that is used up is not made anew. When nothing is left, {shortage} [G-07]."),
        });
    }

    pub(super) fn mau(&self, page: &mut Page) {
        page.heading("What must be said");
        let Some(mau) = &self.set.duties.mau else {
            if self.set.duties.mau_mau.is_none() && self.set.duties.identical.is_none() && !self.owes_words() {
                page.paragraph("Nothing.");
            }
            return self.other_words(page);
        };
        let word = spoken(&mau.word);
        let price = count(mau.cards.into(), "card");
        let grace = format!(
            "Whoever is down to one card says {word}: with the card before it or at any moment until the next player \
             acts. It is not needed for a card that is laid in the same turn."
        );
        let until = match mau.callable_until {
            CallableUntil::OwnTurn => "the offender's own next action",
            CallableUntil::NextButOne => {
                "the next-but-one player, by turns actually taken, makes the following move: lays a card, draws or \
                 loses the turn by a wrong card"
            }
        };
        let rule = match mau.if_missing {
            _ if mau.due == MauDue::NextCard => self.mau_before_card(mau),
            MauMissing::Charged => {
                format!("{grace} If the word is missing, the referee makes the player draw {price}.")
            }
            MauMissing::Called => format!(
                "{grace} If the word is missing, any other player may call it from then on (fault \"no_mau\"), until \
                 {until}; the offender then draws {price}. {}",
                self.wrong_call()
            ),
            MauMissing::BarsLastCard if mau.any_time => {
                format!(
                    "Whoever lays the last card must have said {word} for it, before or with it. Without it the card may not be laid."
                )
            }
            MauMissing::BarsLastCard => format!(
                "Whoever is down to one card says {word}, as a warning to the others. It must be said before the turn \
                 in which the last card is laid, unless one comes down to one card in that same turn. Without it the \
                 last card may not be laid. Having missed it costs nothing else."
            ),
        };
        let chain = match mau.before_last_of_chain {
            true => format!(
                " Before a last card that is laid as the further card after {}, {word} must have been said: with the \
                 card before or in between, not with the last one. Otherwise that is a wrong card.",
                one_of(self.cards_with(|effect| effect.again.is_some()))
            ),
            false => String::new(),
        };
        page.paragraph(&format!(
            "{rule}{chain} After drawing cards the word must be said anew. A needless {word} costs nothing. Capital \
             letters and punctuation make no difference [G-10].{}",
            cite(&mau.clauses)
        ));
        self.other_words(page);
    }

    pub(super) fn mistakes(&self, page: &mut Page) {
        let (prices, turn) = (&self.set.prices, &self.set.turn);
        page.heading("Mistakes and their prices");
        let price = match prices.misplay.cards {
            0 => "costs nothing".to_owned(),
            cards => format!("costs {}", count(cards.into(), "penalty card")),
        };
        let debt = match prices.misplay.debt {
            DebtAfterWrong::Taken => "cards that are owed are drawn as well",
            DebtAfterWrong::Passes => "cards that are owed are owed by the next player",
        };
        let missed = if self.skips_can_be_answered() { ", a turn that was to be missed is missed" } else { "" };
        let turn_after = if prices.misplay.ends_turn {
            format!("If it was laid in turn, the turn is over{missed}; {debt}.")
        } else {
            "In turn, the turn is kept, and what is owed stays owed.".to_owned()
        };
        let lies = match prices.illegal {
            Illegal::Refused => String::new(),
            Illegal::Stands => format!(
                "A card that does not fit and is laid in turn lies like a right one, with its effect. If another \
                 player calls it (\"wrong_card\") before the next card lies, it goes back, all that followed from it \
                 is undone, and it costs {}. Any other wrong card is refused: ",
                count(self.set.calls.cards.into(), "penalty card")
            ),
        };
        let wrong = match prices.illegal {
            Illegal::Refused => "A card that does not fit, that may not be the last one, or that comes out of turn",
            Illegal::Stands => "a card that may not be the last one, that is sealed or that comes out of turn",
        };
        page.paragraph(&format!(
            "{lies}{wrong} goes back to the hand and {price}. {turn_after} Drawing or passing out of turn is only refused.{}",
            self.cited(&["prices"])
        ));
        self.sealed(page);
        self.calls(page);
        let slow = match prices.slow_cards {
            0 => "at no further cost".to_owned(),
            cards => format!("and the seat gets {}", count(cards.into(), "penalty card")),
        };
        let acts = format!(
            "owed cards are drawn, {}otherwise one card is drawn and the turn passed; {}",
            if self.skips_can_be_answered() { "a turn that is to be missed is missed, " } else { "" },
            if self.some_card(|effect| effect.request.is_some() || effect.choose_suit == Some(ChooseSuit::New)) {
                "what is due to be named is the first that is possible of clubs, diamonds, hearts and spades, or from two to ace"
            } else {
                "a suit that is due is clubs"
            }
        );
        let silent = match turn.absent_limits {
            0 => format!("Whoever misses the deadline is acted for by the referee: {acts}; {slow} [G-05]."),
            _ => format!("{}: {acts} [G-05, G-22].", self.absence()),
        };
        page.paragraph(&format!(
            "{silent} The same happens after {} in one turn [G-21]. An agent that breaks the protocol gets a strike; \
             after {} the referee plays its seat to the end [G-04].",
            count(turn.max_refusals.into(), "refused action"),
            count(turn.max_strikes.into(), "strike")
        ));
    }

    pub(super) fn ending(&self, page: &mut Page) {
        page.heading("The end of a round");
        let ending = &self.set.ending;
        let effects = match ending.last_card_effects {
            LastCardEffects::Die => "What the last card would do to the next player is not done any more.",
            LastCardEffects::DrawFirst => {
                "Cards that the last card makes the next player owe are drawn before hands are counted."
            }
        };
        let won = match ending.at {
            EndingAt::Once => format!("Whoever lays the last card of the hand wins the round at once. {effects}"),
            EndingAt::Closing => self.closing(),
        };
        let laid = match self.set.turn.cards_cap {
            Some(cards) => format!(" or {} laid", count(cards, "card")),
            None => String::new(),
        };
        let blocked = match ending.blocked_after {
            None => String::new(),
            Some(again) => {
                let again = match again {
                    0 => String::new(),
                    again => format!(", and {} a second time,", count(again.into(), "player")),
                };
                format!(
                    " The same holds when nothing is left to draw and all players in a row{again} have passed; owed \
                     cards that took the last of the draw pile, and were all there, count as the first pass."
                )
            }
        };
        page.paragraph(&format!(
            "{won}{} A round that is not won after {} turns{laid} ends as it stands, and nobody wins it [G-15].{blocked}",
            self.cited(&["ending"]),
            self.set.turn.cap
        ));
    }

    fn closing(&self) -> String {
        let mut allowed = vec!["answers and cards that are owed".to_owned()];
        if self.some_card(|effect| effect.take.is_some()) {
            allowed.push("takes from hand to hand".to_owned());
        }
        let free = self.some_card(|effect| !effect.free_on.0.is_empty());
        if free {
            allowed.push("free cards".to_owned());
        }
        allowed.extend(["words".to_owned(), "calls".to_owned()]);
        let mut text = format!(
            "An empty hand does not win at once, but begins the closing time [G-13]: from now on there are only {}. \
             When it has passed with nobody acting, the referee carries out what is outstanding, and whoever then has \
             no card has won; that can be several players. Whoever gets cards in that time is back in the game, and \
             the round goes on.",
            list(&allowed, "and")
        );
        match (free, self.set.ending.free_card_wins_in_turn) {
            (true, false) => text.push_str(
                " Whoever lays the last card free in the own turn still has the turn to take, can only draw, and so has not won.",
            ),
            (true, true) => text.push_str(" A last card laid free in the own turn counts like any other."),
            (false, _) => {}
        }
        text
    }

    pub(super) fn scoring(&self, page: &mut Page) {
        let scoring = &self.set.scoring;
        page.heading("Scoring");
        let mut values: Vec<(u16, String)> = Rank::all()
            .map(|rank| (rank.to_string(), rank.name().to_owned()))
            .chain([("XX".to_owned(), card_name(maumau_protocol::Card::JOKER))])
            .filter_map(|(key, name)| scoring.points.get(&key).map(|points| (*points, name)))
            .filter(|(points, _)| *points > 0)
            .collect();
        values.sort_by_key(|(points, _)| std::cmp::Reverse(*points));
        let values: Vec<String> = values.into_iter().map(|(points, name)| format!("{name} {points}")).collect();
        let points = match values.is_empty() {
            true => String::new(),
            false if scoring.decides == Decides::MostChips => String::new(),
            false => format!(
                "Everybody but {} is charged the points of the cards still held: {}. ",
                if self.set.ending.at == EndingAt::Closing { "the winners" } else { "the winner" },
                list(&values, "and")
            ),
        };
        let decides = match scoring.decides {
            Decides::RoundsWon => "Whoever has won most rounds wins the match",
            Decides::FewestPoints => "Whoever has fewest points wins the match",
            Decides::MostChips => "Whoever has most chips wins the match",
        };
        let chips = match (scoring.decides, scoring.debt) {
            (Decides::MostChips, ChipDebt::None) => {
                "Nobody pays more than is there, and as soon as somebody has no chip left the match is over. "
            }
            (Decides::MostChips, ChipDebt::Negative) => {
                "Everybody pays in full, and as soon as somebody is below zero the match is over. "
            }
            _ => "",
        };
        let chips = match chips.is_empty() {
            true => String::new(),
            false => format!(
                "Everybody begins the match with {}. The winner of a round gets one chip from each other player for \
                 each card left in that player's hand. {chips}",
                count(scoring.chips.into(), "chip")
            ),
        };
        let tie = match scoring.tie {
            Tie::Shared => "equal players share the place [G-15]",
            Tie::ExtraRound => "while several share the first place a further round is played [G-15]",
        };
        page.paragraph(&format!(
            "{points}{chips}A match has {}. {decides}; {tie}.{}",
            count(scoring.rounds, "round"),
            self.cited(&["scoring"])
        ));
    }

    pub(super) fn table_options(&self, page: &mut Page) {
        if self.set.options.is_empty() {
            return;
        }
        page.heading("Table options");
        for (name, value) in &self.set.options {
            let text = match self.options.iter().find(|option| option.name == *name) {
                None => String::new(),
                Some(option) => format!(
                    ": {} Possible: {}.{}",
                    option.about,
                    option.choices(),
                    if option.clause.is_empty() { String::new() } else { cite(&[&option.clause]) }
                ),
            };
            page.item(&format!("{name} = {value}{text}"));
        }
        page.gap();
    }
}
