//! The modules for JavaScript, each with its size and hash, and the bindings that wasm-bindgen writes.

use std::collections::BTreeMap;
use std::fs;
use std::num::NonZero;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Mutex;
use std::thread;
use std::time::Instant;

use anyhow::{Context as _, anyhow, bail, ensure};
use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use sha2::{Digest as _, Sha384};
use wasm_bindgen_cli_support::Bindgen;

use super::keep::{self, Key};
use super::paths::Paths;
use super::{Face, bindings, folder, modules};
use crate::rules;

/// Where the npm package expects them, from the top of the repository.
const FOLDER: &str = "web/dist/policies";

/// What of a module is kept.
const MODULE: &str = "module.wasm";
const BINDINGS: &str = "bindings.js";

/// After how many modules a line says how far it is.
const REPORTED: usize = 5;

/// The level of `wasm-opt`. `-Oz` would make the module a tenth smaller but the compressed download a seventh
/// larger, because it breaks up the repetition that brotli uses.
const PASSES: [&str; 13] = [
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
    "--strip-debug",
    "--strip-target-features",
];

/// In which order functions stand. What is alike has names alike: brotli finds it where it stands together.
const BY_NAME: &str = "--reorder-functions-by-name";
/// The module with so many functions that numbers of the most called ones have to be short: by name, its download is
/// 0.4 % larger.
const BY_CALLS: (&str, &str) = ("gardener", "--reorder-functions");

/// Writes into a folder from compiled modules by name: of each `<name>_bg.wasm`, and its size and hash in
/// `<name>.js`; the bindings, which are the same for every module; the rules of each policy in words.
pub(super) fn make(
    root: &Path,
    compiled: &BTreeMap<String, PathBuf>,
    paths: &Paths,
    folder: &Path,
) -> anyhow::Result<()> {
    let modules = modules::of(Face::JavaScript);
    let (queue, bound, start) = (Mutex::new(modules.iter()), Mutex::new(Vec::new()), Instant::now());
    let work = || -> anyhow::Result<()> {
        // The lock is held while the next module is taken, not while it is bound.
        while let Some(module) = { queue.lock().map_err(|_| anyhow!("another thread panicked"))?.next() } {
            let name = &module.name;
            let kept =
                bound_module(root, name, compiled.get(name).with_context(|| format!("cargo built no {name}"))?)?;
            let bytes = fs::read(kept.join(MODULE))?;
            paths.refuse(name, &bytes)?;
            write_module(folder, name, &bytes)?;
            let mut bound = bound.lock().map_err(|_| anyhow!("another thread panicked"))?;
            bound.push(fs::read_to_string(kept.join(BINDINGS))?);
            let (done, all, seconds) = (bound.len(), modules.len(), start.elapsed().as_secs());
            if done % REPORTED == 0 || done == all {
                println!("wasm: {done} of {all} modules ({seconds} s)");
            }
        }
        Ok(())
    };
    let workers = thread::available_parallelism().map_or(1, NonZero::get);
    thread::scope(|scope| {
        let workers: Vec<_> = (0..workers).map(|_| scope.spawn(work)).collect();
        workers.into_iter().try_for_each(|worker| worker.join().map_err(|_| anyhow!("a thread panicked"))?)
    })?;
    write_bindings(folder, &bound.into_inner().map_err(|_| anyhow!("a thread panicked"))?)?;
    for policy in trellis_core::policies() {
        write(folder, &format!("{policy}.rules.json"), rules::words(policy)?)?;
    }
    Ok(())
}

/// Puts the files of the modules, and the digests of the files that hosts load, by policy, where the npm package
/// has them.
pub(super) fn install(root: &Path, made: &Path, digests: &BTreeMap<&str, String>) -> anyhow::Result<()> {
    let mut files = folder::read(made)?;
    let table = serde_json::to_string_pretty(digests)?;
    files.insert("digests.js".to_owned(), format!("export const digests = {table};\n").into_bytes());
    files.insert("digests.d.ts".to_owned(), b"export const digests: Readonly<Record<string, string>>;\n".to_vec());
    folder::replace(&root.join(FOLDER), &files)
}

/// The folder where a module is kept after wasm-bindgen and wasm-opt, with its bindings.
fn bound_module(root: &Path, name: &str, compiled: &Path) -> anyhow::Result<PathBuf> {
    let mut key = Key::new(name);
    key.add(fs::read(compiled).with_context(|| format!("cannot read {}", compiled.display()))?);
    for maker in ["Cargo.lock", "node_modules/binaryen/package.json", "xtask/src/wasm"] {
        key.add_files(root, maker)?;
    }
    keep::folder(key, |folder| {
        Bindgen::new()
            .input_path(compiled)
            .out_name(name)
            .web(true)?
            .typescript(false)
            .omit_default_module_path(true)
            // A module that has trapped is put aside for another instance.
            .reset_state_function(true)
            .remove_name_section(false)
            .remove_producers_section(true)
            .generate(folder)
            .context("wasm-bindgen failed")?;
        let code = fs::read_to_string(folder.join(format!("{name}.js")))?;
        fs::write(folder.join(BINDINGS), bindings::factory(&code, name)?)?;
        fs::rename(folder.join(format!("{name}_bg.wasm")), folder.join(MODULE))?;
        optimise(root, name, &folder.join(MODULE))
    })
}

/// Writes a module, and what is known of it before it is loaded.
fn write_module(folder: &Path, name: &str, bytes: &[u8]) -> anyhow::Result<()> {
    write(folder, &format!("{name}_bg.wasm"), bytes)?;
    let (size, hash) = (bytes.len(), BASE64_STANDARD.encode(Sha384::digest(bytes)));
    let known = format!("export const bytes = {size};\nexport const integrity = \"sha384-{hash}\";\n");
    write(folder, &format!("{name}.js"), known)?;
    write(folder, &format!("{name}.d.ts"), "export const bytes: number;\nexport const integrity: string;\n")
}

/// Writes the bindings, given as those of each module.
fn write_bindings(folder: &Path, made: &[String]) -> anyhow::Result<()> {
    let [first, others @ ..] = made else { bail!("there is no module") };
    ensure!(others.iter().all(|other| other == first), "wasm-bindgen writes different code for the modules");
    write(folder, "bindings.js", first)?;
    write(folder, "bindings.d.ts", bindings::TYPES)
}

fn write(folder: &Path, name: &str, content: impl AsRef<[u8]>) -> anyhow::Result<()> {
    fs::write(folder.join(name), content).with_context(|| format!("cannot write {name}"))
}

/// Shrinks the module in place with the `wasm-opt` of the npm package `binaryen`, when that is installed.
fn optimise(root: &Path, name: &str, module: &Path) -> anyhow::Result<()> {
    let wasm_opt = root.join("node_modules/binaryen/bin/wasm-opt");
    if !wasm_opt.exists() {
        println!("wasm: not optimised; `npm ci` installs wasm-opt");
        return Ok(());
    }
    let order = if name == BY_CALLS.0 { BY_CALLS.1 } else { BY_NAME };
    // The file is a Node script; starting it through `node` works on every platform.
    let status = Command::new("node")
        .arg(&wasm_opt)
        .arg(order)
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
        let (root, made) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        let written = |digests| {
            install(root.path(), made.path(), &digests).unwrap();
            fs::read_to_string(root.path().join(FOLDER).join("digests.js")).unwrap()
        };
        assert_eq!(written(BTreeMap::new()), "export const digests = {};\n");
        let table = written(BTreeMap::from([("alicloud", "00ff".to_owned())]));
        assert_eq!(table, "export const digests = {\n  \"alicloud\": \"00ff\"\n};\n");
    }

    #[test]
    fn bindings_that_differ_are_refused() {
        let folder = tempfile::tempdir().unwrap();
        let text = |text: &str| text.to_owned();
        assert!(write_bindings(folder.path(), &[text("a"), text("a")]).is_ok());
        assert!(write_bindings(folder.path(), &[text("a"), text("b")]).is_err());
        assert!(write_bindings(folder.path(), &[]).is_err());
    }
}
