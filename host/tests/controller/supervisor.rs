//! Starts the program again whenever it has ended, as a kubelet does.

use std::process::ExitStatus;
use std::sync::{Arc, Mutex};

use rustix::process::Signal;
use tokio::task::JoinHandle;

use crate::process::{Settings, Trellis, kill};
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
    /// How the others ended.
    ended: Vec<ExitStatus>,
    stop: bool,
}

impl Supervisor {
    /// Starts the program, and keeps it running.
    pub fn start(settings: Settings) -> Self {
        let state = Arc::new(Mutex::new(State::default()));
        let shared = Arc::clone(&state);
        let task = tokio::spawn(async move {
            let mut running = Trellis::spawn(&settings);
            shared.lock().unwrap().pid = Some(running.pid());
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
                    state.pid = Some(running.pid());
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
    pub async fn end(self) {
        self.state.lock().unwrap().stop = true;
        if let Some(running) = self.task.await.unwrap() {
            running.end().await;
        }
    }
}
