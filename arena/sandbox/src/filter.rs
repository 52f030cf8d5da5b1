//! Refuses every system call that is not listed in `calls`, by a BPF program (seccomp). Calls that are always allowed cost nothing,
//! since the kernel caches that; others fail with "not permitted". It loads the program into the process that calls it, for good, and
//! knows neither files nor agents.

use anyhow::{Context, Result};
use libc::{
    BPF_ABS, BPF_JEQ, BPF_JGE, BPF_JMP, BPF_JSET, BPF_JUMP, BPF_K, BPF_LD, BPF_RET, BPF_STMT, BPF_W, sock_filter,
};
use nix::errno::Errno;

use super::calls::{ALLOWED, ALLOWED_FOR, ALLOWED_HERE, ALLOWED_IN_BUILDS, Argument, LOCKS, MISSING, NEWEST, SOCKETS};

#[cfg(target_arch = "x86_64")]
const ARCHITECTURE: u32 = 0xc000_003e;
#[cfg(target_arch = "aarch64")]
const ARCHITECTURE: u32 = 0xc000_00b7;
#[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
compile_error!("the filter of system calls is written for x86_64 and aarch64 only");

/// Some runtimes ask for the default scheduling although they have it. Mono does so for every thread, and reports failures on
/// stdout. The call could target another process, so it is not carried out, but reported as successful.
const PRETENDED: (i64, u32, u32) = (libc::SYS_sched_setscheduler, 1, libc::SCHED_OTHER as u32);

/// The program, ready for the kernel; with the `network` it permits sockets that reach it, and for a `build` what that needs.
pub(super) fn program(network: bool, build: bool) -> Vec<sock_filter> {
    const NUMBER: u32 = 0;
    const ARCH: u32 = 4;
    const FIRST_ARGUMENT: u32 = 16;
    let refuse = |errno: i32| ret(libc::SECCOMP_RET_ERRNO | errno as u32);
    let mut program =
        vec![load(ARCH), jump(BPF_JEQ, ARCHITECTURE, 1, 0), ret(libc::SECCOMP_RET_KILL_PROCESS), load(NUMBER)];
    if cfg!(target_arch = "x86_64") {
        // The numbers of x32, a second set of the same calls.
        program.extend([jump(BPF_JGE, 0x4000_0000, 0, 1), refuse(libc::ENOSYS)]);
    }
    program.extend([jump(BPF_JGE, NEWEST + 1, 0, 1), refuse(libc::ENOSYS)]);
    for call in MISSING {
        program.extend([jump(BPF_JEQ, *call as u32, 0, 1), refuse(libc::ENOSYS)]);
    }
    let (call, argument, usual) = PRETENDED;
    program.extend([
        jump(BPF_JEQ, call as u32, 0, 4),
        load(FIRST_ARGUMENT + 8 * argument),
        jump(BPF_JEQ, usual, 0, 1),
        refuse(0),
        refuse(libc::EPERM),
    ]);
    if build {
        for call in ALLOWED_IN_BUILDS {
            program.extend([jump(BPF_JEQ, *call as u32, 0, 1), ret(libc::SECCOMP_RET_ALLOW)]);
        }
        let (call, argument, locks) = LOCKS;
        program.extend([jump(BPF_JEQ, call as u32, 0, 2 * locks.len() as u8 + 2), load(FIRST_ARGUMENT + 8 * argument)]);
        for lock in locks {
            program.extend([jump(BPF_JEQ, *lock, 0, 1), ret(libc::SECCOMP_RET_ALLOW)]);
        }
        program.push(load(NUMBER));
    }
    let sockets = (libc::SYS_socket, 0, &SOCKETS[usize::from(network)]);
    let tests = ALLOWED_FOR.iter().map(|(call, argument, test)| (*call, *argument, test));
    for (call, argument, test) in tests.chain([sockets]) {
        let mut tests = vec![load(FIRST_ARGUMENT + 8 * argument)];
        match test {
            Argument::LacksBits(bits) => tests.push(jump(BPF_JSET, *bits, 0, 1)),
            Argument::IsNot(value) => tests.push(jump(BPF_JEQ, *value, 0, 1)),
            Argument::Is(values) => {
                for (number, value) in values.iter().enumerate() {
                    // Skips the remaining values and the refusal.
                    tests.push(jump(BPF_JEQ, *value, (values.len() - number) as u8, 0));
                }
            }
        }
        tests.extend([refuse(libc::EPERM), ret(libc::SECCOMP_RET_ALLOW)]);
        program.push(jump(BPF_JEQ, call as u32, 0, tests.len() as u8));
        program.extend(tests);
    }
    for call in ALLOWED.iter().chain(ALLOWED_HERE) {
        program.extend([jump(BPF_JEQ, *call as u32, 0, 1), ret(libc::SECCOMP_RET_ALLOW)]);
    }
    program.push(refuse(libc::EPERM));
    program
}

/// The program as bytes, to be loaded from a file.
pub(super) fn bytes(network: bool, build: bool) -> Vec<u8> {
    let instruction = |filter: sock_filter| {
        let [a, b] = filter.code.to_ne_bytes();
        let [c, d, e, f] = filter.k.to_ne_bytes();
        [a, b, filter.jt, filter.jf, c, d, e, f]
    };
    program(network, build).into_iter().flat_map(instruction).collect()
}

/// Filters the calls of this process and all its descendants. Needs `no_new_privileges`.
pub(super) fn set(network: bool) -> Result<()> {
    let mut program = program(network, false);
    let whole = libc::sock_fprog { len: program.len() as u16, filter: program.as_mut_ptr() };
    // SAFETY: the kernel copies the program, which outlives the call.
    let answer = unsafe { libc::syscall(libc::SYS_seccomp, libc::SECCOMP_SET_MODE_FILTER, 0_u32, &raw const whole) };
    Errno::result(answer).context("the filter of system calls (seccomp) cannot be set")?;
    Ok(())
}

fn load(offset: u32) -> sock_filter {
    // SAFETY: a pure function of numbers.
    unsafe { BPF_STMT((BPF_LD | BPF_W | BPF_ABS) as u16, offset) }
}

fn jump(test: u32, value: u32, yes: u8, no: u8) -> sock_filter {
    // SAFETY: a pure function of numbers.
    unsafe { BPF_JUMP((BPF_JMP | test | BPF_K) as u16, value, yes, no) }
}

fn ret(value: u32) -> sock_filter {
    // SAFETY: a pure function of numbers.
    unsafe { BPF_STMT((BPF_RET | BPF_K) as u16, value) }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The program's decision about a call, found by running it as the kernel would.
    fn answer(network: bool, number: i64, arguments: [u64; 6]) -> u32 {
        answer_to(&program(network, false), number, arguments)
    }

    fn answer_to(program: &[sock_filter], number: i64, arguments: [u64; 6]) -> u32 {
        let word = |offset: u32| match offset {
            0 => number as u32,
            4 => ARCHITECTURE,
            offset => arguments[(offset as usize - 16) / 8] as u32,
        };
        let (mut at, mut accumulator) = (0, 0);
        loop {
            let step = program[at];
            let code = u32::from(step.code);
            at += 1;
            match code & 7 {
                BPF_LD => accumulator = word(step.k),
                BPF_RET => return step.k,
                _ => {
                    let yes = match code & 0xf0 {
                        BPF_JEQ => accumulator == step.k,
                        BPF_JGE => accumulator >= step.k,
                        _ => accumulator & step.k != 0,
                    };
                    at += usize::from(if yes { step.jt } else { step.jf });
                }
            }
        }
    }

    #[test]
    fn the_calls_of_the_list_are_allowed_and_no_others() {
        let refused = libc::SECCOMP_RET_ERRNO | libc::EPERM as u32;
        let missing = libc::SECCOMP_RET_ERRNO | libc::ENOSYS as u32;
        for (call, arguments, expected) in [
            (libc::SYS_read, [0; 6], libc::SECCOMP_RET_ALLOW),
            (libc::SYS_socketpair, [1, 1, 0, 0, 0, 0], libc::SECCOMP_RET_ALLOW),
            (libc::SYS_ptrace, [0; 6], refused),
            (libc::SYS_personality, [0; 6], refused),
            (libc::SYS_fchmodat, [0; 6], refused),
            (libc::SYS_utimensat, [0; 6], refused),
            (libc::SYS_fsetxattr, [0; 6], refused),
            (libc::SYS_getxattr, [0; 6], refused),
            // Not even one that no kernel has, between those that there are.
            (400, [0; 6], refused),
            (i64::from(NEWEST), [0; 6], refused),
            (i64::from(NEWEST) + 1, [0; 6], missing),
            (libc::SYS_mmap, [0; 6], libc::SECCOMP_RET_ALLOW),
            (libc::SYS_mmap, [0, 0, 0, libc::MAP_HUGETLB as u64, 0, 0], refused),
            (libc::SYS_inotify_init1, [0; 6], refused),
            (libc::SYS_fadvise64, [0, 0, 0, 2, 0, 0], libc::SECCOMP_RET_ALLOW),
            (libc::SYS_fadvise64, [0, 0, 0, 4, 0, 0], refused),
            (libc::SYS_madvise, [0, 0, 4, 0, 0, 0], libc::SECCOMP_RET_ALLOW),
            (libc::SYS_madvise, [0, 0, 21, 0, 0, 0], refused),
            (libc::SYS_preadv2, [0, 0, 0, 0, 0, 8], missing),
            (libc::SYS_fcntl, [0, 1036, 0, 0, 0, 0], refused),
            (libc::SYS_ioctl, [0, 0x4008_6602, 0, 0, 0, 0], refused),
            (libc::SYS_clone, [0x11, 0, 0, 0, 0, 0], libc::SECCOMP_RET_ALLOW),
            (libc::SYS_clone, [u64::from(libc::CLONE_NEWUSER as u32), 0, 0, 0, 0, 0], refused),
            (libc::SYS_clone3, [0; 6], missing),
            (libc::SYS_fcntl, [0, libc::F_GETFL as u64, 0, 0, 0, 0], libc::SECCOMP_RET_ALLOW),
            (libc::SYS_fcntl, [0, libc::F_SETLKW as u64, 0, 0, 0, 0], refused),
            (libc::SYS_fcntl, [0, 7 | 1 << 40, 0, 0, 0, 0], refused),
            (libc::SYS_ioctl, [0, libc::TIOCSTI, 0, 0, 0, 0], refused),
            (libc::SYS_kill, [u64::MAX, 9, 0, 0, 0, 0], refused),
            (libc::SYS_kill, [77, 9, 0, 0, 0, 0], libc::SECCOMP_RET_ALLOW),
            (libc::SYS_prlimit64, [0, 7, 0, 0, 0, 0], libc::SECCOMP_RET_ALLOW),
            (libc::SYS_prlimit64, [77, 7, 0, 0, 0, 0], refused),
            (libc::SYS_sched_setscheduler, [77, libc::SCHED_OTHER as u64, 0, 0, 0, 0], libc::SECCOMP_RET_ERRNO),
            (libc::SYS_sched_setscheduler, [0, libc::SCHED_FIFO as u64, 0, 0, 0, 0], refused),
            (libc::SYS_exit_group, [0; 6], libc::SECCOMP_RET_ALLOW),
        ] {
            for network in [false, true] {
                assert_eq!(answer(network, call, arguments), expected, "call {call} with {arguments:?}");
            }
        }
        for (family, network, expected) in [
            (libc::AF_INET, false, refused),
            (libc::AF_UNIX, false, refused),
            (libc::AF_UNIX, true, refused),
            (libc::AF_NETLINK, true, refused),
            (libc::AF_VSOCK, true, refused),
            (libc::AF_INET, true, libc::SECCOMP_RET_ALLOW),
            (libc::AF_INET6, true, libc::SECCOMP_RET_ALLOW),
        ] {
            let socket = answer(network, libc::SYS_socket, [family as u64, 1, 0, 0, 0, 0]);
            assert_eq!(socket, expected, "a socket of family {family}, network {network}");
        }
    }

    #[test]
    fn a_build_sets_rights_and_locks_files_and_makes_no_other_calls_than_agents() {
        let build = program(false, true);
        let usual = program(false, false);
        let (allowed, refused) = (libc::SECCOMP_RET_ALLOW, libc::SECCOMP_RET_ERRNO | libc::EPERM as u32);
        for call in 0..i64::from(NEWEST) + 2 {
            for first in [0, 7, 1036] {
                let arguments = [0, first, 0, 0, 0, 0];
                let is_more = ALLOWED_IN_BUILDS.contains(&call) || (call == libc::SYS_fcntl && first == 7);
                let expected = if is_more { allowed } else { answer_to(&usual, call, arguments) };
                assert_eq!(answer_to(&build, call, arguments), expected, "call {call} with {arguments:?}");
                assert!(!is_more || answer_to(&usual, call, arguments) == refused, "call {call}");
            }
        }
    }
}
