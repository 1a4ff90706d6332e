//! The plan of a Shoot's network.

use super::check::check;
use super::desired::{Desired, desired};
use super::errors::Errors;
use super::input::Input;
use super::observe::{Observed, observe};
use super::state;
use crate::plan;
use crate::policy::{Plan, PlanOperation, PlanRequest, Planning, Refusal};

/// Plans, asks, or tells what forbids a plan.
pub fn plan(request: &PlanRequest<'_>) -> Result<Planning, Refusal> {
    let recorded = state::read(&request.request, request.state.as_ref())?;
    if request.request.operation == PlanOperation::Migrate {
        return Ok(Planning { plan: Some(Plan { state: recorded, ..Plan::default() }), ..Planning::default() });
    }
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
            return Ok(Errors::new(findings).into());
        }
    }
    let Desired { resources, state, mut refusals } = desired(&input, &world, recorded)?;
    let identity = format!("{}/{}", input.technical_id, request.request.uid());
    let plan = plan::plan(&identity, state, resources);
    if let Err(refused) = &plan {
        refusals.planner(refused);
    }
    let findings = refusals.into_findings();
    if !findings.is_empty() {
        return Ok(Errors::new(findings).into());
    }
    Ok(Planning { plan: plan.ok(), ..Planning::default() })
}
