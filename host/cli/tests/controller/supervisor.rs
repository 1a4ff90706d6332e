//! Starts the program again whenever it has ended, as a kubelet does.

use std::process::ExitStatus;
use std::sync::{Arc, Mutex};

use rustix::process::Signal;
use serde_json::Value;
use tokio::task::JoinHandle;

use crate::process::{Log, Settings, Trellis, kill, metrics, print_end};
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
    /// The logs of all processes, its own at the end.
    logs: Vec<Log>,
    /// How the others ended.
    ended: Vec<ExitStatus>,
    stop: bool,
}

impl State {
    fn watch(&mut self, running: &Trellis) {
        self.pid = Some(running.pid());
        self.logs.push(running.shared_log());
    }
}

impl Drop for Supervisor {
    fn drop(&mut self) {
        if std::thread::panicking() {
            print_end(&self.log());
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

    /// The lines of the logs of all processes.
    pub fn log(&self) -> Vec<Value> {
        let logs = self.state.lock().unwrap().logs.clone();
        logs.iter().flat_map(|log| log.lock().unwrap().clone()).collect()
    }

    /// Waits until the process that runs has written such a line, and answers with it.
    pub async fn writes(&self, message: &str) -> Value {
        let last = || self.state.lock().unwrap().logs.last().cloned();
        let line = async || last()?.lock().unwrap().iter().find(|line| line["msg"] == message).cloned();
        until(&format!("the program says `{message}`"), LIMIT, line).await
    }

    /// Waits until the process that runs is the leader.
    pub async fn leads(&self) {
        self.writes("this process is the leader").await;
    }

    /// Its metrics, as it serves them.
    pub async fn metrics(&self) -> String {
        let serving = self.writes("serving").await;
        metrics(serving["metrics"].as_str().unwrap().parse().unwrap()).await
    }

    /// Ends the program, which ends with code 0.
    pub async fn end(mut self) {
        self.state.lock().unwrap().stop = true;
        if let Some(running) = (&mut self.task).await.unwrap() {
            running.end().await;
        }
    }
}
