//! The capabilities that a CloudProfile defines, and the flavors of images that are read by them.
//!
//! Source: the helpers of Gardener's library for machine capabilities.

use crate::collections::{NameMap, NameSet};
use crate::document::Path;
use crate::gardener::types::capabilities::{ARCHITECTURE, Capabilities, Definition};
use crate::policy::RequestError;
use crate::report::{ErrorType, Report, Rule, Severity};
use crate::text::{Supported, join, quote};

/// Most capabilities that a CloudProfile may define. Real landscapes define a handful.
pub const MAX_DEFINITIONS: usize = 64;
/// Most values that the capabilities of a CloudProfile have together, and those of a machine type.
pub const MAX_VALUES: usize = 1_024;
/// Most flavors of an image version: the number of bits in the integer that holds a set of flavors.
pub const MAX_FLAVORS: usize = 128;

/// Refuses an image version with more flavors than `MAX_FLAVORS`.
pub fn limit_flavors(flavors: usize) -> Result<(), RequestError> {
    limit("capabilityFlavors of an image version", flavors, MAX_FLAVORS)
}

/// Refuses a machine type with more values than [`MAX_VALUES`]: the choice of an image looks up each of them for
/// each version.
pub fn limit_machine(capabilities: &Capabilities<'_>) -> Result<(), RequestError> {
    let values = capabilities.iter().map(|(_, values)| values.len()).sum();
    limit("values of the capabilities of a machine type", values, MAX_VALUES)
}

fn limit(what: &'static str, count: usize, limit: usize) -> Result<(), RequestError> {
    if count > limit { Err(RequestError::TooMany { what, count, unit: "entries", limit }) } else { Ok(()) }
}

/// The capabilities that a CloudProfile defines, prepared once for all flavors. Of several definitions with one
/// name the last counts.
#[derive(Debug, Default)]
pub struct Definitions<'d, 'a>(NameMap<'a, Defined<'d, 'a>>);

/// The possible values of a capability, as they are listed and as a set.
#[derive(Debug)]
struct Defined<'d, 'a> {
    listed: &'d [&'a str],
    set: NameSet<'a>,
}

impl<'a> Defined<'_, 'a> {
    /// The values in order; one that is defined twice comes twice.
    fn sorted(&self) -> Vec<&'a str> {
        let mut values = self.listed.to_vec();
        values.sort_unstable();
        values
    }
}

impl<'d, 'a> Definitions<'d, 'a> {
    /// Prepares definitions. Refuses too many of them, for a finding may print all.
    pub fn new(definitions: &'d [Definition<'a>]) -> Result<Self, RequestError> {
        limit_definitions(definitions)?;
        let defined = |definition: &'d Definition<'a>| Defined {
            listed: &definition.values,
            set: definition.values.iter().copied().collect(),
        };
        Ok(Self(definitions.iter().map(|definition| (definition.name, defined(definition))).collect()))
    }

    /// Whether the CloudProfile defines no capability.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The values that a flavor has of a defined capability: its own ones, or all values where it does not name
    /// the capability.
    pub fn values<'f>(&'f self, flavor: &'f Capabilities<'a>, name: &str) -> &'f [&'a str] {
        self.0.get(name).map_or(&[], |defined| flavor.get(name).map_or(defined.listed, Vec::as_slice))
    }

    /// Each defined capability with the values that a flavor has of it.
    pub fn with_defaults(&self, flavor: &Capabilities<'a>) -> Capabilities<'a> {
        self.0.names().map(|name| (name, self.values(flavor, name).to_vec())).collect()
    }

    /// A text that is equal for two flavors which have the same sets of values. It leaves out what equals the
    /// defaults, so that it is no longer than the flavor.
    pub fn normalize(&self, flavor: &Capabilities<'a>) -> String {
        let mut text = String::new();
        for (name, values) in flavor.iter() {
            let Some(defined) = self.0.get(name) else { continue };
            let own: NameSet<'_> = values.iter().copied().collect();
            if own == defined.set {
                continue;
            }
            text.push_str(&quote(name));
            for value in own.iter() {
                text.push(' ');
                text.push_str(&quote(value));
            }
            text.push('\n');
        }
        text
    }
}

/// Refuses more definitions or more values than the limits: every image version is compared in each of them.
pub fn limit_definitions(definitions: &[Definition<'_>]) -> Result<(), RequestError> {
    limit("spec.machineCapabilities", definitions.len(), MAX_DEFINITIONS)?;
    let values = definitions.iter().map(|definition| definition.values.len()).sum();
    limit("values of spec.machineCapabilities", values, MAX_VALUES)
}

/// Capabilities as Go prints a map: `map[architecture:[amd64] disk:[nvme scsi]]`.
pub fn render(capabilities: &Capabilities<'_>) -> String {
    let mut text = String::from("map[");
    for (index, (name, values)) in capabilities.iter().enumerate() {
        text.push_str(if index == 0 { "" } else { " " });
        text.push_str(name);
        text.push_str(":[");
        text.push_str(&join(values, " "));
        text.push(']');
    }
    text.push(']');
    text
}

/// The rules on the capabilities of an image flavor.
#[derive(Debug)]
pub struct CapabilityRules {
    /// A flavor names capabilities that the CloudProfile defines.
    pub defined: &'static Rule,
    /// A flavor has values that the CloudProfile defines for them.
    pub values: &'static Rule,
    /// Of several architectures a flavor has one.
    pub architecture: &'static Rule,
}

impl CapabilityRules {
    /// One rule that says all of this.
    pub const fn one(rule: &'static Rule) -> Self {
        Self { defined: rule, values: rule, architecture: rule }
    }
}

/// Checks the capabilities of an image flavor at `path` against their definitions.
pub fn check_capabilities(
    rules: &CapabilityRules,
    capabilities: &Capabilities<'_>,
    Definitions(definitions): &Definitions<'_, '_>,
    path: &Path<'_>,
    report: &mut Report<'_>,
) {
    let mut all_defined = true;
    for (name, values) in capabilities.iter() {
        let Some(possible) = definitions.get(name) else {
            // A second finding would have the same words.
            if all_defined {
                report.error(rules.defined, path, ErrorType::NotSupported, supported(definitions.names())).remedy(
                    format!("Remove `{name}`: the CloudProfile's `spec.machineCapabilities` does not define it."),
                );
            }
            all_defined = false;
            continue;
        };
        for (index, value) in values.iter().enumerate().filter(|(_, value)| !possible.set.contains(value)) {
            if report.is_full(Severity::Error) {
                return;
            }
            report
                .error(
                    rules.values,
                    &path.key(name).index(index),
                    ErrorType::NotSupported,
                    supported(possible.sorted().into_iter()),
                )
                .remedy(format!(
                    "Replace `{value}` by a value that `spec.machineCapabilities` defines for `{name}`."
                ));
        }
    }
    let several = definitions.get(ARCHITECTURE).is_some_and(|values| values.listed.len() > 1);
    if several && capabilities.get(ARCHITECTURE).is_none_or(|values| values.len() != 1) {
        report.error(
            rules.architecture,
            &path.key(ARCHITECTURE),
            ErrorType::Invalid,
            "must define exactly one architecture when multiple architectures are supported by the cloud profile",
        );
    }
}

/// The detail of a finding on a value that is none of these.
pub(super) fn supported<'a>(values: impl Iterator<Item = &'a str>) -> String {
    let mut supported = Supported::default();
    values.for_each(|value| supported.add(value));
    supported.words()
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
        let definitions = definitions();
        let definitions = Definitions::new(&definitions).unwrap();
        let flavor = Capabilities::from([("architecture", vec!["arm64"]), ("other", vec!["x"]), ("disk", vec![])]);
        assert_eq!(render(&definitions.with_defaults(&flavor)), "map[architecture:[arm64] disk:[]]");
        assert_eq!(
            render(&definitions.with_defaults(&Capabilities::new())),
            "map[architecture:[amd64 arm64] disk:[nvme scsi]]"
        );
    }

    #[test]
    fn flavors_are_the_same_where_they_stand_for_the_same_sets() {
        let definitions = definitions();
        let definitions = Definitions::new(&definitions).unwrap();
        let normalize = |name, values| definitions.normalize(&Capabilities::from([(name, values)]));
        let all = definitions.normalize(&Capabilities::new());
        assert_eq!(normalize("disk", vec!["scsi", "nvme", "scsi"]), all);
        assert_eq!(normalize("other", vec!["x"]), all);
        assert_eq!(normalize("disk", vec!["scsi", "scsi"]), normalize("disk", vec!["scsi"]));
        for other in [normalize("disk", vec![]), normalize("disk", vec!["nvme"]), all] {
            assert_ne!(normalize("disk", vec!["scsi"]), other);
        }
        assert_ne!(normalize("disk", vec!["a b"]), normalize("disk", vec!["a", "b"]));
    }
}
