//! Kubernetes versions.

use super::semver::SemVer;
use crate::text::join;

/// A Kubernetes version: major, minor and patch. What else a version may have does not count.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Version([u64; 3]);

impl Version {
    /// The first release of a minor version of Kubernetes 1.
    pub const fn minor_release(minor: u64) -> Self {
        Self([1, minor, 0])
    }

    /// Major, minor and patch.
    pub const fn numbers(self) -> [u64; 3] {
        self.0
    }

    /// Reads a version as Gardener reads it: without each `v`, and without all that follows the first `-`, `+` or
    /// `~`. Minor and patch may be missing; numbers may have leading zeros.
    pub fn parse(text: &str) -> Option<Self> {
        let text = normalized(text);
        let mut numbers = text.split('.').map(|number| {
            let digits = !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit());
            if digits { number.parse::<u64>().ok() } else { None }
        });
        let version = [numbers.next()??, numbers.next().unwrap_or(Some(0))?, numbers.next().unwrap_or(Some(0))?];
        if numbers.next().is_some() { None } else { Some(Self(version)) }
    }

    /// The first release of the minor version that comes so many later.
    pub const fn minors_later(self, minors: u64) -> Self {
        let Self([major, minor, _]) = self;
        Self([major, minor.saturating_add(minors), 0])
    }
}

/// The text of a version as Gardener compares it: without each `v`, and without all that follows the first `-`,
/// `+` or `~`.
fn normalized(text: &str) -> String {
    let numbers = text.split(['-', '+', '~']).next().unwrap_or_default();
    numbers.chars().filter(|char| *char != 'v').collect()
}

/// What Gardener says of a text that is no version.
pub const NO_VERSION: &str = "invalid semantic version";

/// Whether a version is to another one as an operator such as `>=` says, as Gardener compares them. The other one
/// is a constraint: every `1.33.x` is `<= 1.33`, and none is `> 1.33`. The error is what Gardener says.
pub fn compare(version: &str, operator: &str, other: &str) -> Result<bool, String> {
    let constraint = join(&[operator, &normalized(other)], " ");
    let version = normalized(version);
    let holds = |version: &SemVer<'_>| {
        version.satisfies(&constraint).ok_or_else(|| join(&["improper constraint: \"", &constraint, "\""], ""))
    };
    // The constraint is read first.
    holds(&SemVer::default())?;
    SemVer::parse(&version).ok_or_else(|| NO_VERSION.to_owned()).and_then(|version| holds(&version))
}

/// Whether a version is one of that minor version of Kubernetes 1, or a later one. What comes before a release
/// counts as the release. A text that is no version is neither at least one, nor less.
pub fn is_at_least(version: &str, minor: u64) -> bool {
    SemVer::parse(version).is_some_and(|version| version.is_from(1, minor))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_are_read_loosely() {
        for (text, numbers) in [
            ("1.30.4", Some([1, 30, 4])),
            ("v1.30", Some([1, 30, 0])),
            ("1", Some([1, 0, 0])),
            ("1.030.4", Some([1, 30, 4])),
            ("1.30.4-gke.1+x", Some([1, 30, 4])),
            ("1.30.4~rc", Some([1, 30, 4])),
            ("", None),
            ("1.30.4.1", None),
            ("1.x", None),
            ("1.", None),
            ("-1.2", None),
        ] {
            let found = Version::parse(text).map(|Version(numbers)| numbers);
            assert_eq!(found, numbers, "{text}");
        }
    }

    #[test]
    fn versions_are_compared_as_constraints() {
        for (version, operator, other, holds) in [
            ("1.33.7", ">", "1.33.5", Ok(true)),
            ("1.33.7", ">", "1.33", Ok(false)),
            ("1.34.0", ">", "1.33", Ok(true)),
            ("v1.33.7-rc.1+x", "<", "1.33.8~1", Ok(true)),
            ("1.33.7", ">=", "1.33.7-rc.1", Ok(true)),
            ("1.x", ">", "1.33.5", Err("invalid semantic version")),
            ("", ">", "abc", Err("improper constraint: \"> abc\"")),
            ("1.33.7", "<", "", Err("improper constraint: \"< \"")),
        ] {
            assert_eq!(
                compare(version, operator, other),
                holds.map_err(str::to_owned),
                "{version} {operator} {other}"
            );
        }
    }

    #[test]
    fn a_release_begins_with_what_comes_before_it() {
        for (version, holds) in [
            ("1.34.0", true),
            ("v1.34", true),
            ("1.34.0-foo", true),
            ("2.0.0", true),
            ("1.33.9-foo", false),
            ("x", false),
        ] {
            assert_eq!(is_at_least(version, 34), holds, "{version}");
        }
        let later = Version::parse("1.30.9").map(|version| version.minors_later(4));
        assert_eq!(later, Some(Version::minor_release(34)));
    }
}
