//! How a round ends, and who wins the match. It reads the ending and the scoring; how long the closing time lasts is
//! described in `times`.

use std::collections::BTreeMap;

use maumau_protocol::Card;
use maumau_protocol::limits::{MAX_EXTRA_ROUNDS, MAX_ROUNDS};
use maumau_protocol::ruleset::{
    Blocked, BySeats, ChipDebt, Decides, EndingAt, FalseCall, GoesOn, LastCardEffects, Tie,
};

use super::words::{count, list};
use super::{Page, Rulebook};

impl Rulebook<'_> {
    pub(super) fn ending(&self, page: &mut Page) {
        page.heading("The end of a round");
        page.paragraph();
        let ending = &self.set.ending;
        match (ending.at, ending.rests) {
            (EndingAt::Once, _) if ending.goes_on == GoesOn::Places => {
                page.say(
                    "A player who plays the last card of the hand is out: this player has a place and no turns, and the others \
                     play on.",
                )
                .states("G-43")
                .from("ending.goes_on")
                .played("basic/G-43");
                page.say(match ending.last_card_effects {
                    LastCardEffects::Act => "What the last card does to others it does as usual.",
                    LastCardEffects::Die | LastCardEffects::DrawFirst => "The last card does nothing to the others.",
                })
                .states("G-43")
                .from("ending.last_card_effects")
                .played("basic/G-43");
                page.say(
                    "Nothing finds a player who is out, no effect and no penalty. The round is over when one player has cards \
                     left, and the first one out has won it.",
                )
                .states("G-43")
                .from("ending.goes_on")
                .played("basic/G-43");
            }
            (EndingAt::Once, _) => {
                page.say("A player who plays the last card of the hand wins the round at once.")
                    .states("B-04 B-34 B-35 D-11 D-32 D-81 K-39")
                    .from("ending.at")
                    .played("crazy-eights/the-last-card");
                match ending.last_card_effects {
                    LastCardEffects::Die | LastCardEffects::Act => page
                        .say("The last card does nothing to the next player any more.")
                        .states("B-35 D-82 K-39 D-81")
                        .played("basic/B-35, deluxe/D-82, skat/K-39-a-last, crazy-eights/the-last-card"),
                    LastCardEffects::DrawFirst => page
                        .say("Cards that the last card makes the next player owe are drawn before hands are counted.")
                        .states("K-39")
                        .played("skat/K-39-option"),
                }
                .from("ending.last_card_effects");
            }
            (EndingAt::Closing, false) => self.closing(page),
            (EndingAt::Closing, true) => self.resting(page),
        }
        let played = match self.set.turn.cards_cap {
            Some(cards) => format!(" or {} played", count(cards, "card")),
            None => String::new(),
        };
        page.say(format!(
            "A round that is not won after {}{played} ends as it stands, and nobody wins it; its players are ranked by the {} that \
             they still hold. These decide between players who are equal in the match, too; a match without a won round is won by \
             nobody.",
            count(self.set.turn.cap, "turn"),
            if self.set.scoring.counts_points() { "points" } else { "number of cards" }
        ))
        .states("G-23")
        .from("turn.cap turn.cards_cap")
        .played("crazy-eights/option-two-cards, crazy-eights/option-one-turn");
        let Some(again) = ending.blocked_after else { return };
        let again = match again {
            0 => String::new(),
            again => format!(", and {} once more,", count(again.into(), "player")),
        };
        match ending.blocked {
            Blocked::Nobody => page
                .say(format!(
                    "The same holds when nothing is left to draw and all players in a row{again} have passed; owed cards that \
                     took the last of the draw pile count as the first pass."
                ))
                .from("ending.blocked_after ending.blocked")
                .played("crazy-eights/nothing-left"),
            Blocked::Lowest => {
                let what = match self.set.scoring.points.values().any(|points| *points > 0) {
                    true => "points",
                    false => "cards",
                };
                page.say(format!(
                    "A round also ends when nothing is left to draw and all players in a row{again} have passed; owed cards that \
                     took the last of the draw pile count as the first pass. The player who then holds the fewest {what} wins it; \
                     players who hold equally few share the win."
                ))
                .states("G-46")
                .from("ending.blocked_after ending.blocked scoring.points")
            }
        };
    }

    /// The time after an empty hand, with answers.
    fn closing(&self, page: &mut Page) {
        let takes = self.some_card(|effect| effect.take.is_some());
        let free = self.some_card(|effect| !effect.free_on.0.is_empty());
        let mut allowed = vec!["answers and cards that are owed"];
        allowed.extend(takes.then_some("takes from hand to hand"));
        allowed.extend(free.then_some("free cards"));
        allowed.extend(["words", "calls"]);
        let allowed: Vec<String> = allowed.into_iter().map(str::to_owned).collect();
        page.say(format!(
            "An empty hand does not win at once, but begins the closing time: from then on there are only {}.",
            list(&allowed, "and")
        ))
        .states("N-04 N-88 N-89 N-90 N-91 N-92 N-97")
        .from("ending.at ending.rests")
        .played("snap/N-97");
        page.say("Any other card is refused then, at no cost.").states("N-97").played("snap/N-97-an-ordinary");
        page.say("When it has passed with nobody acting, the referee carries out what is outstanding; what cannot be carried out counts as done.")
            .states("N-89 N-93 N-131")
            .from("ending.at ending.rests");
        page.say("All players who then have no card have won.").states("N-10 N-88 N-94").from("ending.at");
        page.say("A player who gets cards in that time is back in the game, and the round goes on.")
            .states("N-95 N-83")
            .from("ending.at");
        match (free, self.set.ending.free_card_wins_in_turn) {
            (true, false) => {
                page.say(
                    "A player who plays the last card free in their own turn still has that turn to take, can only draw, and so has \
                     not won.",
                )
                .states("N-96")
                .from("ending.free_card_wins_in_turn");
            }
            (true, true) => {
                page.say("A last card played free in their own turn wins like any other.")
                    .states("N-96")
                    .from("ending.free_card_wins_in_turn")
                    .played("snap/N-96-option");
            }
            (false, _) => {}
        }
    }

    /// The time after an empty hand, in which play rests.
    fn resting(&self, page: &mut Page) {
        page.say(
            "An empty hand does not win at once, but begins the closing time: in it nothing at all is played or drawn, \
             interjections included; there are only words, calls and the penalty cards that they cost.",
        )
        .states("P-41 P-98")
        .from("ending.at ending.rests");
        page.say("A hand that is still empty when it is over wins the round.").states("P-98").from("ending.at");
        if self.some_card(|effect| effect.owe.is_some()) {
            page.say("Cards that the last card made somebody owe are not drawn then.")
                .states("P-20")
                .from("ending.rests");
        }
        page.say("A player who gets a card in that time is back in the game: play goes on with the next player, as the card played last says.")
            .states("P-99")
            .from("ending.rests");
        if self.set.calls.false_call == FalseCall::Violation {
            page.say("A wrong call against the empty hand can itself be called then.")
                .states("P-85")
                .from("calls.false_call")
                .played("spam/P-85-a-wrong");
        }
    }

    pub(super) fn scoring(&self, page: &mut Page) {
        let scoring = &self.set.scoring;
        let rounds = if scoring.rounds == 0 { MAX_ROUNDS } else { scoring.rounds };
        page.heading("Scoring");
        page.paragraph();
        match scoring.decides {
            Decides::FewestPoints | Decides::MostPoints => self.points(page),
            Decides::MostChips => self.chips(page),
            Decides::Count => self.counts(page),
            Decides::RoundsWon => {}
        }
        let here = |target: &&BySeats<u32>| match self.seats {
            Some(seats) => target.get(seats).is_some_and(|target| *target > 0),
            None => target.largest() > 0,
        };
        let target = scoring.target.as_ref().filter(here);
        let latest = match scoring.rounds {
            0 => format!("the round with which it has had more than {} turns", self.set.turn.match_cap()),
            rounds => count(rounds, "round"),
        };
        match target {
            None if scoring.decides == Decides::Count => page
                .say(format!("A match ends at the latest after {latest}."))
                .states("G-15 G-57 G-82")
                .from("scoring.rounds scoring.decides")
                .played("countdown/CD-03"),
            None => page
                .say(format!("A match has {}.", count(rounds, "round")))
                .states("B-43 D-13 K-49 N-12 P-100 G-15")
                .from("scoring.rounds scoring.target"),
            Some(target) => {
                let what = match scoring.decides {
                    Decides::RoundsWon => "round",
                    Decides::FewestPoints | Decides::MostPoints => "point",
                    Decides::MostChips => "chip",
                    Decides::Count => "step",
                };
                let verb = if scoring.decides == Decides::RoundsWon { "has won" } else { "has" };
                let target = self.by_seats(target, |target| match target {
                    0 => "no number of them".to_owned(),
                    target => format!("{} or more", count(*target, what)),
                });
                page.say(format!(
                    "A match ends as soon as a player {verb} {target} at the end of a round, at the latest after {latest}."
                ))
                .states("G-29 G-15 G-82")
                .from("scoring.rounds scoring.target scoring.decides")
            }
        };
        match scoring.decides {
            Decides::RoundsWon => page
                .say("The player who has won most rounds wins the match.")
                .played("skat/K-48, basic/B-43, spam/P-100-most"),
            Decides::FewestPoints => page
                .say("The player with the fewest points wins the match.")
                .played("crazy-eights/the-last-card, spam/P-100-cards"),
            Decides::MostPoints => {
                page.say("The player with the most points wins the match.").played("crazy-eights/G-45")
            }
            Decides::MostChips => page.say("The player with the most chips wins the match.").played("deluxe/D-13"),
            Decides::Count => page
                .say(format!(
                    "The player whose count is nearest to {} wins the match.",
                    self.set.count.as_ref().map_or(0, |count| count.match_at)
                ))
                .from("count.match_at")
                .states("G-57")
                .played("countdown/CD-03"),
        }
        .states("B-43 D-13 K-47 K-48 N-12 P-100")
        .from("scoring.decides");
        match scoring.tie {
            Tie::Shared => page.say("Equal players share the place."),
            Tie::ExtraRound => page
                .say(format!(
                    "While several share the first place a further round is played, {MAX_EXTRA_ROUNDS} at most."
                ))
                .played("deluxe/D-16-option"),
        }
        .states("G-15 B-43 D-16 K-49 N-12")
        .from("scoring.tie");
    }

    /// The count of each player, and what ends the match.
    fn counts(&self, page: &mut Page) {
        let Some(counts) = &self.set.count else { return };
        page.about("count").cite_only(&counts.clauses);
        let how = if counts.on_win < 0 { "goes down" } else { "goes up" };
        page.say(format!(
            "Every player has a count, at first {}. It {how} by {} with each round won, and the match ends when one is {}.",
            counts.start,
            counts.on_win.unsigned_abs(),
            counts.match_at
        ))
        .states("G-57")
        .from(".start .on_win .match_at")
        .states_all(&counts.clauses)
        .played("countdown/CD-02, countdown/CD-03");
        if !counts.redeal {
            page.say(
                "A player without a card does not end the round: the count changes, the player draws as many cards as it then is, \
                 and play goes on. Only a count that ends the match ends the round too, or that nothing is left to draw.",
            )
            .states("G-72")
            .from(".redeal")
            .played("countdown/CD-02-option-a-new-hand-at-once");
        }
        let aces = if counts.played().contains(&1) { ", an ace for 1" } else { "" };
        if self.set.depends_on_count() {
            page.say(format!(
                "The cards of a count are those of its value{aces}; a card is judged by the count of the player who plays it."
            ))
            .states("G-58")
            .from(".start .on_win")
            .played("countdown/CD-01");
        }
        page.paragraph();
    }

    fn points(&self, page: &mut Page) {
        let winner = if self.set.ending.at == EndingAt::Closing { "the winners" } else { "the winner" };
        let pack = self.set.deck.pack;
        let names = pack.ranks().into_iter().map(|rank| (rank.to_string(), self.rank_name(rank)));
        let names = names.chain(pack.others().map(|card| (card.to_string(), self.card_name(card))));
        let mut by_points: BTreeMap<std::cmp::Reverse<u16>, Vec<String>> = BTreeMap::new();
        for (key, name) in names.chain([("XX".to_owned(), self.card_name(Card::JOKER))]) {
            let points = self.set.scoring.points.get(&key).copied().unwrap_or(0);
            if points > 0 && (key != "XX" || self.set.deck.jokers > 0) {
                by_points.entry(std::cmp::Reverse(points)).or_default().push(name);
            }
        }
        // G-68: single cards with points of their own.
        let mut single = false;
        for card in pack.cards().iter().filter(|card| card.rank().is_some()) {
            if let Some(points) = self.set.scoring.points.get(&card.to_string()) {
                by_points.entry(std::cmp::Reverse(*points)).or_default().push(self.card_name(card));
                single = true;
            }
        }
        let sealed = if self.set.prices.sealed { ", sealed or not" } else { "" };
        let values = by_points.into_iter().map(|(points, names)| format!("{} {}", list(&names, "and"), points.0));
        let values = values.collect::<Vec<_>>().join("; ");
        let shared = self.set.ending.blocked == Blocked::Lowest;
        if self.set.scoring.collects {
            page.say(format!(
                "The winner of a round is credited with the points of the cards that the others still hold{sealed}: {values}."
            ))
            .states("G-45")
            .from("scoring.collects scoring.points scoring.decides");
            self.own_points(single, page);
            if shared {
                page.say(
                    "A winner who still holds cards is credited only with what each other hand has more; several winners share \
                     it equally, rounded down.",
                )
                .states("G-46")
                .from("scoring.collects ending.blocked");
            }
            return;
        }
        page.say(format!("Everybody but {winner} is charged the points of the cards still held{sealed}: {values}."))
            .states("K-44 K-45 K-46 N-10 N-11 P-100")
            .from("scoring.points scoring.decides")
            .played("crazy-eights/the-last-card");
        self.own_points(single, page);
        if shared {
            page.say("In a round that ends because all have passed, the winner is charged like everybody else.")
                .states("G-46")
                .from("ending.blocked scoring.decides");
        }
    }

    /// That single cards have points of their own, if some do.
    fn own_points(&self, single: bool, page: &mut Page) {
        if single {
            page.say("A card that is named by itself counts that, and not what its value counts.")
                .states("G-68")
                .from("scoring.points")
                .played("makao/MK-19-option-kings-count-fifty");
        }
    }

    fn chips(&self, page: &mut Page) {
        let scoring = &self.set.scoring;
        page.say(format!(
            "Everybody begins the match with {}, each of which counts one.",
            count(scoring.chips.into(), "chip")
        ))
        .states("D-04 D-05")
        .from("scoring.chips")
        .played("deluxe/D-12");
        page.say("The winner of a round gets one chip from each other player for each card left in that player's hand, penalty cards included.")
            .states("D-12 D-81")
            .from("scoring.decides");
        match scoring.debt {
            ChipDebt::None => page
                .say(
                    "Nobody pays more than is there, at the winner's loss, and as soon as somebody has no chip left the match \
                     is over.",
                )
                .states("D-14 D-15")
                .from("scoring.debt"),
            ChipDebt::Negative => page
                .say("Everybody pays in full, and as soon as somebody is below zero the match is over.")
                .states("D-14 D-15")
                .from("scoring.debt")
                .played("deluxe/D-15-option"),
        };
    }
}
