//! The CloudProfile that a NamespacedCloudProfile extends.

use super::{CORE, Request};
use crate::call::{FactAnswer, Query};
use crate::document::Value;
use crate::kube::query;

/// What is known of the parent.
pub enum Parent<'r> {
    /// It is here.
    Found(&'r Value<'r>),
    /// It could not be looked up, in the words of whoever tried.
    Failed(String),
    /// Nobody has looked yet.
    Unknown(Query),
}

/// The parent by its name: from the request's context, else from a fact. A CloudProfile of another name in the
/// context says that there is none of this one.
pub fn parent<'r>(request: &Request<'r>, name: &str) -> Parent<'r> {
    if let Some(profile) = request.context("cloudProfile") {
        return match profile.at(&["metadata", "name"]).and_then(Value::as_str) {
            Some(other) if other != name => {
                Parent::Failed(format!("cloudprofiles.core.gardener.cloud \"{name}\" not found"))
            }
            _ => Parent::Found(profile),
        };
    }
    let query = query::object(CORE, "CloudProfile", "", name);
    match request.fact(&query) {
        Some(FactAnswer::Response(profile)) => Parent::Found(profile),
        Some(FactAnswer::Error { message, .. }) => Parent::Failed(message.to_owned()),
        None => Parent::Unknown(query),
    }
}
