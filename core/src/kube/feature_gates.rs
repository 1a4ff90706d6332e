//! The feature gates that Kubernetes components know, by version.
//!
//! Source: the table of Gardener's library v1.148.1. A gate exists from the version on that added it, up to the
//! version before the one that removed it. From the version on that locked it, it has one value only. The tables
//! of older libraries are the same but for what versions of Kubernetes changed that those libraries do not know
//! yet.

use super::version::Version;

use crate::collections::NameMap;

/// Why a feature gate cannot be set.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum FeatureGateError {
    /// No version has the gate.
    #[error("unknown feature gate {0}")]
    Unknown(String),
    /// The Kubernetes version cannot be read.
    #[error("invalid semantic version")]
    Version,
    /// The version does not have the gate.
    #[error("not supported in Kubernetes version {0}")]
    Unsupported(String),
    /// The version has the gate with one value only.
    #[error("cannot set feature gate to {requested}, feature is locked to {locked}")]
    Locked {
        /// The value that somebody wants to set.
        requested: bool,
        /// The value that the version has.
        locked: bool,
    },
}

/// Checks that a gate may have that value in a Kubernetes version. `newest` is the newest minor version of
/// Kubernetes 1 that the library knows whose table counts.
pub fn check(gate: &str, value: bool, version: &str, newest: u64) -> Result<(), FeatureGateError> {
    let known = Gate::of(gate).filter(|gate| gate.added().is_none_or(|minor| minor <= newest));
    let Some(known) = known else {
        return Err(FeatureGateError::Unknown(gate.to_owned()));
    };
    let added = known.added();
    let removed = known.removed().filter(|minor| *minor <= newest);
    let locked = known.locked().filter(|(minor, _)| *minor <= newest);
    let parsed = Version::parse(version).ok_or(FeatureGateError::Version)?;
    let reached = |minor: u64| parsed >= Version::minor_release(minor);
    if added.is_some_and(|minor| !reached(minor)) || removed.is_some_and(reached) {
        return Err(FeatureGateError::Unsupported(version.to_owned()));
    }
    match locked {
        Some((minor, locked)) if reached(minor) && value != locked => {
            Err(FeatureGateError::Locked { requested: value, locked })
        }
        _ => Ok(()),
    }
}

/// [Checks](check) every gate. Gives the errors by gate, in order of the names.
pub fn check_all<'a>(gates: &NameMap<'a, bool>, version: &str, newest: u64) -> Vec<(&'a str, FeatureGateError)> {
    gates
        .iter()
        .filter_map(|(gate, value)| check(gate, *value, version, newest).err().map(|error| (gate, error)))
        .collect()
}

/// All gates, sorted by name, one a line: the name; the minor versions of Kubernetes 1 that added and removed the
/// gate; the minor version that locked it, with the value. `-` stands for no such version.
const LINES: &str = include_str!("feature_gates.txt");

/// The gates of [`LINES`]. Their names would take twice the room in a module that a browser downloads. Of 14
/// million names that no gate has, one has the digest of a gate, and counts as known here; the component that gets
/// the name refuses it.
static GATES: [Gate; 305] = gates();

/// The minor versions of Kubernetes 1 that added, removed and locked a gate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Gate {
    /// The digest of the name.
    digest: u32,
    /// A minor version; 0 where there is none, as with the next two.
    added: u8,
    removed: u8,
    locked: u8,
    /// The value that the gate is locked to.
    value: bool,
}

impl Gate {
    fn of(name: &str) -> Option<Self> {
        let digest = name.bytes().fold(START, add);
        GATES.iter().find(|gate| gate.digest == digest).copied()
    }

    fn added(self) -> Option<u64> {
        minor(self.added)
    }

    fn removed(self) -> Option<u64> {
        minor(self.removed)
    }

    fn locked(self) -> Option<(u64, bool)> {
        minor(self.locked).map(|minor| (minor, self.value))
    }
}

fn minor(number: u8) -> Option<u64> {
    (number > 0).then_some(number.into())
}

/// The digest of no bytes, by FNV-1a of 32 bits.
const START: u32 = 0x811c_9dc5;

/// The digest with one more byte.
const fn add(digest: u32, byte: u8) -> u32 {
    (digest ^ byte as u32).wrapping_mul(0x0100_0193)
}

/// Reads [`LINES`].
#[expect(clippy::indexing_slicing, reason = "the compiler alone runs it")]
const fn gates() -> [Gate; 305] {
    let mut gates = [Gate { digest: START, added: 0, removed: 0, locked: 0, value: false }; 305];
    let text = LINES.as_bytes();
    let (mut at, mut line, mut column) = (0, 0, 0);
    while at < text.len() {
        let gate = &mut gates[line];
        match (text[at], column) {
            (b'\n', _) => (line, column) = (line + 1, 0),
            (b' ', _) => column += 1,
            (byte, 0) => gate.digest = add(gate.digest, byte),
            (byte @ b'0'..=b'9', 1) => gate.added = gate.added * 10 + byte - b'0',
            (byte @ b'0'..=b'9', 2) => gate.removed = gate.removed * 10 + byte - b'0',
            (byte @ b'0'..=b'9', _) => gate.locked = gate.locked * 10 + byte - b'0',
            (b't', _) => gate.value = true,
            _ => {}
        }
        at += 1;
    }
    gates
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn gates_are_sorted_and_their_intervals_make_sense() {
        let names: Vec<&str> = LINES.lines().filter_map(|line| line.split(' ').next()).collect();
        assert!(names.is_sorted_by(|one, next| one < next));
        for name in names {
            let gate = Gate::of(name).unwrap();
            let (added, removed, locked) = (gate.added(), gate.removed(), gate.locked());
            assert!(added.is_none_or(|added| removed.is_none_or(|removed| added < removed)), "{name}");
            assert!(locked.is_none_or(|(locked, _)| added.is_none_or(|added| added <= locked)), "{name}");
        }
    }

    #[test]
    fn each_line_is_a_gate_with_a_digest_of_its_own() {
        assert_eq!(LINES.lines().count(), GATES.len());
        for (line, of_line) in LINES.lines().zip(&GATES) {
            let [name, added, removed, locked] = line.split(' ').collect::<Vec<_>>()[..] else { panic!("{line}") };
            let gate = Gate::of(name).unwrap();
            assert_eq!(gate, *of_line, "{line}");
            let column = |minor: Option<u64>| minor.map_or("-".to_owned(), |minor| minor.to_string());
            let value = gate.locked().map_or("-".to_owned(), |(minor, value)| format!("{minor}={value}"));
            assert_eq!([column(gate.added()), column(gate.removed()), value], [added, removed, locked], "{line}");
        }
        assert_eq!(["", "Watch", "WatchList -", "x"].map(Gate::of), [None; 4]);
    }

    #[test]
    fn a_gate_is_judged_by_version_and_lock() {
        let text = |gate, value, version| check(gate, value, version, 36).err().map(|error| error.to_string());
        assert_eq!(text("WatchList", true, "1.30.4"), None);
        assert_eq!(text("Foo", true, "x"), Some("unknown feature gate Foo".into()));
        assert_eq!(text("WatchList", true, ""), Some("invalid semantic version".into()));
        assert_eq!(
            text("CustomResourceFieldSelectors", true, "1.29"),
            Some("not supported in Kubernetes version 1.29".into())
        );
        assert_eq!(
            text("CustomResourceFieldSelectors", false, "v1.32.0-rc.1"),
            Some("cannot set feature gate to false, feature is locked to true".into())
        );
        assert_eq!(text("CustomResourceFieldSelectors", false, "1.31.99"), None);
        assert_eq!(text("AppArmor", true, "1.33.0"), Some("not supported in Kubernetes version 1.33.0".into()));
    }

    #[test]
    fn what_a_newer_kubernetes_changed_is_unknown_to_an_older_library() {
        let text = |gate, value, newest| check(gate, value, "1.36.0", newest).err().map(|error| error.to_string());
        let locked = "cannot set feature gate to false, feature is locked to true";
        for (gate, older, newer) in [
            ("PodsAPI", Some("unknown feature gate PodsAPI"), None),
            ("MemoryManager", Some(locked), Some("not supported in Kubernetes version 1.36.0")),
            ("NodeLogQuery", None, Some(locked)),
        ] {
            assert_eq!(text(gate, false, 35).as_deref(), older, "{gate}");
            assert_eq!(text(gate, false, 36).as_deref(), newer, "{gate}");
        }
    }
}
