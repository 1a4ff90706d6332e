//! A second version in shadow.

use std::sync::{Arc, Mutex, mpsc};
use std::time::Duration;

use serde_json::{Value, json};
use trellis_policies::engine::{CallError, Comparisons, Deviation, Difference, Engine, Function, Shadow};
use trellis_policies::sandbox::Sandbox;
use trellis_runner::plan::event::Ending;

use super::fake::{TOY, carry_out, deaf, fake, network};
use trellis_testing::guests::{brief, folder, guest};

const LONG: Duration = Duration::from_mins(1);

/// A shadow, and the differences that it reported.
fn shadow(used: impl Engine + 'static, second: impl Engine + 'static) -> (Shadow, Arc<Mutex<Vec<Difference>>>) {
    let reported = Arc::<Mutex<Vec<_>>>::default();
    let heard = Arc::clone(&reported);
    let show = move |difference| heard.lock().unwrap().push(difference);
    (Shadow::new(Arc::new(used), Arc::new(second), show).unwrap(), reported)
}

fn answers(answer: Value) -> impl Engine {
    fake(move |_, _| Ok(answer.clone()))
}

#[tokio::test(start_paused = true)]
async fn a_run_is_carried_out_by_the_version_in_use_and_the_other_one_is_compared() {
    let used = fake(|function, request| Ok(network(function, request)));
    let second = fake(|function, request| {
        let mut answer = network(function, request);
        if let Some(action) = answer.pointer_mut("/plan/steps/0/call/action") {
            *action = "DeleteVpc".into();
        }
        Ok(answer)
    });
    let (shadow, reported) = shadow(used, second);
    let shadow = Arc::new(shadow);
    let report = carry_out(Arc::<Shadow>::clone(&shadow), &deaf).await.unwrap();
    assert_eq!(report.ending, Ending::Done);
    assert!(report.failed.is_empty());

    let counts = shadow.settle(LONG);
    assert_eq!(counts["plan"].differed, 1, "{counts:?}");
    assert!(counts["plan"].compared > 1, "{counts:?}");
    assert_eq!((counts["status"].compared, counts["status"].differed), (1, 0));
    let reported = reported.lock().unwrap();
    let [difference] = reported.as_slice() else { panic!("{reported:?}") };
    let pointers = vec!["/plan/steps/0/call/action".to_owned()];
    assert_eq!(difference.what, Deviation::Answers { pointers, more: 0 });
    assert_eq!((difference.provider.as_str(), difference.function), (TOY, Function::Plan));
    assert!(!difference.to_string().contains("DeleteVpc"), "{difference}");
}

#[test]
fn what_the_versions_say_of_themselves_is_not_compared() {
    let (shadow, reported) = shadow(answers(json!({ "version": "1" })), answers(json!({ "version": "2" })));
    shadow.call(TOY, Function::Info, "").unwrap();
    assert!(shadow.settle(LONG).is_empty() && reported.lock().unwrap().is_empty());
}

#[test]
fn a_second_version_that_does_not_answer_is_a_difference() {
    for (name, code) in [("loops", "DeadlineExceeded"), ("traps", "Trapped"), ("answers-garbage", "UnknownAnswer")]
    {
        let guests = folder(&[("acme.wasm", &guest(name))]);
        let mut second = Sandbox::new(brief(), None).unwrap();
        second.load(guests.path()).unwrap();
        let (shadow, reported) = shadow(answers(json!({})), second);
        assert_eq!(shadow.call("acme", Function::Validate, "{}").unwrap(), "{}", "{name}");
        let counts = shadow.settle(LONG);
        assert_eq!(counts["validate"], Comparisons { compared: 1, differed: 1, skipped: 0 }, "{name}");
        assert_eq!(reported.lock().unwrap()[0].what, Deviation::OnlyUsed { code: code.to_owned() }, "{name}");
    }
}

#[test]
fn a_second_version_or_a_listener_that_panics_fails_nothing() {
    let second = fake(|_, _| panic!("the second version is broken"));
    let show = |_: Difference| panic!("the listener is broken");
    let shadow = Shadow::new(Arc::new(answers(json!({}))), Arc::new(second), show).unwrap();
    for _ in 0..3 {
        assert_eq!(shadow.call(TOY, Function::Plan, "{}").unwrap(), "{}");
    }
    assert_eq!(shadow.settle(LONG)["plan"], Comparisons { compared: 3, differed: 3, skipped: 0 });
}

#[test]
fn a_slow_second_version_holds_nobody_up() {
    let (go, may_go) = mpsc::channel::<()>();
    let may_go = Mutex::new(may_go);
    let second = fake(move |_, _| {
        may_go.lock().unwrap().recv().ok();
        Ok(json!({}))
    });
    let (shadow, _) = shadow(answers(json!({})), second);
    for _ in 0..1_000 {
        shadow.call(TOY, Function::Plan, "{}").unwrap();
    }
    let waiting = shadow.settle(Duration::ZERO)["plan"];
    assert_eq!(waiting, Comparisons { compared: 0, differed: 0, skipped: 1_000 });
    drop(go);
    let counts = shadow.settle(LONG)["plan"];
    assert!(counts.compared > 0 && counts.skipped > 0, "{counts:?}");
    assert_eq!((counts.compared + counts.skipped, counts.differed), (1_000, 0));

    let large = "x".repeat(65 << 20);
    assert_eq!(shadow.call(TOY, Function::Status, &large).unwrap(), "{}");
    assert_eq!(shadow.settle(LONG)["status"].skipped, 1);
}

#[test]
fn versions_that_are_busy_are_not_compared() {
    let busy = || CallError::Busy { limit: 4, waited: Duration::from_secs(1) };
    let (of_used, reported) = shadow(fake(move |_, _| Err(busy())), answers(json!({})));
    assert!(of_used.call(TOY, Function::Plan, "{}").is_err());
    let (of_second, also_reported) = shadow(answers(json!({})), fake(move |_, _| Err(busy())));
    assert!(of_second.call(TOY, Function::Plan, "{}").is_ok());
    for shadow in [of_used, of_second] {
        assert_eq!(shadow.settle(LONG)["plan"], Comparisons { skipped: 1, ..Comparisons::default() });
    }
    assert!(reported.lock().unwrap().is_empty() && also_reported.lock().unwrap().is_empty());
}
