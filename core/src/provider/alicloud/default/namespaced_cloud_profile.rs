//! NamespacedCloudProfiles: capabilities of images, and the mapping merged into the status (ALI-DEF-016, 017).

use super::cloud_profile::{check, flavors};
use crate::collections::NameMap;
use crate::document::Value;
use crate::gardener::cloud_profile::{CloudProfile, PROVIDER_CONFIG};
use crate::policy::{Defaulted, Parent, Request, RequestError, parent, read};
use crate::provider::alicloud::api::{API_VERSION, CloudProfileConfig, Config};
use crate::provider::alicloud::rules::defaults as rules;

const STATUS_CONFIG: &str = "/status/cloudProfileSpec/providerConfig";

/// Fills in a NamespacedCloudProfile.
pub fn namespaced_cloud_profile<'r>(request: &Request<'r>) -> Result<Defaulted<'r>, RequestError> {
    let profile: CloudProfile<'r> = read(request.object)?;
    let mut defaulted = Defaulted::unchanged(request.object);
    let present = |pointer: &str| request.object.pointer(pointer).filter(|value| !matches!(value, Value::Null));
    let (None, Some(config)) = (profile.metadata.deletion_timestamp, present(PROVIDER_CONFIG)) else {
        return Ok(defaulted);
    };
    let what = |part: &str| {
        format!("could not decode providerConfig of namespacedCloudProfile {part} for '{}'", profile.metadata.name)
    };
    check(config, &what("spec"), PROVIDER_CONFIG)?;
    image_capabilities(request, &profile, config, &mut defaulted)?;
    let generation = request.object.at(&["status", "observedGeneration"]);
    let observed = match generation {
        Some(Value::Number(number)) => number.parse::<i64>().ok(),
        _ => Some(0),
    };
    if let (true, Some(status)) = (observed == Some(profile.metadata.generation), present(STATUS_CONFIG)) {
        check(status, &what("status"), STATUS_CONFIG)?;
        let merged = merge(status, config);
        if merged.canonical(true) != status.canonical(true) {
            let reason = "the status holds the mappings of the parent and of this profile together";
            defaulted.set(&rules::DEF_017, STATUS_CONFIG.to_owned(), merged, reason);
        }
    }
    Ok(defaulted)
}

fn image_capabilities<'r>(
    request: &Request<'r>,
    profile: &CloudProfile<'_>,
    config: &'r Value<'r>,
    defaulted: &mut Defaulted<'r>,
) -> Result<(), RequestError> {
    let name = profile.spec.parent.name;
    if name.is_empty() || profile.spec.machine_images.is_empty() {
        return Ok(());
    }
    let parent = match parent(request, name) {
        Parent::Found(parent) => parent,
        Parent::Failed(message) => {
            let message = format!("could not get parent CloudProfile \"{name}\": {message}");
            return Err(RequestError::Denied { message, pointer: "/spec/parent/name".to_owned() });
        }
        Parent::Unknown(query) => {
            let why = format!("what CloudProfile {name} defines is not known here; it is looked up on submit");
            defaulted.undecided(&rules::DEF_016, why, Some(query));
            return Ok(());
        }
    };
    if parent.at(&["spec", "machineCapabilities"]).is_some_and(|list| !list.items().is_empty()) {
        flavors(&rules::DEF_016, profile, config, defaulted);
    }
    Ok(())
}

/// The mapping of the status with that of the specification over it, image by image and version by version.
fn merge<'r>(status: &'r Value<'r>, spec: &'r Value<'r>) -> Value<'r> {
    let text = |value: &'r Value<'r>, key: &str| value.get(key).and_then(Value::as_str).unwrap_or_default();
    let mut images: Vec<(&str, Vec<Value<'r>>)> = Vec::new();
    let mut places: NameMap<'_, (usize, NameMap<'_, usize>)> = NameMap::new();
    for image in [status, spec].into_iter().flat_map(|config| list(config, "machineImages")) {
        let name = text(image, "name");
        let (position, known) = places.or_insert_with(name, || {
            images.push((name, Vec::new()));
            (images.len() - 1, NameMap::new())
        });
        let Some((_, merged)) = images.get_mut(*position) else { continue };
        for version in list(image, "versions") {
            let position = *known.or_insert_with(text(version, "version"), || merged.len());
            match merged.get_mut(position) {
                Some(value) => *value = version.clone(),
                None => merged.push(version.clone()),
            }
        }
    }
    let images = images.into_iter().map(|(name, versions)| {
        Value::object([("name", Value::string(name)), ("versions", Value::Array(versions))])
    });
    Value::object([
        ("kind", Value::string(CloudProfileConfig::KIND)),
        ("apiVersion", Value::string(API_VERSION)),
        ("machineImages", Value::Array(images.collect())),
    ])
}

fn list<'r>(value: &'r Value<'r>, key: &str) -> &'r [Value<'r>] {
    value.get(key).map_or(&[], Value::items)
}
