//! The system calls that agents may make: data for `filter`, with a reason for each group. What is not here is not permitted; a call
//! that a kernel gets one day is closed, too. They are those that the runtimes of `tests/runtimes` and the languages of
//! `agents/languages.toml` make in a game, and their like.

/// Calls that are allowed whatever their arguments.
#[rustfmt::skip]
pub(super) const ALLOWED: &[i64] = &[
    // Read and write what is open.
    libc::SYS_read, libc::SYS_readv, libc::SYS_pread64, libc::SYS_preadv, libc::SYS_write, libc::SYS_writev,
    libc::SYS_pwrite64, libc::SYS_pwritev, libc::SYS_lseek, libc::SYS_sendfile, libc::SYS_copy_file_range, libc::SYS_fsync,
    libc::SYS_fdatasync, libc::SYS_readahead, libc::SYS_close, libc::SYS_close_range, libc::SYS_dup,
    libc::SYS_dup3, libc::SYS_pipe2,
    // Find and open files, as far as Landlock and the view of the tree let them.
    libc::SYS_openat, libc::SYS_openat2, libc::SYS_newfstatat, libc::SYS_fstat, libc::SYS_statx, libc::SYS_statfs,
    libc::SYS_fstatfs, libc::SYS_faccessat, libc::SYS_faccessat2, libc::SYS_readlinkat, libc::SYS_getdents64,
    libc::SYS_getcwd, libc::SYS_chdir, libc::SYS_fchdir, libc::SYS_umask,
    // Make and remove files in the folders of their own that `strict` gives.
    libc::SYS_mkdirat, libc::SYS_unlinkat, libc::SYS_renameat2, libc::SYS_linkat, libc::SYS_symlinkat, libc::SYS_truncate,
    libc::SYS_ftruncate, libc::SYS_fallocate,
    // Memory of their own.
    libc::SYS_brk, libc::SYS_mmap, libc::SYS_munmap, libc::SYS_mprotect, libc::SYS_mremap,
    libc::SYS_msync, libc::SYS_mlock, libc::SYS_munlock, libc::SYS_membarrier,
    // Threads and processes of their own.
    libc::SYS_execve, libc::SYS_exit, libc::SYS_exit_group, libc::SYS_wait4, libc::SYS_waitid, libc::SYS_tgkill,
    libc::SYS_getpid, libc::SYS_getppid, libc::SYS_gettid, libc::SYS_getpgid, libc::SYS_setpgid, libc::SYS_getsid,
    libc::SYS_setsid, libc::SYS_set_tid_address, libc::SYS_set_robust_list, libc::SYS_get_robust_list, libc::SYS_futex,
    libc::SYS_rseq, libc::SYS_getrlimit, libc::SYS_setrlimit, libc::SYS_getrusage, libc::SYS_times,
    // Who they are.
    libc::SYS_getuid, libc::SYS_geteuid, libc::SYS_getgid, libc::SYS_getegid, libc::SYS_getresuid, libc::SYS_getresgid,
    libc::SYS_getgroups, libc::SYS_capget, libc::SYS_uname, libc::SYS_sysinfo,
    // Signals.
    libc::SYS_rt_sigaction, libc::SYS_rt_sigprocmask, libc::SYS_rt_sigreturn, libc::SYS_rt_sigpending,
    libc::SYS_rt_sigtimedwait, libc::SYS_rt_sigsuspend, libc::SYS_sigaltstack, libc::SYS_signalfd4,
    libc::SYS_restart_syscall,
    // Time.
    libc::SYS_clock_gettime, libc::SYS_clock_getres, libc::SYS_clock_nanosleep, libc::SYS_nanosleep, libc::SYS_gettimeofday,
    libc::SYS_getitimer, libc::SYS_setitimer, libc::SYS_timer_create, libc::SYS_timer_settime, libc::SYS_timer_gettime,
    libc::SYS_timer_getoverrun, libc::SYS_timer_delete, libc::SYS_timerfd_create, libc::SYS_timerfd_settime,
    libc::SYS_timerfd_gettime,
    // The processor, without a change of their share.
    libc::SYS_sched_yield, libc::SYS_sched_getaffinity, libc::SYS_sched_getscheduler, libc::SYS_sched_getparam,
    libc::SYS_sched_get_priority_min, libc::SYS_sched_get_priority_max, libc::SYS_sched_rr_get_interval,
    libc::SYS_getpriority, libc::SYS_getcpu,
    // Wait for several things.
    libc::SYS_ppoll, libc::SYS_pselect6, libc::SYS_epoll_create1, libc::SYS_epoll_ctl, libc::SYS_epoll_pwait,
    libc::SYS_epoll_pwait2, libc::SYS_eventfd2,
    // Pairs of sockets, and sockets that they may have.
    libc::SYS_socketpair, libc::SYS_bind, libc::SYS_connect, libc::SYS_listen, libc::SYS_accept, libc::SYS_accept4,
    libc::SYS_sendto, libc::SYS_recvfrom, libc::SYS_sendmsg, libc::SYS_recvmsg, libc::SYS_sendmmsg, libc::SYS_recvmmsg,
    libc::SYS_shutdown, libc::SYS_getsockname, libc::SYS_getpeername, libc::SYS_setsockopt, libc::SYS_getsockopt,
    // Chance.
    libc::SYS_getrandom,
    // Give up rights.
    libc::SYS_landlock_create_ruleset, libc::SYS_landlock_add_rule, libc::SYS_landlock_restrict_self,
];

/// Their older forms, which only this architecture has.
#[cfg(target_arch = "x86_64")]
#[rustfmt::skip]
pub(super) const ALLOWED_HERE: &[i64] = &[
    libc::SYS_dup2, libc::SYS_pipe,
    libc::SYS_open, libc::SYS_creat, libc::SYS_stat, libc::SYS_lstat, libc::SYS_access, libc::SYS_readlink,
    libc::SYS_getdents,
    libc::SYS_mkdir, libc::SYS_rmdir, libc::SYS_unlink, libc::SYS_rename, libc::SYS_renameat, libc::SYS_link,
    libc::SYS_symlink,
    libc::SYS_fork, libc::SYS_vfork, libc::SYS_getpgrp, libc::SYS_arch_prctl,
    libc::SYS_pause, libc::SYS_signalfd,
    libc::SYS_time, libc::SYS_alarm,
    libc::SYS_poll, libc::SYS_select, libc::SYS_epoll_create, libc::SYS_epoll_wait, libc::SYS_eventfd,
];
#[cfg(not(target_arch = "x86_64"))]
pub(super) const ALLOWED_HERE: &[i64] = &[];

/// Calls that a build may make besides: it sets rights and times of files in its own folder, and locks them.
#[rustfmt::skip]
pub(super) const ALLOWED_IN_BUILDS: &[i64] = &[
    libc::SYS_fchmod, libc::SYS_fchmodat, libc::SYS_utimensat, libc::SYS_flock,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_chmod,
];

/// Locks of parts of files: F_GETLK, F_SETLK, F_SETLKW, and the same of open files.
pub(super) const LOCKS: (i64, u32, &[u32]) = (libc::SYS_fcntl, 1, &[5, 6, 7, 36, 37, 38]);

/// When a call is allowed because of an argument, which the kernel reads as 32 bits.
pub(super) enum Argument {
    Is(&'static [u32]),
    IsNot(u32),
    LacksBits(u32),
}

const NAMESPACES: u32 = (libc::CLONE_NEWNS
    | libc::CLONE_NEWCGROUP
    | libc::CLONE_NEWUTS
    | libc::CLONE_NEWIPC
    | libc::CLONE_NEWUSER
    | libc::CLONE_NEWPID
    | libc::CLONE_NEWNET) as u32;

const PR_SET_VMA: u32 = 0x5356_4d41;

/// Calls with harmless and harmful uses: the call, the index of the argument that distinguishes them, and the harmless values.
#[rustfmt::skip]
pub(super) const ALLOWED_FOR: &[(i64, u32, Argument)] = &[
    (libc::SYS_clone, 0, Argument::LacksBits(NAMESPACES)),
    // Large pages are a store of the whole machine.
    (libc::SYS_mmap, 3, Argument::LacksBits(libc::MAP_HUGETLB as u32)),
    // Advice on what is going to be read; not DONTNEED, which takes a file out of memory, for all to notice.
    (libc::SYS_fadvise64, 3, Argument::Is(&[0, 1, 2, 3, 5])),
    // Advice on memory: NORMAL to DONTNEED, FREE, DONTFORK, DOFORK, HUGEPAGE, NOHUGEPAGE, DONTDUMP to KEEPONFORK, POPULATE_READ,
    // POPULATE_WRITE, COLLAPSE; not MERGEABLE, COLD and PAGEOUT, which change what others share.
    (libc::SYS_madvise, 2, Argument::Is(&[0, 1, 2, 3, 4, 8, 10, 11, 14, 15, 16, 17, 18, 19, 22, 23, 25])),
    // F_DUPFD, F_GETFD, F_SETFD, F_GETFL, F_SETFL, F_DUPFD_CLOEXEC, F_GETPIPE_SZ: no locks, leases, notices, owners and hints.
    (libc::SYS_fcntl, 1, Argument::Is(&[0, 1, 2, 3, 4, 1030, 1032])),
    // TCGETS and TCGETS2, which fail unless the file is a terminal; TIOCGPGRP, TIOCGWINSZ, FIONREAD, FIONBIO, FIONCLEX, FIOCLEX.
    (libc::SYS_ioctl, 1, Argument::Is(&[0x5401, 0x802c_542a, 0x540f, 0x5413, 0x541b, 0x5421, 0x5450, 0x5451])),
    // What a process says of itself. Not PR_SET_PDEATHSIG: it would outlive the arena; not PR_SET_CHILD_SUBREAPER: its orphans
    // would be counted as nobody's.
    (libc::SYS_prctl, 0, Argument::Is(&[
        libc::PR_GET_PDEATHSIG as u32, libc::PR_GET_DUMPABLE as u32, libc::PR_SET_DUMPABLE as u32, libc::PR_SET_NAME as u32,
        libc::PR_GET_NAME as u32, libc::PR_GET_SECCOMP as u32, libc::PR_CAPBSET_READ as u32, libc::PR_GET_TIMERSLACK as u32,
        libc::PR_SET_NO_NEW_PRIVS as u32, libc::PR_GET_NO_NEW_PRIVS as u32, libc::PR_SET_THP_DISABLE as u32,
        libc::PR_GET_THP_DISABLE as u32, PR_SET_VMA,
    ])),
    // Not all processes at once.
    (libc::SYS_kill, 0, Argument::IsNot(u32::MAX)),
    // Not the limits of another process, which the kernel lets every process of the same user set, including the arena's.
    (libc::SYS_prlimit64, 0, Argument::Is(&[0])),
];

/// Kinds of sockets that an agent can make by itself, without the network and with it; pairs are made by another call.
pub(super) const SOCKETS: [Argument; 2] =
    [Argument::Is(&[]), Argument::Is(&[libc::AF_INET as u32, libc::AF_INET6 as u32])];

/// Calls that are said not to be there, since libraries then take another way, as on an older kernel: a filter cannot see what
/// `clone3` is to do, and the others are closed.
#[rustfmt::skip]
pub(super) const MISSING: &[i64] = &[
    libc::SYS_clone3, libc::SYS_memfd_create, libc::SYS_pkey_alloc, libc::SYS_pidfd_open, libc::SYS_mbind, libc::SYS_get_mempolicy,
    libc::SYS_set_mempolicy, libc::SYS_preadv2, libc::SYS_pwritev2, libc::SYS_execveat,
];

/// The newest call of which this file has been thought; newer ones are said not to be there. Numbers from 424 on are the same on every
/// architecture.
pub(super) const NEWEST: u32 = 462;
