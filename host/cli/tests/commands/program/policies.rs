//! The program itself, with policies from files.

#![expect(clippy::unwrap_used, reason = "helpers of tests may panic")]

use std::ffi::OsStr;
use std::fs;
use std::io::Write as _;
use std::path::Path;
use std::process::{Command, Output, Stdio};

use tempfile::TempDir;
use trellis_policies::digest::Digest;

use trellis_testing::guests::{breaks_off, complete_for, folder, guest, policy_for};

const SHOOT: &str = "\
apiVersion: core.gardener.cloud/v1beta1
kind: Shoot
metadata: {name: crazy, namespace: garden-dev}
spec: {provider: {type: acme}}
";

/// Runs `trellis` with this environment; what it compiles is kept nowhere unless that says where.
fn run(arguments: &[&OsStr], environment: &[(&str, &OsStr)], input: &str) -> Output {
    run_program(env!("CARGO_BIN_EXE_trellis").as_ref(), arguments, environment, input)
}

fn run_program(program: &Path, arguments: &[&OsStr], environment: &[(&str, &OsStr)], input: &str) -> Output {
    let mut child = Command::new(program)
        .args(arguments)
        .env_remove("TRELLIS_POLICIES")
        .env("TRELLIS_CACHE", "")
        .envs(environment.iter().copied())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    // Who fails before reading leaves a closed pipe.
    let _ = child.stdin.take().unwrap().write_all(input.as_bytes());
    child.wait_with_output().unwrap()
}

/// The same with the policies of a folder.
fn with_policies(path: &Path, arguments: &[&str], input: &str) -> Output {
    let arguments: Vec<&OsStr> =
        arguments.iter().map(OsStr::new).chain(["--policies".as_ref(), path.as_os_str()]).collect();
    run(&arguments, &[], input)
}

fn text(bytes: &[u8]) -> &str {
    str::from_utf8(bytes).unwrap()
}

fn words<'a>(arguments: &[&'a str]) -> Vec<&'a OsStr> {
    arguments.iter().copied().map(OsStr::new).collect()
}

/// The words of the guests' rules.
const WORDS: &[u8] = br#"{"ACM-NET-001":{"summary":"s","why":"w","fix":"f"}}"#;

#[test]
fn rules_without_words_are_an_error_and_validate_does_not_need_words() {
    let guests = folder(&[("acme.wasm", &guest("accepts"))]);
    for arguments in [&["rules"][..], &["rules", "show", "ACM-NET-001"]] {
        let output = with_policies(guests.path(), arguments, "");
        assert_eq!((output.status.code(), text(&output.stdout)), (Some(2), ""));
        assert!(text(&output.stderr).contains("acme.rules.json"), "{}", text(&output.stderr));
    }
    let validated = with_policies(guests.path(), &["validate", "-o", "sarif"], SHOOT);
    assert_eq!(validated.status.code(), Some(0), "{}", text(&validated.stderr));
    let log: serde_json::Value = serde_json::from_slice(&validated.stdout).unwrap();
    assert_eq!(log.pointer("/runs/0/tool/driver/rules"), Some(&serde_json::json!([])), "none occurs");
    let words = text(&validated.stdout).to_owned() + text(&validated.stderr);
    assert!(!words.contains("acme.rules.json"), "what needs no words asks for none: {words}");
}

#[test]
fn rules_without_words_hide_no_rules_of_other_policies() {
    let guests =
        folder(&[("a.wasm", &guest("accepts")), ("b.wasm", &policy_for("late")), ("b.rules.json", WORDS)]);
    let output = with_policies(guests.path(), &["rules"], "");
    assert_eq!(output.status.code(), Some(2));
    assert!(text(&output.stderr).contains("a.rules.json"), "{}", text(&output.stderr));
    assert!(text(&output.stdout).starts_with("late\n  ACM-NET-001"), "{}", text(&output.stdout));
}

#[test]
fn every_command_takes_policies_from_files() {
    let guests = folder(&[
        ("acme.wasm", &guest("accepts")),
        ("acme.schemas.json", br#"{"AcmeConfig":{}}"#),
        ("acme.rules.json", WORDS),
    ]);
    let run = |arguments: &[&str], input| with_policies(guests.path(), arguments, input);
    let validated = run(&["validate"], SHOOT);
    assert_eq!(validated.status.code(), Some(0), "{}", text(&validated.stderr));
    assert!(text(&validated.stdout).starts_with("accepted Shoot garden-dev/crazy"), "{}", text(&validated.stdout));
    assert!(text(&run(&["rules"], "").stdout).contains("ACM-NET-001"));
    assert_eq!(text(&run(&["schema"], "").stdout), "acme\n  AcmeConfig\n");
    assert_eq!(text(&run(&["schema", "AcmeConfig"], "").stdout), "{}\n");
    let answers = run(&["eval", "default", "--provider", "acme"], "{\"object\":\n1}\n \nnull\n");
    assert_eq!(text(&answers.stdout).lines().count(), 4);
    assert!(text(&answers.stdout).ends_with("\nnull\n"), "{}", text(&answers.stdout));
}

#[test]
fn the_environment_names_policies_too() {
    let one = folder(&[("a.wasm", &guest("accepts")), ("a.rules.json", WORDS)]);
    let other = folder(&[("b.wasm", &policy_for("late")), ("b.rules.json", WORDS)]);
    // The same twice is no other one.
    let both = std::env::join_paths([one.path(), other.path(), one.path()]).unwrap();
    let output = run(&words(&["rules"]), &[("TRELLIS_POLICIES", &both)], "");
    assert!(text(&output.stdout).contains("acme\n") && text(&output.stdout).contains("late\n"));
}

#[test]
fn a_call_that_fails_is_answered_and_the_next_one_too() {
    let guests = folder(&[("acme.wasm", &guest("traps"))]);
    let output = with_policies(guests.path(), &["eval", "validate", "--provider", "acme"], "{}\n{}\n");
    let lines: Vec<&str> = text(&output.stdout).lines().collect();
    assert_eq!(lines.len(), 2);
    let start = r#"{"error":{"code":"Trapped","message":"the policy broke off: "#;
    assert!(lines.iter().all(|line| line.starts_with(start)), "{lines:?}");
    assert_eq!(output.status.code(), Some(0));

    let output = with_policies(guests.path(), &["validate"], SHOOT);
    assert_eq!(output.status.code(), Some(2));
    assert!(
        text(&output.stderr).contains("could not be judged: the policy broke off"),
        "{}",
        text(&output.stderr)
    );
}

#[test]
fn list_shows_what_is_loaded() {
    let bytes = guest("accepts");
    let guests = folder(&[("x.wasm", &bytes)]);
    let table = with_policies(guests.path(), &["policies", "list"], "");
    let rows: Vec<Vec<&str>> = text(&table.stdout).lines().map(|line| line.split_whitespace().collect()).collect();
    let (digest, size) = (Digest::of(&bytes).to_string(), bytes.len().to_string());
    let file = guests.path().join("x.wasm").display().to_string();
    assert_eq!(
        rows,
        [
            vec!["TYPE", "VERSION", "PARITY", "SIZE", "SHA-256", "TRUST", "FILE"],
            vec!["acme", "1.2.3", "v4.5.6", &size, &digest, "SHA256SUMS", &file]
        ]
    );
    let json = with_policies(guests.path(), &["policies", "list", "-o", "json"], "");
    let json: serde_json::Value = serde_json::from_slice(&json.stdout).unwrap();
    let expected = serde_json::json!([
        { "type": "acme", "version": "1.2.3", "parity": "v4.5.6", "size": bytes.len(), "digest": digest,
          "trust": "SHA256SUMS", "file": file }
    ]);
    assert_eq!(json, expected);
}

#[cfg(feature = "native")]
#[test]
fn policies_of_the_program_are_listed_and_verified_too() {
    let table = run(&words(&["policies", "list"]), &[], "");
    assert!(text(&table.stdout).lines().any(|line| line.starts_with("alicloud ") && line.ends_with(" linked in")));
    let verified = run(&words(&["policies", "verify"]), &[], "");
    assert_eq!(verified.status.code(), Some(0));
    assert!(
        text(&verified.stdout).starts_with("alicloud (linked in): ok, version "),
        "{}",
        text(&verified.stdout)
    );
}

#[test]
fn verify_checks_every_policy_and_says_what_is_refused() {
    let guests = folder(&[("a.wasm", &complete_for("acme")), ("b.wasm", &complete_for("late"))]);
    let good = with_policies(guests.path(), &["policies", "verify"], "");
    assert_eq!((good.status.code(), text(&good.stdout).lines().count()), (Some(0), 2), "{}", text(&good.stdout));
    assert!(text(&good.stdout).contains("ok, version 1.2.3 with 1 rule without words of v4.5.6 and 0 schemas"));

    let worded = folder(&[("a.wasm", &complete_for("acme")), ("a.rules.json", WORDS)]);
    let good = with_policies(worded.path(), &["policies", "verify"], "");
    assert!(text(&good.stdout).contains("ok, version 1.2.3 with 1 rule of v4.5.6 and 0 schemas"));
    fs::write(worded.path().join("a.rules.json"), "{}").unwrap();
    let bad = with_policies(worded.path(), &["policies", "verify"], "");
    assert_eq!(bad.status.code(), Some(1));
    assert!(text(&bad.stdout).contains("a.rules.json"), "{}", text(&bad.stdout));

    fs::write(guests.path().join("b.wasm"), "\0asm").unwrap();
    let bad = with_policies(guests.path(), &["policies", "verify"], "");
    assert_eq!(bad.status.code(), Some(1));
    assert!(text(&bad.stdout).contains("acme") && text(&bad.stdout).contains("truncated, altered or replaced"));

    // And nobody judges with a part of them.
    let output = with_policies(guests.path(), &["validate"], SHOOT);
    assert_eq!(output.status.code(), Some(2));
    assert!(output.stdout.is_empty() && text(&output.stderr).contains("is refused"), "{}", text(&output.stderr));

    for function in ["rules", "validate", "default"] {
        let traps = folder(&[("a.wasm", &breaks_off(function))]);
        let output = with_policies(traps.path(), &["policies", "verify"], "");
        assert_eq!(output.status.code(), Some(1), "{function}");
        assert!(text(&output.stdout).contains("does not work: the policy broke off"), "{}", text(&output.stdout));
        // They can be listed nevertheless.
        let output = with_policies(traps.path(), &["policies", "list"], "");
        assert!(text(&output.stdout).contains("\nacme "), "{}", text(&output.stderr));
    }
    let echoes = folder(&[("a.wasm", &guest("accepts"))]);
    let output = with_policies(echoes.path(), &["policies", "verify"], "");
    assert!(
        text(&output.stdout).contains("answer cannot be read: missing field `patch`"),
        "{}",
        text(&output.stdout)
    );

    fs::remove_file(guests.path().join("b.wasm")).unwrap();
    let lacks = with_policies(guests.path(), &["policies", "verify"], "");
    assert_eq!(lacks.status.code(), Some(1));
    assert!(text(&lacks.stdout).contains("b.wasm` is refused: it is not there, though `SHA256SUMS` lists it"));

    let nothing = with_policies(&guests.path().join("nothing"), &["policies", "verify"], "");
    assert_eq!(nothing.status.code(), Some(2));
}

#[test]
fn only_policies_with_a_named_digest_are_run() {
    let (acme, late) = (complete_for("acme"), complete_for("late"));
    let guests = folder(&[("a.wasm", &acme), ("b.wasm", &late)]);
    let (a, b) = (Digest::of(&acme).to_string(), Digest::of(&late).to_string());
    let run = |arguments: &[&str]| with_policies(guests.path(), arguments, SHOOT);

    let both = ["--digest", &a, "--digest", &b];
    let good = run(&[&["policies", "verify"][..], &both].concat());
    assert_eq!(good.status.code(), Some(0), "{}", text(&good.stdout));
    assert_eq!(text(&good.stdout).matches("; you named its digest").count(), 2, "{}", text(&good.stdout));
    let listed = run(&[&["policies", "list", "-o", "json"][..], &both].concat());
    let listed: serde_json::Value = serde_json::from_slice(&listed.stdout).unwrap();
    assert_eq!(listed.pointer("/1/trust"), Some(&"named".into()), "{listed}");
    assert!(text(&run(&["policies", "verify"]).stdout).contains("; only `SHA256SUMS` next to it vouches for it"));

    // Another file, although `SHA256SUMS` lists it.
    let other = run(&["policies", "verify", "--digest", &a]);
    assert_eq!(other.status.code(), Some(1));
    let reported = format!("b.wasm` (SHA-256 {b}) is refused: nobody named this digest");
    assert!(
        text(&other.stdout).contains("acme (") && text(&other.stdout).contains(&reported),
        "{}",
        text(&other.stdout)
    );
    let validated = run(&["validate", "--digest", &a]);
    assert_eq!((validated.status.code(), text(&validated.stdout)), (Some(2), ""));

    // A digest that no file has.
    let nobody = "0".repeat(64);
    for command in [&["policies", "verify"][..], &["policies", "list"], &["validate"]] {
        let absent = run(&[command, &both, &["--digest", &nobody]].concat());
        assert_ne!(absent.status.code(), Some(0), "{command:?}");
        let reported = [text(&absent.stdout), text(&absent.stderr)].concat();
        assert!(reported.contains(&format!("no policy file has the SHA-256 digest {nobody}")), "{reported}");
    }

    // A named digest needs no `SHA256SUMS`, and one with other digests is of no use against it.
    fs::remove_file(guests.path().join("b.wasm")).unwrap();
    for sums in [None, Some(format!("{b}  a.wasm\n{b}  b.wasm\n"))] {
        let file = guests.path().join("SHA256SUMS");
        sums.map_or_else(|| fs::remove_file(&file), |sums| fs::write(&file, sums)).unwrap();
        assert_eq!(run(&["validate", "--digest", &a]).status.code(), Some(0));
        assert_eq!(run(&["validate"]).status.code(), Some(2));
    }
}

#[test]
fn a_second_version_in_shadow_is_compared_and_has_no_effect() {
    let used = folder(&[("acme.wasm", &guest("accepts"))]);
    let breaks = folder(&[("acme.wasm", &guest("traps"))]);
    let other = folder(&[("late.wasm", &policy_for("late"))]);
    let shadow = |path: &Path, arguments: &[&str], input: &str| {
        let path = path.display().to_string();
        with_policies(used.path(), &[arguments, &["--shadow", &path]].concat(), input)
    };
    let alone = with_policies(used.path(), &["validate"], SHOOT);
    let second = shadow(breaks.path(), &["validate"], SHOOT);
    assert_eq!((second.status.code(), &second.stdout), (Some(0), &alone.stdout));
    let reported = text(&second.stderr);
    assert!(reported.contains("shadow: validate: 1 compared, 1 differ, 0 skipped\n"), "{reported}");
    assert!(reported.contains("the second version has no answer: Trapped\n"), "{reported}");

    let eval = ["eval", "validate", "--provider", "acme"];
    let same = shadow(&used.path().join("acme.wasm"), &eval, "{}\n{}\n");
    assert_eq!(text(&same.stdout).lines().count(), 2);
    assert_eq!(text(&same.stderr), "shadow: validate: 2 compared, 0 differ, 0 skipped\n");
    let nothing = shadow(other.path(), &eval, "{}\n");
    assert_eq!(text(&nothing.stderr), "shadow: the second version was asked nothing\n");
    let missing = shadow(&used.path().join("nothing"), &eval, "{}\n");
    assert_eq!((missing.status.code(), text(&missing.stdout)), (Some(2), ""));
}

#[test]
fn the_sandbox_takes_the_folder_next_to_the_program_or_says_how_to_get_one() {
    let folder = folder(&[("acme.wasm", &guest("accepts")), ("acme.rules.json", WORDS)]);
    let place = TempDir::new_in(env!("CARGO_TARGET_TMPDIR")).unwrap();
    let program = place.path().join("trellis");
    // A copy could still be open for writing in a child that another test starts, and would not run.
    fs::hard_link(env!("CARGO_BIN_EXE_trellis"), &program).unwrap();
    let run = || run_program(&program, &words(&["rules", "--engine", "sandbox"]), &[], "");
    let output = run();
    assert_eq!(output.status.code(), Some(2));
    let reported = text(&output.stderr);
    assert!(reported.contains("--policies PATH") && reported.contains("make build"), "{reported}");

    let second = place.path().join("policies");
    fs::create_dir(&second).unwrap();
    for name in ["acme.wasm", "acme.rules.json", "SHA256SUMS"] {
        fs::copy(folder.path().join(name), second.join(name)).unwrap();
    }
    let output = run();
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    assert!(text(&output.stdout).contains("ACM-NET-001"));
}

/// The name of a file may be anything, and a terminal obeys what is printed.
#[cfg(unix)]
#[test]
fn names_of_files_show_a_terminal_nothing() {
    let folder = folder(&[("\u{1b}[2J.wasm", &guest("accepts")), ("\u{1b}]0;b.wasm", b"\0asm")]);
    let cache = folder.path().join("\u{1b}[3J");
    for arguments in [["policies", "list"], ["policies", "verify"], ["validate", "-"]] {
        let arguments: Vec<&OsStr> =
            arguments.iter().map(OsStr::new).chain(["--policies".as_ref(), folder.path().as_os_str()]).collect();
        fs::write(&cache, "not a folder").unwrap();
        let output = run(&arguments, &[("TRELLIS_CACHE", cache.as_os_str())], SHOOT);
        for reported in [text(&output.stdout), text(&output.stderr)] {
            assert!(!reported.contains('\u{1b}'), "{reported:?}");
        }
        assert!(text(&output.stderr).contains("[3J"), "{}", text(&output.stderr));
    }
}

#[test]
fn policies_for_the_native_engine_are_a_contradiction() {
    let output = run(&words(&["rules", "--engine", "native", "--policies", "x"]), &[], "");
    assert_eq!(output.status.code(), Some(2));
    assert!(text(&output.stderr).contains("leave one of them out"), "{}", text(&output.stderr));
}

#[test]
fn an_altered_cache_is_a_warning() {
    let (guests, cache) =
        (folder(&[("acme.wasm", &guest("accepts")), ("acme.rules.json", WORDS)]), TempDir::new().unwrap());
    let arguments = [OsStr::new("rules"), "--policies".as_ref(), guests.path().as_os_str()];
    let run = || run(&arguments, &[("TRELLIS_CACHE", cache.path().as_os_str())], "");
    assert!(run().stderr.is_empty() && run().stderr.is_empty());
    let file = fs::read_dir(cache.path()).unwrap().next().unwrap().unwrap().path();
    fs::write(&file, "something else").unwrap();
    let output = run();
    assert_eq!(output.status.code(), Some(0));
    assert!(text(&output.stderr).starts_with("warning: `"), "{}", text(&output.stderr));
    assert!(run().stderr.is_empty());
}

#[test]
fn the_cache_is_in_the_folder_for_caches() {
    let (guests, home) =
        (folder(&[("acme.wasm", &guest("accepts")), ("acme.rules.json", WORDS)]), TempDir::new().unwrap());
    let output = Command::new(env!("CARGO_BIN_EXE_trellis"))
        .arg("rules")
        .arg("--policies")
        .arg(guests.path())
        .env_remove("TRELLIS_CACHE")
        .env_remove("XDG_CACHE_HOME")
        .env("HOME", home.path())
        .output()
        .unwrap();
    assert!(output.stderr.is_empty(), "{}", text(&output.stderr));
    assert_eq!(fs::read_dir(home.path().join(".cache/trellis")).unwrap().count(), 1);
}
