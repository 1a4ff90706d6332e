//! The content of a state file.

use std::fmt;

use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::document::{INFRASTRUCTURE, State};
use trellis_policies::digest::Digest;

/// The format of state files, with its version.
const FORMAT: &str = "trellis-state/1";
const FAMILY: &str = "trellis-state/";

/// A recorded state.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
pub struct StateDocument {
    /// Always the same in this version.
    format: String,
    /// The subject of the state.
    pub identity: SubjectId,
    /// What distinguishes the tokens of this state from those of another one for the same names; absent where the
    /// infrastructure has a uid, and in a state that an older version began.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub salt: Option<String>,
    /// Grows with every change.
    pub serial: u64,
    /// The recorded keys and values.
    pub state: State,
    /// How the last run ended.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub last: Option<LastRun>,
}

/// What distinguishes a subject from all others.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct SubjectId {
    /// Its kind; absent for an Infrastructure.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub kind: Option<String>,
    /// The name of its folder: of an Infrastructure, the Shoot's name on its seed.
    #[serde(rename = "technicalId")]
    pub name: String,
    /// Provider type.
    pub provider: String,
    /// The cloud's region.
    pub region: String,
    /// The cloud, as `--cloud` names it; absent where it is not known, as in a state of an older version.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cloud: Option<String>,
    /// Uid of the subject or the Shoot; absent where it is not known, as in a file that was never applied.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub uid: Option<String>,
}

/// How a run ended.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
pub struct LastRun {
    /// When.
    pub at: Timestamp,
    /// The operation, such as `reconcile`.
    pub operation: String,
    /// How the run ended, in a sentence.
    pub ending: String,
    /// Whether the infrastructure was as it was wanted.
    pub done: bool,
}

/// Why a text is no state.
#[derive(Debug, thiserror::Error)]
pub enum DocumentError {
    /// The file is not JSON.
    #[error("it is not JSON: {0}")]
    Syntax(serde_json::Error),
    /// The file is something else.
    #[error("it is not a state that trellis recorded")]
    Other,
    /// The state is of a newer version.
    #[error("its format `{0}` is newer than `{FORMAT}`, which is all that this version of trellis reads")]
    Newer(String),
    /// The state is not complete.
    #[error("its contents are not what `{FORMAT}` has: {0}")]
    Contents(serde_json::Error),
}

impl StateDocument {
    /// A new state, which is in no file yet.
    pub fn new(identity: SubjectId, state: State) -> Self {
        Self { format: FORMAT.to_owned(), identity, salt: None, serial: 0, state, last: None }
    }

    /// Whether the last run destroyed everything. The rest of the state only keeps a new network from being taken
    /// for the old one.
    pub fn is_taken_down(&self) -> bool {
        self.last.as_ref().is_some_and(|last| last.done && last.operation == "delete")
    }

    /// Reads the text of a file.
    pub fn read(text: &str) -> Result<Self, DocumentError> {
        let value: Value = serde_json::from_str(text).map_err(DocumentError::Syntax)?;
        match value.get("format").and_then(Value::as_str) {
            Some(FORMAT) => serde_json::from_value(value).map_err(DocumentError::Contents),
            Some(other) if other.starts_with(FAMILY) => Err(DocumentError::Newer(other.to_owned())),
            _ => Err(DocumentError::Other),
        }
    }

    /// The text for a file.
    pub fn text(&self) -> String {
        // Never fails: there are only texts and numbers in it.
        let mut text = serde_json::to_string_pretty(self).unwrap_or_default();
        text.push('\n');
        text
    }
}

impl SubjectId {
    /// Its kind.
    pub fn kind(&self) -> &str {
        self.kind.as_deref().unwrap_or(INFRASTRUCTURE)
    }

    /// Whether both are the same subject, by all that is known of both.
    pub fn is_same(&self, other: &Self) -> bool {
        let Self { kind: _, name, provider, region, cloud, uid } = self;
        let may_be_same =
            |one: &Option<String>, two: &Option<String>| one.is_none() || two.is_none() || one == two;
        self.kind() == other.kind()
            && (name, provider, region) == (&other.name, &other.provider, &other.region)
            && may_be_same(cloud, &other.cloud)
            && may_be_same(uid, &other.uid)
    }
}

impl fmt::Display for SubjectId {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { kind, name, provider, region, cloud, uid } = self;
        if let Some(kind) = kind {
            write!(formatter, "{kind} ")?;
        }
        write!(formatter, "`{name}` on `{provider}`")?;
        if !region.is_empty() {
            write!(formatter, " in `{region}`")?;
        }
        if let Some(cloud) = cloud {
            write!(formatter, " of the cloud `{cloud}`")?;
        }
        match uid {
            Some(uid) => write!(formatter, " with uid `{uid}`"),
            None => Ok(()),
        }
    }
}

/// The digest of a state.
pub(super) fn digest(state: &State) -> Digest {
    // Never fails: there are only texts in it.
    Digest::of(serde_json::to_string(state).unwrap_or_default().as_bytes())
}
