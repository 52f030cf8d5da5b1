//! `maumau club`: a standing place for bots. It reads the options; the club is in `club`.

use std::net::{Ipv4Addr, SocketAddr, SocketAddrV4};
use std::path::{Path, PathBuf};

use anyhow::Result;
use clap::Subcommand;
use clap::builder::PossibleValuesParser;
use maumau_club::{VersionNews, is_bot_name, is_class_name};
use maumau_engine::rules::all_sets;
use maumau_protocol::{MAX_SEATS, SandboxLevel};
use maumau_run::error::{CommandOutcome, usage};
use maumau_run::io::stdout::print;
use maumau_run::io::untrusted::Untrusted;

use super::lend::LendArguments;
use super::sandbox::level;
use crate::club::{
    ClubFolder, ClubStore, ClubVerdict, Finals, Invitation, MemberRole, NewClub, WantedChapter, WantedRerun, ask_rerun,
    back_up, freeze, make_finals, prune, serve, thaw, want_chapter,
};

#[derive(clap::Args)]
#[command(after_help = "Examples:
  maumau club new my-club
  maumau club serve my-club
  maumau club invite my-club --uses 30")]
pub(super) struct ClubArguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Make the folder of a club, and print the organiser's invitation
    New(New),
    /// Serve a club: pages, uploads, checks and rated games
    Serve(Box<ServeClub>),
    /// Print a link by which people join a club
    Invite(Invite),
    /// End all tokens of a member
    Revoke(Revoke),
    /// Let a version play no more until it is resumed
    Pause(Decide),
    /// Let a paused version play again
    Resume(Decide),
    /// Take a version back for good
    Withdraw(Decide),
    /// Take a version back for good, and leave its games out of the ratings
    Disqualify(Decide),
    /// End all tokens of a member, and take its bots back unless its team goes on
    Ban(Ban),
    /// Let the public ladder stand still while play goes on
    Freeze(OfClub),
    /// Show the ladder as it is again
    Thaw(OfClub),
    /// Let nothing be sent or played any more
    Close(OfClub),
    /// Open a closed season again
    Open(OfClub),
    /// Begin the next chapter of the season, also by other rules
    Chapter(Chapter),
    /// Put words on all pages of a club
    Message(Message),
    /// Play a game of the season again beside it, and show what is different
    Rerun(RerunGame),
    /// Write the league file of finals, which the best of the ladder play
    Finals(MakeFinals),
    /// Remove the archives of versions that ended long ago
    Prune(Prune),
    /// Copy a club, also while it is served
    Backup(Backup),
    /// Check the files of a club
    Check(CheckClub),
}

#[derive(clap::Args)]
#[command(after_help = "Example:
  maumau club new my-club --rules skat --seats 3

Writes club.toml (title, address, sandbox, quotas), club.db (members and versions) and season/season.toml, the league file of the ladder \
with its house bots. Both TOML files can be edited while the club is not served.")]
struct New {
    /// The folder
    dir: PathBuf,
    /// The rule set of the season
    #[arg(long, value_name = "NAME", default_value = "basic", value_parser = PossibleValuesParser::new(all_sets().map(|set| set.name)))]
    rules: String,
    /// Seats at a table
    #[arg(long, value_name = "N", default_value_t = 2, value_parser = clap::value_parser!(u8).range(2..=MAX_SEATS as i64))]
    seats: u8,
    /// How strictly bots are isolated
    #[arg(long = "sandbox", value_name = "LEVEL", default_value = "strict", value_parser = level(), help_heading = "Sandbox")]
    sandbox: SandboxLevel,
}

#[derive(clap::Args)]
#[command(after_help = "Examples:
  maumau club serve my-club --addr 127.0.0.1:8080
  maumau club serve my-club --nats nats://host:4222

Ctrl-C ends it after the games in play; the same command goes on. Beyond this machine put it behind a proxy that speaks TLS: what it \
sends itself is not encrypted, and tokens are secrets.")]
struct ServeClub {
    /// The folder of the club
    dir: PathBuf,
    /// Where to listen; port 0 is a free one
    #[arg(long, value_name = "ADDRESS:PORT", default_value_t = LOCAL)]
    addr: SocketAddr,
    #[command(flatten)]
    lend: LendArguments,
}

#[derive(clap::Args)]
#[command(after_help = "Examples:
  maumau club invite my-club
  maumau club invite my-club --team blue --uses 3
  maumau club invite my-club --class 10b --uses 30

Works while the club is served. Each member without --team is a team of its own. The link is shown only now, and ends after 30 days.")]
struct Invite {
    /// The folder of the club
    dir: PathBuf,
    /// The team that those join who take it
    #[arg(long, value_name = "NAME")]
    team: Option<String>,
    /// The class of those who take it: the ladder can be looked at by class
    #[arg(long, value_name = "NAME", conflicts_with_all = ["organiser", "guest"])]
    class: Option<String>,
    /// How many people may take it
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=1_000))]
    uses: u32,
    /// Those who take it are organisers: they see all versions and invite people
    #[arg(long)]
    organiser: bool,
    /// Those who take it only look, also at a club that club.toml makes private
    #[arg(long, conflicts_with_all = ["organiser", "team"])]
    guest: bool,
}

#[derive(clap::Args)]
#[command(after_help = "Example:
  maumau club revoke my-club ann

Works while the club is served. The member's bots play on.")]
struct Revoke {
    /// The folder of the club
    dir: PathBuf,
    /// The member
    member: String,
}

#[derive(clap::Args)]
#[command(after_help = "Examples:
  maumau club pause my-club ann-bot --why \"it stalls\"
  maumau club resume my-club ann-bot
  maumau club withdraw my-club ann-bot@2
  maumau club disqualify my-club ann-bot@2 --why \"it asks its twin\"

Works while the club is served: the version leaves or joins at the end of the round in play, and its games stay. What the organiser has \
paused only the organiser resumes. Ratings leave out the games of a version that is disqualified, which is for good.")]
struct Decide {
    /// The folder of the club
    dir: PathBuf,
    /// The version, such as ann-bot@2; a bot's name means its newest one
    #[arg(value_name = "VERSION")]
    agent: String,
    /// Why, for its team
    #[arg(long, default_value = "")]
    why: String,
}

#[derive(clap::Args)]
#[command(after_help = "Example:
  maumau club ban my-club ann --why \"two accounts\"

Works while the club is served, and cannot be taken back.")]
struct Ban {
    /// The folder of the club
    dir: PathBuf,
    /// The member
    member: String,
    /// Why, for its team
    #[arg(long, default_value = "")]
    why: String,
}

#[derive(clap::Args)]
#[command(after_help = "Examples:
  maumau club freeze my-club
  maumau club thaw my-club
  maumau club close my-club
  maumau club open my-club

Works while the club is served. While the ladder is frozen, play goes on, and teams see the games of their own versions; while the season is \
closed, nothing is sent and nothing is played, and all pages stay.")]
struct OfClub {
    /// The folder of the club
    dir: PathBuf,
}

#[derive(clap::Args)]
#[command(after_help = "Examples:
  maumau club chapter my-club
  maumau club chapter my-club --rules skat --seats 3

The chapter in play ends as it is and stays in the folder past; the next begins with those that play now and with deals of its own. With \
--rules or --seats it is another game: each version that plays is checked by the new rules first, and times, anchor and schedule are those of \
a new club. Works while the club is served; otherwise the chapter begins when it is.")]
struct Chapter {
    /// The folder of the club
    dir: PathBuf,
    /// The rule set of the next chapter; by default that of this one
    #[arg(long, value_name = "NAME", value_parser = PossibleValuesParser::new(all_sets().map(|set| set.name)))]
    rules: Option<String>,
    /// Seats at its tables; by default as many as now
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u8).range(2..=MAX_SEATS as i64))]
    seats: Option<u8>,
}

#[derive(clap::Args)]
#[command(after_help = "Examples:
  maumau club message my-club \"Finals on Friday at six.\"
  maumau club message my-club \"\"

Works while the club is served. The words stand on all pages and in the events until others take their place.")]
struct Message {
    /// The folder of the club
    dir: PathBuf,
    /// The words; none if they are empty
    text: String,
}

#[derive(clap::Args)]
#[command(after_help = "Examples:
  maumau club finals my-club --to finals.toml
  maumau club finals my-club --to cup.toml --format knock-out --most 16

Those that play now, the best rated first; house bots are left out. The file has the rules, times and sandbox of the season and deals of \
its own, and can be edited. Each game begins with a commitment to its cards, and the pages of the run list them. Works while the club is served.")]
struct MakeFinals {
    /// The folder of the club
    dir: PathBuf,
    /// The file to be written; its run file will be beside it
    #[arg(long, value_name = "FILE")]
    to: PathBuf,
    /// How they are played
    #[arg(long, value_name = "FORMAT", default_value = "round-robin", value_parser = PossibleValuesParser::new(FINALS))]
    format: String,
    /// At most so many
    #[arg(long, value_name = "N", default_value_t = 8, value_parser = clap::value_parser!(u16).range(2..=1_000))]
    most: u16,
    /// House bots, too
    #[arg(long)]
    house: bool,
}

#[derive(clap::Args)]
#[command(after_help = "Examples:
  maumau club rerun my-club g000-d0000-r0
  maumau club rerun my-club g000-d0000-r0 --chapter 1

For a disputed game: the same cards, seats and versions, and nothing of the season changes. What came of it stands on the organiser's page. Works \
while the club is served; otherwise the game is played when it is.")]
struct RerunGame {
    /// The folder of the club
    dir: PathBuf,
    /// The name of the game
    game: String,
    /// Its chapter; by default the one in play
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    chapter: Option<u32>,
}

#[derive(clap::Args)]
#[command(after_help = "Example:
  maumau club prune my-club --days 90

Only while the club is not served. Of versions that have played the unpacked files stay, so that the run can go on; of others nothing.")]
struct Prune {
    /// The folder of the club
    dir: PathBuf,
    /// How many days ago they ended at least
    #[arg(long, value_name = "N", default_value_t = 30)]
    days: u32,
}

#[derive(clap::Args)]
#[command(after_help = "Example:
  maumau club backup my-club /backups/my-club-1

The copy is a club; put it back at the path of the original, which the league file names.")]
struct Backup {
    /// The folder of the club
    dir: PathBuf,
    /// The folder of the copy, which must not be there
    to: PathBuf,
}

#[derive(clap::Args)]
#[command(after_help = "Example:
  maumau club check my-club

Checks the database, and that each version has its archive with the digest that it is kept under. Exit code 1 if something is wrong.")]
struct CheckClub {
    /// The folder of the club
    dir: PathBuf,
}

/// The formats of finals.
const FINALS: [&str; 4] = ["round-robin", "knock-out", "double", "swiss"];

/// Where a club is served by default.
const LOCAL: SocketAddr = SocketAddr::V4(SocketAddrV4::new(Ipv4Addr::LOCALHOST, 4243));

pub(super) fn run(arguments: ClubArguments) -> Result<CommandOutcome> {
    match arguments.command {
        Command::New(new) => {
            let made = NewClub { rules: &new.rules, seats: new.seats, sandbox: new.sandbox };
            let folder = ClubFolder::make(&new.dir, &made)?;
            print_link(&folder, &Invitation { role: MemberRole::Organiser, team: None, class: None }, 1)
        }
        Command::Serve(serving) => {
            let ServeClub { dir, addr, lend } = *serving;
            let folder = ClubFolder::open(&dir)?;
            // Another process plays the season, so a server that cannot be reached is reported here, before it starts.
            lend.lender(&folder.run())?;
            serve(folder, addr, lend.words()).map(|()| CommandOutcome::Interrupted)
        }
        Command::Invite(Invite { dir, team, class, uses, organiser, guest }) => {
            if let Some(team) = team.as_deref().filter(|team| !is_bot_name(team)) {
                return Err(usage(format!("--team {team}: expected 1 to 32 of a-z, 0-9 and -, a letter first")));
            }
            if let Some(class) = class.as_deref().filter(|class| !is_class_name(class)) {
                return Err(usage(format!("--class {class}: expected 1 to 32 of a-z, 0-9 and -")));
            }
            let role = match (organiser, guest) {
                (true, _) => MemberRole::Organiser,
                (_, true) => MemberRole::Guest,
                _ => MemberRole::Author,
            };
            print_link(&ClubFolder::open(&dir)?, &Invitation { role, team, class }, uses)
        }
        Command::Revoke(Revoke { dir, member }) => {
            let folder = ClubFolder::open(&dir)?;
            match ClubStore::open(&folder.database())?.revoke(&member)? {
                true => Ok(CommandOutcome::Done),
                false => Err(usage(format!("no member {member:?} has a token"))),
            }
        }
        Command::Pause(wanted) => decide(&wanted, VersionNews::Paused, "paused"),
        Command::Resume(wanted) => decide(&wanted, VersionNews::Resumed, "resumed"),
        Command::Withdraw(wanted) => decide(&wanted, VersionNews::Withdrawn, "withdrawn"),
        Command::Disqualify(wanted) => decide(&wanted, VersionNews::Disqualified, "disqualified"),
        Command::Ban(Ban { dir, member, why }) => {
            let folder = ClubFolder::open(&dir)?;
            let verdict = ClubVerdict { who: "", why: &by_organiser(&why), is_held: true };
            let gone = ClubStore::open(&folder.database())?.ban(&member, &verdict)?;
            let gone = gone.ok_or_else(|| usage(format!("there is no member {member:?}")))?;
            gone.iter().try_for_each(|agent| print(&format!("{agent} is withdrawn\n")))?;
            Ok(CommandOutcome::Done)
        }
        Command::Freeze(OfClub { dir }) => match freeze(&ClubFolder::open(&dir)?, "")? {
            true => Ok(CommandOutcome::Done),
            false => Err(usage("the ladder is frozen already")),
        },
        Command::Thaw(OfClub { dir }) => match thaw(&ClubFolder::open(&dir)?, "")? {
            true => Ok(CommandOutcome::Done),
            false => Err(usage("the ladder is not frozen")),
        },
        Command::Close(OfClub { dir }) => match store(&dir)?.close(true, "")? {
            true => Ok(CommandOutcome::Done),
            false => Err(usage("the season is closed already")),
        },
        Command::Open(OfClub { dir }) => match store(&dir)?.close(false, "")? {
            true => Ok(CommandOutcome::Done),
            false => Err(usage("the season is not closed")),
        },
        Command::Chapter(Chapter { dir, rules, seats }) => {
            let wanted = WantedChapter { rules, seats, ..WantedChapter::default() };
            want_chapter(&ClubFolder::open(&dir)?, &wanted, "")?;
            Ok(CommandOutcome::Done)
        }
        Command::Message(Message { dir, text }) => {
            store(&dir)?.write_message(&text, "")?;
            Ok(CommandOutcome::Done)
        }
        Command::Rerun(RerunGame { dir, game, chapter }) => {
            let folder = ClubFolder::open(&dir)?;
            let asked = ask_rerun(&folder, &WantedRerun { game, chapter })?;
            print(&format!("{}/trials/{asked}\n", folder.settings()?.url.trim_end_matches('/')))?;
            Ok(CommandOutcome::Done)
        }
        Command::Finals(MakeFinals { dir, to, format, most, house }) => {
            let wanted = Finals { format: &format, most: most.into(), with_house: house };
            let agents = make_finals(&ClubFolder::open(&dir)?, &wanted, &to)?;
            agents.iter().enumerate().try_for_each(|(at, agent)| print(&format!("{}. {agent}\n", at + 1)))?;
            print_stderr!("maumau tournament run {} plays them", Untrusted::path(&to).terminal());
            Ok(CommandOutcome::Done)
        }
        Command::Prune(Prune { dir, days }) => {
            let pruned = prune(&ClubFolder::open(&dir)?, days)?;
            print(&format!("{pruned} versions\n"))?;
            Ok(CommandOutcome::Done)
        }
        Command::Backup(Backup { dir, to }) => {
            back_up(&ClubFolder::open(&dir)?, &to)?;
            Ok(CommandOutcome::Done)
        }
        Command::Check(CheckClub { dir }) => {
            let problems = ClubFolder::open(&dir)?.problems()?;
            problems.iter().try_for_each(|problem| print(&format!("{problem}\n")))?;
            Ok(if problems.is_empty() { CommandOutcome::Done } else { CommandOutcome::NotRight })
        }
    }
}

/// The database of a club.
fn store(dir: &Path) -> Result<ClubStore> {
    ClubStore::open(&ClubFolder::open(dir)?.database())
}

/// Prints the link of a new invitation.
fn print_link(folder: &ClubFolder, invitation: &Invitation, uses: u32) -> Result<CommandOutcome> {
    let url = folder.settings()?.url;
    let key = ClubStore::open(&folder.database())?.invite(invitation, uses, "")?;
    print(&format!("{}/join/{key}\n", url.trim_end_matches('/')))?;
    Ok(CommandOutcome::Done)
}

/// Why, as the team reads it.
fn by_organiser(why: &str) -> String {
    if why.is_empty() { "by the organiser".to_owned() } else { format!("by the organiser: {why}") }
}

/// Pauses or resumes a version, or takes it back; `done` is the word for it.
fn decide(Decide { dir, agent, why }: &Decide, news: VersionNews, done: &str) -> Result<CommandOutcome> {
    let folder = ClubFolder::open(dir)?;
    let mut store = ClubStore::open(&folder.database())?;
    let versions = store.versions()?;
    let found = versions.iter().rev().find(|known| known.agent() == *agent || known.bot == *agent);
    let found = found.ok_or_else(|| usage(format!("there is no version {agent:?}")))?;
    let (agent, state) = (found.agent(), found.state.name());
    let reason = if news == VersionNews::Resumed { String::new() } else { by_organiser(why) };
    let verdict = ClubVerdict { who: "", why: &reason, is_held: news == VersionNews::Paused };
    if !store.decide(found.id, news, &verdict)? {
        return Err(usage(format!("{agent} is {state}: it cannot be {done}")));
    }
    Ok(CommandOutcome::Done)
}
