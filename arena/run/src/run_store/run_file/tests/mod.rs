//! The run file under power failures, failing disks and flipped bits. What its parts do otherwise is tested beside them.

mod durability;
mod faulty_disk;
mod flipped_bits;
#[cfg(target_os = "linux")]
mod held_locks;
