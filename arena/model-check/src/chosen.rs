//! Games whose every choice is read from bytes, for example those of a fuzzer. It picks the table and the inputs; the
//! laws are held by its neighbours.

use std::sync::Arc;

use super::ledger::EventLedger;
use super::steps::next_step;
use super::{Breach, CheckedGame, Run, hidden, laws, tables};
use maumau_engine::rules::{Problems, all_sets};
use maumau_engine::{ChoiceStream, Game, Rules, seed_of_number};

/// The most inputs of one game.
const MOST_STEPS: usize = 400;

/// Random inputs between one beginning and the next.
const STEPS_BETWEEN: usize = 9;

/// Tables of all built-in sets with `variants` choices of their options each, always the same ones.
///
/// # Errors
/// A built-in set cannot be loaded.
pub fn random_tables(variants: u64) -> Result<Vec<Arc<Rules>>, Problems> {
    let mut found = Vec::new();
    for set in all_sets() {
        let choices = tables::Choices::of(set.name)?;
        for variant in 0..variants {
            let mut dice = ChoiceStream::new(&[variant]);
            let (set, _) = choices.random_set(variant, &mut dice);
            found.push(tables::random_table(&set, &mut dice));
        }
    }
    Ok(found)
}

/// A table at which bytes make the choices, and the positions from which they play.
pub struct ChosenGames {
    begun: Vec<(Game, EventLedger)>,
}

impl ChosenGames {
    /// Games by `rules` from `beginnings` positions: one before the first round, the others after ever more random inputs.
    ///
    /// # Errors
    /// A law is broken before such a position is reached.
    pub fn new(rules: &Arc<Rules>, beginnings: u64) -> Result<ChosenGames, Breach> {
        let begin = |number: u64| -> Result<(Game, EventLedger), Breach> {
            let game = Game::new(Arc::clone(rules), &seed_of_number(number));
            let mut run = Run::new(game, EventLedger::new(rules));
            let mut dice = ChoiceStream::new(&[number]);
            let mut begun = (run.game.clone(), run.ledger.clone());
            for _ in 0..number as usize * STEPS_BETWEEN {
                let step = next_step(&run.game, &mut dice);
                run.take(&step)?;
                if run.game.is_over() {
                    break;
                }
                begun = (run.game.clone(), run.ledger.clone());
            }
            Ok(begun)
        };
        Ok(ChosenGames { begun: (0..beginnings).map(begin).collect::<Result<_, _>>()? })
    }

    /// Plays what `choices` say: the beginning, then inputs until the bytes are used up. The ledger is compared at the end.
    /// In some games, which the bytes also determine, the laws of verdicts and the ledger are checked at every step, the
    /// laws of positions are checked at the end, or the same inputs are given once more.
    ///
    /// # Errors
    /// The law that is broken.
    pub fn play(&self, choices: &[u8]) -> Result<CheckedGame, Breach> {
        let mut dice = ChoiceStream::Bytes(choices);
        let (game, ledger) = dice.pick(&self.begun);
        let mut further = ChoiceStream::of_bytes(choices);
        let mut run = Run::new(game.clone(), ledger.clone());
        run.closely = further.often(10);
        let outcome = follow(&mut run, &mut dice, &mut further);
        outcome.map_err(|breach| Breach(format!("{breach}{}", run.last())))?;
        if further.often(1) {
            run.check_replay(game.clone())?;
        }
        run.played.steps = run.steps.len() as u64;
        Ok(run.played)
    }
}

fn follow(run: &mut Run, dice: &mut ChoiceStream<'_>, further: &mut ChoiceStream<'_>) -> Result<(), Breach> {
    while !run.game.is_over() && !dice.is_spent() && run.steps.len() < MOST_STEPS {
        let step = next_step(&run.game, dice);
        run.steps.push(step.clone());
        run.take(&step)?;
    }
    run.settle()?;
    if further.often(1) {
        run.played.legal += laws::check_position(&run.game, further)?;
    }
    if further.often(1) {
        run.played.twins += hidden::check(&run.game, further)?;
    }
    Ok(())
}
