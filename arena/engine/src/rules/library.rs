//! Where rule files come from: the built-in sets, and the trait through which the program adds files from disk. It
//! hands out texts without reading them; this crate opens no file.

/// The text of a rule file.
#[derive(Clone, Debug)]
pub struct RuleText {
    /// How people know the file; problems begin with it, and it shows when a file extends itself.
    pub file: String,
    /// Its contents.
    pub text: String,
}

/// Why there is no text of this name, in a sentence.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct NoRuleText(pub String);

/// Gives the texts of rule files, so that the engine itself opens none.
pub trait RuleFiles {
    /// The text of the rule set `name`: a built-in set or another name that this library knows, for example a path. `from`
    /// is the [`RuleText::file`] of the file that extends it, if any.
    ///
    /// # Errors
    /// There is no text of this name.
    fn text(&self, name: &str, from: Option<&str>) -> Result<RuleText, NoRuleText>;
}

/// The rule sets that are part of the program.
#[derive(Clone, Copy, Debug, Default)]
pub struct BuiltIn;

/// A rule set that is part of the program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BuiltInSet {
    /// Its name, as `extends` and the command line write it.
    pub name: &'static str,
    /// The text of its file.
    pub text: &'static str,
}

const SETS: [BuiltInSet; 6] = [
    BuiltInSet { name: "basic", text: include_str!("../../rules/basic.toml") },
    BuiltInSet { name: "crazy-eights", text: include_str!("../../rules/crazy-eights.toml") },
    BuiltInSet { name: "deluxe", text: include_str!("../../rules/deluxe.toml") },
    BuiltInSet { name: "skat", text: include_str!("../../rules/skat.toml") },
    BuiltInSet { name: "snap", text: include_str!("../../rules/snap.toml") },
    BuiltInSet { name: "spam", text: include_str!("../../rules/spam.toml") },
];

const FAMILY: [BuiltInSet; 11] = [
    BuiltInSet { name: "bartok", text: include_str!("../../rules/family/bartok.toml") },
    BuiltInSet { name: "colours", text: include_str!("../../rules/family/colours.toml") },
    BuiltInSet { name: "countdown", text: include_str!("../../rules/family/countdown.toml") },
    BuiltInSet { name: "eights", text: include_str!("../../rules/family/eights.toml") },
    BuiltInSet { name: "makao", text: include_str!("../../rules/family/makao.toml") },
    BuiltInSet { name: "mau-mau", text: include_str!("../../rules/family/mau-mau.toml") },
    BuiltInSet { name: "pesten", text: include_str!("../../rules/family/pesten.toml") },
    BuiltInSet { name: "prsi", text: include_str!("../../rules/family/prsi.toml") },
    BuiltInSet { name: "switch", text: include_str!("../../rules/family/switch.toml") },
    BuiltInSet { name: "tschau-sepp", text: include_str!("../../rules/family/tschau-sepp.toml") },
    BuiltInSet { name: "waterfall", text: include_str!("../../rules/family/waterfall.toml") },
];

/// The JSON Schema (draft 7) of rule files, for editors. It knows keys, shapes and bounds; what contradicts is left to the
/// loader.
pub const FILE_SCHEMA: &str = include_str!("../../rules/rules-file.schema.json");

/// The basis of every rule set.
pub(crate) const COMMON: BuiltInSet = BuiltInSet { name: "common", text: include_str!("../../rules/common.toml") };

/// The built-in rule sets, by name.
pub fn built_in() -> &'static [BuiltInSet] {
    &SETS
}

/// Further games of the family, by name. They are found by name like the built-in sets, but are not among
/// [`built_in`], by which agents are trained and measured unless something else is said.
pub fn family() -> &'static [BuiltInSet] {
    &FAMILY
}

/// All sets that are found by name: the built-in ones, then the family.
pub fn all_sets() -> impl Iterator<Item = &'static BuiltInSet> {
    SETS.iter().chain(&FAMILY)
}

impl BuiltInSet {
    /// The name of its file in problems.
    pub fn file(&self) -> String {
        format!("built-in {}.toml", self.name)
    }
}

impl RuleFiles for BuiltIn {
    fn text(&self, name: &str, _from: Option<&str>) -> Result<RuleText, NoRuleText> {
        match all_sets().find(|set| set.name == name) {
            Some(set) => Ok(RuleText { file: set.file(), text: set.text.to_owned() }),
            None => {
                let shown: String = name.chars().take(80).collect();
                let known = maumau_places::suggestion(name, all_sets().map(|set| set.name));
                Err(NoRuleText(format!("there is no rule set {shown:?}{known}")))
            }
        }
    }
}
