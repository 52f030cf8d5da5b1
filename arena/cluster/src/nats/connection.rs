//! The connection to the server: addresses, TLS and credentials, as NATS has them. It reads files of secrets and hands them on.

use std::path::PathBuf;
use std::time::Duration;

use anyhow::{Context, Error, Result, anyhow};
use async_nats::{Client, ConnectErrorKind, ConnectOptions, Event};

/// Between two attempts to connect again, at most.
const RECONNECT: Duration = Duration::from_secs(2);
/// How often a silent connection is asked whether it still is one.
const PING: Duration = Duration::from_secs(5);

/// How to reach the server, and as whom.
#[derive(Clone, Default)]
pub struct ServerAccess {
    /// Its address, or several of one cluster with commas between them.
    pub url: String,
    /// A `.creds` file.
    pub credentials: Option<PathBuf>,
    /// The seed of an nkey.
    pub nkey: Option<String>,
    /// A token.
    pub token: Option<String>,
    /// A user and the password.
    pub user: Option<(String, String)>,
    /// Certificates of authorities, beside those of the system.
    pub authorities: Option<PathBuf>,
    /// A client's certificate and its key.
    pub certificate: Option<(PathBuf, PathBuf)>,
    /// True if the connection must be encrypted.
    pub tls: bool,
    /// Copies that a cluster of servers keeps of each stream that is made.
    pub replicas: usize,
    /// Prints for a person while the server cannot be reached.
    pub print: Option<fn(&str)>,
}

impl ServerAccess {
    /// Connects; later the connection is made again as often as needed.
    ///
    /// # Errors
    /// The server cannot be reached, or refuses.
    pub(super) async fn connect(&self) -> Result<Client> {
        let mut options = ConnectOptions::new()
            .name("maumau")
            .ping_interval(PING)
            .max_reconnects(None)
            .reconnect_delay_callback(|attempts| RECONNECT.min(Duration::from_millis(100 * attempts as u64)));
        if let Some(file) = &self.credentials {
            options = options
                .credentials_file(file)
                .await
                .with_context(|| format!("the credentials {} cannot be read", file.display()))?;
        }
        if let Some(seed) = &self.nkey {
            options = options.nkey(seed.clone());
        }
        if let Some(token) = &self.token {
            options = options.token(token.clone());
        }
        if let Some((user, password)) = &self.user {
            options = options.user_and_password(user.clone(), password.clone());
        }
        if let Some(file) = &self.authorities {
            options = options.add_root_certificates(file.clone());
        }
        if let Some((certificate, key)) = &self.certificate {
            options = options.add_client_certificate(certificate.clone(), key.clone());
        }
        if self.tls {
            options = options.require_tls(true);
        }
        let addresses: Vec<String> = self.url.split(',').map(|address| address.trim().to_owned()).collect();
        if let Some(print) = self.print {
            options = options.event_callback(move |event| async move {
                // What this user may not do is answered by nothing else.
                if let Event::ServerError(error) = event
                    && error.to_string().to_lowercase().contains("permissions violation")
                {
                    print(&format!("the server does not permit this user everything that this needs: {error}"));
                }
            });
        }
        options.connect(addresses).await.map_err(|error| match error.kind() {
            ConnectErrorKind::Authentication | ConnectErrorKind::AuthorizationViolation => {
                anyhow!(
                    "the NATS server {} refuses this user: look at --user with its password, --creds, --nkey or --token-file, and at what \
                     the server's file says",
                    self.url
                )
            }
            _ => Error::new(error).context(format!("the NATS server {} cannot be reached", self.url)),
        })
    }
}
