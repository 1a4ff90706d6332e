//! The plan of a Shoot's network.

use super::check::check;
use super::desired::{Desired, Zone, desired, nat_gateway};
use super::input::Input;
use super::observe::{Observed, observe};
use super::places;
use super::state;
use super::world::World;
use crate::gardener::infrastructure::errors::Errors;
use crate::gardener::infrastructure::findings::{OwnershipRules, PlanFindings, recorded_and_not_found};
use crate::plan::{self, ACCOUNT, Caller, Cause, Forbidden, Obstacle};
use crate::policy::{Baseline, Consent, Plan, PlanOperation, PlanRequest, Planning, RequestError, State};
use crate::provider::alicloud::error_codes::codes;
use crate::provider::alicloud::rules::infrastructure_plan as rules;
use crate::report::{Finding, Severity};

/// The rules that a plan breaks where nobody knows whose the resources are.
const OWNERSHIP: OwnershipRules =
    OwnershipRules { unrecorded: &rules::PLAN_012, unbound: &rules::PLAN_014, nothing_found: &rules::PLAN_013 };

/// Makes a plan, or tells which queries somebody has to answer first, or what forbids a plan.
pub fn plan(request: &PlanRequest<'_>) -> Result<Planning, RequestError> {
    let recorded = state::read(&request.request, request.state.as_ref())?;
    if request.request.operation == PlanOperation::Migrate {
        return Ok(Planning { plan: Some(Plan { state: recorded, ..Plan::default() }), ..Planning::default() });
    }
    let is_preview = !matches!(request.baseline, Baseline::Observed);
    let input = match Input::read(&request.request, &recorded) {
        Ok(input) => input,
        Err(errors) => return Ok(errors.into()),
    };
    let (world, recorded) = match observe(&input, &recorded, request)? {
        Observed::Queries(queries) => return Ok(Planning { queries, ..Planning::default() }),
        Observed::Errors(errors) => return Ok(errors.into()),
        Observed::World(world) => (world, recorded),
        Observed::Imagined(world, state) => (world, state),
    };
    if !input.is_delete() {
        let findings = check(&input, &world, &recorded);
        if !findings.is_empty() {
            return Ok(Errors::new(findings, codes).into());
        }
    }
    let Desired { resources, state, mut findings } = desired(&input, &world, recorded.clone())?;
    let identity = format!("{}/{}", input.technical_id, request.request.uid());
    let is_verified = recorded.get(ACCOUNT).is_some_and(|known| *known == world.account);
    let is_of_seed = request.request.infrastructure.is_some();
    let annotated = Consent::annotated(&request.request);
    let caller = Caller {
        recorded: &recorded,
        account: Some(world.account.as_str()).filter(|account| !account.is_empty()),
        may_adopt: request.consent.adopt || annotated.adopt || is_preview,
        is_known: request.request.is_known_to_seed(),
        may_forget: request.consent.forget || annotated.forget || (is_of_seed && is_verified),
        has_waited: request.waited,
    };
    let mut plan = plan::plan(&identity, state, resources, &caller);
    match &plan {
        Err(Forbidden::Obstacles(obstacles)) => add_obstacles(&mut findings, &input, obstacles),
        Err(Forbidden::Unowned(unowned)) => findings.unowned(&OWNERSHIP, unowned),
        Ok(_) => {}
    }
    let mut findings = findings.into_findings();
    if !findings.is_empty() {
        return Ok(Errors::new(findings, codes).into());
    }
    if let Ok(plan) = &mut plan {
        if input.is_delete() && plan.state.get(ACCOUNT).is_none() {
            plan.state = state::without_images(std::mem::take(&mut plan.state));
        }
        findings = remarks(&input, &world, &recorded, plan);
    }
    let is_withheld = findings.iter().any(|finding| finding.severity == Severity::Error);
    let codes = if is_withheld { world.account_codes.clone() } else { Vec::new() };
    Ok(Planning { plan: plan.ok(), findings, codes, ..Planning::default() })
}

/// Adds what keeps the planner from making a plan.
fn add_obstacles(findings: &mut PlanFindings<'_>, input: &Input<'_>, obstacles: &[Obstacle]) {
    for Obstacle { id, cause, remedy } in obstacles {
        match cause {
            Cause::Attribute(_) if id == nat_gateway::ID => {
                places::network(findings, &rules::PLAN_003, remedy.clone());
            }
            Cause::Protected => {
                let name = Zone::of_id(id).unwrap_or_default();
                let index = input.zones.iter().find(|zone| zone.name == name).map(|zone| zone.index);
                places::zone(findings, &rules::PLAN_002, index, None, remedy.clone());
            }
            _ => places::network(findings, &rules::PLAN_009, format!("{id}: {remedy}")),
        }
    }
}

/// Findings in addition to a plan. Nobody carries out a plan for an unknown account, and a plan that gives up a record
/// tells so.
fn remarks(input: &Input<'_>, world: &World, recorded: &State, plan: &Plan) -> Vec<Finding> {
    let mut remarks = PlanFindings::new(input.request);
    if !world.account_error.is_empty() {
        let detail = format!("the cloud does not tell whose the credentials are: {}", world.account_error);
        // A record is not given up either.
        let is_kept = !input.is_delete() || plan.state == *recorded;
        if plan.changes.is_empty() && is_kept {
            remarks.warning(&rules::PLAN_011, detail);
        } else {
            remarks.whole(&rules::PLAN_011, detail);
        }
    }
    if input.is_delete() && !plan.gone.is_empty() {
        remarks.warning(&rules::PLAN_013, recorded_and_not_found(&plan.gone));
    }
    for remedy in plan.steps.iter().filter_map(|step| step.remedy.clone()) {
        remarks.warning(&rules::PLAN_021, remedy);
    }
    remarks.into_findings()
}

#[cfg(test)]
mod tests;
