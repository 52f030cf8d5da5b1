//! The order in which every table, file and page lists the agents of a run: decided here alone. It draws nothing.

use std::borrow::Cow;

use anyhow::Result;
use maumau_run::run_store::{AgentSettings, LeagueSettings, RunFile};
use maumau_tournament::statistics::Interval;
use maumau_tournament::statistics::ratings::{RatedGames, RatingOptions, Ratings, rate};
use maumau_tournament::{RankedBy, Row, Standings, TournamentResult};

/// Up to this many games are rated without being asked: that takes a fraction of a second.
pub const RATED_GAMES: u64 = 100_000;

/// The knock-out or the Swiss tournament of a run, if it is one, with those who are disqualified at its end.
///
/// # Errors
/// The run file cannot be read.
pub(crate) fn tournament_of(run: &RunFile) -> Result<Option<TournamentResult>> {
    let league = &run.plan.settings.league;
    match league.ranked_by() {
        RankedBy::Tournament => {
            let result = run.scheduler()?.result();
            Ok(result.map(|result| result.disqualifying(|agent| league.agents[agent].life.disqualified)))
        }
        RankedBy::Score | RankedBy::Rating => Ok(None),
    }
}

/// The rows of `standings` in the order that means something in `league`: that of the tournament, or of the ratings where agents have
/// not met the same opponents. What is not known is left out, and `ranked_by` says which order it is.
pub(crate) fn ranked(
    standings: Standings,
    league: &LeagueSettings,
    ratings: Option<&Ratings>,
    tournament: Option<&TournamentResult>,
) -> Standings {
    let number = |row: &Row| league.agents.iter().position(|agent| agent.name == row.name);
    let agents: Vec<Option<usize>> = standings.rows.iter().map(number).collect();
    let mut order: Vec<usize> = (0..agents.len()).collect();
    match (league.ranked_by(), tournament, ratings) {
        (RankedBy::Tournament, Some(result), _) => {
            let place = |row: &usize| result.order.iter().position(|placed| Some(placed.agent) == agents[*row]);
            order.sort_by_key(|row| place(row).unwrap_or(usize::MAX));
            standings.ranked(RankedBy::Tournament, &order)
        }
        (RankedBy::Tournament | RankedBy::Rating, _, Some(ratings)) => {
            let logit = |row: &usize| agents[*row].map_or(f64::NEG_INFINITY, |agent| ratings.agents[agent].logit);
            let counts = |row: &usize| {
                standings.rows[*row].games > 0
                    && agents[*row].is_some_and(|agent| !league.agents[agent].life.disqualified)
            };
            order.sort_by(|a, b| counts(b).cmp(&counts(a)).then(logit(b).total_cmp(&logit(a))));
            standings.ranked(RankedBy::Rating, &order)
        }
        _ => standings,
    }
}

/// The standings of a run, ranked as in its tables, as long as that is quick.
///
/// # Errors
/// The run file cannot be read.
pub fn ranked_standings(run: &RunFile) -> Result<Standings> {
    let (tally, _) = run.tally()?;
    let (standings, league) = (run.plan.standings(&tally), &run.plan.settings.league);
    if !(1..=RATED_GAMES).contains(&standings.games) {
        return Ok(standings);
    }
    Ok(match league.ranked_by() {
        RankedBy::Score => standings,
        RankedBy::Tournament => ranked(standings, league, None, tournament_of(run)?.as_ref()),
        RankedBy::Rating => {
            ranked(standings, league, Some(&ratings_of(&games_that_count(&run.results()?, league), league)), None)
        }
    })
}

/// The place of an agent on a ladder.
#[derive(Clone, Debug, PartialEq)]
pub struct LadderPlace {
    /// Its name.
    pub name: String,
    /// Its games.
    pub games: u64,
    /// Its rating with its 95 % interval; absent before its first game.
    pub rating: Option<(f64, Option<Interval>)>,
    /// The best and the worst rank that its games do not rule out among those that play now.
    pub ranks: Option<(usize, usize)>,
    /// True if it plays no more.
    pub is_retired: bool,
}

/// The ladder of a run so far, the best first. Only those that play now have ranks.
///
/// # Errors
/// The run file cannot be read.
pub fn ladder_of(run: &RunFile) -> Result<Vec<LadderPlace>> {
    let league = &run.plan.settings.league;
    let (tally, _) = run.tally()?;
    let standings = run.plan.standings(&tally);
    let games_of = |name: &str| standings.rows.iter().find(|row| row.name == name).map_or(0, |row| row.games);
    let games: Vec<u64> = league.agents.iter().map(|agent| games_of(&agent.name)).collect();
    let ratings = (standings.games > 0)
        .then(|| -> Result<Ratings> { Ok(ratings_of(&games_that_count(&run.results()?, league), league)) })
        .transpose()?;
    let ranks = ratings.as_ref().map_or_else(
        || vec![None; league.agents.len()],
        |ratings| ratings.ranks_among(|agent| games[agent] > 0 && !league.agents[agent].life.retired),
    );
    let place = |(agent, settings): (usize, &AgentSettings)| LadderPlace {
        name: settings.name.clone(),
        games: games[agent],
        rating: ratings.as_ref().filter(|_| games[agent] > 0 && !settings.life.disqualified).map(|ratings| {
            let rating = &ratings.agents[agent];
            (rating.rating, rating.interval)
        }),
        ranks: ranks[agent],
        is_retired: settings.life.retired,
    };
    let mut places: Vec<LadderPlace> = league.agents.iter().enumerate().map(place).collect();
    let rating = |place: &LadderPlace| place.rating.map_or(f64::NEG_INFINITY, |(rating, _)| rating);
    places.sort_by(|one, other| rating(other).total_cmp(&rating(one)));
    Ok(places)
}

/// The ratings of the agents of `league` from `games`, which are those that count.
pub(super) fn ratings_of(games: &RatedGames, league: &LeagueSettings) -> Ratings {
    let usual = RatingOptions::default();
    let anchored = league.anchor.as_ref().and_then(|anchor| {
        let agent = league.agents.iter().position(|agent| agent.name == anchor.agent)?;
        Some(RatingOptions { base: anchor.rating, anchor: Some(agent), ..usual })
    });
    let mut ratings = rate(games, &anchored.unwrap_or(usual));
    ratings.parts.retain(|part| !part.iter().all(|agent| league.agents[*agent].life.disqualified));
    ratings
}

/// The games that count: none in which somebody sat that is disqualified.
pub(super) fn games_that_count<'a>(games: &'a RatedGames, league: &LeagueSettings) -> Cow<'a, RatedGames> {
    let is_out = |agent: usize| league.agents[agent].life.disqualified;
    match (0..league.agents.len()).any(is_out) {
        true => Cow::Owned(games.without(is_out)),
        false => Cow::Borrowed(games),
    }
}

/// What a reader must know of an order, where `wanted` is the one that means something; nothing if scores do.
pub fn remark(is: RankedBy, wanted: RankedBy) -> Option<&'static str> {
    match (is, wanted) {
        (RankedBy::Tournament, _) => {
            Some("In the order of the tournament; scores and ratings are of all its games and do not decide it.")
        }
        (RankedBy::Rating, _) => Some(
            "In the order of ratings: these agents have not met the same opponents, so scores do not compare them.",
        ),
        (RankedBy::Score, RankedBy::Score) => None,
        (RankedBy::Score, _) => {
            Some("In the order of scores, which do not compare agents that have met other opponents; ratings would.")
        }
    }
}

/// Who is disqualified, in a sentence, if anybody is; `shown` escapes a name.
pub(super) fn disqualified(league: &LeagueSettings, shown: impl Fn(&str) -> String) -> Option<String> {
    let names: Vec<String> =
        league.agents.iter().filter(|agent| agent.life.disqualified).map(|agent| shown(&agent.name)).collect();
    (!names.is_empty()).then(|| disqualified_in_words(&names))
}

/// The sentence about those who are disqualified.
pub(super) fn disqualified_in_words(names: &[String]) -> String {
    format!("Disqualified, so last, and every game that they sat in is left out of the ratings: {}.", names.join(", "))
}
