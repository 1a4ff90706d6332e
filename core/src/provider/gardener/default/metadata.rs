//! The metadata that the API server sets itself (PREP-9).

use crate::kube::prepare::{Setting, settings};
use crate::policy::{Defaulted, Request};
use crate::provider::gardener::rules::default as rules;

/// The object of a request with the metadata that the API server sets, where the object is what a person sends.
pub fn settled<'r>(request: &Request<'r>) -> Defaulted<'r> {
    let mut settled = Defaulted::unchanged(request.object);
    if request.is_sent() {
        for Setting { pointer, value } in settings(request.object, request.old_object) {
            let reason = match value {
                Some(_) => "an update leaves it as it is stored",
                None => "the API server sets it, whatever you write",
            };
            settled.overrule(&rules::PREP_009, pointer, value, reason);
        }
    }
    settled
}
