//! The program that cargo-fuzz builds for `maumau_fuzz::arena_line`, where it is said what is fuzzed.

#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| maumau_fuzz::arena_line(data));
