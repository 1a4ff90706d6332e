//! Policies that are swapped while runs go on.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, mpsc};
use std::thread;

use trellis_policies::engine::{Engine, Function, Versions};
use trellis_runner::plan::event::Ending;
use trellis_runner::plan::event::Event;

use super::fake::{TOY, carry_out, deaf, fake, network};

/// An engine, and how often it was called.
fn counted() -> (Arc<dyn Engine>, Arc<AtomicUsize>) {
    let calls = Arc::<AtomicUsize>::default();
    let count = Arc::clone(&calls);
    let engine = fake(move |function, request| {
        count.fetch_add(1, Ordering::Relaxed);
        Ok(network(function, request))
    });
    (Arc::new(engine), calls)
}

#[test]
fn a_call_in_flight_ends_on_the_version_that_it_began_on() {
    let (began, has_begun) = mpsc::channel();
    let (end, may_end) = mpsc::channel::<()>();
    let may_end = Mutex::new(may_end);
    let old = fake(move |_, _| {
        began.send(()).unwrap();
        may_end.lock().unwrap().recv().unwrap();
        Ok("old".into())
    });
    let versions = Versions::new(Arc::new(old));
    let call = |versions: &Versions| versions.current().call(TOY, Function::Status, "{}").unwrap();
    thread::scope(|scope| {
        let in_flight = scope.spawn(|| call(&versions));
        has_begun.recv().unwrap();
        let new = fake(|_, _| Ok("new".into()));
        let old = Arc::downgrade(&versions.swap(Arc::new(new)));
        assert_eq!(call(&versions), "\"new\"");
        assert!(old.upgrade().is_some());
        end.send(()).unwrap();
        assert_eq!(in_flight.join().unwrap(), "\"old\"");
        assert!(old.upgrade().is_none());
    });
}

#[tokio::test(start_paused = true)]
async fn a_run_ends_on_the_version_that_it_began_with_and_frees_it() {
    let ((old, of_old), (new, of_new)) = (counted(), counted());
    let versions = Versions::new(old);
    let (swapped, before) = (Mutex::new(Some(new)), AtomicUsize::new(0));
    let kept = Mutex::new(None);
    let listener = |event: Event| {
        if let Event::StepStarted { .. } = event
            && let Some(new) = swapped.lock().unwrap().take()
        {
            before.store(of_old.load(Ordering::Relaxed), Ordering::Relaxed);
            *kept.lock().unwrap() = Some(Arc::downgrade(&versions.swap(new)));
        }
    };
    let running = carry_out(versions.current(), &listener);
    assert_eq!(running.await.unwrap().ending, Ending::Done);
    assert!(of_old.load(Ordering::Relaxed) > before.load(Ordering::Relaxed), "nothing was asked after the swap");
    assert_eq!(of_new.load(Ordering::Relaxed), 0);
    assert!(kept.lock().unwrap().take().unwrap().upgrade().is_none(), "the old version is still there");
    assert_eq!(carry_out(versions.current(), &deaf).await.unwrap().ending, Ending::Done);
    assert!(of_new.load(Ordering::Relaxed) > 0);
}
