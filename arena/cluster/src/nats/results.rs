//! The results of a run on the server: the first of each unit stays, and collectors read them from the first to the last.

use std::time::Duration;

use anyhow::{Context as _, Result, ensure};
use async_nats::jetstream::consumer::{AckPolicy, DeliverPolicy, PullConsumer, pull};
use async_nats::jetstream::context::PublishErrorKind;
use async_nats::jetstream::message::PublishMessage;
use async_nats::jetstream::stream::Stream;
use futures_util::StreamExt;

use super::hub::Hub;
use super::patience::{ANSWER, answered, patiently};
use crate::unit::Sha;

/// The header that names the object in which a large result is.
const OBJECT: &str = "Maumau-Object";
/// The consumer of a reader that has gone is removed after so long.
const FORGOTTEN: Duration = Duration::from_secs(60);
/// Results that are asked for at once.
const BATCH: usize = 256;

/// The results of one run.
#[derive(Clone)]
pub struct Results {
    hub: Hub,
    run: String,
    stream: Stream,
}

/// What became of a published result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Published {
    /// It is the unit's result now.
    First,
    /// The unit had one.
    Again,
    /// The run has been removed meanwhile, and nobody waits for it.
    Gone,
}

/// A result as it was published; nothing of it has been checked.
#[derive(Clone, Debug)]
pub struct Arrived {
    /// Its place in the stream.
    pub sequence: u64,
    /// The unit, by its subject.
    pub number: Option<u64>,
    /// The id that its publisher gave the message: the digest of the bytes.
    pub id: Option<String>,
    /// The bytes; absent if they are an object that is not there or is another one.
    pub bytes: Option<Vec<u8>>,
}

/// Reads results in their order.
pub struct ResultsReader {
    results: Results,
    last: u64,
    consumer: Option<PullConsumer>,
    delivered: u64,
}

impl Results {
    /// The results of the run `name`.
    ///
    /// # Errors
    /// The server does not answer, or has no such run.
    pub async fn of(hub: &Hub, name: &str) -> Result<Results> {
        let stream = hub.jetstream.get_stream(format!("maumau-results-{name}")).await;
        let stream = stream.with_context(|| format!("the results of {name}"))?;
        Ok(Results { hub: hub.clone(), run: name.to_owned(), stream })
    }

    /// Publishes the result of a unit and waits until it is durable. While the server is away it waits. The message's id is the
    /// digest of the bytes, so that a repeated message is one.
    pub async fn publish(&self, number: u64, bytes: Vec<u8>) -> Published {
        let bytes = bytes::Bytes::from(bytes);
        let publish = || async {
            match self.publish_once(number, bytes.clone()).await {
                Err(_) if self.hub.is_removed(&self.run).await => Ok(Published::Gone),
                published => published,
            }
        };
        patiently(self.hub.print, "publishing a result", publish).await
    }

    async fn publish_once(&self, number: u64, bytes: bytes::Bytes) -> Result<Published> {
        let subject = format!("maumau.results.{}.{number}", self.run);
        let id = Sha::of(&bytes);
        let mut message = PublishMessage::build().message_id(id.digits()).expected_last_subject_sequence(0);
        message = if bytes.len() <= self.hub.max_payload() {
            message.payload(bytes)
        } else {
            self.hub.put_object(&bytes).await?;
            message.header(OBJECT, id.digits())
        };
        match self.hub.jetstream.send_publish(subject, message).await?.await {
            Ok(_) => Ok(Published::First),
            Err(error) if error.kind() == PublishErrorKind::WrongLastSequence => Ok(Published::Again),
            Err(error) => Err(error.into()),
        }
    }

    /// Removes a result, so that another one of its unit can come. While the server is away it waits.
    pub async fn remove(&self, sequence: u64) {
        patiently(self.hub.print, "removing a result", || async {
            match self.stream.delete_message(sequence).await {
                Ok(_) => Ok(()),
                // It may have been removed before the answer got lost.
                Err(_) if self.stream.get_raw_message(sequence).await.is_err() && self.count().await.is_ok() => Ok(()),
                Err(error) => Err(error.into()),
            }
        })
        .await;
    }

    /// How many results there are.
    ///
    /// # Errors
    /// The server does not answer.
    pub async fn count(&self) -> Result<u64> {
        Ok(self.stream.get_info().await.context("the stream of results")?.state.messages)
    }

    /// The units that have a result, sorted.
    ///
    /// # Errors
    /// The server does not answer.
    pub async fn numbers(&self) -> Result<Vec<u64>> {
        let subjects = self.stream.info_with_subjects(format!("maumau.results.{}.*", self.run)).await;
        let mut subjects = subjects.context("the stream of results")?;
        let mut numbers = Vec::new();
        while let Some(subject) = subjects.next().await {
            let (subject, _) = subject.context("the stream of results")?;
            numbers.extend(subject.rsplit('.').next().and_then(|number| number.parse::<u64>().ok()));
        }
        numbers.sort_unstable();
        Ok(numbers)
    }

    /// Reads from the first result on.
    pub fn read(&self) -> ResultsReader {
        ResultsReader { results: self.clone(), last: 0, consumer: None, delivered: 0 }
    }
}

impl ResultsReader {
    /// The next results, and the reader for those after them; no results if there are none for a moment. If the connection was lost, it
    /// goes on after the last one. Dropping the future drops the results that had come, and so it holds the reader, too: none
    /// can go on behind results that nobody saw.
    ///
    /// # Errors
    /// The server does not answer; another call tries again.
    pub async fn next(mut self, wait: Duration) -> (ResultsReader, Result<Vec<Arrived>>) {
        let read = self.read(wait).await;
        if read.is_err() {
            self.consumer = None;
        }
        (self, read)
    }

    async fn read(&mut self, wait: Duration) -> Result<Vec<Arrived>> {
        let consumer = match self.consumer.take() {
            Some(consumer) => consumer,
            None => {
                let config = pull::Config {
                    ack_policy: AckPolicy::None,
                    deliver_policy: DeliverPolicy::ByStartSequence { start_sequence: self.last + 1 },
                    inactive_threshold: FORGOTTEN,
                    ..pull::Config::default()
                };
                self.delivered = 0;
                self.results.stream.create_consumer(config).await.context("results cannot be read")?
            }
        };
        let there = consumer.fetch().max_messages(BATCH).messages().await?;
        let (mut arrived, mut is_whole) = self.take(there, ANSWER).await?;
        if arrived.is_empty() && is_whole {
            let next = consumer.batch().max_messages(1).expires(wait).messages().await?;
            (arrived, is_whole) = self.take(next, wait + ANSWER).await?;
        }
        self.consumer = is_whole.then_some(consumer);
        Ok(arrived)
    }

    /// The messages of one answer, and whether the consumer can be asked again. What came is kept, whatever became of the rest: what was
    /// lost on the way is asked for again.
    async fn take(&mut self, mut messages: pull::Batch, limit: Duration) -> Result<(Vec<Arrived>, bool)> {
        let mut arrived = Vec::new();
        loop {
            match self.take_one(&mut messages, limit).await {
                Ok(Some(one)) => arrived.push(one),
                Ok(None) => return Ok((arrived, true)),
                Err(_) if !arrived.is_empty() => return Ok((arrived, false)),
                Err(error) => return Err(error.context("results cannot be read")),
            }
        }
    }

    /// The next message of an answer; an error if it is not the one that follows.
    async fn take_one(&mut self, messages: &mut pull::Batch, limit: Duration) -> Result<Option<Arrived>> {
        let Some(message) = answered(limit, messages.next()).await? else { return Ok(None) };
        let message = message.map_err(anyhow::Error::from_boxed)?;
        let info = message.info().map_err(anyhow::Error::from_boxed)?;
        let (sequence, delivered) = (info.stream_sequence, info.consumer_sequence);
        ensure!(delivered == self.delivered + 1, "a result was lost on the way");
        let header = |name: &str| Some(message.headers.as_ref()?.get(name)?.as_str().to_owned());
        let number = message.subject.rsplit('.').next().and_then(|number| number.parse().ok());
        let bytes = match header(OBJECT).map(Sha::try_from) {
            None => Some(message.payload.to_vec()),
            Some(Err(_)) => None,
            Some(Ok(digest)) => self.results.hub.object_if_sound(&digest).await?,
        };
        let id = header("Nats-Msg-Id");
        (self.last, self.delivered) = (sequence, delivered);
        Ok(Some(Arrived { sequence, number, id, bytes }))
    }
}
