//! The CloudProfile or NamespacedCloudProfile that a Shoot names.

use crate::call::{Known, Query};
use crate::document::decode::DecodeError;
use crate::document::{Path, Value};
use crate::gardener::types::shoot::Shoot;
use crate::kube::query;
use crate::policy::{CORE, Request};
use crate::report::Reported;
use crate::text::join;

/// The profile: from the request's context, else from a fact; none where nobody gives one and the Shoot names
/// none.
pub fn cloud_profile<'r>(request: &Request<'r>, shoot: &Shoot<'_>) -> Option<Known<&'r Value<'r>>> {
    if let Some(profile) = request.context("cloudProfile") {
        return Some(Known::Found(profile));
    }
    let query = profile_query(shoot)?;
    let answer = request.fact(&query);
    Some(Known::answered(query, answer))
}

/// The profile that a Shoot names, in the words of the admission of the existing extensions where there is none:
/// `cloudProfile` of the context where that is the one, else one of `objects`, else a fact.
pub fn named_profile<'r>(request: &Request<'r>, shoot: &Shoot<'_>) -> Known<&'r Value<'r>> {
    let (kind, name) = match (shoot.spec.cloud_profile, shoot.spec.cloud_profile_name) {
        // The API server writes the kind where a person leaves it out.
        (Some(profile), _) => (if profile.kind.is_empty() { "CloudProfile" } else { profile.kind }, profile.name),
        (None, Some(name)) => ("CloudProfile", name),
        (None, None) => return Known::Failed("could not determine cloudprofile from shoot".to_owned()),
    };
    let namespace = match kind {
        "CloudProfile" => "",
        "NamespacedCloudProfile" => shoot.metadata.namespace,
        _ => return Known::Failed("cloudprofile could not be found".to_owned()),
    };
    let given = request.context("cloudProfile").filter(|profile| {
        let is =
            |keys: &[&str], wanted| profile.at(keys).and_then(Value::as_str).is_none_or(|text| text == wanted);
        is(&["kind"], kind) && is(&["metadata", "name"], name) && is(&["metadata", "namespace"], namespace)
    });
    given.map_or_else(|| request.object(CORE, kind, namespace, name), Known::Found)
}

/// The place where a Shoot names its profile.
pub fn cloud_profile_reference(shoot: &Shoot<'_>) -> Path<'static> {
    match (shoot.spec.cloud_profile, shoot.spec.cloud_profile_name) {
        (None, Some(_)) => Path::root("spec.cloudProfileName", "/spec/cloudProfileName"),
        _ => Path::root("spec.cloudProfile", "/spec/cloudProfile"),
    }
}

/// Says in a finding about a CloudProfile whose configuration nobody can read what is wrong, and in which profile.
pub fn blame_profile<'r>(entry: Reported<'r>, shoot: &Shoot<'_>, error: &DecodeError) -> Reported<'r> {
    let (kind, name) = match (shoot.spec.cloud_profile, shoot.spec.cloud_profile_name) {
        (Some(profile), _) if !profile.kind.is_empty() => (profile.kind, profile.name),
        (Some(profile), _) => ("CloudProfile", profile.name),
        (None, name) => ("CloudProfile", name.unwrap_or_default()),
    };
    let DecodeError::Strict(errors) = error else {
        let remedy = ["Ask the operators to fix `spec.providerConfig` of the ", kind, " `", name, "`."];
        let summary = format!("cannot read the {kind} `{name}`: {error}");
        return entry.summary(summary).remedy(join(&remedy, ""));
    };
    let fields: Vec<String> = errors.iter().map(|error| format!("`{}`", error.field)).collect();
    let fields = join(&fields, ", ");
    let what = match (errors.iter().all(|error| error.duplicate), errors.len()) {
        (true, 1) => "a duplicate field",
        (true, _) => "duplicate fields",
        (false, 1) => "an unknown field",
        (false, _) => "unknown fields",
    };
    let summary = format!("the {kind} `{name}` has {what}: {fields}");
    let remedy =
        ["Ask the operators to remove ", &fields, " from `spec.providerConfig` of the ", kind, " `", name, "`."];
    entry.summary(summary).remedy(join(&remedy, ""))
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
