//! Where the process that plays the season serves its pages: for this machine alone, at a port of its own, which it says on stderr.

use std::io::{BufRead, BufReader, Read};
use std::process::ChildStderr;
use std::sync::{Arc, Mutex, PoisonError};

use crate::pages::REACHED;

/// What stands before the address of the pages of a run.
const SEEN_AT: &str = "maumau: the run can be seen at ";
/// Bytes of a line that it says.
const MAX_LINE: u64 = 4_096;

/// Where the season's process serves its pages.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct PagesAddress {
    /// Its host and port.
    pub(crate) host: String,
    /// The cookie that lets one look.
    pub(crate) cookie: Option<String>,
}

impl PagesAddress {
    /// What the line of a process says of it.
    fn in_line(line: &str) -> Option<PagesAddress> {
        let reached = format!("maumau: {REACHED} from now on: ");
        let rest = [SEEN_AT, &reached].iter().find_map(|words| line.strip_prefix(words)?.strip_prefix("http://"))?;
        let (host, query) = rest.split_once('/')?;
        let port = host.rsplit_once(':')?.1;
        let token = query.trim().strip_prefix("?token=");
        Some(PagesAddress { host: host.to_owned(), cookie: token.map(|token| format!("maumau-{port}={token}")) })
    }
}

/// The pages of the season as far as there are any: none before its process has begun.
#[derive(Default)]
pub(crate) struct SeasonPages(Mutex<Option<PagesAddress>>);

impl SeasonPages {
    /// Passes on what the season's process says, but for where its pages are, until it ends.
    pub(crate) fn hear(self: &Arc<SeasonPages>, said: ChildStderr) {
        let pages = Arc::clone(self);
        std::thread::spawn(move || {
            let mut said = BufReader::new(said);
            let mut line = Vec::new();
            while (&mut said).take(MAX_LINE).read_until(b'\n', &mut line).is_ok_and(|bytes| bytes > 0) {
                let text = String::from_utf8_lossy(&line);
                match PagesAddress::in_line(&text) {
                    Some(address) => pages.are_at(Some(address)),
                    // About a link that nobody is shown.
                    None if text.contains(REACHED) => {}
                    None => print_stderr!("{}", text.trim_end()),
                }
                line.clear();
            }
            pages.are_at(None);
        });
    }

    fn are_at(&self, address: Option<PagesAddress>) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = address;
    }

    /// Where they are now.
    pub(crate) fn address(&self) -> Option<PagesAddress> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_address_of_the_pages_is_found_in_what_a_run_says() {
        let found = |host: &str, cookie: Option<&str>| {
            Some(PagesAddress { host: host.to_owned(), cookie: cookie.map(str::to_owned) })
        };
        for (line, expected) in [
            ("maumau: the run can be seen at http://127.0.0.1:4711/", found("127.0.0.1:4711", None)),
            (
                "maumau: the run can be seen at http://127.0.0.1:4711/?token=ab\n",
                found("127.0.0.1:4711", Some("maumau-4711=ab")),
            ),
            ("maumau: an agent said http://127.0.0.1:1/", None),
            ("", None),
        ] {
            assert_eq!(PagesAddress::in_line(line), expected, "{line}");
        }
    }
}
