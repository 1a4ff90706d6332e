//! The policy of one provider as WebAssembly, JSON text in and JSON text out, with two faces: a module for
//! JavaScript and a component for hosts.

#[cfg(feature = "component")]
mod component;
#[cfg(feature = "javascript")]
mod javascript;

/// Calls a function of the policy that this module holds.
fn call(function: &str, request: &str) -> String {
    let provider = trellis_core::providers().next().unwrap_or_default();
    trellis_core::call(provider, function, request)
}
