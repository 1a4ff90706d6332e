//! CloudProfiles and NamespacedCloudProfiles: what images offer, and the status (ALI-DEF-015…017).

use crate::gardener::images::{
    MappedEntries, ProfileDefaults, default_cloud_profile, default_namespaced_cloud_profile, flavors_of_regions,
};
use crate::policy::{Defaulted, Request, RequestError};
use crate::provider::alicloud::api::CloudProfileConfig;
use crate::provider::alicloud::rules::defaults as rules;

const PROFILES: ProfileDefaults = ProfileDefaults {
    cloud_profile: &rules::DEF_015,
    namespaced_cloud_profile: &rules::DEF_016,
    status: &rules::DEF_017,
    plain_flavors: |version| Some(flavors_of_regions(version)).filter(|flavors| !flavors.items().is_empty()),
    entries: MappedEntries::Last,
    merged: |version| version.clone(),
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
