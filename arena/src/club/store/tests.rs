//! The database of a club: who is known, what is kept, what happened.

use super::*;

fn store() -> (tempfile::TempDir, ClubStore) {
    let folder = tempfile::tempdir().expect("a folder");
    let store = ClubStore::open(&folder.path().join("club.db")).expect("a database");
    (folder, store)
}

fn run(command: &str) -> BotManifest {
    BotManifest { name: None, build: None, run: command.to_owned() }
}

fn member(store: &mut ClubStore, name: &str) -> String {
    let key = store.invite(&Invitation { role: MemberRole::Author, team: None }, 1).expect("an invitation");
    store.join(&key, name).expect("a member").expect("an open invitation")
}

#[test]
fn an_invitation_is_taken_as_often_as_it_says_and_a_token_lasts_until_it_is_revoked() {
    let (folder, mut store) = store();
    let open = Invitation { role: MemberRole::Author, team: Some("class".to_owned()) };
    let key = store.invite(&open, 2).expect("an invitation");
    assert_eq!(store.invitation(&key).expect("an answer"), Some(open));
    let token = store.join(&key, "ann").expect("an answer").expect("a token");
    assert!(store.join(&key, "ann").expect_err("the name is taken").to_string().contains("taken"));
    assert!(store.join(&key, "bob").expect("an answer").is_some(), "a refused name uses nothing up");
    assert_eq!(store.join(&key, "cid").expect("an answer"), None);
    assert_eq!(store.viewer(&token).expect("an answer"), ClubViewer::Author { team: "class".to_owned() });
    assert_eq!(store.viewer(&key).expect("an answer"), ClubViewer::Stranger, "an invitation is no token");
    assert!(store.revoke("ann").expect("an answer") && !store.revoke("nobody").expect("an answer"));
    assert_eq!(store.viewer(&token).expect("an answer"), ClubViewer::Stranger);
    let bytes = std::fs::read(folder.path().join("club.db")).expect("a file");
    let holds = |text: &str| bytes.windows(text.len()).any(|part| part == text.as_bytes());
    assert!(!holds(&token) && !holds(&key) && holds("ann"), "keys are kept as their digests alone");
}

#[test]
fn a_database_of_the_first_form_is_read_on() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("club.db");
    let old = Connection::open(&path).expect("a database");
    old.execute_batch(TABLES).expect("the first form");
    old.execute_batch(
        "PRAGMA user_version = 1; INSERT INTO bot VALUES ('bot', 'ann');
         INSERT INTO version VALUES (1, 'bot', 1, 'aa', 'python3 bot.py', 'playing', '', 0, 5, 6);
         INSERT INTO event VALUES (1, 5, NULL, 'bot@1 was sent');",
    )
    .expect("rows");
    drop(old);
    for _ in 0..2 {
        let mut store = ClubStore::open(&path).expect("a database");
        let version = store.version(1).expect("an answer").expect("a version");
        assert_eq!((version.agent().as_str(), version.state), ("bot@1", VersionState::Playing));
        store.began(&version).expect("a step");
    }
    let store = ClubStore::open(&path).expect("a database");
    let events = store.events(0, 9, |_| false).expect("events");
    assert_eq!(events.iter().map(|event| event.version).collect::<Vec<_>>(), [None, Some(1), Some(1)]);
    drop(store);
    Connection::open(&path).expect("a database").pragma_update(None, "user_version", FORM + 1).expect("a change");
    assert!(ClubStore::open(&path).err().is_some_and(|error| error.to_string().contains("reads forms up to")));
}

#[test]
fn the_same_archive_again_is_the_same_version_and_a_bot_belongs_to_its_team() {
    let (_folder, mut store) = store();
    member(&mut store, "ann");
    let (first, is_new) = store.send("ann", "bot", "aa", &run("python3 bot.py")).expect("a version");
    assert!(is_new);
    let again = store.send("ann", "bot", "aa", &run("python3 bot.py")).expect("a version");
    assert_eq!(again, (first.clone(), false));
    let (second, _) = store.send("ann", "bot", "bb", &run("python3 bot.py")).expect("a version");
    assert_eq!((first.agent().as_str(), second.agent().as_str()), ("bot@1", "bot@2"));
    assert!(store.send("bob", "bot", "cc", &run("x")).is_err());
    assert_eq!(store.usage("ann").expect("an answer").on_their_way, 2);
}

#[test]
fn a_reason_is_shown_to_the_team_alone_and_a_wrong_step_is_refused() {
    let (_folder, mut store) = store();
    let (version, _) = store.send("ann", "bot", "aa", &run("x")).expect("a version");
    assert!(store.happened(&version, VersionNews::Joined, "").is_err(), "it was not checked");
    store.happened(&version, VersionNews::CheckBegan, "").expect("a step");
    store.happened(&version, VersionNews::FoundFaulty, "it is silent").expect("a step");
    let seen = |team: &str| {
        let events = store.events(0, 100, |of| of == team).expect("events");
        events.into_iter().filter(|event| event.what.contains("silent")).count()
    };
    assert_eq!((seen("ann"), seen("bob")), (1, 0));
    assert!(store.check().expect("an answer"));
}

#[test]
fn a_banned_member_has_no_token_and_its_bots_leave_unless_its_team_goes_on() {
    let (_folder, mut store) = store();
    let token = member(&mut store, "ann");
    let (first, _) = store.send("ann", "bot", "aa", &run("x")).expect("a version");
    assert_eq!(store.ban("nobody", "").expect("an answer"), None);
    let team = Invitation { role: MemberRole::Author, team: Some("ann".to_owned()) };
    let key = store.invite(&team, 1).expect("an invitation");
    assert_eq!(store.invitations().expect("an answer"), [(team, 1)]);
    store.join(&key, "bea").expect("an answer").expect("a token");
    assert_eq!(store.ban("ann", "it stalls").expect("an answer"), Some(Vec::new()));
    assert_eq!(store.viewer(&token).expect("an answer"), ClubViewer::Stranger);
    assert_eq!(store.ban("bea", "it stalls").expect("an answer"), Some(vec!["bot@1".to_owned()]));
    let version = store.version(first.id).expect("an answer").expect("a version");
    assert_eq!((version.state, version.reason.as_str()), (VersionState::Withdrawn, "it stalls"));
    let members = store.members().expect("an answer");
    assert!(members.iter().all(|member| member.is_banned && !member.has_token), "{members:?}");
}

#[test]
fn what_people_decide_holds_against_what_is_found_later() {
    let (_folder, mut store) = store();
    let (version, _) = store.send("ann", "bot", "aa", &run("x")).expect("a version");
    let decide = |store: &mut ClubStore, news, is_held| store.decide(1, news, is_held, "").expect("an answer");
    assert!(!decide(&mut store, VersionNews::Paused, false), "it does not play");
    store.happened(&version, VersionNews::CheckBegan, "").expect("a step");
    store.happened(&version, VersionNews::Passed, "").expect("a step");
    assert!(decide(&mut store, VersionNews::Paused, true));
    store.happened(&version, VersionNews::Joined, "").expect("it was let in meanwhile");
    let now = store.version(1).expect("an answer").expect("a version");
    assert_eq!((now.state, now.is_held), (VersionState::Paused, true));
    assert!(decide(&mut store, VersionNews::Resumed, false) && !decide(&mut store, VersionNews::Resumed, false));
    assert!(decide(&mut store, VersionNews::Withdrawn, false) && !decide(&mut store, VersionNews::Resumed, false));
    let said = store.events(0, 99, |_| true).expect("events").len();
    store.happened(&version, VersionNews::Joined, "").expect("it was let in meanwhile");
    assert_eq!(store.events(0, 99, |_| true).expect("events").len(), said, "nothing has changed");
}
