//! The score of a place. It knows one game at a time; sums are kept by `tally`.
//!
//! The score of a seat is the share of the other seats that it beat, where a tie counts half:
//! `(beaten + tied / 2) / (seats - 1)`. First place alone scores 1, last place alone 0, linear between, and seats that tie
//! share the average of the places they occupy. The scores of a game add up to `seats / 2`, at any table.
//!
//! Each comparison is counted in halves, so sums are exact and independent of order. Copies of one agent are not compared with
//! each other.

/// The winner's score in units.
pub(crate) fn units_per_game(seats: usize) -> u64 {
    2 * (seats as u64 - 1)
}

/// The score of every seat in units, from the places of all, copies included.
pub(crate) fn score_units(places: &[u8]) -> Vec<u32> {
    places.iter().map(|place| places.iter().map(|other| duel(*place, *other)).sum::<u32>() - 1).collect()
}

/// The score of every seat, from 0 to 1, from the places of all.
pub fn game_scores(places: &[u8]) -> Vec<f64> {
    let most = units_per_game(places.len()) as f64;
    score_units(places).into_iter().map(|units| f64::from(units) / most).collect()
}

/// 2 for being ahead, 1 for a tie, 0 for being behind.
pub(crate) fn duel(place: u8, other: u8) -> u32 {
    match place.cmp(&other) {
        std::cmp::Ordering::Less => 2,
        std::cmp::Ordering::Equal => 1,
        std::cmp::Ordering::Greater => 0,
    }
}

/// Places that no game can have as its result.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "places {places:?}: seat {seat} is behind {ahead} seats, so its place is {}; equal seats share the better place",
    ahead + 1
)]
pub struct PlacesError {
    /// As they came.
    pub places: Vec<u8>,
    /// The first seat with a wrong place.
    pub seat: usize,
    /// How many seats have a better place.
    pub ahead: usize,
}

/// Checks that each place is one more than the number of seats ahead.
pub(crate) fn check_places(places: &[u8]) -> Result<(), PlacesError> {
    for (seat, place) in places.iter().enumerate() {
        let ahead = places.iter().filter(|other| *other < place).count();
        if usize::from(*place) != ahead + 1 {
            return Err(PlacesError { places: places.to_vec(), seat, ahead });
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_score_is_the_share_of_the_others_left_behind() {
        let check = |places: &[u8], expected: &[u32]| {
            assert_eq!(check_places(places), Ok(()));
            assert_eq!(score_units(places), expected, "{places:?}");
            let scores: Vec<f64> =
                expected.iter().map(|units| f64::from(*units) / (2 * places.len() - 2) as f64).collect();
            assert_eq!(game_scores(places), scores, "{places:?}");
        };
        check(&[1, 2], &[2, 0]);
        check(&[1, 1], &[1, 1]);
        check(&[2, 1, 3], &[2, 4, 0]);
        check(&[1, 1, 3], &[3, 3, 0]);
        check(&[2, 2, 1], &[1, 1, 4]);
        check(&[1, 1, 1], &[2, 2, 2]);
        check(&[4, 1, 2, 2], &[0, 6, 3, 3]);
    }

    #[test]
    fn impossible_places_are_refused() {
        let check = |places: &[u8], seat, ahead| {
            assert_eq!(check_places(places), Err(PlacesError { places: places.to_vec(), seat, ahead }));
        };
        check(&[0, 1], 0, 0);
        check(&[1, 3], 1, 1);
        check(&[2, 2], 0, 0);
        check(&[1, 1, 2], 2, 2);
    }
}
