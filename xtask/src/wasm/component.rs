//! The components for the sandbox, in a folder with the files that a host wants beside them.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::Context as _;
use sha2::{Digest as _, Sha256};
use wit_component::ComponentEncoder;

use super::paths::Paths;
use super::size;
use crate::rules;

/// Where the release build looks for policies, in cargo's target folder.
const FOLDER: &str = "release/policies";

/// Writes the policy folder anew from compiled modules by provider: a component, the schemas of its documents and
/// its rules in words for each, and the digests of all. The digest of each component, by provider.
pub(crate) fn write_folder<'a>(
    modules: &BTreeMap<&'a str, PathBuf>,
    paths: &Paths,
) -> anyhow::Result<BTreeMap<&'a str, String>> {
    // <target>/<triple>/<profile>/<module>
    let target = modules.values().next().and_then(|module| module.ancestors().nth(3));
    let folder = target.context("cargo's output lies in a target folder")?.join(FOLDER);
    let mut files = BTreeMap::new();
    let mut digests = BTreeMap::new();
    for (provider, module) in modules {
        let component = component(module)?;
        paths.refuse(&format!("{provider}.wasm"), &component)?;
        println!("wasm: {FOLDER}/{provider}.wasm: {} KB", size::kilobytes(component.len()));
        digests.insert(*provider, format!("{:x}", Sha256::digest(&component)));
        files.insert(format!("{provider}.wasm"), component);
        files.insert(
            format!("{provider}.schemas.json"),
            serde_json::to_vec_pretty(&trellis_core::schemas(provider))?,
        );
        files.insert(format!("{provider}.rules.json"), rules::words(provider)?.into_bytes());
    }
    let mut sums = String::new();
    for (name, bytes) in &files {
        writeln!(sums, "{:x}  {name}", Sha256::digest(bytes))?;
    }
    files.insert("SHA256SUMS".to_owned(), sums.into_bytes());
    replace(&folder, &files).with_context(|| format!("cannot write {}", folder.display()))?;
    Ok(digests)
}

fn component(module: &Path) -> anyhow::Result<Vec<u8>> {
    let bytes = fs::read(module).with_context(|| format!("cannot read {}", module.display()))?;
    ComponentEncoder::default()
        .module(&bytes)
        .and_then(|encoder| encoder.validate(true).encode())
        .with_context(|| format!("cannot make a component of {}", module.display()))
}

/// Puts a whole folder in the place of another one: whoever reads it meanwhile finds no half of it.
fn replace(folder: &Path, files: &BTreeMap<String, Vec<u8>>) -> std::io::Result<()> {
    let (new, old) = (folder.with_extension("new"), folder.with_extension("old"));
    for left_behind in [&new, &old] {
        if left_behind.exists() {
            fs::remove_dir_all(left_behind)?;
        }
    }
    fs::create_dir_all(&new)?;
    for (name, bytes) in files {
        fs::write(new.join(name), bytes)?;
    }
    if folder.exists() {
        fs::rename(folder, &old)?;
    }
    fs::rename(&new, folder)?;
    if old.exists() { fs::remove_dir_all(&old) } else { Ok(()) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_is_replaced_as_a_whole() {
        let root = tempfile::tempdir().unwrap();
        let folder = root.path().join("policies");
        let files = |name: &str| BTreeMap::from([(name.to_owned(), b"x".to_vec())]);
        replace(&folder, &files("a")).unwrap();
        replace(&folder, &files("b")).unwrap();
        let names: Vec<_> = fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().file_name()).collect();
        assert_eq!(names, ["b"]);
        assert_eq!(fs::read_dir(root.path()).unwrap().count(), 1);
    }
}
