//! Capabilities of images in a CloudProfile follow from the provider's mapping (ALI-DEF-015, 016).

use crate::collections::NameMap;
use crate::document::Value;
use crate::document::decode::{Mode, Typed};
use crate::gardener::cloud_profile::{CloudProfile, PROVIDER_CONFIG};
use crate::policy::{Defaulted, Request, RequestError, read};
use crate::provider::alicloud::api::{CloudProfileConfig, Config};
use crate::provider::alicloud::rules::defaults as rules;
use crate::report::Rule;

/// Fills in a CloudProfile.
pub fn cloud_profile<'r>(request: &Request<'r>) -> Result<Defaulted<'r>, RequestError> {
    let profile: CloudProfile<'r> = read(request.object)?;
    let mut defaulted = Defaulted::unchanged(request.object);
    let config = request.object.pointer(PROVIDER_CONFIG).filter(|config| !matches!(config, Value::Null));
    if let (None, Some(config)) = (profile.metadata.deletion_timestamp, config)
        && !profile.spec.machine_capabilities.is_empty()
    {
        let name = profile.metadata.name;
        check(config, &format!("could not decode providerConfig of cloudProfile for '{name}'"), PROVIDER_CONFIG)?;
        flavors(&rules::DEF_015, &profile, config, &mut defaulted);
    }
    Ok(defaulted)
}

/// Checks that a configuration can be read; the mutating webhook refuses the object otherwise.
pub fn check<'v>(config: &'v Value<'v>, what: &str, pointer: &str) -> Result<(), RequestError> {
    match CloudProfileConfig::read_typed(config, Mode::Strict, Typed::Loosely) {
        Ok(_) => Ok(()),
        Err(error) => Err(RequestError::Denied {
            message: format!("{what}: {error}"),
            pointer: format!("{pointer}{}", error.pointer()),
        }),
    }
}

/// Copies the capabilities of each mapped image version to the profile's own list of versions.
pub fn flavors<'r>(
    rule: &'static Rule,
    profile: &CloudProfile<'_>,
    config: &'r Value<'r>,
    defaulted: &mut Defaulted<'r>,
) {
    let list = |value: &'r Value<'r>, key: &str| value.get(key).map_or(&[] as &[_], Value::items);
    let name = |value: &'r Value<'r>, key: &str| value.get(key).and_then(Value::as_str).unwrap_or_default();
    // The first entry of a name is the one that gets the flavors.
    let mut places = NameMap::new();
    for (i, image) in profile.spec.machine_images.iter().enumerate() {
        places.or_insert_with(image.name, || {
            let mut versions = NameMap::new();
            for (v, version) in image.versions.iter().enumerate() {
                versions.or_insert_with(version.version, || v);
            }
            (i, versions)
        });
    }
    for image in list(config, "machineImages") {
        let Some((i, versions)) = places.get(name(image, "name")) else { continue };
        for version in list(image, "versions") {
            let Some(v) = versions.get(name(version, "version")) else { continue };
            let flavors = list(version, "capabilityFlavors");
            let value = if !flavors.is_empty() {
                let capabilities =
                    |flavor: &Value<'r>| flavor.get("capabilities").cloned().unwrap_or(Value::Object(Vec::new()));
                Value::Array(flavors.iter().map(capabilities).collect())
            } else if !list(version, "regions").is_empty() {
                let amd64 = Value::Array(vec![Value::string("amd64")]);
                Value::Array(vec![Value::object([("architecture", amd64)])])
            } else {
                continue;
            };
            let pointer = format!("/spec/machineImages/{i}/versions/{v}/capabilityFlavors");
            let same = |old: &Value<'_>| old.canonical(false) == value.canonical(false);
            if !defaulted.object.pointer(&pointer).is_some_and(same) {
                let reason = "what the image offers follows from its mapping in providerConfig";
                defaulted.set(rule, pointer, value, reason);
            }
        }
    }
}
