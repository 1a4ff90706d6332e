//! What the policy plans when somebody changes a network by hand, and when a person edits its configuration.

#![expect(clippy::unwrap_used, reason = "a broken answer must fail the test")]
#![expect(clippy::indexing_slicing, reason = "an index into a JSON value yields null where there is nothing")]

mod drifts;
mod edits;
mod elastic_ips;
mod networks;
mod ownership;

use serde_json::Value;
use trellis_tests::networks::{changes, others};
use trellis_tests::session::Session;

fn disruptions(answer: &Value) -> String {
    let changes = answer["plan"]["changes"].as_array().into_iter().flatten();
    changes.filter_map(|change| change["disruption"].as_str()).collect::<Vec<_>>().join("\n")
}

/// Carries out a plan. Checks the changes of the plan, that nothing is left to do afterwards, and that others keep
/// what they have.
fn leads_to(session: &mut Session, expected: &[&str]) -> Value {
    let answer = session.plan();
    assert_eq!(changes(&answer), expected);
    session.run(&answer["plan"]);
    assert_eq!(changes(&session.plan()), [""; 0]);
    for (kind, list) in others().as_object().unwrap() {
        for other in list.as_array().unwrap() {
            let id = other.as_object().unwrap().values().find_map(Value::as_str).unwrap();
            let there = session.cloud.all(kind).iter().any(|resource| resource.to_string().contains(id));
            assert!(there, "{kind} {id} is gone");
        }
    }
    answer
}
