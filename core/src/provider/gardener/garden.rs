//! The garden that an object is for: the release of Gardener whose API server judges it.

use super::fields::flag;
use crate::kube::semver::SemVer;
use crate::policy::{Request, RequestError};
use crate::report::{Release, Report};
use crate::text::join;

/// The oldest release that the policy knows. Older ones are judged as this one.
const OLDEST: u64 = 143;
/// The newest release that the policy knows. It counts where nobody names one, and for newer ones.
const NEWEST: u64 = 150;

/// What the policy says that it judges by, where nobody names a release.
pub const PARITY: &str = "gardener v1.150";

/// The release of a garden.
#[derive(Clone, Copy, Debug)]
pub struct Garden {
    minor: u64,
    patch: u64,
    /// Whether the caller names the release.
    pub is_given: bool,
    /// Whether the release is newer than those that the policy knows.
    pub is_newer: bool,
    is_older: bool,
}

impl Garden {
    /// Reads the release of a request.
    pub fn read(request: &Request<'_>) -> Result<Self, RequestError> {
        let Some(reported) = request.context("gardenerVersion") else { return Ok(Self::newest()) };
        let version = reported.as_str().and_then(SemVer::parse);
        let version = version.filter(|version| version.major() == 1).ok_or_else(|| RequestError::Malformed {
            message: "`gardenerVersion` of the context must be a version of Gardener such as `1.150.0`".into(),
            pointer: None,
        })?;
        let (minor, patch) = (version.minor(), version.patch());
        let known = Self { minor, patch, is_given: true, is_newer: false, is_older: false };
        Ok(match minor {
            ..OLDEST => Self { minor: OLDEST, patch: 0, is_older: true, ..known },
            OLDEST..=NEWEST => known,
            _ => Self { minor: NEWEST, patch: 0, is_newer: true, ..known },
        })
    }

    /// The release of a request that was read before.
    pub fn of(request: &Request<'_>) -> Self {
        Self::read(request).unwrap_or_else(|_| Self::newest())
    }

    const fn newest() -> Self {
        Self { minor: NEWEST, patch: 0, is_given: false, is_newer: false, is_older: false }
    }

    /// Whether the release is that of a minor version, or a later one.
    pub const fn is_from(self, minor: u64) -> bool {
        self.minor >= minor
    }

    /// Whether the release is that of a minor and patch version, or a later patch of that minor version.
    pub const fn is_patch_from(self, minor: u64, patch: u64) -> bool {
        self.minor == minor && self.patch >= patch
    }

    /// The newest minor version of Kubernetes 1 that the release knows.
    pub const fn newest_kubernetes(self) -> u64 {
        if self.is_from(145) { 36 } else { 35 }
    }

    /// The release in words.
    pub fn name(self) -> String {
        join(&["1.", &self.minor.to_string()], "")
    }

    /// Whether a feature gate of the API server is on where no operator says anything.
    const fn is_on_by_default(self, gate: &str) -> bool {
        matches!(gate.as_bytes(), b"CloudProfileCapabilities") && self.is_from(146)
    }

    /// Has a report keep what this release finds, and say which release that is.
    pub fn enter(self, report: &mut Report<'_>) {
        let release = Release::of(u16::try_from(self.minor).unwrap_or_default());
        report.judges_as(release, self.is_given, join(&["gardener v", &self.name()], ""));
        let other = match self {
            Self { is_older: true, .. } => "what Gardener had otherwise before 1.143",
            Self { is_newer: true, .. } => "what Gardener changed after 1.150",
            _ => return,
        };
        report.leaves_out(other);
    }
}

/// Whether a feature gate of the API server is on: as the operators set it, else as the release has it.
pub fn is_gate_on(request: &Request<'_>, garden: Garden, gate: &str) -> bool {
    let reported = request.context("featureGates").and_then(|gates| flag(gates, &[gate]));
    reported.unwrap_or_else(|| garden.is_on_by_default(gate))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::document::parse;

    #[test]
    fn a_release_is_read_and_one_that_is_not_known_is_judged_as_the_nearest() {
        for (context, name, is_given, is_newer) in [
            ("{}", "1.150", false, false),
            (r#"{"gardenerVersion":"1.143.1"}"#, "1.143", true, false),
            (r#"{"gardenerVersion":"v1.149"}"#, "1.149", true, false),
            (r#"{"gardenerVersion":"1.150.0-dev"}"#, "1.150", true, false),
            (r#"{"gardenerVersion":"1.12.0"}"#, "1.143", true, false),
            (r#"{"gardenerVersion":"1.151.2"}"#, "1.150", true, true),
        ] {
            let request = format!(r#"{{"object":{{}},"context":{context}}}"#);
            let document = parse(&request).unwrap();
            let garden = Garden::read(&Request::read_any(&document).unwrap()).unwrap();
            assert_eq!(
                (garden.name().as_str(), garden.is_given, garden.is_newer),
                (name, is_given, is_newer),
                "{context}"
            );
        }
    }

    #[test]
    fn what_is_no_release_is_refused() {
        for version in [r#""new""#, "1", r#""2.0.0""#, r#""""#] {
            let request = format!(r#"{{"object":{{}},"context":{{"gardenerVersion":{version}}}}}"#);
            let document = parse(&request).unwrap();
            assert!(Garden::read(&Request::read_any(&document).unwrap()).is_err(), "{version}");
        }
    }
}
