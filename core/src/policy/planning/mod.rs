//! What a module answers that plans subjects, which stand for something in the cloud, and classifies errors.

mod classify;
mod owner;
mod plan;
mod state;
mod status;
mod subject;

use super::part::{call, names};
use super::{About, Calls, Function, Part, RequestError};
use crate::collections::NameSet;
use crate::functions;
#[cfg(feature = "schema")]
use crate::schema::{answer, request};

pub use classify::{CallError, Classification, Outcome};
pub use plan::{
    Action, Afterwards, Baseline, Condition, Consent, Gone, Item, Note, Plan, PlanAnswer, PlanRequest,
    PlannedResource, Probe, ResourceChange, Step,
};
pub use state::{Effects, State};
pub use status::{Ingress, StatusRequest, SubjectStatus};
pub use subject::{PlanOperation, PlanSubject, PlannedKind, SubjectKind, technical_id};

/// The functions.
pub const PLANNING: &[Function<Planning>] = functions! {
    "plan": "Plans what becomes of a subject, or asks for what has to be known before.", plan::plan,
        Some(request::<plan::shape::PlanRequest>) => answer::<PlanAnswer>;
    "status": "Says the status of a subject from its recorded state.", status::status,
        Some(request::<status::shape::StatusRequest>) => answer::<SubjectStatus>;
    "classify": "Says what to do about the error of a call.", classify::classify,
        Some(request::<classify::shape::ClassifyRequest>) => answer::<Classification>;
};

/// What a policy plans, and what it says of errors.
pub struct Planning {
    /// What the policy is.
    pub about: About,
    /// Says what to do about the error of a call.
    pub classify: fn(&CallError<'_>) -> Classification,
    /// The calls of steps with the credentials of other accounts, by the role of the account, such as
    /// `imageOwner`.
    pub calls_of_others: &'static [(&'static str, Calls)],
    /// The kinds of objects that are planned; none where Trellis only classifies errors.
    pub subjects: &'static [SubjectPlans],
}

/// How a policy plans the subjects of a kind.
pub struct SubjectPlans {
    /// The kind.
    pub kind: SubjectKind,
    /// The types of objects of the kind that are this provider's, as in `spec.type`.
    pub types: &'static [&'static str],
    /// The calls of queries, steps and probes with the credentials that the object names, sorted.
    pub calls: Calls,
    /// Plans what becomes of a subject, or asks for what has to be known before.
    pub plan: fn(&PlanRequest<'_>) -> Result<PlanAnswer, RequestError>,
    /// Reports the status of a subject from its recorded state.
    pub status: fn(&StatusRequest<'_>) -> Result<SubjectStatus, RequestError>,
}

impl Planning {
    /// A policy that only classifies errors.
    pub const fn classifying(about: About, classify: fn(&CallError<'_>) -> Classification) -> Self {
        Self { about, classify, calls_of_others: &[], subjects: &[] }
    }
}

impl Part for Planning {
    fn about(&self) -> About {
        self.about
    }

    fn names(&self) -> Vec<&'static str> {
        names(PLANNING, |name| name == "classify" || !self.subjects.is_empty())
    }

    fn calls(&self) -> Vec<&'static str> {
        let calls: NameSet<'_> = self.subjects.iter().flat_map(|subject| subject.calls).copied().collect();
        calls.iter().collect()
    }

    fn planned(&self) -> Vec<PlannedKind> {
        self.subjects.iter().map(|subject| PlannedKind { kind: subject.kind, types: subject.types }).collect()
    }

    fn call(&self, function: &str, request: &str) -> Option<Result<String, RequestError>> {
        call(PLANNING, self, function, request)
    }
}
