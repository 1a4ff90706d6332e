//! Images with an id in each region: rules on how a version lists them.

use super::capabilities::{CapabilityRules, Definitions, check_capabilities, supported};
use super::mapping::{Mapping, RegionImage};
use crate::document::Path;
use crate::gardener::types::capabilities::{ARCHITECTURE, ARCHITECTURES};
use crate::report::{ErrorType, Report, Rule, Severity};

/// The rules on how a version lists its images, and what differs between clouds.
#[derive(Debug)]
pub struct RegionRules {
    /// A version has `regions` or `capabilityFlavors`, not both.
    pub one_form: OneForm,
    /// A flavor offers what the CloudProfile defines.
    pub capabilities: CapabilityRules,
    /// A list of regions has an entry; none where the list may be empty.
    pub regions: Option<&'static Rule>,
    /// An entry names its region.
    pub region: &'static Rule,
    /// An entry has an id.
    pub id: &'static Rule,
    /// The key of the id, such as `id`.
    pub id_key: &'static str,
    /// The words for an entry without id.
    pub id_missing: &'static str,
    /// What an entry says of its architecture; none where entries say nothing of that.
    pub architecture: Option<RegionArchitecture>,
    /// A CloudProfile without capabilities has no flavors.
    pub flavors: &'static Rule,
}

/// The rule that a version has one of the two forms.
#[derive(Debug)]
pub struct OneForm {
    /// The rule.
    pub rule: &'static Rule,
    /// The key of the version that the finding is at; none where the finding is at the version.
    pub key: Option<&'static str>,
    /// The words for a version with both forms.
    pub detail: &'static str,
}

/// The rules on the architecture of an entry.
#[derive(Debug)]
pub struct RegionArchitecture {
    /// An entry names an architecture that Gardener knows.
    pub known: &'static Rule,
    /// An entry of a flavor names none.
    pub in_flavor: &'static Rule,
    /// The words for an entry of a flavor that names one.
    pub in_flavor_detail: &'static str,
}

/// Checks the images of a version, given with its image. Without `definitions` nobody knows whether the
/// CloudProfile defines capabilities, and which of the two forms is right; then what is written must be complete.
pub fn check_regions(
    version: [&str; 2],
    mapping: &Mapping<'_, '_>,
    definitions: Option<&Definitions<'_, '_>>,
    rules: &RegionRules,
    path: &Path<'_>,
    report: &mut Report<'_>,
) {
    let flavors = path.key("capabilityFlavors");
    let mut check = RegionCheck { version, rules, report };
    let Some(definitions) = definitions else {
        if !mapping.regions.is_empty() {
            check.version_regions(&mapping.regions, path);
        }
        for (index, (_, regions)) in mapping.flavors.iter().enumerate() {
            check.flavor_regions(regions, &flavors.index(index));
        }
        return;
    };
    if definitions.is_empty() {
        check.version_regions(&mapping.regions, path);
        if !mapping.flavors.is_empty() {
            let detail = "must not be set as CloudProfile does not define capabilities. Use regions instead.";
            check.report.error(rules.flavors, &flavors, ErrorType::Forbidden, detail);
        }
        return;
    }
    if !mapping.regions.is_empty() && !mapping.flavors.is_empty() {
        let OneForm { rule, key, detail } = rules.one_form;
        let place = key.map_or(*path, |key| path.key(key));
        check.report.error(rule, &place, ErrorType::Forbidden, detail);
        return;
    }
    for (index, (capabilities, regions)) in mapping.flavors.iter().enumerate() {
        if check.report.is_full(Severity::Error) {
            return;
        }
        let path = flavors.index(index);
        let place = path.key("capabilities");
        check_capabilities(&rules.capabilities, capabilities, definitions, &place, check.report);
        check.flavor_regions(regions, &path);
    }
    if mapping.flavors.is_empty() {
        check.version_regions(&mapping.regions, path);
    }
}

struct RegionCheck<'p, 'r, 'd> {
    version: [&'p str; 2],
    rules: &'p RegionRules,
    report: &'r mut Report<'d>,
}

impl RegionCheck<'_, '_, '_> {
    fn version_regions(&mut self, regions: &[RegionImage<'_>], version: &Path<'_>) {
        self.regions(regions, version, |rules, image, path, report| {
            if !ARCHITECTURES.contains(&image.architecture()) {
                let detail = supported(ARCHITECTURES.into_iter());
                report.error(rules.known, path, ErrorType::NotSupported, detail);
            }
        });
    }

    fn flavor_regions(&mut self, regions: &[RegionImage<'_>], flavor: &Path<'_>) {
        self.regions(regions, flavor, |rules, image, path, report| {
            if image.architecture.is_some() {
                let detail = rules.in_flavor_detail;
                report.error(rules.in_flavor, path, ErrorType::Forbidden, detail).fix_removal();
            }
        });
    }

    fn regions(
        &mut self,
        regions: &[RegionImage<'_>],
        base: &Path<'_>,
        architecture: fn(&RegionArchitecture, &RegionImage<'_>, &Path<'_>, &mut Report<'_>),
    ) {
        let Self { version: [image, version], rules, report } = self;
        let path = base.key("regions");
        if let (true, Some(rule)) = (regions.is_empty(), rules.regions) {
            let detail = format!(
                "must provide at least one region for machine image \"{image}\" and version \"{version}\""
            );
            report.error(rule, &path, ErrorType::Required, detail);
        }
        for (index, region) in regions.iter().enumerate() {
            if report.is_full(Severity::Error) {
                return;
            }
            let path = path.index(index);
            if region.region.is_empty() {
                report.error(rules.region, &path.key("name"), ErrorType::Required, "must provide a name");
            }
            if region.id.is_empty() {
                report.error(rules.id, &path.key(rules.id_key), ErrorType::Required, rules.id_missing);
            }
            if let Some(rules) = &rules.architecture {
                architecture(rules, region, &path.key(ARCHITECTURE), report);
            }
        }
    }
}
