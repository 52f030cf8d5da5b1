//! A run in progress: how far it is and how fast it goes, the standings with their intervals, what went wrong, the last games.
//! It draws values that it is given; where they come from, and how often, is decided by the caller.

mod draw;

use crate::key::{Key, ScreenFlow};
use crate::look::ScreenStyle;

/// A run at one moment. Texts are ready to show.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Dashboard {
    /// The name of the league.
    pub league: String,
    /// What is played: rules, seats, rounds.
    pub about: String,
    /// Games that are finished.
    pub games: u64,
    /// Games that are planned, as far as that is known.
    pub planned: u64,
    /// Who plays it, or that nobody does.
    pub player: String,
    /// Whether a process plays it now.
    pub is_played: bool,
    /// Games a second, in the session that plays or was the last to.
    pub games_per_second: Option<f64>,
    /// About how long it will take, in words.
    pub time_left: Option<String>,
    /// Agents, the best first.
    pub rows: Vec<AgentRow>,
    /// Each of the last games in words, the newest first.
    pub last_games: Vec<String>,
    /// What a reader of the standings must know, a sentence each.
    pub remarks: Vec<String>,
}

/// An agent in the standings.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct AgentRow {
    /// Its name.
    pub name: String,
    /// Its games.
    pub games: u64,
    /// Its mean score.
    pub score: Option<f64>,
    /// The 95 % interval of that.
    pub interval: Option<(f64, f64)>,
    /// Its faults, counted: `2 slow, 1 gone`.
    pub faults: String,
    /// Games in which it was dismissed.
    pub dismissals: u64,
}

/// The screen of a run.
pub struct RunScreen {
    look: ScreenStyle,
    shown: Dashboard,
    /// Games at each look so far, for the course of the speed; the newest last.
    course: Vec<u64>,
    scrolled: usize,
    /// Why the last look failed.
    trouble: Option<String>,
    /// The game that is shown after the standings.
    next: Option<String>,
}

/// Looks of which the course is kept.
const COURSE: usize = 200;

impl RunScreen {
    /// A screen that has seen nothing yet.
    pub fn new(look: ScreenStyle) -> RunScreen {
        RunScreen { look, shown: Dashboard::default(), course: Vec::new(), scrolled: 0, trouble: None, next: None }
    }

    /// Shows the run as it is now.
    pub fn show(&mut self, dashboard: Dashboard) {
        self.course.push(dashboard.games);
        if self.course.len() > COURSE {
            self.course.remove(0);
        }
        self.scrolled = self.scrolled.min(dashboard.rows.len().saturating_sub(1));
        (self.shown, self.trouble) = (dashboard, None);
    }

    /// The run could not be looked at, for this reason; what was seen before stays.
    pub fn fail(&mut self, why: &str) {
        self.trouble = Some(self.look.foreign(why));
    }

    /// Says which game is shown after the standings.
    pub fn announce(&mut self, next: Option<String>) {
        self.next = next;
    }

    /// Takes a key.
    pub fn press(&mut self, key: Key) -> ScreenFlow {
        let last = self.shown.rows.len().saturating_sub(1);
        match key {
            Key::Char('q') | Key::Interrupt | Key::Escape => return ScreenFlow::Close,
            Key::Down => self.scrolled = (self.scrolled + 1).min(last),
            Key::PageDown => self.scrolled = (self.scrolled + 10).min(last),
            Key::Up => self.scrolled = self.scrolled.saturating_sub(1),
            Key::PageUp => self.scrolled = self.scrolled.saturating_sub(10),
            Key::Home => self.scrolled = 0,
            Key::End => self.scrolled = last,
            Key::Char('c') => self.look.colours = !self.look.colours,
            _ => {}
        }
        ScreenFlow::Stay
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{LOOK, check, text};

    fn dashboard(agents: usize) -> Dashboard {
        let row = |place: usize| AgentRow {
            name: format!("agent number {place}"),
            games: 400 - place as u64,
            score: Some(0.9 - 0.01 * place as f64),
            interval: (place != 2).then_some((0.85 - 0.01 * place as f64, 0.93 - 0.01 * place as f64)),
            faults: if place == 1 { "3 slow, 1 not_json".to_owned() } else { String::new() },
            dismissals: u64::from(place == 1),
        };
        Dashboard {
            league: "my league".to_owned(),
            about: "skat, tables of 3, 2 rounds a game".to_owned(),
            games: 123,
            planned: 480,
            player: "played by process 7 on host".to_owned(),
            is_played: true,
            games_per_second: Some(54.3),
            time_left: Some("7 s".to_owned()),
            rows: (0..agents).map(row).collect(),
            last_games: (0..30).map(|game| format!("g000-d{game:04}-r0  1 greedy, 2 first (2 slow)")).collect(),
            remarks: vec!["The clock is live: speed counted, and the same games need not come out again.".to_owned()],
        }
    }

    #[test]
    fn screens_of_both_sizes_are_as_they_were() {
        let mut watch = RunScreen::new(LOOK);
        for games in [0, 20, 60, 70, 100] {
            watch.show(Dashboard { games, ..dashboard(5) });
        }
        watch.show(dashboard(5));
        check("watch-80x24", &text((80, 24), |buffer, area| watch.draw(buffer, area)));
        watch.show(dashboard(60));
        assert_eq!(watch.press(Key::End), ScreenFlow::Stay);
        check("watch-200x50", &text((200, 50), |buffer, area| watch.draw(buffer, area)));
    }

    #[test]
    fn the_next_game_stands_beside_the_keys() {
        let mut watch = RunScreen::new(LOOK);
        watch.show(dashboard(5));
        watch.announce(Some("g000-d0003-r1, the longest: 80 moves".to_owned()));
        check("watch-next-80x24", &text((80, 24), |buffer, area| watch.draw(buffer, area)));
    }

    #[test]
    fn a_run_is_one_text_where_nobody_can_press_keys() {
        let shown = dashboard(4).text(80, LOOK);
        assert!(shown.contains("123 of 480 games") && shown.contains("agent number 3"), "{shown}");
        assert!(shown.contains("g000-d0000-r0") && !shown.contains('\x1b'), "{shown}");
        assert!(dashboard(4).text(80, crate::ScreenStyle { signs: false, ..LOOK }).is_ascii());
        let begun = Dashboard { planned: 10, ..Dashboard::default() }.text(80, LOOK);
        assert!(begun.contains("0 of 10 games"), "{begun}");
    }

    #[test]
    fn trouble_is_shown_and_what_was_seen_stays() {
        let mut watch = RunScreen::new(LOOK);
        watch.show(dashboard(2));
        watch.fail("the disk is gone");
        let shown = text((80, 24), |buffer, area| watch.draw(buffer, area));
        assert!(shown.contains("the disk is gone") && shown.contains("123 of 480"), "{shown}");
        assert_eq!(watch.press(Key::Char('q')), ScreenFlow::Close);
    }
}
