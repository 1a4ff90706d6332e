//! The browser module: compile, bind, shrink, report its size.

mod size;
mod toolchain;

use std::fs;
use std::path::Path;
use std::process::Command;

use anyhow::{Context as _, ensure};
use wasm_bindgen_cli_support::Bindgen;

/// Name of the module and of its JavaScript bindings.
const NAME: &str = "trellis";

/// Builds `web/dist/trellis.js`, its type declarations and `web/dist/trellis_bg.wasm`.
pub(crate) fn build(root: &Path) -> anyhow::Result<()> {
    let compiled = toolchain::compile(root)?;
    let dist = root.join("web/dist");
    println!("wasm: writing the bindings to web/dist/");
    Bindgen::new()
        .input_path(&compiled)
        .out_name(NAME)
        .web(true)?
        .typescript(true)
        .omit_default_module_path(true)
        .remove_name_section(true)
        .remove_producers_section(true)
        .generate(&dist)
        .context("wasm-bindgen failed")?;
    let module = dist.join(format!("{NAME}_bg.wasm"));
    optimise(root, &module)?;
    let bytes = fs::read(&module).with_context(|| format!("cannot read {}", module.display()))?;
    println!("wasm: {}", size::report(&bytes)?);
    Ok(())
}

/// What `wasm-opt` does. `-Oz` would make the module a tenth smaller but the download, which is compressed, a
/// seventh larger: it breaks up the repetition that brotli lives on.
const PASSES: [&str; 4] =
    ["--duplicate-function-elimination", "--remove-unused-module-elements", "--vacuum", "--strip-target-features"];

/// Shrinks the module in place with the `wasm-opt` of the npm package `binaryen`, when that is installed.
fn optimise(root: &Path, module: &Path) -> anyhow::Result<()> {
    let wasm_opt = root.join("node_modules/binaryen/bin/wasm-opt");
    if !wasm_opt.exists() {
        println!("wasm: not optimised; `npm ci` installs wasm-opt");
        return Ok(());
    }
    println!("wasm: removing duplicates with wasm-opt");
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
