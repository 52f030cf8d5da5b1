//! One request to an endpoint and what came of it: the text of the answer and its tokens, or what went wrong. It knows the
//! form of chat completions and no game; whether to try again is decided by `player`.

use std::time::Duration;

use maumau_protocol::secrets::Secrets;
use serde_json::{Value, json};
use ureq::{Agent, Error};

use crate::ModelSettings;
use crate::budget::Tokens;
use crate::transport::{Dial, client};

/// Bytes of a response that are read at most.
const MAX_RESPONSE_BYTES: u64 = 1 << 20;
/// Characters of an error of the endpoint that are quoted.
const MAX_QUOTED_CHARS: usize = 160;
/// Bytes of text in a token, where the endpoint counts none.
const BYTES_PER_TOKEN: usize = 4;

/// Why an endpoint cannot be asked at all.
#[derive(Debug, thiserror::Error)]
pub enum SetupError {
    /// The address is none.
    #[error("--endpoint {0:?}: expected an address such as http://localhost:11434/v1 or https://HOST/v1")]
    Address(String),
    /// The program cannot speak https.
    #[error("--endpoint {0:?}: this program speaks only http; build it with `cargo build --release --features https`")]
    NoHttps(String),
    /// The key cannot be sent.
    #[error("the key holds characters that cannot be sent; a key is one word of visible ASCII")]
    Key,
    /// No built-in bot has the name.
    #[error("--instead {0:?}: expected a built-in bot: {known}", known = maumau_agents::NAMES.map(|(name, _)| name).join(", "))]
    NoSuchBot(String),
}

/// A message of a conversation.
#[derive(Clone, Debug)]
pub(crate) struct ChatMessage {
    pub(crate) role: &'static str,
    pub(crate) text: String,
}

/// What a model answered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct ModelAnswer {
    pub(crate) text: String,
    pub(crate) tokens: Tokens,
}

/// What went wrong with a request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum EndpointError {
    /// The endpoint wants to be left alone, for so long if it says so.
    Busy(Option<Duration>),
    /// There was no answer in time.
    Silent,
    /// The endpoint refuses the question, and will again.
    Refused(String),
    /// The endpoint takes no question with this key.
    Denied(String),
    /// The endpoint or the way to it is broken.
    Broken(String),
}

/// An endpoint.
#[derive(Debug)]
pub struct Endpoint {
    client: Agent,
    url: String,
    model: String,
    authorization: Option<String>,
    /// The key, which endpoints repeat in errors and answers.
    secrets: Secrets,
    answer_tokens: u32,
    temperature: Option<f64>,
    /// Whether to ask for a JSON schema.
    schema: bool,
    /// How the endpoint calls the bound of an answer.
    bound: &'static str,
}

impl Endpoint {
    /// The endpoint of `settings`. No request is sent.
    ///
    /// # Errors
    /// It could never be asked.
    pub fn new(settings: &ModelSettings, dial: Option<Dial>) -> Result<Endpoint, SetupError> {
        let base = settings.endpoint.trim_end_matches('/');
        let url = format!("{base}/chat/completions");
        let host =
            |scheme: &str| base.strip_prefix(scheme).is_some_and(|rest| !rest.is_empty() && !rest.starts_with('/'));
        let is_address = url.parse::<ureq::http::Uri>().is_ok_and(|uri| uri.host().is_some());
        if !is_address || !(host("http://") || host("https://")) {
            return Err(SetupError::Address(settings.endpoint.clone()));
        }
        if cfg!(not(feature = "https")) && host("https://") {
            return Err(SetupError::NoHttps(settings.endpoint.clone()));
        }
        let key = settings.key.as_deref();
        if key.is_some_and(|key| key.is_empty() || !key.bytes().all(|byte| byte.is_ascii_graphic())) {
            return Err(SetupError::Key);
        }
        // The endpoint that was named is asked, and no other: no proxy of the environment, no redirect.
        let config = Agent::config_builder().proxy(None).max_redirects(0).http_status_as_error(false).build();
        Ok(Endpoint {
            client: client(config, dial),
            url,
            model: settings.model.clone(),
            authorization: key.map(|key| format!("Bearer {key}")),
            secrets: Secrets::new(key.map(|key| ("key", key))),
            answer_tokens: settings.answer_tokens,
            temperature: settings.temperature,
            schema: settings.schema,
            bound: "max_tokens",
        })
    }

    /// Asks, and waits no longer than `patience`. Where the endpoint does not know a member of the request, it is asked
    /// once more without; later requests do not have it either.
    pub(crate) fn ask(&mut self, messages: &[ChatMessage], patience: Duration) -> Result<ModelAnswer, EndpointError> {
        let until = std::time::Instant::now() + patience;
        loop {
            let left = until.saturating_duration_since(std::time::Instant::now());
            match self.send(messages, left) {
                Err(EndpointError::Refused(why)) if self.can_do_without(&why) => {}
                result => return result,
            }
        }
    }

    /// Leaves out of later requests what `why` complains of; `false` if that is nothing that can be left out.
    fn can_do_without(&mut self, why: &str) -> bool {
        let why = why.to_ascii_lowercase();
        let is_unknown =
            ["unsupported", "not supported", "unknown", "unrecognized"].iter().any(|word| why.contains(word));
        let is_bound = why.contains("max_completion_tokens") || is_unknown && why.contains("max_tokens");
        if is_bound && self.bound == "max_tokens" {
            self.bound = "max_completion_tokens";
        } else if self.schema {
            self.schema = false;
        } else {
            return false;
        }
        true
    }

    fn send(&self, messages: &[ChatMessage], patience: Duration) -> Result<ModelAnswer, EndpointError> {
        if patience.is_zero() {
            return Err(EndpointError::Silent);
        }
        let body = self.body(messages).to_string();
        let mut request = self.client.post(&self.url).config().timeout_global(Some(patience)).build();
        request = request.content_type("application/json");
        if let Some(authorization) = &self.authorization {
            request = request.header("authorization", authorization);
        }
        let mut response = request.send(&body).map_err(trouble)?;
        let status = response.status().as_u16();
        let wait = response.headers().get("retry-after").and_then(|value| value.to_str().ok()?.parse::<f64>().ok());
        let wait = wait.and_then(|seconds| Duration::try_from_secs_f64(seconds).ok());
        let text = response.body_mut().with_config().limit(MAX_RESPONSE_BYTES).lossy_utf8(true).read_to_string();
        // Nothing else of this program sees the key, so that no part of it is left where a text is cut.
        let text = self.secrets.hide_line(text.map_err(trouble)?.as_bytes()).into_owned();
        let text = String::from_utf8_lossy(&text);
        match status {
            200..=299 => read(&text, body.len()),
            429 | 503 => Err(EndpointError::Busy(wait)),
            401 | 403 => Err(EndpointError::Denied(format!("status {status}: {}", quoted(&text)))),
            400..=499 => Err(EndpointError::Refused(format!("status {status}: {}", quoted(&text)))),
            _ => Err(EndpointError::Broken(format!("status {status}: {}", quoted(&text)))),
        }
    }

    fn body(&self, messages: &[ChatMessage]) -> Value {
        let messages: Vec<Value> =
            messages.iter().map(|message| json!({"role": message.role, "content": message.text})).collect();
        let mut body = json!({"model": self.model, "messages": messages, self.bound: self.answer_tokens});
        if let Some(temperature) = self.temperature {
            body["temperature"] = json!(temperature);
        }
        if self.schema {
            body["response_format"] = json!({"type": "json_schema", "json_schema": {"name": "move", "strict": true,
                "schema": {"type": "object", "additionalProperties": false, "required": ["why", "action"],
                    "properties": {"why": {"type": "string"}, "action": {"type": "integer"}}}}});
        }
        body
    }
}

/// The answer in the body of a response to a request of `asked` bytes.
fn read(body: &str, asked: usize) -> Result<ModelAnswer, EndpointError> {
    let value: Value = serde_json::from_str(body)
        .map_err(|error| EndpointError::Broken(format!("a response that is not JSON ({error}): {}", quoted(body))))?;
    let message = &value["choices"][0]["message"];
    let text = message["content"].as_str().or_else(|| message["refusal"].as_str());
    let text = text.ok_or_else(|| EndpointError::Broken(format!("a response without an answer: {}", quoted(body))))?;
    let usage = &value["usage"];
    let count = |value: &Value, guess: usize| value.as_u64().unwrap_or((guess / BYTES_PER_TOKEN) as u64);
    let tokens = Tokens {
        input: count(&usage["prompt_tokens"], asked),
        cached: count(&usage["prompt_tokens_details"]["cached_tokens"], 0),
        output: count(&usage["completion_tokens"], text.len()),
    };
    Ok(ModelAnswer { text: text.to_owned(), tokens })
}

fn trouble(error: Error) -> EndpointError {
    match error {
        Error::Timeout(_) => EndpointError::Silent,
        Error::BodyExceedsLimit(bytes) => EndpointError::Broken(format!("a response of more than {bytes} bytes")),
        error => EndpointError::Broken(error.to_string()),
    }
}

fn quoted(text: &str) -> String {
    let words = text.split_whitespace().collect::<Vec<_>>().join(" ");
    words.chars().filter(|c| !c.is_control()).take(MAX_QUOTED_CHARS).collect()
}
