//! Resident memory before and after a million validations.

use std::fs;

const WARM_UP: usize = 10_000;
const CALLS: usize = 1_000_000;

/// Resident pages of this process, in KiB of 4 KiB pages; Linux only.
fn resident_kib() -> Option<u64> {
    let statm = fs::read_to_string("/proc/self/statm").ok()?;
    Some(statm.split_whitespace().nth(1)?.parse::<u64>().ok()? * 4)
}

fn main() {
    let request = format!(r#"{{"object":{}}}"#, include_str!("two-zones.json"));
    let validate = || std::hint::black_box(trellis_core::call("alicloud", "validate", &request));
    for _ in 0..WARM_UP {
        validate();
    }
    let before = resident_kib();
    for _ in 0..CALLS {
        validate();
    }
    match (before, resident_kib()) {
        (Some(before), Some(after)) => {
            println!("{CALLS} validations: {before} KiB resident before, {after} KiB after");
        }
        _ => println!("resident memory cannot be read on this system"),
    }
}
