//! What is valid, and what a person should know.

mod advice;
mod cloud_profile;
mod credentials;
mod shoot;
mod worker_images;

use crate::policy::PARENT_READ;

pub use cloud_profile::cloud_profile;
pub use credentials::{binding, secret};
pub use shoot::shoot;

/// The kinds that are judged, with what is read of the context. Of a NamespacedCloudProfile,
/// `status.cloudProfileSpec` stands for `spec`.
pub const READS: [(&str, &[&str]); 7] = [
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
