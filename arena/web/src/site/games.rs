//! The list of games, with its conditions in the address. The caller says which games there are.

use maud::{Markup, html};

use crate::address::{GameFilter, in_path};
use crate::shown::{GameRow, GamesPage, ListedSeat};

/// A page of the list.
pub(crate) fn games(filter: &GameFilter, found: &GamesPage) -> Markup {
    let (looked_at, all) = found.looked_at;
    let from = |from| GameFilter { from, ..filter.clone() }.address();
    html! {
        main.games {
            h1 { "Games" }
            (conditions(filter, found))
            @if found.games.is_empty() {
                @match found.next {
                    Some(next) => p #goes-on role="status" { "No game up to number " (next) " is like that; looking on." },
                    None if !filter.is_open() => p { "No game here is like that." },
                    None => p { "There is no finished game yet." },
                }
            } @else {
                div.wide role="group" aria-label="Games" tabindex="0" {
                    table {
                        thead { tr { th scope="col" { "Game" } th scope="col" { "Places" } th scope="col" { "What went wrong" } } }
                        tbody { @for game in &found.games { (row(game)) } }
                    }
                }
            }
            nav.pages aria-label="Pages of the list" {
                @if filter.from > 0 { a href=(from(0)) { "First page" } }
                @if let Some(next) = found.next { a rel="next" href=(from(next)) { "Next page" } }
                span { "Looked at " (looked_at) " of " (all) " games" }
            }
        }
    }
}

/// A page of a list that cannot be asked for others.
pub(crate) fn game_list<'a>(games: impl Iterator<Item = &'a GameRow>, number: usize, pages: usize) -> Markup {
    let path = |number: usize| if number == 0 { "/games".to_owned() } else { format!("/games/page-{}", number + 1) };
    html! {
        main.games {
            h1 { "Games" }
            div.wide role="group" aria-label="Games" tabindex="0" {
                table {
                    thead { tr { th scope="col" { "Game" } th scope="col" { "Places" } th scope="col" { "What went wrong" } } }
                    tbody { @for game in games { (row(game)) } }
                }
            }
            nav.pages aria-label="Pages of the list" {
                @if number > 0 { a href=(path(number - 1)) { "Page before" } }
                @if number + 1 < pages { a rel="next" href=(path(number + 1)) { "Next page" } }
                span { "Page " (number + 1) " of " (pages) }
            }
        }
    }
}

fn conditions(filter: &GameFilter, found: &GamesPage) -> Markup {
    html! {
        form.filter action="/games" {
            label { "Agent " select name="agent" {
                option value="" { "any" }
                @for agent in &found.agents { option value=(agent) selected[*agent == filter.agent] { (agent) } }
            } }
            label { "Against " select name="against" {
                option value="" { "any" }
                @for agent in &found.agents { option value=(agent) selected[*agent == filter.against] { (agent) } }
            } }
            label { "Finished " input name="place" inputmode="numeric" pattern="[0-9]*" size="3" value=(filter.place); }
            label { "Sat at " input name="seat" inputmode="numeric" pattern="[0-9]*" size="3" value=(filter.seat); }
            label { "Moves " input name="moves" pattern="[0-9]*(-[0-9]+)?" title="At least so many, or from so many to so many: 30 or 30-39" placeholder="30 or 30-39" size="9" value=(filter.moves); }
            label { "Fault " select name="fault" {
                option value="" { "any" }
                option value="any" selected[filter.fault == "any"] { "any fault" }
                option value="dismissed" selected[filter.fault == "dismissed"] { "dismissed" }
                option value="unwon" selected[filter.fault == "unwon"] { "a round without a winner" }
                @for fault in &found.faults { option value=(fault) selected[*fault == filter.fault] { (fault) } }
            } }
            @if found.rules.len() > 1 {
                label { "Rules " select name="rules" {
                    option value="" { "any" }
                    @for set in &found.rules { option value=(set) selected[*set == filter.rules] { (set) } }
                } }
            }
            label { "Name contains " input name="name" size="12" value=(filter.name); }
            button { "Show" }
            @if *filter != GameFilter::default() { a href="/games" { "All games" } }
        }
    }
}

fn row(game: &GameRow) -> Markup {
    let link = format!("/games/{}", in_path(&game.name));
    html! {
        tr {
            th scope="row" { a href=(link) { (game.name) } }
            @match &game.seats {
                Ok(seats) => {
                    td { (places(seats)) }
                    td { (faults(seats)) (without_winner(game.unwon)) }
                }
                Err(why) => { td {} td.fault { (why) } }
            }
        }
    }
}

fn without_winner(rounds: u32) -> Markup {
    html! {
        @match rounds {
            0 => {}
            1 => { span.place { "1 round without a winner" } }
            rounds => { span.place { (rounds) " rounds without a winner" } }
        }
    }
}

fn places(seats: &[ListedSeat]) -> Markup {
    let mut order: Vec<&ListedSeat> = seats.iter().collect();
    order.sort_by_key(|seat| seat.place);
    html! {
        @for seat in order {
            span.place { b { (seat.place) "." } " " bdi { (seat.agent) } @if seat.points != 0 { small { " " (seat.points) } } } " "
        }
    }
}

fn faults(seats: &[ListedSeat]) -> Markup {
    html! {
        @for seat in seats.iter().filter(|seat| seat.is_dismissed || !seat.faults.is_empty()) {
            span.place {
                bdi { (seat.agent) } ": "
                @for (at, (fault, count)) in seat.faults.iter().enumerate() { @if at > 0 { ", " } (count) " " (fault) }
                @if seat.is_dismissed { " – dismissed" }
            } " "
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_keeps_the_conditions_and_shows_names_as_text() {
        let filter = GameFilter { agent: "<b>&".to_owned(), fault: "any".to_owned(), ..GameFilter::default() };
        let seat = ListedSeat {
            agent: "<img src=x onerror=alert(1)>".to_owned(),
            place: 1,
            points: 3,
            faults: vec![("slow".to_owned(), 2)],
            is_dismissed: true,
        };
        let row =
            GameRow { name: "g000-d0000-r0".to_owned(), rules: "skat".to_owned(), unwon: 1, seats: Ok(vec![seat]) };
        let wrong =
            GameRow { name: "x".to_owned(), rules: String::new(), unwon: 0, seats: Err("line 3: <script>".to_owned()) };
        let found = GamesPage { games: vec![row, wrong], looked_at: (50, 90), next: Some(50), ..GamesPage::default() };
        let page = games(&filter, &found).into_string();
        assert!(page.contains("/games?from=50&amp;agent=%3Cb%3E%26&amp;fault=any"), "{page}");
        let none = GamesPage { next: Some(7_000), ..GamesPage::default() };
        assert!(games(&filter, &none).into_string().contains("No game up to number 7000"));
        assert!(
            !page.contains("<img")
                && !page.contains("<script")
                && page.contains("2 slow – dismissed")
                && page.contains("1 round without a winner"),
            "{page}"
        );
    }
}
