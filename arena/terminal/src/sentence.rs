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

/// Breaks styled pieces into lines of at most `width` columns, the later ones with a margin of `indent` columns. A line ends only
/// where a space stands, not between a bracket and what is in it.
pub(crate) fn wrap(spans: Vec<Span<'static>>, width: usize, indent: usize) -> Vec<Text<'static>> {
    let words = |piece: Span<'static>| {
        let words: Vec<String> = piece.content.split_inclusive(' ').map(str::to_owned).collect();
        words.into_iter().map(move |word| Span::styled(word, piece.style))
    };
    let parts: Vec<Span<'static>> = spans.into_iter().flat_map(words).collect();
    let mut lines = Vec::new();
    let mut line: Vec<Span<'static>> = Vec::new();
    let mut used = 0;
    for word in parts.split_inclusive(|part| part.content.ends_with(' ')) {
        let columns: usize = word.iter().map(Span::width).sum();
        let ends = word.last().map_or(0, |last| last.width() - Span::raw(last.content.trim_end()).width());
        if used + columns - ends > width && used > indent {
            lines.push(Text::from(std::mem::take(&mut line)));
            line.push(Span::raw(" ".repeat(indent)));
            used = indent;
        }
        line.extend_from_slice(word);
        used += columns;
    }
    lines.push(Text::from(line));
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_end_only_where_a_space_stands() {
        let pieces = ["ann", " plays ", "7♥", " (", "same suit", "; ", "bob", " must draw 2 cards", ")"].map(Span::raw);
        let lines =
            |width| -> Vec<String> { wrap(pieces.to_vec(), width, 2).iter().map(ToString::to_string).collect() };
        assert_eq!(lines(80), ["ann plays 7♥ (same suit; bob must draw 2 cards)"]);
        assert_eq!(lines(14), ["ann plays 7♥ ", "  (same suit; ", "  bob must ", "  draw 2 ", "  cards)"]);
        assert_eq!(lines(12)[..2], ["ann plays 7♥ ", "  (same "]);
        assert_eq!(lines(1)[..2], ["ann ", "  plays "], "a word that is too long stands alone");
    }
}
