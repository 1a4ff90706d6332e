//! Parent and NamespacedCloudProfile together (ADM-NCP-009).

use super::extension::Extension;
use super::form::{put, with_architectures};
use super::origin::origin;
use crate::collections::NameMap;
use crate::document::{Path, Value};
use crate::gardener::types::capabilities::ARCHITECTURE;
use crate::kube::quantity::Quantity;
use crate::provider::gardener::cloud_profile::{Definitions, images, kubernetes, machine_types, volume_types};
use crate::provider::gardener::fields::{items, text};
use crate::provider::gardener::profile::NO_TIME;
use crate::provider::gardener::rules::namespaced_profile as rules;
use crate::report::{ErrorType, Finding, Report};
use crate::text::{join, quote};

/// Where Gardener puts what both offer together.
const MERGED: Path<'_> = Path::root("status.cloudProfileSpec", "/status/cloudProfileSpec");

const VERSIONS: &[&str] = &["kubernetes", "versions"];

/// Judges what the parent and the NamespacedCloudProfile offer together.
pub fn judge(extension: &Extension<'_>, object: &Value<'_>, report: &mut Report<'_>) {
    let spec = merged(&extension.check.definitions, extension.parent, extension.spec);
    let (check, status) = (&extension.check, Value::object([("cloudProfileSpec", spec.clone())]));
    let whole = Value::object([("status", status)]);
    let mut found = report.of_release(&whole);
    kubernetes(check, &spec, &MERGED, &mut found);
    if !items(&spec, &["machineImages"]).is_empty() {
        images(check, &spec, &MERGED, &mut found);
    }
    if !items(&spec, &["machineTypes"]).is_empty() {
        machine_types(check, &spec, &MERGED, &mut found);
    }
    volume_types(&spec, &MERGED, &mut found);
    if found.is_open() {
        report.undecided(&rules::ADM_NCP_009, NO_TIME, None);
    }
    let (findings, _) = found.into_parts();
    let Some(first) = findings.first() else { return };
    let errors: Vec<String> = findings.iter().map(|finding| printed(finding, &whole)).collect();
    let detail = join(&["error while validating merged NamespacedCloudProfile: [", &errors.join(" "), "]"], "");
    let own = origin(&first.pointer, &spec, object);
    let entry = report.deny(&rules::ADM_NCP_009, own.as_deref().unwrap_or("/spec"), detail);
    match own {
        Some(_) => entry.remedy(first.remedy.clone()),
        None => entry.remedy("The parent breaks this rule: ask the operators of the CloudProfile to correct it."),
    };
}

/// What both offer together.
fn merged<'v>(definitions: &Definitions<'_>, parent: &Value<'v>, own: &Value<'v>) -> Value<'v> {
    let mut spec = parent.clone();
    let of = |spec: &Value<'v>, key: &str| items(spec, &[key]).to_vec();
    let overridden: NameMap<'_, &Value<'v>> =
        items(own, VERSIONS).iter().map(|version| (text(version, &["version"]), version)).collect();
    let mut versions = items(parent, VERSIONS).to_vec();
    for version in &mut versions {
        if let Some(own) = overridden.get(text(version, &["version"])) {
            date(version, own);
        }
    }
    put(&mut spec, "kubernetes", Value::object([("versions", Value::Array(versions))]));
    let images = joined("name", of(parent, "machineImages"), of(own, "machineImages"), |known, own| match known {
        Some(known) => {
            image(known, &own);
            None
        }
        None => Some(own),
    });
    put(&mut spec, "machineImages", Value::Array(images));
    for key in ["machineTypes", "volumeTypes"] {
        let all = joined("name", of(parent, key), of(own, key), replace);
        put(&mut spec, key, Value::Array(all));
    }
    with_architectures(definitions, &mut spec);
    spec
}

/// Takes over the versions and the strategy of an image.
fn image<'v>(known: &mut Value<'v>, own: &Value<'v>) {
    let of = |image: &Value<'v>| items(image, &["versions"]).to_vec();
    let versions = joined("version", of(known), of(own), |known, own| match known {
        Some(known) => {
            date(known, &own);
            None
        }
        None => Some(own),
    });
    put(known, "versions", Value::Array(versions));
    if let Some(strategy) = own.get("updateStrategy").filter(|strategy| strategy.as_str() != Some("")) {
        put(known, "updateStrategy", strategy.clone());
    }
}

/// Takes over the expiration date of a version.
fn date<'v>(known: &mut Value<'v>, own: &Value<'v>) {
    if let Some(date) = own.get("expirationDate") {
        put(known, "expirationDate", date.clone());
    }
}

/// Takes over an entry as a whole.
fn replace<'v>(known: Option<&mut Value<'v>>, own: Value<'v>) -> Option<Value<'v>> {
    match known {
        Some(known) => {
            *known = own;
            None
        }
        None => Some(own),
    }
}

/// The entries of both lists, each once by the text under a key. `join` takes an entry over into one that is
/// there, or gives one to add.
fn joined<'v>(
    key: &str,
    parent: Vec<Value<'v>>,
    own: Vec<Value<'v>>,
    join: impl Fn(Option<&mut Value<'v>>, Value<'v>) -> Option<Value<'v>>,
) -> Vec<Value<'v>> {
    let names: Vec<String> = parent.iter().chain(&own).map(|entry| text(entry, &[key]).to_owned()).collect();
    let mut places: NameMap<'_, usize> = NameMap::new();
    let mut all: Vec<Value<'v>> = Vec::with_capacity(names.len());
    let count = parent.len();
    for (index, (entry, name)) in parent.into_iter().chain(own).zip(&names).enumerate() {
        let known = places.get(name).and_then(|place| all.get_mut(*place));
        let added = if index < count { replace(known, entry) } else { join(known, entry) };
        if let Some(entry) = added {
            places.insert(name, all.len());
            all.push(entry);
        }
    }
    all
}

/// An error as Go prints it.
fn printed(finding: &Finding, object: &Value<'_>) -> String {
    let (words, has_value) = match finding.error_type {
        ErrorType::Required => ("Required value", false),
        ErrorType::Forbidden => ("Forbidden", false),
        ErrorType::NotSupported => ("Unsupported value", true),
        ErrorType::Duplicate => ("Duplicate value", true),
        ErrorType::TooLong => ("Too long", false),
        _ => ("Invalid value", true),
    };
    let mut parts = vec![finding.field.clone(), words.to_owned()];
    if has_value {
        parts.push(bad_value(finding, object));
    }
    if !finding.detail.is_empty() {
        parts.push(finding.detail.clone());
    }
    join(&parts, ": ")
}

/// The value of an error as Go prints it.
fn bad_value(finding: &Finding, object: &Value<'_>) -> String {
    let value = object.pointer(&finding.pointer);
    let parent =
        || finding.pointer.rsplit_once('/').and_then(|(parent, key)| Some((object.pointer(parent)?, key)));
    match finding.rule {
        "GDN-CPR-011" => "\"\"".to_owned(),
        "GDN-CPR-013" | "GDN-CPR-031" => "null".to_owned(),
        "GDN-CPR-044" | "GDN-CPR-077" if matches!(value, Some(Value::Array(_))) => {
            quote(parent().map(|(_, key)| key).unwrap_or_default())
        }
        "GDN-CPR-075" => {
            let of = |(machine, _): (&'_ Value<'_>, &str)| {
                let first = items(machine, &["capabilities", ARCHITECTURE]).first().cloned();
                first.and_then(|first| first.as_str().map(quote))
            };
            parent().and_then(of).unwrap_or_else(|| "\"\"".to_owned())
        }
        "GDN-CPR-036" => {
            let image = finding.pointer.rsplit('/').nth(2).and_then(|_| {
                let place = finding.pointer.rsplitn(3, '/').last()?;
                object.pointer(place)
            });
            let of = |value: Option<&Value<'_>>, key| value.map(|value| text(value, &[key]).to_owned());
            let name = of(image, "name").unwrap_or_default();
            quote(&join(&[&name, "-", &of(value, "version").unwrap_or_default()], ""))
        }
        "GDN-CPR-073" | "GDN-CPR-079" | "GDN-CPR-087" => {
            let text = match value {
                Some(Value::String(text) | Value::Number(text)) => text.trim(),
                _ => "",
            };
            quote(&Quantity::parse(text).map_or_else(|_| text.to_owned(), |quantity| quantity.to_string()))
        }
        _ => match value {
            Some(Value::String(text)) => quote(text),
            Some(entry @ Value::Object(_)) if finding.error_type == ErrorType::Duplicate => {
                quote(text(entry, &["name"]))
            }
            Some(value) => value.to_string(),
            None if finding.error_type == ErrorType::NotSupported
                || finding.error_type == ErrorType::Duplicate =>
            {
                "\"\"".to_owned()
            }
            None => "\"\"".to_owned(),
        },
    }
}
