//! What the games show, in sentences.

use maud::{Markup, html};
use maumau_tournament::statistics::luck::LuckShares;
use maumau_tournament::{Placed, PlacedBy, TournamentResult, fixed};

use super::RunReport;
use super::words::{count, counted, interval, list, percent, probability, rating_interval};

/// The most names in one sentence.
const NAMES: usize = 5;
/// Misfits with a smaller probability are listed.
const UNLIKELY: f64 = 0.05;

/// The sentences above everything else: who is better, how sure, and what stands in the way.
pub(super) fn findings(report: &RunReport) -> Markup {
    html! {
        section.findings aria-labelledby="findings" {
            h2 id="findings" { "What the games show" }
            ul { @for sentence in sentences(report) { li { (sentence) } } }
        }
    }
}

fn sentences(report: &RunReport) -> Vec<String> {
    let setting = &report.setting;
    let mut sentences = Vec::new();
    if setting.games == 0 {
        return vec![format!("No game has been played; {} are planned.", count(setting.planned))];
    }
    if setting.games < setting.planned {
        let left = counted(setting.planned - setting.games, "game");
        sentences.push(format!("The run is not complete: {left} of the plan are missing."));
    }
    if report.parts.len() > 1 {
        sentences
            .push("Some agents have not met, not even through others; their ratings cannot be compared.".to_owned());
    }
    match &report.tournament {
        // A tournament is decided by its own rules, and no other winner is named beside it.
        Some(result) => sentences.insert(0, winner(report, result)),
        None => sentences.extend(best(report)),
    }
    sentences.extend(separated(report));
    sentences.extend(seats(report));
    sentences.extend(duplicates(report));
    sentences.extend(luck(report));
    sentences.push(misfit(report));
    sentences
}

fn winner(report: &RunReport, result: &TournamentResult) -> String {
    let names =
        |placed: &[Placed]| placed.iter().map(|placed| report.name(placed.agent).to_owned()).collect::<Vec<_>>();
    let format = match &*report.setting.format {
        "swiss" => "Swiss tournament",
        "double" => "double knock-out",
        _ => "knock-out",
    };
    match &names(&result.order)[..] {
        [first, second, third, ..] if result.is_over => {
            format!("{first} wins the {format}, before {second} and {third}.")
        }
        [first, rest @ ..] if result.is_over => format!("{first} wins the {format}, before {}.", rest.join(", ")),
        _ if report.setting.format == "swiss" => {
            let first = result.order.first().map_or("?", |placed| report.name(placed.agent));
            format!(
                "The {format} is not over; after {}, {first} leads.",
                counted(result.rounds_begun() as u64, "round")
            )
        }
        _ => {
            let still_in: Vec<Placed> =
                result.order.iter().copied().filter(|placed| placed.by == PlacedBy::StillIn).collect();
            let names = names(&still_in);
            let names: Vec<&str> = names.iter().map(String::as_str).collect();
            format!("The {format} is not over; still in: {}.", list(&names, NAMES))
        }
    }
}

fn best(report: &RunReport) -> Option<String> {
    let rated = report.agents.iter().filter_map(|agent| Some((agent, agent.rating.as_ref()?)));
    let first: Vec<_> = rated.filter(|(_, rating)| rating.ranks.0 == 1).collect();
    Some(match &first[..] {
        [] => return None,
        [(agent, rating)] => {
            let interval = rating_interval(rating);
            format!("{} is the best of these agents: rating {} ({interval}).", agent.name, fixed(rating.rating, 0))
        }
        several if several.len() == report.agents.len() => "It is too early to name the best agent.".to_owned(),
        several => {
            let names: Vec<&str> = several.iter().map(|(agent, _)| agent.name.as_str()).collect();
            format!("The best is one of {}: the games do not decide which.", list(&names, NAMES))
        }
    })
}

/// How many pairs of agents the games separate. An agent's best rank is one more than the number that is surely better.
fn separated(report: &RunReport) -> Option<String> {
    let ranks: Vec<(usize, usize)> =
        report.agents.iter().filter_map(|agent| Some(agent.rating.as_ref()?.ranks)).collect();
    let pairs: usize = report.parts.iter().map(|part| part.len() * (part.len() - 1) / 2).sum();
    let decided: usize = ranks.iter().map(|(best, _)| best - 1).sum();
    (pairs > 1).then(|| {
        let all = if decided == pairs { "All ".to_owned() } else { format!("{} of ", count(decided as u64)) };
        let pairs = counted(pairs as u64, "pair");
        format!("{all}{pairs} of agents are clearly different, at 5 % for all pairs together.")
    })
}

fn seats(report: &RunReport) -> Option<String> {
    let seats = report.seats.seats.iter().enumerate();
    let known: Vec<_> = seats.filter_map(|(seat, estimate)| Some((seat, estimate.mean, estimate.interval?))).collect();
    let (seat, mean, known_to) = known.iter().max_by(|a, b| a.1.total_cmp(&b.1))?;
    let beyond = known.iter().filter(|(_, _, interval)| interval.low > 0.5 || interval.high < 0.5).count();
    Some(match beyond {
        0 => format!(
            "No seat has an advantage that the games show: the best one, seat {seat}, scores {} ({}).",
            fixed(*mean, 3),
            interval(*known_to, 3)
        ),
        _ => format!(
            "The seat matters: seat {seat} scores {} ({}) where 0.5 is even. Every agent sat everywhere equally often.",
            fixed(*mean, 3),
            interval(*known_to, 3)
        ),
    })
}

fn duplicates(report: &RunReport) -> Option<String> {
    let (factor, error) = (report.duplicates.factor?, report.duplicates.std_error?);
    Some(format!(
        "With a new deal for every game the same certainty would have taken {} ± {} times as many games.",
        fixed(factor, 2),
        fixed(error, 2)
    ))
}

fn luck(report: &RunReport) -> Option<String> {
    let LuckShares { deal, interval: known, agents, .. } = report.luck.shares?;
    let known = known?;
    Some(format!(
        "The deal explains {} % of the variance of a seat’s score (95 %: {}–{} %), who sits where {} %.",
        percent(deal),
        percent(known.low),
        percent(known.high),
        percent(agents)
    ))
}

fn misfit(report: &RunReport) -> String {
    let unlikely: Vec<_> = report.misfits.iter().take_while(|pair| pair.p < UNLIKELY).collect();
    match unlikely.first() {
        None => {
            "A single rating per agent explains the results of every pair: no misfit is larger than chance.".to_owned()
        }
        Some(worst) => format!(
            "The ratings do not explain every pair: {} did {} against {} than they expect ({}).",
            report.name(worst.agents.0),
            if worst.z > 0.0 { "better" } else { "worse" },
            report.name(worst.agents.1),
            probability(worst.p)
        ),
    }
}
