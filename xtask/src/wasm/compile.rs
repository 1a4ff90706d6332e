//! Compiles the modules of the crate `trellis-wasm`.

use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::fs;
use std::io::BufRead as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context as _, ensure};
use serde::Deserialize;

use super::Face;
use super::paths::Paths;
use super::toolchain::{BUILD_STD, DEBIAN_CARGO, DEBIAN_LINKER, DEBIAN_RUSTC, TARGET, Toolchain};

/// What a standard library that is compiled along allows: a panic is a trap and nothing else, and the modules hold
/// neither messages of panics nor the places of panics.
const WITHOUT_PANICS: [&str; 3] = ["-Zunstable-options", "-Cpanic=immediate-abort", "-Zlocation-detail=none"];

/// The digests that are small, and not fast.
const SMALL_DIGESTS: [&str; 2] = ["--cfg=sha2_backend=\"soft\"", "--cfg=sha2_backend_soft=\"compact\""];

/// Compiles all modules of a face, and returns the path of each by its name.
///
/// The crates are compiled once. The linker leaves out what a module does not name.
pub(super) fn modules(
    root: &Path,
    toolchain: Toolchain,
    paths: &Paths,
    face: Face,
) -> anyhow::Result<BTreeMap<String, PathBuf>> {
    let mut cargo = Command::new(if toolchain == Toolchain::Debian { DEBIAN_CARGO } else { "cargo" });
    let mut flags = paths.remapped();
    if toolchain == Toolchain::Debian {
        cargo.env("RUSTC", DEBIAN_RUSTC);
        flags.push(format!("-Clinker={DEBIAN_LINKER}"));
    }
    if face == Face::JavaScript {
        flags.extend(SMALL_DIGESTS.map(str::to_owned));
    }
    if toolchain != Toolchain::Prebuilt {
        cargo.arg(BUILD_STD).env("RUSTC_BOOTSTRAP", "1");
        if face == Face::JavaScript {
            cargo.arg("-Zbuild-std-features=optimize_for_size");
        }
        flags.extend(WITHOUT_PANICS.map(str::to_owned));
    }
    // Separated by a character that no path has.
    cargo.env("CARGO_ENCODED_RUSTFLAGS", flags.join("\u{1f}"));
    cargo
        .current_dir(root)
        .args(["build", "--locked", "--package", "trellis-wasm", "--examples", "--target", TARGET])
        .args(["--profile", face.profile(), "--no-default-features", "--features", face.feature()]);
    let modules = built(&mut cargo)?;
    for (name, module) in &modules {
        let bytes = fs::read(module).with_context(|| format!("cannot read {}", module.display()))?;
        ensure!(
            is_optimised_as_a_whole(&bytes) == (face == Face::JavaScript),
            "{name} was not linked as the profile `{}` says: `lto` has another effect",
            face.profile()
        );
    }
    Ok(modules)
}

/// Whether the linker optimised the crates of a module together: this function of the crate `trellis-wasm` calls
/// others, and is called from another crate, so that it stays a function where each crate was optimised alone.
/// Cargo drops `lto` without a word where a crate has other types too.
fn is_optimised_as_a_whole(module: &[u8]) -> bool {
    const CALLED_FROM_OUTSIDE: &[u8] = b"12trellis_wasm4call";
    !module.windows(CALLED_FROM_OUTSIDE.len()).any(|name| name == CALLED_FROM_OUTSIDE)
}

/// A line of `cargo build --message-format json`; the artifacts are what matters here.
#[derive(Deserialize)]
struct Message {
    target: Option<Target>,
    #[serde(default)]
    filenames: Vec<PathBuf>,
}

#[derive(Deserialize)]
struct Target {
    name: String,
}

/// Runs cargo and returns the modules that cargo built.
fn built(cargo: &mut Command) -> anyhow::Result<BTreeMap<String, PathBuf>> {
    let mut child = cargo
        .arg("--message-format=json-render-diagnostics")
        .stdout(Stdio::piped())
        .spawn()
        .with_context(|| format!("cannot start {}", cargo.get_program().display()))?;
    let mut modules = BTreeMap::new();
    for line in child.stdout.take().into_iter().flat_map(|stdout| std::io::BufReader::new(stdout).lines()) {
        let message: Message = serde_json::from_str(&line?).context("cargo's messages changed their shape")?;
        let module = message.filenames.into_iter().find(|file| file.extension() == Some(OsStr::new("wasm")));
        modules.extend(message.target.zip(module).map(|(target, module)| (target.name, module)));
    }
    let status = child.wait()?;
    ensure!(status.success(), "the modules do not compile ({status})");
    Ok(modules)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_module_that_was_linked_crate_by_crate_is_recognised() {
        assert!(is_optimised_as_a_whole(b"\0asm..name.._RNvCs96mHkCFkoRQ_8alicloud4call"));
        assert!(!is_optimised_as_a_whole(b"\0asm..name.._RNvCs96mHkCFkoRQ_12trellis_wasm4call.."));
    }
}
