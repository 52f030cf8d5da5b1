//! A person's seat as lines, where there is no screen: the table and what can be done as text, and actions read from the words in which
//! the screen names them. It judges nothing: a card that does not fit can be played.

use maumau_protocol::{Action, Card, Choice, Faces, Rank, Say, Seat, Suit, Text, Verb};
use ratatui_core::buffer::Buffer;
use ratatui_core::layout::Rect;

use super::PersonSeat;
use super::actions::{choice_key, choice_words, key_of, words};
use crate::sentence::name;
use crate::table::DrawnTable;

/// Columns of the table.
const COLUMNS: u16 = 76;
/// What stands between an action and each word that is said with it.
const AND_SAY: &str = " and say ";
/// What stands before what is named with a card.
const NAMING: &str = ", naming ";
/// What ends a run that is not closed.
const OPEN: &str = ", leaving the run open";

impl PersonSeat {
    /// An action in words, as [`PersonSeat::read`] knows it: `play J♣, naming ♠ spades and say "mau"`.
    pub fn in_words(&self, action: &Action) -> String {
        let mut text = words(&action.verb, self.table.view().pending.draw, &self.names, self.rules(), self.look);
        for said in action.say.texts() {
            text += &format!("{AND_SAY}\"{}\"", self.look.foreign(said.as_str()));
        }
        text
    }

    /// The lines of what has happened since the last call.
    pub(crate) fn take_lines(&mut self) -> String {
        let lines = self.last_lines(self.events.len());
        self.events.clear();
        lines
    }

    /// The table, the hand and what can be done.
    pub(crate) fn as_text(&self) -> String {
        let mut text = self.table_text();
        let card = |(card, lifted): (Card, bool)| format!("{}{}", self.look.card(card), if lifted { "*" } else { "" });
        let hand = self.shown_hand();
        let marked = if hand.iter().any(|(_, lifted)| *lifted) { "  (* may be played)" } else { "" };
        text += &format!("Your cards: {}{marked}\n", hand.into_iter().map(card).collect::<Vec<_>>().join(" "));
        text += match (self.table.must_move(), self.table.may_interject()) {
            (true, _) => "It is your move.\n",
            (false, true) => "You may act now.\n",
            (false, false) => "",
        };
        let (owed, can) = (self.table.view().pending.draw, self.table.moves());
        if let Some(from) = self.table.owed_take() {
            text += &format!("First take a card from {}.\n", name(&self.names, from));
        }
        if !can.is_empty() {
            let can: Vec<String> =
                can.iter().map(|verb| words(verb, owed, &self.names, self.rules(), self.look)).collect();
            text += &format!("You can also: {}\n", can.join("; "));
        }
        let due = self.table.words();
        if !due.is_empty() {
            let due: Vec<String> =
                due.iter().map(|word| format!("\"{}\"", self.look.foreign(word.text.as_str()))).collect();
            text += &format!("Words due: {}\n", due.join(" "));
        }
        text
    }

    /// What the screen shows of the table, without boxes.
    fn table_text(&self) -> String {
        let scene = self.scene();
        let rules = self.table.start().and_then(|start| start.rules.as_ref());
        let word = rules.and_then(|rules| rules.duties.mau.as_ref()).map(|mau| mau.word.as_str());
        let bottom = self.table.seat().index();
        // Enough for two rows a seat; with more the pile would be a box.
        let area = Rect::new(0, 0, COLUMNS, self.names.len() as u16 + 3);
        let mut buffer = Buffer::empty(area);
        DrawnTable { scene: &scene, names: &self.names, word, bottom, with_bottom: false, look: self.look }
            .draw(&mut buffer, area);
        let row = |y: u16| (0..COLUMNS).map(|x| buffer[(x, y)].symbol()).collect::<String>().trim_end().to_owned();
        (0..area.height).map(row).filter(|row| !row.is_empty()).map(|row| row + "\n").collect()
    }

    /// The action that a line says.
    ///
    /// # Errors
    /// It says none, or several; why, in words.
    pub fn read(&self, line: &str) -> Result<Action, String> {
        let mut parts = split_all(line.trim(), AND_SAY).into_iter();
        let does = parts.next().unwrap_or_default();
        let said: Vec<Text> = parts.map(text_of).collect::<Result<_, _>>()?;
        let verb = self.read_verb(does)?;
        let say = match said.as_slice() {
            [] => Say::Nothing,
            [one] => Say::One(one.clone()),
            many => Say::Many(many.into()),
        };
        Ok(Action { verb, say })
    }

    fn read_verb(&self, does: &str) -> Result<Verb, String> {
        if let Some(what) = after(does, "play ") {
            return self.read_play(what);
        }
        if let Some(text) = after(does, "say ") {
            return Ok(Verb::Say { text: text_of(text)? });
        }
        let owed = self.table.view().pending.draw;
        let known =
            self.sayable().into_iter().map(|verb| (words(&verb, owed, &self.names, self.rules(), self.look), verb));
        let begins = |words: &str| {
            let (words, does) = (plain(words), plain(does));
            words == does
                || words.strip_prefix(&does).is_some_and(|rest| !rest.starts_with(char::is_alphanumeric))
                    && !does.is_empty()
        };
        let is_key = |verb: &Verb| key_of(verb).is_some_and(|key| plain(does) == key.to_string());
        let mut fitting: Vec<(String, Verb)> = known.filter(|(words, verb)| begins(words) || is_key(verb)).collect();
        // What is named has a sign where the terminal shows one, and may be said without it.
        if let (true, Some(named)) = (fitting.is_empty(), after(does, "name ")) {
            let choice = self.read_choice(named)?;
            return Ok(Verb::Choose(choice));
        }
        match fitting.len() {
            0 => Err(format!(
                "\"{}\" is nothing that you can do here: say it as in \"play 7h\", \"draw\", \"play 7h and say mau\"",
                self.look.foreign(does)
            )),
            1 => Ok(fitting.remove(0).1),
            _ => {
                let which: Vec<String> = fitting.into_iter().map(|(words, _)| words).collect();
                Err(format!("which of these: {}?", which.join("; ")))
            }
        }
    }

    /// What can be said in words, plays and words excepted: what is possible, what no ask lists, calls of every mistake, and draw and
    /// pass, which can be mistakes.
    fn sayable(&self) -> Vec<Verb> {
        let mut verbs = self.table.moves();
        let others = Seat::all(self.names.len()).filter(|seat| *seat != self.table.seat());
        let calls = others.flat_map(|against| {
            self.table.callable().map(move |fault| Verb::Call { against, fault: Text::fixed(fault.name()) })
        });
        let more = self.table.unlisted().into_iter().chain([Verb::Draw, Verb::Pass]).chain(calls);
        for verb in more {
            if !verbs.contains(&verb) {
                verbs.push(verb);
            }
        }
        verbs
    }

    fn read_play(&self, what: &str) -> Result<Verb, String> {
        let (what, close) = match split_all(what, OPEN).as_slice() {
            [what, ""] => (*what, false),
            _ => (what, true),
        };
        let parts = split_all(what, NAMING);
        let (what, named) = match parts.as_slice() {
            [what] => (*what, None),
            [what, named] => (*what, Some(self.read_choice(named)?)),
            _ => return Err("one thing is named with a card".to_owned()),
        };
        let hand = self.table.hand();
        let card = |word: &str| {
            let is_meant = |card: Card| {
                [self.look.card(card), self.look.faces.short(card), card.to_string()].map(|text| plain(&text))
            };
            let held = hand.iter().map(|held| held.card).find(|card| is_meant(*card).contains(&plain(word)));
            held.ok_or_else(|| format!("you do not hold {}", self.look.foreign(word)))
        };
        if let [one, other] = split_all(what, " as ").as_slice() {
            let one = card(one)?;
            let stands_for = Card::from_code(&plain(other).replace("10", "T").to_uppercase())
                .ok_or_else(|| format!("{} is no card", self.look.foreign(other)))?;
            return Ok(Verb::PlayAs { card: one, stands_for, choose: named });
        }
        let cards: Vec<Card> =
            what.split([' ', ',']).filter(|word| !word.is_empty()).map(card).collect::<Result<_, _>>()?;
        let Some(last) = cards.last().and_then(|last| hand.iter().find(|held| held.card == *last)) else {
            return Err("which card? say it as in \"play 7h\"".to_owned());
        };
        let choices = if cards.len() == 1 { &last.choices } else { &last.as_last };
        // To name nothing where something is to be named can be a mistake, which the referee judges.
        let choose = match (named, choices.as_slice()) {
            (None, [Some(only)]) => Some(*only),
            (named, _) => named,
        };
        let action = self.table.play_together(cards, choose, close);
        action.map(|action| action.verb).ok_or_else(|| "you do not hold these cards".to_owned())
    }

    fn read_choice(&self, named: &str) -> Result<Choice, String> {
        let suits = Suit::OF_ALL_PACKS.into_iter().map(Choice::Suit);
        let ranks = Rank::all().map(Choice::Rank);
        let seats = Seat::all(self.names.len()).map(Choice::Seat);
        let wanted = plain(named);
        let is_meant = |choice: &Choice| {
            let bare = match choice {
                Choice::Suit(suit) => self.look.faces.suit(*suit).to_owned(),
                Choice::Rank(rank) => self.look.faces.rank(*rank).to_owned(),
                Choice::Seat(seat) => name(&self.names, *seat).to_owned(),
            };
            let whole = choice_words(*choice, &self.names, self.look);
            [plain(&bare), plain(&whole), choice_key(*choice).to_string()].contains(&wanted)
        };
        let found = suits.chain(ranks).chain(seats).find(is_meant);
        found.ok_or_else(|| format!("\"{}\" cannot be named", self.look.foreign(named)))
    }
}

/// The rest of a text that begins so, in any case of letters.
fn after<'a>(text: &'a str, beginning: &str) -> Option<&'a str> {
    let start = text.get(..beginning.len())?;
    start.eq_ignore_ascii_case(beginning).then(|| text[beginning.len()..].trim())
}

/// The parts of a text between places where `between` stands, in any case of letters.
fn split_all<'a>(text: &'a str, between: &str) -> Vec<&'a str> {
    // Letters beyond ASCII keep their places.
    let (lower, mut parts, mut from) = (text.to_ascii_lowercase(), Vec::new(), 0);
    for (at, _) in lower.match_indices(between) {
        parts.push(text[from..at].trim());
        from = at + between.len();
    }
    parts.push(text[from..].trim());
    parts
}

/// What is said, with or without quotes.
fn text_of(said: &str) -> Result<Text, String> {
    let said = said.trim().trim_matches(['"', '“', '”']);
    Text::try_from(said)
        .ok()
        .filter(|text| !text.as_str().is_empty())
        .ok_or_else(|| "that cannot be said: a few words are needed, without signs that steer a terminal".to_owned())
}

/// The form in which texts are compared: lower case, letters for the signs of suits, no quotes, single blanks.
fn plain(text: &str) -> String {
    let letter = |c: char| Faces::suit_of_sign(c).map_or(c, |suit| suit.letter().to_ascii_lowercase());
    let text: String = text.to_lowercase().chars().filter(|c| !matches!(c, '"' | '“' | '”')).map(letter).collect();
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}
