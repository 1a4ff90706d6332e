//! Architectures and capabilities of a CloudProfile, of which an update writes the ones by the others
//! (PREP-CPR-2).

use super::fill::{entry, put};
use crate::document::Value;
use crate::gardener::types::capabilities::{AMD64, ARCHITECTURE};
use crate::policy::{Defaulted, Request};
use crate::provider::gardener::cloud_profile::Definitions;
use crate::provider::gardener::fields::{items, text, texts};
use crate::provider::gardener::rules::default as rules;
use crate::text::join;

const IMAGES: &[&str] = &["spec", "machineImages"];
const TYPES: &[&str] = &["spec", "machineTypes"];
const ALIKE: &str = "architectures and the capability `architecture` say the same";
const GONE: &str = "the profile defines no capabilities any more";

/// Writes architectures and capabilities of a profile by each other, where an update finds or leaves capabilities.
pub fn sync(request: &Request<'_>, defaulted: &mut Defaulted<'_>) {
    let Some(old) = request.old_object else { return };
    let defines = |object: &Value<'_>| !items(object, &["spec", "machineCapabilities"]).is_empty();
    let (before, after) = (defines(old), defines(&defaulted.object));
    if after {
        let spec = defaulted.object.get("spec").cloned().unwrap_or(Value::Null);
        let definitions = Definitions::of(&spec);
        if !before && definitions.architectures().len() > 1 {
            capabilities_by_architectures(defaulted);
        }
        architectures_by_capabilities(&definitions, defaulted);
    } else if before {
        remove_capabilities(defaulted);
    }
}

/// The pointers to the versions of all images.
fn versions(object: &Value<'_>) -> Vec<String> {
    let mut found = Vec::new();
    for (index, image) in items(object, IMAGES).iter().enumerate() {
        let base = join(&[&entry("/spec/machineImages", index), "versions"], "/");
        found.extend((0..items(image, &["versions"]).len()).map(|index| entry(&base, index)));
    }
    found
}

/// The pointers to all machine types.
fn types(object: &Value<'_>) -> Vec<String> {
    (0..items(object, TYPES).len()).map(|index| entry("/spec/machineTypes", index)).collect()
}

fn capabilities_by_architectures(defaulted: &mut Defaulted<'_>) {
    let of = |architecture: &str| {
        Value::object([(ARCHITECTURE, Value::Array(vec![Value::string(architecture.to_owned())]))])
    };
    for pointer in versions(&defaulted.object) {
        let Some(version) = defaulted.object.pointer(&pointer) else { continue };
        if items(version, &["capabilityFlavors"]).is_empty() {
            let own: Vec<&str> = texts(items(version, &["architectures"])).collect();
            let own = if own.is_empty() { vec![AMD64] } else { own };
            let flavors = Value::Array(own.into_iter().map(of).collect());
            put(defaulted, &rules::PREP_CPR_002, (&pointer, &["capabilityFlavors"]), flavors, ALIKE);
        }
    }
    for pointer in types(&defaulted.object) {
        let Some(machine) = defaulted.object.pointer(&pointer) else { continue };
        if !matches!(machine.get("capabilities"), Some(Value::Object(own)) if !own.is_empty()) {
            let own = text(machine, &["architecture"]);
            let own = of(if own.is_empty() { AMD64 } else { own });
            put(defaulted, &rules::PREP_CPR_002, (&pointer, &["capabilities"]), own, ALIKE);
        }
    }
}

fn architectures_by_capabilities(definitions: &Definitions<'_>, defaulted: &mut Defaulted<'_>) {
    for pointer in versions(&defaulted.object) {
        let Some(version) = defaulted.object.pointer(&pointer) else { continue };
        if !items(version, &["architectures"]).is_empty() {
            continue;
        }
        let own = definitions.of_image(version);
        let own: Vec<Value<'_>> = own.into_iter().map(|one| Value::string(one.to_owned())).collect();
        if !own.is_empty() {
            put(defaulted, &rules::PREP_CPR_002, (&pointer, &["architectures"]), Value::Array(own), ALIKE);
        }
    }
    for pointer in types(&defaulted.object) {
        let Some(machine) = defaulted.object.pointer(&pointer) else { continue };
        if text(machine, &["architecture"]).is_empty()
            && let Some(one) = definitions.of_machine(machine)
        {
            let own = Value::string(one.to_owned());
            put(defaulted, &rules::PREP_CPR_002, (&pointer, &["architecture"]), own, ALIKE);
        }
    }
}

fn remove_capabilities(defaulted: &mut Defaulted<'_>) {
    for (pointers, key) in
        [(versions(&defaulted.object), "capabilityFlavors"), (types(&defaulted.object), "capabilities")]
    {
        for pointer in pointers {
            defaulted.overrule(&rules::PREP_CPR_002, join(&[&pointer, key], "/"), None, GONE);
        }
    }
}
