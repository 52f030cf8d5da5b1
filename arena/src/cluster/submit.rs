//! Submitting a run: its settings, its agents' archives and its units go to the server. It plays nothing.

use anyhow::{Context, Result, ensure};
use maumau_cluster::nats::{Hub, Results, ServerAccess, Work};
use maumau_cluster::unit::Sha;
use maumau_cluster::words::{Failures, Manifest, SCHEMA, check_name};
use maumau_run::error::usage;
use maumau_run::io::wall_clock::now_ms;
use maumau_run::run_store::{RunPlan, RunSettings};

use super::submitted::{Submitted, to_bytes};
use super::units::{cut, unit};
use super::{runtime, travel};

/// How a run is shared.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SharingLimits {
    /// Games of a unit, about.
    pub(crate) unit_games: u64,
    /// Seconds after which a unit goes to another worker.
    pub(crate) lease_s: u64,
    /// So many failures park a unit.
    pub(crate) park_after: u32,
    /// True if the workers have the agents' folders.
    pub(crate) present: bool,
}

/// What was submitted.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Submission {
    /// Games; absent if they follow from rounds.
    pub(crate) games: Option<u64>,
    /// All units.
    pub(crate) units: u64,
    /// Units that the server did not have yet.
    pub(crate) new: u64,
    /// Bytes of archives.
    pub(crate) archived: u64,
}

/// Submits a run. The same run may be submitted again: what the server lacks is added, and parked units are tried again.
///
/// # Errors
/// The server cannot be reached or has another run of this name; or an agent cannot travel.
pub(crate) fn submit(
    access: &ServerAccess,
    name: &str,
    settings: &RunSettings,
    limits: SharingLimits,
) -> Result<Submission> {
    check_name(name)
        .map_err(|error| usage(format!("the name of a run on a server: {error}; choose one with --name")))?;
    let plan = RunPlan::new(settings.clone())?;
    let agents = &settings.league.agents;
    let packed = agents.iter().map(|agent| travel::pack(agent, limits.present)).collect::<Result<Vec<_>>>()?;
    let bytes = to_bytes(settings)?;
    let has_rounds = settings.league.has_rounds();
    let pairings = &plan.pairings;
    let units = if has_rounds { Vec::new() } else { cut(pairings, 0, pairings.len(), limits.unit_games, 0) };
    let wanted = Manifest {
        schema: SCHEMA.to_owned(),
        run: Sha::of(&bytes),
        program: env!("CARGO_PKG_VERSION").to_owned(),
        games: (!has_rounds).then(|| pairings.len()),
        units: (!has_rounds).then_some(units.len() as u64),
        unit_games: limits.unit_games,
        lease_s: limits.lease_s,
        park_after: limits.park_after,
        agents: packed.iter().map(|agent| agent.travel.clone()).collect(),
        submitted_ms: now_ms(),
    };
    runtime(1)?.block_on(async {
        let hub = Hub::connect(access).await?;
        match hub.run(name).await? {
            Some(there) => refuse_other(name, &there, &wanted)?,
            None => {
                hub.put_object(&bytes).await?;
                for archive in packed.iter().filter_map(|agent| agent.bytes.as_ref()) {
                    hub.put_object(archive).await?;
                }
                hub.add_run(name, &wanted).await?;
            }
        }
        let archived = packed.iter().filter_map(|agent| agent.bytes.as_ref()).map(|bytes| bytes.len() as u64).sum();
        let submitted = Submitted::find(&hub, name).await?;
        for (number, failures) in hub.failures(name).await? {
            if failures.parked {
                hub.fail(name, number, |failures| *failures = Failures::default()).await?;
            }
        }
        // What has a result already is not played again.
        let done = Results::of(&hub, name).await?.numbers().await?;
        let left = units.iter().filter(|(number, ..)| done.binary_search(number).is_err());
        let left = left.map(|cut| unit(&submitted.plan, &submitted.plan.pairings, *cut));
        let new = Work::of(&hub, name, &submitted.manifest).await?.publish(left).await;
        Ok(Submission { games: wanted.games, units: units.len() as u64, new, archived })
    })
}

/// Refuses a run that is not the one that is there.
fn refuse_other(name: &str, there: &Manifest, wanted: &Manifest) -> Result<()> {
    let is_same = |one: &Manifest| Manifest { submitted_ms: 0, ..one.clone() };
    ensure!(
        is_same(there) == is_same(wanted),
        usage(format!(
            "{name} is another run on this server: {}. Choose another name with --name, or remove that run with: maumau cluster \
             remove {name}",
            if there.run == wanted.run {
                "its units, limits or agents differ"
            } else {
                "its league, rules, seed or agents differ"
            }
        ))
    );
    Ok(())
}

/// Removes a run from the server.
///
/// # Errors
/// There is none of this name, or the server refuses.
pub(crate) fn remove(access: &ServerAccess, name: &str) -> Result<()> {
    check_name(name).map_err(usage)?;
    runtime(1)?.block_on(async {
        let hub = Hub::connect(access).await?;
        hub.run(name).await?.ok_or_else(|| usage(format!("there is no run {name} on this server")))?;
        hub.remove_run(name).await.with_context(|| format!("the run {name} cannot be removed"))
    })
}
