//! Seats of people at a match: the command behind `--seat human`, and the times that suit people, at the terminal and on pages. A
//! person's agent is one like any other; only what is set up for it differs.

use anyhow::{Result, ensure};
use maumau_protocol::limits::MAX_NAME_CHARS;
use maumau_protocol::message::{ClockMode, TimeControl};
use maumau_protocol::{Seat, SeatSet, steers};
use maumau_run::agent::{AgentCommand, look};
use maumau_run::error::usage;
use maumau_run::io::untrusted::Untrusted;
use maumau_run::runner::AgentSpec;

use crate::cli::{agent, terminal_look};
use crate::pages::web_agent;

/// What a seat of a person at this terminal is called on the command line.
pub(super) const HUMAN: &str = "human";

/// The times of a match with a person, unless others are given: nobody should lose a turn for thinking, nor a word for the time
/// that a key takes.
pub(super) const WITH_PERSON: TimeControl = TimeControl {
    move_ms: 300_000,
    bank_ms: 0,
    increment_ms: 0,
    start_ms: 10_000,
    grace_ms: 6_000,
    reaction_ms: 3_000,
    closing_ms: 8_000,
    count_ms: 15_000,
};

/// The command of a seat: what was typed, or what `human` and `human NAME` stand for.
pub(super) fn command_of(seat: &str) -> String {
    let is_human = seat.split(' ').next() == Some(HUMAN);
    if is_human { format!("maumau agent human{}", terminal_look::options()) } else { seat.to_owned() }
}

/// The name that a person was given: what stands after `human` or `web`.
fn given_name(seat: &str) -> Option<&str> {
    let (kind, name) = seat.split_once(' ')?;
    [HUMAN, web_agent::NAME].contains(&kind).then_some(name.trim()).filter(|name| !name.is_empty())
}

/// Calls people as they were seated, and leaves the other `names`.
///
/// # Errors
/// A name is too long, would steer a terminal, or looks like that of another seat.
pub(super) fn call_by_name(seats: &[String], names: &mut [String]) -> Result<()> {
    for (at, seat) in seats.iter().enumerate() {
        let Some(name) = given_name(seat) else { continue };
        let place = format!("--seat number {}", at + 1);
        ensure!(
            name.chars().count() <= MAX_NAME_CHARS && !name.chars().any(steers),
            usage(format!("{place}: a name has at most {MAX_NAME_CHARS} characters, all of them visible"))
        );
        let taken = names.iter().enumerate().any(|(other, own)| other != at && look(own) == look(name));
        ensure!(!taken, usage(format!("{place}: another seat is called {name} too; choose another name")));
        name.clone_into(&mut names[at]);
    }
    Ok(())
}

/// True if a person plays at the terminal by this command.
pub(super) fn sits_here(command: &AgentCommand) -> bool {
    command.program() == "maumau" && command.arguments().iter().take(2).eq(["agent", HUMAN])
}

/// Checks that the people at these seats can play: there is one terminal.
///
/// # Errors
/// There is none, or several people would share it.
pub(super) fn check(commands: &[AgentCommand]) -> Result<bool> {
    let people = commands.iter().filter(|command| sits_here(command)).count();
    ensure!(people < 2, usage("two people cannot share a terminal: only one --seat can be human"));
    ensure!(
        people == 0 || maumau_terminal::screen::exists(),
        usage("--seat human: a person plays in a terminal, and this program was started without one")
    );
    Ok(people == 1)
}

/// The clock and the times of a match: what was given, else what suits those who play.
pub(super) fn times(with_people: bool, clock: Option<ClockMode>, given: GivenTimes) -> (ClockMode, TimeControl) {
    let usual = if with_people { WITH_PERSON } else { TimeControl::default() };
    let otherwise = if with_people { ClockMode::Live } else { ClockMode::Lockstep };
    let time = TimeControl {
        move_ms: given.move_ms.unwrap_or(usual.move_ms),
        bank_ms: given.bank_ms,
        increment_ms: given.increment_ms,
        start_ms: given.start_ms,
        ..usual
    };
    (clock.unwrap_or(otherwise), time)
}

/// Times from the command line.
pub(super) struct GivenTimes {
    pub(super) move_ms: Option<u64>,
    pub(super) bank_ms: u64,
    pub(super) increment_ms: u64,
    pub(super) start_ms: u64,
}

/// What is printed for a person before the match begins.
pub(super) fn remark(clock: ClockMode, time: &TimeControl) -> String {
    let seconds = |ms: u64| if ms.is_multiple_of(1_000) { format!("{} s", ms / 1_000) } else { format!("{ms} ms") };
    let clock = match clock {
        ClockMode::Live => format!(
            "on the live clock, with {} for a word that is due and {} to answer a card",
            seconds(time.grace_ms),
            seconds(time.reaction_ms)
        ),
        ClockMode::Lockstep => "in lockstep".to_owned(),
    };
    format!("people play: {} for a move, {clock} (--move-ms and --clock change that)", seconds(time.move_ms))
}

/// Gives the built-in bots the pace of a person; returns their seats, and the names of the bots of others, which are not slowed.
pub(super) fn slow_down(specs: &mut [AgentSpec]) -> (SeatSet, Vec<String>) {
    let (mut slowed, mut others) = (SeatSet::EMPTY, Vec::new());
    for (seat, spec) in Seat::all(specs.len()).zip(specs) {
        let words = spec.command.arguments();
        match (spec.command.program(), words.first().map(String::as_str), words.get(1).map(String::as_str)) {
            ("maumau", Some("agent"), Some(HUMAN | web_agent::NAME)) => {}
            ("maumau", Some("agent"), Some(bot)) if agent::names().any(|name| name == bot) => {
                spec.command = spec.command.with_argument("--human-pace");
                slowed.insert(seat);
            }
            _ => others.push(spec.name.clone()),
        }
    }
    (slowed, others)
}

/// What is printed where bots are slowed.
pub(super) fn pace_remark(not_slowed: &[String]) -> String {
    let others = match not_slowed {
        [] => String::new(),
        names => format!("; not slowed: {}", Untrusted::new(&names.join(", ")).terminal()),
    };
    format!("built-in bots take half a second to two seconds to act{others} (--bot-pace full lets them act at once)")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_person_is_given_time_unless_the_command_line_says_otherwise() {
        let given = |move_ms| GivenTimes { move_ms, bank_ms: 7, increment_ms: 0, start_ms: 9_000 };
        let (clock, time) = times(true, None, given(None));
        assert_eq!((clock, time.move_ms, time.grace_ms), (ClockMode::Live, 300_000, 6_000));
        assert_eq!((time.bank_ms, time.start_ms), (7, 9_000));
        let (clock, time) = times(true, Some(ClockMode::Lockstep), given(Some(10)));
        assert_eq!((clock, time.move_ms), (ClockMode::Lockstep, 10));
        let (clock, time) = times(false, None, given(None));
        assert_eq!((clock, time.move_ms, time.grace_ms), (ClockMode::Lockstep, 5_000, 2_000));
    }

    #[test]
    fn a_person_is_recognised_by_the_command() {
        for (line, sits) in [
            ("maumau agent human", true),
            ("maumau agent human --letters", true),
            ("maumau agent greedy", false),
            ("human", false),
        ] {
            assert_eq!(sits_here(&AgentCommand::parse(line).expect("a command")), sits, "{line}");
        }
        assert!(command_of("human").starts_with("maumau agent human"));
        assert_eq!(command_of("human Ann"), command_of("human"));
        assert_eq!(command_of("./human"), "./human");
    }

    #[test]
    fn people_are_called_as_they_were_seated_unless_others_are() {
        let names = |seats: &[&str]| {
            let seats: Vec<String> = seats.iter().map(|seat| (*seat).to_owned()).collect();
            let mut names: Vec<String> = (0..seats.len()).map(|seat| format!("bot {seat}")).collect();
            call_by_name(&seats, &mut names).map(|()| names).map_err(|error| error.to_string())
        };
        let called = names(&["human Ann", "web Zoe van Dyk", "web", "web ", "mine.py Ann"]).expect("names");
        assert_eq!(called, ["Ann", "Zoe van Dyk", "bot 2", "bot 3", "bot 4"]);
        for seats in [&["web Ann", "web Ann"][..], &["web bot 1", "greedy"], &["web A\u{1b}nn"], &["web \u{202e}"]] {
            assert!(names(seats).expect_err("refused").contains("--seat number"), "{seats:?}");
        }
        assert!(names(&[&format!("web {}", "a".repeat(65))]).is_err());
    }

    #[test]
    fn built_in_bots_are_slowed_and_those_of_others_are_named() {
        let spec = |name: &str, line: &str| {
            let command = AgentCommand::parse(line).expect("a command");
            AgentSpec { name: name.to_owned(), command }
        };
        let mut specs = [
            spec("web", "maumau agent web"),
            spec("search", "maumau agent search --simulations 10"),
            spec("model", "maumau agent llm --model x"),
            spec("mine", "python3 mine.py"),
        ];
        let (slowed, others) = slow_down(&mut specs);
        assert_eq!(
            (slowed.iter().map(Seat::index).collect::<Vec<_>>(), others),
            (vec![1], vec!["model".to_owned(), "mine".to_owned()])
        );
        let last = specs.iter().map(|spec| spec.command.arguments().last().map_or("", String::as_str));
        assert_eq!(last.collect::<Vec<_>>(), ["web", "--human-pace", "x", "mine.py"]);
        assert!(pace_remark(&["mine".to_owned()]).contains("to act; not slowed: mine (--bot-pace full"));
    }

    #[test]
    fn two_people_do_not_share_a_terminal() {
        let human = AgentCommand::parse("maumau agent human").expect("a command");
        let error = check(&[human.clone(), human]).expect_err("two people").to_string();
        assert!(error.contains("only one --seat can be human"), "{error}");
        let bot = AgentCommand::parse("./bot").expect("a command");
        assert!(!check(&[bot]).expect("a bot needs no terminal"));
    }

    #[test]
    fn the_remark_to_a_person_names_the_times() {
        let text = remark(ClockMode::Live, &WITH_PERSON);
        assert!(text.contains("300 s for a move, on the live clock, with 6 s for a word"), "{text}");
        assert!(
            remark(ClockMode::Lockstep, &TimeControl { move_ms: 1_500, ..WITH_PERSON })
                .contains("1500 ms for a move, in lockstep")
        );
    }
}
