//! The migration of a running control plane to another Seed (ADM-LIV-001 to 004).

use super::Check;
use crate::document::Path;
use crate::provider::gardener::fields::{is_true, text};
use crate::provider::gardener::rules::spec as rules;
use crate::report::{ErrorType, Report};

const ANNOTATION: &str = "migration.gardener.cloud/live-migrate";
const ANNOTATIONS: Path<'_> = Path::root("metadata.annotations", "/metadata/annotations");
const SEED: Path<'_> = Path::root("spec.seedName", "/spec/seedName");

/// Judges what a person asks for by the annotation. Nothing here judges what the Seeds themselves allow.
pub fn judge(check: &Check<'_>, report: &mut Report<'_>) {
    let asked = text(check.shoot, &["metadata", "annotations", ANNOTATION]);
    if !check.garden.is_from(148) || !is_true(asked) || !check.names_profile() {
        return;
    }
    let path = ANNOTATIONS.entry(ANNOTATION);
    if !check.is_gate_on("LiveControlPlaneMigration") {
        let detail = "the \"LiveControlPlaneMigration\" feature gate is disabled in gardener-apiserver";
        report.error(&rules::ADM_LIV_001, &path, ErrorType::Forbidden, detail).fix_removal();
        return;
    }
    let Some(old) = check.old else {
        let detail = "annotation must not be set on shoot creation";
        report.error(&rules::ADM_LIV_002, &path, ErrorType::Forbidden, detail).fix_removal();
        return;
    };
    let seed = |shoot| text(shoot, &["spec", "seedName"]);
    let (before, after) = (seed(old), seed(check.shoot));
    if before.is_empty() || after.is_empty() || before == after {
        return;
    }
    if check.shoot.at(&["spec", "controlPlane", "highAvailability"]).is_none() {
        let detail = "shoot control plane must be configured for high availability to perform a live control plane migration";
        report.error(&rules::ADM_LIV_003, &SEED, ErrorType::Forbidden, detail);
    }
    if check.is_hibernated() {
        let detail = "live control plane migration is not supported for hibernated or waking-up shoots";
        report.error(&rules::ADM_LIV_004, &SEED, ErrorType::Forbidden, detail);
    }
    report.undecided(
        &rules::ADM_LIV_006,
        "the two Seeds say whether the control plane can move, and nobody judges them here",
        None,
    );
}
