//! A line of a story as styled text for a screen. The story decides what it says; `look` how each piece is painted.

use maumau_protocol::Seat;
use maumau_referee::story::{About, Level, Line, Piece, choice_name};
use ratatui_core::text::{Line as Text, Span};

use crate::look::ScreenStyle;

/// The pieces of a line; `names` are those of the agents by seat, ready to show.
pub(crate) fn spans(line: &Line, names: &[String], look: ScreenStyle) -> Vec<Span<'static>> {
    let mut spans = Vec::with_capacity(line.pieces.len() + line.because.len() + 3);
    match line.about {
        About::Fault | About::Silence => spans.push(Span::styled("! ", look.fault())),
        About::Note => spans.push(Span::styled("# ", look.aside())),
        About::Game | About::RuleFault | About::Late | About::Deadline | About::Sent | About::Stderr => {}
    }
    spans.extend(line.with_because().map(|piece| span(&piece, names, look)));
    if line.level == Level::Heading {
        spans.iter_mut().for_each(|span| span.style = look.heading());
    }
    spans
}

/// The same of pieces that are no line.
pub(crate) fn spans_of(pieces: &[Piece], names: &[String], look: ScreenStyle) -> Vec<Span<'static>> {
    pieces.iter().map(|piece| span(piece, names, look)).collect()
}

fn span(piece: &Piece, names: &[String], look: ScreenStyle) -> Span<'static> {
    match piece {
        Piece::Words(tone, words) => Span::styled(look.words_kept(words), look.tone(*tone)),
        Piece::Name(seat) => Span::styled(name(names, *seat).to_owned(), look.name()),
        Piece::Card(card) => Span::styled(look.card(*card), look.card_style(*card)),
        Piece::Named(choice) => Span::raw(choice_name(choice, look.faces)),
        Piece::Quoted(said) => Span::raw(format!("\"{}\"", look.foreign(said))),
        Piece::Foreign(tone, words) | Piece::Json(tone, words) => Span::styled(look.foreign(words), look.tone(*tone)),
    }
}

/// The name of a seat.
pub(crate) fn name(names: &[String], seat: Seat) -> &str {
    names.get(seat.index()).map_or("?", String::as_str)
}

/// Breaks styled pieces into lines of at most `width` columns, the later ones with a margin of `indent` columns.
pub(crate) fn wrap(spans: Vec<Span<'static>>, width: usize, indent: usize) -> Vec<Text<'static>> {
    let mut lines = Vec::new();
    let mut line: Vec<Span<'static>> = Vec::new();
    let mut used = 0;
    for piece in spans {
        for word in piece.content.split_inclusive(' ') {
            let columns = Span::raw(word).width();
            let fits = used + Span::raw(word.trim_end()).width() <= width;
            if !fits && used > indent {
                lines.push(Text::from(std::mem::take(&mut line)));
                line.push(Span::raw(" ".repeat(indent)));
                used = indent;
            }
            line.push(Span::styled(word.to_owned(), piece.style));
            used += columns;
        }
    }
    lines.push(Text::from(line));
    lines
}
