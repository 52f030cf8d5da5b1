//! The program that cargo-fuzz builds for `maumau_fuzz::record`: that function says what is fuzzed, and nothing is checked here.

#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| maumau_fuzz::record(data));
