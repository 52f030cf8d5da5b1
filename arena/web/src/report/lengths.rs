//! How long games were.

use maud::{Markup, html};

use super::words::{count, counted};
use super::{Links, RunReport, section};
use crate::address::GameFilter;
use crate::chart::{BarLink, Histogram, histogram};

/// The share of the games that is drawn.
const DRAWN: f64 = 0.99;

/// The lengths of all games, in actions.
pub(super) fn lengths(report: &RunReport, links: Links) -> Markup {
    let games: u64 = report.lengths.values().sum();
    // The length of the game that stands at this share of all, by length.
    let at = |share: f64| {
        let place = (games.max(1) - 1) as f64 * share;
        let mut before = 0;
        let found = report.lengths.iter().find(|(_, count)| {
            before += **count;
            before as f64 > place.round()
        });
        found.map_or(0, |(length, _)| *length)
    };
    let [least, low, median, high, most] = [0.0, 0.05, 0.5, 0.95, 1.0].map(at);
    let between = |least: u32, most: u32| GameFilter { moves: format!("{least}-{most}"), ..GameFilter::default() };
    let address = |least, most| between(least, most).address();
    let bar_links = (links == Links::Games).then_some((&address as BarLink<'_>, "games", "actions"));
    let of = |length: u32| links.to(&between(length, length), html! { (count(length.into())) });
    let most_games = links.to(&between(low, high), html! { (count(low.into())) " to " (count(high.into())) });
    // A few very long games would leave no room for the others.
    let edge = at(DRAWN);
    let drawn = report.lengths.range(..=edge).map(|(length, count)| (*length, *count)).collect();
    let Some(bars) = Histogram::of(&drawn) else { return html! {} };
    let a_bar = match bars.width() {
        1 => String::new(),
        width => format!(" A bar stands for {width} lengths."),
    };
    let beyond = match games - drawn.values().sum::<u64>() {
        0 => String::new(),
        beyond => format!(" {} beyond the right edge.", counted(beyond, "game")),
    };
    section(
        "lengths",
        "Length of games",
        &format!(
            "Games by the number of actions that were taken up, those of the referee for a seat included.{a_bar}{beyond} The dashed line is the median; the highest bar is {}.",
            counted(bars.most(), "game")
        ),
        html! {
            figure { (histogram(&bars, f64::from(median) + if bars.width() == 1 { 0.5 } else { 0.0 }, bar_links)) }
            p {
                "Median " b { (of(median)) } " actions; nine games in ten have " (most_games)
                ", the shortest " (of(least)) ", the longest " (of(most)) "."
            }
        },
    )
}
