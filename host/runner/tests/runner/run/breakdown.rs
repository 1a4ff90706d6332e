//! What breaks in a run is the failure of that run alone.

use std::sync::Arc;

use trellis_policies::engine::Function;
use trellis_runner::plan::event::Ending;
use trellis_runner::plan::event::Event;
use trellis_runner::run::RunError;

use super::fake::{carry_out, deaf, fake, network};

fn sound() -> Arc<dyn trellis_policies::engine::Engine> {
    Arc::new(fake(|function, request| Ok(network(function, request))))
}

#[tokio::test(start_paused = true)]
async fn an_engine_that_panics_fails_its_run_alone() {
    let broken = fake(|_, _| panic!("the engine is broken"));
    let (failed, done) = tokio::join!(carry_out(Arc::new(broken), &deaf), carry_out(sound(), &deaf));
    assert_eq!(done.unwrap().ending, Ending::Done);
    let reported = failed.unwrap_err().to_string();
    assert!(reported.contains("the engine is broken"), "{reported}");
}

#[tokio::test(start_paused = true)]
async fn a_listener_that_panics_fails_its_run_alone() {
    let broken = |event: Event| {
        if matches!(event, Event::StepStarted { .. }) {
            panic!("the listener is broken");
        }
    };
    let (failed, done) = tokio::join!(carry_out(sound(), &broken), carry_out(sound(), &deaf));
    assert_eq!(done.unwrap().ending, Ending::Done);
    assert!(matches!(failed, Err(RunError::Panicked(why)) if why == "the listener is broken"));
}

#[tokio::test(start_paused = true)]
async fn an_engine_that_panics_when_it_classifies_fails_the_step_and_not_the_process() {
    let broken = fake(|function, request| match function {
        Function::Classify => panic!("the engine is broken"),
        other => Ok(network(other, request)),
    });
    let report = carry_out(Arc::new(broken), &deaf).await.unwrap();
    assert_eq!(report.ending, Ending::Failed);
    assert!(report.failed.iter().any(|step| step.message.contains("the engine is broken")), "{:?}", report.failed);
}
