//! Every example of every help page of `maumau-lab` runs. Only that they run is tested, with figures made small.

mod example_pages;

use std::path::Path;

use example_pages::{Except, check};

const EXCEPT: Except = Except {
    smaller: &[
        ("maumau-lab selftest games", "maumau-lab selftest games --games 2"),
        (
            "maumau-lab selftest games --rules snap --games 1000 --seed 7",
            "maumau-lab selftest games --rules snap --games 5 --seed 7",
        ),
        ("maumau-lab selftest shuffle", "maumau-lab selftest shuffle --deals 2000"),
        ("maumau-lab selftest shuffle --deals 200000 --seed 7", "maumau-lab selftest shuffle --deals 2000 --seed 7"),
        ("maumau-lab selftest cluster", "maumau-lab selftest cluster --workers 20 --courses 2"),
        (
            "maumau-lab selftest cluster --workers 100 --courses 50 --seed 7",
            "maumau-lab selftest cluster --workers 10 --courses 2 --seed 7",
        ),
        ("maumau-lab selftest club", "maumau-lab selftest club --teams 12 --days 10 --games-a-day 2560"),
        (
            "maumau-lab selftest club --teams 50 --days 90 --games-a-day 20000",
            "maumau-lab selftest club --teams 12 --days 6 --games-a-day 1280 --seed 7",
        ),
        ("maumau-lab selftest simulation", "maumau-lab selftest simulation --games 20"),
        ("maumau-lab selftest simulation --games 5000 --seed 7", "maumau-lab selftest simulation --games 20 --seed 7"),
        (
            "maumau-lab bench playout --rules basic --players 4",
            "maumau-lab bench playout --rules basic --players 4 --repeats 1 --seconds 0.01",
        ),
        (
            "maumau-lab bench match --agent 'maumau agent first' --agent 'python3 agents/python/random_bot.py'",
            "maumau-lab bench match --agent 'maumau agent first' --agent 'python3 agents/python/random_bot.py' --seconds 0.2 --repeats 1",
        ),
        (
            "maumau-lab bench interleaved --agent 'maumau agent first'",
            "maumau-lab bench interleaved --agent 'maumau agent first' --seconds 0.2 --repeats 1",
        ),
        ("maumau-lab bench referee --rules skat", "maumau-lab bench referee --rules skat --seconds 0.1 --repeats 1"),
        ("maumau-lab bench verify --rules skat", "maumau-lab bench verify --rules skat --seconds 0.1 --repeats 1"),
        ("maumau-lab bench store --games 4096", "maumau-lab bench store --games 64 --commit 64 --repeats 1"),
        ("maumau-lab bench start --players 4", "maumau-lab bench start --players 4 --repeats 1"),
        (
            "maumau-lab bench playout --rules crazy-eights --build nothing --suits-apart",
            "maumau-lab bench playout --rules crazy-eights --build nothing --suits-apart --repeats 1 --seconds 0.01",
        ),
        ("maumau-lab bench memory --at-once 1,64,1024", "maumau-lab bench memory --at-once 1,4"),
        (
            "maumau-lab bench memory --at-once 64 --set turn_cap=8 --games 1000000",
            "maumau-lab bench memory --at-once 4 --set turn_cap=8 --games 100",
        ),
    ],
    not_run: &[
        ("maumau-lab bench playout --build nothing --against", "needs the program that it is compared with"),
        ("maumau-lab bench first-game", "needs the program maumau beside it, which this test does not build"),
        ("maumau-lab selftest allocation", "takes minutes without optimisation, and fewer leagues show nothing"),
        ("maumau-lab selftest controls", "takes minutes without optimisation, and fewer deals show nothing"),
        ("maumau-lab selftest ladder", "takes minutes without optimisation; a test beside it plays shorter ones"),
        ("maumau-lab selftest looks", "takes minutes without optimisation, and fewer leagues show nothing"),
        ("maumau-lab selftest match", "takes minutes without optimisation, and fewer matches show nothing"),
        ("maumau-lab selftest intervals", "takes minutes without optimisation, and fewer leagues show nothing"),
    ],
};

#[test]
fn every_example_of_every_help_page_runs() {
    let (pages, ran) = check(Path::new(env!("CARGO_BIN_EXE_maumau-lab")), &[], &EXCEPT);
    assert!(pages > 8 && ran > 12, "{pages} pages, {ran} examples");
}
