//! What a provider implements.

#[cfg(feature = "schema")]
use std::collections::BTreeMap;

use super::{
    About, AddedZones, Addresses, CallError, Calls, Classification, Defaulted, NewZone, PlanRequest, PlannedKind,
    Planning, Reads, RenderRequest, Rendering, Request, RequestError, Rollout, Scope, StatusRequest,
    SubjectStatus, WorkersRequest,
};
use crate::document::Value;
use crate::report::{Report, Rule};

/// What every policy says of itself.
pub trait Provider: Sync {
    /// What the policy is.
    fn about(&self) -> About;

    /// Provider type, as in `spec.provider.type`.
    fn provider(&self) -> &'static str {
        self.about().provider
    }

    /// Release of the existing extension whose rules the policy carries.
    fn parity(&self) -> &'static str {
        self.about().parity
    }

    /// Whether the policy judges objects of every provider.
    fn judges_all(&self) -> bool {
        false
    }

    /// What a verdict of the policy covers: one on an object of a kind, or, without a kind, every verdict.
    fn scope(&self, kind: Option<&str>) -> Scope {
        let _ = kind;
        Scope::of(self.parity())
    }

    /// Names of functions that the provider does not answer.
    fn lacks(&self) -> &'static [&'static str] {
        &[]
    }
}

/// What one provider decides of objects. Implementations are pure: the same request yields the same answer.
pub trait Policy: Provider {
    /// What `default` and `validate` read of the context.
    fn reads(&self) -> Reads;

    /// Every rule, in the order of the reference.
    fn rules(&self) -> Vec<&'static Rule>;

    /// Judges an object.
    fn validate(&self, request: &Request<'_>, report: &mut Report<'_>) -> Result<(), RequestError>;

    /// Fills in what a person left out.
    fn default<'r>(&self, request: &Request<'r>) -> Result<Defaulted<'r>, RequestError>;

    /// Joins what several policies say of one object; request and answer are JSON texts, so that the module of a
    /// provider, which [lacks](Provider::lacks) the function, holds no code for either. Gardener's policy has it.
    fn join(&self, request: &str) -> Result<String, RequestError> {
        let _ = request;
        Err(unanswered("join"))
    }

    /// Merges a manifest with the object that is stored, as `kubectl apply` does; texts for the same reason.
    /// Gardener's policy has it.
    fn merge(&self, request: &str) -> Result<String, RequestError> {
        let _ = request;
        Err(unanswered("merge"))
    }

    /// Whether values of this object must stay out of answers.
    fn is_secret(&self, object: &Value<'_>) -> bool {
        matches!(object.get("kind").and_then(Value::as_str), Some("Secret" | "InternalSecret"))
    }

    /// JSON Schemas of the provider's configuration kinds, by kind.
    #[cfg(feature = "schema")]
    fn schemas(&self, form: crate::schema::Form) -> BTreeMap<String, serde_json::Value>;
}

/// What one provider answers about Shoots: their addresses, and what an edit does to their nodes.
pub trait Addressing: Provider {
    /// What these functions read of the context.
    fn reads(&self) -> Reads;

    /// Shows the address space of a Shoot.
    fn addresses(&self, request: &Request<'_>) -> Result<Addresses, RequestError>;

    /// Chooses ranges for zones to be added to a Shoot. A provider whose zones have no ranges of their own
    /// [lacks](Provider::lacks) the function.
    fn zones(&self, request: &Request<'_>, add: &[NewZone<'_>]) -> Result<AddedZones, RequestError>;

    /// Shows what an edit of a Shoot does to its nodes. A provider whose worker pools Trellis does not make yet
    /// [lacks](Provider::lacks) the function.
    fn rollout(&self, request: &Request<'_>) -> Result<Rollout, RequestError>;
}

/// What one provider decides of subjects, which stand for something in the cloud, where it does. A provider of which Trellis plans
/// no kind yet [lacks](Provider::lacks) `plan` and `status`, and only classifies errors.
pub trait Plans: Provider {
    /// The kinds whose objects are planned.
    fn planned(&self) -> Vec<PlannedKind>;

    /// The calls of queries, steps and probes with the credentials that the object names.
    fn calls(&self) -> Calls;

    /// The calls of steps with the credentials of other accounts, by the role of the account, such as
    /// `imageOwner`.
    fn calls_of_others(&self) -> &'static [(&'static str, Calls)];

    /// Plans what becomes of a subject, or asks for what has to be known before.
    fn plan(&self, request: &PlanRequest<'_>) -> Result<Planning, RequestError>;

    /// Reports the status of a subject from its recorded state.
    fn status(&self, request: &StatusRequest<'_>) -> Result<SubjectStatus, RequestError>;

    /// Says what to do about the error of a call.
    fn classify(&self, error: &CallError<'_>) -> Result<Classification, RequestError>;
}

/// What one provider makes of control planes and of worker pools.
pub trait Renders: Provider {
    /// Renders the objects of a control plane, or asks for what has to be known before.
    fn render(&self, request: &RenderRequest<'_>) -> Result<Rendering, RequestError>;

    /// Makes the machines of worker pools, or asks for what has to be known before. The answer is the text of
    /// [`Workers`](super::Workers), which borrows from what a preview makes.
    fn workers(&self, request: &WorkersRequest<'_>) -> Result<String, RequestError>;
}

/// The error for a function that a provider lacks.
pub fn unanswered(function: &str) -> RequestError {
    RequestError::UnknownFunction { name: function.to_owned(), known: Vec::new() }
}
