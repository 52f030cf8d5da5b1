//! Waits for the outputs of all agents of one loop together. Knows outputs by their numbers, not whose they are. It
//! only says that there is something to read.
//!
//! The event loop only learns that something has come. A listener can also block right here for the next answers, which is
//! cheaper than a turn of the event loop when agents answer at once.

#[cfg(target_os = "linux")]
mod epoll;
#[cfg(any(test, not(target_os = "linux")))]
#[cfg_attr(target_os = "linux", allow(dead_code, unreachable_pub, reason = "only tests use it there"))]
mod portable;

#[cfg(target_os = "linux")]
pub use epoll::Poller;
#[cfg(not(target_os = "linux"))]
pub use portable::Poller;

#[cfg(test)]
mod tests {
    use std::io::{PipeReader, PipeWriter, Write};
    use std::time::Duration;

    use crate::agent::on_a_loop;

    fn pipe<Output>(output: impl FnOnce(PipeReader) -> std::io::Result<Output>) -> (Output, PipeWriter) {
        let (reader, writer) = std::io::pipe().expect("a pipe");
        (output(reader).expect("an output"), writer)
    }

    fn write(mut pipe: &PipeWriter) {
        pipe.write_all(b"x").expect("room");
    }

    /// The interface of every poller.
    macro_rules! tests {
        ($poller:ty, $output:expr) => {
            use super::*;

            #[test]
            fn what_can_be_read_is_reported_until_it_has_been_read() {
                on_a_loop(async {
                    let poller = <$poller>::new().expect("a poll");
                    let ((one, to_one), (two, to_two)) = (pipe($output), pipe($output));
                    poller.add(&one, 1).expect("room");
                    poller.add(&two, 2).expect("room");
                    let mut numbers = Vec::new();
                    for _ in 0..3 {
                        write(&to_two);
                        let mut attention = poller.listen().await.expect("a runtime");
                        for _ in 0..2 {
                            poller.heard(&mut attention, 0, &mut numbers).expect("a poll");
                            assert_eq!(numbers, [2], "it has not been read");
                        }
                        two.read(&mut [0; 8]).expect("a byte");
                        poller.heard(&mut attention, 0, &mut numbers).expect("a poll");
                        assert!(numbers.is_empty());
                    }
                    let nothing = tokio::time::timeout(Duration::ZERO, poller.listen()).await;
                    assert!(nothing.is_err(), "nothing is to be heard");
                    drop(to_one);
                    let mut attention = poller.listen().await.expect("a runtime");
                    poller.heard(&mut attention, 0, &mut numbers).expect("a poll");
                    assert_eq!(numbers, [1], "an end is something to be heard");
                    poller.remove(&one);
                    poller.heard(&mut attention, 0, &mut numbers).expect("a poll");
                    assert!(numbers.is_empty());
                });
            }

            #[test]
            fn what_comes_while_the_thread_waits_is_heard() {
                on_a_loop(async {
                    let poller = <$poller>::new().expect("a poll");
                    let (output, input) = pipe($output);
                    poller.add(&output, 7).expect("room");
                    write(&input);
                    let mut attention = poller.listen().await.expect("a runtime");
                    output.read(&mut [0; 8]).expect("a byte");
                    let mut numbers = Vec::new();
                    std::thread::scope(|scope| {
                        scope.spawn(|| write(&input));
                        while numbers.is_empty() {
                            poller.heard(&mut attention, 1_000, &mut numbers).expect("a poll");
                        }
                    });
                    assert_eq!(numbers, [7]);
                });
            }
        };
    }

    #[cfg(target_os = "linux")]
    mod epoll {
        tests!(crate::agent::poller::epoll::Poller, |reader| crate::agent::pipes::AgentStdout::of(reader.into()));
    }

    mod portable {
        tests!(crate::agent::poller::portable::Poller, crate::agent::pipes::threaded::AgentStdout::of);
    }
}
