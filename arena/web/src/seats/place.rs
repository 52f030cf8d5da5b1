//! The state of each seat of a person. The agent hands in lines to be kept and states that replace one another; the page hands in
//! choices, of which only a few may wait. Neither is understood here.

use std::collections::{BTreeMap, VecDeque};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Instant;

use tokio::sync::{Notify, mpsc, watch};

use crate::shown::NotShown;

/// Choices that may wait for the agent.
const MOST_CHOICES: usize = 32;

/// Moments that a page may be behind: older ones are not shown to a page that comes late.
const KEPT_MOMENTS: usize = 200;

/// What stands for a moment that is not shown any more.
const PASSED: &str = "null";

/// The seats of people on one server.
pub struct Seats {
    places: Mutex<Places>,
    /// The number of seats that somebody has.
    taken: watch::Sender<usize>,
    /// What the organiser's page holds.
    key: String,
    secret: Box<Secret>,
}

#[derive(Default)]
struct Places {
    by_number: BTreeMap<usize, Arc<WebSeat>>,
    /// The number of the next one: none is given twice, so that an old link never leads to a new seat.
    next: usize,
}

/// Makes a text that nobody can guess, or says why it cannot.
type Secret = dyn Fn() -> Result<String, NotShown> + Send + Sync;

/// The seat of a person.
pub struct WebSeat {
    /// What it is called in addresses.
    number: usize,
    /// What its agent is called at the table.
    name: String,
    /// The page of its table, if there is one.
    table: Option<String>,
    /// What its link holds.
    token: String,
    /// What its agent says to be known.
    key: String,
    state: Mutex<State>,
    /// Counts the changes.
    changed: watch::Sender<u64>,
    choices: mpsc::Sender<String>,
    chosen: Mutex<Option<mpsc::Receiver<String>>>,
    /// The person gives the seat up.
    leaving: Notify,
}

#[derive(Default)]
struct State {
    /// What the browser that has taken the seat says to be known.
    session: Option<String>,
    /// The page that is shown there, counted: a newer one takes over.
    page: u64,
    /// What has been sent, in order, as JSON.
    sent: Vec<Arc<str>>,
    /// Where moments are in it.
    moments: VecDeque<usize>,
    /// The newest state as JSON, and when it came.
    now: Option<(Arc<str>, Instant)>,
    /// Why nothing more comes.
    ended: Option<String>,
    /// True once the person has given the seat up.
    has_left: bool,
}

/// What a seat is for a browser that comes to it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum SeatEntry {
    /// The seat is this browser's.
    Own,
    /// Nobody has it, and this browser has its link.
    Free,
    /// Another browser has it.
    Occupied,
    /// The link is not that of this seat.
    Wrong,
}

/// What a page is sent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum SeatNews {
    /// Lines that have been sent, as a JSON list, and the number of all so far.
    Lines(String, usize),
    /// The state, and how many milliseconds old it is.
    Now(Arc<str>, u64),
    /// The seat is shown on another page of the same browser.
    Moved,
    /// The seat is this browser's no more.
    Freed,
    /// Nothing more comes; why.
    Ended(String),
}

impl Seats {
    /// A seat for each of these names. `secret` makes a text that nobody can guess.
    ///
    /// # Errors
    /// Those of `secret`.
    pub fn new(
        names: Vec<String>,
        secret: impl Fn() -> Result<String, NotShown> + Send + Sync + 'static,
    ) -> Result<Seats, NotShown> {
        let (places, taken, secret) = (Mutex::default(), watch::Sender::new(0), Box::new(secret));
        let mut seats = Seats { places, taken, key: String::new(), secret };
        seats.add(names, None)?;
        seats.key = seats.fresh()?;
        Ok(seats)
    }

    /// Adds a seat for each of these names, at the table whose page is `table`, if it has one.
    ///
    /// # Errors
    /// There is no text that nobody can guess.
    pub fn add(&self, names: Vec<String>, table: Option<&str>) -> Result<Vec<Arc<WebSeat>>, NotShown> {
        let mut places = self.lock();
        let mut added = Vec::new();
        for name in names {
            let (choices, chosen) = mpsc::channel(MOST_CHOICES);
            added.push(Arc::new(WebSeat {
                number: places.next + added.len(),
                name,
                table: table.map(str::to_owned),
                token: self.fresh()?,
                key: self.fresh()?,
                state: Mutex::default(),
                changed: watch::Sender::new(0),
                choices,
                chosen: Mutex::new(Some(chosen)),
                leaving: Notify::new(),
            }));
        }
        places.next += added.len();
        places.by_number.extend(added.iter().map(|place| (place.number, Arc::clone(place))));
        Ok(added)
    }

    /// Takes these seats away; their pages are sent nothing more.
    pub fn remove(&self, places: &[Arc<WebSeat>]) {
        for place in places {
            place.end("This table is gone.");
            self.lock().by_number.remove(&place.number);
        }
    }

    /// Nothing in it is left half changed by a panic.
    fn lock(&self) -> MutexGuard<'_, Places> {
        self.places.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The seats, in the order of their numbers.
    pub fn places(&self) -> Vec<Arc<WebSeat>> {
        self.lock().by_number.values().cloned().collect()
    }

    pub(crate) fn place(&self, number: usize) -> Option<Arc<WebSeat>> {
        self.lock().by_number.get(&number).cloned()
    }

    /// The seat whose agent says `key`.
    pub(crate) fn of_agent(&self, key: &str) -> Option<Arc<WebSeat>> {
        self.lock().by_number.values().find(|place| is_same(&place.key, key)).cloned()
    }

    /// The path of the organiser's page, which frees seats.
    pub fn path(&self) -> String {
        format!("/seats?key={}", self.key)
    }

    /// True if this is what the organiser's page holds.
    pub(crate) fn is_organiser(&self, key: Option<&str>) -> bool {
        key.is_some_and(|said| is_same(&self.key, said))
    }

    /// Waits until each of these seats is somebody's.
    pub async fn all_taken(&self, places: &[Arc<WebSeat>]) {
        let mut taken = self.taken.subscribe();
        // The sender is kept as long as `self`.
        while !places.iter().all(|place| place.is_taken()) && taken.changed().await.is_ok() {}
    }

    /// A text that nobody can guess.
    ///
    /// # Errors
    /// Why there is none.
    pub(crate) fn fresh(&self) -> Result<String, NotShown> {
        (self.secret)()
    }

    /// What the seat is for a browser that says `session` and has a link with `token`. It changes nothing: links are also opened by
    /// programs that show what is behind them.
    pub(crate) fn look(&self, place: &WebSeat, session: Option<&str>, token: Option<&str>) -> SeatEntry {
        place.entry(&place.state(), session, token)
    }

    /// Lets this browser sit down if the seat is free: it says `fresh` from now on. What the seat was for it before.
    pub(crate) fn take(&self, place: &WebSeat, session: Option<&str>, token: Option<&str>, fresh: &str) -> SeatEntry {
        let mut state = place.state();
        let entry = place.entry(&state, session, token);
        if entry == SeatEntry::Free {
            state.session = Some(fresh.to_owned());
            // Before anybody can free it again.
            self.taken.send_modify(|taken| *taken += 1);
        }
        entry
    }

    /// Takes the seat from the browser that has it: its link can be used again.
    pub(crate) fn free(&self, place: &WebSeat) {
        let mut was_taken = false;
        place.change(|state| was_taken = state.session.take().is_some());
        if was_taken {
            self.taken.send_modify(|taken| *taken -= 1);
        }
    }

    /// Nothing more comes to any seat that has not been sent so.
    pub fn end(&self, why: &str) {
        self.places().iter().for_each(|place| place.end(why));
    }
}

impl WebSeat {
    /// The path of the link that takes the seat.
    pub fn path(&self) -> String {
        format!("/seat/{}?token={}", self.number, self.token)
    }

    /// What its agent says to be known.
    pub fn key(&self) -> &str {
        &self.key
    }

    pub(crate) fn number(&self) -> usize {
        self.number
    }

    pub(crate) fn name(&self) -> &str {
        &self.name
    }

    /// What its link holds.
    pub(crate) fn token(&self) -> &str {
        &self.token
    }

    /// The page of its table, if it has one.
    pub(crate) fn table(&self) -> Option<&str> {
        self.table.as_deref()
    }

    /// Gives the seat up: its agent is let go, and the match goes on without it.
    pub(crate) fn leave(&self) {
        self.change(|state| {
            state.has_left = true;
            _ = state.ended.get_or_insert_with(|| "You have left the table.".to_owned());
        });
        self.leaving.notify_one();
    }

    /// Waits until the person gives the seat up.
    pub(crate) async fn left(&self) {
        self.leaving.notified().await;
    }

    /// True once the person has given the seat up.
    pub fn has_left(&self) -> bool {
        self.state().has_left
    }

    /// True if a page shows the seat.
    pub fn is_watched(&self) -> bool {
        self.changed.receiver_count() > 0
    }

    /// True if somebody has it.
    pub fn is_taken(&self) -> bool {
        self.state().session.is_some()
    }

    fn entry(&self, state: &State, session: Option<&str>, token: Option<&str>) -> SeatEntry {
        match (&state.session, session, token) {
            (Some(own), Some(said), _) if is_same(own, said) => SeatEntry::Own,
            (_, _, Some(token)) if !is_same(&self.token, token) => SeatEntry::Wrong,
            (Some(_), _, Some(_)) => SeatEntry::Occupied,
            (None, _, Some(_)) => SeatEntry::Free,
            (_, _, None) => SeatEntry::Wrong,
        }
    }

    /// Nothing in it is left half changed by a panic.
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn change(&self, change: impl FnOnce(&mut State)) {
        change(&mut self.state());
        self.changed.send_modify(|changes| *changes += 1);
    }

    /// Keeps what the agent sends, as JSON.
    pub(crate) fn add(&self, line: &str) {
        self.change(|state| state.sent.push(line.into()));
    }

    /// Keeps how the table lies, as JSON, as long as a page may want to show it.
    pub(crate) fn add_moment(&self, moment: &str) {
        self.change(|state| {
            state.moments.push_back(state.sent.len());
            state.sent.push(moment.into());
            if state.moments.len() > KEPT_MOMENTS
                && let Some(oldest) = state.moments.pop_front()
            {
                state.sent[oldest] = PASSED.into();
            }
        });
    }

    /// Shows what the agent says of the present, as JSON.
    pub(crate) fn show(&self, now: &str) {
        self.change(|state| state.now = Some((now.into(), Instant::now())));
    }

    /// Nothing more comes; the first reason counts.
    pub fn end(&self, why: &str) {
        self.change(|state| _ = state.ended.get_or_insert_with(|| why.to_owned()));
    }

    /// Why nothing more comes, if that is so.
    pub(crate) fn ended(&self) -> Option<String> {
        self.state().ended.clone()
    }

    /// True if this is what the browser says that has the seat.
    pub(crate) fn is_of(&self, session: Option<&str>) -> bool {
        self.state().session.as_deref().zip(session).is_some_and(|(own, said)| is_same(own, said))
    }

    /// Hands a choice on. `false` if too many wait, or nobody listens any more.
    pub(crate) fn choose(&self, choice: String) -> bool {
        self.choices.try_send(choice).is_ok()
    }

    /// The choices, for the agent; they are given once.
    pub(crate) fn chosen(&self) -> Option<mpsc::Receiver<String>> {
        self.chosen.lock().unwrap_or_else(PoisonError::into_inner).take()
    }

    /// A page that shows the seat from now on, and was sent so many lines before its connection was lost.
    pub(crate) fn sit(self: &Arc<WebSeat>, sent: usize) -> Sitting {
        let (mut page, mut session) = (0, None);
        self.change(|state| {
            state.page += 1;
            page = state.page;
            session.clone_from(&state.session);
        });
        let place = Arc::clone(self);
        Sitting { place, changes: self.changed.subscribe(), page, session, sent, shown: None, is_over: false }
    }
}

/// A page that shows a seat.
pub(crate) struct Sitting {
    place: Arc<WebSeat>,
    changes: watch::Receiver<u64>,
    page: u64,
    /// What its browser says.
    session: Option<String>,
    sent: usize,
    /// The state that is shown.
    shown: Option<Arc<str>>,
    is_over: bool,
}

impl Sitting {
    /// What comes next, as soon as there is something; `None` at the end.
    pub(crate) async fn next(&mut self) -> Option<SeatNews> {
        loop {
            if self.is_over {
                return None;
            }
            self.changes.borrow_and_update();
            if let Some(news) = self.take() {
                return Some(news);
            }
            self.changes.changed().await.ok()?;
        }
    }

    fn take(&mut self) -> Option<SeatNews> {
        let state = self.place.state();
        if state.session != self.session {
            self.is_over = true;
            return Some(SeatNews::Freed);
        }
        if state.page != self.page {
            self.is_over = true;
            return Some(SeatNews::Moved);
        }
        if state.sent.len() > self.sent {
            let lines = state.sent[self.sent..].join(",");
            self.sent = state.sent.len();
            return Some(SeatNews::Lines(format!("[{lines}]"), self.sent));
        }
        if let Some((now, since)) = &state.now
            && !self.shown.as_ref().is_some_and(|shown| Arc::ptr_eq(shown, now))
        {
            self.shown = Some(Arc::clone(now));
            return Some(SeatNews::Now(Arc::clone(now), since.elapsed().as_millis() as u64));
        }
        let ended = state.ended.clone()?;
        self.is_over = true;
        Some(SeatNews::Ended(ended))
    }
}

/// Compares secrets in a time that does not show where they differ.
fn is_same(one: &str, other: &str) -> bool {
    one.len() == other.len() && one.bytes().zip(other.bytes()).fold(0, |all, (one, other)| all | (one ^ other)) == 0
}

#[cfg(test)]
mod tests {
    use super::*;

    fn seats(count: usize) -> Seats {
        let number = std::sync::atomic::AtomicUsize::new(1);
        let secret = move || Ok(format!("secret-{}", number.fetch_add(1, std::sync::atomic::Ordering::Relaxed)));
        Seats::new((0..count).map(|number| format!("person {number}")).collect(), secret).expect("secrets")
    }

    #[test]
    fn looking_at_a_link_takes_nothing_and_its_seat_is_taken_once() {
        let seats = seats(2);
        let place = &seats.place(0).expect("a seat");
        let look = |session, token| seats.look(place, session, token);
        let take = |session, token, fresh| seats.take(place, session, token, fresh);
        assert_eq!(look(None, None), SeatEntry::Wrong);
        assert_eq!(take(None, None, "a"), SeatEntry::Wrong);
        assert_eq!(take(None, Some("secret-3"), "a"), SeatEntry::Wrong, "the link of the other seat");
        assert_eq!([look(None, Some("secret-1")), look(None, Some("secret-1"))], [SeatEntry::Free; 2]);
        assert_eq!((*seats.taken.borrow(), place.is_taken()), (0, false));
        assert_eq!(take(None, Some("secret-1"), "a"), SeatEntry::Free);
        assert_eq!((*seats.taken.borrow(), place.is_taken()), (1, true));
        assert_eq!(look(Some("a"), Some("secret-1")), SeatEntry::Own, "the same browser comes back by the link");
        assert_eq!(look(Some("a"), None), SeatEntry::Own);
        assert_eq!(take(Some("a"), Some("secret-1"), "b"), SeatEntry::Own, "the button was pressed twice");
        assert_eq!(take(Some("x"), Some("secret-1"), "b"), SeatEntry::Occupied);
        assert_eq!(look(None, Some("secret-1")), SeatEntry::Occupied);
        assert!(place.is_of(Some("a")) && !place.is_of(Some("b")) && !place.is_of(None));
        assert!(seats.of_agent("secret-2").is_some_and(|own| Arc::ptr_eq(&own, place)));
        assert!(seats.of_agent("secret-1").is_none(), "a token is not a key");
        assert_eq!(*seats.taken.borrow(), 1);
    }

    #[test]
    fn a_seat_that_is_freed_can_be_taken_by_another_browser_and_the_first_one_learns_it() {
        let seats = seats(1);
        let place = &seats.place(0).expect("a seat");
        seats.free(place);
        assert_eq!(*seats.taken.borrow(), 0, "nobody had it");
        assert_eq!(seats.take(place, None, Some("secret-1"), "a"), SeatEntry::Free);
        let mut page = place.sit(0);
        place.add("1");
        seats.free(place);
        assert_eq!((*seats.taken.borrow(), page.take()), (0, Some(SeatNews::Freed)));
        assert_eq!(seats.look(place, Some("a"), None), SeatEntry::Wrong);
        assert_eq!(seats.take(place, Some("a"), Some("secret-1"), "b"), SeatEntry::Free);
        assert!(place.is_of(Some("b")) && !place.is_of(Some("a")));
        assert_eq!(place.sit(0).take(), Some(SeatNews::Lines("[1]".to_owned(), 1)), "nothing is lost");
        assert!(
            seats.is_organiser(Some("secret-3")) && !seats.is_organiser(Some("secret-1")) && !seats.is_organiser(None)
        );
    }

    #[test]
    fn a_page_is_sent_everything_once_and_the_newest_state() {
        let seats = seats(1);
        let place = &seats.place(0).expect("a seat");
        ["1", "2"].iter().for_each(|line| place.add(line));
        ["{}", "{\"a\":1}"].iter().for_each(|now| place.show(now));
        let mut page = place.sit(0);
        assert_eq!(page.take(), Some(SeatNews::Lines("[1,2]".to_owned(), 2)));
        assert!(matches!(page.take(), Some(SeatNews::Now(now, _)) if &*now == "{\"a\":1}"));
        assert_eq!(page.take(), None);
        place.add("3");
        let mut again = place.sit(2);
        assert_eq!(page.take(), Some(SeatNews::Moved));
        assert_eq!(again.take(), Some(SeatNews::Lines("[3]".to_owned(), 3)));
        place.end("it is over");
        place.end("really");
        assert!(matches!(again.take(), Some(SeatNews::Now(..))));
        assert_eq!(again.take(), Some(SeatNews::Ended("it is over".to_owned())));
    }

    #[test]
    fn old_moments_are_forgotten_and_lines_are_not() {
        let seats = seats(1);
        let place = &seats.place(0).expect("a seat");
        for _ in 0..=KEPT_MOMENTS {
            place.add("1");
            place.add_moment("{}");
        }
        let Some(SeatNews::Lines(lines, count)) = place.sit(0).take() else { panic!("lines") };
        assert_eq!(count, 2 * (KEPT_MOMENTS + 1));
        assert!(lines.starts_with("[1,null,1,{},") && lines.matches("{}").count() == KEPT_MOMENTS, "{lines}");
    }

    #[tokio::test]
    async fn seats_of_another_table_are_added_and_no_number_is_given_twice() {
        let seats = seats(1);
        let added = seats.add(vec!["Ann".to_owned(), "Bo".to_owned()], Some("/table/1")).expect("secrets");
        assert_eq!(added.iter().map(|place| place.number()).collect::<Vec<_>>(), [1, 2]);
        assert_eq!((added[0].table(), seats.place(0).expect("a seat").table()), (Some("/table/1"), None));
        for place in &added {
            assert_eq!(seats.take(place, None, Some(place.token()), "a"), SeatEntry::Free);
        }
        // The seat of the first table is still free.
        seats.all_taken(&added).await;
        seats.remove(&added);
        assert!(seats.place(1).is_none() && seats.of_agent(added[0].key()).is_none());
        assert!(added[0].ended().is_some());
        assert_eq!(seats.add(vec!["Cy".to_owned()], None).expect("secrets")[0].number(), 3);
    }

    #[tokio::test]
    async fn who_leaves_is_let_go() {
        let seats = seats(1);
        let place = seats.place(0).expect("a seat");
        assert!(!place.has_left() && !place.is_watched());
        let page = place.sit(0);
        place.leave();
        place.left().await;
        assert!(place.has_left() && place.is_watched() && place.ended().is_some());
        drop(page);
        assert!(!place.is_watched());
    }

    #[test]
    fn only_a_few_choices_wait() {
        let seats = seats(1);
        let place = &seats.place(0).expect("a seat");
        assert_eq!((0..100).filter(|_| place.choose("x".to_owned())).count(), MOST_CHOICES);
        assert!(place.chosen().is_some() && place.chosen().is_none());
        assert!(!place.choose("x".to_owned()), "nobody listens any more");
    }
}
