//! Whether a league will show what its stop rules ask for: simulated with the differences that a few games show, or with given ones.
//! Plays no games.

use maumau_run::io::format::counted;
use maumau_tournament::power::{Power, budget, in_steps, power};
use maumau_tournament::statistics::ratings::{POINTS, RatedGames, RatingOptions, rate};
use maumau_tournament::{League, fixed};
use serde_json::{Value, json};

/// Leagues that are simulated for each answer.
const LEAGUES: u64 = 10;
/// Games at which they are given up.
const MOST_GAMES: u64 = 20_000;

/// What simulated leagues came to.
pub(super) struct Forecast {
    /// Which differences were assumed, in words.
    assumed: String,
    /// The games that the league has at most, if a number is known.
    budget: Option<u64>,
    /// The games that were simulated at most.
    most: u64,
    power: Power,
}

/// Forecasts for `league`: with the differences of `games`, which its agents have played, or `effect` rating points between
/// neighbours. `None` if its stop rules ask for nothing.
pub(super) fn forecast(league: &League, games: &RatedGames, effect: Option<f64>) -> Option<Forecast> {
    if !league.stop.wants_evidence() {
        return None;
    }
    let (assumed, strengths) = match effect {
        Some(points) => (format!("neighbours {} points apart", fixed(points, 0)), in_steps(league, points / POINTS)),
        None => {
            let ratings = rate(games, &RatingOptions::default());
            ("the differences of these few games".to_owned(), ratings.agents.iter().map(|agent| agent.logit).collect())
        }
    };
    let budget = budget(league);
    let most = budget.unwrap_or(MOST_GAMES).min(MOST_GAMES);
    Some(Forecast { assumed, budget, most, power: power(league, &strengths, most, LEAGUES, 1) })
}

impl Forecast {
    /// True if most leagues do not show what is asked for within the budget.
    fn is_doubtful(&self) -> bool {
        2 * self.power.shown < self.power.leagues && self.budget.is_some_and(|budget| budget <= self.most)
    }

    /// In sentences.
    pub(super) fn text(&self) -> String {
        let Power { leagues, shown, games } = self.power;
        let within = counted(self.most, "game");
        let mut text = format!(
            "with {}, {shown} of {leagues} simulated leagues show what [stop] asks for within {within}; they end after about {}\n",
            self.assumed,
            counted(games.round() as u64, "game")
        );
        if self.is_doubtful() {
            text += "the league will probably end undecided: have more games, or ask for less\n";
        }
        text
    }

    pub(super) fn json(&self) -> Value {
        let Power { leagues, shown, games } = self.power;
        json!({
            "assumed": self.assumed, "games_at_most": self.most, "leagues": leagues, "shown": shown, "mean_games": games,
            "doubtful": self.is_doubtful(),
        })
    }
}
