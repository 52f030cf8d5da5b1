//! Worths by the Davidson-Luce model: a second opinion on joint ratings, for golden files alone. The product rates by paired
//! comparisons (`maumau_tournament::statistics::ratings`).
//!
//! A game is a row of choices: of the agents that are left, the set `S` at the next place is chosen with weight
//! `f(S) = δ_|S| · (Π worth)^(1/|S|)`, where δ₁ = 1 and sizes that never tied have weight 0 (Turner, van Etten, Firth and Kosmidis,
//! Modelling rankings in R: the PlackettLuce package, Computational Statistics 35, 2020). Each agent also wins and loses a number of
//! pseudo-games against one more agent of worth 1. The model is log-linear, so Newton's steps use the mean and the covariance of
//! what is counted.

use std::collections::{BTreeMap, BTreeSet};

/// The fitted model.
pub(crate) struct Worths {
    /// Logarithms of the agents' worths, with mean 0.
    pub(crate) logits: Vec<f64>,
    /// Logarithms of δ, by size of the tie.
    pub(crate) log_deltas: BTreeMap<usize, f64>,
    /// The logarithm of the likelihood, pseudo-games included.
    pub(crate) log_likelihood: f64,
}

/// One choice: its weight, the sets that could have been chosen, and which of them was.
struct Choice {
    weight: f64,
    sets: Vec<Vec<usize>>,
    chosen: usize,
}

/// Fits the model to games, each its agents and their places; `pseudo` is the number of pseudo-games that each agent wins, and that it
/// loses.
pub(crate) fn fit(agents: usize, games: &[(Vec<usize>, Vec<u8>)], pseudo: f64) -> Worths {
    let rankings: Vec<Vec<Vec<usize>>> = games.iter().map(|(agents, places)| ranking(agents, places)).collect();
    let ties: BTreeSet<usize> = rankings.iter().flatten().map(Vec::len).filter(|size| *size > 1).collect();
    let sizes: Vec<usize> = std::iter::once(1).chain(ties.iter().copied()).collect();
    let mut choices: Vec<Choice> = rankings.iter().flat_map(|ranking| choices_of(ranking, &sizes, 1.0)).collect();
    // The agent of worth 1 has the number after the last.
    for agent in 0..agents {
        for pair in [[agent, agents], [agents, agent]] {
            choices.extend(choices_of(&pair.map(|one| vec![one]), &sizes, pseudo));
        }
    }
    let mut values = vec![0.0; agents + ties.len()];
    let place = |size: usize| agents + ties.iter().position(|tie| *tie == size).unwrap_or(0);
    // What a set counts: the logarithm of its weight is the sum of these times the values.
    let counts = |set: &[usize]| {
        let share = 1.0 / set.len() as f64;
        let worths = set.iter().filter(|agent| **agent < agents).map(move |agent| (*agent, share));
        let tie = (set.len() > 1).then(|| (place(set.len()), 1.0));
        worths.chain(tie).collect::<Vec<(usize, f64)>>()
    };
    let mut log_likelihood = f64::NEG_INFINITY;
    for _ in 0..200 {
        let size = values.len();
        let (mut gradient, mut information) = (vec![0.0; size], vec![vec![0.0; size]; size]);
        log_likelihood = 0.0;
        for Choice { weight, sets, chosen } in &choices {
            let counted: Vec<Vec<(usize, f64)>> = sets.iter().map(|set| counts(set)).collect();
            let logs: Vec<f64> =
                counted.iter().map(|counts| counts.iter().map(|(at, count)| count * values[*at]).sum()).collect();
            let total: f64 = logs.iter().map(|log| log.exp()).sum();
            log_likelihood += weight * (logs[*chosen] - total.ln());
            let mut mean = vec![0.0; size];
            for (counts, log) in counted.iter().zip(&logs) {
                let share = log.exp() / total;
                for (at, count) in counts {
                    mean[*at] += share * count;
                    for (other, again) in counts {
                        information[*at][*other] += weight * share * count * again;
                    }
                }
            }
            counted[*chosen].iter().for_each(|(at, count)| gradient[*at] += weight * count);
            for row in 0..size {
                gradient[row] -= weight * mean[row];
                for column in 0..size {
                    information[row][column] -= weight * mean[row] * mean[column];
                }
            }
        }
        let mut step = solve(information, gradient);
        let greatest = step.iter().fold(0.0, |most: f64, part| most.max(part.abs()));
        if greatest > 1.0 {
            step.iter_mut().for_each(|part| *part /= greatest);
        }
        values.iter_mut().zip(&step).for_each(|(value, step)| *value += step);
        if greatest < 1e-12 {
            break;
        }
    }
    let mean = values[..agents].iter().sum::<f64>() / agents as f64;
    Worths {
        logits: values[..agents].iter().map(|value| value - mean).collect(),
        log_deltas: ties.iter().map(|size| (*size, values[place(*size)])).collect(),
        log_likelihood,
    }
}

/// The agents of each place, the best first.
fn ranking(agents: &[usize], places: &[u8]) -> Vec<Vec<usize>> {
    let mut by_place: BTreeMap<u8, Vec<usize>> = BTreeMap::new();
    agents.iter().zip(places).for_each(|(agent, place)| by_place.entry(*place).or_default().push(*agent));
    by_place.into_values().collect()
}

/// The choices of a ranking, except the last if only one agent is left.
fn choices_of(ranking: &[Vec<usize>], sizes: &[usize], weight: f64) -> Vec<Choice> {
    let mut left: Vec<usize> = ranking.concat();
    let mut choices = Vec::new();
    for taken in ranking {
        if left.len() == 1 {
            break;
        }
        let subsets = 1_u32..1 << left.len();
        let wanted = subsets.filter(|subset| sizes.contains(&(subset.count_ones() as usize)));
        let members =
            |subset: u32| (0..left.len()).filter(|at| subset >> at & 1 == 1).map(|at| left[at]).collect::<Vec<_>>();
        let sets: Vec<Vec<usize>> = wanted.map(members).collect();
        let is_taken = |set: &Vec<usize>| set.len() == taken.len() && set.iter().all(|agent| taken.contains(agent));
        let chosen = sets.iter().position(is_taken).unwrap_or(0);
        choices.push(Choice { weight, sets, chosen });
        left.retain(|agent| !taken.contains(agent));
    }
    choices
}

/// Solves a system of equations with a symmetric, positive definite matrix, by elimination.
fn solve(mut matrix: Vec<Vec<f64>>, mut right: Vec<f64>) -> Vec<f64> {
    let size = right.len();
    for pivot in 0..size {
        let (above, below) = matrix.split_at_mut(pivot + 1);
        let first = &above[pivot];
        for (row, values) in (pivot + 1..).zip(below) {
            let factor = values[pivot] / first[pivot];
            values.iter_mut().zip(first).skip(pivot).for_each(|(value, first)| *value -= factor * first);
            right[row] -= factor * right[pivot];
        }
    }
    for row in (0..size).rev() {
        let known: f64 = (row + 1..size).map(|column| matrix[row][column] * right[column]).sum();
        right[row] = (right[row] - known) / matrix[row][row];
    }
    right
}
