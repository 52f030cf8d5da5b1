//! What each key does at a person's seat. It makes actions and opens questions; the client sends what comes of it.

use maumau_agents::person::{Advice, CardInHand};
use maumau_protocol::message::What;
use maumau_protocol::{Action, Card, Choice, RuleFault, Text, Verb};
use maumau_referee::story::fault_name;
use ratatui_core::text::Span;

use super::PersonSeat;
use super::actions::{choice_key, choice_words, key_of, words};
use super::menu::{Item, KeyMenu, Pick};
use crate::key::Key;
use crate::sentence::name;

/// What a key led to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Pressed {
    /// Nothing to send.
    Nothing,
    /// This, to be sent.
    Act(Action),
    /// The person leaves the game.
    Leave,
}

impl PersonSeat {
    /// Takes a key.
    pub fn press(&mut self, key: Key) -> Pressed {
        self.remark = None;
        if self.leaves {
            self.leaves = false;
            return match key {
                Key::Char('y') | Key::Interrupt => Pressed::Leave,
                _ => Pressed::Nothing,
            };
        }
        if std::mem::take(&mut self.shows_help) && key != Key::Interrupt {
            return Pressed::Nothing;
        }
        if self.sheet.is_some() && !matches!(key, Key::Interrupt | Key::Char('q' | '?')) {
            self.sheet = None;
            self.come_to_now();
            return Pressed::Nothing;
        }
        if let Some(menu) = self.menu.take() {
            return self.answer(menu, key);
        }
        let looks = matches!(key, Key::Interrupt | Key::Up | Key::Down | Key::PageUp | Key::PageDown | Key::Escape)
            || matches!(key, Key::Char('q' | '?' | '.' | 'v'));
        if self.is_behind() && !looks {
            self.remark = Some("what the others did is still being shown: . hurries".to_owned());
            return Pressed::Nothing;
        }
        match key {
            Key::Char('.') => self.hurry(),
            Key::Char('v') => self.remark = Some(format!("pace of what the others do: {}", self.queue.change())),
            Key::Interrupt | Key::Char('q') => self.leaves = true,
            Key::Char('?') => self.shows_help = true,
            Key::Left => self.chosen = self.chosen.saturating_sub(1),
            Key::Right => self.chosen = (self.chosen + 1).min(self.table.view().hand.len().saturating_sub(1)),
            Key::Home => self.chosen = 0,
            Key::End => self.chosen = self.table.view().hand.len().saturating_sub(1),
            Key::Tab => self.next_lifted(),
            Key::Up | Key::PageUp => self.scrolled = (self.scrolled + 3).min(self.events.len()),
            Key::Down | Key::PageDown => self.scrolled = self.scrolled.saturating_sub(3),
            Key::Enter | Key::Char(' ') => return self.play_chosen(),
            Key::Char(digit @ '1'..='9') => self.toggle_word(digit),
            Key::Char('s') => return self.say(),
            Key::Char('c') => self.ask_for_call(),
            Key::Char('h') => self.take_hint(),
            Key::Char('m') => self.ask_for_more(),
            Key::Char('a') => self.pick_chosen(),
            Key::Char(key) => return self.do_by_key(key),
            Key::Escape | Key::Backspace => {
                self.daring.clear();
                self.picked.clear();
            }
        }
        Pressed::Nothing
    }

    /// Adds the chosen card to those that are played at once, or takes it back.
    fn pick_chosen(&mut self) {
        if !self.table.plays_several() {
            self.remark = Some("only one card may be played now".to_owned());
        } else if let Some(at) = self.picked.iter().position(|place| *place == self.chosen) {
            self.picked.remove(at);
        } else if self.chosen < self.table.view().hand.len() {
            self.picked.push(self.chosen);
        }
    }

    /// The cards that were picked, in their order.
    pub(super) fn picked_cards(&self) -> Vec<Card> {
        let hand = &self.table.view().hand;
        self.picked.iter().filter_map(|place| hand.get(*place).copied()).collect()
    }

    /// Plays the cards that were picked, after the questions that are left: what to name, whether a run stays open.
    fn play_picked(&mut self, named: Option<Option<Choice>>, close: Option<bool>) -> Pressed {
        let hand = self.table.hand();
        let Some(last) = self.picked.last().and_then(|place| hand.get(*place)) else { return Pressed::Nothing };
        let choose = match (named, last.as_last.as_slice()) {
            (Some(choose), _) => choose,
            (None, [] | [None]) => None,
            (None, [Some(only)]) => Some(*only),
            (None, choices) => {
                let pick = |choice: Option<Choice>| Pick::PlaySeveral(choice, None);
                self.menu = Some(self.naming(last.card, choices, pick));
                return Pressed::Nothing;
            }
        };
        let close = match close {
            Some(close) => close,
            None if self.table.leaves_open() => {
                let answer =
                    |key, words: &str, close| (Some(key), words.to_owned(), Pick::PlaySeveral(choose, Some(close)));
                let answers = vec![answer('c', "close it", true), answer('o', "leave it open", false)];
                let mut menu = KeyMenu::list("The run", answers);
                if let Some(Verb::PlayTogether { close, .. }) = self.hint.as_ref().map(|(_, action)| &action.verb) {
                    menu.choose(&Pick::PlaySeveral(choose, Some(*close)));
                }
                self.menu = Some(menu);
                return Pressed::Nothing;
            }
            None => true,
        };
        match self.table.play_together(self.picked_cards(), choose, close) {
            Some(action) => {
                let cards = self.picked_cards();
                if self.table.may_play(&action) == Some(false) && self.daring != cards {
                    let words: Vec<String> = cards.iter().map(|card| self.look.card(*card)).collect();
                    let words = words.join(" ");
                    self.remark = Some(format!("{words} may not be played so now: enter once more plays them anyway"));
                    self.daring = cards;
                    return Pressed::Nothing;
                }
                self.act(action)
            }
            None => {
                self.remark = Some("you do not hold these cards any more".to_owned());
                Pressed::Nothing
            }
        }
    }

    /// Asks what is named with `card`; `pick` makes what an answer does.
    fn naming(&self, card: Card, choices: &[Option<Choice>], pick: impl Fn(Option<Choice>) -> Pick) -> KeyMenu {
        let answer = |choice: &Option<Choice>| match choice {
            None => (Some('0'), "name nothing".to_owned(), pick(None)),
            Some(choice) => {
                let words = choice_words(*choice, &self.names, self.look);
                let words = match self.table.naming_costs(card, *choice) {
                    0 => words,
                    cards => format!("{words}, costs {cards} cards: you hold none"),
                };
                (Some(choice_key(*choice)), words, pick(Some(*choice)))
            }
        };
        let title = format!("With {} you name", self.look.card(card));
        let mut menu = KeyMenu::list(&title, choices.iter().map(answer).collect());
        if let Some(Verb::Play { choose, .. } | Verb::PlayTogether { choose, .. }) =
            self.hint.as_ref().map(|(_, action)| &action.verb)
        {
            menu.choose(&pick(*choose));
        }
        menu
    }

    /// Whether a card may be played now, and nothing else is owed first.
    pub(super) fn is_lifted(&self, held: &CardInHand) -> bool {
        held.may_be_played() && held.cost.is_none() && self.table.owed_take().is_none()
    }

    /// Chooses the next card that may be played.
    fn next_lifted(&mut self) {
        let hand = self.table.hand();
        let after = (self.chosen + 1..hand.len()).chain(0..hand.len());
        if let Some(next) = after.into_iter().find(|at| self.is_lifted(&hand[*at])) {
            self.chosen = next;
        }
    }

    fn play_chosen(&mut self) -> Pressed {
        let hand = self.table.hand();
        let Some(held) = hand.get(self.chosen) else {
            self.remark = Some("you see no card of yours".to_owned());
            return Pressed::Nothing;
        };
        if self.table.ask().is_none() {
            self.remark = Some("nothing is asked of you now".to_owned());
            return Pressed::Nothing;
        }
        if !self.picked.is_empty() {
            return self.play_picked(None, None);
        }
        let card = held.card;
        if !self.is_lifted(held) && self.daring != [card] {
            self.daring = vec![card];
            let why = match (self.table.owed_take().filter(|_| held.may_be_played()), held.cost) {
                (Some(from), _) => format!("first take a card from {}", name(&self.names, from)),
                (None, Some(cost)) => format!("{} {}", self.look.card(card), cost.in_words(self.look.faces)),
                (None, None) => format!("{} may not be played now", self.look.card(card)),
            };
            self.remark = Some(format!("{why}: enter once more plays it anyway"));
            return Pressed::Nothing;
        }
        self.daring.clear();
        match held.choices.as_slice() {
            _ if !held.stands_for.is_empty() => {
                let plays = held.stands_for.iter().flat_map(|(stands_for, choices)| {
                    choices.iter().map(move |choose| Verb::PlayAs { card, stands_for: *stands_for, choose: *choose })
                });
                let answer = |verb: Verb| (None, words(&verb, 0, &self.names, self.rules(), self.look), Pick::Do(verb));
                self.menu = Some(KeyMenu::list("Which card does it stand for?", plays.map(answer).collect()));
                Pressed::Nothing
            }
            [] | [None] => self.play(card, None),
            [Some(only)] => self.play(card, Some(*only)),
            several => {
                self.menu = Some(self.naming(card, several, |choice| Pick::Play(card, choice)));
                Pressed::Nothing
            }
        }
    }

    fn play(&mut self, card: Card, choose: Option<Choice>) -> Pressed {
        match self.table.play(card, choose) {
            Some(action) => self.act(action),
            None => {
                self.remark = Some("you do not hold that card any more".to_owned());
                Pressed::Nothing
            }
        }
    }

    /// Hands an action on, if anything is asked.
    fn act(&mut self, action: Action) -> Pressed {
        if self.table.ask().is_none() {
            self.remark = Some("nothing is asked of you now".to_owned());
            return Pressed::Nothing;
        }
        (self.hint, self.fault) = (None, None);
        self.picked.clear();
        Pressed::Act(action)
    }

    fn do_by_key(&mut self, key: char) -> Pressed {
        if key == 'w' && self.table.may_decline() {
            return self.act(Verb::Wait.into());
        }
        let moves = self.table.moves();
        let mut fitting: Vec<Verb> = moves.into_iter().filter(|verb| key_of(verb) == Some(key)).collect();
        match (fitting.len(), key) {
            (1, _) => {
                let action = self.table.with_words(fitting.remove(0));
                self.act(action)
            }
            // A draw or a pass may be a mistake of its own; the referee judges.
            (0, 'd') if self.waits_for_move() => self.act(self.table.with_words(Verb::Draw)),
            (0, 'p') if self.waits_for_move() => self.act(self.table.with_words(Verb::Pass)),
            (0, _) => {
                self.remark =
                    Some(format!("{} does nothing now; ? lists the keys", self.look.foreign(&key.to_string())));
                Pressed::Nothing
            }
            _ => {
                let answer = |verb: Verb| {
                    let own = match &verb {
                        Verb::Choose(choice) => Some(choice_key(*choice)),
                        _ => None,
                    };
                    let about = match &verb {
                        Verb::ChooseRule { rule } => self.table.rule_about(rule.as_str()),
                        _ => None,
                    };
                    let text = match about {
                        Some(about) => self.look.words_kept(about),
                        None => words(&verb, 0, &self.names, self.rules(), self.look),
                    };
                    (own, text, Pick::Do(verb))
                };
                let mut menu = KeyMenu::list("Which?", fitting.into_iter().map(answer).collect());
                if let Some((_, action)) = &self.hint {
                    menu.choose(&Pick::Do(action.verb.clone()));
                }
                self.menu = Some(menu);
                Pressed::Nothing
            }
        }
    }

    fn waits_for_move(&self) -> bool {
        self.table.must_move() && self.table.ask().is_some_and(|ask| ask.what == What::Turn)
    }

    fn toggle_word(&mut self, digit: char) {
        let place = digit as usize - '1' as usize;
        match self.table.words().get(place) {
            Some(word) => self.table.toggle(&word.text),
            None => self.remark = Some(format!("there is no word {digit}; s says anything")),
        }
    }

    /// Says the words on the tongue now, or asks what to say.
    fn say(&mut self) -> Pressed {
        match self.table.tongue() {
            [] => {
                self.menu = Some(KeyMenu::Say(String::new()));
                Pressed::Nothing
            }
            [text, ..] => {
                let verb = Verb::Say { text: text.clone() };
                self.act(verb.into())
            }
        }
    }

    fn ask_for_call(&mut self) {
        let mut answers: Vec<_> = self
            .table
            .calls()
            .into_iter()
            .map(|(against, fault)| {
                let verb = Verb::Call { against, fault };
                (None, words(&verb, 0, &self.names, self.rules(), self.look), Pick::Do(verb))
            })
            .collect();
        answers.push((None, "another mistake …".to_owned(), Pick::AccuseSomebody));
        self.menu = Some(KeyMenu::list("Call a mistake", answers));
    }

    fn ask_for_more(&mut self) {
        let listed = self.table.moves();
        let verbs =
            listed.iter().cloned().chain(self.table.unlisted().into_iter().filter(|verb| !listed.contains(verb)));
        let owed = self.table.view().pending.draw;
        let answers: Vec<_> = verbs
            .map(|verb| (key_of(&verb), words(&verb, owed, &self.names, self.rules(), self.look), Pick::Do(verb)))
            // Several actions of one key have keys of their own here.
            .map(|(key, words, pick)| (key.filter(|key| !matches!(key, 't' | 'n')), words, pick))
            .collect();
        if answers.is_empty() {
            self.remark = Some("there is nothing else to do".to_owned());
        } else {
            self.menu = Some(KeyMenu::list("What else", answers));
        }
    }

    fn take_hint(&mut self) {
        let Ok(Some(Advice { action, reasons })) = self.table.advice("greedy") else {
            self.remark = Some("nothing is asked of you now".to_owned());
            return;
        };
        if let Some(card) = action.verb.single_card()
            && let Some(at) = self.table.view().hand.iter().position(|held| *held == card)
        {
            self.chosen = at;
        }
        if let Verb::PlayTogether { cards, .. } = &action.verb {
            self.pick(cards);
        }
        let hint = self.in_words(&action);
        // The line of the hint has no room for reasons.
        for why in reasons {
            self.keep(vec![Span::styled(format!("# {}", self.look.words_kept(&why)), self.look.aside())]);
        }
        self.hint = Some((hint, action));
    }

    /// Picks these cards, as far as they are held.
    fn pick(&mut self, cards: &[Card]) {
        self.picked.clear();
        let hand = &self.table.view().hand;
        for card in cards {
            let free = |at: &usize| hand[*at] == *card && !self.picked.contains(at);
            let at = (0..hand.len()).find(free);
            self.picked.extend(at);
        }
    }

    fn answer(&mut self, menu: KeyMenu, key: Key) -> Pressed {
        match menu {
            KeyMenu::Say(text) => self.go_on_saying(text, key),
            KeyMenu::List { title, items, at } => self.go_on_choosing(title, items, at, key),
        }
    }

    fn go_on_saying(&mut self, mut text: String, key: Key) -> Pressed {
        match key {
            Key::Escape | Key::Interrupt => return Pressed::Nothing,
            Key::Enter => {
                let said = Text::try_from(text.trim()).ok().filter(|said| !said.as_str().is_empty());
                return match said {
                    Some(text) => self.act(Verb::Say { text }.into()),
                    None => Pressed::Nothing,
                };
            }
            Key::Backspace => _ = text.pop(),
            Key::Char(c) if text.chars().count() < maumau_protocol::limits::MAX_SAY_CHARS => text.push(c),
            _ => {}
        }
        self.menu = Some(KeyMenu::Say(text));
        Pressed::Nothing
    }

    fn go_on_choosing(&mut self, title: String, items: Vec<Item>, mut at: usize, key: Key) -> Pressed {
        let picked = match key {
            Key::Escape | Key::Interrupt => return Pressed::Nothing,
            Key::Up | Key::Left => {
                at = at.saturating_sub(1);
                None
            }
            Key::Down | Key::Right | Key::Tab => {
                at = (at + 1).min(items.len().saturating_sub(1));
                None
            }
            Key::Enter => items.get(at).map(|item| item.pick.clone()),
            Key::Char(key) => items.iter().find(|item| item.key == key).map(|item| item.pick.clone()),
            _ => None,
        };
        match picked {
            None => {
                self.menu = Some(KeyMenu::List { title, items, at });
                Pressed::Nothing
            }
            Some(Pick::Play(card, choice)) => self.play(card, choice),
            Some(Pick::PlaySeveral(choice, close)) => self.play_picked(Some(choice), close),
            Some(Pick::Do(verb)) => {
                let action = match verb {
                    Verb::Call { .. } => verb.into(),
                    verb => self.table.with_words(verb),
                };
                self.act(action)
            }
            Some(Pick::AccuseSomebody) => {
                let others = maumau_protocol::Seat::all(self.names.len()).filter(|seat| *seat != self.table.seat());
                let answer = |seat| (None, crate::sentence::name(&self.names, seat).to_owned(), Pick::Accuse(seat));
                self.menu = Some(KeyMenu::list("Whose mistake?", others.map(answer).collect()));
                Pressed::Nothing
            }
            Some(Pick::Accuse(against)) => {
                let answer = |fault: RuleFault| {
                    let call = Verb::Call { against, fault: Text::fixed(fault.name()) };
                    let words = self.rules().map_or_else(|| fault.name().into(), |rules| fault_name(fault, rules));
                    (None, self.look.foreign(&words), Pick::Do(call))
                };
                self.menu = Some(KeyMenu::list("Which mistake?", self.table.callable().map(answer).collect()));
                Pressed::Nothing
            }
        }
    }
}
