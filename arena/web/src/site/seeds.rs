//! The list of seeds of deals that are done, beside the commitments that games began with. Which seeds may be shown it is told.

use maud::{Markup, html};

use crate::shown::{SeedRow, SeedsPage};

/// A page of the list; `next` is the address of the next one.
pub(crate) fn seeds(found: &SeedsPage, next: Option<&str>) -> Markup {
    html! {
        main.games {
            h1 { "Seeds" }
            p {
                "Every card of a deal follows from its seed. Each game begins with a commitment to it, which its agents are told; when "
                "the last game of the deal is stored, the seed is shown here. "
                code { "maumau tournament export --seeds" } " writes this list, " code { "maumau verify --commitments" }
                " checks it, and " a href="/documents/contest" { "a short program" } " does so without maumau."
            }
            @if found.seeds.is_empty() {
                p { "No deal is done yet." }
            } @else {
                div.wide role="group" aria-label="Seeds" tabindex="0" {
                    table {
                        thead { tr {
                            th scope="col" { "Game" } th scope="col" { "Its name for agents" } th scope="col" { "Commitment" }
                            th scope="col" { "Seed of the deal" }
                        } }
                        tbody { @for SeedRow { game, id, commitment, seed } in &found.seeds { tr {
                            td { (game) }
                            td { code { (id) } } td { code { (commitment) } } td { code { (seed) } }
                        } } }
                    }
                }
            }
            @if let Some(next) = next { nav.pages aria-label="Pages of the list" { a rel="next" href=(next) { "Next page" } } }
        }
    }
}
