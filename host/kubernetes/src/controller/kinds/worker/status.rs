//! What the status of a Worker says of its machines (reference: gardener-contract 1.5, 3.4).

use std::time::Duration;

use jiff::Timestamp;
use serde::Serialize;
use serde_json::{Map, Value, json};

use super::desired::{DesiredDeployment, DesiredMachines};
use crate::api_server::member::text;
use crate::api_server::objects::difference;

/// A machine deployment in the status.
#[derive(Serialize)]
struct Entry<'w> {
    name: &'w str,
    minimum: i64,
    maximum: i64,
    #[serde(skip_serializing_if = "Option::is_none")]
    priority: Option<i64>,
}

impl<'w> Entry<'w> {
    fn of(wanted: &'w DesiredDeployment) -> Self {
        let DesiredDeployment { name, minimum, maximum, priority, .. } = wanted;
        Self { name, minimum: *minimum, maximum: *maximum, priority: *priority }
    }
}

/// The images in use; none where the status has them already.
pub fn images(worker: &Value, wanted: &DesiredMachines) -> Option<Value> {
    let status = wanted.provider_status.as_ref()?;
    let is_known = worker.pointer("/status/providerStatus") == Some(status);
    (!is_known).then(|| json!({ "providerStatus": status }))
}

/// The list of machine deployments, by which gardenlet configures the cluster autoscaler, and its time. The list
/// is written once for each attempt and each request (`is_reported`), and where it differs. gardenlet waits for a
/// later time than before.
pub fn deployments(worker: &Value, wanted: &DesiredMachines, is_reported: bool, now: Timestamp) -> Option<Value> {
    if wanted.deployments.is_empty() {
        return None;
    }
    let list: Vec<Entry<'_>> = wanted.deployments.iter().map(Entry::of).collect();
    let list = json!({ "machineDeployments": list });
    let known = worker.get("status").unwrap_or(&Value::Null);
    if is_reported && difference(known, &list).is_none() {
        return None;
    }
    let time = time(known, now);
    let mut written = list;
    if let Value::Object(members) = &mut written {
        members.insert("machineDeploymentsLastUpdateTime".to_owned(), json!(time));
    }
    Some(written)
}

/// A later time for the list that the status has; nothing where it has none.
pub fn again(worker: &Value, now: Timestamp) -> Map<String, Value> {
    let known = worker.get("status").filter(|known| known.get("machineDeployments").is_some());
    known
        .into_iter()
        .map(|known| ("machineDeploymentsLastUpdateTime".to_owned(), time(known, now).into()))
        .collect()
}

/// A time that is later than the one that a status has, in whole seconds.
fn time(known: &Value, now: Timestamp) -> String {
    let before: Option<Timestamp> = text(known, "/machineDeploymentsLastUpdateTime").parse().ok();
    let later = before.and_then(|before| before.checked_add(Duration::from_secs(1)).ok());
    let time = later.map_or(now, |later| later.max(now));
    Timestamp::from_second(time.as_second()).unwrap_or(time).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn wanted() -> DesiredMachines {
        let one =
            json!({ "name": "a", "className": "c", "secretName": "c", "minimum": 0, "maximum": 3, "priority": 7 });
        let other = json!({ "name": "b", "className": "c", "secretName": "c", "minimum": 1, "maximum": 1 });
        serde_json::from_value(json!({ "machineDeployments": [one, other], "providerStatus": { "images": [] } }))
            .unwrap()
    }

    #[test]
    fn images_are_written_where_they_differ() {
        let written = images(&json!({}), &wanted()).unwrap();
        assert_eq!(written, json!({ "providerStatus": { "images": [] } }));
        assert_eq!(images(&json!({ "status": written }), &wanted()), None);
        assert_eq!(images(&json!({}), &DesiredMachines::default()), None);
    }

    #[test]
    fn the_list_is_written_once_and_where_it_differs_and_its_time_grows() {
        let now: Timestamp = "2026-01-01T00:00:10.7Z".parse().unwrap();
        let first = deployments(&json!({}), &wanted(), true, now).unwrap();
        let list = json!([
            { "name": "a", "minimum": 0, "maximum": 3, "priority": 7 }, { "name": "b", "minimum": 1, "maximum": 1 },
        ]);
        assert_eq!(
            first,
            json!({ "machineDeployments": list, "machineDeploymentsLastUpdateTime": "2026-01-01T00:00:10Z" })
        );
        let worker = json!({ "status": first });
        assert_eq!(deployments(&worker, &wanted(), true, now), None);
        let again = deployments(&worker, &wanted(), false, now).unwrap();
        assert_eq!(again["machineDeploymentsLastUpdateTime"], "2026-01-01T00:00:11Z");
        let mut changed = worker.clone();
        changed["status"]["machineDeployments"][0]["priority"] = json!(8);
        assert!(deployments(&changed, &wanted(), true, now).is_some());
        assert_eq!(deployments(&worker, &DesiredMachines::default(), false, now), None);
    }
}
