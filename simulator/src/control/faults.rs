//! What goes wrong.

use serde::Deserialize;
use serde_json::json;

use super::route::Input;
use super::{Answered, Failed, plain};
use crate::cloud::{Cloud, FaultReport, Order, OrderError};

/// Which of the calls that a fault holds are released.
#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct Release {
    /// One; without this, all.
    call: Option<u64>,
}

pub(super) fn list(cloud: &Cloud, asked: &Input<'_>) -> Answered {
    asked.nothing()?;
    Ok(json!({ "faults": plain(&cloud.faults())? }))
}

pub(super) fn order(cloud: &Cloud, asked: &Input<'_>) -> Answered {
    let order: Order = asked.body()?;
    let report = cloud.order(order).map_err(|error| match error {
        OrderError::TooMany(_) => Failed::full(error.to_string()),
        error => Failed::bad(error.to_string()),
    })?;
    plain(&report)
}

pub(super) fn delete_all(cloud: &Cloud, asked: &Input<'_>) -> Answered {
    asked.nothing()?;
    Ok(json!({ "deleted": cloud.delete_faults(None) }))
}

pub(super) fn get(cloud: &Cloud, asked: &Input<'_>) -> Answered {
    asked.nothing()?;
    plain(&find(cloud, asked)?)
}

pub(super) fn delete(cloud: &Cloud, asked: &Input<'_>) -> Answered {
    asked.nothing()?;
    let fault = find(cloud, asked)?;
    Ok(json!({ "deleted": cloud.delete_faults(Some(fault.id)) }))
}

pub(super) fn release(cloud: &Cloud, asked: &Input<'_>) -> Answered {
    let fault = find(cloud, asked)?;
    let Release { call } = asked.body_or_default()?;
    if let Some(call) = call
        && !fault.held.iter().any(|held| held.call == call)
    {
        return Err(Failed::not_found(format!("fault {} holds no call {call}", fault.id)));
    }
    Ok(json!({ "released": cloud.release(Some(fault.id), call) }))
}

pub(super) fn release_all(cloud: &Cloud, asked: &Input<'_>) -> Answered {
    asked.nothing()?;
    Ok(json!({ "released": cloud.release(None, None) }))
}

fn find(cloud: &Cloud, asked: &Input<'_>) -> Result<FaultReport, Failed> {
    let id = asked.number()?;
    let found = cloud.faults().into_iter().find(|fault| fault.id == id);
    found.ok_or_else(|| Failed::not_found(format!("there is no fault {id}")))
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use serde_json::Value;
    use tokio::time::timeout;

    use super::super::testing::Api;
    use super::*;
    use crate::cloud::{Origin, Outcome};
    use crate::testing::{REGION, operation};

    async fn create(api: &Api) -> Outcome {
        let seen = Origin { request_id: "R".to_owned(), ..Origin::default() };
        api.test.cloud.call(operation("vpc", "CreateVpc", &[("RegionId", REGION)]), seen).await
    }

    #[tokio::test]
    async fn a_fault_is_ordered_met_and_deleted() {
        let api = Api::new();
        let order = json!({
            "action": "vpc:*", "account": "1000000000000001", "region": REGION, "occurrence": { "nth": 2 }, "times": 1,
            "fault": { "kind": "throttle", "by": "api", "retryAfter": 2.0 },
        });
        let mut expected = order.clone();
        for (name, value) in [("id", json!(1)), ("met", json!(0)), ("hits", json!(0)), ("held", json!([]))] {
            expected[name] = value;
        }
        assert_eq!(api.ok("POST", "faults", &order), expected);
        assert!(matches!(create(&api).await, Outcome::Answer(_)));
        assert!(matches!(create(&api).await, Outcome::Refused(refused) if refused.code == "Throttling.Api"));
        assert!(matches!(create(&api).await, Outcome::Answer(_)));
        expected["met"] = json!(3);
        expected["hits"] = json!(1);
        assert_eq!(api.get("faults"), json!({ "faults": [expected] }));
        assert_eq!(api.get("faults/1"), expected);
        assert_eq!(api.ok("DELETE", "faults/1", &Value::Null), json!({ "deleted": 1 }));
        assert_eq!(api.refused("DELETE", "faults/1", &Value::Null).0, 404);
        assert_eq!(api.refused("GET", "faults/x", &Value::Null).0, 404);
        for _ in 0..2 {
            api.ok("POST", "faults", &json!({ "action": "*", "fault": { "kind": "quota" } }));
        }
        assert_eq!(api.ok("DELETE", "faults", &Value::Null), json!({ "deleted": 2 }));
    }

    #[tokio::test(start_paused = true)]
    async fn held_calls_are_listed_and_released() {
        let api = Api::new();
        api.ok("POST", "faults", &json!({ "action": "*", "fault": { "kind": "hold", "when": "before" } }));
        let (mut one, mut two) = (Box::pin(create(&api)), Box::pin(create(&api)));
        assert!(timeout(Duration::from_secs(1), async { tokio::join!(&mut one, &mut two) }).await.is_err());
        let held = api.get("faults/1")["held"].clone();
        assert_eq!(
            held[0],
            json!({
                "call": 1, "service": "vpc", "action": "CreateVpc", "account": "1000000000000001", "region": REGION,
                "requestId": "R", "when": "before",
            })
        );
        assert_eq!(held.as_array().unwrap().len(), 2);
        let (status, message) = api.refused("POST", "faults/1/release", &json!({ "call": 9 }));
        assert_eq!((status, message.as_str()), (404, "fault 1 holds no call 9"));
        assert_eq!(api.ok("POST", "faults/1/release", &json!({ "call": 1 })), json!({ "released": 1 }));
        assert!(matches!(one.await, Outcome::Answer(_)));
        assert_eq!(api.ok("POST", "faults/release", &Value::Null), json!({ "released": 1 }));
        assert!(matches!(two.await, Outcome::Answer(_)));
        assert_eq!(api.ok("POST", "faults/1/release", &Value::Null), json!({ "released": 0 }));
    }

    #[test]
    fn what_is_no_fault_is_refused_with_the_reason() {
        let api = Api::new();
        for (order, words) in [
            (json!({ "action": "vpc:Fly", "fault": { "kind": "quota" } }), "names the action `Fly`"),
            (json!({ "action": "*" }), "missing field `fault`"),
            (json!({ "action": "*", "fault": { "kind": "error", "code": "Odd" } }), "`fault.status` is needed"),
            (json!({ "action": "*", "colour": 1, "fault": { "kind": "quota" } }), "unknown field `colour`"),
        ] {
            let (status, message) = api.refused("POST", "faults", &order);
            assert!(status == 400 && message.contains(words), "{order}: {message}");
        }
        let order = json!({ "action": "*", "fault": { "kind": "quota" } });
        for _ in 0..1000 {
            api.ok("POST", "faults", &order);
        }
        assert_eq!(api.refused("POST", "faults", &order).0, 409);
    }
}
