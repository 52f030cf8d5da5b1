//! Finds rule files on disk, besides the built-in sets. It reads texts; the engine reads the rules in them.

use std::path::{Path, PathBuf};

use maumau_engine::rules::{BuiltIn, MAX_FILE_BYTES, NoRuleText, Problems, RuleFiles, RuleText};

use crate::io::bounded;
use crate::io::untrusted::Untrusted;

/// Built-in sets by name; anything with a slash or ending in `.toml` is a file, and a base set is looked for next to the file
/// that extends it.
#[derive(Clone, Copy, Debug, Default)]
pub struct OnDisk;

impl RuleFiles for OnDisk {
    fn text(&self, name: &str, from: Option<&str>) -> Result<RuleText, NoRuleText> {
        if !name.contains('/') && !name.ends_with(".toml") {
            return BuiltIn.text(name, from);
        }
        let path = match from.map(Path::new).and_then(Path::parent) {
            Some(folder) => folder.join(name),
            None => PathBuf::from(name),
        };
        let file = path.display().to_string();
        let text = bounded::read_text(&path, MAX_FILE_BYTES as u64, "a rule file");
        let text = text.map_err(|error| NoRuleText(format!("{file}: {error}")))?;
        Ok(RuleText { file, text })
    }
}

/// The problems of a file, one per line; quoted text never begins a line of its own.
pub fn listed(problems: &Problems) -> String {
    problems.0.iter().map(|problem| Untrusted::new(&problem.to_string()).lines("  | ")).collect::<Vec<_>>().join("\n")
}
