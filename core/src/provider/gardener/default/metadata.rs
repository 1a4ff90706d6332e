//! The metadata that the API server sets itself and the status, which an update of the object leaves (PREP-9).

use crate::kube::prepare::{Setting, settings};
use crate::policy::{Defaulted, Request};
use crate::provider::gardener::rules::default as rules;

/// The object of a request with metadata and status as the API server has them, where the object is what a person
/// sends.
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
        let status = request.object.get("status");
        if let Some(old) = request.old_object.filter(|old| status.is_some() && old.get("status") != status) {
            let reason =
                "Gardener's controllers write the status, and an update of the object leaves it as it is stored";
            settled.overrule(&rules::PREP_009, "/status".to_owned(), old.get("status").cloned(), reason);
        }
    }
    settled
}
