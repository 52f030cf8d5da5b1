#!/usr/bin/env python3
"""Sends hostile archives and requests to a club, which must refuse them and go on.

    tests/club/archives.py [MAUMAU] [--only TEXT]

MAUMAU is the program, target/release/maumau by default; TEXT is part of the names of the kinds that are tried. Each kind of `kinds` is
an archive with what is expected: it is refused; it is the same version as the tar file of its plain files; it is taken, with plain
files alone; or, where programs differ, either of two. Whatever comes of it: the answer comes within two seconds after the last byte, in
the best of three attempts; a refusal is 413 or 422 and says in a sentence what is wrong, without a path of the server; the server's
memory grows by at most 64 MiB over that of an idle one; nothing is written outside of the club's folder, and nothing stays in it that no
version has. Then members and strangers are hostile over HTTP (`manners`). The last line
is `N passed, N failed`.
"""

import argparse
import bz2
import gzip
import http.client
import io
import json
import lzma
import os
import pathlib
import re
import select
import socket
import struct
import sys
import tempfile
import threading
import time
import urllib.parse
import zipfile
import zlib

import served
from served import KIT, Answer, ServedClub, forget_peak, packed, python_bot, resident_kib

sys.path.insert(0, str(served.TOP / "tests"))
from checks import Checks  # noqa: E402
from processes import left_after  # noqa: E402

MIB = 1 << 20
UPLOAD_MIB = 32
ANSWERED_WITHIN_S = 2.0
MAX_GROWTH_KIB = 64 * 1024
# Beyond this a club that has given back most of what it took is not idle.
KEPT_KIB = 8 * 1024
GONE_WITHIN_S = 40.0

REFUSED, SAME, EITHER, TAKEN, ANY = "refused", "the same version", "refused or the same version", "taken", "refused or taken"
PLAIN = {"bot.toml": b'run = "python3 bot.py"\n', "bot.py": served.BOT.format("plain").encode(), "maumau_kit.py": KIT}


# Tar files, header by header.

def head(name, size=0, kind=b"0", link=b"", checksum=None, size_field=None):
    """A header; `size_field` and `checksum` replace what would be right."""
    size_field = f"{size:011o}".encode() + b"\0" if size_field is None else size_field
    fields = [name[:100].ljust(100, b"\0"), b"0000644\0", b"0000000\0", b"0000000\0", size_field, b"00000000000\0", b" " * 8, kind,
              link[:100].ljust(100, b"\0"), b"ustar\x0000", bytes(64), b"0000000\0", b"0000000\0"]
    block = bytearray(b"".join(fields).ljust(512, b"\0"))
    block[148:156] = f"{sum(block) if checksum is None else checksum:06o}".encode() + b"\0 "
    return bytes(block)


def entry(name, data=b"", kind=b"0", **more):
    name = name if isinstance(name, bytes) else name.encode()
    return head(name, len(data), kind, **more) + data + bytes(-len(data) % 512)


END = bytes(1024)
FILES = b"".join(entry(name, data) for name, data in PLAIN.items())


def tar(*entries):
    """The plain files and these entries."""
    return FILES + b"".join(entries) + END


def long_name(name):
    """A file whose name is said by an entry of GNU tar."""
    return entry("././@LongLink", name + b"\0", b"L") + entry(name[:99], b"x")


def pax(records, kind=b"x", name="evil", data=b"x", **more):
    """A file with these records of pax before it."""
    lines = b""
    for key, value in records.items():
        value = value if isinstance(value, bytes) else value.encode()
        rest = b" " + key.encode() + b"=" + value + b"\n"
        length = len(rest) + 1
        while length != len(str(length)) + len(rest):
            length = len(str(length)) + len(rest)
        lines += str(length).encode() + rest
    return entry("pax", lines, kind) + entry(name, data, **more)


def of_toml(text, **more):
    """Plain files with this bot.toml."""
    return packed(PLAIN | {"bot.toml": text if isinstance(text, bytes) else text.encode()} | more)


def bomb(bytes_of_zeros):
    """A compressed tar file with one file of so many zeros."""
    out = io.BytesIO()
    with gzip.GzipFile(fileobj=out, mode="wb", compresslevel=6, mtime=0) as pressed:
        pressed.write(FILES + head(b"zeros", bytes_of_zeros))
        for _ in range(bytes_of_zeros // MIB):
            pressed.write(bytes(MIB))
        pressed.write(END)
    return out.getvalue()


def tar_kinds(outside):
    up, out = b"../" * 12 + os.fsencode(outside)[1:] + b"/evil", os.fsencode(outside) + b"/evil"
    yield "tar: a name with ..", tar(entry("../evil", b"x")), REFUSED, "name"
    yield "tar: .. in the middle", tar(entry("a/../../evil", b"x")), REFUSED, "name"
    yield "tar: .. up to the root and down again", tar(long_name(up)), REFUSED, "name"
    yield "tar: an absolute name", tar(entry(out, b"x") if len(out) < 100 else long_name(out)), REFUSED, "name"
    yield "tar: an absolute name with two slashes", tar(long_name(b"/" + out)), REFUSED, "name"
    yield "tar: the name ..", tar(entry("..", b"x")), REFUSED, "name"
    yield "tar: the name a/..", tar(entry("a/..", b"x")), REFUSED, "name"
    yield "tar: no name", tar(entry("", b"x")), ANY, ""
    yield "tar: the name .", tar(entry(".", b"x")), ANY, ""
    yield "tar: a drive", tar(entry("C:evil", b"x")), REFUSED, "name"
    yield "tar: a drive with a backslash", tar(entry("C:\\evil", b"x")), REFUSED, "name"
    yield "tar: backslashes", tar(entry("..\\..\\evil", b"x")), REFUSED, "name"
    yield "tar: a host with backslashes", tar(entry("\\\\host\\share\\evil", b"x")), REFUSED, "name"
    yield "tar: NUL in a name of pax", tar(pax({"path": b"ev\0il"})), REFUSED, "name|damaged"
    yield "tar: a new line in a name", tar(entry("a\nb", b"x")), REFUSED, "name"
    yield "tar: a name that steers the terminal", tar(entry("\x1b[2Jevil", b"x")), REFUSED, "name"
    yield "tar: DEL in a name", tar(entry("a\x7fb", b"x")), REFUSED, "name"
    yield "tar: a name that is not UTF-8", tar(entry(b"caf\xe9", b"x")), REFUSED, "Unicode|UTF-8"
    yield "tar: a symbolic link", tar(entry("link", kind=b"2", link=b"/etc/passwd")), REFUSED, "link.*no plain file"
    yield "tar: a file behind a symbolic link", tar(entry("d", kind=b"2", link=os.fsencode(outside)), entry("d/evil", b"x")), REFUSED, "no plain file"
    yield "tar: a hard link", tar(entry("link", kind=b"1", link=b"/etc/passwd")), REFUSED, "no plain file"
    yield "tar: a hard link to the club", tar(entry("link", kind=b"1", link=b"../../club.db")), REFUSED, "no plain file"
    yield "tar: a character device", tar(entry("device", kind=b"3")), REFUSED, "no plain file"
    yield "tar: a block device", tar(entry("device", kind=b"4")), REFUSED, "no plain file"
    yield "tar: a fifo", tar(entry("fifo", kind=b"6")), REFUSED, "no plain file"
    yield "tar: an unknown type", tar(entry("odd", b"x", b"Z")), REFUSED, "no plain file"
    yield "tar: one name twice", tar(entry("bot.py", b"x")), REFUSED, "bot.py.*twice"
    yield "tar: twins of upper and lower case", tar(entry("BOT.py", b"x")), REFUSED, "twice"
    yield "tar: twins of NFC and NFD", tar(entry("caf\u00e9", b"1"), entry("cafe\u0301", b"2")), REFUSED, "twice"
    yield "tar: a name that turns its direction", tar(entry("a\u202eyp.evil", b"x")), REFUSED, "name"
    yield "tar: a name with what is not seen", tar(entry("a\u200bb", b"x")), REFUSED, "name"
    yield "tar: a name over 255 bytes", tar(long_name(b"a" * 256)), REFUSED, "too long"
    yield "tar: 17 folders deep", tar(long_name(b"a/" * 17 + b"b")), REFUSED, "too deep"
    yield "tar: a file, and the same as a folder", tar(entry("a", b"x"), entry("a/b", b"x")), REFUSED, "a/b|folder"
    yield "tar: a folder, and the same as a file", tar(entry("a/b", b"x"), entry("a", b"x")), REFUSED, "\\ba\\b|folder"
    yield "tar: 1,001 files", lambda: packed(PLAIN | {f"f{at}": b"" for at in range(998)}), REFUSED, "1000"
    yield "tar: 60,000 empty files", lambda: tar(*(entry(f"{at}") for at in range(60_000))), REFUSED, "files|entries"
    yield "tar: a million empty files", lambda: tar(*(entry(f"{at}") for at in range(1_000_000))), REFUSED, "upload_mib"
    yield "tar: a size of a tebibyte", tar(head(b"big", 0, size_field=b"\x80" + (1 << 40).to_bytes(11, "big"))), REFUSED, "damaged|big"
    yield "tar: a size below zero", tar(head(b"big", 0, size_field=b"\xff" * 12)), REFUSED, "damaged|big|tar"
    yield "tar: a size of 2^63", tar(head(b"big", 0, size_field=b"\x80\0\0\0\x80" + bytes(7))), REFUSED, "damaged|big|tar"
    yield "tar: a size that is no number", tar(head(b"big", 0, size_field=b"zzzzzzzzzzz\0")), REFUSED, "damaged|tar"
    yield "tar: a size beyond the end", FILES + head(b"big", 5_000) + bytes(512), REFUSED, "damaged|big|tar"
    yield "tar: a wrong checksum", tar(entry("a", b"x", checksum=1)), REFUSED, "damaged|tar"
    yield "tar: cut in a header", FILES + head(b"a")[:300], REFUSED, "damaged|tar"
    yield "tar: cut in a file", FILES[:-20_000], REFUSED, "damaged|tar"
    yield "tar: cut between two files", entry("bot.toml", PLAIN["bot.toml"]), ANY, ""
    yield "tar: no end", FILES, EITHER, ""
    yield "tar: rubbish after the end", tar() + b"rubbish" * 1_000, EITHER, ""
    yield "tar: another archive after the end", tar() + tar(entry("../evil", b"x")), EITHER, ""
    yield "tar: GNU's long name with ..", tar(long_name(b"../evil")), REFUSED, "name"
    yield "tar: GNU's long name of 30 MiB", lambda: entry("././@LongLink", b"a" * (30 * MIB), b"L") + entry("a", b"x") + tar(), REFUSED, "long|damaged|name"
    yield "tar: 20,000 long names of GNU for one file", lambda: tar(*[entry("././@LongLink", b"a\0", b"L")] * 20_000, entry("a", b"x")), REFUSED, "damaged|tar|name"
    yield "tar: pax with ..", tar(pax({"path": "../evil"})), REFUSED, "name"
    yield "tar: pax with an absolute name", tar(pax({"path": out})), REFUSED, "name"
    yield "tar: pax with a size that lies", tar(pax({"size": str(1 << 40)})), REFUSED, "damaged|evil|tar"
    yield "tar: pax with a size that is no number", tar(pax({"size": "lots"})), ANY, ""
    yield "tar: pax with a link", tar(pax({"linkpath": "/etc/passwd"}, kind=b"x", data=b"")), ANY, ""
    yield "tar: 16 MiB of pax", lambda: tar(pax({"comment": b"a" * (16 * MIB)})), ANY, ""
    yield "tar: pax with a record that has no end", tar(entry("pax", b"99 path=x\n", b"x"), entry("a", b"x")), ANY, ""
    yield "tar: pax for all files, with ..", entry("pax", b"16 path=../evil\n", b"g") + tar(), ANY, ""
    yield "tar: a sparse file of GNU", tar(entry("sparse", b"x" * 512, b"S")), REFUSED, "no plain file|damaged"
    yield "tar: a sparse file of pax", tar(pax({"GNU.sparse.major": "1", "GNU.sparse.minor": "0", "GNU.sparse.realsize": str(1 << 40)})), ANY, ""
    yield "nothing", b"", REFUSED, "file|archive"
    yield "tar: its end alone", END, REFUSED, "file"
    yield "tar: folders alone", entry("a/", kind=b"5") + entry("b/", kind=b"5") + END, REFUSED, "file|a/"
    yield "32 MiB of zeros", lambda: bytes(UPLOAD_MIB * MIB), REFUSED, "file|tar"
    yield "more than may be sent", lambda: bytes(UPLOAD_MIB * MIB + 1), REFUSED, f"upload_mib = {UPLOAD_MIB}"
    yield "tar: a file as large as may be sent", lambda: tar(entry("zeros", bytes(31 * MIB))), TAKEN, ""
    yield "random bytes", os.urandom(100_000), REFUSED, "tar|damaged"
    yield "a page", b"<!doctype html><title>x</title>" * 100, REFUSED, "tar|damaged"
    yield "tar in bzip2", lambda: bz2.compress(tar()), REFUSED, "tar"
    yield "tar in xz", lambda: lzma.compress(tar()), REFUSED, "tar"
    yield "tar.gz", gzip.compress(tar(), mtime=0), SAME, ""
    yield "tar.gz with .. in a name", gzip.compress(tar(entry("../evil", b"x"))), REFUSED, "name"
    yield "tar.gz in gz", gzip.compress(gzip.compress(tar())), REFUSED, "tar"
    yield "tar.gz, cut", gzip.compress(tar())[:-300], REFUSED, "tar|damaged"
    yield "tar.gz with a wrong sum", gzip.compress(tar())[:-8] + bytes(8), EITHER, ""
    yield "tar.gz in two pieces", gzip.compress(FILES[:1_024]) + gzip.compress(FILES[1_024:] + END), EITHER, ""
    yield "tar.gz with a mebibyte that unpacks to a gibibyte", lambda: bomb(1_024 * MIB), REFUSED, "MiB|damaged|tar"
    yield "tar.gz with a million empty files", lambda: gzip.compress(tar(*(entry(f"{at}") for at in range(1_000_000))), 1), REFUSED, "entries|files"
    yield "tar with folders", entry("d/", kind=b"5") + tar(), SAME, ""
    yield "tar with ./ before each name", b"".join(entry(f"./{name}", data) for name, data in PLAIN.items()) + END, SAME, ""
    yield "tar of the folder", b"".join(entry(f"my-bot/{name}", data) for name, data in PLAIN.items()) + END, SAME, ""
    yield "tar with hidden files", tar(entry(".git/config", b"x"), entry("__pycache__/bot.pyc", b"x")), SAME, ""


def toml_kinds():
    yield "no bot.toml and nothing to guess from", packed({"readme": b"x"}), REFUSED, "bot.toml"
    yield "bot.toml: no TOML", of_toml("run = = x"), REFUSED, "bot.toml"
    yield "bot.toml: not UTF-8", of_toml(b"run = \"caf\xe9\""), REFUSED, "bot.toml"
    yield "bot.toml: NUL", of_toml(b"run = \"a\0b\""), REFUSED, "bot.toml"
    yield "bot.toml: too long", of_toml('run = "python3 bot.py"\n' + "# x\n" * 20_000), REFUSED, "bot.toml"
    yield "bot.toml: a folder", packed({"bot.toml/x": b"", "bot.py": b"x"}), REFUSED, "bot.toml"
    yield "bot.toml: no command", of_toml('name = "x"'), REFUSED, "run"
    yield "bot.toml: an empty command", of_toml('run = ""'), REFUSED, "run"
    yield "bot.toml: a command of blanks", of_toml('run = "  "'), REFUSED, "run"
    yield "bot.toml: a command of 1,001 bytes", of_toml(f'run = "{"x" * 1_001}"'), REFUSED, "run"
    yield "bot.toml: a command that is a number", of_toml("run = 7"), REFUSED, "bot.toml"
    yield "bot.toml: a list of words", of_toml('run = ["python3", "bot.py"]'), REFUSED, "bot.toml"
    yield "bot.toml: a key twice", of_toml('run = "a"\nrun = "b"'), REFUSED, "bot.toml"
    yield "bot.toml: an unknown key", of_toml('run = "python3 bot.py"\nroot = "/"'), REFUSED, "root"
    for word in ("/bin/sh", "../../bot", "~/bot", "python3 --file=/etc/passwd", "python3 file:/etc/passwd", "sh -c 'cat /etc/passwd'", "a\\\\b"):
        yield f"bot.toml: run = {word}", of_toml(f'run = "{word}"'), REFUSED, "run: .*(leads out|quote)"
    yield "bot.toml: build leads out", of_toml('run = "./bot"\nbuild = "make -C /"'), REFUSED, "build: .*leads out"
    yield "bot.toml: a house bot", of_toml('run = "maumau agent greedy"'), REFUSED, "run"
    yield "bot.toml: 10,000 tables in each other", of_toml("x" + ".x" * 10_000 + " = 1"), REFUSED, "bot.toml"
    yield "bot.toml: 10,000 lists in each other", of_toml("run = " + "[" * 10_000 + "]" * 10_000), REFUSED, "bot.toml"


# Zip files, field by field.

class Zipped:
    """A file in a zip file. What is said of it in its own header (`own`) and in the list at the end (`listed`) may lie."""

    def __init__(self, name, data=b"", *, pressed=True, mode=0o100644, flags=0, method=None, own=None, listed=None, extra=b"", raw=None):
        self.name = name if isinstance(name, bytes) else name.encode()
        packer = zlib.compressobj(9, zlib.DEFLATED, -15)
        self.raw = raw if raw is not None else packer.compress(data) + packer.flush() if pressed else data
        truth = {"flags": flags | 0x800, "method": method if method is not None else 8 if pressed else 0, "sum": zlib.crc32(data),
                 "packed": len(self.raw), "size": len(data), "name": self.name, "extra": extra, "at": None}
        self.own, self.listed, self.mode = truth | (own or {}), truth | (listed or {}), mode


def zipped(*files, before=b"", comment=b"", end=None, after=b"", zip64=None):
    """A zip file of these files; `end` replaces fields of its end, `zip64` is the number of files that a second end names."""
    out, lines = before, b""
    for file in files:
        fields, place = file.own, len(out)
        out += struct.pack("<4sHHHHHIIIHH", b"PK\3\4", 20, fields["flags"], fields["method"], 0, 0x21, fields["sum"], fields["packed"], fields["size"],
                           len(fields["name"]), len(fields["extra"])) + fields["name"] + fields["extra"] + file.raw
        fields = file.listed
        lines += struct.pack("<4sHHHHHHIIIHHHHHII", b"PK\1\2", 3 << 8 | 20, 20, fields["flags"], fields["method"], 0, 0x21, fields["sum"], fields["packed"],
                             fields["size"], len(fields["name"]), len(fields["extra"]), 0, 0, 0, file.mode << 16,
                             place if fields["at"] is None else fields["at"]) + fields["name"] + fields["extra"]
    ending = {"disk": 0, "count": len(files), "bytes": len(lines), "at": len(out)} | (end or {})
    if zip64 is not None:
        place = len(out) + len(lines)
        lines += struct.pack("<4sQHHIIQQQQ", b"PK\6\6", 44, 45, 45, 0, 0, zip64, zip64, ending["bytes"], ending["at"])
        lines += struct.pack("<4sIQI", b"PK\6\7", 0, place, 1)
        ending = {"disk": 0, "count": 0xFFFF, "bytes": 0xFFFFFFFF, "at": 0xFFFFFFFF}
    return out + lines + struct.pack("<4sHHHHIIH", b"PK\5\6", ending["disk"], ending["disk"], ending["count"], ending["count"], ending["bytes"], ending["at"],
                                     len(comment)) + comment + after


def plain_zip(*more, **options):
    return zipped(*(Zipped(name, data) for name, data in PLAIN.items()), *more, **options)


def streamed_zip():
    """As programs write it that cannot go back: sizes stand after each file."""
    class Stream(io.RawIOBase):
        def __init__(self):
            self.bytes = b""

        def writable(self):
            return True

        def write(self, piece):
            self.bytes += bytes(piece)
            return len(piece)

    stream = Stream()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in PLAIN.items():
            archive.writestr(name, data)
    return stream.bytes


def many_zip64(count):
    """The list of a zip file with so many files that are all the same one, by the end for large ones."""
    first = struct.pack("<4sHHHHHIIIHH", b"PK\3\4", 20, 0, 0, 0, 0x21, 0, 0, 0, 1, 0) + b"a"
    line = struct.pack("<4sHHHHHHIIIHHHHHII", b"PK\1\2", 788, 20, 0, 0, 0, 0x21, 0, 0, 0, 1, 0, 0, 0, 0, 0o100644 << 16, 0) + b"a"
    end = struct.pack("<4sQHHIIQQQQ", b"PK\6\6", 44, 45, 45, 0, 0, count, count, len(line) * count, len(first))
    end += struct.pack("<4sIQI", b"PK\6\7", 0, len(first) + len(line) * count, 1)
    return first + line * count + end + struct.pack("<4sHHHHIIH", b"PK\5\6", 0, 0, 0xFFFF, 0xFFFF, 0xFFFFFFFF, 0xFFFFFFFF, 0)


def false_end(archive):
    """The same with a second end that names one file nowhere, so that a reader may go back to the first."""
    return archive + struct.pack("<4sHHHHIIH", b"PK\5\6", 0, 0, 1, 1, 46, 0xFFFFFF00, 0)


def zip_kinds(outside):
    out = os.fsencode(outside) + b"/evil"
    for what, name, says in (
        ("..", "../evil", "name"), (".. in the middle", "a/../../evil", "name"),
        (".. up to the root and down again", b"../" * 12 + out[1:], "name"), ("an absolute name", out, "name"), ("a drive", "C:/evil", "name"),
        ("backslashes", "..\\..\\evil", "name"), ("NUL", b"ev\0il", "name"), ("a new line", "a\nb", "name"), ("an escape", "\x1b[2Jx", "name"),
        ("bytes that are not UTF-8", b"caf\xe9", "Unicode|UTF-8"), ("a turned direction", "a\u202eyp.evil", "name"), ("what is not seen", "a\u200bb", "name"),
        ("256 bytes", b"a" * 256, "too long"), ("17 folders", b"a/" * 17 + b"b", "too deep"),
    ):
        yield f"zip: a name with {what}", plain_zip(Zipped(name, b"x")), REFUSED, says
    yield "zip: a name of no bytes", plain_zip(Zipped(b"", b"x")), ANY, ""
    for what, mode in (("symbolic link", 0o120777), ("fifo", 0o010644), ("device", 0o020644), ("socket", 0o140644)):
        yield f"zip: a {what}", plain_zip(Zipped("link", b"/etc/passwd", mode=mode)), REFUSED, "no plain file"
    yield "zip: a file behind a symbolic link", plain_zip(Zipped("d", os.fsencode(outside), mode=0o120777), Zipped("d/evil", b"x")), REFUSED, "no plain file"
    yield "zip: one name twice", plain_zip(Zipped("bot.py", b"x")), REFUSED, "bot.py.*twice|twice|two"
    yield "zip: twins of upper and lower case", plain_zip(Zipped("BOT.py", b"x")), REFUSED, "twice"
    yield "zip: twins of NFC and NFD", plain_zip(Zipped("caf\u00e9", b"1"), Zipped("cafe\u0301", b"2")), REFUSED, "twice"
    yield "zip: a file, and the same as a folder", plain_zip(Zipped("a", b"x"), Zipped("a/b", b"x")), REFUSED, "a/b|folder"
    yield "zip: a folder, and the same as a file", plain_zip(Zipped("a/b", b"x"), Zipped("a", b"x")), REFUSED, "\\ba\\b|folder"
    yield "zip: encrypted", plain_zip(Zipped("secret", b"x" * 20, flags=1)), REFUSED, "encrypted"
    yield "zip: strongly encrypted", plain_zip(Zipped("secret", b"x" * 20, flags=0x41)), REFUSED, "encrypted"
    for what, method in (("bzip2", 12), ("LZMA", 14), ("zstd", 93), ("an unknown way", 77)):
        yield f"zip: packed by {what}", plain_zip(Zipped("odd", b"x" * 20, method=method)), REFUSED, "packed|zip"
    yield "zip: two files at one place", plain_zip(Zipped("again", PLAIN["bot.toml"], listed={"at": 0})), REFUSED, "zip|place"
    yield "zip: a file that begins inside of another", overlapping_zip(), REFUSED, "zip|place"
    yield "zip: a size in the list that is too small", plain_zip(Zipped("lies", b"x" * 5_000, listed={"size": 10})), ANY, ""
    yield "zip: a size in the list that is too large", plain_zip(Zipped("lies", b"x" * 10, listed={"size": 1 << 31})), ANY, ""
    yield "zip: a packed size that leads beyond the end", plain_zip(Zipped("lies", b"x" * 10, listed={"packed": 1 << 31})), REFUSED, "zip|damaged"
    yield "zip: sizes at the file that lie", plain_zip(Zipped("lies", b"x" * 5_000, own={"size": 1, "packed": 1})), ANY, ""
    yield "zip: a wrong sum", plain_zip(Zipped("lies", b"x" * 10, own={"sum": 1}, listed={"sum": 1})), REFUSED, "damaged|zip"
    yield "zip: a name at the file that is another", plain_zip(Zipped("good", b"x", own={"name": b"../evil"})), ANY, ""
    yield "zip: a name in a further field that is another", plain_zip(unicode_path("good", b"../evil")), ANY, ""
    yield "zip: a place beyond the end", plain_zip(Zipped("lies", b"x", listed={"at": 1 << 31})), REFUSED, "zip|damaged"
    yield "zip: a file of a gibibyte, 1000:1", lambda: plain_zip(gibibyte(1_024 * MIB)), REFUSED, "MiB|damaged"
    yield "zip: the same, said to be small", lambda: plain_zip(gibibyte(9)), REFUSED, "MiB|damaged|zip"
    yield "zip: 900 files of a mebibyte, 1000:1", lambda: plain_zip(*(Zipped(f"z{at}", bytes(MIB)) for at in range(900))), REFUSED, "MiB"
    yield "zip: a zip file with the bot in it", zipped(Zipped("bot.zip", plain_zip())), REFUSED, "bot.toml"
    yield "zip: no file", zipped(), REFUSED, "file"
    yield "zip: folders alone", zipped(Zipped("a/", pressed=False, mode=0o040755)), REFUSED, "file"
    yield "zip: a folder with content", plain_zip(Zipped("d/", b"x" * 100, mode=0o040755)), ANY, ""
    yield "zip: 1,001 files", lambda: plain_zip(*(Zipped(f"f{at}") for at in range(998))), REFUSED, "1000"
    yield "zip: 60,000 files", lambda: zipped(*(Zipped(f"f{at}", pressed=False) for at in range(60_000))), REFUSED, "files|entries"
    yield "zip: 650,000 files by the end for large ones", lambda: many_zip64(650_000), REFUSED, "files|entries|zip"
    yield "zip: the same behind a false end", lambda: false_end(many_zip64(650_000)), REFUSED, "files|entries|zip"
    yield "zip: a million files", lambda: many_zip64(1_000_000), REFUSED, "upload_mib"
    yield "zip: by the end for large ones", plain_zip(zip64=3), EITHER, ""
    yield "zip: by the end for large ones, 2^60 files", plain_zip(zip64=1 << 60), REFUSED, "files|entries|zip"
    yield "zip: fewer files than it has", plain_zip(end={"count": 1}), ANY, ""
    yield "zip: more files than it has", plain_zip(end={"count": 9}), REFUSED, "zip"
    yield "zip: on the second of two disks", plain_zip(end={"disk": 1}), EITHER, ""
    yield "zip: a script before it", plain_zip(before=b"#!/bin/sh\necho evil\nexit\n"), REFUSED, "zip|tar"
    yield "zip: rubbish before it that looks alike", b"PK" + plain_zip(), EITHER, ""
    yield "zip: rubbish after it", plain_zip(after=b"rubbish" * 100), REFUSED, "zip"
    yield "zip: a tar file after it", plain_zip(after=tar()), REFUSED, "zip"
    yield "zip: a comment of 65,535 bytes", plain_zip(comment=b"x" * 65_535), SAME, ""
    yield "zip: a comment with an end in it", plain_zip(comment=b"x" * 30 + zipped() + b"x"), EITHER, ""
    yield "zip: cut", plain_zip()[:-30], REFUSED, "zip"
    yield "zip: its first bytes alone", b"PK\3\4", REFUSED, "zip"
    yield "zip: its end alone, 10,000 times", lambda: zipped() * 10_000, REFUSED, "zip|file"
    yield "zip", plain_zip(), SAME, ""
    yield "zip: not packed", zipped(*(Zipped(name, data, pressed=False) for name, data in PLAIN.items())), SAME, ""
    folder = Zipped("my-bot/", pressed=False, mode=0o040755)
    yield "zip: with folders", zipped(folder, *(Zipped(f"my-bot/{name}", data) for name, data in PLAIN.items())), SAME, ""
    yield "zip: with what a Mac adds", plain_zip(Zipped("__MACOSX/._bot.py", b"x"), Zipped(".DS_Store", b"x")), SAME, ""
    yield "zip: sizes after each file", streamed_zip(), SAME, ""


def gibibyte(said):
    """A file of a gibibyte of zeros, which is said to have so many bytes."""
    packer = zlib.compressobj(9, zlib.DEFLATED, -15)
    raw = b"".join(packer.compress(bytes(MIB)) for _ in range(1_024)) + packer.flush()
    return Zipped("zeros", raw=raw, listed={"size": said}, own={"size": said})


def overlapping_zip():
    """One file whose content holds the header and the content of another."""
    inner = zipped(Zipped("inner", b"y" * 1_000, pressed=False))[:30 + 5 + 1_000]
    outer = Zipped("outer", inner, pressed=False)
    place = len(zipped(*(Zipped(name, data) for name, data in PLAIN.items()))) - 22 - sum(46 + len(name) for name in PLAIN)
    return plain_zip(outer, Zipped("inner", b"y" * 1_000, pressed=False, listed={"at": place + 30 + 5}))


def unicode_path(name, other):
    """A file with the field of Info-ZIP that says its name in Unicode."""
    said = b"\1" + struct.pack("<I", zlib.crc32(name.encode())) + other
    return Zipped(name, b"x", extra=struct.pack("<HH", 0x7075, len(said)) + said)


class Hostile:
    """A club, what it held before, and what must be so after each kind."""

    def __init__(self, maumau, folder, checks):
        self.folder, self.checks = folder, checks
        self.outside = folder / "outside"
        self.outside.mkdir()
        (folder / "tmp").mkdir()
        self.club = ServedClub(maumau, folder / "club")
        self.club.set_quotas(uploads_a_day=100_000, on_their_way=100_000, upload_mib=UPLOAD_MIB)
        self.plain, self.idle_kib, self.starts = None, 0, 0
        self.start()
        self.ann, self.bob, self.olga = self.club.member("ann"), self.club.member("bob"), self.club.member("olga", "--organiser")
        self.plain = self.club.upload("ann-bot", packed(PLAIN), self.ann).json()
        self.slowest, self.most_kib = (0.0, ""), (0, "")
        self.checks.check("the club ends", self.club.end() == 130)
        self.start()

    def around(self):
        """The names beside the club's folder."""
        return sorted(os.listdir(self.folder)) + sorted(os.listdir(self.outside))

    def inside(self):
        return {part: sorted(os.listdir(self.club.path / part)) for part in ("uploads", "bots")}

    def start(self):
        """Serves the club again, and has it answer some pages and an upload: then it is idle."""
        self.club.start({"TMPDIR": str(self.folder / "tmp")})
        if self.plain:
            for _ in range(3):
                self.club.ask("GET", "/")
                self.club.upload("ann-bot", packed(PLAIN), self.ann)
            self.idle_kib = resident_kib(self.club.process.pid)

    def try_kind(self, name, archive, expected, says):
        if resident_kib(self.club.process.pid) > self.idle_kib + KEPT_KIB:
            # What an earlier kind has left would be measured with this one.
            self.checks.check("the club ends", self.club.end() == 130)
            self.start()
            self.starts += 1
        around, before = self.around(), self.inside()
        forget_peak(self.club.process.pid)
        answer, took_s = send(self.club, self.ann, archive)
        grown_kib = resident_kib(self.club.process.pid, "VmHWM") - self.idle_kib
        for _ in range(2):
            # Other programs of this machine may have been in the way.
            if took_s > ANSWERED_WITHIN_S and answer is not None:
                took_s = min(took_s, send(self.club, self.ann, archive)[1])
        self.slowest, self.most_kib = max(self.slowest, (took_s, name)), max(self.most_kib, (grown_kib, name))
        check = self.checks.check
        if answer is None:
            check(f"{name}: no answer", False)
            return
        found = f"{answer.status} {answer.error[:300]!r}"
        is_refused = answer.status in (413, 422)
        is_same = answer.status in (200, 201) and answer.json()["id"] == self.plain["id"]
        is_taken = answer.status in (200, 201)
        good = {REFUSED: is_refused, SAME: is_same, EITHER: is_refused or is_same, TAKEN: is_taken, ANY: is_refused or is_taken}[expected]
        check(f"{name}: expected {expected}, found {found}", good)
        if is_refused:
            error = answer.error
            check(f"{name}: expected a sentence with {says!r}, found {found}", re.search(says, error, re.DOTALL) is not None)
            check(f"{name}: the sentence has {len(error)} characters", 10 <= len(error) <= 600)
            check(f"{name}: the sentence holds what is not seen: {error!r}", all(letter.isprintable() or letter == "\n" for letter in error))
            check(f"{name}: the sentence holds a path of the server: {error!r}", str(self.club.path) not in error and "/bots/" not in error)
            check(f"{name}: something is left: {different(before, self.inside())}", before == self.inside())
        if is_taken and not is_same:
            said = answer.json()
            check(f"{name}: not all of it are plain files", self.is_plain(self.club.path / "bots" / said["archive"]))
            # No check of it is wanted, which would only take time.
            self.club.ask("POST", f"/api/1/versions/{said['id']}/withdraw", self.ann)
        check(f"{name}: written outside of the club: {self.around()}", around == self.around())
        check(f"{name}: the answer took {took_s:.2f} s", took_s <= ANSWERED_WITHIN_S)
        check(f"{name}: memory grew by {grown_kib / 1024:.0f} MiB", grown_kib <= MAX_GROWTH_KIB)
        check(f"{name}: the club has ended", self.club.process.poll() is None)


    @staticmethod
    def is_plain(folder):
        paths = list(folder.rglob("*"))
        return len(paths) > 0 and all(not path.is_symlink() and (path.is_file() or path.is_dir()) for path in paths)


def different(before, after):
    return {part: sorted(set(after[part]) ^ set(before[part]))[:5] for part in before if after[part] != before[part]}


def send(club, token, archive, path="/api/1/bots/ann-bot/versions"):
    """Sends an archive and listens meanwhile: gives the answer, which may come early, and the seconds from the last byte to it."""
    request = (f"PUT {path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer {token}\r\nConnection: close\r\nContent-Length: {len(archive)}\r\n\r\n").encode()
    with socket.create_connection((club.host, club.port), timeout=60) as connection:
        left = memoryview(request + archive)
        try:
            while left:
                readable, writable, _ = select.select([connection], [connection], [], 60)
                if readable or not writable:
                    break
                left = left[connection.send(left[:1 << 18]):]
        except OSError:
            pass  # it has answered, and reads no more
        began = time.monotonic()
        received = b""
        try:
            while piece := connection.recv(1 << 16):
                received += piece
        except OSError:
            pass
    took_s = time.monotonic() - began
    return parsed(received), took_s


def parsed(received):
    """The answer in these bytes; None if there is no whole head."""
    first, _, body = received.partition(b"\r\n\r\n")
    words = first.split(b" ", 2)
    return Answer(int(words[1]), {}, body) if len(words) > 1 and words[1].isdigit() else None


def raw(club, request, within_s=10.0):
    """Sends bytes as they are; gives the status, 0 if the connection was closed without an answer, None if neither came in time."""
    with socket.create_connection((club.host, club.port), timeout=within_s) as connection:
        received = b""
        try:
            connection.sendall(request)
        except OSError:
            pass
        try:
            while b"\r\n\r\n" not in received and (piece := connection.recv(1 << 16)):
                received += piece
        except TimeoutError:
            return None
        except OSError:
            pass
    answer = parsed(received)
    return answer.status if answer else 0


def wait_until(is_so, within_s=90.0):
    end = time.monotonic() + within_s
    while not is_so():
        if time.monotonic() > end:
            return False
        time.sleep(0.1)
    return True


def at_once(asks):
    """Calls all of them at one moment, each in a thread of its own; gives their results."""
    results, gate = [None] * len(asks), threading.Barrier(len(asks))

    def call(at):
        gate.wait()
        try:
            results[at] = asks[at]()
        except (OSError, http.client.HTTPException) as error:
            results[at] = error

    threads = [threading.Thread(target=call, args=(at,)) for at in range(len(asks))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return results


# Hostile members and strangers.

def guessed_numbers(hostile):
    club, check = hostile.club, hostile.checks.check
    game = "/games/g000-d0000-r0"
    reads = [("GET", path) for path in ("", "/check", "/build", "/games", game, f"{game}/record")]
    for verb, path in (*reads, ("POST", "/pause"), ("POST", "/resume"), ("POST", "/withdraw")):
        for token in (None, hostile.bob, "0" * 32, "x"):
            mine, none = (club.ask(verb, f"/api/1/versions/{number}{path}", token) for number in (hostile.plain["id"], 999_999))
            check(f"{verb} {path} of another team's version: {mine.status} {mine.error}", mine.status == 404)
            check(f"{verb} {path} tells which numbers there are", (mine.status, mine.error) == (none.status, none.error))
    for number in ("0", "-1", "9223372036854775807", "9223372036854775808", "1e3", "abc", "1%00", "1%2F..%2F1", "%2e%2e", "%D9%A3", ""):
        found = club.ask("GET", f"/api/1/versions/{number}", hostile.ann)
        check(f"the number {number!r}: {found.status}", found.status in (400, 404))
    for path in ("/games/..%2F..%2Fclub.db", "/games/%00", "/join/..%2Fclub.db", "/../club.db", "/api/1/../../club.db", "/" + "x" * 60_000):
        found = raw(club, f"GET {path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n".encode())
        check(f"GET {path[:40]}: {found}", found in (0, 400, 404, 414, 431) or path.startswith("/join") and found == 200)


def another_teams_bot(hostile):
    club, check = hostile.club, hostile.checks.check
    answer = club.upload("ann-bot", python_bot("bob's"), hostile.bob)
    check(f"bob sends ann's bot: {answer.status} {answer.error}", answer.status == 403)
    answer = club.upload("ann-bot", python_bot("olga's"), hostile.olga)
    check(f"the organiser sends ann's bot: {answer.status}", answer.status == 403)
    for name in ("Ann", "a b", "a@1", "..", "a" * 33, "é", "-a", "1a"):
        answer = club.upload(urllib.parse.quote(name), python_bot("x"), hostile.ann)
        check(f"a bot with the name {name!r}: {answer.status}", answer.status in (404, 422))
    answer = club.ask("POST", "/api/1/trials", hostile.bob, {"version": hostile.plain["id"], "against": ["greedy"], "games": 2})
    check(f"a trial of another team's version: {answer.status}", answer.status == 404)
    found = club.ask("GET", f"/api/1/versions/{hostile.plain['id']}", headers={"X-Remote-User": "ann"}).status
    check(f"a header of a proxy that club.toml does not name: {found}", found == 404)
    for token in (None, "x"):
        check("a stranger sends a bot", club.upload("ann-bot", python_bot("x"), token).status == 401)


def replayed_uploads(hostile):
    club, check = hostile.club, hostile.checks.check
    archive = python_bot("replayed")
    answers = at_once([lambda: club.upload("ann-bot", archive, hostile.ann)] * 24)
    statuses = sorted(getattr(answer, "status", 0) for answer in answers)
    check(f"24 times the same archive at once: {statuses}", statuses == [200] * 23 + [201])
    check("they are one version", len({answer.json()["id"] for answer in answers if isinstance(answer, Answer)}) == 1)
    both = at_once([lambda: club.upload("ann-bot", python_bot("both"), hostile.ann), lambda: club.upload("bob-bot", python_bot("both"), hostile.bob)] * 4)
    statuses = sorted(getattr(answer, "status", 0) for answer in both)
    check(f"two teams send the same files at once: {statuses}", statuses == [200] * 6 + [201] * 2)
    claimed = at_once([lambda: club.upload("new-bot", python_bot("claim"), hostile.ann), lambda: club.upload("new-bot", python_bot("claim"), hostile.bob)])
    statuses = sorted(getattr(answer, "status", 0) for answer in claimed)
    check(f"two teams claim one name at once: {statuses}", statuses == [201, 403])


def races(hostile):
    """Withdraw, pause and resume from many threads: withdrawn is for good, and each change is said once."""
    club, check = hostile.club, hostile.checks.check
    for count in range(6):
        number = club.upload("race-bot", python_bot(f"race {count}"), hostile.ann).json()["id"]
        asks = [lambda verb=verb, number=number: club.ask("POST", f"/api/1/versions/{number}/{verb}", hostile.ann).status
                for verb in ("withdraw", "resume", "pause", "withdraw", "resume")]
        found = at_once(asks)
        state = club.ask("GET", f"/api/1/versions/{number}", hostile.ann).json()["state"]
        check(f"withdrawn while it waits: {found}, {state}", sorted((found[0], found[3])) == [200, 409] and state == "withdrawn"
              and all(status in (200, 409) for status in found))
    number = club.upload("race-bot", python_bot("race that plays"), hostile.ann).json()["id"]

    def state():
        return club.ask("GET", f"/api/1/versions/{number}", hostile.ann).json()["state"]

    if not wait_until(lambda: state() == "playing", 300):
        check(f"a bot for the race does not play: {state()}", False)
        return
    before = club.events()[-1]["id"]
    found = [status for _ in range(10) for status in at_once([lambda verb=verb: club.ask("POST", f"/api/1/versions/{number}/{verb}", hostile.ann).status
                                                              for verb in ("pause", "resume", "pause", "resume")])]
    check(f"paused and resumed at once: {sorted(set(found))}", set(found) <= {200, 409})
    said = [event["what"] for event in club.events(before) if event["version"] == number]
    turns = [what.rsplit(" ", 1)[1] for what in said if what.endswith((" is paused", " is ready"))]
    check(f"two in a row are the same: {said}", all(one != other for one, other in zip(turns, turns[1:])) and len(turns) == found.count(200))
    club.ask("POST", f"/api/1/versions/{number}/pause", hostile.ann)
    found = at_once([lambda verb=verb: club.ask("POST", f"/api/1/versions/{number}/{verb}", hostile.ann).status for verb in ("withdraw", "resume") * 4])
    check(f"withdrawn and resumed at once: {found}, {state()}", state() == "withdrawn" and found[::2].count(200) == 1)
    time.sleep(3)
    said = [event["what"] for event in club.events(before) if event["version"] == number]
    place = next((at for at, what in enumerate(said) if what.endswith("is withdrawn")), None)
    check(f"it plays after it was withdrawn: {said}", place is not None and not any(what.endswith(("is playing", "is ready")) for what in said[place + 1:]))


def one_invitation(hostile):
    club, check = hostile.club, hostile.checks.check
    key = club.run("invite").strip().rsplit("/", 1)[-1]
    found = at_once([lambda at=at: club.ask("POST", f"/api/1/invitations/{key}", body={"name": f"many-{at}"}).status for at in range(12)])
    check(f"an invitation for one that twelve take: {sorted(found)}", sorted(found) == [201] + [404] * 11)
    key = club.run("invite", "--uses", 30).strip().rsplit("/", 1)[-1]
    found = at_once([lambda: club.ask("POST", f"/api/1/invitations/{key}", body={"name": "same"}).status for _ in range(12)])
    check(f"one name that twelve take: {sorted(found)}", sorted(found) == [201] + [409] * 11)
    for name in ("", "A", "a" * 33, "../x", "a\nb", "ann"):
        answer = club.ask("POST", f"/api/1/invitations/{key}", body={"name": name})
        check(f"the name {name!r}: {answer.status}", answer.status in (400, 409))
    for guessed in ("0" * 32, key[:-1], key.upper() + "0", "%00"):
        check(f"a guessed key: {guessed}", club.ask("POST", f"/api/1/invitations/{guessed}", body={"name": "eve"}).status == 404)


def stolen_token(hostile):
    """A token that was revoked shows nothing any more, not even on a stream that is open."""
    club, check = hostile.club, hostile.checks.check
    victim = club.member("victim")
    number = club.upload("victim-bot", packed({"bot.py": b"raise SystemExit(3)\n"}), victim).json()["id"]
    seen, opened = [], threading.Event()

    def listen():
        for event in club.follow(0, victim, 120):
            seen.append(event)
            opened.set()

    thread = threading.Thread(target=listen, daemon=True)
    thread.start()
    check("the stream is open", opened.wait(10))
    revoked = club.run("revoke", "victim")
    check(f"revoke says {revoked!r}", "panicked" not in revoked)
    said = club.run("withdraw", f"victim-bot@{1}", "--why", "a reason for its team")
    after = wait_until(lambda: any(event["what"] == "victim-bot@1 is withdrawn" for event in seen), 30)
    check(f"those who follow see what all see: {said}", after)
    check("a revoked token sees a reason", not any("a reason for its team" in event["what"] for event in seen))
    found = [club.ask("GET", f"/api/1/versions/{number}", victim).status, club.upload("victim-bot", python_bot("x"), victim).status,
             club.ask("GET", "/bots", headers={"Cookie": f"maumau-club={victim}"}).status]
    check(f"a revoked token: {found}", found == [404, 401, 303])


def forms(hostile):
    """Forms are taken from pages of the club alone."""
    club, check = hostile.club, hostile.checks.check
    number = hostile.plain["id"]
    key = club.run("invite").strip().rsplit("/", 1)[-1]
    cases = [(f"/versions/{number}/{verb}", hostile.ann, b"") for verb in ("pause", "resume", "withdraw")]
    cases += [(f"/versions/{number}/trial", hostile.ann, b"against=greedy&games=2"), ("/logout", hostile.ann, b""), ("/login", hostile.ann, b"token=x"),
              (f"/join/{key}", hostile.ann, b"name=eve"), ("/invitations", hostile.olga, b"uses=1&team="), ("/members/ann/ban", hostile.olga, b"")]
    strange = ({}, {"Origin": "http://evil.example"}, {"Origin": "null"}, {"Origin": "http://x.evil.example"}, {"Origin": "http://y", "X-Forwarded-Host": "y"},
               {"Sec-Fetch-Site": "cross-site"}, {"Sec-Fetch-Site": "same-site", "Origin": "http://z.x"})
    for path, token, body in cases:
        for headers in strange:
            lines = "".join(f"{key}: {value}\r\n" for key, value in headers.items())
            found = raw(club, f"POST {path} HTTP/1.1\r\nHost: x\r\nCookie: maumau-club={token}\r\n{lines}Connection: close\r\n"
                        f"Content-Type: application/x-www-form-urlencoded\r\nContent-Length: {len(body)}\r\n\r\n".encode() + body)
            check(f"the form {path} from {headers}: {found}", found == 403)
    state = club.ask("GET", f"/api/1/versions/{number}", hostile.ann).json()["state"]
    check(f"a form of another page was taken: {state}", state not in ("paused", "withdrawn"))
    answer = club.ask("GET", f"/api/1/versions/{number}", headers={"Cookie": f"maumau-club={hostile.ann}"})
    check("a cookie alone is enough for the interface", answer.status == 404)


def odd_requests(hostile):
    club, check = hostile.club, hostile.checks.check
    plain = b"GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n"
    put = f"PUT /api/1/bots/ann-bot/versions HTTP/1.1\r\nHost: x\r\nConnection: close\r\nAuthorization: Bearer {hostile.ann}\r\n".encode()
    refused = (0, 400, 401, 404, 405, 408, 411, 413, 414, 422, 431, 501, 505)
    for what, request in (
        ("a header of a megabyte", plain + b"X: " + b"x" * 1_000_000 + b"\r\n\r\n"), ("1,000 headers", plain + b"X: y\r\n" * 1_000 + b"\r\n"),
        ("a header without an end", plain + b"X: " + b"x" * 100_000), ("an address of 100 kB", b"GET /" + b"x" * 100_000 + b" HTTP/1.1\r\nHost: x\r\n\r\n"),
        ("two lengths", put + b"Content-Length: 5\r\nContent-Length: 6\r\n\r\nhello"), ("a length below zero", put + b"Content-Length: -1\r\n\r\n"),
        ("a length of 2^64", put + b"Content-Length: 18446744073709551616\r\n\r\n"),
        ("a length that is too large", put + b"Content-Length: 99999999999\r\n\r\n" + b"x" * 1_000),
        ("a length and pieces", put + b"Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\nGET /"),
        ("a piece of 2^64", put + b"Transfer-Encoding: chunked\r\n\r\nfffffffffffffffff\r\nx"),
        ("a piece without a length", put + b"Transfer-Encoding: chunked\r\n\r\nzz\r\nx"), ("another coding", put + b"Transfer-Encoding: gzip\r\n\r\nxx"),
        ("no HTTP", b"\x16\x03\x01\x02\0\x01\0\x01\xfc" + bytes(300)), ("a method that is none", b"FOO\0 / HTTP/1.1\r\nHost: x\r\n\r\n"),
        ("TRACE", b"TRACE / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n"), ("HTTP/3", b"GET / HTTP/3.0\r\nHost: x\r\n\r\n"),
        ("a new line in a header", plain + b"X: a\nb\r\n\r\n"),
    ):
        found = raw(club, request, 15)
        check(f"{what}: {found}", found in refused)
    for what, body, expected in (
        ("no JSON", b"{", (400, 422)), ("another member", b'{"version":1,"against":[],"games":1,"x":1}', (400, 422)), ("a list", b"[]", (400, 422)),
        ("no games", json.dumps({"version": hostile.plain["id"], "against": ["greedy"], "games": 0}), (422,)),
        ("201 games", json.dumps({"version": hostile.plain["id"], "against": ["greedy"], "games": 201}), (422,)),
        ("2^40 games", json.dumps({"version": hostile.plain["id"], "against": ["greedy"], "games": 1 << 40}), (400, 422)),
        ("an unknown opponent", json.dumps({"version": hostile.plain["id"], "against": ["nobody"], "games": 2}), (422,)),
        ("itself", json.dumps({"version": hostile.plain["id"], "against": ["ann-bot@1"], "games": 2}), (422,)),
        ("5,000 opponents", json.dumps({"version": 1, "against": ["greedy"] * 5_000, "games": 2}), (413,)),
        ("lists in each other", b"[" * 4_000, (400, 422)), ("bytes that are no text", b"\xff" * 100, (400, 422)),
    ):
        answer = club.ask("POST", "/api/1/trials", hostile.ann, body.encode() if isinstance(body, str) else body)
        check(f"a trial with {what}: {answer.status} {answer.error[:200]}", answer.status in expected)
    for after in ("-1", "9223372036854775807", "99999999999999999999", "x", ""):
        found = club.ask("GET", f"/api/1/events?after={after}").status
        check(f"events after {after!r}: {found}", found in (200, 400))
    # Whether a head of this length is read is the server's matter.
    found = raw(club, plain + b"X: " + b"x" * 100_000 + b"\r\n\r\n")
    check(f"a header of 100 kB: {found}", found in (*refused, 200))
    check("the club still answers", club.ask("GET", "/").status == 200)


def idle_connections(hostile):
    """Two hundred who say half of a request, and then as many as there are connections; others are answered meanwhile."""
    half = b"GET / HTTP/1.1\r\nHost: x\r\nX-Half: "
    crowd(hostile, "200 half requests", 200, half)
    crowd(hostile, "400 half requests", 400, half)
    crowd(hostile, "200 without a byte", 200, b"")
    crowd(hostile, "300 forms of strangers whose bodies do not come", 300,
          b"POST /login HTTP/1.1\r\nHost: x\r\nOrigin: http://x\r\nContent-Length: 30\r\n\r\ntok")
    put = f"PUT /api/1/bots/ann-bot/versions HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer {hostile.bob}\r\nContent-Length: 3000\r\n\r\nabc".encode()
    crowd(hostile, "300 uploads of a member that do not come", 300, put)
    crowd(hostile, "300 who follow the events", 300, b"GET /api/1/events HTTP/1.1\r\nHost: x\r\nAccept: text/event-stream\r\n\r\n")


def crowd(hostile, what, count, request):
    club, check = hostile.club, hostile.checks.check
    connections = []
    try:
        for _ in range(count):
            try:
                connection = socket.create_connection((club.host, club.port), timeout=2)
                connection.settimeout(2)
                connections.append(connection)
                connection.sendall(request)
            except OSError:
                pass  # it has closed one that says too little
        time.sleep(0.5)
        times = []
        for _ in range(10):
            began = time.monotonic()
            try:
                status = club.ask("GET", "/api/1/queue", within_s=5).status
            except (OSError, http.client.HTTPException):
                status = None
            times.append((time.monotonic() - began, status))
        slowest = max(times)
        good = sum(status == 200 for _, status in times)
        check(f"{what}: {good} of 10 others are answered, the slowest after {slowest[0]:.1f} s", good == 10 and slowest[0] <= ANSWERED_WITHIN_S)
    finally:
        for connection in connections:
            connection.close()
    check(f"{what}: afterwards it answers", wait_until(lambda: answers(club), 30))


def answers(club):
    try:
        return club.ask("GET", "/", within_s=3).status == 200
    except (OSError, http.client.HTTPException):
        return False


MANNERS = (guessed_numbers, another_teams_bot, replayed_uploads, races, one_invitation, stolen_token, forms, odd_requests, idle_connections)


def kinds(outside):
    yield from tar_kinds(outside)
    yield from toml_kinds()
    yield from zip_kinds(outside)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("maumau", nargs="?", default=served.TOP / "target/release/maumau", type=pathlib.Path)
    parser.add_argument("--only", default="", help="part of the names of the kinds that are tried")
    arguments = parser.parse_args()
    checks = Checks()
    with tempfile.TemporaryDirectory(prefix="maumau-club-archives-") as folder:
        folder = pathlib.Path(os.path.realpath(folder))
        os.environ["PATH"] += f":{folder}"
        hostile = Hostile(arguments.maumau.resolve(), folder, checks)
        try:
            try_all(hostile, arguments.only)
        finally:
            if hostile.club.process.poll() is None:
                checks.check("the club ends", hostile.club.end() == 130)
        done = hostile.club.tried("check")
        checks.check(f"club check: {done.stdout}{done.stderr}", done.returncode == 0 and not done.stdout)
        shas = {row[0] for row in hostile.club.rows("SELECT sha FROM version")}
        for part in ("uploads", "bots"):
            found = set(os.listdir(hostile.club.path / part))
            checks.check(f"{part}: {sorted(found ^ shas)[:5]}", found == shas)
        said = hostile.club.said()
        checks.check(f"the club panicked: {said[-2_000:]}", "panicked" not in said)
        left = left_after(str(folder), GONE_WITHIN_S)
        checks.check(f"processes are left: {left}", not left)
    print(f"{checks.passed} passed, {checks.failed} failed")
    return 1 if checks.failed else 0


def try_all(hostile, only):
    tried = 0
    for name, archive, expected, says in kinds(hostile.outside):
        if only in name:
            failed = hostile.checks.failed
            hostile.try_kind(name, archive() if callable(archive) else archive, expected, says)
            tried += 1
            if tried % 20 == 0 or hostile.checks.failed > failed and tried % 5 == 0:
                print(f"{tried} kinds", flush=True)
    most_kib, of = hostile.most_kib
    print(f"{tried} kinds of archives; idle {hostile.idle_kib / 1024:.0f} MiB, the most memory beyond it {most_kib / 1024:.0f} MiB ({of}), "
          f"{hostile.starts} new starts because it was kept; "
          f"the slowest answer {hostile.slowest[0]:.2f} s ({hostile.slowest[1]})", flush=True)
    for manner in MANNERS:
        if only in manner.__name__:
            print(manner.__name__.replace("_", " "), flush=True)
            manner(hostile)


if __name__ == "__main__":
    sys.exit(main())
