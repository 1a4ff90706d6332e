//! The host that the documentation shows is the one that is built here, and works.
#![cfg(unix)]

use std::env;
use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path;
use std::process::Command;

#[test]
fn the_host_of_the_documentation_judges_an_object() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
    let source = fs::read_to_string(root.join("tests/examples/host.rs")).unwrap();
    let (_, shown) = source.split_once("\n\n").unwrap();
    let page = fs::read_to_string(root.join("docs/host.md")).unwrap();
    assert!(page.contains(&format!("```rust\n{shown}```")), "docs/host.md shows another program than {shown}");

    // <target>/<profile>/deps/<this test>
    let test = env::current_exe().unwrap();
    let profile = test.ancestors().nth(2).unwrap();
    let policies = profile.with_file_name("release").join("policies");
    assert!(policies.is_dir(), "{} is missing; `cargo xtask wasm` makes it", policies.display());
    let directory = tempfile::tempdir().unwrap();
    fs::create_dir_all(directory.path().join("target/release")).unwrap();
    symlink(policies, directory.path().join("target/release/policies")).unwrap();
    let program = profile.join("examples/host");
    assert!(program.is_file(), "{} is missing; `cargo build --examples` makes it", program.display());
    let output = Command::new(program).env("TRELLIS_CACHE", "").current_dir(directory.path()).output().unwrap();
    let answer = String::from_utf8(output.stdout).unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    assert!(answer.starts_with(r#"{"verdict":"reject","findings":[{"rule":"ALI-"#), "{answer}");
}
