//! `maumau rules stats`: how long games between the built-in bots are and what happens in them. It plays them in this
//! process through the referee; no agent is started and no record is kept.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::sync::Arc;

use anyhow::{Context, Result, bail};
use maumau_agents::{Agent, player, profile};
use maumau_engine::Rules;
use maumau_engine::rules::built_in;
use maumau_protocol::message::{Act, ArenaMessage, GameId, Ready};
use maumau_protocol::wire::read_arena_line;
use maumau_protocol::{DrawReason, Event, RoundEnd};
use maumau_referee::faults::refusal;
use maumau_referee::local_game::{LocalGame, setup};
use maumau_referee::record::{Entry, Meta};
use maumau_referee::{GameSetup, Input};
use maumau_report::{Sheet, TableLook};
use maumau_run::error::{CommandOutcome, usage};
use maumau_run::io::stdout::print;
use maumau_run::runner::{on_each_processor, processors};

use super::agent::unknown;
use super::rule_settings::RuleSettings;

#[derive(clap::Args)]
pub(super) struct RulesStatsArguments {
    /// Names of built-in rule sets, or paths of rule files; by default all built-in ones
    #[arg(value_name = "SET")]
    rules: Vec<String>,
    #[command(flatten)]
    settings: RuleSettings,
    /// Seats at the table
    #[arg(long, default_value_t = 4)]
    seats: usize,
    /// Games, of one round each
    #[arg(long, default_value_t = 1_000, value_parser = clap::value_parser!(u64).range(1..))]
    games: u64,
    /// The built-in bot that plays all seats; can be given many times
    #[arg(long, default_values_t = ["random".to_owned(), "greedy".to_owned()])]
    bots: Vec<String>,
}

/// Plays and prints a table, a column for each rule set and bot.
pub(super) fn run(arguments: &RulesStatsArguments) -> Result<CommandOutcome> {
    let names = match arguments.rules.is_empty() {
        true => built_in().iter().map(|set| set.name.to_owned()).collect(),
        false => arguments.rules.clone(),
    };
    let mut columns = Vec::new();
    for name in &names {
        let rules = arguments.settings.table(name, arguments.seats, Some(1))?;
        for bot in &arguments.bots {
            profile(bot).map_err(|error| usage(format!("--bots: {}", unknown(&error, bot))))?;
            print_stderr!("{} games of {name} between {bot} bots", arguments.games);
            columns.push((format!("{name} {bot}"), measure(&rules, bot, arguments.games)?));
        }
    }
    print(&format!(
        "{} seats, {} games of one round each; seats are counted clockwise from the dealer\n\n{}{}",
        arguments.seats,
        arguments.games,
        sheet_of(&columns),
        warnings(&columns)
    ))?;
    Ok(CommandOutcome::Done)
}

/// A sentence for each column of which more than one game in a hundred reached the turn cap.
fn warnings(columns: &[(String, Count)]) -> String {
    let often = columns.iter().filter_map(|(name, count)| {
        let capped = count.happened.get(TURN_CAP).copied().unwrap_or_default();
        (capped * 100 > count.games).then(|| {
            format!(
                "\n{name}: {capped} of {} games reached the turn cap, so that nobody won. Deal fewer cards, let effects cost less, or give \
                 players more that they can play.\n",
                count.games
            )
        })
    });
    often.collect()
}

/// What was counted over many games.
#[derive(Default)]
struct Count {
    games: u64,
    turns: Vec<u32>,
    asks: u64,
    /// Lines that reported a fault to a bot.
    faults: u64,
    /// Rounds won by each seat, clockwise from the dealer; several may win one.
    wins: Vec<u64>,
    /// Rounds that nobody has won.
    unwon: u64,
    /// Games in which each thing happened.
    happened: BTreeMap<String, u64>,
}

/// How often all seats together are asked in a round between bots that play quickly, on average over some rounds.
///
/// # Errors
/// A game cannot be played.
pub(super) fn asks_of_a_round(rules: &Arc<Rules>) -> Result<f64> {
    const ROUNDS: u64 = 20;
    let mut count = Count::default();
    (0..ROUNDS).try_for_each(|number| play(rules, "greedy", number, &mut count))?;
    Ok(count.asks as f64 / ROUNDS as f64)
}

fn measure(rules: &Arc<Rules>, bot: &str, games: u64) -> Result<Count> {
    let cpus = processors();
    let threads = cpus.len();
    let counts = on_each_processor(&cpus, |first| async move {
        let mut count = Count::default();
        for number in (first as u64..games).step_by(threads) {
            play(rules, bot, number, &mut count).with_context(|| format!("game {number} of {bot} bots"))?;
        }
        Ok(count)
    })?;
    let mut total = Count::default();
    for count in counts {
        total.games += count.games;
        total.turns.extend(count.turns);
        total.asks += count.asks;
        total.faults += count.faults;
        total.unwon += count.unwon;
        total.wins.resize(rules.seats(), 0);
        total.wins.iter_mut().zip(count.wins).for_each(|(total, wins)| *total += wins);
        for (name, games) in count.happened {
            *total.happened.entry(name).or_default() += games;
        }
    }
    total.turns.sort_unstable();
    Ok(total)
}

/// Plays one game and counts it.
fn play(rules: &Arc<Rules>, bot: &str, number: u64, count: &mut Count) -> Result<()> {
    let bots = vec![bot; rules.seats()];
    let BotGame { game, asks, faults } = play_bots(rules, &bots, format!("stats-{number}"), number)?;
    count.asks += asks;
    count.faults += faults;
    count.games += 1;
    count.turns.push(game.referee().game().turns());
    let mut happened = BTreeSet::new();
    let mut dealt_by = 0;
    count.wins.resize(rules.seats(), 0);
    let (log, _) = game.finish();
    log.expand(|entry, _| {
        let Entry::Event(entry) = entry else { return };
        names_of(&entry.event, rules, &mut happened);
        match &entry.event {
            Event::RoundStarted { dealer, .. } => dealt_by = dealer.index(),
            Event::RoundOver { winners, .. } => {
                count.unwon += u64::from(winners.is_empty());
                let seats = rules.seats();
                winners.iter().for_each(|winner| count.wins[(winner.index() + seats - dealt_by) % seats] += 1);
            }
            _ => {}
        }
    })
    .map_err(|error| anyhow::anyhow!("{error}"))?;
    for name in happened {
        *count.happened.entry(name).or_default() += 1;
    }
    Ok(())
}

/// A game between built-in bots that is over.
pub struct BotGame {
    /// The game.
    pub game: LocalGame,
    /// How often bots were asked.
    pub asks: u64,
    /// Lines that reported a fault to a bot.
    pub faults: u64,
}

/// Plays the game named `id` with the seed of `number` and, at each seat, the built-in bot of that place in `bots`.
///
/// # Errors
/// There is no such bot, or the game does not go on, which would be a bug.
///
/// # Panics
/// There are not as many bots as seats.
pub fn play_bots(rules: &Arc<Rules>, bots: &[&str], id: String, number: u64) -> Result<BotGame> {
    assert_eq!(bots.len(), rules.seats(), "a bot for each seat");
    let handshakes = bots.iter().map(|bot| Ok(Ok(ready(bot)?))).collect::<Result<Vec<_>>>()?;
    let setup = GameSetup { id: GameId(id.into()), ..setup(Arc::clone(rules), number, handshakes) };
    let mut over = BotGame { game: LocalGame::begin_unwatched(setup), asks: 0, faults: 0 };
    let mut agents: Vec<Option<Box<dyn Agent>>> = Vec::new();
    agents.resize_with(bots.len(), || None);
    let mut answers = VecDeque::new();
    loop {
        for (seat, line) in over.game.lines() {
            let agent = &mut agents[seat.index()];
            match read_arena_line(std::str::from_utf8(line)?)? {
                Some(ArenaMessage::Start(start)) => *agent = Some(player(bots[seat.index()], &start)?),
                Some(ArenaMessage::Ask(ask)) => {
                    let agent = agent.as_mut().context("an ask before the start")?;
                    let act = Act { game: ask.game.clone(), id: ask.id, crash: None, action: agent.choose(&ask) };
                    answers.push_back(Input::Act { seat, act, meta: Meta::default() });
                    over.asks += 1;
                }
                Some(ArenaMessage::Tell(tell)) => {
                    if let Some(agent) = agent {
                        agent.tell(&tell);
                    }
                }
                Some(ArenaMessage::Fault(_)) => over.faults += 1,
                _ => {}
            }
        }
        if over.game.referee().is_finished() {
            return Ok(over);
        }
        let Some(answer) = answers.pop_front() else { bail!("nobody is asked, and the game is not over") };
        over.game.give(answer);
    }
}

/// What a bot says when it is greeted.
fn ready(bot: &str) -> Result<Ready> {
    let introduced = profile(bot)?;
    Ok(Ready { version: introduced.version, ticks: introduced.ticks, ..Ready::new(introduced.name, introduced.wants) })
}

/// What `event` is an instance of, by the names of the rows of the table.
fn names_of(event: &Event, rules: &Rules, names: &mut BTreeSet<String>) {
    let name = match event {
        Event::Played { card, .. } => {
            let seats = rules.seats() as u8;
            let holds = |range: Option<[u8; 2]>| range.is_none_or(|[low, high]| (low..=high).contains(&seats));
            let played = rules
                .set()
                .effects
                .iter()
                .filter(|(_, effect)| !effect.off && holds(effect.seats) && effect.cards.0.contains(*card));
            names.extend(played.map(|(name, _)| format!("played: {name}")));
            return;
        }
        Event::RoundOver { end: RoundEnd::TurnCap, .. } => TURN_CAP,
        Event::RoundOver { winners, .. } if winners.len() > 1 => "several winners",
        Event::Together { .. } => "several cards at once",
        Event::Drew { why: DrawReason::Owed, .. } => "owed cards drawn",
        Event::Drew { why: DrawReason::Effect, .. } => "cards drawn at once",
        Event::HandsRotated { .. } => "hands moved on",
        Event::HandsSwapped { .. } => "hands exchanged",
        Event::Shown { .. } => "hands shown",
        Event::WentOut { .. } => "seat out, play goes on",
        Event::CameBack { .. } => "seat back in the round",
        Event::Counted { .. } => "new hand, play goes on",
        Event::Challenged { upheld: true, .. } => "challenge upheld",
        Event::Challenged { upheld: false, .. } => "challenge failed",
        Event::DebtCancelled { .. } => "debt cancelled",
        Event::DebtReturned { .. } => "debt sent back",
        Event::Penalty { fault, .. } => &format!("penalty: {}", fault.name()),
        Event::Mistake { fault, .. } => &format!("mistake: {}", fault.name()),
        Event::Skipped { .. } => "turn lost",
        Event::Reversed { .. } => "direction reversed",
        Event::Reshuffled { .. } => "reshuffle",
        Event::Waived { .. } => "cards waived",
        Event::ActedFor { .. } => "referee acted for a seat",
        Event::Revoked { .. } => "request revoked",
        Event::RequestOver => "request served to its end",
        Event::Free { .. } => "free card",
        Event::Swapped { .. } => "places exchanged",
        Event::Taken { .. } => "card taken from a hand",
        Event::Unsealed { .. } => "cards unsealed",
        Event::Interjected { count, .. } if *count >= 3 => "third interjection",
        Event::Interjected { .. } => "interjection",
        Event::RaceOpened { .. } => "race of neighbours",
        Event::SuitStated { .. } => "suit stated",
        Event::Chose { .. } => "suit or value named apart",
        Event::Called { upheld: true, .. } => "call upheld",
        Event::Closed => "closing time over",
        Event::PointOfOrder { .. } => "point of order",
        Event::Refused { reason, .. } => &format!("refused: {}", refusal(*reason).name),
        _ => return,
    };
    names.insert(name.to_owned());
}

const TURN_CAP: &str = "turn cap reached";

fn sheet_of(columns: &[(String, Count)]) -> String {
    let mut sheet = Sheet::default();
    sheet.text_column("");
    columns.iter().for_each(|(name, _)| _ = sheet.number_column(name));
    let mut row = |name: &str, cell: &dyn Fn(&Count) -> String| {
        sheet.row(std::iter::once(name.to_owned()).chain(columns.iter().map(|(_, count)| cell(count))).collect());
    };
    let mean = |count: &Count| count.turns.iter().map(|turns| f64::from(*turns)).sum::<f64>() / count.games as f64;
    row("turns, mean", &|count| format!("{:.1}", mean(count)));
    row("turns, median", &|count| quantile(count, 0.5).to_string());
    row("turns, 99 of 100 games", &|count| quantile(count, 0.99).to_string());
    row("turns, most", &|count| quantile(count, 1.0).to_string());
    row("asks, mean", &|count| format!("{:.1}", count.asks as f64 / count.games as f64));
    row("fault lines a game", &|count| format!("{:.3}", count.faults as f64 / count.games as f64));
    let part = |count: &Count, games: u64| format!("{:.2} %", games as f64 * 100.0 / count.games as f64);
    let share =
        |count: &Count, name: &str| count.happened.get(name).map_or("-".to_owned(), |games| part(count, *games));
    let seats = columns.iter().map(|(_, count)| count.wins.len()).max().unwrap_or_default();
    for seat in 0..seats {
        let name = if seat == 0 { "wins: dealer".to_owned() } else { format!("wins: dealer + {seat}") };
        row(&name, &|count| part(count, count.wins[seat]));
    }
    row("wins: nobody", &|count| part(count, count.unwon));
    row(TURN_CAP, &|count| share(count, TURN_CAP).replace('-', "0"));
    let names: BTreeSet<&String> = columns.iter().flat_map(|(_, count)| count.happened.keys()).collect();
    for name in names.into_iter().filter(|name| *name != TURN_CAP) {
        row(name, &|count| share(count, name));
    }
    sheet.draw(TableLook::for_stdout())
}

/// The number of turns that this share of the games does not exceed.
fn quantile(count: &Count, share: f64) -> u32 {
    let last = count.turns.len().saturating_sub(1);
    count.turns.get((last as f64 * share) as usize).copied().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use maumau_engine::rules::load_built_in;

    use super::*;

    #[test]
    fn every_round_is_won_by_a_seat_or_by_nobody() {
        let set = Arc::new(load_built_in("basic", &[]).expect("a set").set);
        let rules = Arc::new(Rules::for_table(&set, 3, Some(1)).expect("a table"));
        let mut count = Count::default();
        (0..12).for_each(|number| play(&rules, "greedy", number, &mut count).expect("a game"));
        assert_eq!((count.wins.len(), count.wins.iter().sum::<u64>() + count.unwon), (3, 12));
        let sheet = sheet_of(&[("basic greedy".to_owned(), count)]);
        for row in ["wins: dealer ", "wins: dealer + 2 ", "wins: nobody "] {
            assert!(sheet.contains(row), "{row}: {sheet}");
        }
        assert!(!sheet.contains("dealer + 3"), "{sheet}");
    }

    #[test]
    fn games_that_often_reach_the_turn_cap_are_warned_of() {
        let warned = |capped: u64| {
            let happened = [(TURN_CAP.to_owned(), capped)].into();
            warnings(&[("mine random".to_owned(), Count { games: 200, happened, ..Count::default() })])
        };
        assert_eq!(warned(2), "");
        assert!(warned(3).starts_with("\nmine random: 3 of 200 games reached the turn cap"), "{}", warned(3));
    }
}
