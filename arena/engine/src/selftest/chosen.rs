//! Games whose every choice somebody else makes, byte by byte: a fuzzer.

use std::sync::Arc;

use maumau_protocol::Seed;

use super::dice::Dice;
use super::steps::next_step;
use super::{Breach, Played, Run, hidden, laws, tables};
use crate::game::Game;
use crate::rules::{Problems, Rules, built_in, load_built_in};

/// Inputs of one game, at most.
const MOST_STEPS: usize = 400;

/// Tables of all built-in sets with `variants` choices of their options each, always the same ones.
///
/// # Errors
/// A built-in set cannot be loaded.
pub fn random_tables(variants: u64) -> Result<Vec<Arc<Rules>>, Problems> {
    let mut found = Vec::new();
    for set in built_in() {
        let options = load_built_in(set.name, &[])?.options;
        for variant in 0..variants {
            let mut dice = Dice::new(&[variant]);
            let (set, _) = tables::random_set(set.name, &options, &mut dice);
            found.push(tables::random_table(&set, &mut dice));
        }
    }
    Ok(found)
}

/// Plays at a table what `choices` say: the seed, then inputs until the bytes are used up. The ledger and the laws of
/// verdicts are kept at every step; what costs more is checked in some of the last positions, and they too follow from the
/// bytes.
///
/// # Errors
/// The law that is broken.
pub fn play_chosen(rules: &Arc<Rules>, choices: &[u8]) -> Result<Played, Breach> {
    let mut dice = Dice::Bytes(choices);
    let seed = Seed::from_number(dice.below(256) as u64);
    let mut run = Run::new(rules, &seed);
    let mut further = Dice::new(&choices.iter().map(|byte| u64::from(*byte)).collect::<Vec<_>>());
    let outcome = follow(&mut run, &mut dice, &mut further);
    outcome.map_err(|breach| Breach(format!("{breach}{}", run.last())))?;
    if further.often(1) {
        run.check_replay(Game::new(Arc::clone(rules), &seed))?;
    }
    run.played.steps = run.steps.len() as u64;
    Ok(run.played)
}

fn follow(run: &mut Run, dice: &mut Dice<'_>, further: &mut Dice<'_>) -> Result<(), Breach> {
    // Some games begin in the middle.
    let unchosen = dice.below(256).saturating_sub(192);
    while !run.game.is_over() && run.steps.len() < MOST_STEPS {
        let step = match run.steps.len() < unchosen {
            true => next_step(&run.game, further),
            false if dice.is_spent() => break,
            false => next_step(&run.game, dice),
        };
        run.steps.push(step.clone());
        run.take(&step)?;
    }
    if further.often(1) {
        run.played.legal += laws::check_position(&run.game, further)?;
    }
    if further.often(1) {
        run.played.twins += hidden::check(&run.game, further)?;
    }
    Ok(())
}
