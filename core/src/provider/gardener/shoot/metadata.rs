//! The metadata of a Shoot (GDN-META).

use std::borrow::Cow;

use super::Check;
use crate::document::{Path, Value};
use crate::kube::names::{
    MOST_OF_ANNOTATIONS, annotations_faults, are_annotations_too_large, label_faults, labels_faults,
    qualified_faults,
};
use crate::provider::gardener::fields::{flag, integer, items, text, texts};
use crate::provider::gardener::rules::metadata as rules;
use crate::report::{ErrorType, Report, Reported, Rule};
use crate::text::join;

const METADATA: Path<'_> = Path::root("metadata", "/metadata");

/// The longest name of who manages fields, and the longest name of a part of an object, in bytes.
const MOST_OF_MANAGER: usize = 128;
const MOST_OF_SUBRESOURCE: usize = 256;

/// Judges the metadata.
pub fn judge(check: &Check<'_>, report: &mut Report<'_>) {
    let none = Value::Null;
    let metadata = check.shoot.at(&["metadata"]).unwrap_or(&none);
    names(metadata, report);
    rest(metadata, report);
    if text(metadata, &["name"]).contains("--") {
        let detail = "name may not contain two consecutive hyphens";
        report.error(&rules::GDN_META_013, &METADATA.key("name"), ErrorType::Invalid, detail);
    }
}

/// Judges the metadata of an object of any kind, without its names.
pub fn rest(metadata: &Value<'_>, report: &mut Report<'_>) {
    if integer(metadata, &["generation"]) < 0 {
        let detail = "must be greater than or equal to 0";
        report.error(&rules::GDN_META_006, &METADATA.key("generation"), ErrorType::Invalid, detail);
    }
    labels(&rules::GDN_META_007, metadata.get("labels"), &METADATA.key("labels"), report);
    annotations(&rules::GDN_META_008, metadata.get("annotations"), &METADATA.key("annotations"), report);
    owners(items(metadata, &["ownerReferences"]), report);
    finalizers(items(metadata, &["finalizers"]), report);
    managed_fields(items(metadata, &["managedFields"]), report);
}

fn names(metadata: &Value<'_>, report: &mut Report<'_>) {
    let beginning = text(metadata, &["generateName"]);
    if !beginning.is_empty() {
        label(&rules::GDN_META_001, &masked(beginning), &METADATA.key("generateName"), report);
    }
    let (name, path) = (text(metadata, &["name"]), METADATA.key("name"));
    if !name.is_empty() {
        label(&rules::GDN_META_003, name, &path, report);
    } else if beginning.is_empty() {
        // The API server makes a name of `generateName` before it judges.
        report.error(&rules::GDN_META_002, &path, ErrorType::Required, "name or generateName is required");
    }
    let (namespace, path) = (text(metadata, &["namespace"]), METADATA.key("namespace"));
    if !namespace.is_empty() {
        label(&rules::GDN_META_005, namespace, &path, report);
    }
}

/// The beginning of a generated name as Kubernetes judges it: what is generated follows a hyphen, so that a letter
/// stands for the hyphen and the character before it.
pub fn masked(beginning: &str) -> Cow<'_, str> {
    let stem = beginning.strip_suffix('-').and_then(|stem| stem.strip_suffix(|char: char| char.is_ascii()));
    stem.map_or(Cow::Borrowed(beginning), |stem| join(&[stem, "a"], "").into())
}

/// Judges a text that must be a DNS label.
pub fn label(rule: &'static Rule, text: &str, path: &Path<'_>, report: &mut Report<'_>) {
    for fault in label_faults(text) {
        report.error(rule, path, ErrorType::Invalid, fault);
    }
}

/// Judges labels. Findings lead to the label, and print the place of all labels.
pub fn labels(rule: &'static Rule, labels: Option<&Value<'_>>, path: &Path<'_>, report: &mut Report<'_>) {
    for (key, fault) in labels_faults(labels) {
        report.error(rule, &path.hidden(key), ErrorType::Invalid, fault);
    }
}

/// Judges annotations. Findings lead to the annotation, and print the place of all annotations.
pub fn annotations(rule: &'static Rule, all: Option<&Value<'_>>, path: &Path<'_>, report: &mut Report<'_>) {
    for (key, fault) in annotations_faults(all) {
        report.error(rule, &path.hidden(key), ErrorType::Invalid, fault);
    }
    if are_annotations_too_large(all) {
        too_long(rule, MOST_OF_ANNOTATIONS, path, report).remedy("Remove annotations, or write shorter ones.");
    }
}

/// Reports a text of more than so many bytes.
pub fn too_long<'r>(
    rule: &'static Rule,
    most: usize,
    path: &Path<'_>,
    report: &'r mut Report<'_>,
) -> Reported<'r> {
    report.error(rule, path, ErrorType::TooLong, format!("may not be more than {most} bytes"))
}

/// Judges references to owners. The printed places do not say which one; pointers do.
fn owners(owners: &[Value<'_>], report: &mut Report<'_>) {
    let path = METADATA.key("ownerReferences");
    let mut controller: Option<String> = None;
    for (index, owner) in owners.iter().enumerate() {
        let part = |key| text(owner, &[key]);
        let (index, api_version) = (index.to_string(), part("apiVersion"));
        let entry = path.hidden(&index);
        let version = match api_version.split_once('/') {
            Some((_, version)) if version.contains('/') => "",
            Some((_, version)) => version,
            None => api_version,
        };
        for &(key, value, detail) in &[
            ("apiVersion", version, "version must not be empty"),
            ("kind", part("kind"), "must not be empty"),
            ("name", part("name"), "must not be empty"),
            ("uid", part("uid"), "must not be empty"),
        ] {
            if value.is_empty() {
                report.error(&rules::GDN_META_009, &entry.key(key), ErrorType::Invalid, detail);
            }
        }
        if (api_version, part("kind")) == ("v1", "Event") {
            let detail = "/v1, Kind=Event is disallowed from being an owner";
            report.error(&rules::GDN_META_010, &entry, ErrorType::Invalid, detail);
        }
        if flag(owner, &["controller"]) == Some(true) {
            let own = join(&[part("kind"), part("name")], "/");
            if let Some(first) = &controller {
                let detail = format!(
                    "Only one reference can have Controller set to true. Found \"true\" in references for {first} and {own}"
                );
                report.error(&rules::GDN_META_010, &entry, ErrorType::Invalid, detail);
            } else {
                controller = Some(own);
            }
        }
    }
}

fn finalizers(finalizers: &[Value<'_>], report: &mut Report<'_>) {
    let path = METADATA.key("finalizers");
    for (index, finalizer) in texts(finalizers).enumerate() {
        for fault in qualified_faults(finalizer) {
            report.error(&rules::GDN_META_011, &path.hidden(&index.to_string()), ErrorType::Invalid, fault);
        }
    }
    let has = |name| texts(finalizers).any(|finalizer| finalizer == name);
    if has("orphan") && has("foregroundDeletion") {
        let detail = "finalizer orphan and foregroundDeletion cannot be both set";
        report.error(&rules::GDN_META_012, &path, ErrorType::Invalid, detail);
    }
}

fn managed_fields(entries: &[Value<'_>], report: &mut Report<'_>) {
    let all = METADATA.key("managedFields");
    for (index, entry) in entries.iter().enumerate() {
        let path = all.index(index);
        if !matches!(text(entry, &["operation"]), "Apply" | "Update") {
            let detail = "must be `Apply` or `Update`";
            report.error(&rules::GDN_META_015, &path.key("operation"), ErrorType::Invalid, detail);
        }
        if !matches!(text(entry, &["fieldsType"]), "" | "FieldsV1") {
            report.error(&rules::GDN_META_015, &path.key("fieldsType"), ErrorType::Invalid, "must be `FieldsV1`");
        }
        for &(key, most) in &[("manager", MOST_OF_MANAGER), ("subresource", MOST_OF_SUBRESOURCE)] {
            if text(entry, &[key]).len() > most {
                too_long(&rules::GDN_META_015, most, &path.key(key), report);
            }
        }
    }
}
