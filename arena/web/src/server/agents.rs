//! Where the agents of people come to their seats: each says the key of its seat in its first line; then it sends lines to be told
//! (`+`) and states to be shown (`=`), and is sent choices. Only processes that `maumau play` has started know a key.

use std::sync::Arc;
use std::time::Duration;

use axum::serve::Listener;
use tokio::io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::Semaphore;
use tokio::time::timeout;

use crate::seats::{Seats, WebSeat};

/// How long a visitor may take to say who it is.
const INTRODUCTION: Duration = Duration::from_secs(5);

/// How many visitors may be about to say who they are; there are at most as many seats.
const VISITORS: usize = maumau_protocol::MAX_SEATS;

/// The longest line of an agent.
const LINE_BYTES: u64 = 1024 * 1024;

/// What the page is told when the agent is gone.
const GONE: &str = "The game is over, or your agent was dismissed from it; nothing more comes.";

/// Lets agents in.
pub(super) async fn listen(mut listener: TcpListener, seats: Arc<Seats>) {
    let visitors = Arc::new(Semaphore::new(VISITORS));
    loop {
        // One is let in before the next is accepted: what is not introduced in time makes room.
        let Ok(visitor) = Arc::clone(&visitors).acquire_owned().await else { return };
        let (stream, _) = Listener::accept(&mut listener).await;
        let seats = Arc::clone(&seats);
        tokio::spawn(async move {
            let mut lines = BufReader::new(stream);
            let mut key = String::new();
            let introduced = timeout(INTRODUCTION, (&mut lines).take(256).read_line(&mut key)).await;
            let place = seats.of_agent(key.trim_end()).filter(|_| matches!(introduced, Ok(Ok(_))));
            drop(visitor);
            if let Some(place) = place {
                attend(lines, place).await;
            }
        });
    }
}

/// Passes on what an agent and a page have for one another, until the agent is gone.
async fn attend(lines: BufReader<TcpStream>, place: &WebSeat) {
    let Some(mut choices) = place.chosen() else { return };
    let mut stream = lines;
    let mut line = Vec::new();
    loop {
        tokio::select! {
            read = read_line(&mut stream, &mut line) => {
                if !matches!(read, Ok(true)) {
                    break;
                }
                match std::str::from_utf8(&line).ok().and_then(|text| text.split_at_checked(1)) {
                    Some(("+", told)) => place.tell(told),
                    Some(("=", now)) => place.show(now),
                    _ => break,
                }
                line.clear();
            }
            Some(choice) = choices.recv() => {
                if stream.get_mut().write_all(format!("{choice}\n").as_bytes()).await.is_err() {
                    break;
                }
            }
        }
    }
    place.end(GONE);
}

/// Reads on in a line; `true` once it is complete, without its end. What was read stays in `line` if it is interrupted.
async fn read_line(stream: &mut BufReader<TcpStream>, line: &mut Vec<u8>) -> std::io::Result<bool> {
    loop {
        let buffer = stream.fill_buf().await?;
        if buffer.is_empty() || line.len() as u64 > LINE_BYTES {
            return Ok(false);
        }
        let end = buffer.iter().position(|byte| *byte == b'\n');
        line.extend_from_slice(&buffer[..end.unwrap_or(buffer.len())]);
        let used = end.map_or(buffer.len(), |end| end + 1);
        stream.consume(used);
        if end.is_some() {
            return Ok(true);
        }
    }
}
