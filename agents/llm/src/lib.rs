//! An agent that asks a language model what to play: the settings, and the loop that plays. It knows any endpoint that
//! speaks as OpenAI's chat completions do, and no vendor. Where a model gives no usable answer in time, or its budget is
//! spent, a built-in bot plays; so an agent never pays for what an endpoint does.
//!
//! `prompt` says what is asked, `endpoint` asks it, `reply` reads what came, `budget` counts what it cost, `player` puts
//! them together.

mod budget;
mod endpoint;
mod player;
mod prompt;
mod reply;
mod transport;
mod words;

use std::time::Duration;

use maumau_protocol::limits::MAX_NAME_CHARS;
use maumau_protocol::message::Want;
use maumau_sdk::{Profile, ServeError, serve_stdio};

pub use budget::{Limit, TokenPrices};
pub use endpoint::{Endpoint, SetupError};
pub use player::ModelPlayer;
pub use transport::{BoundedStream, Dial};

/// Everything that a user decides.
#[derive(Clone, Debug)]
pub struct ModelSettings {
    /// The address of the endpoint, up to and without `/chat/completions`.
    pub endpoint: String,
    /// The model, as the endpoint calls it.
    pub model: String,
    /// The key that the endpoint asks for; none is sent without one.
    pub key: Option<String>,
    /// How often one question is asked at most.
    pub tries: u32,
    /// The longest that one request may take; a deadline of the game may leave less.
    pub patience: Duration,
    /// Tokens that an answer may have.
    pub answer_tokens: u32,
    /// Sent where it is given; some models refuse it.
    pub temperature: Option<f64>,
    /// Whether the endpoint is asked to hold answers to a JSON schema; it is not asked again once it has refused.
    pub schema: bool,
    /// The built-in bot that plays where the model does not.
    pub instead: String,
    /// What tokens cost.
    pub prices: TokenPrices,
    /// What one game may cost.
    pub per_game: Limit,
    /// What all games of this process together may cost.
    pub per_run: Limit,
}

/// Why the agent could not play.
#[derive(Debug, thiserror::Error)]
pub enum ModelRunError {
    /// The settings are not usable.
    #[error(transparent)]
    Setup(#[from] SetupError),
    /// The arena could not be talked to.
    #[error(transparent)]
    Serve(#[from] ServeError),
}

/// Plays on standard input and output until the arena says `bye` or disconnects. `dial` opens connections where the agent
/// has no network of its own.
///
/// # Errors
/// The settings are not usable, or the arena cannot be talked to.
pub fn run(settings: &ModelSettings, dial: Option<Dial>) -> Result<(), ModelRunError> {
    let endpoint = Endpoint::new(settings, dial)?;
    maumau_agents::profile(&settings.instead).map_err(|_| SetupError::NoSuchBot(settings.instead.clone()))?;
    let shared = player::Shared::new(settings.clone(), endpoint);
    let version: String = settings.model.chars().take(MAX_NAME_CHARS).collect();
    let profile = Profile { wants: Want::ALL.to_vec(), ..Profile::new("llm", &version) };
    serve_stdio(profile, |start| ModelPlayer::new(start, shared.clone()))?;
    Ok(())
}
