//! Defaults of profiles: the capabilities of their images follow from the provider's mapping.

use super::status::{MappedEntries, list, merge_status, text};
use crate::call::Known;
use crate::collections::{NameMap, NameSet};
use crate::document::Value;
use crate::document::decode::{Mode, Typed};
use crate::gardener::provider_config::{Config, refuse};
use crate::gardener::types::capabilities::{AMD64, ARCHITECTURE};
use crate::gardener::types::cloud_profile::{CloudProfile, PROVIDER_CONFIG};
use crate::policy::{Defaulted, Request, RequestError, parent, read};
use crate::report::Rule;

/// The rules by which the images of profiles get their capabilities, and what differs between clouds.
#[derive(Debug)]
pub struct ProfileDefaults {
    /// Sets the capabilities of a CloudProfile's images.
    pub cloud_profile: &'static Rule,
    /// Sets the capabilities of a NamespacedCloudProfile's images.
    pub namespaced_cloud_profile: &'static Rule,
    /// Merges the mappings of a NamespacedCloudProfile into its status.
    pub status: &'static Rule,
    /// The flavors that a mapped version without `capabilityFlavors` stands for; none where the profile keeps its
    /// own.
    pub plain_flavors: for<'r> fn(&'r Value<'r>) -> Option<Value<'r>>,
    /// Which of several entries that map one version count.
    pub entries: MappedEntries,
    /// What the status holds of a mapped version.
    pub merged: for<'r> fn(&'r Value<'r>) -> Value<'r>,
    /// Whether a NamespacedCloudProfile is refused without its parent even where it has no images or names no
    /// parent.
    pub needs_parent: bool,
    /// Whether a refusal of a NamespacedCloudProfile has its name.
    pub shows_name: bool,
}

/// The flavors of a version that lists images in `regions`: one for each architecture.
pub fn flavors_of_regions<'r>(version: &'r Value<'r>) -> Value<'r> {
    flavors_of_architectures(version, |architecture| architecture)
}

/// The flavors of a version that lists images in `regions`: one for each architecture, as `read` takes them.
pub fn flavors_of_architectures<'r>(version: &'r Value<'r>, read: fn(&'r str) -> &'r str) -> Value<'r> {
    let architectures: NameSet<'r> = list(version, "regions")
        .iter()
        .map(|region| region.get(ARCHITECTURE).and_then(Value::as_str).map_or(AMD64, read))
        .collect();
    let flavor = |name| Value::object([(ARCHITECTURE, Value::Array(vec![Value::string(name)]))]);
    Value::Array(architectures.iter().map(flavor).collect())
}

/// Fills in a CloudProfile with the configuration kind `C`.
pub fn default_cloud_profile<'r, C: Config<'r>>(
    request: &Request<'r>,
    defaults: &ProfileDefaults,
) -> Result<Defaulted<'r>, RequestError> {
    let profile: CloudProfile<'r> = read(request.object)?;
    let mut defaulted = Defaulted::unchanged(request.object);
    if let (None, Some(config)) = (profile.metadata.deletion_timestamp, present(request.object, PROVIDER_CONFIG))
        && !profile.spec.machine_capabilities.is_empty()
    {
        let what = format!("cloudProfile for '{}'", profile.metadata.name);
        readable::<C>(config, defaults.cloud_profile, &what, PROVIDER_CONFIG)?;
        set_flavors(defaults.cloud_profile, defaults, &profile, config, &mut defaulted);
    }
    Ok(defaulted)
}

const STATUS_CONFIG: &str = "/status/cloudProfileSpec/providerConfig";

/// Fills in a NamespacedCloudProfile with the configuration kind `C`.
pub fn default_namespaced_cloud_profile<'r, C: Config<'r>>(
    request: &Request<'r>,
    defaults: &ProfileDefaults,
) -> Result<Defaulted<'r>, RequestError> {
    let profile: CloudProfile<'r> = read(request.object)?;
    let mut defaulted = Defaulted::unchanged(request.object);
    let (None, Some(config)) = (profile.metadata.deletion_timestamp, present(request.object, PROVIDER_CONFIG))
    else {
        return Ok(defaulted);
    };
    let what = |part: &str| {
        let of = if defaults.shows_name { format!(" for '{}'", profile.metadata.name) } else { String::new() };
        format!("namespacedCloudProfile {part}{of}")
    };
    readable::<C>(config, defaults.namespaced_cloud_profile, &what("spec"), PROVIDER_CONFIG)?;
    if has_capabilities(request, &profile, defaults, &mut defaulted)? {
        set_flavors(defaults.namespaced_cloud_profile, defaults, &profile, config, &mut defaulted);
    }
    let observed = match request.object.at(&["status", "observedGeneration"]) {
        Some(Value::Number(number)) => number.parse::<i64>().ok(),
        _ => Some(0),
    };
    if let (true, Some(status)) =
        (observed == Some(profile.metadata.generation), present(request.object, STATUS_CONFIG))
    {
        readable::<C>(status, defaults.status, &what("status"), STATUS_CONFIG)?;
        let merged =
            merge_status([status, config], (defaults.entries, defaults.merged), [C::API_VERSION, C::KIND]);
        if merged.canonical(true) != status.canonical(true) {
            let reason = "the status holds the mappings of the parent and of this profile together";
            defaulted.set(defaults.status, STATUS_CONFIG.to_owned(), merged, reason);
        }
    }
    Ok(defaulted)
}

fn present<'r>(object: &'r Value<'r>, pointer: &str) -> Option<&'r Value<'r>> {
    object.pointer(pointer).filter(|value| !matches!(value, Value::Null))
}

/// Refuses the object where nobody can read its configuration, as the mutating webhook does.
fn readable<'r, C: Config<'r>>(
    config: &'r Value<'r>,
    rule: &'static Rule,
    what: &str,
    pointer: &str,
) -> Result<(), RequestError> {
    C::read_typed(config, Mode::Strict, Typed::Loosely).map(drop).map_err(|error| {
        let message = format!("could not decode providerConfig of {what}: {error}");
        refuse::<C>(rule, message, &error, config, pointer)
    })
}

/// Whether the parent of a NamespacedCloudProfile defines capabilities.
fn has_capabilities(
    request: &Request<'_>,
    profile: &CloudProfile<'_>,
    defaults: &ProfileDefaults,
    defaulted: &mut Defaulted<'_>,
) -> Result<bool, RequestError> {
    let name = profile.spec.parent.name;
    if !defaults.needs_parent && (name.is_empty() || profile.spec.machine_images.is_empty()) {
        return Ok(false);
    }
    match parent(request, name) {
        Known::Found(parent) => {
            Ok(parent.at(&["spec", "machineCapabilities"]).is_some_and(|list| !list.items().is_empty()))
        }
        Known::Failed(message) => {
            let message = format!("could not get parent CloudProfile \"{name}\": {message}");
            Err(RequestError::denied(defaults.namespaced_cloud_profile, message, "/spec/parent/name"))
        }
        Known::Unknown(query) => {
            let why = format!("what CloudProfile {name} defines is not known here; it is looked up on submit");
            defaulted.undecided(defaults.namespaced_cloud_profile, why, Some(query));
            Ok(false)
        }
    }
}

/// The flavors of two lists, each once, in order.
fn union<'r>(some: &Value<'r>, more: &Value<'r>) -> Value<'r> {
    let mut all: Vec<(String, Value<'r>)> = Vec::new();
    for flavor in some.items().iter().chain(more.items()) {
        let text = flavor.canonical(false).to_string();
        if let Err(place) = all.binary_search_by(|(known, _)| known.cmp(&text)) {
            all.insert(place, (text, flavor.clone()));
        }
    }
    Value::Array(all.into_iter().map(|(_, flavor)| flavor).collect())
}

/// Copies the capabilities of each mapped image version to the first version of that name in the profile.
fn set_flavors<'r>(
    rule: &'static Rule,
    defaults: &ProfileDefaults,
    profile: &CloudProfile<'_>,
    config: &'r Value<'r>,
    defaulted: &mut Defaulted<'r>,
) {
    let mut mapped: NameMap<'r, NameMap<'r, Value<'r>>> = NameMap::new();
    for image in list(config, "machineImages") {
        let versions = mapped.or_insert_with(text(image, "name"), NameMap::new);
        let mut has_flavors = NameSet::new();
        for version in list(image, "versions") {
            let flavors = list(version, "capabilityFlavors");
            let mut value = (defaults.plain_flavors)(version);
            if !flavors.is_empty() {
                let capabilities =
                    |flavor: &Value<'r>| flavor.get("capabilities").cloned().unwrap_or(Value::Object(Vec::new()));
                value = Some(Value::Array(flavors.iter().map(capabilities).collect()));
            }
            let name = text(version, "version");
            match (value, versions.get(name)) {
                (None, _) => {}
                (Some(value), Some(known)) if defaults.entries == MappedEntries::AddUp => {
                    if has_flavors.contains(name) {
                        continue;
                    }
                    let value = if flavors.is_empty() { union(known, &value) } else { value };
                    versions.insert(name, value);
                }
                (Some(value), _) => {
                    versions.insert(name, value);
                }
            }
            if !flavors.is_empty() {
                has_flavors.insert(name);
            }
        }
    }
    let mut images = NameSet::new();
    for (i, image) in profile.spec.machine_images.iter().enumerate() {
        let Some(flavors) = mapped.get(image.name).filter(|_| images.insert(image.name)) else { continue };
        let mut versions = NameSet::new();
        for (v, version) in image.versions.iter().enumerate() {
            let first = versions.insert(version.version);
            let Some(value) = flavors.get(version.version).filter(|_| first) else { continue };
            let pointer = format!("/spec/machineImages/{i}/versions/{v}/capabilityFlavors");
            let is_same = match defaulted.object.pointer(&pointer) {
                Some(old) => old.canonical(false) == value.canonical(false),
                None => value.items().is_empty(),
            };
            if !is_same {
                let reason = "what the image offers follows from its mapping in providerConfig";
                defaulted.set(rule, pointer, value.clone(), reason);
            }
        }
    }
}
