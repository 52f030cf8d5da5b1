//! Cards as they are drawn on a screen: boxes where there is room, short texts where there is not. Which card is where is
//! decided by `table` and `person`.

use maumau_protocol::Card;
use ratatui_core::buffer::Buffer;
use ratatui_core::layout::Rect;
use ratatui_core::style::Style;
use ratatui_core::text::Span;

use crate::look::ScreenStyle;

/// Columns and rows of a card in a box.
pub(crate) const BOX: (u16, u16) = (5, 3);

/// Draws a card as a box whose upper left corner is the area's, if it fits; `None` is an empty place.
pub(crate) fn boxed(buffer: &mut Buffer, area: Rect, card: Option<Card>, style: Style, look: ScreenStyle) {
    if area.width < BOX.0 || area.height < BOX.1 {
        return;
    }
    let text = match card {
        None => "   ".to_owned(),
        Some(card) if card.is_joker() => look.either("Jo★", "Jok").to_owned(),
        Some(card) => format!("{:>3}", look.card(card)),
    };
    let inner = card.map_or(Style::new(), |card| look.card_style(card)).patch(style);
    let [top, side, bottom] = match look.signs {
        true => ["╭───╮", "│", "╰───╯"],
        false => ["+---+", "|", "+---+"],
    };
    buffer.set_string(area.x, area.y, top, style);
    buffer.set_string(area.x, area.y + 1, side, style);
    buffer.set_string(area.x + 1, area.y + 1, text, inner);
    buffer.set_string(area.x + 4, area.y + 1, side, style);
    buffer.set_string(area.x, area.y + 2, bottom, style);
}

/// The cards as short texts with blanks between them; `chosen` is shown as such.
pub(crate) fn spans(cards: &[Card], look: ScreenStyle) -> Vec<Span<'static>> {
    let card = |card: &Card| Span::styled(format!("{} ", look.card(*card)), look.card_style(*card));
    cards.iter().map(card).collect()
}
