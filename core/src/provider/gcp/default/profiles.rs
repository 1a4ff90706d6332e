//! CloudProfiles and NamespacedCloudProfiles: what images offer, and the status (GCP-DEF-001, GCP-DEF-020…035).

use std::borrow::Cow;

use crate::document::Value;
use crate::gardener::images::{
    MappedEntries, ProfileDefaults, default_cloud_profile, default_namespaced_cloud_profile,
};
use crate::gardener::types::capabilities::{AMD64, ARCHITECTURE};
use crate::policy::{Defaulted, Request, RequestError};
use crate::provider::gcp::api::CloudProfileConfig;
use crate::provider::gcp::rules::profile_defaults as rules;

const PROFILES: ProfileDefaults = ProfileDefaults {
    cloud_profile: &rules::DEF_022,
    namespaced_cloud_profile: &rules::DEF_032,
    status: &rules::DEF_033,
    plain_flavors: |version| Some(of_image(version)),
    entries: MappedEntries::AddUp,
    merged: with_architecture,
    needs_parent: false,
};

/// Fills in a CloudProfile.
pub fn cloud_profile<'r>(request: &Request<'r>) -> Result<Defaulted<'r>, RequestError> {
    default_cloud_profile::<CloudProfileConfig<'r>>(request, &PROFILES)
}

/// Fills in a NamespacedCloudProfile.
pub fn namespaced_cloud_profile<'r>(request: &Request<'r>) -> Result<Defaulted<'r>, RequestError> {
    default_namespaced_cloud_profile::<CloudProfileConfig<'r>>(request, &PROFILES)
}

/// The flavor of an entry without flavors; none where the entry has no image either.
fn of_image<'r>(version: &'r Value<'r>) -> Value<'r> {
    let text = |key| version.get(key).and_then(Value::as_str);
    if text("image").unwrap_or_default().is_empty() {
        return Value::Array(Vec::new());
    }
    let architecture = Value::string(text(ARCHITECTURE).unwrap_or(AMD64));
    Value::Array(vec![Value::object([(ARCHITECTURE, Value::Array(vec![architecture]))])])
}

/// A mapped version as the existing extension reads it: one without flavors has an architecture.
fn with_architecture<'r>(version: &'r Value<'r>) -> Value<'r> {
    let has_flavors = version.get("capabilityFlavors").is_some_and(|flavors| !flavors.items().is_empty());
    let mut version = version.clone();
    if !has_flavors
        && version.get(ARCHITECTURE).is_none()
        && let Value::Object(members) = &mut version
    {
        members.retain(|(key, _)| key != ARCHITECTURE);
        members.push((Cow::Borrowed(ARCHITECTURE), Value::string(AMD64)));
    }
    version
}
