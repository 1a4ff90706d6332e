//! The modules for JavaScript, each with its size and hash, and the bindings that wasm-bindgen writes.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::Command;

use anyhow::{Context as _, bail, ensure};
use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use sha2::{Digest as _, Sha384};
use wasm_bindgen_cli_support::Bindgen;

use super::paths::Paths;
use super::{bindings, size};
use crate::rules;

/// Where the npm package expects them, from the top of the repository.
const FOLDER: &str = "web/dist/policies";

/// The level of `wasm-opt`. `-Oz` would make the module a tenth smaller but the compressed download a seventh larger,
/// since it breaks up the repetition that brotli uses.
const PASSES: [&str; 14] = [
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
    // What is alike has names alike: brotli finds it where it stands together.
    "--reorder-functions-by-name",
    "--strip-debug",
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

/// Writes `<name>_bg.wasm`, and its size and hash into `<name>.js`; the bindings, which are the same for every module.
pub(crate) fn bind(root: &Path, name: &str, module: &Path, paths: &Paths) -> anyhow::Result<String> {
    let folder = root.join(FOLDER);
    Bindgen::new()
        .input_path(module)
        .out_name(name)
        .web(true)?
        .typescript(false)
        .omit_default_module_path(true)
        // A module that has trapped is put aside for another instance.
        .reset_state_function(true)
        .remove_name_section(false)
        .remove_producers_section(true)
        .generate(&folder)
        .context("wasm-bindgen failed")?;
    let code = folder.join(format!("{name}.js"));
    let found = fs::read_to_string(&code).with_context(|| format!("cannot read {}", code.display()))?;
    let module = folder.join(format!("{name}_bg.wasm"));
    optimise(root, &module)?;
    let bytes = fs::read(&module).with_context(|| format!("cannot read {}", module.display()))?;
    paths.refuse(&format!("{name}_bg.wasm"), &bytes)?;
    println!("wasm: {FOLDER}/{name}_bg.wasm: {}", size::report(&bytes)?);
    let hash = BASE64_STANDARD.encode(Sha384::digest(&bytes));
    write(
        root,
        &format!("{name}.js"),
        &format!("export const bytes = {};\nexport const integrity = \"sha384-{hash}\";\n", bytes.len()),
    )?;
    write(root, &format!("{name}.d.ts"), "export const bytes: number;\nexport const integrity: string;\n")?;
    bindings::factory(&found, name)
}

/// Writes the bindings, given as those of each module.
pub(crate) fn write_bindings(root: &Path, made: &[String]) -> anyhow::Result<()> {
    let [first, others @ ..] = made else { bail!("there is no module") };
    ensure!(others.iter().all(|other| other == first), "wasm-bindgen writes different code for the modules");
    write(root, "bindings.js", first)?;
    write(root, "bindings.d.ts", bindings::TYPES)
}

/// Writes the digests of the files that hosts load, by policy: those that were built along with the modules.
pub(crate) fn write_digests(root: &Path, digests: &BTreeMap<&str, String>) -> anyhow::Result<()> {
    let table = serde_json::to_string_pretty(digests)?;
    write(root, "digests.js", &format!("export const digests = {table};\n"))?;
    write(root, "digests.d.ts", "export const digests: Readonly<Record<string, string>>;\n")
}

/// Writes `<policy>.rules.json`.
pub(crate) fn write_words(root: &Path, provider: &str) -> anyhow::Result<()> {
    let words = rules::words(provider)?;
    println!("wasm: {FOLDER}/{provider}.rules.json: {}", size::report(words.as_bytes())?);
    write(root, &format!("{provider}.rules.json"), &words)
}

fn write(root: &Path, name: &str, content: &str) -> anyhow::Result<()> {
    let file = root.join(FOLDER).join(name);
    fs::write(&file, content).with_context(|| format!("cannot write {}", file.display()))
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digests_are_a_table_for_the_package_also_where_there_are_none() {
        let root = tempfile::tempdir().unwrap();
        fs::create_dir_all(root.path().join(FOLDER)).unwrap();
        let written = |digests| {
            write_digests(root.path(), &digests).unwrap();
            fs::read_to_string(root.path().join(FOLDER).join("digests.js")).unwrap()
        };
        assert_eq!(written(BTreeMap::new()), "export const digests = {};\n");
        let table = written(BTreeMap::from([("alicloud", "00ff".to_owned())]));
        assert_eq!(table, "export const digests = {\n  \"alicloud\": \"00ff\"\n};\n");
    }
}
