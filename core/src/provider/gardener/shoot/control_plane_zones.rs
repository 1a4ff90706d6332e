//! The zones of a control plane (GDN-CPZ).

use super::Check;
use crate::collections::NameSet;
use crate::document::{Path, Value};
use crate::provider::gardener::fields::{items, text, texts};
use crate::provider::gardener::rules::spec as rules;
use crate::report::{ErrorType, Report};

pub const ZONES: Path<'_> = Path::root("spec.controlPlane.zones", "/spec/controlPlane/zones");
const TOLERANCE: &[&str] = &["spec", "controlPlane", "highAvailability", "failureTolerance", "type"];

/// The zones that a Shoot names for its control plane.
pub fn zones<'v, 'a>(shoot: &'v Value<'a>) -> &'v [Value<'a>] {
    items(shoot, &["spec", "controlPlane", "zones"])
}

/// Whether the control plane tolerates that a zone fails.
pub fn tolerates_zones(shoot: &Value<'_>) -> bool {
    text(shoot, TOLERANCE) == "zone"
}

/// Judges the zones. An older release has no such field.
pub fn judge(check: &Check<'_>, report: &mut Report<'_>) {
    let zones = zones(check.shoot);
    if zones.is_empty() || !check.garden.is_from(150) {
        return;
    }
    let mut seen = NameSet::default();
    for (index, zone) in texts(zones).enumerate() {
        if !seen.insert(zone) {
            report.error(&rules::GDN_CPZ_001, &ZONES.index(index), ErrorType::Duplicate, "").fix_removal();
        }
    }
    let distinct = seen.iter().count();
    if tolerates_zones(check.shoot) {
        if distinct != 3 {
            let detail = "exactly 3 unique zones must be specified when failure tolerance type is 'zone'";
            report.error(&rules::GDN_CPZ_002, &ZONES, ErrorType::Invalid, detail);
        }
    } else if distinct != 1 {
        let detail = "exactly 1 zone must be specified when failure tolerance type is not 'zone'";
        report.error(&rules::GDN_CPZ_003, &ZONES, ErrorType::Invalid, detail);
    }
}
