//! Files that a person asks a command to write.

use std::fs::{self, File};
use std::io::{self, ErrorKind, Write as _};
use std::path::{Path, PathBuf};

use super::replace::{Mode, put, try_folder};
use super::{MAX_OWN, limited};

/// A file to be written at the end of a command, whole or not at all.
#[derive(Debug)]
pub struct Output {
    path: PathBuf,
    expected: Expected,
    /// A device or a pipe, which is opened at once and written in place.
    stream: Option<File>,
}

/// What a file may hold before a command replaces it.
#[derive(Clone, Copy, Debug)]
pub struct Expected {
    /// In words, with an article.
    pub what: &'static str,
    /// Whether a file's content is of this kind.
    pub is_such: fn(&[u8]) -> bool,
}

/// Why Trellis does not write a file that it could write.
#[derive(Debug, thiserror::Error)]
enum Refusal {
    /// The file has other content.
    #[error(
        "the file exists already, is not {0}, and is not replaced: name another file, or remove this one first"
    )]
    Foreign(&'static str),
    /// The file is one of the streams of this process.
    #[error("standard output and standard error are for what the command prints: name a file")]
    Taken,
}

impl From<Refusal> for io::Error {
    fn from(refusal: Refusal) -> Self {
        Self::new(ErrorKind::InvalidInput, refusal)
    }
}

impl Output {
    /// Checks that a file can be written, before there is anything to write. A file that exists must be empty or
    /// as expected.
    pub fn new(path: &Path, expected: Expected) -> io::Result<Self> {
        if path.as_os_str() == "-" {
            return Err(Refusal::Taken.into());
        }
        let mut output = Self { path: path.to_owned(), expected, stream: None };
        match fs::metadata(path) {
            // A device or a pipe keeps nothing that could be lost.
            Ok(found) if !found.is_file() && !found.is_dir() => {
                output.stream = Some(File::options().write(true).open(path)?);
            }
            _ => try_folder(&output.target()?.0)?,
        }
        Ok(output)
    }

    /// Writes the file.
    pub fn write(mut self, text: &str) -> io::Result<()> {
        if let Some(stream) = &mut self.stream {
            return stream.write_all(text.as_bytes());
        }
        // The path may lead to another file than before.
        let (target, mode) = self.target()?;
        put(&target, text.as_bytes(), Some(mode))
    }

    /// The file to replace, which is the one that a link leads to, and the permissions that the new one gets.
    fn target(&self) -> io::Result<(PathBuf, Mode)> {
        let Self { path, expected: Expected { what, is_such }, .. } = self;
        // A dangling link exists, and its target does not.
        if fs::symlink_metadata(path).is_err_and(|error| error.kind() == ErrorKind::NotFound) {
            return Ok((path.clone(), Mode::New));
        }
        let target = fs::canonicalize(path)?;
        let found = File::options().read(true).write(true).open(&target)?;
        if is_standard(&found) {
            return Err(Refusal::Taken.into());
        }
        let permissions = found.metadata()?.permissions();
        let is_ours = match limited(found, MAX_OWN) {
            Ok(content) => content.is_empty() || is_such(&content),
            Err(error) if error.kind() == ErrorKind::FileTooLarge => false,
            Err(error) => return Err(error),
        };
        if is_ours { Ok((target, Mode::Like(permissions))) } else { Err(Refusal::Foreign(what).into()) }
    }
}

/// Whether a file is what standard output or standard error was redirected to.
#[cfg(unix)]
fn is_standard(file: &File) -> bool {
    use std::os::fd::AsFd as _;
    use std::os::unix::fs::MetadataExt as _;

    let identity = |file: &File| file.metadata().map(|found| (found.dev(), found.ino())).ok();
    let (out, err) = (io::stdout(), io::stderr());
    let standard = [out.as_fd().try_clone_to_owned(), err.as_fd().try_clone_to_owned()];
    standard.into_iter().flatten().any(|stream| identity(&File::from(stream)) == identity(file))
}

/// Elsewhere, no path leads to them.
#[cfg(not(unix))]
fn is_standard(_: &File) -> bool {
    false
}
