//! The policy of a cloud as data: a constant for each part says what is the cloud's own, and what every cloud does
//! with it stands here.
//!
//! The parts are constants of their own, because a module of WebAssembly holds what its parts reach: one constant
//! of all would bring the code that renders into the module that judges.

#[cfg(feature = "schema")]
use std::collections::BTreeMap;

use super::mutation::{self, Webhook};
use super::rendering::{self, ControlPlanes};
use super::worker::{self, WorkerPools};
use crate::policy::{
    self, About, AddedZones, Addresses, CallError, Calls, Classification, Defaulted, MutateRequest, Mutates,
    Mutation, NewZone, PlanRequest, PlannedKind, Policy, Provider, Reads, RenderRequest, Renders, Request,
    RequestError, Rollout, StatusRequest, SubjectKind, SubjectStatus, WorkersRequest, judged_kind, unanswered,
    unsupported,
};
use crate::report::{Report, Rule};

/// Judges an object.
type Validate = fn(&Request<'_>, &mut Report<'_>) -> Result<(), RequestError>;
/// Fills in what a person left out of an object.
type Default = for<'r> fn(&Request<'r>) -> Result<Defaulted<'r>, RequestError>;
/// Chooses ranges for zones to be added to a Shoot.
type Zones = fn(&Request<'_>, &[NewZone<'_>]) -> Result<AddedZones, RequestError>;
/// Shows what an edit of a Shoot does to its nodes.
type RollOut = fn(&Request<'_>) -> Result<Rollout, RequestError>;

/// What a cloud judges and completes.
pub struct Judging {
    /// What the policy is.
    pub about: About,
    /// What `default` and `validate` read of the context.
    pub reads: Reads,
    /// Every rule, by section, in the order of the reference.
    pub rules: &'static [&'static [&'static Rule]],
    /// The kinds that there is something to judge of, and what judges them.
    pub validate: &'static [(&'static str, Validate)],
    /// Those of the kinds that there are defaults for, and what sets them.
    pub default: &'static [(&'static str, Default)],
    /// Makes the JSON Schemas of the configuration kinds, by kind.
    #[cfg(feature = "schema")]
    pub schemas: fn(crate::schema::Form) -> BTreeMap<String, serde_json::Value>,
}

impl Provider for Judging {
    fn about(&self) -> About {
        self.about
    }

    fn lacks(&self) -> &'static [&'static str] {
        &["join", "merge"]
    }
}

impl Policy for Judging {
    fn reads(&self) -> Reads {
        self.reads
    }

    fn rules(&self) -> Vec<&'static Rule> {
        self.rules.concat()
    }

    fn validate(&self, request: &Request<'_>, report: &mut Report<'_>) -> Result<(), RequestError> {
        match of_kind(self.validate, request) {
            Some(validate) => validate(request, report),
            None => Err(unsupported(request.object)),
        }
    }

    fn default<'r>(&self, request: &Request<'r>) -> Result<Defaulted<'r>, RequestError> {
        match of_kind(self.default, request) {
            Some(default) => default(request),
            None if of_kind(self.validate, request).is_some() => Ok(Defaulted::unchanged(request.object)),
            None => Err(unsupported(request.object)),
        }
    }

    #[cfg(feature = "schema")]
    fn schemas(&self, form: crate::schema::Form) -> BTreeMap<String, serde_json::Value> {
        (self.schemas)(form)
    }
}

/// What stands in a table for the kind of the object of a request.
fn of_kind<T: Copy>(table: &[(&'static str, T)], request: &Request<'_>) -> Option<T> {
    let kind = judged_kind(request.object)?;
    table.iter().find(|(known, _)| *known == kind).map(|(_, found)| *found)
}

/// What a cloud answers about Shoots.
pub struct Addressing {
    /// What the policy is.
    pub about: About,
    /// What the functions read of the context.
    pub reads: Reads,
    /// Shows the address space of a Shoot.
    pub addresses: fn(&Request<'_>) -> Result<Addresses, RequestError>,
    /// Chooses ranges for zones to be added to a Shoot; none where a zone has no range of its own.
    pub zones: Option<Zones>,
    /// Shows what an edit of a Shoot does to its nodes; none where Trellis does not make the worker pools yet.
    pub rollout: Option<RollOut>,
}

impl Provider for Addressing {
    fn about(&self) -> About {
        self.about
    }

    fn lacks(&self) -> &'static [&'static str] {
        match (self.rollout, self.zones) {
            (Some(_), Some(_)) => &[],
            (Some(_), None) => &["zones"],
            (None, Some(_)) => &["rollout"],
            (None, None) => &["rollout", "zones"],
        }
    }
}

impl policy::Addressing for Addressing {
    fn reads(&self) -> Reads {
        self.reads
    }

    fn addresses(&self, request: &Request<'_>) -> Result<Addresses, RequestError> {
        is_shoot(request)?;
        (self.addresses)(request)
    }

    fn zones(&self, request: &Request<'_>, add: &[NewZone<'_>]) -> Result<AddedZones, RequestError> {
        is_shoot(request)?;
        self.zones.map_or_else(|| Err(unanswered("zones")), |zones| zones(request, add))
    }

    fn rollout(&self, request: &Request<'_>) -> Result<Rollout, RequestError> {
        self.rollout.map_or_else(|| Err(unanswered("rollout")), |rollout| rollout(request))
    }
}

fn is_shoot(request: &Request<'_>) -> Result<(), RequestError> {
    if judged_kind(request.object) == Some("Shoot") { Ok(()) } else { Err(unsupported(request.object)) }
}

/// What a cloud plans, and what it says of errors.
pub struct Planning {
    /// What the policy is.
    pub about: About,
    /// Says what to do about the error of a call.
    pub classify: fn(&CallError<'_>) -> Classification,
    /// What is planned; none where Trellis plans no kind yet.
    pub plans: Option<Plans>,
}

/// What a cloud plans.
#[derive(Clone, Copy)]
pub struct Plans {
    /// The calls of queries, steps and probes with the credentials that the object names.
    pub calls: Calls,
    /// The calls of steps with the credentials of other accounts, by the role of the account.
    pub calls_of_others: &'static [(&'static str, Calls)],
    /// The kinds of objects that are planned.
    pub subjects: &'static [SubjectPlans],
}

/// How a cloud plans the subjects of a kind.
#[derive(Clone, Copy)]
pub struct SubjectPlans {
    /// The kind.
    pub kind: SubjectKind,
    /// The types of objects of the kind that are this cloud's, as in `spec.type`.
    pub types: &'static [&'static str],
    /// Plans what becomes of a subject, or asks for what has to be known before.
    pub plan: fn(&PlanRequest<'_>) -> Result<policy::Planning, RequestError>,
    /// Reports the status of a subject from its recorded state.
    pub status: fn(&StatusRequest<'_>) -> Result<SubjectStatus, RequestError>,
}

impl Planning {
    fn subjects(&self) -> &'static [SubjectPlans] {
        self.plans.map_or(&[], |plans| plans.subjects)
    }

    fn of(&self, kind: SubjectKind, function: &str) -> Result<&'static SubjectPlans, RequestError> {
        self.subjects().iter().find(|subject| subject.kind == kind).ok_or_else(|| unanswered(function))
    }
}

impl Provider for Planning {
    fn about(&self) -> About {
        self.about
    }

    fn lacks(&self) -> &'static [&'static str] {
        if self.plans.is_some() { &[] } else { &["plan", "status"] }
    }
}

impl policy::Plans for Planning {
    fn planned(&self) -> Vec<PlannedKind> {
        self.subjects().iter().map(|subject| PlannedKind { kind: subject.kind, types: subject.types }).collect()
    }

    fn calls(&self) -> Calls {
        self.plans.map_or(&[], |plans| plans.calls)
    }

    fn calls_of_others(&self) -> &'static [(&'static str, Calls)] {
        self.plans.map_or(&[], |plans| plans.calls_of_others)
    }

    fn plan(&self, request: &PlanRequest<'_>) -> Result<policy::Planning, RequestError> {
        (self.of(request.request.kind, "plan")?.plan)(request)
    }

    fn status(&self, request: &StatusRequest<'_>) -> Result<SubjectStatus, RequestError> {
        (self.of(request.request.kind, "status")?.status)(request)
    }

    fn classify(&self, error: &CallError<'_>) -> Result<Classification, RequestError> {
        Ok((self.classify)(error))
    }
}

/// What a cloud renders.
pub struct Rendering {
    /// What the policy is.
    pub about: About,
    /// What is the cloud's own of a control plane.
    pub control_planes: &'static ControlPlanes,
    /// What is the cloud's own of worker pools.
    pub worker_pools: &'static WorkerPools,
}

impl Provider for Rendering {
    fn about(&self) -> About {
        self.about
    }
}

impl Renders for Rendering {
    fn render(&self, request: &RenderRequest<'_>) -> Result<policy::Rendering, RequestError> {
        rendering::render(request, self.control_planes)
    }

    fn workers(&self, request: &WorkersRequest<'_>) -> Result<String, RequestError> {
        worker::workers(request, self.worker_pools)
    }
}

/// What a cloud changes in the objects that its webhooks see.
pub struct Mutating {
    /// What the policy is.
    pub about: About,
    /// The webhooks.
    pub webhooks: &'static [Webhook],
}

impl Provider for Mutating {
    fn about(&self) -> About {
        self.about
    }
}

impl Mutates for Mutating {
    fn webhooks(&self) -> Vec<&'static str> {
        mutation::names(self.webhooks)
    }

    fn mutate(&self, request: &MutateRequest<'_>) -> Result<Mutation, RequestError> {
        mutation::mutate(request, self.webhooks)
    }
}
