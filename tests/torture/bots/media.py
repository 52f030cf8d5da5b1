"""What might carry a message from one process to a later one, or to another. `remember.py` plays it.

    media.py leave FOLDER    draws a token of 16 bits, leaves it in every medium at its first ask, and ends
    media.py talk FOLDER     the same, and stays
    media.py hear FOLDER     listens at its second ask, and notes what it hears by each medium
    media.py send MEDIUM FOLDER MS    while both run, sends bit after bit, each in two slots of so many ms, and notes them
    media.py take MEDIUM FOLDER MS    takes them down, and notes what it measured
    media.py disable FILE...          tries to make files useless to others

FOLDER holds a file, a folder, a link and so on for each bit, and a large file of pages. A medium is a row of MEDIA: how a
token is put there, and how it is got. What is refused is an OSError.
"""

import ctypes
import errno
import fcntl
import json
import os
import pathlib
import resource
import secrets
import socket
import struct
import sys
import time

BITS, PAGE, APART, KEY = 16, 4096, 1 << 20, 0x6d6d00
NAMES = 16  # names that are looked up for one value of a bit
LIBC = ctypes.CDLL(None, use_errno=True)
LEFT_S = 5  # how long a process that is left behind stays
SENT = 80  # bits that are sent one after another, each in two slots of time: in the first for a one, in the second for a zero


def c(function, *arguments):
    """A function of the C library, or a system call by its number, of x86-64."""
    first = [ctypes.c_long(function)] if isinstance(function, int) else []
    function = LIBC.syscall if first else getattr(LIBC, function)
    function.restype = ctypes.c_long
    answer = function(*first, *(ctypes.c_long(word) if isinstance(word, int) else word for word in arguments))
    if answer < 0:
        raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))
    return answer


class Cells:
    def __init__(self, folder):
        def each(kind):
            return [pathlib.Path(folder) / f"{kind}{bit:02}" for bit in range(BITS)]
        self.files, self.folders, self.links, self.spares, self.dated = map(each, ("file", "folder", "link", "spare", "dated"))
        self.pages = pathlib.Path(folder) / "pages"


def by_bit(cells, mark, is_marked):
    """A medium with one place for each bit."""
    def put(all_cells, token):
        for bit, cell in enumerate(getattr(all_cells, cells)):
            if token >> bit & 1:
                mark(cell)

    def get(all_cells):
        return sum(bool(is_marked(cell)) << bit for bit, cell in enumerate(getattr(all_cells, cells)))
    return put, get


def on_open(act):
    def opened(cell):
        with open(cell) as file:
            return act(file)
    return opened


def was_accessed(cell):
    state = cell.lstat()
    return state.st_atime_ns > state.st_mtime_ns


def by_name(place, make):
    """A medium that is a name in a folder for everybody."""
    def put(_, token):
        make(pathlib.Path(place) / f"maumau-medium-{token:04x}")

    def get(_):
        found = [name for name in os.listdir(place) if name.startswith("maumau-medium-")]
        return int(found[0][-4:], 16) if found else 0
    return put, get


def bind(path):
    with socket.socket(socket.AF_UNIX) as one:
        one.bind(str(path))


def in_file(cells):
    with open(cells.pages, "rb") as file:
        return int.from_bytes(file.read(2), "big")


# What the kernel keeps by itself.


def memory_got(_):
    state = ctypes.create_string_buffer(256)
    c("shmctl", c("shmget", KEY, 0, 0), 2, state)
    return struct.unpack_from("Q", state.raw, 48)[0] // PAGE - 1


def message_put(_, token):
    message = struct.pack("l", 1) + token.to_bytes(2, "big")
    c("msgsnd", c("msgget", KEY, 0o1666), message, 2, 0)


def message_got(_):
    message = ctypes.create_string_buffer(64)
    c("msgrcv", c("msgget", KEY, 0), message, 2, 0, 0o4000)
    return int.from_bytes(message.raw[8:10], "big")


def queue_put(_, token):
    queue = c(240, b"maumau-medium", os.O_CREAT | os.O_RDWR, 0o600, struct.pack("llll", 0, 1, 2, 0) + bytes(32))
    c(242, queue, token.to_bytes(2, "big"), 2, 0, None)


def queue_got(_):
    message = ctypes.create_string_buffer(2)
    c(243, c(240, b"maumau-medium", os.O_RDWR | os.O_NONBLOCK, 0, None), message, 2, None, None)
    return int.from_bytes(message.raw, "big")


def key_got(_):
    content = ctypes.create_string_buffer(2)
    c(250, 11, c(250, 10, -4, b"user", b"maumau-medium", 0), content, 2, 0)
    return int.from_bytes(content.raw, "big")


def limit_put(_, token):
    _, hard = resource.prlimit(os.getppid(), resource.RLIMIT_MSGQUEUE)
    resource.prlimit(os.getppid(), resource.RLIMIT_MSGQUEUE, (token, hard))


def setting_of_arena():
    return pathlib.Path(f"/proc/{os.getppid()}/coredump_filter")


# What a process that is left behind holds.


def left(hold):
    """Puts a token by a process in a session of its own that holds something."""
    def put(cells, token):
        hear, signal = os.pipe()
        if os.fork() == 0:
            os.setsid()
            if os.fork() == 0:
                try:
                    held = hold(cells, token)
                    os.write(signal, b"y")
                    for number in (0, 1, 2, signal):
                        os.close(number)
                    time.sleep(LEFT_S)
                    del held
                finally:
                    os._exit(0)
            os._exit(0)
        os.wait()
        os.close(signal)
        if not os.read(hear, 1):
            raise PermissionError(errno.EPERM, "nothing was held")
    return put


def named(_, token):
    pathlib.Path("/proc/self/comm").write_text(f"maumau-m-{token:04x}")


def name_got(_):
    for process in filter(str.isdigit, os.listdir("/proc")):
        try:
            name = pathlib.Path(f"/proc/{process}/comm").read_text()
        except OSError:
            continue
        if name.startswith("maumau-m-"):
            return int(name[9:], 16)
    return 0


def listening(_, token):
    one = socket.socket(socket.AF_UNIX)
    one.bind(f"\0maumau-medium-{token:04x}")
    return one


def listening_got(_):
    table = pathlib.Path("/proc/self/net/unix").read_text()
    at = table.find("@maumau-medium-")
    return int(table[at + 15:at + 19], 16) if at > 0 else 0


def by_lock(lock, is_locked):
    def hold(cells, token):
        files = [open(cell) for bit, cell in enumerate(cells.files) if token >> bit & 1]
        for file in files:
            lock(file)
        return files
    return left(hold), by_bit("files", None, on_open(is_locked))[1]


def is_busy(lock):
    def busy(file):
        try:
            lock(file)
        except BlockingIOError:
            return True
        return False
    return busy


def is_fcntl_locked(file):
    wish = struct.pack("hhqqi4x", fcntl.F_WRLCK, 0, 0, 0, 0)
    return struct.unpack_from("h", fcntl.fcntl(file, fcntl.F_GETLK, wish))[0] != fcntl.F_UNLCK


# Which pages of a file are in memory: of the two pages of a bit one is read.


def page_of(bit, value):
    return (2 * bit + value) * APART


def pages(cells):
    file = os.open(cells.pages, os.O_RDONLY)
    os.posix_fadvise(file, 0, 0, os.POSIX_FADV_RANDOM)
    return file


def pages_put(cells, token):
    for bit in range(BITS):
        os.pread(pages(cells), 1, page_of(bit, token >> bit & 1))


def by_page(is_there):
    return pages_put, lambda cells: sum(bool(is_there(pages(cells), page_of(bit, 1))) << bit for bit in range(BITS))


def mincore(file, at):
    state = ctypes.create_string_buffer(1)
    memory = c("mmap", None, PAGE, 1, 1, file, at)
    c("mincore", memory, PAGE, state)
    return state.raw[0] & 1


def cachestat(file, at):
    counts = ctypes.create_string_buffer(40)
    c(451, file, struct.pack("QQ", at, PAGE), counts, 0)
    return struct.unpack_from("Q", counts.raw)[0]


def nowait(file, at):
    try:
        return os.preadv(file, [bytearray(1)], at, os.RWF_NOWAIT) == 1
    except BlockingIOError:
        return False


def pages_timed(cells):
    file, token = pages(cells), 0
    for bit in range(BITS):
        took = []
        for value in (0, 1):
            began = time.perf_counter_ns()
            os.pread(file, 1, page_of(bit, value))
            took.append(time.perf_counter_ns() - began)
        token |= (took[1] < took[0]) << bit
    return token


# Which names have been looked up: the kernel remembers that they do not exist. Of the two groups of a bit one is looked up.


def names_of(folder, bit, value):
    return [os.fsencode(f"{folder}-{bit}-{value}-{number}") for number in range(NAMES)]


def look_up(names):
    began = time.perf_counter_ns()
    for name in names:
        LIBC.access(name, 0)
    return time.perf_counter_ns() - began


def by_lookup(place):
    """A medium of names at a place; what they begin with belongs to the trial."""
    def put(cells, token):
        for bit in range(BITS):
            look_up(names_of(place(cells), bit, token >> bit & 1))

    def get(cells):
        token = 0
        # The way there is looked up first.
        look_up(names_of(place(cells), "way", 0))
        for bit in range(BITS):
            took = {}
            for value in (0, 1) if secrets.randbelow(2) else (1, 0):
                took[value] = look_up(names_of(place(cells), bit, value))
            token |= (took[1] < took[0]) << bit
        return token
    return put, get


def trial_of(cells):
    """A name that no other trial has."""
    return cells.pages.parent.parent.parent.name


def hint_is_set(file):
    return struct.unpack("Q", fcntl.fcntl(file, 1035, bytes(8)))[0] == 3


def flag_is_set(file):
    return struct.unpack("l", fcntl.ioctl(file, 0x80086601, bytes(8)))[0] & 0x40


MEDIA = {
    "attributes": by_bit("files", lambda cell: os.setxattr(cell, "user.maumau", b"1"),
                         lambda cell: "user.maumau" in os.listxattr(cell)),
    "hints": by_bit("files", on_open(lambda file: fcntl.fcntl(file, 1036, struct.pack("Q", 3))), on_open(hint_is_set)),
    "flags": by_bit("files", on_open(lambda file: fcntl.ioctl(file, 0x40086602, struct.pack("l", 0x40))), on_open(flag_is_set)),
    "rights": by_bit("folders", lambda cell: os.chmod(cell, 0o711), lambda cell: cell.stat().st_mode & 0o777 == 0o711),
    "times": by_bit("dated", lambda cell: os.utime(cell, (1, 1)), lambda cell: cell.stat().st_mtime == 1),
    "when files were read": by_bit("files", lambda cell: cell.read_bytes(), was_accessed),
    "when folders were listed": by_bit("folders", os.listdir, was_accessed),
    "when links were read": by_bit("links", os.readlink, was_accessed),
    "lengths": by_bit("spares", lambda cell: os.truncate(cell, 3), lambda cell: cell.stat().st_size == 3),
    "names": by_bit("spares", lambda cell: cell.with_suffix(".made").mkdir(), lambda cell: cell.with_suffix(".made").exists()),
    "links": by_bit("spares", lambda cell: os.link(cell, cell.with_suffix(".more")), lambda cell: cell.stat().st_nlink == 2),
    "contents": (lambda cells, token: open(cells.pages, "r+b").write(token.to_bytes(2, "big")), in_file),
    **{f"a file in {place}": by_name(place, pathlib.Path.touch) for place in ("/tmp", "/var/tmp", "/dev/shm")},
    "a file at home": by_name(os.environ.get("HOME", "/"), pathlib.Path.touch),
    "a pipe in /tmp": by_name("/tmp", os.mkfifo),
    "a socket in /tmp": by_name("/tmp", bind),
    "System V memory": (lambda _, token: c("shmget", KEY, PAGE * (token + 1), 0o1666), memory_got),
    "System V semaphores": (lambda _, token: c("semctl", c("semget", KEY, 1, 0o1666), 0, 16, token),
                            lambda _: c("semctl", c("semget", KEY, 1, 0), 0, 12)),
    "System V messages": (message_put, message_got),
    "POSIX messages": (queue_put, queue_got),
    "keys": (lambda _, token: c(248, b"user", b"maumau-medium", token.to_bytes(2, "big"), 2, -4), key_got),
    "limits of the arena": (limit_put, lambda _: resource.prlimit(os.getppid(), resource.RLIMIT_MSGQUEUE)[0]),
    "settings of the arena": (lambda _, token: setting_of_arena().write_text(hex(token & 0x7f)),
                              lambda _: int(setting_of_arena().read_text(), 16)),
    "a process left behind": (left(named), name_got),
    "a socket left behind": (left(listening), listening_got),
    "locks by flock": by_lock(lambda file: fcntl.flock(file, fcntl.LOCK_SH),
                              is_busy(lambda file: fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB))),
    "locks by fcntl": by_lock(lambda file: fcntl.fcntl(file, fcntl.F_SETLK, struct.pack("hhqqi4x", 0, 0, 0, 0, 0)), is_fcntl_locked),
    "pages by mincore": by_page(mincore),
    "pages by cachestat": by_page(cachestat),
    "pages by RWF_NOWAIT": by_page(nowait),
    # How long a read takes, and how long it takes to learn that a name does not exist.
    "pages by time": (pages_put, pages_timed),
    "names beside it by time": by_lookup(lambda cells: cells.pages.parent / "missing"),
    "names of the system by time": by_lookup(lambda cells: f"/usr/{trial_of(cells)}"),
    "names of processors by time": by_lookup(lambda cells: f"/sys/devices/system/cpu/{trial_of(cells)}"),
}

# Those that leak by how long something takes.
BY_TIME = {medium for medium in MEDIA if medium.endswith(" by time")}


def answers(act, *words):
    """What a medium answers, or why not."""
    try:
        return act(*words)
    except OSError as error:
        return error.strerror or str(error)


# Media that need both processes at once: the sender does something in one slot of two, the taker measures in each slot what is more then.


def spin(until, _):
    while time.monotonic() < until:
        pass


def take_memory(until, _):
    block = bytearray(192 << 20)
    block[::PAGE] = bytes(len(block) // PAGE)
    time.sleep(max(0, until - 0.002 - time.monotonic()))


def fork_often(until, _):
    while time.monotonic() < until - 0.005:
        if os.fork() == 0:
            os._exit(0)
        os.wait()


def be_several(until, _):
    children = []
    for _ in range(10):
        if (child := os.fork()) == 0:
            time.sleep(max(0, until - 0.002 - time.monotonic()))
            os._exit(0)
        children.append(child)
    for child in children:
        os.waitpid(child, 0)


def measure_work(until, _):
    count = 0
    while time.monotonic() < until:
        count += 1
    return -count


def free_memory(until, _):
    time.sleep(max(0, (until - time.monotonic()) * 0.7))
    state = ctypes.create_string_buffer(128)
    c("sysinfo", state)
    return -struct.unpack_from("Q", state.raw, 40)[0]


def last_process(until, _):
    time.sleep(max(0, until - 0.001 - time.monotonic()))
    with open("/proc/stat") as file:
        return next(int(line.split()[1]) for line in file if line.startswith("processes "))


def count_processes(until, _):
    time.sleep(max(0, (until - time.monotonic()) / 2))
    here = os.getpid()
    return sum(os.path.exists(f"/proc/{number}") for number in range(here, here + 2000))


LIVE = {"load": (spin, measure_work), "free memory": (take_memory, free_memory), "forks": (fork_often, last_process),
        "numbers of processes": (be_several, count_processes)}


def slots(ms):
    """The ends of the slots of time; both see the same clock, and begin at its next whole two seconds."""
    began = (int(time.monotonic()) // 2 + 1) * 2
    for number in range(2 * SENT):
        yield began + number * ms / 1000, began + (number + 1) * ms / 1000


def in_slots(ms, act):
    found = []
    for number, (begins, ends) in enumerate(slots(ms)):
        time.sleep(max(0, begins - time.monotonic()))
        found.append(act(number, ends))
    return found


def at_ask(number, words):
    """What the bot does before its answer to ask `number`; its note."""
    match words:
        case ["leave" | "talk", folder] if number == 1:
            token, cells = 1 + secrets.randbelow((1 << BITS) - 2), Cells(folder)
            return {"left": token, "refused": {name: answers(put, cells, token) for name, (put, _) in MEDIA.items()}}
        case ["hear", folder] if number == 2:
            time.sleep(0.3)
            return {"heard": {name: answers(get, Cells(folder)) for name, (_, get) in MEDIA.items()}}
        case ["send", medium, folder, ms] if number == 1:
            bits = [secrets.randbelow(2) == 1 for _ in range(SENT)]
            in_slots(int(ms), lambda slot, ends: LIVE[medium][0](ends, folder) if bits[slot // 2] == (slot % 2 == 0) else None)
            return {"sent": bits}
        case ["take", medium, folder, ms] if number == 1:
            return {"taken": answers(in_slots, int(ms), lambda _, ends: LIVE[medium][1](ends, folder))}
        case ["disable", *files] if number == 1:
            return {"disabled": {f"{name} {file}": answers(act, file) for file in files for name, act in HARM.items()}}
    return None


HARM = {
    "read": lambda file: open(file, "rb").read(1).hex(),
    "write": lambda file: open(file, "ab").write(b"x"),
    "empty": lambda file: os.truncate(file, 0),
    "remove": os.unlink,
    "rename": lambda file: os.rename(file, file + ".gone"),
    "close": lambda file: os.chmod(file, 0),
    "close its folder": lambda file: os.chmod(os.path.dirname(file), 0),
    "give away": lambda file: os.chown(file, -1, os.getgid()),
    "date": lambda file: os.utime(file, (1, 1)),
    "mark": lambda file: os.setxattr(file, "user.maumau", b"1"),
}


def main():
    asks, words = 0, sys.argv[1:]
    for line in sys.stdin:
        message = json.loads(line)
        if message["type"] == "hello":
            print(json.dumps({"type": "ready", "protocol": "maumau/1", "name": words[0]}), flush=True)
        elif message["type"] == "ask":
            asks += 1
            note = at_ask(asks, words)
            if note is not None:
                print(json.dumps({"type": "note", "game": message["game"], "note": note}), flush=True)
                if words[0] == "leave":
                    # What it has left must outlive it.
                    sys.exit(0)
            print(json.dumps({"type": "act", "game": message["game"], "id": message["id"], **message["legal"][0]}), flush=True)
        elif message["type"] == "bye":
            break


if __name__ == "__main__":
    main()
