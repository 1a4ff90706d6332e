//! Shoots: the order of their defaults (ALI-DEF-001…014).

use super::{control_plane, encryption, networking};
use crate::document::Value;
use crate::gardener::shoot::Manifest;
use crate::policy::{Defaulted, Request, RequestError};

/// Fills in a Shoot.
pub fn shoot<'r>(request: &Request<'r>) -> Result<Defaulted<'r>, RequestError> {
    let new = Manifest::read(request.object)?;
    let mut defaulted = Defaulted::unchanged(request.object);
    if new.shoot.spec.provider.workers.is_empty() {
        return Ok(defaulted);
    }
    let Some(old) = request.old_object.map(Manifest::read_old).transpose()? else {
        networking::default(request, &new, None, &mut defaulted)?;
        control_plane::create(new.object, &mut defaulted)?;
        encryption::create(request, &new.shoot, &mut defaulted)?;
        return Ok(defaulted);
    };
    networking::default(request, &new, Some(&old), &mut defaulted)?;
    if request.is_itself() || specs_differ(&defaulted.object, old.object) {
        control_plane::update(new.object, old.object, &mut defaulted)?;
        encryption::update(request, &new.shoot, &old.shoot, &mut defaulted)?;
        if specs_differ(&defaulted.object, old.object) {
            encryption::reconcile_infrastructure(&old.shoot, &mut defaulted)?;
        }
    }
    Ok(defaulted)
}

fn specs_differ(new: &Value<'_>, old: &Value<'_>) -> bool {
    let spec = |object: &Value<'_>| object.get("spec").map(|spec| spec.canonical(true).to_string());
    spec(new) != spec(old)
}
