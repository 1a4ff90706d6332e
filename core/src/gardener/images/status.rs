//! The status of a NamespacedCloudProfile: the mappings of the parent and of the profile together.

use std::borrow::Cow;

use crate::collections::{NameMap, NameSet};
use crate::document::Value;
use crate::gardener::types::capabilities::{AMD64, ARCHITECTURE};

/// Which of several entries that map one version count.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MappedEntries {
    /// The last one.
    Last,
    /// The first one with flavors, else all together. A status keeps every entry.
    AddUp,
}

/// What configurations say of machine types, in the clouds where they do.
const MACHINES: &str = "machineTypes";

/// The status with its mappings, and those of the specification over them or behind them, image by image and
/// version by version; `merged` is what the status holds of a mapped version.
pub(super) fn merge_status<'r>(
    [status, spec]: [&'r Value<'r>; 2],
    (entries, merged_version): (MappedEntries, fn(&'r Value<'r>) -> Value<'r>),
    [api_version, kind]: [&'static str; 2],
) -> Value<'r> {
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
            let position = match entries {
                MappedEntries::Last => *known.or_insert_with(text(version, "version"), || merged.len()),
                MappedEntries::AddUp => merged.len(),
            };
            match merged.get_mut(position) {
                Some(value) => *value = merged_version(version),
                None => merged.push(merged_version(version)),
            }
        }
    }
    let images = images.into_iter().map(|(name, versions)| {
        Value::object([("name", Value::string(name)), ("versions", Value::Array(versions))])
    });
    let mut merged = vec![
        (Cow::Borrowed("kind"), Value::string(kind)),
        (Cow::Borrowed("apiVersion"), Value::string(api_version)),
        (Cow::Borrowed("machineImages"), Value::Array(images.collect())),
    ];
    let machines = added_machines(status, spec);
    if !machines.is_empty() {
        merged.push((Cow::Borrowed(MACHINES), Value::Array(machines)));
    }
    if let Value::Object(members) = status {
        let is_kept = |key: &str| !matches!(key, "kind" | "apiVersion" | "machineImages" | MACHINES);
        merged.extend(members.iter().filter(|(key, _)| is_kept(key)).cloned());
    }
    Value::Object(merged)
}

/// A mapped version as existing extensions read it: one without flavors has an architecture.
pub fn with_architecture<'r>(version: &'r Value<'r>) -> Value<'r> {
    let has_flavors = !list(version, "capabilityFlavors").is_empty();
    let mut version = version.clone();
    if !has_flavors
        && version.get(ARCHITECTURE).is_none()
        && let Value::Object(members) = &mut version
    {
        members.retain(|(key, _)| key != ARCHITECTURE);
        members.push((Cow::Borrowed(ARCHITECTURE), Value::string(AMD64)));
    }
    version
}

/// The machine types of the status, and those of the specification that the status lacks.
fn added_machines<'r>(status: &'r Value<'r>, spec: &'r Value<'r>) -> Vec<Value<'r>> {
    let mut machines = list(status, MACHINES).to_vec();
    let mut known: NameSet<'r> = list(status, MACHINES).iter().map(|machine| text(machine, "name")).collect();
    for machine in list(spec, MACHINES) {
        if known.insert(text(machine, "name")) {
            machines.push(machine.clone());
        }
    }
    machines
}

/// The entries of a list in an object; none where the object has no such list.
pub(super) fn list<'r>(value: &'r Value<'r>, key: &str) -> &'r [Value<'r>] {
    value.get(key).map_or(&[], Value::items)
}

/// A text in an object; empty where the object has no such text.
pub(super) fn text<'r>(value: &'r Value<'r>, key: &str) -> &'r str {
    value.get(key).and_then(Value::as_str).unwrap_or_default()
}
