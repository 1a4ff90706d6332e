//! CloudProfiles and NamespacedCloudProfiles: what images offer, and the status (AWS-DEF-003, AWS-DEF-004,
//! AWS-DEF-030…034).

use std::borrow::Cow;

use crate::document::Value;
use crate::gardener::images::{
    MappedEntries, ProfileDefaults, default_cloud_profile, default_namespaced_cloud_profile,
    flavors_of_architectures,
};
use crate::gardener::types::capabilities::{AMD64, ARCHITECTURE};
use crate::policy::{Defaulted, Request, RequestError};
use crate::provider::aws::api::CloudProfileConfig;
use crate::provider::aws::image_mapping::IGNORED;
use crate::provider::aws::rules::profile_defaults as rules;

const PROFILES: ProfileDefaults = ProfileDefaults {
    cloud_profile: &rules::DEF_031,
    namespaced_cloud_profile: &rules::DEF_033,
    status: &rules::DEF_034,
    plain_flavors: |version| {
        let known = |architecture| if architecture == IGNORED { AMD64 } else { architecture };
        Some(flavors_of_architectures(version, known)).filter(|flavors| !flavors.items().is_empty())
    },
    entries: MappedEntries::Last,
    merged: with_architectures,
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

/// A mapped version whose AMIs all have their architecture, as the existing extension reads them; those of flavors
/// have none.
fn with_architectures<'r>(version: &'r Value<'r>) -> Value<'r> {
    let mut version = version.clone();
    each(&mut version, "regions", |region| complete(region, true));
    each(&mut version, "capabilityFlavors", |flavor| each(flavor, "regions", |region| complete(region, false)));
    version
}

fn complete(region: &mut Value<'_>, is_plain: bool) {
    let Value::Object(members) = region else { return };
    let written = members.iter().rposition(|(key, value)| key == ARCHITECTURE && !matches!(value, Value::Null));
    match written.and_then(|place| members.get(place)) {
        None if is_plain => {
            members.retain(|(key, _)| key != ARCHITECTURE);
            members.push((Cow::Borrowed(ARCHITECTURE), Value::string(AMD64)));
        }
        Some((_, value)) if value.as_str() == Some(IGNORED) => members.retain(|(key, _)| key != ARCHITECTURE),
        _ => {}
    }
}

/// Changes each entry of a list in an object.
fn each<'r>(object: &mut Value<'r>, key: &str, change: impl Fn(&mut Value<'r>)) {
    let Value::Object(members) = object else { return };
    for (_, list) in members.iter_mut().filter(|(name, _)| name == key) {
        if let Value::Array(items) = list {
            items.iter_mut().for_each(&change);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::with_architectures;
    use crate::document::parse;

    #[test]
    fn each_ami_of_regions_shows_its_architecture_and_none_of_a_flavor_does() {
        for (version, merged) in [
            (r#"{"regions":[{"ami":"a"}]}"#, r#"{"regions":[{"ami":"a","architecture":"amd64"}]}"#),
            (r#"{"regions":[{"architecture":null}]}"#, r#"{"regions":[{"architecture":"amd64"}]}"#),
            (r#"{"regions":[{"architecture":"arm64"}]}"#, r#"{"regions":[{"architecture":"arm64"}]}"#),
            (r#"{"regions":[{"architecture":"ignore"}]}"#, r#"{"regions":[{}]}"#),
            (
                r#"{"capabilityFlavors":[{"regions":[{"ami":"a"}]}]}"#,
                r#"{"capabilityFlavors":[{"regions":[{"ami":"a"}]}]}"#,
            ),
            (
                r#"{"capabilityFlavors":[{"regions":[{"architecture":"ignore"}]}]}"#,
                r#"{"capabilityFlavors":[{"regions":[{}]}]}"#,
            ),
            (r#"{"version":"1"}"#, r#"{"version":"1"}"#),
        ] {
            let version = parse(version).unwrap();
            assert_eq!(with_architectures(&version).to_string(), merged);
        }
    }
}
