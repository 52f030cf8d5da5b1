//! What results prove: scores with their intervals, joint ratings, sequential tests. Pure arithmetic on finished games.
//! It plays and stores nothing.
//!
//! Transcendental functions are those of `libm`, sums run in a fixed order: the same games give the same bits on any
//! machine.

pub mod authors;
pub mod duplicates;
pub mod encounters;
mod estimate;
pub mod goodness_of_fit;
pub mod gsprt;
pub mod head_to_head;
pub mod luck;
mod matrix;
pub mod ratings;
pub mod seats;
pub mod sequential;
pub mod student;

pub use estimate::{DealSums, Estimate, Interval};

/// The probability that a value of the normal distribution exceeds `x`.
pub(crate) fn normal_tail(x: f64) -> f64 {
    libm::erfc(x / std::f64::consts::SQRT_2) / 2.0
}

/// The harmonic mean over the arithmetic mean of the nonzero eigenvalues of a connected graph's Laplacian matrix; `trace` is
/// the trace of that matrix.
pub(crate) fn harmonic_over_arithmetic(size: usize, trace: f64, laplacian: impl Fn(usize, usize) -> f64) -> f64 {
    let count = size as f64;
    let mut matrix = matrix::Matrix::zero(size);
    for row in 0..size {
        for column in 0..size {
            // The eigenvalue 0 becomes 1, the others stay.
            matrix.add(row, column, laplacian(row, column) + 1.0 / count);
        }
    }
    let inverse = matrix.inverse();
    let reciprocals = (0..size).map(|place| inverse.at(place, place)).sum::<f64>() - 1.0;
    let others = count - 1.0;
    (others / reciprocals) / (trace / others)
}
