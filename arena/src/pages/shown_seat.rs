//! A person's seat as its page shows it: the lines of the story, how the table lies after each, and what the person can do now, made
//! from the messages that the seat is sent. It sends nothing and reads no clock.

use std::collections::BTreeMap;
use std::sync::Arc;

use anyhow::{Context, Result};
use maumau_agents::person::{Advice, PersonGame, PersonNews, SeenPlay, When};
use maumau_engine::Game;
use maumau_protocol::message::{ArenaMessage, ClockMode, Fault, Start};
use maumau_protocol::{Action, Choice, Faces, Pending, Reach, RuleFault, Seat, SeatSet, SeenEvent, Suit, Verb, View};
use maumau_referee::story::{About, Level, Line, Piece, SeatStoryWriter, StoryPosition, Tone, fault_name};
use maumau_rulebook::{Passage, Rulebook};
use maumau_web::game::line_json;
use maumau_web::table::Scene;
use serde::Serialize;
use serde_json::{Value, json};

/// The bot that is asked for hints.
const ADVISER: &str = "greedy";

/// Words that are kept of the last things said, to be shown as bubbles.
const BUBBLES: usize = 4;

/// What a page is sent.
#[derive(Clone, Debug)]
pub(super) enum SentToPage {
    /// A line of the story.
    Line(Value),
    /// How the table lies after the lines before.
    Moment(Value),
    /// What the person sees and can do now; a newer one takes its place.
    State(Value),
}

/// The seat of a person.
pub(super) struct ShownSeat {
    pub(super) table: PersonGame,
    writer: Option<SeatStoryWriter>,
    /// What each clause of the rules says that has not been explained yet: a person reads it once.
    clauses: BTreeMap<String, String>,
    rules: String,
    played: Option<usize>,
    said: Vec<(usize, String)>,
    /// Who has won the round that ends, and what each hand counted.
    sheet: Sheet,
    /// A play of several cards that does not fit and was chosen once: a second time it is played.
    doubted: Option<Verb>,
    sent: Vec<SentToPage>,
}

/// The score sheet of a round.
#[derive(Default, Serialize)]
struct Sheet {
    winners: SeatSet,
    /// Points of this round and in all, by seat; none where no hand was counted.
    points: Vec<(Seat, i32, i32)>,
}

impl ShownSeat {
    /// A seat before its first game. `clock` is what `hello` says.
    pub(super) fn new(clock: ClockMode) -> ShownSeat {
        ShownSeat {
            table: PersonGame::new(clock),
            writer: None,
            clauses: BTreeMap::new(),
            rules: String::new(),
            played: None,
            said: Vec::new(),
            sheet: Sheet::default(),
            doubted: None,
            sent: Vec::new(),
        }
    }

    /// What the page has not been sent yet, in order.
    pub(super) fn take_sent(&mut self) -> Vec<SentToPage> {
        std::mem::take(&mut self.sent)
    }

    /// Takes a message that came at `now_ms`. [`ShownSeat::show`] adds what can be done after it.
    pub(super) fn hear(&mut self, message: ArenaMessage, now_ms: u64) {
        self.hear_of(message, None, now_ms);
    }

    /// The same where it tells of `play`, with the game before it, its seat, its action, and the game after it; by itself a seat
    /// knows the plays that it can follow.
    pub(super) fn hear_of(&mut self, message: ArenaMessage, play: Option<(&Game, Seat, &Action, &Game)>, now_ms: u64) {
        // Only an ask says how the whole table lies.
        let is_ask = matches!(message, ArenaMessage::Ask(_));
        let news = self.table.hear(message, now_ms);
        self.doubted = self.doubted.take().filter(|_| news.is_empty());
        let has_happened = news.iter().any(|news| matches!(news, PersonNews::Happened(_)));
        if has_happened {
            (self.played, self.said) = (None, Vec::new());
        }
        if let Some(writer) = &mut self.writer {
            let plays = self.table.seen_plays().iter();
            let plays = plays.map(|SeenPlay { before, seat, action, after }| (before, *seat, action, after));
            writer.expect(plays.chain(play));
        }
        for news in news {
            self.narrate(news);
        }
        if has_happened && is_ask {
            self.add_moment(self.table.view().clone(), None);
        }
    }

    fn narrate(&mut self, news: PersonNews) {
        let line = match news {
            PersonNews::Started => {
                self.begin();
                return;
            }
            PersonNews::Happened(event) => {
                match &event {
                    SeenEvent::Played { seat, .. } => self.played = Some(seat.index()),
                    SeenEvent::Said { seat, text, .. } if self.said.len() < BUBBLES => {
                        self.said.push((seat.index(), text.as_str().to_owned()));
                    }
                    SeenEvent::RoundOver { winners, .. } => {
                        self.sheet = Sheet { winners: *winners, points: Vec::new() };
                    }
                    SeenEvent::Scored { seat, points, total, .. } => self.sheet.points.push((*seat, *points, *total)),
                    _ => {}
                }
                self.writer.as_mut().and_then(|writer| writer.line(&event))
            }
            PersonNews::RoundOver(view) => {
                let sheet = std::mem::take(&mut self.sheet);
                self.add_moment(*view, Some(sheet));
                (self.played, self.said) = (None, Vec::new());
                return;
            }
            PersonNews::Fault(fault) => Some(fault_line(&fault)),
            PersonNews::Over => None,
            // The end of the match has been said.
            PersonNews::Bye(_) if self.table.over().is_some() => None,
            PersonNews::Bye(reason) => Some(own_line(About::Game, vec![Piece::Foreign(Tone::Aside, reason)])),
        };
        if let Some(line) = line {
            self.add_line(&line);
        }
    }

    /// A game begins.
    fn begin(&mut self) {
        let Some(Start { names, rules: Some(set), time, .. }) = self.table.start() else { return };
        self.writer = Some(SeatStoryWriter::new(Arc::clone(set), names.len()));
        self.rules = set.title.to_string();
        self.clauses.clear();
        for passage in Rulebook::new(set, time, Some(names.len())).passages() {
            let (Passage::Paragraph(said) | Passage::Item(said)) = passage else { continue };
            for (sentence, clauses) in said {
                for clause in clauses {
                    let text = self.clauses.entry(clause).or_default();
                    text.push_str(if text.is_empty() { "" } else { " " });
                    text.push_str(&sentence);
                }
            }
        }
    }

    /// What the cards of the game look like.
    fn faces(&self) -> Faces {
        faces(&self.table)
    }

    /// Adds a line of the story, and what its clauses say if it is about a mistake.
    pub(super) fn add_line(&mut self, line: &Line) {
        let mut json = line_json(line, false);
        if matches!(line.about, About::RuleFault | About::Fault | About::Late) {
            // Clauses that are said by one sentence are explained by it once.
            let mut explained: Vec<(String, String)> = Vec::new();
            for id in &line.clauses {
                let Some(text) = self.clauses.remove(id) else { continue };
                match explained.iter_mut().find(|(_, said)| *said == text) {
                    Some((ids, _)) => *ids += &format!(" {id}"),
                    None => explained.push((id.clone(), text)),
                }
            }
            json["explained"] = explained.into_iter().map(|(ids, text)| json!({ "id": ids, "text": text })).collect();
        }
        let names = self.table.start().map(|start| &start.names);
        let entry = json!({ "names": names, "faces": self.faces(), "line": json });
        self.sent.push(SentToPage::Line(entry));
    }

    /// Adds how the table lies after what was sent last, and the score sheet if a round is over.
    fn add_moment(&mut self, view: View, sheet: Option<Sheet>) {
        let Some(start) = self.table.start().filter(|_| !view.hands.is_empty()) else { return };
        let scene =
            Scene::new(StoryPosition::Seen(Box::new(view)), Some(self.table.seat()), &start.names, self.faces());
        let moment = json!({ "scene": scene, "played": self.played, "said": self.said, "sheet": sheet });
        let entry = json!({ "names": start.names, "faces": self.faces(), "moment": moment });
        self.sent.push(SentToPage::Moment(entry));
    }

    /// Adds what the person sees and can do at `now_ms`.
    pub(super) fn show(&mut self, now_ms: u64) {
        let Some(start) = self.table.start() else { return };
        let table = &self.table;
        let (names, seat) = (&start.names, table.seat());
        let has_view = !table.view().hands.is_empty();
        let faces = self.faces();
        let position = || StoryPosition::Seen(Box::new(table.view().clone()));
        let scene = has_view.then(|| Scene::new(position(), Some(seat), names, faces));
        let hand = table.hand().into_iter().map(|held| {
            let costs = |card, choice: &Option<Choice>| choice.map_or(0, |choice| table.naming_costs(card, choice));
            let of =
                |choices: &[Option<Choice>]| choices.iter().map(|choice| costs(held.card, choice)).collect::<Vec<_>>();
            let others = held.stands_for.iter().map(|(card, choices)| json!({ "card": card, "choices": choices }));
            json!({
                "card": held.card, "choices": held.choices, "as_last": held.as_last, "as": others.collect::<Vec<_>>(),
                "costs": of(&held.choices), "cost": held.cost.map(|cost| cost.in_words(faces)),
            })
        });
        let words = table.words().into_iter().map(|word| {
            let cards: Vec<_> = match word.when {
                When::Now | When::Leaving(_) => Vec::new(),
                When::With(cards) => cards.iter().collect(),
            };
            let leaves = match word.when {
                When::Leaving(left) => Some(left),
                When::Now | When::With(_) => None,
            };
            json!({ "text": word.text, "now": word.when == When::Now, "cards": cards, "leaves": leaves })
        });
        let labelled = |verb: Verb| json!({ "label": label(&verb, names, table), "verb": verb });
        let mistakes =
            table.callable().map(|fault| json!({ "fault": fault.name(), "label": mistake(fault.name(), table) }));
        let calls = table.calls().into_iter().map(|(against, fault)| labelled(Verb::Call { against, fault }));
        let owed = table.owed_take().map(|from| label(&Verb::Take { from }, names, table));
        let running = table
            .running(now_ms)
            .map(|running| json!({ "seat": running.seat, "left_ms": running.left_ms, "of_ms": running.of_ms }));
        let over = table.over().map(|over| json!({ "places": over.result.places, "points": over.result.points }));
        let state = json!({
            "names": names,
            "faces": faces,
            "seat": seat,
            "rules": self.rules,
            "rule_set": start.rule_set,
            "word": start.rules.as_ref().and_then(|rules| rules.duties.mau.as_ref()).map(|mau| &mau.word),
            "clock": table.clock(),
            "scene": scene,
            "played": self.played,
            "said": self.said,
            "hand": hand.collect::<Vec<_>>(),
            "words": words.collect::<Vec<_>>(),
            "moves": table.moves().into_iter().map(labelled).collect::<Vec<_>>(),
            "calls": calls.collect::<Vec<_>>(),
            "owed": owed,
            "unfit": if table.must_move() && is_plain(table.view()) { "does not fit" } else { "may not be played now" },
            "owed_costs": start.rules.as_ref().map_or(0, |rules| rules.calls.cards),
            "mistakes": mistakes.collect::<Vec<_>>(),
            "unlisted": table.unlisted().into_iter().map(labelled).collect::<Vec<_>>(),
            "ask": table.ask().map(|ask| ask.id),
            "can_answer": table.ask().is_some(),
            "must_move": table.must_move(),
            "may_decline": table.may_decline(),
            "may_interject": table.may_interject(),
            "plays_several": table.plays_several(),
            "leaves_open": table.leaves_open(),
            "running": running,
            "over": over,
        });
        self.sent.push(SentToPage::State(state));
    }

    /// Warns once of a play of several cards that the rules do not allow, as a page warns of a single card; `true` if it has.
    pub(super) fn warns_of(&mut self, action: &Action) -> bool {
        let Verb::PlayTogether { cards, .. } = &action.verb else { return false };
        if self.doubted.as_ref() == Some(&action.verb) || self.table.may_play(action) != Some(false) {
            return false;
        }
        let mut pieces: Vec<Piece> = Vec::new();
        cards.iter().for_each(|card| pieces.extend([Piece::from(*card), " ".into()]));
        pieces.push(if cards.len() > 1 { "may not be played together now" } else { "may not be left open now" }.into());
        pieces.push("; choose the same again to play them anyway.".into());
        self.doubted = Some(action.verb.clone());
        self.add_line(&own_line(About::Note, pieces));
        true
    }

    /// Says what a bot would do, and why.
    pub(super) fn hint(&mut self) -> Result<()> {
        let advice = self.table.advice(ADVISER).context("the bot that is asked for hints")?;
        let Some(Advice { action, reasons }) = advice else { return Ok(()) };
        let names = self.table.start().map(|start| start.names.clone()).unwrap_or_default();
        let faces = self.faces();
        let mut pieces = vec![Piece::from(format!("Hint: {ADVISER} would "))];
        match action.verb {
            Verb::Play { card, choose } => {
                pieces.extend(["play ".into(), card.into()]);
                pieces.extend(
                    choose.map(|choice| Piece::from(format!(" and name {}", choice_label(&choice, &names, faces)))),
                );
            }
            Verb::PlayAs { card, stands_for, choose } => {
                pieces.extend(["play ".into(), card.into(), " as ".into(), stands_for.into()]);
                pieces.extend(
                    choose.map(|choice| Piece::from(format!(" and name {}", choice_label(&choice, &names, faces)))),
                );
            }
            Verb::Wait => pieces.push("do nothing now".into()),
            verb => {
                let label = label(&verb, &names, &self.table);
                let first = label.chars().next().map(|first| first.to_lowercase().to_string()).unwrap_or_default();
                pieces.push(format!("{first}{}", label.chars().skip(1).collect::<String>()).into());
            }
        }
        pieces.push(".".into());
        pieces.extend(reasons.into_iter().map(|why| Piece::from(format!(" {why}"))));
        // Words are not part of it: to think of them is the game.
        self.add_line(&own_line(About::Note, pieces));
        Ok(())
    }
}

/// Whether the seat to move is asked for a card that fits, and for nothing else.
fn is_plain(view: &View) -> bool {
    let Pending { draw, challenge, joker, skip, request, choose, drawn, .. } = &view.pending;
    *draw == 0
        && challenge.is_none()
        && joker.is_none()
        && *skip == 0
        && request.is_none()
        && choose.is_none()
        && *drawn == 0
}

/// A line that no event has brought.
pub(super) fn own_line(about: About, pieces: Vec<Piece>) -> Line {
    Line::new(Level::Main, about, None, pieces)
}

/// What was wrong, and what it cost.
fn fault_line(fault: &Fault) -> Line {
    let price = match fault.cards {
        0 => String::new(),
        1 => " It costs a card.".to_owned(),
        cards => format!(" It costs {cards} cards."),
    };
    let strikes = match fault.strikes {
        0 => String::new(),
        strikes => format!(" That is strike {strikes}."),
    };
    let words = format!("{}.{price}{strikes}", fault.message.trim_end_matches('.'));
    let line = own_line(About::RuleFault, vec![Piece::Foreign(Tone::Fault, words)]);
    Line { clauses: vec![fault.clause.clone()], ..line }
}

/// A mistake in the words of the rules.
fn mistake(name: &str, table: &PersonGame) -> String {
    let rules = table.start().and_then(|start| start.rules.as_ref());
    let known = RuleFault::from_name(name).zip(rules).map(|(fault, set)| fault_name(fault, set).into_owned());
    known.unwrap_or_else(|| name.replace('_', " "))
}

fn faces(table: &PersonGame) -> Faces {
    table.start().map_or(Faces::French, Start::faces)
}

pub(super) fn choice_label(choice: &Choice, names: &[String], faces: Faces) -> String {
    match choice {
        Choice::Suit(suit) => format!("{} {}", faces.sign(*suit), faces.suit(*suit)),
        Choice::Rank(rank) => faces.ranks(*rank),
        Choice::Seat(seat) => names.get(seat.index()).cloned().unwrap_or_default(),
    }
}

/// A move in words.
pub(super) fn label(verb: &Verb, names: &[String], table: &PersonGame) -> String {
    let name = |seat: &maumau_protocol::Seat| names.get(seat.index()).map_or("?", String::as_str);
    let faces = faces(table);
    match verb {
        Verb::Draw => match table.view().pending.draw {
            0 | 1 => "Draw a card".to_owned(),
            cards => format!("Draw the {cards} cards you owe"),
        },
        Verb::Pass => "Pass".to_owned(),
        Verb::Challenge => match table.challenge_costs() {
            Some(cards) => format!("Challenge the card (if it was right, you draw {cards})"),
            None => "Challenge the card".to_owned(),
        },
        Verb::Say { text } => match Suit::ALL.into_iter().find(|suit| suit.name() == text.as_str()) {
            Some(suit) => format!("State {}", choice_label(&Choice::Suit(suit), names, faces)),
            None => format!("Say “{}”", text.as_str()),
        },
        Verb::Call { against, fault } => {
            format!("Call {}: {}", name(against), mistake(fault.as_str(), table))
        }
        Verb::Choose(choice) => format!("Name {}", choice_label(choice, names, faces)),
        Verb::ChooseRule { rule } => match table.rule_about(rule.as_str()) {
            Some(about) => format!("Add the rule: {}", about.trim_end_matches('.')),
            None => format!("Add the rule “{}”", rule.as_str().replace('_', " ")),
        },
        Verb::Take { from } => format!("Take a card from {}", name(from)),
        Verb::Deal { to } => format!("Deal {} card{}", to.len(), if to.len() == 1 { "" } else { "s" }),
        Verb::DealPenalties => "Deal the penalty cards".to_owned(),
        Verb::TurnUp => "Turn up the first card".to_owned(),
        Verb::Look => "Look at your cards".to_owned(),
        Verb::Reach { r#for: Reach::Draw } => "Reach for the draw pile".to_owned(),
        Verb::Reach { r#for: Reach::Play } => "Reach for the discard pile".to_owned(),
        Verb::Glare { at } => format!("Glare at {}", name(at)),
        Verb::PointOfOrder => "Point of order".to_owned(),
        Verb::EndPointOfOrder => "End your point of order".to_owned(),
        Verb::Count => "Count down from ten".to_owned(),
        Verb::PickUp => "Pick up the cards".to_owned(),
        Verb::Wait => "Let it pass".to_owned(),
        Verb::Play { card, .. } => format!("Play {}", faces.short(*card)),
        Verb::PlayAs { card, stands_for, .. } => format!("Play {} as {}", faces.short(*card), faces.short(*stands_for)),
        Verb::PlayTogether { cards, close, .. } => {
            let cards: Vec<String> = cards.iter().map(|card| faces.short(*card)).collect();
            let open = if *close { "" } else { ", leaving the run open" };
            format!("Play {}{open}", cards.join(" "))
        }
    }
}
