//! The picture of a lesson. It reads the state and changes nothing.

use ratatui_core::buffer::Buffer;
use ratatui_core::layout::Rect;
use ratatui_core::style::Style;
use ratatui_core::text::{Line, Span};

use super::{LearnerVerdict, LessonSeat};
use crate::geometry::{bottom, cut, put, put_right, top};
use crate::person::{TABLE_KEYS, draw_help};
use crate::sentence::wrap;

/// The smallest screen on which all parts have a place.
const LEAST: (u16, u16) = (50, 22);
/// Rows that the seat needs below the words of the lesson.
const SEAT_ROWS: u16 = 15;

/// The keys of a lesson, besides those of its table.
const KEYS: [(&str, &str); 6] = [
    ("h", "show what solves it"),
    ("r", "the lesson from its beginning"),
    ("]  [", "the next lesson, the one before"),
    ("up, down", "what happened before"),
    ("q", "end"),
    ("", "any key closes this"),
];

impl LessonSeat {
    /// Draws the screen.
    pub fn draw(&self, buffer: &mut Buffer, area: Rect) {
        if area.width < LEAST.0 || area.height < LEAST.1 {
            let (columns, rows) = LEAST;
            put(buffer, area, 0, format!("needs {columns}x{rows}"));
            return;
        }
        let look = self.look;
        let (title, rest) = top(area, 1);
        buffer.set_style(title, look.chosen());
        put(buffer, title, 0, format!(" Learn {}: {}", look.foreign(&self.words.set), look.words(&self.words.title)));
        put_right(buffer, title, 0, format!(" {} of {} ", self.words.number, self.words.of));
        let (rest, keys) = bottom(rest, 1);
        self.draw_lesson_keys(buffer, keys);
        let lines = self.said(area.width, rest.height.saturating_sub(SEAT_ROWS));
        let (said, rest) = top(rest, lines.len() as u16);
        for (row, line) in lines.into_iter().enumerate() {
            put(buffer, said, row as u16, line);
        }
        self.seat.draw_table(buffer, rest);
        self.seat.draw_menu(buffer, area);
        if self.shows_help {
            draw_help(buffer, area, &[&TABLE_KEYS[..], &KEYS].concat(), look);
        }
    }

    fn draw_lesson_keys(&self, buffer: &mut Buffer, area: Rect) {
        let keys = match (&self.judged, self.seat.remark()) {
            (None, Some(remark)) => {
                put(buffer, area, 0, Line::styled(format!(" {}", self.look.words(remark)), self.look.urgent()));
                return;
            }
            (None, None) => " arrows choose  Enter play  s say  c call  m more  h show me  ? help  q end",
            (Some(LearnerVerdict { is_right: true, .. }), _) if self.words.number == self.words.of => {
                " Enter ends, this was the last lesson  r again  [ the one before  q end"
            }
            (Some(LearnerVerdict { is_right: true, .. }), _) => {
                " Enter next lesson  r again  ] [ other lessons  ? help  q end"
            }
            (Some(_), _) => " Enter try again  ] [ other lessons  ? help  q end",
        };
        put(buffer, area, 0, Line::styled(keys, self.look.aside()));
    }

    /// The rule and the task, or what is said of the learner's action, in at most `most` rows.
    fn said(&self, width: u16, most: u16) -> Vec<Line<'static>> {
        let (look, width, most) = (self.look, usize::from(width), usize::from(most));
        let wrapped =
            |text: &str, style: Style, indent| wrap(vec![Span::styled(look.words_kept(text), style)], width, indent);
        let mut lines = match &self.judged {
            None => {
                let mut lines = wrapped(&self.words.rule, Style::new(), 0);
                lines.extend(wrapped(&self.words.task, look.name(), 0));
                if let Some(solution) = self.solution() {
                    lines.extend(wrapped(&format!("Solution: {solution}"), look.aside(), 0));
                }
                lines
            }
            Some(LearnerVerdict { is_right, title, says, clauses }) => {
                let style = if *is_right { look.ready() } else { look.urgent() };
                let said = vec![Span::styled(title.clone(), style), Span::raw(look.words_kept(&format!(" {says}")))];
                let mut lines = wrap(said, width, 0);
                let clauses: Vec<String> = clauses.iter().map(|(id, text)| format!("  {id}: {text}")).collect();
                let whole: Vec<Line<'static>> =
                    clauses.iter().flat_map(|clause| wrapped(clause, look.aside(), 4)).collect();
                match lines.len() + whole.len() <= most {
                    true => lines.extend(whole),
                    // The first words say which rule it is; `rules explain --clauses` prints them all.
                    false => lines.extend(
                        clauses
                            .iter()
                            .map(|clause| Line::styled(cut(&look.words_kept(clause), width, look), look.aside())),
                    ),
                }
                lines
            }
        };
        lines.truncate(most);
        lines
    }
}
