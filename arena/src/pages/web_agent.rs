//! `maumau agent web`: plays for a person on a page. It speaks the protocol on its pipes, like any other agent, and sends a
//! server's page of its seat what the person's table says. Whether a choice is right is the referee's to say.

use std::collections::BTreeMap;
use std::io::{BufRead, BufReader, Write};
use std::net::TcpStream;
use std::sync::{Arc, mpsc};
use std::time::Instant;

use anyhow::{Context, Result};
use maumau_agents::person::{Advice, PersonGame, PersonNews, SeenPlay, When, ready};
use maumau_protocol::message::{AgentMessage, ArenaMessage, ClockMode, Fault, Start};
use maumau_protocol::{Action, Choice, Faces, Reach, RuleFault, Seat, SeatSet, SeenEvent, Suit, Verb, View, wire};
use maumau_referee::story::{About, Level, Line, Piece, SeatStoryWriter, StoryPosition, Tone, fault_name};
use maumau_rulebook::{Passage, Rulebook};
use maumau_run::error::usage;
use maumau_web::game::line_json;
use maumau_web::table::Scene;
use serde::Serialize;
use serde_json::{Value, json};

/// What it is called.
pub(crate) const NAME: &str = "web";

/// The variable that names the place of its page's server and the key of its seat.
pub(crate) const VARIABLE: &str = "MAUMAU_SEAT";

/// The bot that is asked for hints.
const ADVISER: &str = "greedy";

/// Words that are kept of the last things said, to be shown as bubbles.
const BUBBLES: usize = 4;

/// Something that came.
enum SocketEvent {
    FromArena(String),
    FromPage(String),
    /// The arena has nothing more to say, or the page's server is gone.
    End,
}

/// Plays until the arena ends.
///
/// # Errors
/// It was not started by `maumau play --serve`, or a pipe failed.
pub(crate) fn play() -> Result<()> {
    let place = std::env::var(VARIABLE).ok();
    let place = place.as_deref().and_then(|place| place.split_once(' '));
    let Some((address, key)) = place else {
        return Err(usage("this agent shows a seat on a page: `maumau play --serve --seat web` starts it"));
    };
    let mut page = TcpStream::connect(address).with_context(|| format!("the pages at {address} cannot be reached"))?;
    page.set_nodelay(true)?;
    writeln!(page, "{key}")?;
    let (send, came) = mpsc::channel();
    let of_page = BufReader::new(page.try_clone()?);
    read_in_background(of_page, send.clone(), SocketEvent::FromPage);
    read_in_background(BufReader::new(std::io::stdin()), send, SocketEvent::FromArena);
    let mut seat = PersonSeat::new(page);
    for came in came {
        match came {
            SocketEvent::FromArena(line) => {
                if seat.hear(&line)? {
                    return Ok(());
                }
            }
            SocketEvent::FromPage(line) => seat.choose(&line)?,
            SocketEvent::End => return Ok(()),
        }
    }
    Ok(())
}

/// Reads lines for as long as there are any and somebody takes them.
fn read_in_background(
    from: impl BufRead + Send + 'static,
    to: mpsc::Sender<SocketEvent>,
    as_what: fn(String) -> SocketEvent,
) {
    std::thread::spawn(move || {
        for line in from.lines() {
            let Ok(line) = line else { break };
            if to.send(as_what(line)).is_err() {
                return;
            }
        }
        // Nobody takes it if everything has ended already.
        _ = to.send(SocketEvent::End);
    });
}

/// The seat of the person.
struct PersonSeat {
    page: TcpStream,
    table: PersonGame,
    began: Instant,
    writer: Option<SeatStoryWriter>,
    /// What each clause of the rules says that has not been explained yet: a person reads it once.
    clauses: BTreeMap<String, String>,
    rules: String,
    played: Option<usize>,
    said: Vec<(usize, String)>,
    /// Who has won the round that ends, and what each hand counted.
    sheet: Sheet,
}

/// The score sheet of a round.
#[derive(Default, Serialize)]
struct Sheet {
    winners: SeatSet,
    /// Points of this round and in all, by seat; none where no hand was counted.
    points: Vec<(Seat, i32, i32)>,
}

impl PersonSeat {
    fn new(page: TcpStream) -> PersonSeat {
        PersonSeat {
            page,
            table: PersonGame::new(ClockMode::Lockstep),
            began: Instant::now(),
            writer: None,
            clauses: BTreeMap::new(),
            rules: String::new(),
            played: None,
            said: Vec::new(),
            sheet: Sheet::default(),
        }
    }

    fn now_ms(&self) -> u64 {
        self.began.elapsed().as_millis() as u64
    }

    /// Takes a line of the arena; `true` if it is the last.
    fn hear(&mut self, line: &str) -> Result<bool> {
        // Messages of a type that is not known are for newer agents (SPEC 4.9).
        let Some(message) = wire::read_arena_line(line).context("a line of the arena")? else { return Ok(false) };
        let is_last = matches!(message, ArenaMessage::Bye(_));
        // Only an ask says how the whole table lies.
        let is_ask = matches!(message, ArenaMessage::Ask(_));
        if matches!(message, ArenaMessage::Hello(_)) {
            self.send(&AgentMessage::Ready(ready(NAME)))?;
        }
        let now_ms = self.now_ms();
        let news = self.table.hear(message, now_ms);
        let has_happened = news.iter().any(|news| matches!(news, PersonNews::Happened(_)));
        if has_happened {
            (self.played, self.said) = (None, Vec::new());
        }
        if let Some(writer) = &mut self.writer {
            let plays = self.table.seen_plays().iter();
            writer.expect(plays.map(|SeenPlay { before, seat, action, after }| (before, *seat, action, after)));
        }
        for news in news {
            self.narrate(news)?;
        }
        if has_happened && is_ask {
            self.send_moment(self.table.view().clone(), None)?;
        }
        if let Some(action) = self.table.idle() {
            return self.act(action).map(|()| is_last);
        }
        self.show()?;
        Ok(is_last)
    }

    /// Sends the page something new.
    fn narrate(&mut self, news: PersonNews) -> Result<()> {
        let line = match news {
            PersonNews::Started => {
                self.begin();
                return Ok(());
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
                self.send_moment(*view, Some(sheet))?;
                (self.played, self.said) = (None, Vec::new());
                return Ok(());
            }
            PersonNews::Fault(fault) => Some(fault_line(&fault)),
            PersonNews::Over => None,
            PersonNews::Bye(reason) => Some(own_line(About::Game, vec![Piece::Foreign(Tone::Aside, reason)])),
        };
        line.map_or(Ok(()), |line| self.send_line(&line))
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

    /// Sends a line of the story, and what its clauses say if it is about a mistake.
    fn send_line(&mut self, line: &Line) -> Result<()> {
        let mut json = line_json(line, false);
        if matches!(line.about, About::RuleFault | About::Fault) {
            let explain = |id: &String| Some(json!({ "id": id, "text": self.clauses.remove(id)? }));
            json["explained"] = line.clauses.iter().filter_map(explain).collect();
        }
        let names = self.table.start().map(|start| &start.names);
        let entry = json!({ "names": names, "faces": self.faces(), "line": json });
        self.send_page('+', &entry)
    }

    /// Sends how the table lies after what was sent last, and the score sheet if a round is over.
    fn send_moment(&mut self, view: View, sheet: Option<Sheet>) -> Result<()> {
        let Some(start) = self.table.start().filter(|_| !view.hands.is_empty()) else { return Ok(()) };
        let scene =
            Scene::new(StoryPosition::Seen(Box::new(view)), Some(self.table.seat()), &start.names, self.faces());
        let moment = json!({ "scene": scene, "played": self.played, "said": self.said, "sheet": sheet });
        let entry = json!({ "names": start.names, "faces": self.faces(), "moment": moment });
        self.send_page('~', &entry)
    }

    /// Sends what the person sees and can do now.
    fn show(&mut self) -> Result<()> {
        let Some(start) = self.table.start() else { return Ok(()) };
        let table = &self.table;
        let (names, seat) = (&start.names, table.seat());
        let has_view = !table.view().hands.is_empty();
        let faces = self.faces();
        let position = || StoryPosition::Seen(Box::new(table.view().clone()));
        let scene = has_view.then(|| Scene::new(position(), Some(seat), names, faces));
        let hand = table.hand().into_iter().map(|held| {
            let others = held.stands_for.iter().map(|(card, choices)| json!({ "card": card, "choices": choices }));
            json!({ "card": held.card, "choices": held.choices, "as_last": held.as_last, "as": others.collect::<Vec<_>>() })
        });
        let words = table.words().into_iter().map(|word| {
            let cards: Vec<_> = match word.when {
                When::Now => Vec::new(),
                When::With(cards) => cards.iter().collect(),
            };
            json!({ "text": word.text, "now": word.when == When::Now, "cards": cards })
        });
        let labelled = |verb: Verb| json!({ "label": label(&verb, names, table), "verb": verb });
        let mistakes = table.callable().map(|fault| json!({ "fault": fault.name(), "label": fault_name(fault) }));
        let calls = table.calls().into_iter().map(|(against, fault)| labelled(Verb::Call { against, fault }));
        let owed = table.owed_take().map(|from| label(&Verb::Take { from }, names, table));
        let running = table
            .running(self.now_ms())
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
        self.send_page('=', &state)
    }

    /// Takes a choice of the person.
    fn choose(&mut self, line: &str) -> Result<()> {
        let mut choice: Value = serde_json::from_str(line).context("a line of the page")?;
        if choice["hint"] == true {
            return self.hint();
        }
        // What was chosen for an ask that is over is no answer to the next one.
        let newest = self.table.ask().map(|ask| json!(ask.id));
        if self.table.clock() == ClockMode::Lockstep && newest.is_none_or(|newest| newest != choice["ask"]) {
            return self.too_late();
        }
        match serde_json::from_value::<Action>(choice["act"].take()) {
            Ok(action) => self.act(action),
            Err(error) => {
                let sorry = format!("What the page sent is no action: {error}");
                self.send_line(&own_line(About::Fault, vec![Piece::Foreign(Tone::Fault, sorry)]))
            }
        }
    }

    /// Says what a bot would do, and why.
    fn hint(&mut self) -> Result<()> {
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
        self.send_line(&own_line(About::Note, pieces))
    }

    /// Does something, if anything can be done now.
    fn act(&mut self, action: Action) -> Result<()> {
        match self.table.answer(action) {
            Some(act) => self.send(&AgentMessage::Act(act))?,
            None => self.too_late()?,
        }
        self.show()
    }

    fn too_late(&mut self) -> Result<()> {
        let sorry = "too late: the game has gone on";
        self.send_line(&own_line(About::Game, vec![Piece::Words(Tone::Refused, sorry.into())]))
    }

    fn send(&self, message: &AgentMessage) -> Result<()> {
        let mut line = serde_json::to_vec(message)?;
        line.push(b'\n');
        let mut out = std::io::stdout().lock();
        out.write_all(&line)?;
        out.flush().context("the arena cannot be written to")
    }

    fn send_page(&mut self, kind: char, json: &Value) -> Result<()> {
        self.page.write_all(format!("{kind}{json}\n").as_bytes()).context("the page cannot be written to")
    }
}

/// A line that no event has brought.
fn own_line(about: About, pieces: Vec<Piece>) -> Line {
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

fn faces(table: &PersonGame) -> Faces {
    table.start().map_or(Faces::French, Start::faces)
}

fn choice_label(choice: &Choice, names: &[String], faces: Faces) -> String {
    match choice {
        Choice::Suit(suit) => format!("{} {}", faces.sign(*suit), faces.suit(*suit)),
        Choice::Rank(rank) => faces.ranks(*rank),
        Choice::Seat(seat) => names.get(seat.index()).cloned().unwrap_or_default(),
    }
}

/// A move in words.
fn label(verb: &Verb, names: &[String], table: &PersonGame) -> String {
    let name = |seat: &maumau_protocol::Seat| names.get(seat.index()).map_or("?", String::as_str);
    let faces = faces(table);
    match verb {
        Verb::Draw => match table.view().pending.draw {
            0 | 1 => "Draw a card".to_owned(),
            cards => format!("Draw the {cards} cards you owe"),
        },
        Verb::Pass => "Pass".to_owned(),
        Verb::Challenge => "Challenge the card".to_owned(),
        Verb::Say { text } => match Suit::ALL.into_iter().find(|suit| suit.name() == text.as_str()) {
            Some(suit) => format!("State {}", choice_label(&Choice::Suit(suit), names, faces)),
            None => format!("Say “{}”", text.as_str()),
        },
        Verb::Call { against, fault } => {
            let known = RuleFault::from_name(fault.as_str()).map(fault_name);
            format!("Call {}: {}", name(against), known.unwrap_or(fault.as_str()))
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
