//! Paths of the machine that builds, which no module shows, so that modules that are built in different places are
//! the same bytes.

use std::env;
use std::path::{Path, PathBuf};

use anyhow::ensure;

/// Folders by which the files of one machine differ from those of another.
pub(super) struct Paths {
    /// A folder, and the name that a module has for the folder.
    folders: Vec<(PathBuf, &'static str)>,
    home: Option<PathBuf>,
}

impl Paths {
    /// The folders of a build with the toolchain in `sysroot`.
    pub(super) fn new(root: &Path, sysroot: PathBuf) -> Self {
        let home = env::home_dir().filter(|home| home.parent().is_some());
        let folder = |variable| env::var_os(variable).map(PathBuf::from);
        let cargo = folder("CARGO_HOME").or_else(|| home.as_ref().map(|home| home.join(".cargo")));
        let target = root.join(folder("CARGO_TARGET_DIR").unwrap_or_else(|| PathBuf::from("target")));
        let mut folders = vec![(root.to_owned(), "/trellis"), (target, "/target")];
        folders.extend(cargo.map(|cargo| (cargo, "/cargo")));
        // The folder of a toolchain may be a link to another one.
        folders.extend(sysroot.canonicalize().ok().map(|sysroot| (sysroot, "/rust")));
        folders.push((sysroot, "/rust"));
        Self { folders, home }
    }

    /// The flags by which the compiler writes the names in place of the folders.
    pub(super) fn remapped(&self) -> Vec<String> {
        let flag = |(folder, name): &(PathBuf, &str)| format!("--remap-path-prefix={}={name}", folder.display());
        self.folders.iter().map(flag).collect()
    }

    /// Fails when a module shows where it was built.
    pub(super) fn refuse(&self, name: &str, module: &[u8]) -> anyhow::Result<()> {
        for folder in self.folders.iter().map(|(folder, _)| folder).chain(&self.home) {
            let start = format!("{}/", folder.display());
            let is_reported = module.windows(start.len()).any(|part| part == start.as_bytes());
            ensure!(!is_reported, "{name} holds the path `{start}…` of this machine");
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_module_that_shows_where_it_was_built_is_refused() {
        let paths = Paths::new(Path::new("/somewhere/trellis"), PathBuf::from("/toolchain"));
        assert!(paths.refuse("a.wasm", b"..src/lib.rs..toolchain").is_ok());
        for path in ["/somewhere/trellis/core/src/lib.rs", "/toolchain/lib/rustlib"] {
            let error = paths.refuse("a.wasm", format!("..{path}..").as_bytes()).unwrap_err().to_string();
            assert!(error.starts_with("a.wasm holds the path `/"), "{error}");
        }
    }
}
