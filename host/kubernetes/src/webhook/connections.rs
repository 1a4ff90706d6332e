//! Places for connections: how many there are, and which connection goes when another one needs its place.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;

use super::limits::Limits;

/// The places of a server.
#[derive(Debug)]
pub(super) struct Places {
    free: Arc<Semaphore>,
    limits: Limits,
    waiting: Mutex<Waiting>,
}

/// The connections that wait for a request.
#[derive(Debug, Default)]
struct Waiting {
    last: u64,
    /// In the order in which they go.
    turns: BTreeMap<Turn, CancellationToken>,
}

/// When the turn of a connection comes to go. Those that never sent a request go first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Turn {
    has_asked: bool,
    number: u64,
}

/// The place of a connection, which begins by waiting for a request.
#[derive(Debug)]
pub(super) struct Place {
    places: Arc<Places>,
    /// Always there, for nobody closes the semaphore.
    _permit: Option<OwnedSemaphorePermit>,
    gone: CancellationToken,
    state: Mutex<State>,
}

#[derive(Clone, Copy, Debug)]
enum State {
    /// Waits for a request, no longer than until then.
    Waiting(Turn, Instant),
    /// A request is answered.
    Answering,
}

impl Places {
    pub(super) fn new(limits: Limits) -> Arc<Self> {
        let free = Arc::new(Semaphore::new(limits.connections));
        Arc::new(Self { free, limits, waiting: Mutex::default() })
    }

    /// A place for a new connection, when there is one. Where there is none, the connection that has waited
    /// longest goes.
    pub(super) async fn take(self: &Arc<Self>) -> Place {
        let permit = if let Ok(permit) = Arc::clone(&self.free).try_acquire_owned() {
            Some(permit)
        } else {
            if let Some((_, longest)) = self.lock().turns.pop_first() {
                longest.cancel();
            }
            Arc::clone(&self.free).acquire_owned().await.ok()
        };
        let gone = CancellationToken::new();
        let state = Mutex::new(self.wait(false, &gone));
        Place { places: Arc::clone(self), _permit: permit, gone, state }
    }

    /// Waits until all places are free.
    pub(super) async fn all_free(&self) {
        let all = u32::try_from(self.limits.connections).unwrap_or(u32::MAX);
        // Nobody closes the semaphore.
        let _ = self.free.acquire_many(all).await;
    }

    fn wait(&self, has_asked: bool, gone: &CancellationToken) -> State {
        let mut waiting = self.lock();
        waiting.last += 1;
        let turn = Turn { has_asked, number: waiting.last };
        waiting.turns.insert(turn, gone.clone());
        let time = if has_asked { self.limits.idle } else { self.limits.patience };
        State::Waiting(turn, Instant::now() + time)
    }

    /// Nothing panics while it holds the lock.
    fn lock(&self) -> MutexGuard<'_, Waiting> {
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Place {
    /// A request has arrived: the connection stays until the request is answered.
    pub(super) fn has_request(&self) {
        let mut state = self.state();
        if let State::Waiting(turn, _) = *state {
            self.places.lock().turns.remove(&turn);
        }
        *state = State::Answering;
    }

    /// The request is answered, and the connection waits for the next.
    pub(super) fn has_answer(&self) {
        *self.state() = self.places.wait(true, &self.gone);
    }

    /// Whether any request has arrived so far.
    pub(super) fn has_asked(&self) -> bool {
        match *self.state() {
            State::Waiting(turn, _) => turn.has_asked,
            State::Answering => true,
        }
    }

    /// Waits until the connection has to go: another one needs its place, or it has waited too long for a request.
    pub(super) async fn has_to_go(&self) {
        let expired = async {
            loop {
                let state = *self.state();
                match state {
                    State::Waiting(_, until) if until <= Instant::now() => return,
                    State::Waiting(_, until) => tokio::time::sleep_until(until).await,
                    State::Answering => tokio::time::sleep(self.places.limits.patience).await,
                }
            }
        };
        tokio::select! {
            () = self.gone.cancelled() => {}
            () = expired => {}
        }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        if let State::Waiting(turn, _) = *self.state() {
            self.places.lock().turns.remove(&turn);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use futures_util::FutureExt as _;
    use tokio::time::advance;

    use super::*;

    fn places(connections: usize) -> Arc<Places> {
        Places::new(Limits { connections, ..Limits::default() })
    }

    #[tokio::test]
    async fn those_that_never_sent_a_request_make_room_first_and_those_with_one_never() {
        let places = places(3);
        let mut taken = Vec::new();
        for _ in 0..3 {
            taken.push(places.take().await);
        }
        taken[0].has_request();
        taken[0].has_answer();
        taken[1].has_request();
        for (goes, others) in [(2, vec![0, 1]), (0, vec![1])] {
            assert!(places.take().now_or_never().is_none());
            assert!(taken[goes].has_to_go().now_or_never().is_some());
            for other in others {
                assert!(taken[other].has_to_go().now_or_never().is_none(), "{other}");
            }
        }
        // All others have been asked to go: a further connection waits, and gets the first place that is free.
        assert!(places.take().now_or_never().is_none());
        assert!(taken[1].has_to_go().now_or_never().is_none());
        drop(taken);
        assert!(places.take().now_or_never().is_some());
        assert!(places.all_free().now_or_never().is_some());
        assert!(places.lock().turns.is_empty());
    }

    #[tokio::test(start_paused = true)]
    async fn a_connection_waits_for_its_first_request_for_a_shorter_time_than_for_others() {
        let Limits { patience, idle, .. } = Limits::default();
        let place = places(1).take().await;
        let second = Duration::from_secs(1);
        advance(patience.checked_sub(second).unwrap()).await;
        assert!(place.has_to_go().now_or_never().is_none());
        advance(second).await;
        assert!(place.has_to_go().now_or_never().is_some());
        place.has_request();
        advance(idle * 2).await;
        assert!(place.has_to_go().now_or_never().is_none());
        place.has_answer();
        advance(idle.checked_sub(second).unwrap()).await;
        assert!(place.has_to_go().now_or_never().is_none());
        advance(second).await;
        assert!(place.has_to_go().now_or_never().is_some());
    }
}
