//! `maumau learn`: the lessons of a rule set on the seat of a person in a terminal, or as lines of words. Positions and answers are
//! those of the lessons' files, and the engine judges; `maumau_terminal` shows it.

use std::collections::BTreeSet;
use std::io::{BufRead, IsTerminal, Read};
use std::ops::ControlFlow;
use std::time::Duration;

use anyhow::Result;
use maumau_model_check::lesson::{self, Lesson, LessonVerdict};
use maumau_places::suggestion;
use maumau_protocol::Action;
use maumau_report::{Sheet, TableLook, stdout_width};
use maumau_run::error::{CommandOutcome, usage};
use maumau_run::io::format::{OutputFormat, counted};
use maumau_run::io::stdout::print;
use maumau_run::io::untrusted::{self, Untrusted};
use maumau_terminal::ScreenStyle;
use maumau_terminal::lessons::{LearnerVerdict, LessonFlow, LessonSeat, LessonWords};
use maumau_terminal::screen::{Screen, ScreenInput};
use maumau_web::lessons::LessonSet;
use serde_json::json;

use super::terminal_look;
use crate::lessons::{LessonSentence, LessonTable, sets};

/// Bytes of a line that is read, at most.
const MAX_LINE: u64 = 1_000;
/// The longest time between two looks at the terminal.
const PATIENCE: Duration = Duration::from_secs(60);

/// Learn a rule set by playing small positions, one rule each; without a set, list those that have lessons.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  maumau learn
  maumau learn skat
  maumau learn spam --lesson 4
  maumau learn basic --plain
  echo draw | maumau learn basic --lesson 2

On a terminal a lesson is played on the seat of a person, by its keys: arrows choose a card, Enter plays it, d draws, h shows what \
solves the lesson, ? lists the keys. The referee judges what you do and says why; nothing is kept.

--plain, or a pipe, writes lessons as lines and reads a line for each action: \"play 7h\", \"play jc, naming spades\", \"draw\", \
\"play 7h and say mau\", \"call bo: mau was not said\"; solution, again, next, back, a number and quit lead through them, and help lists \
this.

Exit codes: 0 all lessons from the first one on were solved, or the learner ended it; 1 the lines ended before that; 2 there is no such \
set or lesson.")]
pub(super) struct LearnArguments {
    /// Name of a rule set that has lessons
    set: Option<String>,
    /// Begin with this lesson
    #[arg(long, value_name = "NUMBER", requires = "set", default_value_t = 1)]
    lesson: usize,
    /// Write and read lines also on a terminal
    #[arg(long, requires = "set")]
    plain: bool,
    /// Output format of the list of rule sets
    #[arg(long, value_enum, default_value_t = OutputFormat::Text, conflicts_with = "set")]
    format: OutputFormat,
}

pub(super) fn run(arguments: &LearnArguments) -> Result<CommandOutcome> {
    let Some(name) = &arguments.set else {
        print(&list(arguments.format)?)?;
        return Ok(CommandOutcome::Done);
    };
    let set = sets().iter().find(|set| set.name == *name).ok_or_else(|| {
        let near = suggestion(name, sets().iter().map(|set| set.name.as_str()));
        usage(format!("no lessons for \"{}\"{near}", Untrusted::new(name).terminal()))
    })?;
    let lessons = lesson::of_set(&set.name)?.unwrap_or_default();
    if !(1..=lessons.len()).contains(&arguments.lesson) {
        return Err(usage(format!(
            "--lesson {}: the lessons of {} are 1 to {}",
            arguments.lesson,
            set.name,
            lessons.len()
        )));
    }
    let mut course = Course { set, lessons: &lessons, at: arguments.lesson - 1, solved: BTreeSet::new() };
    if !arguments.plain && std::io::stdin().is_terminal() && std::io::stdout().is_terminal() {
        on_screen(&mut course)?;
        return Ok(CommandOutcome::Done);
    }
    let look = terminal_look::text_look();
    let prompts = std::io::stdin().is_terminal();
    let width = stdout_width();
    let ended = by_lines(&mut course, look, &mut std::io::stdin().lock(), |text| {
        print(&if text == PROMPT && !prompts { String::new() } else { filled(text, width) })
    })?;
    let is_done =
        ended == Ended::ByLearner || (arguments.lesson..=lessons.len()).all(|one| course.solved.contains(&one));
    Ok(if is_done { CommandOutcome::Done } else { CommandOutcome::NotRight })
}

/// The rule sets with lessons.
fn list(format: OutputFormat) -> Result<String> {
    if format == OutputFormat::Json {
        let shown = sets().iter().map(|LessonSet { name, title, about, lessons }| {
            json!({ "name": name, "title": title, "about": about, "lessons": lessons })
        });
        return Ok(untrusted::json_pretty(&shown.collect::<Vec<_>>())? + "\n");
    }
    let mut sheet = Sheet::default();
    sheet.text_column("set").text_column("title").number_column("lessons").text_column("about").wrap_last();
    for LessonSet { name, title, about, lessons } in sets() {
        sheet.row(vec![name.clone(), title.clone(), lessons.to_string(), about.clone()]);
    }
    Ok(sheet.draw(TableLook::for_stdout()))
}

/// The lessons of a set, one of which is learnt.
struct Course<'a> {
    set: &'a LessonSet,
    lessons: &'a [Lesson],
    /// The place of the lesson, from 0.
    at: usize,
    /// The numbers of the lessons that were solved, from 1.
    solved: BTreeSet<usize>,
}

/// A lesson that lies on the table.
struct OpenLesson<'a> {
    table: LessonTable<'a>,
    seat: LessonSeat,
}

impl<'a> Course<'a> {
    /// Lays the lesson on the table.
    fn open(&self, look: ScreenStyle) -> Result<OpenLesson<'a>> {
        let lesson = &self.lessons[self.at];
        let table = LessonTable::new(&self.set.name, lesson)?;
        let words = LessonWords {
            set: self.set.title.clone(),
            number: self.at + 1,
            of: self.lessons.len(),
            title: lesson.title.clone(),
            rule: lesson.rule.clone(),
            task: lesson.task.clone(),
            solution: table.solution().cloned(),
        };
        let mut seat = LessonSeat::new(words, look);
        table.begin(|message, play| seat.hear(message, play));
        Ok(OpenLesson { table, seat })
    }

    /// Goes where the learner wants; `Continue` with whether the lesson is to be laid on the table again, `Break` at the end.
    fn go(&mut self, flow: &LessonFlow) -> ControlFlow<(), bool> {
        match flow {
            LessonFlow::Stay | LessonFlow::Act(_) => return ControlFlow::Continue(false),
            LessonFlow::Leave => return ControlFlow::Break(()),
            LessonFlow::Again => {}
            LessonFlow::Next if self.at + 1 == self.lessons.len() => return ControlFlow::Break(()),
            LessonFlow::Next => self.at += 1,
            LessonFlow::Back => self.at = self.at.saturating_sub(1),
            LessonFlow::Open(number) => self.at = (*number).clamp(1, self.lessons.len()) - 1,
        }
        ControlFlow::Continue(true)
    }

    /// Lets `action` be judged in the open lesson; whether it solves it.
    fn act(&mut self, open: &mut OpenLesson<'_>, action: &Action) -> bool {
        let OpenLesson { table, seat } = open;
        let LessonSentence { verdict, title, says, clauses } =
            table.judge(action, |message, play| seat.hear(message, play));
        let is_right = verdict == LessonVerdict::Right;
        if is_right {
            self.solved.insert(self.at + 1);
        }
        seat.judge(LearnerVerdict { is_right, title: title.to_owned(), says, clauses });
        is_right
    }

    /// What is said at the end.
    fn farewell(&self) -> String {
        let Course { set, lessons, solved, .. } = self;
        let solved = match solved.len() {
            all if all == lessons.len() => "You know the rules".to_owned(),
            some => format!("{} of {} solved", some, counted(lessons.len() as u64, "lesson")),
        };
        format!(
            "{solved}. All rules in words: maumau rules explain {name}. \
             Play it: maumau play --rules {name} --seat human --seat 'maumau agent greedy'\n",
            name = set.name
        )
    }
}

/// Shows lessons on the screen until the learner ends them.
fn on_screen(course: &mut Course<'_>) -> Result<()> {
    let look = terminal_look::look();
    let mut screen = Screen::open(false)?;
    let mut open = course.open(look)?;
    loop {
        screen.draw(|buffer, area| open.seat.draw(buffer, area))?;
        let Some(ScreenInput::Key(key)) = screen.wait(PATIENCE)? else { continue };
        let flow = open.seat.press(key);
        if let LessonFlow::Act(action) = &flow {
            course.act(&mut open, action);
        }
        match course.go(&flow) {
            ControlFlow::Continue(false) => {}
            ControlFlow::Continue(true) => open = course.open(look)?,
            ControlFlow::Break(()) => break,
        }
    }
    drop(screen);
    print(&filled(&course.farewell(), stdout_width()))
}

/// Why lines are read no more.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Ended {
    /// The learner has said so, or went on after the last lesson.
    ByLearner,
    /// There are no more lines.
    NoMoreLines,
}

/// What asks for a line.
const PROMPT: &str = "> ";

/// Writes lessons as lines and reads what the learner does.
fn by_lines(
    course: &mut Course<'_>,
    look: ScreenStyle,
    lines: &mut impl BufRead,
    mut write: impl FnMut(&str) -> Result<()>,
) -> Result<Ended> {
    let mut open = course.open(look)?;
    write(&open.seat.as_text())?;
    let ended = loop {
        write(PROMPT)?;
        let Some(line) = next_line(lines)? else { break Ended::NoMoreLines };
        let line = match line {
            Ok(line) => line,
            Err(why) => {
                write(&format!("{why}\n"))?;
                continue;
            }
        };
        let (mut flow, text) = open.seat.read(&line);
        write(&text)?;
        if let LessonFlow::Act(action) = &flow {
            let is_right = course.act(&mut open, action);
            write(&format!("\n{}\n", open.seat.judged_text()))?;
            flow = if is_right { LessonFlow::Next } else { LessonFlow::Again };
        }
        match course.go(&flow) {
            ControlFlow::Continue(false) => {}
            ControlFlow::Continue(true) => {
                open = course.open(look)?;
                write(&open.seat.as_text())?;
            }
            ControlFlow::Break(()) => break Ended::ByLearner,
        }
    };
    write(&course.farewell())?;
    Ok(ended)
}

/// The next line, or why it cannot be one; `None` at the end.
fn next_line(lines: &mut impl BufRead) -> Result<Option<Result<String, String>>> {
    let mut line = Vec::new();
    if lines.by_ref().take(MAX_LINE).read_until(b'\n', &mut line)? == 0 {
        return Ok(None);
    }
    if line.len() as u64 == MAX_LINE && !line.ends_with(b"\n") {
        while !line.ends_with(b"\n") {
            line.clear();
            if lines.by_ref().take(MAX_LINE).read_until(b'\n', &mut line)? == 0 {
                break;
            }
        }
        return Ok(Some(Err(format!("expected a line of at most {MAX_LINE} bytes"))));
    }
    Ok(Some(String::from_utf8(line).map_err(|_| "expected a line of UTF-8".to_owned())))
}

/// Lines broken at `width` columns, those of the table excepted.
fn filled(text: &str, width: usize) -> String {
    let line = |line: &str| match line.strip_suffix('\n') {
        Some(line) if textwrap::core::display_width(line) > width => {
            let margin = if line.starts_with("  ") { "    " } else { "" };
            textwrap::fill(line, textwrap::Options::new(width).subsequent_indent(margin)) + "\n"
        }
        _ => line.to_owned(),
    };
    text.split_inclusive('\n').map(line).collect()
}

#[cfg(test)]
mod tests {
    use maumau_protocol::message::ArenaMessage;
    use maumau_protocol::{Card, Choice, Faces, Verb};
    use maumau_terminal::Key;

    use super::*;

    const LOOK: ScreenStyle =
        ScreenStyle { colours: false, signs: true, faces: Faces::French, escape: |text| text.to_owned() };

    /// Learns from `lines`; returns all that was written, why it ended, and the lessons that were solved.
    fn learn(set: &str, lines: &str) -> (String, Ended, BTreeSet<usize>) {
        let set = sets().iter().find(|known| known.name == set).expect("a set");
        let lessons = lesson::of_set(&set.name).expect("lessons").expect("lessons");
        let mut course = Course { set, lessons: &lessons, at: 0, solved: BTreeSet::new() };
        let mut written = String::new();
        let ended = by_lines(&mut course, LOOK, &mut lines.as_bytes(), |text| {
            written.push_str(text);
            Ok(())
        });
        (written, ended.expect("lines"), course.solved)
    }

    /// What the file of a lesson says of an answer.
    fn said(lesson: &Lesson, answer: &lesson::LessonAnswer, is_right: bool) -> String {
        let says = if answer.says.is_empty() { &lesson.because } else { &answer.says };
        match (is_right, says.starts_with("but ")) {
            (true, _) => format!("\nRight. {says}"),
            (false, true) => format!("\nAllowed, {says}"),
            (false, false) => format!("\nNo. {says}"),
        }
    }

    #[test]
    fn every_answer_of_every_lesson_is_judged_in_lines_as_its_file_says() {
        for set in sets() {
            let lessons = lesson::of_set(&set.name).expect("lessons").expect("lessons");
            let course = Course { set, lessons: &lessons, at: 0, solved: BTreeSet::new() };
            let (mut lines, mut expected) = (String::new(), Vec::new());
            for (at, lesson) in lessons.iter().enumerate() {
                let open = Course { at, solved: BTreeSet::new(), ..course }.open(LOOK).expect("a lesson");
                let line = |action: &Action| open.seat.seat().in_words(action) + "\n";
                for answer in &lesson.wrong {
                    lines += &line(&answer.action);
                    expected.push(said(lesson, answer, false));
                }
                for (way, answer) in lesson.right.iter().enumerate() {
                    if way > 0 {
                        lines += &format!("{}\n", at + 1);
                    }
                    lines += &line(&answer.action);
                    expected.push(said(lesson, answer, true));
                    if at + 1 == lessons.len() {
                        // The end of the set.
                        break;
                    }
                }
            }
            let (written, ended, solved) = learn(&set.name, &lines);
            let mut rest = written.as_str();
            for said in expected {
                let at = rest.find(&said).unwrap_or_else(|| panic!("{}: {said:?} is not said in:\n{rest}", set.name));
                rest = &rest[at + said.len()..];
            }
            assert_eq!(ended, Ended::ByLearner, "{}", set.name);
            assert_eq!(solved.len(), lessons.len(), "{}: {solved:?}", set.name);
            assert!(rest.contains("You know the rules"), "{rest}");
        }
    }

    /// The cards that the learner holds, in their order on the screen.
    fn hand(table: &LessonTable<'_>) -> Vec<Card> {
        let mut hand = Vec::new();
        table.begin(|message, _| {
            if let ArenaMessage::Ask(ask) = message {
                hand = ask.view.map(|view| view.hand).unwrap_or_default();
            }
        });
        hand.sort_by_key(|card| card.order_in_hand());
        hand
    }

    /// The keys that do `action` with `hand` in the open lesson, found by trying each choice of words.
    fn keys(open: impl Fn() -> LessonSeat, hand: &[Card], action: &Action) -> Option<Vec<Key>> {
        let choose = match &action.verb {
            Verb::Play { choose: Some(Choice::Suit(suit)), .. } => Key::Char(suit.letter().to_ascii_lowercase()),
            Verb::Play { choose: Some(Choice::Rank(rank)), .. } => Key::Char(rank.letter().to_ascii_lowercase()),
            _ => Key::Char('0'),
        };
        let does = match &action.verb {
            Verb::Play { card, .. } => {
                let at = hand.iter().position(|held| held == card)?;
                vec![[&vec![Key::Right; at][..], &[Key::Enter]].concat()]
            }
            Verb::Draw => vec![vec![Key::Char('d')]],
            Verb::Pass => vec![vec![Key::Char('p')]],
            Verb::Say { .. } => vec![vec![Key::Char('s')]],
            Verb::Call { .. } => vec![vec![Key::Char('c'), Key::Enter]],
            _ => return None,
        };
        let words = [&[][..], &['1'], &['2'], &['3'], &['1', '2']];
        let tried = does.into_iter().flat_map(|does| {
            words.map(|words| words.iter().map(|word| Key::Char(*word)).chain(does.clone()).collect::<Vec<_>>())
        });
        tried
            .flat_map(|keys| {
                // A card that does not fit is played at the second try; where something is named, a key names it.
                [vec![], vec![Key::Enter], vec![choose], vec![Key::Enter, choose]]
                    .map(|more| [&keys[..], &more].concat())
            })
            .find(|keys| {
                let mut seat = open();
                keys.iter().map(|key| seat.press(*key)).any(|flow| flow == LessonFlow::Act(action.clone()))
            })
    }

    #[test]
    fn the_answers_of_some_sets_are_played_by_keys() {
        let mut played = 0;
        for name in ["basic", "skat", "spam", "crazy-eights"] {
            let set = sets().iter().find(|set| set.name == name).expect("a set");
            let lessons = lesson::of_set(name).expect("lessons").expect("lessons");
            for at in 0..lessons.len() {
                let mut course = Course { set, lessons: &lessons, at, solved: BTreeSet::new() };
                let lesson = &lessons[at];
                for (answers, is_right) in [(&lesson.right, true), (&lesson.wrong, false)] {
                    for answer in answers {
                        let new = || course.open(LOOK).expect("a lesson").seat;
                        let mut open = course.open(LOOK).expect("a lesson");
                        let Some(keys) = keys(new, &hand(&open.table), &answer.action) else { continue };
                        let flows: Vec<LessonFlow> = keys.into_iter().map(|key| open.seat.press(key)).collect();
                        let Some(LessonFlow::Act(action)) = flows.last() else { panic!("{flows:?}") };
                        assert_eq!(course.act(&mut open, action), is_right, "{name}: {}", lesson.title);
                        let judged = open.seat.judged_text();
                        assert!(judged.contains(&said(lesson, answer, is_right)[1..]), "{judged}");
                        assert_eq!(
                            open.seat.press(Key::Enter),
                            if is_right { LessonFlow::Next } else { LessonFlow::Again }
                        );
                        played += 1;
                    }
                }
            }
        }
        assert!(played > 60, "{played} answers");
    }

    #[test]
    fn lines_lead_through_lessons_and_why_they_end_is_known() {
        let (written, ended, solved) = learn("basic", "solution\nfly\nplay th\n1\nnext\nquit\n");
        assert!(written.contains("\"fly\" is nothing that you can do here"), "{written}");
        for (shown, times) in [("1 of 11: ", 2), ("2 of 11: ", 2), ("3 of 11: ", 0), ("1 of 11 lessons solved.", 1)] {
            assert_eq!(written.matches(shown).count(), times, "{shown}: {written}");
        }
        assert_eq!((ended, solved.len()), (Ended::ByLearner, 1));
        let (_, ended, solved) = learn("basic", "");
        assert_eq!((ended, solved.len()), (Ended::NoMoreLines, 0));
    }

    #[test]
    fn a_line_that_is_too_long_or_no_text_is_refused_and_the_next_one_read() {
        let long = "x".repeat(5_000);
        let (written, ended, solved) = learn("basic", &format!("{long}\nplay th\nquit"));
        assert!(written.contains("expected a line of at most 1000 bytes"), "{written}");
        assert_eq!((ended, solved.len()), (Ended::ByLearner, 1));
        let mut lines = &b"\xff\xfe\nquit\n"[..];
        assert_eq!(next_line(&mut lines).expect("a line"), Some(Err("expected a line of UTF-8".to_owned())));
        assert_eq!(next_line(&mut lines).expect("a line"), Some(Ok("quit\n".to_owned())));
        assert_eq!(next_line(&mut lines).expect("no line"), None);
    }
}
