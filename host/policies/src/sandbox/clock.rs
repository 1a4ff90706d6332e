//! Deadlines: a thread that counts ticks while calls run.

use std::io;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;

use wasmtime::{Engine, EngineWeak};

/// Advances an engine's epoch as long as calls run, and sleeps otherwise.
#[derive(Debug)]
pub(super) struct Clock {
    shared: Arc<Shared>,
}

/// A call that the clock ticks for.
#[derive(Debug)]
pub(super) struct Running<'c>(&'c Shared);

#[derive(Debug, Default)]
struct Shared {
    state: Mutex<State>,
    woken: Condvar,
}

#[derive(Debug, Default)]
struct State {
    /// How many calls run.
    running: usize,
    /// Whether the thread sleeps until a call starts.
    sleeps: bool,
    stopped: bool,
}

impl Clock {
    /// Starts the thread.
    pub(super) fn start(engine: &Engine, tick: Duration) -> io::Result<Self> {
        let shared = Arc::<Shared>::default();
        let (thread, engine) = (Arc::clone(&shared), engine.weak());
        thread::Builder::new().name("policy-clock".to_owned()).spawn(move || thread.tick(&engine, tick))?;
        Ok(Self { shared })
    }

    /// Ticks until the guard is dropped.
    pub(super) fn run(&self) -> Running<'_> {
        let mut state = self.shared.lock();
        state.running += 1;
        if state.sleeps {
            self.shared.woken.notify_one();
        }
        Running(&self.shared)
    }
}

impl Shared {
    /// Nothing can panic while it holds the lock.
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn tick(&self, engine: &EngineWeak, tick: Duration) {
        let mut state = self.lock();
        while !state.stopped {
            if state.running == 0 {
                state.sleeps = true;
                state = self.woken.wait(state).unwrap_or_else(PoisonError::into_inner);
                state.sleeps = false;
                continue;
            }
            let waited = self.woken.wait_timeout_while(state, tick, |state| !state.stopped);
            state = waited.unwrap_or_else(PoisonError::into_inner).0;
            let Some(engine) = engine.upgrade() else { return };
            engine.increment_epoch();
        }
    }
}

impl Drop for Running<'_> {
    fn drop(&mut self) {
        self.0.lock().running -= 1;
    }
}

impl Drop for Clock {
    fn drop(&mut self) {
        self.shared.lock().stopped = true;
        self.shared.woken.notify_one();
    }
}
