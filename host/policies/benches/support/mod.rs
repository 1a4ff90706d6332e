//! The policies that are measured, and what they are asked.

use std::path::PathBuf;

/// The policy of Alibaba Cloud as the release build leaves it.
pub(crate) fn policy() -> PathBuf {
    let folder = std::env::var_os("TRELLIS_POLICIES").map_or_else(
        || {
            // This program is in `target/release/deps`.
            let program = std::env::current_exe().unwrap_or_default();
            program.ancestors().nth(2).unwrap_or(&program).join("policies")
        },
        PathBuf::from,
    );
    let policy = folder.join("alicloud.wasm");
    assert!(policy.is_file(), "there is no `{}`; `cargo xtask wasm` makes it", policy.display());
    policy
}

/// A Shoot with two zones.
pub(crate) fn request() -> String {
    format!(r#"{{"object":{}}}"#, include_str!("../../../../core/benches/two-zones.json"))
}
