//! A submitted run: its settings as the object store holds them, and the plan that follows. It reads bytes and checks them.

use std::sync::Arc;

use anyhow::{Context, Result, ensure};
use maumau_cluster::nats::Hub;
use maumau_cluster::unit::Sha;
use maumau_cluster::words::Manifest;
use maumau_protocol::Seed;
use maumau_protocol::ruleset::RuleSet;
use maumau_run::error::usage;
use maumau_run::run_store::{LeagueSettings, RunPlan, RunSettings};
use serde::{Deserialize, Serialize};

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Sent {
    league: LeagueSettings,
    rules: Vec<RuleSet>,
    seed: Seed,
    engine: String,
}

/// The settings as they travel. The same settings are the same bytes.
pub(super) fn to_bytes(settings: &RunSettings) -> Result<Vec<u8>> {
    let RunSettings { league, rules, seed, engine } = settings.clone();
    serde_json::to_vec(&Sent { league, rules, seed, engine }).context("the settings of the run")
}

/// The settings of a run, its manifest, and its hash.
#[derive(Clone)]
pub(super) struct Submitted {
    pub(super) name: String,
    pub(super) manifest: Manifest,
    pub(super) plan: Arc<RunPlan>,
}

impl Submitted {
    /// The run `name` of this server.
    ///
    /// # Errors
    /// There is none, the server does not answer, or its settings are not sound.
    pub(super) async fn find(hub: &Hub, name: &str) -> Result<Submitted> {
        let manifest = hub.run(name).await?;
        let manifest = manifest.ok_or_else(|| usage(format!("there is no run {name} on this server")))?;
        Submitted::fetch(hub, name, manifest).await
    }

    /// The run of this manifest.
    ///
    /// # Errors
    /// As [`Submitted::find`].
    pub(super) async fn fetch(hub: &Hub, name: &str, manifest: Manifest) -> Result<Submitted> {
        let of_run = || format!("the settings of {name}");
        let bytes = hub.object(&manifest.run).await.with_context(of_run)?;
        let Sent { league, rules, seed, engine } = serde_json::from_slice(&bytes).with_context(of_run)?;
        ensure!(manifest.agents.len() == league.agents.len(), "the run {name} contradicts itself: its agents");
        let plan = RunPlan::new(RunSettings { league, rules, seed, engine }).with_context(of_run)?;
        Ok(Submitted { name: name.to_owned(), manifest, plan: Arc::new(plan) })
    }

    /// What the run's units are called after.
    pub(super) fn digest(&self) -> &Sha {
        &self.manifest.run
    }
}
