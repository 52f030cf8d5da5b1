//! Rules that are added in the course of a match.

use maumau_protocol::ruleset::MenuEntry;

use super::words::list;
use super::{Page, Rulebook};

impl Rulebook<'_> {
    /// What winners may add, and each rule of the menu.
    pub(super) fn menu(&self, page: &mut Page) {
        let Some(menu) = &self.set.menu else { return };
        page.heading("Rules that winners add");
        page.paragraph();
        page.say("The winner of every round but the last adds a rule, which holds for everybody from then on.")
            .states("G-74 BK-06");
        match menu.offer {
            0 => page.say("It may choose any rule that can be added.").states("G-75 BK-07").from("menu.offer"),
            offer => page
                .say(format!(
                    "It chooses among {offer} of those that can be added, which the referee draws and shows to everybody."
                ))
                .states("G-75 BK-07")
                .from("menu.offer")
                .played("bartok/BK-06-the-winner-adds-a-rule"),
        };
        page.say("Where it is silent or is refused too often, the first of them by name is added.")
            .states("G-74 BK-06");
        page.say("A rule that does not go with one that holds cannot be added, unless it takes its place.")
            .states("G-76 G-77 BK-08 BK-10");
        page.say(
            "Nothing is added after a round without a winner; of several winners the first in the direction of play from \
             the dealer chooses.",
        )
        .states("G-74 BK-11");
        page.say("Everybody sees which rules hold.").states("G-74 BK-09");
        for (name, entry) in menu.add.iter().filter(|(_, entry)| !entry.off) {
            let part = format!("menu.add.{name}");
            page.item().about(part.clone()).cite_only(&entry.clauses);
            page.say(format!("{name}: {}{}", entry.about.trim(), beside(entry)))
                .states_all(&entry.clauses)
                .from(&format!("{part}.about"))
                .rendered();
        }
    }
}

/// What an added rule does to others.
fn beside(entry: &MenuEntry) -> String {
    let mut words = String::new();
    if !entry.replaces.is_empty() {
        words += &format!(" It takes the place of {}.", list(&entry.replaces, "and"));
    }
    let others: Vec<String> = entry.excludes.iter().filter(|name| !entry.replaces.contains(name)).cloned().collect();
    if !others.is_empty() {
        words += &format!(" It does not go with {}.", list(&others, "or"));
    }
    words
}
