//! The rows about modules, packages and libraries that an agent does not find: the name is read from its last words and
//! looked for where the language would look. It reads folders and links.

use std::path::{Path, PathBuf};

use maumau_places::nearest;

use super::Clues;
use crate::io::untrusted::Untrusted;

/// How languages say that a module is not found: the words before its name, and those after it.
const NOT_FOUND: [(&str, &str); 12] = [
    ("No module named '", "'"),
    ("Cannot find module '", "'"),
    ("Cannot find package '", "'"),
    ("cannot load such file -- ", " (LoadError)"),
    ("module '", "' not found"),
    ("Can't locate ", " in @INC"),
    ("Failed opening required '", "'"),
    ("Could not find or load main class ", "\n"),
    ("ClassNotFoundException: ", "\n"),
    ("NoClassDefFoundError: ", "\n"),
    ("error while loading shared libraries: ", ":"),
    ("Could not load file or assembly '", "'"),
];

/// Endings of a module's file.
const ENDINGS: [&str; 12] = ["", ".py", ".js", ".mjs", ".cjs", ".rb", ".lua", ".pm", ".php", ".class", ".so", ".dll"];

/// Variables that name folders of modules. Agents do not get them.
const VARIABLES: [&str; 7] =
    ["PYTHONPATH", "NODE_PATH", "RUBYLIB", "PERL5LIB", "CLASSPATH", "LD_LIBRARY_PATH", "MONO_PATH"];

/// A module that is there and may not be read, or that only a variable leads to.
pub(super) fn module(clues: &Clues<'_>) -> Option<String> {
    let name = missing(clues)?;
    let read = |path: &Path| {
        let path = Untrusted::path(path).terminal();
        format!("--sandbox-read {path} (read = [\"{path}\"])")
    };
    for (folder, path) in clues.folders().iter().flat_map(|folder| places(folder, &name)) {
        let Ok(real) = path.canonicalize() else { continue };
        if !clues.is_confined() || (clues.may_read)(&real) {
            continue;
        }
        let home = folder.canonicalize().unwrap_or(folder);
        let means = match real.strip_prefix(&home) {
            Ok(_) => format!(
                "{name:?} lies in {}, and of a home folder or /tmp an agent reads only the files that its command names: keep it \
                 in a folder of its own, or {} permits this one",
                Untrusted::path(&home).terminal(),
                read(&home)
            ),
            Err(_) => format!(
                "{name:?} is linked from {}: {} lets it read that",
                Untrusted::path(&real).terminal(),
                read(&real)
            ),
        };
        return Some(clues.sandbox(&means));
    }
    for variable in VARIABLES {
        let Some(value) = (clues.variable)(variable).filter(|_| !is_granted(clues, variable)) else { continue };
        let found = std::env::split_paths(&value).find(|folder| places(folder, &name).next().is_some());
        if let Some(folder) = found {
            let folder = folder.canonicalize().unwrap_or(folder);
            let is_closed = clues.is_confined() && !(clues.may_read)(&folder);
            let more = if is_closed { format!(" {}", read(&folder)) } else { String::new() };
            return Some(format!(
                "{name:?} lies in {}, which {variable} names; agents get few variables of your environment: --sandbox-env \
                 {variable} (secrets = [\"{variable}\"]){more}",
                Untrusted::path(&folder).terminal()
            ));
        }
    }
    let closed = installed(clues).into_iter().find(|folder| {
        let found = places(folder, &name).next().and_then(|(_, path)| path.canonicalize().ok());
        clues.is_confined() && found.is_some_and(|real| !(clues.may_read)(&real))
    })?;
    Some(clues.sandbox(&format!(
        "{name:?} is installed in {}: {} lets it read that",
        Untrusted::path(&closed).terminal(),
        read(&closed)
    )))
}

/// A module that is nowhere, and one beside the script that has nearly its name.
pub(super) fn misspelt_module(clues: &Clues<'_>) -> Option<String> {
    let name = missing(clues)?;
    let is_there = |folder: &PathBuf| places(folder, &name).next().is_some();
    let folders = clues.folders();
    if folders.iter().any(is_there) {
        return None;
    }
    let entries = folders.iter().filter_map(|folder| std::fs::read_dir(folder).ok()).flatten().flatten();
    let ending =
        |path: &Path| path.extension().map(|ending| format!(".{}", ending.to_string_lossy())).unwrap_or_default();
    let modules = entries.map(|entry| entry.path()).filter(|path| ENDINGS.contains(&ending(path).as_str()));
    let names: Vec<String> = modules.filter_map(|path| Some(path.file_stem()?.to_str()?.to_owned())).collect();
    let plain = Path::new(&name).file_stem()?.to_str()?;
    let near = nearest(plain, names.iter().map(String::as_str)).filter(|near| *near != plain)?;
    Some(format!("there is no {plain:?} beside it; did you mean {near:?}?"))
}

/// The name of the module that its last words say is not there.
fn missing(clues: &Clues<'_>) -> Option<String> {
    let named = clues.last_words().filter_map(|line| {
        NOT_FOUND.iter().find_map(|(before, after)| {
            let (_, rest) = line.split_once(before)?;
            let name = rest.split(after).next()?.trim();
            (!name.is_empty() && name.len() < 200).then(|| name.to_owned())
        })
    });
    // The last error is the one that it ended with.
    named.last()
}

/// Where a module of this name is in `folder`: with the folder, each file or folder that it may be.
fn places(folder: &Path, name: &str) -> impl Iterator<Item = (PathBuf, PathBuf)> + use<> {
    let first = name.split('.').next().unwrap_or(name).to_owned();
    let as_path = name.replace('.', "/");
    // A path that the language has completed, such as that of Node, is looked for by its last part.
    let last = Path::new(name).file_name().map(|file| file.to_string_lossy().into_owned()).unwrap_or_default();
    let names: Vec<String> =
        [name.to_owned(), first, as_path, last].into_iter().filter(|name| !name.is_empty()).collect();
    let folders = [folder.to_owned(), folder.join("node_modules")];
    let all = folders.into_iter().flat_map(move |folder| {
        let names = names.clone();
        names.into_iter().flat_map(move |name| {
            let folder = folder.clone();
            ENDINGS.iter().map(move |ending| (folder.clone(), folder.join(format!("{name}{ending}"))))
        })
    });
    all.filter(|(folder, path)| path != folder && path.symlink_metadata().is_ok())
}

fn is_granted(clues: &Clues<'_>, variable: &str) -> bool {
    clues.command.grant().variables().any(|(name, _)| name == variable)
}

/// Folders in which packages of the user are installed, and those that the packages of a virtual environment are linked from.
fn installed(clues: &Clues<'_>) -> Vec<PathBuf> {
    let home = (clues.variable)("HOME").map(PathBuf::from).map(|home| home.join(".local/lib"));
    let environment = Path::new(clues.command.program()).parent().and_then(Path::parent).map(|above| above.join("lib"));
    let libraries = home.into_iter().chain(environment.filter(|folder| folder.as_os_str().len() > "lib".len()));
    let pythons = libraries.filter_map(|folder| std::fs::read_dir(folder).ok()).flatten().flatten();
    let packages: Vec<PathBuf> =
        pythons.map(|python| python.path().join("site-packages")).filter(|path| path.is_dir()).collect();
    let entries = packages.iter().filter_map(|folder| std::fs::read_dir(folder).ok()).flatten().flatten();
    let links = entries.map(|entry| entry.path()).filter(|path| path.extension().is_some_and(|ending| ending == "pth"));
    // A line of such a file is a folder, or code.
    let linked = links.filter_map(|path| std::fs::read_to_string(path).ok()).flat_map(|text| {
        text.lines().map(PathBuf::from).filter(|path| path.is_absolute() && path.is_dir()).collect::<Vec<_>>()
    });
    let linked: Vec<PathBuf> = linked.collect();
    packages.into_iter().chain(linked).collect()
}
