//! Access keys, and the sources that they come from.

mod secret;
mod source;

use std::collections::BTreeMap;
use std::sync::Arc;

pub use secret::Credential;
pub use source::{CredentialSource, Watched};

use trellis_policies::source::ReadProblem;

/// Sources of credentials by the role of their account.
#[derive(Debug)]
pub struct Accounts {
    shoot: CredentialSource,
    others: BTreeMap<String, CredentialSource>,
}

/// Why there are no credentials.
#[derive(Debug, thiserror::Error)]
pub enum CredentialError {
    /// An account has no credentials.
    #[error("no credentials are given for the account `{0}`")]
    NoAccount(String),

    /// A file cannot be read.
    #[error("cannot read the credentials in `{place}`: {error}")]
    Unreadable {
        /// The file.
        place: String,
        /// Why not.
        error: std::io::Error,
    },
    /// A file is neither YAML nor JSON.
    #[error("cannot read the credentials in `{place}`: {problem}")]
    Malformed {
        /// The file.
        place: String,
        /// Why not, without its text.
        problem: ReadProblem,
    },
    /// A file has no Secret, or more than one.
    #[error("`{place}` must have one Secret, and has {count}")]
    Secrets {
        /// The file.
        place: String,
        /// How many there are.
        count: usize,
    },
    /// A key is missing or empty.
    #[error("the Secret in `{place}` has no `{key}`: put it into `stringData`, or in base64 into `data`")]
    Missing {
        /// The file.
        place: String,
        /// The key.
        key: &'static str,
    },
    /// A variable is missing although another one is set.
    #[error("the environment has {given}, but not {missing}: set both")]
    Variable {
        /// The variable that is set.
        given: &'static str,
        /// The variable that is missing.
        missing: &'static str,
    },
    /// A value of a Secret is not base64.
    #[error("`data.{key}` of the Secret in `{place}` is not base64: encode it, or put it into `stringData`")]
    Base64 {
        /// The file.
        place: String,
        /// The key.
        key: &'static str,
    },
    /// A value cannot be a credential.
    #[error(
        "`{key}` in {place} must be visible ASCII characters; a line break at its end comes from `echo` without `-n`"
    )]
    Characters {
        /// Where it stands.
        place: String,
        /// The key or the variable.
        key: &'static str,
    },
}

impl Accounts {
    /// The Shoot's account alone.
    pub fn new(shoot: CredentialSource) -> Self {
        Self { shoot, others: BTreeMap::new() }
    }

    /// A further account, with its role, such as `imageOwner`.
    pub fn with(mut self, role: &str, source: CredentialSource) -> Self {
        self.others.insert(role.to_owned(), source);
        self
    }

    /// The credentials of an account as they are now; the Shoot's where no role is named.
    pub fn of(&self, role: Option<&str>) -> Watched {
        let source = match role {
            None | Some("shoot") => &self.shoot,
            Some(role) => {
                let unknown = || Arc::new(CredentialError::NoAccount(role.to_owned()));
                self.others.get(role).ok_or_else(unknown)?
            }
        };
        source.current()
    }
}
