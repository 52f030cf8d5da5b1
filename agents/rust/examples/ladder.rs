//! Measures the built-in bots against one another, in one process and through the real referee:
//!
//! `cargo run --release -p maumau-agents --example ladder -- --deals 400 sample greedy basic 2`
//!
//! One bot sits among others of the second name, each deal from every seat, one round a game. It prints the share of the
//! others that it beats, with the 95 % interval by deal (even is .500), and CPU time. Without names it measures every rung
//! against the one below, by every built-in rule set, at two and at four seats; with `family` alone all bots against `greedy` by the
//! further games, in one table. A name may carry settings: `search:1000`,
//! `search!` (without inference). `--jobs N` plays N deals at once; the figures are the same, but for the time. Some more are for
//! measurements only: `sees-all` is `search` with the true hands of all seats, `sees-1` with that of the next seat alone, `sees-2` and
//! `sees-3` with that of the second and third; `open` sees the cards that will be drawn too. It changes nothing.

use std::collections::{BTreeMap, VecDeque};
use std::error::Error;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use maumau_agents::{Agent, Playouts, SearchOptions, Thinking, player_with, profile, with_open_cards};
use maumau_engine::rules::{built_in, family, load_built_in};
use maumau_engine::{Game, Rules};
use maumau_protocol::message::{Act, ArenaMessage, GameId, Ready, Start, Want};
use maumau_protocol::wire::read_arena_line;
use maumau_protocol::{Seat, SeatSet};
use maumau_referee::local_game::{LocalGame, setup};
use maumau_referee::record::Meta;
use maumau_referee::{GameSetup, Input, result_of};

/// Who plays against `greedy` by the further games, and how many deals at two seats; at four there are half as many.
const IN_FAMILY: [(&str, u64); 5] =
    [("random", 100), ("careful", 100), ("sample", 24), ("ismcts:1000", 16), ("search:1000", 24)];

/// A bot with its settings.
#[derive(Clone, Debug)]
struct Rung {
    shown: String,
    name: String,
    options: SearchOptions,
}

impl Rung {
    fn parse(shown: &str) -> Result<Rung, Box<dyn Error>> {
        let no_inference = shown.ends_with('!');
        let (name, simulations) = match shown.trim_end_matches('!').split_once(':') {
            Some((name, number)) => {
                let number = number.parse().map_err(|error| format!("{shown}: {number:?} playouts: {error}"))?;
                (name, Some(number))
            }
            None => (shown.trim_end_matches('!'), None),
        };
        Ok(Rung {
            shown: shown.to_owned(),
            name: name.to_owned(),
            options: SearchOptions { simulations, no_inference },
        })
    }

    fn ready(&self) -> Result<Ready, Box<dyn Error>> {
        if self.name == "open" {
            return Ok(Ready::new("open".to_owned(), vec![Want::View, Want::Legal, Want::Rules]));
        }
        let introduced = profile(if self.name.starts_with("sees-") { "search" } else { &self.name })?;
        Ok(Ready { ticks: introduced.ticks, ..Ready::new(introduced.name, introduced.wants) })
    }
}

/// A seat's player.
enum Seated {
    Bot(Box<dyn Agent>),
    /// `search` with true hands, or only that of the seat so many places further on.
    Sees(Box<Playouts>, Option<usize>),
    Open(Box<Start>),
}

/// Which deals are played, and how many at once.
#[derive(Clone, Copy)]
struct Deals {
    first: u64,
    count: u64,
    jobs: u64,
}

/// What was measured of one pair.
struct Measured {
    share: f64,
    /// Half of the interval.
    within: f64,
    /// Milliseconds of one answer of the bot, and the longest.
    each_ms: f64,
    most_ms: f64,
    games: usize,
}

fn measure(rung: &Rung, others: &Rung, set: &str, seats: usize, deals: Deals) -> Result<Measured, Box<dyn Error>> {
    let loaded = Arc::new(load_built_in(set, &[])?.set);
    let rules = Arc::new(Rules::for_table(&loaded, seats, Some(1))?);
    let next = AtomicU64::new(0);
    // The share of each deal by its number, so that their order is none of the clock's.
    let (mut shares, mut times) = (BTreeMap::new(), Vec::new());
    std::thread::scope(|scope| -> Result<(), Box<dyn Error>> {
        let work = || -> Result<Vec<(u64, f64, Vec<f64>)>, String> {
            let mut played = Vec::new();
            loop {
                let deal = next.fetch_add(1, Ordering::Relaxed);
                if deal >= deals.count {
                    return Ok(played);
                }
                let (mut sum, mut times) = (0.0, Vec::new());
                for place in 0..seats {
                    let game = play(rung, others, &rules, deals.first + deal, place);
                    let (share, of_game) = game.map_err(|error| error.to_string())?;
                    sum += share;
                    times.extend(of_game);
                }
                played.push((deal, sum / seats as f64, times));
            }
        };
        let workers: Vec<_> = (0..deals.jobs).map(|_| scope.spawn(work)).collect();
        for worker in workers {
            for (deal, share, of_deal) in worker.join().map_err(|_| "a worker panicked")?? {
                shares.insert(deal, share);
                times.extend(of_deal);
            }
        }
        Ok(())
    })?;
    let count = shares.len() as f64;
    let share = shares.values().sum::<f64>() / count;
    let variance = shares.values().map(|one| (one - share) * (one - share)).sum::<f64>() / (count - 1.0).max(1.0);
    let within = 1.96 * (variance / count).sqrt();
    let each_ms = times.iter().sum::<f64>() / times.len() as f64;
    let most_ms = times.iter().copied().fold(0.0, f64::max);
    Ok(Measured { share, within, each_ms, most_ms, games: shares.len() * seats })
}

/// Plays one game with `rung` at `place`: the share of the others that it beat, and the milliseconds of its answers.
fn play(
    rung: &Rung,
    others: &Rung,
    rules: &Arc<Rules>,
    deal: u64,
    place: usize,
) -> Result<(f64, Vec<f64>), Box<dyn Error>> {
    let seats = rules.seats();
    let of = |index: usize| if index == place { rung } else { others };
    let mut handshakes = Vec::new();
    for index in 0..seats {
        handshakes.push(Ok(of(index).ready()?));
    }
    let id = GameId(format!("ladder-{deal}").into());
    let mut game = LocalGame::begin_unwatched(GameSetup { id, ..setup(Arc::clone(rules), deal, handshakes) });
    let mut players: Vec<Option<Seated>> = (0..seats).map(|_| None).collect();
    let mut answers = VecDeque::new();
    let mut times = Vec::new();
    loop {
        let truth: Game = game.referee().game().clone();
        for (seat, line) in game.lines() {
            match read_arena_line(std::str::from_utf8(line)?)? {
                Some(ArenaMessage::Start(start)) => {
                    let rung = of(seat.index());
                    players[seat.index()] = Some(match (rung.name.as_str(), rung.name.strip_prefix("sees-")) {
                        ("open", _) => Seated::Open(start),
                        (_, Some(seen)) => {
                            let only = (seen != "all").then(|| seen.parse()).transpose()?;
                            let thinking = rung.options.simulations.map(|number| Thinking::SEARCH.fixed(number));
                            Seated::Sees(Box::new(Playouts::new(&start, thinking.unwrap_or(Thinking::SEARCH))), only)
                        }
                        (name, None) => Seated::Bot(player_with(name, &start, rung.options)?),
                    });
                }
                Some(ArenaMessage::Ask(ask)) => {
                    let player = players[seat.index()].as_mut().ok_or("an ask before the start")?;
                    let began = cpu_time();
                    let action = match player {
                        Seated::Bot(bot) => bot.choose(&ask),
                        Seated::Sees(bot, only) => {
                            let only = only.and_then(|further| Seat::new((seat.index() + further) % seats));
                            bot.choose_with_true_hands(&truth, only, &ask)
                        }
                        Seated::Open(start) => with_open_cards(start, &truth, &ask),
                    };
                    if seat.index() == place {
                        times.push((cpu_time() - began).as_secs_f64() * 1e3);
                    }
                    let act = Act { game: ask.game.clone(), id: ask.id, crash: None, action };
                    answers.push_back(Input::Act { seat, act, meta: Meta::default() });
                }
                Some(ArenaMessage::Tell(tell)) => match players[seat.index()].as_mut() {
                    Some(Seated::Bot(bot)) => bot.tell(&tell),
                    Some(Seated::Sees(bot, _)) => bot.tell(&tell),
                    Some(Seated::Open(_)) | None => {}
                },
                // An action that another one overtook costs nothing.
                Some(ArenaMessage::Fault(fault))
                    if (fault.strikes > 0 || fault.cards > 0) && of(seat.index()).name != "clown" =>
                {
                    return Err(format!("{} made a fault: {fault:?}", of(seat.index()).shown).into());
                }
                _ => {}
            }
        }
        if game.referee().is_finished() {
            break;
        }
        game.give(answers.pop_front().ok_or("nobody is asked, and the game is not over")?);
    }
    let over = game.referee().game();
    let places = result_of(over, SeatSet::EMPTY).places;
    let beaten = (0..seats).filter(|other| *other != place).map(|other| match places[place].cmp(&places[other]) {
        std::cmp::Ordering::Less => 1.0,
        std::cmp::Ordering::Equal => 0.5,
        std::cmp::Ordering::Greater => 0.0,
    });
    Ok((beaten.sum::<f64>() / (seats - 1) as f64, times))
}

/// The time that a processor has spent on this thread.
#[cfg(unix)]
fn cpu_time() -> Duration {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
    Duration::new(time.tv_sec.unsigned_abs(), time.tv_nsec.unsigned_abs() as u32)
}

/// The time by the clock, where that of a processor cannot be asked for.
#[cfg(not(unix))]
fn cpu_time() -> Duration {
    static BEGAN: std::sync::LazyLock<std::time::Instant> = std::sync::LazyLock::new(std::time::Instant::now);
    BEGAN.elapsed()
}

/// Prints what all bots reach against `greedy` by the further games, a row for each table, with so many deals as [`IN_FAMILY`] says.
fn measure_family(deals: Deals) -> Result<(), Box<dyn Error>> {
    let names = IN_FAMILY.map(|(name, _)| format!("`{name}`"));
    println!("| rule set | seats | {} |", names.join(" | "));
    println!("|---|---|{}", "---|".repeat(names.len()));
    for (seats, share_of_deals) in [(2, 1), (4, 2)] {
        for set in family() {
            let mut row = format!("| `{}` | {seats} |", set.name);
            for (name, count) in IN_FAMILY {
                let deals = Deals { count: count / share_of_deals, ..deals };
                let found = measure(&Rung::parse(name)?, &Rung::parse("greedy")?, set.name, seats, deals)?;
                let text = format!(" {:.3} ± {:.3} |", found.share, found.within).replace(" 0.", " .");
                row.push_str(&text);
            }
            println!("{row}");
        }
    }
    Ok(())
}

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments: Vec<String> = std::env::args().skip(1).collect();
    let mut take = |name: &str, usual: u64| -> Result<u64, Box<dyn Error>> {
        match arguments.iter().position(|argument| argument == name) {
            Some(at) => {
                let value = arguments.get(at + 1).ok_or_else(|| format!("{name} takes a number"))?;
                let value = value.parse().map_err(|error| format!("{name} {value:?}: {error}"))?;
                arguments.drain(at..at + 2);
                Ok(value)
            }
            None => Ok(usual),
        }
    };
    let deals = Deals { count: take("--deals", 200)?, first: take("--first", 1)?, jobs: take("--jobs", 1)?.max(1) };
    let mut pairs: Vec<(String, String, String, usize)> = Vec::new();
    if arguments == ["family"] {
        return measure_family(deals);
    }
    match arguments.as_slice() {
        [] => {
            let rungs = ["random", "first", "greedy", "net", "careful", "sample", "ismcts", "search"];
            for set in built_in() {
                for seats in [2, 4] {
                    for pair in rungs.windows(2) {
                        pairs.push((pair[1].to_owned(), pair[0].to_owned(), set.name.to_owned(), seats));
                    }
                }
            }
        }
        [rung, others, sets, seats] => {
            for set in sets.split(',') {
                for seats in seats.split(',') {
                    pairs.push((rung.clone(), others.clone(), set.to_owned(), seats.parse()?));
                }
            }
        }
        _ => return Err("expected: [--deals N] [--first N] [--jobs N] [family | BOT OTHERS SET,… SEATS,…]".into()),
    }
    println!("| set | seats | bot | against | share | ± | ms a move | longest ms | games |");
    println!("|---|---|---|---|---|---|---|---|---|");
    for (rung, others, set, seats) in pairs {
        let (rung, others) = (Rung::parse(&rung)?, Rung::parse(&others)?);
        let Measured { share, within, each_ms, most_ms, games } = measure(&rung, &others, &set, seats, deals)?;
        println!(
            "| {set} | {seats} | {} | {} | {share:.3} | {within:.3} | {each_ms:.3} | {most_ms:.1} | {games} |",
            rung.shown, others.shown
        );
    }
    Ok(())
}
