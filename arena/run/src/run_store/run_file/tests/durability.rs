//! Tests the run file on a disk that fails: announced games are there, games are there completely or not at all, and a
//! run can continue. No real disk is touched.
//!
//! `MAUMAU_FULL=1` cuts the power twenty times at every operation of a run of fifty games, and lets each operation fail in all
//! ways; otherwise fewer.

use maumau_engine::ChoiceStream;

use super::super::*;
use super::faulty_disk::{Disk, DiskFault, VFS, mount};
use crate::trial::{games, settings};

/// A place for one database and its real lock file.
struct Place {
    _folder: tempfile::TempDir,
    path: PathBuf,
}

impl Place {
    fn new() -> Place {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let path = folder.path().join("run.maumau");
        Place { _folder: folder, path }
    }

    fn name(&self) -> &str {
        self.path.to_str().expect("UTF-8")
    }

    fn open(&self, settings: &RunSettings) -> Result<RunWriter> {
        let (mut writer, _) = RunWriter::open_on(&self.path, Some(VFS), |_| Ok(settings.clone()))?;
        writer.subtotal_every = 4;
        Ok(writer)
    }

    /// Adds `games`, a few at a time, until it is done or something fails; announces each commit at once.
    fn play(&self, disk: Disk, settings: &RunSettings, games: &[StoredGame], at_once: usize) -> (Disk, Result<()>) {
        let disk = mount(self.name(), disk);
        let outcome = self.open(settings).and_then(|mut writer| {
            for some in games.chunks(at_once) {
                writer.add(some)?;
                disk.lock().expect("no panic").announced += some.len();
            }
            Ok(())
        });
        let disk = disk.lock().expect("no panic").clone();
        (disk, outcome)
    }

    /// Checks what a new process finds on `disk`: a prefix of the games, at least the announced ones, and up to a whole commit.
    fn check(&self, disk: Disk, settings: &RunSettings, games: &[StoredGame], at_once: usize) -> usize {
        let announced = disk.announced;
        mount(self.name(), disk);
        let writer = self.open(settings).expect("a sound disk");
        let sound: String =
            writer.connection.query_row("PRAGMA integrity_check", [], |row| row.get(0)).expect("a sound file");
        assert_eq!(sound, "ok");
        let mut found = Vec::new();
        let each = |game| {
            found.push(game);
            Ok(())
        };
        let plan = RunPlan::new(settings.clone()).expect("sound settings");
        for_each_game(&self.path, &writer.connection, &plan.pairings, each).expect("sound games");
        read_tally(&self.path, &writer.connection, &plan.pairings, Extent::Outcomes).expect("a sound subtotal");
        let count = found.len();
        assert!(found == games[..count], "a game was changed, or is there without those before it");
        assert!(count >= announced, "{announced} games were announced, {count} are there");
        assert!(count % at_once == 0 || count == games.len(), "half a commit: {count} games");
        count
    }
}

#[test]
fn whichever_operation_fails_nothing_announced_is_lost_and_the_run_goes_on() {
    let (place, settings, games) = (Place::new(), settings(), games(9));
    let operations = place.play(Disk::default(), &settings, &games, 3).0.operations;
    assert!(operations > 50, "{operations}");
    let (mut said, mut faults) = (Vec::new(), 0);
    let mut dice = ChoiceStream::new(&[3]);
    let step = if std::env::var_os("MAUMAU_FULL").is_some() { 1 } else { 3 };
    for (number, fault) in (0..).zip([DiskFault::Full, DiskFault::Io, DiskFault::Short]) {
        for for_ever in [false, true] {
            // By default each operation fails in one of the three ways: only once, and from then on.
            for at in (1 + number % step..=operations).step_by(step as usize) {
                faults += 1;
                let disk = Disk { fault: Some((at, fault, for_ever)), ..Disk::default() };
                let (disk, outcome) = place.play(disk, &settings, &games, 3);
                said.extend(outcome.err().map(|error| format!("{error:#}")));
                for disk in [disk.after_restart(), disk.after_power_failure(&mut dice)] {
                    let there = place.check(disk.clone(), &settings, &games, 3);
                    let (disk, outcome) = place.play(disk, &settings, &games[there..], 3);
                    outcome.unwrap_or_else(|error| panic!("after {fault:?} at {at}: {error:#}"));
                    let disk = Disk { announced: games.len(), ..disk.after_restart() };
                    place.check(disk, &settings, &games, 3);
                }
            }
        }
    }
    assert!(said.iter().any(|text| text.contains("the disk is full: the run file")), "{said:?}");
    println!(
        "{faults} faults at {operations} operations, each with a restart and a power failure; {} were reported",
        said.len()
    );
    assert!(said.len() * 6 > faults, "most faults are noticed");
}

#[test]
fn a_power_failure_at_any_moment_takes_nothing_back_that_was_announced() {
    let full = std::env::var_os("MAUMAU_FULL").is_some();
    let (count, times) = if full { (50, 20) } else { (10, 4) };
    let (place, settings, games) = (Place::new(), settings(), games(count));
    let disk = Disk { moments: Some(Vec::new()), ..Disk::default() };
    let (disk, outcome) = place.play(disk, &settings, &games, 1);
    outcome.expect("nothing fails");
    let moments = disk.moments.expect("they were wanted");
    let (mut dice, mut cases, mut in_doubt) = (ChoiceStream::new(&[1]), 0_u64, 0_u64);
    for moment in &moments {
        for _ in 0..times {
            let there = place.check(moment.after_power_failure(&mut dice), &settings, &games, 1);
            cases += 1;
            in_doubt += u64::from(there > moment.announced);
        }
    }
    print_stderr!(
        "{cases} power failures at {} moments; in {in_doubt} a game was there before it was reported",
        moments.len()
    );
    assert!(cases >= if full { 10_000 } else { 200 } && in_doubt > 0, "{cases} cases, {in_doubt} in doubt");
}

#[test]
fn after_a_failure_a_store_takes_nothing_more() {
    let (place, settings, games) = (Place::new(), settings(), games(2));
    let disk = mount(place.name(), Disk::default());
    let mut writer = place.open(&settings).expect("a sound disk");
    let at = disk.lock().expect("no panic").operations + 4;
    disk.lock().expect("no panic").fault = Some((at, DiskFault::Io, false));
    writer.add(&games[..1]).expect_err("the disk fails");
    let error = writer.add(&games[1..]).expect_err("it has failed before");
    assert!(error.to_string().contains("give the same command again"), "{error}");
}
