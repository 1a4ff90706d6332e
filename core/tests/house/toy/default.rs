//! What is filled in where a person wrote nothing.

use trellis_core::document::Value;
use trellis_core::gardener::shoot::{Manifest, WORKERS};
use trellis_core::policy::{Defaulted, Request, RequestError};

use super::rules;

/// Fills in a Shoot.
pub fn shoot<'r>(request: &Request<'r>) -> Result<Defaulted<'r>, RequestError> {
    let manifest = Manifest::read(request.object)?;
    let mut defaulted = Defaulted::unchanged(request.object);
    for (index, worker) in manifest.shoot.spec.provider.workers.iter().enumerate() {
        if worker.volume.is_none() {
            let pointer = WORKERS.index(index).key("volume").pointer();
            let volume = Value::object([("size", Value::string("20Gi"))]);
            defaulted.set(&rules::TOY_010, pointer, volume, "a node needs a disk");
        }
    }
    Ok(defaulted)
}
