//! The CloudProfile that a NamespacedCloudProfile extends.

use super::{CORE, Request};
use crate::call::Known;
use crate::document::Value;
use crate::kube::query;

/// The parent by its name: from the request's context, else from a fact. A CloudProfile of another name in the
/// context says that the garden has none of this name.
pub fn parent<'r>(request: &Request<'r>, name: &str) -> Known<&'r Value<'r>> {
    if let Some(profile) = request.context("cloudProfile") {
        return match profile.at(&["metadata", "name"]).and_then(Value::as_str) {
            Some(other) if other != name => {
                Known::Failed(format!("cloudprofiles.core.gardener.cloud \"{name}\" not found"))
            }
            _ => Known::Found(profile),
        };
    }
    let query = query::object(CORE, "CloudProfile", "", name);
    let answer = request.fact(&query);
    Known::answered(query, answer)
}
