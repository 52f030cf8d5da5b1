//! Rows about what an agent is refused or has used up, by the words of languages and systems for it. It reads text and
//! variables only.

use super::Clues;

const NETWORK: &str = "it cannot connect: --sandbox-network (network = true at its [[agent]] in a league file) lets it; sockets of \
                       this machine, such as a debugger's, stay closed";

/// Words for a name that cannot be resolved, and for a socket or a connection that is refused (EPERM, ENETUNREACH).
const NO_NETWORK: [&str; 18] = [
    "failure in name resolution",
    "Name or service not known",
    "NameResolutionError",
    "getaddrinfo",
    "ENOTFOUND",
    "EAI_AGAIN",
    "UnknownHostException",
    "Could not resolve",
    "resolve host",
    "no such host",
    "ENETUNREACH",
    "Network is unreachable",
    "network is unreachable",
    "socket.py",
    "socket: operation not permitted",
    "SocketException: Operation not permitted",
    "connect EPERM",
    "listen EPERM",
];

const MEMORY: [&str; 15] = [
    "(errno=12)",
    "MiB of memory killed",
    "MemoryError",
    "std::bad_alloc",
    "Cannot allocate memory",
    "cannot allocate memory",
    "OutOfMemoryError",
    "heap out of memory",
    "Could not reserve enough space",
    "memory allocation of",
    "runtime: out of memory",
    "Out of memory!",
    "(NoMemoryError)",
    "virtual memory exhausted",
    "insufficient memory",
];

/// Words for a thread or a process that cannot be started.
const THREADS: [&str; 4] =
    ["can't start new thread", "unable to create native thread", "pthread_create failed", "fork: retry"];

/// What cannot be started when the words for EAGAIN stand beside it; a read that would wait has the same number.
const STARTED: [&str; 5] = ["fork", "thread", "clone", "spawn", "process"];

/// Words that stand in the line of an error about a variable that is not set.
const UNSET: [&str; 4] = ["environment variable", "env var", "process.env.", "getenv"];

/// A variable that it looks for and that agents do not get.
pub(super) fn variable(clues: &Clues<'_>) -> Option<String> {
    let name = of_os_environ(clues).or_else(|| of_a_message(clues))?;
    let granted = clues.command.grant().variables().any(|(granted, _)| granted == name);
    // That one it has, whatever it says about it.
    if granted || ["PATH", "HOME", "LANG", "LC_ALL", "TMPDIR", "TZ"].contains(&name) {
        return None;
    }
    let hand_on = format!("--sandbox-env {name} (secrets = [\"{name}\"])");
    Some(match (clues.variable)(name) {
        Some(_) => {
            format!("of your environment an agent has only PATH, HOME, LANG and their like: {hand_on} hands {name} on")
        }
        None => format!("{name} is not set here; once it is, {hand_on} hands it on to the agent"),
    })
}

/// `os.environ[NAME]` of Python, which the trace shows: any other KeyError is one of the agent's own.
fn of_os_environ<'a>(clues: &Clues<'a>) -> Option<&'a str> {
    let name = clues.last_line()?.strip_prefix("KeyError: '")?.strip_suffix('\'')?;
    let is_of_os = |line: &str| {
        let line = line.trim_start();
        line.starts_with("File \"") && (line.contains("<frozen os>\"") || line.contains("/os.py\""))
    };
    // The last call of the trace.
    let call = clues.last_words().filter(|line| line.trim_start().starts_with("File \"")).last()?;
    is_of_os(call).then_some(name)
}

/// A message that speaks of an environment variable and names one in capitals.
fn of_a_message<'a>(clues: &Clues<'a>) -> Option<&'a str> {
    clues.last_words().filter(|line| UNSET.iter().any(|words| line.contains(words))).find_map(|line| {
        let words = line.split(|c: char| !(c.is_ascii_alphanumeric() || c == '_'));
        words.into_iter().find(|word| {
            let is_capital = |c: char| c.is_ascii_uppercase() || c.is_ascii_digit() || c == '_';
            word.len() > 3 && word.chars().all(is_capital) && word.contains('_')
        })
    })
}

/// A connection.
pub(super) fn network(clues: &Clues<'_>) -> Option<String> {
    let grant = clues.command.grant();
    let is_closed = clues.is_confined() && !grant.network() && grant.host().is_none();
    (is_closed && clues.has(&NO_NETWORK)).then(|| clues.sandbox(NETWORK))
}

/// More processes and threads than it may have.
pub(super) fn threads(clues: &Clues<'_>) -> Option<String> {
    let is_again = |line: &str| line.contains("Resource temporarily unavailable") || line.contains("EAGAIN");
    let is_start = |line: &str| STARTED.iter().any(|word| line.contains(word));
    let says_so = clues.has(&THREADS) || clues.last_words().any(|line| is_again(line) && is_start(line));
    (clues.is_confined() && says_so).then(|| {
        clues.sandbox(
            "it may have 64 processes and threads at once: have its libraries start fewer (OMP_NUM_THREADS and their like, with \
             --sandbox-env NAME=VALUE)",
        )
    })
}

/// More memory than it may have. Java says so on stdout.
pub(super) fn memory(clues: &Clues<'_>) -> Option<String> {
    // Its messages say nothing about its memory.
    let mut printed = clues.stdout.lines().filter(|line| !line.trim_start().starts_with('{'));
    let says_so = clues.has(&MEMORY) || printed.any(|line| MEMORY.iter().any(|sign| line.contains(sign)));
    (clues.is_confined() && says_so)
        .then(|| clues.sandbox("its memory is limited: --sandbox-memory MIB ([sandbox] memory_mib) gives it more"))
}

/// A system call: the last line has EPERM, and no row above knows more.
pub(super) fn call(clues: &Clues<'_>) -> Option<String> {
    let is_refused = |line: &str| line.contains("Operation not permitted") || line.contains("EPERM");
    (clues.is_confined() && clues.last_line().is_some_and(is_refused))
        .then(|| clues.sandbox("a system call was refused; arena/docs/sandbox.md says which ones are"))
}

/// `input()` at the end of its input.
pub(super) fn input_is_over(clues: &Clues<'_>) -> Option<String> {
    clues.last_line()?.strip_prefix("EOFError: EOF when reading a line")?;
    Some(
        "an input() of its own met the end of the arena's lines: no person types here; read lines in a loop until there are no \
         more (for line in sys.stdin)"
            .to_owned(),
    )
}

/// It ended well, but after the first of several games.
pub(super) fn first_over(clues: &Clues<'_>) -> Option<String> {
    (clues.has_heard_over && clues.exit == Some("exit status: 0")).then(|| {
        "it ended when a game was over, but more games may follow: read on until \"bye\" or the end of its input (SPEC 2.6)"
            .to_owned()
    })
}
