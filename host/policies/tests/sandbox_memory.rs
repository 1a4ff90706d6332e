//! What memory of this process remains. No other test runs in it, because that would take memory meanwhile.

#![cfg(all(feature = "sandbox", target_os = "linux"))]
#![expect(clippy::unwrap_used, reason = "a test may panic")]

use std::fs;
use std::time::Duration;

use trellis_policies::engine::{CallError, Engine, Function};
use trellis_policies::sandbox::{Limits, Sandbox};
use trellis_testing::guests::{folder, guest};

/// Resident pages of this process, in bytes of pages of 4 KiB.
fn resident() -> u64 {
    let statm = fs::read_to_string("/proc/self/statm").unwrap();
    statm.split_whitespace().nth(1).unwrap().parse::<u64>().unwrap() * 4096
}

#[test]
fn memory_that_a_policy_took_is_given_back() {
    let limits = Limits { deadline: Duration::from_mins(1), concurrency: 4, ..Limits::default() };
    let guests = folder(&[("acme.wasm", &guest("allocates"))]);
    let mut sandbox = Sandbox::new(limits, None).unwrap();
    sandbox.load(guests.path()).unwrap();
    let before = resident();
    for _ in 0..3 {
        let answer = sandbox.call("acme", Function::Validate, "{}");
        assert_eq!(answer, Err(CallError::Memory { limit: limits.memory }));
    }
    let after = resident();
    assert!(after < before + (16 << 20), "{before} {after}");
}
