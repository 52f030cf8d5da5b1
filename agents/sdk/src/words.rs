//! What must be said with an action. The entries of `legal` are silent.

use maumau_protocol::limits::MAX_SAYS;
use maumau_protocol::message::{Ask, Start};
use maumau_protocol::{Action, Say, Text, Verb};

/// The words that the rules of one game demand.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Words {
    /// The warning that one card is left; absent where the rules know none.
    mau: Option<Text>,
    /// Whether it counts with the last card too, which may then not be laid without it (option `mau_any_time`).
    with_last_card: bool,
}

impl Words {
    /// The words of the game's rule set; "mau" where the agent did not want to be sent it.
    pub fn new(start: &Start) -> Words {
        let Some(rules) = start.rules.as_deref() else {
            return Words { mau: Some(Text::fixed("mau")), with_last_card: false };
        };
        let duty = rules.duties.mau.as_ref();
        Words {
            mau: duty.and_then(|duty| Text::try_from(&*duty.word).ok()),
            with_last_card: duty.is_some_and(|duty| duty.any_time),
        }
    }

    /// `action` with the warning, if it lays a card that leaves one, or none where the warning counts even then. An ask without a view does not tell, so the warning
    /// then goes with every card: said needlessly it costs nothing (D-84, N-87, B-47, K-65).
    pub fn say_what_must_be_said(&self, ask: &Ask, mut action: Action) -> Action {
        let is_due = ask.view.as_ref().is_none_or(|view| match view.hand.len() {
            1 => self.with_last_card,
            cards => cards == 2,
        });
        if is_due
            && matches!(action.verb, Verb::Play { .. })
            && let Some(mau) = &self.mau
        {
            action.say = with(action.say, mau);
        }
        action
    }
}

fn with(say: Say, word: &Text) -> Say {
    if say.texts().iter().any(|text| text.as_str().eq_ignore_ascii_case(word.as_str())) {
        return say;
    }
    match say {
        Say::Nothing => Say::One(word.clone()),
        said if said.texts().len() == MAX_SAYS => said,
        said => Say::Many(said.texts().iter().chain([word]).cloned().collect()),
    }
}
