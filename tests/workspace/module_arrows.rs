//! The arrows between the modules of each crate, read from the paths in their sources: folders form layers, and no
//! modules that stand side by side use one another in a circle. It reads sources and compiles nothing; arrows between
//! crates are in `crate_arrows`.
//!
//! Tests inside the sources do not count, nor what a file takes from the file of its own folder. With `--nocapture` the test
//! prints the graph of each crate.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use crate::tree::{members, workspace};

/// The rooms of crates, the lowest first. Each may use those before it.
const LAYERS: [(&str, &[&str]); 4] = [
    ("arena/engine", &["reuse", "speech", "hand", "dice", "random", "draw_pile", "rules", "game"]),
    (
        "arena/referee",
        &[
            "faults",
            "lines",
            "places",
            "lockstep",
            "record",
            "log",
            "game_figures",
            "story",
            "decisions",
            "seat_replay",
            "referee",
            "local_game",
            "verify",
        ],
    ),
    ("arena/run", &["error", "io", "log", "agent", "fault_report", "runner", "run_store", "league"]),
    ("arena", &["lessons", "pages", "conformance", "cluster", "club", "cli"]),
];

/// A module by the names from the root of its crate.
type Module = Vec<String>;

/// The modules of one crate and what their sources say.
struct Crate {
    sources: BTreeMap<Module, String>,
    /// Names that a module hands on, and the module that defines each.
    handed_on: BTreeMap<(Module, String), Module>,
}

impl Crate {
    fn read(folder: &Path) -> Crate {
        let mut sources = BTreeMap::new();
        collect(folder, &mut Vec::new(), &mut sources);
        let tests: Vec<Module> = sources.iter().flat_map(|(module, source)| test_modules(module, source)).collect();
        sources.retain(|module, _| !tests.iter().any(|test| module.starts_with(test)));
        let mut read = Crate { sources, handed_on: BTreeMap::new() };
        // A name may be handed on more than once on its way up.
        for _ in 0..4 {
            let mut found = BTreeMap::new();
            for (module, source) in &read.sources {
                for path in uses(source).into_iter().filter(|path| path.is_public) {
                    if let (Some(target), Some(name)) = (read.resolve(module, &path.names), path.names.last()) {
                        found.insert((module.clone(), name.clone()), target);
                    }
                }
            }
            read.handed_on = found;
        }
        read
    }

    /// The module that a path in `from` leads to; `None` if it leads out of the crate.
    fn resolve(&self, from: &Module, path: &[String]) -> Option<Module> {
        let mut names = path.iter().peekable();
        let mut at = match names.next()?.as_str() {
            "crate" => Vec::new(),
            "self" => from.clone(),
            "super" => from[..from.len().checked_sub(1)?].to_vec(),
            first => {
                let child = [&from[..], &[first.to_owned()]].concat();
                self.sources.contains_key(&child).then_some(child)?
            }
        };
        while names.next_if(|name| *name == "super").is_some() {
            at.pop()?;
        }
        for name in names {
            let child = [&at[..], std::slice::from_ref(name)].concat();
            if self.sources.contains_key(&child) {
                at = child;
            } else {
                return Some(self.handed_on.get(&(at.clone(), name.clone())).cloned().unwrap_or(at));
            }
        }
        Some(at)
    }

    /// By folder, the arrows between the modules in it.
    fn arrows(&self) -> BTreeMap<Module, BTreeMap<String, BTreeSet<String>>> {
        let mut arrows: BTreeMap<Module, BTreeMap<String, BTreeSet<String>>> = BTreeMap::new();
        for (module, source) in &self.sources {
            for path in uses(source) {
                let Some(target) = self.resolve(module, &path.names) else { continue };
                let common = module.iter().zip(&target).take_while(|(one, other)| one == other).count();
                if let (Some(from), Some(to)) = (module.get(common), target.get(common)) {
                    let folder = arrows.entry(module[..common].to_vec()).or_default();
                    folder.entry(from.clone()).or_default().insert(to.clone());
                }
            }
        }
        arrows
    }
}

/// Reads the modules below `folder`, without their comments and tests.
fn collect(folder: &Path, module: &mut Module, sources: &mut BTreeMap<Module, String>) {
    for entry in std::fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        let name = path.file_stem().expect("a name").to_string_lossy().into_owned();
        if path.is_dir() {
            module.push(name);
            collect(&path, module, sources);
            module.pop();
        } else if path.extension().is_some_and(|ending| ending == "rs") && !["main", "tests"].contains(&name.as_str()) {
            let text = std::fs::read_to_string(&path).expect("a source file");
            let text = text.split("#[cfg(test)]\nmod tests {").next().unwrap_or_default();
            let code = text.lines().map(|line| line.split("//").next().unwrap_or_default());
            let own = [name].into_iter().filter(|name| !["lib", "mod"].contains(&name.as_str()));
            sources.insert(module.iter().cloned().chain(own).collect(), code.collect::<Vec<_>>().join("\n"));
        }
    }
}

/// The modules that a source declares for tests alone.
fn test_modules(module: &Module, source: &str) -> Vec<Module> {
    let declared = source.split("#[cfg(test)]").skip(1).filter_map(|after| {
        let line = after.trim_start().lines().next()?;
        line.rsplit_once("mod ")?.1.strip_suffix(';')
    });
    declared.map(|name| [&module[..], &[name.to_owned()]].concat()).collect()
}

/// A path that a source names.
struct Named {
    names: Vec<String>,
    /// Whether the source hands its last name on.
    is_public: bool,
}

/// The paths of a source: those of its `use` lines, and those that begin with `crate`, `super` or `self` anywhere else.
fn uses(source: &str) -> Vec<Named> {
    let mut found = Vec::new();
    let mut rest = String::new();
    let mut lines = source.lines();
    while let Some(line) = lines.next() {
        let begins = line.trim_start();
        let word = begins.strip_prefix("pub").map(|after| after.split_once(" use ").map(|(_, tree)| tree));
        let (is_public, tree) = match (word, begins.strip_prefix("use ")) {
            (Some(Some(tree)), _) => (true, tree),
            (_, Some(tree)) => (false, tree),
            _ => {
                rest += line;
                rest.push('\n');
                continue;
            }
        };
        let mut tree = tree.to_owned();
        while !tree.contains(';') {
            tree += lines.next().expect("a use ends with a semicolon");
        }
        let mut names = Vec::new();
        expand(tree.split(';').next().unwrap_or_default().trim(), &mut names, is_public, &mut found);
    }
    for word in rest.split(|character: char| !(character.is_alphanumeric() || character == '_' || character == ':')) {
        let names: Vec<String> = word.split("::").map(str::to_owned).collect();
        if names.len() > 1 && ["crate", "super", "self"].contains(&names[0].as_str()) {
            found.push(Named { names, is_public: false });
        }
    }
    found
}

/// Writes out a tree such as `a::{b, c::{d, e}}`.
fn expand(tree: &str, before: &mut Vec<String>, is_public: bool, found: &mut Vec<Named>) {
    let depth = before.len();
    match tree.split_once('{') {
        Some((path, inner)) => {
            before.extend(path.split("::").map(str::trim).filter(|name| !name.is_empty()).map(str::to_owned));
            let inner = inner.rsplit_once('}').expect("braces in pairs").0;
            let (mut open, mut start) = (0, 0);
            for (at, character) in inner.char_indices().chain([(inner.len(), ',')]) {
                match character {
                    '{' => open += 1,
                    '}' => open -= 1,
                    ',' if open == 0 => {
                        let part = inner[start..at].trim();
                        if !part.is_empty() {
                            expand(part, before, is_public, found);
                        }
                        start = at + 1;
                    }
                    _ => {}
                }
            }
        }
        None => {
            let tree = tree.split(" as ").next().unwrap_or_default();
            before.extend(
                tree.split("::").map(str::trim).filter(|name| *name != "self" || depth == 0).map(str::to_owned),
            );
            found.push(Named { names: before.clone(), is_public });
        }
    }
    before.truncate(depth);
}

/// The modules of a folder that use one another in a circle.
fn circles(arrows: &BTreeMap<String, BTreeSet<String>>) -> Vec<BTreeSet<String>> {
    let reached = |from: &String| {
        let (mut open, mut seen) = (vec![from], BTreeSet::new());
        while let Some(module) = open.pop() {
            open.extend(arrows.get(module).into_iter().flatten().filter(|next| seen.insert((*next).clone())));
        }
        seen
    };
    let all: BTreeMap<&String, BTreeSet<String>> = arrows.keys().map(|from| (from, reached(from))).collect();
    let ring = |from: &String| -> BTreeSet<String> {
        all[from].iter().filter(|to| all.get(to).is_some_and(|back| back.contains(from))).cloned().collect()
    };
    let rings: BTreeSet<BTreeSet<String>> = arrows.keys().map(ring).filter(|ring| ring.len() > 1).collect();
    rings.into_iter().collect()
}

/// The arrows between the rooms of a crate.
fn rooms(arrows: &BTreeMap<Module, BTreeMap<String, BTreeSet<String>>>) -> BTreeMap<String, BTreeSet<String>> {
    let mut rooms = arrows.get(&Module::new()).cloned().unwrap_or_default();
    for used in rooms.values().flatten().cloned().collect::<Vec<_>>() {
        rooms.entry(used).or_default();
    }
    rooms
}

/// The arrows that run up, or into a room of which `layers` says nothing.
fn upward(rooms: &BTreeMap<String, BTreeSet<String>>, layers: &[&str]) -> Vec<String> {
    let layer = |room: &String| layers.iter().position(|layer| layer == room);
    let arrows = rooms.iter().flat_map(|(room, used)| used.iter().map(move |used| (room, used)));
    let wrong = arrows.filter(|(room, used)| match (layer(room), layer(used)) {
        (Some(room), Some(used)) => used >= room,
        _ => true,
    });
    wrong.map(|(room, used)| format!("{room} -> {used}")).collect()
}

#[test]
fn no_modules_use_one_another_in_a_circle_and_no_room_one_above_it() {
    let (mut in_circles, mut upwards) = (Vec::new(), Vec::new());
    let members = members();
    for (layered, _) in LAYERS {
        assert!(members.iter().any(|member| member.folder == layered), "there is no crate {layered}");
    }
    for name in members.iter().map(|member| member.folder.as_str()) {
        let arrows = Crate::read(&workspace().join(name).join("src")).arrows();
        let rooms = rooms(&arrows);
        let rings: Vec<String> = arrows
            .iter()
            .flat_map(|(folder, arrows)| circles(arrows).into_iter().map(move |ring| (folder, ring)))
            .map(|(folder, ring)| format!("{name}/src/{}: {ring:?}", folder.join("/")))
            .collect();
        let layers = LAYERS.iter().find(|(layered, _)| *layered == name);
        let up = layers.map(|(_, layers)| upward(&rooms, layers));
        let count: usize = rooms.values().map(BTreeSet::len).sum();
        let up_count = up.as_ref().map_or("no layers".to_owned(), |up| format!("{} upward", up.len()));
        println!("{name}: {} rooms, {count} arrows, {up_count}, {} circles", rooms.len(), rings.len());
        for (room, used) in rooms.iter().filter(|(_, used)| !used.is_empty()) {
            println!("  {room} -> {}", used.iter().cloned().collect::<Vec<_>>().join(", "));
        }
        assert!(up.is_none() || rooms.len() > 1, "{name}: {rooms:?}");
        upwards.extend(up.unwrap_or_default().into_iter().map(|arrow| format!("{name}: {arrow}")));
        in_circles.extend(rings);
    }
    assert!(in_circles.is_empty(), "modules in circles:\n{}", in_circles.join("\n"));
    assert!(upwards.is_empty(), "arrows that run up, or rooms without a row in LAYERS:\n{}", upwards.join("\n"));
}

#[test]
fn arrows_that_run_up_and_circles_are_found() {
    let graph = |arrows: &[(&str, &[&str])]| -> BTreeMap<String, BTreeSet<String>> {
        let owned = |(from, to): &(&str, &[&str])| ((*from).to_owned(), to.iter().map(|to| (*to).to_owned()).collect());
        arrows.iter().map(owned).collect()
    };
    let sound = graph(&[("cli", &["io", "error"]), ("io", &["error"])]);
    assert!(upward(&sound, &["error", "io", "cli"]).is_empty() && circles(&sound).is_empty());
    assert_eq!(upward(&sound, &["io", "error", "cli"]), ["io -> error"]);
    assert_eq!(upward(&sound, &["error", "io"]), ["cli -> error", "cli -> io"], "a room without a layer");
    assert_eq!(circles(&graph(&[("a", &["b"]), ("b", &["c"]), ("c", &["a"]), ("d", &["a"])])).len(), 1);
}

#[test]
fn paths_are_read_from_every_form_of_use() {
    let named = uses("pub(crate) use a::{b, c::{self, D as E}};\nuse super::f;\nfn g() { crate::h::i(); self.j }");
    let names: Vec<String> = named.iter().map(|path| path.names.join("::")).collect();
    assert_eq!(names, ["a::b", "a::c", "a::c::D", "super::f", "crate::h::i"]);
    assert_eq!(named.iter().filter(|path| path.is_public).count(), 3);
}
