//! Policies in WebAssembly text, good ones and bad ones.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;
use std::time::Duration;

use tempfile::TempDir;
use trellis_policies::digest::Digest;
use trellis_policies::engine::Function;
use trellis_policies::sandbox::Limits;

/// For policies that answer: so long that they do it on any machine, busy as it may be.
pub fn limits() -> Limits {
    Limits { deadline: Duration::from_mins(1), memory: 48 << 20, concurrency: 4, ..Limits::default() }
}

/// For policies that never answer: so short that no test waits for long, and long enough for those next to them.
pub fn brief() -> Limits {
    Limits { deadline: Duration::from_secs(2), ..limits() }
}

/// A component whose `validate` behaves as the file of that name says.
pub fn guest(name: &str) -> Vec<u8> {
    compile(&frame().replace("(@validate)", &source(name)))
}

/// The component or module in the file of that name.
pub fn whole(name: &str) -> Vec<u8> {
    compile(&source(name))
}

/// A well-behaved policy for a provider with a name of four letters.
pub fn policy_for(provider: &str) -> Vec<u8> {
    assert_eq!(provider.len(), 4);
    compile(&frame().replace("(@validate)", &source("accepts")).replace("acme", provider))
}

/// The same, which also answers to `default` with what can be read.
pub fn complete_for(provider: &str) -> Vec<u8> {
    let defaults = "(call $answer (i32.const 6144) (i32.const 24))";
    let data = r#"(data (i32.const 6144) "{\"object\":{},\"patch\":[]}")"#;
    let functions = [("default", defaults)];
    compile(&with(&format!("{}{data}", source("accepts")), &functions).replace("acme", provider))
}

/// A policy that behaves but for this function, which breaks off.
pub fn breaks_off(function: &str) -> Vec<u8> {
    compile(&with(&source("accepts"), &[(function, "(unreachable)")]))
}

/// A policy whose `plan` answers with the object `says` of its request, whatever that is, until there are facts;
/// it wants every failed call to be made again.
pub fn hostile() -> Vec<u8> {
    let body = "(call $hostile (local.get 0) (local.get 1))";
    let again = "(call $answer (i32.const 5168) (i32.const 37))";
    let functions = [("plan", body), ("classify", again)];
    compile(&with(&format!("{}{}", source("accepts"), source("hostile")), &functions))
}

/// A component with this `validate` and with other bodies of these functions.
fn with(validate: &str, functions: &[(&str, &str)]) -> String {
    let body_of = |line: &str| {
        let starts = |function: &str| line.contains(&format!("(func (export \"{function}\")"));
        functions.iter().find(|(function, _)| starts(function)).map(|(_, body)| *body)
    };
    let line = |line: &str| match (line.split_once("(call $answer"), body_of(line)) {
        (Some((head, _)), Some(body)) => format!("{head}{body})\n"),
        _ => format!("{line}\n"),
    };
    frame().replace("(@validate)", validate).lines().map(line).collect()
}

/// The frame with every function of the world `policy`. All but three answer with their request.
fn frame() -> String {
    let others =
        Function::ALL.iter().filter(|function| function.takes_request() && **function != Function::Validate);
    let answer = "(param i32 i32) (result i32) (call $answer (local.get 0) (local.get 1)))";
    let functions: Vec<String> =
        others.map(|function| format!("(func (export \"{}\") {answer}\n", function.name())).collect();
    let export = |function: &Function| {
        let name = function.name();
        let (parameter, realloc) = if function.takes_request() {
            ("(param \"request\" string) ", " (realloc $realloc)")
        } else {
            ("", "")
        };
        format!(
            "(func (export \"{name}\") {parameter}(result string) (canon lift (core func $i \"{name}\") (memory $memory){realloc}))\n"
        )
    };
    let exports: Vec<String> = Function::ALL.iter().map(export).collect();
    source("frame").replace("(@functions)", &functions.concat()).replace("(@exports)", &exports.concat())
}

fn compile(text: &str) -> Vec<u8> {
    wat::parse_str(text).unwrap_or_else(|error| panic!("{error}"))
}

fn source(name: &str) -> String {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/guests").join(name).with_extension("wat");
    fs::read_to_string(file).unwrap()
}

/// A folder with these files, and the digests of all.
pub fn folder(files: &[(&str, &[u8])]) -> TempDir {
    let folder = TempDir::new().unwrap();
    let mut sums = String::new();
    for (name, bytes) in files {
        fs::write(folder.path().join(name), bytes).unwrap();
        writeln!(sums, "{}  {name}", Digest::of(bytes)).unwrap();
    }
    fs::write(folder.path().join("SHA256SUMS"), sums).unwrap();
    folder
}
