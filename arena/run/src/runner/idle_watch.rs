//! Samples the agents of a loop at intervals, and restrains those that compute while they are not asked (SPEC 5.11).
//! [`IdleCpuGuard`](super::idle_cpu::IdleCpuGuard) judges what a look finds. It measures and restrains; games are
//! neither read nor changed.

use std::rc::Rc;
use std::time::Duration;

use tokio::time::sleep;

use super::connection::Connection;
use crate::agent::{Process, ProcessTree};
use crate::log;

/// The time between two looks.
const EVERY: Duration = Duration::from_millis(250);
/// The maximum length of a look, if the agent is not asked meanwhile.
const LOOK: Duration = Duration::from_millis(20);
/// How many agents one look covers.
const AGENTS_A_LOOK: usize = 16;
/// After how many looks the processes of agents are looked up again. The first looks, as many, all do so, since agents
/// start their processes then.
const LOOKS_PER_TREE: u32 = 8;

/// Looks at the agents that `running` returns, until it returns `None`.
pub(super) async fn watch(running: impl Fn() -> Option<Vec<Rc<Connection<Process>>>>) {
    let (mut looks, mut passed) = (0, 0);
    loop {
        sleep(EVERY).await;
        let Some(connections) = running() else { return };
        if connections.is_empty() {
            continue;
        }
        if looks < LOOKS_PER_TREE || looks % LOOKS_PER_TREE == 0 {
            let tree = ProcessTree::now();
            connections.iter().for_each(|connection| connection.transport.know(&tree));
            connections
                .iter()
                .filter(|connection| connection.idle_cpu.is_restrained())
                .for_each(|connection| connection.transport.track_processes());
        }
        looks += 1;
        // In turn, if there are many.
        let (all, begin) = (connections.len(), passed % connections.len());
        passed = begin + AGENTS_A_LOOK.min(all);
        let in_turn = connections.into_iter().cycle().skip(begin).take(AGENTS_A_LOOK.min(all));
        let looked: Vec<Rc<Connection<Process>>> =
            in_turn.filter(|connection| !connection.idle_cpu.is_restrained()).collect();
        for connection in &looked {
            connection.idle_cpu.look();
            if connection.is_idle() {
                connection.idle_cpu.idle_begins(|| connection.transport.known_ran());
            }
        }
        sleep(LOOK).await;
        for connection in looked {
            if connection.is_idle() {
                connection.idle_cpu.idle_ends(|| connection.transport.known_ran());
            }
            if connection.idle_cpu.is_found_out() {
                connection.transport.span().in_scope(log::agent_restrained);
                connection.transport.know(&ProcessTree::now());
                connection.transport.track_processes();
                // It may have been asked since the look began: then it is stopped once it has answered.
                connection.restrain();
            }
        }
    }
}
