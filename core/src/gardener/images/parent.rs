//! The parent of a NamespacedCloudProfile: what it offers, and the profile adds to.

use crate::call::Known;
use crate::gardener::types::cloud_profile::CloudProfile;
use crate::policy::{Request, RequestError, parent, read};
use crate::report::{Report, Rule};

/// Whether the parent of a NamespacedCloudProfile is a CloudProfile. Nothing more of another one can be judged.
pub fn check_parent_kind(profile: &CloudProfile<'_>, rule: &'static Rule, report: &mut Report<'_>) -> bool {
    let kind = profile.spec.parent.kind;
    if kind != "CloudProfile" {
        let detail = format!("parent reference must be of kind CloudProfile (unsupported kind: {kind})");
        report.deny(rule, "/spec/parent/kind", detail).hides_others();
    }
    kind == "CloudProfile"
}

/// The parent of a NamespacedCloudProfile; none where nobody has looked it up, or the look-up failed.
pub fn read_parent<'r>(
    request: &Request<'r>,
    profile: &CloudProfile<'_>,
    rule: &'static Rule,
    report: &mut Report<'_>,
) -> Result<Option<CloudProfile<'r>>, RequestError> {
    let name = profile.spec.parent.name;
    match parent(request, name) {
        Known::Found(parent) => return read(parent).map(Some),
        Known::Failed(message) => {
            report.deny(rule, "/spec/parent/name", message).hides_others();
        }
        Known::Unknown(query) => {
            let why = format!(
                "what CloudProfile {name} offers is not known here; its images and capabilities are compared on submit"
            );
            report.undecided(rule, why, Some(query));
        }
    }
    Ok(None)
}
