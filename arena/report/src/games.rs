//! The games of a run, one by one: the seating and the result. It reads the run file and returns text; nothing is
//! printed here.

use maumau_protocol::Seat;
use maumau_protocol::fault::FaultCounts;
use maumau_run::io::untrusted::Untrusted;
use maumau_run::run_store::{RunFile, StoredGame};
use maumau_web::report::{ListedGame, game_list};
use serde::Serialize;
use serde_json::json;

use super::tables::{Sheet, TableLook};

/// A list of games.
pub struct GameList {
    league: String,
    /// The agent whose games are listed, if only those are wanted.
    agent: Option<String>,
    games: Vec<Game>,
}

/// One game; the agents in seat order.
#[derive(Serialize)]
struct Game {
    game: String,
    seats: Vec<SeatResult>,
}

#[derive(Serialize)]
struct SeatResult {
    agent: String,
    place: u8,
    points: i32,
    rounds_won: u32,
    dismissed: bool,
    faults: FaultCounts,
}

impl GameList {
    /// The finished games of `run` in the order of its plan; with an `agent` only its own, those with its worst places first.
    ///
    /// # Errors
    /// The run file cannot be read.
    pub fn of(run: &RunFile, agent: Option<&str>) -> anyhow::Result<GameList> {
        let mut games = Vec::new();
        run.for_each_game(|game| {
            let game = Game::of(run, game);
            if agent.is_none_or(|agent| game.place_of(agent).is_some()) {
                games.push(game);
            }
            Ok(())
        })?;
        if let Some(agent) = agent {
            games.sort_by_key(|game| std::cmp::Reverse(game.place_of(agent)));
        }
        Ok(GameList { league: run.plan.settings.league.name.clone(), agent: agent.map(str::to_owned), games })
    }

    /// A table for people: each game with its agents ordered by place.
    pub fn draw(&self, look: TableLook) -> String {
        let mut sheet = Sheet::default();
        if let Some(agent) = &self.agent {
            sheet.number_column(agent);
        }
        sheet.text_column("game").text_column("places, and what went wrong").wrap_last();
        for game in &self.games {
            let place = self.agent.as_ref().map(|agent| game.place_of(agent).unwrap_or_default().to_string());
            sheet.row(place.into_iter().chain([game.game.clone(), game.places()]).collect());
        }
        sheet.draw(look)
    }

    /// The same as a page.
    pub fn html(&self) -> String {
        let shown = |text: &str| Untrusted::new(text).terminal();
        let listed = self.games.iter().map(|game| ListedGame {
            place: self.agent.as_ref().and_then(|agent| game.place_of(agent)),
            game: game.game.clone(),
            places: shown(&game.places()),
        });
        game_list(&shown(&self.league), self.agent.as_deref().map(shown).as_deref(), &listed.collect::<Vec<_>>())
    }

    /// A line for each seat of each game, as comma-separated values.
    pub fn csv(&self) -> String {
        let mut sheet = Sheet::default();
        sheet.text_column("game").number_column("seat").text_column("agent");
        ["place", "points", "rounds_won", "dismissed"].iter().for_each(|name| _ = sheet.number_column(name));
        sheet.text_column("faults");
        for game in &self.games {
            for (seat, result) in Seat::all(game.seats.len()).zip(&game.seats) {
                sheet.row(vec![
                    game.game.clone(),
                    seat.to_string(),
                    result.agent.clone(),
                    result.place.to_string(),
                    result.points.to_string(),
                    result.rounds_won.to_string(),
                    u8::from(result.dismissed).to_string(),
                    result.faults.list(" "),
                ]);
            }
        }
        sheet.csv()
    }

    /// Everything, as one JSON object on one line.
    pub fn json(&self) -> String {
        format!("{}\n", json!({"schema": "maumau-games/1", "league": self.league, "games": self.games}))
    }
}

/// What came of a game of `run`, in a line.
pub fn outcome_of(run: &RunFile, game: StoredGame) -> String {
    Game::of(run, game).places()
}

impl Game {
    fn of(run: &RunFile, game: StoredGame) -> Game {
        let planned = &game.planned;
        let result = &game.result;
        let seat = |(seat, agent): (Seat, maumau_tournament::AgentId)| SeatResult {
            agent: run.plan.pairings.name(agent).to_owned(),
            place: result.places[seat.index()],
            points: result.points[seat.index()],
            rounds_won: result.wins[seat.index()],
            dismissed: result.dismissed.contains(&seat),
            faults: game.faults[seat.index()].clone(),
        };
        Game { game: game.id(), seats: planned.seating().map(seat).collect() }
    }

    fn place_of(&self, agent: &str) -> Option<u8> {
        self.seats.iter().find(|seat| seat.agent == agent).map(|seat| seat.place)
    }

    /// `1 greedy, 2 first (2 slow), 3 random (dismissed: 1 gone)`.
    fn places(&self) -> String {
        let mut seats: Vec<&SeatResult> = self.seats.iter().collect();
        seats.sort_by_key(|seat| seat.place);
        let shown = |seat: &&SeatResult| match (seat.faults.is_empty(), seat.dismissed) {
            (true, false) => format!("{} {}", seat.place, seat.agent),
            (_, false) => format!("{} {} ({})", seat.place, seat.agent, seat.faults.list(" ")),
            (_, true) => format!("{} {} (dismissed: {})", seat.place, seat.agent, seat.faults.list(" ")),
        };
        seats.iter().map(shown).collect::<Vec<_>>().join(", ")
    }
}
