//! Laws that every position and every verdict must satisfy. It reads positions and tries actions on copies of the game;
//! it does not choose the game's inputs.

use maumau_engine::{ChoiceStream, Game, Legal, Phase, Verdict};
use maumau_protocol::ruleset::Look;
use maumau_protocol::{Action, Card, Choice, Event, Pack, Reason, RuleFault, Say, Seat, Text, Verb};

use super::steps::{any_action, any_card, any_choice, any_seat};
use super::{Breach, hold, is_accepted, promises};

/// Checks the position for the seat to move and another one; returns the number of seats.
pub(super) fn check_position(game: &Game, dice: &mut ChoiceStream<'_>) -> Result<u64, Breach> {
    let Some(mover) = game.waits_for() else { return Ok(0) };
    for seat in [mover, any_seat(game, dice)] {
        check_legal(game, seat, dice)?;
        check_calls(game, seat)?;
        check_view(game, seat)?;
        promises::check(game, seat, any_action(game, seat, dice), dice)?;
    }
    let [next, first] = game.probe().next_rounds();
    hold!(next == first, "a round that began now would not begin like the first one:\n{next:?}\n{first:?}");
    let waits = game.is_closing() || game.probe().is_resting();
    hold!(waits || !game.legal(mover).is_empty(), "seat {mover} is to act and can do nothing");
    Ok(2)
}

/// Whether `verb` would be accepted if `seat` did it now, in silence or with the words of its last card; `None` if an
/// overdue take draws the very card (N-106), which no seat can know before. It is tried in `then`, which becomes a copy of the game.
fn accepts(game: &Game, then: &mut Game, seat: Seat, verb: &Verb) -> Option<bool> {
    // With the word of an interjection, the twin of the top card is one (P-53, P-55).
    let twin = matches!(verb, Verb::Play { card, .. } if game.probe().is_twin(*card));
    let words = if twin { game.words_due(seat, verb) } else { Say::word("mau") };
    for say in [Say::Nothing, words] {
        then.clone_from(game);
        let action = Action { verb: verb.clone(), say };
        let mut events: Vec<Event> = Vec::new();
        let verdict = then.apply(seat, &action, game.last_event(), &mut events);
        let interrupted = verdict == Verdict::Refused(Reason::Interrupted);
        if interrupted && events.iter().any(|event| matches!(event, Event::Taken { .. })) {
            return None;
        }
        // Not legal are a wrong card that lies until it is called (N-68, P-103), a card without the suit that it needs
        // (N-57), and a look at cards already seen.
        let no_suit = |event: &Event| matches!(event, Event::Mistake { fault: RuleFault::NoSuit, .. });
        let wrong = matches!(verb, Verb::Play { .. }) && (then.probe().lies_wrongly() || events.iter().any(no_suit));
        if is_accepted(verdict) && !wrong && !events.is_empty() {
            return Some(true);
        }
    }
    Some(false)
}

/// Actions that are accepted but not listed: they are mistakes, or useless.
fn is_unlisted(game: &Game, seat: Seat, verb: &Verb) -> bool {
    let rules = game.rules().set();
    match verb {
        // P-78: a flinch.
        Verb::Play { .. } | Verb::Draw if game.probe().has_reached(seat) => true,
        // P-75: a penalty in itself.
        Verb::Draw => rules.turn.draw_out_of_turn && game.turn() != Some(seat) && !game.is_racing(seat),
        // P-71: the dealer may say what number would have been proper. P-26: a suit that any seat may state is speech.
        Verb::Choose(_) => game.phase() != Phase::Play || game.probe().is_suit_open(),
        // P-73, while cards are dealt, and at cards already seen.
        Verb::Look => rules.deal.look != Look::Dealt || game.probe().has_looked(seat),
        // N-110, N-119: a deal that ends too soon.
        Verb::TurnUp => matches!(game.phase(), Phase::Deal | Phase::TurnUp),
        // N-111: dealing out of turn; N-118: penalties that no seat owes.
        Verb::Deal { .. } | Verb::DealPenalties => true,
        _ => false,
    }
}

/// `legal` lists exactly the actions that `apply` accepts.
fn check_legal(game: &Game, seat: Seat, dice: &mut ChoiceStream<'_>) -> Result<(), Breach> {
    let legal = game.legal(seat);
    let listed: Vec<Verb> = legal.iter().collect();
    hold!(listed.len() == legal.len(), "{} legal actions, {} listed", legal.len(), listed.len());
    for (index, verb) in listed.iter().enumerate() {
        hold!(legal.nth(index).as_ref() == Some(verb), "legal action {index} is not {verb:?}");
    }
    let mut then = game.clone();
    for verb in candidates(game, seat, legal, dice) {
        let Some(is_accepted) = accepts(game, &mut then, seat, &verb) else { continue };
        let is_legal = listed.contains(&verb);
        let agree = is_legal == is_accepted || (is_accepted && is_unlisted(game, seat, &verb));
        hold!(
            agree,
            "seat {seat}: {verb:?} is {}accepted, but listed are {listed:?}; {:?}",
            if is_accepted { "" } else { "not " },
            game.pending()
        );
    }
    Ok(())
}

/// Every call that is listed is upheld.
fn check_calls(game: &Game, seat: Seat) -> Result<(), Breach> {
    for (against, fault) in game.calls(seat) {
        hold!(
            game.rules().set().knows_fault(fault),
            "seat {against} can be called for {fault:?}, which these rules do not know"
        );
        let text = Text::try_from(fault.name()).map_err(|error| Breach(error.to_string()))?;
        let action = Action { verb: Verb::Call { against, fault: text }, say: Say::Nothing };
        let mut then = game.clone();
        let verdict = then.apply(seat, &action, game.last_event(), &mut Vec::<Event>::new());
        hold!(is_accepted(verdict), "seat {seat} is shown {fault:?} of {against} to call, but gets {verdict:?}");
    }
    Ok(())
}

fn candidates(game: &Game, seat: Seat, legal: Legal<'_>, dice: &mut ChoiceStream<'_>) -> Vec<Verb> {
    let mut verbs = vec![
        Verb::Draw,
        Verb::Pass,
        Verb::Challenge,
        Verb::TurnUp,
        Verb::Look,
        Verb::EndPointOfOrder,
        Verb::DealPenalties,
    ];
    verbs.extend(legal.rare.and_then(|rare| rare.deal).map(|left| Verb::Deal { to: left.receivers() }));
    let rules = game.rules().set().menu.iter().flat_map(|menu| menu.add.keys());
    verbs.extend(rules.filter_map(|rule| Text::try_from(rule.as_str()).ok()).map(|rule| Verb::ChooseRule { rule }));
    let pack = game.rules().pack();
    verbs.extend(pack.suits().map(|suit| Verb::Choose(Choice::Suit(suit))));
    // G-63: of another pack nothing can be named or played.
    verbs.push(Verb::Choose(Choice::Suit(foreign(pack).suits()[0])));
    verbs.push(Verb::Choose(any_choice(pack, dice)));
    verbs.extend(Seat::all(game.rules().seats()).map(|from| Verb::Take { from }));
    let strange: Vec<Card> = [pack, pack, foreign(pack)].map(|pack| any_card(pack, dice)).into();
    let sealed = game.sealed_hand(seat).kinds();
    let chooses = game.rules().set().effects.values().any(maumau_protocol::ruleset::Effect::chooses_seat);
    // From a large hand, only some cards.
    let skip = game.hand(seat).kinds().len() / 12;
    let held = game.hand(seat).kinds().iter().filter(|_| skip == 0 || dice.below(skip + 1) == 0).collect::<Vec<_>>();
    for card in held.into_iter().chain(sealed.iter().take(2)).chain(strange) {
        for choose in [None, Some(Choice::Suit(*dice.pick(&pack.suits()))), Some(any_choice(pack, dice))] {
            verbs.push(Verb::Play { card, choose });
        }
        for _ in 0..if card.suit().is_none() { 4 } else { 1 } {
            let choose = dice.often(40).then(|| any_choice(pack, dice));
            verbs.push(Verb::PlayAs { card, stands_for: any_card(pack, dice), choose });
        }
        let chosen = Seat::all(game.rules().seats()).map(|chosen| Some(Choice::Seat(chosen)));
        verbs.extend(chosen.filter(|_| chooses).map(|choose| Verb::Play { card, choose }));
    }
    verbs
}

/// A pack with other suits.
fn foreign(pack: Pack) -> Pack {
    if pack == Pack::French { Pack::Colours } else { Pack::French }
}

/// A view is true.
fn check_view(game: &Game, seat: Seat) -> Result<(), Breach> {
    let view = game.view(seat);
    let covered = !game.probe().has_looked(seat) || game.point_of_order().is_some();
    let hand: Vec<Card> = game.hand(seat).cards().filter(|_| !covered).collect();
    hold!(view.hand == hand, "seat {seat} sees {:?} for {hand:?}", view.hand);
    let public = (view.top, view.turn, view.direction, view.draw_pile as usize, view.round);
    let so = (game.pile().last().copied(), game.turn(), game.direction(), game.draw_pile_len(), game.round());
    hold!(public == so, "the view says {public:?}, so is {so:?}");
    let hands: Vec<u16> = Seat::all(game.rules().seats()).map(|seat| game.held(seat)).collect();
    hold!(view.hands == hands, "the view says {:?} cards, so are {hands:?}", view.hands);
    let sealed: Vec<u16> = Seat::all(game.rules().seats()).map(|seat| game.sealed(seat)).collect();
    hold!(view.sealed == sealed || (view.sealed.is_empty() && sealed.iter().sum::<u16>() == 0), "sealed cards");
    hold!(view.points == game.points() && view.wins == game.wins(), "points or wins");
    hold!(view.mau_said.iter().all(|seat| game.held(seat) == 1), "a warning of more than one card");
    hold!(view.pending == game.pending() && view.point_of_order == game.point_of_order(), "what is pending");
    Ok(())
}

/// An accepted action is not also refused; a refused one is refused once, and its price is its only effect.
pub(super) fn check_verdict(
    seat: Seat,
    verdict: Verdict,
    before: &Game,
    game: &Game,
    news: &[Event],
) -> Result<(), Breach> {
    let is_refusal = |event: &&Event| match event {
        Event::Refused { seat: whose, .. } => *whose == seat,
        Event::Called { by, upheld, .. } => *by == seat && !upheld,
        _ => false,
    };
    let refusals = news.iter().filter(is_refusal).count();
    let Verdict::Refused(reason) = verdict else {
        hold!(refusals == 0, "accepted and refused: {news:?}");
        return Ok(());
    };
    hold!(refusals == 1, "{reason:?}, but refused {refusals} times: {news:?}");
    let own = |event: &Event| match event {
        Event::Played { seat: whose, .. } | Event::Chose { seat: whose, .. } | Event::Passed { seat: whose } => {
            *whose == seat
        }
        Event::TurnedUp { .. } => true,
        _ => false,
    };
    // The referee may act for a seat that was refused too often; the seat has not done that itself.
    let own_doing = news.iter().take_while(|event| !matches!(event, Event::RoundOver { .. } | Event::ActedFor { .. }));
    let done: Vec<&Event> = own_doing.filter(|event| own(event)).collect();
    hold!(done.is_empty(), "{reason:?}, but {done:?}");
    if reason == Reason::Interrupted {
        // Words said with it, or an overdue take, may have come first.
        let free = matches!(news.last(), Some(Event::Refused { .. } | Event::Called { .. }))
            || news.iter().any(|event| matches!(event, Event::Taken { .. }));
        hold!(free, "an interrupted action costs nothing: {news:?}");
    }
    let rest_is_price = |event: &Event| matches!(event, Event::Penalty { seat: whose, .. } | Event::Waived { seat: whose, .. } if *whose == seat);
    match news {
        [Event::Refused { .. }] => {
            let (was, is) = (before.probe().essence(), game.probe().essence());
            hold!(was == is, "{reason:?} left something behind:\n{was:?}\n{is:?}");
        }
        [Event::Refused { .. }, price @ ..] if price.iter().all(rest_is_price) && game.turn() == before.turn() => {
            let (was, is) = (before.probe().essence_but_price(seat), game.probe().essence_but_price(seat));
            hold!(was == is, "{reason:?} left more than its price behind:\n{was:?}\n{is:?}");
        }
        _ => {}
    }
    Ok(())
}
