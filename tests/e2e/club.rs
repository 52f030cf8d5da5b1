//! A club as people use it: an organiser makes it, an author sends bots from another folder, and a killed club goes on.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use serde_json::Value;

use crate::arena::{Arena, Run};

/// A bot that is slow for nobody: it takes the first legal answer, by the kit of this repository.
const BOT: &str = "from maumau_kit import Bot, run\n\nclass First(Bot):\n    def choose(self, ask):\n        return ask[\"legal\"][0]\n\n\
                   run(First, name=\"first\", games=16)\n";

/// A club that is served.
struct ServedClub<'a> {
    arena: &'a Arena,
    child: Child,
    host: String,
}

impl<'a> ServedClub<'a> {
    fn start(arena: &'a Arena) -> ServedClub<'a> {
        let mut child = Command::new(env!("CARGO_BIN_EXE_maumau"))
            .args(["club", "serve", &arena.path("club"), "--addr", "127.0.0.1:0"])
            .env("TMPDIR", arena.folder())
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .spawn()
            .expect("the club can be started");
        let mut line = String::new();
        BufReader::new(child.stdout.take().expect("a pipe")).read_line(&mut line).expect("an address");
        let host = line.trim().strip_prefix("http://").and_then(|rest| rest.strip_suffix('/')).expect("an address");
        ServedClub { arena, host: host.to_owned(), child }
    }

    /// The status and the body of an answer.
    fn ask(&self, method: &str, path: &str, token: Option<&str>, body: &str) -> (u16, String) {
        let mut stream = TcpStream::connect(&self.host).expect("a connection");
        let token = token.map_or_else(String::new, |token| format!("Authorization: Bearer {token}\r\n"));
        // As from a page of the club: forms of others are refused.
        let head = format!(
            "{method} {path} HTTP/1.1\r\nHost: x\r\nOrigin: http://x\r\nConnection: close\r\n{token}Content-Length: {}\r\n\r\n",
            body.len()
        );
        stream.write_all((head + body).as_bytes()).expect("a request");
        let mut answer = String::new();
        stream.read_to_string(&mut answer).expect("text");
        let status = answer.split(' ').nth(1).and_then(|status| status.parse().ok()).expect("a status");
        (status, answer.split_once("\r\n\r\n").expect("a body").1.to_owned())
    }

    /// A new member's token.
    fn member(&self, name: &str, options: &[&str]) -> String {
        let club = self.arena.path("club");
        let link = self.arena.run(&[&["club", "invite", &club], options].concat()).stdout;
        let key = link.trim().rsplit('/').next().expect("a key").to_owned();
        let (status, page) = self.ask("GET", &format!("/join/{key}"), None, "");
        assert!(status == 200 && page.contains("You are invited"), "{page}");
        let form = format!("name={name}");
        let (status, page) = self.ask("POST", &format!("/join/{key}"), None, &form);
        assert_eq!(status, 200, "{page}");
        let token = page.split("<pre>").nth(1).and_then(|rest| rest.split('<').next()).expect("a token").to_owned();
        let (again, _) = self.ask("POST", &format!("/join/{key}"), None, "name=other");
        assert_eq!(again, 404, "it was taken");
        token
    }

    /// Follows the events after number `after` until one says `what`; returns its number.
    fn follow(&self, token: Option<&str>, after: u64, what: &str) -> u64 {
        let event = self.followed(token, after, |said| said == what);
        event["id"].as_u64().expect("a number")
    }

    /// The same until one says what `is_it`; returns what it says.
    fn follow_to(&self, token: Option<&str>, after: u64, is_it: impl Fn(&str) -> bool) -> String {
        self.followed(token, after, is_it)["what"].as_str().expect("words").to_owned()
    }

    fn followed(&self, token: Option<&str>, after: u64, is_it: impl Fn(&str) -> bool) -> Value {
        let mut stream = TcpStream::connect(&self.host).expect("a connection");
        stream.set_read_timeout(Some(Duration::from_secs(120))).expect("a limit");
        let token = token.map_or_else(String::new, |token| format!("Authorization: Bearer {token}\r\n"));
        let head = format!(
            "GET /api/1/events HTTP/1.1\r\nHost: x\r\nAccept: text/event-stream\r\nLast-Event-ID: {after}\r\n{token}\r\n"
        );
        stream.write_all(head.as_bytes()).expect("a request");
        let mut seen = Vec::new();
        for line in BufReader::new(stream).lines() {
            let line = line.unwrap_or_else(|error| panic!("it does not happen: {error}: {seen:?}"));
            let Some(event) = line.strip_prefix("data: ") else { continue };
            let event: Value = serde_json::from_str(event).expect("JSON");
            if event["what"].as_str().is_some_and(&is_it) {
                return event;
            }
            seen.push(event);
        }
        panic!("it does not happen: {seen:?}");
    }

    /// Sends the folder `bot`.
    fn submit(&self, bot: &str, token: &str) -> Run {
        std::fs::write(self.arena.path("token"), token).expect("a file");
        let (folder, file, url) = (self.arena.path(bot), self.arena.path("token"), format!("http://{}", self.host));
        self.arena.run(&["submit", &folder, "--to", &url, "--token-file", &file, "--no-check"])
    }

    fn ladder(&self) -> Vec<Value> {
        serde_json::from_str(&self.ask("GET", "/api/1/ladder", None, "").1).expect("JSON")
    }

    /// Kills the club as a power cut would, but for what it has started.
    fn kill(mut self) {
        self.child.kill().expect("it is there");
        self.child.wait().expect("a child");
    }

    /// Ends the club as Ctrl-C does.
    fn end(mut self) {
        assert_eq!(self.terminate(), Some(130));
    }

    fn terminate(&mut self) -> Option<i32> {
        let pid = nix::unistd::Pid::from_raw(self.child.id() as i32);
        nix::sys::signal::kill(pid, nix::sys::signal::Signal::SIGTERM).expect("it is there");
        self.child.wait().expect("a child").code()
    }
}

impl Drop for ServedClub<'_> {
    /// A season that goes on would write into a folder that is gone.
    fn drop(&mut self) {
        if let Ok(None) = self.child.try_wait() {
            self.terminate();
        }
    }
}

/// A bot's folder, beside the club.
fn bot(arena: &Arena, folder: &str, source: &str) {
    let place = arena.folder().join(folder);
    std::fs::create_dir_all(&place).expect("a folder");
    std::fs::write(place.join("bot.toml"), "name = \"ann-bot\"\nrun = \"python3 bot.py\"\n").expect("a file");
    std::fs::write(place.join("bot.py"), source).expect("a file");
    let kit = concat!(env!("CARGO_MANIFEST_DIR"), "/../agents/python/maumau_kit.py");
    std::fs::copy(kit, place.join("maumau_kit.py")).expect("the kit");
}

/// A bot `name` that is built by `build`.
fn source(arena: &Arena, (folder, name): (&str, &str), build: &str, files: &[(&str, &str)]) {
    let place = arena.folder().join(folder);
    std::fs::create_dir_all(&place).expect("a folder");
    let manifest = format!("name = \"{name}\"\nbuild = \"{build}\"\nrun = \"./bot\"\n");
    std::fs::write(place.join("bot.toml"), manifest).expect("a file");
    for (name, text) in files {
        std::fs::write(place.join(name), text).expect("a file");
    }
}

/// True if this machine can build; what it lacks is reported.
fn can_build() -> bool {
    let compiler = Command::new("cc").arg("--version").output();
    let lacks = match compiler {
        Err(error) => Some(format!("cc: {error}")),
        Ok(_) => crate::sandbox::missing("strict"),
    };
    lacks.iter().for_each(|why| eprintln!("left out: nothing can be built here: {why}"));
    lacks.is_none()
}

fn club(arena: &Arena) {
    let made = arena.run(&["club", "new", &arena.path("club"), "--sandbox", "basic"]);
    assert!(made.code == Some(0) && made.stdout.contains("/join/"), "{made:?}");
}

#[test]
fn a_bot_that_is_sent_from_another_folder_climbs_on_the_ladder() {
    let arena = Arena::new();
    club(&arena);
    let served = ServedClub::start(&arena);
    let token = served.member("ann", &[]);
    bot(&arena, "first", BOT);
    let sent = served.submit("first", &token);
    assert_eq!(sent.code, Some(0), "{sent:?}");
    // How far it is when it is first asked is a matter of who is faster.
    assert!(sent.stdout.contains("ann-bot@1 is playing") && sent.stdout.contains("rated games"), "{}", sent.stdout);
    // The same archive is the same version; another one replaces it.
    let again = served.submit("first", &token);
    assert!(again.code == Some(0) && again.stdout.starts_with("ann-bot@1 is playing"), "{again:?}");
    bot(&arena, "second", &BOT.replace("[0]", "[-1]"));
    let second = served.submit("second", &token);
    assert!(second.code == Some(0) && second.stdout.contains("ann-bot@2"), "{second:?}");
    let joined = served.follow(None, 0, "ann-bot@2 is playing");
    let retired = served.follow(None, joined, "ann-bot@1 is retired");
    let events: Vec<Value> = serde_json::from_str(&served.ask("GET", "/api/1/events", None, "").1).expect("JSON");
    assert!(
        retired > joined && events.iter().any(|event| event["id"] == retired && event["version"] == 1),
        "{events:?}"
    );
    assert!(served.ladder().iter().any(|row| row["agent"] == "ann-bot@1" && row["retired"] == true));
    let row = served.ladder().into_iter().find(|row| row["agent"] == "ann-bot@2").expect("a row");
    assert!(row["games"].as_u64() > Some(0) && row["rating"].is_number(), "{row}");
    let (_, page) = served.ask("GET", "/", None, "");
    assert!(page.contains("ann-bot@2") && page.contains("maumau submit"), "{page}");
    // A trial has games of its own.
    let wanted = "{\"version\":2,\"against\":[\"greedy\"],\"games\":4}";
    let (status, trial) = served.ask("POST", "/api/1/trials", Some(&token), wanted);
    assert_eq!(status, 201, "{trial}");
    served.follow(Some(&token), 0, "trial 1 is done");
    let (_, trial) = served.ask("GET", "/api/1/trials/1", Some(&token), "");
    let trial: Value = serde_json::from_str(&trial).expect("JSON");
    assert!(trial["ladder"].as_array().is_some_and(|rows| rows.iter().all(|row| row["games"] == 4)), "{trial}");
    // A disputed game is played again beside the season, for organisers; the first version has left, so its deals are done.
    let organiser = served.member("olga", &["--organiser"]);
    let (_, of_version) = served.ask("GET", "/api/1/versions/1/games", Some(&token), "");
    let of_version: Value = serde_json::from_str(&of_version).expect("JSON");
    let disputed = of_version["worst"][0]["game"].as_str().expect("a game").to_owned();
    let wanted = format!("{{\"game\":\"{disputed}\"}}");
    assert_eq!(served.ask("POST", "/api/1/reruns", Some(&token), &wanted).0, 403);
    let (status, rerun) = served.ask("POST", "/api/1/reruns", Some(&organiser), &wanted);
    assert_eq!(status, 201, "{rerun}");
    let rerun: Value = serde_json::from_str(&rerun).expect("JSON");
    assert!(rerun["game"] == *disputed && rerun["chapter"] == 1 && rerun["state"] == "waiting", "{rerun}");
    let came_of_it = served.follow_to(Some(&organiser), 0, |what| what.starts_with("played again: "));
    assert!(came_of_it.ends_with(" and is the same again, event by event"), "{came_of_it}");
    let path = format!("/api/1/trials/{}", rerun["id"]);
    let (_, done) = served.ask("GET", &path, Some(&organiser), "");
    assert!(done.contains("event by event") && done.contains("\"done\""), "{done}");
    assert_eq!(served.ask("GET", &path, Some(&token), "").0, 404);
    let (status, refused) = served.ask("POST", "/api/1/reruns", Some(&organiser), "{\"game\":\"none\"}");
    assert!(status == 422 && refused.contains("chapter 1 has no finished game none"), "{refused}");
    let place = arena.path("club");
    let by_command = arena.run(&["club", "rerun", &place, &disputed]);
    assert!(by_command.code == Some(0) && by_command.stdout.contains("/trials/"), "{by_command:?}");
    let elsewhere = arena.run(&["club", "rerun", &place, &disputed, "--chapter", "7"]);
    assert!(elsewhere.code == Some(2) && elsewhere.stderr.contains("chapter 7 has no"), "{elsewhere:?}");
    // Finals of those that play now are a league like any other.
    let file = arena.path("finals.toml");
    let finals = |options: &[&str]| arena.run(&[&["club", "finals", &place, "--to", &file], options].concat());
    let alone = finals(&[]);
    assert!(alone.code == Some(2) && alone.stderr.contains("1 of the season can play in finals"), "{alone:?}");
    let made = finals(&["--house", "--format", "knock-out", "--most", "4"]);
    let mut listed: Vec<&str> =
        made.stdout.lines().filter_map(|line| line.split_once(". ")).map(|(_, agent)| agent).collect();
    assert!(made.code == Some(0) && listed.len() == 4 && listed.contains(&"ann-bot@2"), "{made:?}");
    let played = arena.run(&["tournament", "run", &file, "--quiet"]);
    assert!(played.code == Some(0) && listed.iter().all(|agent| played.stdout.contains(agent)), "{played:?}");
    listed.sort_unstable();
    served.follow(None, 0, &format!("finals, knock-out: {}", listed.join(", ")));
    // Its author pauses and resumes it; the organiser bans its author.
    let (status, paused) = served.ask("POST", "/api/1/versions/2/pause", Some(&token), "");
    assert!(status == 200 && paused.contains("\"state\":\"paused\""), "{paused}");
    let left = served.follow(None, retired, "ann-bot@2 has left the ladder");
    assert!(served.ladder().iter().any(|row| row["agent"] == "ann-bot@2" && row["retired"] == true));
    let resumed = arena.run(&["club", "resume", &arena.path("club"), "ann-bot"]);
    assert_eq!(resumed.code, Some(0), "{resumed:?}");
    let back = served.follow(None, left, "ann-bot@2 is playing");
    assert!(served.ladder().iter().any(|row| row["agent"] == "ann-bot@2" && row["retired"] == false));
    // What has played long ago can still be disqualified: ratings leave its games out.
    let cheat = ["club", "disqualify", &place, "ann-bot@1", "--why", "it asks its twin"];
    let disqualified = arena.run(&cheat);
    assert_eq!(disqualified.code, Some(0), "{disqualified:?}");
    assert_eq!(arena.run(&cheat).code, Some(2), "it is disqualified already");
    served.follow(None, back, "the ratings leave out the games of ann-bot@1");
    let shown = arena.run(&["tournament", "show", &arena.path("club/season/season.maumau")]);
    assert!(shown.stdout.contains("left out of the ratings: ann-bot@1."), "{shown:?}");
    let banned = arena.run(&["club", "ban", &arena.path("club"), "ann", "--why", "two accounts"]);
    assert_eq!((banned.code, banned.stdout.as_str()), (Some(0), "ann-bot@2 is withdrawn\n"), "{banned:?}");
    served.follow(None, back, "ann-bot@2 has left the ladder");
    assert_eq!(served.ask("GET", "/api/1/versions/2", Some(&token), "").0, 404, "its token has ended");
    served.end();
    assert_eq!(arena.processes(), [""; 0], "nothing goes on");
    let checked = arena.run(&["club", "check", &arena.path("club")]);
    assert_eq!((checked.code, checked.stdout.as_str()), (Some(0), ""), "{checked:?}");
}

#[test]
fn a_bot_that_is_refused_says_why_to_its_team_alone_and_leaves_the_ladder_as_it_was() {
    let arena = Arena::new();
    club(&arena);
    let served = ServedClub::start(&arena);
    let (ann, bob, organiser) =
        (served.member("ann", &[]), served.member("bob", &[]), served.member("olga", &["--organiser"]));
    bot(&arena, "silent", "import sys\nprint('I crash', file=sys.stderr)\nsys.exit(3)\n");
    let sent = served.submit("silent", &ann);
    assert!(sent.code == Some(1) && sent.stdout.contains("is refused: handshake"), "{sent:?}");
    let (ann, bob, organiser) = (Some(&*ann), Some(&*bob), Some(&*organiser));
    // Who may see which address.
    for (method, path, body, expected) in [
        ("GET", "/", "", [200; 4]),
        ("GET", "/api/1/ladder", "", [200; 4]),
        ("GET", "/api/1/queue", "", [200; 4]),
        ("GET", "/api/1/events", "", [200; 4]),
        ("GET", "/api/1/versions/1", "", [404, 404, 200, 200]),
        ("GET", "/api/1/versions/1/check", "", [404, 404, 200, 200]),
        ("GET", "/api/1/versions/2", "", [404; 4]),
        ("PUT", "/api/1/bots/ann-bot/versions", "no archive", [401, 403, 422, 403]),
        ("PUT", "/api/1/bots/Ann/versions", "", [401, 422, 422, 403]),
        ("POST", "/api/1/invitations", "{\"uses\":1}", [401, 403, 403, 201]),
        ("POST", "/api/1/invitations/0123", "{\"name\":\"eve\"}", [404; 4]),
        ("DELETE", "/api/1/versions/1", "", [405; 4]),
        ("POST", "/api/1/versions/1/pause", "", [404, 404, 409, 409]),
    ] {
        let found = [None, bob, ann, organiser].map(|token| served.ask(method, path, token, body).0);
        assert_eq!(found, expected, "{method} {path}");
    }
    let told = |token| served.ask("GET", "/api/1/events", token, "").1.contains("handshake");
    assert_eq!([None, bob, ann, organiser].map(told), [false, false, true, true]);
    assert!(served.ladder().iter().all(|row| row["agent"] != "ann-bot@1"));
    let revoked = arena.run(&["club", "revoke", &arena.path("club"), "ann"]);
    assert_eq!((revoked.code, served.ask("GET", "/api/1/versions/1", ann, "").0), (Some(0), 404));
}

#[test]
fn a_club_that_is_killed_goes_on_and_leaves_no_version_in_limbo() {
    let arena = Arena::new();
    club(&arena);
    let served = ServedClub::start(&arena);
    let token = served.member("ann", &[]);
    bot(&arena, "first", BOT);
    let mut author = {
        let (folder, url) = (arena.path("first"), format!("http://{}", served.host));
        std::fs::write(arena.path("token"), &token).expect("a file");
        Command::new(env!("CARGO_BIN_EXE_maumau"))
            .args(["submit", &folder, "--to", &url, "--token-file", &arena.path("token"), "--no-check"])
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("it can be started")
    };
    let mut lines = BufReader::new(author.stdout.take().expect("a pipe")).lines();
    let first = lines.next().expect("a line").expect("text");
    assert!(first.starts_with("ann-bot@1 is "), "{first}");
    served.kill();
    author.kill().and_then(|()| author.wait()).expect("a child");
    let served = ServedClub::start(&arena);
    let sent = served.submit("first", &token);
    assert!(sent.code == Some(0) && sent.stdout.contains("ann-bot@1 is playing"), "{sent:?}");
    // While it is played, it is copied, and its ladder stands still.
    let (club, copy) = (arena.path("club"), arena.path("copy"));
    assert_eq!(arena.run(&["club", "freeze", &club]).code, Some(0));
    assert_eq!(arena.run(&["club", "freeze", &club]).code, Some(2), "it is frozen already");
    let frozen = served.ladder();
    served.follow(None, 0, "the ladder is frozen; play goes on");
    assert!(served.ask("GET", "/", None, "").1.contains("stands still"));
    assert_eq!(served.ladder(), frozen);
    assert_eq!(arena.run(&["club", "backup", &club, &copy]).code, Some(0));
    assert_eq!(arena.run(&["club", "thaw", &club]).code, Some(0));
    assert_eq!(arena.run(&["club", "check", &copy]).code, Some(0));
    for run in ["copy/season/season.maumau", "copy/season/frozen.maumau"] {
        assert_eq!(arena.run(&["verify", &arena.path(run)]).code, Some(0), "{run}");
    }
    served.end();
    assert_eq!(arena.processes(), [""; 0], "nothing goes on");
    assert_eq!(arena.run(&["club", "check", &arena.path("club")]).code, Some(0));
    let verified = arena.run(&["verify", &arena.path("club/season/season.maumau")]);
    assert_eq!(verified.code, Some(0), "no game is lost: {}{}", verified.stdout, verified.stderr);
}

/// Takes what comes to `listener` until `what` happens: the numbers of the events, in their order. The first one is refused once.
fn sent_events(listener: &TcpListener, what: &str) -> Vec<u64> {
    let mut numbers = Vec::new();
    loop {
        let mut stream = BufReader::new(listener.accept().expect("a connection").0);
        let (mut head, mut length) = (String::new(), 0);
        while !head.ends_with("\r\n\r\n") {
            assert_ne!(stream.read_line(&mut head).expect("a line"), 0, "{head}");
        }
        for line in head.lines() {
            if let Some((name, value)) = line.split_once(": ")
                && name.eq_ignore_ascii_case("content-length")
            {
                length = value.parse().expect("a number");
            }
        }
        assert!(head.contains("Bearer hush-hush"), "{head}");
        let mut body = vec![0; length];
        stream.read_exact(&mut body).expect("a body");
        let event: Value = serde_json::from_slice(&body).expect("JSON");
        numbers.push(event["id"].as_u64().expect("a number"));
        let is_taken = numbers.len() > 1;
        let status = if is_taken { "204 taken" } else { "503 later" };
        let answer = format!("HTTP/1.1 {status}\r\nContent-Length: 0\r\nConnection: close\r\n\r\n");
        stream.get_mut().write_all(answer.as_bytes()).expect("an answer");
        if is_taken && event["what"] == what {
            return numbers;
        }
    }
}

#[test]
fn events_reach_an_address_in_their_order_also_after_it_refused_one_and_the_club_was_killed() {
    let arena = Arena::new();
    club(&arena);
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    let port = listener.local_addr().expect("an address").port();
    let settings = std::fs::read_to_string(arena.path("club/club.toml")).expect("a file");
    let webhook = format!("[[webhook]]\nurl = \"http://127.0.0.1:{port}/x\"\ntoken = \"hush-hush\"\n");
    std::fs::write(arena.path("club/club.toml"), format!("{settings}\n{webhook}")).expect("a file");
    let served = ServedClub::start(&arena);
    served.member("ann", &[]);
    let first = sent_events(&listener, "ann has joined the club");
    assert!(first.len() > 1 && first[0] == first[1], "what was refused comes again: {first:?}");
    served.kill();
    // It happens while nobody serves the club.
    assert_eq!(arena.run(&["club", "message", &arena.path("club"), "Finals at six."]).code, Some(0));
    let served = ServedClub::start(&arena);
    served.member("bob", &[]);
    let numbers = sent_events(&listener, "bob has joined the club");
    // The last one that arrived may come once more; the message and bob follow.
    assert!(numbers.is_sorted() && numbers[0] >= first[first.len() - 1], "{first:?} {numbers:?}");
    let events: Vec<Value> = serde_json::from_str(&served.ask("GET", "/api/1/events", None, "").1).expect("JSON");
    let numbers_of = |events: &[Value]| events.iter().filter_map(|event| event["id"].as_u64()).collect::<Vec<_>>();
    let since: Vec<u64> = numbers_of(&events).into_iter().filter(|number| *number >= numbers[0]).collect();
    let mut once = numbers.clone();
    once.dedup();
    assert!(once.len() >= 2 && since.starts_with(&once), "none is left out: {once:?} of {since:?}");
    served.end();
}

#[test]
fn a_bot_that_is_sent_as_source_is_built_once_in_the_workshop_and_climbs() {
    if !can_build() {
        return;
    }
    let arena = Arena::new();
    club(&arena);
    let served = ServedClub::start(&arena);
    let token = served.member("ann", &[]);
    let good = include_str!("../../agents/c/first.c");
    source(
        &arena,
        ("broken", "c-bot"),
        "cc -O2 -o bot bot.c",
        &[("bot.c", &good.replace("int main", "int mein(void) { return x; } int main"))],
    );
    let broken = served.submit("broken", &token);
    let said = &broken.stdout;
    assert!(broken.code == Some(1) && said.contains("c-bot@1 is building") && said.contains("error: "), "{broken:?}");
    let words = |token| served.ask("GET", "/api/1/versions/1/build", token, "");
    assert!(words(Some(&token)).1.contains("bot.c:") && words(None).0 == 404);
    source(&arena, ("good", "c-bot"), "cc -O2 -o bot bot.c", &[("bot.c", good)]);
    let sent = served.submit("good", &token);
    assert!(sent.code == Some(0) && sent.stdout.contains("c-bot@2 is playing"), "{sent:?}");
    // Another bot with the same archive is not built again.
    let manifest = std::fs::read_to_string(arena.path("good/bot.toml")).expect("a file");
    assert!(manifest.contains("c-bot"));
    let (folder, file, url) = (arena.path("good"), arena.path("token"), format!("http://{}", served.host));
    let twin = arena.run(&["submit", &folder, "--name", "twin", "--to", &url, "--token-file", &file, "--no-check"]);
    assert_eq!(twin.code, Some(0), "{twin:?}");
    assert_eq!(std::fs::read_dir(arena.path("club/built")).expect("a folder").count(), 1);
    let (_, answer) = served.ask("GET", "/api/1/versions/2", Some(&token), "");
    let answer: Value = serde_json::from_str(&answer).expect("JSON");
    assert!(answer["compilers"].as_str().is_some_and(|said| said.starts_with("cc: ")), "{answer}");
    // Rust needs nothing besides, also where rustup has installed it.
    source(
        &arena,
        ("rust", "rust-bot"),
        "rustc -O -o bot bot.rs",
        &[("bot.rs", include_str!("../../agents/sdk/examples/first.rs"))],
    );
    let rust = served.submit("rust", &token);
    assert!(rust.code == Some(0) && rust.stdout.contains("rust-bot@1 is playing"), "{rust:?}");
    served.end();
    assert_eq!(arena.run(&["club", "check", &arena.path("club")]).code, Some(0));
}

#[test]
fn a_build_reads_nothing_of_the_club_writes_in_its_own_folder_and_has_no_network() {
    if !can_build() {
        return;
    }
    let arena = Arena::new();
    club(&arena);
    let served = ServedClub::start(&arena);
    let token = served.member("ann", &[]);
    let port = served.host.rsplit(':').next().expect("a port");
    let script = format!(
        "cat {club}/club.db && echo READ\nls {club} && echo LISTED\ntouch ../out && echo WROTE\n\
         (exec 3<>/dev/tcp/127.0.0.1/{port}) && echo CONNECTED\ntouch own && chmod 700 own && echo OWN\n\
         sleep 1000 &\nexit 3\n",
        club = arena.path("club")
    );
    source(&arena, ("hostile", "c-bot"), "bash build.sh", &[("build.sh", &script)]);
    let sent = served.submit("hostile", &token);
    assert!(sent.code == Some(1) && sent.stdout.contains("exit code 3"), "{sent:?}");
    let (_, words) = served.ask("GET", "/api/1/versions/1/build", Some(&token), "");
    for done in ["READ", "WROTE", "CONNECTED"] {
        assert!(!words.contains(done), "{words}");
    }
    assert!(words.contains("OWN"), "{words}");
    assert!(std::fs::read_dir(arena.path("club/workshop")).expect("a folder").next().is_none(), "nothing is left");
    served.end();
    assert_eq!(arena.processes(), [""; 0], "nothing goes on");
}
