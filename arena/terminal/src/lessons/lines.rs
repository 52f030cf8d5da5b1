//! A lesson as lines: what it says and how the table lies as text, and what a learner wants from a line of words.

use super::{LearnerVerdict, LessonFlow, LessonSeat};

/// What a learner can write besides an action.
const HELP: &str = "\
Write what you do, in words: \"play 7h\", \"play jc, naming spades\", \"draw\",
\"pass\", \"play 7h and say mau\", \"say mau\", \"call bo: mau was not said\".
Or: solution, again, next, back, a number (that lesson), help, quit.
";

impl LessonSeat {
    /// The lesson and how the table lies, as lines.
    pub fn as_text(&mut self) -> String {
        let words = &self.words;
        let before = self.seat.take_lines();
        let gap = if before.is_empty() { "" } else { "\n" };
        let text = format!(
            "{} of {}: {}\n{}\n\n{before}{gap}{}\n{}\n",
            words.number,
            words.of,
            words.title,
            words.rule,
            self.seat.as_text(),
            words.task
        );
        text.lines().map(|line| self.look.words_kept(line) + "\n").collect()
    }

    /// What has happened since, and what is said of what the learner did.
    pub fn judged_text(&mut self) -> String {
        let mut text = self.seat.take_lines();
        if let Some(LearnerVerdict { title, says, clauses, .. }) = &self.judged {
            text += &format!("{title} {says}\n");
            clauses.iter().for_each(|(id, text_of)| text += &format!("  {id}: {text_of}\n"));
        }
        text.lines().map(|line| self.look.words_kept(line) + "\n").collect()
    }

    /// What a line wants, and what is to be printed before.
    pub fn read(&mut self, line: &str) -> (LessonFlow, String) {
        let line = line.trim();
        let flow = match line.to_ascii_lowercase().as_str() {
            "" => LessonFlow::Stay,
            "quit" | "q" => LessonFlow::Leave,
            "next" | "]" => LessonFlow::Next,
            "back" | "[" => LessonFlow::Back,
            "again" | "r" => LessonFlow::Again,
            "help" | "?" => return (LessonFlow::Stay, HELP.to_owned()),
            "solution" | "h" => {
                let solution = self.words.solution.as_ref().map(|action| self.seat.in_words(action) + "\n");
                return (LessonFlow::Stay, solution.unwrap_or_default());
            }
            _ => match (line.parse(), self.seat.read(line)) {
                (Ok(number), _) => LessonFlow::Open(number),
                (_, Ok(action)) => LessonFlow::Act(action),
                (_, Err(why)) => return (LessonFlow::Stay, why + "\n"),
            },
        };
        (flow, String::new())
    }
}
