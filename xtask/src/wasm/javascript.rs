//! The modules for JavaScript, with the bindings that wasm-bindgen writes.

use std::fs;
use std::path::Path;
use std::process::Command;

use anyhow::{Context as _, ensure};
use wasm_bindgen_cli_support::Bindgen;

use super::paths::Paths;
use super::size;
use crate::rules;

/// Where the npm package expects them, from the top of the repository.
const FOLDER: &str = "web/dist/policies";

/// The level of `wasm-opt`. `-Oz` would make the module a tenth smaller but the compressed download a seventh larger,
/// since it breaks up the repetition that brotli uses.
const PASSES: [&str; 12] = [
    "--duplicate-function-elimination",
    "--remove-unused-module-elements",
    "--dae-optimizing",
    "--optimize-instructions",
    "--remove-unused-brs",
    "--remove-unused-names",
    "--merge-blocks",
    "--rse",
    "--vacuum",
    "--optimize-instructions",
    "--reorder-locals",
    "--strip-target-features",
];

/// Empties the folder: the package ships what lies there.
pub(crate) fn clear(root: &Path) -> anyhow::Result<()> {
    let folder = root.join(FOLDER);
    if folder.exists() {
        fs::remove_dir_all(&folder).with_context(|| format!("cannot empty {}", folder.display()))?;
    }
    Ok(())
}

/// Writes `<name>.js`, its type declarations and `<name>_bg.wasm`.
pub(crate) fn bind(root: &Path, name: &str, module: &Path, paths: &Paths) -> anyhow::Result<()> {
    let folder = root.join(FOLDER);
    Bindgen::new()
        .input_path(module)
        .out_name(name)
        .web(true)?
        .typescript(true)
        .omit_default_module_path(true)
        // A module that has trapped is put aside for a new instance.
        .reset_state_function(true)
        .remove_name_section(true)
        .remove_producers_section(true)
        .generate(&folder)
        .context("wasm-bindgen failed")?;
    let module = folder.join(format!("{name}_bg.wasm"));
    optimise(root, &module)?;
    let bytes = fs::read(&module).with_context(|| format!("cannot read {}", module.display()))?;
    paths.refuse(&format!("{name}_bg.wasm"), &bytes)?;
    println!("wasm: {FOLDER}/{name}_bg.wasm: {}", size::report(&bytes)?);
    Ok(())
}

/// Writes `<provider>.rules.json`.
pub(crate) fn write_words(root: &Path, provider: &str) -> anyhow::Result<()> {
    let file = root.join(FOLDER).join(format!("{provider}.rules.json"));
    let words = rules::words(provider)?;
    println!("wasm: {FOLDER}/{provider}.rules.json: {}", size::report(words.as_bytes())?);
    fs::write(&file, words).with_context(|| format!("cannot write {}", file.display()))
}

/// Shrinks the module in place with the `wasm-opt` of the npm package `binaryen`, when that is installed.
fn optimise(root: &Path, module: &Path) -> anyhow::Result<()> {
    let wasm_opt = root.join("node_modules/binaryen/bin/wasm-opt");
    if !wasm_opt.exists() {
        println!("wasm: not optimised; `npm ci` installs wasm-opt");
        return Ok(());
    }
    // The file is a Node script; starting it through `node` works on every platform.
    let status = Command::new("node")
        .arg(&wasm_opt)
        .args(PASSES)
        .arg(module)
        .arg("-o")
        .arg(module)
        .status()
        .context("cannot start `node`, which runs wasm-opt")?;
    ensure!(status.success(), "wasm-opt failed ({status})");
    Ok(())
}
