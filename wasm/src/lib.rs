//! One policy as WebAssembly, JSON text in and JSON text out, with two faces: a module for
//! JavaScript and a component for hosts.

#[cfg(feature = "component")]
mod component;
#[cfg(feature = "javascript")]
mod javascript;

/// Calls a function of the policy that this module holds, where it is among the parts that the module was built with.
fn call(function: &str, request: &str) -> String {
    let policy = trellis_core::policies().next().unwrap_or_default();
    let mut parts = Vec::new();
    #[cfg(feature = "judge")]
    parts.extend(trellis_core::judging(policy));
    #[cfg(feature = "address")]
    parts.extend(trellis_core::addressing(policy));
    #[cfg(feature = "plan")]
    parts.extend(trellis_core::planning(policy));
    #[cfg(feature = "render")]
    parts.extend(trellis_core::rendering(policy));
    #[cfg(feature = "mutate")]
    parts.extend(trellis_core::mutating(policy));
    trellis_core::answer(policy, parts, function, request)
}
