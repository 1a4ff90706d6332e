//! A NamespacedCloudProfile in the form of its parent: with capabilities, or without.

use crate::document::Value;
use crate::gardener::types::capabilities::ARCHITECTURE;
use crate::provider::gardener::cloud_profile::Definitions;
use crate::provider::gardener::fields::{self, items, text};

/// The specification of a NamespacedCloudProfile as Gardener compares it with its parent: where the parent defines
/// capabilities, architectures are capabilities.
pub fn in_form_of<'v>(definitions: &Definitions<'_>, spec: &Value<'v>) -> Value<'v> {
    let mut spec = spec.clone();
    if definitions.is_empty() {
        without_capabilities(&mut spec);
        return spec;
    }
    for image in list(&mut spec, "machineImages") {
        for version in list(image, "versions") {
            let architectures = items(version, &["architectures"]).to_vec();
            if items(version, &["capabilityFlavors"]).is_empty() && !architectures.is_empty() {
                let flavors = architectures.into_iter().map(|one| of_architecture(one)).collect();
                put(version, "capabilityFlavors", Value::Array(flavors));
            }
        }
    }
    for machine in list(&mut spec, "machineTypes") {
        let has_capabilities = matches!(machine.get("capabilities"), Some(Value::Object(own)) if !own.is_empty());
        if let Some(architecture) = machine.get("architecture").cloned().filter(|_| !has_capabilities) {
            put(machine, "capabilities", of_architecture(architecture));
        }
    }
    spec
}

/// Writes capabilities as architectures, and drops all others.
fn without_capabilities(spec: &mut Value<'_>) {
    for image in list(spec, "machineImages") {
        for version in list(image, "versions") {
            if items(version, &["architectures"]).is_empty() {
                let flavors = items(version, &["capabilityFlavors"]).iter();
                let found: Vec<Value<'_>> =
                    flavors.flat_map(|flavor| items(flavor, &[ARCHITECTURE]).to_vec()).collect();
                if !found.is_empty() {
                    put(version, "architectures", Value::Array(found));
                }
            }
            take(version, "capabilityFlavors");
        }
    }
    for machine in list(spec, "machineTypes") {
        if let ("", [one]) = (text(machine, &["architecture"]), items(machine, &["capabilities", ARCHITECTURE])) {
            let one = one.clone();
            put(machine, "architecture", one);
        }
        take(machine, "capabilities");
    }
}

/// Removes a member of an object.
fn take(object: &mut Value<'_>, key: &str) {
    if let Value::Object(members) = object {
        members.retain(|(name, _)| name != key);
    }
}

/// Writes the architectures that capabilities say, where there are none. Without capabilities that is `amd64`.
pub fn with_architectures(definitions: &Definitions<'_>, spec: &mut Value<'_>) {
    let text = |architecture: &str| Value::string(architecture.to_owned());
    for image in list(spec, "machineImages") {
        for version in list(image, "versions") {
            if items(version, &["architectures"]).is_empty() {
                let own: Vec<Value<'_>> = definitions.of_image(version).into_iter().map(text).collect();
                put(version, "architectures", Value::Array(own));
            }
        }
    }
    for machine in list(spec, "machineTypes") {
        if fields::text(machine, &["architecture"]).is_empty()
            && let Some(own) = definitions.of_machine(machine).map(text)
        {
            put(machine, "architecture", own);
        }
    }
}

/// Capabilities that say which architecture something has.
fn of_architecture(architecture: Value<'_>) -> Value<'_> {
    Value::object([(ARCHITECTURE, Value::Array(vec![architecture]))])
}

/// The entries of a list, to be changed.
pub fn list<'o, 'v>(object: &'o mut Value<'v>, key: &str) -> &'o mut [Value<'v>] {
    match object {
        Value::Object(members) => match members.iter_mut().rev().find(|(name, _)| name == key) {
            Some((_, Value::Array(items))) => items,
            _ => &mut [],
        },
        _ => &mut [],
    }
}

/// Sets a member of an object.
pub fn put<'v>(object: &mut Value<'v>, key: &'static str, value: Value<'v>) {
    if let Value::Object(members) = object {
        members.retain(|(name, _)| name != key);
        members.push((key.into(), value));
    }
}
