//! The ways to play a card, and the grounds on which one may be played. Names only: `out_of_turn` decides which way applies, and
//! `turn` which ground.

/// In which way a card is played.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum PlayWay {
    /// In turn, or between turns where an effect allows it.
    Turn,
    /// By a neighbour, as the answer to a card that opened a race.
    Race,
    /// As the twin of the top card.
    Interjection,
    /// As the twin of a card played meanwhile: no fault, but no interjection (P-43, P-54).
    Overtaken,
}

/// Why a card may be played.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum PlayGround {
    /// It is of the suit of the card that counts (B-05).
    SameSuit,
    /// It has the value of the card that counts (B-05).
    SameRank,
    /// It is the very card that lies there, from another pack.
    SameCard,
    /// It is of the suit that was named (B-24, K-19).
    NamedSuit,
    /// Its effect lets it lie on any card (B-23, K-18).
    AnyTime,
    /// The rules let it lie on the card that counts, though neither suit nor value is the same.
    ByRule,
    /// Anything may be played on the card that counts, or none lies there (G-07).
    Anything,
    /// It answers the cards that are owed (B-17, K-31).
    AnswersDebt,
    /// It answers a card by which its player would lose a turn (K-23, N-41).
    AnswersSkip,
    /// It serves the request (D-43).
    ServesRequest,
    /// It takes the place of the request (D-46).
    RevokesRequest,
    /// It is the twin of the top card, played as an interjection (P-41).
    Twin,
    /// Its player was the first of two neighbours to act (P-33).
    WonRace,
    /// It takes no turn, so that any seat may play it (N-58).
    Free,
    /// Its effect lets it come between turns (B-33).
    BetweenTurns,
}

impl PlayGround {
    /// All grounds.
    pub const ALL: [PlayGround; 15] = [
        PlayGround::SameSuit,
        PlayGround::SameRank,
        PlayGround::SameCard,
        PlayGround::NamedSuit,
        PlayGround::AnyTime,
        PlayGround::ByRule,
        PlayGround::Anything,
        PlayGround::AnswersDebt,
        PlayGround::AnswersSkip,
        PlayGround::ServesRequest,
        PlayGround::RevokesRequest,
        PlayGround::Twin,
        PlayGround::WonRace,
        PlayGround::Free,
        PlayGround::BetweenTurns,
    ];

    /// Its name in data: `same_suit`.
    pub fn name(self) -> &'static str {
        match self {
            PlayGround::SameSuit => "same_suit",
            PlayGround::SameRank => "same_rank",
            PlayGround::SameCard => "same_card",
            PlayGround::NamedSuit => "named_suit",
            PlayGround::AnyTime => "any_time",
            PlayGround::ByRule => "by_rule",
            PlayGround::Anything => "anything",
            PlayGround::AnswersDebt => "answers_debt",
            PlayGround::AnswersSkip => "answers_skip",
            PlayGround::ServesRequest => "serves_request",
            PlayGround::RevokesRequest => "revokes_request",
            PlayGround::Twin => "twin",
            PlayGround::WonRace => "won_race",
            PlayGround::Free => "free",
            PlayGround::BetweenTurns => "between_turns",
        }
    }
}
