//! Requests of this program to a club, and of a club to the addresses of its webhooks. By https they trust the authorities that this
//! machine trusts, or those in the file that `SSL_CERT_FILE` names, as most programs do; where there are none, the public ones.

use anyhow::Result;
use ureq::Agent;
use ureq::config::ConfigBuilder;
use ureq::typestate::AgentScope;

/// One that asks `url`.
///
/// # Errors
/// `SSL_CERT_FILE` or `SSL_CERT_DIR` names no certificates.
pub(super) fn agent_for(url: &str, config: ConfigBuilder<AgentScope>) -> Result<Agent> {
    let config = if url.starts_with("https://") { trusting(config)? } else { config };
    Ok(Agent::new_with_config(config.build()))
}

#[cfg(feature = "https")]
fn trusting(config: ConfigBuilder<AgentScope>) -> Result<ConfigBuilder<AgentScope>> {
    use maumau_run::error::usage;
    use ureq::tls::{Certificate, RootCerts, TlsConfig};

    let found = rustls_native_certs::load_native_certs();
    let certificates: Vec<Certificate<'static>> =
        found.certs.iter().map(|certificate| Certificate::from_der(certificate).to_owned()).collect();
    let named = ["SSL_CERT_FILE", "SSL_CERT_DIR"].into_iter().find(|name| std::env::var_os(name).is_some());
    match (certificates.is_empty(), named) {
        (false, _) => {
            let roots = RootCerts::new_with_certs(&certificates);
            Ok(config.tls_config(TlsConfig::builder().root_certs(roots).build()))
        }
        (true, None) => Ok(config),
        (true, Some(name)) => {
            let why = found.errors.first().map_or_else(String::new, |error| format!(": {error}"));
            Err(usage(format!("{name} names no certificate{why}")))
        }
    }
}

#[cfg(not(feature = "https"))]
fn trusting(config: ConfigBuilder<AgentScope>) -> Result<ConfigBuilder<AgentScope>> {
    Ok(config)
}
