//! The events of a run, which any number of tabs can follow from the first event.

use std::convert::Infallible;

use axum::body::Bytes;
use futures_util::{Stream, stream};
use tokio::sync::watch;

/// A run, while it goes on and after its end.
#[derive(Default)]
pub(super) struct Run {
    log: watch::Sender<Log>,
}

#[derive(Default)]
struct Log {
    /// JSON texts, a line each.
    lines: Vec<Bytes>,
    has_ended: bool,
}

impl Run {
    /// Adds an event.
    pub(super) fn add(&self, line: String) {
        self.log.send_modify(|log| log.lines.push(line.into()));
    }

    /// Adds the last event.
    pub(super) fn end(&self, line: String) {
        self.log.send_modify(|log| {
            log.lines.push(line.into());
            log.has_ended = true;
        });
    }

    /// All events from the first one on, until the run ends.
    pub(super) fn follow(&self) -> impl Stream<Item = Result<Bytes, Infallible>> + use<> {
        stream::unfold((self.log.subscribe(), 0), async |(mut log, next)| {
            loop {
                let (line, has_ended) = {
                    let now = log.borrow_and_update();
                    (now.lines.get(next).cloned(), now.has_ended)
                };
                if let Some(line) = line {
                    return Some((Ok(line), (log, next + 1)));
                }
                if has_ended || log.changed().await.is_err() {
                    return None;
                }
            }
        })
    }
}
