//! Stored games as bytes that travel from one machine to another. It writes and reads bytes; what is right in them is checked
//! by [`StoredGame::verify`].
//!
//! Each game is its number in the plan; its result and times as `result_codec` packs them, its faults as JSON (empty if
//! there are none) and its packed log, each with its length before it; and the 32 bytes of its digest. Numbers are LEB128.

use anyhow::{Context, Result, ensure};
use maumau_protocol::fault::FaultCounts;
use maumau_referee::record::Digest;
use maumau_tournament::PlannedGame;

use super::log_codec::{Bytes, write_number};
use super::result_codec;
use super::store::StoredGame;

/// Adds `game` to `out`.
///
/// # Errors
/// Its faults cannot be written.
pub fn write(game: &StoredGame, out: &mut Vec<u8>) -> Result<()> {
    let are_there = game.faults.iter().any(|faults| faults.total() > 0);
    let faults = if are_there { serde_json::to_vec(&game.faults)? } else { Vec::new() };
    write_number(game.number(), out);
    for part in [&result_codec::pack(&game.result, &game.times), &faults, &game.log] {
        write_number(part.len() as u64, out);
        out.extend_from_slice(part);
    }
    out.extend_from_slice(&game.digest.0);
    Ok(())
}

/// The games in `bytes`, which `planned` knows by their numbers.
///
/// # Errors
/// The bytes are not in this form, or `planned` does not know a game.
pub fn read(bytes: &[u8], mut planned: impl FnMut(u64) -> Result<PlannedGame>) -> Result<Vec<StoredGame>> {
    let mut bytes = Bytes(bytes);
    let mut games = Vec::new();
    while !bytes.0.is_empty() {
        let planned = planned(bytes.number()?)?;
        let in_game = || format!("the game {}", planned.id().0);
        let mut part = || -> Result<&[u8]> {
            let length = usize::try_from(bytes.number()?)?;
            Ok(bytes.bytes(length)?.0)
        };
        let (outcome, faults, log) =
            (part().with_context(in_game)?, part().with_context(in_game)?, part().with_context(in_game)?);
        let digest = bytes.bytes(32).with_context(in_game)?.0;
        let (result, times) = result_codec::unpack(outcome).with_context(in_game)?;
        let faults: Vec<FaultCounts> = match faults {
            [] => vec![FaultCounts::default(); result.places.len()],
            faults => serde_json::from_slice(faults).with_context(in_game)?,
        };
        let seats = planned.agents.len();
        ensure!(result.places.len() == seats, "{} has {} seats, not {seats}", in_game(), result.places.len());
        let digest = Digest(digest.try_into().with_context(in_game)?);
        games.push(StoredGame { planned, result, faults, times, digest, log: log.to_vec() });
    }
    Ok(games)
}

#[cfg(test)]
mod tests {
    use maumau_protocol::message::GameResult;
    use maumau_tournament::{AgentId, DealId};

    use super::*;
    use crate::run_store::SeatTimes;

    fn planned(index: u64) -> Result<PlannedGame> {
        ensure!(index < 300, "no such game");
        let deal = DealId { group: 0, deal: index as u32 };
        Ok(PlannedGame { index, deal, rotation: 0, agents: vec![AgentId(0), AgentId(1)] })
    }

    fn game(index: u64) -> StoredGame {
        let result = GameResult {
            places: vec![1, 2],
            points: vec![0, -9],
            wins: vec![1, 0],
            rounds: 1,
            unwon: 0,
            dismissed: vec![],
        };
        let (faults, times) = (vec![FaultCounts::default(); 2], vec![SeatTimes::from([3, 400, 0, 1]); 2]);
        let digest = Digest([index as u8; 32]);
        StoredGame {
            planned: planned(index).expect("a game"),
            result,
            faults,
            times,
            digest,
            log: vec![1; index as usize],
        }
    }

    #[test]
    fn games_come_back_as_they_were_and_none_that_is_cut_off_or_unknown() {
        let games: Vec<StoredGame> = [0, 1, 299].map(game).into();
        let mut bytes = Vec::new();
        games.iter().for_each(|game| write(game, &mut bytes).expect("bytes"));
        assert_eq!(read(&bytes, planned).expect("games"), games);
        let mut first = Vec::new();
        write(&games[0], &mut first).expect("bytes");
        for end in 1..first.len() {
            assert!(read(&first[..end], planned).is_err(), "cut off at {end}");
        }
        let mut unknown = Vec::new();
        write(&StoredGame { planned: PlannedGame { index: 300, ..games[0].planned.clone() }, ..game(0) }, &mut unknown)
            .expect("bytes");
        assert!(read(&unknown, planned).is_err());
    }
}
