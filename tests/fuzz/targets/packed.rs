#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| maumau_fuzz::packed(data));
