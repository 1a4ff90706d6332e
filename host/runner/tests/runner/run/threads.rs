//! Where policies are called.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Duration;

use trellis_policies::engine::CallError;
use trellis_runner::plan::event::Ending;

use super::fake::{carry_out, deaf, fake, network};

/// Every task of this runtime runs on the thread of the test.
#[tokio::test(start_paused = true)]
async fn no_policy_is_called_on_a_thread_of_the_runtime() {
    let threads = Arc::<Mutex<Vec<_>>>::default();
    let seen = Arc::clone(&threads);
    let engine = fake(move |function, request| {
        seen.lock().unwrap().push((function.name(), thread::current().id()));
        Ok(network(function, request))
    });
    let report = carry_out(Arc::new(engine), &deaf).await.unwrap();
    assert_eq!(report.ending, Ending::Done);
    let seen = threads.lock().unwrap();
    for function in ["plan", "classify", "status"] {
        assert!(seen.iter().any(|(called, _)| *called == function), "{function}");
    }
    let here = thread::current().id();
    assert!(seen.iter().all(|(_, thread)| *thread != here), "{seen:?}");
}

#[tokio::test(start_paused = true)]
async fn a_policy_that_is_busy_for_a_while_fails_no_step() {
    let busy = CallError::Busy { limit: 4, waited: Duration::from_secs(1) };
    for error in [busy, CallError::Deadline { limit: Duration::from_secs(1) }] {
        let calls = Arc::<Mutex<BTreeMap<&str, u32>>>::default();
        let (counts, reported) = (Arc::clone(&calls), error.clone());
        let engine = fake(move |function, request| {
            let mut counts = counts.lock().unwrap();
            let count = counts.entry(function.name()).or_default();
            *count += 1;
            if *count <= 5 { Err(reported.clone()) } else { Ok(network(function, request)) }
        });
        let report = carry_out(Arc::new(engine), &deaf).await.unwrap();
        assert_eq!(report.ending, Ending::Done, "{error}: {:?}", report.failed);
        assert!(report.status.is_ok(), "{error}: {:?}", report.status);
        let calls = calls.lock().unwrap();
        assert!(["plan", "classify", "status"].iter().all(|function| calls[function] > 5), "{calls:?}");
    }
}
