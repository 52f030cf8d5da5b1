//! The rules in words.

use crate::rules::{built_in, explain, load_built_in};

#[test]
fn print_them() {
    for set in built_in() {
        let l = load_built_in(set.name, &[]).unwrap_or_else(|p| panic!("{p}"));
        println!("{}", l.explain(None));
        println!("{}", explain(&l.set, Some(4)));
    }
}
