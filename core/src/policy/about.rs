//! What a policy tells of itself.

use crate::collections::NameMap;

/// By kind of object: the pointers into the request's context that the policy reads.
pub type ReadsByKind = NameMap<'static, &'static [&'static str]>;

/// By function and kind of object: the pointers into the request's context that the policy reads.
pub type Reads = NameMap<'static, ReadsByKind>;

/// What a policy tells of itself. All modules with the policy tell the same.
#[derive(Clone, Debug)]
pub struct About {
    /// Provider type, as in `spec.provider.type`.
    pub provider: &'static str,
    /// Release of the existing extension whose rules it carries.
    pub parity: &'static str,
    /// Group and version of the provider's own API.
    pub api_version: &'static str,
    /// Kinds of the provider's own API.
    pub kinds: &'static [&'static str],
    /// What the policy reads of the context.
    pub reads: Reads,
    /// Every call that the policy may ask a host to make with the credentials of the Shoot's account, sorted.
    pub calls: &'static [&'static str],
}
