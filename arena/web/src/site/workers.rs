//! The page of the machines that share a run: which units are done, what is late, how fast each machine plays. Values come in; who
//! asks the machines is not known here.

use maud::{Markup, html};

use crate::shown::{SharedRun, WorkersPage};

/// Runs and workers as they are now.
pub(crate) fn workers(page: &WorkersPage) -> Markup {
    let WorkersPage { runs, workers } = page;
    html! {
        main.games {
            h1 { "Workers" }
            @for run in runs { (shared_run(run)) }
            @if runs.is_empty() { p { "There are no runs on the server." } }
            @if workers.is_empty() { p.why { "No worker has been heard of for two minutes." } }
            @else {
                div.wide role="group" aria-label="Workers" tabindex="0" {
                    table {
                        thead { tr {
                            @for column in ["Worker", "Now", "Games/s", "Games", "Units in hand", "Load", "Void deadlines", "Processors"] {
                                th scope="col" { (column) }
                            }
                        } }
                        tbody {
                            @for worker in workers {
                                tr {
                                    th scope="row" { bdi { (worker.name) } }
                                    td { (worker.state) @if let Some(seconds) = worker.silent_s { span.fault { ", silent for " (seconds) " s" } } }
                                    td { (worker.games_per_s) }
                                    td { (worker.games) }
                                    td { (worker.in_hand) }
                                    td { (worker.load) }
                                    td { (worker.void) " of " (worker.deadlines) }
                                    td { bdi { (worker.class) } }
                                }
                            }
                        }
                    }
                }
                ul {
                    @for (worker, (run, why)) in workers.iter().flat_map(|worker| worker.refuses.iter().map(|why| (&worker.name, why))) {
                        li.fault { bdi { (worker) } " does not play " bdi { (run) } ": " bdi { (why) } }
                    }
                }
            }
        }
    }
}

fn shared_run(run: &SharedRun) -> Markup {
    let SharedRun { name, results, units, waiting, in_hand, late, failed } = run;
    html! {
        h2 { bdi { (name) } }
        p { (results) @if let Some(units) = units { " of " (units) } " units have results, " (waiting) " wait, " (in_hand) " are in hand." }
        ul {
            @for (unit, worker, seconds) in late {
                li.fault { "Late: unit " (unit) " has been with " bdi { (worker) } " for " (seconds) " s." }
            }
            @for (unit, is_parked, what) in failed {
                li.fault { @if *is_parked { "Parked: unit " } @else { "Failed, and tried again: unit " } (unit) ", " bdi { (what) } }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::shown::WorkerRow;

    #[test]
    fn what_is_late_parked_or_silent_is_named_and_texts_of_others_are_text() {
        let hostile = "<script>";
        let worker = WorkerRow {
            name: hostile.to_owned(),
            class: hostile.to_owned(),
            state: "playing".to_owned(),
            silent_s: Some(12),
            refuses: vec![("other".to_owned(), hostile.to_owned())],
            ..WorkerRow::default()
        };
        let run = SharedRun {
            name: "league".to_owned(),
            results: 3,
            units: Some(9),
            late: vec![(5, hostile.to_owned(), 40)],
            failed: vec![(6, true, hostile.to_owned()), (7, false, "once".to_owned())],
            ..SharedRun::default()
        };
        let page = workers(&WorkersPage { runs: vec![run], workers: vec![worker] }).into_string();
        assert!(!page.contains(hostile), "{page}");
        for said in [
            "3 of 9 units have results",
            "unit 5 has been with <bdi>&lt;script&gt;</bdi> for 40 s",
            "Parked: unit 6",
            "tried again: unit 7",
            "silent for 12 s",
            "does not play <bdi>other</bdi>",
        ] {
            assert!(page.contains(said), "{said}: {page}");
        }
        let nobody = workers(&WorkersPage::default()).into_string();
        assert!(nobody.contains("No worker has been heard of"), "{nobody}");
    }
}
