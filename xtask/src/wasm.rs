//! The policies as WebAssembly, a module a policy and face: compile, bind, report the sizes.

mod bindings;
mod compile;
mod component;
mod javascript;
mod paths;
mod size;
mod toolchain;

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::thread;

use anyhow::{Context as _, anyhow};

use compile::{Build, Purpose};
use paths::Paths;
use toolchain::Toolchain;

/// What policies are built for.
#[derive(Clone, Copy)]
pub(crate) enum Face {
    /// The npm package: modules in `web/dist/policies/`.
    JavaScript,
    /// The sandbox: the policy folder beside the release binary.
    Sandbox,
}

/// Builds the policies for one face, or for both.
pub(crate) fn build(root: &Path, only: Option<Face>) -> anyhow::Result<()> {
    let toolchain = Toolchain::find(root)?;
    let paths = Paths::new(root, toolchain.sysroot(root)?);
    match only {
        Some(Face::JavaScript) => {
            modules(root, toolchain, &paths)?;
            return javascript::write_digests(root, &BTreeMap::new());
        }
        Some(Face::Sandbox) => return components(root, toolchain, &paths).map(drop),
        None => {}
    }
    // Each compiles a standard library of its own, and mostly keeps one processor busy.
    thread::scope(|scope| {
        let sandbox = scope.spawn(|| components(root, toolchain, &paths));
        let download = modules(root, toolchain, &paths);
        let sandbox = sandbox.join().unwrap_or_else(|_| Err(anyhow!("the build of the components panicked")));
        match (download, sandbox) {
            (Err(download), Err(sandbox)) => Err(download.context(format!("{sandbox:#}, and"))),
            (download, sandbox) => javascript::write_digests(root, &download.and(sandbox)?),
        }
    })
}

/// The modules for JavaScript.
fn modules(root: &Path, toolchain: Toolchain, paths: &Paths) -> anyhow::Result<()> {
    let mut bindings = Vec::new();
    let mut bind = |provider, name: &str, features| -> anyhow::Result<()> {
        let build = Build { provider, features, purpose: Purpose::Download };
        bindings.push(javascript::bind(root, name, &build.run(root, toolchain, paths)?, paths)?);
        Ok(())
    };
    javascript::clear(root)?;
    for provider in trellis_core::providers() {
        bind(provider, provider, "javascript,judge")?;
        bind(provider, &format!("{provider}-addresses"), "javascript,address")?;
        javascript::write_words(root, provider)?;
    }
    for policy in trellis_core::beside() {
        bind(policy, policy, "javascript,judge")?;
        javascript::write_words(root, policy)?;
    }
    for provider in trellis_core::classified() {
        bind(provider, &format!("{provider}-infrastructure"), "javascript,plan")?;
    }
    for provider in trellis_core::rendered() {
        bind(provider, &format!("{provider}-rendering"), "javascript,render")?;
    }
    for provider in trellis_core::mutated() {
        bind(provider, &format!("{provider}-mutations"), "javascript,mutate")?;
    }
    javascript::write_bindings(root, &bindings)
}

/// The components for the sandbox; the digest of each, by policy.
fn components(root: &Path, toolchain: Toolchain, paths: &Paths) -> anyhow::Result<BTreeMap<&'static str, String>> {
    let mut components = BTreeMap::new();
    for policy in trellis_core::policies() {
        let features = "component,judge,address,plan,render,mutate";
        let build = Build { provider: policy, features, purpose: Purpose::Sandbox };
        let module = build.run(root, toolchain, paths)?;
        // The next module goes to the same path.
        let kept = module.with_file_name(format!("{policy}.wasm"));
        fs::rename(&module, &kept).with_context(|| format!("cannot move {}", module.display()))?;
        components.insert(policy, kept);
    }
    component::write_folder(&components, paths)
}
