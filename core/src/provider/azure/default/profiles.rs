//! CloudProfiles and NamespacedCloudProfiles: what images offer, and the status (AZ-DEF-001, AZ-DEF-020…032).

use crate::document::Value;
use crate::gardener::images::{
    MappedEntries, ProfileDefaults, default_cloud_profile, default_namespaced_cloud_profile, with_architecture,
};
use crate::gardener::types::capabilities::{AMD64, ARCHITECTURE};
use crate::policy::{Defaulted, Request, RequestError};
use crate::provider::azure::api::CloudProfileConfig;
use crate::provider::azure::rules::profile_defaults as rules;

/// The capability that says whether machines have accelerated networking.
const NETWORKING: &str = "azure-networking";
/// The fields of which one names the image of an entry.
const ADDRESSES: [&str; 4] = ["urn", "id", "communityGalleryImageID", "sharedGalleryImageID"];

const PROFILES: ProfileDefaults = ProfileDefaults {
    cloud_profile: &rules::DEF_020,
    namespaced_cloud_profile: &rules::DEF_031,
    status: &rules::DEF_032,
    plain_flavors: |version| Some(of_image(version)),
    entries: MappedEntries::AddUp,
    merged: with_architecture,
    needs_parent: false,
    shows_name: false,
};

/// Fills in a CloudProfile.
pub fn cloud_profile<'r>(request: &Request<'r>) -> Result<Defaulted<'r>, RequestError> {
    default_cloud_profile::<CloudProfileConfig<'r>>(request, &PROFILES)
}

/// Fills in a NamespacedCloudProfile.
pub fn namespaced_cloud_profile<'r>(request: &Request<'r>) -> Result<Defaulted<'r>, RequestError> {
    default_namespaced_cloud_profile::<CloudProfileConfig<'r>>(request, &PROFILES)
}

/// The flavor of an entry without flavors; none where the entry has no image either. An image with accelerated
/// networking suits machines without it, too.
fn of_image<'r>(version: &'r Value<'r>) -> Value<'r> {
    if ADDRESSES.iter().all(|address| version.get(address).and_then(Value::as_str).is_none()) {
        return Value::Array(Vec::new());
    }
    let one = |value: &'r str| Value::Array(vec![Value::string(value)]);
    let architecture = version.get(ARCHITECTURE).and_then(Value::as_str).unwrap_or(AMD64);
    let architecture = (ARCHITECTURE, one(architecture));
    let is_accelerated = matches!(version.get("acceleratedNetworking"), Some(Value::Bool(true)));
    let flavor = if is_accelerated {
        Value::object([architecture])
    } else {
        Value::object([architecture, (NETWORKING, one("basic"))])
    };
    Value::Array(vec![flavor])
}
