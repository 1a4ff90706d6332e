//! Queries of the Kubernetes API.

use crate::call::{Call, Paging, Query};
use crate::collections::NameMap;

/// The query of one object.
pub fn object(api_version: &str, kind: &str, namespace: &str, name: &str) -> Query {
    Query {
        id: format!("kubernetes/get/{api_version}/{kind}/{namespace}/{name}"),
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

/// The same query, asked of the Shoot's API server instead of the seed's.
pub fn in_shoot(query: Query) -> Query {
    let mut call = query.call;
    call.parameters.insert("cluster", "shoot".into());
    Query { id: query.id.replacen("kubernetes/get/", "kubernetes/get/shoot/", 1), call, ..query }
}
