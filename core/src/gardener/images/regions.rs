//! Images with an id in each region: rules on how a version lists them.

use super::capabilities::{Definitions, check_capabilities};
use super::mapping::{Mapping, RegionImage};
use crate::document::Path;
use crate::report::{ErrorType, Report, Rule, Severity};

/// The rules on how a version lists its images, and the words that differ between clouds.
#[derive(Debug)]
pub struct RegionRules {
    /// A version has `regions` or `capabilityFlavors`, not both.
    pub one_form: &'static Rule,
    /// A flavor offers what the CloudProfile defines.
    pub capabilities: &'static Rule,
    /// A list of regions has an entry.
    pub regions: &'static Rule,
    /// An entry names its region.
    pub region: &'static Rule,
    /// An entry has an id.
    pub id: &'static Rule,
    /// The key of the id, such as `id`.
    pub id_key: &'static str,
    /// The words for an entry without id.
    pub id_missing: &'static str,
    /// A CloudProfile without capabilities has no flavors.
    pub flavors: &'static Rule,
}

/// Checks the images of a version, given with its image. Without `definitions` nobody knows whether the CloudProfile defines
/// capabilities, and which of the two forms is right; then what is written must be complete.
pub fn check_regions(
    version: [&str; 2],
    mapping: &Mapping<'_, '_>,
    definitions: Option<&Definitions<'_, '_>>,
    rules: &RegionRules,
    path: &Path<'_>,
    report: &mut Report<'_>,
) {
    let flavors = path.key("capabilityFlavors");
    let Some(definitions) = definitions else {
        if !mapping.regions.is_empty() {
            check_list(version, &mapping.regions, rules, path, report);
        }
        for (index, (_, regions)) in mapping.flavors.iter().enumerate() {
            check_list(version, regions, rules, &flavors.index(index), report);
        }
        return;
    };
    if definitions.is_empty() {
        check_list(version, &mapping.regions, rules, path, report);
        if !mapping.flavors.is_empty() {
            let detail = "must not be set as CloudProfile does not define capabilities. Use regions instead.";
            report.error(rules.flavors, &flavors, ErrorType::Forbidden, detail);
        }
        return;
    }
    if !mapping.regions.is_empty() && !mapping.flavors.is_empty() {
        let detail = "must not be set together with capabilityFlavors. Use one format per version.";
        report.error(rules.one_form, &path.key("regions"), ErrorType::Forbidden, detail);
        return;
    }
    for (index, (capabilities, regions)) in mapping.flavors.iter().enumerate() {
        if report.is_full(Severity::Error) {
            return;
        }
        let path = flavors.index(index);
        check_capabilities(rules.capabilities, capabilities, definitions, &path.key("capabilities"), report);
        check_list(version, regions, rules, &path, report);
    }
    if mapping.flavors.is_empty() {
        check_list(version, &mapping.regions, rules, path, report);
    }
}

fn check_list(
    [image, version]: [&str; 2],
    regions: &[RegionImage<'_>],
    rules: &RegionRules,
    base: &Path<'_>,
    report: &mut Report<'_>,
) {
    let path = base.key("regions");
    if regions.is_empty() {
        let detail =
            format!("must provide at least one region for machine image \"{image}\" and version \"{version}\"");
        report.error(rules.regions, &path, ErrorType::Required, detail);
    }
    for (index, region) in regions.iter().enumerate() {
        let path = path.index(index);
        if region.region.is_empty() {
            report.error(rules.region, &path.key("name"), ErrorType::Required, "must provide a name");
        }
        if region.id.is_empty() {
            report.error(rules.id, &path.key(rules.id_key), ErrorType::Required, rules.id_missing);
        }
    }
}
