//! Which families of rules a table plays by beyond the plain turn. Only a set of flags: `compiled` sets them for a
//! table, and `game` reads them.
//!
//! In a plain turn the seat to move plays a card that fits, draws or passes; its only lasting effects are a draw debt, a
//! skip, a named suit or a pending warning of the last card. The engine is compiled a second time for plain turns, from the
//! same text, with every family left out: [`Game::features`](crate::Game) is then [`Features::default`]. Rules that are no
//! member here are never left out, and a table that uses a member does not count as plain, so the author of a rule can
//! forget neither.

/// The families of rules beyond the plain turn; those that are `false` have no effect at this table.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Features {
    /// Some cards may not be played on some others.
    pub(crate) choosy_cards: bool,
    /// Some cards are treated as absent.
    pub(crate) transparent_cards: bool,
    /// The suit of some cards is stated in words.
    pub(crate) stated_suits: bool,
    /// Some cards may be played between turns.
    pub(crate) out_of_turn: bool,
    /// Some cards cost no turn.
    pub(crate) free_cards: bool,
    /// The twin of the top card may be played at any time.
    pub(crate) interjections: bool,
    /// Some cards order a seat to take cards, or skip it unless it answers.
    pub(crate) orders: bool,
    /// After some cards either neighbour may act.
    pub(crate) races: bool,
    /// An empty hand wins only after the closing time.
    pub(crate) closing: bool,
    /// Play may rest: in a point of order, or in the closing time.
    pub(crate) rests: bool,
    /// Seats must look at their cards.
    pub(crate) covered_hands: bool,
    /// A wrong card lies until it is called.
    pub(crate) standing_mistakes: bool,
    /// Words are due before the next card.
    pub(crate) announcements: bool,
    /// Something said has an effect, the warning of the last card aside.
    pub(crate) speech: bool,
    /// Seats see movements and glares.
    pub(crate) movements: bool,
    /// Some cards request a suit or value from the whole table.
    pub(crate) requests: bool,
    /// Seats change places.
    pub(crate) exchanges: bool,
    /// Penalty cards are sealed at first.
    pub(crate) sealed_cards: bool,
    /// One seat can lose several turns.
    pub(crate) turns_lost: bool,
    /// Seats with an empty hand are out, and the others play on.
    pub(crate) places: bool,
    /// Runs of a suit may be left open.
    pub(crate) runs: bool,
    /// Some cards can be challenged.
    pub(crate) challenges: bool,
    /// What cards do depends on the count of their player.
    pub(crate) counts: bool,
    /// Some cards stand for others.
    pub(crate) stand_ins: bool,
}

impl Features {
    /// Whether no rule goes beyond the plain turn.
    pub(crate) fn are_plain(self) -> bool {
        self == Features::default()
    }

    /// Whether a card played in turn is legal if it fits: no seat can come in between, nothing has to be said, and no card on
    /// the pile is wrong or treated as absent.
    pub(crate) fn judge_by_fit(self) -> bool {
        // Only these have no influence on whether a card is legal. All others must be off.
        let Features {
            speech,
            movements,
            requests,
            exchanges,
            sealed_cards,
            turns_lost,
            places,
            counts,
            stand_ins,
            ..
        } = self;
        let harmless = Features {
            speech,
            movements,
            requests,
            exchanges,
            sealed_cards,
            turns_lost,
            places,
            counts,
            stand_ins,
            ..Features::default()
        };
        self == harmless
    }

    /// Whether seats may act between turns, a race of neighbours aside.
    #[inline]
    pub(crate) fn react(self) -> bool {
        self.out_of_turn || self.free_cards || self.interjections || self.orders
    }
}
