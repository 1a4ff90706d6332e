//! The CloudProfile or NamespacedCloudProfile that a Shoot names.

use crate::call::{Known, Query};
use crate::document::{Path, Value};
use crate::gardener::types::shoot::Shoot;
use crate::kube::query;
use crate::policy::{CORE, Request};

/// The profile: from the request's context, else from a fact; none where nobody gives one and the Shoot names none.
pub fn cloud_profile<'r>(request: &Request<'r>, shoot: &Shoot<'_>) -> Option<Known<&'r Value<'r>>> {
    if let Some(profile) = request.context("cloudProfile") {
        return Some(Known::Found(profile));
    }
    let query = profile_query(shoot)?;
    let answer = request.fact(&query);
    Some(Known::answered(query, answer))
}

/// The place where a Shoot names its profile.
pub fn cloud_profile_reference(shoot: &Shoot<'_>) -> Path<'static> {
    match shoot.spec.cloud_profile {
        Some(_) => Path::root("spec.cloudProfile", "/spec/cloudProfile"),
        None => Path::root("spec.cloudProfileName", "/spec/cloudProfileName"),
    }
}

fn profile_query(shoot: &Shoot<'_>) -> Option<Query> {
    match shoot.spec.cloud_profile {
        Some(profile) if profile.kind == "NamespacedCloudProfile" => {
            Some(query::object(CORE, profile.kind, shoot.metadata.namespace, profile.name))
        }
        Some(profile) => Some(query::object(CORE, "CloudProfile", "", profile.name)),
        None => shoot.spec.cloud_profile_name.map(|name| query::object(CORE, "CloudProfile", "", name)),
    }
}
