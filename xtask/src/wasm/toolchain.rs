//! The compilers for `wasm32-unknown-unknown`. The pinned toolchain of rustup with the source of the standard
//! library makes the modules that are published. Where that source cannot be had, other compilers make modules
//! that give the same answers.

use std::env;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus};
use std::time::Duration;

use anyhow::{Context as _, bail, ensure};
use wait_timeout::ChildExt as _;

/// What all compilers compile for.
pub(super) const TARGET: &str = "wasm32-unknown-unknown";

/// The environment variable that chooses a toolchain by its name.
const CHOICE: &str = "TRELLIS_WASM_TOOLCHAIN";

/// The most time for a download.
const DOWNLOAD_LIMIT: Duration = Duration::from_mins(3);

const DEBIAN_PACKAGES: [&str; 4] = ["rustc-web", "cargo-web", "rust-web-src", "lld-19"];
pub(super) const DEBIAN_RUSTC: &str = "/usr/bin/rustc";
pub(super) const DEBIAN_CARGO: &str = "/usr/bin/cargo";
pub(super) const DEBIAN_LINKER: &str = "wasm-ld-19";

/// Where a toolchain keeps the source of its standard library, from its own folder.
const SOURCE: &str = "lib/rustlib/src/rust/library";

/// Asks cargo to compile the standard library along.
pub(super) const BUILD_STD: &str = "-Zbuild-std=std,panic_abort";

/// A compiler for the target that is installed and ready.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Toolchain {
    /// The compiler of the workspace, which compiles the standard library along: the modules have the published
    /// digests.
    Rustup,
    /// The compiler of the workspace, with the compiled standard library that rustup has.
    Prebuilt,
    /// Debian's compiler, which compiles its standard library along.
    Debian,
}

impl Toolchain {
    /// In the order in which they are tried.
    const ALL: [Self; 3] = [Self::Rustup, Self::Prebuilt, Self::Debian];

    /// Finds a compiler, and installs what it lacks.
    pub(crate) fn find(root: &Path) -> anyhow::Result<Self> {
        let toolchain = match env::var(CHOICE) {
            Ok(name) => {
                let chosen = Self::ALL.into_iter().find(|toolchain| toolchain.name() == name);
                let chosen = chosen.with_context(|| {
                    format!("{CHOICE} is `{name}`; it takes `{}`", Self::ALL.map(Self::name).join("`, `"))
                })?;
                chosen.prepare(root)?;
                chosen
            }
            Err(_) => Self::first(root)?,
        };
        println!("wasm: compiling with {}", toolchain.description());
        if toolchain != Self::Rustup {
            println!("wasm: the digests of these modules are not those of published ones");
        }
        Ok(toolchain)
    }

    /// The first toolchain that can be had.
    fn first(root: &Path) -> anyhow::Result<Self> {
        for toolchain in Self::ALL {
            match toolchain.prepare(root) {
                Ok(()) => return Ok(toolchain),
                Err(reason) => println!("wasm: no {}: {reason:#}", toolchain.description()),
            }
        }
        bail!("there is no compiler for {TARGET}")
    }

    fn name(self) -> &'static str {
        match self {
            Self::Rustup => "rustup",
            Self::Prebuilt => "prebuilt",
            Self::Debian => "debian",
        }
    }

    fn description(self) -> &'static str {
        match self {
            Self::Rustup => "rustup's toolchain, standard library included",
            Self::Prebuilt => "rustup's toolchain and its compiled standard library",
            Self::Debian => "Debian's rustc-web, standard library included",
        }
    }

    fn prepare(self, root: &Path) -> anyhow::Result<()> {
        match self {
            Self::Rustup => prepare_rustup(root),
            Self::Prebuilt => prepare_prebuilt(root),
            Self::Debian => prepare_debian(),
        }
    }

    /// What identifies the toolchain and its version.
    pub(super) fn version(self, root: &Path) -> anyhow::Result<String> {
        Ok(format!("{} {}", self.name(), ask_rustc(self.rustc(), root, &["--version", "--verbose"])?))
    }

    fn rustc(self) -> &'static str {
        if self == Self::Debian { DEBIAN_RUSTC } else { "rustc" }
    }

    /// The folder of the toolchain.
    pub(super) fn sysroot(self, root: &Path) -> anyhow::Result<PathBuf> {
        Ok(PathBuf::from(ask_rustc(self.rustc(), root, &["--print", "sysroot"])?))
    }
}

/// Makes sure that the toolchain in use has the source of its standard library, and cargo the crates that the
/// library needs.
fn prepare_rustup(root: &Path) -> anyhow::Result<()> {
    if !Toolchain::Rustup.sysroot(root)?.join(SOURCE).is_dir() {
        within_limit(Command::new("rustup").args(["component", "add", "rust-src"]).current_dir(root))?;
    }
    let mut fetch = Command::new("cargo");
    fetch.args(["fetch", "--quiet", "--locked", BUILD_STD, "--target", TARGET]);
    within_limit(fetch.env("RUSTC_BOOTSTRAP", "1").current_dir(root))
}

/// Makes sure that the toolchain in use has the target.
fn prepare_prebuilt(root: &Path) -> anyhow::Result<()> {
    let library = ask_rustc("rustc", root, &["--print", "target-libdir", "--target", TARGET])?;
    if Path::new(&library).is_dir() {
        return Ok(());
    }
    within_limit(Command::new("rustup").args(["target", "add", TARGET]).current_dir(root))
}

/// Makes sure that Debian's compiler, standard library source and linker are installed.
fn prepare_debian() -> anyhow::Result<()> {
    let linker = Command::new(DEBIAN_LINKER).arg("--version").output().is_ok();
    let source = Path::new("/usr").join(SOURCE);
    if linker && [Path::new(DEBIAN_RUSTC), Path::new(DEBIAN_CARGO), &source].iter().all(|path| path.exists()) {
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

/// What a compiler says of itself.
fn ask_rustc(rustc: &str, root: &Path, question: &[&str]) -> anyhow::Result<String> {
    let answer = Command::new(rustc).current_dir(root).args(question).output();
    let answer = answer.with_context(|| format!("cannot start `{rustc}`"))?;
    ensure!(answer.status.success(), "`{rustc} {}` failed ({})", question.join(" "), answer.status);
    Ok(String::from_utf8_lossy(&answer.stdout).trim().to_owned())
}

/// Runs a command that may download something, and ends the command when it takes too long.
fn within_limit(command: &mut Command) -> anyhow::Result<()> {
    let arguments: Vec<_> = command.get_args().map(|argument| argument.to_string_lossy()).collect();
    let line = format!("{} {}", command.get_program().display(), arguments.join(" "));
    let mut child = command.spawn().with_context(|| format!("cannot start `{line}`"))?;
    let Some(status) = child.wait_timeout(DOWNLOAD_LIMIT)? else {
        child.kill()?;
        child.wait()?;
        bail!("`{line}` took longer than {} s", DOWNLOAD_LIMIT.as_secs());
    };
    ensure!(status.success(), "`{line}` failed ({status})");
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_download_that_fails_is_reported_with_its_command() {
        let error = within_limit(Command::new("false").arg("now")).unwrap_err().to_string();
        assert!(error.starts_with("`false now` failed"), "{error}");
        assert!(within_limit(&mut Command::new("true")).is_ok());
    }
}
