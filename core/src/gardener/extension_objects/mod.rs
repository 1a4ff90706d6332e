//! The objects that gardenlet creates in a seed from a Shoot, before there is a seed (`gardener-contract` 1.4,
//! 1.5, 1.11). What only the cloud or the seed knows is a placeholder.

mod control_plane;
mod preview;
mod worker;

pub use control_plane::{cluster, control_plane};
pub use preview::Preview;
pub use worker::worker;

use std::borrow::Cow;

use crate::document::Value;

const API_VERSION: &str = "extensions.gardener.cloud/v1alpha1";
/// The Secret with the credentials, in the namespace of the control plane.
const CLOUD_PROVIDER: &str = "cloudprovider";

/// An object of the group, without members that nobody has.
fn object<'v>(kind: &'static str, metadata: Value<'v>, spec: Members<'v>) -> Value<'v> {
    Value::object([
        ("apiVersion", Value::string(API_VERSION)),
        ("kind", Value::string(kind)),
        ("metadata", metadata),
        ("spec", members(spec)),
    ])
}

/// Members, each of them perhaps absent.
type Members<'v> = Vec<(&'static str, Option<Value<'v>>)>;

/// An object of the members that are there.
fn members(members: Members<'_>) -> Value<'_> {
    let there = members.into_iter().filter_map(|(key, value)| Some((Cow::Borrowed(key), value?)));
    Value::Object(there.collect())
}

/// A member as it is in another object.
fn copied<'v>(from: &Value<'v>, keys: &[&str]) -> Option<Value<'v>> {
    from.at(keys).cloned()
}
