//! The plan of a BackupEntry in the frame of every plan.

use super::input::Input;
use super::status;
use crate::call::Query;
use crate::gardener::planning::errors::Errors;
use crate::gardener::planning::facts::{Api, Facts, KnownAccount};
use crate::gardener::planning::findings::{OwnershipRules, PlanFindings};
use crate::gardener::planning::frame::{self, Desired, Frame, Ownership, PlanRules, Subject};
use crate::gardener::planning::steps::update;
use crate::plan::{ACCOUNT, Obstacle, Resource, ResourceKind};
use crate::policy::{Afterwards, Plan, PlanAnswer, PlanOperation, PlanRequest, PlanSubject, RequestError, State};
use crate::provider::alicloud::oss::{self, LEFT, MARKER, PASS, Place, Sweep};
use crate::provider::alicloud::queries::{self, CLIENT_UNAVAILABLE, CREDENTIALS_UNAVAILABLE};
use crate::provider::alicloud::rules::backup_entry_plan as rules;

/// Id of the resource in the plan.
const ID: &str = "objects";

const KIND: ResourceKind = ResourceKind { name: "objects of a Shoot", billed: false, association: false };

/// The API.
pub static API: Api = oss::api(
    &rules::ENT_002,
    &[
        (CREDENTIALS_UNAVAILABLE, &rules::ENT_002, "could not get Alicloud credentials"),
        (CLIENT_UNAVAILABLE, &rules::ENT_002, "could not create Alicloud OSS client"),
    ],
);

/// Makes a plan, or says which queries somebody has to answer first, or what forbids a plan.
pub fn plan(request: &PlanRequest<'_>) -> Result<PlanAnswer, RequestError> {
    let recorded = status::recorded(&request.request, request.state.as_ref())?;
    if request.request.operation != PlanOperation::Delete {
        // The objects are etcd's, and no call has to say whose the credentials are.
        let plan = Plan { state: recorded, ..Plan::default() };
        return Ok(match Input::read(&request.request) {
            Ok(_) => PlanAnswer { plan: Some(plan), ..PlanAnswer::default() },
            Err(errors) => errors.into(),
        });
    }
    let mut planning = frame::plan::<Input<'_>>(request, recorded)?;
    if let Some(plan) = &mut planning.plan {
        oss::finish(plan);
    }
    Ok(planning)
}

impl<'r> Subject<'r> for Input<'r> {
    type World = Sweep;

    const FRAME: &'static Frame = &Frame {
        api: &API,
        rules: PlanRules {
            // Not reached, because a name proves whose the objects are, and no id is recorded.
            ownership: OwnershipRules {
                unrecorded: &rules::ENT_003,
                unbound: &rules::ENT_003,
                nothing_found: &rules::ENT_003,
            },
            account: &rules::ENT_003,
            other_account: &rules::ENT_003,
            remedy: &rules::ENT_004,
        },
        ownership: Ownership::ByName,
        without_account: |state| state,
    };

    fn read(request: &PlanSubject<'r>, _recorded: &State) -> Result<Self, Errors> {
        Input::read(request)
    }

    fn account_query(&self) -> Query {
        queries::account(self.bucket.region)
    }

    fn observe(&self, recorded: &State, facts: &mut Facts<'_>, _account: &KnownAccount) -> Sweep {
        oss::observe(&self.place(), recorded, facts).unwrap_or_default()
    }

    fn imagine(&self, _older: Option<&Self>) -> Result<(Sweep, State), RequestError> {
        Ok((Sweep::default(), State::new()))
    }

    fn desired<'i>(&'i self, sweep: &Sweep, state: State) -> Result<Desired<'i>, RequestError> {
        let name = [self.bucket.name, "/", self.prefix.as_str()].concat();
        let mut resource = Resource::new(ID, &KIND, &name);
        resource.keys = [MARKER, PASS, LEFT, ACCOUNT].map(str::to_owned).into();
        resource.disruption = Some("The backups of the Shoot are lost.".to_owned());
        // What has its mark is left to the rule of the bucket.
        if !sweep.objects.is_empty() && !sweep.is_marked() {
            resource.found = Some(self.prefix.clone());
            resource.delete = sweep.steps(&self.place(), ID);
            resource.is_partial = !sweep.ends_marks();
            if let Some(first) = resource.delete.first_mut().filter(|_| sweep.ends_marks()) {
                first.remedy = sweep.kept();
            }
            resource.attributes = vec![update("objects", None, &sweep.count(), Vec::new())];
        }
        let findings = PlanFindings::new(self.request);
        Ok(Desired { resources: vec![resource], state, findings })
    }

    fn add_obstacle(&self, findings: &mut PlanFindings<'_>, Obstacle { remedy, .. }: &Obstacle) {
        findings.whole(&rules::ENT_002, remedy.clone());
    }

    // What is left is known to have its mark.
    fn afterwards(&self, sweep: &Sweep) -> Option<Afterwards> {
        sweep.ends_marks().then_some(Afterwards::Done)
    }
}

impl Input<'_> {
    fn place(&self) -> Place<'_> {
        Place { bucket: self.bucket, prefix: &self.prefix, account: "" }
    }
}
