//! The table on a screen: hands by seat, the pile, what the seat to move faces. It draws a scene; whose eyes see it is decided
//! by those who made the scene.

use maumau_protocol::{Direction, Seat};
use maumau_referee::story::{Scene, ShownHand};
use ratatui_core::buffer::Buffer;
use ratatui_core::layout::Rect;
use ratatui_core::text::{Line, Span};

use crate::cards;
use crate::geometry::{fitted, left, put, top};
use crate::look::ScreenStyle;
use crate::sentence::{name, wrap};

/// Columns of a name at most.
const NAME: usize = 14;

/// A table to be drawn.
pub(crate) struct DrawnTable<'a> {
    pub(crate) scene: &'a Scene,
    /// The names by seat, ready to show.
    pub(crate) names: &'a [String],
    /// The word for the last card but one, if the game has one.
    pub(crate) word: Option<&'a str>,
    /// The seat that is drawn last, nearest to the reader.
    pub(crate) bottom: usize,
    /// Whether that seat is drawn here at all.
    pub(crate) with_bottom: bool,
    pub(crate) look: ScreenStyle,
}

impl DrawnTable<'_> {
    /// Draws the seats from the one after the bottom's on, the pile, and the bottom's seat.
    pub(crate) fn draw(&self, buffer: &mut Buffer, area: Rect) {
        let seats = self.names.len();
        let mut order: Vec<usize> = (1..=seats).map(|step| (self.bottom + step) % seats.max(1)).collect();
        if !self.with_bottom {
            order.pop();
        }
        let pile_rows = if usize::from(area.height) >= order.len() + 5 { 4 } else { 2 };
        let room = usize::from(area.height.saturating_sub(pile_rows));
        let mut rows: Vec<(usize, Vec<Line<'static>>)> =
            order.iter().map(|seat| (*seat, self.seat(*seat, area.width, true))).collect();
        if rows.iter().map(|(_, lines)| lines.len()).sum::<usize>() > room {
            rows = order.iter().map(|seat| (*seat, self.seat(*seat, area.width, false))).collect();
        }
        let mut rest = area;
        for (seat, lines) in rows {
            if seat == self.bottom {
                rest = self.pile(buffer, rest, pile_rows);
            }
            for line in lines {
                let (row, below) = top(rest, 1);
                put(buffer, row, 0, line);
                rest = below;
            }
        }
        if !self.with_bottom {
            self.pile(buffer, rest, pile_rows);
        }
    }

    /// A seat's lines: its name, its cards, what is to be known of it. Without `whole` there is one line, in which cards that
    /// do not fit are counted.
    fn seat(&self, seat: usize, width: u16, whole: bool) -> Vec<Line<'static>> {
        let DrawnTable { scene, names, look, .. } = self;
        let is_turn = Seat::new(seat).is_some_and(|seat| scene.is_to_move(seat));
        let mark = if is_turn { look.either("▶ ", "> ") } else { "  " };
        let style = if is_turn { look.ready() } else { look.name() };
        let mut spans = vec![
            Span::styled(mark, look.ready()),
            Span::styled(fitted(names.get(seat).map_or("?", String::as_str), NAME, *look), style),
            Span::raw(" "),
        ];
        let of_seat = |seats: maumau_protocol::SeatSet| Seat::new(seat).is_some_and(|seat| seats.contains(seat));
        let mut notes: Vec<String> = Vec::new();
        match scene.sealed.get(seat) {
            Some(sealed) if !sealed.is_empty() => notes.push(format!("{} sealed", sealed.len())),
            _ => {}
        }
        if of_seat(scene.mau_said) {
            notes.push(self.word.map_or("has said it".to_owned(), |word| format!("has said {}", look.foreign(word))));
        }
        if of_seat(scene.not_looked) {
            notes.push("has not looked".to_owned());
        }
        if scene.point_of_order.is_some_and(|caller| caller.index() == seat) {
            notes.push("point of order".to_owned());
        }
        if scene.dealer.is_some_and(|dealer| dealer.index() == seat) {
            notes.push("dealer".to_owned());
        }
        match (scene.wins.get(seat), scene.points.get(seat)) {
            (Some(wins), Some(points)) if scene.rounds > 1 => {
                notes.push(format!("{wins} won"));
                if *points != 0 {
                    notes.push(format!("{points} points"));
                }
            }
            _ => {}
        }
        let notes = notes.join(look.either(" · ", ", "));
        let notes = Span::styled(notes, look.aside());
        let room = usize::from(width).saturating_sub(NAME + 3);
        match scene.hands.get(seat) {
            Some(ShownHand::Open(cards)) => {
                let mut drawn = cards::spans(cards, *look);
                if cards.is_empty() {
                    drawn.push(Span::styled("no cards ", look.aside()));
                }
                let columns: usize = drawn.iter().map(Span::width).sum();
                if whole {
                    spans.extend(drawn);
                    spans.push(notes);
                    return wrap(spans, width.into(), NAME + 3);
                }
                if columns <= room {
                    spans.extend(drawn);
                } else {
                    let mut used = 0;
                    for (place, card) in drawn.into_iter().enumerate() {
                        used += card.width();
                        if used + 4 > room {
                            spans.push(Span::styled(format!("+{}", cards.len() - place), look.aside()));
                            break;
                        }
                        spans.push(card);
                    }
                }
            }
            hand => {
                let count = hand.map_or(0, ShownHand::len);
                let backs = look.either("▒", "#").repeat(count.min(room.saturating_sub(12).min(24)));
                let word = if count == 1 { "card" } else { "cards" };
                spans.push(Span::styled(format!("{backs} "), look.aside()));
                spans.push(Span::raw(format!("{count} {word}  ")));
                spans.push(notes);
            }
        }
        vec![Line::from(spans)]
    }

    /// The pile and what the seat to move faces, over `rows` rows; returns what is below.
    fn pile(&self, buffer: &mut Buffer, area: Rect, rows: u16) -> Rect {
        let DrawnTable { scene, look, .. } = self;
        let (place, below) = top(area, rows);
        let (indent, place) = left(place, if rows > 2 { 6 } else { 2 });
        let text = if rows > 2 {
            cards::boxed(
                buffer,
                Rect { x: indent.x, width: BOX_PLACE, ..indent },
                scene.top,
                Default::default(),
                *look,
            );
            left(place, 1).1
        } else {
            place
        };
        let mut first: Vec<Span<'static>> = Vec::new();
        if rows <= 2 {
            let card = scene.top.map_or("empty".to_owned(), |card| look.card(card));
            let style = scene.top.map_or(Default::default(), |card| look.card_style(card));
            first.extend([Span::raw("pile "), Span::styled(card, style), Span::raw("  ")]);
        } else if let Some(pile) = scene.pile {
            first.push(Span::raw(format!("pile {pile}  ")));
        }
        first.push(Span::raw(format!("draw pile {}", scene.draw_pile)));
        let turns = match scene.direction {
            Direction::Clockwise => look.either("  ↻ clockwise", "  clockwise"),
            Direction::Counterclockwise => look.either("  ↺ counterclockwise", "  counterclockwise"),
        };
        first.push(Span::styled(turns, look.aside()));
        put(buffer, text, 0, Line::from(first));
        let mut facing: Vec<String> = scene.facing.iter().map(|words| look.words(words)).collect();
        if let Some(visible) = scene.visible.filter(|visible| Some(*visible) != scene.top) {
            facing.insert(0, format!("{} counts", look.card(visible)));
        }
        if let Some(caller) = scene.point_of_order {
            facing.push(format!("{} has called a point of order", name(self.names, caller)));
        }
        let words = vec![Span::styled(facing.join(look.either(" · ", ", ")), look.urgent())];
        let lines = wrap(words, text.width.into(), 0);
        for (row, line) in lines.into_iter().take(usize::from(rows.saturating_sub(1))).enumerate() {
            put(buffer, text, row as u16 + 1, line);
        }
        below
    }
}

/// Columns of a card and the blank after it.
const BOX_PLACE: u16 = cards::BOX.0 + 1;
