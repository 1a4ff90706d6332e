//! How many calls run at once.

use std::sync::{Condvar, Mutex, PoisonError};
use std::time::Duration;

/// Places for calls; the pool of instances has as many.
#[derive(Debug)]
pub(super) struct Places {
    free: Mutex<u32>,
    freed: Condvar,
}

/// A place that is taken until this is dropped.
#[derive(Debug)]
pub(super) struct Place<'p>(&'p Places);

impl Places {
    pub(super) fn new(number: u32) -> Self {
        Self { free: Mutex::new(number), freed: Condvar::new() }
    }

    /// Takes a place, waiting for one if need be; none when no place becomes free in time.
    pub(super) fn take(&self, patience: Duration) -> Option<Place<'_>> {
        // Nothing can panic while it holds the lock.
        let free = self.free.lock().unwrap_or_else(PoisonError::into_inner);
        let waited = self.freed.wait_timeout_while(free, patience, |free| *free == 0);
        let mut free = waited.unwrap_or_else(PoisonError::into_inner).0;
        *free = free.checked_sub(1)?;
        Some(Place(self))
    }
}

impl Drop for Place<'_> {
    fn drop(&mut self) {
        *self.0.free.lock().unwrap_or_else(PoisonError::into_inner) += 1;
        self.0.freed.notify_one();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_place_is_free_again_when_its_call_ends() {
        let places = Places::new(1);
        let taken = places.take(Duration::ZERO);
        assert!(taken.is_some());
        assert!(places.take(Duration::from_millis(1)).is_none());
        drop(taken);
        assert!(places.take(Duration::ZERO).is_some());
    }
}
