//! The crates of the host stand on floors, too.

use std::fs;
use std::path::Path;

/// Lowest first: a crate uses only those that stand before it, tests apart.
const FLOORS: [&str; 4] = ["policies", "runner", "kubernetes", "cli"];

#[test]
fn a_crate_of_the_host_uses_only_those_below_it() {
    let host = Path::new(env!("CARGO_MANIFEST_DIR")).with_file_name("host");
    for (floor, name) in FLOORS.into_iter().enumerate() {
        let manifest = fs::read_to_string(host.join(name).join("Cargo.toml")).unwrap();
        let tables = manifest.split("\n[").filter(|table| {
            let head = table.split(']').next().unwrap_or_default();
            head.ends_with("dependencies") && !head.starts_with("dev-")
        });
        for line in tables.flat_map(str::lines) {
            let used = line.strip_prefix("trellis-").and_then(|rest| rest.split(['.', ' ']).next());
            if let Some(place) = used.and_then(|used| FLOORS.iter().position(|known| *known == used)) {
                assert!(place < floor, "{name} uses {}, which stands above it", FLOORS[place]);
            }
        }
    }
    let mut there: Vec<_> =
        fs::read_dir(&host).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    there.sort_unstable();
    assert_eq!(there, ["cli", "kubernetes", "policies", "runner", "testing"], "a new crate needs its floor");
}
