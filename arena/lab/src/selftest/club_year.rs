//! A simulated year of a club: teams whose bots improve, crash and stall, one place where versions are checked in turn, a ladder of
//! rounds that they join, and chapters. Checks take drawn times, and results follow known strengths; no bot is started and no game is
//! played. What is decided (turns, states, rounds, ratings) is decided by the code of the club and of tournaments.

use std::collections::BTreeMap;

use maumau_club::{VersionNews, VersionState, WaitingVersion, in_turn};
use maumau_engine::ChoiceStream;
use maumau_run::io::progress::ProgressLine;
use maumau_tournament::{AgentId, Allocation, Format, League, NextRound, Round, Scheduler, StopRules};

use super::looks::play_on;

/// Agents of a run at which a chapter ends, as in a club.
const MAX_AGENTS: usize = 1_000;
/// House bots, which always play, by their strengths in logits.
const HOUSE: [f64; 3] = [0.0, -0.4, -1.6];
/// Games of a round.
const ROUND_GAMES: u64 = 64;
/// Seconds of a day.
const DAY_S: f64 = 86_400.0;
/// Days of a season; on its last day ten times as much is sent.
const SEASON_DAYS: u64 = 90;
const RUSH: f64 = 10.0;

/// What the year is like.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ClubYear {
    /// Teams, each with one bot.
    pub(crate) teams: usize,
    /// How long it lasts.
    pub(crate) days: u64,
    /// Rated games a day.
    pub(crate) games_a_day: u64,
    /// Days between two versions of a bot, on average.
    pub(crate) days_between: f64,
    /// What all chance follows from.
    pub(crate) seed: u64,
}

/// What came of it.
#[derive(Clone, Debug, Default)]
pub(crate) struct ClubYearResult {
    /// Versions that were sent, and of these refused.
    pub(crate) sent: u64,
    pub(crate) refused: u64,
    /// Seconds from sending to a verdict, on ordinary days and on those before a deadline, in order.
    pub(crate) waits: [Vec<f64>; 2],
    /// Games of others between a version's joining and its first game, in order.
    pub(crate) first_games: Vec<f64>,
    /// The least games of an active bot on a day over the mean, for each day, in order.
    pub(crate) least: Vec<f64>,
    /// Days of the year on which an active bot had no game at all.
    pub(crate) idle_days: u64,
    /// Chapters.
    pub(crate) chapters: u64,
    /// Rated games.
    pub(crate) games: u64,
    /// Pairs of active bots that were called different at the end of a chapter, and of these in the wrong order.
    pub(crate) decided: u64,
    pub(crate) wrong: u64,
    /// The rank correlation of the ladder with the strengths at the end of each chapter.
    pub(crate) correlations: Vec<f64>,
}

/// A bot.
#[derive(Clone, Debug)]
struct Bot {
    strength: f64,
    /// The version that plays, by its agent.
    agent: Option<usize>,
}

/// A version on its way.
struct Sent {
    team: usize,
    at_s: f64,
    strength: f64,
    check_s: f64,
    is_good: bool,
    is_rush: bool,
    state: VersionState,
}

/// The ladder of a chapter.
struct Chapter {
    scheduler: Scheduler,
    strengths: Vec<f64>,
    /// The game number at which each agent joined, until its first game.
    joined: BTreeMap<usize, u64>,
    /// Games of the plan that have been looked at.
    seen: u64,
}

fn league(agents: usize) -> League {
    League {
        agents: (0..agents).map(|number| format!("agent {number}")).collect(),
        seats: 2,
        games_per_pairing: 2,
        format: Format::Ladder,
        allocation: Allocation { round_games: Some(ROUND_GAMES), ..Allocation::default() },
        stop: StopRules::default(),
        ..League::default()
    }
}

impl Chapter {
    /// One that begins with the house bots and those that play.
    fn begin(bots: &mut [Bot], seed: u64) -> Chapter {
        let mut strengths = HOUSE.to_vec();
        for bot in bots.iter_mut().filter(|bot| bot.agent.is_some()) {
            bot.agent = Some(strengths.len());
            strengths.push(bot.strength);
        }
        let good = |problems| -> ! { unreachable!("a good league: {problems}") };
        let scheduler = Scheduler::new(league(strengths.len()), seed).unwrap_or_else(|problems| good(problems));
        Chapter { scheduler, strengths, joined: BTreeMap::new(), seen: 0 }
    }

    /// Lets new versions play instead of those before them.
    fn join(&mut self, ready: &[Sent], bots: &mut [Bot]) {
        let before = self.scheduler.known();
        let mut playing = self.scheduler.playing();
        for sent in ready {
            let bot = &mut bots[sent.team];
            playing.retain(|agent| Some(agent.index()) != bot.agent);
            let agent = self.strengths.len();
            self.strengths.push(sent.strength);
            playing.push(AgentId(agent as u16));
            (bot.agent, bot.strength) = (Some(agent), sent.strength);
            self.joined.insert(agent, self.scheduler.taken());
        }
        let grown = self.scheduler.grow(league(self.strengths.len()));
        grown.unwrap_or_else(|problems| unreachable!("a good league: {problems}"));
        // Two versions of one bot may have become ready in one round.
        playing.retain(|agent| agent.index() < HOUSE.len() || bots.iter().any(|bot| bot.agent == Some(agent.index())));
        let pool = Round::Pool { before, playing, dropped: Vec::new() };
        self.scheduler.adopt(&pool).unwrap_or_else(|mismatch| unreachable!("a pool of its agents: {mismatch}"));
    }

    /// Plays a round; the games of each agent are added to `games`.
    fn play(
        &mut self,
        dice: &mut ChoiceStream<'_>,
        games: &mut BTreeMap<usize, u64>,
        result: &mut ClubYearResult,
    ) -> u64 {
        if !matches!(self.scheduler.advance(), NextRound::Round(_)) {
            unreachable!("a ladder without an end, all of whose games are over");
        }
        play_on(&mut self.scheduler, &self.strengths, dice);
        let first = self.seen;
        self.seen = self.scheduler.plan().len();
        for number in first..self.seen {
            for agent in self.scheduler.plan().game(number).agents.iter().map(|agent| agent.index()) {
                *games.entry(agent).or_default() += 1;
                if let Some(joined) = self.joined.remove(&agent) {
                    result.first_games.push((number - joined) as f64);
                }
            }
        }
        self.seen - first
    }

    /// How well the ladder has found the strengths.
    fn end(&self, result: &mut ClubYearResult) {
        let playing = self.scheduler.playing();
        let is_active = |agent: &AgentId| playing.contains(agent);
        let strength = |agent: AgentId| self.strengths[agent.index()];
        let order: Vec<AgentId> = self.scheduler.best(self.strengths.len()).into_iter().filter(is_active).collect();
        let place: BTreeMap<AgentId, usize> = order.iter().enumerate().map(|(place, agent)| (*agent, place)).collect();
        for (one, other) in self.scheduler.decided() {
            if let (Some(first), Some(second)) = (place.get(&one), place.get(&other)) {
                result.decided += 1;
                result.wrong += u64::from((first < second) != (strength(one) > strength(other)));
            }
        }
        let (mut agreeing, mut pairs) = (0.0, 0.0);
        for (at, one) in order.iter().enumerate() {
            for other in &order[at + 1..] {
                agreeing += f64::from(u8::from(strength(*one) > strength(*other)));
                pairs += 1.0;
            }
        }
        result.correlations.push(2.0 * agreeing / pairs - 1.0);
        result.chapters += 1;
    }
}

/// A number from 0 to 1.
fn unit(dice: &mut ChoiceStream<'_>) -> f64 {
    (dice.number_below((1 << 53) - 1) + 1) as f64 / (1_u64 << 53) as f64
}

/// A time until the next of events that come so often on average.
fn next_after(mean: f64, dice: &mut ChoiceStream<'_>) -> f64 {
    -mean * unit(dice).ln()
}

/// Lives through a year.
pub(crate) fn live(year: &ClubYear) -> ClubYearResult {
    let mut dice = ChoiceStream::new(&[year.seed, year.days]);
    let mut result = ClubYearResult::default();
    let mut bots: Vec<Bot> = (0..year.teams).map(|_| Bot { strength: 0.0, agent: None }).collect();
    // Of each team, the best that it has sent so far.
    let mut skills: Vec<f64> = (0..year.teams).map(|_| 2.0 * unit(&mut dice) - 2.0).collect();
    let mut queue: Vec<Sent> = Vec::new();
    let mut ready: Vec<Sent> = Vec::new();
    let mut chapter = Chapter::begin(&mut bots, year.seed);
    let round_s = DAY_S / (year.games_a_day as f64 / ROUND_GAMES as f64);
    let (mut now_s, mut checked_at_s) = (0.0, 0.0_f64);
    let mut send_at_s: Vec<f64> =
        (0..year.teams).map(|_| next_after(year.days_between * DAY_S / 4.0, &mut dice)).collect();
    let progress = ProgressLine::new("days", year.days);
    for day in 0..year.days {
        let is_rush = day % SEASON_DAYS == SEASON_DAYS - 1;
        let mut games = BTreeMap::new();
        let there: Vec<usize> = bots.iter().filter_map(|bot| bot.agent).collect();
        let chapter_then = result.chapters;
        let end_s = (day + 1) as f64 * DAY_S;
        if is_rush {
            // What would come in ten days comes today.
            send_at_s.iter_mut().for_each(|at| *at = now_s + (*at - now_s) / RUSH);
        }
        while now_s < end_s {
            now_s += round_s;
            for (team, at_s) in send_at_s.iter_mut().enumerate() {
                while *at_s <= now_s {
                    // Most versions are better than the one before, some are worse, and some are broken.
                    skills[team] += 0.12 * (unit(&mut dice) - 0.3);
                    let lot = unit(&mut dice);
                    let check_s = if lot < 0.03 { 600.0 } else { 3.0 + next_after(5.0, &mut dice) };
                    queue.push(Sent {
                        team,
                        at_s: *at_s,
                        strength: skills[team],
                        check_s,
                        is_good: lot >= 0.10,
                        is_rush,
                        state: VersionState::Waiting,
                    });
                    result.sent += 1;
                    let mean = year.days_between * DAY_S / if is_rush { RUSH } else { 1.0 };
                    *at_s += next_after(mean, &mut dice);
                }
            }
            check(&mut queue, &mut ready, &mut checked_at_s, now_s, &mut result);
            if chapter.strengths.len() + ready.len() >= MAX_AGENTS {
                chapter.end(&mut result);
                chapter = Chapter::begin(&mut bots, year.seed + result.chapters);
            }
            if !ready.is_empty() {
                chapter.join(&ready, &mut bots);
                ready.clear();
            }
            result.games += chapter.play(&mut dice, &mut games, &mut result);
        }
        let still: Vec<usize> =
            there.into_iter().filter(|agent| bots.iter().any(|bot| bot.agent == Some(*agent))).collect();
        // Of a day on which a chapter began the agents have other numbers.
        if !still.is_empty() && result.chapters == chapter_then {
            let all: Vec<u64> = still.iter().map(|agent| games.get(agent).copied().unwrap_or(0)).collect();
            let mean = all.iter().sum::<u64>() as f64 / all.len() as f64;
            let least = all.iter().copied().min().unwrap_or(0);
            result.idle_days += u64::from(least == 0);
            result.least.push(least as f64 / mean);
        }
        progress.is_at(day + 1, 0);
    }
    chapter.end(&mut result);
    progress.end();
    result
        .waits
        .iter_mut()
        .chain([&mut result.first_games, &mut result.least])
        .for_each(|all| all.sort_by(f64::total_cmp));
    result
}

/// Checks versions one after another until `now_s`; teams take turns.
fn check(queue: &mut Vec<Sent>, ready: &mut Vec<Sent>, free_at_s: &mut f64, now_s: f64, result: &mut ClubYearResult) {
    loop {
        // Those that were there when the place became free, else the next that comes.
        let first_s = queue.iter().map(|sent| sent.at_s).fold(f64::INFINITY, f64::min);
        let begin_s = free_at_s.max(first_s);
        let waiting: Vec<WaitingVersion> = queue
            .iter()
            .enumerate()
            .filter(|(_, sent)| sent.at_s <= begin_s)
            .map(|(id, sent)| WaitingVersion { id: id as i64, team: sent.team.to_string() })
            .collect();
        let Some(next) = in_turn(&waiting).first().and_then(|id| usize::try_from(*id).ok()) else { return };
        if begin_s + queue[next].check_s > now_s {
            return;
        }
        let mut sent = queue.remove(next);
        *free_at_s = begin_s + sent.check_s;
        let verdict = if sent.is_good { VersionNews::Passed } else { VersionNews::FoundFaulty };
        for news in [VersionNews::CheckBegan, verdict] {
            sent.state = sent.state.after(news).unwrap_or(sent.state);
        }
        result.waits[usize::from(sent.is_rush)].push(*free_at_s - sent.at_s);
        match sent.state {
            VersionState::Ready => ready.push(sent),
            _ => result.refused += 1,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn in_a_short_year_everybody_plays_and_the_ladder_finds_who_is_better() {
        let year = ClubYear { teams: 12, days: 20, games_a_day: 2_560, days_between: 5.0, seed: 1 };
        let result = live(&year);
        assert!(result.sent > 20 && result.refused < result.sent / 3, "{result:?}");
        assert_eq!(result.waits[0].len() as u64 + result.waits[1].len() as u64, result.sent);
        assert!(result.games >= 20 * 2_560 && result.chapters == 1);
        assert!(result.least[0] >= 0.2 && result.idle_days == 0, "{:?}", result.least);
        assert!(result.first_games.last().is_some_and(|last| *last <= 2.0 * ROUND_GAMES as f64), "{result:?}");
        assert!(result.correlations[0] > 0.6 && result.wrong * 20 <= result.decided, "{result:?}");
    }
}
