//! Requests that nobody means well with are answered, in time, and not at length.

use std::fs;
use std::time::{Duration, Instant};

use serde::Deserialize;
use serde::de::IgnoredAny;
use trellis_tests::hostile;

/// How long an answer may take: far more than any does without optimisation, and far less than an answer whose
/// time grows with the cube of what a request may have.
const LIMIT: Duration = Duration::from_secs(30);
/// How many findings an answer has at most.
const FINDINGS: usize = 2_000;
/// How many bytes an answer has at most.
const BYTES: usize = 4 << 20;

/// An answer, without its values: a number of a request may be beyond every type.
#[derive(Deserialize)]
struct Answer {
    #[serde(default)]
    findings: Vec<IgnoredAny>,
}

/// The time for which this thread has had a processor, where the system says; a busy machine makes no answer
/// slow.
fn worked(start: Instant) -> Duration {
    let reported = fs::read_to_string("/proc/thread-self/schedstat").unwrap_or_default();
    let nanoseconds = reported.split(' ').next().and_then(|first| first.parse().ok());
    nanoseconds.map_or_else(|| start.elapsed(), Duration::from_nanos)
}

#[test]
fn every_policy_answers_hostile_requests_in_time_and_in_short() {
    let start = Instant::now();
    for (name, request) in hostile::requests() {
        for policy in trellis_core::policies() {
            for function in ["validate", "default", "render", "mutate"] {
                let before = worked(start);
                let answer = trellis_core::call(policy, function, &request);
                let took = worked(start).saturating_sub(before);
                assert!(took < LIMIT, "{name}: `{function}` of {policy} took {took:?}");
                // The others may repeat the object.
                if function == "validate" || function == "render" {
                    assert!(answer.len() < BYTES, "{name}: {policy} answers {} bytes", answer.len());
                }
                let read: Answer = serde_json::from_str(&answer).unwrap();
                let findings = read.findings.len();
                assert!(findings <= FINDINGS, "{name}: {policy} has {findings} findings");
            }
        }
    }
}
