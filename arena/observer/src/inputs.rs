//! Which inputs of a game may have led to the events that a seat sees next, the likely ones first. It reads events and the
//! position before them; whether an input is the right one is found out by giving it to a copy of the game.

use maumau_engine::{Forced, Game, Phase};
use maumau_protocol::{
    Action, Card, Choice, DrawReason, Elapse, Event, Hidden, Reason, Say, Seat, SeenEvent, Stand, Text, Verb,
};

/// How many events of one input are looked through for what it was.
pub(super) const MOST_OF_AN_INPUT: usize = 40;

/// An input of the game, or what is known of it.
#[derive(Clone, Debug)]
pub(super) enum ObservedInput {
    /// The deal of a round.
    Deal,
    /// The referee turns up the first card.
    TurnUp,
    /// An action, by a seat that had seen everything, or nothing.
    Act { seat: Seat, action: Action, aware: bool },
    /// As an action, after time for words that were due.
    Late { seat: Seat, action: Action },
    /// A call whose outcome is known.
    Call { seat: Seat, action: Action, upheld: bool },
    /// An action that was refused, of which only that is known.
    Refused { seat: Seat, card: Option<Card>, reason: Reason, how: Forced, patient: bool },
    /// The referee acted for a seat.
    Stand(Seat, Stand),
    /// The referee played on for a dismissed seat, by this action.
    PlayedOn { seat: Seat, action: Action },
    /// Time passed.
    Elapse(Elapse),
}

impl ObservedInput {
    /// Gives it to `game`.
    pub(super) fn take(&self, game: &mut Game, events: &mut Vec<Event>) {
        match self {
            ObservedInput::Deal => game.deal(events),
            ObservedInput::TurnUp => game.turn_up(events),
            ObservedInput::Act { seat, action, aware } => {
                let as_of = if *aware { game.last_event() } else { game.first_of_round() };
                game.apply(*seat, action, as_of, events);
            }
            ObservedInput::Late { seat, action } => {
                game.elapse(Elapse::Grace, events);
                game.apply(*seat, action, game.last_event(), events);
            }
            ObservedInput::Call { seat, action, upheld } => {
                if let Verb::Call { against, fault } = &action.verb {
                    game.retrace().know_call(*against, fault, *upheld);
                }
                game.apply(*seat, action, game.last_event(), events);
            }
            ObservedInput::Refused { seat, card, reason, how, patient } => {
                if *patient {
                    game.retrace().forget_refusals();
                }
                game.retrace().force_refusal(events, *seat, *card, *reason, *how);
            }
            ObservedInput::Stand(seat, why) => game.act_for(*seat, *why, events),
            ObservedInput::PlayedOn { seat, action } => game.act_for_by(*seat, action, events),
            ObservedInput::Elapse(what) => game.elapse(*what, events),
        }
    }

    /// The action that it is, if it was accepted or may have been.
    pub(super) fn action(&self) -> Option<(Seat, &Action)> {
        match self {
            ObservedInput::Act { seat, action, .. }
            | ObservedInput::Late { seat, action }
            | ObservedInput::Call { seat, action, .. }
            | ObservedInput::PlayedOn { seat, action } => Some((*seat, action)),
            _ => None,
        }
    }
}

/// The first of `events` that says what was done; those before it only followed from it, or were said with it.
pub(super) fn defining(events: &[SeenEvent]) -> Option<&SeenEvent> {
    events.iter().find(|event| {
        !matches!(
            event,
            Event::Said { .. }
                | Event::Penalty { .. }
                | Event::Taken { .. }
                | Event::Skipped { .. }
                | Event::Mistake { .. }
                | Event::Reversed { .. }
                | Event::SuitStated { .. }
                | Event::Reshuffled { .. }
                | Event::Swapped { .. }
                | Event::Unsealed { .. }
                | Event::RequestOver
                | Event::WentOut { .. }
                | Event::CameBack { .. }
                | Event::Counted { .. }
                | Event::HandsRotated { .. }
                | Event::HandsSwapped { .. }
                | Event::Shown { .. }
                | Event::Interjected { .. }
                | Event::Returned { .. }
                | Event::Waived { .. }
        )
    })
}

/// The inputs that may have led to `events`, of which there is at least one.
pub(super) fn candidates(game: &Game, events: &[SeenEvent]) -> Vec<ObservedInput> {
    let mut found = Vec::new();
    if let Some((seat, after)) = played_on(game, events) {
        let acts = if after.is_empty() { Vec::new() } else { candidates(game, after) };
        found.extend(acts.into_iter().filter_map(|input| match input {
            ObservedInput::Act { seat: whose, action, aware: true } if whose == seat => {
                Some(ObservedInput::PlayedOn { seat, action })
            }
            _ => None,
        }));
    }
    let act = |seat: Seat, verb: Verb, say: Say| ObservedInput::Act { seat, action: Action { verb, say }, aware: true };
    match &events[0] {
        Event::RoundStarted { .. } => return vec![ObservedInput::Deal],
        Event::TurnedUp { .. } => found.push(ObservedInput::TurnUp),
        Event::Taken { by, from, .. } => found.push(act(*by, Verb::Take { from: *from }, Say::Nothing)),
        Event::SuitStated { seat, suit } => {
            found.push(act(*seat, Verb::Choose(Choice::Suit(*suit)), Say::Nothing));
        }
        Event::Said { seat, .. } => {
            let words = texts_of(*seat, events);
            match events.get(words.len()) {
                Some(Event::SuitStated { seat: whose, suit }) if whose == seat => {
                    found.push(act(*seat, Verb::Choose(Choice::Suit(*suit)), say_of(&words)));
                }
                Some(Event::Taken { by, from, .. }) if by == seat => {
                    found.push(act(*by, Verb::Take { from: *from }, say_of(&words)));
                }
                _ => {}
            }
        }
        _ => {}
    }
    if let Some(event) = defining(events) {
        by_event(game, event, events, &mut found);
    }
    if matches!(game.phase(), Phase::Deal | Phase::TurnUp)
        && events.iter().any(|event| matches!(event, Event::TurnedUp { .. }))
        && let Some(seat) = game.waits_for()
    {
        let words = texts_of(seat, events);
        found.push(act(seat, Verb::TurnUp, say_of(&words)));
    }
    // A draw for which nothing is left.
    for event in events.iter().take(MOST_OF_AN_INPUT) {
        if let Event::Waived { seat, .. } = event {
            found.push(act(*seat, Verb::Draw, say_of(&texts_before(*seat, event, events))));
        }
    }
    if let Event::Said { seat, text, .. } = &events[0] {
        // A word by itself, then several of them.
        let words = texts_of(*seat, events);
        found.push(act(*seat, Verb::Say { text: text.clone() }, Say::Nothing));
        for count in 2..=words.len() {
            let say = say_of(&words[..count - 1]);
            found.push(act(*seat, Verb::Say { text: words[count - 1].clone() }, say));
        }
    }
    let acts: Vec<ObservedInput> =
        found.iter().filter(|input| matches!(input, ObservedInput::Act { .. })).cloned().collect();
    let times = [Elapse::Grace, Elapse::TurnLimit, Elapse::Closing, Elapse::CountOfTen, Elapse::PointOfOrder]
        .map(ObservedInput::Elapse);
    found.extend(times);
    for input in acts {
        if let ObservedInput::Act { seat, action, .. } = input {
            found.push(ObservedInput::Act { seat, action: action.clone(), aware: false });
            found.push(ObservedInput::Late { seat, action });
        }
    }
    found
}

/// The dismissed seat for which the referee plays on with the first of `events`, and what follows from its action (G-04).
pub(super) fn played_on<'a>(game: &Game, events: &'a [SeenEvent]) -> Option<(Seat, &'a [SeenEvent])> {
    match events {
        [Event::ActedFor { seat, why: Stand::Dismissed }, after @ ..] if game.phase() == Phase::Play => {
            Some((*seat, after))
        }
        _ => None,
    }
}

/// The inputs that `event` defines.
fn by_event(game: &Game, event: &SeenEvent, events: &[SeenEvent], found: &mut Vec<ObservedInput>) {
    let mut act = |seat: Seat, verb: Verb| {
        let action = Action { verb, say: say_of(&texts_before(seat, event, events)) };
        found.push(ObservedInput::Act { seat, action, aware: true });
    };
    match event {
        Event::Together { seat, count, open } => {
            let (cards, choose) = played_together(event, usize::from(*count), events);
            act(*seat, Verb::PlayTogether { cards, choose, close: !open });
        }
        Event::Played { seat, card, stands_for: Some(other), choose } => {
            act(*seat, Verb::PlayAs { card: *card, stands_for: *other, choose: *choose });
        }
        Event::Played { seat, card, stands_for: None, choose } => {
            act(*seat, Verb::Play { card: *card, choose: *choose });
        }
        Event::Drew { seat, .. } => act(*seat, Verb::Draw),
        Event::Passed { seat } => act(*seat, Verb::Pass),
        Event::Challenged { by, .. } => act(*by, Verb::Challenge),
        Event::Chose { seat, choose } => act(*seat, Verb::Choose(*choose)),
        Event::RuleAdded { by, rule } => act(*by, Verb::ChooseRule { rule: rule.clone() }),
        Event::Looked { seat } => act(*seat, Verb::Look),
        Event::Glared { seat, at } => act(*seat, Verb::Glare { at: *at }),
        Event::Reached { seat, r#for } => act(*seat, Verb::Reach { r#for: *r#for }),
        Event::PointOfOrder { seat } => act(*seat, Verb::PointOfOrder),
        Event::PenaltiesDealt { by } => act(*by, Verb::DealPenalties),
        Event::Counting { by } => act(*by, Verb::Count),
        Event::PickedUp { by } => act(*by, Verb::PickUp),
        Event::DealtCard { by, to } => act(*by, Verb::Deal { to: vec![*to] }),
        Event::Dealt { seat, .. } => {
            if let Some(dealer) = game.waits_for() {
                act(dealer, Verb::Deal { to: vec![*seat] });
            }
        }
        Event::TurnedUp { .. } => {
            let seats = Seat::all(game.rules().seats());
            let dealer = game.waits_for();
            dealer
                .into_iter()
                .chain(seats.filter(|seat| Some(*seat) != dealer))
                .for_each(|seat| act(seat, Verb::TurnUp));
        }
        Event::PointOfOrderOver => {
            if let Some(seat) = game.point_of_order() {
                act(seat, Verb::EndPointOfOrder);
            }
        }
        Event::Called { by, against, fault, upheld } => {
            let verb = Verb::Call { against: *against, fault: fault.clone() };
            let action = Action { verb, say: say_of(&texts_before(*by, event, events)) };
            found.push(ObservedInput::Act { seat: *by, action: action.clone(), aware: true });
            found.push(ObservedInput::Late { seat: *by, action: action.clone() });
            found.push(ObservedInput::Call { seat: *by, action, upheld: *upheld });
        }
        Event::Refused { seat, card, reason, .. } => {
            for patient in [false, true] {
                for how in Forced::of(*reason) {
                    let (card, how) = (card.get().copied(), *how);
                    found.push(ObservedInput::Refused { seat: *seat, card, reason: *reason, how, patient });
                }
            }
        }
        Event::ActedFor { seat, why } => found.push(ObservedInput::Stand(*seat, *why)),
        Event::Closed => found.push(ObservedInput::Elapse(Elapse::Closing)),
        _ => {}
    }
}

/// The cards of the play that `event`, one of `events`, announces, as far as they have been seen, and what is named with it.
pub(super) fn played_together(event: &SeenEvent, count: usize, events: &[SeenEvent]) -> (Vec<Card>, Option<Choice>) {
    let mut named = None;
    let after = events.iter().skip_while(|other| !std::ptr::eq(*other, event)).skip(1).take(count);
    let cards = after.map_while(|event| match event {
        Event::Played { card, choose, .. } => {
            named = *choose;
            Some(*card)
        }
        _ => None,
    });
    (cards.collect(), named)
}

/// Whether the first of several events may have come from inputs of which one explains more of them than another, and only
/// the one that explains most is the right one.
pub(super) fn is_ambiguous(events: &[SeenEvent]) -> bool {
    match events[0] {
        Event::Said { .. } | Event::Refused { .. } | Event::Penalty { .. } | Event::Mistake { .. } => true,
        Event::ActedFor { why, .. } => why == Stand::Dismissed,
        _ => false,
    }
}

/// What `seat` says in the run of words with which `events` begin.
fn texts_of(seat: Seat, events: &[SeenEvent]) -> Vec<Text> {
    let words = events.iter().map_while(|event| match event {
        Event::Said { seat: whose, text, .. } if *whose == seat => Some(text.clone()),
        _ => None,
    });
    words.collect()
}

/// What `seat` says before `event`.
fn texts_before(seat: Seat, event: &SeenEvent, events: &[SeenEvent]) -> Vec<Text> {
    let before = events.iter().take_while(|other| !std::ptr::eq(*other, event));
    let words = before.filter_map(|event| match event {
        Event::Said { seat: whose, text, .. } if *whose == seat => Some(text.clone()),
        _ => None,
    });
    words.collect()
}

fn say_of(texts: &[Text]) -> Say {
    match texts {
        [] => Say::Nothing,
        [text] => Say::One(text.clone()),
        texts => Say::Many(texts.into()),
    }
}

/// Whether a seat that names something with the first of `events` pays for holding none of it.
pub(super) fn pays_for_naming(seat: Seat, events: &[SeenEvent]) -> bool {
    let after = events.iter().skip(1).find(|event| !matches!(event, Event::Reshuffled { .. } | Event::Revoked { .. }));
    match after {
        Some(
            Event::Drew { seat: whose, why: DrawReason::Owed | DrawReason::Shortage, .. }
            | Event::Waived { seat: whose, .. },
        ) => *whose == seat,
        _ => false,
    }
}

/// Whether a refusal shows that its seat holds the card that was offered.
pub(super) fn shows_sealed(reason: Reason) -> Option<bool> {
    match reason {
        Reason::DoesNotFit | Reason::MayNotBeLast | Reason::NotYourTurn => Some(false),
        Reason::Sealed => Some(true),
        _ => None,
    }
}

/// Whether `event` takes a card off the draw pile.
pub(super) fn draws_from_pile(event: &SeenEvent) -> bool {
    matches!(event, Event::Penalty { .. } | Event::Drew { .. } | Event::DealtCard { .. } | Event::Dealt { .. })
}
