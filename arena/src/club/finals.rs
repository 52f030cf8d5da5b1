//! Finals: those of a season that are rated best, in a league file of their own that is played like any other. Who that is, the ladder says.

use std::path::Path;

use anyhow::{Context, Result};
use maumau_run::error::usage;
use maumau_run::io::atomic_file;
use maumau_run::league::LeagueFile;

use super::answers::LadderRow;
use super::folder::ClubFolder;
use super::season;
use super::store::ClubStore;

/// Games of those that meet at a table, which fill it in all orders.
const GAMES_PER_PAIRING: u64 = 40;

/// Which finals.
pub(crate) struct Finals<'a> {
    /// The format, as in league files.
    pub(crate) format: &'a str,
    /// How many play in them at most.
    pub(crate) most: usize,
    /// Whether house bots do.
    pub(crate) with_house: bool,
}

/// Writes the league file of finals to `to`, which must not be there, and says so to all. Returns who plays in them, the best rated first.
///
/// # Errors
/// The season has not begun, too few play in it, or a file cannot be read or written.
pub(crate) fn make_finals(folder: &ClubFolder, wanted: &Finals<'_>, to: &Path) -> Result<Vec<String>> {
    let shown = to.display();
    if to.exists() {
        return Err(usage(format!("{shown} is there already; name another file")));
    }
    let season = std::fs::read_to_string(folder.league()).context("the league file of the season")?;
    let title = folder.settings()?.title;
    let (agents, text) = finals_league(&season, &season::ladder(&folder.run())?, &title, wanted)?;
    if let Err(problems) = LeagueFile::parse(&shown.to_string(), Path::new("/"), &text) {
        return Err(usage(format!("the finals cannot be played: {problems}")));
    }
    atomic_file::write(to, text.as_bytes())?;
    // By name: the order on the ladder may not be for all, as while it is frozen.
    let mut names = agents.clone();
    names.sort();
    let said = format!("finals, {}: {}", wanted.format, names.join(", "));
    ClubStore::open(&folder.database())?.say(&said, "")?;
    Ok(agents)
}

/// Who plays in finals, and their league file.
fn finals_league(
    season: &str,
    ladder: &[LadderRow],
    title: &str,
    wanted: &Finals<'_>,
) -> Result<(Vec<String>, String)> {
    let plays = |row: &&LadderRow| !row.retired && row.games > 0 && (wanted.with_house || !row.is_house());
    let best: Vec<String> = ladder.iter().filter(plays).take(wanted.most).map(|row| row.agent.clone()).collect();
    let mut league = season::league_with(season, &best)?;
    let seats = league.get("seats").and_then(toml::Value::as_integer).context("the season's seats")?;
    if (best.len() as i64) < seats {
        return Err(usage(format!(
            "{} of the season can play in finals, and a table has {seats} seats; --house lets house bots play, too",
            best.len()
        )));
    }
    let mut schedule = toml::Table::from_iter([("format".to_owned(), wanted.format.into())]);
    if wanted.format == "swiss" {
        // As many as a knock-out of so many has.
        let rounds = best.len().next_power_of_two().ilog2();
        schedule.insert("rounds".to_owned(), i64::from(rounds.max(1)).into());
    }
    league.insert("name".to_owned(), format!("{title}: finals").into());
    league.insert("schedule".to_owned(), toml::Value::Table(schedule));
    let games = GAMES_PER_PAIRING.next_multiple_of(seats.unsigned_abs());
    league.insert("games_per_pairing".to_owned(), i64::try_from(games)?.into());
    Ok((best, toml::to_string(&league).context("the league file of the finals")?))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn season() -> String {
        let agent = |name: &str, author: &str| {
            format!("[[agent]]\nname = \"{name}\"\nauthor = \"{author}\"\ncommand = \"maumau agent first\"\n")
        };
        let agents: String = [("greedy", "house"), ("a@1", "ann"), ("b@1", "bob"), ("b@2", "bob"), ("c@1", "cy")]
            .map(|(name, author)| agent(name, author))
            .concat();
        format!(
            "name = \"s\"\nrules = \"basic\"\nseats = 2\nseed = \"00\"\nanchor = {{ greedy = 1500 }}\n[schedule]\nformat = \"ladder\"\n{agents}"
        )
    }

    /// The best first; `b@1` plays no more, and `c@1` has not played yet.
    fn ladder() -> Vec<LadderRow> {
        [("b@2", 9, false), ("b@1", 9, true), ("greedy", 9, false), ("a@1", 9, false), ("c@1", 0, false)]
            .map(|(agent, games, retired)| LadderRow {
                agent: agent.to_owned(),
                games,
                rating: None,
                low: None,
                high: None,
                ranks: None,
                retired,
            })
            .into()
    }

    #[test]
    fn finals_are_for_those_that_play_now_the_best_first() {
        for (with_house, most, expected) in
            [(false, 8, &["b@2", "a@1"][..]), (true, 8, &["b@2", "greedy", "a@1"]), (true, 2, &["b@2", "greedy"])]
        {
            for format in ["round-robin", "knock-out", "double", "swiss"] {
                let wanted = Finals { format, most, with_house };
                let (agents, text) = finals_league(&season(), &ladder(), "club", &wanted).expect("finals");
                assert_eq!(agents, expected);
                let league = LeagueFile::parse("finals.toml", Path::new(""), &text);
                let league = league.unwrap_or_else(|problems| panic!("{problems}: {text}")).league;
                assert_eq!(league.agents.iter().map(|agent| agent.name.as_str()).collect::<Vec<_>>(), expected);
                assert!(!text.contains("seed") && !text.contains("anchor"), "its deals are its own: {text}");
            }
        }
    }

    #[test]
    fn finals_that_cannot_fill_a_table_are_refused() {
        let wanted = Finals { format: "swiss", most: 8, with_house: false };
        let error = finals_league(&season(), &ladder()[..1], "club", &wanted).expect_err("too few");
        assert!(error.to_string().contains("1 of the season can play in finals, and a table has 2 seats"), "{error}");
    }
}
