//! Writes the referee's lines straight into the outgoing buffer. It appends to a buffer and sends nothing; whom a line
//! goes to, and when, is decided in `referee`.

use maumau_engine::{Game, Legal};
use maumau_protocol::message::{ArenaMessage, AskId, GameId, What};
use maumau_protocol::wire::write_action;
use maumau_protocol::{Action, Event, EventNumber, Say, Seat, Verb, View, write_json};
use serde::{Serialize, Serializer};

/// An `ask` whose parts are borrowed from the game.
pub(crate) struct AskLine<'a> {
    /// The JSON of the game's name, made with [`name_json`].
    pub(crate) game: &'a [u8],
    pub(crate) id: AskId,
    pub(crate) seat: Seat,
    pub(crate) what: What,
    pub(crate) time_ms: u64,
    pub(crate) as_of: EventNumber,
    pub(crate) events: SeenBy<'a>,
    pub(crate) view: Option<&'a View>,
    pub(crate) legal: Option<LegalList<'a>>,
}

impl AskLine<'_> {
    /// Adds the line to `out`: the same JSON as of [`maumau_protocol::message::Ask`].
    pub(crate) fn write(&self, out: &mut Vec<u8>) {
        out.extend_from_slice(br#"{"type":"ask","game":"#);
        out.extend_from_slice(self.game);
        out.extend_from_slice(br#","id":""#);
        out.extend_from_slice(self.id.digits().as_flattened());
        out.extend_from_slice(br#"","seat":"#);
        write(out, &self.seat);
        out.extend_from_slice(br#","what":"#);
        write(out, &self.what);
        out.extend_from_slice(br#","time_ms":"#);
        write(out, &self.time_ms);
        out.extend_from_slice(br#","as_of":"#);
        write(out, &self.as_of);
        if !self.events.events.is_empty() {
            out.extend_from_slice(br#","events":"#);
            write(out, &self.events);
        }
        if let Some(view) = self.view {
            out.extend_from_slice(br#","view":"#);
            write(out, view);
        }
        if let Some(legal) = &self.legal {
            out.extend_from_slice(br#","legal":"#);
            legal.write(out);
        }
        out.extend_from_slice(b"}\n");
    }
}

/// Events as one seat may see them.
#[derive(Clone, Copy)]
pub(crate) struct SeenBy<'a> {
    pub(crate) seat: Seat,
    pub(crate) events: &'a [Event],
}

impl Serialize for SeenBy<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.events.iter().map(|event| event.seen_by(self.seat)))
    }
}

/// The legal actions as a list, each with the words due with it; `wait` comes first if nothing has to be done.
pub(crate) struct LegalList<'a> {
    game: &'a Game,
    seat: Seat,
    legal: Legal,
    may_wait: bool,
}

impl<'a> LegalList<'a> {
    /// The list of an ask of `seat` for `what`.
    pub(crate) fn new(game: &'a Game, seat: Seat, what: What) -> LegalList<'a> {
        LegalList { game, seat, legal: game.legal(seat), may_wait: what == What::React }
    }

    fn write(&self, out: &mut Vec<u8>) {
        out.push(b'[');
        let start = out.len();
        let owes = self.game.may_owe_words(self.seat);
        self.for_each(|verb: Verb| {
            if out.len() > start {
                out.push(b',');
            }
            debug_assert!(owes || self.game.words_due(self.seat, &verb) == Say::Nothing, "{verb:?} with words");
            let say = if owes { self.game.words_due(self.seat, &verb) } else { Say::Nothing };
            // As below: an action has a JSON form.
            #[allow(clippy::expect_used)]
            write_action(out, &Action { verb, say }).expect("actions have a JSON form");
        });
        out.push(b']');
    }

    /// Hands every entry to `add`, in the order of the list, without the words due with it.
    #[inline]
    pub(crate) fn for_each(&self, mut add: impl FnMut(Verb)) {
        // Things that must be done or said, and things that others can be called for, come before doing nothing.
        self.legal.for_each_must(&mut add);
        if self.may_wait
            && let Some(text) = self.game.word_owed(self.seat)
        {
            add(Verb::Say { text });
        }
        for (against, fault) in self.game.calls(self.seat) {
            if let Ok(fault) = fault.name().try_into() {
                add(Verb::Call { against, fault });
            }
        }
        if self.may_wait {
            add(Verb::Wait);
        }
        self.legal.for_each_other(add);
    }
}

/// Hands every entry of the legal list in an ask of `seat` for `what` to `add`, in order, without the words due with it.
#[inline]
pub fn legal_verbs(game: &Game, seat: Seat, what: What, add: impl FnMut(Verb)) {
    LegalList::new(game, seat, what).for_each(add);
}

/// The JSON of a game's name, which is the same in all its asks.
pub(crate) fn name_json(game: &GameId) -> Box<[u8]> {
    let mut json = Vec::with_capacity(game.0.len() + 2);
    write(&mut json, game);
    json.into()
}

/// Adds the JSON of `value` to `out`.
#[inline]
fn write<T: Serialize + ?Sized>(out: &mut Vec<u8>, value: &T) {
    // Serialising these types into memory cannot fail: their maps have text keys and nothing does IO.
    #[allow(clippy::expect_used)]
    write_json(out, value).expect("messages have a JSON form");
}

/// Adds the line of `message` to `out`.
pub fn write_message(out: &mut Vec<u8>, message: &ArenaMessage) {
    write(out, message);
    out.push(b'\n');
}
