//! The packed log of a game, as it stands in a run file. It must be refused or be packed again as it was; no run file
//! is opened.

use maumau_referee::Logged;
use maumau_run::run_store::log_codec::{pack, unpack};

use super::bytes::{Bytes, mixed};

/// Columns without compression, and with: the first byte of a packed log.
const PLAIN: u8 = 1;
const PACKED: u8 = 2;
const COLUMNS: usize = 6;

/// The first byte says what is made of the rest: nothing; or the columns of a log, whose lengths come first and are made to
/// fit; or such columns that are compressed. What can be unpacked is packed again as the same log.
pub fn packed(data: &[u8]) {
    let mut bytes = Bytes(data);
    let kind = bytes.byte();
    let log = match kind % 16 {
        0 => bytes.0.to_vec(),
        _ => columns(&mut bytes),
    };
    if let Ok(inputs) = unpack(&log) {
        check(&inputs);
    }
    // Compression is dear, and its reader is another project's.
    if mixed(data).is_multiple_of(64)
        && let Some((&PLAIN, plain)) = log.split_first()
    {
        let frame = zstd::bulk::compress(plain, 1).expect("bytes can be compressed");
        let mut compressed = [&[PACKED], &frame[..]].concat();
        assert_eq!(unpack(&compressed).ok(), unpack(&log).ok(), "compressed or not");
        let place = usize::from(kind) % compressed.len();
        compressed[place] ^= 1 << (kind % 8);
        if let Ok(inputs) = unpack(&compressed) {
            check(&inputs);
        }
    }
}

fn check(inputs: &[Logged]) {
    let again = unpack(&pack(inputs).expect("inputs can be packed")).expect("what was packed can be unpacked");
    assert_eq!(again, inputs);
}

/// Five columns of up to 255 bytes, and the rest as the last one.
fn columns(bytes: &mut Bytes<'_>) -> Vec<u8> {
    let lengths: [usize; COLUMNS - 1] = std::array::from_fn(|_| bytes.byte().into());
    let mut log = vec![PLAIN];
    let mut rest = bytes.0;
    for place in 0..COLUMNS {
        let length = lengths.get(place).map_or(rest.len(), |length| (*length).min(rest.len()));
        let (column, behind) = rest.split_at(length);
        rest = behind;
        // LEB128
        let mut number = column.len();
        while number >= 0x80 {
            log.push(number as u8 | 0x80);
            number >>= 7;
        }
        log.push(number as u8);
        log.extend_from_slice(column);
    }
    log
}
