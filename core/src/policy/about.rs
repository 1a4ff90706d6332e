//! What a policy says of itself.

/// By kind of object: the pointers into the request's context that the policy reads.
pub type ReadsByKind = &'static [(&'static str, &'static [&'static str])];

/// By function and kind of object: the pointers into the request's context that the policy reads.
pub type Reads = &'static [(&'static str, ReadsByKind)];

/// The calls, such as `vpc:CreateVpc`, that a policy may ask a host to make with the credentials that the
/// object names, sorted.
pub type Calls = &'static [&'static str];

/// What a policy says of itself. All modules with the policy say the same.
#[derive(Clone, Copy, Debug)]
pub struct About {
    /// Provider type, as in `spec.provider.type`.
    pub provider: &'static str,
    /// Release of the existing extension whose rules it carries.
    pub parity: &'static str,
    /// Group and version of the provider's own API.
    pub api_version: &'static str,
    /// Kinds of the provider's own API.
    pub kinds: &'static [&'static str],
}
