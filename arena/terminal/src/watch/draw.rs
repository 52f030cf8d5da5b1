//! The picture of a run. It reads values and changes nothing.

use ratatui_core::buffer::Buffer;
use ratatui_core::layout::Rect;
use ratatui_core::style::Style;
use ratatui_core::text::{Line, Span};

use super::{AgentRow, Dashboard, RunScreen};
use crate::geometry::{bottom, cut, fitted, left, put, put_right, titled, top};
use crate::look::ScreenStyle;
use crate::sentence::wrap;

/// Games in words that a text without a screen has at most.
const LAST_GAMES: usize = 10;

impl RunScreen {
    /// Draws the screen.
    pub fn draw(&self, buffer: &mut Buffer, area: Rect) {
        let (look, shown) = (self.look, &self.shown);
        let (title, rest) = top(area, 1);
        buffer.set_style(title, look.chosen());
        put(buffer, title, 0, format!(" {}", shown.league));
        put_right(buffer, title, 0, format!(" {} ", shown.about));
        let (rest, keys) = bottom(rest, 1);
        match (&self.trouble, &self.next) {
            (Some(trouble), _) => put(buffer, keys, 0, Line::styled(format!(" {trouble}"), look.fault())),
            (None, Some(next)) => {
                put(buffer, keys, 0, Line::styled(" tab next game  q quit", look.aside()));
                put_right(buffer, keys, 0, format!(" Next: {next} "));
            }
            (None, None) => put(buffer, keys, 0, Line::styled(" up, down scroll  c colours  q quit", look.aside())),
        }
        let (head, rest) = top(rest, 3);
        shown.draw_progress(buffer, head, look);
        self.draw_course(buffer, head);
        let remarks = remarks(&shown.remarks, area.width, look);
        let (rest, below) = bottom(rest, remarks.len().min(4) as u16);
        for (row, line) in remarks.into_iter().enumerate() {
            put(buffer, below, row as u16, line);
        }
        let wanted = shown.rows.len() as u16 + 2;
        let (standings, games) = if area.width >= 140 {
            let (standings, games) = left(rest, rest.width * 3 / 5);
            (left(standings, standings.width - 1).0, games)
        } else {
            top(rest, wanted.min(rest.height * 2 / 3))
        };
        shown.draw_standings(buffer, standings, self.scrolled, look);
        let inside = titled(buffer, games, "last games", look);
        for (row, game) in shown.last_games.iter().take(inside.height.into()).enumerate() {
            put(buffer, inside, row as u16, cut(game, inside.width.into(), look));
        }
    }

    /// How many games were added between one look and the next.
    fn draw_course(&self, buffer: &mut Buffer, area: Rect) {
        let columns = usize::from(area.width.saturating_sub(50)).min(60);
        let steps: Vec<u64> = self.course.windows(2).map(|pair| pair[1].saturating_sub(pair[0])).collect();
        let steps = &steps[steps.len().saturating_sub(columns)..];
        let most = steps.iter().copied().max().unwrap_or_default();
        if most == 0 {
            return;
        }
        let levels: Vec<char> = self.look.either(" ▁▂▃▄▅▆▇█", " .:-=+*%@").chars().collect();
        let bar = |games: &u64| levels[(*games as usize * (levels.len() - 1)).div_ceil(most as usize)];
        put_right(buffer, area, 1, steps.iter().map(bar).collect::<String>());
    }
}

impl Dashboard {
    /// The run as one text of this many columns, for pipes.
    pub fn text(&self, columns: u16, look: ScreenStyle) -> String {
        let remarks = remarks(&self.remarks, columns, look);
        let games = self.last_games.len().min(LAST_GAMES) as u16;
        let (rows, said) = (self.rows.len() as u16, remarks.len() as u16);
        let area = Rect::new(0, 0, columns, 1 + 3 + rows + 2 + said + games + 1);
        let mut buffer = Buffer::empty(area);
        let (title, rest) = top(area, 1);
        put(&mut buffer, title, 0, format!("{}: {}", self.league, self.about));
        let (head, rest) = top(rest, 3);
        self.draw_progress(&mut buffer, head, look);
        let (standings, rest) = top(rest, rows + 2);
        self.draw_standings(&mut buffer, standings, 0, look);
        let (below, rest) = top(rest, said);
        for (row, line) in remarks.into_iter().enumerate() {
            put(&mut buffer, below, row as u16, line);
        }
        let inside = titled(&mut buffer, rest, "last games", look);
        for (row, game) in self.last_games.iter().take(inside.height.into()).enumerate() {
            put(&mut buffer, inside, row as u16, cut(game, inside.width.into(), look));
        }
        let row = |y: u16| {
            let row: String = (0..columns).map(|x| buffer[(x, y)].symbol()).collect();
            row.trim_end().to_owned() + "\n"
        };
        (0..area.height).map(row).collect()
    }

    fn draw_progress(&self, buffer: &mut Buffer, area: Rect, look: ScreenStyle) {
        let share = if self.planned == 0 { 0.0 } else { self.games as f64 / self.planned as f64 };
        let progress = format!(" {} of {} games, {:.0} %", self.games, self.planned, (share * 100.0).floor());
        let width = usize::from(area.width).saturating_sub(progress.len() + 1);
        let full = ((share * width as f64) as usize).min(width);
        let bar = look.either("█", "#").repeat(full);
        let rest = look.either("░", ".").repeat(width - full);
        put(
            buffer,
            area,
            0,
            Line::from(vec![Span::styled(bar, look.ready()), Span::styled(rest, look.aside()), Span::raw(progress)]),
        );
        let mut speed = Vec::new();
        if let Some(rate) = self.games_per_second {
            let when = if self.is_played { "" } else { " when it was played last" };
            speed.push(format!("{rate:.1} games/s{when}"));
        }
        speed.extend(self.time_left.iter().map(|left| format!("about {left} left")));
        put(buffer, area, 1, speed.join(", "));
        let style = if self.is_played { Style::new() } else { look.urgent() };
        put(buffer, area, 2, Line::styled(self.player.clone(), style));
    }

    /// The standings from row `first` on.
    fn draw_standings(&self, buffer: &mut Buffer, area: Rect, first: usize, look: ScreenStyle) {
        let area = titled(buffer, area, "standings: score with its 95 % interval", look);
        let name = if area.width >= 110 { 30 } else { 18 };
        const NUMBERS: usize = 4 + 7 + 7 + 15;
        let faults = usize::from(area.width / 5);
        let bar = usize::from(area.width).saturating_sub(name + NUMBERS + faults + 2).clamp(0, 60);
        let ends = self.rows.iter().filter_map(|row| row.interval.or(row.score.map(|score| (score, score))));
        let (low, high) = ends.fold((1.0_f64, 0.0_f64), |(low, high), (from, to)| (low.min(from), high.max(to)));
        let heading = format!(
            "    {} {:>6} {:>6} {:>14} {} faults",
            fitted("agent", name, look),
            "games",
            "score",
            "interval",
            fitted("", bar, look)
        );
        put(buffer, area, 0, Line::styled(heading, look.aside()));
        for (at, row) in self.rows.iter().enumerate().skip(first).take(usize::from(area.height).saturating_sub(1)) {
            let score = row.score.map_or("-".to_owned(), |score| format!("{score:.3}"));
            let interval = row.interval.map_or("-".to_owned(), |(low, high)| format!("{low:.3} to {high:.3}"));
            let mut faults = row.faults.clone();
            if row.dismissals > 0 {
                let was = format!("dismissed {}x", row.dismissals);
                faults = if faults.is_empty() { was } else { format!("{was}: {faults}") };
            }
            put(
                buffer,
                area,
                (at - first) as u16 + 1,
                Line::from(vec![
                    Span::styled(format!("{:>3} ", at + 1), look.aside()),
                    Span::styled(fitted(&row.name, name, look), look.name()),
                    Span::raw(format!(" {:>6} {score:>6} {interval:>14} ", row.games)),
                    Span::styled(drawn(row, bar, (low, high), look), look.seat(0)),
                    Span::raw(" "),
                    Span::styled(faults, look.fault()),
                ]),
            );
        }
    }
}

/// The interval of a row as characters on the scale from `low` to `high`.
fn drawn(row: &AgentRow, columns: usize, (low, high): (f64, f64), look: ScreenStyle) -> String {
    let Some(score) = row.score.filter(|_| columns > 0) else { return " ".repeat(columns) };
    let at = |value: f64| {
        let share = (value - low) / (high - low).max(f64::MIN_POSITIVE);
        (share.clamp(0.0, 1.0) * (columns - 1) as f64).round() as usize
    };
    let (from, to) = row.interval.unwrap_or((score, score));
    let marks: Vec<char> = look.either("├─●┤", "|-o|").chars().collect();
    let mark = |column: usize| match column {
        column if column == at(score) => marks[2],
        column if column == at(from) => marks[0],
        column if column == at(to) => marks[3],
        column if (at(from)..=at(to)).contains(&column) => marks[1],
        _ => ' ',
    };
    (0..columns).map(mark).collect()
}

fn remarks(remarks: &[String], columns: u16, look: ScreenStyle) -> Vec<Line<'static>> {
    let lines = remarks.iter().map(|remark| vec![Span::styled(look.words(remark), look.urgent())]);
    lines.flat_map(|pieces| wrap(pieces, columns.into(), 0)).collect()
}
