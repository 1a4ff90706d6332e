//! The capabilities that a CloudProfile defines (GDN-CPR-002 to 009), and those of machine types and images.

use super::gates::Gates;
use super::names;
use crate::collections::NameSet;
use crate::document::{Path, Value};
use crate::gardener::types::capabilities::{AMD64, ARCHITECTURE, ARCHITECTURES};
use crate::kube::names::entries;
use crate::provider::gardener::fields::{items, supported, text};
use crate::provider::gardener::rules::cloud_profile as rules;
use crate::provider::gardener::structure::nearest::{by_likeness, offer};
use crate::report::{ErrorType, Report, Rule, Severity};
use crate::text::join;

/// The beginning of the names that Gardener keeps for itself.
const KEPT: &str = "gardener-";

/// The capabilities that a profile defines, sorted by name. The last definition of a name that is there twice
/// counts.
#[derive(Clone, Debug, Default)]
pub struct Definitions<'c>(Vec<Definition<'c>>);

#[derive(Clone, Debug)]
struct Definition<'c> {
    name: &'c str,
    values: Vec<&'c str>,
    /// The values in their order, to find one.
    sorted: Vec<&'c str>,
    /// The place among all definitions.
    index: usize,
}

impl<'c> Definitions<'c> {
    /// The definitions of a CloudProfile.
    pub fn of(spec: &'c Value<'c>) -> Self {
        let mut found: Vec<Definition<'c>> = Vec::new();
        for (index, definition) in items(spec, &["machineCapabilities"]).iter().enumerate() {
            let values = values(definition.get("values"));
            let mut sorted = values.clone();
            sorted.sort_unstable();
            let definition = Definition { name: text(definition, &["name"]), values, sorted, index };
            match found.binary_search_by(|known| known.name.cmp(definition.name)) {
                Ok(at) => {
                    if let Some(known) = found.get_mut(at) {
                        *known = definition;
                    }
                }
                Err(at) => found.insert(at, definition),
            }
        }
        Self(found)
    }

    /// Whether no capability is defined.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The values of a capability, sorted; none where it is not defined.
    pub fn get(&self, name: &str) -> Option<&[&'c str]> {
        let at = self.0.binary_search_by(|known| known.name.cmp(name)).ok()?;
        self.0.get(at).map(|known| known.sorted.as_slice())
    }

    /// The architectures that are defined.
    pub fn architectures(&self) -> &[&'c str] {
        self.get(ARCHITECTURE).unwrap_or_default()
    }

    /// The values of a capability that a machine type or a flavor has: its own, else all that are defined.
    pub fn values_of<'s>(&'s self, capabilities: Option<&'s Value<'_>>, name: &str) -> Vec<&'s str> {
        let own = capabilities.and_then(|capabilities| capabilities.get(name));
        own.map_or_else(|| self.get(name).unwrap_or_default().to_vec(), |own| values(Some(own)))
    }

    /// The architectures that the capabilities of an image version say, sorted; `amd64` where none are defined.
    pub fn of_image<'s>(&'s self, version: &'s Value<'_>) -> Vec<&'s str> {
        if self.is_empty() {
            return vec![AMD64];
        }
        let flavors = items(version, &["capabilityFlavors"]);
        let mut found: Vec<&str> = if flavors.is_empty() {
            self.architectures().to_vec()
        } else {
            flavors.iter().flat_map(|flavor| self.values_of(Some(flavor), ARCHITECTURE)).collect()
        };
        found.sort_unstable();
        found.dedup();
        found
    }

    /// The architecture that the capabilities of a machine type say, where they say one; `amd64` where none are
    /// defined.
    pub fn of_machine<'s>(&'s self, machine: &'s Value<'_>) -> Option<&'s str> {
        if self.is_empty() {
            return Some(AMD64);
        }
        match self.values_of(machine.get("capabilities"), ARCHITECTURE).as_slice() {
            [one] => Some(one),
            _ => None,
        }
    }

    /// Judges whether the capabilities of a machine type or a flavor are defined, and their values.
    pub fn judge(
        &self,
        rule: &'static Rule,
        capabilities: Option<&Value<'_>>,
        path: &Path<'_>,
        report: &mut Report<'_>,
    ) {
        for (name, own) in entries(capabilities) {
            if report.is_full(Severity::Error) {
                return;
            }
            let Some(known) = self.get(name) else {
                let names: Vec<&str> = self.0.iter().map(|known| known.name).collect();
                let detail = supported(names.iter().copied());
                report.error(rule, &path.hidden(name), ErrorType::NotSupported, detail).at_key();
                continue;
            };
            let path = path.key(name);
            for (index, value) in values(Some(own)).into_iter().enumerate() {
                if known.binary_search(&value).is_err() && !report.is_full(Severity::Error) {
                    let detail = supported(known.iter().copied());
                    let entry = report.error(rule, &path.index(index), ErrorType::NotSupported, detail);
                    offer(entry, value, known, by_likeness);
                }
            }
        }
    }
}

/// The texts of a list. `null` is the empty text.
pub fn values<'v>(list: Option<&'v Value<'_>>) -> Vec<&'v str> {
    let list = list.map(Value::items).unwrap_or_default();
    list.iter().map(|value| value.as_str().unwrap_or_default()).collect()
}

/// Judges the definitions of a CloudProfile.
pub fn judge(gates: Gates, spec: &Value<'_>, report: &mut Report<'_>) {
    let definitions = items(spec, &["machineCapabilities"]);
    if definitions.is_empty() {
        return;
    }
    let path = super::SPEC.key("machineCapabilities");
    if !gates.has_capabilities {
        let detail = "machineCapabilities are not allowed with disabled CloudProfileCapabilities feature gate";
        report.error(&rules::GDN_CPR_002, &path, ErrorType::Forbidden, detail);
    }
    let mut seen = NameSet::new();
    for (index, definition) in definitions.iter().enumerate() {
        let (name, entry) = (text(definition, &["name"]), path.index(index));
        if !seen.insert(name) {
            report.error(&rules::GDN_CPR_003, &entry.key("name"), ErrorType::Duplicate, "");
        }
        if name.starts_with(KEPT) {
            let detail = "the \"gardener-\" prefix is reserved for Gardener-core capabilities";
            report.error(&rules::GDN_CPR_009, &entry.key("name"), ErrorType::Forbidden, detail);
        }
    }
    let defined = Definitions::of(spec);
    if defined.get(ARCHITECTURE).is_none() {
        let detail = "architecture capability is required";
        report.error(&rules::GDN_CPR_004, &path.key(ARCHITECTURE), ErrorType::Required, detail);
    }
    for definition in &defined.0 {
        one(definition, &path, report);
    }
}

/// Judges a definition. Field errors name it, where pointers count it.
fn one(Definition { name, values, index, .. }: &Definition<'_>, path: &Path<'_>, report: &mut Report<'_>) {
    let entry = path.index(*index);
    let pointer = entry.key("name").pointer();
    let all = path.field();
    let at_name = Path::root(&all, &pointer);
    if name.is_empty() {
        let detail = "capability keys must not be empty";
        report.error(&rules::GDN_CPR_006, &at_name, ErrorType::Required, detail);
    } else {
        let faults = names::faults(name);
        if !faults.is_empty() {
            let detail = join(&["capability key must be qualified name: ", &faults.join(", ")], "");
            report.error(&rules::GDN_CPR_006, &at_name, ErrorType::Invalid, detail);
        }
    }
    let (field, pointer) = (path.key(name).field(), entry.key("values").pointer());
    let all = Path::root(&field, &pointer);
    if values.is_empty() {
        report.error(&rules::GDN_CPR_007, &all, ErrorType::Required, "capability values must not be empty");
    }
    for (index, value) in values.iter().enumerate() {
        if *name == ARCHITECTURE && !ARCHITECTURES.contains(value) {
            let pointer = all.index(index).pointer();
            let detail = "allowed architectures are: amd64, arm64";
            let entry =
                report.error(&rules::GDN_CPR_005, &Path::root(&field, &pointer), ErrorType::Invalid, detail);
            offer(entry, value, &ARCHITECTURES, by_likeness);
        }
        let place = all.index(index);
        if value.is_empty() {
            let detail = "capability values must not be empty";
            report.error(&rules::GDN_CPR_008, &place, ErrorType::Required, detail);
            continue;
        }
        let faults = names::faults(value);
        if !faults.is_empty() {
            let detail = join(&["capability value must be qualified name: ", &faults.join(", ")], "");
            report.error(&rules::GDN_CPR_008, &place, ErrorType::Invalid, detail);
        }
    }
}
