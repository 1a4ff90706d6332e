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

/// `rustup` or `debian` here takes that way and no other.
const CHOICE: &str = "TRELLIS_WASM_TOOLCHAIN";

/// A download that has not ended by then will not.
const DOWNLOAD_LIMIT: Duration = Duration::from_mins(3);

const DEBIAN_PACKAGES: [&str; 4] = ["rustc-web", "cargo-web", "rust-web-src", "lld-19"];
const DEBIAN_RUSTC: &str = "/usr/bin/rustc";
const DEBIAN_CARGO: &str = "/usr/bin/cargo";
const DEBIAN_LINKER: &str = "wasm-ld-19";
/// Source of the standard library, as `rust-web-src` installs it.
const DEBIAN_SOURCE: &str = "/usr/lib/rustlib/src/rust/library";

/// Compiles the crate `trellis-wasm` and returns the path of the module.
pub(crate) fn compile(root: &Path) -> anyhow::Result<PathBuf> {
    match env::var(CHOICE).as_deref() {
        Ok("rustup") => {
            prepare_rustup(root)?;
            with_rustup(root)
        }
        Ok("debian") => {
            prepare_debian()?;
            with_debian(root)
        }
        Ok(other) => bail!("{CHOICE} is `{other}`; it takes `rustup` or `debian`"),
        Err(_) => match prepare_rustup(root) {
            Ok(()) => with_rustup(root),
            Err(reason) => {
                println!("wasm: {reason:#}; falling back to Debian's compiler");
                prepare_debian()?;
                with_debian(root)
            }
        },
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

fn with_rustup(root: &Path) -> anyhow::Result<PathBuf> {
    println!("wasm: compiling with the toolchain's own target");
    cargo_build(Command::new("cargo").current_dir(root))
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

fn with_debian(root: &Path) -> anyhow::Result<PathBuf> {
    println!("wasm: compiling with Debian's rustc-web, standard library included");
    cargo_build(
        Command::new(DEBIAN_CARGO)
            .current_dir(root)
            .arg("-Zbuild-std=std,panic_abort")
            .env("RUSTC", DEBIAN_RUSTC)
            .env("RUSTC_BOOTSTRAP", "1")
            .env("RUSTFLAGS", format!("-C linker={DEBIAN_LINKER}")),
    )
}

/// A line of `cargo build --message-format json`; the artifacts are what matters here.
#[derive(Deserialize)]
struct Message {
    #[serde(default)]
    filenames: Vec<PathBuf>,
}

fn cargo_build(cargo: &mut Command) -> anyhow::Result<PathBuf> {
    let mut child = cargo
        .args(["build", "--package", "trellis-wasm", "--lib", "--target", TARGET, "--profile", "wasm"])
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
