//! A search tree over samples of the hidden cards, as its seat knows the game: single-observer information-set Monte Carlo
//! tree search (Cowling, Powley and Whitehouse, "Information Set Monte Carlo Tree Search", 2012). It rates no cards and infers
//! nothing from what others do; who may act and when, `play_out` decides.
//!
//! One tree grows over all samples. An edge is what a seat that is asked does, or that it does nothing. In each sample the
//! edges that are possible there are followed by UCB1, with the number of samples in which an edge was possible in the place
//! of its parent's visits, until one is new; then all seats play on roughly, and each edge of the way is worth what its own
//! seat got. The action that was tried most often is the choice.

#[cfg(test)]
mod tests;

use maumau_engine::{ChoiceStream, Game, Legal, Unseen};
use maumau_observer::{Lost, Policy, play_out};
use maumau_protocol::{Action, MAX_SEATS, Seat, Verb};

use crate::greedy::several_plays;
use crate::mind::{Mind, PlayoutBudget, Thought};
use crate::stakes::Stakes;
use crate::table::CardValues;

/// How much an edge that was seldom tried is preferred: the value of the paper.
const EXPLORATION: f32 = 0.7;

/// Plays of several cards that lead on from one position.
const MOST_TOGETHER: usize = 6;

/// Actions of a playout after which it is judged as it stands.
const MOST_ACTIONS: u32 = 200;

/// The place of the root, and the end of a list of children, since the root is nobody's child.
const ROOT: usize = 0;

/// An edge and the position that it leads to.
#[derive(Debug)]
struct TreeNode {
    seat: Seat,
    /// What the seat does; nothing, if it is not to move.
    verb: Option<Verb>,
    /// Samples in which it was possible where it stands, and those in which it was done.
    available: u32,
    visits: u32,
    /// The shares of its seat in the latter.
    sum: f32,
    /// The newest child, and the next older child of the same parent.
    first: usize,
    next: usize,
}

impl TreeNode {
    fn new(seat: Seat, verb: Option<Verb>, next: usize) -> TreeNode {
        TreeNode { seat, verb, available: 1, visits: 0, sum: 0.0, first: ROOT, next }
    }

    /// The upper bound of UCB1 for its mean.
    fn bound(&self) -> f32 {
        let visits = self.visits.max(1) as f32;
        self.sum / visits + EXPLORATION * (logarithm(self.available) / visits).sqrt()
    }
}

/// The natural logarithm, straight between powers of two: the same on every machine, which `f32::ln` need not be.
fn logarithm(number: u32) -> f32 {
    let power = number.max(1).ilog2();
    let part = number.max(1) as f32 / (1_u64 << power) as f32 - 1.0;
    std::f32::consts::LN_2 * (power as f32 + part)
}

/// The tree of one choice; its memory serves the next one too.
#[derive(Debug, Default)]
pub(crate) struct SearchTree {
    nodes: Vec<TreeNode>,
    /// The way of the present sample.
    path: Vec<usize>,
    /// What the seat that is asked can do.
    options: Vec<Option<Verb>>,
}

impl SearchTree {
    /// The best of `actions` of `seat`.
    ///
    /// # Errors
    /// The position is not known.
    pub(crate) fn best_of(
        &mut self,
        mind: &mut Mind,
        table: &CardValues,
        seat: Seat,
        actions: &[&Action],
        budget: PlayoutBudget,
    ) -> Result<Thought, Lost> {
        self.begin(seat);
        let mut simulations = 0;
        while simulations < budget.simulations.max(1) && !(simulations > 0 && budget.is_late()) {
            mind.sample()?;
            self.play(&mut mind.world, &mut mind.dice, table, seat, actions);
            simulations += 1;
        }
        let tried = |at: usize| self.children_of(&self.nodes[ROOT]).find(|child| child.verb == done(actions[at]));
        let visits = |at: &usize| tried(*at).map_or(0, |child| child.visits);
        // The first of those that were tried equally often.
        let best = (0..actions.len()).rev().max_by_key(visits).unwrap_or_default();
        let value = tried(best).map_or(0.0, |child| child.sum / child.visits.max(1) as f32);
        Ok(Thought { best, simulations, value })
    }

    /// Leaves nothing but the root, at which `seat` is asked.
    fn begin(&mut self, seat: Seat) {
        self.nodes.clear();
        self.nodes.push(TreeNode::new(seat, None, ROOT));
    }

    fn children_of(&self, parent: &TreeNode) -> impl Iterator<Item = &TreeNode> {
        let listed = |at: usize| (at != ROOT).then(|| &self.nodes[at]);
        std::iter::successors(listed(parent.first), move |child| listed(child.next))
    }

    /// Plays the sample `game` to its end and notes what came of it along the way.
    fn play(
        &mut self,
        game: &mut Game,
        dice: &mut ChoiceStream<'static>,
        table: &CardValues,
        seat: Seat,
        actions: &[&Action],
    ) {
        let stakes = Stakes::of(game);
        self.path.clear();
        self.options.clear();
        self.options.extend(actions.iter().map(|action| done(action)));
        let mut descent = Descent { tree: self, table, dice, at: Some(ROOT), waits: None };
        let verb = descent.follow(ROOT, seat);
        match actions.iter().find(|action| action.verb != Verb::Wait && Some(&action.verb) == verb.as_ref()) {
            Some(action) => {
                game.apply(seat, action, game.last_event(), &mut Unseen);
            }
            None => descent.waits = Some((seat, game.progress())),
        }
        play_out(game, &mut descent, MOST_ACTIONS);
        let mut shares = [0.0; MAX_SEATS];
        Seat::all(game.rules().seats()).for_each(|seat| shares[seat.index()] = stakes.share(game, seat));
        for at in &self.path {
            let node = &mut self.nodes[*at];
            node.visits += 1;
            node.sum += shares[node.seat.index()];
        }
    }

    /// The edge that `seat` takes at `parent`, one of `options`, which is emptied as far as they are known; true if the edge is
    /// new. `None` if there are no options.
    fn edge(&mut self, parent: usize, seat: Seat, dice: &mut ChoiceStream<'static>) -> Option<(usize, bool)> {
        let mut best: Option<(f32, usize)> = None;
        let mut at = self.nodes[parent].first;
        while at != ROOT {
            let child = &mut self.nodes[at];
            if child.seat == seat
                && let Some(place) = self.options.iter().position(|option| *option == child.verb)
            {
                self.options.swap_remove(place);
                child.available += 1;
                let bound = child.bound();
                if best.is_none_or(|(most, _)| bound > most) {
                    best = Some((bound, at));
                }
            }
            at = child.next;
        }
        if self.options.is_empty() {
            return best.map(|(_, at)| (at, false));
        }
        let verb = self.options.swap_remove(dice.below(self.options.len()));
        let new = self.nodes.len();
        let next = std::mem::replace(&mut self.nodes[parent].first, new);
        self.nodes.push(TreeNode::new(seat, verb, next));
        Some((new, true))
    }
}

/// What `action` is in the tree, in which to wait is to do nothing.
fn done(action: &Action) -> Option<Verb> {
    Some(&action.verb).filter(|verb| **verb != Verb::Wait).cloned()
}

/// The way of one sample: down the tree, then on without it.
struct Descent<'a> {
    tree: &'a mut SearchTree,
    table: &'a CardValues,
    dice: &'a mut ChoiceStream<'static>,
    /// Where it is; `None` once it has left the tree.
    at: Option<usize>,
    /// A seat that has decided to do nothing until something has changed, and the state of the game then.
    waits: Option<(Seat, u64)>,
}

impl Descent<'_> {
    /// What `seat` does at `parent`, one of the options of the tree.
    fn follow(&mut self, parent: usize, seat: Seat) -> Option<Verb> {
        let (at, is_new) = self.tree.edge(parent, seat, self.dice)?;
        self.tree.path.push(at);
        self.at = Some(at).filter(|_| !is_new);
        self.tree.nodes[at].verb.clone()
    }
}

impl Policy for Descent<'_> {
    fn choose(&mut self, game: &Game, seat: Seat, legal: &Legal<'_>) -> Option<Verb> {
        let moves = game.waits_for() == Some(seat);
        if !moves && self.waits == Some((seat, game.progress())) {
            return None;
        }
        let Some(at) = self.at else {
            let verb = roughly(legal, moves, self.dice);
            return if moves {
                verb.map(|verb| with_others(self.table, game, seat, legal, verb, self.dice))
            } else {
                verb
            };
        };
        let options = &mut self.tree.options;
        options.clear();
        if !moves {
            options.push(None);
        }
        legal.for_each(|verb| {
            let moves = matches!(verb, Verb::Draw | Verb::Pass | Verb::Challenge | Verb::Choose(_) | Verb::Take { .. });
            if moves || verb.plays() {
                options.push(Some(verb));
            }
        });
        if moves {
            options.extend(several_plays(self.table, game, seat, legal, MOST_TOGETHER).into_iter().map(Some));
        }
        if options.is_empty() {
            // A part of a deal, or a look at the cards.
            return legal.nth(0);
        }
        self.follow(at, seat)
    }
}

/// A card that was ordered to be taken, otherwise any play, otherwise anything else; what is not a seat's turn it lets pass
/// unless it has a card to play.
fn roughly(legal: &Legal<'_>, moves: bool, dice: &mut ChoiceStream<'static>) -> Option<Verb> {
    let takes = legal.rare.map_or(0, |rare| rare.takes.len());
    let (from, count) = if takes > 0 {
        (0, takes)
    } else if !legal.plays.is_empty() {
        let musts = legal.musts();
        (musts, legal.len() - musts - usize::from(legal.draw) - usize::from(legal.pass))
    } else if moves {
        (0, legal.len())
    } else {
        return None;
    };
    legal.nth(from + dice.below(count.max(1)))
}

/// `verb` or, if it plays a card that others go with, one of the plays that begin with it.
fn with_others(
    table: &CardValues,
    game: &Game,
    seat: Seat,
    legal: &Legal<'_>,
    verb: Verb,
    dice: &mut ChoiceStream<'static>,
) -> Verb {
    let Some(sight) = table.several.sight_of_game(game, game.hand(seat), legal) else { return verb };
    let mut plays = Vec::new();
    table.several.of_all([&verb], &sight, |play| plays.push(play));
    if plays.is_empty() { verb } else { plays.swap_remove(dice.below(plays.len())).verb(true) }
}
