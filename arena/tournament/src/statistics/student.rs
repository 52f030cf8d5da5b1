//! Student's distribution and the normal quantile. Pure arithmetic: it knows no games.
//!
//! The distribution function is the regularised incomplete beta function, by its continued fraction (Press et al., Numerical
//! Recipes, 3rd ed. 2007, §6.4), evaluated by Lentz's method; quantiles are found by bisection.

/// The 97.5 % quantile of the normal distribution.
pub const NORMAL_975: f64 = 1.959_963_984_540_054;

/// The probability that a value of Student's distribution with `freedom` degrees of freedom, at least 1, lies at least as far
/// from 0 as `t`, on either side.
pub fn two_sided_p(t: f64, freedom: u64) -> f64 {
    let freedom = freedom.max(1) as f64;
    incomplete_beta(freedom / 2.0, 0.5, freedom / (freedom + t * t))
}

/// The value of the normal distribution that is about as improbable as `t` with `freedom` degrees of freedom (Wallace, Ann. Math.
/// Statist. 30, 1959: within 0.02 from three degrees on).
pub fn normal_deviate(t: f64, freedom: u64) -> f64 {
    let freedom = freedom.max(1) as f64;
    (freedom * libm::log1p(t * t / freedom)).sqrt() * (1.0 - 2.0 / (8.0 * freedom + 3.0))
}

/// The 97.5 % quantile with `freedom` degrees of freedom, at least 1: the half-width of a 95 % interval in standard errors.
pub fn quantile_975(freedom: u64) -> f64 {
    let (mut low, mut high) = (1.9, 13.0);
    loop {
        let middle = 0.5 * (low + high);
        if middle <= low || middle >= high {
            return middle;
        }
        if two_sided_p(middle, freedom) > 0.05 { low = middle } else { high = middle }
    }
}

/// I_x(a, b).
fn incomplete_beta(a: f64, b: f64, x: f64) -> f64 {
    if x <= 0.0 {
        return 0.0;
    }
    if x >= 1.0 {
        return 1.0;
    }
    let front = libm::exp(log_gamma_ratio(a, b) - libm::lgamma(b) + a * libm::log(x) + b * libm::log1p(-x));
    if x < (a + 1.0) / (a + b + 2.0) {
        front * continued_fraction(a, b, x) / a
    } else {
        1.0 - front * continued_fraction(b, a, 1.0 - x) / b
    }
}

/// ln Γ(a + b) - ln Γ(a). For large `a` both terms are so large that their difference loses digits, so there it is the
/// difference of Stirling's series.
fn log_gamma_ratio(a: f64, b: f64) -> f64 {
    if a < 50.0 {
        return libm::lgamma(a + b) - libm::lgamma(a);
    }
    let series = |z: f64| (1.0 / 12.0 - (1.0 / 360.0 - 1.0 / (1260.0 * z * z)) / (z * z)) / z;
    (a - 0.5) * libm::log1p(b / a) + b * libm::log(a + b) - b + series(a + b) - series(a)
}

/// The continued fraction of the incomplete beta function.
fn continued_fraction(a: f64, b: f64, x: f64) -> f64 {
    const TINY: f64 = 1e-300;
    let away_from_0 = |value: f64| if value.abs() < TINY { TINY } else { value };
    let mut c = 1.0;
    let mut d = 1.0 / away_from_0(1.0 - (a + b) * x / (a + 1.0));
    let mut value = d;
    for m in 1..100_000 {
        let m = f64::from(m);
        for numerator in [
            m * (b - m) * x / ((a + 2.0 * m - 1.0) * (a + 2.0 * m)),
            -(a + m) * (a + b + m) * x / ((a + 2.0 * m) * (a + 2.0 * m + 1.0)),
        ] {
            d = 1.0 / away_from_0(1.0 + numerator * d);
            c = away_from_0(1.0 + numerator / c);
            value *= c * d;
        }
        if (c * d - 1.0).abs() < 1e-16 {
            break;
        }
    }
    value
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quantiles_are_those_of_the_printed_tables() {
        let table = [
            (1, 12.706),
            (2, 4.303),
            (5, 2.571),
            (10, 2.228),
            (11, 2.201),
            (30, 2.042),
            (60, 2.000),
            (120, 1.980),
            (1_000_000, 1.960),
        ];
        for (freedom, expected) in table {
            let quantile = quantile_975(freedom);
            assert!((quantile - expected).abs() < 0.000_5, "{freedom}: {quantile}, printed {expected}");
        }
        assert!((1..500).all(|freedom| quantile_975(freedom) > quantile_975(freedom + 1)));
    }

    #[test]
    fn probabilities_have_closed_forms_with_one_and_two_degrees_of_freedom() {
        for t in [0.0, 0.1, 0.5, 1.0, 2.0, 7.0, 63.0] {
            let cauchy = 1.0 - 2.0 * libm::atan(t) / std::f64::consts::PI;
            assert!((two_sided_p(t, 1) - cauchy).abs() < 1e-12, "{t}");
            let two = 1.0 - t / libm::sqrt(t * t + 2.0);
            assert!((two_sided_p(t, 2) - two).abs() < 1e-12, "{t}");
        }
        // With many degrees of freedom the quantile approaches the normal one from above.
        let normal = two_sided_p(NORMAL_975, 100_000_000);
        assert!((normal - 0.05).abs() < 1e-8 && normal > 0.05, "{normal}");
    }
}
