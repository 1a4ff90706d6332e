//! Folders with policies: the files, and what says which digests they should have.
//!
//! An operator who names digests says which files are run. `SHA256SUMS` next to a file is for integrity only: it
//! shows damage, and not who made the file.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::{self, File};
use std::io::{self, Read as _};
use std::path::{Path, PathBuf};

use super::refusal::{Cause, LoadError, MAX_BYTES, Refusal, SUMS};
use crate::digest::Digest;

/// Which files are run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Expected {
    /// Those that `SHA256SUMS` next to them lists with their digests.
    Listed,
    /// Those with one of these digests, whatever lies next to them.
    Named(BTreeSet<Digest>),
}

/// A file that is what it should be.
#[derive(Debug)]
pub(super) struct Verified {
    pub(super) path: PathBuf,
    pub(super) digest: Digest,
    pub(super) bytes: Vec<u8>,
}

/// The policy at a path, or all of a folder, sorted by name: those that are there and those that should be.
pub(super) fn policies(path: &Path, expected: &Expected) -> Result<Vec<Result<Verified, Refusal>>, LoadError> {
    let (files, sums) = list(path).map_err(|cause| LoadError::Unreadable { path: path.to_owned(), cause })?;
    let files: Vec<_> = match expected {
        Expected::Listed => files.into_iter().map(|file| verify(file, &sums)).collect(),
        Expected::Named(digests) => {
            // What `SHA256SUMS` lists and is not there is no file that somebody named.
            let found = files.into_iter().filter(|file| fs::symlink_metadata(file).is_ok());
            found.map(|file| named(file, digests)).collect()
        }
    };
    if files.is_empty() { Err(LoadError::Empty(path.to_owned())) } else { Ok(files) }
}

/// A file next to a policy, if it is what it should be; none if it is neither there nor listed.
pub(super) fn companion(policy: &Path, name: &str) -> Result<Option<Verified>, Refusal> {
    let folder = folder_of(policy);
    let (file, sums) = (folder.join(name), Sums::read(&folder));
    let is_listed = sums.as_ref().is_ok_and(|sums| sums.digest(&file).is_some());
    let is_there = !fs::symlink_metadata(&file).is_err_and(|error| error.kind() == io::ErrorKind::NotFound);
    if is_listed || is_there { verify(file, &sums).map(Some) } else { Ok(None) }
}

fn list(path: &Path) -> io::Result<(BTreeSet<PathBuf>, Result<Sums, SumsError>)> {
    if !fs::metadata(path)?.is_dir() {
        return Ok((BTreeSet::from([path.to_owned()]), Sums::read(&folder_of(path))));
    }
    let entries: io::Result<BTreeSet<PathBuf>> = fs::read_dir(path)?.map(|entry| Ok(entry?.path())).collect();
    let (mut files, sums) = (entries?, Sums::read(path));
    let listed = sums.iter().flat_map(|sums| sums.0.keys()).filter(|name| !name.contains(['/', '\\']));
    files.extend(listed.map(|name| path.join(name)));
    files.retain(|file| file.extension().is_some_and(|extension| extension == "wasm"));
    Ok((files, sums))
}

fn folder_of(file: &Path) -> PathBuf {
    let parent = file.parent().unwrap_or_else(|| Path::new(""));
    if parent.as_os_str().is_empty() { PathBuf::from(".") } else { parent.to_owned() }
}

fn verify(path: PathBuf, sums: &Result<Sums, SumsError>) -> Result<Verified, Refusal> {
    let listed = sums.as_ref().map(|sums| sums.digest(&path));
    let bytes = match read(&path) {
        Ok(bytes) => bytes,
        Err(cause) => {
            let is_missing = matches!(&cause, Cause::Unreadable(error) if error.kind() == io::ErrorKind::NotFound);
            let cause = if is_missing && matches!(listed, Ok(Some(_))) { Cause::Missing } else { cause };
            return Err(Refusal { file: path, digest: None, cause: cause.into() });
        }
    };
    let digest = Digest::of(&bytes);
    let expected = listed.map_err(SumsError::cause).and_then(|listed| listed.ok_or(Cause::NotListed));
    let cause = match expected {
        Ok(expected) if expected == digest => return Ok(Verified { path, digest, bytes }),
        Ok(expected) => Cause::OtherDigest { expected },
        Err(cause) => cause,
    };
    Err(Refusal { file: path, digest: Some(digest), cause: cause.into() })
}

/// A file with one of the digests that were named.
fn named(path: PathBuf, digests: &BTreeSet<Digest>) -> Result<Verified, Refusal> {
    let bytes = match read(&path) {
        Ok(bytes) => bytes,
        Err(cause) => return Err(Refusal { file: path, digest: None, cause: cause.into() }),
    };
    let digest = Digest::of(&bytes);
    if digests.contains(&digest) {
        return Ok(Verified { path, digest, bytes });
    }
    Err(Refusal { file: path, digest: Some(digest), cause: Cause::NotNamed.into() })
}

/// A file that is not too large. Links are followed, as mounted folders are full of them.
fn read(path: &Path) -> Result<Vec<u8>, Cause> {
    // To open a pipe would wait for somebody who writes to it.
    if !fs::metadata(path)?.is_file() {
        return Err(Cause::NotAFile);
    }
    let file = File::open(path)?;
    let size = file.metadata()?.len();
    let mut bytes = Vec::with_capacity(usize::try_from(size.min(MAX_BYTES)).unwrap_or_default() + 1);
    file.take(MAX_BYTES + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > MAX_BYTES { Err(Cause::TooLarge(size.max(MAX_BYTES + 1))) } else { Ok(bytes) }
}

/// Digests by file name.
#[derive(Debug, PartialEq, Eq)]
struct Sums(BTreeMap<String, Digest>);

#[derive(Debug, PartialEq, Eq)]
enum SumsError {
    Missing,
    Unreadable(io::ErrorKind),
    NotAFile,
    TooLarge(u64),
    Line(usize),
}

impl SumsError {
    fn cause(&self) -> Cause {
        let unreadable = |cause| Cause::UnreadableSums(Box::new(cause));
        match *self {
            Self::Missing => Cause::NoSums,
            Self::Unreadable(kind) => unreadable(Cause::Unreadable(kind.into())),
            Self::NotAFile => unreadable(Cause::NotAFile),
            Self::TooLarge(size) => unreadable(Cause::TooLarge(size)),
            Self::Line(line) => Cause::WrongSums { line },
        }
    }
}

impl Sums {
    fn read(folder: &Path) -> Result<Self, SumsError> {
        let bytes = read(&folder.join(SUMS)).map_err(|cause| match cause {
            Cause::Unreadable(error) if error.kind() == io::ErrorKind::NotFound => SumsError::Missing,
            Cause::Unreadable(error) => SumsError::Unreadable(error.kind()),
            Cause::TooLarge(size) => SumsError::TooLarge(size),
            _ => SumsError::NotAFile,
        })?;
        Self::parse(&String::from_utf8_lossy(&bytes))
    }

    /// What is listed for a file of the folder.
    fn digest(&self, file: &Path) -> Option<Digest> {
        self.0.get(file.file_name()?.to_str()?).copied()
    }

    /// Lines of a digest, two spaces or a space and `*`, and a file name.
    fn parse(text: &str) -> Result<Self, SumsError> {
        let mut digests = BTreeMap::new();
        for (index, line) in text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty()) {
            let wrong = SumsError::Line(index + 1);
            let Some((digest, name)) = line.split_once(' ') else { return Err(wrong) };
            let Some(name) = name.strip_prefix([' ', '*']) else { return Err(wrong) };
            let name = name.strip_prefix("./").unwrap_or(name);
            let Ok(digest) = digest.parse::<Digest>() else { return Err(wrong) };
            if digests.insert(name.to_owned(), digest).is_some_and(|other| other != digest) {
                return Err(wrong);
            }
        }
        Ok(Self(digests))
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn sums_list_what_their_lines_say_or_are_refused(text in "([0-9a-f]{64} [ *][a-z./]{1,9}\\n|[ -~]{0,80}\\n){0,6}") {
            if let Ok(sums) = Sums::parse(&text) {
                let lines = text.lines().filter(|line| !line.trim().is_empty());
                for line in lines {
                    let (digest, name) = (&line[..64], &line[66..]);
                    let name = name.strip_prefix("./").unwrap_or(name);
                    prop_assert_eq!(sums.0.get(name).map(ToString::to_string), Some(digest.to_owned()));
                }
            }
        }
    }

    #[test]
    fn sums_are_read_as_sha256sum_writes_them() {
        let (a, b) = (Digest::of(b"a"), Digest::of(b"b"));
        let sums = Sums::parse(&format!("{a}  a.wasm\r\n{b} *./b c.wasm\n\n")).unwrap();
        assert_eq!(sums.0, BTreeMap::from([("a.wasm".to_owned(), a), ("b c.wasm".to_owned(), b)]));
        for wrong in [format!("{a}"), format!("{a} a.wasm"), "x  a.wasm".to_owned(), format!("{a}  f\n{b}  f")] {
            assert!(matches!(Sums::parse(&wrong), Err(SumsError::Line(_))), "{wrong}");
        }
        assert_eq!(Sums::parse(&format!("{a}  a\nnonsense")), Err(SumsError::Line(2)));
    }

    #[test]
    fn a_path_without_a_folder_is_in_this_one() {
        assert_eq!(folder_of(Path::new("a.wasm")), Path::new("."));
        assert_eq!(folder_of(Path::new("b/a.wasm")), Path::new("b"));
    }
}
