//! A client that can be cut off.

use std::sync::{Arc, Mutex};

use serde_json::Value;
use trellis_runner::state::object::{ApiError, Object, Objects};

use super::ApiServer;

/// A client that can be cut off, as by the death of its process: its requests have no effect from then on, and no
/// answer.
#[derive(Clone)]
pub struct Client {
    server: ApiServer,
    cut: Arc<Mutex<Cut>>,
}

/// What becomes of the last patch of a client that is cut off.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Last {
    /// Nobody ever sees it.
    Forgotten,
    /// It has its effect.
    Unanswered,
    /// It arrives after so many milliseconds.
    Late(u64),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Cut {
    No,
    /// At a patch, counted from 1.
    AtPatch {
        left: usize,
        end: Last,
    },
    Now,
}

impl Client {
    pub fn new(server: &ApiServer) -> Self {
        Self { server: server.clone(), cut: Arc::new(Mutex::new(Cut::No)) }
    }

    /// Cuts it off now.
    pub fn cut(&self) {
        *self.cut.lock().unwrap() = Cut::Now;
        self.server.0.cut.notify_waiters();
    }

    /// Cuts it off at its n-th patch.
    pub fn cut_at_patch(&self, nth: usize, end: Last) {
        *self.cut.lock().unwrap() = Cut::AtPatch { left: nth, end };
    }

    /// Waits until it is cut off.
    pub async fn until_cut(&self) {
        loop {
            let reported = self.server.0.cut.notified();
            if self.is_cut() {
                return;
            }
            reported.await;
        }
    }

    pub fn is_cut(&self) -> bool {
        *self.cut.lock().unwrap() == Cut::Now
    }

    /// What becomes of a patch, where it is the one at which this is cut off.
    fn reaches(&self) -> Option<Last> {
        let mut cut = self.cut.lock().unwrap();
        match &mut *cut {
            Cut::AtPatch { left: 1, end } => {
                let end = *end;
                *cut = Cut::Now;
                Some(end)
            }
            Cut::AtPatch { left, .. } => {
                *left -= 1;
                None
            }
            Cut::No | Cut::Now => None,
        }
    }

    async fn unless_cut<T>(&self, request: impl Future<Output = T>) -> T {
        if self.is_cut() {
            return std::future::pending().await;
        }
        let answer = request.await;
        if self.is_cut() { std::future::pending().await } else { answer }
    }
}

impl Objects for Client {
    async fn read(&self) -> Result<Object, ApiError> {
        self.unless_cut(self.server.read()).await
    }

    async fn patch(&self, patch: &Value) -> Result<Object, ApiError> {
        match self.reaches() {
            None => self.unless_cut(self.server.patch(patch)).await,
            Some(end) => {
                match end {
                    Last::Forgotten => {}
                    Last::Unanswered => _ = self.server.lock().patch(patch),
                    Last::Late(millis) => self.server.arrive(patch, millis),
                }
                self.server.0.cut.notify_waiters();
                std::future::pending().await
            }
        }
    }
}
