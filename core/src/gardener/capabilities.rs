//! Machine capabilities: what images offer and machine types ask for.
//!
//! Source: `spec.machineCapabilities` of CloudProfiles and the helpers of Gardener's library.

use serde::Deserialize;

use crate::names::{NameMap, NameSet};
use crate::policy::Refusal;
use crate::report::{ErrorType, Path, Report, Rule, quote};

/// Values by capability name.
pub type Capabilities<'a> = NameMap<'a, Vec<&'a str>>;

/// Name of the capability that tells processor architectures.
pub const ARCHITECTURE: &str = "architecture";

/// The architecture of images that do not tell one.
pub const AMD64: &str = "amd64";

/// Most capabilities that a CloudProfile may define. Landscapes define a handful.
pub const MAX_DEFINITIONS: usize = 64;
/// Most flavors of one image version.
pub const MAX_FLAVORS: usize = 256;

/// Refuses more definitions than anybody has: every flavor is compared in each of them.
pub fn limit_definitions(definitions: &[Definition<'_>]) -> Result<(), Refusal> {
    limit("spec.machineCapabilities", definitions.len(), MAX_DEFINITIONS)
}

/// Refuses more flavors of an image version than anybody has: they are compared with each other, and with every
/// machine type.
pub fn limit_flavors(flavors: usize) -> Result<(), Refusal> {
    limit("capabilityFlavors of an image version", flavors, MAX_FLAVORS)
}

fn limit(what: &'static str, count: usize, limit: usize) -> Result<(), Refusal> {
    if count > limit { Err(Refusal::TooMany { what, count, limit }) } else { Ok(()) }
}

/// A capability that a CloudProfile defines, with its possible values.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(default)]
pub struct Definition<'a> {
    /// Name.
    pub name: &'a str,
    /// Possible values.
    #[serde(borrow)]
    pub values: Vec<&'a str>,
}

/// What a flavor stands for: each defined capability with its values, or all values where it names none.
pub fn with_defaults<'a>(flavor: &Capabilities<'a>, definitions: &[Definition<'a>]) -> Capabilities<'a> {
    definitions
        .iter()
        .map(|definition| (definition.name, flavor.get(definition.name).unwrap_or(&definition.values).clone()))
        .collect()
}

/// Each flavor with its defaults; no flavor at all stands for one with all values.
pub fn all_with_defaults<'a>(
    flavors: &[Capabilities<'a>],
    definitions: &[Definition<'a>],
) -> Vec<Capabilities<'a>> {
    if flavors.is_empty() {
        return vec![with_defaults(&Capabilities::new(), definitions)];
    }
    flavors.iter().map(|flavor| with_defaults(flavor, definitions)).collect()
}

/// The capabilities as sets: equal texts where the same values are given, in any order.
pub fn normalize(capabilities: &Capabilities<'_>) -> String {
    let mut text = String::new();
    for (name, values) in capabilities.iter() {
        text.push_str(&quote(name));
        for value in values.iter().copied().collect::<NameSet<'_>>().iter() {
            text.push(' ');
            text.push_str(&quote(value));
        }
        text.push('\n');
    }
    text
}

/// Whether both share a value of every defined capability.
pub fn are_compatible(a: &Capabilities<'_>, b: &Capabilities<'_>, definitions: &[Definition<'_>]) -> bool {
    definitions.iter().all(|definition| {
        let values = a.get(definition.name).unwrap_or(&definition.values);
        let others = b.get(definition.name).unwrap_or(&definition.values);
        values.iter().any(|value| others.contains(value))
    })
}

/// As Go prints a map: `map[architecture:[amd64] disk:[nvme scsi]]`.
pub fn render(capabilities: &Capabilities<'_>) -> String {
    let entries: Vec<String> =
        capabilities.iter().map(|(name, values)| format!("{name}:[{}]", values.join(" "))).collect();
    format!("map[{}]", entries.join(" "))
}

/// Checks the capabilities of an image flavor at `path` against their definitions.
pub fn validate(
    rule: &'static Rule,
    capabilities: &Capabilities<'_>,
    definitions: &[Definition<'_>],
    path: &Path<'_>,
    report: &mut Report<'_>,
) {
    let defined: NameMap<'_, &[&str]> =
        definitions.iter().map(|definition| (definition.name, definition.values.as_slice())).collect();
    for (name, values) in capabilities.iter() {
        let Some(possible) = defined.get(name) else {
            report.error(rule, path, ErrorType::NotSupported, supported(defined.names())).remedy(format!(
                "Remove `{name}`: the CloudProfile's `spec.machineCapabilities` does not define it."
            ));
            continue;
        };
        for (index, value) in values.iter().enumerate().filter(|(_, value)| !possible.contains(value)) {
            report
                .error(
                    rule,
                    &path.key(name).index(index),
                    ErrorType::NotSupported,
                    supported(possible.iter().copied()),
                )
                .remedy(format!(
                    "Replace `{value}` by a value that `spec.machineCapabilities` defines for `{name}`."
                ));
        }
    }
    let several = defined.get(ARCHITECTURE).is_some_and(|values| values.len() > 1);
    if several && capabilities.get(ARCHITECTURE).is_none_or(|values| values.len() != 1) {
        report.error(
            rule,
            &path.key(ARCHITECTURE),
            ErrorType::Invalid,
            "must define exactly one architecture when multiple architectures are supported by the cloud profile",
        );
    }
}

fn supported<'a>(values: impl Iterator<Item = &'a str>) -> String {
    let quoted: Vec<String> = values.map(quote).collect();
    if quoted.is_empty() {
        return String::new();
    }
    let sorted: NameSet<'_> = quoted.iter().map(String::as_str).collect();
    format!("supported values: {}", sorted.iter().collect::<Vec<_>>().join(", "))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn definitions() -> Vec<Definition<'static>> {
        vec![
            Definition { name: "architecture", values: vec!["amd64", "arm64"] },
            Definition { name: "disk", values: vec!["nvme", "scsi"] },
        ]
    }

    #[test]
    fn defaults_keep_defined_names_only_and_fill_in_all_values() {
        let flavor = Capabilities::from([("architecture", vec!["arm64"]), ("other", vec!["x"]), ("disk", vec![])]);
        assert_eq!(render(&with_defaults(&flavor, &definitions())), "map[architecture:[arm64] disk:[]]");
        assert_eq!(
            render(&all_with_defaults(&[], &definitions())[0]),
            "map[architecture:[amd64 arm64] disk:[nvme scsi]]"
        );
    }

    #[test]
    fn compatibility_needs_a_common_value_of_every_capability() {
        let image = Capabilities::from([("architecture", vec!["amd64"])]);
        let arm = Capabilities::from([("architecture", vec!["arm64"])]);
        let nvme = Capabilities::from([("disk", vec!["nvme"])]);
        assert!(!are_compatible(&image, &arm, &definitions()));
        assert!(are_compatible(&image, &nvme, &definitions()));
        assert!(are_compatible(&image, &arm, &[]));
    }
}
