//! Windows console events that ask the program to end. It only reports them; `shutdown` decides what ends.

use tokio::signal::windows::{
    CtrlBreak, CtrlC, CtrlClose, CtrlShutdown, ctrl_break, ctrl_c, ctrl_close, ctrl_shutdown,
};

pub(in crate::runner) struct Interrupts(CtrlC, CtrlBreak, CtrlClose, CtrlShutdown);

impl Interrupts {
    /// Starts listening; must be called inside a runtime.
    pub(in crate::runner) fn new() -> std::io::Result<Interrupts> {
        Ok(Interrupts(ctrl_c()?, ctrl_break()?, ctrl_close()?, ctrl_shutdown()?))
    }

    pub(in crate::runner) async fn next(&mut self) {
        let Interrupts(interrupt, stop, close, shutdown) = self;
        tokio::select! {
            _ = interrupt.recv() => {}
            _ = stop.recv() => {}
            _ = close.recv() => {}
            _ = shutdown.recv() => {}
        }
    }
}
