//! Tests that the tables of SPEC §6 and those of the code agree, row by row and column by column. That the referee acts
//! by them is tested in `tests/referee/faults.rs`.

use maumau_protocol::Reason;

use super::*;

const SPEC: &str = include_str!("../../../../protocol/SPEC.md");

/// The cells of the table that begins with `head`, by row.
fn rows<const N: usize>(head: &str) -> Vec<[&'static str; N]> {
    let (_, table) = SPEC.split_once(head).unwrap_or_else(|| panic!("SPEC has no table {head}"));
    let rows = table.lines().skip(2).take_while(|line| line.starts_with('|'));
    let cells = |line: &'static str| -> Vec<&str> { line.trim_matches('|').split('|').map(str::trim).collect() };
    rows.map(|line| cells(line).try_into().unwrap_or_else(|_| panic!("not {N} cells: {line}"))).collect()
}

/// A word in back quotes.
fn name(cell: &str) -> &str {
    cell.strip_prefix('`').and_then(|cell| cell.strip_suffix('`')).unwrap_or_else(|| panic!("{cell} is no name"))
}

/// The number of a conduct fault's clause.
fn number(fault: ConductFault) -> usize {
    1 + ConductFault::ALL.iter().position(|row| *row == fault).expect("every fault has a row")
}

#[test]
fn every_conduct_fault_has_the_row_of_spec() {
    let rows = rows::<5>("| clause | fault | when | at once | open |");
    assert_eq!(rows.len(), ConductFault::ALL.len());
    for ([clause, fault, when, at_once, open], expected) in rows.into_iter().zip(ConductFault::ALL) {
        let (row, number) = (sentence(expected), number(expected));
        assert_eq!(name(fault), expected.name());
        let cited = match clause.split_once(" (") {
            Some((cited, own)) => {
                assert_eq!(own, format!("6.{number})"), "{fault}");
                cited
            }
            None => {
                assert_eq!(clause, format!("SPEC 6.{number}"), "{fault}");
                clause
            }
        };
        assert_eq!(cited, row.clause, "{fault}");
        assert!(!when.is_empty(), "{fault}");
        let lost = matches!(row.found, FoundAt::AtLoss | FoundAt::AtStart);
        let expected = match row.consequence {
            Consequence::AskStaysOpen => "strike",
            Consequence::AskedAnew => "strike; refused",
            // The process of these agents is gone already.
            Consequence::ProcessEnds if lost => "dismissed",
            Consequence::ProcessEnds => {
                "dismissed; the process is killed, and thereby gone (6.13) from its other games"
            }
            Consequence::Dismissed => "dismissed",
        };
        assert_eq!(at_once, expected, "{fault}");
        assert_eq!(open, if row.ask_stays_open() { "yes" } else { "no" }, "{fault}");
    }
}

#[test]
fn when_a_conduct_fault_is_found_is_what_spec_says_below_the_table() {
    let sentences = [
        ("6.1 to 6.9 and 6.12 are found when a line arrives", FoundAt::OnArrival, &[1, 2, 3, 4, 5, 6, 7, 8, 9, 12][..]),
        ("6.10 and 6.11 when the action is taken up", FoundAt::WhenTakenUp, &[10, 11]),
        ("6.15 is found when the last of these deadlines has been judged", FoundAt::AtDeadline, &[15]),
        ("Every one of them is answered with `fault` but\n`gone` and `not_started`", FoundAt::AtLoss, &[13]),
        ("before the first offer (6.14)", FoundAt::AtStart, &[14]),
    ];
    let mut walked = 0;
    for (words, found, numbers) in sentences {
        assert!(SPEC.contains(words), "SPEC does not say {words:?}");
        for fault in ConductFault::ALL.into_iter().filter(|fault| numbers.contains(&number(*fault))) {
            assert_eq!(sentence(fault).found, found, "{}", fault.name());
            assert_eq!(
                sentence(fault).is_reported(),
                !matches!(found, FoundAt::AtLoss | FoundAt::AtStart),
                "{}",
                fault.name()
            );
            walked += 1;
        }
    }
    assert_eq!(walked, ConductFault::ALL.len());
}

#[test]
fn every_refusal_has_the_row_of_spec() {
    let rows = rows::<4>("| clause | fault | event `refused` with | cost |");
    let mut used = vec![false; rows.len()];
    for reason in Reason::ALL {
        let (word, expected) = (reason.name(), refusal(reason));
        let quoted = format!("`{word}`");
        let is_of = |row: &[&str; 4]| row[2].contains(&quoted) || (row[2].starts_with("none") && row[1] == quoted);
        let place = rows.iter().position(is_of).unwrap_or_else(|| panic!("SPEC has no row for {word}"));
        used[place] = true;
        let [clause, fault, _, cost] = rows[place];
        assert_eq!((name(fault), clause), (expected.name, expected.clause), "{word}");
        assert!(!expected.words.is_empty(), "{word}");
        let as_in_spec = match expected.cost {
            Cost::Nothing => cost.starts_with("nothing"),
            Cost::Misplay => cost == "price of the rule set (`prices.misplay`)" || cost == "the same",
            Cost::MisplayOfCard => cost == "a card: the same; anything else: nothing",
            Cost::BySet => cost.contains("the rule set says") || cost == "a mistake that others may call",
            Cost::Strike(fault) => {
                assert_eq!(fault.name(), expected.name, "{word}: one fault has one name");
                cost == format!("a strike (6.{})", number(fault))
            }
        };
        assert!(as_in_spec, "{word} costs {cost:?}, not {:?}", expected.cost);
    }
    assert_eq!(used, vec![true; rows.len()], "SPEC has a row that no reason has");
}

#[test]
fn a_faulty_line_is_charged_to_the_game_it_names_else_to_the_longest_ask_else_to_the_last_begun() {
    const NAMED: bool = true;
    for (games, expected) in [
        (&[][..], None),
        (&[(!NAMED, None, 0)], Some(0)),
        (&[(!NAMED, None, 0), (!NAMED, None, 1)], Some(1)),
        (&[(!NAMED, None, 2), (!NAMED, None, 1)], Some(0)),
        (&[(!NAMED, Some(7), 0), (!NAMED, None, 1)], Some(0)),
        (&[(!NAMED, Some(7), 0), (!NAMED, Some(3), 1), (!NAMED, None, 2)], Some(1)),
        (&[(!NAMED, Some(1), 0), (NAMED, Some(2), 1)], Some(1)),
        (&[(NAMED, None, 0), (!NAMED, Some(1), 1), (!NAMED, None, 2)], Some(0)),
    ] {
        let candidate = |&(is_named, asked, begun)| Candidate { is_named, asked, begun };
        assert_eq!(charged(games.iter().map(candidate)), expected, "{games:?}");
    }
}

#[test]
fn an_act_is_ruled_on_by_its_id_first() {
    use ActRuling::*;
    for (id, is_wait, must_move, ruling) in [
        (IdState::Open, false, true, Answer),
        (IdState::Open, false, false, Answer),
        (IdState::Open, true, false, Answer),
        (IdState::Open, true, true, Fault(ConductFault::NotAnAnswer)),
        (IdState::Expired, true, true, Late),
        (IdState::Expired, false, true, Late),
        (IdState::Replaced, true, true, Dropped),
        (IdState::Replaced, false, false, Dropped),
        (IdState::Answered, false, true, Fault(ConductFault::StaleId)),
        (IdState::Never, false, true, Fault(ConductFault::UnknownId)),
    ] {
        assert_eq!(rule_act(id, is_wait, must_move), ruling, "{id:?} {is_wait} {must_move}");
    }
}

fn fault_of(problem: LineProblem) -> ConductFault {
    Misconduct::from(LineError { problem, message: "words".to_owned(), game: None }).fault
}

#[test]
fn the_problems_of_a_line_are_looked_for_in_the_order_of_the_table() {
    let precedence = |fault| ConductFault::ALL.iter().position(|row| *row == fault);
    let rows = LineProblem::ALL.map(|problem| precedence(fault_of(problem)));
    assert!(rows.is_sorted(), "{rows:?}");
}

#[test]
fn the_name_of_an_unknown_game_is_cut_short() {
    let found = Misconduct::unknown_game(&GameId("g".repeat(1_000).into()));
    assert_eq!(found.fault, ConductFault::UnknownGame);
    assert_eq!(found.message, format!("/game: no game {:?} is open here", "g".repeat(60)));
}

#[test]
fn sixty_four_lines_are_allowed() {
    let mut lines = LineCount::default();
    assert!((0..64).all(|_| !lines.add()));
    assert!(lines.add());
}

#[test]
fn bytes_are_bounded_for_an_ask_and_for_a_game() {
    const MIB: usize = 1024 * 1024;
    let mut bytes = ByteCount::new(1);
    assert_eq!(bytes.add(4 * MIB), None);
    assert_eq!(bytes.add(1), Some(Flood::BytesForAsk));
    for _ in 0..2 {
        bytes.renew();
        assert_eq!(bytes.add(4 * MIB), None);
    }
    bytes.renew();
    assert_eq!(bytes.add(4 * MIB - 1), None);
    assert_eq!(bytes.add(1), Some(Flood::BytesInGame { limit: 16 * MIB as u64 }));
    assert_eq!(ByteCount::new(3).limit, 48 * MIB as u64);
}

/// A round may have any number of asks: other seats can cause more.
#[test]
fn answers_to_asks_alone_are_never_too_many_bytes() {
    let mut bytes = ByteCount { limit: 1_000, ..ByteCount::new(1) };
    for _ in 0..10_000 {
        bytes.invite();
        bytes.renew();
        assert_eq!(bytes.add(BYTES_ADDED_BY_ASK as usize), None);
    }
    bytes.renew();
    assert_eq!(bytes.add(1_000), None);
    assert!(bytes.add(1).is_some_and(|flood| flood.to_string().contains("in one game")));
}
