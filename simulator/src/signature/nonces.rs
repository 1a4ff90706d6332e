//! The memory of nonces: the same request is not answered twice.

use std::{
    collections::{HashSet, VecDeque},
    hash::{BuildHasher, RandomState},
    num::NonZeroUsize,
};

use jiff::Timestamp;

use super::{Refusal, VALIDITY};

/// The nonces of all access keys that were seen while a request with them may still be valid.
///
/// A nonce is kept as a keyed hash of 64 bits with the second it was seen, some 40 bytes; that two of a million
/// are taken for one another has a chance of one in thirty million. It goes after twice [`VALIDITY`], which is how
/// long a request is valid whose time is as far ahead as it may be. When the memory is full the oldest goes early,
/// and a replay of its request would pass: the capacity should be what comes in between a request and its replay.
#[derive(Debug)]
pub struct Nonces {
    seen: HashSet<u64>,
    /// By the second they were seen, oldest first.
    order: VecDeque<(i64, u64)>,
    capacity: NonZeroUsize,
    hasher: RandomState,
}

impl Nonces {
    /// An empty memory for so many nonces, which takes its room as it fills.
    pub fn new(capacity: NonZeroUsize) -> Self {
        Self { seen: HashSet::new(), order: VecDeque::new(), capacity, hasher: RandomState::new() }
    }

    /// Takes in the nonce of a request whose signature was verified, or refuses it as seen before.
    pub fn admit(&mut self, access_key: &str, nonce: &str, now: Timestamp) -> Result<(), Refusal> {
        self.forget(now);
        let hash = self.hasher.hash_one((access_key, nonce));
        if !self.seen.insert(hash) {
            return Err(Refusal::NonceUsed);
        }
        if self.order.len() == self.capacity.get() {
            self.drop_oldest();
        }
        self.order.push_back((now.as_second(), hash));
        Ok(())
    }

    /// How many nonces are remembered.
    pub fn len(&self) -> usize {
        self.order.len()
    }

    /// Whether none is remembered.
    pub fn is_empty(&self) -> bool {
        self.order.is_empty()
    }

    fn forget(&mut self, now: Timestamp) {
        let kept_since = now.as_second().saturating_sub(2 * VALIDITY.as_secs());
        while self.order.front().is_some_and(|(seen, _)| *seen < kept_since) {
            self.drop_oldest();
        }
    }

    fn drop_oldest(&mut self) {
        if let Some((_, hash)) = self.order.pop_front() {
            self.seen.remove(&hash);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(second: i64) -> Timestamp {
        Timestamp::from_second(1_700_000_000 + second).unwrap()
    }

    fn nonces(capacity: usize) -> Nonces {
        Nonces::new(NonZeroUsize::new(capacity).unwrap())
    }

    #[test]
    fn a_nonce_is_used_once_by_each_access_key() {
        let mut nonces = nonces(10);
        assert_eq!(nonces.admit("a", "n", at(0)), Ok(()));
        assert_eq!(nonces.admit("a", "n", at(1)), Err(Refusal::NonceUsed));
        assert_eq!(nonces.admit("b", "n", at(1)), Ok(()));
        assert_eq!(nonces.admit("an", "", at(1)), Ok(()), "the key and the nonce are not run together");
    }

    #[test]
    fn a_nonce_is_remembered_as_long_as_its_request_may_be_valid() {
        let mut nonces = nonces(10);
        nonces.admit("a", "n", at(0)).unwrap();
        let latest = 2 * VALIDITY.as_secs();
        assert_eq!(nonces.admit("a", "n", at(latest)), Err(Refusal::NonceUsed));
        assert_eq!(nonces.admit("a", "n", at(latest + 1)), Ok(()));
        assert_eq!(nonces.len(), 1, "what is too old is gone");
    }

    #[test]
    fn a_full_memory_forgets_the_oldest_and_stays_as_it_is() {
        let mut nonces = nonces(100);
        for number in 0..100_000 {
            nonces.admit("a", &number.to_string(), at(0)).unwrap();
        }
        assert_eq!((nonces.len(), nonces.seen.len()), (100, 100));
        assert!(nonces.seen.capacity() < 1_000 && nonces.order.capacity() < 1_000);
        assert_eq!(nonces.admit("a", "99900", at(0)), Err(Refusal::NonceUsed));
        assert_eq!(nonces.admit("a", "99899", at(0)), Ok(()));
    }

    #[test]
    fn a_clock_that_is_set_back_forgets_nothing() {
        let mut nonces = nonces(10);
        nonces.admit("a", "n", at(5_000)).unwrap();
        assert_eq!(nonces.admit("a", "n", at(0)), Err(Refusal::NonceUsed));
        assert_eq!(nonces.admit("a", "n", Timestamp::MIN), Err(Refusal::NonceUsed));
    }
}
