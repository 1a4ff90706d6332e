//! CloudProfiles and NamespacedCloudProfiles: what images offer, and the status (ALI-DEF-015…017).

use crate::document::Value;
use crate::gardener::images::{ProfileDefaults, default_cloud_profile, default_namespaced_cloud_profile};
use crate::gardener::types::capabilities::{AMD64, ARCHITECTURE};
use crate::policy::{Defaulted, Request, RequestError};
use crate::provider::alicloud::api::CloudProfileConfig;
use crate::provider::alicloud::rules::defaults as rules;

const PROFILES: ProfileDefaults = ProfileDefaults {
    cloud_profile: &rules::DEF_015,
    namespaced_cloud_profile: &rules::DEF_016,
    status: &rules::DEF_017,
    plain_flavors: amd64,
};

/// Fills in a CloudProfile.
pub fn cloud_profile<'r>(request: &Request<'r>) -> Result<Defaulted<'r>, RequestError> {
    default_cloud_profile::<CloudProfileConfig<'r>>(request, &PROFILES)
}

/// Fills in a NamespacedCloudProfile.
pub fn namespaced_cloud_profile<'r>(request: &Request<'r>) -> Result<Defaulted<'r>, RequestError> {
    default_namespaced_cloud_profile::<CloudProfileConfig<'r>>(request, &PROFILES)
}

/// The one flavor of a version that lists images in `regions`.
fn amd64(version: &Value<'_>) -> Option<Value<'static>> {
    if version.get("regions").is_none_or(|regions| regions.items().is_empty()) {
        return None;
    }
    Some(Value::Array(vec![Value::object([(ARCHITECTURE, Value::Array(vec![Value::string(AMD64)]))])]))
}
