//! Worlds of the past, for reads that are behind writes.

use std::collections::VecDeque;
use std::sync::Arc;
use std::time::Duration;

use jiff::Timestamp;

use crate::world::World;

/// How many worlds are kept at most; older reads see the oldest of them.
const MOST: usize = 4096;

/// The worlds of the past, the oldest first.
#[derive(Debug, Default)]
pub(super) struct History(VecDeque<Past>);

#[derive(Debug)]
struct Past {
    /// Until when the world was so.
    until: Timestamp,
    world: Arc<World>,
}

impl History {
    /// Keeps how the world was until now, as long as reads may ask for it.
    pub(super) fn keep(&mut self, world: &World, now: Timestamp, lag: Duration) {
        let oldest = now.checked_sub(lag).unwrap_or(Timestamp::MIN);
        while self.0.len() >= MOST || self.0.front().is_some_and(|past| past.until < oldest) {
            self.0.pop_front();
        }
        if !lag.is_zero() {
            self.0.push_back(Past { until: now, world: Arc::new(world.clone()) });
        }
    }

    /// How the world was at a time, if it was another than now.
    pub(super) fn at(&self, time: Timestamp) -> Option<Arc<World>> {
        let past = self.0.get(self.0.partition_point(|past| past.until <= time))?;
        Some(Arc::clone(&past.world))
    }

    /// Forgets all.
    pub(super) fn clear(&mut self) {
        self.0.clear();
    }
}
