//! The data in the page of a game: each frame's sentences, and what it changes on the table, for each pair of eyes.
//!
//! The form belongs to the page that it is sent with (`viewer/story.js` reads it) and promises nothing to others; programs read
//! `maumau replay --format json`. Texts of others go in as they are: the page shows them as text.

use std::collections::{BTreeMap, BTreeSet};

use maumau_engine::rules::law;
use maumau_protocol::{Faces, Pack, Seat};
use maumau_referee::record::Header;
use maumau_referee::story::{Commentary, DecisionComment, DecisionMark, KeyMoment, Piece, SeatBalance, crashes_of};
use maumau_referee::{GameLog, ReplayError};
use serde::Serialize;
use serde_json::Value;

use super::frames::{CommonFrame, Hands, PageFrame, PageFramer, SeenFrame, piece};
use crate::cards;
use crate::table::DrawingMeasures;

/// A game as the viewer gets it.
#[derive(Debug, Serialize)]
pub struct Story {
    /// The name of the game, as its agents know it.
    pub game: String,
    /// Its name in the list that leads to it, if it comes from one.
    #[serde(skip)]
    pub(super) called: Option<String>,
    /// The title of its rules.
    pub rules: String,
    /// The word for the last card but one.
    word: String,
    /// The agents by seat: text, never markup.
    pub names: Vec<String>,
    /// Places by seat, 1 for the first; empty if they are not known.
    pub places: Vec<u8>,
    #[serde(skip)]
    pub(super) pack: Pack,
    #[serde(skip)]
    pub(super) faces: Faces,
    stages: BTreeMap<&'static str, DrawingMeasures>,
    cards: BTreeMap<String, CardWords>,
    /// What the clauses say that its lines rest on; of a game that is being played, all that they may come to rest on.
    clauses: BTreeMap<String, String>,
    frames: Vec<CommonFrame>,
    /// What each pair of eyes sees: the referee's, then those of each seat; or only a spectator's.
    eyes: Vec<Vec<SeenFrame>>,
    /// What a judge says of it, if its hands are open.
    #[serde(skip_serializing_if = "Option::is_none")]
    judged: Option<ShownCommentary>,
    /// What is said where a judge says nothing of any decision.
    #[serde(skip)]
    not_judged: Option<String>,
}

/// A commentary as the viewer gets it.
#[derive(Debug, Serialize)]
struct ShownCommentary {
    judge: String,
    comments: Vec<ShownComment>,
    moments: Vec<ShownMoment>,
    balances: Vec<ShownBalance>,
}

#[derive(Debug, Serialize)]
struct ShownBalance {
    seat: Seat,
    pieces: Vec<Value>,
}

#[derive(Debug, Serialize)]
struct ShownComment {
    number: u32,
    seat: Seat,
    #[serde(skip_serializing_if = "Option::is_none")]
    mark: Option<&'static str>,
    /// In thousandths.
    worth: u32,
    pieces: Vec<Value>,
}

#[derive(Debug, Serialize)]
struct ShownMoment {
    number: u32,
    seat: Seat,
    pieces: Vec<Value>,
}

#[derive(Debug, Serialize)]
pub(crate) struct CardWords {
    name: String,
    short: String,
}

impl Story {
    /// The whole game with open hands.
    ///
    /// # Errors
    /// The log does not fit its header.
    pub fn new(log: &GameLog) -> Result<Story, ReplayError> {
        Story::with(log, Hands::Open)
    }

    /// The whole game.
    ///
    /// # Errors
    /// The log does not fit its header, or its table has no place for a spectator.
    pub fn with(log: &GameLog, hands: Hands) -> Result<Story, ReplayError> {
        let mut framer = PageFramer::new(&log.header, hands)?;
        let mut story = Story { places: log.result.places.clone(), ..Story::begun(&log.header, framer.eyes()) };
        for (logged, crashes) in log.inputs.iter().zip(crashes_of(&log.inputs)) {
            story.extend(framer.take(logged, &crashes)?);
        }
        story.extend(Some(framer.open_frame(false)));
        story.clauses = clause_words(story.cited());
        Ok(story)
    }

    fn extend(&mut self, added: impl IntoIterator<Item = PageFrame>) {
        for PageFrame { frame, seen } in added {
            self.frames.push(frame);
            self.eyes.iter_mut().zip(seen).for_each(|(eyes, seen)| eyes.push(seen));
        }
    }

    /// A game of which nothing is shown yet, for `eyes` pairs of eyes.
    pub(super) fn begun(header: &Header, eyes: usize) -> Story {
        let seats = header.names.len();
        Story {
            game: header.game.0.to_string(),
            called: None,
            rules: header.rules.title.to_string(),
            word: header.rules.duties.mau.as_ref().map_or_else(String::new, |mau| mau.word.clone()),
            names: header.names.clone(),
            places: Vec::new(),
            stages: BTreeMap::from([("wide", DrawingMeasures::wide(seats)), ("tall", DrawingMeasures::tall(seats))]),
            pack: header.rules.deck.pack,
            faces: header.rules.deck.faces,
            cards: card_words(&[header.rules.deck.pack], header.rules.deck.faces),
            clauses: clause_words(citable(header)),
            frames: Vec::new(),
            eyes: (0..eyes).map(|_| Vec::new()).collect(),
            judged: None,
            not_judged: None,
        }
    }

    /// The clauses that its lines cite, for all eyes.
    fn cited(&self) -> BTreeSet<String> {
        let lines = self.eyes.iter().flatten().flat_map(|seen| seen.lines.iter().flatten());
        let clauses = lines.filter_map(|line| line.get("clauses")?.as_array()).flatten();
        clauses.filter_map(|id| Some(id.as_str()?.to_owned())).collect()
    }

    /// The same with its name in the list that leads to it.
    pub fn called(self, name: &str) -> Story {
        Story { called: Some(name.to_owned()), ..self }
    }

    /// The same with what a judge says of it. A page without open hands gets none of that: it says what seats held.
    pub fn commented(mut self, said: Option<&Commentary>) -> Story {
        let said = said.filter(|_| self.is_open());
        self.not_judged = said.filter(|said| said.comments.is_empty()).map(|said| said.judge.clone());
        self.judged = said.filter(|said| !said.comments.is_empty()).map(|said| ShownCommentary::new(said, self.faces));
        self
    }

    /// Whether a judge says something of its decisions.
    pub(super) fn is_judged(&self) -> bool {
        self.judged.is_some()
    }

    /// Why a judge says nothing, if that is known.
    pub(super) fn not_judged(&self) -> Option<&str> {
        self.not_judged.as_deref()
    }

    /// True if it shows what the referee sees.
    pub(super) fn is_open(&self) -> bool {
        self.eyes.len() > 1
    }

    /// The number of frames.
    #[expect(clippy::len_without_is_empty, reason = "a finished game begins with a deal")]
    pub fn len(&self) -> usize {
        self.frames.len()
    }

    /// As JSON that can stand between the tags of a `script` element.
    ///
    /// # Errors
    /// It has no JSON form.
    pub fn to_script_json(&self) -> serde_json::Result<String> {
        to_script_json(self)
    }
}

impl ShownCommentary {
    fn new(said: &Commentary, faces: Faces) -> ShownCommentary {
        let pieces = |words: &[Piece]| words.iter().map(|own| piece(own, faces)).collect();
        let comment = |comment: &DecisionComment| ShownComment {
            number: comment.number.0,
            seat: comment.seat,
            mark: comment.mark.map(DecisionMark::name),
            worth: (comment.worth.clamp(0.0, 1.0) * 1000.0).round() as u32,
            pieces: pieces(&comment.words),
        };
        let moment = |moment: &KeyMoment| ShownMoment {
            number: moment.number.0,
            seat: moment.seat,
            pieces: pieces(&moment.words),
        };
        let balance = |balance: &SeatBalance| ShownBalance { seat: balance.seat, pieces: pieces(&balance.words) };
        ShownCommentary {
            judge: said.judge.clone(),
            comments: said.comments.iter().map(comment).collect(),
            moments: said.moments.iter().map(moment).collect(),
            balances: said.balances.iter().map(balance).collect(),
        }
    }
}

/// As JSON that can stand between the tags of a `script` element.
///
/// # Errors
/// It has no JSON form.
pub(crate) fn to_script_json(value: &impl Serialize) -> serde_json::Result<String> {
    // Nothing but a text holds these characters in JSON.
    Ok(serde_json::to_string(value)?.replace('<', "\\u003c").replace('>', "\\u003e").replace('&', "\\u0026"))
}

/// What clauses say, by their ids; those of house rules, which the law does not have, are left out.
fn clause_words(ids: impl IntoIterator<Item = String>) -> BTreeMap<String, String> {
    ids.into_iter().filter_map(|id| law::clause(&id).map(|clause| (id, clause.text()))).collect()
}

/// The clauses that lines of a game may cite: those that its rule set names, and the common conventions.
fn citable(header: &Header) -> BTreeSet<String> {
    let common = law::clauses().iter().map(|clause| clause.id).filter(|id| id.starts_with("G-"));
    let rules = serde_json::to_string(&header.rules).unwrap_or_default();
    common.chain(law::cited(&rules).map(|(_, id)| id)).map(str::to_owned).collect()
}

/// How cards are called, by the code of their symbol.
pub(crate) fn card_words(packs: &[Pack], faces: Faces) -> BTreeMap<String, CardWords> {
    let words = |card| CardWords { name: faces.card(card), short: faces.short(card) };
    cards::all_of(packs).into_iter().map(|card| (cards::code(card), words(card))).collect()
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use maumau_engine::Rules;
    use maumau_engine::rules::{all_sets, load_built_in};
    use maumau_referee::local_game::FirstLegal;

    use maumau_referee::record::MoveNumber;
    use maumau_referee::story::{for_each_position, frames};
    use serde_json::Map;

    use super::*;
    use crate::table::Scene;

    fn game(set: &str) -> GameLog {
        let loaded = load_built_in(set, &[]).expect("a built-in set").set;
        let rules = Rules::for_table(&Arc::new(loaded), 3, Some(1)).expect("a table");
        FirstLegal::new(Arc::new(rules), Vec::new()).play(7).expect("a game").0
    }

    /// Adds up the differences, as the page does.
    fn scenes(seen: &[SeenFrame]) -> Vec<Value> {
        let mut scene = Map::new();
        let add = |seen: &SeenFrame| {
            for (member, value) in &seen.scene {
                match (scene.get_mut(member), value) {
                    (Some(Value::Array(old)), Value::Array(new)) if matches!(member.as_str(), "hands" | "sealed") => {
                        old.iter_mut()
                            .zip(new)
                            .filter(|(_, new)| !new.is_null())
                            .for_each(|(old, new)| old.clone_from(new));
                    }
                    _ => _ = scene.insert(member.clone(), value.clone()),
                }
            }
            Value::Object(scene.clone())
        };
        seen.iter().map(add).collect()
    }

    #[test]
    fn differences_add_up_to_every_scene_of_every_pair_of_eyes() {
        for set in all_sets() {
            let log = game(set.name);
            let story = Story::new(&log).expect("a sound log");
            for (eyes, seen) in [None].into_iter().chain(Seat::all(3).map(Some)).zip(&story.eyes) {
                let mut expected = Vec::new();
                for_each_position(&log, &frames(&log, eyes).expect("a story"), eyes, |_, position| {
                    expected.push(
                        serde_json::to_value(Scene::new(position, eyes, &story.names, story.faces)).expect("JSON"),
                    );
                    Ok::<(), ReplayError>(())
                })
                .expect("a sound log");
                assert_eq!(scenes(seen), expected, "{}", set.name);
                assert_eq!(seen.len(), story.frames.len());
            }
        }
    }

    #[test]
    fn a_story_brings_the_words_of_every_clause_that_it_cites() {
        for set in all_sets() {
            let log = game(set.name);
            let story = Story::new(&log).expect("a sound log");
            let begun = Story::begun(&log.header, 1);
            for id in story.cited() {
                assert_eq!(story.clauses.get(&id), begun.clauses.get(&id), "{} {id}", set.name);
                assert!(story.clauses.get(&id).is_some_and(|words| words.len() > 10), "{} {id}", set.name);
            }
            assert_eq!(story.clauses.len(), story.cited().len(), "{}", set.name);
        }
    }

    #[test]
    fn no_text_ends_the_script_that_it_stands_in() {
        let mut log = game("basic");
        log.header.names[0] = "</script><!--<script>".to_owned();
        let json = Story::new(&log).expect("a sound log").to_script_json().expect("JSON");
        assert!(!json.contains(['<', '>', '&']));
        let read: Value = serde_json::from_str(&json).expect("JSON");
        assert_eq!(read["names"][0], "</script><!--<script>");
    }

    #[test]
    fn what_a_judge_says_is_on_pages_with_open_hands_alone() {
        let log = game("basic");
        let comment = DecisionComment {
            number: MoveNumber(3),
            seat: Seat::FIRST,
            mark: Some(DecisionMark::Mistake),
            worth: 0.4999,
            words: vec!["Mistake: to play ".into(), "8C".parse::<maumau_protocol::Card>().expect("a card").into()],
        };
        let moment = KeyMoment { number: MoveNumber(3), seat: Seat::FIRST, words: vec!["</script>".into()] };
        let balance = SeatBalance { seat: Seat::FIRST, words: vec![Seat::FIRST.into(), ": 48 % at first".into()] };
        let said = Commentary {
            judge: "quick".to_owned(),
            comments: vec![comment],
            moments: vec![moment],
            balances: vec![balance],
        };
        let read = |hands: Hands, said: Option<&Commentary>| -> Value {
            let story = Story::with(&log, hands).expect("a sound log").commented(said);
            let json = story.to_script_json().expect("JSON");
            assert!(!json.contains('<'));
            serde_json::from_str(&json).expect("JSON")
        };
        let judged = &read(Hands::Open, Some(&said))["judged"];
        assert_eq!(judged["comments"][0]["mark"], "mistake");
        assert_eq!((&judged["comments"][0]["worth"], &judged["moments"][0]["number"]), (&500.into(), &3.into()));
        assert_eq!(judged["comments"][0]["pieces"][1]["card"], "8C");
        assert_eq!(
            (&judged["balances"][0]["seat"], judged["balances"][0]["pieces"].as_array().map(Vec::len)),
            (&0.into(), Some(2))
        );
        let nothing = Commentary { judge: "of another engine".to_owned(), ..Commentary::default() };
        let story = Story::new(&log).expect("a sound log").commented(Some(&nothing));
        assert_eq!((story.is_judged(), story.not_judged()), (false, Some("of another engine")));
        for other in [read(Hands::Closed, Some(&said)), read(Hands::Open, None)] {
            assert_eq!(other.get("judged"), None);
        }
    }
}
