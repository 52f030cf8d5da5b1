#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| maumau_fuzz::arena_line(data));
