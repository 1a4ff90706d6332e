//! The cloud of a test.

use std::collections::BTreeMap;

use serde_json::{Value, json};
use trellis_simulator::cloud::{Cloud, Filter, Order, Query};

use trellis_testing::loopback::Loopback;

/// How many resources there are of each kind.
pub type Inventory = BTreeMap<String, u64>;

/// A cloud on loopback.
pub struct Site {
    loopback: Loopback,
    pub url: String,
}

impl Site {
    /// A cloud that has room for so many networks, and in which nothing takes time.
    pub fn new(networks: usize) -> Self {
        let loopback = Loopback::new(json!({
            "delays": { "*": 0 },
            "quotas": {
                "vpcs": networks + 10, "eips": 2 * networks + 20, "natGateways": networks + 10,
                "securityGroups": 2 * networks + 10, "instances": networks + 100,
            },
        }));
        let url = loopback.url.clone();
        Self { loopback, url }
    }

    /// The controls of the cloud in addition to its actions.
    pub fn cloud(&self) -> &Cloud {
        self.loopback.gateway.cloud()
    }

    /// Calls an action, as somebody else with the same account.
    pub fn call(&self, service: &str, action: &str, parameters: &[(&str, &str)]) -> Value {
        self.loopback.call(service, action, parameters)
    }

    /// Orders a fault.
    pub fn order(&self, order: Value) -> u64 {
        let order: Order = serde_json::from_value(order).unwrap();
        self.cloud().order(order).unwrap().id
    }

    /// Throttles, fails, breaks connections and takes its time.
    pub fn trouble(&self) {
        for (every, fault) in [
            (7, json!({ "kind": "throttle", "by": "user", "retryAfter": 0 })),
            (11, json!({ "kind": "error", "code": "ServiceUnavailable", "status": 503 })),
            (13, json!({ "kind": "reset", "when": "before" })),
            (17, json!({ "kind": "reset", "when": "after" })),
            (19, json!({ "kind": "slow", "milliseconds": 200 })),
        ] {
            self.order(json!({ "action": "*", "occurrence": { "every": every }, "fault": fault }));
        }
    }

    /// What there is, but for what stays with the account: roles and domains.
    pub fn inventory(&self) -> Inventory {
        let summary = self.cloud().summary(&Filter { added: true, ..Filter::default() });
        let accounts = summary.as_object().unwrap().values();
        let regions = accounts.flat_map(|regions| regions.as_object().unwrap().values());
        let mut kinds = Inventory::new();
        for (kind, count) in regions.flat_map(|all| all.as_object().unwrap()) {
            if !kind.starts_with("ram:") && !kind.starts_with("alidns:") {
                *kinds.entry(kind.clone()).or_default() += count.as_u64().unwrap();
            }
        }
        kinds
    }

    /// The instances of a Shoot, by the name of its namespace.
    pub fn instances(&self, namespace: &str) -> Vec<Value> {
        let filter = Filter { kind: Some("ecs:instances".to_owned()), added: true, ..Filter::default() };
        let all = self.cloud().inventory(&filter);
        let regions = all.as_object().unwrap().values().flat_map(|regions| regions.as_object().unwrap().values());
        let things = regions.flat_map(|kinds| match &kinds["ecs:instances"] {
            Value::Array(things) => things.clone(),
            Value::Object(things) => things.values().cloned().collect(),
            _ => Vec::new(),
        });
        let prefix = format!("{namespace}-");
        things.filter(|thing| thing["InstanceName"].as_str().unwrap().starts_with(&prefix)).collect()
    }

    /// The calls that changed something after this one, by action.
    pub fn changes(&self, after: u64) -> Vec<String> {
        let records = self.cloud().records(&Query { after, ..Query::default() });
        let names = records.iter().filter_map(|record| record.action.clone());
        let reads = |name: &String| ["Describe", "List", "Get"].iter().any(|verb| name.starts_with(verb));
        names.filter(|name| !reads(name)).collect()
    }

    /// The number of the last call.
    pub fn last_call(&self) -> u64 {
        self.cloud().last_record()
    }
}

/// What so many networks have, if one has this.
pub fn times(one: &Inventory, networks: usize) -> Inventory {
    let networks = u64::try_from(networks).unwrap();
    one.iter().map(|(kind, count)| (kind.clone(), count * networks)).collect()
}
