//! The picture of a person's seat. It reads the state and changes nothing.

use maumau_agents::person::{CardInHand, When};
use maumau_protocol::message::{ClockMode, What};
use maumau_protocol::{Card, Verb};
use maumau_referee::story::ordinal;
use ratatui_core::buffer::Buffer;
use ratatui_core::layout::Rect;
use ratatui_core::style::{Modifier, Style};
use ratatui_core::text::{Line, Span};

use super::PersonSeat;
use super::actions::{key_of, words};
use super::menu::KeyMenu;
use super::pace::ScoreSheet;
use crate::cards;
use crate::geometry::{bottom, cut, left, popup, put, put_right, titled, top};
use crate::look::ScreenStyle;
use crate::sentence::{name, wrap};
use crate::table::DrawnTable;

/// The smallest screen on which all parts have a place.
const LEAST: (u16, u16) = (50, 20);
/// Rows of the hand: a card in a box, one row higher where it may be played.
const HAND: u16 = cards::BOX.1 + 1;

/// The keys of a table, in words.
pub(crate) const TABLE_KEYS: [(&str, &str); 10] = [
    ("left, right", "choose a card; Tab: the next lifted one"),
    ("Enter", "play it; lifted cards may be played"),
    ("a", "add it to several to be played at once, or take it back"),
    ("1 to 9", "say a word that is due with what you do next"),
    ("s", "say the words chosen now, or type anything"),
    ("d  p  l  x", "draw, pass, look at your cards, challenge"),
    ("t  n", "take a card, name a suit or value, add a rule"),
    ("g  b  u", "deal, deal penalty cards, turn up"),
    ("m", "whatever else can be done"),
    ("c", "call a mistake of another seat"),
];
/// The other keys.
const KEYS: [(&str, &str); 7] = [
    ("w", "do nothing, where the table waits for you"),
    ("h", "what a bot would do (greedy)"),
    (".  v", "hurry what the others do; another pace for it"),
    ("up, down", "what happened before"),
    ("?", "this help"),
    ("q", "leave: the referee plays your seat"),
    ("", "any key closes this"),
];

impl PersonSeat {
    /// Draws the screen at `now_ms`.
    pub fn draw(&self, buffer: &mut Buffer, area: Rect, now_ms: u64) {
        if area.width < LEAST.0 || area.height < LEAST.1 {
            let (columns, rows) = LEAST;
            put(buffer, area, 0, format!("needs {columns}x{rows}"));
            return;
        }
        let (title, rest) = top(area, 1);
        self.draw_title(buffer, title, now_ms);
        let (rest, keys) = bottom(rest, 1);
        self.draw_keys(buffer, keys);
        self.draw_table(buffer, rest);
        self.draw_menu(buffer, area);
    }

    /// Draws the table, what happens, what can be done and the hand.
    pub(crate) fn draw_table(&self, buffer: &mut Buffer, area: Rect) {
        let rest = area;
        let hand_rows = self.hand_rows(area.width);
        let (rest, hand) = bottom(rest, hand_rows + 1);
        self.draw_hand(buffer, hand);
        let (rest, prompt) = bottom(rest, 4);
        self.draw_prompt(buffer, prompt);
        let (table, events) = left(rest, rest.width - (rest.width * 45 / 100).clamp(24, 90));
        let (table, _) = left(table, table.width - 1);
        let table = titled(buffer, table, "table", self.look);
        let scene = self.scene();
        let seat = self.table.seat().index();
        let word = self.rules().and_then(|rules| rules.duties.mau.as_ref()).map(|mau| mau.word.as_str());
        DrawnTable { scene: &scene, names: &self.names, word, bottom: seat, with_bottom: false, look: self.look }
            .draw(buffer, table);
        self.draw_events(buffer, events);
    }

    fn draw_title(&self, buffer: &mut Buffer, area: Rect, now_ms: u64) {
        buffer.set_style(area, self.look.chosen());
        let Some(start) = self.table.start() else {
            put(buffer, area, 0, " the game has not begun");
            return;
        };
        let view = self.view();
        let title = start.rules.as_ref().map_or(start.rule_set.as_str(), |rules| &rules.title);
        let round =
            if view.rounds > 1 { format!("  round {} of {}", view.round.max(1), view.rounds) } else { String::new() };
        let seat = self.table.seat().index();
        let mut mine = String::new();
        if view.rounds > 1 {
            let won = view.wins.get(seat).copied().unwrap_or_default();
            let points = view.points.get(seat).copied().unwrap_or_default();
            mine = format!("  you: {won} won");
            if points != 0 {
                mine += &format!(", {points} points");
            }
        }
        put(buffer, area, 0, format!(" {}{round}{mine}", self.look.foreign(title)));
        if let Some(running) = self.table.running(now_ms) {
            let whose = if running.seat == self.table.seat() { "you have" } else { "they have" };
            let seconds = running.left_ms.div_ceil(1_000);
            let clock = format!(" {whose} {}:{:02} ", seconds / 60, seconds % 60);
            let is_short = running.left_ms * 4 < running.of_ms && running.seat == self.table.seat();
            let style = if is_short { self.look.urgent().add_modifier(Modifier::REVERSED) } else { Style::new() };
            put_right(buffer, area, 0, Line::styled(clock, style));
        } else if self.table.clock() == ClockMode::Lockstep {
            put_right(buffer, area, 0, " lockstep ");
        }
    }

    fn draw_keys(&self, buffer: &mut Buffer, area: Rect) {
        let line = if self.leaves {
            Line::styled(" Leave the game? The referee plays your seat to the end: y, n", self.look.urgent())
        } else if let Some(remark) = &self.remark {
            Line::styled(format!(" {}", self.look.words(remark)), self.look.urgent())
        } else {
            let keys = " arrows choose  Enter play  s say  c call  m more  h hint  ? help  q leave";
            Line::styled(keys, self.look.aside())
        };
        put(buffer, area, 0, line);
    }

    /// What is wanted of the person, what the keys do, which words are due, what a bot would do.
    fn draw_prompt(&self, buffer: &mut Buffer, area: Rect) {
        let look = self.look;
        let (rule, area) = top(area, 1);
        titled(buffer, rule, "you", look);
        if self.rests {
            return;
        }
        if self.is_behind() {
            put(buffer, area, 0, Line::styled("The others play; . hurries", look.aside()));
            return;
        }
        let owed = self.view().pending.draw;
        let mut first: Vec<Span<'static>> = Vec::new();
        let what = self.table.ask().map(|ask| ask.what);
        if let Some(over) = self.over() {
            let place = over.result.places.get(self.table.seat().index()).copied().unwrap_or_default();
            first.push(Span::styled(
                format!("The match is over: you came {}. ", came(&over.result.places, place)),
                look.ready(),
            ));
        } else if let Some(from) = self.table.owed_take() {
            let costs = self.rules().map_or(0, |rules| rules.calls.cards);
            let costs = if costs > 0 { format!(" (else {costs} cards, if called)") } else { String::new() };
            let first_take = format!("First take a card from {}{costs}: ", name(&self.names, from));
            first.push(Span::styled(first_take, look.urgent()));
        } else if self.table.must_move() {
            let prompt = match what {
                Some(What::Choose) => "You must name: ",
                Some(What::Deal) => "You deal: ",
                _ => "Your move: ",
            };
            first.push(Span::styled(prompt, look.ready()));
            if !self.picked.is_empty() {
                let cards: Vec<String> = self.picked_cards().into_iter().map(|card| look.card(card)).collect();
                first.push(Span::raw(format!("Enter plays {}  ", cards.join(" "))));
                first.push(Span::styled("a", look.name()));
                first.push(Span::raw(" adds or takes back  Esc gives up  "));
            } else if self.table.hand().iter().any(CardInHand::may_be_played) {
                first.push(Span::raw("play a lifted card  "));
                if self.table.plays_several() {
                    first.push(Span::styled("a", look.name()));
                    first.push(Span::raw(" several  "));
                }
            }
        } else if self.table.may_decline() {
            first.push(Span::styled("The table waits for you: w do nothing  ", look.urgent()));
        } else if self.table.may_interject() {
            first.push(Span::styled("You may act now: ", look.urgent()));
        } else if let Some(turn) = self.view().turn {
            let next = match turn == self.table.seat() {
                true => "Your move comes next  ".to_owned(),
                false => format!("{} to move  ", name(&self.names, turn)),
            };
            first.push(Span::styled(next, look.aside()));
        }
        let mut shown: Vec<char> = Vec::new();
        for verb in self.table.moves() {
            let Some(key) = key_of(&verb).filter(|key| !shown.contains(key)) else { continue };
            shown.push(key);
            let label = match verb {
                Verb::Take { .. } => "take a card".to_owned(),
                Verb::Choose(_) => "name a suit or value".to_owned(),
                Verb::ChooseRule { .. } => "add a rule".to_owned(),
                verb => words(&verb, owed, &self.names, self.rules(), look),
            };
            first.push(Span::styled(key.to_string(), look.name()));
            first.push(Span::raw(format!(" {label}  ")));
        }
        put(buffer, area, 0, Line::from(first));

        let mut second: Vec<Span<'static>> = Vec::new();
        for (place, word) in self.table.words().into_iter().enumerate().take(9) {
            let mark = if word.is_chosen { look.either("✓", "*") } else { "" };
            let style = match (word.is_chosen, word.when) {
                (true, _) => look.chosen(),
                (false, When::Now) => look.urgent(),
                (false, When::With(_) | When::Leaving(_)) => Style::new(),
            };
            second.push(Span::styled(format!("{}", place + 1), look.name()));
            second.push(Span::raw(" "));
            second.push(Span::styled(format!("{mark}\"{}\"", look.foreign(word.text.as_str())), style));
            let when = match word.when {
                When::Now => " now".to_owned(),
                When::With(cards) if cards.is_empty() => " with your move".to_owned(),
                When::With(cards) => {
                    let cards: Vec<String> = cards.iter().map(|card| look.card(card)).collect();
                    format!(" with {}", cards.join(" "))
                }
                When::Leaving(0) => " with your last cards".to_owned(),
                When::Leaving(_) => " if one card is left".to_owned(),
            };
            second.push(Span::raw(format!("{when}  ")));
        }
        if !second.is_empty() {
            second.insert(0, Span::styled("Words due: ", look.aside()));
        }
        let calls = self.table.calls();
        if !calls.is_empty() {
            second.push(Span::styled(format!("c {} to call  ", calls.len()), look.urgent()));
        }
        put(buffer, area, 1, Line::from(second));

        let challenge = shown.contains(&'x').then(|| self.table.challenge_costs()).flatten();
        let third = match (&self.hint, challenge, &self.fault) {
            (Some((hint, _)), ..) => Line::styled(format!("greedy would {hint}"), look.aside()),
            (None, Some(cards), _) => {
                Line::styled(format!("Challenge: if the card was right, you draw {cards}"), look.aside())
            }
            (None, None, Some(fault)) => {
                let text = look.foreign(&format!("{} ({})", fault.message, fault.clause));
                Line::styled(cut(&text, area.width.into(), look), look.fault())
            }
            (None, None, None) => Line::default(),
        };
        put(buffer, area, 2, third);
    }

    /// Rows that the hand needs.
    fn hand_rows(&self, width: u16) -> u16 {
        let cards = self.view().hand.len();
        if cards * usize::from(cards::BOX.0) <= usize::from(width) { HAND } else { 2 * self.text_rows(width).min(3) }
    }

    /// Rows of cards as short texts.
    fn text_rows(&self, width: u16) -> u16 {
        let in_row = usize::from(width / cards::BOX.0).max(1);
        self.view().hand.len().div_ceil(in_row) as u16
    }

    fn draw_hand(&self, buffer: &mut Buffer, area: Rect) {
        let (rule, area) = top(area, 1);
        let view = self.view();
        let sealed = view.sealed.get(self.table.seat().index()).copied().unwrap_or_default();
        let held = view.hands.get(self.table.seat().index()).map_or(view.hand.len(), |count| usize::from(*count));
        let unseen = held.saturating_sub(view.hand.len() + usize::from(sealed));
        let mut title = match view.hand.len() {
            1 => "your card".to_owned(),
            cards => format!("your {cards} cards"),
        };
        if sealed > 0 {
            title += &format!(", {sealed} sealed");
        }
        if unseen > 0 {
            title += &format!(", {unseen} covered");
        }
        titled(buffer, rule, &title, self.look);
        let hand = self.shown_hand();
        let width = cards::BOX.0;
        let in_row = usize::from(area.width / width).max(1);
        let as_boxes = hand.len() <= in_row;
        // Where not all rows fit, those around the chosen card are shown.
        let rows = usize::from(area.height / 2).max(1);
        let first_row = if as_boxes { 0 } else { (self.chosen / in_row + 1).saturating_sub(rows) };
        for (place, (card, lifted)) in hand.into_iter().enumerate() {
            let x = area.x + (place % in_row) as u16 * width;
            let is_chosen = place == self.chosen;
            let order = self.picked.iter().position(|picked| *picked == place).map(|at| (at + 1).to_string());
            if as_boxes {
                let y = area.y + u16::from(!lifted);
                let style = if is_chosen {
                    self.look.ready()
                } else if lifted {
                    Style::new()
                } else {
                    self.look.aside()
                };
                let place = Rect { x, y, width, height: cards::BOX.1 };
                cards::boxed(buffer, place.intersection(area), Some(card), style, self.look);
                if is_chosen && y + 1 < area.y + area.height {
                    buffer.set_style(Rect { x: x + 1, y: y + 1, width: 3, height: 1 }, self.look.chosen());
                }
                if let Some(order) = order.filter(|_| y < area.y + area.height) {
                    buffer.set_string(x + 2, y, order, self.look.ready());
                }
            } else {
                let row = place / in_row;
                let y = area.y + (row.saturating_sub(first_row) * 2) as u16 + u16::from(!lifted);
                if row < first_row || y >= area.y + area.height {
                    continue;
                }
                self.draw_text_card(buffer, (x, y), card, lifted, is_chosen);
                if let Some(order) = order {
                    buffer.set_string(x + 3, y, order, self.look.ready());
                }
            }
        }
    }

    fn draw_text_card(&self, buffer: &mut Buffer, (x, y): (u16, u16), card: Card, lifted: bool, is_chosen: bool) {
        let mut style = self.look.card_style(card);
        if !lifted {
            style = style.patch(self.look.aside());
        }
        if is_chosen {
            style = style.patch(self.look.chosen());
        }
        buffer.set_stringn(x, y, format!("{:>3}", self.look.card(card)), 4, style);
    }

    fn draw_events(&self, buffer: &mut Buffer, area: Rect) {
        let title = if self.scrolled > 0 { "what happened before (down)" } else { "what happens" };
        let area = titled(buffer, area, title, self.look);
        let height = usize::from(area.height);
        let last = self.events.len().saturating_sub(self.scrolled);
        let mut lines: Vec<Line<'static>> = Vec::new();
        for pieces in self.events.iter().take(last).rev() {
            let mut wrapped = wrap(pieces.clone(), area.width.into(), 2);
            wrapped.reverse();
            lines.extend(wrapped);
            if lines.len() >= height {
                break;
            }
        }
        lines.truncate(height);
        for (row, line) in lines.into_iter().rev().enumerate() {
            put(buffer, area, row as u16, line);
        }
    }

    /// The scores of a round, until the person goes on.
    fn draw_sheet(&self, buffer: &mut Buffer, area: Rect, sheet: &ScoreSheet) {
        let winners: Vec<&str> = sheet.winners.iter().map(|seat| name(&self.names, seat)).collect();
        let title = match winners.as_slice() {
            [] => "Nobody wins the round".to_owned(),
            [one] => format!("{one} wins the round"),
            several => format!("{} win the round", several.join(" and ")),
        };
        let mut rows = vec!["this round  in all".to_owned()];
        for (seat, points, total) in &sheet.points {
            rows.push(format!("{points:>10}  {total:>6}  {}", name(&self.names, *seat)));
        }
        let widest = rows.iter().map(|row| Span::raw(row.as_str()).width()).max().unwrap_or_default();
        let columns = widest.max(Span::raw(title.as_str()).width() + 4).max(20) as u16;
        let inside = popup(buffer, area, &title, (columns, rows.len() as u16 + 1), self.look);
        for (row, text) in rows.into_iter().enumerate() {
            put(buffer, inside, row as u16, text);
        }
        let last = inside.height.saturating_sub(1);
        put(buffer, inside, last, Line::styled("any key goes on", self.look.aside()));
    }

    /// Draws what is over the table: the help, scores, a question.
    pub(crate) fn draw_menu(&self, buffer: &mut Buffer, area: Rect) {
        if self.shows_help {
            draw_help(buffer, area, &[&TABLE_KEYS[..], &KEYS].concat(), self.look);
            return;
        }
        if let Some(sheet) = &self.sheet {
            self.draw_sheet(buffer, area, sheet);
            return;
        }
        match &self.menu {
            None => {}
            Some(KeyMenu::Say(text)) => {
                let shown = self.look.foreign(text);
                let inside = popup(buffer, area, "Say", (50, 2), self.look);
                let from = shown.chars().count().saturating_sub(usize::from(inside.width.saturating_sub(1)));
                put(buffer, inside, 0, format!("{}_", shown.chars().skip(from).collect::<String>()));
                put(buffer, inside, 1, Line::styled("Enter says it, Esc does not", self.look.aside()));
            }
            Some(KeyMenu::List { title, items, at }) => {
                let widest = items.iter().map(|item| Span::raw(item.words.as_str()).width()).max().unwrap_or_default();
                let columns = widest.max(title.len()) as u16 + 4;
                let rows = (items.len() as u16).min(area.height.saturating_sub(4));
                let inside = popup(buffer, area, title, (columns, rows), self.look);
                let first = (at + 1).saturating_sub(usize::from(inside.height));
                for (row, item) in items.iter().enumerate().skip(first).take(inside.height.into()) {
                    let style = if row == *at { self.look.chosen() } else { Style::new() };
                    let words = self.look.words(&item.words);
                    let key = Span::styled(format!("{} ", item.key), self.look.name());
                    put(buffer, inside, (row - first) as u16, Line::from(vec![key, Span::styled(words, style)]));
                }
            }
        }
    }
}

/// Draws a list of keys with what they do.
pub(crate) fn draw_help(buffer: &mut Buffer, area: Rect, keys: &[(&str, &str)], look: ScreenStyle) {
    let columns = keys.iter().map(|(_, does)| does.len() + 13).max().unwrap_or_default() as u16;
    let inside = popup(buffer, area, "Keys", (columns, keys.len() as u16), look);
    for (row, (key, does)) in keys.iter().enumerate() {
        let key = Span::styled(format!("{key:<13}"), look.name());
        put(buffer, inside, row as u16, Line::from(vec![key, Span::raw(*does)]));
    }
}

/// A place as people say it: `first`, `joint second`, `7th`.
fn came(places: &[u8], place: u8) -> String {
    const WORDS: [&str; 6] = ["first", "second", "third", "fourth", "fifth", "sixth"];
    let joint = if places.iter().filter(|other| **other == place).count() > 1 { "joint " } else { "" };
    match usize::from(place).checked_sub(1).and_then(|at| WORDS.get(at)) {
        Some(word) => format!("{joint}{word}"),
        None => format!("{joint}{}", ordinal(place)),
    }
}
