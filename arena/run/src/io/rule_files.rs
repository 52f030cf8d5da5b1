//! Finds rule files on disk, besides the built-in sets. It reads texts; the engine reads the rules in them.

use std::path::Path;

use maumau_engine::rules::{BuiltIn, MAX_FILE_BYTES, NoRuleText, Problems, RuleFiles, RuleText};

use crate::io::bounded;
use crate::io::untrusted::Untrusted;

/// Built-in sets by name; anything with a slash or ending in `.toml` is a file, and a base set is looked for next to the file
/// that extends it.
#[derive(Clone, Copy, Debug, Default)]
pub struct OnDisk;

impl RuleFiles for OnDisk {
    fn text(&self, name: &str, from: Option<&str>) -> Result<RuleText, NoRuleText> {
        InFolder(Path::new("")).text(name, from)
    }
}

/// As [`OnDisk`], for a file in this folder that names a rule set: its path is looked up relative to the folder.
#[derive(Clone, Copy, Debug)]
pub struct InFolder<'a>(pub &'a Path);

impl RuleFiles for InFolder<'_> {
    fn text(&self, name: &str, from: Option<&str>) -> Result<RuleText, NoRuleText> {
        if !is_path(name) {
            return BuiltIn.text(name, from);
        }
        let path = from.map(Path::new).and_then(Path::parent).unwrap_or(self.0).join(name);
        let file = path.display().to_string();
        let text = bounded::read_text(&path, MAX_FILE_BYTES as u64, "a rule file");
        let text = text.map_err(|error| NoRuleText(format!("{file}: {error}")))?;
        Ok(RuleText { file, text })
    }
}

/// Whether the name of a rule set is the path of its file.
pub(crate) fn is_path(name: &str) -> bool {
    name.contains('/') || name.ends_with(".toml")
}

/// The problems of a file, one per line; quoted text never begins a line of its own.
pub fn listed(problems: &Problems) -> String {
    problems.0.iter().map(|problem| Untrusted::new(&problem.to_string()).lines("  | ")).collect::<Vec<_>>().join("\n")
}
