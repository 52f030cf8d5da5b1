//! Writes the referee's lines straight into the outgoing buffer. It appends to a buffer and sends nothing; whom a line
//! goes to, and when, is decided in `referee`.

use std::ops::Range;

use maumau_engine::{Game, Legal};
use maumau_protocol::limits::MAX_LINE_BYTES;
use maumau_protocol::message::{ArenaMessage, AskId, GameId, What};
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
    /// Adds the line to `out`, and returns where it is: the same JSON as of [`maumau_protocol::message::Ask`]. If it would be
    /// longer than a line may be, `tell`s with the events come first, with each of which `before` is called, and if that is not
    /// enough the end of the legal list is left out (SPEC 1.3).
    #[inline]
    pub(crate) fn write(mut self, out: &mut Vec<u8>, before: impl FnMut(Range<usize>)) -> Range<usize> {
        let begin = out.len();
        self.write_whole(out, usize::MAX);
        if out.len() - begin > MAX_LINE_BYTES {
            out.truncate(begin);
            write_tells(out, self.game, self.events, before);
            let begin = out.len();
            self.events.events = &[];
            self.write_whole(out, begin + MAX_LINE_BYTES);
            return begin..out.len();
        }
        begin..out.len()
    }

    /// Adds the line to `out`, with no more entries of the legal list than end before `end`.
    fn write_whole(&self, out: &mut Vec<u8>, end: usize) {
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
            legal.write(out, end - "]}\n".len());
        }
        out.extend_from_slice(b"}\n");
    }
}

/// Adds `tell` lines with these events to `out`, each as long as a line may be at most, and calls `line` with each.
pub(crate) fn write_tells(out: &mut Vec<u8>, game: &[u8], seen: SeenBy<'_>, mut line: impl FnMut(Range<usize>)) {
    const END: &[u8] = b"]}\n";
    let mut begin = out.len();
    let mut event_json = Vec::new();
    for event in seen.events {
        event_json.clear();
        write(&mut event_json, &event.seen_by(seen.seat));
        if out.len() > begin {
            if out.len() - begin + 1 + event_json.len() + END.len() <= MAX_LINE_BYTES {
                out.push(b',');
                out.extend_from_slice(&event_json);
                continue;
            }
            out.extend_from_slice(END);
            line(begin..out.len());
            begin = out.len();
        }
        out.extend_from_slice(br#"{"type":"tell","game":"#);
        out.extend_from_slice(game);
        out.extend_from_slice(br#","events":["#);
        out.extend_from_slice(&event_json);
    }
    if out.len() > begin {
        out.extend_from_slice(END);
        line(begin..out.len());
    }
}

/// Adds a `start` line to `out`; without the rule set if that would make it too long.
pub(crate) fn write_start(out: &mut Vec<u8>, start: &mut ArenaMessage) {
    let begin = out.len();
    write_message(out, start);
    if out.len() - begin > MAX_LINE_BYTES
        && let ArenaMessage::Start(message) = &mut *start
    {
        message.rules = None;
        out.truncate(begin);
        write_message(out, start);
    }
}

/// Adds an `over` line with these events to `out`, after `tell`s if it would be too long, and calls `line` with each.
pub(crate) fn write_over(
    out: &mut Vec<u8>,
    game: &[u8],
    over: &mut ArenaMessage,
    seen: SeenBy<'_>,
    mut line: impl FnMut(Range<usize>),
) {
    let begin = out.len();
    let ArenaMessage::Over(message) = &mut *over else { return };
    message.events = seen.events.iter().map(|event| event.seen_by(seen.seat)).collect();
    write_message(out, over);
    if out.len() - begin > MAX_LINE_BYTES {
        out.truncate(begin);
        write_tells(out, game, seen, &mut line);
        return write_over(out, game, over, SeenBy { events: &[], ..seen }, line);
    }
    line(begin..out.len());
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
    legal: Legal<'a>,
    may_wait: bool,
}

impl<'a> LegalList<'a> {
    /// The list of an ask of `seat` for `what`.
    pub(crate) fn new(game: &'a Game, seat: Seat, what: What) -> LegalList<'a> {
        LegalList { game, seat, legal: game.legal(seat), may_wait: what == What::React }
    }

    /// Adds the list to `out`, up to the first entry that would end after `end`.
    fn write(&self, out: &mut Vec<u8>, end: usize) {
        out.push(b'[');
        let start = out.len();
        let owes = self.game.may_owe_words(self.seat);
        let mut is_full = false;
        self.for_each(|verb: Verb| {
            if is_full {
                return;
            }
            let before = out.len();
            if out.len() > start {
                out.push(b',');
            }
            debug_assert!(owes || self.game.words_due(self.seat, &verb) == Say::Nothing, "{verb:?} with words");
            let say = if owes { self.game.words_due(self.seat, &verb) } else { Say::Nothing };
            // As below: an action has a JSON form.
            #[allow(clippy::expect_used)]
            write_json(out, &Action { verb, say }).expect("actions have a JSON form");
            if out.len() > end {
                out.truncate(before);
                is_full = true;
            }
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

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use maumau_engine::rules::load_built_in;
    use maumau_engine::{Rules, seed_of_number};
    use maumau_protocol::message::Ask;
    use maumau_protocol::wire::read_arena_line;

    use super::*;

    #[test]
    fn a_legal_list_that_finds_no_room_is_cut_after_the_last_entry_that_fits() {
        let set = load_built_in("skat", &[]).expect("a built-in set").set;
        let rules = Rules::for_table(&Arc::new(set), 2, Some(1)).expect("a table");
        let mut game = Game::new(Arc::new(rules), &seed_of_number(3));
        game.start_round(&mut Vec::new());
        let seat = game.waits_for().expect("a turn");
        let what = What::Turn;
        let line = AskLine {
            game: br#""g""#,
            id: AskId(1),
            seat,
            what,
            time_ms: 1,
            as_of: game.last_event(),
            events: SeenBy { seat, events: &[] },
            view: None,
            legal: Some(LegalList::new(&game, seat, what)),
        };
        let ask = |end: usize| -> (usize, Ask) {
            // Something stands before it.
            let mut out = b"before".to_vec();
            line.write_whole(&mut out, end.saturating_add(6));
            let text = std::str::from_utf8(&out[6..]).expect("UTF-8");
            match read_arena_line(text).expect("a line of the arena") {
                Some(ArenaMessage::Ask(ask)) => (text.len(), *ask),
                other => panic!("{other:?}"),
            }
        };
        let (whole, all) = ask(usize::MAX - 6);
        assert!(all.legal.len() > 2);
        let mut lengths = Vec::new();
        for end in (whole / 2..=whole + 1).rev() {
            let (length, cut) = ask(end);
            assert!(length <= end && all.legal.starts_with(&cut.legal), "{end}: {cut:?}");
            lengths.push(cut.legal.len());
        }
        assert!(lengths[0] == all.legal.len() && lengths[1] == all.legal.len() && lengths[2] == all.legal.len() - 1);
        lengths.dedup();
        assert!(lengths.windows(2).all(|pair| pair[1] + 1 == pair[0]), "{lengths:?}");
    }
}
