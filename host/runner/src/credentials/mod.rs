//! Credentials, and the sources that they come from. What a credential is, is a family's own.

mod secret;
mod source;

use std::any::Any;
use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

pub use secret::SecretData;
pub use source::{CredentialSource, Watched};

use trellis_policies::source::ReadProblem;

/// What a family of clouds makes of a Secret, such as an access key. It wipes its texts from memory when it goes.
pub trait Credential: Any + Send + Sync {
    /// What distinguishes it from every other, and is not secret: the identifier of an access key, or a name.
    fn id(&self) -> &str;

    /// Its secrets. Messages show none of them.
    fn secrets(&self) -> Vec<&str>;
}

/// How a family of clouds reads its credentials.
pub trait ReadsCredentials: Send + Sync {
    /// The credential in a Secret.
    fn of_secret(&self, secret: &SecretData<'_>) -> Result<Arc<dyn Credential>, CredentialError>;

    /// The variables of the environment that a credential needs; none where none is read from there.
    fn variables(&self) -> &'static [&'static str] {
        &[]
    }

    /// The credential in variables of the environment, where there is one.
    fn of_environment(
        &self,
        _variable: &dyn Fn(&str) -> Option<String>,
    ) -> Result<Option<Arc<dyn Credential>>, CredentialError> {
        Ok(None)
    }
}

/// What stands in place of secrets.
const REDACTED: &str = "(redacted)";

impl dyn Credential {
    /// The credential as the family's own type; none where another family has made it.
    pub fn own<C: Credential>(&self) -> Option<&C> {
        let any: &dyn Any = self;
        any.downcast_ref()
    }

    /// Removes the secrets from a text of the cloud, which may quote what it received.
    pub fn redact(&self, text: String) -> String {
        let secrets = self.secrets().into_iter().filter(|secret| !secret.is_empty());
        secrets.fold(text, |text, secret| text.replace(secret, REDACTED))
    }
}

/// Shows no part of the credential, whatever the family has made of it.
impl fmt::Debug for dyn Credential {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("Credential")
    }
}

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

#[cfg(test)]
mod tests {
    use super::*;

    struct Login;

    impl Credential for Login {
        fn id(&self) -> &'static str {
            "user"
        }

        fn secrets(&self) -> Vec<&str> {
            vec!["hidden", "", "token"]
        }
    }

    #[test]
    fn it_is_not_shown() {
        let credential: Arc<dyn Credential> = Arc::new(Login);
        let shown = format!("{credential:?} {:?}", CredentialSource::fixed(Arc::clone(&credential)));
        assert!(!shown.contains("hidden") && !shown.contains("token"), "{shown}");
        let quoted = credential.redact("x-security-token:token key hidden&".to_owned());
        assert_eq!(quoted, "x-security-(redacted):(redacted) key (redacted)&");
    }
}
