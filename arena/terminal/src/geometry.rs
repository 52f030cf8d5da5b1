//! Rectangles cut into parts, and texts put into them.

use ratatui_core::buffer::Buffer;
use ratatui_core::layout::Rect;
use ratatui_core::style::Style;
use ratatui_core::text::{Line, Span};

use crate::look::ScreenStyle;

/// The first `rows` rows of an area, and the rest.
pub(crate) fn top(area: Rect, rows: u16) -> (Rect, Rect) {
    let rows = rows.min(area.height);
    (Rect { height: rows, ..area }, Rect { y: area.y + rows, height: area.height - rows, ..area })
}

/// All but the last `rows` rows of an area, and those.
pub(crate) fn bottom(area: Rect, rows: u16) -> (Rect, Rect) {
    let rows = rows.min(area.height);
    top(area, area.height - rows)
}

/// The first `columns` columns of an area, and the rest.
pub(crate) fn left(area: Rect, columns: u16) -> (Rect, Rect) {
    let columns = columns.min(area.width);
    (Rect { width: columns, ..area }, Rect { x: area.x + columns, width: area.width - columns, ..area })
}

/// Puts a line at the beginning of a row of an area, as far as both fit.
pub(crate) fn put<'a>(buffer: &mut Buffer, area: Rect, row: u16, line: impl Into<Line<'a>>) {
    if row < area.height {
        buffer.set_line(area.x, area.y + row, &line.into(), area.width);
    }
}

/// Puts a line at the end of a row, as far as it fits.
pub(crate) fn put_right<'a>(buffer: &mut Buffer, area: Rect, row: u16, line: impl Into<Line<'a>>) {
    let line = line.into();
    let width = (line.width() as u16).min(area.width);
    let (_, right) = left(area, area.width - width);
    put(buffer, right, row, line);
}

/// A rule with a title in it, over the first row; returns the rest.
pub(crate) fn titled(buffer: &mut Buffer, area: Rect, title: &str, look: ScreenStyle) -> Rect {
    let (row, rest) = top(area, 1);
    if row.height > 0 {
        let rule = look.either("─", "-").repeat(usize::from(row.width));
        buffer.set_stringn(row.x, row.y, rule, usize::from(row.width), look.aside());
        let title = format!(" {title} ");
        buffer.set_stringn(row.x + 1, row.y, &title, usize::from(row.width.saturating_sub(1)), Style::new());
    }
    rest
}

/// A box in the middle of an area, emptied and framed, for `rows` rows of `columns` columns; returns its inside.
pub(crate) fn popup(
    buffer: &mut Buffer,
    area: Rect,
    title: &str,
    (columns, rows): (u16, u16),
    look: ScreenStyle,
) -> Rect {
    let (width, height) = ((columns + 4).min(area.width), (rows + 2).min(area.height));
    let place = Rect { x: area.x + (area.width - width) / 2, y: area.y + (area.height - height) / 2, width, height };
    let [corners, across, down] = match look.signs {
        true => [["╭", "╮", "╰", "╯"], ["─"; 4], ["│"; 4]],
        false => [["+"; 4], ["-"; 4], ["|"; 4]],
    };
    let inner = usize::from(width.saturating_sub(2));
    for row in 0..height {
        let (first, fill, last) = match row {
            0 => (corners[0], across[0], corners[1]),
            row if row + 1 == height => (corners[2], across[0], corners[3]),
            _ => (down[0], " ", down[0]),
        };
        let line = format!("{first}{}{last}", fill.repeat(inner));
        buffer.set_stringn(place.x, place.y + row, line, usize::from(width), Style::reset());
    }
    buffer.set_stringn(place.x + 2, place.y, format!(" {title} "), inner, look.name());
    Rect {
        x: place.x + 2.min(width),
        y: place.y + 1.min(height),
        width: width.saturating_sub(4),
        height: height.saturating_sub(2),
    }
}

/// A text cut to `columns`, with a sign that it was.
pub(crate) fn cut(text: &str, columns: usize, look: ScreenStyle) -> String {
    if Span::raw(text).width() <= columns {
        return text.to_owned();
    }
    let mark = look.either("…", "~");
    let mut cut = String::new();
    for c in text.chars() {
        if Span::raw(format!("{cut}{c}")).width() + 1 > columns {
            break;
        }
        cut.push(c);
    }
    if columns == 0 { String::new() } else { cut + mark }
}

/// A text filled up with blanks to `columns`, or cut to them.
pub(crate) fn fitted(text: &str, columns: usize, look: ScreenStyle) -> String {
    let text = cut(text, columns, look);
    let width = Span::raw(&text).width();
    text + &" ".repeat(columns.saturating_sub(width))
}
