//! Regions and zones of a CloudProfile (GDN-CPR-090 to 093).

use crate::collections::NameSet;
use crate::document::{Path, Value};
use crate::kube::names::labels_faults;
use crate::provider::gardener::fields::{items, text};
use crate::provider::gardener::rules::cloud_profile as rules;
use crate::report::{ErrorType, Report, Rule};

/// Judges regions.
pub fn judge(regions: &[Value<'_>], report: &mut Report<'_>) {
    let path = super::SPEC.key("regions");
    if regions.is_empty() {
        report.error(&rules::GDN_CPR_090, &path, ErrorType::Required, "must provide at least one region");
    }
    names(&rules::GDN_CPR_091, regions, "must provide a region name", &path, report);
    for (index, region) in regions.iter().enumerate() {
        let entry = path.index(index);
        let zones = items(region, &["zones"]);
        names(&rules::GDN_CPR_092, zones, "zone name cannot be empty", &entry.key("zones"), report);
        let place = entry.key("labels");
        for (key, fault) in labels_faults(region.get("labels")) {
            report.error(&rules::GDN_CPR_093, &place.hidden(key), ErrorType::Invalid, fault);
        }
    }
}

/// Judges whether each entry has a name of its own.
fn names(rule: &'static Rule, list: &[Value<'_>], missing: &str, path: &Path<'_>, report: &mut Report<'_>) {
    let mut seen = NameSet::new();
    for (index, one) in list.iter().enumerate() {
        let (name, entry) = (text(one, &["name"]), path.index(index));
        if name.is_empty() {
            report.error(rule, &entry.key("name"), ErrorType::Required, missing);
        } else if !seen.insert(name) {
            report.error(rule, &entry.key("name"), ErrorType::Duplicate, "");
        }
    }
}
