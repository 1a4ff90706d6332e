//! Starts the program again whenever it has ended, as a kubelet does.

use std::process::ExitStatus;
use std::sync::{Arc, Mutex};

use rustix::process::Signal;
use tokio::task::JoinHandle;

use crate::process::{Log, Settings, Trellis, kill, print_end};
use crate::wait::{LIMIT, until};

/// One replica, until it is dropped.
pub struct Supervisor {
    state: Arc<Mutex<State>>,
    task: JoinHandle<Option<Trellis>>,
}

#[derive(Default)]
struct State {
    /// The process that runs.
    pid: Option<u32>,
    /// Its log, for a test that fails.
    log: Log,
    /// How the others ended.
    ended: Vec<ExitStatus>,
    stop: bool,
}

impl State {
    fn watch(&mut self, running: &Trellis) {
        (self.pid, self.log) = (Some(running.pid()), running.shared_log());
    }
}

impl Drop for Supervisor {
    fn drop(&mut self) {
        if std::thread::panicking() {
            print_end(&self.state.lock().unwrap().log.lock().unwrap());
        }
        self.task.abort();
    }
}

impl Supervisor {
    /// Starts the program, and keeps it running.
    pub fn start(settings: Settings) -> Self {
        let state = Arc::new(Mutex::new(State::default()));
        let shared = Arc::clone(&state);
        let task = tokio::spawn(async move {
            let mut running = Trellis::spawn(&settings);
            shared.lock().unwrap().watch(&running);
            loop {
                tokio::time::sleep(std::time::Duration::from_millis(20)).await;
                if shared.lock().unwrap().stop {
                    return running.ended().is_none().then_some(running);
                }
                // The lock is held while the process is reaped: nobody signals an identifier that is free again.
                let mut state = shared.lock().unwrap();
                if let Some(status) = running.ended() {
                    state.ended.push(status);
                    running = Trellis::spawn(&settings);
                    state.watch(&running);
                }
            }
        });
        Self { state, task }
    }

    /// Sends a signal to the process that runs.
    pub fn signal(&self, signal: Signal) {
        let state = self.state.lock().unwrap();
        if let Some(pid) = state.pid {
            kill(pid, signal);
        }
    }

    /// How the processes before the one that runs ended.
    pub fn ended(&self) -> Vec<ExitStatus> {
        self.state.lock().unwrap().ended.clone()
    }

    /// Waits until so many processes have ended.
    pub async fn ends(&self, count: usize) {
        let what = format!("{count} processes have ended");
        until(&what, LIMIT, async || (self.ended().len() >= count).then_some(())).await;
    }

    /// Ends the program, which ends with code 0.
    pub async fn end(mut self) {
        self.state.lock().unwrap().stop = true;
        if let Some(running) = (&mut self.task).await.unwrap() {
            running.end().await;
        }
    }
}
