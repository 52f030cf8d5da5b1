//! The form that opens a table, the list of tables, and the page of each. What a form says is checked where tables are opened; here
//! it is only written back.

use maud::{Markup, html};
use qrcodegen::{QrCode, QrCodeEcc};

use crate::address::in_path;
use crate::lobby::{AFTER, LobbyTable, TableChoices, TableRequest, TableState};
use crate::seats::WebSeat;

/// Where tables are opened.
pub(crate) const LOBBY_PATH: &str = "/play";

/// The most seats that the form offers besides that of its reader.
const OTHERS: usize = 7;

/// The longest name that the form takes.
const NAME_CHARS: usize = 24;

/// What the form says of `name`, if anything.
fn given<'a>(request: &'a TableRequest, name: &str) -> Option<&'a str> {
    request.iter().rev().find(|(found, _)| found == name).map(|(_, value)| value.as_str())
}

/// The form for a table by `choices`, filled as `request` says, with what is wrong with that; and the tables that are known.
pub(crate) fn lobby_form(
    choices: &TableChoices,
    request: &TableRequest,
    wrong: Option<&str>,
    learn: Option<&str>,
    tables: &[LobbyTable],
) -> Markup {
    html! {
        main.text.lobby {
            h1 { "Play" }
            @if let Some(why) = wrong { p.why role="alert" { (why) } }
            nav.sets aria-label="Rule set" {
                @for (name, title) in &choices.sets {
                    a href=(chosen(name, request)) aria-current=[(*name == choices.rules).then_some("true")] { (title) }
                }
            }
            p { (choices.about) " " a href=(format!("/rules/{}", in_path(&choices.rules))) { "All its rules" } @if let Some(learn) = learn { " · " a href=(learn) { "Learn it by playing" } } }
            form.table method="post" action=(LOBBY_PATH) {
                input type="hidden" name="rules" value=(choices.rules);
                p { label { "Your name " input name="name" required maxlength=(NAME_CHARS) autocomplete="nickname" value=[given(request, "name")]; } }
                fieldset {
                    legend { "At the table with you (" (choices.seats.0) " to " (choices.seats.1) " can play)" }
                    @for other in 1..=OTHERS.min(choices.seats.1.saturating_sub(1)) { (seat_choice(other, choices, request)) }
                    p.note { "Bots are listed from the weakest to the strongest." }
                }
                p {
                    label { "Rounds " input type="number" name="rounds" min="1" max="100" value=(given(request, "rounds").map_or_else(|| choices.rounds.to_string(), str::to_owned)); }
                }
                p {
                    label { "Clock "
                        select name="clock" {
                            option value="live" { "live: anybody may speak and interject at any time" }
                            option value="lockstep" selected[given(request, "clock") == Some("lockstep")] { "turn by turn: the table waits, and shows one move after another" }
                        }
                    }
                }
                @if !choices.options.is_empty() {
                    details open[choices.options.iter().any(|option| given(request, &option_field(&option.name)).is_some_and(|value| value != option.default))] {
                        summary { "Options of these rules" }
                        @for option in &choices.options {
                            @let field = option_field(&option.name);
                            @let value = given(request, &field).unwrap_or(&option.default);
                            p {
                                label {
                                    (option.about) " "
                                    @if option.values.is_empty() {
                                        input name=(field) value=(value) maxlength="200" title=(option.expected);
                                    } @else {
                                        select name=(field) {
                                            @for known in &option.values { option selected[known == value] { (known) } }
                                        }
                                    }
                                }
                            }
                        }
                    }
                }
                p { button { "Open the table" } }
            }
            @if !tables.is_empty() {
                h2 { "Tables" }
                ul {
                    @for table in tables {
                        li {
                            a href=(format!("/table/{}", table.number)) { "Table " (table.number) } ": " (table.rules) ", " (names(table)) " – "
                            @match &table.state {
                                TableState::Waiting => "waits for people",
                                TableState::Playing => "is played",
                                TableState::Over(_) => "is over",
                                TableState::Abandoned(_) => "has ended",
                            }
                        }
                    }
                }
            }
        }
    }
}

/// The name of the field of an option.
fn option_field(option: &str) -> String {
    format!("set.{option}")
}

/// The address of the form for another rule set, with all that does not belong to the rules.
fn chosen(rules: &str, request: &TableRequest) -> String {
    let kept = |name: &str| name == "name" || name == "clock" || name.starts_with("seat");
    let mut address = format!("{LOBBY_PATH}?rules={}", in_path(rules));
    for (name, value) in request.iter().filter(|(name, _)| kept(name)) {
        address += &format!("&{}={}", in_path(name), in_path(value));
    }
    address
}

/// Who sits at one of the other seats.
fn seat_choice(other: usize, choices: &TableChoices, request: &TableRequest) -> Markup {
    let field = format!("seat{other}");
    let usual = if other < choices.seats.0 { "greedy" } else { "" };
    let chosen =
        given(request, &field).unwrap_or(if request.is_empty() || other < choices.seats.0 { usual } else { "" });
    html! {
        p {
            label {
                "Seat " (other + 1) " "
                select name=(field) {
                    option value="" { "nobody" }
                    option value="person" selected[chosen == "person"] { "a person, whom you invite" }
                    @for (name, about) in &choices.bots {
                        option value=(name) selected[chosen == *name] title=(about) { (name) }
                    }
                }
            }
        }
    }
}

fn names(table: &LobbyTable) -> Markup {
    html! { @for (at, name) in table.names.iter().enumerate() { @if at > 0 { ", " } bdi { (name) } } }
}

/// The page of a table; `host` is the name under which this server was asked, with what people are invited.
pub(crate) fn lobby_table(table: &LobbyTable, host: &str) -> Markup {
    html! {
        main.text.lobby {
            h1 { "Table " (table.number) ": " (table.rules) }
            p { "At the table: " (names(table)) "." }
            @match &table.state {
                TableState::Waiting => {
                    p role="status" { "The match begins once every seat is taken. Send each person one of these links:" }
                    (links(table, host))
                }
                TableState::Playing => {
                    p role="status" { "The match is being played. " a href=(format!("/live/{}", in_path(&table.game))) { "Watch it" } }
                    @if table.people.iter().any(|place| !place.is_taken()) {
                        p { "A seat has been freed. The person who had it sits down again by its link:" }
                        (links(table, host))
                    }
                }
                TableState::Abandoned(why) => p role="status" { "This match has no result: " (why) },
                TableState::Over(places) => {
                    p role="status" { "The match is over. " a href=(format!("/games/{}", in_path(&table.game))) { "Replay it" } }
                    (result(table, places))
                }
            }
            @if matches!(table.state, TableState::Waiting | TableState::Playing) {
                @for place in table.people.iter().filter(|place| place.is_taken() && !place.has_left()) { (way_back(place)) }
                (lost_seats(table))
                p.note { "A seat belongs to the browser that has taken it, for a week; close the browser and come back by this page. A table is closed when all its people have left it, or when nobody has looked at a seat for half an hour." }
            } @else if let Some(next) = table.next {
                p role="status" { "The same people go on at " a href=(format!("/table/{next}")) { "table " (next) } ". Take your seat there:" }
                ul {
                    @for place in &table.people {
                        li { a href=(format!("/seat/{}/next", place.number())) { "I am " bdi { (place.name()) } } }
                    }
                }
            } @else {
                form.act method="post" action=(LOBBY_PATH) {
                    @for (name, value) in &table.request { input type="hidden" name=(name) value=(value); }
                    input type="hidden" name=(AFTER) value=(table.number);
                    button { "Play again" }
                }
                p { a href=(again(&table.request)) { "Other rules or players" } }
            }
        }
    }
}

/// The links of the seats that nobody has.
fn links(table: &LobbyTable, host: &str) -> Markup {
    html! {
        ul {
            @for place in table.people.iter().filter(|place| !place.is_taken()) {
                li {
                    bdi { (place.name()) } ": " a href=(place.path()) { code { (host) (place.path()) } }
                    (code_of_link(place.name(), host, &place.path()))
                }
            }
        }
    }
}

/// The word of the person who has opened the table for those who have lost their seats.
fn lost_seats(table: &LobbyTable) -> Markup {
    let Some((opener, others)) = table.people.split_first() else { return html! {} };
    let taken = || others.iter().filter(|place| place.is_taken() && !place.has_left());
    html! {
        @if taken().next().is_some() {
            details {
                summary { "Somebody has lost a seat" }
                p { "Somebody whose browser or its cookies are gone can sit down again by a link, once " bdi { (opener.name()) } ", who has opened this table, has freed it here. The game goes on meanwhile." }
                @for place in taken() {
                    form.act method="post" action=(format!("/seat/{}/free/{}", opener.number(), place.number())) {
                        button { "Free the seat of " bdi { (place.name()) } }
                    }
                }
            }
        }
    }
}

/// A link as a QR code for the camera of a phone; nothing where only this machine can open it.
fn code_of_link(name: &str, host: &str, path: &str) -> Markup {
    let address = host.split_once("://").map_or(host, |(_, address)| address);
    let is_here = ["127.", "localhost", "[::1]"].iter().any(|start| address.starts_with(start));
    // A link that is too long for a code is there in letters.
    let code = if is_here { None } else { QrCode::encode_text(&format!("{host}{path}"), QrCodeEcc::Medium).ok() };
    let dark = |code: &QrCode| -> String {
        let places = (0..code.size()).flat_map(|y| (0..code.size()).map(move |x| (x, y)));
        places.filter(|(x, y)| code.get_module(*x, *y)).map(|(x, y)| format!("M{x} {y}h1v1h-1z")).collect()
    };
    html! {
        @if let Some(code) = code {
            // Four modules of light around it, as ISO/IEC 18004 asks.
            svg.invitation role="img" aria-label=(format!("The same link for {name} as a QR code")) viewBox=(format!("-4 -4 {0} {0}", code.size() + 8)) {
                path d=(dark(&code)) {}
            }
        }
    }
}

/// The address of the form, filled as it was.
fn again(request: &TableRequest) -> String {
    let pairs: Vec<String> =
        request.iter().map(|(name, value)| format!("{}={}", in_path(name), in_path(value))).collect();
    format!("{LOBBY_PATH}?{}", pairs.join("&"))
}

fn result(table: &LobbyTable, places: &[(u8, i32, u32)]) -> Markup {
    html! {
        table {
            thead { tr { th scope="col" { "Seat" } th scope="col" { "Place" } th scope="col" { "Points" } th scope="col" { "Rounds won" } } }
            tbody {
                @for (name, (place, points, wins)) in table.names.iter().zip(places) {
                    tr { th scope="row" { bdi { (name) } } td { (place) } td { (points) } td { (wins) } }
                }
            }
        }
    }
}

/// The ways of the person who has a seat.
fn way_back(place: &WebSeat) -> Markup {
    html! {
        div.seat-ways {
            a href=(format!("/seat/{}", place.number())) { "Go to the seat of " bdi { (place.name()) } }
            form.act method="post" action=(format!("/seat/{}/leave", place.number())) {
                button { "Leave the seat of " bdi { (place.name()) } }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lobby::TableOption;

    fn choices() -> TableChoices {
        TableChoices {
            sets: vec![("basic".to_owned(), "Basic".to_owned()), ("skat".to_owned(), "Skat".to_owned())],
            rules: "skat".to_owned(),
            about: "A game.".to_owned(),
            seats: (2, 4),
            rounds: 3,
            options: vec![TableOption {
                name: "deal".to_owned(),
                about: "Cards dealt.".to_owned(),
                default: "five".to_owned(),
                values: vec!["five".to_owned(), "table".to_owned()],
                expected: String::new(),
            }],
            bots: vec![("greedy", "sheds")],
        }
    }

    fn request(pairs: &[(&str, &str)]) -> TableRequest {
        pairs.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect()
    }

    #[test]
    fn a_form_shows_what_was_sent_and_what_is_wrong_with_it_as_text() {
        let hostile = "<script>";
        let sent = request(&[("name", hostile), ("seat1", "person"), ("set.deal", "table"), ("rounds", "7")]);
        let page = lobby_form(&choices(), &sent, Some(hostile), None, &[]).into_string();
        assert!(!page.contains(hostile), "{page}");
        for said in [
            "role=\"alert\">&lt;script&gt;",
            "value=\"&lt;script&gt;\"",
            "<option value=\"person\" selected>",
            "<option selected>table</option>",
            "max=\"100\" value=\"7\"",
            "href=\"/play?rules=basic&amp;name=%3Cscript%3E&amp;seat1=person\"",
        ] {
            assert!(page.contains(said), "{said}: {page}");
        }
        assert_eq!(page.matches("a person, whom you invite").count(), 3, "four can play");
    }

    #[test]
    fn the_first_form_seats_one_bot() {
        let page = lobby_form(&choices(), &request(&[]), None, Some("/learn/skat"), &[]).into_string();
        assert!(page.contains("<a href=\"/learn/skat\">Learn it by playing</a>"), "{page}");
        assert_eq!(page.matches(" selected title").count() + page.matches("selected>greedy").count(), 1, "{page}");
    }

    #[test]
    fn a_link_that_a_phone_can_open_is_a_code_too() {
        let code = |host: &str| code_of_link("<b>", host, "/seat/1?token=0123456789abcdef").into_string();
        for host in ["http://127.0.0.1:4242", "http://localhost:4242", "https://[::1]"] {
            assert_eq!(code(host), "", "{host}");
        }
        let drawn = code("http://192.168.1.7:4242");
        assert!(drawn.contains("The same link for &lt;b&gt; as a QR code"), "{drawn}");
        // The corner that a camera looks for: a dark frame of seven, light around it.
        for at in 0..7 {
            assert!(drawn.contains(&format!("M{at} 0h")) && drawn.contains(&format!("M0 {at}h")), "{at}: {drawn}");
        }
        assert!(!drawn.contains("M7 0h") && !drawn.contains("M0 7h") && !drawn.contains("M1 1h"), "{drawn}");
        let longer = code_of_link("Bo", "http://192.168.1.7:4242", &"x".repeat(3_000)).into_string();
        assert_eq!(longer, "", "it is there in letters");
    }

    #[test]
    fn a_table_that_is_over_has_its_result_its_replay_and_a_rematch() {
        let mut table = LobbyTable {
            number: 7,
            rules: "Skat".to_owned(),
            names: vec!["<b>".to_owned(), "greedy".to_owned()],
            people: Vec::new(),
            state: TableState::Over(vec![(1, -3, 2), (2, 40, 1)]),
            game: "table-7".to_owned(),
            request: request(&[("rules", "skat"), ("name", "<b>")]),
            next: None,
        };
        let page = lobby_table(&table, "http://host").into_string();
        for said in
            ["/games/table-7", "<td>-3</td>", "Play again", "value=\"&lt;b&gt;\"", "/play?rules=skat&amp;name=%3Cb%3E"]
        {
            assert!(page.contains(said), "{said}: {page}");
        }
        table.next = Some(9);
        let page = lobby_table(&table, "http://host").into_string();
        assert!(page.contains("href=\"/table/9\"") && !page.contains("Play again"), "{page}");
        table.state = TableState::Playing;
        let page = lobby_table(&table, "http://host").into_string();
        assert!(page.contains("/live/table-7") && !page.contains("Play again"), "{page}");
    }
}
