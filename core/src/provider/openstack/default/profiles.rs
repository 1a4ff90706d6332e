//! CloudProfiles and NamespacedCloudProfiles: what images offer, and the status (OS-DEF-020…035).

use crate::gardener::images::{
    MappedEntries, ProfileDefaults, default_cloud_profile, default_namespaced_cloud_profile, flavors_of_regions,
};
use crate::policy::{Defaulted, Request, RequestError};
use crate::provider::openstack::api::CloudProfileConfig;
use crate::provider::openstack::rules::defaults as rules;

const PROFILES: ProfileDefaults = ProfileDefaults {
    cloud_profile: &rules::DEF_022,
    namespaced_cloud_profile: &rules::DEF_022,
    status: &rules::DEF_033,
    plain_flavors: |version| Some(flavors_of_regions(version)),
    entries: MappedEntries::Last,
    merged: |version| version.clone(),
    needs_parent: true,
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
