//! The project of a new Shoot (ADM-PRJ).

use super::Check;
use crate::document::Path;
use crate::provider::gardener::fields::text;
use crate::provider::gardener::rules::metadata as rules;
use crate::report::{ErrorType, Report};

/// Host names that Gardener makes of the name of the Shoot and of its project end here.
const LONGEST: usize = 21;
/// How Gardener names the namespace of a project where nobody chooses another name.
const PREFIX: &str = "garden-";

/// Judges the length of the name, together with that of the project.
pub fn judge(check: &Check<'_>, report: &mut Report<'_>) {
    let name = text(check.shoot, &["metadata", "name"]);
    let namespace = text(check.shoot, &["metadata", "namespace"]);
    let known = check.request.context("project").map(|project| text(project, &["metadata", "name"]));
    let Some(project) = known.or_else(|| namespace.strip_prefix(PREFIX)).or((name.len() >= LONGEST).then_some(""))
    else {
        return;
    };
    // A project has a name of one byte or more.
    let taken = project.len().max(1);
    if name.len() + taken <= LONGEST {
        return;
    }
    let path = Path::root("name", "/metadata/name");
    let detail = format!(
        "the length of the shoot name and the project name must not exceed {LONGEST} characters (project: {project}; shoot: {name})"
    );
    let room = LONGEST.saturating_sub(taken);
    let remedy = match room {
        0 => "No name is short enough for this project.".to_owned(),
        _ => format!("Write a name of at most {room} bytes."),
    };
    if known.is_some() || name.len() >= LONGEST {
        report.error(&rules::ADM_PRJ_002, &path, ErrorType::Invalid, detail).remedy(remedy);
    } else {
        let detail = format!("{detail}, if `{namespace}` is the namespace of the project `{project}`");
        report.warn(&rules::ADM_PRJ_002, &path, detail).remedy(remedy);
    }
}
