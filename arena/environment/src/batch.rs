//! Many games stepped per call, each in the memory of the one before it. A row is one game and its next unanswered ask; what
//! it shows is written into the caller's arrays. It starts no threads: callers split their rows among batches.

use std::sync::Arc;

use maumau_engine::{Rules, deal_seed};
use maumau_protocol::message::What;
use maumau_protocol::{Action, Direction, Seat, Seed, View};

use crate::actions::IllegalAction;
use crate::begun::ActionStep;
use crate::dice::Xorshift;
use crate::encoding::Encoding;
use crate::observation::Element;
use crate::table::SteppedGame;

/// A player inside the batch.
pub trait Opponent: Send + Sync {
    /// Chooses an action for `seat`, which is asked for `what`.
    fn choose(&mut self, table: &SteppedGame, seat: Seat, what: What) -> Action;
}

/// Makes the opponent with this number, for a game with this seed, at this seat.
pub type OpponentMaker = Arc<dyn Fn(usize, &Seed, Seat) -> Box<dyn Opponent> + Send + Sync>;

/// What all rows have in common.
#[derive(Clone)]
pub struct BatchSetup {
    /// The rules.
    pub rules: Arc<Rules>,
    /// The numbers.
    pub encoding: Arc<Encoding>,
    /// The seed of all deals.
    pub seed: Seed,
    /// The number of players in the batch: 0, or one fewer than seats. Then the remaining seat, which is another one in each
    /// game of a row, is the only one that is shown.
    pub opponents: usize,
    /// Makes them.
    pub maker: Option<OpponentMaker>,
    /// Whether the games keep their events, for opponents that look at them.
    pub keeps: bool,
    /// Whether as many rows as there are seats share a deal: each row has one seat that is shown, another one in each of them.
    pub duplicates: bool,
    /// Whether an illegal action has the price of the rules instead of being an error.
    pub charges: bool,
}

/// The arrays of all rows of a batch: each row's part follows the one before it.
pub struct BatchOutput<'a, T> {
    /// Observations.
    pub observation: &'a mut [T],
    /// 1 for each legal action, else 0.
    pub mask: &'a mut [u8],
    /// The seat that is asked.
    pub seat: &'a mut [u8],
    /// By seat: at the end of a game, what it was worth, from -1 to 1; else 0.
    pub reward: &'a mut [f32],
    /// 1 if a game ended in this step, 2 if its last round was cut off by the turn cap (G-23); the row shows the next game
    /// already.
    pub done: &'a mut [u8],
    /// If they are wanted: of rows whose game ended, the last observations by seat; otherwise as they were.
    pub last: Option<&'a mut [T]>,
}

/// What [`BatchOutput::done`] says of a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
enum Done {
    GoesOn = 0,
    Terminated = 1,
    Truncated = 2,
}

/// A row whose action cannot be carried out.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("row {row}: {illegal}")]
pub struct StepError {
    /// The row.
    pub row: usize,
    /// Why.
    pub illegal: IllegalAction,
}

/// What a row's present game follows from, together with the setup of its batch.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct RowState {
    /// The number of the game in its row.
    pub game: u64,
    /// The state of the dice of the row, which draw its random actions.
    pub dice: u64,
    /// The actions that were chosen in it, one after the other; those of opponents follow from them.
    pub actions: Vec<u16>,
}

struct Row {
    table: SteppedGame,
    /// The number of the row among all rows, and of its game in the row.
    number: usize,
    game: u64,
    /// The asked seat that is shown.
    seat: Seat,
    what: What,
    dice: Xorshift,
    opponents: Vec<Option<Box<dyn Opponent>>>,
    /// The actions chosen in its game.
    chosen: Chosen,
}

/// Numbers of actions, one byte each if they are small, as those of most tables are.
#[derive(Debug, Default)]
struct Chosen(Vec<u8>);

impl Chosen {
    /// Begins a number of three bytes.
    const WIDE: u8 = u8::MAX;

    #[inline]
    fn push(&mut self, action: u16) {
        match u8::try_from(action) {
            Ok(action) if action < Chosen::WIDE => self.0.push(action),
            _ => {
                let [low, high] = action.to_le_bytes();
                self.0.extend([Chosen::WIDE, low, high]);
            }
        }
    }

    fn list(&self) -> Vec<u16> {
        let (mut bytes, mut actions) = (self.0.iter().copied(), Vec::new());
        while let Some(first) = bytes.next() {
            let wide = first == Chosen::WIDE;
            let mut next = || bytes.next().unwrap_or_default();
            actions.push(if wide { u16::from_le_bytes([next(), next()]) } else { first.into() });
        }
        actions
    }
}

/// Rows of games.
pub struct Batch {
    setup: BatchSetup,
    rows: Vec<Row>,
    shown: Shown,
}

/// What is known of the rows as they were shown last.
struct Shown {
    /// Filled for each row; kept to reuse its memory.
    view: View,
    /// One bit for each legal action, in so many words for each row: to judge and to draw actions without a look at the games.
    legal: Vec<u64>,
    words: usize,
}

impl Batch {
    /// Rows number `first` to `first + count - 1`. Their games depend on the seed and these numbers alone.
    pub fn new(setup: BatchSetup, first: usize, count: usize) -> Batch {
        let row = |number| {
            let seed = setup.seed_of(number, 0);
            let table = SteppedGame::new(Arc::clone(&setup.rules), &seed, setup.keeps);
            let dice = Xorshift::new(u64::from_le_bytes(std::array::from_fn(|at| seed.0[at])));
            let mut row = Row {
                table,
                number,
                game: 0,
                seat: Seat::FIRST,
                what: What::Turn,
                dice,
                opponents: Vec::new(),
                chosen: Chosen::default(),
            };
            row.seat_opponents(&setup, &seed);
            row.advance(&setup, |_| {});
            row
        };
        let rows = (first..first + count).map(row).collect();
        let words = setup.encoding.actions.len().div_ceil(64);
        let shown = Shown { view: View::default(), legal: vec![0; count * words], words };
        let mut batch = Batch { setup, rows, shown };
        (0..count).for_each(|row| batch.list_legal(row));
        batch
    }

    fn list_legal(&mut self, at: usize) {
        let (actions, row) = (&self.setup.encoding.actions, &self.rows[at]);
        let legal = self.shown.legal_of(at);
        legal.fill(0);
        actions.legal(&row.table, row.seat, row.what, |action| legal[action / 64] |= 1 << (action % 64));
    }

    /// Gives up the game of a row; the next one begins.
    pub fn begin_next(&mut self, row: usize) {
        let next = self.rows[row].game.wrapping_add(1);
        self.rows[row].begin(&self.setup, next);
        self.rows[row].advance(&self.setup, |_| {});
        self.list_legal(row);
    }

    /// What the present game of a row follows from.
    pub fn state(&self, row: usize) -> RowState {
        let Row { game, dice, chosen, .. } = &self.rows[row];
        RowState { game: *game, dice: dice.state(), actions: chosen.list() }
    }

    /// Replaces the game of a row by the one that follows from `state`; opponents think again about all that they did in it.
    ///
    /// # Errors
    /// An action cannot be carried out; the row is then at the position before it.
    pub fn resume(&mut self, row: usize, state: &RowState) -> Result<(), StepError> {
        let Batch { setup, rows, .. } = self;
        let resumed = rows[row].resume(setup, state);
        let number = rows[row].number;
        self.list_legal(row);
        resumed.map_err(|illegal| StepError { row: number, illegal })
    }

    /// The number of rows.
    pub fn len(&self) -> usize {
        self.rows.len()
    }

    /// Whether there are no rows.
    pub fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    /// The game of a row.
    pub fn table(&self, row: usize) -> &SteppedGame {
        &self.rows[row].table
    }

    /// The seed of the game of a row.
    pub fn seed(&self, row: usize) -> Seed {
        self.setup.seed_of(self.rows[row].number, self.rows[row].game)
    }

    /// Shows every row as it is.
    pub fn show<T: Element>(&mut self, out: &mut BatchOutput<'_, T>) {
        out.reward.fill(0.0);
        out.done.fill(0);
        for (at, row) in self.rows.iter().enumerate() {
            row.show(&self.setup, &mut self.shown, at, out);
        }
    }

    /// Whether each row can be stepped by its action.
    ///
    /// # Errors
    /// An action does not exist, or is illegal where that is an error.
    pub fn check<A: Copy + Into<i64>>(&self, actions: &[A]) -> Result<(), StepError> {
        for (at, (row, action)) in self.rows.iter().zip(actions).enumerate() {
            let action: i64 = (*action).into();
            if action >= 0 && !self.shown.is_legal(at, action as usize) {
                row.step_of(&self.setup, action).map_err(|illegal| StepError { row: row.number, illegal })?;
            }
        }
        Ok(())
    }

    /// Steps every row by its action, which [`Batch::check`] has let pass, and shows it. A negative action leaves its row as it
    /// is, as does one that cannot be carried out.
    pub fn step<T: Element, A: Copy + Into<i64>>(&mut self, actions: &[A], out: &mut BatchOutput<'_, T>) {
        out.reward.fill(0.0);
        for (at, action) in actions.iter().enumerate().take(self.rows.len()) {
            let action: i64 = (*action).into();
            self.step_row(at, usize::try_from(action).ok(), out);
        }
    }

    /// Steps every row by a legal action, each equally likely, and shows it.
    pub fn step_at_random<T: Element>(&mut self, out: &mut BatchOutput<'_, T>) {
        out.reward.fill(0.0);
        for at in 0..self.rows.len() {
            let action = self.shown.any_action(at, &mut self.rows[at].dice);
            self.step_row(at, action, out);
        }
    }

    #[inline]
    fn step_row<T: Element>(&mut self, at: usize, action: Option<usize>, out: &mut BatchOutput<'_, T>) {
        let Batch { setup, rows, shown } = self;
        let row = &mut rows[at];
        out.done[at] = 0;
        let Some(action) = action else { return };
        let step = match shown.is_legal(at, action) {
            true => setup.encoding.actions.decode(&row.table, row.seat, action),
            false => row.step_of(setup, action as i64),
        };
        if let Ok(step) = step {
            row.chosen.push(action as u16);
            row.take(setup, shown, step, at, out);
        }
    }
}

impl Shown {
    fn legal_of(&mut self, row: usize) -> &mut [u64] {
        &mut self.legal[row * self.words..(row + 1) * self.words]
    }

    fn is_legal(&self, row: usize, action: usize) -> bool {
        let word = self.legal[row * self.words..(row + 1) * self.words].get(action / 64);
        word.is_some_and(|word| word >> (action % 64) & 1 == 1)
    }

    /// A legal action, each equally likely.
    #[inline]
    fn any_action(&self, row: usize, dice: &mut Xorshift) -> Option<usize> {
        let words = &self.legal[row * self.words..(row + 1) * self.words];
        let mut place = dice.below(words.iter().map(|word| word.count_ones() as usize).sum());
        for (number, word) in words.iter().enumerate() {
            let mut rest = *word;
            while rest != 0 {
                if place == 0 {
                    return Some(64 * number + rest.trailing_zeros() as usize);
                }
                rest &= rest - 1;
                place -= 1;
            }
        }
        None
    }
}

impl BatchSetup {
    /// The seed of a game of a row.
    fn seed_of(&self, row: usize, game: u64) -> Seed {
        let row = if self.duplicates { row / self.rules.seats() } else { row };
        let mut name = [0; 44];
        let digits = write_pair(&mut name, row as u64, game);
        deal_seed(&self.seed, digits)
    }
}

/// `row-game` in digits, written without an allocation.
fn write_pair(out: &mut [u8; 44], row: u64, game: u64) -> &str {
    let mut at = out.len();
    for number in [Some(game), None, Some(row)] {
        let Some(mut number) = number else {
            at -= 1;
            out[at] = b'-';
            continue;
        };
        loop {
            at -= 1;
            out[at] = b'0' + (number % 10) as u8;
            number /= 10;
            if number == 0 {
                break;
            }
        }
    }
    std::str::from_utf8(&out[at..]).unwrap_or_default()
}

impl Row {
    /// Begins the game of this number in the row.
    fn begin(&mut self, setup: &BatchSetup, game: u64) {
        self.game = game;
        let seed = setup.seed_of(self.number, game);
        self.table.restart(&seed);
        self.chosen.0.clear();
        self.seat_opponents(setup, &seed);
    }

    fn resume(&mut self, setup: &BatchSetup, state: &RowState) -> Result<(), IllegalAction> {
        self.dice = Xorshift::at(state.dice);
        self.begin(setup, state.game);
        self.advance(setup, |_| {});
        for action in &state.actions {
            let step = self.step_of(setup, i64::from(*action))?;
            self.chosen.push(*action);
            self.table.take_step(self.seat, step);
            self.advance(setup, |_| {});
        }
        Ok(())
    }

    /// What action number `action` does, if it can be carried out.
    #[inline]
    fn step_of(&self, setup: &BatchSetup, action: i64) -> Result<ActionStep, IllegalAction> {
        self.table.step_of(&setup.encoding.actions, (self.seat, self.what), action, setup.charges)
    }

    #[inline]
    fn take<T: Element>(
        &mut self,
        setup: &BatchSetup,
        shown: &mut Shown,
        step: ActionStep,
        at: usize,
        out: &mut BatchOutput<'_, T>,
    ) {
        self.table.take_step(self.seat, step);
        let seats = setup.rules.seats();
        let done = self.advance(setup, |table| {
            table.worth_into(&mut out.reward[at * seats..(at + 1) * seats]);
            let Some(last) = &mut out.last else { return };
            let (Encoding { actions, observation, .. }, game) = (&*setup.encoding, table.game());
            let size = observation.len();
            for seat in Seat::all(seats) {
                let first = (at * seats + seat.index()) * size;
                game.view_into(seat, &mut shown.view);
                observation.write(actions, (seat, None), &shown.view, game.pile(), &mut last[first..first + size]);
            }
        });
        out.done[at] = done as u8;
        self.show(setup, shown, at, out);
    }

    /// Plays on until a seat is asked that is shown; begins the next games meanwhile. The first one that ends is passed to
    /// `ended` before.
    #[inline]
    fn advance(&mut self, setup: &BatchSetup, mut ended: impl FnMut(&SteppedGame)) -> Done {
        let mut done = Done::GoesOn;
        loop {
            if self.table.is_over() {
                if done == Done::GoesOn {
                    ended(&self.table);
                    done = if self.table.is_cut_off() { Done::Truncated } else { Done::Terminated };
                }
                self.begin(setup, self.game.wrapping_add(1));
            }
            let Some(seat) = self.table.next_asked() else { continue };
            let what = self.table.asked_for(seat).unwrap_or(What::Turn);
            let Some(Some(opponent)) = self.opponents.get_mut(seat.index()) else {
                (self.seat, self.what) = (seat, what);
                return done;
            };
            let Action { verb, say } = opponent.choose(&self.table, seat, what);
            self.table.answer(seat, verb, say);
        }
    }

    fn seat_opponents(&mut self, setup: &BatchSetup, seed: &Seed) {
        let Some(maker) = setup.maker.as_ref().filter(|_| setup.opponents > 0) else { return };
        let seats = setup.rules.seats();
        let learner = (self.number as u64 + self.game) as usize % seats;
        self.opponents.clear();
        self.opponents.resize_with(seats, || None);
        for number in 0..setup.opponents.min(seats - 1) {
            let learner = Seat::new(learner).unwrap_or(Seat::FIRST);
            let seat = learner.step(Direction::Clockwise, number + 1, seats);
            self.opponents[seat.index()] = Some(maker(number, seed, seat));
        }
    }

    #[inline]
    fn show<T: Element>(&self, setup: &BatchSetup, shown: &mut Shown, at: usize, out: &mut BatchOutput<'_, T>) {
        let Encoding { actions, observation, .. } = &*setup.encoding;
        let (game, size) = (self.table.game(), observation.len());
        game.view_into(self.seat, &mut shown.view);
        let numbers = &mut out.observation[at * size..(at + 1) * size];
        observation.write(actions, (self.seat, Some(self.what)), &shown.view, game.pile(), numbers);
        observation.write_begun(actions, self.table.begun(self.seat), numbers);
        let mask = &mut out.mask[at * actions.len()..(at + 1) * actions.len()];
        let legal = shown.legal_of(at);
        mask.fill(0);
        legal.fill(0);
        actions.legal(&self.table, self.seat, self.what, |action| {
            mask[action] = 1;
            legal[action / 64] |= 1 << (action % 64);
        });
        out.seat[at] = self.seat.index() as u8;
    }
}
