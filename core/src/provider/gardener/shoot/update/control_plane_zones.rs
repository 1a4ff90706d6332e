//! How the zones of a control plane may change (GDN-UPD-120, 121).

use super::Change;
use crate::provider::gardener::fields::texts;
use crate::provider::gardener::rules::update as rules;
use crate::provider::gardener::shoot::control_plane_zones::{ZONES, tolerates_zones, zones};
use crate::report::{ErrorType, Report};

/// Judges the change of the zones.
pub fn judge(change: &Change<'_>, report: &mut Report<'_>) {
    if !change.check.garden.is_from(150) {
        return;
    }
    let listed = |shoot| texts(zones(shoot)).collect::<Vec<_>>();
    let (before, after) = (listed(change.old), listed(change.new));
    if before == after || after.is_empty() {
        return;
    }
    if !tolerates_zones(change.old) && tolerates_zones(change.new) && !before.is_empty() {
        if before.iter().any(|zone| !after.contains(zone)) {
            let detail = "existing zones cannot be removed when expanding for zone failure tolerance upgrade";
            report.error(&rules::GDN_UPD_120, &ZONES, ErrorType::Forbidden, detail);
        }
        return;
    }
    if before.is_empty() && change.check.is_update_of_manifest() {
        let why = "Gardener may have chosen zones where the old manifest names none, and they stay";
        report.undecided(&rules::GDN_UPD_121, why, None);
        return;
    }
    let entry = report.error(&rules::GDN_UPD_121, &ZONES, ErrorType::Forbidden, "field is immutable");
    match change.old.pointer(&ZONES.pointer()) {
        Some(zones) => entry.fix_value(zones),
        None => entry.fix_removal(),
    }
}
