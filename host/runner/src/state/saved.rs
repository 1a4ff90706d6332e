//! Plans that people save and read before a run carries them out.

use serde::{Deserialize, Serialize};
use serde_json::Value;
use serde_json::value::RawValue;

use super::document::{StateDocument, SubjectId, digest};
use crate::document::Consent;
use crate::document::{Plan, State};
use trellis_policies::digest::Digest;

const FORMAT: &str = "trellis-plan/1";
const FAMILY: &str = "trellis-plan/";

/// A plan, and the inputs that it was made of.
#[derive(Clone, Debug, Deserialize, Serialize)]
pub struct SavedPlan {
    /// Always the same in this version.
    format: String,
    /// Version of trellis that made it.
    pub trellis: String,
    /// The infrastructure of the plan.
    pub identity: SubjectId,
    /// The request.
    pub request: Box<RawValue>,
    /// The consents that the person gave with it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub consent: Vec<Consent>,
    /// Serial of the recorded state; absent where there was none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    serial: Option<u64>,
    /// Digest of the recorded state.
    state: String,
    /// The plan.
    pub plan: Plan,
    /// Digest of all else.
    digest: String,
}

/// Why a saved plan cannot be carried out.
#[derive(Debug, thiserror::Error)]
pub enum SavedPlanError {
    /// The file is not JSON, or not complete.
    #[error("it cannot be read as a saved plan: {0}")]
    Syntax(serde_json::Error),
    /// The file is something else.
    #[error("it is not a plan that `trellis plan --out` saved")]
    Other,
    /// Another version made the plan.
    #[error("trellis {made} made it, and this is trellis {}: make it again", env!("CARGO_PKG_VERSION"))]
    Version {
        /// Which version.
        made: String,
    },
    /// Somebody edited the plan.
    #[error("it was changed since it was saved: a plan is carried out as trellis made it, or not at all")]
    Edited,
    /// The plan is for another infrastructure or cloud.
    #[error(
        "it was made for {made}, and this run is for {given}: give that object with that `--cloud`, or make the plan again"
    )]
    Foreign {
        /// The infrastructure of the plan.
        made: Box<SubjectId>,
        /// The infrastructure of the run.
        given: Box<SubjectId>,
    },
    /// Something else is wanted now.
    #[error("what is wanted has changed since the plan was made: make it again")]
    Request,
    /// The recorded state is another one.
    #[error("the recorded state has changed since the plan was made: make it again")]
    State,
}

impl SavedPlan {
    /// A plan to be saved. `recorded` is what was recorded when it was made.
    pub fn new(
        identity: SubjectId,
        request: Box<RawValue>,
        consent: Vec<Consent>,
        recorded: Option<&StateDocument>,
        plan: Plan,
    ) -> Self {
        let mut saved = Self {
            format: FORMAT.to_owned(),
            trellis: env!("CARGO_PKG_VERSION").to_owned(),
            identity,
            serial: recorded.map(|document| document.serial),
            state: state_digest(recorded),
            digest: String::new(),
            request,
            consent,
            plan,
        };
        saved.digest = saved.contents();
        saved
    }

    /// Reads the text of a file.
    pub fn read(text: &str) -> Result<Self, SavedPlanError> {
        #[derive(Deserialize)]
        struct Head {
            format: Option<String>,
            trellis: Option<String>,
        }
        let Head { format, trellis } = serde_json::from_str(text).map_err(SavedPlanError::Syntax)?;
        if !format.as_ref().is_some_and(|format| format.starts_with(FAMILY)) {
            return Err(SavedPlanError::Other);
        }
        if format.as_deref() != Some(FORMAT) || trellis.as_deref() != Some(env!("CARGO_PKG_VERSION")) {
            return Err(SavedPlanError::Version { made: trellis.unwrap_or_default() });
        }
        let saved: Self = serde_json::from_str(text).map_err(SavedPlanError::Syntax)?;
        if saved.digest != saved.contents() {
            return Err(SavedPlanError::Edited);
        }
        Ok(saved)
    }

    /// Whether the content of a file is a saved plan of any version, even one that was edited.
    pub fn is_saved(content: &[u8]) -> bool {
        #[derive(Deserialize)]
        struct Head {
            format: String,
        }
        serde_json::from_slice::<Head>(content).is_ok_and(|head| head.format.starts_with(FAMILY))
    }

    /// The text for a file.
    pub fn text(&self) -> String {
        // Never fails: it has string keys and no fallible parts.
        let mut text = serde_json::to_string_pretty(self).unwrap_or_default();
        text.push('\n');
        text
    }

    /// Checks that the plan still leads from the recorded state to what is wanted. Only a new plan shows whether
    /// the cloud is still as it was.
    pub fn check(
        &self,
        identity: &SubjectId,
        request: &RawValue,
        recorded: Option<&StateDocument>,
    ) -> Result<(), SavedPlanError> {
        if !self.identity.is_same(identity) {
            let (made, given) = (Box::new(self.identity.clone()), Box::new(identity.clone()));
            return Err(SavedPlanError::Foreign { made, given });
        }
        if canonical(&self.request) != canonical(request) {
            return Err(SavedPlanError::Request);
        }
        let same = self.serial == recorded.map(|document| document.serial);
        if same && self.state == state_digest(recorded) { Ok(()) } else { Err(SavedPlanError::State) }
    }

    /// The digest of all but the digest.
    fn contents(&self) -> String {
        let Self { format, trellis, identity, request, consent, serial, state, plan, digest: _ } = self;
        // Never fails: they have string keys and no fallible parts.
        let text =
            serde_json::to_string(&(format, trellis, identity, consent, serial, state, plan)).unwrap_or_default();
        Digest::of(format!("{text}\n{}", canonical(request)).as_bytes()).to_string()
    }
}

fn state_digest(recorded: Option<&StateDocument>) -> String {
    digest(recorded.map_or(&State::new(), |document| &document.state)).to_string()
}

/// The same text for documents that differ in spaces and the order of members alone.
fn canonical(document: &RawValue) -> String {
    let mut document = serde_json::from_str::<Value>(document.get()).unwrap_or_default();
    // Does nothing in builds of serde_json whose objects are sorted anyway.
    document.sort_all_objects();
    document.to_string()
}
