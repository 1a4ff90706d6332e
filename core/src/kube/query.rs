//! Queries of the Kubernetes API.

use crate::call::{Call, Paging, Query};
use crate::collections::NameMap;

/// The query of one object.
pub fn object(api_version: &str, kind: &str, namespace: &str, name: &str) -> Query {
    get("", api_version, kind, namespace, name)
}

/// The query of one object of the Shoot: its API server is asked instead of the seed's.
pub fn object_in_shoot(api_version: &str, kind: &str, namespace: &str, name: &str) -> Query {
    let mut query = get("shoot/", api_version, kind, namespace, name);
    query.call.parameters.insert("cluster", "shoot".into());
    query
}

fn get(of: &str, api_version: &str, kind: &str, namespace: &str, name: &str) -> Query {
    Query {
        id: format!("kubernetes/get/{of}{api_version}/{kind}/{namespace}/{name}"),
        call: Call {
            service: "kubernetes",
            action: "get",
            parameters: NameMap::from([
                ("apiVersion", api_version.into()),
                ("kind", kind.into()),
                ("name", name.into()),
                ("namespace", namespace.into()),
            ]),
            ..Call::default()
        },
        paging: Paging::None,
        identity: None,
    }
}
