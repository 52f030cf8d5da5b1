//! Everything but the special cards, section by section in the order of play.

use maumau_protocol::ruleset::{AfterDraw, Decides, FirstCard, LastCardEffects, MauMissing, NextDealer, Shortage};
use maumau_protocol::{CardSet, Rank};

use super::words::{capital, card_name, cite, count, list, pack, players};
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
        page.heading("Players and cards");
        page.paragraph(&format!(
            "{who} They sit in a circle, and play goes clockwise. A pack has {cards}{jokers}. In the game: {packs}.{}",
            self.cited(&["seats", "deck"])
        ));
    }

    pub(super) fn deal(&self, page: &mut Page) {
        let deal = &self.set.deal;
        let cards = self.by_seats(&deal.cards, |cards| count(u32::from(*cards), "card"));
        let first = match deal.first_card {
            FirstCard::Plain => "It is a plain card, whatever it is.",
            FirstCard::Effect => {
                "It counts as just laid by the dealer and has its effect: who would have to draw, to answer or to miss a \
                 turn does so, and where the card lets its player name a suit or lay a further card, the dealer does."
            }
        };
        let next = match deal.next_dealer {
            NextDealer::InDirection => "the next player in the direction of play deals the next round",
            NextDealer::Left => "Each round is dealt by the next player clockwise.",
            NextDealer::Winner => {
                "The winner of a round deals the next one; where there is no single winner, the next player clockwise."
            }
        };
        page.heading("The deal");
        page.paragraph(&format!(
            "Each player gets {cards}. The rest is the draw pile, face down. Its top card is turned up and begins the discard \
             pile. {first} The player to the left of the dealer has the first turn. {next}{}",
            self.cited(&["deal"])
        ));
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
            text.push_str(" Nobody can pass without having drawn, unless a special card allows it.");
        }
        page.paragraph(&(text + &self.cited(&["turn"])));
        let shortage = match turn.shortage {
            Shortage::Waive => "what is missing need not be drawn",
            Shortage::TopCard => "the drawer also takes the top card, and the next player may lay anything",
        };
        page.paragraph(&format!(
            "When the draw pile is used up, everything under the top card is shuffled and becomes the new draw pile [G-06]. If \
             even that is not enough, {shortage} [G-07]."
        ));
    }

    pub(super) fn mau(&self, page: &mut Page) {
        page.heading("What must be said");
        let Some(mau) = &self.set.duties.mau else {
            page.paragraph("Nothing.");
            return;
        };
        let word = capital(&mau.word);
        let price = count(mau.cards.into(), "card");
        let grace = format!(
            "Whoever is down to one card says {word}: with the card before it or at any moment until the next player acts. It \
             is not needed for a card that is laid in the same turn."
        );
        let rule = match mau.if_missing {
            MauMissing::Charged => {
                format!("{grace} If the word is missing, the referee makes the player draw {price}.")
            }
            MauMissing::Called => format!(
                "{grace} If the word is missing, any other player may call it from then on (fault \"no_mau\"), until the \
                 offender's own next action; the offender then draws {price}. A wrong call costs nothing."
            ),
            MauMissing::BarsLastCard if mau.any_time => {
                format!(
                    "Whoever lays the last card must have said {word} for it, before or with it. Without it the card may not be laid."
                )
            }
            MauMissing::BarsLastCard => format!(
                "Whoever is down to one card says {word}, as a warning to the others. It must be said before the turn in which \
                 the last card is laid, unless one comes down to one card in that same turn. Without it the last card may not \
                 be laid. Having missed it costs nothing else."
            ),
        };
        page.paragraph(&format!(
            "{rule} After drawing cards the word must be said anew. A needless {word} costs nothing. Capital letters and \
             punctuation make no difference [G-10].{}",
            cite(&mau.clauses)
        ));
    }

    pub(super) fn mistakes(&self, page: &mut Page) {
        let (prices, turn) = (&self.set.prices, &self.set.turn);
        page.heading("Mistakes and their prices");
        let price = match prices.misplay.cards {
            0 => "costs nothing".to_owned(),
            cards => format!("costs {}", count(cards.into(), "penalty card")),
        };
        let turn_after = if prices.misplay.ends_turn {
            "If it was laid in turn, the turn is over, cards that are owed are drawn as well, and a turn that was to be missed \
             is missed."
        } else {
            "In turn, the turn is kept, and what is owed stays owed."
        };
        page.paragraph(&format!(
            "A card that does not fit, that may not be the last one, or that comes out of turn goes back to the hand and \
             {price}. {turn_after}{}",
            self.cited(&["prices"])
        ));
        let slow = match prices.slow_cards {
            0 => "at no further cost".to_owned(),
            cards => format!("and the seat gets {}", count(cards.into(), "penalty card")),
        };
        page.paragraph(&format!(
            "Whoever misses the deadline is acted for by the referee: owed cards are drawn, a turn that is to be missed is \
             missed, otherwise one card is drawn and the turn passed; a suit that is due is clubs; {slow} [G-05]. The same \
             happens after {} in one turn [G-21]. An agent that breaks the protocol gets a strike; after {} the referee plays \
             its seat to the end [G-04].",
            count(turn.max_refusals.into(), "refused action"),
            count(turn.max_strikes.into(), "strike")
        ));
    }

    pub(super) fn ending(&self, page: &mut Page) {
        page.heading("The end of a round");
        let effects = match self.set.ending.last_card_effects {
            LastCardEffects::Die => "What the last card would do to the next player is not done any more.",
            LastCardEffects::DrawFirst => {
                "Cards that the last card makes the next player owe are drawn before hands are counted."
            }
        };
        page.paragraph(&format!(
            "Whoever lays the last card of the hand wins the round at once. {effects}{} A round that is not won after {} turns \
             ends as it stands, and nobody wins it [G-15].",
            self.cited(&["ending"]),
            self.set.turn.cap
        ));
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
            false => format!(
                "Everybody but the winner is charged the points of the cards still held: {}. ",
                list(&values, "and")
            ),
        };
        let decides = match scoring.decides {
            Decides::RoundsWon => "Whoever has won most rounds wins the match",
            Decides::FewestPoints => "Whoever has fewest points wins the match",
            Decides::MostChips => "Whoever has most chips wins the match",
        };
        page.paragraph(&format!(
            "{points}A match has {}. {decides}; equal players share the place [G-15].{}",
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
