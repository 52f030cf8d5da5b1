//! The pages of the arena: what a run and a game look like in a browser, as HTML and SVG.
//!
//! Owns every template, style and drawing. It makes pages from values that it is given and reads no file, no database and no
//! record; how a run is stored and how games are played is not known here.

#[cfg(feature = "pages")]
mod address;
pub mod cards;
#[cfg(feature = "pages")]
pub mod chart;
#[cfg(feature = "pages")]
pub mod game;
#[cfg(feature = "pages")]
pub mod lessons;
#[cfg(feature = "pages")]
pub mod live;
#[cfg(feature = "pages")]
pub mod lobby;
#[cfg(feature = "pages")]
pub mod page;
#[cfg(feature = "pages")]
pub mod puzzles;
#[cfg(feature = "pages")]
pub mod report;
#[cfg(feature = "pages")]
pub mod seats;
#[cfg(feature = "pages")]
pub mod server;
#[cfg(feature = "pages")]
pub mod shown;
#[cfg(feature = "pages")]
mod site;
#[cfg(feature = "pages")]
pub mod static_site;
pub mod table;
