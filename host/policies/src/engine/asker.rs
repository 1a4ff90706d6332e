//! Asks a policy from async code. A call takes a thread of its own, and never one of the runtime.

use std::any::Any;
use std::collections::BTreeMap;
use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use tokio::sync::Semaphore;
use tokio::time::{Instant, sleep};

use super::{CallError, Engine, Function};
use crate::span::{span, within};

/// The time before a busy policy is asked again. It doubles from time to time, up to [`LONGEST_PAUSE`].
const FIRST_PAUSE: Duration = Duration::from_millis(200);
const LONGEST_PAUSE: Duration = Duration::from_secs(5);

/// The threads that policies are called on. A process has one set of them.
#[derive(Clone, Debug)]
pub struct PolicyThreads(Arc<Semaphore>);

impl PolicyThreads {
    /// So many threads at a time. More calls wait for their turn, in the order in which they came.
    pub fn new(most: usize) -> Self {
        Self(Arc::new(Semaphore::new(most.max(1))))
    }
}

impl Default for PolicyThreads {
    /// As many as the machine can run at a time, and at least two.
    fn default() -> Self {
        Self::new(std::thread::available_parallelism().map_or(2, |count| count.get().max(2)))
    }
}

/// Asks one version of a provider's policy. Clones count together.
#[derive(Clone)]
pub struct Asker {
    engine: Arc<dyn Engine>,
    provider: Arc<str>,
    threads: PolicyThreads,
    asked: Arc<Mutex<BTreeMap<&'static str, u64>>>,
}

impl Asker {
    /// Asks the policy of a provider type.
    pub fn new(engine: Arc<dyn Engine>, provider: &str, threads: PolicyThreads) -> Self {
        Self { engine, provider: provider.into(), threads, asked: Arc::default() }
    }

    /// Calls a function. A busy policy is asked again and again, as long as there is time.
    pub async fn ask(&self, function: Function, request: String, until: Instant) -> Result<String, CallError> {
        let request: Arc<str> = request.into();
        let mut pause = FIRST_PAUSE;
        loop {
            let name = function.name();
            let span = span!("policy", otel.name = format!("policy {name}"), function = name);
            match within(span, self.once(function, Arc::clone(&request))).await {
                Err(error) if error.is_temporary() && Instant::now() + pause < until => sleep(pause).await,
                answer => return answer,
            }
            pause = (pause * 2).min(LONGEST_PAUSE);
        }
    }

    /// How often each function was called so far.
    pub fn asked(&self) -> BTreeMap<&'static str, u64> {
        self.asked.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    async fn once(&self, function: Function, request: Arc<str>) -> Result<String, CallError> {
        // Nobody closes the semaphore; without a permit the call is made all the same.
        let permit = Arc::clone(&self.threads.0).acquire_owned().await.ok();
        *self.asked.lock().unwrap_or_else(PoisonError::into_inner).entry(function.name()).or_default() += 1;
        let (engine, provider) = (Arc::clone(&self.engine), Arc::clone(&self.provider));
        let call = tokio::task::spawn_blocking(move || {
            // A caller that waits no longer leaves the permit with the thread.
            let _permit = permit;
            engine.call(&provider, function, &request)
        });
        call.await.unwrap_or_else(|error| {
            let why = error.try_into_panic().map_or_else(|error| error.to_string(), |panic| words(&*panic));
            Err(CallError::Panicked(why))
        })
    }
}

impl fmt::Debug for Asker {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Asker").field("provider", &self.provider).finish_non_exhaustive()
    }
}

/// The words of a panic.
pub fn words(panic: &(dyn Any + Send)) -> String {
    let text = panic.downcast_ref::<&str>().map(|text| (*text).to_owned());
    text.or_else(|| panic.downcast_ref::<String>().cloned()).unwrap_or_else(|| "it panicked".to_owned())
}
