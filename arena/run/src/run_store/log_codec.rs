//! The compact form of a game's inputs in a run file. It turns inputs into bytes and back; checksums and rows are not
//! known here.
//!
//! What is the same in all games of a run is stored once in the run file; events follow from the inputs. Here the inputs are
//! split into columns of similar values, which compress well, and the columns are packed with zstd. Common actions take a byte
//! or two in each column; everything else an agent did is kept as JSON.
//!
//! Layout before packing: each column as its length and its bytes. Numbers are LEB128. `ops` has a byte for each input: in its
//! low half the seat, counted from the previous seat; in its high half one of the kinds below, plus `SPOKEN` if the words of
//! the action are in `json`. `cards` and `names` hold a byte for each card and for each suit or rank named; `as_of` the
//! difference from the previous stamp, zigzag; `took` microseconds plus one, or 0; `json` one line for each.

use std::cell::RefCell;
use std::io;

use anyhow::{Context, Result, bail, ensure};
use maumau_protocol::{Action, Card, Choice, EventNumber, FromJson, MAX_SEATS, Rank, Say, Seat, Stand, Suit, Verb};
use maumau_referee::Logged;
use maumau_referee::record::{ActEntry, Entry, Meta, StandEntry};
use zstd::bulk::{Compressor, Decompressor};
use zstd::zstd_safe::get_frame_content_size;

/// The first byte: plain columns, or columns packed with zstd.
const PLAIN: u8 = 1;
const PACKED: u8 = 2;
/// zstd's own default.
const LEVEL: i32 = 3;
/// Maximum bytes of a game when unpacked.
pub(super) const MAX_BYTES: u64 = 256 * 1024 * 1024;
/// Maximum inputs of a game; as a record they take about half a gigabyte.
const MAX_INPUTS: usize = 4 * 1024 * 1024;

const PLAY: u8 = 0x00;
const PLAY_NAMING: u8 = 0x10;
const DRAW: u8 = 0x20;
const PASS: u8 = 0x30;
const NAME: u8 = 0x40;
const STAND: u8 = 0x50;
/// Anything else, as JSON of the whole input.
const OTHER: u8 = 0x70;
/// Added to a kind: something is said with it.
const SPOKEN: u8 = 0x80;

const STANDS: [Stand; 3] = [Stand::Slow, Stand::Refusals, Stand::Dismissed];
/// In `names`, ranks come after the suits.
const FIRST_RANK: u8 = 8;
/// In `names`, seats come after the ranks.
const FIRST_SEAT: u8 = 32;

#[derive(Default)]
struct Columns {
    ops: Vec<u8>,
    cards: Vec<u8>,
    names: Vec<u8>,
    as_of: Vec<u8>,
    took: Vec<u8>,
    json: Vec<u8>,
}

impl Columns {
    fn parts(&self) -> [&Vec<u8>; 6] {
        [&self.ops, &self.cards, &self.names, &self.as_of, &self.took, &self.json]
    }
}

/// Packs the inputs of a game.
///
/// # Errors
/// There are too many inputs, or too large ones, to be unpacked again.
pub fn pack(inputs: &[Logged]) -> Result<Vec<u8>> {
    ensure!(inputs.len() <= MAX_INPUTS, "{} inputs are too many to be kept: at most {MAX_INPUTS}", inputs.len());
    let mut columns = Columns::default();
    let (mut seat_before, mut stamp) = (0, 0);
    for input in inputs {
        let coded = write(input, &mut columns)?;
        let seat = coded.seat.map_or(seat_before, Seat::index);
        let step = (seat + MAX_SEATS - seat_before) % MAX_SEATS;
        columns.ops.push(coded.op | step as u8);
        seat_before = seat;
        if let Some(EventNumber(number)) = coded.as_of {
            write_number(zigzag(i64::from(number) - i64::from(stamp)), &mut columns.as_of);
            stamp = number;
        }
    }
    let mut plain = vec![PLAIN];
    for part in columns.parts() {
        write_number(part.len() as u64, &mut plain);
        plain.extend_from_slice(part);
    }
    ensure!(
        plain.len() as u64 <= MAX_BYTES,
        "{} bytes of inputs are too many to be kept: at most {MAX_BYTES}",
        plain.len()
    );
    let packed = compress(&plain[1..]).context("a game cannot be packed")?;
    if packed.len() + 1 < plain.len() {
        plain.clear();
        plain.push(PACKED);
        plain.extend_from_slice(&packed);
    }
    Ok(plain)
}

fn compress(plain: &[u8]) -> io::Result<Vec<u8>> {
    thread_local! {
        /// Creating one takes many times as long as packing a game with it.
        static COMPRESSOR: RefCell<Option<Compressor<'static>>> = const { RefCell::new(None) };
    }
    COMPRESSOR.with_borrow_mut(|compressor| match compressor {
        Some(compressor) => compressor.compress(plain),
        None => compressor.insert(Compressor::new(LEVEL)?).compress(plain),
    })
}

struct Coded {
    op: u8,
    seat: Option<Seat>,
    as_of: Option<EventNumber>,
}

/// Writes the parts of `input` that are not in `ops` and `as_of`.
fn write(input: &Logged, columns: &mut Columns) -> Result<Coded> {
    let Meta { took_us, .. } = input.meta;
    let has_meta = Meta { took_us, ..Meta::default() } != input.meta;
    let usual = (!has_meta && took_us != Some(u64::MAX))
        .then(|| match &input.entry {
            Entry::Act(act) => write_act(act, columns),
            Entry::Stand(stand) => {
                let why = STANDS.iter().position(|why| *why == stand.why)?;
                columns.names.push(why as u8);
                Some(Coded { op: STAND, seat: Some(stand.seat), as_of: None })
            }
            _ => None,
        })
        .flatten();
    match usual {
        Some(coded) => {
            if let Entry::Act(ActEntry { action: Action { say, .. }, .. }) = &input.entry
                && !say.is_silent()
            {
                write_json(say, &mut columns.json)?;
            }
            write_number(took_us.map_or(0, |took| took + 1), &mut columns.took);
            Ok(coded)
        }
        None => {
            write_json(input, &mut columns.json)?;
            Ok(Coded { op: OTHER, seat: None, as_of: None })
        }
    }
}

fn write_act(act: &ActEntry, columns: &mut Columns) -> Option<Coded> {
    let op = match &act.action.verb {
        Verb::Play { card, choose } => {
            let name = choose.map(name_code);
            columns.cards.push(card.number());
            columns.names.extend(name);
            if name.is_some() { PLAY_NAMING } else { PLAY }
        }
        Verb::Draw => DRAW,
        Verb::Pass => PASS,
        Verb::Choose(choice) => {
            columns.names.push(name_code(*choice));
            NAME
        }
        _ => return None,
    };
    let spoken = if act.action.say.is_silent() { 0 } else { SPOKEN };
    Some(Coded { op: op | spoken, seat: Some(act.seat), as_of: Some(act.as_of) })
}

fn name_code(choice: Choice) -> u8 {
    match choice {
        Choice::Suit(suit) => suit as u8,
        Choice::Rank(rank) => FIRST_RANK + rank.number(),
        Choice::Seat(seat) => FIRST_SEAT + seat.index() as u8,
    }
}

fn write_json<T: serde::Serialize>(value: &T, out: &mut Vec<u8>) -> Result<()> {
    serde_json::to_writer(&mut *out, value)?;
    out.push(b'\n');
    Ok(())
}

/// Adds a number to `out`, seven bits a byte, the lowest first (LEB128).
pub(super) fn write_number(mut number: u64, out: &mut Vec<u8>) {
    while number >= 0x80 {
        out.push(number as u8 | 0x80);
        number >>= 7;
    }
    out.push(number as u8);
}

/// Maps numbers near 0 to small numbers: 0, -1, 1, -2, 2.
pub(super) fn zigzag(number: i64) -> u64 {
    (number << 1 ^ number >> 63) as u64
}

/// Unpacks what [`pack`] made.
///
/// # Errors
/// The bytes are not in this form. Damaged bytes may also unpack to another game; its digest reveals that.
pub fn unpack(bytes: &[u8]) -> Result<Vec<Logged>> {
    let (form, body) = bytes.split_first().context("the log of the game is empty")?;
    let plain = match *form {
        PLAIN => body.to_vec(),
        PACKED => decompress(body)?,
        other => bail!("the log of the game is in the unknown form {other}"),
    };
    let mut rest = Bytes(&plain);
    let mut columns = [Bytes(&[]); 6];
    for column in &mut columns {
        let length = usize::try_from(rest.number()?)?;
        *column = rest.bytes(length)?;
    }
    ensure!(rest.0.is_empty(), "the log of the game has bytes to spare");
    let [ops, mut cards, mut names, mut as_of, mut took, mut json] = columns;
    ensure!(ops.0.len() <= MAX_INPUTS, "the log of the game has {} inputs; at most are {MAX_INPUTS}", ops.0.len());
    let (mut seat_index, mut stamp) = (0_usize, 0_i64);
    let mut inputs = Vec::with_capacity(ops.0.len());
    for op in ops.0 {
        seat_index = (seat_index + usize::from(op & 0x0f)) % MAX_SEATS;
        let seat = Seat::new(seat_index).context("no such seat")?;
        let kind = op & 0x70;
        if kind == OTHER {
            inputs.push(Logged::from_json(json.line()?).context("an input of the game")?);
            continue;
        }
        let took_us = took.number()?.checked_sub(1);
        let meta = Meta { took_us, ..Meta::default() };
        if kind == STAND {
            let why = STANDS.get(usize::from(names.byte()?)).context("no such reason")?;
            inputs.push(Logged { entry: Entry::Stand(StandEntry { seat, why: *why }), meta });
            continue;
        }
        let verb = match kind {
            PLAY => Verb::Play { card: cards.card()?, choose: None },
            PLAY_NAMING => Verb::Play { card: cards.card()?, choose: Some(names.choice()?) },
            DRAW => Verb::Draw,
            PASS => Verb::Pass,
            NAME => Verb::Choose(names.choice()?),
            other => bail!("no kind of input is called {other}"),
        };
        let say = match op & SPOKEN {
            0 => Say::Nothing,
            _ => serde_json::from_str(json.line()?).context("words of the game")?,
        };
        stamp = stamp.checked_add(as_of.signed()?).context("an event number")?;
        let as_of = EventNumber(u32::try_from(stamp).context("an event number")?);
        inputs.push(Logged { entry: Entry::Act(ActEntry { seat, as_of, action: Action { verb, say } }), meta });
    }
    Ok(inputs)
}

fn decompress(packed: &[u8]) -> Result<Vec<u8>> {
    thread_local! {
        /// As with the compressor.
        static DECOMPRESSOR: RefCell<Option<Decompressor<'static>>> = const { RefCell::new(None) };
    }
    let length =
        get_frame_content_size(packed).ok().flatten().context("the log of the game does not tell its length")?;
    ensure!(length <= MAX_BYTES, "the log of the game is over {MAX_BYTES} bytes");
    DECOMPRESSOR.with_borrow_mut(|decompressor| {
        let decompressor = match decompressor {
            Some(decompressor) => decompressor,
            None => decompressor.insert(Decompressor::new()?),
        };
        Ok(decompressor.decompress(packed, length as usize)?)
    })
}

/// A column that is read from its start.
#[derive(Clone, Copy)]
pub(super) struct Bytes<'a>(pub(super) &'a [u8]);

impl<'a> Bytes<'a> {
    /// The next `count` bytes.
    pub(super) fn bytes(&mut self, count: usize) -> Result<Bytes<'a>> {
        let (taken, rest) = self.0.split_at_checked(count).context("it is cut off")?;
        self.0 = rest;
        Ok(Bytes(taken))
    }

    /// The next byte.
    pub(super) fn byte(&mut self) -> Result<u8> {
        Ok(self.bytes(1)?.0[0])
    }

    /// Reads a number that [`write_number`] wrote.
    pub(super) fn number(&mut self) -> Result<u64> {
        let mut number = 0;
        for shift in (0..64).step_by(7) {
            let byte = self.byte()?;
            number |= u64::from(byte & 0x7f) << shift;
            if byte < 0x80 {
                return Ok(number);
            }
        }
        bail!("a number is too long")
    }

    /// The inverse of [`zigzag`].
    pub(super) fn signed(&mut self) -> Result<i64> {
        let way = self.number()?;
        Ok((way >> 1) as i64 ^ -((way & 1) as i64))
    }

    /// The bytes up to the next newline.
    pub(super) fn line(&mut self) -> Result<&'a str> {
        let end = self.0.iter().position(|byte| *byte == b'\n').context("it is cut off")?;
        let line = self.bytes(end)?;
        self.byte()?;
        std::str::from_utf8(line.0).context("it is no text")
    }
}

impl Bytes<'_> {
    fn card(&mut self) -> Result<Card> {
        Card::from_number(self.byte()?).context("no such card")
    }

    fn choice(&mut self) -> Result<Choice> {
        let code = self.byte()?;
        if let Some(seat) = code.checked_sub(FIRST_SEAT).filter(|seat| usize::from(*seat) < MAX_SEATS) {
            return Seat::new(usize::from(seat)).map(Choice::Seat).context("no such seat");
        }
        match code.checked_sub(FIRST_RANK) {
            Some(rank) => Rank::from_number(rank).map(Choice::Rank).context("no such rank"),
            None => Suit::OF_ALL_PACKS.get(usize::from(code)).copied().map(Choice::Suit).context("no such suit"),
        }
    }
}

#[cfg(test)]
mod tests {
    use maumau_protocol::Text;
    use maumau_referee::record::NoteEntry;

    use super::*;

    fn inputs() -> Vec<Logged> {
        let seat = |index| Seat::new(index).expect("a seat");
        let card = Card::from_code("7H").expect("a card");
        let act = |place, as_of, verb, say, took_us| Logged {
            entry: Entry::Act(ActEntry { seat: seat(place), as_of: EventNumber(as_of), action: Action { verb, say } }),
            meta: Meta { took_us, ..Meta::default() },
        };
        let stand = |why| Logged { entry: Entry::Stand(StandEntry { seat: seat(15), why }), meta: Meta::default() };
        let rank = Choice::Rank(Rank::all().next_back().expect("a rank"));
        let text = |text: &str| Text::try_from(text).expect("a short text");
        vec![
            act(0, 9, Verb::Play { card, choose: None }, Say::Nothing, Some(17)),
            act(3, 8, Verb::Play { card, choose: Some(Choice::Suit(Suit::Diamonds)) }, Say::word("mau"), Some(0)),
            act(3, 4_000_000, Verb::Draw, Say::Many([text("\n\"ü"), text("x")].into()), None),
            act(1, 0, Verb::Choose(rank), Say::Nothing, Some(u64::MAX)),
            act(15, 3, Verb::Pass, Say::Nothing, Some(u64::MAX - 1)),
            act(2, 3, Verb::Take { from: seat(7) }, Say::word("spam"), Some(1_000_000)),
            act(2, 3, Verb::Choose(Choice::Suit(Suit::Clubs)), Say::Nothing, Some(300)),
            stand(Stand::Slow),
            stand(Stand::Refusals),
            stand(Stand::Dismissed),
            Logged {
                entry: Entry::Note(NoteEntry { seat: seat(4), note: serde_json::json!({"a": [1, "\n"]}) }),
                meta: Meta { cpu_us: Some(3), ..Meta::default() },
            },
        ]
    }

    #[test]
    fn every_kind_of_input_comes_back_as_it_was() {
        let inputs = inputs();
        assert_eq!(unpack(&pack(&inputs).expect("packs")).expect("unpacks"), inputs);
        let many: Vec<Logged> = std::iter::repeat_n(inputs, 50).flatten().collect();
        let packed = pack(&many).expect("packs");
        assert_eq!(packed[0], PACKED);
        assert_eq!(unpack(&packed).expect("unpacks"), many);
        assert_eq!(unpack(&pack(&[]).expect("packs")).expect("unpacks"), []);
    }

    /// A few bytes that would unpack to many.
    #[test]
    fn what_expands_beyond_the_limits_is_refused() {
        let refused = |columns: &[(u64, u8)], words: &str| {
            let mut plain = Vec::new();
            for (length, byte) in columns {
                write_number(*length, &mut plain);
                plain.resize(plain.len() + *length as usize, *byte);
            }
            let packed = [&[PACKED], &compress(&plain).expect("packs")[..]].concat();
            assert!(packed.len() < 1024 * 1024, "{} bytes are no bomb", packed.len());
            let error = unpack(&packed).expect_err("too much").to_string();
            assert!(error.contains(words), "{error}");
        };
        refused(&[(MAX_BYTES, 0)], "over 268435456 bytes");
        let inputs = MAX_INPUTS as u64 + 1;
        refused(&[(inputs, PASS), (0, 0), (0, 0), (inputs, 0), (inputs, 0), (0, 0)], "4194305 inputs");
        refused(&[(1, PASS), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0)], "cut off");
    }

    /// [`pack`] writes none, and a length that is not known bounds no memory.
    #[test]
    fn a_frame_without_its_length_is_refused() {
        let mut packed = vec![PACKED];
        zstd::stream::copy_encode(&[0; 6][..], &mut packed, LEVEL).expect("packs");
        let error = unpack(&packed).expect_err("no length").to_string();
        assert!(error.contains("does not tell its length"), "{error}");
    }

    #[test]
    fn event_numbers_out_of_all_bounds_are_refused() {
        let mut as_of = Vec::new();
        write_number(zigzag(1), &mut as_of);
        write_number(zigzag(i64::MAX), &mut as_of);
        let inputs = [PASS, PASS];
        let mut plain = vec![PLAIN];
        for column in [&inputs[..], &[], &[], &as_of, &[0, 0], &[]] {
            write_number(column.len() as u64, &mut plain);
            plain.extend_from_slice(column);
        }
        let error = unpack(&plain).expect_err("no such event").to_string();
        assert!(error.contains("an event number"), "{error}");
    }

    #[test]
    fn damaged_bytes_are_refused_or_unpack_to_something_else() {
        let inputs = inputs();
        for inputs in [inputs.clone(), std::iter::repeat_n(inputs, 20).flatten().collect()] {
            let packed = pack(&inputs).expect("packs");
            for at in 0..packed.len() {
                let mut changed = packed.clone();
                changed[at] ^= 1 << (at % 8);
                let _ = unpack(&changed);
                assert!(unpack(&packed[..at]).is_err(), "cut off at {at}");
            }
        }
    }
}
