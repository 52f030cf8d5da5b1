//! The database of a club: who is known, what is kept, what happened.

use maumau_club::ClubViewer;

use super::*;

fn store() -> (tempfile::TempDir, ClubStore) {
    let folder = tempfile::tempdir().expect("a folder");
    let store = ClubStore::open(&folder.path().join("club.db")).expect("a database");
    (folder, store)
}

fn run(command: &str) -> BotManifest {
    BotManifest { name: None, build: Vec::new(), run: command.to_owned() }
}

fn member(store: &mut ClubStore, name: &str) -> String {
    let key = store.invite(&Invitation::plain(MemberRole::Author), 1, "olga").expect("an invitation");
    store.join(&key, name).expect("a member").expect("an open invitation")
}

fn verdict(why: &str) -> ClubVerdict<'_> {
    ClubVerdict { who: "olga", why, is_held: false }
}

#[test]
fn an_invitation_is_taken_as_often_as_it_says_and_a_token_lasts_until_it_is_revoked() {
    let (folder, mut store) = store();
    let open = Invitation { team: Some("class".to_owned()), ..Invitation::plain(MemberRole::Author) };
    let key = store.invite(&open, 2, "olga").expect("an invitation");
    assert_eq!(store.invitation(&key).expect("an answer"), Some(open));
    let token = store.join(&key, "ann").expect("an answer").expect("a token");
    assert!(store.join(&key, "ann").expect_err("the name is taken").to_string().contains("taken"));
    assert!(store.join(&key, "bob").expect("an answer").is_some(), "a refused name uses nothing up");
    assert_eq!(store.join(&key, "cid").expect("an answer"), None);
    assert_eq!(
        store.viewer(&token).expect("an answer"),
        ClubViewer::Author { team: "class".to_owned(), member: "ann".to_owned() }
    );
    assert_eq!(store.viewer(&key).expect("an answer"), ClubViewer::Stranger, "an invitation is no token");
    assert!(store.revoke("ann").expect("an answer") && !store.revoke("nobody").expect("an answer"));
    assert_eq!(store.viewer(&token).expect("an answer"), ClubViewer::Stranger);
    let bytes = std::fs::read(folder.path().join("club.db")).expect("a file");
    let holds = |text: &str| bytes.windows(text.len()).any(|part| part == text.as_bytes());
    assert!(!holds(&token) && !holds(&key) && holds("ann"), "keys are kept as their digests alone");
}

#[test]
fn a_database_of_each_form_is_read_on() {
    for form in 1..=STEPS.len() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("club.db");
        let old = Connection::open(&path).expect("a database");
        STEPS[..form].iter().for_each(|step| old.execute_batch(step).expect("a step"));
        old.pragma_update(None, "user_version", i64::try_from(form).expect("a few")).expect("its number");
        old.execute_batch(
            "INSERT INTO bot VALUES ('bot', 'ann');
             INSERT INTO version (bot, number, sha, run, state, reason, tries, sent_s, since_s)
                 VALUES ('bot', 1, 'aa', 'python3 bot.py', 'playing', '', 0, 5, 6);
             INSERT INTO member (name, role, team, invited_by) VALUES ('ann', 'author', 'ann', 'x');
             INSERT INTO event (at_s, team, what) VALUES (5, NULL, 'bot@1 was sent');",
        )
        .expect("rows");
        drop(old);
        for _ in 0..2 {
            let mut store = ClubStore::open(&path).expect("a database");
            let version = store.version(1).expect("an answer").expect("a version");
            assert_eq!((version.agent().as_str(), version.state), ("bot@1", VersionState::Playing), "form {form}");
            store.began(&version).expect("a step");
        }
        let store = ClubStore::open(&path).expect("a database");
        let events = store.events(0, 9, |_| false).expect("events");
        assert_eq!(events.iter().map(|event| event.version).collect::<Vec<_>>(), [None, Some(1), Some(1)]);
        assert_eq!(store.members().expect("members").len(), 1);
        drop(store);
        Connection::open(&path).expect("a database").pragma_update(None, "user_version", FORM + 1).expect("a change");
        assert!(ClubStore::open(&path).err().is_some_and(|error| error.to_string().contains("reads forms up to")));
    }
}

#[test]
fn guests_look_and_classes_are_those_of_their_teams() {
    let (_folder, mut store) = store();
    let mut join = |invitation: Invitation, name: &str| {
        let key = store.invite(&invitation, 1, "olga").expect("an invitation");
        assert_eq!(store.invitation(&key).expect("an answer"), Some(invitation));
        store.join(&key, name).expect("an answer").expect("a token")
    };
    let token = join(Invitation::plain(MemberRole::Guest), "gil");
    join(Invitation { class: Some("10b".to_owned()), ..Invitation::plain(MemberRole::Author) }, "ann");
    join(Invitation::plain(MemberRole::Author), "bob");
    assert_eq!(store.viewer(&token).expect("an answer"), ClubViewer::Guest { member: "gil".to_owned() });
    assert_eq!(store.classes().expect("classes"), BTreeMap::from([("ann".to_owned(), "10b".to_owned())]));
    let members = store.members().expect("members");
    let known: Vec<_> = members.iter().map(|one| (&*one.name, &*one.team, one.class.as_deref())).collect();
    assert_eq!(known, [("gil", "", None), ("ann", "ann", Some("10b")), ("bob", "bob", None)]);
}

#[test]
fn organisers_learn_who_did_what_and_which_bots_are_alike() {
    let (_folder, mut store) = store();
    let said = |store: &ClubStore, may_see: bool| -> Vec<(String, String)> {
        let events = store.events(0, 99, |_| may_see).expect("events");
        events.into_iter().map(|event| (event.who, event.what)).collect()
    };
    let (first, _) = store.send(("ann", "bea"), "bot", "aa", &run("x")).expect("a version");
    let (twin, _) = store.send(("bob", "bob"), "copy", "aa", &run("x")).expect("a version");
    let (other, _) = store.send(("cid", "cid"), "other", "cc", &run("x")).expect("a version");
    store.answered(&first, "1f").expect("a step");
    store.answered(&twin, "1f").expect("a step");
    store.answered(&other, "1f").expect("a step");
    let all = said(&store, true);
    assert!(all.contains(&("bea".to_owned(), "bot@1 was sent".to_owned())), "{all:?}");
    let alike: Vec<&str> = all.iter().map(|(_, what)| &**what).filter(|what| what.contains(" as ")).collect();
    assert_eq!(
        alike,
        [
            "copy@1 is the same archive as bot@1 of the team ann",
            "other@1 answers its check as bot@1, copy@1 did, of the teams ann, bob",
        ]
    );
    let (common, _) = store.send(("dan", "dan"), "common", "dd", &run("x")).expect("a version");
    store.answered(&common, "1f").expect("a step");
    assert!(said(&store, true).iter().all(|(_, what)| !what.starts_with("common@1 answers")), "so do three teams");
    assert!(said(&store, false).iter().all(|(_, what)| what.ends_with("was sent")), "for organisers alone");
}

#[test]
fn those_whom_a_proxy_names_join_once_and_a_ban_holds_for_them() {
    let (_folder, mut store) = store();
    let ann = ClubViewer::Author { team: "ann".to_owned(), member: "ann".to_owned() };
    assert_eq!(store.named("ann").expect("an answer"), ann);
    assert_eq!(store.named("ann").expect("an answer"), ann);
    let token = store.new_token("ann").expect("a token");
    assert_eq!(store.viewer(&token).expect("an answer"), ann);
    assert_eq!(store.members().expect("members").len(), 1);
    store.ban("ann", &verdict("")).expect("an answer");
    assert_eq!(store.named("ann").expect("an answer"), ClubViewer::Stranger);
    assert!(store.new_token("ann").is_err() && store.new_token("nobody").is_err());
    let key = store
        .invite(&Invitation { team: Some("blue".to_owned()), ..Invitation::plain(MemberRole::Author) }, 1, "")
        .expect("a key");
    store.join(&key, "bob").expect("an answer").expect("a token");
    assert_eq!(store.named("blue").expect("an answer"), ClubViewer::Stranger, "a team has the name");
}

#[test]
fn a_decision_about_the_club_holds_until_it_is_taken_back_and_is_said_once() {
    let (_folder, mut store) = store();
    assert!(store.close(true, "olga").expect("an answer") && !store.close(true, "olga").expect("an answer"));
    assert!(store.write_message(" Finals on\nFriday ", "olga").expect("an answer"));
    assert_eq!(store.decision(ClubDecision::Message).expect("an answer").as_deref(), Some("Finals onFriday"));
    assert!(store.close(false, "olga").expect("an answer") && store.write_message("", "olga").expect("an answer"));
    assert_eq!(store.decision(ClubDecision::Closed).expect("an answer"), None);
    assert_eq!(store.events(0, 99, |_| false).expect("events").len(), 4);
    let (version, _) = store.send(("ann", "ann"), "bot", "aa", &run("x")).expect("a version");
    for news in [VersionNews::CheckBegan, VersionNews::Passed, VersionNews::Joined] {
        store.happened(&version, news, "").expect("a step");
    }
    let state = |store: &ClubStore| store.version(version.id).expect("an answer").expect("a version").state;
    store.chapter_began(2, false).expect("a step");
    assert_eq!(state(&store), VersionState::Playing);
    store.chapter_began(3, true).expect("a step");
    assert_eq!(state(&store), VersionState::Waiting, "it is checked by the new rules");
}

#[test]
fn the_same_archive_again_is_the_same_version_and_a_bot_belongs_to_its_team() {
    let (_folder, mut store) = store();
    member(&mut store, "ann");
    let (first, is_new) = store.send(("ann", "ann"), "bot", "aa", &run("python3 bot.py")).expect("a version");
    assert!(is_new);
    let again = store.send(("ann", "ann"), "bot", "aa", &run("python3 bot.py")).expect("a version");
    assert_eq!(again, (first.clone(), false));
    let (second, _) = store.send(("ann", "ann"), "bot", "bb", &run("python3 bot.py")).expect("a version");
    assert_eq!((first.agent().as_str(), second.agent().as_str()), ("bot@1", "bot@2"));
    assert!(store.send(("bob", "bob"), "bot", "cc", &run("x")).is_err());
    assert_eq!(store.usage("ann").expect("an answer").on_their_way, 2);
}

#[test]
fn a_reason_is_shown_to_the_team_alone_and_a_wrong_step_is_refused() {
    let (_folder, mut store) = store();
    let (version, _) = store.send(("ann", "ann"), "bot", "aa", &run("x")).expect("a version");
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
    let (first, _) = store.send(("ann", "ann"), "bot", "aa", &run("x")).expect("a version");
    assert_eq!(store.ban("nobody", &verdict("")).expect("an answer"), None);
    let team = Invitation { team: Some("ann".to_owned()), ..Invitation::plain(MemberRole::Author) };
    let key = store.invite(&team, 1, "olga").expect("an invitation");
    let open = store.invitations().expect("an answer");
    assert_eq!(
        open.iter().map(|open| (open.invitation.clone(), open.uses_left)).collect::<Vec<_>>(),
        [(team.clone(), 1)]
    );
    let other = store.invite(&team, 9, "olga").expect("an invitation");
    let id = store.invitations().expect("an answer")[1].id;
    assert!(store.take_back(id, "olga").expect("an answer") && !store.take_back(id, "olga").expect("an answer"));
    assert_eq!(store.invitation(&other).expect("an answer"), None);
    store.join(&key, "bea").expect("an answer").expect("a token");
    assert_eq!(store.ban("ann", &verdict("it stalls")).expect("an answer"), Some(Vec::new()));
    assert_eq!(store.viewer(&token).expect("an answer"), ClubViewer::Stranger);
    assert_eq!(store.ban("bea", &verdict("it stalls")).expect("an answer"), Some(vec!["bot@1".to_owned()]));
    let version = store.version(first.id).expect("an answer").expect("a version");
    assert_eq!((version.state, version.reason.as_str()), (VersionState::Withdrawn, "it stalls"));
    let members = store.members().expect("an answer");
    assert!(members.iter().all(|member| member.is_banned && !member.has_token), "{members:?}");
}

#[test]
fn what_people_decide_holds_against_what_is_found_later() {
    let (_folder, mut store) = store();
    let (version, _) = store.send(("ann", "ann"), "bot", "aa", &run("x")).expect("a version");
    let decide = |store: &mut ClubStore, news, is_held| {
        store.decide(1, news, &ClubVerdict { is_held, ..verdict("") }).expect("an answer")
    };
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
