//! The components for the sandbox, in a folder with the files that a host wants next to them.

use std::collections::BTreeMap;
use std::env;
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::Context as _;
use sha2::{Digest as _, Sha256};
use wit_component::ComponentEncoder;

use super::paths::Paths;
use super::{Face, folder, modules};
use crate::rules;

/// Where the release build looks for policies, in cargo's target folder.
const FOLDER: &str = "release/policies";

/// Writes a policy folder from compiled modules by name: a component, the schemas of its documents and its rules
/// in words for each policy, and the digests of all.
pub(super) fn make(compiled: &BTreeMap<String, PathBuf>, paths: &Paths, folder: &Path) -> anyhow::Result<()> {
    let mut files = BTreeMap::new();
    for module in modules::of(Face::Sandbox) {
        let policy = module.policy;
        let compiled = compiled.get(&module.name).with_context(|| format!("cargo built no {}", module.name))?;
        let component = component(compiled)?;
        paths.refuse(&format!("{policy}.wasm"), &component)?;
        files.insert(format!("{policy}.wasm"), component);
        files.insert(format!("{policy}.schemas.json"), serde_json::to_vec_pretty(&trellis_core::schemas(policy))?);
        files.insert(format!("{policy}.rules.json"), rules::words(policy)?.into_bytes());
    }
    let mut sums = String::new();
    for (name, bytes) in &files {
        writeln!(sums, "{:x}  {name}", Sha256::digest(bytes))?;
    }
    files.insert("SHA256SUMS".to_owned(), sums.into_bytes());
    for (name, bytes) in &files {
        fs::write(folder.join(name), bytes).with_context(|| format!("cannot write {name}"))?;
    }
    Ok(())
}

fn component(module: &Path) -> anyhow::Result<Vec<u8>> {
    let bytes = fs::read(module).with_context(|| format!("cannot read {}", module.display()))?;
    ComponentEncoder::default()
        .module(&bytes)
        .and_then(|encoder| encoder.validate(true).encode())
        .with_context(|| format!("cannot make a component of {}", module.display()))
}

/// Puts a policy folder next to the release binary; the digest of each component, by policy.
pub(super) fn install(root: &Path, made: &Path) -> anyhow::Result<BTreeMap<&'static str, String>> {
    let target = root.join(env::var_os("CARGO_TARGET_DIR").map_or_else(|| "target".into(), PathBuf::from));
    folder::replace(&target.join(FOLDER), &folder::read(made)?)?;
    let digest = |policy| {
        let component = fs::read(made.join(format!("{policy}.wasm")))?;
        println!("wasm: {FOLDER}/{policy}.wasm: {} KB", component.len() / 1000);
        Ok((policy, format!("{:x}", Sha256::digest(component))))
    };
    trellis_core::policies().map(digest).collect()
}
