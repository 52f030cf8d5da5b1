//! Means with standard errors, as deals are added one after another. It knows nothing of games.

/// A mean and its standard error.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct MeanWithError {
    /// The mean.
    pub mean: f64,
    /// Its standard error.
    pub error: f64,
}

/// Values whose mean is wanted.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct MeasuredValues {
    sum: f64,
    squares: f64,
    count: u32,
}

impl MeasuredValues {
    pub(crate) fn add(&mut self, value: f64) {
        self.sum += value;
        self.squares += value * value;
        self.count += 1;
    }

    /// How many there are.
    pub(crate) fn count(&self) -> u32 {
        self.count
    }

    /// Their mean; 0 if there are none. A single value has an error of 0.
    pub(crate) fn mean(&self) -> MeanWithError {
        let count = f64::from(self.count.max(1));
        let mean = self.sum / count;
        let variance = (self.squares / count - mean * mean).max(0.0);
        MeanWithError { mean, error: (variance / (count - 1.0).max(1.0)).sqrt() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_error_of_a_mean_is_that_of_a_sample() {
        for (values, mean, error) in [
            (&[][..], 0.0, 0.0),
            (&[0.5], 0.5, 0.0),
            (&[1.0, 1.0, 1.0], 1.0, 0.0),
            // The variance is 2/3 of a sample of 4 with the sum of squares 2: the error is the root of 1/6.
            (&[1.0, 0.0, 1.0, 2.0], 1.0, (1.0_f64 / 6.0).sqrt()),
        ] {
            let mut added = MeasuredValues::default();
            values.iter().for_each(|value| added.add(*value));
            let found = added.mean();
            assert!((found.mean - mean).abs() < 1e-12 && (found.error - error).abs() < 1e-12, "{values:?}: {found:?}");
            assert_eq!(added.count() as usize, values.len());
        }
    }
}
