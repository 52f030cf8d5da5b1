//! Tests what the tree prefers in positions whose outcome is known. Samples and whole games are tested elsewhere.

use std::sync::Arc;

use maumau_engine::rules::load_built_in;
use maumau_engine::{ChoiceStream, Game, Position, Rules, seed_of_number};
use maumau_protocol::{Action, Card, Seat, Verb};

use super::{ROOT, SearchTree, TreeNode, logarithm};
use crate::table::CardValues;

fn cards(text: &str) -> Vec<Card> {
    text.split_whitespace().map(|card| card.parse().expect("a card")).collect()
}

fn play(card: &str) -> Verb {
    Verb::Play { card: card.parse().expect("a card"), choose: None }
}

/// The visits of the edges of `seat` below the edges `way` of the root, for `verbs`.
fn visits(tree: &SearchTree, way: &[(Seat, Verb)], seat: Seat, verbs: &[Verb]) -> Vec<u32> {
    let edge = |parent: &TreeNode, seat: Seat, verb: &Verb| {
        tree.children_of(parent).find(|child| child.seat == seat && child.verb.as_ref() == Some(verb))
    };
    let end = way.iter().try_fold(&tree.nodes[ROOT], |node, (seat, verb)| edge(node, *seat, verb));
    let end = end.expect("a way in the tree");
    verbs.iter().map(|verb| edge(end, seat, verb).map_or(0, |edge| edge.visits)).collect()
}

#[test]
fn each_seat_does_what_is_best_for_itself() {
    let [me, next] = [0, 1].map(|seat| Seat::new(seat).expect("a seat"));
    // The hands; what the seat to move must not do, since the next seat wins with its only card; and that card.
    for (hands, mistake, last) in [
        (["TC QD TD", "KD", ""], "QD", "KD"),
        (["TC QS TD", "TS", ""], "QS", "TS"),
        (["TC QD TD", "KD", "9S 9H"], "QD", "KD"),
        // The seat after the next one would win too, if it had a turn.
        (["TC QD TD", "KD", "TH"], "QD", "KD"),
    ] {
        let hands: Vec<Vec<Card>> = hands.iter().map(|hand| cards(hand)).filter(|hand| !hand.is_empty()).collect();
        let set = Arc::new(load_built_in("basic", &[]).expect("a built-in set").set);
        let rules = Arc::new(Rules::for_table(&set, hands.len(), Some(1)).expect("a table"));
        let position =
            Position { hands, pile: cards("QC"), draw: cards("8S TS 8H QH 8D AS KS AH"), ..Position::default() };
        let game = Game::from_position(rules, &position, &seed_of_number(1)).expect("a position");
        let table = CardValues::of(game.rules().set(), game.rules().seats());
        let grown = |actions: &[Action]| {
            let (mut tree, mut dice) = (SearchTree::default(), ChoiceStream::new(&[1]));
            let actions: Vec<&Action> = actions.iter().collect();
            tree.begin(me);
            (0..600).for_each(|_| tree.play(&mut game.clone(), &mut dice, &table, me, &actions));
            tree
        };
        let tree = grown(&game.legal(me).iter().map(Action::from).collect::<Vec<_>>());
        let tried = visits(&tree, &[], me, &[play("TC"), play(mistake), Verb::Draw]);
        assert_eq!(tried.iter().sum::<u32>(), 600, "{position:?}");
        assert!(tried[1] * 4 < tried[0].max(tried[2]), "{mistake}: {tried:?} in {position:?}");
        // As if there were nothing else to do.
        let answers = visits(&grown(&[play(mistake).into()]), &[(me, play(mistake))], next, &[play(last), Verb::Draw]);
        assert!(answers[0] > 4 * answers[1], "{last}: {answers:?} in {position:?}");
    }
}

#[test]
fn the_logarithm_is_nearly_the_natural_one() {
    for number in (1..2_000).chain([1 << 20, u32::MAX]) {
        let exact = f64::from(number).ln();
        let error = (f64::from(logarithm(number)) - exact).abs();
        assert!(error < 0.06, "{number}: {error}");
    }
    assert_eq!(logarithm(0), 0.0);
}
