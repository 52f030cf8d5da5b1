//! The units of a run on the server: published once each, taken by workers, and gone when they are acknowledged.

use std::time::Duration;

use anyhow::{Context as _, Result};
use async_nats::jetstream::consumer::pull;
use async_nats::jetstream::consumer::{AckPolicy, PullConsumer};
use async_nats::jetstream::context::PublishErrorKind;
use async_nats::jetstream::message::{Acker, PublishMessage};
use async_nats::jetstream::{AckKind, Context};
use futures_util::StreamExt;

use super::hub::Hub;
use super::patience::{ANSWER, answered, patiently};
use crate::unit::Unit;
use crate::words::Manifest;

/// The consumer that all workers of a run share.
const WORKERS: &str = "workers";
/// Units that all workers together may hold.
const HELD: i64 = 200_000;
/// Messages on their way to the server at once.
const WINDOW: usize = 512;

/// The units of one run.
#[derive(Clone)]
pub struct Work {
    hub: Hub,
    run: String,
    consumer: PullConsumer,
}

/// A unit in a worker's leases.
pub struct UnitDelivery {
    /// The unit.
    pub unit: Unit,
    /// How often it has been given to a worker, this time included.
    pub deliveries: u64,
    acker: Acker,
}

/// How many units of a run there are on the server.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Counts {
    /// Units that wait for a worker.
    pub waiting: u64,
    /// Units in workers' hands.
    pub in_hand: u64,
    /// Units in workers' hands that another worker had before.
    pub redelivered: u64,
}

/// The shared consumer. Its lease is `ack_wait`; no `backoff`, which would override it, and no limit of deliveries: after one, a
/// message would stay in the stream forever. Units that fail are parked by name.
async fn consumer(jetstream: &Context, run: &str, lease_s: u64) -> Result<PullConsumer> {
    let stream = jetstream.get_stream(format!("maumau-work-{run}")).await;
    let stream = stream.with_context(|| format!("the units of {run}"))?;
    let config = pull::Config {
        durable_name: Some(WORKERS.to_owned()),
        ack_policy: AckPolicy::Explicit,
        ack_wait: Duration::from_secs(lease_s),
        max_deliver: -1,
        max_ack_pending: HELD,
        ..pull::Config::default()
    };
    stream.get_or_create_consumer(WORKERS, config).await.with_context(|| format!("the workers' consumer of {run}"))
}

impl Work {
    /// The units of the run `name`.
    ///
    /// # Errors
    /// The server does not answer, or has no such run.
    pub async fn of(hub: &Hub, name: &str, manifest: &Manifest) -> Result<Work> {
        let consumer = consumer(&hub.jetstream, name, manifest.lease_s).await?;
        Ok(Work { hub: hub.clone(), run: name.to_owned(), consumer })
    }

    /// Publishes units, waits until each is durable, and returns how many were not there yet. While the server is away it waits.
    pub async fn publish(&self, units: impl IntoIterator<Item = Unit>) -> u64 {
        let one = |unit: Unit| async move {
            patiently(self.hub.print, "publishing a unit", || self.publish_one(&unit)).await
        };
        let published = futures_util::stream::iter(units).map(one).buffer_unordered(WINDOW);
        published.fold(0, |new, is_new| async move { new + u64::from(is_new) }).await
    }

    async fn publish_one(&self, unit: &Unit) -> Result<bool> {
        let subject = format!("maumau.work.{}.{}", self.run, unit.number);
        let message =
            PublishMessage::build().payload(serde_json::to_vec(unit)?.into()).expected_last_subject_sequence(0);
        match self.hub.jetstream.send_publish(subject, message).await?.await {
            Ok(_) => Ok(true),
            Err(error) if error.kind() == PublishErrorKind::WrongLastSequence => Ok(false),
            Err(error) => Err(error.into()),
        }
    }

    /// Takes up to `most` units; waits up to `wait` for the first ones.
    ///
    /// # Errors
    /// The server does not answer. Units that were on their way go to a worker again once their leases run out.
    pub async fn take(&self, most: u64, wait: Duration) -> Result<Vec<UnitDelivery>> {
        let there = self.consumer.fetch().max_messages(most as usize).messages().await;
        let mut taken = read(there.context("units cannot be asked for")?, ANSWER).await?;
        if taken.is_empty() {
            let next = self.consumer.batch().max_messages(1).expires(wait).messages().await;
            taken = read(next.context("units cannot be asked for")?, wait + ANSWER).await?;
        }
        Ok(taken)
    }

    /// How many units there are.
    ///
    /// # Errors
    /// The server does not answer.
    pub async fn counts(&self) -> Result<Counts> {
        let info = self.consumer.get_info().await.context("the workers' consumer")?;
        Ok(Counts {
            waiting: info.num_pending,
            in_hand: info.num_ack_pending as u64,
            redelivered: info.num_redelivered as u64,
        })
    }
}

/// The units of one answer; those that came are taken, whatever became of the others. Without an answer within `limit` the question
/// or the answer was lost with the connection.
async fn read(mut messages: pull::Batch, limit: Duration) -> Result<Vec<UnitDelivery>> {
    let mut taken = Vec::new();
    loop {
        let message = match answered(limit, messages.next()).await {
            Ok(Some(Ok(message))) => message,
            Ok(None) => return Ok(taken),
            Ok(Some(Err(_))) | Err(_) if !taken.is_empty() => return Ok(taken),
            Ok(Some(Err(error))) => return Err(anyhow::Error::from_boxed(error).context("a unit cannot be taken")),
            Err(error) => return Err(error.context("a unit cannot be taken")),
        };
        let deliveries = message.info().map_or(1, |info| info.delivered.max(1) as u64);
        let (message, acker) = message.split();
        match serde_json::from_slice(&message.payload) {
            Ok(unit) => taken.push(UnitDelivery { unit, deliveries, acker }),
            // Nobody can read it, now or later. If this is lost, it comes once more.
            Err(_) => _ = acker.ack_with(AckKind::Term).await,
        }
    }
}

impl UnitDelivery {
    /// Renews its lease.
    ///
    /// # Errors
    /// The message cannot be sent.
    pub async fn renew(&self) -> Result<()> {
        self.acker.ack_with(AckKind::Progress).await.map_err(anyhow::Error::from_boxed)
    }

    /// Says that its result is durable, and waits until the server has taken that down.
    ///
    /// # Errors
    /// The server does not answer. The unit may be given to a worker again.
    pub async fn done(&self) -> Result<()> {
        self.acker.double_ack().await.map_err(anyhow::Error::from_boxed)
    }

    /// Gives it back, so that another worker has it at once.
    ///
    /// # Errors
    /// The message cannot be sent.
    pub async fn give_back(&self) -> Result<()> {
        self.acker.ack_with(AckKind::Nak(None)).await.map_err(anyhow::Error::from_boxed)
    }
}
