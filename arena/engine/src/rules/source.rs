//! Reads the text of a rule file into a tree in which every value knows its place. Sizes are bounded here; what the
//! keys mean is not known here. It is given the text and opens no file.

use std::sync::LazyLock;

use maumau_places::{Node, ProblemCollector, SourcePlace, TextForm, Value};

use super::bounds;
use super::library::{BuiltInSet, COMMON, built_in};

/// The greatest length of a rule file.
pub const MAX_FILE_BYTES: usize = 256 * 1024;

/// Reads `text`, which people know as `file`, into a tree of the given layer. Problems go to `report`; values with a
/// problem are left out of the tree.
pub(crate) fn parse(file: &str, layer: u32, text: &str, report: &mut ProblemCollector) -> Node {
    if let Some((_, tree)) = BUILT_IN.iter().find(|(set, _)| set.text == text && set.file() == file) {
        return tree.in_layer(layer);
    }
    read(file, layer, text, report)
}

/// The trees of the built-in texts. They are read once: a checker of rule files otherwise reads them with every file that
/// extends one.
static BUILT_IN: LazyLock<Vec<(&BuiltInSet, Node)>> = LazyLock::new(|| {
    let mut report = ProblemCollector::default();
    let sets = built_in().iter().chain([&COMMON]);
    let trees: Vec<_> = sets.map(|set| (set, read(&set.file(), 0, set.text, &mut report))).collect();
    // A text with problems is read again each time, so that they are reported.
    if report.is_empty() { trees } else { Vec::new() }
});

fn read(file: &str, layer: u32, text: &str, report: &mut ProblemCollector) -> Node {
    if text.len() > MAX_FILE_BYTES {
        let start = SourcePlace { line: 1, column: 1, layer, ..SourcePlace::whole(file) };
        report.add(&start, "", format!("{} bytes are too many: a rule file has at most {MAX_FILE_BYTES}", text.len()));
        return Node::new(Value::Table(Default::default()), start);
    }
    let form = TextForm { key_problem: bounds::key_problem, text_problem: bounds::text_problem, fractions: false };
    maumau_places::parse(file, layer, text, form, report)
}
