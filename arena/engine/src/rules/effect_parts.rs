//! The parts that an effect can have, one row each: all that has to be known of a part without knowing what it does. Bounds,
//! contradictions, plainness and the clauses of events follow from these rows. What a part does is in `game`, its sentence
//! in the pages of the rules.
//!
//! The rows are made of every member of [`Effect`], so a new one does not compile until it has a row.

use maumau_protocol::CardList;
use maumau_protocol::ruleset::{
    Again, ChooseSuit, DrawAtOnce, Effect, HandsMove, OnlyWithout, Owe, Request, Skip, Take,
};

/// What happens because of an effect, apart from the play of its card.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EffectEvent {
    /// A suit or value is named.
    Named,
    /// Owed cards are drawn.
    OwedDrawn,
    /// Hands go from seat to seat.
    HandsMoved,
    /// Cards are drawn at once.
    DrawnAtOnce,
    /// A seat loses its turn.
    Skipped,
    /// The direction of play turns round.
    Reversed,
    /// Two seats change places.
    Swapped,
    /// A card goes from hand to hand.
    Taken,
    /// A card is free.
    Free,
    /// Either neighbour may act.
    RaceOpened,
    /// A request is revoked or over.
    RequestOver,
    /// A seat that was out comes back.
    CameBack,
}

/// Whether `event`, at a table whose top card has `effect`, rests on the clauses of the effect.
pub fn rests_on(effect: &Effect, event: EffectEvent) -> bool {
    parts(effect).iter().any(|part| part.is_there() && part.events.contains(&event))
}

/// The keys of all parts that an effect can have, in the order of [`Effect`].
pub fn effect_keys() -> Vec<&'static str> {
    let none = Effect::default();
    parts(&none).iter().map(|part| part.key).collect()
}

/// One part, with what one effect has of it.
pub(super) struct Part<'a> {
    /// The key in a rule file.
    pub(super) key: &'static str,
    value: Value<'a>,
    events: &'static [EffectEvent],
    acts: bool,
    alone: bool,
    idle_beside: &'static [(&'static str, &'static str)],
    bounds: &'static [(&'static str, i64, i64)],
}

/// What an effect has of a part.
enum Value<'a> {
    /// It is on or off.
    Flag(bool),
    /// The cards of several effects add up.
    Cards(CardList),
    /// It has one form; a card can have only one.
    Form(Option<Form<'a>>),
}

#[derive(PartialEq)]
enum Form<'a> {
    OnlyWithout(OnlyWithout),
    Take(Take),
    Hands(HandsMove),
    Draw(DrawAtOnce),
    ChooseSuit(ChooseSuit),
    Owe(&'a Owe),
    Skip(&'a Skip),
    Again(Again),
    Request(&'a Request),
    Multiplies(u8),
}

impl<'a> Part<'a> {
    fn new(key: &'static str, value: Value<'a>, events: &'static [EffectEvent]) -> Part<'a> {
        Part { key, value, events, acts: false, alone: false, idle_beside: &[], bounds: &[] }
    }

    fn flag(key: &'static str, on: bool, events: &'static [EffectEvent]) -> Part<'a> {
        Part::new(key, Value::Flag(on), events)
    }

    fn cards(key: &'static str, cards: CardList, events: &'static [EffectEvent]) -> Part<'a> {
        Part::new(key, Value::Cards(cards), events)
    }

    fn form(key: &'static str, form: Option<Form<'a>>, events: &'static [EffectEvent]) -> Part<'a> {
        Part::new(key, Value::Form(form), events)
    }

    /// Playing the card does more than end the turn.
    fn acts(self) -> Part<'a> {
        let acts = self.is_there();
        self.acts_if(acts)
    }

    fn acts_if(mut self, acts: bool) -> Part<'a> {
        self.acts = acts;
        self
    }

    /// It decides who moves next, so a card has only one part of this kind.
    fn alone(mut self) -> Part<'a> {
        self.alone = true;
        self
    }

    /// It is never carried out for a card that has one of these parts; with the reason.
    fn idle_beside(mut self, others: &'static [(&'static str, &'static str)]) -> Part<'a> {
        self.idle_beside = others;
        self
    }

    /// The smallest and largest value of each number, by its key within the effect.
    fn bounds(mut self, bounds: &'static [(&'static str, i64, i64)]) -> Part<'a> {
        self.bounds = bounds;
        self
    }

    /// Whether the effect has the part.
    pub(super) fn is_there(&self) -> bool {
        match &self.value {
            Value::Flag(on) => *on,
            Value::Cards(cards) => !cards.0.is_empty(),
            Value::Form(form) => form.is_some(),
        }
    }

    /// Whether a file can say that an effect does not have the part.
    pub(super) fn can_be_denied(&self) -> bool {
        !matches!(self.value, Value::Form(_))
    }

    /// Whether this and the same part of another effect exclude one another on one card.
    pub(super) fn differs(&self, other: &Part<'_>) -> bool {
        match (&self.value, &other.value) {
            (Value::Form(Some(one)), Value::Form(Some(other))) => one != other,
            _ => false,
        }
    }

    /// Whether it is one of the parts of which a card has only one.
    pub(super) fn is_alone(&self) -> bool {
        self.alone && self.is_there()
    }

    /// Why the part is never carried out beside `other`, if it is not.
    pub(super) fn idle_because_of(&self, other: &Part<'_>) -> Option<&'static str> {
        let reason = self.idle_beside.iter().find(|(key, _)| *key == other.key)?.1;
        (self.is_there() && other.is_there()).then_some(reason)
    }
}

const BESIDE_A_REQUEST: (&str, &str) = ("request", "a card that makes a request does nothing else");

/// The parts of `effect`, in the order of [`Effect`].
pub(super) fn parts(effect: &Effect) -> [Part<'_>; 27] {
    let Effect {
        clauses: _,
        cards: _,
        seats: _,
        off: _,
        stands_for,
        any_time,
        only_without,
        out_of_turn,
        transparent,
        also_on,
        also_on_value,
        not_on,
        not_on_own_suit,
        free_on,
        open_to_all,
        followed_by,
        race,
        swap_next,
        take,
        hands,
        draw,
        choose_suit,
        owe,
        skip,
        reverse,
        again,
        brings_back,
        request,
        never_last,
        last_costs,
        last_multiplies,
    } = effect;
    [
        Part::cards("stands_for", *stands_for, &[]),
        Part::flag("any_time", *any_time, &[]),
        Part::form("only_without", only_without.map(Form::OnlyWithout), &[]),
        Part::flag("out_of_turn", *out_of_turn, &[]),
        Part::flag("transparent", *transparent, &[]),
        Part::cards("also_on", *also_on, &[]),
        Part::flag("also_on_value", *also_on_value, &[]),
        Part::cards("not_on", *not_on, &[]),
        Part::flag("not_on_own_suit", *not_on_own_suit, &[]),
        Part::cards("free_on", *free_on, &[EffectEvent::Free]),
        Part::flag("open_to_all", *open_to_all, &[]).idle_beside(&[
            BESIDE_A_REQUEST,
            ("choose_suit", "the next card must be of the suit that is named"),
            ("transparent", "what counts is the card below"),
        ]),
        Part::cards("followed_by", *followed_by, &[]).idle_beside(&[
            BESIDE_A_REQUEST,
            ("choose_suit", "the next card must be of the suit that is named"),
            ("transparent", "what counts is the card below"),
        ]),
        Part::flag("race", *race, &[EffectEvent::RaceOpened]).acts(),
        Part::flag("swap_next", *swap_next, &[EffectEvent::Swapped]).acts().idle_beside(&[BESIDE_A_REQUEST]),
        Part::form("take", take.map(Form::Take), &[EffectEvent::Taken]).acts().idle_beside(&[BESIDE_A_REQUEST]),
        Part::form("hands", hands.map(Form::Hands), &[EffectEvent::HandsMoved]).acts().idle_beside(&[BESIDE_A_REQUEST]),
        Part::form("draw", draw.map(Form::Draw), &[EffectEvent::DrawnAtOnce])
            .acts()
            .idle_beside(&[BESIDE_A_REQUEST])
            .bounds(&[("draw.cards", 1, 20)]),
        // A suit that is named with the card binds the next one, and the turn ends as after any other.
        Part::form("choose_suit", choose_suit.map(Form::ChooseSuit), &[EffectEvent::Named])
            .acts_if(*choose_suit == Some(ChooseSuit::New))
            .idle_beside(&[BESIDE_A_REQUEST, ("transparent", "what counts is the card below")]),
        Part::form("owe", owe.as_ref().map(Form::Owe), &[EffectEvent::OwedDrawn]).acts().alone().bounds(&[(
            "owe.cards",
            1,
            20,
        )]),
        Part::form("skip", skip.as_ref().map(Form::Skip), &[EffectEvent::Skipped]).acts().alone(),
        Part::flag("reverse", *reverse, &[EffectEvent::Reversed]).acts().idle_beside(&[BESIDE_A_REQUEST]),
        Part::form("again", again.map(Form::Again), &[]).acts().alone(),
        Part::flag("brings_back", *brings_back, &[EffectEvent::CameBack, EffectEvent::DrawnAtOnce])
            .acts()
            .idle_beside(&[BESIDE_A_REQUEST]),
        Part::form("request", request.as_ref().map(Form::Request), &[EffectEvent::Named, EffectEvent::RequestOver])
            .acts()
            .alone()
            .bounds(&[("request.unheld_costs", 0, 20)]),
        Part::flag("never_last", *never_last, &[]),
        Part::flag("last_costs", !last_costs.is_nothing(), &[]).bounds(&[("last_costs", 1, 20)]),
        Part::form("last_multiplies", last_multiplies.map(Form::Multiplies), &[]).bounds(&[("last_multiplies", 1, 10)]),
    ]
}

/// The parts of which a card has only one, as a sentence lists them.
pub(super) fn alone() -> String {
    let none = Effect::default();
    let mut keys: Vec<&str> = parts(&none).iter().filter(|part| part.alone).map(|part| part.key).collect();
    keys.sort_unstable();
    let last = keys.pop().unwrap_or_default();
    format!("{} and {last}", keys.join(", "))
}

/// Whether playing a card with `effect` only ends the turn, whatever is named with it.
pub(super) fn only_ends_the_turn(effect: &Effect) -> bool {
    parts(effect).iter().all(|part| !part.acts)
}

/// The bounds of the number at `key` within an effect, if it has any.
pub(super) fn bounds(key: &str) -> Option<(i64, i64)> {
    let none = Effect::default();
    let mut rows = parts(&none).into_iter().flat_map(|part| part.bounds);
    rows.find(|(path, ..)| *path == key).map(|(_, low, high)| (*low, *high))
}
