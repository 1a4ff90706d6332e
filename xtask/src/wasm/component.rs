//! The components for the sandbox, with the files that a host wants beside them.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::Context as _;
use sha2::{Digest as _, Sha256};
use wit_component::ComponentEncoder;

use super::size;

/// A policy folder: per provider a component and the schemas of its documents, and the digests of all.
#[derive(Default)]
pub(crate) struct Folder {
    path: PathBuf,
    files: BTreeMap<String, Vec<u8>>,
}

impl Folder {
    /// Adds the policy of a provider: makes a component of a module.
    pub(crate) fn add(&mut self, provider: &str, module: &Path) -> anyhow::Result<()> {
        // <target>/<triple>/<profile>/<module>
        let target = module.ancestors().nth(3).context("cargo's output lies in a target folder")?;
        self.path = target.join("release/policies");
        let bytes = fs::read(module).with_context(|| format!("cannot read {}", module.display()))?;
        let component = ComponentEncoder::default()
            .module(&bytes)
            .and_then(|encoder| encoder.validate(true).encode())
            .with_context(|| format!("cannot make a component of {}", module.display()))?;
        println!(
            "wasm: {}: {} KB",
            self.path.join(provider).with_extension("wasm").display(),
            size::kilobytes(component.len())
        );
        self.files.insert(format!("{provider}.wasm"), component);
        let schemas = serde_json::to_vec_pretty(&trellis_core::schemas(provider))?;
        self.files.insert(format!("{provider}.schemas.json"), schemas);
        Ok(())
    }

    /// Writes the folder anew.
    pub(crate) fn write(self) -> anyhow::Result<()> {
        let Self { path, mut files } = self;
        let mut sums = String::new();
        for (name, bytes) in &files {
            writeln!(sums, "{:x}  {name}", Sha256::digest(bytes))?;
        }
        files.insert("SHA256SUMS".to_owned(), sums.into_bytes());
        if path.exists() {
            fs::remove_dir_all(&path).with_context(|| format!("cannot remove {}", path.display()))?;
        }
        fs::create_dir_all(&path).with_context(|| format!("cannot make {}", path.display()))?;
        for (name, bytes) in files {
            let file = path.join(name);
            fs::write(&file, bytes).with_context(|| format!("cannot write {}", file.display()))?;
        }
        Ok(())
    }
}
