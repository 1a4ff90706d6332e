//! Worlds that are kept by name, to which a person can go back.

use std::collections::BTreeMap;

use jiff::Timestamp;
use serde::Serialize;

use super::KeepError;
use crate::world::World;

/// How many snapshots there may be.
const MOST: usize = 100;

/// The worlds that are kept.
#[derive(Debug, Default)]
pub(super) struct Snapshots(BTreeMap<String, (Timestamp, World)>);

/// A world that is kept.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Snapshot {
    /// Its name.
    pub name: String,
    /// The simulator's time of the snapshot.
    pub time: Timestamp,
}

/// Why a snapshot cannot be made or returned to.
#[derive(Debug, thiserror::Error)]
pub enum SnapshotError {
    /// A text is not a name.
    #[error("a snapshot's name must be 1 to 64 letters, digits, `.`, `_` and `-`, not `{0}`")]
    Name(String),
    /// There is no such snapshot.
    #[error("there is no snapshot `{0}`")]
    NotFound(String),
    /// There are too many.
    #[error("there are {MOST} snapshots already, and no more are kept: delete some")]
    TooMany,
    /// The world cannot be kept in a file.
    #[error(transparent)]
    Keep(#[from] KeepError),
}

impl Snapshots {
    pub(super) fn put(&mut self, name: &str, time: Timestamp, world: World) -> Result<(), SnapshotError> {
        let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"._-".contains(&byte);
        if !(1..=64).contains(&name.len()) || !name.bytes().all(plain) {
            return Err(SnapshotError::Name(name.to_owned()));
        }
        if self.0.len() >= MOST && !self.0.contains_key(name) {
            return Err(SnapshotError::TooMany);
        }
        self.0.insert(name.to_owned(), (time, world));
        Ok(())
    }

    pub(super) fn get(&self, name: &str) -> Result<World, SnapshotError> {
        let found = self.0.get(name).ok_or_else(|| SnapshotError::NotFound(name.to_owned()))?;
        Ok(found.1.clone())
    }

    pub(super) fn list(&self) -> Vec<Snapshot> {
        self.0.iter().map(|(name, (time, _))| Snapshot { name: name.clone(), time: *time }).collect()
    }

    pub(super) fn delete(&mut self, name: &str) -> Result<(), SnapshotError> {
        self.0.remove(name).map(drop).ok_or_else(|| SnapshotError::NotFound(name.to_owned()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn there_are_only_so_many_snapshots() {
        let mut snapshots = Snapshots::default();
        let mut put = |name: &str| snapshots.put(name, Timestamp::UNIX_EPOCH, World::default());
        for number in 0..MOST {
            put(&format!("s{number}")).unwrap();
        }
        assert!(matches!(put("more"), Err(SnapshotError::TooMany)));
        assert!(put("s1").is_ok(), "one is replaced");
        for name in ["", "a b", "../x", "é"] {
            assert!(matches!(put(name), Err(SnapshotError::Name(_))), "{name}");
        }
        snapshots.delete("s1").unwrap();
        assert!(matches!(snapshots.delete("s1"), Err(SnapshotError::NotFound(_))));
        assert!(matches!(snapshots.get("s1"), Err(SnapshotError::NotFound(_))));
        assert_eq!(snapshots.list().len(), MOST - 1);
    }
}
