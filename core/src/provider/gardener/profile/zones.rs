//! The zones of a pool.

use super::{Check, Pool};
use crate::provider::gardener::fields::{items, named, supported, text, texts};
use crate::provider::gardener::rules::profile as rules;
use crate::provider::gardener::structure::nearest::{by_likeness, offer};
use crate::report::{ErrorType, Report};

/// Judges the zones of a pool.
pub fn judge(check: &Check<'_>, pool: &Pool<'_, '_>, report: &mut Report<'_>) {
    if !check.is_region_changed() && !pool.is_changed(&[&["zones"]]) {
        return;
    }
    let offered = check.region_of_profile().map(|region| items(region, &["zones"])).unwrap_or_default();
    let zones = pool.path.key("zones");
    let cause = report.error_at("/spec/region");
    let mut seen: Vec<&str> = Vec::new();
    for (index, zone) in texts(items(pool.worker, &["zones"])).enumerate() {
        let path = zones.index(index);
        if offered.is_empty() {
            let detail = "this region does not support availability zones, please do not configure them";
            let entry = report.error(&rules::ADM_ZONE_001, &path, ErrorType::Invalid, detail);
            if check.region_of_profile().is_none() {
                let entry =
                    entry.remedy("Fix `region` first: the profile has no such region, and so no zones of it.");
                if let Some(cause) = &cause {
                    entry.caused_by(cause);
                }
            }
        } else if named(offered, zone).is_none() {
            let detail = supported(offered.iter().map(|zone| text(zone, &["name"])));
            let entry = report.error(&rules::ADM_ZONE_002, &path, ErrorType::NotSupported, detail);
            let is_free = |name: &&str| !texts(items(pool.worker, &["zones"])).any(|own| own == *name);
            let free: Vec<&str> = offered.iter().map(|zone| text(zone, &["name"])).filter(is_free).collect();
            offer(entry, zone, &free, by_likeness);
        }
        if seen.contains(&zone) {
            report.error(&rules::ADM_ZONE_003, &path, ErrorType::Duplicate, "");
        }
        seen.push(zone);
    }
}
