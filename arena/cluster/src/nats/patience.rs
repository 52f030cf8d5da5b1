//! Doing something again until the server has answered: while it is away, a worker or collector waits for it. What is done is not known here.

use std::time::{Duration, Instant};

use anyhow::Result;

const BETWEEN: Duration = Duration::from_millis(500);
/// So long nobody is told, and then once in this time.
const QUIET: Duration = Duration::from_secs(10);

/// Does `what` until it succeeds.
pub(super) async fn patiently<T, F>(tell: Option<fn(&str)>, name: &str, mut what: impl FnMut() -> F) -> T
where
    F: Future<Output = Result<T>>,
{
    let mut told = Instant::now();
    loop {
        match what().await {
            Ok(done) => return done,
            Err(error) => {
                if told.elapsed() >= QUIET
                    && let Some(tell) = tell
                {
                    told = Instant::now();
                    tell(&format!("waiting for the server: {name}: {error:#}"));
                }
                tokio::time::sleep(BETWEEN).await;
            }
        }
    }
}
