//! The kinds of objects that may hold credentials.

use std::fmt;

use crate::gardener::types::binding::ObjectReference;
use crate::policy::CORE;

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
pub const WORKLOAD_IDENTITY: CredentialsKind =
    CredentialsKind { api_version: "security.gardener.cloud/v1alpha1", kind: "WorkloadIdentity" };

impl CredentialsKind {
    /// The kind that a reference names, if it is among `kinds`.
    pub fn of(reference: &ObjectReference<'_>, kinds: &[Self]) -> Option<Self> {
        kinds.iter().find(|it| (it.api_version, it.kind) == (reference.api_version, reference.kind)).copied()
    }

    /// What messages say where none of `kinds` is used.
    pub fn supported(kinds: &[Self]) -> String {
        let quoted: Vec<String> = kinds.iter().map(|kind| format!("\"{kind}\"")).collect();
        format!("supported values: {}", quoted.join(", "))
    }
}

/// As Go prints a kind: `/v1, Kind=Secret`.
impl fmt::Display for CredentialsKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let slash = if self.api_version.contains('/') { "" } else { "/" };
        write!(f, "{slash}{}, Kind={}", self.api_version, self.kind)
    }
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
        assert_eq!(CredentialsKind::of(&reference, &[SECRET, INTERNAL_SECRET]), None);
    }
}
