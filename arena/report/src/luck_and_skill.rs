//! Luck and skill of a judged game apart: how far a seat's own decisions moved its chances, and how far the cards and the others did.
//! The figures were measured elsewhere.

use maumau_analysis::RoundPart;
use maumau_protocol::Seat;

use crate::run_analysis::MeasuredDecision;

/// What moved the chances of a seat, as the mean of its rounds: the share of the other seats that it beats, from 0 to 1.
/// `first + own + rest` is `last`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct ChanceBalance {
    /// Whose chances.
    pub(crate) seat: Seat,
    /// Rounds in which it had a choice.
    pub(crate) rounds: u32,
    /// Its chances at the first choice of a round, if it had chosen best.
    pub(crate) first: f64,
    /// What its own decisions changed: the sum of what they lost, below 0.
    pub(crate) own: f64,
    /// The standard error of that.
    pub(crate) error: f64,
    /// What the cards and the decisions of others changed.
    pub(crate) rest: f64,
    /// What came of the round, or the chances at the last choice where it was not played to its end.
    pub(crate) last: f64,
}

impl ChanceBalance {
    /// In half a sentence, after the name of the seat.
    pub(crate) fn words(&self) -> String {
        let ChanceBalance { rounds, first, own, error, rest, last, .. } = *self;
        let rounds = if rounds > 1 { format!(" (means of {rounds} rounds)") } else { String::new() };
        format!(
            "{:.0} % at first; own decisions {} ± {:.0} points, cards and others {}; {:.0} % in the end{rounds}",
            100.0 * first + 0.0,
            signed(100.0 * own, 0),
            (100.0 * error).ceil(),
            signed(100.0 * rest, 0),
            100.0 * last + 0.0,
        )
    }
}

/// A figure with its sign, and so many places; 0 has none.
pub(crate) fn signed(figure: f64, places: usize) -> String {
    let text = format!("{figure:+.places$}");
    if text.bytes().any(|byte| (b'1'..=b'9').contains(&byte)) { text } else { text[1..].to_owned() }
}

/// Of each seat with a choice in the game, whose `decisions` are in order.
pub(crate) fn chance_balances(seats: usize, decisions: &[MeasuredDecision]) -> Vec<ChanceBalance> {
    Seat::all(seats).filter_map(|seat| of_seat(seat, decisions)).collect()
}

fn of_seat(seat: Seat, decisions: &[MeasuredDecision]) -> Option<ChanceBalance> {
    let own: Vec<&MeasuredDecision> = decisions.iter().filter(|decision| decision.seat == seat).collect();
    let rounds: Vec<&[&MeasuredDecision]> = own.chunk_by(|one, next| is_one_round(one, next)).collect();
    let of_rounds = f64::from(u32::try_from(rounds.len()).ok()?);
    let mean =
        |of_round: fn(&[&MeasuredDecision]) -> f64| rounds.iter().map(|round| of_round(round)).sum::<f64>() / of_rounds;
    if rounds.is_empty() {
        return None;
    }
    let first = mean(|round| round.first().map_or(0.0, |decision| decision.worth + decision.loss));
    let own = -mean(|round| round.iter().map(|decision| decision.loss).sum());
    let variance = rounds.iter().flat_map(|round| round.iter()).map(|decision| decision.error.powi(2)).sum::<f64>();
    let last = mean(|round| round.last().map_or(0.0, |decision| decision.happened.unwrap_or(decision.worth)));
    let (rounds, error) = (rounds.len() as u32, variance.sqrt() / of_rounds);
    Some(ChanceBalance { seat, rounds, first, own, error, rest: last - first - own, last })
}

/// Whether two decisions of a seat, one after the other, are of one round: the next round begins again with its opening, and most have
/// another outcome.
pub(crate) fn is_one_round(one: &MeasuredDecision, next: &MeasuredDecision) -> bool {
    one.happened == next.happened && (next.part != RoundPart::Opening || one.part == RoundPart::Opening)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::run_analysis::judged_game;

    fn decision(worth: f64, loss: f64, part: RoundPart, happened: f64) -> MeasuredDecision {
        let decision = judged_game(1).decisions.remove(0);
        MeasuredDecision { worth, loss, error: 0.03, part, happened: Some(happened), ..decision }
    }

    #[test]
    fn what_a_seat_did_and_what_befell_it_add_up_to_what_came_of_it() {
        let game = [
            decision(0.5, 0.1, RoundPart::Opening, 1.0),
            decision(0.4, 0.0, RoundPart::Middle, 1.0),
            decision(0.8, 0.04, RoundPart::End, 1.0),
        ];
        let [balance] = chance_balances(2, &game)[..] else { panic!("one seat had choices") };
        let close = |one: f64, other: f64| (one - other).abs() < 1e-9;
        assert!(close(balance.first, 0.6) && close(balance.own, -0.14) && close(balance.last, 1.0), "{balance:?}");
        assert!(close(balance.first + balance.own + balance.rest, balance.last), "{balance:?}");
        assert!(close(balance.error, 0.03 * 3_f64.sqrt()), "{balance:?}");
        let words = "60 % at first; own decisions -14 ± 6 points, cards and others +54; 100 % in the end";
        assert_eq!(balance.words(), words);
    }

    #[test]
    fn a_round_ends_where_another_opens_or_ended_otherwise() {
        let game = [
            decision(0.5, 0.0, RoundPart::Opening, 1.0),
            decision(0.5, 0.0, RoundPart::End, 1.0),
            decision(0.3, 0.2, RoundPart::Opening, 1.0),
            decision(0.3, 0.0, RoundPart::Opening, 0.0),
        ];
        let [balance] = chance_balances(2, &game)[..] else { panic!("one seat had choices") };
        assert_eq!(balance.rounds, 3);
        assert!(
            balance
                .words()
                .ends_with("own decisions -7 ± 2 points, cards and others +30; 67 % in the end (means of 3 rounds)"),
            "{}",
            balance.words()
        );
        assert!(chance_balances(2, &[]).is_empty());
    }

    #[test]
    fn nothing_has_no_sign() {
        assert_eq!(
            [signed(-0.001, 2), signed(0.0, 0), signed(0.126, 2), signed(-3.0, 0)],
            ["0.00", "0", "+0.13", "-3"]
        );
    }
}
