//! The target `together` of `mjolnir_tests::fuzz`, for libFuzzer.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| mjolnir_tests::fuzz::run("together", bytes));
