//! The addresses of a club, asked as programs and browsers ask them: who may see and do what, and what is refused.

use std::io::{Read, Write};
use std::net::TcpStream;

use maumau_club::{BotManifest, VersionNews, VersionState};
use maumau_protocol::SandboxLevel;

use super::super::folder::NewClub;
use super::super::requests::COOKIE_NAME;
use super::super::store::{ClubStore, Invitation, MemberRole};
use super::super::worker::sweep;
use super::*;

/// The server of a club whose worker does nothing, and the tokens of ann, bob and the organiser.
struct IdleClub {
    club: Arc<Club>,
    host: String,
    tokens: [String; 3],
    _place: tempfile::TempDir,
    _stop: watch::Sender<bool>,
}

impl IdleClub {
    fn new() -> IdleClub {
        IdleClub::with("")
    }

    /// One in whose `club.toml` stands `more`.
    fn with(more: &str) -> IdleClub {
        let place = tempfile::tempdir().expect("a folder");
        let new = NewClub { rules: "basic", seats: 2, sandbox: SandboxLevel::Basic };
        let folder = ClubFolder::make(&place.path().join("club"), &new).expect("a club");
        let text = std::fs::read_to_string(folder.settings_file()).expect("a file");
        std::fs::write(folder.settings_file(), format!("{more}\n{text}")).expect("a file");
        let club = Arc::new(Club::open(folder).expect("a club"));
        let member = |name, role| {
            let mut store = club.store();
            let key = store.invite(&Invitation::plain(role), 1, "").expect("an invitation");
            store.join(&key, name).expect("a member").expect("a token")
        };
        let author = MemberRole::Author;
        let tokens = [member("ann", author), member("bob", author), member("olga", MemberRole::Organiser)];
        let listener = std::net::TcpListener::bind("127.0.0.1:0").expect("a port");
        listener.set_nonblocking(true).expect("a port");
        let host = listener.local_addr().expect("a port").to_string();
        let (stop, stopping) = watch::channel(false);
        let served = Arc::clone(&club);
        std::thread::spawn(move || {
            let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
            runtime.block_on(async {
                let listener = tokio::net::TcpListener::from_std(listener).expect("a port");
                serve_router(listener, router(served), CONNECTIONS, stopping).await;
            });
        });
        IdleClub { club, host, tokens, _place: place, _stop: stop }
    }

    /// What a program is answered.
    fn ask(&self, method: &str, path: &str, token: Option<&str>, body: &[u8]) -> (u16, String) {
        let headers = token.map_or_else(String::new, |token| format!("Authorization: Bearer {token}\r\n"));
        self.send(method, path, &headers, body)
    }

    /// What a browser is answered, which comes from a page of `origin`.
    fn browse(&self, method: &str, path: &str, token: Option<&str>, origin: Option<&str>) -> u16 {
        let origin = origin.map_or_else(String::new, |origin| format!("Origin: {origin}\r\n"));
        let cookie = token.map_or_else(String::new, |token| format!("Cookie: a=b; {COOKIE_NAME}={token}\r\n"));
        self.send(method, path, &(origin + &cookie), b"").0
    }

    fn send(&self, method: &str, path: &str, headers: &str, body: &[u8]) -> (u16, String) {
        let mut stream = TcpStream::connect(&self.host).expect("a connection");
        let length = body.len();
        let head = format!(
            "{method} {path} HTTP/1.1\r\nHost: club\r\nConnection: close\r\n{headers}Content-Length: {length}\r\n\r\n"
        );
        stream.write_all(&[head.as_bytes(), body].concat()).expect("a request");
        let mut answer = String::new();
        stream.read_to_string(&mut answer).expect("text");
        let status = answer.split(' ').nth(1).and_then(|status| status.parse().ok()).expect("a status");
        (status, answer.split_once("\r\n\r\n").expect("a body").1.to_owned())
    }

    /// A version of ann's in this state.
    fn version_in(&self, state: VersionState) -> i64 {
        let mut store = self.club.store();
        let number = store.versions().expect("versions").len();
        let manifest = BotManifest { name: None, build: Vec::new(), run: "python3 bot.py".to_owned() };
        let sent = store.send(("ann", "ann"), &format!("bot-{number}"), "aa", &manifest);
        let (version, _) = sent.expect("a version");
        let (check, pass) = (VersionNews::CheckBegan, VersionNews::Passed);
        let joined = VersionNews::Joined;
        let steps: &[VersionNews] = match state {
            VersionState::Waiting => &[],
            VersionState::Building => &[VersionNews::BuildBegan],
            VersionState::Checking => &[check],
            VersionState::Ready => &[check, pass],
            VersionState::Playing => &[check, pass, joined],
            VersionState::Paused => &[check, pass, joined, VersionNews::Paused],
            VersionState::Retired => &[check, pass, joined, VersionNews::Replaced],
            VersionState::Withdrawn => &[VersionNews::Withdrawn],
            VersionState::Disqualified => &[VersionNews::Disqualified],
            VersionState::Refused => &[check, VersionNews::FoundFaulty],
            VersionState::Failed => &[check, VersionNews::PutBack { tries: 3 }],
        };
        for step in steps {
            store.happened(&version, *step, "").expect("a step");
        }
        version.id
    }

    fn state_of(&self, id: i64) -> VersionState {
        self.club.store().version(id).expect("an answer").expect("a version").state
    }
}

#[test]
fn each_address_is_open_to_exactly_those_of_this_table() {
    let idle = IdleClub::new();
    let [ann, bob, olga] = idle.tokens.each_ref().map(|token| Some(token.as_str()));
    // A stranger, another team, the version's team, the organiser.
    let roles = [None, bob, ann, olga];
    let own = Some("http://club");
    let first = idle.version_in(VersionState::Waiting);
    for (path, expected) in [
        ("/", [200; 4]),
        ("/login", [200; 4]),
        ("/join/0123", [200; 4]),
        ("/games/none", [404; 4]),
        ("/events", [200; 4]),
        ("/past", [200; 4]),
        // Nobody plays the season here.
        ("/live", [503; 4]),
        ("/rules/basic", [503; 4]),
        ("/nothing", [404; 4]),
        ("/versions/99/games/none", [404; 4]),
        ("/bots", [303, 200, 200, 403]),
        ("/house", [303, 403, 403, 200]),
        ("/versions/99", [404; 4]),
        ("/trials/1", [404; 4]),
        ("/trials/1/game", [404; 4]),
    ] {
        assert_eq!(roles.map(|token| idle.browse("GET", path, token, None)), expected, "{path}");
    }
    for (path, expected) in [
        ("/invitations", [303, 403, 403, 400]),
        ("/members/nobody/ban", [303, 403, 403, 404]),
        ("/versions/99/pause", [404; 4]),
        ("/versions/99/trial", [404; 4]),
        ("/versions/99/disqualify", [404; 4]),
        ("/house/nothing", [303, 403, 403, 404]),
        ("/reruns", [303, 403, 403, 400]),
        ("/invitations/99/take-back", [303, 403, 403, 404]),
        ("/bots", [303, 400, 400, 403]),
        ("/token", [303, 200, 200, 403]),
        ("/logout", [303; 4]),
    ] {
        assert_eq!(roles.map(|token| idle.browse("POST", path, token, own)), expected, "{path}");
        for origin in [None, Some("http://evil.example"), Some("null")] {
            assert_eq!(roles.map(|token| idle.browse("POST", path, token, origin)), [403; 4], "{path} {origin:?}");
        }
    }
    for (method, path, expected) in [
        ("GET", "/api/1/ladder", [200; 4]),
        ("GET", "/api/1/queue", [200; 4]),
        ("GET", "/api/1/events", [200; 4]),
        ("GET", "/api/1/versions/99", [404; 4]),
        ("GET", "/api/1/versions/99/games", [404; 4]),
        ("GET", "/api/1/versions/99/games/none", [404; 4]),
        ("GET", "/api/1/versions/99/games/none/record", [404; 4]),
        ("POST", "/api/1/versions/99/pause", [404; 4]),
        ("POST", "/api/1/versions/99/disqualify", [404; 4]),
        ("POST", "/api/1/members/nobody/ban", [401, 403, 403, 404]),
        ("POST", "/api/1/invitations/0123", [400; 4]),
        ("PUT", "/api/1/bots/bot-0/versions", [401, 403, 422, 403]),
        ("DELETE", "/api/1/ladder", [405; 4]),
        ("POST", "/api/1/trials", [401, 400, 400, 403]),
        ("GET", "/api/1/trials/1", [404; 4]),
        ("POST", "/api/1/reruns", [401, 403, 403, 400]),
        ("GET", "/api/1/none", [404; 4]),
    ] {
        assert_eq!(roles.map(|token| idle.ask(method, path, token, b"").0), expected, "{method} {path}");
    }
    // A cookie is no token of a program, and a token of a program none of a browser.
    assert_eq!(idle.browse("GET", &format!("/api/1/versions/{first}"), ann, own), 404);
    assert_eq!(idle.ask("GET", "/bots", ann, b"").0, 303);
}

#[test]
fn a_private_club_shows_strangers_the_ways_in_alone() {
    let idle = IdleClub::with("private = true");
    let guest = {
        let mut store = idle.club.store();
        let key = store.invite(&Invitation::plain(MemberRole::Guest), 1, "").expect("an invitation");
        store.join(&key, "gil").expect("a member").expect("a token")
    };
    let [ann, _, olga] = idle.tokens.each_ref().map(|token| Some(token.as_str()));
    let roles = [None, ann, Some(&*guest), olga];
    for (path, expected) in [
        ("/", [303, 200, 200, 200]),
        ("/?class=10b", [303, 200, 200, 200]),
        ("/login", [200; 4]),
        ("/join/0123", [200; 4]),
        ("/games/none", [303, 404, 404, 404]),
        ("/events", [303, 200, 200, 200]),
        ("/past", [303, 200, 200, 200]),
        ("/live", [303, 503, 503, 503]),
        ("/rules/basic", [303, 503, 503, 503]),
        ("/documents", [303, 503, 503, 503]),
        ("/bots", [303, 200, 403, 403]),
        ("/house", [303, 403, 403, 200]),
    ] {
        assert_eq!(roles.map(|token| idle.browse("GET", path, token, None)), expected, "{path}");
    }
    for path in ["ladder", "ladder?class=10b", "queue", "events"] {
        let path = format!("/api/1/{path}");
        assert_eq!(roles.map(|token| idle.ask("GET", &path, token, b"").0), [401, 200, 200, 200], "{path}");
    }
    let follow = "Accept: text/event-stream\r\n";
    assert_eq!(idle.send("GET", "/api/1/events", follow, b"").0, 401);
    let invite = |body: &str| idle.ask("POST", "/api/1/invitations", olga, body.as_bytes());
    for body in ["{\"uses\":1,\"guest\":true}", "{\"uses\":30,\"class\":\"10b\"}", "{\"uses\":2,\"team\":\"blue\"}"] {
        assert_eq!(invite(body).0, 201, "{body}");
    }
    for body in ["{\"uses\":1,\"guest\":true,\"team\":\"blue\"}", "{\"uses\":1,\"class\":\"10 b\"}", "{\"uses\":0}"] {
        assert_eq!(invite(body).0, 400, "{body}");
    }
}

#[test]
fn a_version_is_shown_and_changed_by_its_team_and_the_organiser_as_its_state_permits() {
    let idle = IdleClub::new();
    let [ann, bob, olga] = idle.tokens.each_ref().map(|token| Some(token.as_str()));
    let acts = [("pause", VersionNews::Paused), ("resume", VersionNews::Resumed), ("withdraw", VersionNews::Withdrawn)];
    for state in VersionState::ALL {
        for (act, news) in acts {
            let (by_program, by_page) = (idle.version_in(state), idle.version_in(state));
            let (program, page) = (format!("/api/1/versions/{by_program}"), format!("/versions/{by_page}"));
            let shown = [None, bob, ann, olga].map(|token| idle.ask("GET", &program, token, b"").0);
            let seen = [None, bob, ann, olga].map(|token| idle.browse("GET", &page, token, None));
            assert_eq!((shown, seen), ([404, 404, 200, 200], [404, 404, 200, 200]), "{state:?}");
            let games = format!("{program}/games");
            let listed = [None, bob, ann, olga].map(|token| idle.ask("GET", &games, token, b"").0);
            assert_eq!(listed, [404, 404, 200, 200], "{state:?}");
            let (program, page) = (format!("{program}/{act}"), format!("{page}/{act}"));
            for stranger in [None, bob] {
                assert_eq!(idle.ask("POST", &program, stranger, b"").0, 404, "{state:?} {act}");
                assert_eq!(idle.browse("POST", &page, stranger, Some("http://club")), 404, "{state:?} {act}");
            }
            assert_eq!(idle.browse("POST", &page, ann, Some("http://evil.example")), 403);
            assert_eq!(idle.state_of(by_page), state, "nothing was done");
            let next = state.after(news).filter(|next| *next != state);
            let expected = if next.is_some() { (200, 303) } else { (409, 409) };
            let done = (idle.ask("POST", &program, ann, b"").0, idle.browse("POST", &page, olga, Some("http://club")));
            assert_eq!(done, expected, "{state:?} {act}");
            for id in [by_program, by_page] {
                assert_eq!(idle.state_of(id), next.unwrap_or(state), "{state:?} {act}");
            }
        }
    }
    let held = idle.version_in(VersionState::Playing);
    let path = |act: &str| format!("/api/1/versions/{held}/{act}");
    assert_eq!(idle.ask("POST", &path("pause"), olga, b"").0, 200);
    let refused = idle.ask("POST", &path("resume"), ann, b"");
    assert!(refused.0 == 403 && refused.1.contains("the organiser has paused it"), "{refused:?}");
    assert_eq!(idle.ask("POST", &path("resume"), olga, b"").0, 200);
    for (state, expected) in [(VersionState::Retired, 200), (VersionState::Refused, 409)] {
        let cheat = idle.version_in(state);
        let path = format!("/api/1/versions/{cheat}/disqualify");
        assert_eq!([None, bob, ann].map(|token| idle.ask("POST", &path, token, b"").0), [404, 404, 403]);
        assert_eq!(idle.state_of(cheat), state, "the organiser alone disqualifies");
        assert_eq!(idle.ask("POST", &path, olga, b"").0, expected);
    }
    assert_eq!(idle.ask("POST", "/api/1/members/ann/ban", olga, b"").0, 204);
    assert_eq!(idle.ask("GET", &format!("/api/1/versions/{held}"), ann, b"").0, 404, "its token has ended");
    assert_eq!(idle.state_of(held), VersionState::Withdrawn);
    drop(ClubStore::open(&idle.club.folder.database()).expect("it is whole"));
}

#[test]
fn that_a_version_left_in_the_moment_of_a_kill_is_said_once() {
    let idle = IdleClub::new();
    let id = idle.version_in(VersionState::Paused);
    let agent = idle.club.store().version(id).expect("an answer").expect("a version").agent();
    let league = idle.club.folder.league();
    let text = std::fs::read_to_string(&league).expect("a file");
    let left = format!("\n[[agent]]\nname = \"{agent}\"\nauthor = \"ann\"\ncommand = \"maumau agent first\"\n");
    std::fs::write(&league, format!("{text}{left}retired = true\n")).expect("a file");
    let said = || {
        let events = idle.club.store().events(0, 1_000, |_| true).expect("events");
        events.iter().filter(|event| event.what == format!("{agent} has left the ladder")).count()
    };
    assert_eq!(said(), 0);
    for _ in 0..2 {
        sweep(&idle.club).expect("a club");
        assert_eq!(said(), 1);
    }
}

/// An archive of entries of these names, kinds and contents, as an attacker writes them: the names are not checked.
fn tar_of(entries: &[(&str, u8, u64, &[u8])]) -> Vec<u8> {
    let mut bytes = Vec::new();
    for (name, kind, size, content) in entries {
        let mut head = [0_u8; 512];
        head[..name.len()].copy_from_slice(name.as_bytes());
        head[100..108].copy_from_slice(b"0000644\0");
        head[124..136].copy_from_slice(format!("{size:011o}\0").as_bytes());
        head[156] = *kind;
        head[157..168].copy_from_slice(b"/etc/passwd");
        head[257..265].copy_from_slice(b"ustar\x0000");
        head[148..156].copy_from_slice(b"        ");
        let sum: u32 = head.iter().map(|byte| u32::from(*byte)).sum();
        head[148..156].copy_from_slice(format!("{sum:06o}\0 ").as_bytes());
        bytes.extend_from_slice(&head);
        bytes.extend_from_slice(content);
        bytes.resize(bytes.len().next_multiple_of(512), 0);
    }
    bytes.extend_from_slice(&[0; 1024]);
    bytes
}

#[test]
fn a_hostile_archive_is_refused_and_leaves_nothing() {
    let idle = IdleClub::new();
    let token = Some(idle.tokens[0].as_str());
    let file = |name| (name, b'0', 1, &b"x"[..]);
    let manifest = ("bot.toml", b'0', 16, &b"run = \"./bot\"  \n"[..16]);
    let deep = "a/".repeat(40) + "b";
    let many: Vec<String> = (0..1_001).map(|number| number.to_string()).collect();
    let many: Vec<_> = many.iter().map(|name| file(name.as_str())).chain([manifest]).collect();
    let out = |run: &'static [u8]| vec![("bot.toml", b'0', run.len() as u64, run)];
    let attacks: Vec<(&str, Vec<u8>)> = vec![
        ("nothing", Vec::new()),
        ("no tar", b"PK\x03\x04 something else".to_vec()),
        ("a name that leads out", tar_of(&[manifest, file("../out")])),
        ("a name that leads out within", tar_of(&[manifest, file("a/../../out")])),
        ("a name from the root", tar_of(&[manifest, file("/tmp/club-out")])),
        ("an empty name", tar_of(&[manifest, file("")])),
        ("the folder itself", tar_of(&[manifest, file(".")])),
        ("a control character", tar_of(&[manifest, file("a\nb")])),
        ("no Unicode", {
            let mut bytes = tar_of(&[manifest, file("zz")]);
            bytes[1024] = 0xff;
            bytes
        }),
        ("a hard link", tar_of(&[manifest, ("link", b'1', 0, b"")])),
        ("a symbolic link", tar_of(&[manifest, ("link", b'2', 0, b"")])),
        ("a link in the place of the manifest", tar_of(&[("bot.toml", b'2', 0, b"")])),
        ("a device", tar_of(&[manifest, ("device", b'3', 0, b"")])),
        ("a disk", tar_of(&[manifest, ("disk", b'4', 0, b"")])),
        ("a pipe", tar_of(&[manifest, ("pipe", b'6', 0, b"")])),
        ("twins", tar_of(&[manifest, file("bot"), file("bot")])),
        ("twins but for case", tar_of(&[manifest, file("bot"), file("BOT")])),
        ("a second manifest", tar_of(&[manifest, ("BOT.toml", b'0', 0, b"")])),
        ("a file in a file", tar_of(&[manifest, file("a"), file("a/b")])),
        ("a lying size", tar_of(&[manifest, ("big", b'0', 1 << 32, b"x")])),
        ("a cut off file", tar_of(&[manifest, ("cut", b'0', 4_000, b"x")])[..1_600].to_vec()),
        ("depth", tar_of(&[manifest, file(&deep)])),
        ("a thousand files", tar_of(&many)),
        ("a command that leads out", tar_of(&out(b"run = \"cat /etc/passwd\"\n"))),
        ("a build that leads out", tar_of(&out(b"run = \"./bot\"\nbuild = \"sh ../x\"\n"))),
        ("a house bot", tar_of(&out(b"run = \"maumau agent greedy\"\n"))),
        ("no manifest", tar_of(&[file("something")])),
        ("a manifest that is none", tar_of(&out(b"\xff\xfe"))),
    ];
    for (attack, bytes) in &attacks {
        let (status, said) = idle.ask("PUT", "/api/1/bots/bot/versions", token, bytes);
        assert_eq!(status, 422, "{attack}: {said}");
        for folder in idle.club.folder.parts() {
            let left: Vec<_> = std::fs::read_dir(folder).expect("a folder").flatten().collect();
            assert!(left.is_empty(), "{attack}: {left:?}");
        }
    }
    let bomb = vec![0; (idle.club.settings.quotas.upload_mib as usize) * 1024 * 1024 + 1];
    assert_eq!(idle.ask("PUT", "/api/1/bots/bot/versions", token, &bomb).0, 413);
    assert!(idle.club.store().versions().expect("versions").is_empty(), "nothing was charged");
    let good =
        tar_of(&[("my-bot/", b'5', 0, b""), ("my-bot/bot.toml", b'0', 16, manifest.3), ("my-bot/bot", b'0', 1, b"x")]);
    assert_eq!(idle.ask("PUT", "/api/1/bots/bot/versions", token, &good).0, 201);
    assert!(!std::path::Path::new("/tmp/club-out").exists());
}

/// The form of `/bots` with these parts: the name of each, of its file if it is one, and what it holds.
fn form_of(parts: &[(&str, Option<&str>, &str)]) -> Vec<u8> {
    let part = |(name, file, text): &(&str, Option<&str>, &str)| {
        let file = file.map_or_else(String::new, |file| format!("; filename=\"{file}\""));
        format!("--x\r\nContent-Disposition: form-data; name=\"{name}\"{file}\r\n\r\n{text}\r\n")
    };
    (parts.iter().map(part).collect::<String>() + "--x--\r\n").into_bytes()
}

#[test]
fn a_folder_that_is_sent_by_the_form_is_the_same_version_as_its_archive() {
    let idle = IdleClub::new();
    let token = idle.tokens[0].as_str();
    let send = |parts: &[(&str, Option<&str>, &str)]| {
        let headers = format!(
            "Origin: http://club\r\nCookie: {COOKIE_NAME}={token}\r\nContent-Type: multipart/form-data; boundary=x\r\n"
        );
        idle.send("POST", "/bots", &headers, &form_of(parts))
    };
    let toml = "name = \"bot\"\nrun = \"python3 bot.py\"\n";
    let folder = [("name", None, ""), ("files", Some("my-bot/bot.toml"), toml), ("files", Some("my-bot/bot.py"), "1")];
    let sent = send(&[&folder[..], &[("archive", Some(""), "")]].concat());
    assert_eq!(sent.0, 303, "{}", sent.1);
    let archive = tar_of(&[("bot.py", b'0', 1, b"1"), ("bot.toml", b'0', toml.len() as u64, toml.as_bytes())]);
    assert_eq!(idle.ask("PUT", "/api/1/bots/bot/versions", Some(token), &archive).0, 200, "it is known");
    for (parts, status, why) in [
        (vec![("name", None, "bot")], 400, "choose a folder or an archive"),
        (vec![("files", Some("bot.py"), "1"), ("archive", Some("a.zip"), "1")], 400, "choose a folder or an archive"),
        (vec![("files", Some("bot.py"), "1")], 422, "expected a name for the bot"),
        (vec![("name", None, "bot"), ("files", Some("../bot.py"), "1")], 422, "holds the name"),
        (vec![("name", None, "Bot"), ("files", Some("bot.py"), "1")], 422, "expected 1 to 32"),
        (vec![("other", None, "1")], 400, "the form of the page"),
    ] {
        let (found, said) = send(&parts);
        assert!(found == status && said.to_lowercase().contains(why), "{parts:?}: {found} {said}");
    }
    assert_eq!(idle.club.store().versions().expect("versions").len(), 1);
}

#[test]
fn nothing_is_sent_to_a_season_that_is_closed_or_a_disk_that_is_full() {
    let good = tar_of(&[("bot.py", b'0', 1, b"1")]);
    let idle = IdleClub::new();
    let [ann, _, olga] = idle.tokens.each_ref().map(|token| Some(token.as_str()));
    let own = Some("http://club");
    assert_eq!(idle.browse("POST", "/house/close", olga, own), 303);
    let (status, why) = idle.ask("PUT", "/api/1/bots/bot/versions", ann, &good);
    assert!(status == 409 && why.contains("closed"), "{why}");
    assert!(idle.ask("GET", "/", None, b"").1.contains("The season is closed"));
    assert_eq!(idle.browse("POST", "/house/open", olga, own), 303);
    assert_eq!(idle.ask("PUT", "/api/1/bots/bot/versions", ann, &good).0, 201);
    assert_eq!(idle.browse("POST", "/house/freeze", olga, own), 409, "there is nothing to freeze");
    assert_eq!(idle.browse("POST", "/house/chapter", olga, own), 303);
    assert!(idle.club.store().wanted_chapter().expect("an answer").is_some());
    let full = IdleClub::with("least_free_mib = 1000000000");
    let (status, why) = full.ask("PUT", "/api/1/bots/bot/versions", Some(&full.tokens[0]), &good);
    assert!(status == 507 && why.contains("nearly full"), "{status} {why}");
}

#[test]
fn a_header_names_a_member_only_if_the_club_trusts_its_proxy_and_no_other_page_asks() {
    let named = |idle: &IdleClub, name: &str, more: &str| {
        idle.send("GET", "/bots", &format!("X-Remote-User: {name}\r\n{more}"), b"").0
    };
    assert_eq!(named(&IdleClub::new(), "ann", ""), 303, "it is off");
    let idle = IdleClub::with("user_header = \"X-Remote-User\"");
    assert_eq!((named(&idle, "ann", ""), named(&idle, "zoe", ""), named(&idle, "olga", "")), (200, 200, 403));
    for (name, more) in
        [("ann", "X-Remote-User: bob\r\n"), ("Ann", ""), ("", ""), ("ann", "Origin: http://evil.example\r\n")]
    {
        assert_eq!(named(&idle, name, more), 303, "{name:?} {more:?}");
    }
    let ban =
        |origin: &str| idle.send("POST", "/api/1/members/ann/ban", &format!("X-Remote-User: olga\r\n{origin}"), b"").0;
    assert_eq!(ban("Origin: http://evil.example\r\n"), 401, "a page of others cannot ask for olga");
    assert_eq!(ban(""), 204);
    assert_eq!(named(&idle, "ann", ""), 303, "she is banned");
}
