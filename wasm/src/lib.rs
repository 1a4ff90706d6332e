//! The policy of one provider as WebAssembly, JSON text in and JSON text out, with two faces: a module for
//! JavaScript and a component for hosts.

#[cfg(feature = "component")]
mod component;
#[cfg(feature = "javascript")]
mod javascript;

/// Calls a function of the policy that this module holds.
#[cfg(feature = "component")]
fn call(function: &str, request: &str) -> String {
    trellis_core::call(provider(), function, request)
}

/// The provider whose policy this module holds.
fn provider() -> &'static str {
    trellis_core::providers().next().unwrap_or_default()
}
