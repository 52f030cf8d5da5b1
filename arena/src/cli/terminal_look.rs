//! What the environment says about the terminal: colours, and signs beyond ASCII. It reads variables and nothing else.

use maumau_terminal::ScreenStyle;

use crate::io::locale::{shows_signs, variable};
use crate::io::untrusted::Untrusted;

/// How screens look on the terminal of this process: with colours, unless `NO_COLOR` or `CLICOLOR=0` is set; with signs of suits
/// where its locale is UTF-8.
pub(super) fn look() -> ScreenStyle {
    let term = variable("TERM");
    let no_colours = variable("NO_COLOR").is_some()
        || variable("CLICOLOR").as_deref() == Some("0")
        || term.as_deref() == Some("dumb");
    ScreenStyle { colours: !no_colours, signs: shows_signs(true), escape: |text| Untrusted::new(text).terminal() }
}

/// The options that tell `maumau agent human` the same: an agent's environment has few of these variables.
pub(super) fn options() -> String {
    let look = look();
    let mut options = String::new();
    if !look.colours {
        options += " --no-colours";
    }
    if !look.signs {
        options += " --letters";
    }
    options
}
