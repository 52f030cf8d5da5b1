//! Numbers of actions as steps of a game: what is legal is done, what is not has its reason or its price.

use maumau_protocol::message::What;
use maumau_protocol::{Seat, Verb};

use crate::actions::{Actions, IllegalAction};
use crate::begun::ActionStep;
use crate::table::SteppedGame;

impl SteppedGame {
    /// What action number `action` of `seat`, which is asked for `what`, does. If the rules are to charge for illegal actions, they
    /// are answers too, and a part of a play that nothing can follow is the whole play.
    ///
    /// # Errors
    /// There is no such action, it stands for nothing in this position, or it is illegal and not charged for.
    #[inline]
    pub fn step_of(
        &self,
        actions: &Actions,
        (seat, what): (Seat, What),
        action: i64,
        charges: bool,
    ) -> Result<ActionStep, IllegalAction> {
        let number = usize::try_from(action).ok().filter(|number| *number < actions.len());
        let number = number.ok_or(IllegalAction::Number { action, last: actions.len() - 1 })?;
        let step = actions.decode(self, seat, number)?;
        let is_legal = match &step {
            ActionStep::Answer(verb) if self.begun(seat).is_nothing() => self.is_legal(seat, what, verb),
            _ => actions.is_legal(self, seat, what, number),
        };
        if is_legal { Ok(step) } else { self.illegal_step(actions, seat, number, step, charges) }
    }

    #[cold]
    fn illegal_step(
        &self,
        actions: &Actions,
        seat: Seat,
        action: usize,
        step: ActionStep,
        charges: bool,
    ) -> Result<ActionStep, IllegalAction> {
        let name = || actions.name(action);
        let nothing = || IllegalAction::Nothing { action, name: name() };
        let verb = match step {
            ActionStep::Answer(verb) => verb,
            ActionStep::Begin(begun) => begun.as_it_is().ok_or_else(nothing)?,
        };
        if verb == Verb::Wait {
            return Err(nothing());
        }
        match self.refusal(seat, &verb) {
            _ if charges => Ok(ActionStep::Answer(verb)),
            Some((words, clause)) => Err(IllegalAction::Refused { action, name: name(), words, clause }),
            None => Err(nothing()),
        }
    }
}
