//! The picture of the viewer: a title, the table, the list of moves, a timeline, the keys. It reads the state and changes
//! nothing.

use maumau_protocol::Seat;
use maumau_referee::story::{About, DecisionMark, Level, milliseconds, spectator};
use ratatui_core::buffer::Buffer;
use ratatui_core::layout::Rect;
use ratatui_core::style::Style;
use ratatui_core::text::{Line, Span};

use super::{Prompt, SPEEDS, Speed, Unit, Viewer};
use crate::geometry::{bottom, fitted, left, popup, put, put_right, titled, top};
use crate::marks::Mark;
use crate::sentence::{name, spans, spans_of, wrap};
use crate::table::DrawnTable;

/// The smallest screen on which all parts have a place.
const LEAST: (u16, u16) = (40, 12);
/// Columns of a move's number in the list.
const NUMBER: usize = 5;
/// Seats whose hands have a line of their own in the timeline.
const LINES: usize = 6;

impl Viewer<'_> {
    /// Draws the screen.
    pub fn draw(&self, buffer: &mut Buffer, area: Rect) {
        if area.width < LEAST.0 || area.height < LEAST.1 {
            let (columns, rows) = LEAST;
            put(buffer, area, 0, format!("needs {columns}x{rows}"));
            return;
        }
        let (title, rest) = top(area, 1);
        self.draw_title(buffer, title);
        let (rest, keys) = bottom(rest, 1);
        self.draw_keys(buffer, keys);
        let lines = self.names.len().min(if area.height >= 40 { LINES } else { 4 });
        let (rest, timeline) = bottom(rest, lines as u16 + 2);
        self.draw_timeline(buffer, timeline, lines);
        let (table, list) = left(rest, rest.width - (rest.width * 2 / 5).clamp(24, 80));
        let (table, gap) = left(table, table.width - 1);
        (gap.y..gap.y + gap.height).for_each(|y| buffer.set_string(gap.x, y, " ", Style::new()));
        let (table, what) = bottom(table, if area.height >= 40 { 9 } else { 5 });
        self.draw_table(buffer, table);
        self.draw_what(buffer, what);
        self.draw_list(buffer, list);
        if self.shows_help {
            let columns = KEYS.iter().map(|(_, does)| does.len() + 13).max().unwrap_or_default() as u16;
            let inside = popup(buffer, area, "Keys", (columns, KEYS.len() as u16), self.look);
            for (row, (key, does)) in KEYS.iter().enumerate() {
                let key = Span::styled(format!("{key:<13}"), self.look.name());
                put(buffer, inside, row as u16, Line::from(vec![key, Span::raw(*does)]));
            }
        }
    }

    fn draw_title(&self, buffer: &mut Buffer, area: Rect) {
        buffer.set_style(area, self.look.chosen());
        let scene = &self.viewed().scenes[self.at];
        let eyes = match self.eyes {
            None => "referee",
            eyes if eyes == spectator(self.names.len()) => "spectator",
            Some(seat) => name(&self.names, seat),
        };
        put(buffer, area, 0, format!(" {}  eyes: {eyes}", self.title));
        let round = if scene.rounds > 1 {
            format!("round {} of {}, ", scene.round.max(1), scene.rounds)
        } else {
            String::new()
        };
        put_right(buffer, area, 0, format!(" {round}{} ", self.place()));
    }

    fn draw_keys(&self, buffer: &mut Buffer, area: Rect) {
        let line = match (&self.prompt, &self.remark) {
            (Some(Prompt::Search(text)), _) => Line::from(format!(" /{}_", self.look.foreign(text))),
            (Some(Prompt::Number(text)), _) => Line::from(format!(" to move {}_", self.look.foreign(text))),
            (None, Some(remark)) => Line::styled(format!(" {remark}"), self.look.urgent()),
            (None, None) => {
                let keys = if area.width >= 79 {
                    self.look.either(
                        " ←→ step  space play  x fault  i interjection  r round  e eyes  f flip  ? help",
                        " <> step  space play  x fault  i interjection  r round  e eyes  f flip  ? help",
                    )
                } else {
                    " space play  x fault  ? help  q quit"
                };
                Line::styled(keys, self.look.aside())
            }
        };
        put(buffer, area, 0, line);
    }

    fn draw_table(&self, buffer: &mut Buffer, area: Rect) {
        let area = titled(buffer, area, "table", self.look);
        let scene = &self.viewed().scenes[self.at];
        let word = self.log.header.rules.duties.mau.as_ref().map(|mau| mau.word.as_str());
        DrawnTable { scene, names: &self.names, word, bottom: self.bottom, with_bottom: true, look: self.look }
            .draw(buffer, area);
    }

    /// What happens in the frame, with the clauses that it rests on, the time that it took and what the agent noted.
    fn draw_what(&self, buffer: &mut Buffer, area: Rect) {
        let frame = self.frame(self.at);
        let area = titled(buffer, area, "what happens", self.look);
        let mut lines = Vec::new();
        for line in frame.lines.iter().filter(|line| line.level != Level::Heading || frame.lines.len() == 1) {
            let mut pieces = spans(line, &self.names, self.look);
            if !line.clauses.is_empty() {
                pieces.push(Span::styled(format!("  ({})", line.clauses.join(", ")), self.look.aside()));
            }
            lines.extend(wrap(pieces, area.width.into(), 2));
        }
        if let Some(comment) = self.comment(self.at) {
            // The list says no more of it than its sign, so it comes before what else there is to be said.
            let words = spans_of(&comment.words, &self.names, self.look);
            let sign = comment.mark.map(|mark| Span::styled(format!("{} ", mark.sign()), self.sign_style(mark)));
            let pieces = sign.into_iter().chain(words).collect();
            lines.truncate(usize::from(area.height).saturating_sub(2).max(1));
            lines.extend(wrap(pieces, area.width.into(), 2));
        }
        if let Some(us) = frame.took_us {
            let cpu = frame.cpu_us.map(|us| format!(", {} of processor time", milliseconds(us))).unwrap_or_default();
            lines.push(Line::styled(format!("answered in {}{cpu}", milliseconds(us)), self.look.aside()));
        }
        for (row, line) in lines.into_iter().enumerate() {
            put(buffer, area, row as u16, line);
        }
    }

    fn draw_list(&self, buffer: &mut Buffer, area: Rect) {
        let area = titled(buffer, area, "moves", self.look);
        let viewed = self.viewed();
        let height = usize::from(area.height);
        let here = viewed.first_rows[self.at];
        let rows = &viewed.rows[..viewed.rows.partition_point(|row| self.may_show(row.frame))];
        // The current move stands a third from the top, so that what follows can be seen.
        let first = here.saturating_sub(height / 3).min(rows.len().saturating_sub(height));
        for (row, place) in rows.iter().skip(first).take(height).enumerate() {
            let frame = &viewed.frames[place.frame];
            let line = &frame.lines[place.line];
            let number = match frame.numbered == Some(place.line) {
                true => format!("{:>NUMBER$} ", frame.kind.number()),
                false => " ".repeat(NUMBER + 1),
            };
            let mut pieces = vec![Span::styled(number, self.look.aside())];
            if line.level == Level::Detail {
                pieces.push(Span::raw("  "));
            }
            pieces.extend(spans(line, &self.names, self.look));
            let y = area.y + row as u16;
            put(buffer, area, row as u16, Line::from(pieces));
            if matches!(line.about, About::Fault | About::RuleFault) {
                buffer.set_string(area.x, y, "!", self.look.fault());
            }
            let comment = self.comment(place.frame).filter(|_| frame.numbered == Some(place.line));
            if let Some(mark) = comment.and_then(|comment| comment.mark) {
                buffer.set_string(area.x, y, mark.sign(), self.sign_style(mark));
            }
            if place.frame == self.at {
                buffer.set_style(Rect { y, height: 1, ..area }, self.look.chosen());
            }
        }
    }

    /// How high the chances of a seat were at a frame; these eyes may not know those of others.
    fn chance_level(&self, seat: usize, at: usize, levels: &[char]) -> char {
        let seat = Seat::new(seat).filter(|seat| self.eyes.is_none_or(|eyes| eyes == *seat));
        let chances = seat.and_then(|seat| self.said.chances(seat, self.frame(at).kind.number()));
        let level = |chances: f64| (chances.clamp(0.0, 1.0) * (levels.len() - 2) as f64).round() as usize + 1;
        chances.map_or(' ', |chances| levels[level(chances)])
    }

    fn sign_style(&self, mark: DecisionMark) -> Style {
        match mark {
            DecisionMark::Good => self.look.ready(),
            DecisionMark::Inaccuracy | DecisionMark::Mistake => self.look.urgent(),
            DecisionMark::Blunder => self.look.fault(),
        }
    }

    /// How many cards each seat held, or how large its chances were; where rounds ended and something went wrong; where the reader is.
    fn draw_timeline(&self, buffer: &mut Buffer, area: Rect, lines: usize) {
        let viewed = self.viewed();
        let speed = match SPEEDS[self.speed] {
            Speed::Times(hundredths) if hundredths % 100 == 0 => format!("{}x", hundredths / 100),
            Speed::Times(_) => "0.5x".to_owned(),
            Speed::AsPlayed => "as played".to_owned(),
        };
        let unit = match self.unit {
            Unit::Action => "",
            Unit::Turn => ", steps of a turn",
            Unit::Round => ", steps of a round",
        };
        let state = if self.due_ms.is_some() { "playing" } else { "paused" };
        let what = match self.shows_chances {
            true => "chances of each seat, up to 100 %".to_owned(),
            false => format!("hands, up to {} cards", viewed.most),
        };
        let area = titled(buffer, area, &format!("{what}, {state} at {speed}{unit}"), self.look);
        const NAME: u16 = 13;
        let columns = usize::from(area.width.saturating_sub(NAME));
        if columns == 0 {
            return;
        }
        let (last, frames) = (self.last(), viewed.frames.len());
        // The frames of each column; games shorter than the screen have columns without one of their own.
        let frame_of = |column: usize| column * frames / columns;
        let cursor = (0..columns).rev().find(|column| frame_of(*column) <= self.at).unwrap_or_default();
        let cursor = if self.at == last { columns - 1 } else { cursor };
        let levels = self.look.either(" ▁▂▃▄▅▆▇█", " .:-=+*%@");
        let levels: Vec<char> = levels.chars().collect();
        let seats = (1..=self.names.len()).map(|step| (self.bottom + step) % self.names.len());
        for (row, seat) in seats.skip(self.names.len() - lines).enumerate() {
            let label = fitted(&self.names[seat], usize::from(NAME) - 1, self.look);
            put(buffer, area, row as u16, Line::styled(label, self.look.seat(seat)));
            let bar = |column: usize| {
                if !self.may_show(frame_of(column)) {
                    return ' ';
                }
                if self.shows_chances {
                    return self.chance_level(seat, frame_of(column), &levels);
                }
                let cards = viewed.scenes[frame_of(column)].cards_of(seat);
                levels[(cards * (levels.len() - 1)).div_ceil(viewed.most)]
            };
            let bars: String = (0..columns).map(bar).collect();
            buffer.set_string(area.x + NAME, area.y + row as u16, bars, self.look.seat(seat));
        }
        let row = lines as u16;
        for column in 0..columns {
            let of_column = frame_of(column)..frame_of(column + 1).max(frame_of(column) + 1).min(frames);
            // A frame that several columns show is marked once.
            let is_first = column == 0 || frame_of(column - 1) < frame_of(column);
            let has = |mark: Mark| {
                is_first && of_column.clone().any(|at| self.may_show(at) && mark.is_in(&viewed.frames[at]))
            };
            let (sign, style) = match () {
                () if column == cursor => (self.look.either("▲", "^"), self.look.name()),
                () if has(Mark::Fault) => ("!", self.look.fault()),
                () if has(Mark::RoundEnd) => ("|", Style::new()),
                () if has(Mark::Interjection) => ("*", Style::new()),
                () => (self.look.either("·", "."), self.look.aside()),
            };
            if row < area.height {
                buffer.set_string(area.x + NAME + column as u16, area.y + row, sign, style);
            }
        }
        if row < area.height {
            buffer.set_stringn(area.x, area.y + row, "!fault |end", usize::from(NAME) - 1, self.look.aside());
        }
        let height = (row + 1).min(area.height);
        buffer.set_style(Rect { x: area.x + NAME + cursor as u16, y: area.y, width: 1, height }, self.look.chosen());
    }
}

/// Each key and what it does.
pub(super) const KEYS: [(&str, &str); 20] = [
    ("left, right", "a step back, a step on (also up, down)"),
    ("space", "play, pause"),
    ("[  ]", "to the turn before, the next turn"),
    ("PgUp PgDn", "to the round before, the next round"),
    ("Home End", "to the deal, the end"),
    ("x  X", "to the next fault, the one before"),
    ("i  I", "to the next interjection, the one before"),
    ("r  R", "to the next end of a round, the one before"),
    ("m  M", "to the next marked loss, the one before"),
    ("w", "chances of a judged game, or hands"),
    ("12 Enter", "to move 12"),
    ("/TEXT n", "to the next move with TEXT; the same again"),
    ("e", "change eyes: the referee's, each seat's"),
    ("f", "flip: another seat at the bottom"),
    ("u", "a step is an action, a turn, a round"),
    ("+  -", "faster, slower"),
    ("c", "colours on, off"),
    ("?", "this help"),
    ("q", "quit"),
    ("", "any key closes this"),
];
