//! What clients may use.

use std::time::Duration;

/// What clients of a server of webhooks may use.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Most connections at once. A further one takes the place of the connection that has waited longest for a
    /// request; those that never sent a request go first.
    pub connections: usize,
    /// Most time from a connection to the head of its first request, the handshake of TLS included.
    pub patience: Duration,
    /// Most time between two requests of a connection. API servers close idle connections themselves, after 90 s:
    /// they must be the first to do so, for a request may be on its way when the server closes. A client that does
    /// not read an answer has no more time than that either.
    pub idle: Duration,
    /// Largest body, in bytes. An object of the API server has at most 3 MiB, and a review holds two of them.
    pub body: usize,
    /// Most bytes of bodies at once, over all connections. Further bodies wait.
    pub bodies: usize,
    /// Most time until a body has arrived.
    pub arrival: Duration,
    /// Most time for an answer, where the request does not say how long its sender waits.
    pub answer: Duration,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            connections: 512,
            patience: Duration::from_secs(5),
            idle: Duration::from_secs(150),
            body: 7 << 20,
            bodies: 28 << 20,
            arrival: Duration::from_secs(5),
            answer: Duration::from_secs(8),
        }
    }
}

/// The time for an answer, where the query of the request has the `timeout` of the webhook, as API servers send
/// it: four fifths of that, for the answer has a way to go.
pub(super) fn answer_time(query: Option<&str>, most: Duration) -> Duration {
    let pairs = query.unwrap_or_default().split('&');
    let seconds = pairs.filter_map(|pair| pair.strip_prefix("timeout=")?.strip_suffix('s')?.parse::<u8>().ok());
    let reported = seconds.map(|seconds| Duration::from_secs(seconds.into()) * 4 / 5);
    reported.fold(most, Duration::min)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_time_for_an_answer_is_four_fifths_of_the_webhooks() {
        let most = Duration::from_secs(8);
        for (query, millis) in [
            (None, 8_000),
            (Some(""), 8_000),
            (Some("timeout=10s"), 8_000),
            (Some("timeout=30s"), 8_000),
            (Some("a=b&timeout=5s"), 4_000),
            (Some("timeout=1s&timeout=3s"), 800),
            (Some("timeout=5"), 8_000),
            (Some("timeout=-5s"), 8_000),
            (Some("timeout=1m0s"), 8_000),
        ] {
            assert_eq!(answer_time(query, most), Duration::from_millis(millis), "{query:?}");
        }
    }
}
