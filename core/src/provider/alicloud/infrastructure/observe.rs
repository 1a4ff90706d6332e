//! What is known of the cloud, and what has still to be asked.
//!
//! All that can be asked is asked side by side: what is recorded is asked about at once, and only what is not there sends
//! further queries after it.

mod account;
mod addresses;
mod images;
mod leftovers;
mod network;
mod routes;
mod security_groups;

use super::imagine;
use super::input::Input;
use super::queries::Queries;
use super::responses::API;
use super::world::World;
use crate::call::Query;
use crate::gardener::infrastructure::errors::Errors;
use crate::gardener::infrastructure::facts::{Facts, OnFailure, Outcome};
use crate::policy::{Baseline, PlanOperation, PlanRequest, RequestError, State};

/// The outcome of a look at the facts.
#[derive(Debug)]
pub enum Observed {
    /// These have to be answered first.
    Queries(Vec<Query>),
    /// All that has to be known.
    World(Box<World>),
    /// What the baseline of the request stands for, with the state that goes with it: the recorded one is not looked at.
    Imagined(Box<World>, State),
    /// The cloud could not be read.
    Errors(Errors),
}

/// Looks at the facts, or imagines the world, as the baseline says.
pub fn observe(input: &Input<'_>, state: &State, request: &PlanRequest<'_>) -> Result<Observed, RequestError> {
    let imagined = match request.baseline {
        Baseline::Observed => None,
        Baseline::Empty => Some(imagine::nothing(input)?),
        Baseline::Request(older) => match Input::read(&older, &State::new()) {
            Ok(older) => Some(imagine::made(&older, input)?),
            Err(errors) => {
                let why = errors.findings.first().map(|finding| finding.detail.as_str()).unwrap_or_default();
                return Err(RequestError::Malformed { message: format!("`baseline`: {why}"), pointer: None });
            }
        },
    };
    if let Some((world, state)) = imagined {
        return Ok(Observed::Imagined(Box::new(world), state));
    }
    let mut world = World::default();
    if input.operation == PlanOperation::Migrate {
        return Ok(Observed::World(Box::new(world)));
    }
    let mut observation =
        Observation { input, state, queries: Queries::new(input), facts: Facts::new(&API, request) };
    if let Some(errors) = observation.account(&mut world)? {
        return Ok(Observed::Errors(errors));
    }
    let vpc = observation.vpc(&mut world)?;
    observation.vswitches(vpc.as_ref(), &mut world)?;
    observation.nat_gateways(vpc.as_ref(), &mut world)?;
    observation.eips(&mut world)?;
    observation.security_groups(vpc.as_ref(), &mut world)?;
    observation.route_tables(vpc.as_ref(), &mut world)?;
    observation.ipv6_gateways(vpc.as_ref(), &mut world)?;
    if input.is_delete() {
        observation.load_balancers(&mut world)?;
    } else {
        observation.images(&mut world)?;
        observation.key_pair(&mut world)?;
    }
    Ok(match observation.facts.outcome() {
        Outcome::Known => Observed::World(Box::new(world)),
        Outcome::Unanswered(queries) => Observed::Queries(queries),
        Outcome::Failed(errors) => Observed::Errors(errors),
    })
}

/// The facts, and what is looked for in them.
struct Observation<'l> {
    input: &'l Input<'l>,
    state: &'l State,
    queries: Queries<'l>,
    facts: Facts<'l>,
}

/// What is known of a VPC.
enum Known {
    /// There is one of that id, or may be one.
    Id(String),
    /// There is none.
    Nothing,
}

impl Observation<'_> {
    /// What the finding about a failed query says, where a rule needs the query. Rules judge only what is created or updated.
    fn needed_by_rule<'m>(&self, is_needed: bool, on_failure: OnFailure<'m>) -> Option<OnFailure<'m>> {
        (is_needed && !self.input.is_delete()).then_some(on_failure)
    }
}

#[cfg(test)]
mod tests;
