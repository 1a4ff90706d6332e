//! Resident memory before and after many sandboxed calls, and after calls that take all the memory they get.
//!
//! The policies are those of the release build next to this program, or of the folder in `TRELLIS_POLICIES`.
#![expect(clippy::unwrap_used, clippy::panic, reason = "the inputs are our own")]

mod support;

use std::fs;

use tempfile::TempDir;
use trellis_policies::digest::Digest;
use trellis_policies::engine::{CallError, Engine, Function};
use trellis_policies::sandbox::{Limits, Sandbox};

const WARM_UP: usize = 1_000;
const CALLS: usize = 10_000;
const BOMBS: usize = 10;

/// Resident pages of this process, in KiB of 4 KiB pages; Linux only.
fn resident_kib() -> Option<u64> {
    let statm = fs::read_to_string("/proc/self/statm").ok()?;
    Some(statm.split_whitespace().nth(1)?.parse::<u64>().ok()? * 4)
}

/// A policy that fills all the memory it gets.
fn bomb() -> TempDir {
    let read = |name| {
        fs::read_to_string(format!("{}/../testing/src/guests/{name}.wat", env!("CARGO_MANIFEST_DIR"))).unwrap()
    };
    let wasm = wat::parse_str(read("frame").replace("(@validate)", &read("allocates"))).unwrap();
    let folder = TempDir::new().unwrap();
    fs::write(folder.path().join("SHA256SUMS"), format!("{}  bomb.wasm\n", Digest::of(&wasm))).unwrap();
    fs::write(folder.path().join("bomb.wasm"), wasm).unwrap();
    folder
}

fn main() {
    let mut sandbox = Sandbox::new(Limits::default(), None).unwrap();
    let bomb = bomb();
    for policy in [&support::policy(), bomb.path()] {
        sandbox.load(policy).unwrap_or_else(|error| panic!("{error}"));
    }
    let request = support::request();
    let validate = || std::hint::black_box(sandbox.call("alicloud", Function::Validate, &request).unwrap());
    for _ in 0..WARM_UP {
        validate();
    }
    let before = resident_kib();
    for _ in 0..CALLS {
        validate();
    }
    let after = resident_kib();
    for _ in 0..BOMBS {
        assert!(matches!(sandbox.call("acme", Function::Validate, "{}"), Err(CallError::Memory { .. })));
    }
    match (before, after, resident_kib()) {
        (Some(before), Some(after), Some(bombed)) => {
            println!("{CALLS} validations: {before} KiB resident before, {after} KiB after");
            println!("{BOMBS} calls that took {} MiB each: {bombed} KiB after", Limits::default().memory >> 20);
        }
        _ => println!("resident memory cannot be read on this system"),
    }
}
