//! What a NamespacedCloudProfile makes of its parent (ADM-NCP).

use super::extension::Extension;
use super::form::in_form_of;
use super::{images, merged, versions};
use crate::call::Known;
use crate::document::Value;
use crate::policy::{CORE, Defaulted, Request, RequestError, parent};
use crate::provider::gardener::cloud_profile::{Check, Definitions, Expirable};
use crate::provider::gardener::default::cloud_profile;
use crate::provider::gardener::fields::{items, named, text};
use crate::provider::gardener::rules::namespaced_profile as rules;
use crate::provider::gardener::same::{is_same, type_of};
use crate::provider::gardener::structure::NAMESPACED_PROFILE;
use crate::report::{Cause, Report};

/// Judges a NamespacedCloudProfile by its parent. `unnamed` is the error that it names none.
pub fn judge(
    request: &Request<'_>,
    old: Option<&Value<'_>>,
    unnamed: Option<&Cause>,
    report: &mut Report<'_>,
) -> Result<(), RequestError> {
    let object = request.object;
    if !request.is_itself() && old.is_some_and(|old| is_left_alone(object, old)) {
        return Ok(());
    }
    let none = Value::Null;
    let name = text(object, &["spec", "parent", "name"]);
    let parent = match find(request, name) {
        Known::Found(parent) => parent,
        Known::Failed(_) => {
            let detail = "parent CloudProfile could not be found";
            let entry = report.deny(&rules::ADM_NCP_001, "/spec/parent/name", detail).hides_others();
            if let Some(cause) = unnamed {
                entry.caused_by(cause);
            }
            return Ok(());
        }
        // Nothing has no name.
        Known::Unknown(_) if name.is_empty() => return Ok(()),
        Known::Unknown(query) => {
            let why = format!(
                "what CloudProfile {name} offers is not known here; what the NamespacedCloudProfile makes of it is checked on submit"
            );
            report.undecided(&rules::ADM_NCP_001, why, Some(query));
            return Ok(());
        }
    };
    let parent = cloud_profile(parent, Defaulted::unchanged(parent)).object;
    let parent = parent.get("spec").unwrap_or(&none);
    let definitions = Definitions::of(parent);
    let spec = in_form_of(&definitions, object.get("spec").unwrap_or(&none));
    let old_spec = old.map(|old| in_form_of(&definitions, old.get("spec").unwrap_or(&none)));
    let old_status = old.and_then(|old| old.at(&["status", "cloudProfileSpec"])).unwrap_or(&none);
    let expirable = Expirable::of(request)?;
    let extension = Extension {
        parent,
        spec: &spec,
        old: old_spec.as_ref(),
        old_status,
        check: Check { definitions, expirable },
    };
    // What was said of the object alone may come again here, and ends the judging as what is new does.
    let mut found = report.of_release(object);
    machine_types(&extension, &mut found);
    versions::judge(&extension, &mut found);
    images::judge(&extension, &mut found);
    // What both make together follows from what is wrong with either.
    if found.error_count() == 0 {
        merged::judge(&extension, object, &mut found);
    }
    report.adopt(found, |pointer| pointer);
    Ok(())
}

/// Whether an update changes nothing that the rules look at.
fn is_left_alone(object: &Value<'_>, old: &Value<'_>) -> bool {
    let is_same = |key: &str| {
        is_same(type_of(&NAMESPACED_PROFILE, &[key]), old.get(key), object.get(key))
            && empties(old.get(key)) == empties(object.get(key))
    };
    is_same("spec") && (is_same("metadata") || object.at(&["metadata", "deletionTimestamp"]).is_some())
}

/// How many empty texts a value has. An empty text is not the same as none, where Gardener distinguishes them.
fn empties(value: Option<&Value<'_>>) -> usize {
    match value {
        Some(Value::String(text)) => usize::from(text.is_empty()),
        Some(Value::Array(items)) => items.iter().map(|item| empties(Some(item))).sum(),
        Some(Value::Object(members)) => members.iter().map(|(_, member)| empties(Some(member))).sum(),
        _ => 0,
    }
}

/// The CloudProfile of a name. A CloudProfile of another name in the context says that there is none of this name,
/// unless another object of the context is it.
fn find<'r>(request: &Request<'r>, name: &str) -> Known<&'r Value<'r>> {
    match request.object(CORE, "CloudProfile", "", name) {
        Known::Found(profile) if !is_given(request, name) => Known::Found(profile),
        _ => parent(request, name),
    }
}

/// Whether the context gives the CloudProfile of a name as the parent.
fn is_given(request: &Request<'_>, name: &str) -> bool {
    request.context("cloudProfile").is_some_and(|profile| text(profile, &["metadata", "name"]) == name)
}

/// Judges whether the parent lacks the machine types that are added.
fn machine_types(extension: &Extension<'_>, report: &mut Report<'_>) {
    let of_parent = items(extension.parent, &["machineTypes"]);
    let olds = extension.old.map(|old| items(old, &["machineTypes"])).unwrap_or_default();
    for (index, machine) in items(extension.spec, &["machineTypes"]).iter().enumerate() {
        let name = text(machine, &["name"]);
        if named(of_parent, name).is_some() && named(olds, name).is_none() {
            let pointer = format!("/spec/machineTypes/{index}/name");
            let detail = format!(
                "NamespacedCloudProfile attempts to overwrite parent CloudProfile with machineType: {name}"
            );
            report.deny(&rules::ADM_NCP_002, &pointer, detail);
        }
    }
}
