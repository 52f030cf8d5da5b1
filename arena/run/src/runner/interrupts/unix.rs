//! Unix signals that ask the program to end. It only reports them; `shutdown` decides what ends.

use tokio::signal::unix::{Signal, SignalKind, signal};

pub(in crate::runner) struct Interrupts([Signal; 3]);

impl Interrupts {
    /// Starts listening; must be called inside a runtime.
    pub(in crate::runner) fn new() -> std::io::Result<Interrupts> {
        // With a handler, a file over the size limit is a reported error, and not the end of this process.
        drop(signal(SignalKind::from_raw(nix::libc::SIGXFSZ))?);
        Ok(Interrupts([
            signal(SignalKind::interrupt())?,
            signal(SignalKind::terminate())?,
            signal(SignalKind::hangup())?,
        ]))
    }

    pub(in crate::runner) async fn next(&mut self) {
        let [interrupt, terminate, hangup] = &mut self.0;
        tokio::select! {
            _ = interrupt.recv() => {}
            _ = terminate.recv() => {}
            _ = hangup.recv() => {}
        }
    }
}
