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
