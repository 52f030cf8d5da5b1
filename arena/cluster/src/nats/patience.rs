//! How long the server is waited for: an answer that was lost with a connection never comes, so nothing waits for one forever; what must
//! be done is done again until the server has answered. What is done is not known here.

use std::time::{Duration, Instant};

use anyhow::{Context as _, Result};

const BETWEEN: Duration = Duration::from_millis(500);
/// So long nothing is printed, and then once in this time.
const QUIET: Duration = Duration::from_secs(10);

/// How long the server may take to answer.
pub(super) const ANSWER: Duration = Duration::from_secs(5);

/// What the server says next, if it says anything within `limit`.
///
/// # Errors
/// It does not.
pub(super) async fn answered<T>(limit: Duration, what: impl Future<Output = T>) -> Result<T> {
    tokio::time::timeout(limit, what).await.context("the server does not answer")
}

/// Does `what` until it succeeds.
pub(super) async fn patiently<T, F>(print: Option<fn(&str)>, name: &str, mut what: impl FnMut() -> F) -> T
where
    F: Future<Output = Result<T>>,
{
    let mut printed = Instant::now();
    loop {
        match what().await {
            Ok(done) => return done,
            Err(error) => {
                if printed.elapsed() >= QUIET
                    && let Some(print) = print
                {
                    printed = Instant::now();
                    print(&format!("waiting for the server: {name}: {error:#}"));
                }
                tokio::time::sleep(BETWEEN).await;
            }
        }
    }
}
