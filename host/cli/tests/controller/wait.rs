//! Waits with a limit.

use std::time::Duration;

use tokio::time::{Instant, sleep};

/// How often a wait looks.
const INTERVAL: Duration = Duration::from_millis(50);

/// A limit for what takes seconds on an idle machine.
pub const LIMIT: Duration = Duration::from_mins(2);

/// A limit for the start of a process, which compiles all policies where its cache is empty: minutes on a machine
/// that builds something else.
pub const START: Duration = Duration::from_mins(10);

/// Asks until there is an answer. After the limit, the test fails with what was waited for.
pub async fn until<T>(what: &str, limit: Duration, mut ask: impl AsyncFnMut() -> Option<T>) -> T {
    let end = Instant::now() + limit;
    loop {
        if let Some(answer) = ask().await {
            return answer;
        }
        assert!(Instant::now() < end, "{what}: not within {limit:?}");
        sleep(INTERVAL).await;
    }
}
