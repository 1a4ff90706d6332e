//! CloudProfiles and NamespacedCloudProfiles: what images offer, and the status (AWS-DEF-003…005, AWS-DEF-030…034).

use crate::gardener::images::{
    ProfileDefaults, default_cloud_profile, default_namespaced_cloud_profile, flavors_of_regions,
};
use crate::policy::{Defaulted, Request, RequestError};
use crate::provider::aws::api::CloudProfileConfig;
use crate::provider::aws::rules::profile_defaults as rules;

const PROFILES: ProfileDefaults = ProfileDefaults {
    cloud_profile: &rules::DEF_031,
    namespaced_cloud_profile: &rules::DEF_033,
    status: &rules::DEF_034,
    plain_flavors: |version| Some(flavors_of_regions(version)).filter(|flavors| !flavors.items().is_empty()),
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
