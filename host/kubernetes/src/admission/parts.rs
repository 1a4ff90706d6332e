//! What an admission is made of.

use std::fmt;
use std::str::FromStr;
use std::sync::Arc;

use super::cloud::Cloud;
use super::garden::Garden;
use crate::metrics::Metrics;
use trellis_policies::engine::{PolicyThreads, Versions};

/// What becomes of an object that a rule rejects.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Mode {
    /// It is refused.
    #[default]
    Enforce,
    /// It is admitted, with warnings.
    Warn,
    /// It is refused, but for errors that the stored object has already: of those an update gets warnings.
    Ratchet,
}

impl FromStr for Mode {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        match text {
            "enforce" => Ok(Self::Enforce),
            "warn" => Ok(Self::Warn),
            "ratchet" => Ok(Self::Ratchet),
            _ => Err("write `enforce`, `warn` or `ratchet`".to_owned()),
        }
    }
}

impl fmt::Display for Mode {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(match self {
            Self::Enforce => "enforce",
            Self::Warn => "warn",
            Self::Ratchet => "ratchet",
        })
    }
}

/// Judges the objects of a garden by the policy of a provider.
#[derive(Clone, Debug)]
pub struct Admission {
    /// The provider type.
    pub provider: String,
    /// The policies in use.
    pub policies: Arc<Versions>,
    /// The threads that policies are called on.
    pub threads: PolicyThreads,
    /// What becomes of an object that a rule rejects.
    pub mode: Mode,
    /// The API server of the garden.
    pub garden: Garden,
    /// The way to the cloud.
    pub cloud: Cloud,
    /// Counts the calls of policies.
    pub metrics: Metrics,
}
