//! Pages of a run while it is played, as bytes: no matter who looks, and in which format, the run is played from its first game to its last.
//! How pages look in a browser is tested in `tests/browser`.

use std::collections::BTreeSet;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::path::Path;
use std::process::{Child, Stdio};
use std::sync::{Arc, Mutex};
use std::thread::JoinHandle;

use crate::league_place::{Place, signal, wait, waiting_league};
use nix::sys::signal::Signal;

/// Each format, as a league file says it, and what ends it.
const FORMATS: [(&str, &str, &str); 8] = [
    ("round-robin", "", ""),
    ("sample", "", "[stop]\ngames = GAMES"),
    ("gauntlet", "challengers = [\"greedy\"]", ""),
    ("match", "", "[stop]\ngames = GAMES"),
    ("swiss", "rounds = 3", ""),
    ("knock-out", "", ""),
    ("double", "", ""),
    ("ladder", "", "[stop]\ngames = GAMES"),
];

/// The file that lets the slow agent answer at once: somebody has opened a game in play.
const WATCHED: &str = "watched";
/// The file that lets the slow agent answer after a while, though nobody watches.
const UNWATCHED: &str = "unwatched";

/// The place of a league of this format with so many games of each pairing. An agent of it answers only once one of the two files is
/// there, so that games are in play for as long as a viewer needs to open one.
fn place((format, keys, stop): (&str, &str, &str), games: u64) -> Place {
    let place = Place::new("");
    let [watched, unwatched] = [WATCHED, UNWATCHED].map(|name| place.path(name).display().to_string());
    let pause = format!("until [ -e {watched} ]; do sleep 0.02; [ ! -e {unwatched} ] || break; done");
    let wait = format!("case $line in *ready*) ;; *) {pause} ;; esac");
    let mut league =
        waiting_league(games, &wait).replace("rules = \"skat\"", "rules = \"basic\"\ntime.move_ms = 60000");
    if format == "match" {
        league.truncate(league.rfind("[[agent]]").expect("three agents"));
    }
    let (settings, agents) = league.split_once("[[agent]]").expect("agents");
    let stop = stop.replace("GAMES", &(3 * games).to_string());
    place.write(
        "league.toml",
        &format!(
            "{settings}sandbox.level = \"none\"\n[schedule]\nformat = \"{format}\"\n{keys}\n{stop}\n[[agent]]{agents}"
        ),
    );
    place
}

/// A person with a browser, who opens whatever is being played until the server ends.
struct Viewer {
    tables: JoinHandle<Vec<serde_json::Value>>,
    pages: Arc<Mutex<Vec<(String, u16)>>>,
}

/// A server, and the token of its link.
#[derive(Clone)]
struct Server {
    address: SocketAddr,
    token: String,
}

/// A page, of which the status is known; its text follows.
fn open(server: &Server, path: &str) -> std::io::Result<(u16, BufReader<TcpStream>)> {
    let Server { address, token } = server;
    let mut connection = TcpStream::connect(address)?;
    let cookie = format!("cookie: maumau-{}={token}", address.port());
    write!(connection, "GET {path} HTTP/1.1\r\nhost: {address}\r\n{cookie}\r\nconnection: close\r\n\r\n")?;
    let mut answer = BufReader::new(connection);
    let mut line = String::new();
    answer.read_line(&mut line)?;
    let status = line.split(' ').nth(1).and_then(|code| code.parse().ok());
    Ok((status.ok_or(std::io::ErrorKind::InvalidData)?, answer))
}

impl Viewer {
    fn new(server: Server, watched: &Path) -> Viewer {
        let pages = Arc::new(Mutex::new(Vec::new()));
        let (status, news) = open(&server, "/live/news").expect("the server is there");
        assert_eq!(status, 200);
        let (seen, watched) = (Arc::clone(&pages), watched.to_owned());
        let tables = std::thread::spawn(move || {
            let (mut messages, mut opened, mut readers) = (Vec::new(), BTreeSet::new(), Vec::new());
            for line in news.lines() {
                let Ok(line) = line else { break };
                let Some(text) = line.strip_prefix("data: ") else { continue };
                let message: serde_json::Value = serde_json::from_str(text).expect("JSON");
                for table in message["tables"].as_array().expect("tables") {
                    let game = table["game"].as_str().expect("a name").to_owned();
                    if opened.insert(game.clone()) {
                        let (seen, server, watched) = (Arc::clone(&seen), server.clone(), watched.clone());
                        readers.push(std::thread::spawn(move || look(&server, &game, &seen, &watched)));
                    }
                }
                messages.push(message);
            }
            readers.into_iter().for_each(|reader| reader.join().expect("a reader does not panic"));
            messages
        });
        Viewer { tables, pages }
    }

    /// The news of the tables, and each page with its status, once the server has ended.
    fn end(self) -> (Vec<serde_json::Value>, Vec<(String, u16)>) {
        let messages = self.tables.join().expect("a reader does not panic");
        (messages, self.pages.lock().expect("no panic").clone())
    }
}

/// Opens every page that a game in play leads to, and reads its news to their end; leaves the file `watched` as soon as one is open.
/// At the end of the run the server is gone.
fn look(server: &Server, game: &str, seen: &Mutex<Vec<(String, u16)>>, watched: &Path) {
    for path in [
        format!("/live/{game}"),
        format!("/live/{game}/news"),
        "/live".to_owned(),
        "/".to_owned(),
        "/games".to_owned(),
        format!("/games/{game}"),
    ] {
        let Ok((status, mut answer)) = open(server, &path) else { return };
        if path.starts_with("/live/") && status == 200 {
            std::fs::write(watched, "").expect("a file");
        }
        _ = answer.read_to_end(&mut Vec::new());
        seen.lock().expect("no panic").push((path, status));
    }
}

/// A run that is watched from before its first game.
fn begin(place: &Place, arguments: &str) -> (Child, BufReader<std::process::ChildStderr>, Viewer) {
    let mut run = place
        .tournament(&format!("{arguments} --serve --addr 127.0.0.1:0"))
        .stdout(Stdio::piped())
        .spawn()
        .expect("it runs");
    let mut said = BufReader::new(run.stderr.take().expect("a pipe"));
    let mut line = String::new();
    let (address, token) = loop {
        line.clear();
        assert_ne!(said.read_line(&mut line).expect("text"), 0, "no address was printed");
        if let Some((_, rest)) = line.split_once("http://") {
            break rest.trim_end().split_once("/?token=").expect("a link with a token");
        }
    };
    let server = Server { address: address.parse().expect("an address"), token: token.to_owned() };
    // Without a sandbox the slow agent could look as well.
    let mut why = String::new();
    said.read_line(&mut why).expect("text");
    assert_eq!(why, "maumau: agents can reach these pages, so the pages want the token of this link\n");
    for path in ["/", "/live", "/live/news", "/games", "/rules", "/live/g000-d0000-r0"] {
        let (status, mut answer) =
            open(&Server { token: "0".to_owned(), ..server.clone() }, path).expect("the server is there");
        let mut text = String::new();
        answer.read_to_string(&mut text).expect("text");
        assert!(status == 403 && text.ends_with("it holds a token\n"), "{path}: {status} {text}");
    }
    let viewer = Viewer::new(server, &place.path(WATCHED));
    (run, said, viewer)
}

#[test]
fn in_every_format_a_run_that_is_watched_is_played_to_its_end() {
    let play = |format: (&str, &str, &str)| {
        let place = place(format, 8);
        let (run, said, viewer) = begin(&place, "run league.toml --quiet --cpus 1 --announce");
        check(format.0, run, said, viewer, place.games());
        place.check("run league.toml --run other.maumau --quiet --cpus 1", 0);
        let shown = |run: &str| place.check(&format!("show {run} --format json"), 0).0;
        assert_eq!(
            shown("league.maumau"),
            shown("other.maumau"),
            "{}: it was played as if nobody had looked",
            format.0
        );
    };
    // They wait for agents most of the time.
    std::thread::scope(|scope| FORMATS.iter().for_each(|format| _ = scope.spawn(|| play(*format))));
}

/// Waits for the end of a run of which `before` games had been played, and compares what its viewer was sent with it.
fn check(format: &str, mut run: Child, mut said: BufReader<std::process::ChildStderr>, viewer: Viewer, before: u64) {
    let mut announced = String::new();
    run.stdout.take().expect("a pipe").read_to_string(&mut announced).expect("text");
    let status = run.wait().expect("it ends");
    let mut text = String::new();
    said.read_to_string(&mut text).expect("text");
    assert_eq!((status.code(), text.as_str()), (Some(0), ""), "{format}");
    let (messages, pages) = viewer.end();
    let games = announced.lines().filter(|line| line.starts_with('g') && line.contains("-r")).count() as u64;
    let last = messages.last().expect("news");
    assert_eq!((last["games"].as_u64(), last["is_over"].as_bool()), (Some(games), Some(true)), "{format}: {last}");
    let wrong: Vec<_> = pages.iter().filter(|(_, status)| ![200, 307, 404].contains(status)).collect();
    assert!(wrong.is_empty(), "{format}: {wrong:?}");
    let watched = pages.iter().filter(|(path, status)| path.starts_with("/live/") && *status == 200).count();
    assert!(watched > 0 && games + before > 0, "{format}: no game in play could be opened: {pages:?}");
}

#[test]
fn in_every_format_a_run_that_goes_on_is_watched_to_its_end() {
    let play = |format: (&str, &str, &str)| {
        // So many that it is not over before the signal comes, however late this process notices the third of them.
        let place = place(format, 80);
        place.write(UNWATCHED, "");
        let run = place.start("run league.toml --quiet --cpus 1", 3);
        signal(&run, Signal::SIGINT);
        assert_eq!(wait(run).0, Some(130), "{}", format.0);
        let before = place.games();
        assert!(before >= 3, "{}", format.0);
        std::fs::remove_file(place.path(UNWATCHED)).expect("the file");
        let (run, said, viewer) = begin(&place, "run league.toml --quiet --cpus 1 --announce");
        check(format.0, run, said, viewer, before);
    };
    std::thread::scope(|scope| FORMATS.iter().for_each(|format| _ = scope.spawn(|| play(*format))));
}
