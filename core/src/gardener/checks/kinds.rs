//! The kinds of objects that may hold credentials.

use std::fmt;

use crate::gardener::types::binding::ObjectReference;
use crate::policy::{CORE, SECURITY};
use crate::text::{Supported, quote};

/// A kind of objects that may hold credentials.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CredentialsKind {
    /// Group and version.
    pub api_version: &'static str,
    /// Kind.
    pub kind: &'static str,
}

/// A Secret.
pub const SECRET: CredentialsKind = CredentialsKind { api_version: "v1", kind: "Secret" };

/// A Secret that only Gardener itself may read.
pub const INTERNAL_SECRET: CredentialsKind = CredentialsKind { api_version: CORE, kind: "InternalSecret" };

/// An identity that a cloud trusts, without a secret.
pub const WORKLOAD_IDENTITY: CredentialsKind = CredentialsKind { api_version: SECURITY, kind: "WorkloadIdentity" };

/// Every kind of credentials in a garden.
pub const ALL: &[CredentialsKind] = &[SECRET, INTERNAL_SECRET, WORKLOAD_IDENTITY];

impl CredentialsKind {
    /// The kind that a reference names, if it is among `kinds`.
    pub fn of(reference: &ObjectReference<'_>, kinds: &[Self]) -> Option<Self> {
        kinds.iter().find(|it| (it.api_version, it.kind) == (reference.api_version, reference.kind)).copied()
    }

    /// What messages say where none of `kinds` is used.
    pub fn supported(kinds: &[Self]) -> String {
        let mut supported = Supported::default();
        for kind in kinds {
            supported.add(&kind.to_string());
        }
        supported.words()
    }
}

/// As Go prints a kind: `/v1, Kind=Secret`.
impl fmt::Display for CredentialsKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&printed(self.api_version, self.kind))
    }
}

/// A kind as Go prints it. What is neither a version nor a group and a version is printed as if it was not there.
pub fn printed(api_version: &str, kind: &str) -> String {
    let reported = match api_version.matches('/').count() {
        0 => format!("/{api_version}"),
        1 => api_version.to_owned(),
        _ => "/".to_owned(),
    };
    format!("{reported}, Kind={kind}")
}

/// The words about a reference to a kind that holds no credentials in any cloud.
pub fn unknown_kind(reference: &ObjectReference<'_>) -> String {
    let ObjectReference { api_version, kind, namespace, name } = reference;
    format!("unsupported credentials reference: {namespace}/{name}, {}", printed(api_version, kind))
}

/// The words about a reference to a kind that the cloud does not support.
pub fn unsupported_kind(reference: &ObjectReference<'_>) -> String {
    let ObjectReference { api_version, kind, .. } = reference;
    format!("unsupported credentials reference: version {}, kind {}", quote(api_version), quote(kind))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kinds_are_printed_with_their_group() {
        assert_eq!(
            CredentialsKind::supported(&[SECRET, WORKLOAD_IDENTITY]),
            r#"supported values: "/v1, Kind=Secret", "security.gardener.cloud/v1alpha1, Kind=WorkloadIdentity""#
        );
        let reference = ObjectReference { api_version: CORE, kind: "Secret", ..ObjectReference::default() };
        assert_eq!(CredentialsKind::of(&reference, ALL), None);
        let detail = "unsupported credentials reference: /, core.gardener.cloud/v1beta1, Kind=Secret";
        assert_eq!(unknown_kind(&reference), detail);
        let reference = ObjectReference { api_version: "a/b/c", kind: "Secret", ..ObjectReference::default() };
        assert_eq!(unknown_kind(&reference), "unsupported credentials reference: /, /, Kind=Secret");
        assert_eq!(unknown_kind(&ObjectReference::default()), "unsupported credentials reference: /, /, Kind=");
    }
}
