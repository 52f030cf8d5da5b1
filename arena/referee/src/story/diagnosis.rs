//! What is probably wrong with an agent that is silent or has failed, in the sentences that `check`, `play`, replays and
//! fault reports share. Pure functions of what the caller has seen. Hints from last words and commands are not made here.

use std::time::Duration;

use crate::record::Silence;

/// The processor time of an agent during a silence.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CpuUse {
    /// How long it ran.
    pub ran: Duration,
    /// How long it was ready to run, while others had the processors.
    pub waited: Duration,
}

impl CpuUse {
    /// True if it was computing for a good part of `allowed`, or would have been on an idle machine.
    fn is_busy(self, allowed: Duration) -> bool {
        self.ran * 4 >= allowed || (self.ran + self.waited) * 2 >= allowed
    }

    /// In words; an agent that hardly ran has no need of the second part.
    fn words(self) -> String {
        let waited = match self.waited > self.ran {
            true => format!(" and waited {:.1} s for a processor", self.waited.as_secs_f64()),
            false => String::new(),
        };
        format!("it used {:.1} s of processor time{waited}", self.ran.as_secs_f64())
    }
}

/// What an agent that did not answer in time did when it was asked to end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Afterwards {
    /// Its line came once it was asked to end (`bye`), and not before.
    AnsweredAtBye,
    /// Its line came once its input was closed, and not before.
    AnsweredAtEnd,
    /// It ended without a line.
    Ended,
    /// It did not end.
    Stayed,
}

/// An ask that was not answered within `allowed`; `afterwards` if the agent was then asked to end.
pub fn silence(
    allowed: Duration,
    used: Option<CpuUse>,
    seen: Option<Silence>,
    afterwards: Option<Afterwards>,
) -> String {
    format!("no answer within {} ms{}", allowed.as_millis(), why_silent(allowed, used, seen, afterwards))
}

/// What an agent was doing while an ask was open; it was ready before, so it knows how to read and to answer a line.
fn why_silent(
    allowed: Duration,
    used: Option<CpuUse>,
    seen: Option<Silence>,
    afterwards: Option<Afterwards>,
) -> String {
    why(allowed, used, seen, "does it think for too long", "", |seen| match seen {
        Silence::Unread => "; it has not read the ask: it is busy with something else".to_owned(),
        Silence::Reads => match afterwards {
            Some(Afterwards::AnsweredAtBye | Afterwards::AnsweredAtEnd) => {
                "; its answer came only when it was told to end: does it flush its output after every line?".to_owned()
            }
            Some(Afterwards::Ended) => {
                "; it has read the ask and waited for another line, without an answer".to_owned()
            }
            Some(Afterwards::Stayed) | None => {
                "; it has read the ask and waits for another line: is there no answer to this ask, or does it keep its \
                 output back (flush it after every line)?"
                    .to_owned()
            }
        },
        _ => match used {
            Some(used) => format!("; it has read the ask, and {}", used.words()),
            None => "; it has read the ask".to_owned(),
        },
    })
}

/// What kept an agent from being ready within `allowed`, in the order of the evidence's weight.
pub fn why_not_ready(
    allowed: Duration,
    used: Option<CpuUse>,
    seen: Option<Silence>,
    afterwards: Option<Afterwards>,
) -> String {
    let busy = "does it load for long (--start-ms gives it more time)";
    let prompt = ". A prompt, as of input(), goes there too: write it to standard error, no person answers it";
    why(allowed, used, seen, busy, prompt, |seen| match (seen, afterwards) {
        (Silence::Unread, _) => {
            "; it has not read \"hello\" yet: if it only starts slowly, --start-ms gives it more time".to_owned()
        }
        (_, Some(Afterwards::AnsweredAtBye)) => {
            "; its line came only when it was told to end: does it flush its output after the line?".to_owned()
        }
        (_, Some(Afterwards::AnsweredAtEnd)) => {
            "; its line came only when its input was closed: does it read all of its input (as sys.stdin.read() does) \
             before it answers, or keep its output back? Read a line, answer it, flush"
                .to_owned()
        }
        (Silence::Reads, Some(Afterwards::Ended)) => {
            "; it has read \"hello\", waited for another line, and ended without an answer: does an input() before its \
             loop take that line?"
                .to_owned()
        }
        _ => "; it has read \"hello\" and not answered it".to_owned(),
    })
}

/// What an agent did, in the order of the evidence's weight: a line without its end and processor time first, of which `busy` asks what
/// for and `part` says what else it can be; then what `other` says of it.
fn why(
    allowed: Duration,
    used: Option<CpuUse>,
    seen: Option<Silence>,
    busy: &str,
    part: &str,
    other: impl FnOnce(Silence) -> String,
) -> String {
    match (seen, used) {
        (Some(Silence::NoNewline), _) => {
            "; it has sent a whole JSON object without a newline: every line ends with one (\\n)".to_owned()
        }
        (_, Some(used)) if used.is_busy(allowed) => {
            format!(": {}; {busy}, or is it in an endless loop?", used.words())
        }
        (Some(Silence::PartOfLine), _) => format!("; it has sent a part of a line and no newline{part}"),
        (Some(seen), _) => other(seen),
        (None, Some(used)) => format!("; {}", used.words()),
        (None, None) => String::new(),
    }
}

/// A failure of the author's code, as reported by the kit beneath it (SPEC 6.16).
pub fn crash(text: &str) -> String {
    let text = if text.is_empty() { String::new() } else { format!(": {text}") };
    format!("its own code failed, and the kit answered in its place{text}")
}

#[cfg(test)]
mod tests {
    use super::*;

    const NOTHING: (u64, u64) = (0, 0);

    fn worked((ran, waited): (u64, u64)) -> Option<CpuUse> {
        Some(CpuUse { ran: Duration::from_millis(ran), waited: Duration::from_millis(waited) })
    }

    /// What each sentence must and must not suggest.
    fn check(sentence: &str, what: &str, others: &[&str]) {
        assert!(sentence.contains(what), "no {what:?} in {sentence:?}");
        for other in others.iter().filter(|other| **other != what && !what.contains(**other)) {
            assert!(!sentence.contains(other), "{other:?} in {sentence:?}");
        }
    }

    #[test]
    fn a_silence_in_a_game_is_explained_by_what_was_seen_of_it() {
        use Afterwards::*;
        use Silence::*;
        let all = ["flush", "newline", "think for too long", "not read the ask", "has read the ask"];
        for (worked_ms, seen, afterwards, what) in [
            (NOTHING, Some(Reads), Some(AnsweredAtBye), "flush"),
            ((10, 0), Some(Reads), Some(AnsweredAtEnd), "flush"),
            (NOTHING, Some(Reads), Some(Ended), "has read the ask and waited for another line, without an answer"),
            (NOTHING, Some(HasRead), None, "has read the ask, and it used 0.0 s of processor time"),
            (NOTHING, Some(Unread), None, "not read the ask"),
            (NOTHING, Some(NoNewline), None, "a whole JSON object without a newline"),
            // Whatever it computes, its answer is there.
            ((999, 0), Some(NoNewline), None, "a whole JSON object without a newline"),
            (NOTHING, Some(PartOfLine), None, "a part of a line and no newline"),
            ((250, 0), Some(Unread), None, "it used 0.2 s of processor time; does it think for too long"),
            ((250, 0), None, None, "think for too long"),
            // A loop on a busy machine gets little processor time, and wants more all along.
            (
                (60, 700),
                Some(HasRead),
                Some(Stayed),
                "it used 0.1 s of processor time and waited 0.7 s for a processor; does it think for too long",
            ),
            ((60, 300), None, None, "it used 0.1 s of processor time and waited 0.3 s"),
            (NOTHING, None, None, "it used 0.0 s of processor time"),
        ] {
            let text = silence(Duration::from_secs(1), worked(worked_ms), seen, afterwards);
            check(&text, what, &all);
            assert!(text.starts_with("no answer within 1000 ms"), "{text}");
        }
        // Nothing distinguishes an answer that is kept back from one that is not given while the game goes on.
        let text = silence(Duration::from_secs(1), worked(NOTHING), Some(Reads), None);
        assert!(text.contains("is there no answer to this ask, or") && text.contains("flush"), "{text}");
        assert_eq!(silence(Duration::from_secs(1), None, None, None), "no answer within 1000 ms");
    }

    #[test]
    fn a_slow_start_kept_output_and_input_that_is_taken_are_distinguished() {
        use Afterwards::*;
        use Silence::*;
        let all = ["flush", "newline", "--start-ms", "input()", "sys.stdin.read()", "used"];
        for (worked_ms, seen, afterwards, what) in [
            (NOTHING, Some(Unread), Some(Stayed), "--start-ms"),
            (
                (400, 0),
                Some(Unread),
                Some(Stayed),
                "it used 0.4 s of processor time; does it load for long (--start-ms",
            ),
            (
                (50, 800),
                None,
                None,
                "it used 0.1 s of processor time and waited 0.8 s for a processor; does it load for long (--start-ms",
            ),
            (NOTHING, Some(Reads), Some(AnsweredAtBye), "flush"),
            (NOTHING, Some(HasRead), Some(AnsweredAtBye), "flush"),
            (
                NOTHING,
                Some(Reads),
                Some(AnsweredAtEnd),
                "(as sys.stdin.read() does) before it answers, or keep its output back? Read a line, answer it, flush",
            ),
            (NOTHING, Some(Reads), Some(Ended), "does an input() before its loop"),
            (NOTHING, Some(HasRead), Some(Ended), "has read \"hello\" and not answered it"),
            (NOTHING, Some(Reads), Some(Stayed), "has read \"hello\" and not answered it"),
            (NOTHING, Some(NoNewline), None, "a whole JSON object without a newline"),
            (NOTHING, Some(PartOfLine), None, "no newline. A prompt, as of input()"),
            (NOTHING, None, Some(Ended), "it used 0.0 s of processor time"),
        ] {
            check(&why_not_ready(Duration::from_secs(1), worked(worked_ms), seen, afterwards), what, &all);
        }
        assert_eq!(why_not_ready(Duration::from_secs(1), None, None, None), "");
    }
}
