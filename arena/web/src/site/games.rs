//! The list of games, with its conditions in the address. The caller says which games there are.

use maud::{Markup, html};
use maumau_referee::GameFigures;

use super::screen;
use crate::address::{Figure, GameFilter, GameOrder, in_path};
use crate::shown::{GameRow, GamesPage, Highlight, ListedSeat};

/// A page of the list.
pub(crate) fn games(filter: &GameFilter, found: &GamesPage) -> Markup {
    let (looked_at, all) = found.looked_at;
    let from = |from| GameFilter { from, ..filter.clone() }.address();
    html! {
        main.games {
            h1 { "Games" }
            (screen())
            (conditions(filter, found))
            @if filter.is_open() && filter.from == 0 { (worth_watching(&found.highlights)) }
            @if found.is_counting {
                p #partial role="status" { "The figures of all games are being counted; the list is there when they are." }
            } @else if found.games.is_empty() {
                @match found.next {
                    Some(next) => p #goes-on role="status" { "No game up to number " (next) " is like that; looking on." },
                    None if !filter.is_open() => p { "No game here is like that." },
                    None => p { "There is no finished game yet." },
                }
            } @else {
                div.wide role="group" aria-label="Games" tabindex="0" {
                    table {
                        (heads(Some(filter).filter(|_| found.is_sorted_here)))
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
pub(crate) fn game_list<'a>(
    games: impl Iterator<Item = &'a GameRow>,
    number: usize,
    pages: usize,
    highlights: &[Highlight],
) -> Markup {
    let path = |number: usize| if number == 0 { "/games".to_owned() } else { format!("/games/page-{}", number + 1) };
    html! {
        main.games {
            h1 { "Games" }
            @if number == 0 { (worth_watching(highlights)) }
            div.wide role="group" aria-label="Games" tabindex="0" {
                table {
                    (heads(None))
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

/// The name of a column.
fn title(figure: Figure) -> &'static str {
    match figure {
        Figure::Moves => "Moves",
        Figure::Rounds => "Rounds",
        Figure::Lead => "Lead",
        Figure::LeadChanges => "Lead changes",
        Figure::Comeback => "Comeback",
        Figure::Penalties => "Penalties",
        Figure::Interjections => "Interjections",
        Figure::Seconds => "Time",
    }
}

/// What a column says.
fn meaning(figure: Figure) -> &'static str {
    match figure {
        Figure::Moves => "actions that were taken up",
        Figure::Rounds => "rounds that were played",
        Figure::Lead => "cards that the best of the others still held when the last round was over",
        Figure::LeadChanges => "how often another player than before had the fewest cards alone",
        Figure::Comeback => "the most cards that the winner of a round was behind the player with the fewest",
        Figure::Penalties => "penalty cards that were taken",
        Figure::Interjections => "cards that were thrown in out of turn",
        Figure::Seconds => "seconds that all players took for their answers",
    }
}

/// The heads of the columns; with `filter` they are links to the list in another order.
fn heads(filter: Option<&GameFilter>) -> Markup {
    let order = filter.and_then(GameFilter::order);
    html! {
        thead { tr {
            th scope="col" { "Game" } th scope="col" { "Places" }
            @for figure in Figure::ALL {
                @let own = order.filter(|order| order.figure == figure);
                @let direction = own.map(|order| if order.ascends { "ascending" } else { "descending" });
                th.figure scope="col" title=(meaning(figure)) aria-sort=[direction] {
                    @match filter {
                        Some(filter) => a href=(sorted(filter, figure, own)) { (title(figure)) },
                        None => (title(figure)),
                    }
                }
            }
            th scope="col" { "What went wrong" }
        } }
    }
}

/// The address of the list in the next order by `figure`: the most first, then the least, then that of the plan.
fn sorted(filter: &GameFilter, figure: Figure, now: Option<GameOrder>) -> String {
    let sort = match now {
        None => GameOrder { figure, ascends: false }.key(),
        Some(GameOrder { ascends: false, .. }) => GameOrder { figure, ascends: true }.key(),
        Some(GameOrder { ascends: true, .. }) => String::new(),
    };
    GameFilter { sort, from: 0, ..filter.clone() }.address()
}

fn figures(game: &GameFigures) -> Markup {
    html! {
        @for figure in Figure::ALL {
            td.figure data-figure=(title(figure)) {
                @match figure {
                    Figure::Seconds => (format!("{:.1} s", game.took_us as f64 / 1e6)),
                    figure => (figure.of(game)),
                }
            }
        }
    }
}

/// The games of which none has more of something.
fn worth_watching(highlights: &[Highlight]) -> Markup {
    html! {
        @if !highlights.is_empty() {
            section.worth aria-labelledby="worth-title" {
                h2 #worth-title { "Games worth watching" }
                ul {
                    @for Highlight { figure, game, figures } in highlights {
                        li { a href=(format!("/games/{}", in_path(game))) { (figure.praise(figures)) } " " small { (game) } }
                    }
                }
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
            @let further = Figure::ALL.into_iter().filter(|figure| *figure != Figure::Moves);
            details.figures open[further.clone().any(|figure| !filter.condition(figure).is_empty())] {
                summary { "More conditions" }
                @for figure in further {
                    label title=(meaning(figure)) {
                        (title(figure)) " "
                        input name=(figure.key()) pattern="[0-9]*(-[0-9]+)?" placeholder="3 or 3-9" size="7" value=(filter.condition(figure));
                    }
                }
            }
            @if !filter.sort.is_empty() { input type="hidden" name="sort" value=(filter.sort); }
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
                    @match &game.figures {
                        Some(counted) => (figures(counted)),
                        None => { @for _ in Figure::ALL { td.figure {} } }
                    }
                    td { (faults(seats)) (without_winner(game.unwon)) }
                }
                Err(why) => { td {} @for _ in Figure::ALL { td.figure {} } td.fault { (why) } }
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
        let counted = GameFigures { moves: 41, comeback: 7, took_us: 1_250_000, ..GameFigures::default() };
        let row = GameRow {
            name: "g000-d0000-r0".to_owned(),
            rules: "skat".to_owned(),
            unwon: 1,
            figures: Some(counted),
            seats: Ok(vec![seat]),
        };
        let wrong = GameRow {
            name: "x".to_owned(),
            rules: String::new(),
            unwon: 0,
            figures: None,
            seats: Err("line 3: <script>".to_owned()),
        };
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
        assert!(page.contains("data-figure=\"Moves\">41</td>") && page.contains(">1.2 s</td>"), "{page}");
        assert!(!page.contains("sort="), "what is not sorted here is sorted by the page");
    }

    #[test]
    fn heads_lead_to_another_order_and_back_to_that_of_the_plan() {
        let row =
            GameRow { name: "g".to_owned(), rules: String::new(), unwon: 0, figures: None, seats: Ok(Vec::new()) };
        let highlight = Highlight {
            figure: Figure::Comeback,
            game: "g<".to_owned(),
            figures: GameFigures { comeback: 9, ..GameFigures::default() },
        };
        let found =
            GamesPage { games: vec![row], is_sorted_here: true, highlights: vec![highlight], ..GamesPage::default() };
        let list = |filter: &GameFilter| games(filter, &found).into_string();
        let plain = list(&GameFilter::default());
        assert!(plain.contains("href=\"/games?sort=lead\">Lead<"), "{plain}");
        assert!(plain.contains("/games/g%3C\">The biggest comeback: won from 9 cards behind</a>"), "{plain}");
        let most = list(&GameFilter { sort: "lead".to_owned(), moves: "30".to_owned(), ..GameFilter::default() });
        assert!(most.contains("aria-sort=\"descending\"><a href=\"/games?moves=30&amp;sort=-lead\">Lead<"), "{most}");
        assert!(!most.contains("biggest comeback"));
        let least = list(&GameFilter { sort: "-lead".to_owned(), ..GameFilter::default() });
        assert!(least.contains("aria-sort=\"ascending\"><a href=\"/games\">Lead<"), "{least}");
        let counting = GamesPage { is_counting: true, ..GamesPage::default() };
        assert!(games(&GameFilter::default(), &counting).into_string().contains("id=\"partial\""));
    }
}
