//! What a worker's host is: its name, its processors' class, its load. It reads the system.

use maumau_cluster::words::Worker;
use maumau_run::io::entropy;

/// This process as a worker that plays on `cpus` processors.
///
/// # Errors
/// The system gives no random numbers.
pub(super) fn this_worker(cpus: usize) -> anyhow::Result<Worker> {
    let host = std::fs::read_to_string("/proc/sys/kernel/hostname").unwrap_or_default();
    let plain = |c: &char| c.is_ascii_alphanumeric() || *c == '-';
    let host: String = host.trim().chars().filter(plain).take(40).collect();
    let host = if host.is_empty() { "host".to_owned() } else { host };
    let random = entropy::fresh()?;
    let name = format!("{host}-{}-{:02x}{:02x}{:02x}", std::process::id(), random[0], random[1], random[2]);
    Ok(Worker { name, class: format!("{}, {cpus} of {}", processor(), maumau_run::runner::processors().len()) })
}

/// The processors' class.
fn processor() -> String {
    let text = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let model =
        text.lines().find_map(|line| line.strip_prefix("model name")?.split_once(':').map(|(_, name)| name.trim()));
    model.unwrap_or(std::env::consts::ARCH).chars().take(80).collect()
}

/// The load over a minute, in thousandths; 0 where the system does not say.
pub(super) fn load_milli() -> u64 {
    let text = std::fs::read_to_string("/proc/loadavg").unwrap_or_default();
    let load = text.split_whitespace().next().and_then(|load| load.parse::<f64>().ok());
    load.map_or(0, |load| (load * 1_000.0) as u64)
}
