//! Advice on CloudProfiles.

use crate::collections::NameSet;
use crate::document::Path;
use crate::gardener::images::KnownRegions;
use crate::gardener::types::cloud_profile::CloudProfile;
use crate::provider::azure::api::CloudProfileConfig;
use crate::provider::azure::rules::profile_advice as rules;
use crate::provider::azure::validate::image_mappings::CONFIG;
use crate::report::{Report, Severity};

/// Looks at a CloudProfile with its configuration.
pub fn cloud_profile(profile: &CloudProfile<'_>, config: &CloudProfileConfig<'_>, report: &mut Report<'_>) {
    let known = KnownRegions::of(profile, &rules::ADV_031);
    let faults = config.count_fault_domains.as_deref().unwrap_or_default();
    let updates = config.count_update_domains.as_deref().unwrap_or_default();
    for &(key, counts) in &[("countFaultDomains", faults), ("countUpdateDomains", updates)] {
        let path = CONFIG.key(key);
        for (index, entry) in counts.iter().enumerate() {
            known.check(entry.region, &path.index(index).key("region"), report);
        }
    }
    let counted: NameSet<'_> = faults.iter().map(|entry| entry.region).collect();
    for region in profile.spec.regions.iter().map(|region| region.name) {
        // Without any count there is an error.
        if faults.is_empty() || report.is_full(Severity::Warning) {
            break;
        }
        if !counted.contains(region) {
            let detail = format!("region {region} of spec.regions has no fault domains");
            report.warn(&rules::ADV_032, &CONFIG.key("countFaultDomains"), detail);
        }
    }
    machine_types(profile, config, &CONFIG.key("machineTypes"), report);
}

fn machine_types(
    profile: &CloudProfile<'_>,
    config: &CloudProfileConfig<'_>,
    path: &Path<'_>,
    report: &mut Report<'_>,
) {
    let offered = profile.machine_names();
    for (index, machine) in config.machine_types.iter().enumerate() {
        if report.is_full(Severity::Warning) {
            return;
        }
        if !offered.contains(machine.name) {
            let detail = format!("machine type {} is not in spec.machineTypes", machine.name);
            report.warn(&rules::ADV_033, &path.index(index).key("name"), detail);
        }
    }
}
