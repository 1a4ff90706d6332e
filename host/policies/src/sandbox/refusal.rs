//! Why a file is not run.

use std::io;
use std::path::PathBuf;

use crate::answer::Failure;
use crate::digest::Digest;

/// Largest file that is read, in bytes. A policy has about a megabyte.
pub(super) const MAX_BYTES: u64 = 16 << 20;
/// Name of the file that says which digests the files next to it should have, in the format of `sha256sum`.
pub(super) const SUMS: &str = "SHA256SUMS";

/// A file that is not run, and why.
#[derive(Debug, thiserror::Error)]
#[error("`{}`{} is refused: {cause}", .file.display(), brackets(.digest.as_ref()))]
pub struct Refusal {
    /// The file.
    pub file: PathBuf,
    /// Its digest, if it could be read.
    pub digest: Option<Digest>,
    /// What is wrong.
    pub cause: Box<Cause>,
}

fn brackets(digest: Option<&Digest>) -> String {
    digest.map(|digest| format!(" (SHA-256 {digest})")).unwrap_or_default()
}

/// What is wrong with a file.
#[derive(Debug, thiserror::Error)]
pub enum Cause {
    /// It is not there, or closed to us.
    #[error("it cannot be read: {0}")]
    Unreadable(#[from] io::Error),
    /// It is listed, and is not there.
    #[error("it is not there, though `{SUMS}` lists it")]
    Missing,
    /// It is a directory, a device or the like.
    #[error("it is not a file")]
    NotAFile,
    /// It is larger than any policy.
    #[error("it has {0} bytes, a policy has at most {MAX_BYTES}")]
    TooLarge(u64),
    /// Nothing says which digest it should have.
    #[error(
        "there is no `{SUMS}` next to it that says which digest it should have; where you trust the files, make one with `sha256sum * > {SUMS}` in that folder"
    )]
    NoSums,
    /// What says which digest it should have cannot be read.
    #[error("the `{SUMS}` next to it cannot be read: {0}")]
    UnreadableSums(Box<Cause>),
    /// A line is not of the format of `sha256sum`.
    #[error("line {line} of the `{SUMS}` next to it is not a digest and a file name, as `sha256sum` writes them")]
    WrongSums {
        /// Number of the line, from 1.
        line: usize,
    },
    /// What says which digests the files have does not know this one.
    #[error("the `{SUMS}` next to it does not list it")]
    NotListed,
    /// It is another file than the one that was listed.
    #[error(
        "`{SUMS}` has the digest {expected} for it, so it was truncated, altered or replaced; get both again, `make build` makes them"
    )]
    OtherDigest {
        /// What is listed.
        expected: Digest,
    },
    /// Nobody named its digest, and digests of others are named.
    #[error("nobody named this digest; where you trust the file, name the digest with `--digest`")]
    NotNamed,
    /// It is something else altogether.
    #[error("it is not WebAssembly")]
    NotWasm,
    /// It is WebAssembly without an interface.
    #[error("it is a core module, and policies are components; `wasm-tools component new` makes one of it")]
    CoreModule,
    /// It is WebAssembly of an unknown version.
    #[error("it has a WebAssembly version that is not known here")]
    UnknownVersion,
    /// The compiler does not take it.
    #[error("it cannot be compiled: {0}")]
    Invalid(String),
    /// It wants something from outside.
    #[error("it wants to import `{0}`, and a policy imports nothing")]
    Import(String),
    /// Its interface lacks a function.
    #[error("it does not export the function `{0}` of the world `policy`")]
    NoExport(&'static str),
    /// Its interface has another function of that name.
    #[error("its export `{name}` is not `{expected}`, as in the world `policy`")]
    WrongExport {
        /// Of the export.
        name: &'static str,
        /// Its type in the world `policy`.
        expected: &'static str,
    },
    /// It does not say what it is.
    #[error("it does not say what it is: {}", .0.message)]
    NoInfo(Failure),
    /// It says something that cannot be so.
    #[error("its `info` says no proper `{0}`")]
    WrongInfo(&'static str),
    /// Somebody else already has the word for that provider.
    #[error("it is a policy for `{provider}`, and so is `{}`; leave one of them", .other.display())]
    SameProvider {
        /// Provider type of both.
        provider: String,
        /// The other file.
        other: PathBuf,
    },
}

/// Why a path has not given all its policies.
#[derive(Debug, thiserror::Error)]
pub enum LoadError {
    /// It is not there, or closed to us.
    #[error("the policies in `{}` cannot be read: {cause}", .path.display())]
    Unreadable {
        /// The path.
        path: PathBuf,
        /// Why not.
        cause: io::Error,
    },
    /// A folder without policies.
    #[error("there are no policies in `{}`: no file has the extension `wasm`", .0.display())]
    Empty(PathBuf),
    /// These files are not run; all others are loaded.
    #[error("{}", lines(.0))]
    Refused(Vec<Refusal>),
    /// Somebody named a digest that no file has.
    #[error("no policy file has the SHA-256 digest {0}, which was named")]
    Absent(Digest),
}

fn lines(refusals: &[Refusal]) -> String {
    refusals.iter().map(Refusal::to_string).collect::<Vec<_>>().join("\n")
}
