//! Shoots: the order of their defaults (ALI-DEF-001…014).

use super::{control_plane, encryption, networking};
use crate::document::Value;
use crate::gardener::shoot::Shoot;
use crate::policy::{Defaulted, Request, RequestError, read, read_old};

/// Fills in a Shoot.
pub fn shoot<'r>(request: &Request<'r>) -> Result<Defaulted<'r>, RequestError> {
    let shoot: Shoot<'r> = read(request.object)?;
    let mut defaulted = Defaulted::unchanged(request.object);
    if shoot.spec.provider.workers.is_empty() {
        return Ok(defaulted);
    }
    let Some(old_object) = request.old_object else {
        networking::default(request.object, &shoot, None, &mut defaulted)?;
        control_plane::create(request.object, &mut defaulted)?;
        encryption::create(request, &shoot, &mut defaulted)?;
        return Ok(defaulted);
    };
    let old: Shoot<'r> = read_old(old_object)?;
    networking::default(request.object, &shoot, Some((old_object, &old)), &mut defaulted)?;
    if specs_differ(&defaulted.object, old_object) {
        control_plane::update(request.object, old_object, &mut defaulted)?;
        encryption::update(request, &shoot, &old, &mut defaulted)?;
        if specs_differ(&defaulted.object, old_object) {
            encryption::reconcile_infrastructure(&old, &mut defaulted)?;
        }
    }
    Ok(defaulted)
}

fn specs_differ(new: &Value<'_>, old: &Value<'_>) -> bool {
    let spec = |object: &Value<'_>| object.get("spec").map(|spec| spec.canonical(true).to_string());
    spec(new) != spec(old)
}
