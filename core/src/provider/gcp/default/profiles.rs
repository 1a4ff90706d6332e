//! CloudProfiles and NamespacedCloudProfiles: what images offer, and the status (GCP-DEF-001, GCP-DEF-020…035).

use crate::document::Value;
use crate::gardener::images::{
    MappedEntries, ProfileDefaults, default_cloud_profile, default_namespaced_cloud_profile, with_architecture,
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
    shows_name: true,
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
