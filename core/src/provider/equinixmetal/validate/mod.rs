//! What `validate` warns of, a file for each kind of object.

mod advice;
mod cloud_profile;
mod credentials;
mod parts;
mod shoot;
mod worker_images;

use crate::policy::{PARENT_READ, ReadsByKind};

pub use cloud_profile::cloud_profile;
pub use credentials::{binding, secret};
pub use shoot::shoot;

/// The kinds that `validate` judges, with what it reads of the context. A NamespacedCloudProfile has
/// `status.cloudProfileSpec` in the place of `spec`.
pub const READS: ReadsByKind = &[
    ("CloudProfile", &[]),
    ("CredentialsBinding", &["/secret"]),
    ("NamespacedCloudProfile", PARENT_READ),
    ("Secret", &[]),
    ("SecretBinding", &["/secret"]),
    ("Seed", &[]),
    (
        "Shoot",
        &[
            "/cloudProfile/kind",
            "/cloudProfile/metadata/name",
            "/cloudProfile/spec/providerConfig",
            "/cloudProfile/status/cloudProfileSpec/providerConfig",
        ],
    ),
];

/// Rules that warn about a request, each with the place in the object.
#[cfg(test)]
fn fired(request: &serde_json::Value) -> Vec<(String, String)> {
    let answer = crate::call(super::TYPE, "validate", &request.to_string());
    let answer: serde_json::Value = serde_json::from_str(&answer).unwrap();
    assert_ne!(answer["verdict"], "reject", "{answer}");
    let text = |value: &serde_json::Value| value.as_str().unwrap().to_owned();
    let findings = answer["findings"].as_array().unwrap_or_else(|| panic!("{answer}"));
    findings.iter().map(|finding| (text(&finding["rule"]), text(&finding["pointer"]))).collect()
}
