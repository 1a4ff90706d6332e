//! What was called.

use serde_json::{Value, json};

use super::route::{Input, value};
use super::{Answered, Failed, plain};
use crate::cloud::{Cloud, Pattern, Query};

/// How many calls are listed where nothing is said.
const LIMIT: usize = 1000;

pub(super) fn list(cloud: &Cloud, asked: &Input<'_>) -> Answered {
    asked.no_body()?;
    let mut given = asked.query(&["action", "account", "region", "outcome", "code", "after", "limit"])?;
    let outcomes = "answered, refused, timedOut, reset or gone";
    let query = Query {
        action: match given.remove("action") {
            Some(text) => text.parse().map_err(|error| Failed::bad(format!("`action` in the query: {error}")))?,
            None => Pattern::ALL,
        },
        account: given.remove("account"),
        region: given.remove("region"),
        outcome: value(&mut given, "outcome", outcomes, |text| serde_json::from_value(Value::from(text)).ok())?,
        code: given.remove("code"),
        after: value(&mut given, "after", "a sequence number", |text| text.parse().ok())?.unwrap_or_default(),
        limit: Some(value(&mut given, "limit", "a number", |text| text.parse().ok())?.unwrap_or(LIMIT)),
    };
    let last = cloud.last_record();
    let calls = cloud.records(&query).iter().map(|record| plain(&**record)).collect::<Result<Vec<_>, _>>()?;
    Ok(json!({ "calls": calls, "last": last }))
}

pub(super) fn counts(cloud: &Cloud, asked: &Input<'_>) -> Answered {
    asked.nothing()?;
    plain(&cloud.counts())
}

pub(super) fn clear(cloud: &Cloud, asked: &Input<'_>) -> Answered {
    asked.nothing()?;
    cloud.clear_records();
    Ok(json!({}))
}

#[cfg(test)]
mod tests {
    use super::super::testing::Api;
    use super::*;
    use crate::cloud::Origin;
    use crate::testing::{REGION, operation};

    #[tokio::test]
    async fn calls_are_listed_counted_and_forgotten() {
        let api = Api::new();
        let seen = || Origin {
            request_id: "R".to_owned(),
            signature: "ACS3-HMAC-SHA256",
            peer: "127.0.0.1:5".to_owned(),
            user_agent: "test".to_owned(),
        };
        let region = ("RegionId", REGION);
        let create = operation("vpc", "CreateVpc", &[region, ("VpcName", "one")]);
        api.test.cloud.call(create, seen()).await;
        api.test.cloud.call(operation("vpc", "DeleteVpc", &[("VpcId", "vpc-x")]), seen()).await;
        let calls = api.get("calls");
        assert_eq!(calls["last"], 2);
        let [create, delete] = &calls["calls"].as_array().unwrap()[..] else { panic!("{calls}") };
        for (field, expected) in [
            ("sequence", json!(1)),
            ("time", json!("2026-01-02T03:04:05Z")),
            ("account", json!("1000000000000001")),
            ("accessKey", json!("test")),
            ("region", json!(REGION)),
            ("service", json!("vpc")),
            ("action", json!("CreateVpc")),
            ("parameters", json!({ "RegionId": REGION, "VpcName": "one" })),
            ("requestId", json!("R")),
            ("signature", json!("ACS3-HMAC-SHA256")),
            ("peer", json!("127.0.0.1:5")),
            ("userAgent", json!("test")),
            ("outcome", json!("answered")),
            ("status", json!(200)),
            ("code", Value::Null),
            ("fault", Value::Null),
            ("effect", json!(true)),
        ] {
            assert_eq!(create[field], expected, "{field}");
        }
        assert_eq!((&delete["code"], &delete["status"]), (&json!("InvalidVpcId.NotFound"), &json!(404)));

        for (query, sequences) in [
            ("action=vpc:DeleteVpc", json!([2])),
            ("action=ecs:*", json!([])),
            ("outcome=answered", json!([1])),
            ("code=InvalidVpcId.NotFound", json!([2])),
            ("account=2", json!([])),
            ("region=cn-shanghai&after=1", json!([2])),
            ("limit=1", json!([1])),
        ] {
            let calls = api.get(&format!("calls?{query}"));
            let found: Vec<_> = calls["calls"].as_array().unwrap().iter().map(|call| &call["sequence"]).collect();
            assert_eq!(json!(found), sequences, "{query}");
        }
        let counts = api.get("calls/counts");
        assert_eq!(
            counts["actions"]["vpc:CreateVpc"],
            json!({ "calls": 1, "effects": 1, "codes": { "answered": 1 } })
        );
        api.ok("DELETE", "calls", &Value::Null);
        assert_eq!(api.get("calls/counts"), json!({ "calls": 0, "actions": {} }));
        assert_eq!(api.get("calls"), json!({ "calls": [], "last": 2 }));
    }

    #[test]
    fn what_is_no_query_is_refused() {
        let api = Api::new();
        for (query, words) in [
            ("action=vpc:Fly", "`action` in the query: `vpc:Fly` names the action `Fly`"),
            ("outcome=good", "`outcome` in the query must be answered, refused"),
            ("after=x", "`after` in the query must be a sequence number, not `x`"),
            ("limit=-1", "`limit` in the query must be a number"),
        ] {
            let (status, message) = api.refused("GET", &format!("calls?{query}"), &Value::Null);
            assert!(status == 400 && message.contains(words), "{query}: {message}");
        }
    }
}
