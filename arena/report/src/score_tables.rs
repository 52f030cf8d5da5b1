//! The tables of scores and ratings over the games of a run, or over those by one of its rule sets. The rest of a run's
//! report, and the order of its parts, are the caller's.

use std::collections::BTreeSet;

use maumau_protocol::fault::CountedFault;
use maumau_run::io::format::counted;
use maumau_run::io::untrusted::Untrusted;
use maumau_run::run_store::LeagueSettings;
use maumau_tournament::statistics::authors::Together;
use maumau_tournament::statistics::duplicates::Saved;
use maumau_tournament::statistics::luck::{FEWEST_DEALS, Luck, LuckShares};
use maumau_tournament::statistics::ratings::{Bound, POINTS, Rating, Ratings};
use maumau_tournament::statistics::seats::SeatScores;
use maumau_tournament::statistics::{Estimate, Interval};
use maumau_tournament::{Encounter, Row, Standings, TournamentResult, fixed};
use serde_json::{Value, json};

use super::bars::Bars;
use super::estimates::Estimates;
use super::ranking::ranked;
use super::tables::{Sheet, TableLook};

/// Decimals of a score and of its interval.
pub(super) const SCORE: usize = 3;

/// Pairs whose results are less likely than this under the ratings are listed.
const UNLIKELY: f64 = 0.05;

/// Scores, and the estimates from the same games.
pub(super) struct ScoreTables {
    pub(super) standings: Standings,
    /// Present if requested, or quick to compute.
    pub(super) estimates: Option<Estimates>,
    /// The agent of each row, by its number in the league.
    pub(super) agents: Vec<usize>,
    /// By row, true if it has no place.
    disqualified: Vec<bool>,
}

impl ScoreTables {
    /// The tables of `standings` in the order that means something, which is that of the tournament if there is one.
    pub(super) fn new(
        standings: Standings,
        estimates: Option<Estimates>,
        league: &LeagueSettings,
        tournament: Option<&TournamentResult>,
    ) -> ScoreTables {
        let ratings = estimates.as_ref().map(|estimates| &estimates.ratings);
        let standings = ranked(standings, league, ratings, tournament);
        let number = |row: &Row| league.agents.iter().position(|agent| agent.name == row.name);
        let agents: Vec<usize> = standings.rows.iter().filter_map(number).collect();
        let disqualified = agents.iter().map(|agent| league.agents[*agent].life.disqualified).collect();
        ScoreTables { standings, estimates, agents, disqualified }
    }

    /// Standings and ratings, unrounded: a line of cells for each agent.
    pub(super) fn csv_rows<'a>(&'a self, faults: &'a BTreeSet<CountedFault>) -> impl Iterator<Item = Vec<String>> + 'a {
        let number = |value: Option<f64>| value.map(|value| value.to_string()).unwrap_or_default();
        self.standings.rows.iter().enumerate().map(move |(place, row)| {
            let mut cells = vec![
                if self.disqualified[place] { String::new() } else { (place + 1).to_string() },
                row.name.clone(),
                row.games.to_string(),
                row.deals.to_string(),
                row.wins.to_string(),
                number(row.mean_score),
                number(row.std_error),
                number(row.interval.map(|interval| interval.low)),
                number(row.interval.map(|interval| interval.high)),
                number(row.mean_points),
                row.rounds.to_string(),
                row.rounds_won.to_string(),
                row.rounds_unwon.to_string(),
            ];
            let rating = self.rating(place);
            cells.extend([
                number(rating.map(|rating| rating.rating)),
                number(rating.and_then(|rating| rating.std_error)),
                number(rating.and_then(|rating| rating.interval).map(|interval| interval.low)),
                number(rating.and_then(|rating| rating.interval).map(|interval| interval.high)),
                rating.map_or(String::new(), |rating| rating.ranks.0.to_string()),
                rating.map_or(String::new(), |rating| rating.ranks.1.to_string()),
            ]);
            cells.extend(faults.iter().map(|fault| row.faults.get(*fault).to_string()));
            cells.push(row.dismissals.to_string());
            cells
        })
    }

    /// The scores of all pairs in percent, with their intervals.
    pub(super) fn draw_encounters(&self, estimates: &Estimates, look: TableLook) -> String {
        self.cross_sheet(|_, row, column| self.encounter_interval(estimates, row, column)).draw(look)
    }

    /// What JSON has of the estimates.
    pub(super) fn json(&self, report: &mut Value) {
        let Some(estimates) = &self.estimates else { return };
        for (place, row) in self.standings.rows.iter().enumerate() {
            let Some(rating) = self.rating(place) else { continue };
            let bound = rating.bound.map(|bound| match bound {
                Bound::Low => "low",
                Bound::High => "high",
            });
            report["ratings"][&row.name] = json!({
                "rating": rating.rating,
                "std_error": rating.std_error,
                "interval": rating.interval,
                "only_known": bound,
                "rank": [rating.ranks.0, rating.ranks.1],
                "expected_score": rating.expected_score,
                "deals": rating.deals,
            });
        }
        report["differences"] = self.differences(estimates).into();
        let seats = estimates.seats.seats.iter().enumerate();
        report["seats"] = seats
            .map(|(seat, seat_score)| {
                let Estimate { mean, std_error, interval, .. } = seat_score;
                json!({"seat": seat, "score": mean, "std_error": std_error, "interval": interval})
            })
            .collect();
        let Saved { deals, factor, std_error } = estimates.duplicates.all;
        report["duplicates"] = json!({"deals": deals, "factor": factor, "std_error": std_error});
        if estimates.luck.deals > 0 {
            report["luck"] = json!(estimates.luck);
        }
    }

    /// The faults that occurred.
    pub(super) fn faults(&self) -> BTreeSet<CountedFault> {
        self.standings.rows.iter().flat_map(|row| row.faults.iter()).map(|(fault, _)| fault).collect()
    }

    pub(super) fn standings_sheet(&self) -> Sheet {
        let faults = self.faults();
        let mut sheet = Sheet::default();
        sheet.number_column("#").text_column("agent");
        for name in ["games", "wins", "score", "interval", "points", "rounds"] {
            sheet.number_column(name);
        }
        faults.iter().for_each(|fault| _ = sheet.number_column(fault.name()));
        let any_dismissed = self.standings.rows.iter().any(|row| row.dismissals > 0);
        if any_dismissed {
            sheet.number_column("dismissed");
        }
        for (place, row) in self.standings.rows.iter().enumerate() {
            let score = |value| fixed(value, SCORE);
            let interval = row.interval.map(|interval| format!("{}-{}", score(interval.low), score(interval.high)));
            let mut cells = vec![
                if self.disqualified[place] { "-".to_owned() } else { (place + 1).to_string() },
                row.name.clone(),
                row.games.to_string(),
                fixed(row.wins, 1),
                row.mean_score.map(score).unwrap_or_default(),
                interval.unwrap_or_default(),
                row.mean_points.map(|points| fixed(points, 1)).unwrap_or_default(),
                format!("{}/{}", row.rounds_won, row.rounds),
            ];
            cells.extend(faults.iter().map(|fault| row.faults.get(*fault).to_string()));
            if any_dismissed {
                cells.push(row.dismissals.to_string());
            }
            sheet.row(cells);
        }
        sheet
    }

    /// The rating of the agent of a row.
    pub(super) fn rating(&self, place: usize) -> Option<&Rating> {
        let estimates = self.estimates.as_ref().filter(|_| !self.disqualified[place])?;
        Some(estimates.rating(*self.agents.get(place)?))
    }

    pub(super) fn ratings_sheet(&self, ratings: &Ratings, look: TableLook) -> Sheet {
        let mut sheet = Sheet::default();
        sheet.number_column("rank").text_column("agent");
        for name in ["rating", "interval", "deals", "expected"] {
            sheet.number_column(name);
        }
        let bars = Bars::around(look, ratings.agents.iter().map(rating_ends), 0);
        bars.iter().for_each(|bars| _ = sheet.number_column(&bars.heading()));
        // The best first, whatever orders the other tables.
        let mut places: Vec<usize> = (0..self.agents.len()).filter(|place| !self.disqualified[*place]).collect();
        places.sort_by(|a, b| {
            let logit = |place: &usize| ratings.agents[self.agents[*place]].logit;
            logit(b).total_cmp(&logit(a))
        });
        for place in places {
            let row = &self.standings.rows[place];
            let rating = &ratings.agents[self.agents[place]];
            let whole = |value| fixed(value, 0);
            let (best, worst) = rating.ranks;
            let interval = match (rating.interval, rating.bound) {
                (None, _) => String::new(),
                (Some(Interval { low, .. }), Some(Bound::Low)) => format!("at least {}", whole(low)),
                (Some(Interval { high, .. }), Some(Bound::High)) => format!("at most {}", whole(high)),
                (Some(Interval { low, high }), None) => format!("{}-{}", whole(low), whole(high)),
            };
            let mut cells = vec![
                if best == worst { best.to_string() } else { format!("{best}-{worst}") },
                row.name.clone(),
                whole(rating.rating),
                interval,
                rating.deals.to_string(),
                fixed(rating.expected_score, SCORE),
            ];
            cells.extend(bars.iter().map(|bars| bars.draw(rating_ends(rating))));
            sheet.row(cells);
        }
        sheet
    }

    /// The name of an agent by its number in the league.
    fn name(&self, agent: usize, look: TableLook) -> String {
        let place = self.agents.iter().position(|of_row| *of_row == agent);
        place.map_or(String::new(), |place| look.shown(Untrusted::new(&self.standings.rows[place].name)))
    }

    /// Which agents never met, in a sentence.
    pub(super) fn parts(&self, ratings: &Ratings, look: TableLook) -> String {
        let part = |part: &Vec<usize>| part.iter().map(|agent| self.name(*agent, look)).collect::<Vec<_>>().join(", ");
        let parts: Vec<String> = ratings.parts.iter().map(part).collect();
        format!("Between these no game was played, so their ratings cannot be compared: {}.", parts.join(" | "))
    }

    /// What the ratings do not explain, what duplicates saved, and how much the deal explains.
    pub(super) fn checks(&self, estimates: &Estimates, look: TableLook) -> String {
        let mut lines =
            vec!["Score of a seat: 0.5 is no advantage; every agent sat everywhere equally often.".to_owned()];
        if estimates.seats.left_out > 0 {
            lines.push(format!("Left out: {} in which they did not.", counted(estimates.seats.left_out, "deal")));
        }
        let unlikely = estimates.misfits.iter().take_while(|pair| pair.p < UNLIKELY).count();
        lines.push(match estimates.misfits.first() {
            Some(worst) if unlikely > 0 => format!(
                "Misfit: the ratings do not explain {} of {}, least {} against {} (z = {}).",
                unlikely,
                counted(estimates.misfits.len() as u64, "pair"),
                self.name(worst.agents.0, look),
                self.name(worst.agents.1, look),
                fixed(worst.z, 1)
            ),
            _ => "Misfit: none; the ratings explain the results of every pair.".to_owned(),
        });
        if let Saved { factor: Some(factor), std_error: Some(error), .. } = estimates.duplicates.all {
            let (factor, error) = (fixed(factor, 2), fixed(error, 2));
            lines.push(format!("Duplicates: new deals would take {factor} times the games (error {error})."));
        }
        lines.extend(luck_in_words(&estimates.luck));
        lines.join("\n")
    }

    /// The interval of the score of one row's agent against another's, in percent.
    fn encounter_interval(&self, estimates: &Estimates, row: usize, column: usize) -> Option<String> {
        let estimate = estimates.encounters.estimate(self.agents[row], self.agents[column])?;
        let percent = |value: f64| fixed(value * 100.0, 0);
        estimate.interval.map(|interval| format!("{}-{}", percent(interval.low), percent(interval.high)))
    }

    /// Every pair of agents that can be compared, in rating points, and the score of the first against the second.
    fn differences(&self, estimates: &Estimates) -> Vec<serde_json::Value> {
        let name = |agent: usize| {
            let place = self.agents.iter().position(|of_row| *of_row == agent);
            place.map(|place| &self.standings.rows[place].name)
        };
        let differences = estimates.ratings.pairs.iter().map(|pair| {
            let score = estimates.encounters.estimate(pair.agents.0, pair.agents.1);
            json!({
                "agents": [name(pair.agents.0), name(pair.agents.1)],
                "points": pair.difference * POINTS,
                "std_error": pair.std_error * POINTS,
                "p": pair.p,
                "misfit": pair.misfit,
                "score": score.map(|score| score.mean),
                "score_interval": score.and_then(|score| score.interval),
            })
        });
        differences.collect()
    }

    /// The cross-table; `cell` is what stands in it for an encounter, by its row and column.
    pub(super) fn cross_sheet(&self, cell: impl Fn(&Encounter, usize, usize) -> Option<String>) -> Sheet {
        let mut sheet = Sheet::default();
        sheet.number_column("#").text_column("agent");
        (1..=self.standings.rows.len()).for_each(|place| _ = sheet.number_column(&place.to_string()));
        for (place, (row, cross)) in self.standings.rows.iter().zip(&self.standings.cross).enumerate() {
            let mut cells = vec![(place + 1).to_string(), row.name.clone()];
            cells.extend(cross.iter().enumerate().map(|(other, encounter)| match encounter {
                Some(encounter) => cell(encounter, place, other).unwrap_or_default(),
                None if other == place => "-".to_owned(),
                None => String::new(),
            }));
            sheet.row(cells);
        }
        sheet
    }
}

/// How much the deal explains; `None` if each was played once.
pub(super) fn luck_in_words(luck: &Luck) -> Option<String> {
    let text = match luck.shares {
        None if luck.deals == 0 => return None,
        None if luck.compared < FEWEST_DEALS => format!(
            "Luck: how much the deal explains is not known; it takes {FEWEST_DEALS} deals that the same agents played in every \
             rotation, and there are {}.",
            luck.compared
        ),
        None => "Luck: all games ended alike, so there is nothing for the deal to explain.".to_owned(),
        Some(LuckShares { deal, interval, agents, .. }) => {
            let percent = |share: f64| fixed(share * 100.0, 0);
            let interval = interval.map_or("interval unknown".to_owned(), |known| {
                format!("95 %: {}-{}", percent(known.low), percent(known.high))
            });
            format!(
                "Luck: of the variance of a seat's score the deal explains {} % ({interval}), who sits where {} %; the rest is \
                 decisions and what follows from them.",
                percent(deal),
                percent(agents)
            )
        }
    };
    Some(textwrap::fill(&text, 80))
}

/// What is known of a rating: its ends, the lower one first, and the value between.
fn rating_ends(rating: &Rating) -> [f64; 3] {
    let Interval { low, high } = rating.interval.unwrap_or(Interval { low: rating.rating, high: rating.rating });
    match rating.bound {
        Some(Bound::Low) => [low, rating.rating, f64::INFINITY],
        Some(Bound::High) => [f64::NEG_INFINITY, rating.rating, high],
        None => [low, rating.rating, high],
    }
}

pub(super) fn seats_sheet(seats: &SeatScores, look: TableLook) -> Sheet {
    let mut sheet = Sheet::default();
    ["seat", "score", "interval"].iter().for_each(|name| _ = sheet.number_column(name));
    let ends = |estimate: &Estimate| {
        let Interval { low, high } = estimate.interval.unwrap_or(Interval { low: estimate.mean, high: estimate.mean });
        [low, estimate.mean, high]
    };
    let bars = Bars::around(look, seats.seats.iter().map(ends).chain([[0.5; 3]]), SCORE);
    bars.iter().for_each(|bars| _ = sheet.number_column(&bars.heading()));
    for (seat, estimate) in seats.seats.iter().enumerate() {
        let score = |value| fixed(value, SCORE);
        let interval = estimate.interval.map(|interval| format!("{}-{}", score(interval.low), score(interval.high)));
        let mut cells = vec![seat.to_string(), score(estimate.mean), interval.unwrap_or_default()];
        cells.extend(bars.iter().map(|bars| bars.draw(ends(estimate))));
        sheet.row(cells);
    }
    sheet
}

/// What agents of one author gain together; `names` are those of the authors.
pub(super) fn authors_sheet(gains: &[Together], names: &[String]) -> Sheet {
    let mut sheet = Sheet::default();
    sheet.text_column("author");
    ["deals together", "alone", "gain", "interval", "p"].iter().for_each(|name| _ = sheet.number_column(name));
    for gain in gains {
        let signed = |value: f64| format!("{}{}", if value < 0.0 { "" } else { "+" }, fixed(value, SCORE));
        let interval = gain.interval.map(|known| format!("{} to {}", signed(known.low), signed(known.high)));
        sheet.row(vec![
            names[gain.author].clone(),
            gain.together.to_string(),
            gain.alone.to_string(),
            gain.effect.map(signed).unwrap_or_default(),
            interval.unwrap_or_default(),
            gain.p.map(|p| fixed(p, SCORE)).unwrap_or_default(),
        ]);
    }
    sheet
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_the_deal_explains_is_said_in_words_unless_each_was_played_once() {
        let check = |deals: u64, compared: u64, shares: Option<LuckShares>, expected: Option<&str>| {
            assert_eq!(luck_in_words(&Luck { deals, compared, shares }).as_deref(), expected);
        };
        let shares =
            LuckShares { deal: 0.253, interval: Some(Interval { low: 0.0, high: 0.389 }), agents: 0.4, rest: 0.347 };
        check(
            60,
            50,
            Some(shares),
            Some(
                "Luck: of the variance of a seat's score the deal explains 25 % (95 %: 0-39), who\n\
                 sits where 40 %; the rest is decisions and what follows from them.",
            ),
        );
        check(
            60,
            50,
            Some(LuckShares { interval: None, ..shares }),
            Some(
                "Luck: of the variance of a seat's score the deal explains 25 % (interval\n\
                 unknown), who sits where 40 %; the rest is decisions and what follows from them.",
            ),
        );
        check(
            60,
            9,
            None,
            Some(
                "Luck: how much the deal explains is not known; it takes 20 deals that the same\n\
                 agents played in every rotation, and there are 9.",
            ),
        );
        check(60, 50, None, Some("Luck: all games ended alike, so there is nothing for the deal to explain."));
        check(0, 0, None, None);
    }
}
