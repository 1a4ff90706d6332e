//! Policies that behave, and policies that do not.

#![expect(clippy::unwrap_used, reason = "helpers of tests may panic")]

use std::thread;
use std::time::Duration;

use trellis_policies::digest::Digest;
use trellis_policies::engine::{CallError, Engine, Function};
use trellis_policies::sandbox::{Limits, Sandbox};

use trellis_testing::guests::{brief, folder, guest, limits, policy_for};

const REQUEST: &str = r#"{"object":{}}"#;

fn sandbox(policy: &[u8]) -> Sandbox {
    let folder = folder(&[("acme.wasm", policy)]);
    let mut sandbox = Sandbox::new(limits(), None).unwrap();
    sandbox.load(folder.path()).unwrap();
    sandbox
}

fn validate(sandbox: &Sandbox) -> Result<String, CallError> {
    sandbox.call("acme", Function::Validate, REQUEST)
}

/// Calls a guest that misbehaves again and again, from several threads at once, and one that behaves in between.
fn misbehaves(limits: Limits, name: &str, is_expected: impl Fn(&CallError) -> bool + Sync) {
    let guests = folder(&[("acme.wasm", &guest(name)), ("good.wasm", &policy_for("good"))]);
    let mut sandbox = Sandbox::new(limits, None).unwrap();
    sandbox.load(guests.path()).unwrap();
    let calls = || {
        for _ in 0..2 {
            let error = validate(&sandbox).unwrap_err();
            assert!(is_expected(&error), "{name}: {error:?}");
            assert!(sandbox.call("good", Function::Validate, REQUEST).is_ok());
            assert_eq!(sandbox.call("acme", Function::Default, REQUEST).unwrap(), REQUEST);
        }
    };
    thread::scope(|scope| {
        for _ in 0..limits.concurrency {
            scope.spawn(calls);
        }
    });
}

#[test]
fn a_policy_answers() {
    let sandbox = sandbox(&guest("accepts"));
    assert_eq!(sandbox.providers(), ["acme"]);
    assert_eq!(validate(&sandbox).unwrap(), r#"{"verdict":"accept","findings":[],"undecided":[]}"#);
    assert!(sandbox.call("acme", Function::Rules, REQUEST).unwrap().contains("ACM-NET-001"));
    assert!(sandbox.call("acme", Function::Info, "no JSON at all").unwrap().contains("v4.5.6"));
    let file = sandbox.file("acme").unwrap();
    assert_eq!((file.digest, file.size), (Digest::of(&guest("accepts")), guest("accepts").len()));
    assert_eq!(validate(&sandbox), validate(&sandbox));
}

#[test]
fn an_unknown_provider_is_an_error() {
    let sandbox = sandbox(&guest("accepts"));
    let error = sandbox.call("umbra", Function::Validate, REQUEST).unwrap_err();
    assert_eq!(error, CallError::UnknownProvider("umbra".to_owned()));
    assert!(sandbox.schemas("umbra").unwrap().is_empty());
}

#[test]
fn hostile_requests_reach_the_policy_unchanged() {
    let sandbox = sandbox(&guest("accepts"));
    let requests = [
        format!("{}{}", "[".repeat(100), "]".repeat(100)),
        format!("\"{}\"", "x".repeat(10_000_000)),
        r#""\ud800 \u0000 \udc00""#.to_owned(),
        "\"\u{7f}\u{85}\u{2028}\u{fffe}😀\"".to_owned(),
        "1e999999999".to_owned(),
        r#"{"a":1,"a":1.30}"#.to_owned(),
    ];
    for request in requests {
        assert_eq!(sandbox.call("acme", Function::Default, &request).unwrap(), request);
    }
    for wrong in ["", "\0", "[".repeat(100_000).as_str(), "{}{}"] {
        let error = sandbox.call("acme", Function::Default, wrong).unwrap_err();
        assert!(matches!(error, CallError::AnswerNotJson(_)), "{error:?}");
    }
}

#[test]
fn a_request_that_no_policy_takes_is_not_copied() {
    let sandbox = sandbox(&guest("accepts"));
    let error = sandbox.call("acme", Function::Default, &" ".repeat((16 << 20) + 1)).unwrap_err();
    assert_eq!(error, CallError::RequestTooLarge { size: (16 << 20) + 1, limit: 16 << 20 });
}

#[test]
fn every_call_has_an_instance_of_its_own() {
    let sandbox = sandbox(&guest("remembers"));
    for _ in 0..20 {
        assert_eq!(validate(&sandbox).unwrap(), "0");
    }
}

#[test]
fn a_loop_ends_at_the_deadline() {
    misbehaves(brief(), "loops", |error| *error == CallError::Deadline { limit: brief().deadline });
}

#[test]
fn memory_is_bounded() {
    misbehaves(limits(), "allocates", |error| *error == CallError::Memory { limit: limits().memory });
}

#[test]
fn who_asks_for_memory_for_ever_meets_the_deadline() {
    misbehaves(brief(), "allocates-stubbornly", |error| matches!(error, CallError::Deadline { .. }));
}

#[test]
fn the_stack_is_bounded() {
    misbehaves(limits(), "recurses", |error| *error == CallError::Stack { limit: limits().stack });
}

#[test]
fn a_trap_is_an_error_that_says_why() {
    misbehaves(limits(), "traps", |error| matches!(error, CallError::Trap(why) if why.contains("unreachable")));
    misbehaves(
        limits(),
        "reads-outside",
        |error| matches!(error, CallError::Trap(why) if why.contains("out of bounds")),
    );
}

#[test]
fn an_answer_that_is_no_json_document_is_an_error() {
    misbehaves(limits(), "answers-garbage", |error| matches!(error, CallError::AnswerNotJson(_)));
    misbehaves(limits(), "answers-twice", |error| matches!(error, CallError::AnswerNotJson(_)));
    misbehaves(limits(), "answers-no-text", |error| *error == CallError::AnswerNotText);
    misbehaves(
        limits(),
        "answers-from-outside",
        |error| matches!(error, CallError::Interface(why) if why.contains("out of bounds")),
    );
}

#[test]
fn an_answer_that_is_too_large_is_an_error() {
    misbehaves(limits(), "answers-too-much", |error| {
        *error == CallError::AnswerTooLarge { limit: limits().answer }
    });
}

#[test]
fn calls_that_find_no_place_say_so() {
    let limits = Limits { concurrency: 1, deadline: Duration::from_millis(50), ..limits() };
    let guests = folder(&[("acme.wasm", &guest("loops"))]);
    let mut sandbox = Sandbox::new(limits, None).unwrap();
    sandbox.load(guests.path()).unwrap();
    let errors: Vec<CallError> = thread::scope(|scope| {
        let calls: Vec<_> = (0..8).map(|_| scope.spawn(|| validate(&sandbox).unwrap_err())).collect();
        calls.into_iter().map(|call| call.join().unwrap()).collect()
    });
    let is_expected = |error: &CallError| matches!(error, CallError::Deadline { .. } | CallError::Busy { .. });
    assert!(errors.iter().all(is_expected), "{errors:?}");
    assert!(errors.iter().any(|error| matches!(error, CallError::Busy { .. })), "{errors:?}");
    assert_eq!(sandbox.call("acme", Function::Default, REQUEST).unwrap(), REQUEST);
}
