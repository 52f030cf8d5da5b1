//! Decisions as rows of whole numbers: the columns, the values of each decision, and what their codes mean. It knows no files.

use anyhow::Result;
use maumau_protocol::message::What;
use maumau_protocol::{Action, Card, Choice, Direction, MAX_SEATS, Pack, Rank, Reason, Seat, Suit, Verb};
use maumau_referee::story::DecisionMark;
use maumau_referee::{Decided, Decision};
use maumau_run::run_store::{RunFile, StoredGame};
use maumau_tournament::PlannedGame;
use serde_json::{Value, json};

use crate::commentary::decision_mark;
use crate::run_analysis::MeasuredDecision;

/// How many values a column has in a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Shape {
    One,
    Maybe,
    Many,
}

/// What the values of a column are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Meaning {
    Number,
    /// 1 or 0.
    Flag,
    /// The name of a rule set.
    Rules,
    Agent,
    Card,
    /// A suit or a value.
    Choice,
    What,
    Direction,
    Action,
    Word,
    Refused,
    /// The mark of a judged decision.
    Mark,
}

/// A column.
pub(super) struct Column {
    pub(super) name: &'static str,
    pub(super) shape: Shape,
    pub(super) meaning: Meaning,
}

const fn column(name: &'static str, shape: Shape, meaning: Meaning) -> Column {
    Column { name, shape, meaning }
}

/// The columns, in the order in which [`DecisionTable::add`] fills them; at the end those of judged decisions.
const COLUMNS: [Column; 40 + JUDGED] = [
    column("game", Shape::One, Meaning::Number),
    column("group", Shape::One, Meaning::Number),
    column("deal", Shape::One, Meaning::Number),
    column("rotation", Shape::One, Meaning::Number),
    column("rules", Shape::One, Meaning::Rules),
    column("round", Shape::One, Meaning::Number),
    column("tick", Shape::One, Meaning::Number),
    column("seat", Shape::One, Meaning::Number),
    column("agent", Shape::One, Meaning::Agent),
    column("what", Shape::One, Meaning::What),
    column("hand", Shape::Many, Meaning::Card),
    column("top", Shape::Maybe, Meaning::Card),
    column("visible", Shape::Maybe, Meaning::Card),
    column("turn", Shape::Maybe, Meaning::Number),
    column("direction", Shape::One, Meaning::Direction),
    column("hands", Shape::Many, Meaning::Number),
    column("draw_pile", Shape::One, Meaning::Number),
    column("owed", Shape::One, Meaning::Number),
    column("skip", Shape::One, Meaning::Number),
    column("suit", Shape::Maybe, Meaning::Choice),
    column("request", Shape::Maybe, Meaning::Choice),
    column("request_by", Shape::Maybe, Meaning::Number),
    column("again", Shape::Maybe, Meaning::Number),
    column("choose", Shape::Maybe, Meaning::Number),
    column("skip_victim", Shape::Maybe, Meaning::Number),
    column("take_from", Shape::Maybe, Meaning::Number),
    column("drawn", Shape::One, Meaning::Number),
    column("anything", Shape::One, Meaning::Flag),
    column("closing", Shape::One, Meaning::Flag),
    column("said_mau", Shape::Many, Meaning::Number),
    column("dealer", Shape::Maybe, Meaning::Number),
    column("points_before", Shape::Many, Meaning::Number),
    column("legal", Shape::Many, Meaning::Action),
    column("action", Shape::Maybe, Meaning::Action),
    column("said", Shape::Many, Meaning::Word),
    column("refused", Shape::Maybe, Meaning::Refused),
    column("took_us", Shape::Maybe, Meaning::Number),
    column("place", Shape::One, Meaning::Number),
    column("points", Shape::One, Meaning::Number),
    column("won", Shape::One, Meaning::Number),
    column("worth_ppm", Shape::Maybe, Meaning::Number),
    column("loss_ppm", Shape::Maybe, Meaning::Number),
    column("loss_error_ppm", Shape::Maybe, Meaning::Number),
    column("mark", Shape::Maybe, Meaning::Mark),
    column("best", Shape::Maybe, Meaning::Action),
];
/// How many columns are there only if games were judged.
const JUDGED: usize = 5;

/// The columns of a table: with those of judged decisions if there are any.
pub(super) fn columns(is_judged: bool) -> &'static [Column] {
    if is_judged { &COLUMNS } else { &COLUMNS[..COLUMNS.len() - JUDGED] }
}

/// The values of a column.
#[derive(Default)]
pub(super) struct Values {
    /// The values that are there, of all rows.
    pub(super) there: Vec<i32>,
    /// How many of them each row has, unless every row has one ([`Shape::One`]).
    pub(super) counts: Vec<u16>,
}

/// Rows by columns, and what their codes mean.
pub(super) struct DecisionTable {
    pub(super) columns: Vec<Values>,
    pub(super) rows: usize,
    pub(super) codes: Codes,
    is_judged: bool,
}

/// A row that is being filled.
struct Row<'a>(std::slice::IterMut<'a, Values>);

impl Row<'_> {
    /// There are as many columns as are filled: [`DecisionTable::add`] is the only caller.
    fn values(&mut self) -> &mut Values {
        self.0.next().expect("a column for every value")
    }

    fn one(&mut self, value: i32) {
        self.values().there.push(value);
    }

    fn maybe(&mut self, value: Option<i32>) {
        let values = self.values();
        values.there.extend(value);
        values.counts.push(value.is_some().into());
    }

    fn many(&mut self, list: impl Iterator<Item = i32>) {
        let values = self.values();
        let before = values.there.len();
        values.there.extend(list);
        values.counts.push((values.there.len() - before) as u16);
    }
}

impl DecisionTable {
    /// An empty one; with columns for judged decisions if `is_judged`.
    pub(super) fn new(run: &RunFile, is_judged: bool) -> DecisionTable {
        let columns = columns(is_judged).iter().map(|_| Values::default()).collect();
        DecisionTable { columns, rows: 0, codes: Codes::new(run), is_judged }
    }

    /// What its columns are.
    pub(super) fn described(&self) -> &'static [Column] {
        columns(self.is_judged)
    }

    pub(super) fn clear(&mut self) {
        for Values { there, counts } in &mut self.columns {
            there.clear();
            counts.clear();
        }
        self.rows = 0;
    }

    /// Adds the row of a decision, with what a judge found if it had a choice and was judged.
    pub(super) fn add(
        &mut self,
        game: &OfGame<'_>,
        tick: i32,
        decision: &Decision,
        decided: &Decided<'_>,
        judged: Option<&MeasuredDecision>,
    ) {
        let DecisionTable { columns, codes, rows, is_judged } = self;
        let (view, pending) = (&decision.view, &decision.view.pending);
        let seat = |seat: Seat| seat.index() as i32;
        let number = |number: u64| i32::try_from(number).unwrap_or(i32::MAX);
        let of_choice = |choice: Choice| choice_code(choice);
        let mut row = Row(columns.iter_mut());
        row.one(game.number);
        row.one(number(game.planned.deal.group.into()));
        row.one(number(game.planned.deal.deal.into()));
        row.one(number(game.planned.rotation.into()));
        row.one(game.rules);
        row.one(number(view.round.into()));
        row.one(tick);
        row.one(seat(decision.seat));
        row.one(game.planned.agents[decision.seat.index()].index() as i32);
        row.one(place_in(&What::ALL, decision.what));
        row.many(view.hand.iter().map(|card| card_code(*card)));
        row.maybe(view.top.map(card_code));
        row.maybe(view.visible.map(card_code));
        row.maybe(view.turn.map(seat));
        row.one(i32::from(view.direction != Direction::default()));
        row.many(view.hands.iter().map(|count| i32::from(*count)));
        row.one(view.draw_pile.into());
        row.one(pending.draw.into());
        row.one(pending.skip.into());
        row.maybe(pending.suit.map(|suit| of_choice(Choice::Suit(suit))));
        row.maybe(pending.request.map(|request| of_choice(request.names)));
        row.maybe(pending.request.map(|request| seat(request.by)));
        row.maybe(pending.again.map(seat));
        row.maybe(pending.choose.map(seat));
        row.maybe(pending.skip_victim.map(seat));
        row.maybe(pending.take.map(|order| seat(order.from)));
        row.one(pending.drawn.into());
        row.one(pending.anything.into());
        row.one(pending.closing.into());
        row.many(view.mau_said.iter().map(seat));
        row.maybe(view.dealer.map(seat));
        row.many(view.points.iter().copied());
        row.many(decision.legal.iter().map(|verb| codes.action(verb)));
        let (action, refused) = match decided {
            Decided::Act(action, refused) => (Some(*action), *refused),
            Decided::Silence => (None, None),
        };
        row.maybe(action.map(|action: &Action| codes.action(&action.verb)));
        row.many(action.into_iter().flat_map(|action| action.say.texts()).map(|word| codes.word(word.as_str())));
        row.maybe(refused.map(|reason| place_in(&Reason::ALL, reason)));
        row.maybe(decision.took_us.map(number));
        let at = decision.seat.index();
        row.one(game.stored.result.places[at].into());
        row.one(game.stored.result.points[at]);
        row.one(number(game.stored.result.wins[at].into()));
        if *is_judged {
            let ppm = |share: f64| (share * 1e6).round() as i32;
            row.maybe(judged.map(|judged| ppm(judged.worth)));
            row.maybe(judged.map(|judged| ppm(judged.loss)));
            row.maybe(judged.map(|judged| ppm(judged.error)));
            row.maybe(judged.and_then(decision_mark).map(|mark| place_in(&DecisionMark::ALL, mark)));
            row.maybe(judged.and_then(|judged| judged.best.as_ref()).map(|action| codes.action(&action.verb)));
        }
        debug_assert!(row.0.next().is_none(), "a value for every column");
        *rows += 1;
    }
}

/// What is the same in all rows of a game.
pub(super) struct OfGame<'a> {
    pub(super) number: i32,
    pub(super) rules: i32,
    pub(super) planned: &'a PlannedGame,
    pub(super) stored: &'a StoredGame,
}

fn place_in<T: PartialEq>(all: &[T], value: T) -> i32 {
    all.iter().position(|known| *known == value).map_or(-1, |place| place as i32)
}

fn choice_code(choice: Choice) -> i32 {
    match choice {
        Choice::Suit(suit) if suit.is_coloured() => (COLOURED_CHOICES + suit.index()) as i32,
        Choice::Suit(suit) => suit.index() as i32,
        Choice::Rank(rank) => match COLOURED_RANKS.iter().position(|letter| *letter == rank.letter()) {
            Some(place) => (COLOURED_CHOICES + Suit::ALL.len() + place) as i32,
            None => (Suit::ALL.len() + rank.index()) as i32,
        },
        Choice::Seat(seat) => (Suit::ALL.len() + Rank::COUNT + seat.index()) as i32,
    }
}

/// The number of card `card`: those of the French pack by their index, then those of the coloured packs.
fn card_code(card: Card) -> i32 {
    match Pack::French.cards().holds(card) {
        true => card.index() as i32,
        false => coloured_cards().position(|known| known == card).map_or(-1, |place| (Card::KINDS + place) as i32),
    }
}

/// The cards of the coloured packs: all of the first, and what only the other one has.
fn coloured_cards() -> impl Iterator<Item = Card> {
    let (first, second) = (Pack::Colours.cards(), Pack::Waterfall.cards());
    let only_second = second.iter().filter(move |card| !first.holds(*card));
    first.iter().filter(|card| !card.is_joker()).chain(only_second)
}

/// Ways to play a card: with nothing named, with a suit, with a value, with a seat.
const WAYS: usize = 1 + COLOURED_CHOICES + Suit::ALL.len() + COLOURED_RANKS.len();
/// Suits and values of the French pack and seats come first, then suits and values that only coloured packs have.
const COLOURED_CHOICES: usize = Suit::ALL.len() + Rank::COUNT + MAX_SEATS;
const COLOURED_RANKS: [char; 7] = ['0', '1', 'N', 'V', 'P', 'M', 'F'];
/// More than the numbers of cards.
const CARDS: usize = 256;

/// What codes mean. Actions and words get their codes in the order in which they are met.
pub(super) struct Codes {
    actions: Vec<Verb>,
    words: Vec<String>,
    agents: Vec<String>,
    rules: Vec<String>,
    /// The codes of plays by card and way; -1 for those that were not met.
    plays: Vec<i32>,
    /// The codes of other actions.
    others: Vec<i32>,
}

impl Codes {
    fn new(run: &RunFile) -> Codes {
        let agents = run.plan.settings.league.agents.iter().map(|agent| agent.record_name().to_owned()).collect();
        let rules = run.plan.settings.rule_names();
        let (actions, words, others) = (Vec::new(), Vec::new(), Vec::new());
        Codes { actions, words, agents, rules, plays: vec![-1; CARDS * WAYS], others }
    }

    fn action(&mut self, verb: &Verb) -> i32 {
        let next = self.actions.len() as i32;
        if let Verb::Play { card, choose } = *verb {
            let way = choose.map_or(0, |choice| 1 + choice_code(choice) as usize);
            let code = &mut self.plays[usize::from(card.number()) * WAYS + way];
            if *code < 0 {
                *code = next;
                self.actions.push(verb.clone());
            }
            return *code;
        }
        let known = self.others.iter().find(|code| self.actions[**code as usize] == *verb);
        known.copied().unwrap_or_else(|| {
            self.others.push(next);
            self.actions.push(verb.clone());
            next
        })
    }

    fn word(&mut self, word: &str) -> i32 {
        let known = self.words.iter().position(|known| known == word);
        known.unwrap_or_else(|| {
            self.words.push(word.to_owned());
            self.words.len() - 1
        }) as i32
    }

    /// The meanings of the codes of each kind, in order.
    pub(super) fn meanings(&self, meaning: Meaning) -> Result<Vec<Value>> {
        let named = |names: &[&str]| names.iter().map(|name| json!(name)).collect();
        Ok(match meaning {
            Meaning::Number | Meaning::Flag => Vec::new(),
            Meaning::Agent => self.agents.iter().map(|name| json!(name)).collect(),
            Meaning::Rules => self.rules.iter().map(|name| json!(name)).collect(),
            Meaning::Card => {
                Pack::French.cards().iter().chain(coloured_cards()).map(|card| json!(card.to_string())).collect()
            }
            Meaning::Choice => {
                let suits = Suit::ALL.iter().map(|suit| json!(suit.to_string()));
                let coloured = Pack::Colours.suits().map(|suit| json!(suit.to_string())).into_iter();
                let coloured = coloured.chain(COLOURED_RANKS.map(|rank| json!(rank.to_string())));
                suits.chain(Rank::all().map(|rank| json!(rank.to_string()))).chain(coloured).collect()
            }
            Meaning::What => named(&What::ALL.map(What::name)),
            Meaning::Direction => vec![json!("cw"), json!("ccw")],
            Meaning::Action => self.actions.iter().map(serde_json::to_value).collect::<Result<_, _>>()?,
            Meaning::Word => self.words.iter().map(|word| json!(word)).collect(),
            Meaning::Mark => named(&DecisionMark::ALL.map(DecisionMark::name)),
            Meaning::Refused => named(&Reason::ALL.map(Reason::name)),
        })
    }
}
