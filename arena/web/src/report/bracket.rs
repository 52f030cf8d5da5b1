//! The bracket of a knock-out as a drawing: a column for each round, a box for each heat, and a line for each agent from one round to
//! the next. The table of the rounds says the same in text, so screen readers pass it over.

use maud::{Markup, html};
use maumau_tournament::{HeatOutcome, RoundResult, TournamentResult, fixed};

use super::RunReport;

/// Pixels: a box across, the way to the next column, a line of text, the space around the lines of a box, the least between boxes.
const WIDTH: f64 = 176.0;
const GAP: f64 = 44.0;
const LINE: f64 = 18.0;
const PAD: f64 = 4.0;
const BETWEEN: f64 = 10.0;
/// The height of the heading of a column.
const HEAD: f64 = 24.0;
/// Longer names are cut.
const NAME: usize = 18;

/// A heat, or an agent that does not play.
struct Block {
    /// Agents, what stands beside their names, and whether they are in after this round.
    lines: Vec<(usize, String, bool)>,
    plays: bool,
    top: f64,
}

impl Block {
    fn height(&self) -> f64 {
        self.lines.len() as f64 * LINE + 2.0 * PAD
    }

    fn has(&self, agent: usize) -> bool {
        self.lines.iter().any(|(of_line, ..)| *of_line == agent)
    }

    /// The middle of the line of an agent.
    fn middle(&self, agent: usize) -> f64 {
        let place = self.lines.iter().position(|(of_line, ..)| *of_line == agent).unwrap_or_default();
        self.top + PAD + (place as f64 + 0.5) * LINE
    }
}

/// The drawing.
pub(super) fn bracket(report: &RunReport, result: &TournamentResult) -> Markup {
    let columns = columns(result);
    let height = HEAD + columns.iter().map(|column| stacked(column)).fold(0.0, f64::max);
    let width = columns.len() as f64 * (WIDTH + GAP) - GAP;
    let left = |column: usize| column as f64 * (WIDTH + GAP);
    html! {
        svg.bracket width=(width) height=(height) viewBox=(format!("0 0 {width} {height}")) aria-hidden="true" {
            @for (number, pair) in columns.windows(2).enumerate() {
                @for (from, to, agent) in links(&pair[0], &pair[1]) {
                    @let (x, y, to_x, to_y) = (left(number) + WIDTH, from.middle(agent), left(number + 1), to.middle(agent));
                    @let half = GAP / 2.0;
                    path.link d=(format!("M{x} {y}C{} {y} {} {to_y} {to_x} {to_y}", x + half, to_x - half)) {}
                }
            }
            @for (number, column) in columns.iter().enumerate() {
                @let x = left(number);
                text.round x=(x) y="14" { @if is_final(&result.rounds[number]) { "Final" } @else { "Round " (number + 1) } }
                @for block in column {
                    rect.block.free[!block.plays] x=(x) y=(block.top) width=(WIDTH) height=(block.height()) rx="4" {}
                    @for (agent, beside, is_in) in &block.lines {
                        @let y = block.middle(*agent) + 4.0;
                        text.lost[!is_in] x=(x + 8.0) y=(y) { title { (report.name(*agent)) } (cut(report.name(*agent))) }
                        text.lost[!is_in] x=(x + WIDTH - 8.0) y=(y) text-anchor="end" { (beside) }
                    }
                }
            }
        }
    }
}

fn is_final(round: &RoundResult) -> bool {
    round.tables.iter().any(|table| table.is_final)
}

/// Agents that are in both of two columns, and their blocks.
fn links<'a>(from: &'a [Block], to: &'a [Block]) -> Vec<(&'a Block, &'a Block, usize)> {
    let mut links = Vec::new();
    for block in from {
        for (agent, ..) in &block.lines {
            links.extend(to.iter().find(|next| next.has(*agent)).map(|next| (block, next, *agent)));
        }
    }
    links
}

/// How high the blocks of a column are together, with the space between them.
fn stacked(column: &[Block]) -> f64 {
    column.iter().map(|block| block.height() + BETWEEN).sum()
}

/// The columns, their blocks in such an order that few lines cross: each stands where its agents go.
fn columns(result: &TournamentResult) -> Vec<Vec<Block>> {
    let mut columns: Vec<Vec<Block>> = result.rounds.iter().map(blocks).collect();
    for number in (0..columns.len().saturating_sub(1)).rev() {
        let (before, after) = columns.split_at_mut(number + 1);
        let place = |block: &Block| {
            let next = block.lines.iter().filter(|(.., is_in)| *is_in);
            let at = |agent: usize| after[0].iter().position(|other| other.has(agent));
            next.filter_map(|(agent, ..)| at(*agent)).min().unwrap_or(usize::MAX)
        };
        before[number].sort_by_key(place);
    }
    let height = columns.iter().map(|column| stacked(column)).fold(0.0, f64::max);
    for column in &mut columns {
        // Spread over the whole height, so that a heat stands beside the middle of those that lead to it.
        let free = (height - stacked(column)) / column.len().max(1) as f64;
        let mut top = HEAD + free / 2.0;
        for block in column {
            block.top = top;
            top += block.height() + BETWEEN + free;
        }
    }
    columns
}

/// The blocks of a round.
fn blocks(round: &RoundResult) -> Vec<Block> {
    let heats = round.tables.iter().map(|table| {
        let lines = table.agents.iter().enumerate().map(|(place, seated)| {
            let score = seated.score.map(|score| fixed(score, 3)).unwrap_or_default();
            let lot = if seated.by_lot { "lot " } else { "" };
            let is_in = match seated.outcome {
                None | Some(HeatOutcome::GoesOn | HeatOutcome::FirstLoss) => true,
                Some(HeatOutcome::Placed) => place == 0,
                Some(HeatOutcome::Out) => false,
            };
            (seated.agent, format!("{lot}{score}"), is_in)
        });
        Block { lines: lines.collect(), plays: true, top: 0.0 }
    });
    let free = [(&round.byes, "bye"), (&round.waiting, "waits")].into_iter().flat_map(|(agents, what)| {
        let block = move |agent: &usize| Block { lines: vec![(*agent, what.to_owned(), true)], plays: false, top: 0.0 };
        agents.iter().map(block)
    });
    heats.chain(free).collect()
}

/// A name that fits into a box.
fn cut(name: &str) -> String {
    if name.chars().count() <= NAME {
        return name.to_owned();
    }
    name.chars().take(NAME - 1).chain(['…']).collect()
}
