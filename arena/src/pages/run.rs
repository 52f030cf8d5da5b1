//! A run file as a server shows it: its report, its games and their lists, which are read page by page.

use std::ops::ControlFlow;
use std::path::Path;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use anyhow::Result;
use maumau_protocol::fault::FaultCounts;
use maumau_protocol::message::GameResult;
use maumau_referee::FigureCounter;
use maumau_run::agent::resource_limits;
use maumau_run::io::untrusted::Untrusted;
use maumau_run::run_store::{OpenedSeed, RunFile, StoredGame};
use maumau_tournament::PlannedGame;
use maumau_web::game::{Hands, Story, WantedMoment, moment_picture};
use maumau_web::shown::{
    Figure, GameFilter, GameRow, GamesBeside, GamesPage, Highlight, LoadedGame, NotShown, Overview, PageSource,
    RulesPage, SeedRow, SeedsPage,
};

use super::game_index::{CountedGames, GameIndex, KeptIndex};
use super::games::{PAGE_GAMES, is_wanted, may_be_wanted, row};
use super::reports::Reports;
use super::{judged, rules, trouble};

/// Seeds on one page.
const PAGE_SEEDS: usize = 400;

/// How long games are looked at in the file for one page: what a filter asks for may be rare. The next page goes on.
const LOOKS_FOR: Duration = Duration::from_millis(80);

/// How long they are looked for by an index.
const FINDS_FOR: Duration = Duration::from_millis(400);

/// How long figures of games are counted for one page, if they have not been counted before.
const COUNTS_FOR: Duration = Duration::from_millis(80);

/// A run.
pub(crate) struct RunPages {
    /// Closed hands hide what may still be played elsewhere: other games of the same deals.
    hands: Hands,
    file: Mutex<RunFile>,
    reports: Arc<Reports>,
    index: Arc<KeptIndex>,
}

impl RunPages {
    /// Opens a run file.
    ///
    /// # Errors
    /// It cannot be read.
    pub(crate) fn open(path: &Path, hands: Hands) -> Result<RunPages> {
        Ok(RunPages {
            hands,
            file: Mutex::new(RunFile::open(path)?),
            reports: Reports::new(path.to_owned(), hands),
            index: Arc::default(),
        })
    }

    /// Makes, in the background, what pages would otherwise wait for: one thing after the other, so that a browser on the same
    /// machine has a processor.
    ///
    /// # Errors
    /// The machine has no room for a thread.
    pub(crate) fn prepare(&self) -> Result<()> {
        let path = self.opened().path().to_owned();
        let (reports, index) = (Arc::clone(&self.reports), Arc::clone(&self.index));
        let prepared = move || -> Result<()> {
            reports.prepare()?;
            index.renew(path)
        };
        // Nobody waits for its end.
        resource_limits::start("first pages", move || {
            resource_limits::lower_priority();
            if let Err(error) = prepared() {
                // Pages say it as well, when they are asked for.
                print_stderr!("maumau: {}", Untrusted::new(&format!("{error:#}")).terminal());
            }
        })
        .map(drop)
    }

    /// Computes the whole report and waits for it, for pages that are written once.
    ///
    /// # Errors
    /// The run cannot be read.
    pub(crate) fn compute_report(&self) -> Result<()> {
        self.reports.prepare()?;
        let path = self.opened().path().to_owned();
        self.index.make(&path)?;
        self.index.count(&path)
    }

    /// The file, as it was when it was read last. Nothing in it is left half changed by a panic.
    fn opened(&self) -> MutexGuard<'_, RunFile> {
        self.file.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The file as it is now: somebody may be playing its games, and with them come rounds.
    fn file(&self) -> Result<MutexGuard<'_, RunFile>> {
        let mut file = self.opened();
        file.follow()?;
        Ok(file)
    }

    /// True if all its games have been played.
    ///
    /// # Errors
    /// It cannot be read.
    pub(crate) fn is_complete(&self) -> Result<bool> {
        let run = self.file()?;
        let (tally, _) = run.tally()?;
        let done = run.plan.standings(&tally);
        Ok(done.games == done.planned)
    }

    fn find(&self, name: &str) -> Result<Option<(MutexGuard<'_, RunFile>, StoredGame)>> {
        let run = self.file()?;
        let Some(planned) = run.plan.pairings.game_called(name) else { return Ok(None) };
        let game = run.game(planned.index)?;
        Ok(game.map(|game| (run, game)))
    }

    fn list(&self, filter: &GameFilter) -> Result<GamesPage> {
        let run = self.file()?;
        let pairings = &run.plan.pairings;
        let mut page = GamesPage {
            agents: pairings.agents().map(|agent| pairings.name(agent).to_owned()).collect(),
            faults: self.reports.of(&run)?.faults.clone(),
            rules: run.plan.settings.rule_names(),
            looked_at: (0, run.games()?),
            is_sorted_here: true,
            ..GamesPage::default()
        };
        let (index, counted) = (self.index.of(&run)?, self.index.counted());
        if index.is_none() && filter.needs_figures() {
            // While a run is played, its figures are those of a moment ago.
            self.index.renew(run.path().to_owned())?;
        }
        match (index, &counted) {
            (_, Some(counted)) if filter.needs_figures() => find_by_figures(&run, filter, counted, &mut page)?,
            _ if filter.needs_figures() => page.is_counting = true,
            (Some(index), _) => find(&run, filter, &index, &mut page)?,
            (None, _) => look_through(&run, filter, &mut page)?,
        }
        add_figures(&run, counted.as_deref(), &mut page)?;
        let highlights = counted.iter().flat_map(|counted| &counted.highlights);
        let shown = highlights.filter(|_| filter.is_open() && filter.from == 0);
        page.highlights = shown
            .map(|(figure, number, figures)| Highlight {
                figure: *figure,
                game: pairings.game(*number).id().0.to_string(),
                figures: *figures,
            })
            .collect();
        Ok(page)
    }
}

/// Finds the games of a page by their figures.
fn find_by_figures(run: &RunFile, filter: &GameFilter, counted: &CountedGames, page: &mut GamesPage) -> Result<()> {
    let place = usize::try_from(filter.from).unwrap_or(usize::MAX);
    // One more says that there is a next page.
    let numbers = counted.wanted(filter, run, place.saturating_add(PAGE_GAMES + 1));
    let first = match filter.order() {
        Some(_) => place,
        None => numbers.partition_point(|number| *number < filter.from),
    };
    page.looked_at.0 = page.looked_at.1;
    for (at, number) in numbers.iter().enumerate().skip(first) {
        if page.games.len() == PAGE_GAMES {
            page.next = Some(if filter.order().is_some() { at as u64 } else { *number });
            break;
        }
        if let Some(game) = run.game(*number)? {
            let row = row_of(run, &game.planned, &game.result, &game.faults);
            page.games.extend(Some(row).filter(|row| is_wanted(filter, row)));
        }
    }
    Ok(())
}

/// Adds the figures of the games of a page: those that have been counted, and others as far as there is time.
fn add_figures(run: &RunFile, counted: Option<&CountedGames>, page: &mut GamesPage) -> Result<()> {
    let (begin, mut counter) = (Instant::now(), FigureCounter::default());
    for row in &mut page.games {
        let Some(planned) = run.plan.pairings.game_called(&row.name) else { continue };
        row.figures = counted.and_then(|counted| counted.of(planned.index));
        if row.figures.is_none()
            && begin.elapsed() < COUNTS_FOR
            && let Some(game) = run.game(planned.index)?
        {
            // What is wrong with a game its own page says.
            row.figures = game.game_log(&run.plan).ok().and_then(|log| counter.count(&log).ok());
        }
    }
    Ok(())
}

/// Finds the games of a page by an index.
fn find(run: &RunFile, filter: &GameFilter, index: &GameIndex, page: &mut GamesPage) -> Result<()> {
    let begin = Instant::now();
    for (number, may_be_wanted) in index.numbers(filter, run) {
        let takes_long = page.looked_at.0.is_multiple_of(1024) && begin.elapsed() > FINDS_FOR;
        if takes_long || (may_be_wanted && page.games.len() == PAGE_GAMES) {
            page.next = Some(number);
            break;
        }
        page.looked_at.0 += 1;
        if may_be_wanted && let Some(game) = run.game(number)? {
            page.games.extend(
                Some(row_of(run, &game.planned, &game.result, &game.faults)).filter(|row| is_wanted(filter, row)),
            );
        }
    }
    Ok(())
}

/// Looks for the games of a page in the file, for a while.
fn look_through(run: &RunFile, filter: &GameFilter, page: &mut GamesPage) -> Result<()> {
    let pairings = &run.plan.pairings;
    let lengths = filter.range(Figure::Moves);
    let (begin, mut failed) = (Instant::now(), None);
    run.results_from(filter.from, |planned, finished| {
        let takes_long = page.looked_at.0 > 0 && begin.elapsed() > LOOKS_FOR;
        if page.games.len() == PAGE_GAMES || takes_long || failed.is_some() {
            page.next = Some(finished.index);
            return ControlFlow::Break(());
        }
        page.looked_at.0 += 1;
        let agents: Vec<&str> = planned.agents.iter().map(|agent| pairings.name(*agent)).collect();
        if may_be_wanted(filter, &planned.id().0, &agents) {
            let row = row_of(run, planned, &finished.result, &finished.faults);
            let has_length = |index: u64| -> Result<bool> {
                let Some(lengths) = &lengths else { return Ok(true) };
                let moves = run.game(index)?.map(|game| game.actions()).transpose()?;
                Ok(moves.is_some_and(|moves| lengths.contains(&moves)))
            };
            if is_wanted(filter, &row) {
                match has_length(finished.index) {
                    Ok(true) => page.games.push(row),
                    Ok(false) => {}
                    Err(error) => failed = Some(error),
                }
            }
        }
        ControlFlow::Continue(())
    })?;
    failed.map_or(Ok(()), Err)
}

fn row_of(run: &RunFile, planned: &PlannedGame, result: &GameResult, faults: &[FaultCounts]) -> GameRow {
    let pairings = &run.plan.pairings;
    let agents: Vec<&str> = planned.agents.iter().map(|agent| pairings.name(*agent)).collect();
    let rules = run.plan.rule_name_of(planned).unwrap_or_default();
    row(&planned.id().0, &rules, &agents, result, faults)
}

impl PageSource for RunPages {
    fn overview(&self) -> Result<Overview, NotShown> {
        let run = self.file().map_err(trouble)?;
        Ok(Overview::Run(self.reports.of(&run).map_err(trouble)?))
    }

    fn games(&self, filter: &GameFilter) -> Result<GamesPage, NotShown> {
        self.list(filter).map_err(trouble)
    }

    fn game(&self, name: &str) -> Result<Option<LoadedGame>, NotShown> {
        let Some((run, game)) = self.find(name).map_err(trouble)? else { return Ok(None) };
        let log = game.game_log(&run.plan).map_err(trouble)?;
        let rules = run.plan.rule_name_of(&game.planned);
        let path = run.path().to_owned();
        drop(run);
        let said = if self.hands == Hands::Open { judged(&path, game.digest) } else { None };
        let story = Story::with(&log, self.hands).map_err(|error| error.to_string());
        Ok(Some(LoadedGame { story: story.map(|story| story.commented(said.as_ref())), wrong: None, rules }))
    }

    fn picture(&self, name: &str, moment: WantedMoment) -> Result<Option<String>, NotShown> {
        let Some((run, game)) = self.find(name).map_err(trouble)? else { return Ok(None) };
        let log = game.game_log(&run.plan).map_err(trouble)?;
        drop(run);
        moment_picture(&log, self.hands, moment).map(Some).map_err(|error| NotShown(error.to_string()))
    }

    fn beside(&self, name: &str) -> Result<GamesBeside, NotShown> {
        let run = self.file().map_err(trouble)?;
        let pairings = &run.plan.pairings;
        let Some(own) = pairings.game_called(name) else { return Ok(GamesBeside::default()) };
        let finished = |number: u64| -> Result<Option<PlannedGame>, NotShown> {
            if number >= pairings.len() {
                return Ok(None);
            }
            let game = run.game(number).map_err(trouble)?;
            Ok(game.map(|game| game.planned))
        };
        let name = |game: PlannedGame| game.id().0.to_string();
        let before = own.index.checked_sub(1).map(finished).transpose()?.flatten().map(name);
        let after = finished(own.index + 1)?.map(name);
        // The rotations of a deal stand in a row.
        let seats = pairings.seats() as u64;
        let mut same_deal = Vec::new();
        for number in own.index.saturating_sub(seats - 1)..own.index + seats {
            if number != own.index && number < pairings.len() && pairings.game(number).deal == own.deal {
                same_deal.extend(finished(number)?.map(name));
            }
        }
        Ok(GamesBeside { before, after, same_deal })
    }

    fn record(&self, name: &str) -> Result<Option<Vec<u8>>, NotShown> {
        if self.hands == Hands::Closed {
            return Ok(None);
        }
        let Some((run, game)) = self.find(name).map_err(trouble)? else { return Ok(None) };
        game.record(&run.plan).map(Some).map_err(trouble)
    }

    fn seeds(&self, from: u64) -> Result<Option<SeedsPage>, NotShown> {
        let run = self.file().map_err(trouble)?;
        let (tally, _) = run.tally().map_err(trouble)?;
        let mut opened = run.plan.opened_seeds(&tally, from);
        let row = |(_, OpenedSeed { game, deal: _, id, commitment, seed })| SeedRow {
            game,
            id: id.0.to_string(),
            commitment,
            seed: seed.to_string(),
        };
        let seeds = opened.by_ref().take(PAGE_SEEDS).map(row).collect();
        Ok(Some(SeedsPage { seeds, next: opened.next().map(|(number, _)| number) }))
    }

    fn rule_sets(&self) -> Vec<(String, String)> {
        let run = self.opened();
        let settings = &run.plan.settings;
        let own = settings.rule_names().into_iter().zip(settings.rules.iter().map(|set| set.title.to_string()));
        let mut sets: Vec<(String, String)> = own.collect();
        for other in rules::built_in_sets() {
            if !sets.iter().any(|(name, _)| *name == other.0) {
                sets.push(other);
            }
        }
        sets
    }

    fn rules(&self, set: &str) -> Result<Option<RulesPage>, NotShown> {
        let run = self.opened();
        let settings = &run.plan.settings;
        if let Some(place) = settings.rule_names().iter().position(|name| *name == *set) {
            return Ok(Some(rules::played(&settings.rules[place], &settings.league.time, settings.league.seats)));
        }
        rules::built_in_set(set)
    }
}

#[cfg(test)]
mod tests {
    use maumau_protocol::Seat;
    use maumau_protocol::fault::ConductFault;

    use super::*;
    use crate::trial;
    use crate::trial::game_with_a_fault;
    use maumau_run::run_store::{RunStore, RunWriter, log_codec};

    #[test]
    fn games_of_rounds_that_came_later_are_shown() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("trial.maumau");
        let mut settings = trial::settings();
        settings.league.format = maumau_tournament::Format::Sample;
        settings.league.games_per_pairing = 2;
        settings.league.stop.games = Some(1_000);
        let (mut writer, _) = RunWriter::open(&path, |_| Ok(settings)).expect("a run");
        let run = RunPages::open(&path, Hands::Open).expect("a run");
        let (mut scheduler, _) = writer.scheduler().expect("a scheduler");
        for _ in 0..2 {
            let before = scheduler.plan().len();
            let maumau_tournament::NextRound::Round(round) = scheduler.advance() else { panic!("a round") };
            writer.add_rounds(&[round]).expect("room");
            let plan = scheduler.plan();
            let mut games = trial::games(plan.len()).split_off(before as usize);
            for game in &mut games {
                game.planned = plan.game(game.number());
                game.log = log_codec::pack(&game_with_a_fault().inputs).expect("a log");
            }
            writer.add(&games).expect("games");
            let names: Vec<String> = (before..plan.len()).map(|number| plan.game(number).id().0.to_string()).collect();
            let filter = GameFilter { from: before, ..GameFilter::default() };
            let listed = run.list(&filter).expect("a list").games;
            let shown = &names[..names.len().min(PAGE_GAMES)];
            assert_eq!(listed.iter().map(|game| game.name.clone()).collect::<Vec<_>>(), shown);
            for name in &names {
                assert!(run.find(name).expect("a run").is_some(), "{name}");
            }
        }
    }

    #[test]
    fn an_index_finds_the_games_that_are_found_without_one() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("trial.maumau");
        let (mut writer, _) = RunWriter::open(&path, |_| Ok(trial::settings())).expect("a run");
        let inputs = game_with_a_fault().inputs;
        let mut games = trial::games(60);
        for (at, game) in games.iter_mut().enumerate() {
            // Games of different lengths, with faults here and there.
            game.log = log_codec::pack(&inputs[..inputs.len() - at % 9]).expect("a log");
            if at % 4 == 0 {
                game.faults[at / 4 % 2].add(ConductFault::NotJson);
            }
            if at % 10 == 0 {
                game.result.unwon = 1;
                game.result.dismissed = vec![Seat::new(1).expect("a seat")];
            }
        }
        writer.add(&games).expect("games");
        drop(writer);
        let run = RunPages::open(&path, Hands::Open).expect("a run");
        let file = RunFile::open(&path).expect("a run");
        let names: Vec<&str> = file.plan.pairings.agents().map(|agent| file.plan.pairings.name(agent)).collect();
        let texts = |texts: &[&str]| texts.iter().map(ToString::to_string).collect::<Vec<_>>();
        let mut agents = texts(&names);
        agents.extend(texts(&["", "nobody"]));
        let length = games[2].actions().expect("a log").to_string();
        let between = format!("{length}-{length}");
        let mut filters = Vec::new();
        for agent in &agents {
            for against in &agents {
                for place in texts(&["", "1", "2", "x"]) {
                    for fault in texts(&["", "any", "dismissed", "not_json", "slow", "unwon"]) {
                        let (agent, against, place) = (agent.clone(), against.clone(), place.clone());
                        filters.push(GameFilter { agent, against, place, fault, ..GameFilter::default() });
                    }
                }
            }
        }
        for (seat, moves, name, rules, from) in [
            ("0", "", "", "", 0),
            ("9", "", "", "", 0),
            ("", "1", "", "", 3),
            ("", &*length, "", "", 0),
            ("", &*between, "", "", 0),
            ("", "100000", "", "", 0),
            ("", "", "d0001", "", 0),
            ("", "", "", "no such set", 0),
            ("", "", "", &*file.plan.settings.rule_names()[0], 7),
        ] {
            let [seat, moves, name, rules] = [seat, moves, name, rules].map(str::to_owned);
            filters.push(GameFilter { seat, moves, name, rules, from, ..GameFilter::default() });
        }
        // A list that broke off, which a busy machine makes, goes on until its page is full.
        let list = |filter: &GameFilter| {
            let (mut filter, mut found) = (filter.clone(), Vec::new());
            loop {
                let page = run.list(&filter).expect("a list");
                found.extend(page.games.into_iter().map(|game| game.name));
                let Some(next) = page.next else { return found };
                filter.from = next;
            }
        };
        let without: Vec<_> = filters.iter().map(list).collect();
        run.index.make(&path).expect("an index");
        assert!(run.index.of(&file).expect("a run").is_some());
        for (filter, expected) in filters.iter().zip(&without) {
            assert_eq!(list(filter), *expected, "{filter:?}");
        }
        assert!(without.iter().any(|found| found.len() == 60) && without.iter().any(Vec::is_empty));
    }

    #[test]
    fn games_are_listed_by_their_figures_once_these_are_counted() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("trial.maumau");
        let (mut writer, _) = RunWriter::open(&path, |_| Ok(trial::settings())).expect("a run");
        let inputs = game_with_a_fault().inputs;
        let mut games = trial::games(60);
        for (at, game) in games.iter_mut().enumerate() {
            game.log = log_codec::pack(&inputs[..inputs.len() - at % 9]).expect("a log");
        }
        writer.add(&games).expect("games");
        drop(writer);
        let run = RunPages::open(&path, Hands::Open).expect("a run");
        run.index.make(&path).expect("an index");
        run.index.count(&path).expect("figures");
        let list = |sort: &str, moves: &str| {
            let mut filter = GameFilter { sort: sort.to_owned(), moves: moves.to_owned(), ..GameFilter::default() };
            let mut found: Vec<(String, u32)> = Vec::new();
            loop {
                let page = run.list(&filter).expect("a list");
                assert!(page.games.len() <= PAGE_GAMES && !page.is_counting);
                found.extend(page.games.into_iter().map(|row| (row.name, row.figures.expect("counted").moves)));
                let Some(next) = page.next else { return found };
                filter.from = next;
            }
        };
        let plan = list("", "");
        assert_eq!(plan.len(), 60);
        let sorted = |ascends: bool| {
            let mut games = plan.clone();
            games.sort_by_key(|(_, moves)| if ascends { i64::from(*moves) } else { -i64::from(*moves) });
            games
        };
        assert_eq!(
            (list("moves", ""), list("-moves", "")),
            (sorted(false), sorted(true)),
            "equal games as in the plan"
        );
        let (least, most) = (sorted(true)[0].1, sorted(false)[0].1);
        assert!(least < most);
        assert!(list("moves", &format!("{most}")).iter().all(|(_, moves)| *moves == most));
        let highlights = run.list(&GameFilter::default()).expect("a list").highlights;
        let longest = highlights.iter().find(|found| found.figure == Figure::Moves).expect("a longest game");
        assert_eq!((&longest.game, longest.figures.moves), (&sorted(false)[0].0, most));
    }

    #[test]
    fn a_game_leads_to_those_beside_it() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("trial.maumau");
        let (mut writer, _) = RunWriter::open(&path, |_| Ok(trial::settings())).expect("a run");
        let mut games = trial::games(5);
        games.remove(3);
        writer.add(&games).expect("games");
        let run = RunPages::open(&path, Hands::Open).expect("a run");
        let names: Vec<String> = games.iter().map(StoredGame::id).collect();
        let beside = |at: usize| run.beside(&names[at]).expect("a run");
        assert_eq!((beside(0).before, beside(0).after), (None, Some(names[1].clone())));
        assert_eq!((beside(2).before, beside(2).after), (Some(names[1].clone()), None), "the next one is not finished");
        let deal = |at: usize| games[at].planned.deal;
        for at in 0..names.len() {
            let same = (0..names.len()).filter(|other| *other != at && deal(*other) == deal(at));
            assert_eq!(beside(at).same_deal, same.map(|other| names[other].clone()).collect::<Vec<_>>());
        }
        assert!(!beside(0).same_deal.is_empty());
        assert_eq!(run.beside("no-game").expect("a run"), GamesBeside::default());
    }
}
