//! The options of commands that play a run and may lend games of it to the workers of a NATS server.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::Result;
use maumau_run::league::Lender;

#[cfg(feature = "cluster")]
use super::nats_access::AccessArguments;

/// What a program without the cluster says.
#[cfg(not(feature = "cluster"))]
pub(super) const WITHOUT_CLUSTER: &str = "this program was built without the cluster; build one that has it: cargo build --release -p \
                                          maumau-arena --features cluster";

/// Whether games are lent, and to whom.
#[derive(clap::Args, Clone, Debug, Default)]
pub(super) struct LendArguments {
    /// Lend games to the workers of a NATS server, which `maumau cluster work` starts; implied by --nats
    #[arg(long, help_heading = "Server")]
    lend: bool,
    #[cfg(feature = "cluster")]
    #[command(flatten)]
    access: AccessArguments,
    /// The server; this program was built without the cluster, and lends nothing
    #[cfg(not(feature = "cluster"))]
    #[arg(long, value_name = "URL", help_heading = "Server")]
    nats: Option<String>,
}

#[cfg(feature = "cluster")]
impl LendArguments {
    fn lends(&self) -> bool {
        self.lend || self.access.has_server()
    }

    /// Who lends games of `run`, if any are lent.
    ///
    /// # Errors
    /// The server cannot be reached, or as [`AccessArguments::read`].
    pub(super) fn lender(&self, run: &Path) -> Result<Option<Arc<dyn Lender>>> {
        if !self.lends() {
            return Ok(None);
        }
        Ok(Some(Arc::new(crate::cluster::NatsLender::new(self.access.read()?, run)?)))
    }

    /// The files that no agent may read.
    pub(super) fn private(&self) -> Vec<PathBuf> {
        self.access.private()
    }

    /// The same options for another process.
    pub(super) fn words(&self) -> Vec<OsString> {
        match self.lends() {
            true => [vec![OsString::from("--lend")], self.access.words()].concat(),
            false => Vec::new(),
        }
    }
}

#[cfg(not(feature = "cluster"))]
impl LendArguments {
    /// Nobody.
    ///
    /// # Errors
    /// Games are to be lent.
    pub(super) fn lender(&self, _: &Path) -> Result<Option<Arc<dyn Lender>>> {
        match self.lend || self.nats.is_some() {
            true => Err(maumau_run::error::usage(WITHOUT_CLUSTER)),
            false => Ok(None),
        }
    }

    /// None.
    pub(super) fn private(&self) -> Vec<PathBuf> {
        Vec::new()
    }

    /// None: who lends has been refused.
    pub(super) fn words(&self) -> Vec<OsString> {
        Vec::new()
    }
}
