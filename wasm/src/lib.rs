//! Policies as WebAssembly, JSON text in and JSON text out, with two faces: modules for JavaScript and components
//! for hosts.
//!
//! A module is a file of a few lines in `modules/`. It names one policy and the parts that it holds, so that the
//! linker leaves out the code of everything else: this crate and `trellis-core` are compiled once for all modules
//! of a face.

#[cfg(feature = "component")]
mod component;
#[cfg(feature = "javascript")]
mod javascript;

pub use trellis_core::policy::Part;
pub use trellis_core::provider;

/// Calls a function of the policy `name`, of which a module holds these parts.
pub fn call(name: &str, parts: Vec<&'static dyn Part>, function: &str, request: &str) -> String {
    trellis_core::answer(name, parts, function, request)
}
