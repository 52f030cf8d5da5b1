//! Rule files as people write them, and how the loader answers them. Files are texts in memory; nothing is played.

mod built_in;
mod effect_parts;
mod file_schema;
mod guide;
mod house_rules;
mod refused;

use maumau_protocol::ruleset::OptionValue;

use super::{BuiltIn, LoadedRules, NoRuleText, Problems, RuleFiles, RuleText, load, parse_setting};

/// Files written in the test itself, in addition to the built-in ones.
struct Files<'a>(&'a [(&'a str, &'a str)]);

impl RuleFiles for Files<'_> {
    fn text(&self, name: &str, from: Option<&str>) -> Result<RuleText, NoRuleText> {
        match self.0.iter().find(|(known, _)| *known == name) {
            Some((file, text)) => Ok(RuleText { file: (*file).to_owned(), text: (*text).to_owned() }),
            None => BuiltIn.text(name, from),
        }
    }
}

fn settings(texts: &[&str]) -> Vec<(String, OptionValue)> {
    texts.iter().map(|text| parse_setting(text).expect("a setting")).collect()
}

/// Loads `my.toml` with this text.
fn load_text(text: &str, set: &[&str]) -> Result<LoadedRules, Problems> {
    load(&Files(&[("my.toml", text)]), "my.toml", &settings(set))
}
