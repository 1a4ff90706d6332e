//! The two ways to a compiler for `wasm32-unknown-unknown`: rustup's target, or Debian's compiler with the source of its
//! standard library, for machines on which rustup cannot download.

use std::env;
use std::ffi::OsStr;
use std::io::BufRead as _;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus, Stdio};
use std::time::Duration;

use anyhow::{Context as _, bail, ensure};
use serde::Deserialize;
use wait_timeout::ChildExt as _;

const TARGET: &str = "wasm32-unknown-unknown";

/// The environment variable that chooses one way: `rustup` or `debian`.
const CHOICE: &str = "TRELLIS_WASM_TOOLCHAIN";

/// The most time for a download.
const DOWNLOAD_LIMIT: Duration = Duration::from_mins(3);

const DEBIAN_PACKAGES: [&str; 4] = ["rustc-web", "cargo-web", "rust-web-src", "lld-19"];
const DEBIAN_RUSTC: &str = "/usr/bin/rustc";
const DEBIAN_CARGO: &str = "/usr/bin/cargo";
const DEBIAN_LINKER: &str = "wasm-ld-19";
/// Source of the standard library, as `rust-web-src` installs it.
const DEBIAN_SOURCE: &str = "/usr/lib/rustlib/src/rust/library";

/// A compiler for the target that is installed and ready.
#[derive(Clone, Copy)]
pub(crate) enum Toolchain {
    /// The compiler of the workspace, with the target that rustup adds to it.
    Rustup,
    /// Debian's compiler, which compiles the standard library along.
    Debian,
}

/// One of the modules that the crate `trellis-wasm` can be compiled to.
pub(crate) struct Build<'b> {
    /// The provider whose policy it holds.
    pub(crate) provider: &'b str,
    /// The features with its face.
    pub(crate) face: &'static str,
    /// The profile of cargo that fits the face.
    pub(crate) profile: &'static str,
}

impl Toolchain {
    /// Finds a compiler, and installs what it lacks.
    pub(crate) fn prepare(root: &Path) -> anyhow::Result<Self> {
        let toolchain = match env::var(CHOICE).as_deref() {
            Ok("rustup") => prepare_rustup(root).map(|()| Self::Rustup)?,
            Ok("debian") => prepare_debian().map(|()| Self::Debian)?,
            Ok(other) => bail!("{CHOICE} is `{other}`; it takes `rustup` or `debian`"),
            Err(_) => match prepare_rustup(root) {
                Ok(()) => Self::Rustup,
                Err(reason) => {
                    println!("wasm: {reason:#}; falling back to Debian's compiler");
                    prepare_debian().map(|()| Self::Debian)?
                }
            },
        };
        println!(
            "wasm: compiling with {}",
            match toolchain {
                Self::Rustup => "the toolchain's own target",
                Self::Debian => "Debian's rustc-web, standard library included",
            }
        );
        Ok(toolchain)
    }

    /// Compiles a module and returns its path, which the next one takes over.
    pub(crate) fn compile(self, root: &Path, build: &Build<'_>) -> anyhow::Result<PathBuf> {
        let mut cargo = match self {
            Self::Rustup => Command::new("cargo"),
            Self::Debian => {
                let mut cargo = Command::new(DEBIAN_CARGO);
                cargo
                    .arg("-Zbuild-std=std,panic_abort")
                    .env("RUSTC", DEBIAN_RUSTC)
                    .env("RUSTC_BOOTSTRAP", "1")
                    .env("RUSTFLAGS", format!("-C linker={DEBIAN_LINKER}"));
                cargo
            }
        };
        cargo_build(cargo.current_dir(root), build)
    }
}

/// Makes sure that the toolchain in use has the target.
fn prepare_rustup(root: &Path) -> anyhow::Result<()> {
    let directory = Command::new("rustc")
        .current_dir(root)
        .args(["--print", "target-libdir", "--target", TARGET])
        .output()
        .context("cannot start `rustc`")?;
    if directory.status.success() && Path::new(String::from_utf8_lossy(&directory.stdout).trim()).is_dir() {
        return Ok(());
    }
    println!("wasm: adding the target {TARGET} (at most {} s)", DOWNLOAD_LIMIT.as_secs());
    let mut rustup = Command::new("rustup")
        .args(["target", "add", TARGET])
        .current_dir(root)
        .spawn()
        .context("cannot start `rustup`")?;
    let Some(status) = rustup.wait_timeout(DOWNLOAD_LIMIT)? else {
        rustup.kill()?;
        rustup.wait()?;
        bail!("`rustup target add {TARGET}` took longer than {} s", DOWNLOAD_LIMIT.as_secs());
    };
    ensure!(status.success(), "`rustup target add {TARGET}` failed ({status})");
    Ok(())
}

/// Makes sure that Debian's compiler, standard library source and linker are installed.
fn prepare_debian() -> anyhow::Result<()> {
    let linker = Command::new(DEBIAN_LINKER).arg("--version").output().is_ok();
    if linker && [DEBIAN_RUSTC, DEBIAN_CARGO, DEBIAN_SOURCE].iter().all(|path| Path::new(path).exists()) {
        return Ok(());
    }
    println!("wasm: installing {} with apt-get", DEBIAN_PACKAGES.join(" "));
    let hint = || format!("install them by hand: `apt-get install {}`", DEBIAN_PACKAGES.join(" "));
    for arguments in [&["update"][..], &["install", "--yes", "--no-install-recommends"]] {
        let packages = if arguments == ["update"] { &[][..] } else { &DEBIAN_PACKAGES };
        let status = apt_get(arguments, packages).with_context(hint)?;
        ensure!(status.success(), "apt-get failed ({status}); {}", hint());
    }
    Ok(())
}

fn apt_get(arguments: &[&str], packages: &[&str]) -> std::io::Result<ExitStatus> {
    Command::new("apt-get")
        // rustc-web conflicts with other packaged Rust compilers; a build step removes nothing.
        .args(["--quiet=2", "--option=Dpkg::Use-Pty=0", "--no-remove"])
        .args(arguments)
        .args(packages)
        .env("DEBIAN_FRONTEND", "noninteractive")
        .status()
}

/// A line of `cargo build --message-format json`; the artifacts are what matters here.
#[derive(Deserialize)]
struct Message {
    #[serde(default)]
    filenames: Vec<PathBuf>,
}

fn cargo_build(cargo: &mut Command, build: &Build<'_>) -> anyhow::Result<PathBuf> {
    let mut child = cargo
        .args(["build", "--package", "trellis-wasm", "--lib", "--target", TARGET, "--profile", build.profile])
        .args(["--no-default-features", "--features", &format!("{},{}", build.provider, build.face)])
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
