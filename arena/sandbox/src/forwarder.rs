//! The way from an agent without a network to the one host that it is permitted: the agent asks over a socket that it
//! inherits, and is handed one end of a new stream, whose other end the arena connects to the host. So the agent never has
//! a socket of the network, and cannot name another host. Moves bytes and does not read them.
//!
//! In an agent: send one byte to the socket whose number is in [`VARIABLE`], then receive a message with one file, which is
//! the stream; a message without a file says what went wrong. `socket.recv_fds` in Python does it.

use std::io::{self, IoSliceMut};
use std::net::{Shutdown, TcpStream, ToSocketAddrs};
use std::os::fd::{AsRawFd, FromRawFd, OwnedFd, RawFd};
use std::os::unix::net::UnixStream;
use std::os::unix::process::CommandExt;
use std::process::Command;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use anyhow::{Context, Result};
use nix::errno::Errno;
use nix::fcntl::{FcntlArg, FdFlag, fcntl};
use nix::sys::socket::{
    AddressFamily, ControlMessage, ControlMessageOwned, MsgFlags, SockFlag, SockType, UnixAddr, recvmsg, sendmsg,
    socketpair,
};

/// The environment variable with the number of the socket.
pub(super) const VARIABLE: &str = "MAUMAU_HOST_FD";
/// How long to wait for one address of the host.
const PATIENCE: Duration = Duration::from_secs(10);
/// Connections that one agent may have open.
const MOST_CONNECTIONS: usize = 16;
/// Bytes of a sentence about what went wrong.
const MAX_SAID: usize = 256;

/// Lets the process that `command` starts ask for connections to `host`, `NAME:PORT`; returns the number of its socket there.
/// The thread that answers ends with the agent.
pub(super) fn offer(command: &mut Command, host: &str) -> Result<RawFd> {
    let (ours, theirs) = socketpair(AddressFamily::Unix, SockType::SeqPacket, None, SockFlag::SOCK_CLOEXEC)
        .context("a socket for the agent's host")?;
    let number = theirs.as_raw_fd();
    let keep_open = move || fcntl(&theirs, FcntlArg::F_SETFD(FdFlag::empty())).map(drop).map_err(io::Error::from);
    // SAFETY: between fork and exec there is only one call of fcntl(2), which neither allocates nor locks.
    unsafe {
        command.pre_exec(keep_open);
    }
    let host = host.to_owned();
    let answer = move || answer(&ours, &host);
    std::thread::Builder::new().name("forwarder".to_owned()).spawn(answer).context("a thread for the agent's host")?;
    Ok(number)
}

/// Answers every request until the agent has closed its socket.
fn answer(ours: &OwnedFd, host: &str) {
    let open = Arc::new(AtomicUsize::new(0));
    let mut request = [0; 1];
    // Whatever else fails than being interrupted means that the agent is gone.
    loop {
        match nix::sys::socket::recv(ours.as_raw_fd(), &mut request, MsgFlags::empty()) {
            Ok(0) => return,
            Ok(_) => {}
            Err(Errno::EINTR) => continue,
            Err(_) => return,
        }
        let (said, stream) = match connected(host, &open) {
            Ok(stream) => ("connected".to_owned(), Some(stream)),
            Err(error) => (format!("{host}: {error}").chars().take(MAX_SAID / 4).collect(), None),
        };
        let files = stream.as_ref().map(|stream| [stream.as_raw_fd()]);
        let rights = files.as_ref().map(|files| ControlMessage::ScmRights(files));
        let text = [io::IoSlice::new(said.as_bytes())];
        let flags = MsgFlags::MSG_NOSIGNAL;
        if sendmsg::<UnixAddr>(ours.as_raw_fd(), &text, rights.as_slice(), flags, None).is_err() {
            return;
        }
    }
}

/// The agent's end of a new connection to `host`.
fn connected(host: &str, open: &Arc<AtomicUsize>) -> io::Result<UnixStream> {
    if open.load(Ordering::Relaxed) >= MOST_CONNECTIONS {
        return Err(io::Error::other(format!("{MOST_CONNECTIONS} connections are open already")));
    }
    let mut last = io::Error::other("the name has no address");
    for address in host.to_socket_addrs()? {
        match TcpStream::connect_timeout(&address, PATIENCE) {
            Ok(far) => {
                far.set_nodelay(true)?;
                let (near, theirs) = UnixStream::pair()?;
                join(near, far, open)?;
                return Ok(theirs);
            }
            Err(error) => last = error,
        }
    }
    Err(last)
}

/// Copies both ways until either side has ended, then ends both.
fn join(near: UnixStream, far: TcpStream, open: &Arc<AtomicUsize>) -> io::Result<()> {
    let (near_too, far_too) = (near.try_clone()?, far.try_clone()?);
    let end = |near: &UnixStream, far: &TcpStream| {
        // An error means that it has ended already.
        let _ = near.shutdown(Shutdown::Both);
        let _ = far.shutdown(Shutdown::Both);
    };
    let open = Arc::clone(open);
    open.fetch_add(1, Ordering::Relaxed);
    std::thread::spawn(move || {
        let out = std::thread::spawn(move || {
            let _ = io::copy(&mut &near_too, &mut &far_too);
            end(&near_too, &far_too);
        });
        let _ = io::copy(&mut &far, &mut &near);
        end(&near, &far);
        let _ = out.join();
        open.fetch_sub(1, Ordering::Relaxed);
    });
    Ok(())
}

/// The socket on which this process, an agent, may ask for connections; `None` if it has none.
pub(super) fn inherited() -> Option<RawFd> {
    std::env::var(VARIABLE).ok()?.parse().ok()
}

/// A new connection to the host that this process, an agent, is permitted.
///
/// # Errors
/// The arena could not connect, which says why.
pub(super) fn dial(number: RawFd) -> io::Result<UnixStream> {
    nix::sys::socket::send(number, b"c", MsgFlags::MSG_NOSIGNAL)?;
    let mut said = [0; MAX_SAID];
    let mut room = nix::cmsg_space!([RawFd; 1]);
    let (count, file) = {
        let mut texts = [IoSliceMut::new(&mut said)];
        let message = recvmsg::<UnixAddr>(number, &mut texts, Some(&mut room), MsgFlags::MSG_CMSG_CLOEXEC)?;
        let file = message.cmsgs()?.find_map(|control| match control {
            ControlMessageOwned::ScmRights(files) => files.first().copied(),
            _ => None,
        });
        (message.bytes, file)
    };
    match file {
        // SAFETY: the kernel has just made this number for this process, and nothing else knows it.
        Some(file) => Ok(UnixStream::from(unsafe { OwnedFd::from_raw_fd(file) })),
        None if count == 0 => Err(io::Error::other("the arena is gone")),
        None => Err(io::Error::other(String::from_utf8_lossy(&said[..count]).into_owned())),
    }
}

#[cfg(test)]
mod tests {
    use std::io::{Read, Write};
    use std::net::TcpListener;
    use std::thread::JoinHandle;

    use nix::sys::socket::{SockaddrIn, bind, getsockname, socket};

    use super::*;

    /// What forwards to `host`, and the agent's end of it.
    fn forwarder_to(host: String) -> (JoinHandle<()>, OwnedFd) {
        let (ours, theirs) =
            socketpair(AddressFamily::Unix, SockType::SeqPacket, None, SockFlag::SOCK_CLOEXEC).expect("a pair");
        (std::thread::spawn(move || answer(&ours, &host)), theirs)
    }

    #[test]
    fn an_agent_is_handed_streams_to_its_host() {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
        let (forwarder, theirs) = forwarder_to(listener.local_addr().expect("an address").to_string());
        for _ in 0..2 * MOST_CONNECTIONS {
            let mut near = dial(theirs.as_raw_fd()).expect("connected");
            let (mut far, _) = listener.accept().expect("somebody");
            near.write_all(b"question").expect("open");
            let mut read = [0; 8];
            far.read_exact(&mut read).expect("open");
            assert_eq!(&read, b"question");
            far.write_all(b"answer").expect("open");
            drop(far);
            let mut answer = String::new();
            near.read_to_string(&mut answer).expect("open");
            assert_eq!(answer, "answer");
        }
        drop(theirs);
        forwarder.join().expect("it ends with the agent");
    }

    #[test]
    fn an_agent_is_handed_the_reason_why_not() {
        // A port that is taken, so that nobody else can listen there either.
        let taken = socket(AddressFamily::Inet, SockType::Stream, SockFlag::SOCK_CLOEXEC, None).expect("a socket");
        bind(taken.as_raw_fd(), &SockaddrIn::new(127, 0, 0, 1, 0)).expect("a port");
        let host: SockaddrIn = getsockname(taken.as_raw_fd()).expect("an address");
        let (forwarder, theirs) = forwarder_to(host.to_string());
        let error = dial(theirs.as_raw_fd()).expect_err("nobody listens").to_string();
        assert!(error.contains("refused"), "{error}");
        drop(theirs);
        forwarder.join().expect("it ends with the agent");
    }
}
