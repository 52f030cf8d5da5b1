//! Dense symmetric matrices, row by row: the linear algebra of joint ratings. The inner loops run along rows. Pure
//! arithmetic without any checks of what the numbers mean.

/// A square matrix.
#[derive(Clone, Debug)]
pub(super) struct Matrix {
    pub(super) size: usize,
    cells: Vec<f64>,
}

impl Matrix {
    pub(super) fn zero(size: usize) -> Matrix {
        Matrix { size, cells: vec![0.0; size * size] }
    }

    pub(super) fn row(&self, row: usize) -> &[f64] {
        &self.cells[row * self.size..][..self.size]
    }

    pub(super) fn row_mut(&mut self, row: usize) -> &mut [f64] {
        &mut self.cells[row * self.size..][..self.size]
    }

    pub(super) fn at(&self, row: usize, column: usize) -> f64 {
        self.cells[row * self.size + column]
    }

    pub(super) fn add(&mut self, row: usize, column: usize, value: f64) {
        self.cells[row * self.size + column] += value;
    }

    /// The inverse of a symmetric, positive definite matrix, by Cholesky's decomposition.
    pub(super) fn inverse(mut self) -> Matrix {
        let size = self.size;
        for row in 0..size {
            let (above, rest) = self.cells.split_at_mut(row * size);
            let current = &mut rest[..size];
            for column in 0..row {
                let other = &above[column * size..][..size];
                current[column] = (current[column] - dot(&current[..column], &other[..column])) / other[column];
            }
            let square = current[row] - dot(&current[..row], &current[..row]);
            current[row] = square.max(f64::MIN_POSITIVE).sqrt();
        }
        // The rows of the transposed inverse of the lower triangle: column by column, each along its own row.
        let mut inverted = Matrix::zero(size);
        for column in 0..size {
            let solution = inverted.row_mut(column);
            solution[column] = 1.0 / self.at(column, column);
            for row in column + 1..size {
                let factor = &self.cells[row * size..][..size];
                solution[row] = -dot(&factor[column..row], &solution[column..row]) / factor[row];
            }
        }
        let mut inverse = Matrix::zero(size);
        for row in 0..size {
            for column in 0..=row {
                let value = dot(&inverted.row(row)[row..], &inverted.row(column)[row..]);
                inverse.cells[row * size + column] = value;
                inverse.cells[column * size + row] = value;
            }
        }
        inverse
    }

    /// The product with a column.
    pub(super) fn times(&self, column: &[f64]) -> Vec<f64> {
        (0..self.size).map(|row| dot(self.row(row), column)).collect()
    }

    /// `self · middle · self`, where both are symmetric.
    pub(super) fn around(&self, middle: &Matrix) -> Matrix {
        let half = self.by_symmetric(middle);
        let mut whole = Matrix::zero(self.size);
        for row in 0..self.size {
            for column in 0..=row {
                let value = dot(half.row(row), self.row(column));
                whole.cells[row * self.size + column] = value;
                whole.cells[column * self.size + row] = value;
            }
        }
        whole
    }

    fn by_symmetric(&self, other: &Matrix) -> Matrix {
        let mut product = Matrix::zero(self.size);
        for row in 0..self.size {
            for column in 0..self.size {
                product.cells[row * self.size + column] = dot(self.row(row), other.row(column));
            }
        }
        product
    }
}

/// The sum of products, in eight partial sums, so that it can be vectorised.
fn dot(a: &[f64], b: &[f64]) -> f64 {
    let mut sums = [0.0; 8];
    let (a_parts, a_rest) = a.as_chunks::<8>();
    let (b_parts, b_rest) = b.as_chunks::<8>();
    for (a, b) in a_parts.iter().zip(b_parts) {
        for place in 0..8 {
            sums[place] += a[place] * b[place];
        }
    }
    sums.iter().sum::<f64>() + a_rest.iter().zip(b_rest).map(|(a, b)| a * b).sum::<f64>()
}

/// Solves a small system by Gaussian elimination with maximal pivots; `equations` are `size` rows of `size` factors, each
/// followed by its right side.
pub(super) fn solve(equations: &mut [f64], size: usize) -> Vec<f64> {
    let width = size + 1;
    for step in 0..size {
        let factor = |row: usize| equations[row * width + step].abs();
        let greatest = (step..size).max_by(|a, b| factor(*a).total_cmp(&factor(*b))).unwrap_or(step);
        if greatest != step {
            (step..width).for_each(|column| equations.swap(step * width + column, greatest * width + column));
        }
        let (done, below) = equations.split_at_mut((step + 1) * width);
        let pivot = &done[step * width..];
        for row in below.chunks_exact_mut(width) {
            let factor = row[step] / pivot[step];
            row[step..].iter_mut().zip(&pivot[step..]).for_each(|(cell, above)| *cell -= factor * above);
        }
    }
    let mut solution = vec![0.0; size];
    for row in (0..size).rev() {
        let equation = &equations[row * width..][..width];
        let known: f64 = (row + 1..size).map(|column| equation[column] * solution[column]).sum();
        solution[row] = (equation[size] - known) / equation[row];
    }
    solution
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_inverse_undoes_and_a_solution_solves() {
        let size = 13;
        let mut matrix = Matrix::zero(size);
        for row in 0..size {
            for column in 0..size {
                let distance = row.abs_diff(column) as f64;
                matrix.add(row, column, 1.0 / (1.0 + distance) + if row == column { 1.0 } else { 0.0 });
            }
        }
        let inverse = matrix.clone().inverse();
        let around = inverse.around(&matrix);
        for row in 0..size {
            for column in 0..size {
                assert!((around.at(row, column) - inverse.at(row, column)).abs() < 1e-12, "{row}, {column}");
            }
        }
        let right: Vec<f64> = (0..size).map(|place| place as f64).collect();
        let mut equations: Vec<f64> = (0..size).flat_map(|row| [matrix.row(row), &[right[row]]].concat()).collect();
        let solution = solve(&mut equations, size);
        for (given, again) in right.iter().zip(matrix.times(&solution)) {
            assert!((given - again).abs() < 1e-12);
        }
    }
}
