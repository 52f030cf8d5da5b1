//! What a league can show within its budget: played in the mind before it is played, with agents of given strengths.
//!
//! It uses the same scheduler as the run. Results are drawn so that who is ahead of whom follows the logistic law, as the ratings
//! assume; real games have ties and duplicates, so figures are estimates. What is never shown here is refused only where even clear
//! differences are not shown.

use crate::format::Format;
use crate::league::League;
use crate::scheduler::{NextRound, RunEnding, Scheduler, hash};

/// Above so many games or agents a league is not tried before it starts.
const MOST_GAMES: u64 = 5_000;
const MOST_AGENTS: usize = 32;

/// Differences between neighbours, in logits, that are tried: clear ones, none at all, and the strongest.
const STEPS: [f64; 4] = [1.0, 3.0, 0.0, 30.0];

/// What came of leagues that were played in the mind.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Power {
    /// Leagues.
    pub leagues: u64,
    /// Those that showed all that their stop rules want.
    pub shown: u64,
    /// Mean games of a league, to its end.
    pub games: f64,
}

/// A league whose stop rules ask for more than its budget can show.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Hopeless {
    /// The games that there will be at most.
    pub budget: u64,
    /// About how many would do for clear differences; `None` if more than are tried.
    pub enough: Option<u64>,
}

/// Plays `leagues` leagues with agents of these strengths in logits, each with at most so many `games`.
///
/// # Panics
/// The league has problems, or not one strength for each agent.
pub fn power(league: &League, strengths: &[f64], games: u64, leagues: u64, seed: u64) -> Power {
    assert!(strengths.len() == league.agents.len(), "a strength for each agent");
    let (mut shown, mut all_games) = (0, 0);
    for number in 0..leagues {
        let (ending, played) = play(league, strengths, games, hash(seed, number, 0));
        shown += u64::from(ending == RunEnding::Shown);
        all_games += played;
    }
    Power { leagues, shown, games: all_games as f64 / leagues.max(1) as f64 }
}

/// The games of a league at most, if its stop rules want something to be shown and a number is known.
pub fn budget(league: &League) -> Option<u64> {
    let stop = &league.stop;
    // In the other formats the end of the format is what matters.
    let of_format = match league.format {
        Format::RoundRobin => Some(league.groups().saturating_mul(league.games_of_meeting())),
        Format::Sample | Format::Gauntlet { .. } | Format::Match | Format::Ladder => None,
        Format::Swiss { .. } | Format::KnockOut { .. } | Format::Double { .. } => return None,
    };
    of_format.into_iter().chain(stop.games).min().filter(|_| stop.wants_evidence())
}

/// What keeps the stop rules from being met at all: even agents that differ clearly would not be distinguished within the budget.
/// `None` if they can be met, or that is not known.
///
/// # Panics
/// The league has problems.
pub fn hopeless(league: &League) -> Option<Hopeless> {
    let games = budget(league).filter(|games| *games <= MOST_GAMES && league.agents.len() <= MOST_AGENTS)?;
    let shows = |step: f64, games: u64| play(league, &in_steps(league, step), games, 0).0 == RunEnding::Shown;
    if STEPS.iter().any(|step| shows(*step, games)) {
        return None;
    }
    let more = (1..).map(|doubled: u32| games.max(1) << doubled).take_while(|more| *more <= 4 * MOST_GAMES);
    // More games than a complete round-robin has come with more games for each pairing.
    let mut larger = league.clone();
    if league.format == Format::RoundRobin {
        larger.games_per_pairing *= MOST_GAMES;
    }
    let shows = |more: u64| play(&larger, &in_steps(league, STEPS[0]), more, 0).0 == RunEnding::Shown;
    Some(Hopeless { budget: games, enough: more.into_iter().find(|more| shows(*more)) })
}

/// Strengths in equal steps, the first agent being the best.
pub fn in_steps(league: &League, step: f64) -> Vec<f64> {
    (0..league.agents.len()).map(|agent| -step * agent as f64).collect()
}

/// One league to its end, and its games.
fn play(league: &League, strengths: &[f64], games: u64, seed: u64) -> (RunEnding, u64) {
    let mut league = league.clone();
    league.stop.games = Some(games);
    league.stop.minutes = None;
    let mut scheduler = Scheduler::new(league, seed).unwrap_or_else(|problems| panic!("{problems}"));
    loop {
        while scheduler.taken() < scheduler.plan().len() {
            let game = scheduler.plan().game(scheduler.taken());
            let value = |(seat, agent): (usize, &crate::AgentId)| {
                // From 0 to 1, without either; its double logarithm is Gumbel's noise.
                let unit = ((hash(seed, game.index, seat + 1) >> 12) as f64 + 0.5) / (1_u64 << 52) as f64;
                strengths[agent.index()] - libm::log(-libm::log(unit))
            };
            let values: Vec<f64> = game.agents.iter().enumerate().map(value).collect();
            let place = |own: &f64| 1 + values.iter().filter(|other| *other > own).count() as u8;
            let places: Vec<u8> = values.iter().map(place).collect();
            scheduler.take(&places);
        }
        if let NextRound::Over(ending) = scheduler.advance() {
            return (ending, scheduler.plan().len());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::format::{DecisionRule, MatchTest, Method, StopRules};

    fn league(agents: usize, format: Format, stop: StopRules) -> League {
        let agents = (0..agents).map(|number| format!("agent {number}")).collect();
        League { agents, seats: 2, games_per_pairing: 2, format, stop, ..League::default() }
    }

    #[test]
    fn a_stop_rule_that_can_never_be_met_is_found_and_what_would_do_is_named() {
        let ranking = |games| StopRules { ranking: true, games: Some(games), ..StopRules::default() };
        let few = hopeless(&league(4, Format::Sample, ranking(20))).expect("five deals of each agent show nothing");
        assert_eq!(few.budget, 20);
        let enough = few.enough.expect("a number");
        assert!(enough > 20 && hopeless(&league(4, Format::Sample, ranking(enough))).is_none(), "{few:?}");
        // A complete round-robin of two games a pairing has six deals.
        let short = league(4, Format::RoundRobin, StopRules { top: Some(1), ..StopRules::default() });
        assert_eq!(hopeless(&short).map(|few| few.budget), Some(12));
        let narrow =
            league(2, Format::Match, StopRules { width: Some(0.01), games: Some(200), ..StopRules::default() });
        assert!(hopeless(&narrow).is_some());
        let test = MatchTest { mu0: 0.5, mu1: 0.51, alpha: 0.05, beta: 0.05 };
        let decision = Some(DecisionRule { test, method: Method::Betting });
        let stop = |games| StopRules { decision, games: Some(games), ..StopRules::default() };
        assert!(hopeless(&league(2, Format::Match, stop(4))).is_some());
        assert!(hopeless(&league(2, Format::Match, stop(4_000))).is_none());
    }

    #[test]
    fn leagues_without_an_end_or_without_a_question_are_not_tried() {
        let top = StopRules { top: Some(1), ..StopRules::default() };
        assert_eq!(budget(&league(4, Format::Sample, top.clone())), None);
        assert_eq!(budget(&league(4, Format::Swiss { rounds: 2 }, top)), None);
        assert_eq!(budget(&league(4, Format::RoundRobin, StopRules { games: Some(8), ..StopRules::default() })), None);
    }

    #[test]
    fn larger_differences_are_shown_more_often_and_sooner() {
        let stop = StopRules { top: Some(1), games: Some(2_000), ..StopRules::default() };
        let league = league(4, Format::Sample, stop);
        let small = power(&league, &in_steps(&league, 0.02), 1_000, 10, 1);
        let large = power(&league, &in_steps(&league, 1.0), 1_000, 10, 1);
        assert!(small.shown < 5 && large.shown == 10, "{small:?}, {large:?}");
        assert!(large.games < small.games, "{small:?}, {large:?}");
    }
}
