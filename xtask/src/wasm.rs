//! The policies as WebAssembly, a module a policy, part and face: compile, bind, optimise. What is made of sources
//! that nobody changed is taken from where it is kept.

mod bindings;
mod compile;
mod component;
mod folder;
mod javascript;
mod keep;
mod modules;
mod paths;
mod toolchain;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::thread;

use anyhow::anyhow;

pub(crate) use modules::finish as finish_modules;

use crate::rules;
use keep::Key;
use paths::Paths;
use toolchain::Toolchain;

/// What a module is made of, from the top of the repository; and what makes it.
const SOURCES: [&str; 9] = [
    "Cargo.lock",
    "Cargo.toml",
    "charts-templates",
    "core/Cargo.toml",
    "core/build.rs",
    "core/src",
    "node_modules/binaryen/package.json",
    "wasm",
    "xtask/src",
];

/// What policies are built for, by which the compiler weighs size and speed.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Face {
    /// The npm package, whose modules are downloaded: those in `web/dist/policies/`.
    JavaScript,
    /// The sandbox of a host: the policy folder next to the release binary.
    Sandbox,
}

impl Face {
    /// The feature of the crate `trellis-wasm` with the modules of this face.
    fn feature(self) -> &'static str {
        match self {
            Self::JavaScript => "downloads",
            Self::Sandbox => "components",
        }
    }

    /// The profile of the workspace for these modules.
    fn profile(self) -> &'static str {
        match self {
            Self::JavaScript => "wasm",
            Self::Sandbox => "component",
        }
    }
}

/// Builds the policies for one face, or for both.
pub(crate) fn build(root: &Path, only: Option<Face>) -> anyhow::Result<()> {
    let toolchain = Toolchain::find(root)?;
    let paths = Paths::new(root, toolchain.sysroot(root)?);
    let made = |face| made(root, toolchain, &paths, face);
    match only {
        Some(Face::JavaScript) => javascript::install(root, &made(Face::JavaScript)?, &BTreeMap::new()),
        Some(Face::Sandbox) => component::install(root, &made(Face::Sandbox)?).map(drop),
        None => {
            // Each compiles a standard library and the policies, which mostly keeps one processor busy.
            let (downloads, components) = thread::scope(|scope| {
                let components = scope.spawn(|| made(Face::Sandbox));
                let downloads = made(Face::JavaScript);
                let panicked = |_| Err(anyhow!("the build of the components panicked"));
                (downloads, components.join().unwrap_or_else(panicked))
            });
            match (downloads, components) {
                (Err(downloads), Err(components)) => Err(downloads.context(format!("{components:#}, and"))),
                (downloads, components) => {
                    javascript::install(root, &downloads?, &component::install(root, &components?)?)
                }
            }
        }
    }
}

/// The folder where all files of a face are kept, made where the sources are new.
fn made(root: &Path, toolchain: Toolchain, paths: &Paths, face: Face) -> anyhow::Result<PathBuf> {
    let mut key = Key::new(face.feature());
    key.add(toolchain.version(root)?);
    SOURCES.iter().try_for_each(|path| key.add_files(root, path))?;
    // The words come from this program, which may be older than the sources.
    for policy in trellis_core::policies() {
        key.add(rules::words(policy)?);
    }
    let folder = keep::folder(key, |folder| {
        let modules = compile::modules(root, toolchain, paths, face)?;
        match face {
            Face::JavaScript => javascript::make(root, &modules, paths, folder),
            Face::Sandbox => component::make(&modules, paths, folder),
        }
    })?;
    println!("wasm: {} are those of {}", face.feature(), folder.display());
    Ok(folder)
}
