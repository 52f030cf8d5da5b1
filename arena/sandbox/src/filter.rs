//! Refuses system calls that no card player needs: a deny list as a BPF program (seccomp). Calls that are always
//! allowed cost nothing, since the kernel caches that; refused calls fail with "not permitted". It loads the program
//! into the process that calls it, for good, and knows neither files nor agents.

use anyhow::{Context, Result};
use libc::{
    BPF_ABS, BPF_JEQ, BPF_JGE, BPF_JMP, BPF_JSET, BPF_JUMP, BPF_K, BPF_LD, BPF_RET, BPF_STMT, BPF_W, sock_filter,
};
use nix::errno::Errno;

#[cfg(target_arch = "x86_64")]
const ARCHITECTURE: u32 = 0xc000_003e;
#[cfg(target_arch = "aarch64")]
const ARCHITECTURE: u32 = 0xc000_00b7;
#[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
compile_error!("the filter of system calls is written for x86_64 and aarch64 only");

/// Calls that are refused whatever their arguments.
const REFUSED: &[i64] = &[
    // Access to other processes.
    libc::SYS_ptrace,
    libc::SYS_process_vm_readv,
    libc::SYS_process_vm_writev,
    libc::SYS_process_madvise,
    libc::SYS_kcmp,
    libc::SYS_pidfd_getfd,
    // Interfaces with a wide kernel surface.
    libc::SYS_io_uring_setup,
    libc::SYS_io_uring_enter,
    libc::SYS_io_uring_register,
    libc::SYS_bpf,
    libc::SYS_perf_event_open,
    libc::SYS_userfaultfd,
    libc::SYS_fanotify_init,
    libc::SYS_lookup_dcookie,
    libc::SYS_nfsservctl,
    libc::SYS_io_setup,
    // Rights, owners, times and attributes of files: who owns a file may change them without being able to write it, so another
    // agent would find its program closed to it, and the next process what this one has seen.
    libc::SYS_fchmod,
    libc::SYS_fchmodat,
    SYS_FCHMODAT2,
    libc::SYS_fchown,
    libc::SYS_fchownat,
    libc::SYS_utimensat,
    libc::SYS_setxattr,
    libc::SYS_lsetxattr,
    libc::SYS_fsetxattr,
    SYS_SETXATTRAT,
    libc::SYS_removexattr,
    libc::SYS_lremovexattr,
    libc::SYS_fremovexattr,
    SYS_REMOVEXATTRAT,
    SYS_FILE_SETATTR,
    // What others do with a file, and which of its pages are in memory.
    libc::SYS_inotify_init1,
    libc::SYS_inotify_add_watch,
    SYS_CACHESTAT,
    // Keys that outlive a process and are visible to others.
    libc::SYS_add_key,
    libc::SYS_request_key,
    libc::SYS_keyctl,
    // The file tree.
    libc::SYS_mount,
    libc::SYS_umount2,
    libc::SYS_pivot_root,
    libc::SYS_chroot,
    libc::SYS_move_mount,
    libc::SYS_open_tree,
    libc::SYS_fsopen,
    libc::SYS_fsconfig,
    libc::SYS_fsmount,
    libc::SYS_fspick,
    libc::SYS_mount_setattr,
    libc::SYS_name_to_handle_at,
    libc::SYS_open_by_handle_at,
    libc::SYS_quotactl,
    libc::SYS_swapon,
    libc::SYS_swapoff,
    // Namespaces; `clone` is below.
    libc::SYS_unshare,
    libc::SYS_setns,
    // Communication: queues, memory, semaphores, locks; sockets are below.
    libc::SYS_flock,
    libc::SYS_shmget,
    libc::SYS_shmat,
    libc::SYS_shmctl,
    libc::SYS_semget,
    libc::SYS_semop,
    libc::SYS_semtimedop,
    libc::SYS_semctl,
    libc::SYS_msgget,
    libc::SYS_msgsnd,
    libc::SYS_msgrcv,
    libc::SYS_msgctl,
    libc::SYS_mq_open,
    libc::SYS_mq_unlink,
    // Time and its shares.
    libc::SYS_clock_settime,
    libc::SYS_settimeofday,
    libc::SYS_adjtimex,
    libc::SYS_clock_adjtime,
    libc::SYS_sched_setparam,
    libc::SYS_sched_setattr,
    libc::SYS_sched_setaffinity,
    libc::SYS_setpriority,
    libc::SYS_ioprio_set,
    // The machine.
    libc::SYS_kexec_load,
    libc::SYS_init_module,
    libc::SYS_finit_module,
    libc::SYS_delete_module,
    libc::SYS_reboot,
    libc::SYS_acct,
    libc::SYS_syslog,
    libc::SYS_vhangup,
    libc::SYS_sethostname,
    libc::SYS_setdomainname,
    libc::SYS_personality,
];

// Calls newer than some C libraries; their numbers are the same on every architecture.
const SYS_CACHESTAT: i64 = 451;
const SYS_FCHMODAT2: i64 = 452;
const SYS_SETXATTRAT: i64 = 463;
const SYS_REMOVEXATTRAT: i64 = 466;
const SYS_FILE_SETATTR: i64 = 469;

#[cfg(target_arch = "x86_64")]
const REFUSED_HERE: &[i64] = &[
    libc::SYS_iopl,
    libc::SYS_ioperm,
    libc::SYS_modify_ldt,
    libc::SYS_uselib,
    libc::SYS_kexec_file_load,
    // The older forms of calls above.
    libc::SYS_chmod,
    libc::SYS_chown,
    libc::SYS_lchown,
    libc::SYS_utime,
    libc::SYS_utimes,
    libc::SYS_futimesat,
    libc::SYS_inotify_init,
];
#[cfg(target_arch = "aarch64")]
const REFUSED_HERE: &[i64] = &[];

const F_SET_RW_HINT: u32 = 1036;
const F_SET_FILE_RW_HINT: u32 = 1038;

const NAMESPACES: u32 = (libc::CLONE_NEWNS
    | libc::CLONE_NEWCGROUP
    | libc::CLONE_NEWUTS
    | libc::CLONE_NEWIPC
    | libc::CLONE_NEWUSER
    | libc::CLONE_NEWPID
    | libc::CLONE_NEWNET) as u32;

/// When a call is refused because of an argument.
enum Argument {
    Is(&'static [u32]),
    IsNot(&'static [u32]),
    HasBits(u32),
}

/// Kinds of sockets that an agent can create by itself, without the network and with it; pairs are created by another call,
/// which is not restricted here.
const SOCKETS: [Argument; 2] = [Argument::IsNot(&[]), Argument::IsNot(&[libc::AF_INET as u32, libc::AF_INET6 as u32])];

/// A call, the index of its argument, and the forbidden values. The kernel reads these arguments as 32 bits.
#[rustfmt::skip]
const REFUSED_FOR: &[(i64, u32, Argument)] = &[
    (libc::SYS_clone, 0, Argument::HasBits(NAMESPACES)),
    // F_SETLK, F_SETLKW, F_SETOWN, F_SETOWN_EX, the locks of open files, leases, notices, and the hints that a file keeps.
    (libc::SYS_fcntl, 1, Argument::Is(&[6, 7, 8, 15, 37, 38, 1024, 1026, F_SET_RW_HINT, F_SET_FILE_RW_HINT])),
    // TIOCSTI and TIOCLINUX inject keys into a terminal; FS_IOC_SETFLAGS, its older form of 32 bits and FS_IOC_FSSETXATTR
    // change what a file allows, FS_IOC_SETVERSION what it remembers.
    (libc::SYS_ioctl, 1, Argument::Is(&[0x5412, 0x541c, 0x4008_6602, 0x4004_6602, 0x401c_5820, 0x4008_7602, 0x4004_7602])),
    // RWF_NOWAIT tells which pages of a file are in memory.
    (libc::SYS_preadv2, 5, Argument::HasBits(libc::RWF_NOWAIT as u32)),
    // PR_SET_PDEATHSIG: it would outlive the arena. PR_SET_CHILD_SUBREAPER: its orphans would be counted as nobody's.
    (libc::SYS_prctl, 0, Argument::Is(&[1, 36])),
    // All processes at once.
    (libc::SYS_kill, 0, Argument::Is(&[u32::MAX])),
    // Limits of another process, which the kernel lets every process of the same user set, including the arena's.
    (libc::SYS_prlimit64, 0, Argument::HasBits(u32::MAX)),
];

/// Some runtimes ask for the default scheduling although they have it. Mono does so for every thread, and reports failures on
/// stdout. The call could target another process, so it is not carried out, but reported as successful.
const PRETENDED: (i64, u32, u32) = (libc::SYS_sched_setscheduler, 1, libc::SCHED_OTHER as u32);

/// The program, ready for the kernel; with the `network` it permits sockets that reach it.
pub(super) fn program(network: bool) -> Vec<sock_filter> {
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
    // A filter cannot see its arguments; libraries fall back on `clone`.
    program.extend([jump(BPF_JEQ, libc::SYS_clone3 as u32, 0, 1), refuse(libc::ENOSYS)]);
    for call in REFUSED.iter().chain(REFUSED_HERE) {
        program.extend([jump(BPF_JEQ, *call as u32, 0, 1), refuse(libc::EPERM)]);
    }
    let (call, argument, usual) = PRETENDED;
    program.extend([
        jump(BPF_JEQ, call as u32, 0, 4),
        load(FIRST_ARGUMENT + 8 * argument),
        jump(BPF_JEQ, usual, 0, 1),
        refuse(0),
        refuse(libc::EPERM),
    ]);
    let sockets = (libc::SYS_socket, 0, &SOCKETS[usize::from(network)]);
    let tests = REFUSED_FOR.iter().map(|(call, argument, test)| (*call, *argument, test));
    for (call, argument, test) in tests.chain([sockets]) {
        let mut tests = vec![load(FIRST_ARGUMENT + 8 * argument)];
        match test {
            Argument::HasBits(bits) => tests.extend([jump(BPF_JSET, *bits, 0, 1), refuse(libc::EPERM)]),
            Argument::Is(values) => {
                for value in *values {
                    tests.extend([jump(BPF_JEQ, *value, 0, 1), refuse(libc::EPERM)]);
                }
            }
            Argument::IsNot(values) => {
                for (number, value) in values.iter().enumerate() {
                    // Skips the remaining values and the refusal.
                    tests.push(jump(BPF_JEQ, *value, (values.len() - number) as u8, 0));
                }
                tests.push(refuse(libc::EPERM));
            }
        }
        tests.push(load(NUMBER));
        program.push(jump(BPF_JEQ, call as u32, 0, tests.len() as u8));
        program.extend(tests);
    }
    program.push(ret(libc::SECCOMP_RET_ALLOW));
    program
}

/// The program as bytes, to be loaded from a file.
pub(super) fn bytes(network: bool) -> Vec<u8> {
    let instruction = |filter: sock_filter| {
        let [a, b] = filter.code.to_ne_bytes();
        let [c, d, e, f] = filter.k.to_ne_bytes();
        [a, b, filter.jt, filter.jf, c, d, e, f]
    };
    program(network).into_iter().flat_map(instruction).collect()
}

/// Filters the calls of this process and all its descendants. Needs `no_new_privileges`.
pub(super) fn set(network: bool) -> Result<()> {
    let mut program = program(network);
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
        let program = program(network);
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
    fn the_calls_of_the_list_are_refused_and_others_are_not() {
        let refused = libc::SECCOMP_RET_ERRNO | libc::EPERM as u32;
        for (call, arguments, expected) in [
            (libc::SYS_read, [0; 6], libc::SECCOMP_RET_ALLOW),
            (libc::SYS_socketpair, [1, 1, 0, 0, 0, 0], libc::SECCOMP_RET_ALLOW),
            (libc::SYS_ptrace, [0; 6], refused),
            (libc::SYS_personality, [0; 6], refused),
            (libc::SYS_fchmodat, [0; 6], refused),
            (libc::SYS_utimensat, [0; 6], refused),
            (libc::SYS_fsetxattr, [0; 6], refused),
            (libc::SYS_getxattr, [0; 6], libc::SECCOMP_RET_ALLOW),
            (libc::SYS_inotify_init1, [0; 6], refused),
            (libc::SYS_preadv2, [0; 6], libc::SECCOMP_RET_ALLOW),
            (libc::SYS_preadv2, [0, 0, 0, 0, 0, 8], refused),
            (libc::SYS_fcntl, [0, u64::from(F_SET_RW_HINT), 0, 0, 0, 0], refused),
            (libc::SYS_ioctl, [0, 0x4008_6602, 0, 0, 0, 0], refused),
            (libc::SYS_clone, [0x11, 0, 0, 0, 0, 0], libc::SECCOMP_RET_ALLOW),
            (libc::SYS_clone, [u64::from(libc::CLONE_NEWUSER as u32), 0, 0, 0, 0, 0], refused),
            (libc::SYS_clone3, [0; 6], libc::SECCOMP_RET_ERRNO | libc::ENOSYS as u32),
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
}
