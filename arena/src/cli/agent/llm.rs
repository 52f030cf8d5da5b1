//! `maumau agent llm`: the options of an agent that asks a language model. It reads the key; `maumau-llm` plays.

#[cfg(unix)]
use std::io::{self, Read, Write};
use std::path::PathBuf;
#[cfg(unix)]
use std::sync::Arc;
use std::time::Duration;

use anyhow::{Context, Result};
#[cfg(unix)]
use maumau_llm::BoundedStream;
use maumau_llm::{Dial, Limit, ModelRunError, ModelSettings, TokenPrices};
use maumau_run::error::{CommandOutcome, usage};
use maumau_run::io::bounded;

/// Bytes of a file with a key.
const MAX_KEY_BYTES: u64 = 4096;

/// Ask a language model what to play: any endpoint with OpenAI's chat completions.
///
/// Where the model gives no usable answer in time, and when the budget is spent, a built-in bot plays instead. Thoughts,
/// tokens and cost of each question are notes in the record. Give the model time: --move-ms 30000 or [time] move_ms.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  maumau agent llm --endpoint http://localhost:11434/v1 --model qwen3
  maumau agent llm --endpoint http://localhost:8000/v1 --model small \\
      --price-in 0.4 --price-out 1.6 --game-cost 0.05")]
pub(super) struct AgentLlmArguments {
    /// The address, up to and without /chat/completions
    #[arg(long, value_name = "URL")]
    endpoint: String,
    /// The model, as the endpoint calls it
    #[arg(long, value_name = "NAME")]
    model: String,
    /// The environment variable that holds the key; in the arena permit it with secrets or --sandbox-env
    #[arg(long, value_name = "NAME", conflicts_with = "key_file")]
    key_env: Option<String>,
    /// The file that holds the key; in the arena permit it with read or --sandbox-read
    #[arg(long, value_name = "FILE")]
    key_file: Option<PathBuf>,
    /// How often one question is asked at most
    #[arg(long, value_name = "N", default_value_t = 3, value_parser = clap::value_parser!(u32).range(1..=20))]
    tries: u32,
    /// The longest that one request may take; the deadline of the game may leave less
    #[arg(long, value_name = "MS", default_value_t = 120_000, value_parser = clap::value_parser!(u64).range(1..=3_600_000))]
    patience_ms: u64,
    /// Tokens that an answer may have
    #[arg(long, value_name = "N", default_value_t = 400, value_parser = clap::value_parser!(u32).range(16..=100_000))]
    answer_tokens: u32,
    /// Sent to the model; some refuse it
    #[arg(long, value_name = "T", value_parser = amount)]
    temperature: Option<f64>,
    /// Do not ask the endpoint to hold answers to a JSON schema
    #[arg(long)]
    no_schema: bool,
    /// The built-in bot that plays where the model does not: random, first or greedy
    #[arg(long, value_name = "BOT", default_value = "greedy")]
    instead: String,
    /// What a million tokens of questions cost
    #[arg(long, value_name = "PRICE", default_value = "0", value_parser = amount)]
    price_in: f64,
    /// What a million tokens of questions cost that the endpoint has kept; by default as --price-in
    #[arg(long, value_name = "PRICE", value_parser = amount)]
    price_cached: Option<f64>,
    /// What a million tokens of answers cost
    #[arg(long, value_name = "PRICE", default_value = "0", value_parser = amount)]
    price_out: f64,
    /// Tokens for one game, after which the bot plays
    #[arg(long, value_name = "N")]
    game_tokens: Option<u64>,
    /// Money for one game, after which the bot plays
    #[arg(long, value_name = "COST", value_parser = amount)]
    game_cost: Option<f64>,
    /// Tokens for all games of this process, after which the bot plays
    #[arg(long, value_name = "N")]
    run_tokens: Option<u64>,
    /// Money for all games of this process, after which the bot plays
    #[arg(long, value_name = "COST", value_parser = amount)]
    run_cost: Option<f64>,
}

fn amount(text: &str) -> Result<f64, String> {
    let number = text.parse::<f64>().ok().filter(|number| number.is_finite() && *number >= 0.0);
    number.ok_or_else(|| "expected a number from 0 on, such as 0.25".to_owned())
}

/// Plays until stdin ends.
///
/// # Errors
/// The options are not usable, or stdin or stdout fail.
pub(super) fn run(arguments: AgentLlmArguments) -> Result<CommandOutcome> {
    let key = key(&arguments)?;
    let settings = ModelSettings {
        endpoint: arguments.endpoint,
        model: arguments.model,
        key,
        tries: arguments.tries,
        patience: Duration::from_millis(arguments.patience_ms),
        answer_tokens: arguments.answer_tokens,
        temperature: arguments.temperature,
        schema: !arguments.no_schema,
        instead: arguments.instead,
        prices: TokenPrices {
            input: arguments.price_in,
            cached: arguments.price_cached.unwrap_or(arguments.price_in),
            output: arguments.price_out,
        },
        per_game: Limit { tokens: arguments.game_tokens, cost: arguments.game_cost },
        per_run: Limit { tokens: arguments.run_tokens, cost: arguments.run_cost },
    };
    match maumau_llm::run(&settings, dial()) {
        Ok(()) => Ok(CommandOutcome::Done),
        Err(ModelRunError::Setup(error)) => Err(usage(error.to_string())),
        Err(ModelRunError::Serve(error)) if error.exit_status() == 2 => Err(usage(error.to_string())),
        Err(error) => Err(error.into()),
    }
}

fn key(arguments: &AgentLlmArguments) -> Result<Option<String>> {
    if let Some(name) = &arguments.key_env {
        let value = std::env::var(name).ok().filter(|value| !value.is_empty());
        let value = value.ok_or_else(|| {
            usage(format!(
                "--key-env {name}: it has no value here; permit it: secrets = [\"{name}\"] or --sandbox-env {name}"
            ))
        })?;
        return Ok(Some(value.trim().to_owned()));
    }
    let Some(file) = &arguments.key_file else { return Ok(None) };
    let shown = file.display();
    std::fs::metadata(file)
        .with_context(|| format!("--key-file {shown}: permit it: read = [\"{shown}\"] or --sandbox-read {shown}"))?;
    let text = bounded::read_text(file, MAX_KEY_BYTES, "a key");
    let text = text.map_err(|error| usage(format!("--key-file {shown}: {error}")))?;
    Ok(Some(text.trim().to_owned()))
}

/// The arena's way to the one host that this agent is permitted, if it runs in a sandbox.
fn dial() -> Option<Dial> {
    #[cfg(unix)]
    {
        let dial = maumau_sandbox::dial()?;
        Some(Arc::new(move || Ok(Box::new(Handed(dial()?)) as Box<dyn BoundedStream>)))
    }
    #[cfg(not(unix))]
    None
}

/// A stream that the arena has handed over.
#[cfg(unix)]
#[derive(Debug)]
struct Handed(std::os::unix::net::UnixStream);

#[cfg(unix)]
impl Read for Handed {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.0.read(buffer)
    }
}

#[cfg(unix)]
impl Write for Handed {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.flush()
    }
}

#[cfg(unix)]
impl BoundedStream for Handed {
    fn set_timeout(&self, timeout: Option<Duration>) -> io::Result<()> {
        self.0.set_read_timeout(timeout)?;
        self.0.set_write_timeout(timeout)
    }
}
