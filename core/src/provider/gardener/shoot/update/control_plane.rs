//! How the availability of a control plane may change (GDN-UPD-080, 081).

use super::Change;
use crate::document::Value;
use crate::provider::gardener::fields::text;
use crate::provider::gardener::rules::update as rules;
use crate::provider::gardener::shoot::placement::FAILURE_TOLERANCE;
use crate::report::{ErrorType, Report};

const AVAILABILITY: &[&str] = &["spec", "controlPlane", "highAvailability"];

/// Judges the change of the availability.
pub fn judge(change: &Change<'_>, report: &mut Report<'_>) {
    let (before, after) = change.at(AVAILABILITY);
    let tolerated = |availability: Option<&'_ Value<'_>>| {
        availability.map(|availability| text(availability, &["failureTolerance", "type"]).to_owned())
    };
    match (tolerated(before), tolerated(after)) {
        (None, Some(_)) if change.check.is_hibernated() => {
            let detail = "Shoot is currently hibernated and cannot be scaled up to HA. Please make sure your cluster \
                          has woken up before scaling it up to HA";
            report.error(&rules::GDN_UPD_080, &FAILURE_TOLERANCE, ErrorType::Forbidden, detail);
        }
        (Some(before), after)
            if change.new.at(&["spec", "seedName"]).is_some()
                && before != after.as_deref().unwrap_or_default() =>
        {
            report.error(&rules::GDN_UPD_081, &FAILURE_TOLERANCE, ErrorType::Invalid, "field is immutable");
        }
        _ => {}
    }
}
