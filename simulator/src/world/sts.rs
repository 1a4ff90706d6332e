//! Sessions of roles that are assumed.

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use crate::signature::Secret;

/// The state of the service in an account.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct State {
    /// The sessions of its roles, the oldest first.
    pub(crate) sessions: Vec<Session>,
}

impl State {
    /// The session that an access key belongs to.
    pub fn session(&self, access_key: &str) -> Option<&Session> {
        self.sessions.iter().find(|session| session.access_key_id == access_key)
    }
}

/// A session of a role, with the credentials that call as it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "PascalCase")]
pub struct Session {
    /// The identifier of its access key.
    pub access_key_id: String,
    /// The secret of its access key.
    pub access_key_secret: Secret,
    pub(crate) security_token: Secret,
    /// The identifier of the role.
    pub role_id: String,
    /// The role's name.
    pub role_name: String,
    /// The session's name.
    pub session_name: String,
    /// When it ends, in the simulator's time.
    pub expiration: Timestamp,
}

impl Session {
    /// Whether this is the token that has to be sent along with its access key.
    pub fn has_token(&self, token: &str) -> bool {
        self.security_token == Secret::new(token)
    }

    /// Whether it has ended.
    pub fn is_over(&self, now: Timestamp) -> bool {
        now >= self.expiration
    }
}
