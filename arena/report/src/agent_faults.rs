//! Everything that went wrong for one agent of a run, in a folder for its author: a list of what happened, and of each game a text
//! and the record as its seat saw them. It writes only into that folder. Which seat may know what, the story decides; what
//! counts as a fault, the referee.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use maumau_protocol::fault::ConductFault::{Gone, NotStarted, Silent};
use maumau_protocol::fault::FaultCounts;
use maumau_protocol::{Seat, SeenEvent};
use maumau_referee::record::{Entry, MoveNumber};
use maumau_referee::story::{About, Frame, KnownEvent, frames};
use maumau_referee::{Committed, GameLog, Logged};
use maumau_run::error::usage;
use maumau_run::fault_report;
use maumau_run::io::atomic_file;
use maumau_run::io::bounded;
use maumau_run::io::format::counted;
use maumau_run::io::untrusted::{self, Untrusted};
use maumau_run::run_store::{RunFile, StoredGame};

use super::story_json::{Members, story_json};
use super::story_text::{StoryText, result_lines};
use super::tables::{Sheet, TableLook};

/// Bytes of a fault report that are read, at most; the largest has a few tails of lines.
const MAX_REPORT_BYTES: u64 = 16 * 1024 * 1024;

/// Faults that the list shows; `faults.csv` has all.
const MOST_LISTED: usize = 500;
/// Faults that the text of a game lists before the game, which shows all.
const MOST_OF_A_GAME: usize = 100;
/// Hexadecimal digits of a game's id; a seed has 64.
const LONGEST_ID: usize = 16;
/// Bytes of a faulty line, or of an action, in lists.
const MOST_BYTES: usize = 300;

/// What was written.
#[derive(Debug)]
pub struct HandedOut {
    /// Games of the agent in which something went wrong.
    pub games: u64,
    /// All its finished games.
    pub of: u64,
    /// How often each fault was counted.
    pub faults: FaultCounts,
    /// Games from which the agent was dismissed.
    pub dismissals: u64,
    /// Deadlines that it let pass when nothing had to be done.
    pub missed: u64,
}

/// One thing that went wrong.
struct Wrong {
    kind: String,
    game: String,
    round: u32,
    number: MoveNumber,
    /// The last event before it, or its own if the rules make it one.
    event: Option<u32>,
    sent: String,
    said: String,
}

/// Writes what went wrong for `agent`, a name in `run`, into `folder`, which must not exist or be empty; `reports` is the folder of
/// the run's fault reports, from which stderr and the last lines are taken.
///
/// # Errors
/// The folder has files, a file cannot be written, or the run file cannot be read.
pub fn hand_out(run: &RunFile, agent: &str, folder: &Path, reports: &Path) -> Result<HandedOut> {
    refuse_a_full_folder(folder)?;
    std::fs::create_dir_all(folder).with_context(|| format!("the folder {} cannot be made", folder.display()))?;
    let mut wrongs = Vec::new();
    let mut handed = HandedOut { games: 0, of: 0, faults: FaultCounts::default(), dismissals: 0, missed: 0 };
    run.for_each_game(|game| {
        let pairings = &run.plan.pairings;
        let Some((seat, _)) = game.planned.seating().find(|(_, other)| pairings.name(*other) == agent) else {
            return Ok(());
        };
        handed.of += 1;
        let log = game.game_log(&run.plan)?;
        let missed = log.inputs.iter().flat_map(|logged| &logged.meta.missed);
        let missed = missed.filter(|missed| missed.seat == seat && !missed.void).count() as u64;
        let faults = &game.faults[seat.index()];
        let is_dismissed = game.result.dismissed.contains(&seat);
        if faults.is_empty() && !is_dismissed && missed == 0 {
            return Ok(());
        }
        handed.games += 1;
        handed.faults += faults;
        handed.dismissals += u64::from(is_dismissed);
        handed.missed += missed;
        let frames = frames(&log, Some(seat))?;
        let of_game = wrongs_of(&game, seat, &log, &frames)?;
        write_game(&game, seat, &log, &frames, &of_game, folder, reports)?;
        wrongs.extend(of_game);
        Ok(())
    })?;
    atomic_file::write(&folder.join("faults.csv"), sheet(&wrongs).csv().as_bytes())?;
    atomic_file::write(&folder.join("faults.md"), page(run, agent, &handed, &wrongs).as_bytes())?;
    Ok(handed)
}

fn refuse_a_full_folder(folder: &Path) -> Result<()> {
    let unread = || format!("the folder {} cannot be read", folder.display());
    match std::fs::read_dir(folder) {
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(()),
        Err(error) => Err(error).with_context(unread),
        Ok(mut entries) => match entries.next() {
            None => Ok(()),
            Some(_) => Err(usage(format!(
                "--to {}: the folder is not empty, and files of another agent must not get into it; name a new one",
                folder.display()
            ))),
        },
    }
}

/// What went wrong for `seat`, in order; `frames` are those of its eyes.
fn wrongs_of(game: &StoredGame, seat: Seat, log: &GameLog, frames: &[Frame]) -> Result<Vec<Wrong>> {
    let committed: Vec<Committed> = log.committed()?.into_iter().filter(|fault| fault.seat == seat).collect();
    let (mut wrongs, mut round, mut last) = (Vec::new(), 0, None);
    for frame in frames {
        let before = last;
        for known in &frame.events {
            if let KnownEvent::Seen(SeenEvent::RoundStarted { round: started, .. }) = &known.event {
                round = *started;
            }
            last = Some(known.n.0);
        }
        let wrong = |kind: String, event: Option<u32>, sent: String, said: String| Wrong {
            kind,
            game: game.id(),
            round,
            number: frame.kind.number(),
            event,
            sent,
            said,
        };
        for fault in committed.iter().filter(|fault| frame.inputs.contains(&fault.input)) {
            let logged = &log.inputs[fault.input];
            let (sent, said) = match &logged.entry {
                Entry::Fault(entry) if entry.seat == seat => {
                    (sent_with(log, fault.input)?, format!("{}, strike {}", entry.message, entry.strikes))
                }
                Entry::Act(act) if act.seat == seat => {
                    (serde_json::to_string(&act.action)?, lines_of(frame, seat, log))
                }
                _ => (String::new(), lines_of(frame, seat, log)),
            };
            wrongs.push(wrong(fault.fault.to_string(), fault.event.map(|event| event.0).or(before), sent, said));
        }
        for gone in &frame.dismissed {
            wrongs.push(wrong("dismissed".to_owned(), before, String::new(), gone.message.clone()));
        }
        for missed in frame.missed.iter().filter(|missed| !missed.void) {
            let took = missed.took_us.map_or(String::new(), |us| format!(" of {} ms", us / 1_000));
            wrongs.push(wrong(
                "missed deadline".to_owned(),
                before,
                String::new(),
                format!("a deadline{took} passed in which nothing had to be done"),
            ));
        }
    }
    Ok(wrongs)
}

/// What the agent sent that was a fault of conduct: the faulty line, or the action that the game refused just before.
fn sent_with(log: &GameLog, input: usize) -> Result<String> {
    let Logged { entry, meta } = &log.inputs[input];
    let before = input.checked_sub(1).map(|before| &log.inputs[before].entry);
    Ok(match (&meta.line, entry, before) {
        (Some(line), ..) => line.to_string(),
        (None, Entry::Fault(fault), Some(Entry::Act(act)))
            if fault.seat == act.seat && !matches!(fault.fault, Gone | NotStarted | Silent) =>
        {
            serde_json::to_string(&act.action)?
        }
        _ => String::new(),
    })
}

/// What the story says about the mistakes of `seat` in a frame.
fn lines_of(frame: &Frame, seat: Seat, log: &GameLog) -> String {
    let is_about = |about| matches!(about, About::RuleFault | About::Fault | About::Silence);
    let lines = frame.lines.iter().filter(|line| is_about(line.about) && line.seat == Some(seat));
    lines.map(|line| line.text(&log.header.names)).collect::<Vec<_>>().join("; ")
}

fn sheet(wrongs: &[Wrong]) -> Sheet {
    let mut sheet = Sheet::default();
    sheet.text_column("fault").text_column("game").number_column("round").number_column("move").number_column("event");
    sheet.text_column("sent").text_column("referee");
    for wrong in wrongs {
        sheet.row(vec![
            wrong.kind.clone(),
            wrong.game.clone(),
            wrong.round.to_string(),
            wrong.number.to_string(),
            wrong.event.map_or(String::new(), |event| event.to_string()),
            beginning(&wrong.sent),
            beginning(&wrong.said),
        ]);
    }
    sheet
}

/// The list: how often what went wrong, and where.
fn page(run: &RunFile, agent: &str, handed: &HandedOut, wrongs: &[Wrong]) -> String {
    let shown = |text: &str| TableLook::Markdown.shown(Untrusted::new(text));
    let (league, games) = (&run.plan.settings.league.name, counted(handed.of, "game"));
    let mut text = format!("# What went wrong for {} in {}\n\n", shown(agent), shown(league));
    if wrongs.is_empty() {
        return text + &format!("Nothing, in {games}.\n");
    }
    text += &match handed.dismissals {
        0 => format!("Something in {} of {games}; it was dismissed from none.\n\n", handed.games),
        gone => format!("Something in {} of {games}; it was dismissed from {gone}.\n\n", handed.games),
    };
    let mut kinds = Sheet::default();
    kinds.text_column("fault").number_column("times");
    for (fault, times) in handed.faults.iter() {
        kinds.row(vec![fault.to_string(), times.to_string()]);
    }
    for (kind, times) in [("dismissed", handed.dismissals), ("missed deadline", handed.missed)] {
        if times > 0 {
            kinds.row(vec![kind.to_owned(), times.to_string()]);
        }
    }
    text += &kinds.draw(TableLook::Markdown);
    text += "\nBeside this page, GAME.txt describes a game as the agent's seat saw it, and GAME.jsonl holds the same as data (`maumau schema \
             replay`). Hidden cards of others are in neither. Below is each fault, with its round, its move as the text of the game counts \
             them, and its event: its own, or else the last before the move.\n\n";
    text += &sheet(&wrongs[..wrongs.len().min(MOST_LISTED)]).draw(TableLook::Markdown);
    if wrongs.len() > MOST_LISTED {
        text += &format!("\nand {} more in faults.csv\n", wrongs.len() - MOST_LISTED);
    }
    text
}

/// A text without seeds, whole or cut off: an agent learns the seed of a game that is over, and others may have yet to play the
/// deal.
fn without_seeds(text: &str) -> String {
    let mut kept = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(start) = rest.find(|c: char| c.is_ascii_hexdigit()) {
        let (before, from) = rest.split_at(start);
        let end = from.find(|c: char| !c.is_ascii_hexdigit()).unwrap_or(from.len());
        let (digits, after) = from.split_at(end);
        kept += before;
        kept += if digits.len() > LONGEST_ID { "(left out)" } else { digits };
        rest = after;
    }
    kept + rest
}

/// The beginning of a text, on one line.
fn beginning(text: &str) -> String {
    let mut end = MOST_BYTES.min(text.len());
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    if end < text.len() { format!("{}...", &text[..end]) } else { text.to_owned() }
}

fn write_game(
    game: &StoredGame,
    seat: Seat,
    log: &GameLog,
    frames: &[Frame],
    wrongs: &[Wrong],
    folder: &Path,
    reports: &Path,
) -> Result<()> {
    let name = Untrusted::new(&game.id()).file_name();
    let file = |ending: &str| -> PathBuf { folder.join(format!("{name}.{ending}")) };
    let mut record = Vec::new();
    story_json(log, frames, Some(seat), Members { times: true, positions: true }, |line| {
        record.extend(untrusted::json(line)?.into_bytes());
        record.push(b'\n');
        Ok(())
    })?;
    atomic_file::write(&file("jsonl"), &record)?;
    let text = text_of_game(game, seat, log, frames, wrongs, reports)?;
    atomic_file::write(&file("txt"), text.as_bytes())
}

/// A game as `seat` saw it, for the author of the agent there: what went wrong, what the agent wrote to stderr as far as `reports`, the
/// folder of the run's fault reports, has it, and each move. Hidden cards of others and seeds are not in it.
///
/// # Errors
/// The game is damaged, or was played by another engine.
pub fn game_for_author(run: &RunFile, game: &StoredGame, seat: Seat, reports: &Path) -> Result<String> {
    let log = game.game_log(&run.plan)?;
    let frames = frames(&log, Some(seat))?;
    let wrongs = wrongs_of(game, seat, &log, &frames)?;
    text_of_game(game, seat, &log, &frames, &wrongs, reports)
}

fn text_of_game(
    game: &StoredGame,
    seat: Seat,
    log: &GameLog,
    frames: &[Frame],
    wrongs: &[Wrong],
    reports: &Path,
) -> Result<String> {
    let name = Untrusted::new(&game.id()).file_name();
    let header = &log.header;
    let shown = |text: &str| Untrusted::new(text).terminal();
    let others = header.names.iter().enumerate().filter(|(at, _)| *at != seat.index());
    let others: Vec<&str> = others.map(|(_, name)| name.as_str()).collect();
    let mut text = format!(
        "{}: {} at seat {seat} against {}, by {}; place {}{}\n\n",
        game.id(),
        shown(&header.names[seat.index()]),
        shown(&others.join(", ")),
        shown(&header.rules.name),
        game.result.places[seat.index()],
        if game.result.dismissed.contains(&seat) { ", dismissed" } else { "" }
    );
    for wrong in wrongs.iter().take(MOST_OF_A_GAME) {
        let after = wrong.event.map_or(String::new(), |event| format!(", event {event}"));
        text += &format!("round {}, move {}{after}: {}\n", wrong.round, wrong.number, wrong.kind);
        for (who, words) in [("sent", &wrong.sent), ("referee", &wrong.said)] {
            if !words.is_empty() {
                text += &format!("    {who}: {}\n", shown(&beginning(words)));
            }
        }
    }
    if wrongs.len() > MOST_OF_A_GAME {
        text += &format!("and {} more, which stand below\n", wrongs.len() - MOST_OF_A_GAME);
    }
    let report = reports.join(format!("{name}-seat{seat}.txt"));
    match bounded::read_text(&report, MAX_REPORT_BYTES, "a fault report")
        .ok()
        .as_deref()
        .and_then(fault_report::of_process)
    {
        Some(of_process) => text += &format!("\n{}", without_seeds(&of_process)),
        None => text += "\nNeither stderr nor the last lines of this game were kept.\n",
    }
    text += "\nThe game as this seat saw it, with the time of each of its answers; ! marks faults, # notes:\n\n";
    let story = StoryText::new(header, true);
    frames.iter().for_each(|frame| text += &anstream::adapter::strip_str(&story.frame(frame)).to_string());
    text += &format!("\n{}", result_lines(header, &log.result));
    Ok(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn seeds_are_left_out_whole_or_cut_and_ids_stay() {
        let seed = "0123456789abcdef".repeat(4);
        for (text, expected) in [
            ("", ""),
            ("no digits, é", "no digits, é"),
            ("id c5ec9768dcbc51ed,", "id c5ec9768dcbc51ed,"),
            (&format!("\"seed\":\"{seed}\"}}"), "\"seed\":\"(left out)\"}"),
            (&format!("'{}", &seed[..17]), "'(left out)"),
            (&seed.to_uppercase(), "(left out)"),
        ] {
            assert_eq!(without_seeds(text), expected);
        }
    }
}
