//! A line of a story, in typed pieces: names, cards, our own words and others' words. Data only: colours and escapes
//! are chosen where it is shown.

use std::borrow::Cow;

use maumau_engine::PlayGround;
use maumau_protocol::{Card, Choice, Faces, Seat};
use serde::Serialize;

/// How a piece is meant; a medium may show it by a colour, a class, or not at all.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Tone {
    /// The game itself.
    #[default]
    Plain,
    /// Something that the rules refuse or penalise.
    Refused,
    /// A fault of conduct.
    Fault,
    /// Not part of the game: notes.
    Aside,
}

/// A piece of a line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Piece {
    /// Our own words.
    Words(Tone, Cow<'static, str>),
    /// The name of the agent at a seat.
    Name(Seat),
    /// A card.
    Card(Card),
    /// A suit or a value that is named, or a player that is chosen.
    Named(Choice),
    /// What a player said: another's text, to be shown between quotation marks.
    Quoted(String),
    /// Text that another has partly written.
    Foreign(Tone, String),
    /// JSON that another has written.
    Json(Tone, String),
}

impl From<&'static str> for Piece {
    fn from(words: &'static str) -> Piece {
        Piece::Words(Tone::Plain, words.into())
    }
}

impl From<String> for Piece {
    fn from(words: String) -> Piece {
        Piece::Words(Tone::Plain, words.into())
    }
}

impl From<Seat> for Piece {
    fn from(seat: Seat) -> Piece {
        Piece::Name(seat)
    }
}

impl From<Card> for Piece {
    fn from(card: Card) -> Piece {
        Piece::Card(card)
    }
}

impl From<Choice> for Piece {
    fn from(choice: Choice) -> Piece {
        match choice {
            Choice::Seat(seat) => Piece::Name(seat),
            Choice::Suit(_) | Choice::Rank(_) => Piece::Named(choice),
        }
    }
}

impl Piece {
    /// Our own words about something that the rules refuse or penalise.
    pub(super) fn refused(words: String) -> Piece {
        Piece::Words(Tone::Refused, words.into())
    }
}

/// What a line is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum About {
    /// What happened in the game.
    Game,
    /// A mistake by the rules, or its price (SPEC 6).
    RuleFault,
    /// An action that another was faster than: no fault, and free (G-03).
    Late,
    /// A fault of conduct, a strike, a dismissal, a failure of an author's code.
    Fault,
    /// Why an agent may have been silent.
    Silence,
    /// A note of an agent.
    Note,
    /// A deadline that passed when nothing had to be done.
    Deadline,
    /// The faulty line that an agent sent.
    Sent,
    /// What an agent wrote to stderr.
    Stderr,
}

/// How a line is placed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Level {
    /// It heads a round, or ends the match.
    Heading,
    /// It stands alone.
    Main,
    /// It adds to the line before it.
    Detail,
}

/// One line of a story.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    /// How it is placed.
    pub level: Level,
    /// What it is about.
    pub about: About,
    /// The seat whose act, mistake or note it is, if it is one seat's.
    pub seat: Option<Seat>,
    /// The clauses that it rests on, if the rule set or the common conventions name any.
    pub clauses: Vec<String>,
    /// What cards look like in its game.
    pub faces: Faces,
    /// What it says.
    pub pieces: Vec<Piece>,
    /// Why the card that it says was played might be played.
    pub ground: Option<PlayGround>,
    /// The same in words, and what the play leaves to be faced; shown after what it says, between brackets.
    pub because: Vec<Piece>,
    /// The verb and the object of a sentence that counts several such lines in a row: `draws`, `cards it owes`.
    pub counted: Option<[&'static str; 2]>,
}

impl Line {
    /// A line that says `pieces` and rests on nothing.
    pub fn new(level: Level, about: About, seat: Option<Seat>, pieces: Vec<Piece>) -> Line {
        Line {
            level,
            about,
            seat,
            clauses: Vec::new(),
            faces: Faces::French,
            pieces,
            ground: None,
            because: Vec::new(),
            counted: None,
        }
    }

    /// Its pieces, and after them why, between brackets.
    pub fn with_because(&self) -> impl Iterator<Item = Piece> + '_ {
        let aside = |words: &'static str| Piece::Words(Tone::Aside, words.into());
        let because = self.because.iter().map(|piece| match piece {
            Piece::Words(Tone::Plain, words) => Piece::Words(Tone::Aside, words.clone()),
            piece => piece.clone(),
        });
        // A line that ends with brackets takes the reason into them.
        let (mut pieces, mut open) = (self.pieces.clone(), " (");
        if let (Some(Piece::Words(_, words)), false) = (pieces.last_mut(), self.because.is_empty())
            && let Some(unclosed) = words.strip_suffix(')')
        {
            (*words, open) = (unclosed.to_owned().into(), "; ");
        }
        let brackets = (!self.because.is_empty()).then(|| [aside(open), aside(")")]);
        let [open, close] = brackets.map_or([None, None], |brackets| brackets.map(Some));
        pieces.into_iter().chain(open).chain(because).chain(close)
    }

    /// True if some seat does something wrong in it.
    pub fn is_fault(&self) -> bool {
        matches!(self.about, About::RuleFault | About::Fault)
    }

    /// Its text, without tones; `names` are those of the agents by seat. Others' text appears as it was written.
    pub fn text(&self, names: &[String]) -> String {
        text_of(&self.pieces, names, self.faces)
    }

    /// The text of [`Line::because`], in the same way; empty if it says nothing of that.
    pub fn because_text(&self, names: &[String]) -> String {
        text_of(&self.because, names, self.faces)
    }
}

/// What is named, in words: `hearts`, `sevens`.
pub fn choice_name(choice: &Choice, faces: Faces) -> String {
    match choice {
        Choice::Suit(suit) => faces.suit(*suit).to_owned(),
        Choice::Rank(rank) => faces.ranks(*rank),
        Choice::Seat(seat) => format!("seat {seat}"),
    }
}

fn text_of(pieces: &[Piece], names: &[String], faces: Faces) -> String {
    let mut text = String::new();
    for piece in pieces {
        match piece {
            Piece::Words(_, words) => text.push_str(words),
            Piece::Name(seat) => text.push_str(names.get(seat.index()).map_or("?", String::as_str)),
            Piece::Card(card) => text.push_str(&faces.short(*card)),
            Piece::Named(choice) => text.push_str(&choice_name(choice, faces)),
            Piece::Quoted(said) => {
                text.push('"');
                text.push_str(said);
                text.push('"');
            }
            Piece::Foreign(_, words) | Piece::Json(_, words) => text.push_str(words),
        }
    }
    text
}
