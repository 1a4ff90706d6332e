//! What a policy tells of itself.

use crate::collections::NameMap;

/// Per kind of object, what is read of the request's context.
pub type ReadsByKind = NameMap<'static, &'static [&'static str]>;

/// Per function and kind of object, what is read of the request's context.
pub type Reads = NameMap<'static, ReadsByKind>;

/// What a policy tells of itself, whatever functions a module has.
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
    /// What is read of the context.
    pub reads: Reads,
    /// Every call that may be made on behalf of the Shoot's account, sorted.
    pub calls: &'static [&'static str],
}
