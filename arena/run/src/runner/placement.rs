//! Places loops: one thread per processor, bound to it, so that an agent started from the thread runs beside it. Waking
//! another processor costs more than the rest of a move together. It starts the threads and joins them; what they do is
//! not known here.

use std::sync::mpsc;

use anyhow::{Context, Result, ensure};

use super::processors::{bind_to, processors};
use crate::agent::resource_limits;

/// Runs `work` once, on the first processor that is allowed, as [`on_each_processor`] does.
///
/// # Errors
/// As [`on_each_processor`].
pub fn on_one_processor<T, F, Fut>(work: F) -> Result<T>
where
    T: Send,
    F: Fn() -> Fut + Sync,
    Fut: Future<Output = Result<T>>,
{
    let cpus: Vec<usize> = processors().into_iter().take(1).collect();
    on_each_processor(&cpus, |_| work())?.pop().context("nothing was done")
}

/// Runs `work` once on each of `cpus`, each on a thread of its own with a single-threaded runtime, and waits for all. If
/// binding is not allowed the threads run unbound.
///
/// # Errors
/// The first error of any of them, or the machine has no room for the threads; a panic of one is passed on.
pub fn on_each_processor<T, F, Fut>(cpus: &[usize], work: F) -> Result<Vec<T>>
where
    T: Send,
    F: Fn(usize) -> Fut + Sync,
    Fut: Future<Output = Result<T>>,
{
    ensure!(!cpus.is_empty(), "no processor to run on");
    std::thread::scope(|scope| {
        // If one cannot be started none may begin.
        let mut begin = Vec::new();
        let threads = cpus
            .iter()
            .enumerate()
            .map(|(index, cpu)| {
                let work = &work;
                let (go, may_begin) = mpsc::channel();
                begin.push(go);
                resource_limits::start_thread(scope, move || {
                    may_begin.recv().context("another thread could not be started")?;
                    bind_to(*cpu);
                    let runtime = tokio::runtime::Builder::new_current_thread()
                        .enable_all()
                        .build()
                        .context("the event loop cannot be made")?;
                    let local = tokio::task::LocalSet::new();
                    runtime.block_on(local.run_until(work(index)))
                })
            })
            .collect::<Result<Vec<_>>>()?;
        for go in begin {
            go.send(()).context("a thread ended before it began")?;
        }
        threads
            .into_iter()
            .map(|thread| thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)))
            .collect()
    })
}
