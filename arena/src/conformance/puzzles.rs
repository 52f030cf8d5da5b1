//! Puzzles as a test of an agent: a recorded game is sent to it up to a decision, whose answer counts. No game is played, and what the best
//! answer is was measured elsewhere.

use std::time::Duration;

use maumau_protocol::Action;
use maumau_protocol::message::{AgentMessage, AskId, PROTOCOL};
use maumau_protocol::wire::read_agent_line;
use maumau_referee::faults::Misconduct;
use maumau_referee::replay_seat;
use maumau_report::PuzzleTask;
use maumau_run::agent::AgentCommand;

use super::{AgentUnderTest, AnswerTimeouts, ConformanceProblem, Heard, hello};

/// What an agent, started for this puzzle, does where the puzzle is. It is asked all that its seat was asked before, and the game goes
/// on as it did, whatever it answers there.
///
/// # Errors
/// It does not answer, or with a line that is none of the protocol's.
pub(crate) async fn solve(
    command: &AgentCommand,
    task: &PuzzleTask,
    patience: &AnswerTimeouts,
) -> Result<Action, ConformanceProblem> {
    let mut agent = AgentUnderTest::start(command)?;
    match answer_at(&mut agent, task, patience).await {
        Ok(action) => {
            agent.part(true, Duration::from_millis(500)).await;
            agent.end().await;
            Ok(action)
        }
        Err(problem) => Err(agent.end_after(problem).await.0),
    }
}

async fn answer_at(
    agent: &mut AgentUnderTest,
    task: &PuzzleTask,
    patience: &AnswerTimeouts,
) -> Result<Action, ConformanceProblem> {
    let ready = agent.greet(&hello(PROTOCOL), patience.start).await?;
    let replay =
        replay_seat(&task.log, task.seat, &ready).map_err(|error| ConformanceProblem::new(error.to_string()))?;
    agent.send(&replay.start).await;
    let mut last = None;
    for ask in replay.asks.iter().take_while(|ask| ask.number <= task.number) {
        agent.send(&ask.line).await;
        last = Some(answer(agent, ask.id, patience.answer).await?).filter(|_| ask.number == task.number);
    }
    last.ok_or_else(|| ConformanceProblem::new("the seat was not asked there"))
}

/// The answer to the ask `id`.
async fn answer(agent: &mut AgentUnderTest, id: AskId, patience: Duration) -> Result<Action, ConformanceProblem> {
    loop {
        let line = match agent.hear(patience).await {
            Some(Heard::Line(line)) => line,
            Some(Heard::TooLong) => return Err(ConformanceProblem::new("a line is over 65536 bytes")),
            Some(Heard::End(how)) => return Err(ConformanceProblem::new(how)),
            None => return Err(ConformanceProblem::new(format!("no answer within {} ms", patience.as_millis()))),
        };
        match read_agent_line(&line) {
            None | Some(Ok(AgentMessage::Note(_))) => {}
            Some(Ok(AgentMessage::Act(act))) if act.id == id => return Ok(act.action),
            Some(Ok(_)) => return Err(ConformanceProblem::new("no answer to the open ask").with_line(&line)),
            Some(Err(error)) => {
                let Misconduct { fault, message } = error.into();
                return Err(ConformanceProblem::new(format!("{}: {message}", fault.name())).with_line(&line));
            }
        }
    }
}
