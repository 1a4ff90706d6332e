//! Advice on CloudProfiles.

use crate::collections::NameSet;
use crate::document::Path;
use crate::gardener::checks::gathered::Gathered;
use crate::gardener::images::KnownRegions;
use crate::gardener::types::cloud_profile::CloudProfile;
use crate::provider::azure::api::CloudProfileConfig;
use crate::provider::azure::rules::profile_advice as rules;
use crate::provider::azure::validate::image_mappings::CONFIG;
use crate::report::Report;

/// Looks at a CloudProfile with its configuration.
pub fn cloud_profile<'v>(profile: &CloudProfile<'v>, config: &CloudProfileConfig<'v>, report: &mut Report<'_>) {
    let mut known = KnownRegions::of(profile, &rules::ADV_031);
    let faults = config.count_fault_domains.as_deref().unwrap_or_default();
    let updates = config.count_update_domains.as_deref().unwrap_or_default();
    for &(key, counts) in &[("countFaultDomains", faults), ("countUpdateDomains", updates)] {
        let path = CONFIG.key(key);
        for (index, entry) in counts.iter().enumerate() {
            known.check(entry.region, &path.index(index).key("region"));
        }
    }
    known.report(report);
    let counted: NameSet<'_> = faults.iter().map(|entry| entry.region).collect();
    let mut without = Gathered::new(&rules::ADV_032, |names, is_one| {
        if is_one {
            format!("region {names} of spec.regions has no fault domains")
        } else {
            format!("regions {names} of spec.regions have no fault domains")
        }
    });
    // Without any count there is an error.
    for region in profile.spec.regions.iter().filter(|_| !faults.is_empty()) {
        if !counted.contains(region.name) {
            without.add(region.name, &CONFIG.key("countFaultDomains"));
        }
    }
    without.report(report);
    machine_types(profile, config, &CONFIG.key("machineTypes"), report);
}

fn machine_types<'v>(
    profile: &CloudProfile<'v>,
    config: &CloudProfileConfig<'v>,
    path: &Path<'_>,
    report: &mut Report<'_>,
) {
    let offered = profile.machine_names();
    let mut others = Gathered::new(&rules::ADV_033, |names, is_one| {
        if is_one {
            format!("machine type {names} is not in spec.machineTypes")
        } else {
            format!("machine types {names} are not in spec.machineTypes")
        }
    });
    for (index, machine) in config.machine_types.iter().enumerate() {
        if !offered.contains(machine.name) {
            others.add(machine.name, &path.index(index).key("name"));
        }
    }
    others.report(report);
}
