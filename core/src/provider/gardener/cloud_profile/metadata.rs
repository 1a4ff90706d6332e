//! The metadata of profiles: as that of a Shoot, and with names of another form (GDN-META, GDN-UPD).

use crate::document::{Path, Value};
use crate::kube::names::{label_faults, subdomain_faults};
use crate::policy::Request;
use crate::provider::gardener::fields::text;
use crate::provider::gardener::rules::metadata as rules;
use crate::provider::gardener::shoot::{change_of_metadata, masked, rest_of_metadata};
use crate::report::{ErrorType, Report, Rule};

const METADATA: Path<'_> = Path::root("metadata", "/metadata");

/// Whether an object lies in a namespace.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Namespace {
    /// It lies in one. The API server takes it from the address of the request, where the object has none.
    Some,
    /// It lies in none.
    None,
}

/// Judges the metadata of a profile, on an update together with the old one.
pub fn judge(request: &Request<'_>, old: Option<&Value<'_>>, namespace: Namespace, report: &mut Report<'_>) {
    if let Some(old) = old {
        change_of_metadata(request, old, report);
    }
    let none = Value::Null;
    let metadata = request.object.get("metadata").unwrap_or(&none);
    let (beginning, name) = (text(metadata, &["generateName"]), text(metadata, &["name"]));
    if !beginning.is_empty() {
        let faults = subdomain_faults(&masked(beginning));
        each(&rules::GDN_META_001, faults, &METADATA.key("generateName"), report);
    }
    let path = METADATA.key("name");
    if !name.is_empty() {
        each(&rules::GDN_META_003, subdomain_faults(name), &path, report);
    } else if beginning.is_empty() {
        report.error(&rules::GDN_META_002, &path, ErrorType::Required, "name or generateName is required");
    }
    let (own, path) = (text(metadata, &["namespace"]), METADATA.key("namespace"));
    match namespace {
        Namespace::None if !own.is_empty() => {
            report
                .error(&rules::GDN_META_004, &path, ErrorType::Forbidden, "not allowed on this type")
                .fix_removal();
        }
        Namespace::Some if !own.is_empty() => each(&rules::GDN_META_005, label_faults(own), &path, report),
        _ => {}
    }
    rest_of_metadata(metadata, report);
}

fn each(rule: &'static Rule, faults: Vec<String>, path: &Path<'_>, report: &mut Report<'_>) {
    for fault in faults {
        report.error(rule, path, ErrorType::Invalid, fault);
    }
}
