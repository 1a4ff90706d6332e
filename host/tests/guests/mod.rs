//! Policies in WebAssembly text, good ones and bad ones.

#![expect(clippy::unwrap_used, clippy::panic, reason = "helpers of tests may panic")]
#![allow(dead_code, reason = "not every test needs all of them")]

use std::fmt::Write as _;
use std::fs;
use std::path::Path;
use std::time::Duration;

use tempfile::TempDir;
use trellis_host::digest::Digest;
use trellis_host::sandbox::Limits;

/// So short that no test waits for long, and long enough for a busy machine to answer.
pub(crate) fn limits() -> Limits {
    Limits { deadline: Duration::from_millis(500), memory: 48 << 20, concurrency: 4, ..Limits::default() }
}

/// A component whose `validate` behaves as the file of that name says.
pub(crate) fn guest(name: &str) -> Vec<u8> {
    compile(&source("frame").replace("(@validate)", &source(name)))
}

/// The component or module in the file of that name.
pub(crate) fn whole(name: &str) -> Vec<u8> {
    compile(&source(name))
}

/// A well-behaved policy for a provider with a name of four letters.
pub(crate) fn policy_for(provider: &str) -> Vec<u8> {
    assert_eq!(provider.len(), 4);
    compile(&source("frame").replace("(@validate)", &source("accepts")).replace("acme", provider))
}

/// The same, which also answers to `default` with what can be read.
pub(crate) fn complete_for(provider: &str) -> Vec<u8> {
    let defaults = "(call $answer (i32.const 6144) (i32.const 24))";
    let data = r#"(data (i32.const 6144) "{\"object\":{},\"patch\":[]}")"#;
    compile(&with(&format!("{}{data}", source("accepts")), "default", defaults).replace("acme", provider))
}

/// A policy that behaves but for this function, which breaks off.
pub(crate) fn breaks_off(function: &str) -> Vec<u8> {
    compile(&with(&source("accepts"), function, "(unreachable)"))
}

/// A component with this `validate` and with this for the body of another function.
fn with(validate: &str, function: &str, body: &str) -> String {
    let start = format!("(func (export \"{function}\")");
    let line = |line: &str| match line.split_once("(call $answer") {
        Some((head, _)) if line.contains(&start) => format!("{head}{body})\n"),
        _ => format!("{line}\n"),
    };
    source("frame").replace("(@validate)", validate).lines().map(line).collect()
}

fn compile(text: &str) -> Vec<u8> {
    wat::parse_str(text).unwrap_or_else(|error| panic!("{error}"))
}

fn source(name: &str) -> String {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/guests").join(name).with_extension("wat");
    fs::read_to_string(file).unwrap()
}

/// A folder with these files, and the digests of all.
pub(crate) fn folder(files: &[(&str, &[u8])]) -> TempDir {
    let folder = TempDir::new().unwrap();
    let mut sums = String::new();
    for (name, bytes) in files {
        fs::write(folder.path().join(name), bytes).unwrap();
        writeln!(sums, "{}  {name}", Digest::of(bytes)).unwrap();
    }
    fs::write(folder.path().join("SHA256SUMS"), sums).unwrap();
    folder
}
