//! The logits that fit the comparisons best, and their covariance by deal. Knows no rating scale and no ranks.

use super::deals::{Comparison, Deals};
use crate::statistics::matrix::{Matrix, solve};

/// The logistic function.
pub(in crate::statistics) fn sigma(x: f64) -> f64 {
    1.0 / (1.0 + libm::exp(-x))
}

/// The number of Newton steps after which the matrix of second derivatives is kept: from there on only the gradient is
/// recomputed.
const FULL_STEPS: usize = 4;

/// The logits that solve the equations, and the inverse of the information at that point.
pub(super) fn fit(agents: usize, totals: &[Comparison], prior: f64) -> (Vec<f64>, Matrix) {
    let mut logits = vec![0.0; agents];
    let mut inverse = information(&logits, totals, prior).inverse();
    for step in 0..1_000 {
        if (1..=FULL_STEPS).contains(&step) {
            inverse = information(&logits, totals, prior).inverse();
        }
        let mut gradient: Vec<f64> = logits.iter().map(|logit| prior * (0.5 - sigma(*logit))).collect();
        for one in totals {
            let residual = one.score - one.weight * sigma(logits[one.first] - logits[one.second]);
            gradient[one.first] += residual;
            gradient[one.second] -= residual;
        }
        let mut change = inverse.times(&gradient);
        let greatest = change.iter().fold(0.0, |most: f64, part| most.max(part.abs()));
        if greatest > 2.0 {
            change.iter_mut().for_each(|part| *part *= 2.0 / greatest);
        }
        logits.iter_mut().zip(&change).for_each(|(logit, change)| *logit += change);
        if greatest < 1e-12 {
            break;
        }
        // Far from the solution the kept matrix may not converge.
        if step > FULL_STEPS && greatest > 1e-3 {
            inverse = information(&logits, totals, prior).inverse();
        }
    }
    let inverse = information(&logits, totals, prior).inverse();
    (logits, inverse)
}

fn information(logits: &[f64], totals: &[Comparison], prior: f64) -> Matrix {
    let mut matrix = Matrix::zero(logits.len());
    for (agent, logit) in logits.iter().enumerate() {
        let p = sigma(*logit);
        matrix.add(agent, agent, prior * p * (1.0 - p));
    }
    for one in totals {
        let p = sigma(logits[one.first] - logits[one.second]);
        let value = one.weight * p * (1.0 - p);
        matrix.add(one.first, one.first, value);
        matrix.add(one.second, one.second, value);
        matrix.add(one.first, one.second, -value);
        matrix.add(one.second, one.first, -value);
    }
    matrix
}

/// The covariance of the logits: the sandwich by deal, CR3.
pub(super) fn covariance(deals: &Deals, logits: &[f64], inverse: &Matrix) -> Matrix {
    let mut middle = Matrix::zero(deals.agents);
    let mut agents: Vec<usize> = Vec::new();
    let (mut gradient, mut information, mut equations) = (Vec::new(), Vec::new(), Vec::new());
    for deal in deals.iter() {
        agents.clear();
        agents.extend(deal.iter().flat_map(|one| [one.first, one.second]));
        agents.sort_unstable();
        agents.dedup();
        let size = agents.len();
        let place = |agent: usize| agents.binary_search(&agent).unwrap_or(0);
        reset(&mut gradient, size);
        reset(&mut information, size * size);
        for one in deal {
            let p = sigma(logits[one.first] - logits[one.second]);
            let residual = one.score - one.weight * p;
            let (first, second, value) = (place(one.first), place(one.second), one.weight * p * (1.0 - p));
            gradient[first] += residual;
            gradient[second] -= residual;
            information[first * size + first] += value;
            information[second * size + second] += value;
            information[first * size + second] -= value;
            information[second * size + first] -= value;
        }
        // (I - H A) u = g
        reset(&mut equations, size * (size + 1));
        for (row, equation) in equations.chunks_exact_mut(size + 1).enumerate() {
            for (inner, factor) in information[row * size..][..size].iter().enumerate() {
                let known = inverse.row(agents[inner]);
                equation.iter_mut().zip(&agents).for_each(|(cell, column)| *cell -= factor * known[*column]);
            }
            equation[row] += 1.0;
            equation[size] = gradient[row];
        }
        let left_out = solve(&mut equations, size);
        for (row, u) in agents.iter().zip(&left_out) {
            for (column, v) in agents.iter().zip(&left_out) {
                middle.add(*row, *column, u * v);
            }
        }
    }
    let count = deals.count() as f64;
    let scale = if count > 0.0 { (count - 1.0) / count } else { 0.0 };
    for row in 0..deals.agents {
        middle.row_mut(row).iter_mut().for_each(|cell| *cell *= scale);
    }
    inverse.around(&middle)
}

/// Fills `list` with `size` zeros.
fn reset(list: &mut Vec<f64>, size: usize) {
    list.clear();
    list.resize(size, 0.0);
}
