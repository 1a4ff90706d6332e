//! The Seed of a Shoot, which an update of the Shoot does not choose (ADM-SCH-002, 004).

use super::Check;
use crate::document::Path;
use crate::provider::gardener::fields::text;
use crate::provider::gardener::rules::spec as rules;
use crate::provider::gardener::same::is_same_at;
use crate::report::Report;
use crate::text::join;

const SEED: Path<'_> = Path::root("spec.seedName", "/spec/seedName");

/// Judges the change of the Seed. Older releases put the old one back.
pub fn judge(check: &Check<'_>, report: &mut Report<'_>) {
    let Some(old) = check.old.filter(|_| check.garden.is_from(144) && !check.is_of_subresource()) else { return };
    let is_unchanged = ["spec", "metadata"].iter().all(|part| is_same_at(&[], &[part], old, check.shoot));
    let seed = |shoot| text(shoot, &["spec", "seedName"]);
    let (before, after) = (seed(old), seed(check.shoot));
    if is_unchanged || before == after || !check.names_profile() {
        return;
    }
    if before.is_empty() && check.is_update_of_manifest() {
        let why = "Gardener's scheduler chose a Seed that the old manifest does not name, and an update cannot choose another one";
        report.undecided(&rules::ADM_SCH_004, why, None);
    } else if after.is_empty() {
        let detail = join(&["spec.seedName is already set to '", before, "' and cannot be changed to 'nil'"], "");
        let entry = report.deny(&rules::ADM_SCH_002, "/spec/seedName", detail);
        entry
            .remedy(join(&["Write `seedName: ", before, "`."], ""))
            .fix_value(&crate::document::Value::string(before));
    } else {
        let before = if before.is_empty() { "nil" } else { before };
        let detail = join(
            &[
                "spec.seedName '",
                before,
                "' cannot be changed to '",
                after,
                "' by patching the shoot, please use the shoots/binding subresource",
            ],
            "",
        );
        let entry = report.deny(&rules::ADM_SCH_004, SEED.pointer().as_str(), detail);
        if before == "nil" {
            entry.fix_removal();
        } else {
            entry.fix_value(&crate::document::Value::string(before));
        }
    }
}
