//! `maumau rules new`: a rule file that changes another set, with examples to begin with. It writes the file; rules are read
//! and checked by the engine.

use std::fs::OpenOptions;
use std::io::{ErrorKind, Write};

use anyhow::{Context, Result};
use maumau_engine::rules::{LoadedRules, NoRuleText, RuleFiles, RuleText, all_sets, load, load_thoroughly};
use maumau_protocol::ruleset::{BySeats, DealtCards, RuleSet};
use maumau_protocol::{CardSet, Rank};
use maumau_run::error::{CommandOutcome, usage};
use maumau_run::io::rule_files::{OnDisk, listed};
use maumau_run::io::stdout::print;
use maumau_run::io::untrusted::Untrusted;

#[derive(clap::Args)]
#[command(after_help = "Examples:
  maumau rules new friday
  maumau rules new monday --extends skat

The file holds examples for the set that it changes, each behind a #. arena/engine/rules/README.md has all keys.")]
pub(super) struct RulesNewArguments {
    /// The name of the rules; their file, NAME.toml, must not exist: small letters, digits, - and _
    name: String,
    /// The built-in set, or the path of the rule file, that it changes
    #[arg(long, value_name = "SET", default_value = "basic")]
    extends: String,
}

pub(super) fn run(arguments: &RulesNewArguments) -> Result<CommandOutcome> {
    let RulesNewArguments { name, extends } = arguments;
    let is_plain = |letter: char| letter.is_ascii_lowercase() || letter.is_ascii_digit() || "-_".contains(letter);
    if name.is_empty() || name.len() > 40 || !name.chars().all(is_plain) {
        let shown = Untrusted::new(name).terminal();
        return Err(usage(format!("{shown:?} is no name for rules: write up to 40 small letters, digits, - and _")));
    }
    if all_sets().any(|set| set.name == name) {
        return Err(usage(format!("{name} is a built-in set: choose another name")));
    }
    let base = load(&OnDisk, extends, &[])
        .map_err(|problems| usage(format!("--extends: the rules cannot be used:\n{}", listed(&problems))))?;
    let file = format!("{name}.toml");
    write_new(&file, &text(name, extends, &base))?;
    load_thoroughly(&OnDisk, &file).map_err(|problems| usage(listed(&problems)))?;
    print(&next_steps(&file, &base.set))?;
    Ok(CommandOutcome::Done)
}

/// Writes a file that does not exist yet.
fn write_new(file: &str, text: &str) -> Result<()> {
    let opened = OpenOptions::new().write(true).create_new(true).open(file);
    let mut opened = match opened {
        Err(error) if error.kind() == ErrorKind::AlreadyExists => {
            return Err(usage(format!("{file} exists already: choose another name, or move it away")));
        }
        opened => opened.with_context(|| format!("{file} cannot be written"))?,
    };
    opened.write_all(text.as_bytes()).with_context(|| format!("{file} cannot be written"))
}

/// The text of the file. Examples begin with `#` and no space.
fn text(name: &str, extends: &str, base: &LoadedRules) -> String {
    let set = &base.set;
    let (quoted, title) = (toml::Value::from(extends), Untrusted::new(&set.title).terminal());
    let mut text = format!(
        "# House rules: what is not said here is as in {title}.\n\
         # Lines that begin with # and no space are examples: without the # they hold.\n\
         \n\
         format = 1\n\
         name = \"{name}\"\n\
         title = \"{name}\"                       # the name for people\n\
         extends = {quoted}\n\
         \n\
         # Each player is dealt this many cards.\n\
         #deal.cards = {}\n",
        other_hand(set)
    );
    if let Some((effect, cards)) = some_effect(extends, set) {
        text += &format!(
            "\n# The special cards are effects, each with a name of its own: {}.\n\
             # {effect}, of the cards {cards}, is switched off.\n\
             #[effects.{effect}]\n\
             #off = true\n",
            names(set)
        );
    }
    if let Some(rank) = plain_rank(set) {
        let card = rank.name();
        text += &format!(
            "\n# A card that does nothing turns the direction of play round.\n\
             #[effects.{card}]\n\
             #cards = \"{rank}\"\n\
             #reverse = true\n"
        );
    }
    text += &format!(
        "\n# A choice that the table has: --set hand=4.\n\
         #[options.hand]\n\
         #about = \"Cards dealt to each player.\"\n\
         #key = \"deal.cards\"\n\
         #default = {}\n\
         #range = [3, 6]\n",
        other_hand(set)
    );
    text
}

/// A number of cards for each player that is not that of the set.
fn other_hand(set: &RuleSet) -> u8 {
    if set.deal.cards == DealtCards::Fixed(BySeats::All(6)) { 5 } else { 6 }
}

/// The names of the effects that hold.
fn names(set: &RuleSet) -> String {
    let held = set.effects.iter().filter(|(_, effect)| !effect.off);
    held.map(|(name, _)| name.as_str()).collect::<Vec<_>>().join(", ")
}

/// An effect that holds and that the rest of the set does not need, with its cards.
fn some_effect<'a>(extends: &str, set: &'a RuleSet) -> Option<(&'a str, String)> {
    let held = set.effects.iter().filter(|(_, effect)| !effect.off && !effect.cards.0.is_empty());
    held.map(|(name, effect)| (name.as_str(), effect.cards.to_string())).find(|(name, _)| {
        let extends = toml::Value::from(extends);
        let text = format!("format = 1\nname = \"draft\"\nextends = {extends}\n[effects.{name}]\noff = true\n");
        load_thoroughly(&WithDraft(text), DRAFT).is_ok()
    })
}

/// What a file that is only tried out is called.
const DRAFT: &str = "draft.toml";

/// The files on disk, and a text that is tried out.
struct WithDraft(String);

impl RuleFiles for WithDraft {
    fn text(&self, name: &str, from: Option<&str>) -> Result<RuleText, NoRuleText> {
        match name {
            DRAFT => Ok(RuleText { file: name.to_owned(), text: self.0.clone() }),
            _ => OnDisk.text(name, from),
        }
    }
}

/// A rank of every pack of the set that no effect names, not even one that is switched off.
fn plain_rank(set: &RuleSet) -> Option<Rank> {
    let packs: Vec<CardSet> = match &set.deck.cards {
        BySeats::All(cards) => vec![cards.0],
        BySeats::Rows(rows) => rows.iter().map(|row| row.is.0).collect(),
    };
    let special = set.effects.values().fold(CardSet::EMPTY, |all, effect| all.union(effect.cards.0));
    set.deck.pack.ranks().into_iter().find(|rank| {
        let cards = CardSet::rank(*rank);
        let is_free = cards.intersect(special).is_empty() && !set.effects.contains_key(rank.name());
        is_free && packs.iter().all(|pack| cards.intersect(*pack) == cards)
    })
}

/// The text that is printed: the next commands.
fn next_steps(file: &str, base: &RuleSet) -> String {
    let title = Untrusted::new(&base.title).terminal();
    format!(
        "{file}: house rules that change {title}. What comes next:\n\n  \
         maumau rules check {file}\n  \
         maumau rules explain {file}\n  \
         maumau play --rules {file} --seat 'maumau agent greedy' --seat 'maumau agent first'\n"
    )
}

#[cfg(test)]
mod tests {
    use maumau_engine::rules::BuiltIn;

    use maumau_engine::rules::built_in;

    use super::*;

    /// The text without the `#` of the examples that `wanted` picks by their number.
    fn with_examples(text: &str, wanted: impl Fn(usize) -> bool) -> String {
        let mut number = 0;
        let mut within = false;
        let line = |line: &str| {
            let example = line.strip_prefix('#').filter(|rest| !rest.is_empty() && !rest.starts_with(' '));
            number += usize::from(within && example.is_none());
            within = example.is_some();
            format!("{}\n", example.filter(|_| wanted(number)).unwrap_or(line))
        };
        text.lines().map(line).collect()
    }

    #[test]
    fn a_new_file_is_sound_for_every_built_in_set_with_each_of_its_examples() {
        for set in built_in() {
            let base = load(&BuiltIn, set.name, &[]).expect("a built-in set");
            let new = text("mine", set.name, &base);
            let check = |what: &str, text: &str| {
                let loaded = load_thoroughly(&WithDraft(text.to_owned()), DRAFT);
                loaded.unwrap_or_else(|problems| panic!("{}, {what}: {problems}\n{text}", set.name))
            };
            check("as it is", &new);
            let examples = new.lines().filter(|line| line.starts_with("#[")).count() + 1;
            assert!(examples >= 3, "{new}");
            for number in 0..examples {
                let with = with_examples(&new, |example| example == number);
                assert_ne!(with, new, "{number}");
                check(&format!("example {number}"), &with);
            }
            let all = with_examples(&new, |_| true);
            let changed = check("all examples", &all).set;
            assert_ne!((changed.deal.cards, changed.effects), (base.set.deal.cards, base.set.effects), "{all}");
        }
    }

    #[test]
    fn a_new_file_is_read_by_people() {
        let base = load(&BuiltIn, "skat", &[]).expect("a built-in set");
        let expected = r##"# House rules: what is not said here is as in Mau-Mau with a skat pack.
# Lines that begin with # and no space are examples: without the # they hold.

format = 1
name = "sunday"
title = "sunday"                       # the name for people
extends = "skat"

# Each player is dealt this many cards.
#deal.cards = 6

# The special cards are effects, each with a name of its own: ace, eight, jack, king_of_hearts, nine, seven, ten.
# ace, of the cards A, is switched off.
#[effects.ace]
#off = true

# A card that does nothing turns the direction of play round.
#[effects.queen]
#cards = "Q"
#reverse = true

# A choice that the table has: --set hand=4.
#[options.hand]
#about = "Cards dealt to each player."
#key = "deal.cards"
#default = 6
#range = [3, 6]
"##;
        assert_eq!(text("sunday", "skat", &base), expected);
    }
}
