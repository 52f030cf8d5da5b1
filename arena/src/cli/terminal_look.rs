//! What the environment says about the terminal: colours, and signs beyond ASCII. It reads variables and nothing else.

use maumau_terminal::Look;

use crate::io::untrusted::Untrusted;

/// The value of a variable that is set and not empty.
fn variable(name: &str) -> Option<String> {
    std::env::var(name).ok().filter(|value| !value.is_empty())
}

/// How screens look on the terminal of this process: with colours, unless `NO_COLOR` or `CLICOLOR=0` is set; with signs of suits
/// where its locale is UTF-8.
pub(super) fn look() -> Look {
    let term = variable("TERM");
    let no_colours = variable("NO_COLOR").is_some()
        || variable("CLICOLOR").as_deref() == Some("0")
        || term.as_deref() == Some("dumb");
    let locale = ["LC_ALL", "LC_CTYPE", "LANG"].into_iter().find_map(variable);
    Look {
        colours: !no_colours,
        signs: Look::shows_signs(locale.as_deref(), term.as_deref()),
        escape: |text| Untrusted::new(text).terminal(),
    }
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
