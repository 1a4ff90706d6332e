//! The policies as WebAssembly, a module a provider and face: compile, bind, report the sizes.

mod component;
mod javascript;
mod size;
mod toolchain;

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use anyhow::Context as _;

use toolchain::{Build, Toolchain};

/// Builds the modules of the npm package in `web/dist/policies/` and, if `sandbox` asks for it, the policy folder of the
/// sandbox beside the release binary.
pub(crate) fn build(root: &Path, sandbox: bool) -> anyhow::Result<()> {
    let toolchain = Toolchain::prepare(root)?;
    modules(root, toolchain)?;
    if sandbox { components(root, toolchain) } else { Ok(()) }
}

/// The modules for JavaScript.
fn modules(root: &Path, toolchain: Toolchain) -> anyhow::Result<()> {
    for provider in trellis_core::providers() {
        let module = toolchain.compile(root, &Build { provider, face: "javascript,judge", profile: "wasm" })?;
        javascript::bind(root, provider, &module)?;
    }
    for provider in trellis_core::infrastructures() {
        let module = toolchain.compile(root, &Build { provider, face: "javascript,plan", profile: "wasm" })?;
        javascript::bind(root, &format!("{provider}-infrastructure"), &module)?;
    }
    Ok(())
}

/// The components for the sandbox.
fn components(root: &Path, toolchain: Toolchain) -> anyhow::Result<()> {
    let mut components = BTreeMap::new();
    for provider in trellis_core::providers() {
        let module =
            toolchain.compile(root, &Build { provider, face: "component,judge,plan", profile: "component" })?;
        // The next module goes to the same path.
        let kept = module.with_file_name(format!("{provider}.wasm"));
        fs::rename(&module, &kept).with_context(|| format!("cannot move {}", module.display()))?;
        components.insert(provider, kept);
    }
    component::write_folder(&components)
}
