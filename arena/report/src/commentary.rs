//! A judged game in words: a sentence about each decision, its mark, three moments worth a look, and how sure all that is. The
//! figures were measured elsewhere, and who may see the words is decided by `story::commentary`.

use std::path::Path;

use anyhow::Result;
use maumau_analysis::{Effort, LossMark};
use maumau_protocol::{Action, Seat};
use maumau_referee::record::{Digest, MoveNumber};
use maumau_referee::story::{Commentary, DecisionComment, DecisionMark, KeyMoment, Piece, SeatBalance};

use crate::judged_words::action_words;
use crate::luck_and_skill::{ChanceBalance, chance_balances, is_one_round};
use crate::run_analysis::{JudgedGame, MeasuredDecision, kept_game};

/// Moments that are shown.
const MOMENTS: usize = 3;
/// By how much a seat's chances must change between two of its decisions to be worth a look.
const TURN: f64 = 0.2;

/// What is said of the game with `digest`, if it was judged and that is kept beside `judged`, a run file or a record.
///
/// # Errors
/// A file beside it cannot be read, or was judged by another engine.
pub fn kept_commentary(judged: &Path, digest: Digest) -> Result<Option<Commentary>> {
    Ok(kept_game(judged, digest)?.map(|(effort, game)| commentary(&game, effort)))
}

/// What is said of `game`, which was judged with `effort`.
fn commentary(game: &JudgedGame, effort: Effort) -> Commentary {
    let others = OtherSeats::of(game.agents.len());
    let comment = |decision: &MeasuredDecision| DecisionComment {
        number: MoveNumber(decision.r#move),
        seat: decision.seat,
        mark: decision_mark(decision),
        worth: decision.worth,
        words: comment_words(decision, others),
    };
    let mut comments: Vec<DecisionComment> = game.decisions.iter().map(comment).collect();
    comments.sort_by_key(|comment| comment.number);
    let balance = |balance: ChanceBalance| SeatBalance {
        seat: balance.seat,
        words: vec![balance.seat.into(), ": ".into(), balance.words().into()],
    };
    Commentary {
        judge: judge_words(game, effort, others),
        comments,
        moments: moments(game, others),
        balances: chance_balances(game.agents.len(), &game.decisions).into_iter().map(balance).collect(),
    }
}

/// What is said of the best action of a decision at a table of so many seats, whichever was taken.
pub(crate) fn best_words(decision: &MeasuredDecision, seats: usize) -> Vec<Piece> {
    let (taken, worth) = (decision.best.clone(), decision.worth + decision.loss);
    comment_words(&MeasuredDecision { taken, worth, loss: 0.0, error: 0.0, ..decision.clone() }, OtherSeats::of(seats))
}

/// The mark of a decision.
pub(crate) fn decision_mark(decision: &MeasuredDecision) -> Option<DecisionMark> {
    match decision.mark() {
        Some(LossMark::Inaccuracy) => Some(DecisionMark::Inaccuracy),
        Some(LossMark::Mistake) => Some(DecisionMark::Mistake),
        Some(LossMark::Blunder) => Some(DecisionMark::Blunder),
        None => decision.is_good().then_some(DecisionMark::Good),
    }
}

/// How many others there are to be beaten.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum OtherSeats {
    One,
    Several,
}

impl OtherSeats {
    /// At a table of so many seats.
    fn of(seats: usize) -> OtherSeats {
        if seats == 2 { OtherSeats::One } else { OtherSeats::Several }
    }

    /// `beats … in 49 % of deals`, with what stands for the others.
    fn beats(self, worth: f64) -> String {
        match self {
            OtherSeats::One => format!("wins in {} of deals", percent(worth)),
            OtherSeats::Several => format!("beats {} of the others", percent(worth)),
        }
    }

    /// The same after another that said whom: `in 62 %`.
    fn shorter(self, worth: f64) -> String {
        match self {
            OtherSeats::One => format!("in {}", percent(worth)),
            OtherSeats::Several => percent(worth),
        }
    }
}

fn percent(share: f64) -> String {
    format!("{:.0} %", (share.clamp(0.0, 1.0) * 100.0).round())
}

/// A loss or a lead with its standard error, in percent.
fn points(figure: f64, error: f64) -> String {
    format!("{:.0} ± {:.0}", figure * 100.0, (error * 100.0).ceil())
}

fn to(action: Option<&Action>) -> Vec<Piece> {
    match action {
        None => vec!["to let the deadline pass".into()],
        Some(action) => [Piece::from("to ")].into_iter().chain(action_words(action)).collect(),
    }
}

/// A sentence about a decision: what the action was worth, and what was better.
fn comment_words(decision: &MeasuredDecision, others: OtherSeats) -> Vec<Piece> {
    let mut pieces: Vec<Piece> = Vec::new();
    let (taken, best) = (decision.worth, decision.worth + decision.loss);
    match decision_mark(decision) {
        Some(mark) => {
            let name = mark.name();
            pieces.push(format!("{}{}: ", name[..1].to_uppercase(), &name[1..]).into());
            pieces.extend(to(decision.taken.as_ref()));
            pieces.push(format!(" {}, ", others.beats(taken)).into());
            if mark.is_loss() {
                pieces.extend(to(decision.best.as_ref()));
                pieces.push(format!(" {}: ", others.shorter(best)).into());
                pieces.push(format!("{} points lost.", points(decision.loss, decision.error)).into());
            } else {
                pieces.push("the next best action, ".into());
                pieces.extend(to(decision.next.as_ref()));
                pieces.push(format!(", {}.", others.shorter(taken - decision.lead)).into());
            }
        }
        None => {
            pieces.extend(to(decision.taken.as_ref()));
            pieces.push(format!(" {}; ", others.beats(taken)).into());
            if decision.loss >= LossMark::Inaccuracy.threshold() {
                pieces.extend(to(decision.best.as_ref()));
                pieces.push(" may be better, by ".into());
                let by = points(decision.loss, decision.error);
                pieces.push(format!("{by} points: too uncertain to be marked.").into());
            } else {
                pieces.push("nothing was surely better.".into());
            }
            capitalise(&mut pieces);
        }
    }
    pieces
}

/// Makes the first letter a capital one.
fn capitalise(pieces: &mut [Piece]) {
    if let Some(Piece::Words(_, words)) = pieces.first_mut()
        && let Some(first) = words.chars().next()
    {
        *words = format!("{}{}", first.to_uppercase(), &words[first.len_utf8()..]).into();
    }
}

/// How the game was judged, and how sure that is.
fn judge_words(game: &JudgedGame, effort: Effort, others: OtherSeats) -> String {
    let lost: Vec<f64> = game.decisions.iter().filter(|of| of.taken != of.best).map(|of| of.error).collect();
    let unknown: u32 = game.unknown.iter().sum();
    let what = match others {
        OtherSeats::One => "the share of deals in which the seat wins",
        OtherSeats::Several => "the share of the other seats that are beaten",
    };
    let mut words = format!(
        "A percentage is {what} if all play on as the bot greedy does, from what the seat knew: the hidden cards are dealt at random, to \
         agree with that. Judged {} ({} playouts a decision, {} where seats act between turns). A mark stands only where it would were \
         the loss two standard errors smaller.",
        effort.name(),
        effort.simulations,
        effort.in_races
    );
    if !lost.is_empty() {
        let mean = lost.iter().sum::<f64>() / lost.len() as f64;
        words += &format!(" The standard error of a loss is {:.1} points on average.", mean * 100.0);
    }
    if unknown > 0 {
        words += &format!(" Decisions that could not be judged: {unknown}.");
    }
    words
}

/// At most three moments of different moves: the greatest loss, the best of good decisions, the greatest turn of a seat's chances that
/// its own choice did not bring; then further losses.
fn moments(game: &JudgedGame, others: OtherSeats) -> Vec<KeyMoment> {
    let mut losses: Vec<&MeasuredDecision> = game.decisions.iter().filter(|of| of.mark().is_some()).collect();
    losses.sort_by(|one, other| other.loss.total_cmp(&one.loss));
    let good = game.decisions.iter().filter(|of| of.is_good());
    let good = good.max_by(|one, other| one.lead.total_cmp(&other.lead));
    let key_moment = |decision: &MeasuredDecision| KeyMoment {
        number: MoveNumber(decision.r#move),
        seat: decision.seat,
        words: [decision.seat.into(), Piece::from(". ")].into_iter().chain(comment_words(decision, others)).collect(),
    };
    let mut losses = losses.into_iter().map(key_moment);
    let candidates = losses.next().into_iter().chain(good.map(key_moment)).chain(greatest_turn(game)).chain(losses);
    let mut chosen: Vec<KeyMoment> = Vec::new();
    for moment in candidates {
        if chosen.len() < MOMENTS && chosen.iter().all(|other| other.number != moment.number) {
            chosen.push(moment);
        }
    }
    chosen.sort_by_key(|moment| moment.number);
    chosen
}

/// Where what others did and what was drawn changed the chances of a seat most, from one of its decisions to the next of the round.
fn greatest_turn(game: &JudgedGame) -> Option<KeyMoment> {
    let of_seat = |seat: Seat| game.decisions.iter().filter(move |decision| decision.seat == seat);
    let pairs = Seat::all(game.agents.len()).flat_map(|seat| of_seat(seat).zip(of_seat(seat).skip(1)));
    let turn = |(one, next): &(&MeasuredDecision, &MeasuredDecision)| (next.worth + next.loss - one.worth).abs();
    let of_one_round = pairs.filter(|(one, next)| is_one_round(one, next));
    let greatest = of_one_round.max_by(|one, other| turn(one).total_cmp(&turn(other)))?;
    if turn(&greatest) < TURN {
        return None;
    }
    let (one, next) = greatest;
    let (before, after) = (percent(one.worth), percent(next.worth + next.loss));
    let words =
        format!("'s chances turn from {before} at move {} to {after}, by cards and by what others did.", one.r#move);
    Some(KeyMoment { number: MoveNumber(next.r#move), seat: next.seat, words: vec![next.seat.into(), words.into()] })
}

#[cfg(test)]
mod tests {
    use maumau_protocol::Verb;
    use maumau_referee::story::{About, Level, Line};

    use super::*;
    use crate::run_analysis::judged_game;

    fn text(words: &[Piece]) -> String {
        let line = Line::new(Level::Main, About::Game, None, words.to_vec());
        line.text(&["ann".to_owned(), "bob".to_owned(), "carl".to_owned()])
    }

    fn decision(number: u32, worth: f64, loss: f64, error: f64) -> MeasuredDecision {
        let mut decision = judged_game(1).decisions.remove(0);
        let eight = "8C".parse().expect("a card");
        decision.r#move = number;
        decision.taken = Some(Verb::Draw.into());
        decision.best = Some(Verb::Play { card: eight, choose: None }.into());
        decision.next = Some(Verb::Draw.into());
        (decision.worth, decision.loss, decision.error) = (worth, loss, error);
        (decision.lead, decision.lead_error) = (loss, error);
        decision
    }

    #[test]
    fn a_comment_says_what_was_done_what_was_better_and_how_sure_that_is() {
        let good = MeasuredDecision {
            taken: decision(1, 0.0, 0.0, 0.0).best,
            lead: 0.5,
            lead_error: 0.02,
            ..decision(4, 0.81, 0.0, 0.0)
        };
        let late = MeasuredDecision { taken: None, ..decision(5, 0.1, 0.3, 0.01) };
        let silent = MeasuredDecision { taken: Some(Verb::Wait.into()), ..decision(5, 0.1, 0.0, 0.0) };
        for (decision, two, three) in [
            (
                &decision(1, 0.49, 0.13, 0.012),
                "Mistake: to draw wins in 49 % of deals, to play 8♣ in 62 %: 13 ± 2 points lost.",
                "Mistake: to draw beats 49 % of the others, to play 8♣ 62 %: 13 ± 2 points lost.",
            ),
            (
                &decision(2, 0.49, 0.06, 0.03),
                "To draw wins in 49 % of deals; to play 8♣ may be better, by 6 ± 3 points: too uncertain to be marked.",
                "To draw beats 49 % of the others; to play 8♣ may be better, by 6 ± 3 points: too uncertain to be marked.",
            ),
            (
                &decision(3, 0.49, 0.01, 0.0),
                "To draw wins in 49 % of deals; nothing was surely better.",
                "To draw beats 49 % of the others; nothing was surely better.",
            ),
            (
                &good,
                "Good: to play 8♣ wins in 81 % of deals, the next best action, to draw, in 31 %.",
                "Good: to play 8♣ beats 81 % of the others, the next best action, to draw, 31 %.",
            ),
            (
                &late,
                "Blunder: to let the deadline pass wins in 10 % of deals, to play 8♣ in 40 %: 30 ± 1 points lost.",
                "Blunder: to let the deadline pass beats 10 % of the others, to play 8♣ 40 %: 30 ± 1 points lost.",
            ),
            (
                &silent,
                "To wait wins in 10 % of deals; nothing was surely better.",
                "To wait beats 10 % of the others; nothing was surely better.",
            ),
        ] {
            assert_eq!(text(&comment_words(decision, OtherSeats::One)), two);
            assert_eq!(text(&comment_words(decision, OtherSeats::Several)), three);
        }
    }

    #[test]
    fn three_moments_are_a_loss_a_good_decision_and_a_turn_and_none_is_there_twice() {
        let mut game = judged_game(1);
        let best = decision(1, 0.0, 0.0, 0.0).best;
        let good = MeasuredDecision { taken: best, lead: 0.6, ..decision(7, 0.9, 0.0, 0.0) };
        let bob = MeasuredDecision { seat: Seat::new(1).expect("a seat"), ..decision(4, 0.5, 0.3, 0.01) };
        game.decisions =
            vec![decision(1, 0.5, 0.0, 0.0), bob, decision(5, 0.2, 0.1, 0.01), good, decision(9, 0.85, 0.06, 0.0)];
        let said = commentary(&game, Effort::QUICK);
        let found: Vec<(u32, String)> =
            said.moments.iter().map(|moment| (moment.number.0, text(&moment.words))).collect();
        // The greatest turn of chances is at the move of the good decision, which is there already.
        let expected = [
            (4, "bob. Blunder: to draw wins in 50 % of deals, to play 8♣ in 80 %: 30 ± 1 points lost."),
            (5, "ann. Inaccuracy: to draw wins in 20 % of deals, to play 8♣ in 30 %: 10 ± 1 points lost."),
            (7, "ann. Good: to play 8♣ wins in 90 % of deals, the next best action, to draw, in 30 %."),
        ];
        assert_eq!(found, expected.map(|(at, words)| (at, words.to_owned())));
        game.decisions.retain(|decision| [1, 7].contains(&decision.r#move));
        game.decisions[1].lead = 0.0;
        let turn = commentary(&game, Effort::QUICK).moments;
        let expected = "ann's chances turn from 50 % at move 1 to 90 %, by cards and by what others did.";
        assert_eq!(turn.iter().map(|moment| text(&moment.words)).collect::<Vec<_>>(), [expected]);
        let marks: Vec<_> = said.comments.iter().map(|comment| comment.mark.map(DecisionMark::name)).collect();
        let balances: Vec<String> = said.balances.iter().map(|balance| text(&balance.words)).collect();
        let of_bob = "bob: 80 % at first; own decisions -30 ± 1 points, cards and others +50; 100 % in the end";
        assert_eq!((balances.len(), balances[1].as_str()), (2, of_bob));
        let names = [None, Some("blunder"), Some("inaccuracy"), Some("good"), Some("inaccuracy")];
        assert_eq!(marks, names);
        assert!(said.judge.contains("Judged quick (2000 playouts"), "{}", said.judge);
        game.decisions.clear();
        assert!(commentary(&game, Effort::QUICK).moments.is_empty());
    }
}
