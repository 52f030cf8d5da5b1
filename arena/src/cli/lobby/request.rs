//! What a form says of a table, read once: from names and values that anybody can send to a table that can be played, or to a
//! sentence for the person who sent them.

use std::sync::Arc;

use maumau_engine::Rules;
use maumau_engine::rules::{LoadedRules, OptionDefinition, all_sets, built_in, load_built_in, parse_value};
use maumau_protocol::message::{ClockMode, TimeControl};
use maumau_protocol::{MAX_SEATS, steers};
use maumau_run::agent::look;
use maumau_web::lobby::{TableChoices, TableOption, TableRequest};
use maumau_web::shown::NotShown;

use crate::cli::{agent, people};

/// The most characters of a person's name.
const NAME_CHARS: usize = 24;

/// The most rounds of a table.
const MOST_ROUNDS: u32 = 100;

/// What the form calls a seat of a person.
const PERSON: &str = "person";

/// A table that can be played.
#[derive(Debug)]
pub(super) struct RequestedTable {
    pub(super) rules: Arc<Rules>,
    pub(super) clock: ClockMode,
    pub(super) time: TimeControl,
    /// The first one is that of the person who asks.
    pub(super) seats: Vec<RequestedSeat>,
}

/// A seat of it.
#[derive(Debug)]
pub(super) struct RequestedSeat {
    pub(super) name: String,
    pub(super) command: String,
    pub(super) is_person: bool,
}

/// What can be chosen by the rule set `rules`, or by the first one where that is empty.
///
/// # Errors
/// There is no such set.
pub(super) fn choices(rules: &str) -> Result<TableChoices, NotShown> {
    let first = built_in().first().map_or("basic", |set| set.name);
    let loaded = loaded(if rules.is_empty() { first } else { rules }, &[])?;
    let title = |name: &str| load_built_in(name, &[]).map_or_else(|_| name.to_owned(), |set| set.set.title.to_string());
    let set = &loaded.set;
    Ok(TableChoices {
        sets: all_sets().map(|set| (set.name.to_owned(), title(set.name))).collect(),
        rules: set.name.to_string(),
        about: set.about.to_string(),
        seats: (usize::from(set.seats.min), usize::from(set.seats.max).min(MAX_SEATS)),
        rounds: set.scoring.rounds,
        options: loaded.options.iter().map(option).collect(),
        bots: agent::opponents().collect(),
    })
}

/// An option as the form shows it. A number is typed; yes and no, and what is spelled out, is chosen from a list.
fn option(option: &OptionDefinition) -> TableOption {
    let is_open = option.range.is_some() || (option.key.is_some() && option.values.is_empty());
    let samples = option.samples().iter().map(ToString::to_string).collect();
    let is_switch = option.choices() == "false or true";
    let values = match (is_switch, is_open) {
        (true, _) => vec!["false".to_owned(), "true".to_owned()],
        (false, true) => Vec::new(),
        (false, false) => samples,
    };
    TableOption {
        name: option.name.clone(),
        about: option.about.clone(),
        default: option.default.to_string(),
        values,
        expected: option.choices(),
    }
}

fn loaded(name: &str, settings: &[(String, maumau_protocol::ruleset::OptionValue)]) -> Result<LoadedRules, NotShown> {
    // Only names of sets that are part of the program lead anywhere.
    if !all_sets().any(|set| set.name == name) {
        return Err(NotShown(format!("There is no rule set {name:?} here.")));
    }
    load_built_in(name, settings).map_err(|problems| NotShown(format!("These options cannot be used: {problems}")))
}

/// Reads what a form has sent.
///
/// # Errors
/// What is wrong with it.
pub(super) fn read(request: &TableRequest) -> Result<RequestedTable, NotShown> {
    let given =
        |name: &str| request.iter().rev().find(|(found, _)| found == name).map_or("", |(_, value)| value.trim());
    let chosen = |(name, value): &(String, String)| Some((name.strip_prefix("set.")?.to_owned(), parse_value(value)));
    let standard = loaded(given("rules"), &[])?;
    // What the form shows without a choice is no choice: other options may say something else.
    let is_chosen = |(name, value): &(String, maumau_protocol::ruleset::OptionValue)| {
        !standard.options.iter().any(|known| known.name == *name && known.default.to_string() == value.to_string())
    };
    let settings: Vec<_> = request.iter().filter_map(chosen).filter(is_chosen).collect();
    if let Some((name, _)) = settings.iter().find(|(name, _)| !standard.options.iter().any(|known| known.name == *name))
    {
        return Err(NotShown(format!("These rules have no option {name:?}.")));
    }
    let set = loaded(given("rules"), &settings)?.set;
    let rounds = match given("rounds") {
        "" => None,
        text => match text.parse() {
            Ok(rounds) if (1..=MOST_ROUNDS).contains(&rounds) => Some(rounds),
            _ => return Err(NotShown(format!("Rounds: expected a whole number from 1 to {MOST_ROUNDS}."))),
        },
    };
    let clock = match given("clock") {
        "" | "live" => ClockMode::Live,
        "lockstep" => ClockMode::Lockstep,
        _ => return Err(NotShown("Clock: expected live or lockstep.".to_owned())),
    };
    let seats = seats(&given)?;
    let rules = Rules::for_table(&Arc::new(set), seats.len(), rounds)
        .map_err(|error| NotShown(format!("This table cannot be played: {error}.")))?;
    Ok(RequestedTable { rules: Arc::new(rules), clock, time: people::WITH_PERSON, seats })
}

/// The seats: the person who asks, then those that are not empty.
fn seats<'a>(given: &impl Fn(&str) -> &'a str) -> Result<Vec<RequestedSeat>, NotShown> {
    let name = given("name");
    if name.is_empty() || name.chars().count() > NAME_CHARS || name.chars().any(steers) {
        return Err(NotShown(format!("Your name: expected 1 to {NAME_CHARS} characters that can be seen.")));
    }
    let own = RequestedSeat { name: name.to_owned(), command: person(), is_person: true };
    let mut seats = vec![own];
    for other in 1..MAX_SEATS {
        let chosen = given(&format!("seat{other}"));
        let (base, command) = match chosen {
            "" => continue,
            PERSON => ("guest", person()),
            bot if agent::opponents().any(|(name, _)| name == bot) => (bot, format!("maumau agent {bot}")),
            _ => return Err(NotShown(format!("Seat {}: expected nobody, a person or a bot of the list.", other + 1))),
        };
        let mut free = std::iter::once(base.to_owned()).chain((2..).map(|number| format!("{base} {number}")));
        let free = free.find(|name| !seats.iter().any(|seat: &RequestedSeat| look(&seat.name) == look(name)));
        seats.push(RequestedSeat { name: free.unwrap_or_default(), command, is_person: chosen == PERSON });
    }
    Ok(seats)
}

fn person() -> String {
    "maumau agent web".to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn request(pairs: &[(&str, &str)]) -> TableRequest {
        pairs.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect()
    }

    #[test]
    fn a_form_is_a_table_with_the_person_first() {
        let sent = [
            ("rules", "skat"),
            ("name", " greedy "),
            ("seat1", "greedy"),
            ("seat2", ""),
            ("seat3", "person"),
            ("seat4", "person"),
            ("clock", "lockstep"),
            ("rounds", "4"),
        ];
        let table = read(&request(&sent)).expect("a table");
        let names: Vec<&str> = table.seats.iter().map(|seat| seat.name.as_str()).collect();
        assert_eq!(names, ["greedy", "greedy 2", "guest", "guest 2"]);
        assert_eq!(table.seats.iter().filter(|seat| seat.is_person).count(), 3);
        assert_eq!((table.clock, table.rules.set().name.as_ref()), (ClockMode::Lockstep, "skat"));
        assert_eq!(table.time.move_ms, 300_000);
    }

    #[test]
    fn what_is_wrong_is_a_sentence() {
        let good = [("rules", "basic"), ("name", "Ann"), ("seat1", "greedy")];
        assert!(read(&request(&good)).is_ok());
        for (pair, said) in [
            (("rules", "../secret"), "There is no rule set \"../secret\" here."),
            (("name", ""), "Your name: expected 1 to 24 characters that can be seen."),
            (("name", "a\u{202e}b"), "Your name: expected 1 to 24 characters that can be seen."),
            (("name", "a name that is much too long"), "Your name: expected 1 to 24 characters that can be seen."),
            (("seat1", "rm -rf /"), "Seat 2: expected nobody, a person or a bot of the list."),
            (("rounds", "0"), "Rounds: expected a whole number from 1 to 100."),
            (("rounds", "1e9"), "Rounds: expected a whole number from 1 to 100."),
            (("clock", "sundial"), "Clock: expected live or lockstep."),
            (("set.no_such", "1"), "These rules have no option \"no_such\"."),
            (("set.deal.cards", "1"), "These rules have no option \"deal.cards\"."),
        ] {
            let sent: TableRequest = request(&[&good[..], &[pair]].concat());
            assert_eq!(read(&sent).map(|_| ()).expect_err("refused"), NotShown(said.to_owned()), "{pair:?}");
        }
        let alone = read(&request(&good[..2])).expect_err("one cannot play");
        assert!(alone.0.starts_with("This table cannot be played: basic: 1 seat; 2 to "), "{alone:?}");
    }

    #[test]
    fn every_set_can_be_played_as_its_form_stands_and_with_each_value_that_it_lists() {
        for (name, _) in choices("").expect("the first set").sets {
            let choices = choices(&name).expect("a set");
            let mut sent = request(&[("rules", &name), ("name", "Ann")]);
            (1..choices.seats.0.max(4)).for_each(|seat| sent.push((format!("seat{seat}"), "greedy".to_owned())));
            sent.extend(choices.options.iter().map(|option| (format!("set.{}", option.name), option.default.clone())));
            assert!(read(&sent).is_ok(), "{name}: {:?}", read(&sent).map(|_| ()));
            for option in &choices.options {
                for value in &option.values {
                    let pair = (format!("set.{}", option.name), value.clone());
                    let chosen = [&sent[..], std::slice::from_ref(&pair)].concat();
                    let wrong = read(&chosen).err();
                    // Some values need another table; that is said.
                    assert!(
                        wrong.as_ref().is_none_or(
                            |NotShown(why)| why.starts_with("This table") || why.starts_with("These options")
                        ),
                        "{name} {pair:?}: {wrong:?}"
                    );
                }
            }
        }
    }
}
