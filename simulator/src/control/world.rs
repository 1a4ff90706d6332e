//! What exists, and what existed.

use serde_json::json;

use super::route::{Input, value};
use super::{Answered, Failed, plain};
use crate::cloud::{Cloud, Filter, Reset, SnapshotError};

pub(super) fn inventory(cloud: &Cloud, asked: &Input<'_>) -> Answered {
    Ok(cloud.inventory(&filter(asked)?))
}

pub(super) fn summary(cloud: &Cloud, asked: &Input<'_>) -> Answered {
    Ok(cloud.summary(&filter(asked)?))
}

fn filter(asked: &Input<'_>) -> Result<Filter, Failed> {
    asked.no_body()?;
    let mut given = asked.query(&["account", "region", "kind", "added"])?;
    let kind = |text: &str| (text == "*" || text.contains(':')).then(|| text.to_owned());
    Ok(Filter {
        account: given.remove("account"),
        region: given.remove("region"),
        kind: value(&mut given, "kind", "of the form `vpc:vpcs` or `vpc:*`", kind)?,
        added: value(&mut given, "added", "true or false", |text| text.parse().ok())?.unwrap_or_default(),
    })
}

pub(super) fn snapshots(cloud: &Cloud, asked: &Input<'_>) -> Answered {
    asked.nothing()?;
    Ok(json!({ "snapshots": plain(&cloud.snapshots())? }))
}

pub(super) fn put_snapshot(cloud: &Cloud, asked: &Input<'_>) -> Answered {
    asked.nothing()?;
    cloud.put_snapshot(asked.name)?;
    Ok(json!({}))
}

pub(super) fn restore_snapshot(cloud: &Cloud, asked: &Input<'_>) -> Answered {
    asked.nothing()?;
    cloud.restore_snapshot(asked.name)?;
    Ok(json!({}))
}

pub(super) fn delete_snapshot(cloud: &Cloud, asked: &Input<'_>) -> Answered {
    asked.nothing()?;
    cloud.delete_snapshot(asked.name)?;
    Ok(json!({}))
}

pub(super) fn reset(cloud: &Cloud, asked: &Input<'_>) -> Answered {
    let reset: Reset = asked.body_or_default()?;
    cloud.reset(reset)?;
    Ok(json!({}))
}

impl From<SnapshotError> for Failed {
    fn from(error: SnapshotError) -> Self {
        match error {
            SnapshotError::Name(_) => Self::bad(error.to_string()),
            SnapshotError::NotFound(_) => Self::not_found(error.to_string()),
            SnapshotError::TooMany => Self::full(error.to_string()),
            SnapshotError::Keep(error) => error.into(),
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::Value;

    use super::super::testing::Api;
    use super::*;
    use crate::testing::ACCOUNT;

    #[test]
    fn what_exists_is_listed_and_counted() {
        let api = Api::new();
        assert_eq!(api.get("inventory"), json!({}));
        let id = api.test.text("vpc", "CreateVpc", &[], "VpcId");
        let listed = api.get("inventory?kind=vpc:vpcs&region=cn-shanghai");
        assert_eq!(listed.pointer(&format!("/{ACCOUNT}/cn-shanghai/vpc:vpcs/0/VpcId")), Some(&json!(id)));
        let counted = api.get(&format!("inventory/summary?account={ACCOUNT}&kind=vpc:vpcs&added=true"));
        assert_eq!(counted, json!({ ACCOUNT: { "cn-shanghai": { "vpc:vpcs": 1 } } }));
        assert_eq!(api.get("inventory?account=2"), json!({}));
        for query in ["kind=vpcs", "added=maybe", "kinds=vpc:vpcs"] {
            assert_eq!(api.refused("GET", &format!("inventory?{query}"), &Value::Null).0, 400, "{query}");
        }
    }

    #[test]
    fn snapshots_are_kept_restored_and_forgotten() {
        let api = Api::new();
        api.test.call("vpc", "CreateVpc", &[]);
        let before = api.get("inventory");
        api.ok("PUT", "snapshots/one", &Value::Null);
        api.test.call("vpc", "CreateVpc", &[]);
        api.ok("POST", "snapshots/one/restore", &Value::Null);
        assert_eq!(api.get("inventory"), before);
        let listed = json!({ "snapshots": [{ "name": "one", "time": "2026-01-02T03:04:05Z" }] });
        assert_eq!(api.get("snapshots"), listed);
        api.ok("DELETE", "snapshots/one", &Value::Null);
        for (method, path, status) in [
            ("POST", "snapshots/one/restore", 404),
            ("DELETE", "snapshots/one", 404),
            ("PUT", "snapshots/a%20b", 400),
        ] {
            assert_eq!(api.refused(method, path, &Value::Null).0, status, "{method} {path}");
        }
        for number in 0..100 {
            api.ok("PUT", &format!("snapshots/s{number}"), &Value::Null);
        }
        assert_eq!(api.refused("PUT", "snapshots/more", &Value::Null).0, 409);
    }

    #[test]
    fn a_reset_clears_faults_only_when_asked() {
        let api = Api::new();
        api.test.call("vpc", "CreateVpc", &[]);
        api.ok("POST", "faults", &json!({ "action": "*", "fault": { "kind": "quota" } }));
        api.ok("POST", "reset", &Value::Null);
        assert_eq!(api.get("inventory"), json!({}));
        assert_eq!(api.get("faults")["faults"].as_array().unwrap().len(), 1);
        api.ok("POST", "reset", &json!({ "faults": true }));
        assert_eq!(api.get("faults"), json!({ "faults": [] }));
        assert_eq!(api.refused("POST", "reset", &json!({ "world": true })).0, 400);
    }
}
