//! Golden cases of tournament statistics, schedules and stop rules, computed by others' programs and by hand: each file beside this one
//! is computed with the tournament crate and compared.
//!
//! A file is `{"about", "tolerance", "cases": [{inputs…, "expected": {…}}]}`; the members of a case show which formula it
//! tests.

use maumau_tournament::schedule::balanced::Balance;
use maumau_tournament::schedule::{heats, swiss};
use maumau_tournament::statistics::ratings::{Bound, RatedGames, RatingOptions, rate};
use maumau_tournament::statistics::sequential::{
    ConfidenceSequence, MatchProgress, MatchTest, Side, match_unit, peeking_factor,
};
use maumau_tournament::statistics::{DealSums, gsprt, student};
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value, json};

/// A test for each file, with its name.
mod files {
    macro_rules! golden {
        ($($name:ident)*) => {$(
            #[test]
            fn $name() {
                let differences = super::differences(include_str!(concat!(stringify!($name), ".json")));
                assert!(differences.is_empty(), "{differences:#?}");
            }
        )*};
    }

    golden! { design gsprt heats match_unit ratings score sequential stop student swiss }
}

#[test]
fn a_difference_names_its_place() {
    let wrong = r#"{"tolerance": 1e-6, "cases": [{"deals": 5, "alpha": 0.05, "best": 100, "factor": 4.7}]}"#;
    let [difference] = &differences(wrong)[..] else { panic!("one difference") };
    assert!(difference.starts_with("case 0, factor: expected 4.7, computed 4.71879"), "{difference}");
}

/// Where the results of the tournament crate differ from those that a file of cases expects.
fn differences(text: &str) -> Vec<String> {
    let file: Value = serde_json::from_str(text).expect("JSON");
    let tolerance = file["tolerance"].as_f64().expect("a tolerance");
    let mut differences = Vec::new();
    for (number, case) in file["cases"].as_array().expect("cases").iter().enumerate() {
        let members = case.as_object().expect("a case");
        let name = members.get("name").and_then(Value::as_str).map_or(number.to_string(), str::to_owned);
        let answer = answer(members);
        // Some files have expected values beside the inputs.
        let expected = members.get("expected").unwrap_or(case);
        for (member, value) in &answer {
            if let Some(wanted) = expected.get(member) {
                compare(wanted, value, tolerance, &format!("case {name}, {member}"), &mut differences);
            }
        }
        if let Some(Value::Object(expected)) = members.get("expected") {
            let missing =
                expected.keys().filter(|member| !answer.contains_key(*member) && !LEFT_OUT.contains(&member.as_str()));
            differences.extend(missing.map(|member| format!("case {name}: {member} is not computed")));
        }
    }
    differences
}

/// Values that files contain for comparison only: a simpler error of ratings, and published figures.
const LEFT_OUT: [&str; 2] = ["se_cr1", "published"];

fn compare(wanted: &Value, got: &Value, tolerance: f64, place: &str, differences: &mut Vec<String>) {
    match (wanted, got) {
        (Value::Number(a), Value::Number(b)) => {
            let (a, b) = (a.as_f64().unwrap_or(f64::NAN), b.as_f64().unwrap_or(f64::NAN));
            let scale = a.abs().max(1.0);
            if (a - b).abs() > tolerance * scale {
                differences.push(format!("{place}: expected {a}, computed {b}"));
            }
        }
        (Value::Array(a), Value::Array(b)) if a.len() == b.len() => {
            for (at, (a, b)) in a.iter().zip(b).enumerate() {
                compare(a, b, tolerance, &format!("{place}[{at}]"), differences);
            }
        }
        (Value::Object(a), Value::Object(b)) if a.keys().eq(b.keys()) => {
            for (key, value) in a {
                compare(value, &b[key], tolerance, &format!("{place}.{key}"), differences);
            }
        }
        _ if wanted == got => {}
        _ => differences.push(format!("{place}: expected {wanted}, computed {got}")),
    }
}

fn read<T: DeserializeOwned>(case: &Map<String, Value>) -> T {
    serde_json::from_value(Value::Object(case.clone())).expect("the members of its kind")
}

fn answer(case: &Map<String, Value>) -> Map<String, Value> {
    let has = |member: &str| case.contains_key(member);
    let answer = match () {
        () if has("units_per_game") => score(read(case)),
        () if has("df") => quantiles(read(case)),
        () if has("games") && has("options") => ratings(read(case)),
        () if has("x") => sequential(read(case)),
        () if has("counts") => ratio(read(case)),
        () if has("shares") => ratio_of_shares(read(case)),
        () if has("best") => peeking(read(case)),
        () if has("groups") => groups(read(case)),
        () if has("met") => swiss_round(read(case)),
        () if has("seeds") => heats_round(read(case)),
        () if has("sides") => unit(read(case)),
        () => panic!("no known kind of case: {:?}", case.keys()),
    };
    match answer {
        Value::Object(members) => members,
        other => panic!("no object was computed: {other}"),
    }
}

#[derive(Deserialize)]
struct Score {
    units_per_game: u64,
    deals: Vec<(u64, u64)>,
}

fn score(case: Score) -> Value {
    let mut sums = DealSums::default();
    case.deals.iter().for_each(|(games, units)| sums.add(*games, *units));
    let Some(estimate) = sums.estimate(case.units_per_game) else { return json!({ "mean": null }) };
    let mut answer = json!({
        "mean": estimate.mean,
        "std_error": estimate.std_error,
        "t_low": estimate.student.map(|interval| interval.low),
        "t_high": estimate.student.map(|interval| interval.high),
    });
    if let Some(interval) = estimate.interval {
        answer["wilson_low"] = json!(interval.low);
        answer["wilson_high"] = json!(interval.high);
    }
    answer
}

#[derive(Deserialize)]
struct Quantile {
    df: u64,
    t: Option<f64>,
}

fn quantiles(case: Quantile) -> Value {
    match case.t {
        Some(t) => json!({ "p": student::two_sided_p(t, case.df) }),
        None => json!({ "quantile": student::quantile_975(case.df) }),
    }
}

#[derive(Deserialize)]
struct Rated {
    agents: usize,
    options: GivenOptions,
    games: Vec<(u64, Vec<usize>, Vec<u8>)>,
}

#[derive(Deserialize)]
struct GivenOptions {
    base: Option<f64>,
    anchor: Option<usize>,
    prior: Option<f64>,
}

fn ratings(case: Rated) -> Value {
    let mut games = RatedGames::new(case.agents);
    for (deal, agents, places) in case.games {
        games.add(deal, agents.into_iter().zip(places));
    }
    let default = RatingOptions::default();
    let options = RatingOptions {
        base: case.options.base.unwrap_or(default.base),
        anchor: case.options.anchor,
        prior: case.options.prior.unwrap_or(default.prior),
    };
    let rated = rate(&games, &options);
    let agents = &rated.agents;
    let bound = |bound| match bound {
        Some(Bound::Low) => json!("low"),
        Some(Bound::High) => json!("high"),
        None => Value::Null,
    };
    let column = |value: &dyn Fn(usize) -> Value| (0..agents.len()).map(value).collect::<Vec<_>>();
    json!({
        "logit": column(&|agent| json!(agents[agent].logit)),
        "rating": column(&|agent| json!(agents[agent].rating)),
        "se": column(&|agent| json!(agents[agent].std_error)),
        "low": column(&|agent| json!(agents[agent].interval.map(|interval| interval.low))),
        "high": column(&|agent| json!(agents[agent].interval.map(|interval| interval.high))),
        "deals": column(&|agent| json!(agents[agent].deals)),
        "expected_score": column(&|agent| json!(agents[agent].expected_score)),
        "bound": column(&|agent| bound(agents[agent].bound)),
        "rank_low": column(&|agent| json!(agents[agent].ranks.0)),
        "rank_high": column(&|agent| json!(agents[agent].ranks.1)),
        "parts": rated.parts,
        "pairs": rated.pairs.iter()
            .map(|pair| json!([pair.agents.0, pair.agents.1, pair.difference, pair.std_error, pair.p]))
            .collect::<Vec<_>>(),
    })
}

#[derive(Deserialize)]
struct Sequential {
    x: Vec<f64>,
    mu0: f64,
    mu1: f64,
    alpha: f64,
    beta: f64,
    expected: SequentialLooks,
}

/// The numbers of deals after which a file looks at the capitals and at the confidence sequence.
#[derive(Deserialize)]
struct SequentialLooks {
    capital: Map<String, Value>,
    sequence: Map<String, Value>,
}

fn sequential(case: Sequential) -> Value {
    let Sequential { x, mu0, mu1, alpha, beta, expected } = case;
    let mut progress = MatchProgress::new(MatchTest { mu0, mu1, alpha, beta });
    let mut sequence = ConfidenceSequence::new(alpha);
    let (mut capital, mut intervals) = (Map::new(), Map::new());
    let mut cells = gsprt::Cells::default();
    for (number, x) in x.iter().enumerate() {
        progress.take(*x);
        sequence.take(*x);
        cells.take(*x);
        let deals = (number + 1).to_string();
        if expected.capital.contains_key(&deals) {
            capital.insert(deals.clone(), json!(progress.capital));
        }
        if expected.sequence.contains_key(&deals) {
            intervals.insert(deals, json!(sequence.interval()));
        }
    }
    json!({
        "decision": progress.decision.map(|(verdict, _)| verdict.name()),
        "deals": progress.decision.map(|(_, deals)| deals),
        "capital": capital,
        "sequence": intervals,
        "gsprt_llr": gsprt::log_likelihood_ratio(&cells.counts(), mu0, mu1),
    })
}

#[derive(Deserialize)]
struct Ratio {
    counts: std::collections::BTreeMap<String, f64>,
    elo0: f64,
    elo1: f64,
}

fn ratio(case: Ratio) -> Value {
    let counts: Vec<(f64, f64)> =
        case.counts.iter().filter_map(|(value, count)| Some((value.parse().ok()?, *count))).collect();
    let [mu0, mu1] = [case.elo0, case.elo1].map(gsprt::score_of_points);
    json!({ "llr": gsprt::log_likelihood_ratio(&counts, mu0, mu1) })
}

#[derive(Deserialize)]
struct Shares {
    /// By the share of a deal, in how many deals it came.
    shares: std::collections::BTreeMap<String, u64>,
    mu0: f64,
    mu1: f64,
}

fn ratio_of_shares(case: Shares) -> Value {
    let mut cells = gsprt::Cells::default();
    let shares = case.shares.iter().filter_map(|(value, count)| Some((value.parse().ok()?, *count)));
    shares.for_each(|(share, count)| (0..count).for_each(|_| cells.take(share)));
    json!({ "llr": gsprt::log_likelihood_ratio(&cells.counts(), case.mu0, case.mu1) })
}

#[derive(Deserialize)]
struct Peeking {
    deals: u64,
    alpha: f64,
    best: u64,
}

fn peeking(case: Peeking) -> Value {
    json!({ "factor": peeking_factor(case.deals, case.alpha, case.best) })
}

#[derive(Deserialize)]
struct Sampled {
    agents: usize,
    seats: usize,
    groups: usize,
    /// Agents that join after a given number of groups.
    #[serde(default)]
    join: std::collections::BTreeMap<String, usize>,
}

fn groups(case: Sampled) -> Value {
    let mut balance = Balance::new(case.agents);
    let mut groups = Vec::new();
    for number in 0..case.groups {
        (0..case.join.get(&number.to_string()).copied().unwrap_or(0)).for_each(|_| {
            let number = balance.plays().len() as u64;
            balance.join(number);
        });
        let group = balance.next(case.seats);
        balance.take(&group);
        groups.push(group);
    }
    let agents = balance.plays().len();
    let met = (0..agents).flat_map(|one| (0..one).map(move |other| (one, other)));
    let met: Vec<u32> = met.map(|(one, other)| balance.met(one, other)).collect();
    json!({
        "groups": groups,
        "plays": [balance.plays().iter().min(), balance.plays().iter().max()],
        "met": [met.iter().min(), met.iter().max()],
        "a_efficiency": balance.a_efficiency(),
    })
}

#[derive(Deserialize)]
struct SwissRound {
    order: Vec<usize>,
    seats: usize,
    met: Vec<Vec<u64>>,
    byes: Vec<u64>,
}

fn swiss_round(case: SwissRound) -> Value {
    let round = swiss::round(&case.order, case.seats, |one, other| case.met[one][other], |agent| case.byes[agent]);
    json!({ "tables": round.tables, "byes": round.byes })
}

#[derive(Deserialize)]
struct Heats {
    seeds: Vec<usize>,
    seats: usize,
}

fn heats_round(case: Heats) -> Value {
    if case.seeds.len() <= case.seats {
        return json!({ "free": [], "heats": [case.seeds] });
    }
    // The fewest byes that a single round needs; how many a first round has looks at the later ones too.
    let (free, playing) = case.seeds.split_at(case.seeds.len() % case.seats);
    json!({ "free": free, "heats": heats::serpentine(playing, case.seats) })
}

#[derive(Deserialize)]
struct Unit {
    sides: std::collections::BTreeMap<String, String>,
    games: Vec<(Vec<usize>, Vec<u8>)>,
}

fn unit(case: Unit) -> Value {
    let side = |agent: &usize| match case.sides.get(&agent.to_string()).map(String::as_str) {
        Some("A") => Some(Side::A),
        Some("B") => Some(Side::B),
        _ => None,
    };
    let games: Vec<(Vec<Option<Side>>, &Vec<u8>)> =
        case.games.iter().map(|(agents, places)| (agents.iter().map(side).collect(), places)).collect();
    json!({ "x": match_unit(games.iter().map(|(sides, places)| (sides.as_slice(), places.as_slice()))) })
}
