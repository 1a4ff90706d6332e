//! Resident memory before and after many answers.

use std::fs;

/// Resident pages of this process, in KiB of 4 KiB pages; Linux only.
fn resident_kib() -> Option<u64> {
    let statm = fs::read_to_string("/proc/self/statm").ok()?;
    Some(statm.split_whitespace().nth(1)?.parse::<u64>().ok()? * 4)
}

/// Asks a hundredth as often to warm up, and then so often.
fn measure(what: &str, calls: usize, function: &str, request: &str) {
    let ask = || std::hint::black_box(trellis_core::call("alicloud", function, request));
    for _ in 0..calls / 100 {
        ask();
    }
    let before = resident_kib();
    for _ in 0..calls {
        ask();
    }
    match (before, resident_kib()) {
        (Some(before), Some(after)) => println!("{calls} {what}: {before} KiB resident before, {after} KiB after"),
        _ => println!("resident memory cannot be read on this system"),
    }
}

fn main() {
    let request = format!(r#"{{"object":{}}}"#, include_str!("two-zones.json"));
    measure("validations", 1_000_000, "validate", &request);
    measure("control planes", 10_000, "render", include_str!("control-plane.json"));
}
