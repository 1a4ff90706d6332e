//! The volume types of a profile (GDN-CPR-085 to 087).

use super::names;
use crate::collections::NameSet;
use crate::document::{Path, Value};
use crate::provider::gardener::fields::{is_negative, text};
use crate::provider::gardener::rules::machine_offers as rules;
use crate::report::{ErrorType, Report};

/// Judges volume types. One that is there twice ends the judging, as it does in Gardener.
pub fn judge(types: &[Value<'_>], path: &Path<'_>, report: &mut Report<'_>) {
    let mut seen = NameSet::new();
    for (index, volume) in types.iter().enumerate() {
        let entry = path.index(index);
        let name = text(volume, &["name"]);
        if name.is_empty() {
            let place = entry.key("name");
            report.error(&rules::GDN_CPR_085, &place, ErrorType::Required, "must provide a name");
        } else if let Some(detail) = names::fault("volume type name", name) {
            report.error(&rules::GDN_CPR_085, &entry.key("name"), ErrorType::Invalid, detail);
        }
        if !seen.insert(name) {
            report
                .error(&rules::GDN_CPR_085, &entry.key("name"), ErrorType::Duplicate, "")
                .remedy("Remove one of the two entries, or give it another name.");
            return;
        }
        let class = text(volume, &["class"]);
        if class.is_empty() {
            report.error(&rules::GDN_CPR_086, &entry.key("class"), ErrorType::Required, "must provide a class");
        } else if let Some(detail) = names::fault("volume class", class) {
            report.error(&rules::GDN_CPR_086, &entry.key("class"), ErrorType::Invalid, detail);
        }
        if is_negative(volume, &["minSize"]) {
            let detail = "must be greater than or equal to 0";
            report.error(&rules::GDN_CPR_087, &entry.key("minSize"), ErrorType::Invalid, detail);
        }
    }
}
