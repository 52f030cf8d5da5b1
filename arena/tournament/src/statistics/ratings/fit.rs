//! The logits that fit the comparisons best, and their covariance by deal. Knows no rating scale and no ranks.

use super::deals::{Comparison, Deals, Surprises, products};
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

/// The covariance of the logits: the sandwich by deal, CR3. Deals of a kind have the same information, so their surprises are
/// summed before it is applied to them.
pub(super) fn covariance(deals: &Deals, logits: &[f64], inverse: &Matrix) -> Matrix {
    let mut middle = Matrix::zero(deals.agents());
    let (mut information, mut equations) = (Vec::new(), Vec::new());
    for kind in deals.kinds() {
        let agents = &kind.agents;
        let size = agents.len();
        let mut expected = vec![0.0; size];
        reset(&mut information, size * size);
        for one in &kind.comparisons {
            let weight = one.weight / kind.deals as f64;
            let p = sigma(logits[one.first] - logits[one.second]);
            let (first, second, value) = (kind.place(one.first), kind.place(one.second), weight * p * (1.0 - p));
            expected[first] += weight * p;
            expected[second] -= weight * p;
            information[first * size + first] += value;
            information[second * size + second] += value;
            information[first * size + second] -= value;
            information[second * size + first] -= value;
        }
        // (I - H A) u = right
        let mut left_out = |right: &dyn Fn(usize) -> f64| {
            reset(&mut equations, size * (size + 1));
            for (row, equation) in equations.chunks_exact_mut(size + 1).enumerate() {
                for (inner, factor) in information[row * size..][..size].iter().enumerate() {
                    let known = inverse.row(agents[inner]);
                    equation.iter_mut().zip(agents).for_each(|(cell, column)| *cell -= factor * known[*column]);
                }
                equation[row] += 1.0;
                equation[size] = right(row);
            }
            solve(&mut equations, size)
        };
        let cells = match kind.surprises(&expected) {
            Surprises::One(surprise) => products(&left_out(&|row| surprise[row])),
            Surprises::Summed(sum) => {
                // From the left, then, transposed, from the right.
                let half: Vec<Vec<f64>> = (0..size).map(|column| left_out(&|row| sum[row * size + column])).collect();
                (0..size).flat_map(|column| left_out(&|row| half[row][column])).collect()
            }
        };
        for (row, one) in agents.iter().enumerate() {
            for (column, other) in agents.iter().enumerate() {
                middle.add(*one, *other, 0.5 * (cells[row * size + column] + cells[column * size + row]));
            }
        }
    }
    let count = deals.count() as f64;
    let scale = if count > 0.0 { (count - 1.0) / count } else { 0.0 };
    for row in 0..deals.agents() {
        middle.row_mut(row).iter_mut().for_each(|cell| *cell *= scale);
    }
    inverse.around(&middle)
}

/// Fills `list` with `size` zeros.
fn reset(list: &mut Vec<f64>, size: usize) {
    list.clear();
    list.resize(size, 0.0);
}
