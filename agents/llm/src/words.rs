//! Cards, actions, events and positions in words, as a model reads them. Each is made from one value alone; nothing here
//! knows what is legal, and nothing is said that the seat was not sent.

use maumau_protocol::{Action, Card, Choice, Direction, Faces, Reach, Seat, SeenEvent, Verb, View};

/// The names of a table, from one seat's point of view.
pub(crate) struct Names<'a> {
    pub(crate) names: &'a [String],
    pub(crate) own: Seat,
    /// What the cards of the game look like.
    pub(crate) faces: Faces,
}

impl Names<'_> {
    /// A seat as it is called: by its number, as in the rules, and the model by "you". Names of agents are left out: they are the text of
    /// others, who could give instructions in it.
    fn seat(&self, seat: Seat) -> String {
        if seat == self.own { "you".to_owned() } else { format!("seat {}", seat.index()) }
    }

    /// As in `jack of spades`.
    fn card(&self, card: Card) -> String {
        self.faces.card(card)
    }

    fn choice(&self, choice: Choice) -> String {
        match choice {
            Choice::Suit(suit) => self.faces.suit(suit).to_owned(),
            Choice::Rank(rank) => self.faces.rank(rank).to_owned(),
            Choice::Seat(seat) => format!("seat {seat}"),
        }
    }

    fn seats(&self, seats: impl Iterator<Item = Seat>) -> String {
        seats.map(|seat| self.seat(seat)).collect::<Vec<_>>().join(", ")
    }
}

/// An action with the words that go with it.
pub(crate) fn action(action: &Action, names: &Names<'_>) -> String {
    let mut text = match &action.verb {
        Verb::Play { card: played, choose: None } => format!("play the {}", names.card(*played)),
        Verb::Play { card: played, choose: Some(named) } => {
            format!("play the {} and name {}", names.card(*played), names.choice(*named))
        }
        Verb::PlayTogether { cards, choose: named, close } => {
            let cards: Vec<String> = cards.iter().map(|played| format!("the {}", names.card(*played))).collect();
            let named = named.map(|named| format!(" and name {}", names.choice(named))).unwrap_or_default();
            let open = if *close { "" } else { ", leaving the run open" };
            format!("play {} at once{named}{open}", cards.join(", "))
        }
        Verb::PlayAs { card: played, stands_for, choose: named } => {
            let named = named.map(|named| format!(" and name {}", names.choice(named))).unwrap_or_default();
            format!("play the {} as the {}{named}", names.card(*played), names.card(*stands_for))
        }
        Verb::Draw => "draw".to_owned(),
        Verb::Pass => "pass".to_owned(),
        Verb::Challenge => "challenge the card for which you owe cards".to_owned(),
        Verb::Say { text } => return format!("say {:?}", text.as_str()),
        Verb::Call { against, fault } => {
            format!("call a mistake of {}: {}", names.seat(*against), fault.as_str().replace('_', " "))
        }
        Verb::Choose(named) => format!("name {}", names.choice(*named)),
        Verb::ChooseRule { rule } => format!("add the rule {:?}", rule.as_str()),
        Verb::Take { from } => format!("take a card from {}", names.seat(*from)),
        Verb::Deal { to } => format!("deal a card to {}", names.seats(to.iter().copied())),
        Verb::DealPenalties => "deal out the penalty cards".to_owned(),
        Verb::TurnUp => "turn up the first card".to_owned(),
        Verb::Look => "look at your cards".to_owned(),
        Verb::Reach { r#for: Reach::Draw } => "reach for the draw pile".to_owned(),
        Verb::Reach { r#for: Reach::Play } => "reach for the discard pile".to_owned(),
        Verb::Glare { at } => format!("glare at {}", names.seat(*at)),
        Verb::PointOfOrder => "call a point of order".to_owned(),
        Verb::EndPointOfOrder => "end the point of order".to_owned(),
        Verb::Count => "count down from ten".to_owned(),
        Verb::PickUp => "pick up the cards".to_owned(),
        Verb::Wait => "do nothing".to_owned(),
    };
    let said: Vec<String> = action.say.texts().iter().map(|word| format!("{:?}", word.as_str())).collect();
    if !said.is_empty() {
        text += &format!(", saying {}", said.join(" and "));
    }
    text
}

/// What happened, if it shows a player something that the position does not show.
pub(crate) fn event(event: &SeenEvent, names: &Names<'_>) -> Option<String> {
    let who = |seat: &Seat| names.seat(*seat);
    Some(match event {
        SeenEvent::RoundStarted { round, dealer, .. } => format!("round {round} began; dealer: {}", who(dealer)),
        SeenEvent::TurnedUp { card: top } => format!("the {} was turned up", names.card(*top)),
        SeenEvent::Said { seat, text, .. } => format!("{} said {:?}", who(seat), text.as_str()),
        SeenEvent::Played { seat, card: played, stands_for, choose: named } => {
            let stands_for = stands_for.map(|other| format!(" as the {}", names.card(other))).unwrap_or_default();
            let named = named.map(|named| format!(" and named {}", names.choice(named))).unwrap_or_default();
            format!("{} played the {}{stands_for}{named}", who(seat), names.card(*played))
        }
        SeenEvent::Chose { seat, choose } | SeenEvent::Named { seat, choose } => {
            format!("{} named {}", who(seat), names.choice(*choose))
        }
        SeenEvent::Drew { seat, .. } => format!("{} drew a card", who(seat)),
        SeenEvent::Penalty { seat, fault, .. } => {
            format!("{} took a penalty card for {}", who(seat), fault.name().replace('_', " "))
        }
        SeenEvent::Refused { seat, reason, .. } => {
            format!("{} was refused: {}", who(seat), reason.name().replace('_', " "))
        }
        SeenEvent::Called { by, against, fault, upheld } => {
            let verdict = if *upheld { "upheld" } else { "not upheld" };
            format!("{} called {} of {}: {verdict}", who(by), fault.as_str().replace('_', " "), who(against))
        }
        SeenEvent::Challenged { by, against, upheld } => {
            let verdict = if *upheld { "wrong" } else { "right" };
            format!("{} challenged the card of {}: it was {verdict}", who(by), who(against))
        }
        SeenEvent::Passed { seat } => format!("{} passed", who(seat)),
        SeenEvent::Skipped { seat } => format!("{} lost a turn", who(seat)),
        SeenEvent::Reversed { .. } => "the direction of play turned round".to_owned(),
        SeenEvent::Reshuffled { .. } => "the discard pile became the draw pile".to_owned(),
        SeenEvent::Swapped { seats, .. } => format!("{} changed places", names.seats(seats.iter())),
        SeenEvent::Taken { by, from, .. } => format!("a card went from {} to {}", who(from), who(by)),
        SeenEvent::RoundOver { .. } => "the round is over".to_owned(),
        SeenEvent::RuleAdded { by, rule } => {
            format!("{} added the rule {:?}, which holds from now on", who(by), rule.as_str())
        }
        _ => return None,
    })
}

/// The position, a line for each thing that is known.
pub(crate) fn position(view: &View, names: &Names<'_>) -> String {
    let mut lines = vec![format!("You sit at seat {} of the seats 0 to {}.", names.own.index(), names.names.len() - 1)];
    let mut add = |line: String| lines.push(line);
    add(match view.hand.as_slice() {
        [] => "You see no cards of your own.".to_owned(),
        hand => format!("Your hand: {}.", hand.iter().map(|held| names.card(*held)).collect::<Vec<_>>().join(", ")),
    });
    let others = Seat::all(view.hands.len()).filter(|seat| *seat != names.own);
    let held: Vec<String> = others.map(|seat| format!("{} {}", names.seat(seat), view.hands[seat.index()])).collect();
    add(format!("Cards of the others: {}.", held.join(", ")));
    if let Some(own) = view.sealed.get(names.own.index()).filter(|count| **count > 0) {
        add(format!("{own} of your cards may not be looked at yet."));
    }
    add(match view.top {
        Some(top) => format!("Top of the discard pile: {}.", names.card(top)),
        None => "The discard pile is empty.".to_owned(),
    });
    if let Some(visible) = view.visible {
        add(format!("The card that counts there: {}.", names.card(visible)));
    }
    add(format!("Draw pile: {} cards.", view.draw_pile));
    if let Some(turn) = view.turn {
        add(format!("To move: {}. Direction of play: {}.", names.seat(turn), direction(view.direction)));
    }
    pending(view, names, &mut lines);
    let mut add = |line: String| lines.push(line);
    if !view.mau_said.is_empty() {
        add(format!("Said that they hold one card: {}.", names.seats(view.mau_said.iter())));
    }
    if !view.not_looked.is_empty() {
        add(format!("Have not looked at their cards: {}.", names.seats(view.not_looked.iter())));
    }
    if let Some(seat) = view.point_of_order {
        add(format!("A point of order of {} lasts.", names.seat(seat)));
    }
    add(format!("Round {} of {}.", view.round, view.rounds));
    if view.points.iter().any(|points| *points != 0) {
        let points: Vec<String> = Seat::all(view.points.len())
            .map(|seat| format!("{} {}", names.seat(seat), view.points[seat.index()]))
            .collect();
        add(format!("Points so far: {}.", points.join(", ")));
    }
    lines.join("\n")
}

fn pending(view: &View, names: &Names<'_>, lines: &mut Vec<String>) {
    let pending = &view.pending;
    let who = |seat: Seat| names.seat(seat);
    let conditions = [
        (pending.draw > 0).then(|| format!("Cards owed by the player to move: {}.", pending.draw)),
        pending.challenge.map(|seat| format!("May challenge the card that makes the debt: {}.", who(seat))),
        (pending.sevens > 0).then(|| format!("Cards that make the debt: {}.", pending.sevens)),
        pending.suit_open.then(|| "A suit must be stated before the next card.".to_owned()),
        pending.joker.map(|race| format!("Either neighbour of {} may answer the joker.", who(race.by))),
        (pending.skip > 0).then(|| format!("Players who lose a turn, from the one to move on: {}.", pending.skip)),
        pending.suit.map(|suit| format!("The suit to serve: {}.", names.faces.suit(suit))),
        pending
            .request
            .map(|asked| format!("Everybody has to serve {}, as {} asked.", names.choice(asked.names), who(asked.by))),
        pending.run.map(|run| {
            format!("A run that is open, to which cards of its suit may be added: {}.", names.faces.suit(run.suit))
        }),
        pending.again.map(|seat| format!("May play a further card: {}.", who(seat))),
        pending.choose.map(|seat| format!("Has to name a suit or value: {}.", who(seat))),
        pending.skip_victim.map(|seat| format!("Loses a turn without an answer: {}.", who(seat))),
        pending.take.map(|order| format!("To take a card from {}: {}.", who(order.from), who(order.by))),
        pending.snap.then(|| "The word for two identical cards is due with the next card.".to_owned()),
        pending.owed_turn.map(|seat| format!("Has played a free card and still has its turn: {}.", who(seat))),
        pending.closing.then(|| "A hand is empty: the round closes unless that changes.".to_owned()),
        (pending.drawn > 0).then(|| format!("Cards drawn in this turn: {}.", pending.drawn)),
        pending.anything.then(|| "Any card may be played.".to_owned()),
    ];
    lines.extend(conditions.into_iter().flatten());
}

fn direction(of: Direction) -> &'static str {
    match of {
        Direction::Clockwise => "clockwise, by rising seats",
        Direction::Counterclockwise => "counterclockwise, by falling seats",
    }
}
