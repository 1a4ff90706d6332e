//! Kubernetes versions.

/// A Kubernetes version: major, minor and patch. What else a version may have does not count.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Version([u64; 3]);

impl Version {
    /// The first release of a minor version of Kubernetes 1.
    pub const fn minor_release(minor: u64) -> Self {
        Self([1, minor, 0])
    }

    /// Reads a version as Gardener reads it: without each `v`, and without all that follows the first `-`, `+` or `~`. Minor and
    /// patch may be missing; numbers may have leading zeros.
    pub fn parse(text: &str) -> Option<Self> {
        let text = text.replace('v', "");
        let mut numbers = text.split(['-', '+', '~']).next()?.split('.').map(|number| {
            let digits = !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit());
            if digits { number.parse::<u64>().ok() } else { None }
        });
        let version = [numbers.next()??, numbers.next().unwrap_or(Some(0))?, numbers.next().unwrap_or(Some(0))?];
        if numbers.next().is_some() { None } else { Some(Self(version)) }
    }
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
}
