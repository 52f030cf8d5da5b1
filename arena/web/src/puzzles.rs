//! A page of puzzles: positions as a seat saw them, what it could do, and the solution to be opened. Which positions they are is
//! decided elsewhere.

use maud::{Markup, PreEscaped, html};
use maumau_protocol::Seat;

use crate::cards::Colours;
use crate::page;
use crate::table::{DrawingMeasures, Moment, Scene, picture};

/// The style of the page, after that of all pages.
const PUZZLE_STYLE: &str = include_str!("style/puzzles.css");

/// A puzzle as it is shown. Texts are text, never markup.
#[derive(Clone, Debug)]
pub struct ShownPuzzle {
    /// The title of the rules.
    pub rules: String,
    /// The agents by seat.
    pub names: Vec<String>,
    /// The seat that decides.
    pub seat: Seat,
    /// The table as it saw it.
    pub scene: Scene,
    /// Its cards.
    pub hand: Vec<String>,
    /// What it could do.
    pub actions: Vec<String>,
    /// What is best, and by how much.
    pub answer: String,
    /// What was done.
    pub then: String,
    /// Where it comes from.
    pub source: String,
}

/// A page that loads nothing and needs no script; `lead` says what the puzzles are.
pub fn puzzle_page(lead: &str, puzzles: &[ShownPuzzle]) -> String {
    let body = html! {
        main.puzzles {
            h1 { "Puzzles" }
            p { (lead) }
            @if puzzles.is_empty() { p { "There is none: in no judged game was one action so clearly the best." } }
            @for (at, puzzle) in puzzles.iter().enumerate() { (shown(at + 1, puzzle)) }
        }
    };
    page::offline_styled("Puzzles – maumau", PUZZLE_STYLE, body).into_string()
}

fn shown(number: usize, puzzle: &ShownPuzzle) -> Markup {
    let ShownPuzzle { rules, names, seat, scene, hand, actions, answer, then, source } = puzzle;
    let id = format!("puzzle-{number}");
    let moment = Moment { scene, names, said: &[], bottom: *seat };
    let drawn = picture(moment, &DrawingMeasures::wide(names.len()), Colours::TWO);
    html! {
        article aria-labelledby=(id) {
            h2 id=(id) { "Puzzle " (number) ": " (rules) }
            div.table { (PreEscaped(drawn)) }
            p { "You are " bdi { (names.get(seat.index()).map_or("?", String::as_str)) } " and hold " (hand.join(" ")) ". What is best?" }
            ul { @for action in actions { li { bdi { (action) } } } }
            details { summary { "Solution" } p { bdi { (answer) } " " bdi { (then) } } p.source { (source) } }
        }
    }
}

#[cfg(test)]
mod tests {
    use maumau_protocol::{Faces, View};
    use maumau_referee::story::StoryPosition;

    use super::*;

    #[test]
    fn a_puzzle_shows_the_position_and_hides_the_solution_until_it_is_opened() {
        let hostile = "<script>alert(1)</script>".to_owned();
        let names = vec![hostile.clone(), "b".to_owned()];
        let view = View { hand: vec!["7H".parse().expect("a card")], hands: vec![1, 3], ..View::default() };
        let scene = Scene::new(StoryPosition::Seen(Box::new(view)), Some(Seat::FIRST), &names, Faces::French);
        let puzzle = ShownPuzzle {
            rules: hostile.clone(),
            names,
            seat: Seat::FIRST,
            scene,
            hand: vec!["7♥".to_owned()],
            actions: vec!["play 7♥".to_owned(), "draw".to_owned()],
            answer: "Good: to play 7♥ wins in 90 % of deals.".to_owned(),
            then: hostile.clone(),
            source: hostile,
        };
        let page = puzzle_page("Lead.", &[puzzle]);
        assert!(!page.contains("<script"), "{page}");
        let (before, after) = page.split_once("<details>").expect("a solution");
        assert!(before.contains("and hold 7♥. What is best?") && !before.contains("90 %"), "{page}");
        assert!(after.contains("wins in 90 % of deals"));
        assert!(puzzle_page("Lead.", &[]).contains("There is none"));
    }
}
