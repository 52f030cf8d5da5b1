//! A story as text for a terminal: the number of each move in a margin, colours by topic, the table after each frame.
//! It returns text and prints nothing.
//!
//! The story decides who may know what (`maumau_referee::story`); this module only formats it.

use maumau_protocol::message::GameResult;
use maumau_protocol::ruleset::Decides;
use maumau_protocol::{Card, Faces, Seat};
use maumau_referee::record::{Header, MoveNumber};
use maumau_referee::story::{
    About, DecisionComment, DecisionMark, Frame, FrameKind, InputLines, Level, Line, Piece, StoryPosition, StoryWriter,
    Tone, choice_name, crashes_of, milliseconds,
};
use maumau_referee::{Logged, ReplayError};
use maumau_run::io::format::counted;
use maumau_run::io::untrusted::{self, Untrusted};

use super::paint;

/// Fills the margin of lines without a move number.
const NO_NUMBER: &str = "     ";

/// Writes the lines of one game.
pub struct StoryText {
    /// The names by seat, ready to show.
    names: Vec<String>,
    faces: Faces,
    /// True to show the time of each move, and deadlines that passed without one.
    times: bool,
    /// True to show what agents wrote to stderr.
    stderr: bool,
}

/// The number and the time of a move, which are shown on its line.
struct OfMove {
    number: MoveNumber,
    took_us: Option<u64>,
}

impl StoryText {
    /// For the game of `header`; with times if `times`, and with what agents wrote to stderr.
    pub fn new(header: &Header, times: bool) -> StoryText {
        let names = header.names.iter().map(|name| Untrusted::new(name).terminal()).collect();
        StoryText { names, faces: header.rules.deck.faces, times, stderr: true }
    }

    /// The lines of a frame, with their line breaks.
    pub fn frame(&self, frame: &Frame) -> String {
        let of_move = OfMove { number: frame.kind.number(), took_us: frame.took_us };
        let numbered = |at: usize| (frame.numbered == Some(at)).then_some(&of_move);
        let text: String = frame.lines.iter().enumerate().map(|(at, line)| self.line(line, numbered(at))).collect();
        match frame.kind {
            // An empty line separates a heading from what comes before.
            FrameKind::Deal => text.trim_start_matches('\n').to_owned(),
            FrameKind::Move(_) | FrameKind::After(_) => text,
        }
    }

    /// A comment on the decision that a frame shows, as a line below it.
    pub fn comment(&self, comment: &DecisionComment) -> String {
        let text: String = comment.words.iter().map(|piece| self.piece(piece)).collect();
        let sign = comment.mark.map_or("", DecisionMark::sign);
        format!("{}    {text}\n", paint::name(&format!("{sign:>5}")))
    }

    fn line(&self, line: &Line, of_move: Option<&OfMove>) -> String {
        if line.about == About::Deadline && !self.times || line.about == About::Stderr && !self.stderr {
            return String::new();
        }
        let mark = match line.about {
            About::Fault | About::Silence => "! ",
            About::Note => "# ",
            About::Game | About::RuleFault | About::Late | About::Deadline | About::Sent | About::Stderr => "",
        };
        let text: String = line.with_because().map(|piece| self.piece(&piece)).collect();
        let text = format!("{mark}{text}");
        let indent = match line.level {
            Level::Heading => {
                return format!("\n{}\n", paint::heading(&anstream::adapter::strip_str(&text).to_string()));
            }
            Level::Main => "  ",
            Level::Detail => "    ",
        };
        let Some(OfMove { number, took_us }) = of_move else { return format!("{NO_NUMBER}{indent}{text}\n") };
        let took = took_us.filter(|_| self.times).map(|us| paint::aside(&format!("  [{}]", milliseconds(us))));
        format!("{}{indent}{text}{}\n", paint::aside(&format!("{number:>5}")), took.unwrap_or_default())
    }

    fn piece(&self, piece: &Piece) -> String {
        match piece {
            Piece::Words(tone, words) => toned(*tone, words),
            Piece::Name(seat) => self.name(*seat),
            Piece::Card(card) => paint::card(*card, self.faces),
            Piece::Named(choice) => choice_name(choice, self.faces),
            Piece::Quoted(said) => Untrusted::new(said).quoted(),
            Piece::Foreign(tone, words) => toned(*tone, &Untrusted::new(words).terminal()),
            Piece::Json(tone, json) => toned(*tone, &untrusted::without_steering(json)),
        }
    }

    fn cards(&self, cards: &[Card]) -> String {
        if cards.is_empty() {
            return "nothing".to_owned();
        }
        let mut cards = cards.to_vec();
        cards.sort_by_key(|card| card.order_in_hand());
        cards.iter().map(|card| paint::card(*card, self.faces)).collect::<Vec<_>>().join(" ")
    }

    fn name(&self, seat: Seat) -> String {
        paint::name(self.names.get(seat.index()).map_or("?", String::as_str))
    }

    /// The table as it stands: hands (the visible ones), top card, what the seat to move faces.
    pub fn position(&self, position: &StoryPosition, eyes: Option<Seat>) -> String {
        let mut text = String::new();
        let (turn, top, visible, draw_pile, pending) = match position {
            StoryPosition::Seen(view) => (view.turn, view.top, view.visible, view.draw_pile, &view.pending),
            StoryPosition::Open(table) => (table.turn, table.top, table.visible, table.draw_pile, &table.pending),
        };
        for (index, name) in self.names.iter().enumerate() {
            let seat = Seat::new(index);
            let shown = match position {
                StoryPosition::Open(table) => self.cards(&table.hands[index]),
                StoryPosition::Seen(view) if eyes == seat => self.cards(&view.hand),
                StoryPosition::Seen(view) => counted(view.hands[index], "card"),
            };
            let mark = if turn == seat { ">" } else { " " };
            text += &format!("         {mark} {}{} {shown}\n", paint::name(name), padding(name, 16));
        }
        let top = top.map_or("empty".to_owned(), |card| paint::card(card, self.faces));
        text += &format!("           pile: {top}");
        if let Some(visible) = visible {
            text += &format!(", {} counts", paint::card(visible, self.faces));
        }
        text += &format!("; draw pile: {draw_pile}");
        if let Some(suit) = pending.suit {
            text += &format!("; {} must be played", self.faces.suit(suit));
        }
        if pending.draw > 0 {
            text += &format!("; {} owed", counted(pending.draw, "card"));
        }
        if pending.skip > 0 {
            text += &format!("; {} to be lost", counted(pending.skip, "turn"));
        }
        text + "\n"
    }
}

fn toned(tone: Tone, text: &str) -> String {
    match tone {
        Tone::Plain => text.to_owned(),
        Tone::Refused => paint::refused(text),
        Tone::Fault => paint::fault(text),
        Tone::Aside => paint::aside(text),
    }
}

/// Writes the story of a whole game, from its log as far as it goes.
pub struct StoryProgress {
    writer: StoryWriter,
    text: StoryText,
    /// Entries of the log that it has taken.
    taken: usize,
    has_begun: bool,
}

impl StoryProgress {
    /// For a game that has not begun; with what agents write to stderr if `stderr`.
    ///
    /// # Errors
    /// The rules in the header do not provide for its table.
    pub fn new(header: &Header, stderr: bool) -> Result<StoryProgress, ReplayError> {
        let writer = StoryWriter::new(header, &[None])?;
        let text = StoryText { stderr, ..StoryText::new(header, false) };
        Ok(StoryProgress { writer, text, taken: 0, has_begun: false })
    }

    /// The lines for what `log` has gained since the last call.
    ///
    /// # Errors
    /// The log does not fit its header.
    pub fn go_on(&mut self, log: &[Logged]) -> Result<String, ReplayError> {
        let mut text = String::new();
        let deal = self.writer.begin();
        let lines = deal.lines.into_iter().flat_map(InputLines::all);
        lines.for_each(|line| text += &self.text.line(&line, None));
        for (logged, crashes) in log[self.taken..].iter().zip(crashes_of(&log[self.taken..])) {
            let story = self.writer.take(logged, &crashes)?;
            let of_move = OfMove { number: story.number, took_us: None };
            let mut of_move = logged.entry.is_move().then_some(&of_move);
            for lines in &story.lines {
                lines.settled.iter().chain(&lines.before).for_each(|line| text += &self.text.line(line, None));
                for line in lines.after.iter().chain(&lines.deal) {
                    let with = if line.level == Level::Heading { None } else { of_move.take() };
                    text += &self.text.line(line, with);
                }
            }
        }
        self.taken = log.len();
        // An empty line separates a heading from what comes before.
        if !self.has_begun {
            text = text.trim_start_matches('\n').to_owned();
            self.has_begun = !text.is_empty();
        }
        Ok(text)
    }
}

/// What a seat has in a game whose rule set counts something besides rounds.
fn tally(header: &Header, points: i32) -> String {
    match header.rules.scoring.decides {
        Decides::RoundsWon => String::new(),
        Decides::FewestPoints | Decides::MostPoints => format!("{points:>6} points"),
        Decides::MostChips => format!("{points:>6} chips"),
        Decides::Count => format!("   count {points}"),
    }
}

/// The result of a match, one line per seat, the best first.
pub fn result_lines(header: &Header, result: &GameResult) -> String {
    let names = &header.names;
    let mut seats: Vec<usize> = (0..names.len()).collect();
    seats.sort_by_key(|seat| (result.places[*seat], *seat));
    let mut text = String::new();
    for seat in seats {
        let name = Untrusted::new(&names[seat]).terminal();
        let out = if result.dismissed.iter().any(|gone| gone.index() == seat) { "  dismissed" } else { "" };
        let points = tally(header, result.points[seat]);
        text += &format!(
            "{:>3}. {name}{}{points}{:>5} of {} won{out}\n",
            result.places[seat],
            padding(&name, 24),
            result.wins[seat],
            counted(result.rounds, "round")
        );
    }
    text
}

/// The spaces that fill a text up to `width` columns of a terminal.
fn padding(text: &str, width: usize) -> String {
    " ".repeat(width.saturating_sub(textwrap::core::display_width(text)))
}

#[cfg(test)]
mod tests {
    use maumau_referee::story::frames;

    use super::*;
    use crate::trial::game_with_a_fault;

    fn texts(eyes: Option<usize>, times: bool) -> Vec<String> {
        let log = game_with_a_fault();
        let text = StoryText::new(&log.header, times);
        let frames = frames(&log, eyes.and_then(Seat::new)).expect("a sound log");
        frames.iter().map(|frame| anstream::adapter::strip_str(&text.frame(frame)).to_string()).collect()
    }

    #[test]
    fn moves_are_numbered_as_they_stand_in_the_record_and_faults_precede_theirs() {
        let frames = texts(None, false);
        for (number, text) in frames.iter().enumerate().skip(1) {
            let has_number =
                |line: &&str| line.get(..5).is_some_and(|start| start.ends_with(|c: char| c.is_ascii_digit()));
            let numbered: Vec<&str> = text.lines().filter(has_number).collect();
            assert_eq!(numbered.len(), 1, "{text}");
            assert!(numbered[0].trim_start().starts_with(&format!("{number} ")), "{text}");
        }
        let fault = frames.iter().find(|text| text.contains("not_json")).expect("a fault");
        assert!(fault.find("not_json") < fault.find("plays").or(fault.find("draws")), "{fault}");
    }

    #[test]
    fn a_seat_reads_neither_times_nor_faults_of_others() {
        let [all, zero, one] = [None, Some(0), Some(1)].map(|eyes| texts(eyes, true).concat());
        for (text, knows) in [(&all, true), (&zero, false), (&one, true)] {
            assert_eq!(text.contains("not_json"), knows, "{text}");
            assert_eq!(text.contains("[1.50 ms]"), knows, "{text}");
        }
        assert!(!texts(None, false).concat().contains(" ms]"));
    }

    #[test]
    fn the_story_of_a_game_being_played_is_what_its_frames_say() {
        let log = game_with_a_fault();
        let mut story = StoryProgress::new(&log.header, true).expect("a table");
        let parts = (0..=log.inputs.len()).map(|end| story.go_on(&log.inputs[..end]).expect("a sound log"));
        let live: String = parts.collect();
        assert_eq!(anstream::adapter::strip_str(&live).to_string(), texts(None, false).concat());
    }
}
