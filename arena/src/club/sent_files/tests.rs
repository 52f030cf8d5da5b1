//! The same files in each form are the same bot; what is hostile or no bot is refused with a sentence.

use std::io::Write;

use flate2::Compression;
use flate2::write::GzEncoder;
use maumau_cluster::archive;
use zip::ZipWriter;
use zip::write::SimpleFileOptions;

use super::*;

/// How much may be sent.
const MOST: u64 = 1 << 20;

fn tar_of(files: &[(&str, &str)]) -> Vec<u8> {
    let mut builder = tar::Builder::new(Vec::new());
    for (name, text) in files {
        let mut header = tar::Header::new_gnu();
        header.set_size(text.len() as u64);
        header.set_mode(if text.starts_with("#!") { 0o755 } else { 0o644 });
        if name.ends_with('/') {
            header.set_entry_type(tar::EntryType::Directory);
        }
        builder.append_data(&mut header, name, text.as_bytes()).expect("an entry");
    }
    builder.into_inner().expect("an archive")
}

fn gzip_of(bytes: &[u8]) -> Vec<u8> {
    let mut writer = GzEncoder::new(Vec::new(), Compression::fast());
    writer.write_all(bytes).expect("memory");
    writer.finish().expect("memory")
}

fn zip_of(files: &[(&str, &str)]) -> Vec<u8> {
    let mut writer = ZipWriter::new(Cursor::new(Vec::new()));
    for (name, text) in files {
        let mode = if text.starts_with("#!") { 0o755 } else { 0o644 };
        writer.start_file(*name, SimpleFileOptions::default().unix_permissions(mode)).expect("an entry");
        writer.write_all(text.as_bytes()).expect("memory");
    }
    writer.finish().expect("an archive").into_inner()
}

/// The digest of what was sent, or why it is refused.
fn digest(sent: &SentFiles) -> Result<String, String> {
    let place = tempfile::tempdir().expect("a folder");
    let outcome = sent.unpack(place.path(), MOST).map_err(|error| format!("{error:#}")).map(|files| {
        let mut file = tempfile::tempfile().expect("a file");
        archive::pack_to(files.folder(), &mut file).expect("an archive").digits().to_owned()
    });
    assert_eq!(std::fs::read_dir(place.path()).expect("a folder").count(), 0, "nothing is left");
    outcome
}

fn of_archive(bytes: Vec<u8>) -> Result<String, String> {
    digest(&SentFiles::Archive(bytes.into()))
}

#[test]
fn the_same_files_are_the_same_bot_in_whatever_form_they_are_sent() {
    let files = [("bot.toml", "run = \"./bot\""), ("bot", "#!/bin/sh"), ("net/weights", "1")];
    let held =
        [("my-bot/", ""), ("my-bot/bot.toml", files[0].1), ("my-bot/bot", files[1].1), ("my-bot/net/weights", "1")];
    let more = [
        ("__MACOSX/x", "1"),
        (".git/config", "1"),
        ("./bot", files[1].1),
        ("bot.toml", files[0].1),
        ("net/weights", "1"),
    ];
    let expected = of_archive(tar_of(&files)).expect("a bot");
    let of_form = |files: &[(&str, &str)]| {
        let files = files.iter().filter(|(name, _)| !name.ends_with('/'));
        digest(&SentFiles::Files(
            files.map(|(name, text)| ((*name).to_owned(), Bytes::from((*text).to_owned()))).collect(),
        ))
    };
    for (form, found) in [
        ("in a folder", of_archive(tar_of(&held))),
        ("with more", of_archive(tar_of(&more))),
        ("gzip", of_archive(gzip_of(&tar_of(&held)))),
        ("zip", of_archive(zip_of(&files))),
        ("zip of a folder", of_archive(zip_of(&held[1..]))),
        ("zip with more", of_archive(zip_of(&more))),
        ("form", of_form(&files)),
        ("form of a folder", of_form(&held)),
    ] {
        assert_eq!(found.as_deref(), Ok(&*expected), "{form}");
    }
}

/// A tar file of one entry of this kind.
fn entry(name: &str, kind: tar::EntryType) -> Vec<u8> {
    let mut header = tar::Header::new_gnu();
    header.as_gnu_mut().expect("a header").name[..name.len()].copy_from_slice(name.as_bytes());
    header.set_entry_type(kind);
    header.set_size(0);
    header.set_mode(0o644);
    header.set_cksum();
    let mut builder = tar::Builder::new(Vec::new());
    builder.append(&header, &[][..]).expect("an entry");
    builder.into_inner().expect("an archive")
}

/// The same zip file with other bytes.
fn with(mut zip: Vec<u8>, find: &[u8], put: &[u8]) -> Vec<u8> {
    let places: Vec<usize> = (0..zip.len() - find.len()).filter(|at| zip[*at..].starts_with(find)).collect();
    assert!(!places.is_empty());
    places.into_iter().for_each(|at| zip[at..at + put.len()].copy_from_slice(put));
    zip
}

#[test]
fn what_is_hostile_is_refused_with_a_sentence_and_leaves_nothing() {
    let many: Vec<String> = (0..=MAX_FILES).map(|at| format!("f{at}")).collect();
    let many: Vec<(&str, &str)> = many.iter().map(|name| (&**name, "")).collect();
    let large = "0".repeat(5 << 20);
    let two = zip_of(&[("aaaa", "1"), ("bbbb", "2")]);
    // The list says that the second file is where the first one is.
    let listed = b"PK\x01\x02";
    let second = two.windows(4).rposition(|window| window == listed).expect("an entry");
    let mut shared = two.clone();
    shared[second + 42..second + 46].copy_from_slice(&[0; 4]);
    let mut encrypted = two.clone();
    encrypted[second + 8] |= 1;
    for (what, sent, expected) in [
        ("text", b"no archive".to_vec(), "this is no tar, tar.gz or zip file"),
        ("nothing", Vec::new(), "holds no file"),
        ("tar out", entry("../out", tar::EntryType::Regular), "holds the name"),
        ("tar root", entry("/tmp/out", tar::EntryType::Regular), "holds the name"),
        ("tar link", entry("link", tar::EntryType::Symlink), "no plain file"),
        ("tar hard link", entry("link", tar::EntryType::Link), "no plain file"),
        ("tar device", entry("device", tar::EntryType::Char), "no plain file"),
        ("tar many", tar_of(&many), "more than 1000 files"),
        ("tar large", tar_of(&[("a", &large)]), "more than 4 MiB unpacked"),
        ("tar bomb", gzip_of(&tar_of(&[("a", &large)])), "more than 4 MiB unpacked"),
        ("tar twins", tar_of(&[("bot.py", "1"), ("BOT.py", "2")]), "twice"),
        ("tar file and folder", tar_of(&[("a", "1"), ("a/b", "2")]), "cannot be written"),
        ("zip out", zip_of(&[("../out", "1")]), "holds the name"),
        ("zip root", zip_of(&[("/tmp/out", "1")]), "holds the name"),
        ("zip drive", zip_of(&[("C:\\out", "1")]), "holds the name"),
        ("zip many", zip_of(&many), "more than 1000 files"),
        ("zip bomb", zip_of(&[("a", &large)]), "more than 4 MiB unpacked"),
        ("zip cut", two[..two.len() - 5].to_vec(), "no whole zip file"),
        ("zip with an end", [&two[..], b"more"].concat(), "something stands after its end"),
        ("zip shared", shared, "two files at one place"),
        ("zip encrypted", encrypted, "encrypted"),
        (
            "zip damaged",
            with(zip_of(&[("a", "some text that is there")]), b"PK\x01\x02", b"PK\x01\x09"),
            "no whole zip file",
        ),
    ] {
        let why = of_archive(sent).expect_err(what);
        assert!(why.contains(expected), "{what}: {why}");
    }
    let mut writer = ZipWriter::new(Cursor::new(Vec::new()));
    writer.add_symlink("link", "/etc/passwd", SimpleFileOptions::default()).expect("an entry");
    let why = of_archive(writer.finish().expect("an archive").into_inner()).expect_err("a link");
    assert!(why.contains("no plain file"), "{why}");
}
