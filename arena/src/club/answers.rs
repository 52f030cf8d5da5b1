//! What a club answers under `/api/1`, as JSON. `arena/docs/club.schema.json` describes it, and a test holds both together.

use maumau_club::VersionState;
use serde::{Deserialize, Serialize};

use super::store::{StoredEvent, StoredTrial, StoredVersion, now_s};

/// The schema of all answers.
pub(crate) const SCHEMA: &str = include_str!("../../docs/club.schema.json");

/// A row of the ladder.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct LadderRow {
    pub(crate) agent: String,
    pub(crate) games: u64,
    pub(crate) rating: Option<f64>,
    pub(crate) low: Option<f64>,
    pub(crate) high: Option<f64>,
    pub(crate) ranks: Option<Vec<u64>>,
    pub(crate) retired: bool,
}

impl LadderRow {
    /// True for a house bot: a version that was sent has a number.
    pub(crate) fn is_house(&self) -> bool {
        !self.agent.contains('@')
    }

    /// The row of an agent that has not played yet.
    pub(crate) fn new(agent: String) -> LadderRow {
        LadderRow { agent, games: 0, rating: None, low: None, high: None, ranks: None, retired: false }
    }
}

/// A version, for its team and the organiser.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct VersionAnswer {
    pub(crate) id: i64,
    pub(crate) agent: String,
    pub(crate) team: String,
    pub(crate) state: String,
    pub(crate) reason: String,
    pub(crate) run: String,
    /// The commands that build it, a line each; empty if it is played as it was sent.
    pub(crate) build: String,
    /// The versions of the compilers that built it, a line each.
    pub(crate) compilers: String,
    pub(crate) archive: String,
    pub(crate) age_s: u64,
    /// Its place in the line for checks, the first one 1; absent if it does not wait.
    pub(crate) place: Option<usize>,
    /// Rated games so far.
    pub(crate) games: u64,
    /// The newest event when this was said: what is new comes after it.
    pub(crate) event: i64,
}

impl VersionAnswer {
    /// What is said of `version` after `event`, whose turn comes as `line` says, and whose games are in `ladder`.
    pub(crate) fn of(version: &StoredVersion, event: i64, line: &[i64], ladder: &[LadderRow]) -> VersionAnswer {
        let agent = version.agent();
        let games = ladder.iter().find(|row| row.agent == agent).map_or(0, |row| row.games);
        VersionAnswer {
            id: version.id,
            team: version.team.clone(),
            state: version.state.name().to_owned(),
            reason: version.reason.clone(),
            run: version.run.clone(),
            build: version.build.clone(),
            compilers: version.compilers.clone(),
            archive: version.sha.clone(),
            age_s: now_s().saturating_sub(version.sent_s),
            place: line.iter().position(|id| *id == version.id).map(|before| before + 1),
            games,
            event,
            agent,
        }
    }

    /// True if it is a version of `bot`.
    pub(crate) fn is_of(&self, bot: &str) -> bool {
        self.agent.rsplit_once('@').is_some_and(|(name, _)| name == bot)
    }

    /// Its state.
    pub(crate) fn state(&self) -> Option<VersionState> {
        VersionState::named(&self.state)
    }
}

/// A version that does not play yet, as everybody sees it.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct QueueRow {
    pub(crate) agent: String,
    pub(crate) state: String,
    pub(crate) place: Option<usize>,
    pub(crate) age_s: u64,
    pub(crate) in_state_s: u64,
}

impl QueueRow {
    /// What everybody may know of `version`.
    pub(crate) fn of(version: &StoredVersion, line: &[i64]) -> QueueRow {
        QueueRow {
            agent: version.agent(),
            state: version.state.name().to_owned(),
            place: line.iter().position(|id| *id == version.id).map(|before| before + 1),
            age_s: now_s().saturating_sub(version.sent_s),
            in_state_s: now_s().saturating_sub(version.since_s),
        }
    }
}

/// The last games of a version, for its team and the organiser.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct GamesAnswer {
    /// Of how many games that is said.
    pub(crate) of: usize,
    /// Those in which it came out worst, the worst first.
    pub(crate) worst: Vec<VersionGameRow>,
    /// Its faults, the most frequent first.
    pub(crate) faults: Vec<VersionFaultRow>,
}

/// A game in a list.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct VersionGameRow {
    pub(crate) game: String,
    pub(crate) agents: Vec<String>,
    pub(crate) places: Vec<u8>,
    pub(crate) faults: u64,
}

/// A kind of fault.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct VersionFaultRow {
    pub(crate) fault: String,
    pub(crate) times: u64,
    pub(crate) last: String,
}

/// A trial, for its team and the organiser.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct TrialAnswer {
    pub(crate) id: i64,
    pub(crate) team: String,
    pub(crate) agents: Vec<String>,
    pub(crate) games: u32,
    pub(crate) state: String,
    pub(crate) reason: String,
    pub(crate) age_s: u64,
    /// What came of its games so far.
    pub(crate) ladder: Vec<LadderRow>,
    /// The game of the season that it plays again.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) game: Option<String>,
    /// The chapter of that game.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) chapter: Option<u32>,
}

impl TrialAnswer {
    /// What is said of `trial`, of whose games came `ladder`.
    pub(crate) fn of(trial: &StoredTrial, ladder: Vec<LadderRow>) -> TrialAnswer {
        TrialAnswer {
            id: trial.id,
            team: trial.team.clone(),
            agents: trial.agents.clone(),
            games: trial.games,
            state: trial.state.name().to_owned(),
            reason: trial.reason.clone(),
            age_s: now_s().saturating_sub(trial.asked_s),
            ladder,
            game: trial.rerun.as_ref().map(|game| game.name.clone()),
            chapter: trial.rerun.as_ref().map(|game| game.chapter),
        }
    }
}

/// An event.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct EventAnswer {
    pub(crate) id: i64,
    pub(crate) at_s: u64,
    /// The version that it is about.
    pub(crate) version: Option<i64>,
    /// The member who did it, for organisers; absent if the club itself did, or its organiser at the command line.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) who: Option<String>,
    pub(crate) what: String,
}

impl EventAnswer {
    /// What is said of an event, with who did it if `names_actors`.
    pub(crate) fn of(event: StoredEvent, names_actors: bool) -> EventAnswer {
        let StoredEvent { id, at_s, version, who, what } = event;
        EventAnswer { id, at_s, version, who: Some(who).filter(|who| names_actors && !who.is_empty()), what }
    }
}

/// What a new member is given.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct TokenAnswer {
    pub(crate) member: String,
    pub(crate) token: String,
}

/// A new invitation.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct InvitationAnswer {
    pub(crate) link: String,
}

/// Why a request was refused.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct RefusalAnswer {
    pub(crate) error: String,
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::super::store::PastGame;
    use super::*;

    #[test]
    fn every_answer_has_exactly_the_members_of_the_schema() {
        let schema: Value = serde_json::from_str(SCHEMA).expect("JSON");
        let version = StoredVersion {
            id: 1,
            bot: "bot".into(),
            team: "ann".into(),
            number: 2,
            sha: "ab".repeat(32),
            run: "./bot".into(),
            build: "make".into(),
            built: "ef".repeat(32),
            compilers: "make: GNU Make 4.3\n".into(),
            answers: String::new(),
            state: VersionState::Waiting,
            reason: String::new(),
            tries: 0,
            sent_s: 1,
            since_s: 1,
            began_s: 0,
            is_held: false,
            is_pruned: false,
        };
        let row = LadderRow {
            agent: "bot@2".into(),
            games: 3,
            rating: Some(1.5),
            low: None,
            high: None,
            ranks: Some(vec![1, 2]),
            retired: false,
        };
        let rows = std::slice::from_ref(&row);
        let answers = [
            ("version", json!(VersionAnswer::of(&version, 4, &[7, 1], rows))),
            ("ladder", json!([row])),
            ("queue", json!([QueueRow::of(&version, &[1])])),
            (
                "events",
                json!([EventAnswer { id: 1, at_s: 2, version: Some(1), who: Some("olga".into()), what: "x".into() }]),
            ),
            ("games", {
                let row =
                    VersionGameRow { game: "g1".into(), agents: vec!["bot@2".into()], places: vec![1], faults: 0 };
                let group = VersionFaultRow { fault: "late".into(), times: 2, last: "g1".into() };
                json!(GamesAnswer { of: 1, worst: vec![row], faults: vec![group] })
            }),
            ("trial", {
                let (agents, state) = (vec!["bot@2".to_owned(), "greedy".to_owned()], maumau_club::TrialState::Done);
                let (team, reason) = ("ann".to_owned(), String::new());
                let rerun = Some(PastGame { chapter: 1, name: "g1".to_owned() });
                let trial = StoredTrial { id: 1, team, agents, games: 4, state, reason, asked_s: 1, rerun };
                json!(TrialAnswer::of(&trial, rows.to_vec()))
            }),
            ("token", json!(TokenAnswer { member: "ann".into(), token: "cd".repeat(16) })),
            ("invitation", json!(InvitationAnswer { link: "http://x/join/y".into() })),
            ("refusal", json!(RefusalAnswer { error: "no".into() })),
        ];
        for (name, mut answer) in answers {
            let mut of_one = schema.clone();
            of_one["$ref"] = json!(format!("#/$defs/{name}"));
            of_one.as_object_mut().expect("an object").remove("anyOf");
            let checks = jsonschema::validator_for(&of_one).expect("a schema");
            assert!(checks.is_valid(&answer), "{name}: {answer}");
            let one = if answer.is_array() { &mut answer[0] } else { &mut answer };
            one["other"] = json!(1);
            assert!(!checks.is_valid(&answer), "{name} is open");
        }
        assert_eq!(schema["$defs"].as_object().map(serde_json::Map::len), Some(9));
    }
}
