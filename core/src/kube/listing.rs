//! Lists of what versions of Kubernetes have, an entry a line: the name; the minor versions of Kubernetes 1 that
//! added and removed it, as `31-34`, where there are any; and flags, a letter each.

use std::fmt;

use super::version::Version;

/// An entry of a list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Entry<'t> {
    /// What the entry is about.
    pub name: &'t str,
    /// The versions that have it.
    pub interval: Interval,
    flags: &'t str,
}

impl<'t> Entry<'t> {
    /// Reads a line.
    pub fn of(line: &'t str) -> Self {
        let (name, rest) = line.split_once(' ').unwrap_or((line, ""));
        let (versions, flags) = rest.split_once(' ').unwrap_or((rest, ""));
        match versions.split_once('-') {
            Some((added, removed)) => {
                let interval = Interval { added: added.parse().ok(), removed: removed.parse().ok() };
                Self { name, interval, flags }
            }
            None => Self { name, interval: Interval::default(), flags: rest },
        }
    }

    /// The entry as a library has it that knows no newer minor version of Kubernetes 1; none where the library
    /// does not have it.
    pub fn known_to(mut self, newest: u64) -> Option<Self> {
        let is_known = |minor: &u64| *minor <= newest;
        self.interval.removed = self.interval.removed.filter(is_known);
        self.interval.added.is_none_or(|added| is_known(&added)).then_some(self)
    }

    /// Whether the entry has a flag.
    pub fn has(&self, flag: char) -> bool {
        self.flags.chars().any(|own| own == flag)
    }
}

/// Versions from a minor version of Kubernetes 1 on, and below another one. Printed as Gardener prints it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Interval {
    /// The first minor version; none where all old versions belong to it.
    pub added: Option<u64>,
    /// The first minor version that does not belong to it any more; none where all new ones do.
    pub removed: Option<u64>,
}

impl Interval {
    /// Whether a version belongs to it.
    pub fn contains(self, version: Version) -> bool {
        let reached = |minor| version >= Version::minor_release(minor);
        self.added.is_none_or(reached) && !self.removed.is_some_and(reached)
    }
}

impl fmt::Display for Interval {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("versions ")?;
        if let Some(added) = self.added {
            write!(formatter, ">= 1.{added}")?;
        }
        if self.added.is_some() && self.removed.is_some() {
            formatter.write_str(", ")?;
        }
        self.removed.map_or(Ok(()), |removed| write!(formatter, "< 1.{removed}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_has_a_name_versions_and_flags() {
        for (line, name, added, removed, flags) in [
            ("apps/v1 RW", "apps/v1", None, None, "RW"),
            ("leases", "leases", None, None, ""),
            ("leases 31-", "leases", Some(31), None, ""),
            ("leases -31 R", "leases", None, Some(31), "R"),
            ("leases 30-31 R", "leases", Some(30), Some(31), "R"),
        ] {
            let interval = Interval { added, removed };
            assert_eq!(Entry::of(line), Entry { name, interval, flags }, "{line}");
        }
        assert!(Entry::of("a RW").has('W') && !Entry::of("a R").has('W'));
    }

    #[test]
    fn an_older_library_lacks_what_is_new_and_has_what_was_removed_later() {
        let known = |line, newest| Entry::of(line).known_to(newest).map(|entry| entry.interval);
        let until = |removed| Interval { added: None, removed };
        assert_eq!(
            [known("a 36-", 35), known("a -36", 35), known("a -36", 36)],
            [None, Some(until(None)), Some(until(Some(36)))]
        );
    }

    #[test]
    fn an_interval_has_versions_and_a_text() {
        for (added, removed, has, text) in [
            (None, None, [true, true, true], "versions "),
            (Some(31), None, [false, true, true], "versions >= 1.31"),
            (None, Some(33), [true, true, false], "versions < 1.33"),
            (Some(31), Some(33), [false, true, false], "versions >= 1.31, < 1.33"),
        ] {
            let interval = Interval { added, removed };
            let versions = ["1.30.9", "1.31.0", "1.33.0"].map(|version| Version::parse(version).unwrap());
            assert_eq!(versions.map(|version| interval.contains(version)), has, "{text}");
            assert_eq!(interval.to_string(), text);
        }
    }
}
