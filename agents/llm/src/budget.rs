//! What questions cost, and whether another one may be asked. It counts tokens and money, and knows neither endpoints nor
//! games.

use serde::{Deserialize, Serialize};

/// What a million tokens cost, in one currency.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct TokenPrices {
    /// Of a question.
    pub input: f64,
    /// Of the part of a question that the endpoint had kept.
    pub cached: f64,
    /// Of an answer.
    pub output: f64,
}

/// The most that may be spent; absent = no limit.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Limit {
    /// Tokens of questions and answers.
    pub tokens: Option<u64>,
    /// Money.
    pub cost: Option<f64>,
}

/// Tokens by kind.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Tokens {
    /// Of questions, those that the endpoint had kept included.
    #[serde(rename = "in")]
    pub(crate) input: u64,
    /// Of questions, that the endpoint had kept.
    pub(crate) cached: u64,
    /// Of answers.
    #[serde(rename = "out")]
    pub(crate) output: u64,
}

impl Tokens {
    pub(crate) fn add(&mut self, more: Tokens) {
        self.input += more.input;
        self.cached += more.cached;
        self.output += more.output;
    }

    fn all(self) -> u64 {
        self.input + self.output
    }

    pub(crate) fn cost(self, prices: &TokenPrices) -> f64 {
        let fresh = self.input.saturating_sub(self.cached);
        (fresh as f64 * prices.input + self.cached as f64 * prices.cached + self.output as f64 * prices.output) / 1e6
    }
}

impl Limit {
    /// What of it is spent; `None` if another question may be asked. A question may go over a limit, and none follows it.
    pub(crate) fn reached(&self, spent: Tokens, prices: &TokenPrices) -> Option<String> {
        let tokens = self.tokens.filter(|most| spent.all() >= *most).map(|most| format!("{most} tokens"));
        tokens.or_else(|| self.cost.filter(|most| spent.cost(prices) >= *most).map(|most| format!("{most} of money")))
    }
}

#[cfg(test)]
mod tests {
    use super::{Limit, TokenPrices, Tokens};

    #[test]
    fn kept_tokens_are_counted_once_and_a_limit_is_reached_by_tokens_or_money() {
        let prices = TokenPrices { input: 2.0, cached: 0.5, output: 8.0 };
        let spent = Tokens { input: 1_000, cached: 600, output: 100 };
        // 400 at 2, 600 at 0.5, 100 at 8, a million each.
        assert_eq!(spent.cost(&prices), 0.0019);
        let reached = |tokens, cost| Limit { tokens, cost }.reached(spent, &prices);
        assert_eq!(reached(None, None), None);
        assert_eq!(reached(Some(1_101), Some(0.002)), None);
        assert_eq!(reached(Some(1_100), None).as_deref(), Some("1100 tokens"));
        assert_eq!(reached(None, Some(0.0019)).as_deref(), Some("0.0019 of money"));
    }
}
