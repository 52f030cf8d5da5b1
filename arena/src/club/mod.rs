//! A club: a folder with members, bots and a season, and the process that serves it. What is decided is in `maumau-club`; here it
//! is kept, sent and started. Games are played and checks are done by this same program in processes of its own.

mod answers;
mod api;
mod chapters;
mod finals;
mod folder;
mod games;
mod kept_ladder;
mod open_club;
mod outbox;
mod outgoing;
mod pages;
mod passing;
mod requests;
mod season;
mod season_pages;
mod sent_files;
mod server;
mod site;
mod store;
mod submit;
mod trials;
mod upkeep;
mod uploads;
mod webhook;
mod worker;
mod workshop;

pub(crate) use answers::SCHEMA as CLUB_SCHEMA;
pub(crate) use chapters::want_chapter;
pub(crate) use finals::{Finals, make_finals};
pub(crate) use folder::{ClubFolder, NewClub};
pub(crate) use server::serve;
pub(crate) use store::{ClubStore, ClubVerdict, Invitation, MemberRole, WantedChapter};
pub(crate) use submit::{SentBot, manifest_of, submit};
pub(crate) use trials::{WantedRerun, ask_rerun};
pub(crate) use upkeep::{back_up, freeze, prune, thaw};
