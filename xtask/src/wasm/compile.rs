//! Compiles the crate `trellis-wasm` to modules.

use std::ffi::OsStr;
use std::io::BufRead as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context as _, ensure};
use serde::Deserialize;

use super::paths::Paths;
use super::toolchain::{BUILD_STD, DEBIAN_CARGO, DEBIAN_LINKER, DEBIAN_RUSTC, TARGET, Toolchain};

/// What a standard library that is compiled along allows: a panic is a trap and nothing else, and the modules hold neither
/// messages of panics nor the places of panics.
const WITHOUT_PANICS: [&str; 3] = ["-Zunstable-options", "-Cpanic=immediate-abort", "-Zlocation-detail=none"];

/// How long a function may be that the compiler copies to where it is called: longer ones make modules larger, and so do none.
const SHORT_INLINING: &str = "-Cllvm-args=-inline-threshold=25";

/// The digests that are small, and not fast.
const SMALL_DIGESTS: [&str; 2] = ["--cfg=sha2_backend=\"soft\"", "--cfg=sha2_backend_soft=\"compact\""];

/// One of the modules that the crate can be compiled to.
#[derive(Clone, Copy)]
pub(super) struct Build<'b> {
    /// The name of the policy that it holds.
    pub(super) provider: &'b str,
    /// The features with its face.
    pub(super) features: &'static str,
    /// What the module is for.
    pub(super) purpose: Purpose,
}

/// What a module is for, by which the compiler weighs size and speed.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Purpose {
    /// To be downloaded.
    Download,
    /// To run in the sandbox of a host.
    Sandbox,
}

impl Build<'_> {
    /// Compiles the module and returns its path, to which the next module of the same purpose goes too.
    pub(super) fn run(&self, root: &Path, toolchain: Toolchain, paths: &Paths) -> anyhow::Result<PathBuf> {
        let mut cargo = Command::new(if toolchain == Toolchain::Debian { DEBIAN_CARGO } else { "cargo" });
        let mut flags = paths.remapped();
        if toolchain == Toolchain::Debian {
            cargo.env("RUSTC", DEBIAN_RUSTC);
            flags.push(format!("-Clinker={DEBIAN_LINKER}"));
        }
        if self.purpose == Purpose::Download {
            flags.extend(SMALL_DIGESTS.map(str::to_owned));
            flags.push(SHORT_INLINING.to_owned());
        }
        if toolchain != Toolchain::Prebuilt {
            cargo.arg(BUILD_STD).env("RUSTC_BOOTSTRAP", "1");
            if self.purpose == Purpose::Download {
                cargo.arg("-Zbuild-std-features=optimize_for_size");
            }
            flags.extend(WITHOUT_PANICS.map(str::to_owned));
        }
        // Separated by a character that no path has.
        cargo.env("CARGO_ENCODED_RUSTFLAGS", flags.join("\u{1f}"));
        let profile = if self.purpose == Purpose::Download { "wasm" } else { "component" };
        cargo
            .current_dir(root)
            .args(["build", "--locked", "--package", "trellis-wasm", "--lib", "--target", TARGET])
            .args(["--profile", profile, "--no-default-features"])
            .args(["--features", &format!("{},{}", self.provider, self.features)]);
        built(&mut cargo)
    }
}

/// A line of `cargo build --message-format json`; the artifacts are what matters here.
#[derive(Deserialize)]
struct Message {
    #[serde(default)]
    filenames: Vec<PathBuf>,
}

/// Runs cargo and returns the module that cargo built.
fn built(cargo: &mut Command) -> anyhow::Result<PathBuf> {
    let mut child = cargo
        .arg("--message-format=json-render-diagnostics")
        .stdout(Stdio::piped())
        .spawn()
        .with_context(|| format!("cannot start {}", cargo.get_program().display()))?;
    let mut module = None;
    for line in child.stdout.take().into_iter().flat_map(|stdout| std::io::BufReader::new(stdout).lines()) {
        let message: Message = serde_json::from_str(&line?).context("cargo's messages changed their shape")?;
        module =
            message.filenames.into_iter().find(|file| file.extension() == Some(OsStr::new("wasm"))).or(module);
    }
    let status = child.wait()?;
    ensure!(status.success(), "the module does not compile ({status})");
    module.context("cargo built no .wasm file")
}
