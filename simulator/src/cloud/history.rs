//! Worlds of the past, for reads that lag behind writes.

use std::collections::VecDeque;
use std::sync::Arc;
use std::time::Duration;

use jiff::Timestamp;

use crate::world::World;

/// How many worlds are kept where there are many writes. Worlds of the same moment count once. At this number, a
/// world that lasted less than this part of the lag is not kept, and reads see its successor.
const MANY: u32 = 256;

/// The worlds of the past, the oldest first.
#[derive(Debug, Default)]
pub(super) struct History(VecDeque<PastWorld>);

#[derive(Debug)]
struct PastWorld {
    /// Until when the world was so.
    until: Timestamp,
    world: Arc<World>,
}

impl History {
    /// Keeps the world as it was until now, as long as reads may ask for it.
    pub(super) fn keep(&mut self, world: World, now: Timestamp, lag: Duration) {
        let oldest = now.checked_sub(lag).unwrap_or(Timestamp::MIN);
        while self.0.front().is_some_and(|past| past.until < oldest) {
            self.0.pop_front();
        }
        // Nobody can have seen a world that lasted no time.
        let many = self.0.len() >= MANY as usize;
        let least = if many { lag / MANY } else { Duration::ZERO };
        let seen = self.0.back().is_none_or(|past| {
            let since = now.duration_since(past.until);
            since.is_positive() && since.unsigned_abs() >= least
        });
        if !lag.is_zero() && seen {
            self.0.push_back(PastWorld { until: now, world: Arc::new(world) });
        }
    }

    /// The world at a time, if that was another than now.
    pub(super) fn at(&self, time: Timestamp) -> Option<Arc<World>> {
        let past = self.0.get(self.0.partition_point(|past| past.until <= time))?;
        Some(Arc::clone(&past.world))
    }

    /// Forgets all.
    pub(super) fn clear(&mut self) {
        self.0.clear();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn world(number: u64) -> World {
        let mut world = World::default();
        for _ in 0..number {
            world.number();
        }
        world
    }

    fn at(millisecond: i64) -> Timestamp {
        Timestamp::from_millisecond(millisecond).unwrap()
    }

    const LAG: Duration = Duration::from_secs(1);

    #[test]
    fn a_read_sees_the_world_of_its_time() {
        let mut history = History::default();
        for second in 1..=4 {
            history.keep(world(second), at(1000 * i64::try_from(second).unwrap()), Duration::from_secs(2));
        }
        let seen = |time| history.at(at(time)).map(|world| World::clone(&world));
        assert_eq!(seen(2999), Some(world(3)));
        assert_eq!(seen(3000), Some(world(4)));
        assert_eq!(seen(4000), None, "it is as it is now");
        assert_eq!(seen(0), Some(world(2)), "what no read asks for is forgotten");
    }

    #[test]
    fn of_a_moment_the_first_world_is_kept() {
        let mut history = History::default();
        for number in 0..10 {
            history.keep(world(number), at(0), LAG);
        }
        assert_eq!(history.0.len(), 1);
        assert_eq!(history.at(at(-1)).as_deref(), Some(&world(0)));
    }

    #[test]
    fn many_writes_are_kept_with_gaps() {
        let mut history = History::default();
        for number in 0..5000 {
            history.keep(World::default(), at(number), LAG);
            assert!(history.0.len() <= 2 * MANY as usize + 1);
        }
        let oldest = history.0.front().unwrap().until;
        assert!(oldest <= at(4010), "reads are hardly less behind: {oldest}");
    }

    #[test]
    fn without_a_lag_nothing_is_kept() {
        let mut history = History::default();
        history.keep(world(1), at(0), LAG);
        history.keep(world(2), at(1), Duration::ZERO);
        assert!(history.at(at(-1)).is_none());
    }
}
