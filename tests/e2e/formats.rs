//! What every form of output says of a run, by the order that means something in its format: the winner is one and the same.

use std::fs;

use crate::league_place::Place;
use serde_json::Value;

/// A league of five bots at tables of two.
fn league(head: &str, schedule: &str) -> String {
    let bots = ["random", "greedy", "careful", "first", "random"];
    let agents: String = bots
        .iter()
        .enumerate()
        .map(|(number, bot)| format!("\n[[agent]]\nname = \"a{number}\"\ncommand = \"maumau agent {bot}\"\n"))
        .collect();
    format!(
        "rules = \"basic\"\nseats = 2\nrounds = 1\ngames_per_pairing = 2\npublic_seed = true\nseed = 5\n{head}\n{schedule}\n{agents}"
    )
}

/// The rows of the standings as CSV: the cells of these columns.
fn cells(place: &Place, columns: &[&str]) -> Vec<Vec<String>> {
    let (csv, _) = place.check("show league.maumau --format csv", 0);
    let mut lines = csv.lines().map(|line| line.split(',').map(str::to_owned).collect::<Vec<_>>());
    let names = lines.next().expect("a heading");
    let at = |column: &&str| names.iter().position(|name| name == *column).unwrap_or_else(|| panic!("{column}: {csv}"));
    let places: Vec<usize> = columns.iter().map(at).collect();
    lines.map(|line| places.iter().map(|place| line[*place].clone()).collect()).collect()
}

/// The agent in the first place of the table that follows `heading`.
fn first_of(table: &str, heading: &str) -> String {
    let (_, rest) = table.split_once(heading).unwrap_or_else(|| panic!("{heading} in {table}"));
    let (_, row) = rest.split_once("| 1 | ").unwrap_or_else(|| panic!("a first place in {rest}"));
    row.split(' ').next().unwrap_or_default().to_owned()
}

#[test]
fn tables_files_and_pages_of_a_tournament_name_its_winner_first() {
    for (schedule, name) in [
        ("[schedule]\nformat = \"knock-out\"", "knock-out"),
        ("[schedule]\nformat = \"double\"\nseeds = [\"a3\"]", "double knock-out"),
        ("[schedule]\nformat = \"swiss\"\nrounds = 3", "Swiss tournament"),
    ] {
        let place = Place::new(&league("", schedule));
        place.check("run league.toml --quiet", 0);
        let report: Value = serde_json::from_str(&place.check("show league.maumau --format json", 0).0).expect("JSON");
        let winner = report["order"][0].as_str().expect("an order").to_owned();
        assert_eq!(report["tournament"]["is_over"], true, "{name}");
        assert_eq!(report["tournament"]["order"][0]["agent"], *winner, "{name}");
        assert_eq!(
            (&report["standings"]["ranked_by"], &report["standings"]["rows"][0]["name"]),
            (&"tournament".into(), &(*winner).into())
        );
        let rounds = report["tournament"]["rounds"].as_array().expect("rounds");
        let byes: usize = rounds.iter().map(|round| round["byes"].as_array().map_or(0, Vec::len)).sum();
        assert!(byes > 0, "five agents do not fill tables of two: {report}");

        place.check("export league.maumau --rounds-to rounds.jsonl", 0);
        let rows = fs::read_to_string(place.path("rounds.jsonl")).expect("rounds");
        let rows: Vec<Value> = rows.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
        assert_eq!(rows.iter().filter(|row| row["outcome"] == "bye").count(), byes, "{rows:?}");
        let of_tables: Vec<&Value> =
            rounds.iter().flat_map(|round| round["tables"].as_array().expect("tables")).collect();
        let seated: Vec<&Value> =
            of_tables.iter().flat_map(|table| table["agents"].as_array().expect("agents")).collect();
        let written: Vec<&Value> = rows.iter().filter(|row| row["table"].is_number()).collect();
        assert_eq!(written.len(), seated.len());
        for (row, seat) in written.iter().zip(seated) {
            assert_eq!((&row["agent"], &row["outcome"]), (&seat["agent"], &seat["outcome"]), "{row}");
            assert_eq!(row["score"].as_f64(), seat["score"].as_f64(), "{row}");
        }

        let (csv, _) = place.check("show league.maumau --format csv", 0);
        assert!(csv.lines().nth(1).is_some_and(|line| line.starts_with(&format!("1,{winner},"))), "{winner}: {csv}");
        let (markdown, _) = place.check("show league.maumau --format markdown", 0);
        for heading in ["## Order of the tournament", "## Scores of all its games"] {
            assert_eq!(first_of(&markdown, heading), winner, "{markdown}");
        }
        assert!(markdown.contains("did not play"), "{markdown}");
        let (text, _) = place.check("show league.maumau --all", 0);
        let titles = ["Order of the tournament", "Its rounds", "Scores of all its games", "Ratings from all games"];
        let places: Vec<Option<usize>> = titles.iter().map(|title| text.find(title)).collect();
        assert!(places.is_sorted() && places[0].is_some(), "{text}");
        let (text, _) = place.check("show league.maumau", 0);
        let places = titles.map(|title| text.contains(title));
        assert_eq!(places, [true, false, true, true], "the rounds are long: {text}");
        assert!(text.ends_with("--all adds rounds, cross-tables, seats, checks; --times adds times.\n"));

        let (report, _) = place.check("show league.maumau --format html", 0);
        place.check("site league.maumau --to site", 0);
        let index = fs::read_to_string(place.path("site/index.html")).expect("a page");
        for page in [report, index] {
            assert!(page.contains(&format!("{winner} wins the {name}")), "{winner}: {page}");
            assert!(!page.contains("is the best") && !page.contains("too early to name the best"), "{page}");
            assert_eq!(page.contains("<svg class=\"bracket\""), name != "Swiss tournament");
        }
    }
}

#[test]
fn where_agents_meet_others_ratings_order_all_tables_and_an_anchor_fixes_their_scale() {
    let schedule = "[schedule]\nformat = \"ladder\"\n[stop]\ngames = 120";
    let place = Place::new(&league("anchor = { a3 = 1000 }", schedule));
    place.check("run league.toml --quiet", 0);
    let printed = |arguments: &str| place.check(arguments, 0).0;
    let csv = printed("show league.maumau --format csv");
    let mut lines = csv.lines().map(|line| line.split(',').collect::<Vec<_>>());
    let column = lines.next().and_then(|names| names.iter().position(|name| *name == "rating")).expect("ratings");
    let rows: Vec<Vec<&str>> = lines.collect();
    let ratings: Vec<f64> = rows.iter().map(|row| row[column].parse().expect("a number")).collect();
    assert!(ratings.is_sorted_by(|one, next| one >= next), "{csv}");
    let anchored = rows.iter().find(|row| row[1] == "a3").expect("the anchor");
    assert_eq!(anchored[column], "1000", "{csv}");
    let text = printed("show league.maumau");
    assert!(text.contains("In the order of ratings: these agents have not met the same opponents"), "{text}");
    assert!(text.contains("Rating: a3 = 1000, 400 points"), "{text}");
    // An anchor changes no game: the run goes on with another one.
    place.write("league.toml", &league("anchor = { a3 = 2000 }", schedule));
    place.check("run league.toml --quiet", 0);
    assert!(printed("show league.maumau").contains("Rating: a3 = 2000"), "the new one holds");
    let page = printed("show league.maumau --format html");
    assert!(page.contains("In the order of ratings") && page.contains("a3 is 2000; "), "{page}");
}

#[test]
fn who_is_disqualified_is_last_without_a_place_and_ratings_leave_out_its_games() {
    let rating_of = |rows: &[Vec<String>], agent: &str| {
        rows.iter().find(|row| row[1] == agent).map(|row| row[2].clone()).expect("a row")
    };
    let four = league("", "").replace("games_per_pairing = 2", "games_per_pairing = 20");
    let without = four.split_once("\n[[agent]]\nname = \"a4\"").expect("the last agent").0.to_owned();
    let alone = Place::new(&without);
    alone.check("run league.toml --quiet", 0);
    let columns = ["place", "agent", "rating", "games"];
    let others = cells(&alone, &columns);

    let place = Place::new(&four);
    place.check("run league.toml --quiet", 0);
    let all = cells(&place, &columns);
    assert_ne!(rating_of(&all, "a0"), rating_of(&others, "a0"), "its games count");
    place.write("league.toml", &format!("{four}disqualified = true\n"));
    let (_, said) = place.check("run league.toml", 0);
    assert!(said.contains("a4 is disqualified: ratings leave out its games"), "{said}");
    let now = cells(&place, &columns);
    assert_eq!(now[4][..3], [String::new(), "a4".to_owned(), String::new()], "{now:?}");
    assert_eq!(now[4][3], "80", "its games stay");
    for agent in ["a0", "a1", "a2", "a3"] {
        // The mean of the pool, which holds an agent without games, is another one; differences are the same.
        let apart = |rows: &[Vec<String>]| {
            let [one, other] = [agent, "a0"].map(|name| rating_of(rows, name).parse::<f64>().expect("a number"));
            one - other
        };
        assert!((apart(&now) - apart(&others)).abs() < 1e-6, "{agent}: {now:?} {others:?}");
    }
    let page = place.check("show league.maumau --format html", 0).0;
    assert!(page.contains("Disqualified, so last, and every game that they sat in"), "{page}");
    place.write("league.toml", &four);
    place.check("run league.toml --quiet", 0);
    assert_eq!(cells(&place, &columns), all, "it has its place again");
}

#[test]
fn a_knock_out_goes_on_with_who_is_disqualified_and_lists_it_last() {
    let file = league("", "[schedule]\nformat = \"knock-out\"");
    let place = Place::new(&file);
    place.check("run league.toml --quiet", 0);
    let winner = cells(&place, &["agent"])[0][0].clone();
    place.write(
        "league.toml",
        &file.replace(&format!("name = \"{winner}\""), &format!("name = \"{winner}\"\ndisqualified = true")),
    );
    place.check("run league.toml --quiet", 0);
    let rows = cells(&place, &["place", "agent"]);
    assert_eq!(rows[4], [String::new(), winner.clone()], "{rows:?}");
    let (text, _) = place.check("show league.maumau --format markdown", 0);
    assert!(text.contains(&format!("| - | {winner} | disqualified |")), "{text}");
}

#[test]
fn authors_are_ranked_by_their_best_agents_with_sums_and_means() {
    let named = ["ann", "bob", "ann", "bob"].iter().enumerate().fold(league("", ""), |file, (agent, author)| {
        let name = format!("name = \"a{agent}\"");
        file.replace(&name, &format!("{name}\nauthor = \"{author}\""))
    });
    let place = Place::new(&named);
    place.check("run league.toml --quiet", 0);
    let rows = cells(&place, &["agent", "games", "score"]);
    let (csv, _) = place.check("show league.maumau --by-author --format csv", 0);
    let mut lines = csv.lines();
    assert_eq!(lines.next(), Some("place,author,best_agent,best_place,agents,games,wins,score_sum,score_mean"));
    for line in lines {
        let own: Vec<&str> = line.split(',').collect();
        let agents: [&str; 2] = if own[1] == "ann" { ["a0", "a2"] } else { ["a1", "a3"] };
        let mine: Vec<(usize, &Vec<String>)> =
            rows.iter().enumerate().filter(|(_, row)| agents.contains(&&*row[0])).collect();
        let sum: f64 = mine.iter().map(|(_, row)| row[2].parse::<f64>().expect("a score")).sum();
        assert_eq!((own[2], own[3]), (&*mine[0].1[0], &*(mine[0].0 + 1).to_string()), "{csv}");
        assert_eq!((own[4], own[5]), ("2", "16"), "two agents of eight games each: {csv}");
        let read = |cell: &str| cell.parse::<f64>().expect("a number");
        assert!((read(own[7]) - sum).abs() < 1e-9 && (read(own[8]) - sum / 2.0).abs() < 1e-9, "{csv}");
    }
    assert!(csv.lines().count() == 3, "a4 has no author: {csv}");
    // The same by hand from the table of seats.
    place.check("export league.maumau --seats-to seats.csv", 0);
    let seats = std::fs::read_to_string(place.path("seats.csv")).expect("a table");
    let of = |author: &str| seats.lines().filter(|line| line.contains(&format!(",{author},"))).count();
    assert_eq!((of("a0,ann"), of("a1,bob"), of("a2,ann"), of("a3,bob"), of("a4,")), (8, 8, 8, 8, 8), "{seats}");
    place.write("other.toml", &league("", ""));
    place.check("run other.toml --quiet", 0);
    let (_, said) = place.check("show other.maumau --by-author", 2);
    assert!(said.contains("no agent of this run names its author"), "{said}");
}
