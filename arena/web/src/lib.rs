//! The pages of the arena: what a run and a game look like in a browser, as HTML and SVG.
//!
//! Owns every template, style and drawing. It makes pages from values that it is given and reads no file, no database and no
//! record; how a run is stored and how games are played is not known here.

mod address;
pub mod cards;
pub mod chart;
pub mod game;
pub mod live;
pub mod page;
pub mod report;
pub mod seats;
pub mod server;
pub mod shown;
mod site;
pub mod static_site;
pub mod table;
