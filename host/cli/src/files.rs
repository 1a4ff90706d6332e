//! The files and folders that a command line names.

use std::collections::HashSet;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use clap::Args;

use super::CommandError;

/// Endings of the files that are read of a folder, as kubectl reads them.
const ENDINGS: [&str; 3] = ["json", "yaml", "yml"];
/// Most files of a command.
const MAX_FILES: usize = 10_000;

#[derive(Args, Clone, Debug, Default)]
pub(super) struct FileArguments {
    /// Files with manifests, YAML or JSON, or folders of them; `-` for standard input, which is also read where
    /// nothing is named.
    ///
    /// Of a folder, Trellis reads the files that end in `.yaml`, `.yml` or `.json`.
    #[arg(value_name = "FILES")]
    files: Vec<PathBuf>,

    /// A further file or folder, by the option that kubectl has for it.
    #[arg(short, long, value_name = "FILE")]
    filename: Vec<PathBuf>,

    /// Read the folders within folders too.
    #[arg(short = 'R', long)]
    recursive: bool,
}

impl FileArguments {
    /// Files and folders that another option names.
    pub(super) fn of(files: &[PathBuf], recursive: bool) -> Self {
        Self { files: files.to_vec(), filename: Vec::new(), recursive }
    }

    /// The files that another option names as context for those of `paths`, without the latter.
    pub(super) fn context(&self, files: &[PathBuf], paths: &[PathBuf]) -> (Vec<PathBuf>, Vec<CommandError>) {
        let (mut context, errors) = Self::of(files, self.recursive).paths();
        let known: HashSet<PathBuf> = paths.iter().map(|path| real(path)).collect();
        context.retain(|path| !known.contains(&real(path)));
        (context, errors)
    }

    /// Whether the folders within folders are read too.
    pub(super) fn is_recursive(&self) -> bool {
        self.recursive
    }

    /// The files, each once, in the order in which they are named, those of a folder by name; and what cannot be
    /// read.
    pub(super) fn paths(&self) -> (Vec<PathBuf>, Vec<CommandError>) {
        let mut found = Found { is_recursive: self.recursive, ..Found::default() };
        for path in self.files.iter().chain(&self.filename) {
            let count = found.paths.len();
            // The folder itself may be a link.
            if !path.is_dir() {
                found.add(path.clone());
                continue;
            }
            match found.folder(path) {
                Err(error) => found.errors.push(CommandError::File { name: path.display().to_string(), error }),
                Ok(()) if found.paths.len() == count && !found.is_full() => {
                    found.errors.push(CommandError::NoManifests {
                        name: path.display().to_string(),
                        is_recursive: self.recursive,
                    });
                }
                Ok(()) => {}
            }
        }
        if found.is_full() {
            found.errors.push(CommandError::TooManyFiles { most: MAX_FILES });
        }
        (found.paths, found.errors)
    }
}

/// The path that no link leads to. A pipe, and a file that is not there, have no other path.
fn real(path: &Path) -> PathBuf {
    fs::canonicalize(path).unwrap_or_else(|_| path.to_owned())
}

#[derive(Default)]
struct Found {
    is_recursive: bool,
    paths: Vec<PathBuf>,
    /// Files that were named, by the path that no link leads to.
    known: HashSet<PathBuf>,
    errors: Vec<CommandError>,
}

impl Found {
    fn is_full(&self) -> bool {
        self.paths.len() >= MAX_FILES
    }

    fn add(&mut self, path: PathBuf) {
        if !self.is_full() && self.known.insert(real(&path)) {
            self.paths.push(path);
        }
    }

    /// Adds the manifests of a folder. Links to folders are not followed, because they may lead in a circle.
    fn folder(&mut self, folder: &Path) -> io::Result<()> {
        let mut entries: Vec<_> = fs::read_dir(folder)?.collect::<Result<_, _>>()?;
        entries.sort_by_key(fs::DirEntry::file_name);
        for entry in entries {
            let path = entry.path();
            if entry.file_type()?.is_dir() {
                if self.is_recursive {
                    self.folder(&path)?;
                }
            } else if path
                .extension()
                .and_then(|ending| ending.to_str())
                .is_some_and(|ending| ENDINGS.contains(&ending))
                && !path.is_dir()
            {
                self.add(path);
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_is_its_manifests_by_name_and_a_file_counts_once() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        fs::create_dir_all(at("deep/er")).unwrap();
        fs::create_dir(at("c.yaml")).unwrap();
        for name in ["b.yaml", "a.json", "notes.txt", "deep/d.yml", "deep/er/e.yaml"] {
            fs::write(at(name), "").unwrap();
        }
        let paths = |recursive, names: &[&str]| {
            let files = names.iter().map(|name| at(name)).collect();
            let (paths, errors) = FileArguments { files, recursive, ..FileArguments::default() }.paths();
            let paths = paths.iter().map(|path| path.strip_prefix(folder.path()).unwrap().display().to_string());
            (paths.collect::<Vec<_>>(), errors.iter().map(CommandError::to_string).collect::<Vec<_>>())
        };
        assert_eq!(paths(false, &["b.yaml", ""]), (vec!["b.yaml".to_owned(), "a.json".to_owned()], vec![]));
        assert_eq!(paths(true, &[""]).0, ["a.json", "b.yaml", "deep/d.yml", "deep/er/e.yaml"]);
        assert_eq!(paths(false, &["notes.txt", "none"]).0, ["notes.txt", "none"], "who names a file means it");
        let (found, errors) = paths(false, &["c.yaml", "deep"]);
        assert_eq!((found, errors.len()), (vec!["deep/d.yml".to_owned()], 1));
        assert!(errors[0].ends_with("c.yaml` has no file that ends in `.yaml`, `.yml` or `.json`"), "{errors:?}");
    }
}
