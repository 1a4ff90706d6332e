//! Policies that are loaded or refused, and the files next to them.

#![expect(clippy::unwrap_used, clippy::panic, reason = "helpers of tests may panic")]

use std::fs;
use std::path::Path;

use tempfile::TempDir;
use trellis_policies::digest::Digest;
use trellis_policies::engine::Engine as _;
use trellis_policies::sandbox::{Cause, Limits, LoadError, Refusal, Sandbox};

use trellis_testing::guests::{brief, folder, guest, limits, policy_for, whole};

/// Loads a folder in which something is refused.
fn refused(folder: &Path) -> Vec<Refusal> {
    refused_within(limits(), folder)
}

fn refused_within(limits: Limits, folder: &Path) -> Vec<Refusal> {
    match Sandbox::new(limits, None).unwrap().load(folder) {
        Err(LoadError::Refused(refusals)) => refusals,
        other => panic!("{other:?}"),
    }
}

fn only(mut refusals: Vec<Refusal>) -> Refusal {
    assert_eq!(refusals.len(), 1, "{refusals:?}");
    refusals.remove(0)
}

#[test]
fn a_policy_that_never_starts_is_refused() {
    let guests = folder(&[("acme.wasm", &guest("starts-forever"))]);
    let refusal = only(refused_within(brief(), guests.path()));
    assert!(matches!(&*refusal.cause, Cause::NoInfo(failure) if failure.code == "DeadlineExceeded"), "{refusal}");
}

#[test]
fn a_component_of_another_world_is_refused_with_what_is_wrong() {
    for (name, sentence) in [
        ("core-module", "it is a core module, and policies are components"),
        ("imports", "it wants to import `wasi:cli/environment@0.2.0`, and a policy imports nothing"),
        ("lacks-exports", "it does not export the function `info` of the world `policy`"),
        ("exports-another-type", "its export `info` is not `func() -> string`, as in the world `policy`"),
    ] {
        let bytes = whole(name);
        let guests = folder(&[("acme.wasm", &bytes)]);
        let text = only(refused(guests.path())).to_string();
        assert!(text.contains(sentence) && text.contains(&Digest::of(&bytes).to_string()), "{text}");
    }
}

#[test]
fn bytes_that_are_no_component_are_refused() {
    let policy = guest("accepts");
    let mut broken = policy.clone();
    let middle = broken.len() / 2;
    broken[middle..].fill(0xff);
    for (bytes, sentence) in [
        (&b""[..], "it is not WebAssembly"),
        (b"\x7fELF", "it is not WebAssembly"),
        (b"\0asm\x07\0\0\0", "it has a WebAssembly version that is not known here"),
        (b"\0asm\x0d\0\x01\0", "it does not export the function `info`"),
        (&policy[..policy.len() - 1], "it cannot be compiled"),
        (&broken, "it cannot be compiled"),
    ] {
        let guests = folder(&[("acme.wasm", bytes)]);
        let text = only(refused(guests.path())).to_string();
        assert!(text.contains(sentence), "{text}");
    }
}

#[test]
fn a_policy_that_does_not_say_what_it_is_is_refused() {
    for (from, to, what) in
        [("acme", "a me", "provider"), ("1.2.3", "1\\t23", "version"), ("v4.5.6", "v4\\n.6", "parity")]
    {
        let mut bytes = guest("accepts");
        let at = bytes.windows(from.len()).position(|part| part == from.as_bytes()).unwrap();
        bytes[at..at + from.len()].copy_from_slice(to.as_bytes());
        let text = only(refused(folder(&[("acme.wasm", &bytes)]).path())).to_string();
        assert!(text.contains(&format!("its `info` says no proper `{what}`")), "{text}");
    }
}

#[test]
fn every_altered_or_truncated_policy_is_refused_and_never_run() {
    let policy = guest("accepts");
    let digest = Digest::of(&policy);
    let guests = folder(&[("acme.wasm", &policy)]);
    let file = guests.path().join("acme.wasm");
    let check = |bytes: &[u8]| {
        fs::write(&file, bytes).unwrap();
        let refusal = only(refused(guests.path()));
        assert!(matches!(*refusal.cause, Cause::OtherDigest { expected } if expected == digest), "{refusal}");
        let text = refusal.to_string();
        let names = [Digest::of(bytes).to_string(), digest.to_string(), file.display().to_string()];
        assert!(names.iter().all(|name| text.contains(name)) && text.contains("truncated, altered or replaced"));
    };
    for at in (0..policy.len()).step_by(97).chain([policy.len() - 1]) {
        let mut altered = policy.clone();
        altered[at] ^= 0x10;
        check(&altered);
    }
    for end in (0..policy.len()).step_by(197) {
        check(&policy[..end]);
    }
    check(&guest("loops"));
    fs::write(&file, &policy).unwrap();
    assert!(Sandbox::new(limits(), None).unwrap().load(guests.path()).is_ok());
}

#[test]
fn a_policy_that_nobody_listed_is_refused() {
    let policy = guest("accepts");
    let guests = folder(&[("acme.wasm", &policy)]);
    fs::write(guests.path().join("late.wasm"), policy_for("late")).unwrap();
    let mut sandbox = Sandbox::new(limits(), None).unwrap();
    let Err(LoadError::Refused(refusals)) = sandbox.load(guests.path()) else { panic!() };
    let text = only(refusals).to_string();
    assert!(
        text.contains("late.wasm") && text.ends_with("the `SHA256SUMS` next to it does not list it"),
        "{text}"
    );
    assert_eq!(sandbox.providers(), ["acme"]);

    let sums = guests.path().join("SHA256SUMS");
    fs::write(&sums, "what is this\n").unwrap();
    assert!(refused(guests.path()).iter().all(|refusal| matches!(*refusal.cause, Cause::WrongSums { line: 1 })));
    fs::remove_file(&sums).unwrap();
    for refusal in refused(guests.path()) {
        assert!(refusal.to_string().contains("sha256sum * > SHA256SUMS"), "{refusal}");
    }
    fs::create_dir(&sums).unwrap();
    for refusal in refused(guests.path()) {
        assert!(refusal.to_string().ends_with("the `SHA256SUMS` next to it cannot be read: it is not a file"));
    }
}

#[test]
fn what_is_no_readable_file_is_refused() {
    let guests = folder(&[]);
    fs::create_dir(guests.path().join("folder.wasm")).unwrap();
    fs::write(guests.path().join("large.wasm"), vec![0; (16 << 20) + 1]).unwrap();
    #[cfg(unix)]
    std::os::unix::fs::symlink("nowhere", guests.path().join("link.wasm")).unwrap();
    let refusals = refused(guests.path());
    assert_eq!(refusals.len(), if cfg!(unix) { 3 } else { 2 }, "{refusals:?}");
    for refusal in refusals {
        let name = refusal.file.file_stem().unwrap().to_str().unwrap();
        let sentence = match name {
            "folder" => "it is not a file",
            "large" => "it has 16777217 bytes, a policy has at most 16777216",
            _ => "it cannot be read: No such file or directory",
        };
        assert!(refusal.to_string().contains(sentence), "{refusal}");
    }
}

#[test]
fn what_is_listed_and_not_there_is_refused() {
    let guests =
        folder(&[("a.wasm", &guest("accepts")), ("b.wasm", b""), ("a.schemas.json", b"{}"), ("notes", b"")]);
    for name in ["b.wasm", "a.schemas.json", "notes"] {
        fs::remove_file(guests.path().join(name)).unwrap();
    }
    let mut sandbox = Sandbox::new(limits(), None).unwrap();
    let Err(LoadError::Refused(refusals)) = sandbox.load(guests.path()) else { panic!() };
    let refusal = only(refusals);
    assert!(refusal.file.ends_with("b.wasm") && matches!(*refusal.cause, Cause::Missing), "{refusal}");
    assert!(sandbox.schemas("acme").unwrap_err().to_string().contains("it is not there, though"));

    fs::remove_file(guests.path().join("a.wasm")).unwrap();
    assert_eq!(refused(guests.path()).len(), 2);
}

#[cfg(unix)]
#[test]
fn schemas_that_cannot_be_reached_are_an_error() {
    let guests = folder(&[("a.wasm", &guest("accepts"))]);
    let mut sandbox = Sandbox::new(limits(), None).unwrap();
    sandbox.load(guests.path()).unwrap();
    assert!(sandbox.schemas("acme").unwrap().is_empty());
    std::os::unix::fs::symlink("nowhere", guests.path().join("a.schemas.json")).unwrap();
    assert!(sandbox.schemas("acme").is_err());
}

#[test]
fn words_of_rules_lie_next_to_the_policy() {
    let words = br#"{"ACM-NET-001":{"summary":"s","why":"w","fix":"f"}}"#;
    let guests = folder(&[("x.wasm", &guest("accepts")), ("x.rules.json", words)]);
    let mut sandbox = Sandbox::new(limits(), None).unwrap();
    sandbox.load(guests.path()).unwrap();
    assert_eq!(sandbox.words("acme").unwrap()["ACM-NET-001"].why, "w");

    fs::write(guests.path().join("x.rules.json"), "{}").unwrap();
    let error = sandbox.words("acme").unwrap_err().to_string();
    assert!(error.contains("x.rules.json") && error.contains("truncated, altered or replaced"), "{error}");
}

#[test]
fn words_that_nobody_gave_or_that_are_no_words_are_an_error_that_names_the_file() {
    let loaded = |files: &[(&str, &[u8])]| {
        let guests = folder(files);
        let mut sandbox = Sandbox::new(limits(), None).unwrap();
        sandbox.load(guests.path()).unwrap();
        sandbox.words("acme").unwrap_err().to_string()
    };
    let policy = guest("accepts");
    let missing = loaded(&[("x.wasm", &policy)]);
    assert!(missing.contains("there is no file") && missing.contains("x.rules.json"), "{missing}");
    let wrong = loaded(&[("x.wasm", &policy), ("x.rules.json", br#"{"ACM-NET-001":{}}"#)]);
    assert!(wrong.contains("x.rules.json`: missing field `summary`"), "{wrong}");
}

#[test]
fn a_path_without_policies_is_an_error() {
    let empty = TempDir::new().unwrap();
    let load = |path: &Path| Sandbox::new(limits(), None).unwrap().load(path).unwrap_err();
    assert!(matches!(load(empty.path()), LoadError::Empty(path) if path == empty.path()));
    assert!(matches!(load(&empty.path().join("no")), LoadError::Unreadable { .. }));
}

#[test]
fn one_file_of_a_folder_can_be_loaded() {
    let guests = folder(&[("acme.wasm", &guest("accepts")), ("late.wasm", &policy_for("late"))]);
    let mut sandbox = Sandbox::new(limits(), None).unwrap();
    sandbox.load(&guests.path().join("late.wasm")).unwrap();
    assert_eq!(sandbox.providers(), ["late"]);
}

#[test]
fn two_policies_for_one_provider_are_one_too_many() {
    let guests = folder(&[("a.wasm", &guest("accepts")), ("b.wasm", &guest("remembers"))]);
    let text = only(refused(guests.path())).to_string();
    assert!(text.contains("a.wasm`; leave one of them") && text.contains("b.wasm`"), "{text}");
}

#[test]
fn the_same_policy_again_is_no_other_one() {
    let guests = folder(&[("a.wasm", &guest("accepts")), ("b.wasm", &guest("accepts"))]);
    let mut sandbox = Sandbox::new(limits(), None).unwrap();
    for path in [guests.path(), guests.path(), &guests.path().join("b.wasm")] {
        sandbox.load(path).unwrap();
    }
    assert!(sandbox.file("acme").unwrap().path.ends_with("a.wasm"));
}

#[test]
fn schemas_lie_next_to_the_policy() {
    let guests = folder(&[("x.wasm", &guest("accepts")), ("x.schemas.json", br#"{"Kind":{"type":"object"}}"#)]);
    let mut sandbox = Sandbox::new(limits(), None).unwrap();
    sandbox.load(guests.path()).unwrap();
    assert_eq!(sandbox.schemas("acme").unwrap().keys().collect::<Vec<_>>(), ["Kind"]);
    fs::write(guests.path().join("x.schemas.json"), "{}").unwrap();
    let error = sandbox.schemas("acme").unwrap_err().to_string();
    assert!(error.contains("truncated, altered or replaced"), "{error}");
}
