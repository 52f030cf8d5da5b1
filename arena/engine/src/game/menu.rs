//! Rules that are added in the course of a match: what a winner is offered, its choice, and which rules hold from then on.
//! What an added rule does is compiled by `rules`; nothing else here knows that rules can change.

use std::sync::Arc;

use maumau_protocol::{Event, Reason, RuleChoice, Say, Seat, SeatSet, Text, Verb};

use super::speech::Conduct;
use super::turn::MoverDelay;
use super::{Game, Phase, PositionError, Verdict, Witness};
use crate::random::Purpose;
use crate::rules::Rules;

/// The menu of a match.
#[derive(Clone, Debug)]
pub(super) struct MenuState {
    /// The rules of the first round.
    base: Arc<Rules>,
    /// The rules of the menu that hold, in the order in which they were added.
    held: Vec<Text>,
    /// The choice that is due.
    due: Option<RuleChoice>,
    /// The offer after this round, if it is known beforehand.
    foretold: Option<Vec<Text>>,
}

impl MenuState {
    /// That of a match by `rules` that has not begun, if they have a menu.
    pub(super) fn of(rules: &Arc<Rules>) -> Option<Box<MenuState>> {
        let begun = || MenuState { base: Arc::clone(rules), held: Vec::new(), due: None, foretold: None };
        rules.set.menu.is_some().then(|| Box::new(begun()))
    }

    /// The match begins again; returns the rules of its first round.
    pub(super) fn restart(&mut self) -> &Arc<Rules> {
        self.held.clear();
        (self.due, self.foretold) = (None, None);
        &self.base
    }
}

impl Game {
    /// The rules of the menu that hold, by name, in the order in which they were added.
    pub fn added_rules(&self) -> &[Text] {
        self.menu.as_ref().map_or(&[], |menu| &menu.held)
    }

    /// The choice of a rule that is due before the next round.
    #[inline]
    pub fn rule_choice(&self) -> Option<&RuleChoice> {
        self.menu.as_ref()?.due.as_ref()
    }

    /// After a round that is not the last one, its winner is offered rules of the menu (G-74, G-75); of several winners the first
    /// in the direction of play from the dealer. Nothing is offered if there is no winner, or nothing that can be added.
    #[cold]
    pub(in crate::game) fn offer_rules<W: Witness>(&mut self, witness: &mut W, winners: SeatSet) {
        let (dealer, direction, seats) = (self.table.dealer, self.table.seating.direction(), self.seats());
        let mut order = (1..=seats).map(|ahead| dealer.step(direction, ahead, seats));
        let Some(by) = order.find(|seat| winners.contains(*seat)) else { return };
        let seen = self.were_seen_offered();
        let Some(menu) = &mut self.menu else { return };
        let Some(rules) = &menu.base.set.menu else { return };
        let mut offer: Vec<Text> =
            rules.can_add(&menu.held).into_iter().filter_map(|name| Text::try_from(name).ok()).collect();
        if let Some(known) = menu.foretold.take().or(seen) {
            offer.retain(|name| known.contains(name));
        } else if rules.offer > 0 && offer.len() > usize::from(rules.offer) {
            let count = usize::from(rules.offer);
            self.chance.stream(Purpose::Menu, 0).shuffle_front(&mut offer, count);
            offer.truncate(count);
            offer.sort_by(|one, other| one.as_str().cmp(other.as_str()));
        }
        if offer.is_empty() {
            return;
        }
        menu.due = Some(RuleChoice { by, offer: offer.clone() });
        self.phase = Phase::ChooseRule;
        self.table.patience = MoverDelay::default();
        self.table.changes.progress();
        self.emit_with(witness, || Event::RuleOffered { by, offer: offer.into() });
        self.note_turn();
    }

    /// `seat` chooses the rule that is added (G-74).
    #[cold]
    pub(in crate::game) fn choose_rule<W: Witness>(
        &mut self,
        witness: &mut W,
        seat: Seat,
        rule: &Text,
        say: &Say,
    ) -> Verdict {
        match self.rule_choice() {
            None => return self.refuse(witness, seat, None, Reason::NotNow),
            Some(due) if due.by != seat => return self.refuse(witness, seat, None, Reason::NotYours),
            Some(due) if !due.offer.contains(rule) => return self.refuse(witness, seat, None, Reason::ChoiceWrong),
            Some(_) => {}
        }
        self.speak(witness, seat, say);
        self.add_rule(witness, seat, rule.clone());
        Verdict::Accepted
    }

    /// The referee chooses for a seat: the first rule of the offer by name (G-74).
    #[cold]
    pub(in crate::game) fn choose_rule_for<W: Witness>(&mut self, witness: &mut W, seat: Seat) {
        if let Some(rule) = self.rule_choice().and_then(|due| due.offer.first()).cloned() {
            self.add_rule(witness, seat, rule);
        }
    }

    fn add_rule<W: Witness>(&mut self, witness: &mut W, by: Seat, rule: Text) {
        self.hold(&rule);
        self.phase = Phase::BetweenRounds;
        self.table.changes.progress();
        self.emit_with(witness, || Event::RuleAdded { by, rule });
        self.note_turn();
    }

    /// From now on `rule` holds, and those that it replaces no longer do (G-77).
    pub(in crate::game) fn hold(&mut self, rule: &Text) {
        let Some(menu) = &mut self.menu else { return };
        menu.due = None;
        let entries = menu.base.set.menu.as_ref().map(|rules| &rules.add);
        if let Some(entry) = entries.and_then(|entries| entries.get(rule.as_str())) {
            menu.held.retain(|held| held != rule && !entry.replaces.iter().any(|name| name == held.as_str()));
            menu.held.push(rule.clone());
        }
        // `rules::menu` has made sure that whatever can be chosen can be compiled.
        let rules = menu.base.with_added(&menu.held);
        debug_assert!(rules.is_ok(), "{:?}", rules.as_ref().err());
        if let Ok(rules) = rules {
            self.table_rules = Arc::new(rules);
            self.rules = Arc::clone(&self.table_rules);
            self.adopt(self.rules.features);
            let hears = self.rules.set.talk.is_some() || self.rules.set.calls.movements;
            if hears != self.conduct.is_some() {
                self.conduct = hears.then(Box::<Conduct>::default);
            }
        }
    }

    /// A choice of `offer` is due from `by`.
    pub(in crate::game) fn await_rule(&mut self, by: Seat, offer: Vec<Text>) {
        if let Some(menu) = &mut self.menu {
            menu.due = Some(RuleChoice { by, offer });
            self.phase = Phase::ChooseRule;
        }
    }

    /// Sets up a match in which rules have been added, and in which `offer` is offered after this round; an empty one is drawn.
    pub(super) fn set_up_menu(&mut self, held: &[String], offer: &[String]) -> Result<(), PositionError> {
        let names = self.table_rules.set.menu.as_ref().map(|menu| &menu.add);
        let known = |name: &&String| names.is_some_and(|names| names.contains_key(*name));
        if let Some(unknown) = held.iter().chain(offer).find(|name| !known(name)) {
            return Err(PositionError(format!("rules: the menu has no {unknown:?}")));
        }
        let texts = |names: &[String]| names.iter().filter_map(|name| Text::try_from(name.as_str()).ok()).collect();
        let (held, offer): (Vec<Text>, Vec<Text>) = (texts(held), texts(offer));
        held.iter().for_each(|rule| self.hold(rule));
        if let Some(menu) = &mut self.menu {
            menu.foretold = (!offer.is_empty()).then_some(offer);
        }
        Ok(())
    }

    /// The verbs with which a rule can be chosen.
    pub(super) fn rule_verbs(choice: &RuleChoice) -> impl Iterator<Item = Verb> {
        choice.offer.iter().map(|rule| Verb::ChooseRule { rule: rule.clone() })
    }
}
