//! The games of a host, each under a number that is never reused. It knows neither agents nor deadlines.

/// How many bits of a number are the game's place; the others count how often that place has been taken.
const PLACE_BITS: u32 = 32;

/// Games by number. Finding one takes no search, however many there are.
pub(super) struct GamesByNumber<T> {
    kept: Vec<(u64, Option<T>)>,
    free: Vec<usize>,
}

impl<T> GamesByNumber<T> {
    pub(super) fn new() -> GamesByNumber<T> {
        GamesByNumber { kept: Vec::new(), free: Vec::new() }
    }

    /// Keeps the game that `make` makes from its number, and returns the number.
    pub(super) fn add(&mut self, make: impl FnOnce(u64) -> T) -> u64 {
        let place = self.free.pop().unwrap_or_else(|| {
            self.kept.push((self.kept.len() as u64, None));
            self.kept.len() - 1
        });
        let (number, game) = &mut self.kept[place];
        *game = Some(make(*number));
        *number
    }

    pub(super) fn remove(&mut self, number: u64) -> Option<T> {
        let place = place_of(number);
        let (kept, game) = self.kept.get_mut(place).filter(|(kept, _)| *kept == number)?;
        let game = game.take()?;
        *kept += 1 << PLACE_BITS;
        self.free.push(place);
        Some(game)
    }

    pub(super) fn get(&self, number: u64) -> Option<&T> {
        let (kept, game) = self.kept.get(place_of(number))?;
        game.as_ref().filter(|_| *kept == number)
    }

    pub(super) fn get_mut(&mut self, number: u64) -> Option<&mut T> {
        let (kept, game) = self.kept.get_mut(place_of(number))?;
        game.as_mut().filter(|_| *kept == number)
    }

    pub(super) fn len(&self) -> usize {
        self.kept.len() - self.free.len()
    }

    pub(super) fn is_empty(&self) -> bool {
        self.len() == 0
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = (u64, &T)> {
        self.kept.iter().filter_map(|(number, game)| Some((*number, game.as_ref()?)))
    }

    pub(super) fn iter_mut(&mut self) -> impl Iterator<Item = (u64, &mut T)> {
        self.kept.iter_mut().filter_map(|(number, game)| Some((*number, game.as_mut()?)))
    }
}

fn place_of(number: u64) -> usize {
    (number & ((1 << PLACE_BITS) - 1)) as usize
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_means_one_game_for_ever() {
        let mut games = GamesByNumber::new();
        assert!(games.is_empty());
        let (one, two) = (games.add(|number| number), games.add(|number| number));
        assert_eq!(games.get(one), Some(&one));
        assert_eq!(games.get_mut(two).copied(), Some(two));
        assert_eq!(games.remove(one), Some(one));
        let three = games.add(|number| number);
        assert_eq!(games.get(one), None, "it is over");
        assert_eq!(games.get_mut(one), None);
        assert_eq!(games.remove(one), None);
        assert_eq!(games.get(three), Some(&three));
        assert_eq!(games.iter().map(|(_, game)| game).collect::<Vec<_>>(), [&three, &two]);
        assert!(games.iter_mut().all(|(number, game)| number == *game));
        assert_eq!((games.remove(two), games.is_empty()), (Some(two), false));
        assert_eq!((games.remove(three), games.is_empty()), (Some(three), true));
        assert_eq!(games.get(u64::MAX), None);
    }
}
