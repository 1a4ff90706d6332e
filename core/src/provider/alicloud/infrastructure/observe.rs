//! Reads the cloud from the facts of a request, and asks what they do not show yet.
//!
//! The queries of a round go side by side. The first round asks about everything that the state records; only
//! where the cloud does not have a recorded resource, further rounds look for it.

mod addresses;
mod image_copies;
mod leftovers;
mod network;
mod routes;
mod security_groups;

use super::input::Input;
use super::queries::Queries;
use super::world::World;
use crate::gardener::planning::facts::{Facts, KnownAccount, OnFailure};
use crate::policy::State;

/// Reads the cloud from the facts.
pub fn observe(input: &Input<'_>, state: &State, facts: &mut Facts<'_>, account: &KnownAccount) -> World {
    let mut world = World { account: account.id.clone(), ..World::default() };
    let mut observation = Observation { input, state, queries: Queries::new(input), facts };
    let vpc = observation.vpc(&mut world);
    observation.vswitches(vpc.as_ref(), &mut world);
    observation.nat_gateways(vpc.as_ref(), &mut world);
    observation.eips(&mut world);
    observation.security_groups(vpc.as_ref(), &mut world);
    observation.route_tables(vpc.as_ref(), &mut world);
    observation.ipv6_gateways(vpc.as_ref(), &mut world);
    if input.is_delete() {
        observation.load_balancers(&mut world);
    } else {
        observation.images(&mut world);
        observation.key_pair(&mut world);
    }
    world
}

/// Reads the facts of a request, for an input and the state.
struct Observation<'l, 'f> {
    input: &'l Input<'l>,
    state: &'l State,
    queries: Queries<'l>,
    facts: &'l mut Facts<'f>,
}

/// What the facts say of the VPC.
enum KnownVpc {
    /// It has this id, if it exists.
    Id(String),
    /// It does not exist.
    Nothing,
}

impl Observation<'_, '_> {
    /// What the finding about a failed query says, where a rule needs the query. Rules judge only what is created
    /// or updated.
    fn needed_by_rule<'m>(&self, is_needed: bool, on_failure: OnFailure<'m>) -> Option<OnFailure<'m>> {
        (is_needed && !self.input.is_delete()).then_some(on_failure)
    }
}

#[cfg(test)]
mod tests;
