//! The machine types of a profile (GDN-CPR-070 to 081).

use super::capabilities::{Definitions, values};
use super::names;
use crate::collections::NameSet;
use crate::document::{Path, Value};
use crate::gardener::types::capabilities::{ARCHITECTURE, ARCHITECTURES};
use crate::provider::gardener::fields::{is_negative, supported, text};
use crate::provider::gardener::rules::machine_offers as rules;
use crate::provider::gardener::structure::nearest::{by_likeness, offer};
use crate::report::{ErrorType, Report};
use crate::text::join;

const NOT_NEGATIVE: &str = "must be greater than or equal to 0";

/// Says that a profile has no machine type.
pub fn missing(path: &Path<'_>, report: &mut Report<'_>) {
    report.error(&rules::GDN_CPR_070, path, ErrorType::Required, "must provide at least one machine type");
}

/// Judges machine types as far as they have to be right in a NamespacedCloudProfile, too.
pub fn judge(definitions: &Definitions<'_>, types: &[Value<'_>], path: &Path<'_>, report: &mut Report<'_>) {
    let mut seen = NameSet::new();
    for (index, machine) in types.iter().enumerate() {
        let (name, entry) = (text(machine, &["name"]), path.index(index));
        let place = entry.key("name");
        if name.is_empty() {
            report.error(&rules::GDN_CPR_071, &place, ErrorType::Required, "must provide a name");
        } else if let Some(detail) = names::fault("machine type name", name) {
            report.error(&rules::GDN_CPR_071, &place, ErrorType::Invalid, detail);
        }
        if seen.insert(name) {
            amounts(machine, &entry, report);
            architecture(definitions, machine, &entry, report);
        } else {
            report.error(&rules::GDN_CPR_072, &place, ErrorType::Duplicate, "");
        }
        if let Some(storage) = machine.get("storage") {
            self::storage(storage, &entry.key("storage"), report);
        }
    }
}

fn amounts(machine: &Value<'_>, path: &Path<'_>, report: &mut Report<'_>) {
    for key in ["cpu", "gpu", "memory"] {
        if is_negative(machine, &[key]) {
            report.error(&rules::GDN_CPR_073, &path.key(key), ErrorType::Invalid, NOT_NEGATIVE);
        }
    }
}

fn architecture(definitions: &Definitions<'_>, machine: &Value<'_>, path: &Path<'_>, report: &mut Report<'_>) {
    let (own, place) = (text(machine, &["architecture"]), path.key("architecture"));
    let all = path.key("capabilities");
    let capabilities = machine.get("capabilities");
    if !definitions.is_empty() {
        match values(capabilities.and_then(|own| own.get(ARCHITECTURE))).as_slice() {
            [one] if !own.is_empty() && own != *one => {
                let detail = join(
                    &[
                        "machine type architecture (",
                        own,
                        ") conflicts with the capability architecture (",
                        one,
                        ")",
                    ],
                    "",
                );
                report
                    .error(&rules::GDN_CPR_075, &place, ErrorType::Invalid, detail)
                    .fix_value(&Value::string((*one).to_owned()));
            }
            [_, _, ..] => {
                let detail = "must not define more than one architecture";
                report.error(&rules::GDN_CPR_074, &all.key(ARCHITECTURE), ErrorType::Invalid, detail);
            }
            _ => {}
        }
    }
    if !own.is_empty() && !ARCHITECTURES.contains(&own) {
        let detail = supported(ARCHITECTURES.into_iter());
        let entry = report.error(&rules::GDN_CPR_076, &place, ErrorType::NotSupported, detail);
        offer(entry, own, &ARCHITECTURES, by_likeness);
    }
    if !definitions.is_empty() {
        definitions.judge(&rules::GDN_CPR_077, capabilities, &all, report);
    }
}

fn storage(storage: &Value<'_>, path: &Path<'_>, report: &mut Report<'_>) {
    let has = |key| storage.get(key).is_some();
    let detail = match (has("size"), has("minSize")) {
        (false, false) => "must either configure \"size\" or \"minSize\"",
        (true, true) => "not allowed to configure both \"size\" and \"minSize\"",
        _ => {
            for key in ["size", "minSize"] {
                if is_negative(storage, &[key]) {
                    report.error(&rules::GDN_CPR_079, &path.key(key), ErrorType::Invalid, NOT_NEGATIVE);
                }
            }
            return;
        }
    };
    report.error(&rules::GDN_CPR_078, path, ErrorType::Invalid, detail);
}

/// Judges the rest of the machine types of a whole profile.
pub fn judge_whole(definitions: &Definitions<'_>, types: &[Value<'_>], path: &Path<'_>, report: &mut Report<'_>) {
    if !definitions.is_empty() {
        return;
    }
    for (index, machine) in types.iter().enumerate() {
        let entry = path.index(index);
        if text(machine, &["architecture"]).is_empty() {
            let detail = "must provide an architecture";
            report.error(&rules::GDN_CPR_080, &entry.key("architecture"), ErrorType::Required, detail);
        }
        let capabilities = machine.get("capabilities");
        if !crate::kube::names::entries(capabilities).is_empty() {
            let detail = "must not provide capabilities without global definition";
            report.error(&rules::GDN_CPR_081, &entry.key("capabilities"), ErrorType::Forbidden, detail);
        }
    }
}
