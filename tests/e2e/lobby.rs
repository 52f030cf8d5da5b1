//! `maumau serve` without a file, as bytes: a table is opened by a form, and whatever is sent, the server lives until it is ended and
//! leaves no agent behind. How it looks and plays in a browser is tested in `tests/browser`.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;

struct Server {
    process: Child,
    address: String,
}

impl Server {
    fn start() -> Server {
        let mut command = Command::new(env!("CARGO_BIN_EXE_maumau"));
        command.args(["serve", "--addr", "127.0.0.1:0"]).stdout(Stdio::piped()).stderr(Stdio::null());
        let mut process = command.spawn().expect("a server");
        let mut line = String::new();
        let out = process.stdout.as_mut().expect("its output");
        BufReader::new(out).read_line(&mut line).expect("its address");
        let address = line.trim().trim_start_matches("http://").trim_end_matches('/').to_owned();
        Server { process, address }
    }

    /// What is answered, with its head.
    fn ask(&self, method: &str, path: &str, headers: &str, body: &str) -> String {
        let address = &self.address;
        let mut connection = TcpStream::connect(address).expect("a connection");
        let head = format!("{method} {path} HTTP/1.1\r\nhost: {address}\r\nconnection: close\r\n{headers}");
        write!(connection, "{head}content-length: {}\r\n\r\n{body}", body.len()).expect("a request");
        let mut answer = String::new();
        connection.read_to_string(&mut answer).expect("an answer");
        answer
    }

    fn open(&self, form: &str) -> String {
        self.ask("POST", "/play", &format!("origin: http://{}\r\n", self.address), form)
    }

    /// Waits for the news that a game is in play.
    fn wait_for_game(&self, game: &str) {
        let address = &self.address;
        let mut connection = TcpStream::connect(address).expect("a connection");
        connection.set_read_timeout(Some(Duration::from_secs(60))).expect("a limit");
        write!(connection, "GET /live/news HTTP/1.1\r\nhost: {address}\r\n\r\n").expect("a request");
        let named = format!("\"game\":\"{game}\"");
        let mut lines = BufReader::new(connection).lines().map(|line| line.expect("text"));
        assert!(lines.any(|line| line.contains(&named)), "the news end without {game}");
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        // It may have ended already.
        _ = self.process.kill();
        _ = self.process.wait();
    }
}

#[test]
fn a_table_is_opened_by_a_form_and_ends_with_the_server() {
    let mut server = Server::start();
    assert!(server.ask("GET", "/", "", "").contains("location: /play"));
    let opened = server.open("rules=basic&name=%3Cb%3EAnn&seat1=first&rounds=1");
    assert!(opened.starts_with("HTTP/1.1 303") && opened.contains("location: /seat/0\r\n"), "{opened}");
    assert!(opened.contains("Max-Age=604800; Path=/seat/0"), "{opened}");
    server.wait_for_game("table-1");
    let page = server.ask("GET", "/table/1", "", "");
    assert!(page.contains("is being played") && page.contains("&lt;b&gt;Ann") && !page.contains("<b>Ann"), "{page}");
    assert!(server.ask("GET", "/live/table-1", "", "").starts_with("HTTP/1.1 200"));
    kill(Pid::from_raw(server.process.id() as i32), Signal::SIGINT).expect("a signal");
    assert_eq!(server.process.wait().expect("an end").code(), Some(130));
}

#[test]
fn people_who_play_again_go_on_with_their_seats() {
    let server = Server::start();
    let form = "rules=basic&name=Ann&seat1=person&rounds=1";
    let opened = server.open(form);
    assert!(opened.contains("location: /table/1\r\n"), "{opened}");
    let own = opened.lines().find_map(|line| line.strip_prefix("set-cookie: ")).expect("the cookie of a seat");
    let cookie = format!("cookie: {}\r\n", own.split(';').next().expect("its value"));
    let next = |seat: usize, headers: &str| server.ask("GET", &format!("/seat/{seat}/next"), headers, "");
    assert!(next(0, &cookie).contains("have not begun another match"), "there is no table yet");
    for other in
        ["rules=basic&name=Ann&seat1=person&rounds=2&after=1", "rules=basic&name=Ann&seat1=person&rounds=1&after=7"]
    {
        assert!(server.open(other).contains("location: /table/"), "a table of its own");
        assert!(next(0, &cookie).contains("have not begun another match"), "{other}");
    }
    let again = server.open(&format!("{form}&after=1"));
    assert!(
        again.contains("location: /table/1\r\n") && !again.contains("set-cookie"),
        "nobody is seated for another: {again}"
    );
    assert!(next(0, &cookie).contains("location: /seat/6?token="), "{}", next(0, &cookie));
    for stranger in [next(0, ""), next(1, &cookie)] {
        assert!(stranger.starts_with("HTTP/1.1 403"), "{stranger}");
    }
}

#[test]
fn a_lost_seat_is_freed_by_the_browser_that_has_opened_the_table() {
    let server = Server::start();
    let origin = format!("origin: http://{}\r\n", server.address);
    let opened = server.open("rules=basic&name=Ann&seat1=person&rounds=1");
    let own = opened.lines().find_map(|line| line.strip_prefix("set-cookie: ")).expect("the cookie of a seat");
    let cookie = format!("cookie: {}\r\n", own.split(';').next().expect("its value"));
    let link = |page: &str| {
        let from = page.find("/seat/1?token=").expect("a link");
        page[from..].split('"').next().expect("its end").to_owned()
    };
    let link = link(&server.ask("GET", "/table/1", "", ""));
    let take = || server.ask("POST", "/seat/1", &origin, link.split('?').nth(1).expect("a token"));
    assert!(take().starts_with("HTTP/1.1 303"));
    server.wait_for_game("table-1");
    let refused = take();
    assert!(refused.starts_with("HTTP/1.1 403") && refused.contains("can free it on the table"), "{refused}");
    assert!(server.ask("GET", "/table/1", "", "").contains("action=\"/seat/0/free/1\""));
    let free = |by: usize, whose: usize, headers: &str| {
        server.ask("POST", &format!("/seat/{by}/free/{whose}"), &format!("{origin}{headers}"), "")
    };
    for stranger in [free(0, 1, ""), free(1, 0, &cookie), free(1, 1, "")] {
        assert!(stranger.starts_with("HTTP/1.1 403"), "{stranger}");
    }
    assert!(free(0, 7, &cookie).starts_with("HTTP/1.1 404"));
    assert!(take().starts_with("HTTP/1.1 403"), "it is still taken");
    assert!(free(0, 1, &cookie).contains("location: /table/1\r\n"));
    assert!(server.ask("GET", "/table/1", "", "").contains("A seat has been freed"));
    assert!(take().starts_with("HTTP/1.1 303"), "by the same link");
}

#[test]
fn what_a_script_sends_is_refused_by_a_sentence_and_the_server_goes_on() {
    let server = Server::start();
    for (form, said) in [
        ("", "There is no rule set &quot;&quot; here."),
        ("rules=basic", "Your name: expected 1 to 24 characters"),
        ("rules=..%2F..%2Fetc&name=x", "There is no rule set &quot;../../etc&quot; here."),
        ("rules=basic&name=x&seat1=sh+-c+ls", "Seat 2: expected nobody, a person or a bot of the list."),
        ("\u{1}", "That form could not be read; nothing was opened."),
    ] {
        let answer = server.open(form);
        assert!(answer.starts_with("HTTP/1.1 400") && answer.contains(said), "{form:.40}: {answer}");
    }
    assert!(server.ask("POST", "/play", "", "rules=basic").starts_with("HTTP/1.1 403"), "no page has sent it");
    let waits = "rules=basic&name=Ann&seat1=person";
    for _ in 0..6 {
        assert!(server.open(waits).starts_with("HTTP/1.1 303"));
    }
    assert!(server.open(waits).contains("6 tables are open"));
    assert!(server.ask("POST", "/seat/0/leave", &format!("origin: http://{}\r\n", server.address), "").contains("403"));
}
