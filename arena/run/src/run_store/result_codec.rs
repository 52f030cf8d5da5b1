//! The compact form of a game's result and of its seats' times. It reads and writes bytes; checksums are added by
//! `run_file`.
//!
//! Numbers are LEB128: the seats, the rounds and those without a winner; then of each seat its place, its points as a zigzag number, its wins twice,
//! plus one if it was dismissed, and its times.

use anyhow::{Context, Result, ensure};
use maumau_protocol::message::GameResult;
use maumau_protocol::{MAX_SEATS, Seat};

use super::log_codec::{Bytes, write_number, zigzag};
use super::store::SeatTimes;

/// Packs a result and the times of its seats.
pub(super) fn pack(result: &GameResult, times: &[SeatTimes]) -> Vec<u8> {
    let mut out = Vec::new();
    write_number(result.places.len() as u64, &mut out);
    write_number(result.rounds.into(), &mut out);
    write_number(result.unwon.into(), &mut out);
    for (seat, times) in Seat::all(result.places.len()).zip(times) {
        let index = seat.index();
        write_number(result.places[index].into(), &mut out);
        write_number(zigzag(result.points[index].into()), &mut out);
        write_number(u64::from(result.wins[index]) << 1 | u64::from(result.dismissed.contains(&seat)), &mut out);
        for number in <[u64; 4]>::from(*times) {
            write_number(number, &mut out);
        }
    }
    out
}

/// Unpacks what [`pack`] made.
///
/// # Errors
/// The bytes are not in this form.
pub(super) fn unpack(bytes: &[u8]) -> Result<(GameResult, Vec<SeatTimes>)> {
    let mut bytes = Bytes(bytes);
    let seats = usize::try_from(bytes.number()?)?;
    ensure!(seats <= MAX_SEATS, "a result of {seats} seats");
    let rounds = u32::try_from(bytes.number()?).context("the rounds")?;
    let unwon = u32::try_from(bytes.number()?).context("the rounds without a winner")?;
    let (places, points, wins, dismissed) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
    let mut result = GameResult { places, points, wins, rounds, unwon, dismissed };
    let mut times = Vec::new();
    for seat in Seat::all(seats) {
        result.places.push(u8::try_from(bytes.number()?).context("a place")?);
        result.points.push(i32::try_from(bytes.signed()?).context("points")?);
        let wins = bytes.number()?;
        result.wins.push(u32::try_from(wins >> 1).context("wins")?);
        if wins & 1 == 1 {
            result.dismissed.push(seat);
        }
        times.push(SeatTimes::from([bytes.number()?, bytes.number()?, bytes.number()?, bytes.number()?]));
    }
    ensure!(bytes.0.is_empty(), "the result has bytes to spare");
    Ok((result, times))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_result_comes_back_as_it_was() {
        let seat = |index| Seat::new(index).expect("a seat");
        let times = |number| SeatTimes { answers: number, took_us: u64::MAX - number, late: 0, void: 300 };
        for (result, times) in [
            (
                GameResult { places: vec![], points: vec![], wins: vec![], rounds: 0, unwon: 0, dismissed: vec![] },
                vec![],
            ),
            (
                GameResult {
                    places: vec![1, 2, 3],
                    points: vec![0, i32::MIN, i32::MAX],
                    wins: vec![u32::MAX, 0, 1],
                    rounds: u32::MAX,
                    unwon: 7,
                    dismissed: vec![seat(0), seat(2)],
                },
                vec![times(0), times(1), times(u64::MAX)],
            ),
        ] {
            let packed = pack(&result, &times);
            assert_eq!(unpack(&packed).expect("sound bytes"), (result, times));
            for end in 0..packed.len() {
                assert!(unpack(&packed[..end]).is_err(), "cut off at {end}");
            }
            assert!(unpack(&[&packed[..], &[0]].concat()).is_err(), "a byte to spare");
        }
    }
}
