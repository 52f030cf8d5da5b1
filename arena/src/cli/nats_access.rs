//! The options that say how a command reaches the NATS server. Secrets come from files or the environment, never from
//! the command line, where every user of the machine can read them.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, ensure};
use maumau_cluster::nats::ServerAccess;
use maumau_run::error::usage;
use maumau_run::io::bounded;

/// Maximum bytes of a file with a secret.
const MAX_SECRET: u64 = 64 * 1024;

/// How to reach the server.
#[derive(clap::Args, Clone, Debug, Default)]
#[command(next_help_heading = "Server")]
pub(in crate::cli) struct AccessArguments {
    /// The server, such as nats://host:4222 or tls://host:4222, or several of one cluster with commas between them; by default
    /// the variable NATS_URL
    #[arg(long, value_name = "URL")]
    nats: Option<String>,
    /// A file of credentials, as `nsc` writes them
    #[arg(long, value_name = "FILE")]
    creds: Option<PathBuf>,
    /// A file with the seed of an nkey
    #[arg(long, value_name = "FILE")]
    nkey: Option<PathBuf>,
    /// The user; the password is in the file --password-file names, or the variable NATS_PASSWORD
    #[arg(id = "nats_user", long = "user", value_name = "NAME")]
    user: Option<String>,
    /// A file with the password
    #[arg(long, value_name = "FILE", requires = "nats_user")]
    password_file: Option<PathBuf>,
    /// A file with a token; by default the variable NATS_TOKEN, if it is set
    #[arg(long, value_name = "FILE")]
    token_file: Option<PathBuf>,
    /// Refuse a connection that is not encrypted
    #[arg(long)]
    tls: bool,
    /// A file of certificates to trust beside those of the system
    #[arg(long, value_name = "FILE")]
    tls_ca: Option<PathBuf>,
    /// A file with this client's certificate
    #[arg(long, value_name = "FILE", requires = "tls_key")]
    tls_cert: Option<PathBuf>,
    /// A file with the certificate's key
    #[arg(long, value_name = "FILE", requires = "tls_cert")]
    tls_key: Option<PathBuf>,
    /// Copies of everything that a cluster of servers keeps
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u8).range(1..=5))]
    replicas: u8,
}

impl AccessArguments {
    /// Whether it names a server itself.
    pub(in crate::cli) fn has_server(&self) -> bool {
        self.nats.is_some()
    }

    /// The same options for another process. Files keep their places.
    pub(in crate::cli) fn words(&self) -> Vec<OsString> {
        let mut words = Vec::new();
        let file = |file: &Option<PathBuf>| {
            file.as_ref().map(|file| std::path::absolute(file).unwrap_or_else(|_| file.clone()))
        };
        let text = |text: &Option<String>| text.as_ref().map(PathBuf::from);
        for (option, value) in [
            ("--nats", text(&self.nats)),
            ("--creds", file(&self.creds)),
            ("--nkey", file(&self.nkey)),
            ("--user", text(&self.user)),
            ("--password-file", file(&self.password_file)),
            ("--token-file", file(&self.token_file)),
            ("--tls-ca", file(&self.tls_ca)),
            ("--tls-cert", file(&self.tls_cert)),
            ("--tls-key", file(&self.tls_key)),
            ("--replicas", Some(PathBuf::from(self.replicas.to_string()))),
        ] {
            words.extend(value.map(|value| [OsString::from(option), value.into_os_string()]).into_iter().flatten());
        }
        words.extend(self.tls.then(|| OsString::from("--tls")));
        words
    }

    /// What it says, with the secrets read.
    ///
    /// # Errors
    /// There is no server, a file cannot be read, or an address holds a password.
    pub(in crate::cli) fn read(&self) -> Result<ServerAccess> {
        let set = |name: &str| std::env::var(name).ok().filter(|value| !value.is_empty());
        let url = self.nats.clone().or_else(|| set("NATS_URL")).ok_or_else(|| {
            usage("which server? Say --nats nats://HOST:4222, or set NATS_URL; a server of your own, for this machine alone, is started \
                   with: nats-server -js -a 127.0.0.1")
        })?;
        ensure!(
            !url.contains('@'),
            usage(
                "--nats: an address must not hold a password or a token; use --creds, --password-file or --token-file"
            )
        );
        let user = match &self.user {
            Some(name) => {
                let password = match &self.password_file {
                    Some(file) => Some(secret(file)?),
                    None => set("NATS_PASSWORD"),
                };
                let missing =
                    || usage(format!("--user {name}: give the password with --password-file, or in NATS_PASSWORD"));
                Some((name.clone(), password.ok_or_else(missing)?))
            }
            None => None,
        };
        let token = match &self.token_file {
            Some(file) => Some(secret(file)?),
            None => set("NATS_TOKEN").filter(|_| user.is_none() && self.creds.is_none() && self.nkey.is_none()),
        };
        for file in [&self.creds, &self.tls_ca, &self.tls_cert, &self.tls_key].into_iter().flatten() {
            ensure!(file.is_file(), usage(format!("there is no file {}", file.display())));
        }
        Ok(ServerAccess {
            url,
            credentials: self.creds.clone(),
            nkey: self.nkey.as_deref().map(secret).transpose()?,
            token,
            user,
            authorities: self.tls_ca.clone(),
            certificate: self.tls_cert.clone().zip(self.tls_key.clone()),
            tls: self.tls,
            replicas: self.replicas.into(),
            print: Some(|text| print_stderr!("maumau: {text}")),
        })
    }

    /// The files that no agent may read.
    pub(in crate::cli) fn private(&self) -> Vec<PathBuf> {
        let files = [&self.creds, &self.nkey, &self.password_file, &self.token_file, &self.tls_key];
        files.into_iter().flatten().cloned().collect()
    }
}

/// A secret that stands alone in a file.
fn secret(file: &Path) -> Result<String> {
    let text = bounded::read_text(file, MAX_SECRET, "a secret")
        .map_err(|error| usage(format!("{}: {error}", file.display())))?;
    let text = text.trim();
    ensure!(!text.is_empty(), usage(format!("{} is empty", file.display())));
    Some(text.to_owned()).context("a secret")
}
