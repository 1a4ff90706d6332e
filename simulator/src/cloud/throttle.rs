//! How many calls of an action an account may make, as the settings have it.

use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use tokio::time::Instant;

use crate::action::{Action, Service};
use crate::settings::Rate;

/// Windows of fixed length, one for each account, service and action: the cloud's rates are of single actions.
///
/// Windows go by real time, since clients wait in real time, and a simulator's clock that stands still would shut
/// them out for ever.
#[derive(Debug, Default)]
pub(super) struct Throttle(Mutex<BTreeMap<(String, &'static str, &'static str), Window>>);

#[derive(Debug)]
struct Window {
    since: Instant,
    calls: u32,
}

impl Throttle {
    /// Counts a call, or returns the time after which there is room for it.
    pub(super) fn admit(
        &self,
        account: &str,
        service: &'static Service,
        action: &'static Action,
        rate: Rate,
    ) -> Result<(), Duration> {
        let now = Instant::now();
        let length = Duration::from_secs(rate.seconds.into());
        let mut windows = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let fresh = || Window { since: now, calls: 0 };
        let window = windows.entry((account.to_owned(), service.code, action.name)).or_insert_with(fresh);
        if now.duration_since(window.since) >= length {
            *window = fresh();
        }
        if window.calls >= rate.calls {
            return Err((window.since + length).duration_since(now));
        }
        window.calls += 1;
        Ok(())
    }

    /// Forgets all counts, for other settings.
    pub(super) fn clear(&self) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).clear();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::service::vpc::SERVICE;

    fn admit(throttle: &Throttle, account: &str, action: &str, rate: Rate) -> Result<(), Duration> {
        throttle.admit(account, &SERVICE, SERVICE.action(action).unwrap(), rate)
    }

    #[tokio::test(start_paused = true)]
    async fn a_window_has_room_for_its_calls_and_is_followed_by_another() {
        let throttle = Throttle::default();
        let rate = Rate { calls: 2, seconds: 10 };
        let admit = |account: &str, action: &str| admit(&throttle, account, action, rate);
        assert_eq!(admit("1", "CreateVpc"), Ok(()));
        tokio::time::advance(Duration::from_secs(4)).await;
        assert_eq!(admit("1", "CreateVpc"), Ok(()));
        assert_eq!(admit("1", "CreateVpc"), Err(Duration::from_secs(6)));
        assert_eq!(admit("2", "CreateVpc"), Ok(()), "accounts do not share");
        assert_eq!(admit("1", "DeleteVpc"), Ok(()), "nor do actions");
        tokio::time::advance(Duration::from_secs(6)).await;
        assert_eq!(admit("1", "CreateVpc"), Ok(()));
    }

    #[tokio::test(start_paused = true)]
    async fn a_rate_of_no_calls_admits_none() {
        let throttle = Throttle::default();
        for _ in 0..2 {
            let left = admit(&throttle, "1", "CreateVpc", Rate { calls: 0, seconds: 1 });
            assert_eq!(left, Err(Duration::from_secs(1)));
            tokio::time::advance(Duration::from_secs(1)).await;
        }
    }
}
