//! What a server shows, as a trait: the arena implements it over run files and records. Nothing here reads a file.

use std::sync::Arc;

use maumau_referee::GameFigures;

use crate::game::{Story, WantedMoment};
use crate::live::{LiveGame, LiveTables};
use crate::report::RunReport;

pub use crate::address::{Figure, GameFilter, GameOrder};

/// Why something cannot be shown: a sentence for the reader of a page.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NotShown(pub String);

/// What is shown. Every method may read files.
pub trait PageSource: Send + Sync {
    /// What the first page is about.
    ///
    /// # Errors
    /// The run cannot be read.
    fn overview(&self) -> Result<Overview, NotShown>;

    /// A page of the games that `filter` lets through.
    ///
    /// # Errors
    /// The games cannot be read.
    fn games(&self, filter: &GameFilter) -> Result<GamesPage, NotShown>;

    /// The game of this name; `None` if it does not exist or is not finished.
    ///
    /// # Errors
    /// It cannot be read.
    fn game(&self, name: &str) -> Result<Option<LoadedGame>, NotShown>;

    /// A picture of a moment of a finished game, or of the moves that lead to it, as SVG; `None` as in [`PageSource::game`].
    ///
    /// # Errors
    /// The game cannot be read, or does not verify.
    fn picture(&self, name: &str, moment: WantedMoment) -> Result<Option<String>, NotShown>;

    /// The games beside a finished one, for ways from page to page.
    ///
    /// # Errors
    /// They cannot be read.
    fn beside(&self, name: &str) -> Result<GamesBeside, NotShown>;

    /// The record of a game.
    ///
    /// # Errors
    /// It cannot be read.
    fn record(&self, name: &str) -> Result<Option<Vec<u8>>, NotShown>;

    /// A page of the seeds of deals that are done, from the game number `from` on; `None` if nothing has been dealt by a run.
    ///
    /// # Errors
    /// The run cannot be read.
    fn seeds(&self, from: u64) -> Result<Option<SeedsPage>, NotShown>;

    /// The names and titles of rule sets that can be explained.
    fn rule_sets(&self) -> Vec<(String, String)>;

    /// A rule set in words.
    ///
    /// # Errors
    /// Its file cannot be read.
    fn rules(&self, set: &str) -> Result<Option<RulesPage>, NotShown>;
}

/// What is being played.
pub trait LiveSource: Send + Sync {
    /// The games in play, for those who look at them all.
    fn tables(&self) -> &LiveTables;

    /// A game in play of this name, from now on watched; `None` if there is none.
    fn watch(&self, game: &str) -> Option<Arc<LiveGame>>;

    /// Sends viewers what has happened since the last call. It is called again and again while somebody looks.
    fn narrate(&self);
}

/// The machines that share a run.
pub trait Workers: Send + Sync {
    /// How they are now.
    ///
    /// # Errors
    /// Nobody can say.
    fn now(&self) -> Result<WorkersPage, NotShown>;
}

/// Runs that are shared, and the machines that play them.
#[derive(Clone, Debug, Default)]
pub struct WorkersPage {
    /// The runs, the oldest first.
    pub runs: Vec<SharedRun>,
    /// The workers by their names.
    pub workers: Vec<WorkerRow>,
}

/// A run that is shared. Texts are text, never markup.
#[derive(Clone, Debug, Default)]
pub struct SharedRun {
    /// Its name.
    pub name: String,
    /// Units with results.
    pub results: u64,
    /// All units; absent if they follow from rounds.
    pub units: Option<u64>,
    /// Units that wait for a worker.
    pub waiting: u64,
    /// Units in workers' hands.
    pub in_hand: u64,
    /// Units that are late: the unit, its worker, the seconds that it has been there.
    pub late: Vec<(u64, String, u64)>,
    /// Units that have failed: the unit, true if it is parked, what happened.
    pub failed: Vec<(u64, bool, String)>,
}

/// A worker in a list. Texts are text, never markup.
#[derive(Clone, Debug, Default)]
pub struct WorkerRow {
    /// Its name.
    pub name: String,
    /// The class of its processors.
    pub class: String,
    /// What it does.
    pub state: String,
    /// For how many seconds it has said nothing, if that is too long.
    pub silent_s: Option<u64>,
    /// Games a second over the last seconds.
    pub games_per_s: String,
    /// Games handed in.
    pub games: u64,
    /// Units in hand.
    pub in_hand: u64,
    /// The load of the machine.
    pub load: String,
    /// Deadlines that did not count because the host was to blame, and all deadlines.
    pub void: u64,
    /// As `void`.
    pub deadlines: u64,
    /// Runs that it does not play, and why.
    pub refuses: Vec<(String, String)>,
}

/// What the first page is about.
pub enum Overview {
    /// A run.
    Run(Arc<RunReport>),
    /// Games that are being played.
    Live,
    /// Records.
    Records,
    /// Rules and documents alone.
    Nothing,
}

/// A page of games.
#[derive(Clone, Debug, Default)]
pub struct GamesPage {
    /// The games.
    pub games: Vec<GameRow>,
    /// The games that have been looked at, and how many there are.
    pub looked_at: (u64, u64),
    /// Where the next page begins, if games are left.
    pub next: Option<u64>,
    /// The agents that may be chosen.
    pub agents: Vec<String>,
    /// The kinds of faults that may be chosen.
    pub faults: Vec<String>,
    /// The rule sets that may be chosen.
    pub rules: Vec<String>,
    /// True if another order or condition is answered from all games; otherwise a page sorts what it holds.
    pub is_sorted_here: bool,
    /// True while figures that were asked for are being counted.
    pub is_counting: bool,
    /// Games worth watching.
    pub highlights: Vec<Highlight>,
}

/// A game worth watching.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Highlight {
    /// The figure of which no game has more.
    pub figure: Figure,
    /// The game.
    pub game: String,
    /// Its figures.
    pub figures: GameFigures,
}

impl Highlight {
    /// The figures that make a game worth watching.
    pub const FIGURES: [Figure; 5] =
        [Figure::LeadChanges, Figure::Comeback, Figure::Penalties, Figure::Interjections, Figure::Moves];
}

/// The finished games beside one.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct GamesBeside {
    /// The game before it.
    pub before: Option<String>,
    /// The game after it.
    pub after: Option<String>,
    /// Games of the same deal, in which the agents sat elsewhere.
    pub same_deal: Vec<String>,
}

impl GamesBeside {
    /// Leaves out those that are not wanted.
    pub fn keep(&mut self, is_wanted: &dyn Fn(&str) -> bool) {
        self.before = self.before.take().filter(|game| is_wanted(game));
        self.after = self.after.take().filter(|game| is_wanted(game));
        self.same_deal.retain(|game| is_wanted(game));
    }
}

/// A page of seeds and what they were committed to.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SeedsPage {
    /// Games of deals that are done.
    pub seeds: Vec<SeedRow>,
    /// The number of the game with which the next page begins, if there are more.
    pub next: Option<u64>,
}

/// A game of a deal that is done.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SeedRow {
    /// Its name in the run.
    pub game: String,
    /// Its name as agents know it.
    pub id: String,
    /// What its `start` committed to.
    pub commitment: String,
    /// The seed of its deal.
    pub seed: String,
}

/// A game in a list.
#[derive(Clone, Debug)]
pub struct GameRow {
    /// Its name, which leads to it.
    pub name: String,
    /// Its rule set, if it can be read.
    pub rules: String,
    /// Its rounds that no seat has won.
    pub unwon: u32,
    /// Its figures, if they have been counted.
    pub figures: Option<GameFigures>,
    /// Its seats, or why it cannot be shown.
    pub seats: Result<Vec<ListedSeat>, String>,
}

/// A seat of a game in a list.
#[derive(Clone, Debug)]
pub struct ListedSeat {
    /// The agent: text, never markup.
    pub agent: String,
    /// Its place, from 1.
    pub place: u8,
    /// Its points.
    pub points: i32,
    /// Its faults: how many of which kind.
    pub faults: Vec<(String, u32)>,
    /// True if it was dismissed.
    pub is_dismissed: bool,
}

/// A game to be shown.
pub struct LoadedGame {
    /// Its story, or why there is none.
    pub story: Result<Story, String>,
    /// Why it is shown only up to a point, if it is.
    pub wrong: Option<String>,
    /// The name of its rule set, if that can be explained.
    pub rules: Option<String>,
}

/// A rule set in words.
#[derive(Clone, Debug)]
pub struct RulesPage {
    /// Its title.
    pub title: String,
    /// What it says.
    pub passages: Vec<RulePassage>,
}

/// A part of a rule set in words. Sentences come with the ids of the clauses that they state.
#[derive(Clone, Debug)]
pub enum RulePassage {
    /// It stands over what follows.
    Heading(String),
    /// Sentences.
    Paragraph(Vec<(String, Vec<String>)>),
    /// An item of a list.
    Item(Vec<(String, Vec<String>)>),
}
