//! The format of a file that keeps a compiled policy.
//!
//! A line with the format's version; the number of bytes that follow the digest, 8 bytes, little-endian; their
//! SHA-256 digest; then the digest of the policy, what it was compiled for, the name of wasmtime's entry, and the
//! entry as wasmtime wrote it.

use std::ffi::OsStr;
use std::io;
use std::path::PathBuf;

use crate::digest::{Digest, LENGTH};

/// First bytes; change them with the format.
const MAGIC: &[u8] = b"trellis compiled policy 1\n";

/// What a file is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Key {
    /// Digest of the policy.
    pub(super) policy: Digest,
    /// What it was compiled by and for.
    pub(super) compiler: u64,
}

/// wasmtime's entry.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Record<'b> {
    pub(super) name: Name,
    pub(super) bytes: &'b [u8],
}

/// Where wasmtime's cache keeps an entry: `modules`, a folder for a version, a name.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Name {
    version: String,
    name: String,
}

/// What is wrong with a file.
#[derive(Debug, thiserror::Error)]
pub enum RecordError {
    /// It is closed to us.
    #[error("it cannot be read: {0}")]
    Unreadable(io::Error),
    /// Somebody else may have written it.
    #[error("it is not a file of this user alone")]
    NotOurs,
    /// It has another format.
    #[error("it is not a compiled policy of this version of trellis")]
    Foreign,
    /// It has fewer or more bytes than it should.
    #[error("it was truncated or extended: {found} bytes are there, {expected} should be")]
    Length {
        /// Bytes that are there.
        found: u64,
        /// Bytes that should be there.
        expected: u64,
    },
    /// It has other bytes than it should.
    #[error("it was altered: its contents have the SHA-256 digest {found}, it says {expected}")]
    Altered {
        /// Of what is there.
        found: Digest,
        /// Of what should be there.
        expected: Digest,
    },
    /// It was compiled from another policy.
    #[error("it was compiled from another policy, with the SHA-256 digest {0}")]
    OtherPolicy(Digest),
    /// It was compiled for another machine or by another compiler.
    #[error("it was compiled by another version or for another processor")]
    OtherCompiler,
    /// It says something that this program never writes.
    #[error("its parts do not fit together")]
    Inconsistent,
}

impl Name {
    /// The names of the folder and of the file; none for names that wasmtime does not give. A version has points,
    /// a digest in base64 has none.
    pub(super) fn new(version: &OsStr, name: &OsStr) -> Option<Self> {
        let is_letter = |of: char| of.is_ascii_alphanumeric() || "_-".contains(of);
        let (version, name) = (version.to_str()?, name.to_str()?);
        let is_version = version.starts_with(is_letter) && version.chars().all(|of| is_letter(of) || of == '.');
        let is_name = !name.is_empty() && name.chars().all(is_letter);
        (is_version && is_name).then(|| Self { version: version.to_owned(), name: name.to_owned() })
    }

    /// The path below the cache's directory.
    pub(super) fn path(&self) -> PathBuf {
        ["modules", &self.version, &self.name].iter().collect()
    }
}

impl<'b> Record<'b> {
    pub(super) fn to_bytes(&self, key: &Key) -> Vec<u8> {
        let Self { name: Name { version, name }, bytes } = self;
        let name = format!("{version}/{name}\n");
        let content = [&key.policy.0[..], &key.compiler.to_le_bytes(), name.as_bytes(), bytes].concat();
        let length = (content.len() as u64).to_le_bytes();
        [MAGIC, &length, &Digest::of(&content).0, &content].concat()
    }

    pub(super) fn from_bytes(bytes: &'b [u8], key: &Key) -> Result<Self, RecordError> {
        let rest = bytes.strip_prefix(MAGIC).ok_or(RecordError::Foreign)?;
        let found = bytes.len() as u64;
        let header = (MAGIC.len() + size_of::<u64>() + LENGTH) as u64;
        let short = RecordError::Length { found, expected: header };
        let Some((length, rest)) = rest.split_first_chunk() else { return Err(short) };
        let Some((expected, content)) = rest.split_first_chunk().map(|(digest, rest)| (Digest(*digest), rest))
        else {
            return Err(short);
        };
        let length = u64::from_le_bytes(*length);
        if length != content.len() as u64 {
            return Err(RecordError::Length { found, expected: header.saturating_add(length) });
        }
        let found = Digest::of(content);
        if found != expected {
            return Err(RecordError::Altered { found, expected });
        }
        let (policy, rest) = content.split_first_chunk().ok_or(RecordError::Inconsistent)?;
        let (compiler, rest) = rest.split_first_chunk().ok_or(RecordError::Inconsistent)?;
        if Digest(*policy) != key.policy {
            return Err(RecordError::OtherPolicy(Digest(*policy)));
        }
        if u64::from_le_bytes(*compiler) != key.compiler {
            return Err(RecordError::OtherCompiler);
        }
        let end = rest.iter().position(|byte| *byte == b'\n').ok_or(RecordError::Inconsistent)?;
        let (name, rest) = rest.split_at_checked(end).ok_or(RecordError::Inconsistent)?;
        let (version, name) =
            str::from_utf8(name).ok().and_then(|name| name.split_once('/')).ok_or(RecordError::Inconsistent)?;
        let name = Name::new(version.as_ref(), name.as_ref()).ok_or(RecordError::Inconsistent)?;
        Ok(Self { name, bytes: rest.strip_prefix(b"\n").unwrap_or_default() })
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use proptest::prelude::*;

    use super::*;

    proptest! {
        /// What passes for a whole file may still hold anything.
        #[test]
        fn no_contents_lead_out_of_the_cache(name in any::<Vec<u8>>(), rest in any::<Vec<u8>>()) {
            let content = [&key().policy.0[..], &key().compiler.to_le_bytes(), &name, &rest].concat();
            let length = (content.len() as u64).to_le_bytes();
            let bytes = [MAGIC, &length, &Digest::of(&content).0, &content].concat();
            if let Ok(record) = Record::from_bytes(&bytes, &key()) {
                prop_assert_eq!(record.name.path().components().count(), 3);
            }
            prop_assert!(Record::from_bytes(&content, &key()).is_err());
        }
    }

    fn record() -> Record<'static> {
        let name = Name::new("wasmtime-48.0.2".as_ref(), "-aZ_9".as_ref()).unwrap();
        Record { name, bytes: b"machine\ncode" }
    }

    fn key() -> Key {
        Key { policy: Digest::of(b"policy"), compiler: 7 }
    }

    #[test]
    fn what_is_written_is_read() {
        assert_eq!(Record::from_bytes(&record().to_bytes(&key()), &key()).unwrap(), record());
        assert_eq!(record().name.path(), Path::new("modules/wasmtime-48.0.2/-aZ_9"));
    }

    #[test]
    fn every_truncated_and_every_altered_file_is_refused() {
        let bytes = record().to_bytes(&key());
        for end in 0..bytes.len() {
            assert!(Record::from_bytes(&bytes[..end], &key()).is_err(), "{end}");
        }
        for at in 0..bytes.len() {
            for bit in 0..8 {
                let mut altered = bytes.clone();
                altered[at] ^= 1 << bit;
                assert!(Record::from_bytes(&altered, &key()).is_err(), "{at}.{bit}");
            }
        }
        assert!(matches!(
            Record::from_bytes(&[&bytes[..], b"x"].concat(), &key()),
            Err(RecordError::Length { .. })
        ));
    }

    #[test]
    fn a_file_of_another_policy_or_machine_is_refused() {
        let other = Key { policy: Digest::of(b"other"), ..key() };
        let bytes = record().to_bytes(&other);
        let refused = Record::from_bytes(&bytes, &key());
        assert!(matches!(refused, Err(RecordError::OtherPolicy(digest)) if digest == other.policy));
        let other = Key { compiler: 8, ..key() };
        assert!(matches!(Record::from_bytes(&record().to_bytes(&other), &key()), Err(RecordError::OtherCompiler)));
    }

    #[test]
    fn names_lead_nowhere_else() {
        for (version, name) in [
            ("..", "a"),
            ("a", ".."),
            ("a/b", "c"),
            ("", "a"),
            ("a", ""),
            ("a", "b\\c"),
            ("a", ".b"),
            ("a", "b.c"),
        ] {
            assert_eq!(Name::new(version.as_ref(), name.as_ref()), None, "{version} {name}");
        }
    }
}
