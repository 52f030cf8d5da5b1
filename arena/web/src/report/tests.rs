//! The report as a whole: what stands in it, what cannot get into it, and how large it is.

use maumau_tournament::statistics::encounters::Encounters;
use maumau_tournament::statistics::goodness_of_fit::misfits;
use maumau_tournament::statistics::luck::{Luck, LuckShares, luck};
use maumau_tournament::statistics::ratings::{RatedGames, RatingOptions, rate};
use maumau_tournament::statistics::seats::seat_scores;
use maumau_tournament::statistics::{DealSums, duplicates::duplicates};

use maumau_tournament::{AtTable, HeatOutcome, Placed, PlacedBy, RoundResult, TableResult};

use super::*;
use crate::chart::CoursePoint;

/// A text that would be markup, a style, an address or a script if it were not escaped.
const HOSTILE: &str = "</th><script>alert(1)</script><img src=x onerror=alert(1)>\"'&{}/*http://example.org";

/// A run in which every two agents play `deals` deals of two games; the one listed first wins the first game of each deal, and the
/// second one with every third deal.
fn report(agents: usize, deals: u64, name: impl Fn(usize) -> String) -> RunReport {
    let mut games = RatedGames::new(agents);
    let mut sums = vec![DealSums::default(); agents];
    let mut deal = 0;
    for one in 0..agents {
        for other in one + 1..agents {
            for round in 0..deals {
                let won = u64::from(round % 3 == 0);
                games.add(deal, [(one, 1), (other, 2)]);
                games.add(deal, [(other, 1 + won as u8), (one, 2 - won as u8)]);
                sums[one].add(2, 2 + 2 * won);
                sums[other].add(2, 2 - 2 * won);
                deal += 1;
            }
        }
    }
    let ratings = rate(&games, &RatingOptions::default());
    let encounters = Encounters::new(&games);
    let encounter = |row: usize, column: usize| {
        let estimate = (row != column).then(|| encounters.estimate(row, column))??;
        Some(EncounterRow { score: estimate.mean, interval: estimate.interval })
    };
    RunReport {
        league: name(agents),
        setting: Setting {
            rules: name(0),
            options: vec![(name(1), name(2))],
            format: "round-robin".to_owned(),
            seats: 2,
            rounds: vec![1],
            games: 2 * deal,
            planned: 2 * deal,
            deals: deal,
            seed: Some("5eed".to_owned()),
            anchor: None,
            time: "1000 ms a move".to_owned(),
            sandbox: "basic".to_owned(),
            permits: vec![(name(0), "read /opt".to_owned())],
            engine: "0.1.0".to_owned(),
        },
        agents: (0..agents)
            .map(|agent| {
                let estimate = sums[agent].estimate(2);
                let interval = estimate.and_then(|estimate| estimate.interval);
                let value = estimate.map_or(0.5, |estimate| estimate.mean);
                let ends = interval.map(|interval| (interval.low, interval.high));
                let point = |number: u32| CoursePoint { at: f64::from(number) / 40.0, value, interval: ends };
                AgentSummary {
                    name: name(agent),
                    games: 2 * deals,
                    wins: 1.5,
                    score: Some(value),
                    interval,
                    points: Some(-3.25),
                    rounds: (10, 4),
                    rounds_unwon: 1,
                    rating: Some(ratings.agents[agent].clone()),
                    course: Course((1..=40).map(point).collect()),
                    faults: vec![agent as u64 % 3, 0],
                    dismissals: 0,
                    is_disqualified: false,
                    times: UsedTime { answers: 100, seconds: 0.25, late: 1, void: 0, answer_ms: Some([1.0, 2.0, 9.0]) },
                }
            })
            .collect(),
        order_remarks: Vec::new(),
        tournament: None,
        parts: ratings.parts.clone(),
        by_rules: Vec::new(),
        authors: Vec::new(),
        encounters: (0..agents).map(|row| (0..agents).map(|column| encounter(row, column)).collect()).collect(),
        seats: seat_scores(&games, 2),
        duplicates: duplicates(&games).all,
        luck: luck(&games),
        misfits: misfits(&ratings),
        faults: vec![name(0), "slow".to_owned()],
        lengths: (0..37)
            .map(|more| (20 + more, (2 * deal + 36 - u64::from(more)) / 37))
            .filter(|(_, games)| *games > 0)
            .collect(),
        decisions: None,
        is_partial: false,
    }
}

fn plain(agent: usize) -> String {
    format!("agent-{agent:02}")
}

#[test]
fn the_report_of_thirty_agents_is_less_than_a_megabyte_and_loads_nothing() {
    let page = report(30, 4, plain).page();
    assert!(page.len() < 1_000_000, "{} bytes", page.len());
    for loading in
        ["<script", "<link", "<img", "<iframe", "<object", "src=", "href=", "url(", "@import", "http:", "https:"]
    {
        assert!(!page.contains(loading), "{loading}");
    }
    assert!(page.contains("content=\"default-src 'none';"), "its own policy");
}

#[test]
fn the_numbers_stand_in_the_page_as_text() {
    let run = report(4, 30, plain);
    let page = run.page();
    for agent in &run.agents {
        let rating = agent.rating.as_ref().expect("rated");
        for number in
            [words::score(agent.score.expect("games")), words::rating_interval(rating), words::places(rating.ranks)]
        {
            assert!(page.contains(&format!(">{number}<")), "{number} of {}", agent.name);
        }
    }
    for sentence in [
        "agent-00 is the best of these agents",
        "All 6 pairs of agents are clearly different",
        "The seat matters: seat 0 scores",
        "5eed",
        "agent-01 = agent-02",
        "agent-00: read /opt",
        "Median <b>38</b> actions",
    ] {
        assert!(page.contains(sentence), "{sentence}");
    }
}

#[test]
fn the_race_has_the_places_after_each_share_of_the_games() {
    let mut run = report(3, 30, plain);
    let course = |values: &[f64]| {
        let first = 4 - values.len();
        let point = |(step, value): (usize, &f64)| CoursePoint {
            at: (first + step + 1) as f64 / 4.0,
            value: *value,
            interval: None,
        };
        Course(values.iter().enumerate().map(point).collect())
    };
    run.setting.games = 400;
    run.agents[0].course = course(&[0.25, 0.5, 0.75, 0.5]);
    run.agents[1].course = course(&[0.75, 0.5, 0.25, 0.25]);
    // It came late, and shares the first place at the end.
    run.agents[2].course = course(&[0.125, 0.5]);
    let page = run.page();
    for part in [
        r#"data-games="100 200 300 400""#,
        r#"data-rows="1 0 0 0" data-places="2 1 1 1" data-scores="0.250 0.500 0.750 0.500""#,
        r#"data-rows="0 1 1 2" data-places="1 1 2 3" data-scores="0.750 0.500 0.250 0.250""#,
        r#"data-rows="- - 2 1" data-places="- - 3 1" data-scores="- - 0.125 0.500""#,
        r#"<path class="r2" data-runner="2" d="M750 60L1000 36">"#,
        "in 4 steps",
    ] {
        assert!(page.contains(part), "{part}");
    }
    // What nobody can play is not there: a run of one step, of one agent, a knock-out.
    let has_race = |run: &RunReport| run.page().contains("class=\"race\"");
    assert!(has_race(&run));
    run.setting.format = "double".to_owned();
    assert!(!has_race(&run));
    let mut run = report(3, 30, plain);
    run.agents.iter_mut().for_each(|agent| agent.course.0.truncate(1));
    assert!(!has_race(&run));
    let mut run = report(3, 30, plain);
    run.agents[1..].iter_mut().for_each(|agent| agent.is_disqualified = true);
    assert!(!has_race(&run));
}

#[test]
fn the_race_is_of_bounded_size() {
    let mut run = report(40, 2, plain);
    for agent in &mut run.agents {
        agent.course = Course(
            (1..=1_000).map(|at| CoursePoint { at: f64::from(at) / 1_000.0, value: 0.5, interval: None }).collect(),
        );
    }
    let page = run.page();
    let race = page
        .split("<section aria-labelledby=\"race\">")
        .nth(1)
        .and_then(|rest| rest.split("</section>").next())
        .expect("a race");
    assert!(
        race.contains("in 200 steps") && race.contains("Drawn are the first 20 of 40 agents"),
        "{}",
        &race[..1_000]
    );
    assert_eq!(race.matches("<li ").count(), 20);
    let games = race.split("data-games=\"").nth(1).and_then(|rest| rest.split('"').next()).expect("games");
    assert_eq!(
        (games.split(' ').count(), games.rsplit(' ').next()),
        (200, Some(run.setting.games.to_string().as_str()))
    );
    assert!(race.len() < 150_000, "{} bytes", race.len());
}

#[test]
fn names_are_text_wherever_they_stand() {
    let page = report(16, 2, |agent| format!("{HOSTILE}{agent}")).page();
    let honest = report(16, 2, plain).page();
    // Every tag of the page of hostile names is one of the page of plain ones.
    let tags = |page: &str| page.matches('<').count();
    assert_eq!(tags(&page), tags(&honest));
    assert!(page.contains("&lt;script&gt;alert(1)&lt;/script&gt;") && !page.contains("<script"), "escaped");
    let attributes = |page: &str| page.matches("=\"").count();
    assert_eq!(attributes(&page), attributes(&honest));
}

#[test]
fn a_run_without_games_says_so() {
    let mut run = report(2, 1, plain);
    run.setting.games = 0;
    run.setting.seed = None;
    let page = run.page();
    assert!(page.contains("No game has been played; 2 are planned."), "{page}");
    assert!(page.contains("drawn, and not shown") && !page.contains("id=\"ratings\""), "{page}");
}

#[test]
fn agents_that_never_met_are_named_and_not_compared() {
    let mut run = report(4, 2, plain);
    run.parts = vec![vec![0, 1], vec![2, 3]];
    let page = run.page();
    assert!(page.contains("Some agents have not met"), "{page}");
    assert!(page.contains("<li>agent-02, agent-03</li>"), "{page}");
}

#[test]
fn several_rule_sets_stand_side_by_side() {
    let mut run = report(3, 2, plain);
    assert!(!run.page().contains("By rule set"), "there is only one");
    run.setting.rounds = vec![1, 3];
    let agents = run.agents.iter().map(|agent| AgentByRules {
        score: agent.score,
        interval: agent.interval,
        rating: agent.rating.clone(),
    });
    let agents: Vec<AgentByRules> = agents.collect();
    let of_set = |rules: &str| RuleSetReport {
        rules: rules.to_owned(),
        games: 8,
        deals: 4,
        agents: agents.clone(),
        luck: Luck { deals: 4, compared: 4, shares: None },
    };
    run.by_rules = vec![of_set("skat"), of_set("snap")];
    let page = run.page();
    for text in [
        "id=\"by-rules\"",
        ">skat: 8 games, 4 deals<",
        ">snap: 8 games, 4 deals<",
        "Rule sets",
        "1 and 3 rounds each",
        "Luck in snap. ",
    ] {
        assert!(page.contains(text), "{text}");
    }
    run.setting.rounds = vec![1, 1, 1];
    assert!(run.page().contains("1 round each"), "the same by all of them");
}

#[test]
fn what_the_deal_explains_is_said_where_deals_were_played_more_than_once() {
    let mut run = report(3, 2, plain);
    let mut check = |luck: Luck, expected: &[&str]| {
        run.luck = luck;
        let page = run.page();
        expected.iter().for_each(|text| assert!(page.contains(text), "{text}\n{page}"));
        assert_eq!(page.matches("<b>Luck. </b>").count(), usize::from(luck.deals > 0), "{page}");
    };
    let shares =
        LuckShares { deal: 0.253, interval: Some(Interval { low: 0.117, high: 0.389 }), agents: 0.4, rest: 0.347 };
    check(
        Luck { deals: 60, compared: 50, shares: Some(shares) },
        &[
            "The deal explains 25 % of the variance",
            "<b>25 %</b> (95 %: 12–39 %), and who sits where 40 %",
            "50 deals compared",
        ],
    );
    check(Luck { deals: 60, compared: 9, shares: None }, &["not known: it takes 20 deals", "there are 9."]);
    check(Luck { deals: 60, compared: 60, shares: None }, &["All games ended alike"]);
    check(Luck::default(), &[]);
}

#[test]
fn what_authors_gain_is_shown_if_one_has_several_agents() {
    let mut run = report(3, 2, plain);
    assert!(!run.page().contains("id=\"authors\""), "nobody names an author");
    let gain = Together {
        author: 0,
        together: 40,
        alone: 60,
        effect: Some(0.0626),
        std_error: Some(0.01),
        interval: Some(Interval { low: -0.0376, high: 0.1626 }),
        p: Some(0.25),
    };
    run.authors = vec![Author { name: "ann".to_owned(), agents: vec![0, 2], gain }];
    let page = run.page();
    for text in [">ann<", ">40<", "+0.063", "-0.038 to +0.163"] {
        assert!(page.contains(text), "{text}\n{page}");
    }
    assert!(!page.contains("Games together"), "a file leads nowhere");
    let body = run.body(Links::Games).into_string();
    let (one, other) = (run.name(0), run.name(2));
    let link = format!("<a href=\"/games?agent={one}&amp;against={other}\">{one} with {other}</a>");
    assert!(body.contains(&link), "{link}\n{body}");
}

/// A knock-out of five: 4 and 2 play a heat, the others have byes; then a play-off and a lot.
fn knock_out() -> TournamentResult {
    let seated = |agent: usize, score: f64, outcome: HeatOutcome| AtTable {
        agent,
        score: Some(score),
        outcome: Some(outcome),
        by_lot: false,
        fills_in: false,
    };
    let heat = |winner: usize, loser: usize, outcomes: [HeatOutcome; 2]| TableResult {
        agents: vec![seated(winner, 0.75, outcomes[0]), seated(loser, 0.25, outcomes[1])],
        games: 4,
        play_offs: 0,
        is_final: outcomes[0] == HeatOutcome::Placed,
        losses: None,
    };
    let usual = [HeatOutcome::GoesOn, HeatOutcome::Out];
    let mut tied = heat(3, 1, usual);
    tied.play_offs = 3;
    tied.agents.iter_mut().for_each(|seated| (seated.score, seated.by_lot) = (Some(0.5), true));
    let round =
        |tables: Vec<TableResult>, byes: &[usize]| RoundResult { tables, byes: byes.to_vec(), waiting: Vec::new() };
    let order = [(4, PlacedBy::Final), (3, PlacedBy::Final), (1, PlacedBy::Out { round: 1 })];
    let more = [(0, PlacedBy::Out { round: 1 }), (2, PlacedBy::Out { round: 0 })];
    TournamentResult {
        order: order.into_iter().chain(more).map(|(agent, by)| Placed { agent, by }).collect(),
        rounds: vec![
            round(vec![heat(4, 2, usual)], &[0, 1, 3]),
            round(vec![heat(4, 0, usual), tied], &[]),
            round(vec![heat(4, 3, [HeatOutcome::Placed; 2])], &[]),
        ],
        is_over: true,
    }
}

#[test]
fn a_knock_out_shows_its_own_order_first_and_names_no_other_winner() {
    let mut run = report(5, 300, plain);
    assert!(run.page().contains("agent-00 is the best of these agents"), "by all games");
    run.setting.format = "knock-out".to_owned();
    run.tournament = Some(knock_out());
    run.order_remarks = vec!["In the order of the tournament.".to_owned()];
    let page = run.page();
    assert!(!page.contains("is the best"), "{page}");
    let places: Vec<usize> = [
        "agent-04 wins the knock-out, before agent-03 and agent-01.",
        "id=\"order\"",
        "id=\"rounds\"",
        "<svg class=\"bracket\"",
        ">did not play<",
        "goes on; by lot; 3 play-offs",
        "id=\"ratings\"",
        "Scores of all games",
        "In the order of the tournament.",
    ]
    .iter()
    .map(|part| page.find(part).unwrap_or_else(|| panic!("{part} in {page}")))
    .collect();
    assert!(places.is_sorted(), "{places:?}");
    // Every agent of a round has a box, and a line leads to the next one.
    assert_eq!(page.matches("class=\"block").count(), 4 + 2 + 1);
    assert_eq!(page.matches("class=\"link\"").count(), 4 + 2);
    // One heat and three byes.
    assert!(small_bracket(&run, 4).is_some() && small_bracket(&run, 3).is_none());
    let hostile = {
        let mut run = report(5, 2, |agent| format!("{HOSTILE}{agent}"));
        run.tournament = Some(knock_out());
        run.page()
    };
    assert!(!hostile.contains("<script") && !hostile.contains("<img"), "escaped");
}

#[test]
fn a_tournament_that_is_not_over_says_who_is_in() {
    let mut run = report(5, 2, plain);
    run.setting.format = "knock-out".to_owned();
    let mut result = knock_out();
    result.is_over = false;
    result.rounds.pop();
    result.order.iter_mut().take(2).for_each(|placed| placed.by = PlacedBy::StillIn);
    run.tournament = Some(result);
    let page = run.page();
    assert!(page.contains("The knock-out is not over; still in: agent-04 and agent-03."), "{page}");
    assert!(page.contains("Order of the tournament so far"));
}

#[test]
fn judged_decisions_show_where_each_agent_loses_and_lead_to_the_replay() {
    let mut run = report(2, 2, plain);
    assert!(!run.page().contains("id=\"decisions\""), "nothing was judged");
    let row = |name: &str| LossRow {
        name: name.to_owned(),
        choices: 200,
        mean: 0.02712,
        error: 0.005,
        share: Some(0.6),
        marks: [7, 11, 4],
    };
    let decision = WorstDecision {
        game: "g000-d0012-r0".to_owned(),
        number: 42,
        about: "name".to_owned(),
        part: "end".to_owned(),
        held: 3,
        taken: "play J♦".to_owned(),
        best: format!("play J♦, say \"{HOSTILE}\""),
        loss: 0.394,
        error: 0.021,
        mark: "blunder".to_owned(),
    };
    let group = DecisionGroup { title: "cards held".to_owned(), rows: vec![row("8 or more")] };
    let one = AgentDecisions { total: row(HOSTILE), groups: vec![group], worst: vec![decision] };
    let other = AgentDecisions { total: row("agent-01"), groups: Vec::new(), worst: Vec::new() };
    run.decisions = Some(DecisionReport {
        problem: None,
        effort: "quick".to_owned(),
        simulations: 2_000,
        in_races: 400,
        games: 30,
        of: 60,
        agents: vec![one, other],
    });
    let page = run.page();
    for text in [
        "30 of 60 finished games were judged by maumau analyse (quick: 2,000 playouts",
        ">8 or more<",
        "<b>0.0271</b> ± 0.0050",
        ">60 %<",
        // Of 200 choices.
        ">3.5<",
        ">5.5<",
        ">2.0<",
        "The 1 decision that lost most",
        ">g000-d0012-r0, move 42<",
        ">0.39 ± 0.02<",
        ">name, end<",
        "No decision lost enough to be marked.",
    ] {
        assert!(page.contains(text), "{text}\n{page}");
    }
    assert!(
        !page.contains("<script") && !page.contains("<img") && !page.contains("href=\"/games"),
        "a file leads nowhere"
    );
    let body = run.body(Links::Replays).into_string();
    assert!(body.contains("href=\"/games/g000-d0012-r0#move=42\""), "{body}");
    run.decisions =
        Some(DecisionReport { problem: Some("it is of another engine".to_owned()), ..DecisionReport::default() });
    assert!(run.page().contains("cannot be shown: it is of another engine"));
    run.is_partial = true;
    assert!(!run.page().contains("id=\"decisions\""));
}

#[test]
fn large_pools_are_cut_and_the_page_says_so() {
    let page = report(70, 1, plain).page();
    assert!(
        page.contains("The table shows the first 40 of 70 agents") && page.contains("Drawn are the first 60 of 70")
    );
}

#[test]
fn a_page_shows_the_standings_while_the_rest_is_computed() {
    let report = RunReport { is_partial: true, ..report(3, 4, |agent| format!("agent {agent}")) };
    let page = report.page();
    assert!(page.contains("id=\"partial\"") && page.contains("id=\"standings\""), "{page}");
    assert!(!page.contains("id=\"ratings\"") && !page.contains("id=\"lengths\""), "{page}");
    let read: RunReport = serde_json::from_str(&serde_json::to_string(&report).expect("JSON")).expect("a report");
    assert_eq!(read.page(), page);
}
