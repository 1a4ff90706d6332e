//! The plan of a Shoot's network: what Alibaba Cloud has of its own in it.

use super::check::check;
use super::desired::{Zone, desired, nat_gateway};
use super::imagine;
use super::input::Input;
use super::observe::observe;
use super::places;
use super::queries::Queries;
use super::state;
use super::world::World;
use crate::call::Query;
use crate::gardener::planning::errors::Errors;
use crate::gardener::planning::facts::{Api, Facts, KnownAccount};
use crate::gardener::planning::findings::{OwnershipRules, PlanFindings};
use crate::gardener::planning::frame::{self, Desired, Frame, Ownership, PlanRules, Subject};
use crate::plan::{Cause, Obstacle};
use crate::policy::{PlanAnswer, PlanRequest, PlanSubject, RequestError, State};
use crate::provider::alicloud::queries::{CLIENT_UNAVAILABLE, CREDENTIALS_UNAVAILABLE};
use crate::provider::alicloud::responses;
use crate::provider::alicloud::rules::{infrastructure_checks as checks, infrastructure_plan as rules};
use crate::report::Finding;

/// Makes a plan, or says which queries somebody has to answer first, or what forbids a plan.
pub fn plan(request: &PlanRequest<'_>) -> Result<PlanAnswer, RequestError> {
    let recorded = state::read(&request.request, request.state.as_ref())?;
    frame::plan::<Input<'_>>(request, recorded)
}

/// The APIs of networks and servers.
static API: Api = responses::api(
    &[
        (CREDENTIALS_UNAVAILABLE, &checks::ICV_002, "could not get Alicloud credentials"),
        (CLIENT_UNAVAILABLE, &checks::ICV_003, "create aliclient actor failed"),
    ],
    &checks::PLAN_001,
);

impl<'r> Subject<'r> for Input<'r> {
    type World = World;

    const FRAME: &'static Frame = &Frame {
        api: &API,
        rules: PlanRules {
            ownership: OwnershipRules {
                unrecorded: &rules::PLAN_012,
                unbound: &rules::PLAN_014,
                nothing_found: &rules::PLAN_013,
            },
            account: &rules::PLAN_011,
            other_account: &rules::PLAN_010,
            remedy: &rules::PLAN_021,
        },
        ownership: Ownership::Recorded,
        without_account: state::without_images,
    };

    fn read(request: &PlanSubject<'r>, recorded: &State) -> Result<Self, Errors> {
        Input::read(request, recorded)
    }

    fn account_query(&self) -> Query {
        Queries::new(self).account()
    }

    fn observe(&self, recorded: &State, facts: &mut Facts<'_>, account: &KnownAccount) -> World {
        observe(self, recorded, facts, account)
    }

    fn imagine(&self, older: Option<&Self>) -> Result<(World, State), RequestError> {
        older.map_or_else(|| imagine::nothing(self), |older| imagine::made(older, self))
    }

    fn check(&self, world: &World, recorded: &State) -> Vec<Finding> {
        check(self, world, recorded)
    }

    fn desired<'i>(&'i self, world: &World, recorded: State) -> Result<Desired<'i>, RequestError> {
        desired(self, world, recorded)
    }

    fn add_obstacle(&self, findings: &mut PlanFindings<'_>, Obstacle { id, cause, remedy }: &Obstacle) {
        match cause {
            Cause::Attribute(_) if id == nat_gateway::ID => {
                places::network(findings, &rules::PLAN_003, remedy.clone());
            }
            Cause::Protected => {
                let name = Zone::of_id(id).unwrap_or_default();
                let index = self.zones.iter().find(|zone| zone.name == name).map(|zone| zone.index);
                places::zone(findings, &rules::PLAN_002, index, None, remedy.clone());
            }
            _ => places::network(findings, &rules::PLAN_009, format!("{id}: {remedy}")),
        }
    }
}

#[cfg(test)]
mod tests;
