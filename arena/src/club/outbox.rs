//! Sends the events of a club to the addresses in `club.toml`: each event once it has happened, in their order, until it is taken. What has
//! arrived is noted in the database, so a club that was killed goes on there; an event may arrive twice, with the same number.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use anyhow::Result;
use ureq::Agent;

use super::answers::EventAnswer;
use super::open_club::Club;
use super::outgoing::agent_for;
use super::season::rest;
use super::webhook::{Webhook, WebhookSight};

/// How often there may be something new.
const EVERY: Duration = Duration::from_millis(500);
/// How long an answer may take.
const ANSWERED_WITHIN: Duration = Duration::from_secs(10);
/// The pause before an event that was not taken is sent again; it doubles each time.
const FIRST_PAUSE: Duration = Duration::from_secs(1);
/// The longest pause.
const LONGEST_PAUSE: Duration = Duration::from_secs(300);

/// Sends events to `webhook` until `stop` is set.
///
/// # Errors
/// The database fails.
pub(super) fn send_all(club: &Club, webhook: &Webhook, stop: &AtomicBool) -> Result<()> {
    let mut outbox = Outbox::open(club, webhook)?;
    let mut pause = FIRST_PAUSE;
    while !stop.load(Ordering::Relaxed) {
        match outbox.send_next()? {
            Delivery::Nothing => rest(stop, EVERY),
            Delivery::Taken => pause = FIRST_PAUSE,
            Delivery::NotTaken(reason) => {
                if pause == FIRST_PAUSE {
                    print_stderr!("maumau: {} does not take events, which are kept for it: {reason}", webhook.url);
                }
                rest(stop, pause);
                pause = LONGEST_PAUSE.min(pause * 2);
            }
        }
    }
    Ok(())
}

/// What came of an event.
#[derive(Debug, PartialEq, Eq)]
enum Delivery {
    /// There was none.
    Nothing,
    /// It has arrived.
    Taken,
    /// It has not, for this reason.
    NotTaken(String),
}

/// What is still to be sent to one address.
struct Outbox<'a> {
    club: &'a Club,
    webhook: &'a Webhook,
    agent: Agent,
    /// The last event that has arrived.
    reached: i64,
}

impl<'a> Outbox<'a> {
    fn open(club: &'a Club, webhook: &'a Webhook) -> Result<Outbox<'a>> {
        let config =
            Agent::config_builder().http_status_as_error(false).max_redirects(0).timeout_global(Some(ANSWERED_WITHIN));
        let reached = club.store().reached(&webhook.url)?;
        Ok(Outbox { club, webhook, agent: agent_for(&webhook.url, config)?, reached })
    }

    /// Sends the next event.
    fn send_next(&mut self) -> Result<Delivery> {
        let sees_all = self.webhook.sees == WebhookSight::Organiser;
        let Some(event) = self.club.store().events(self.reached, 1, |_| sees_all)?.into_iter().next() else {
            return Ok(Delivery::Nothing);
        };
        let number = event.id;
        let mut request = self
            .agent
            .post(&self.webhook.url)
            .content_type("application/json")
            .header("Maumau-Event", number.to_string());
        if let Some(token) = &self.webhook.token {
            request = request.header("Authorization", format!("Bearer {token}"));
        }
        let refused = match request.send(serde_json::to_string(&EventAnswer::of(event, sees_all))?) {
            Ok(answer) if answer.status().is_success() => None,
            Ok(answer) => Some(format!("it answers {}", answer.status())),
            Err(error) => Some(error.to_string()),
        };
        if let Some(reason) = refused {
            return Ok(Delivery::NotTaken(reason));
        }
        self.club.store().has_reached(&self.webhook.url, number)?;
        self.reached = number;
        Ok(Delivery::Taken)
    }
}

#[cfg(test)]
mod tests {
    use std::io::{BufRead, BufReader, Read, Write};
    use std::net::TcpListener;
    use std::thread::JoinHandle;

    use maumau_club::TrialState;
    use maumau_protocol::SandboxLevel;
    use serde_json::Value;

    use super::super::folder::{ClubFolder, NewClub};
    use super::*;

    /// An address that answers with `statuses`, one after the other, and returns what it was sent: the head and the event.
    fn receiver(statuses: &'static [u16]) -> (String, JoinHandle<Vec<(String, Value)>>) {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
        let url = format!("http://{}/club", listener.local_addr().expect("a port"));
        let receives = std::thread::spawn(move || {
            let receive = |status: &u16| {
                let mut stream = BufReader::new(listener.accept().expect("a connection").0);
                let mut head = String::new();
                while !head.ends_with("\r\n\r\n") {
                    assert_ne!(stream.read_line(&mut head).expect("a line"), 0, "{head}");
                }
                let head = head.to_ascii_lowercase();
                let length = head.split("content-length: ").nth(1).and_then(|rest| rest.lines().next()?.parse().ok());
                let mut body = vec![0; length.expect("a length")];
                stream.read_exact(&mut body).expect("a body");
                let answer =
                    format!("HTTP/1.1 {status} x\r\nContent-Length: 0\r\nLocation: /x\r\nConnection: close\r\n\r\n");
                stream.get_mut().write_all(answer.as_bytes()).expect("an answer");
                (head, serde_json::from_slice(&body).expect("JSON"))
            };
            statuses.iter().map(receive).collect()
        });
        (url, receives)
    }

    fn webhook(url: &str, sees: WebhookSight) -> Webhook {
        Webhook { url: url.to_owned(), token: Some("secret".to_owned()), sees }
    }

    #[test]
    fn an_event_is_sent_until_it_is_taken_and_a_club_that_was_killed_goes_on_there() {
        let place = tempfile::tempdir().expect("a folder");
        let new = NewClub { rules: "basic", seats: 2, sandbox: SandboxLevel::Basic };
        let folder = ClubFolder::make(&place.path().join("club"), &new).expect("a club");
        let club = Club::open(folder.clone()).expect("its files");
        let say = |club: &Club, what: &str| club.store().say(what, "").expect("an event");
        let (url, receives) = receiver(&[500, 302, 204, 200, 200]);
        let hook = webhook(&url, WebhookSight::Public);
        say(&club, "before anybody was told");
        let mut outbox = Outbox::open(&club, &hook).expect("an outbox");
        assert_eq!(outbox.send_next().expect("an answer"), Delivery::Nothing);
        say(&club, "first");
        say(&club, "second");
        for status in ["500", "302"] {
            let refused = outbox.send_next().expect("an answer");
            assert!(matches!(&refused, Delivery::NotTaken(why) if why.contains(status)), "{refused:?}");
        }
        assert_eq!(outbox.send_next().expect("an answer"), Delivery::Taken);
        // As if it had been killed before that was noted.
        club.store().has_reached(&url, outbox.reached - 1).expect("a note");
        let again = Club::open(folder).expect("its files");
        let mut outbox = Outbox::open(&again, &hook).expect("an outbox");
        for expected in [Delivery::Taken, Delivery::Taken, Delivery::Nothing] {
            assert_eq!(outbox.send_next().expect("an answer"), expected);
        }
        let received = receives.join().expect("all were sent");
        let what: Vec<&str> = received.iter().map(|(_, event)| event["what"].as_str().expect("a sentence")).collect();
        assert_eq!(what, ["first", "first", "first", "first", "second"]);
        for (head, event) in received {
            assert!(head.contains(&format!("maumau-event: {}\r\n", event["id"])), "{head}");
            assert!(head.contains("authorization: bearer secret\r\n"), "{head}");
        }
    }

    #[test]
    fn what_a_team_alone_may_see_reaches_the_organisers_address_alone() {
        let place = tempfile::tempdir().expect("a folder");
        let new = NewClub { rules: "basic", seats: 2, sandbox: SandboxLevel::Basic };
        let club = Club::open(ClubFolder::make(&place.path().join("club"), &new).expect("a club")).expect("its files");
        let agents = ["ann-bot@1", "greedy"].map(str::to_owned);
        let trial = club.store().ask_trial("ann", &agents, 4).expect("an answer").expect("a trial");
        for (sees, statuses) in [(WebhookSight::Public, [].as_slice()), (WebhookSight::Organiser, &[200])] {
            let (url, receives) = receiver(statuses);
            let hook = webhook(&url, sees);
            let mut outbox = Outbox::open(&club, &hook).expect("an outbox");
            club.store().trial_is(&trial, TrialState::Playing, "").expect("a step");
            for expected in [Delivery::Taken, Delivery::Nothing].iter().skip(1 - statuses.len()) {
                assert_eq!(outbox.send_next().expect("an answer"), *expected, "{sees:?}");
            }
            assert_eq!(receives.join().expect("all were sent").len(), statuses.len(), "{sees:?}");
        }
    }
}
