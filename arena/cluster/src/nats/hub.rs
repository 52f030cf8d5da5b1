//! What all runs on a server share: their list, objects by digest, failures and workers' reports.

use std::collections::BTreeMap;
use std::time::Duration;

use anyhow::{Context as _, Result, bail, ensure};
use async_nats::jetstream::context::ContextBuilder;
use async_nats::jetstream::object_store::{self, ObjectStore};
use async_nats::jetstream::{Context, kv, stream};
use futures_util::StreamExt;
use tokio::io::AsyncReadExt;

use super::connection::ServerAccess;
use super::patience::{ANSWER, answered};
use crate::archive;
use crate::unit::Sha;
use crate::words::{Failures, Manifest, SCHEMA, WorkerReport};

/// How long a worker that says nothing is remembered.
const REMEMBERED: Duration = Duration::from_secs(3_600);
/// The largest number of bytes that a message may have beside its payload: subject and headers.
const OVERHEAD: usize = 4_096;
/// Messages that wait for acknowledgement at once, at most.
const IN_FLIGHT: usize = 1_024;

/// A server, its buckets and its objects.
#[derive(Clone)]
pub struct Hub {
    pub(super) jetstream: Context,
    pub(super) print: Option<fn(&str)>,
    replicas: usize,
    objects: ObjectStore,
    runs: kv::Store,
    failures: kv::Store,
    workers: kv::Store,
}

/// What a worker said last, and when, by the server's clock.
#[derive(Clone, Debug)]
pub struct LastReport {
    /// What it said.
    pub report: WorkerReport,
    /// Seconds since 1970.
    pub at_s: u64,
}

impl Hub {
    /// Connects, and makes the buckets that are not there yet.
    ///
    /// # Errors
    /// The server cannot be reached, refuses, or has no JetStream.
    pub async fn connect(access: &ServerAccess) -> Result<Hub> {
        let client = access.connect().await?;
        let jetstream =
            ContextBuilder::new().timeout(ANSWER).ack_timeout(ANSWER).max_ack_inflight(2 * IN_FLIGHT).build(client);
        let replicas = access.replicas.max(1);
        let objects = match jetstream.get_object_store("maumau-objects").await {
            Ok(objects) => objects,
            Err(_) => {
                let config = object_store::Config {
                    bucket: "maumau-objects".to_owned(),
                    num_replicas: replicas,
                    ..object_store::Config::default()
                };
                jetstream.create_object_store(config).await.with_context(|| {
                    format!(
                        "the NATS server {} makes no object store: start it with nats-server -js, and permit JetStream to this user",
                        access.url
                    )
                })?
            }
        };
        Ok(Hub {
            runs: bucket(&jetstream, "maumau-runs", Duration::ZERO, replicas).await?,
            failures: bucket(&jetstream, "maumau-failures", Duration::ZERO, replicas).await?,
            workers: bucket(&jetstream, "maumau-workers", REMEMBERED, replicas).await?,
            objects,
            replicas,
            print: access.print,
            jetstream,
        })
    }

    /// The bytes that a message may have.
    pub(super) fn max_payload(&self) -> usize {
        self.jetstream.client().server_info().max_payload.saturating_sub(OVERHEAD)
    }

    /// Keeps `bytes` under their digest.
    ///
    /// # Errors
    /// The server does not take them.
    pub async fn put_object(&self, bytes: &[u8]) -> Result<Sha> {
        let digest = Sha::of(bytes);
        if self.objects.info(digest.digits()).await.is_ok_and(|info| info.size == bytes.len() && !info.deleted) {
            return Ok(digest);
        }
        let mut reader = bytes;
        self.objects
            .put(digest.digits(), &mut reader)
            .await
            .with_context(|| format!("the object {}", digest.short()))?;
        Ok(digest)
    }

    /// The bytes with this digest, checked.
    ///
    /// # Errors
    /// They are not there, or are others.
    pub async fn object(&self, digest: &Sha) -> Result<Vec<u8>> {
        let shown = || format!("the object {}", digest.short());
        let object = self.objects.get(digest.digits()).await.with_context(shown)?;
        let mut bytes = Vec::new();
        let mut object = object.take(archive::MAX_BYTES + 1);
        while answered(ANSWER, object.read_buf(&mut bytes)).await.and_then(|read| Ok(read?)).with_context(shown)? > 0 {}
        let found = Sha::of(&bytes);
        ensure!(
            found == *digest,
            "the object {} is not what it is said to be: its digest is {}",
            digest.short(),
            found.short()
        );
        Ok(bytes)
    }

    /// The bytes with this digest; `None` if the store has none, or others under its name.
    ///
    /// # Errors
    /// The server does not answer.
    pub(super) async fn object_if_sound(&self, digest: &Sha) -> Result<Option<Vec<u8>>> {
        match self.object(digest).await {
            Ok(bytes) => Ok(Some(bytes)),
            // The server answers: it is the object that is missing or wrong.
            Err(_) if self.jetstream.get_stream("KV_maumau-runs").await.is_ok() => Ok(None),
            Err(error) => Err(error),
        }
    }

    /// All runs, the oldest first.
    ///
    /// # Errors
    /// The server does not answer.
    pub async fn runs(&self) -> Result<Vec<(String, Manifest)>> {
        let mut runs: Vec<(String, Manifest)> = Vec::new();
        for (name, value) in entries(&self.runs, "").await? {
            // One of another version is another program's.
            if let Ok(manifest) = serde_json::from_slice::<Manifest>(&value.value)
                && manifest.schema == SCHEMA
            {
                runs.push((name, manifest));
            }
        }
        runs.sort_by(|(one, first), (other, second)| (first.submitted_ms, one).cmp(&(second.submitted_ms, other)));
        Ok(runs)
    }

    /// The run with this name, if there is one.
    ///
    /// # Errors
    /// The server does not answer, or the run is of another version.
    pub async fn run(&self, name: &str) -> Result<Option<Manifest>> {
        let Some(value) = self.runs.get(name).await.context("the list of runs")? else { return Ok(None) };
        let read = serde_json::from_slice::<Manifest>(&value).ok().filter(|manifest| manifest.schema == SCHEMA);
        let manifest =
            read.with_context(|| format!("the run {name} was submitted by another version; expected {SCHEMA}"))?;
        Ok(Some(manifest))
    }

    /// True if the server says that there is no run with this name.
    pub async fn is_removed(&self, name: &str) -> bool {
        self.run(name).await.is_ok_and(|run| run.is_none())
    }

    /// Makes the run, with its streams.
    ///
    /// # Errors
    /// The server refuses, or there is a run with this name.
    pub async fn add_run(&self, name: &str, manifest: &Manifest) -> Result<()> {
        for (stream_name, subject, retention) in [
            (format!("maumau-work-{name}"), format!("maumau.work.{name}.*"), stream::RetentionPolicy::WorkQueue),
            (format!("maumau-results-{name}"), format!("maumau.results.{name}.*"), stream::RetentionPolicy::Limits),
        ] {
            let config = stream::Config {
                name: stream_name.clone(),
                subjects: vec![subject],
                retention,
                storage: stream::StorageType::File,
                num_replicas: self.replicas,
                allow_direct: true,
                ..stream::Config::default()
            };
            let made = self.jetstream.get_or_create_stream(config).await;
            made.with_context(|| format!("the stream {stream_name} cannot be made"))?;
        }
        self.runs.create(name, serde_json::to_vec(manifest)?.into()).await.context("the run cannot be listed")?;
        Ok(())
    }

    /// Removes the run, its units and its results. Archives stay, since other runs may have them too.
    ///
    /// # Errors
    /// The server refuses.
    pub async fn remove_run(&self, name: &str) -> Result<()> {
        self.runs.purge(name).await.context("the list of runs")?;
        for stream in [format!("maumau-work-{name}"), format!("maumau-results-{name}")] {
            // A submit that was cut off may have left only one of them.
            if self.jetstream.get_stream(&stream).await.is_ok() {
                self.jetstream.delete_stream(&stream).await.with_context(|| format!("the stream {stream}"))?;
            }
        }
        for (unit, _) in entries(&self.failures, &format!("{name}.")).await? {
            self.failures.purge(format!("{name}.{unit}")).await.context("what failed")?;
        }
        Ok(())
    }

    /// Adds a failure of a unit; `change` is given the former ones, and again if somebody else was faster.
    ///
    /// # Errors
    /// The server does not answer.
    pub async fn fail(&self, run: &str, unit: u64, mut change: impl FnMut(&mut Failures)) -> Result<Failures> {
        let key = format!("{run}.{unit}");
        for _ in 0..16 {
            let entry = self.failures.entry(&key).await.context("what failed")?;
            let entry = entry.filter(|entry| entry.operation == kv::Operation::Put);
            let mut failures = match &entry {
                Some(entry) => serde_json::from_slice(&entry.value).context("what failed cannot be read")?,
                None => Failures::default(),
            };
            change(&mut failures);
            let value = serde_json::to_vec(&failures)?.into();
            let written = match &entry {
                Some(entry) => self.failures.update(&key, value, entry.revision).await.is_ok(),
                None => self.failures.create(&key, value).await.is_ok(),
            };
            if written {
                return Ok(failures);
            }
        }
        bail!("the failure of unit {unit} of {run} cannot be written")
    }

    /// The units of a run that have failed.
    ///
    /// # Errors
    /// The server does not answer.
    pub async fn failures(&self, run: &str) -> Result<BTreeMap<u64, Failures>> {
        let mut all = BTreeMap::new();
        for (unit, value) in entries(&self.failures, &format!("{run}.")).await? {
            if let (Ok(unit), Ok(failures)) = (unit.parse(), serde_json::from_slice(&value.value)) {
                all.insert(unit, failures);
            }
        }
        Ok(all)
    }

    /// Publishes what this worker does.
    ///
    /// # Errors
    /// The server does not answer.
    pub async fn report(&self, report: &WorkerReport) -> Result<()> {
        self.workers.put(&report.worker.name, serde_json::to_vec(report)?.into()).await.context("the report")?;
        Ok(())
    }

    /// What each worker said last.
    ///
    /// # Errors
    /// The server does not answer.
    pub async fn reports(&self) -> Result<Vec<LastReport>> {
        let mut reports = Vec::new();
        for (_, entry) in entries(&self.workers, "").await? {
            if let Ok(report) = serde_json::from_slice::<WorkerReport>(&entry.value) {
                reports.push(LastReport { report, at_s: entry.created.unix_timestamp().max(0) as u64 });
            }
        }
        Ok(reports)
    }
}

async fn bucket(jetstream: &Context, name: &str, max_age: Duration, replicas: usize) -> Result<kv::Store> {
    if let Ok(store) = jetstream.get_key_value(name).await {
        return Ok(store);
    }
    // `create_key_value` first reads more of the account than servers before 2.11 give; this is the stream that it would make.
    let config = stream::Config {
        name: format!("KV_{name}"),
        subjects: vec![format!("$KV.{name}.>")],
        max_messages_per_subject: 1,
        max_age,
        storage: stream::StorageType::File,
        allow_rollup: true,
        deny_delete: true,
        allow_direct: true,
        num_replicas: replicas,
        discard: stream::DiscardPolicy::New,
        ..stream::Config::default()
    };
    let made = jetstream.get_or_create_stream(config).await;
    made.with_context(|| format!("the bucket {name} cannot be made"))?;
    jetstream.get_key_value(name).await.with_context(|| format!("the bucket {name} cannot be used"))
}

/// The entries whose keys begin with `start`, by what follows it.
async fn entries(store: &kv::Store, start: &str) -> Result<Vec<(String, kv::Entry)>> {
    let mut keys = store.keys().await.context("a bucket cannot be read")?;
    let mut found = Vec::new();
    while let Some(key) = answered(ANSWER, keys.next()).await.context("a bucket cannot be read")? {
        let key = key.context("a bucket cannot be read")?;
        if let Some(rest) = key.strip_prefix(start) {
            found.push((rest.to_owned(), key));
        }
    }
    let mut entries = Vec::new();
    for (rest, key) in found {
        let entry = store.entry(&key).await.context("a bucket cannot be read")?;
        entries.extend(entry.filter(|entry| entry.operation == kv::Operation::Put).map(|entry| (rest, entry)));
    }
    Ok(entries)
}
