//! What documents and comments cite exists: paths, anchors of links, sections of the specification, and the types and
//! functions that the map names. Whether a sentence about them is true no test can decide.

use std::collections::BTreeSet;
use std::path::{Component, Path, PathBuf};

use crate::tree::{texts, workspace};

/// Where a path may begin, beside the folder of the file that names it and of the crate around that.
const ROOTS: [&str; 8] =
    ["", "arena", "arena/src", "arena/run/src", "arena/engine/src", "arena/referee/src", "protocol/src", "tests"];

/// What ends the name of a file that is meant to be one of this repository.
const ENDINGS: [&str; 9] = [".rs", ".md", ".toml", ".py", ".sh", ".js", ".json", ".yml", ".css"];

/// Languages whose comments are read, and what begins a comment in them.
const COMMENTS: [(&str, &str); 6] =
    [(".rs", "//"), (".js", "//"), (".py", "#"), (".sh", "#"), (".toml", "#"), (".yml", "#")];

const SPEC: &str = "protocol/SPEC.md";
const MAP: &str = "arena/ARCHITECTURE.md";

/// All files that people read as text, by path.
struct Repository(Vec<(String, String)>);

impl Repository {
    fn read() -> Repository {
        Repository(texts().into_iter().filter(|(path, _)| !path.starts_with("tests/fuzz/corpus/")).collect())
    }

    fn documents(&self) -> impl Iterator<Item = &(String, String)> {
        self.0.iter().filter(|(path, _)| path.ends_with(".md"))
    }

    fn document(&self, wanted: &str) -> &str {
        self.0
            .iter()
            .find(|(path, _)| path == wanted)
            .map(|(_, text)| text.as_str())
            .unwrap_or_else(|| panic!("{wanted}"))
    }

    /// The comments of each source, line by line.
    fn comments(&self) -> impl Iterator<Item = (&str, &str)> {
        self.0.iter().flat_map(|(path, text)| {
            let mark = COMMENTS.iter().find(|(ending, _)| path.ends_with(ending)).map(|(_, mark)| *mark);
            let lines =
                mark.into_iter().flat_map(|mark| text.lines().filter_map(move |line| Some(line.split_once(mark)?.1)));
            lines.map(|line| (path.as_str(), line))
        })
    }

    /// Whether `path`, which stands in the file `of`, is there.
    fn has(&self, of: &str, path: &str) -> bool {
        let folder = Path::new(of).parent().expect("a folder");
        let roots = ROOTS.iter().map(PathBuf::from).chain(folder.ancestors().map(Path::to_owned));
        let in_src = folder.ancestors().map(|above| above.join("src"));
        roots.chain(in_src).any(|root| workspace().join(root).join(path).exists())
    }

    /// The text of the document that `path` names in the file `of`, or of the only one of that name.
    fn named(&self, of: &str, path: &str) -> Option<&str> {
        let beside = normal(&Path::new(of).parent()?.join(path));
        let mut named = self.documents().filter(|(found, _)| *found == beside || *found == path);
        let file_name = |found: &str| Path::new(found).file_name().is_some_and(|name| name == path);
        let mut alone = self.documents().filter(|(found, _)| file_name(found));
        let only = || alone.next().filter(|_| alone.next().is_none());
        named.next().or_else(only).map(|(_, text)| text.as_str())
    }
}

/// The path without `..`.
fn normal(path: &Path) -> String {
    let mut parts: Vec<&str> = Vec::new();
    for part in path.components() {
        match part {
            Component::ParentDir => _ = parts.pop(),
            Component::Normal(part) => parts.push(part.to_str().expect("text")),
            _ => {}
        }
    }
    parts.join("/")
}

/// A Markdown page without its blocks of code.
fn prose(page: &str) -> String {
    page.split("\n```").step_by(2).collect::<Vec<_>>().join("\n")
}

/// The targets of links, without what lies outside of the repository.
fn links(page: &str) -> Vec<String> {
    let page = prose(page);
    let targets = page.split("](").skip(1).filter_map(|after| after.split(')').next());
    targets.filter(|target| !target.contains("://")).map(str::to_owned).collect()
}

/// Words in backticks that name a source, a document or a folder of the repository, and the sources that a picture names.
fn quoted(page: &str) -> Vec<&str> {
    let outside = page.split("```").step_by(2).flat_map(|text| text.split('`').skip(1).step_by(2));
    let pictures = page.split("```").skip(1).step_by(2).filter_map(|block| block.strip_prefix("text\n"));
    let in_pictures = pictures.flat_map(str::split_whitespace).filter(|word| word.ends_with(".rs"));
    let words = outside.chain(in_pictures);
    let is_path = |word: &str| {
        let plain = word.chars().all(|character| character.is_ascii_alphanumeric() || "/._-".contains(character));
        let known = [".rs", ".md", ".toml"].iter().any(|ending| word.ends_with(ending));
        let folder = ["tests/", "arena/", "agents/", "protocol/"].iter().any(|folder| word.starts_with(folder));
        plain && word.contains('/') && !word.starts_with('/') && (known || folder)
    };
    words.filter(|word| is_path(word)).collect()
}

/// The anchors of a page: those of its headings, as GitHub makes them, and those that stand in it.
fn anchors(page: &str) -> BTreeSet<String> {
    let page = prose(page);
    let headings = page.lines().filter(|line| line.starts_with('#')).map(|line| {
        let kept = line.trim_start_matches('#').trim().to_lowercase().replace(' ', "-");
        kept.chars().filter(|character| character.is_alphanumeric() || "-_".contains(*character)).collect()
    });
    let written = page.split("<a id=\"").skip(1).filter_map(|after| after.split('"').next()).map(str::to_owned);
    headings.chain(written).collect()
}

/// The words of a text that may be paths, numbers or anchors.
fn words(text: &str) -> impl Iterator<Item = &str> {
    let kept = |character: char| character.is_ascii_alphanumeric() || "/._-#".contains(character);
    text.split(move |character| !kept(character)).map(|word| word.trim_end_matches('.')).filter(|word| !word.is_empty())
}

/// The number of a section that a text begins with, such as `8.1`.
fn leading_number(text: &str) -> &str {
    let end = text.find(|character: char| !character.is_ascii_digit() && character != '.').unwrap_or(text.len());
    text[..end].trim_end_matches('.')
}

fn check(what: &str, wrong: &[String], found: usize, least: usize) {
    assert!(wrong.is_empty(), "{} of {found} {what} do not exist:\n{}", wrong.len(), wrong.join("\n"));
    assert!(found >= least, "only {found} {what} were found");
}

#[test]
fn every_path_in_a_document_exists() {
    let all = Repository::read();
    let (mut missing, mut found) = (Vec::new(), 0);
    for (name, page) in all.documents() {
        let folder = workspace().join(name).parent().expect("a folder").to_owned();
        for link in links(page) {
            found += 1;
            let path = link.split('#').next().expect("a path");
            if !folder.join(path).exists() {
                missing.push(format!("{name}: ({link})"));
            }
        }
        for word in quoted(page) {
            found += 1;
            if !all.has(name, word) {
                missing.push(format!("{name}: `{word}`"));
            }
        }
    }
    check("paths", &missing, found, 300);
}

#[test]
fn every_path_in_a_comment_exists() {
    let all = Repository::read();
    let (mut missing, mut found) = (Vec::new(), 0);
    for (name, comment) in all.comments() {
        let is_path = |word: &&str| {
            let inside = word.contains('/') && !word.starts_with(['/', '.']) && !word.contains("//");
            (inside || word.ends_with(".md")) && ENDINGS.iter().any(|ending| word.ends_with(ending))
        };
        for word in words(comment).filter(is_path) {
            found += 1;
            if !all.has(name, word) && all.named(name, word).is_none() {
                missing.push(format!("{name}: {word}"));
            }
        }
    }
    check("paths", &missing, found, 30);
}

#[test]
fn every_anchor_of_a_link_or_a_comment_exists() {
    let all = Repository::read();
    let (mut missing, mut found) = (Vec::new(), 0);
    let of_documents =
        all.documents().flat_map(|(name, page)| links(page).into_iter().map(|link| (name.as_str(), link)));
    let of_comments = all.comments().flat_map(|(name, comment)| {
        words(comment).filter(|word| word.contains(".md#")).map(|word| (name, word.to_owned())).collect::<Vec<_>>()
    });
    for (name, link) in of_documents.chain(of_comments) {
        let Some((path, anchor)) = link.split_once('#') else { continue };
        found += 1;
        let page = if path.is_empty() { Some(all.document(name)) } else { all.named(name, path) };
        if !page.is_some_and(|page| anchors(page).contains(anchor)) {
            missing.push(format!("{name}: {link}"));
        }
    }
    check("anchors", &missing, found, 30);
}

#[test]
fn every_section_of_the_specification_that_is_cited_exists() {
    let all = Repository::read();
    let spec = all.document(SPEC);
    // `## 6. Faults`, `**8.1 Seeds.** …`, `| SPEC 6.2 | … |`, `| G-04 (6.5) | … |`
    let heads = spec
        .lines()
        .flat_map(|line| ["## ", "**", "| SPEC ", "| G-04 ("].into_iter().filter_map(|mark| line.strip_prefix(mark)));
    let known: BTreeSet<&str> = heads.map(leading_number).collect();
    let (mut missing, mut found) = (Vec::new(), 0);
    for (name, text) in &all.0 {
        let cited = text.match_indices("SPEC ").map(|(at, mark)| at + mark.len());
        let by_sign = text.match_indices('§').filter(|_| name == SPEC).map(|(at, _)| at);
        for at in cited.chain(by_sign) {
            let number = leading_number(text[at..].trim_start_matches('§'));
            if number.is_empty() {
                continue;
            }
            found += 1;
            if !known.contains(number) {
                missing.push(format!("{name}: SPEC {number}"));
            }
        }
        // Another document in capitals whose sections are counted is not here; books are not written like that.
        for (at, _) in text.match_indices(" §") {
            let before =
                text[..at].rsplit(|character: char| !character.is_ascii_alphabetic()).next().unwrap_or_default();
            if before.len() > 3 && before.chars().all(|letter| letter.is_ascii_uppercase()) && before != "SPEC" {
                missing.push(format!("{name}: {before} §"));
            }
        }
    }
    check("sections", &missing, found, 200);
}

#[test]
fn every_type_and_function_that_the_map_names_exists() {
    let all = Repository::read();
    let sources: Vec<&str> =
        all.0.iter().filter(|(path, _)| path.ends_with(".rs")).map(|(_, text)| text.as_str()).collect();
    let page = prose(all.document(MAP));
    let (mut missing, mut found) = (Vec::new(), 0);
    for name in page.split('`').skip(1).step_by(2) {
        let plain = name.split('(').next().expect("a name");
        let is_ours = plain.starts_with(|letter: char| letter.is_ascii_uppercase()) || plain.contains("::");
        let is_name = plain.chars().all(|character| character.is_ascii_alphanumeric() || "_:".contains(character));
        if !is_ours || !is_name {
            continue;
        }
        found += 1;
        let whole = |text: &str, part: &str| {
            text.match_indices(part).any(|(at, _)| {
                let joins = |character: char| character.is_alphanumeric() || character == '_';
                !text[..at].ends_with(joins) && !text[at + part.len()..].starts_with(joins)
            })
        };
        let parts: Vec<&str> = plain.split("::").collect();
        if !parts.iter().all(|part| sources.iter().any(|text| whole(text, part))) {
            missing.push(format!("{MAP}: {name}"));
        }
    }
    check("names", &missing, found, 15);
}

#[test]
fn the_map_names_every_piece_of_the_game_in_the_row_of_its_folder() {
    let all = Repository::read();
    let page = all.document(MAP);
    let (mut missing, mut found) = (Vec::new(), 0);
    for (path, _) in &all.0 {
        let Some(piece) = path.strip_prefix("arena/engine/src/game/").and_then(|path| path.strip_suffix(".rs")) else {
            continue;
        };
        let named = match piece.split_once('/') {
            Some((_, "mod")) => continue,
            Some((folder, name)) => {
                let row = page.lines().find(|line| line.starts_with(&format!("| `{folder}/` |")));
                row.is_some_and(|row| row.contains(&format!("`{name}`")))
            }
            None if ["mod", "tests"].contains(&piece) => continue,
            None => page.contains(&format!("`{piece}`")),
        };
        found += 1;
        if !named {
            missing.push(format!("{MAP}: {path}"));
        }
    }
    check("pieces in the map", &missing, found, 40);
}
