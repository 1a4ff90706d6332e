//! What the request wants of the cloud, and what the cloud has: every resource of the Shoot's network, with the
//! steps that create, update and delete it (`alicloud-cloud` 1.9, 2.1 to 2.15).
//!
//! A step refers to another resource by the key of the state, not by its id: so a step is the same whether that
//! resource exists already or the plan creates it.

mod egress;
mod image_copies;
pub(super) mod ipv6;
mod key_pair;
mod layout;
mod leftovers;
pub(super) mod nat_gateway;
mod role;
pub(super) mod routes;
mod security_group;
mod vpc;
mod vswitches;

pub use layout::{Layout, Zone};
pub use security_group::wanted_rules;

use super::input::Input;
use super::places;
use super::world::World;
use crate::gardener::planning::findings::PlanFindings;
use crate::gardener::planning::frame::Desired;
use crate::policy::{RequestError, State};
use crate::provider::alicloud::rules::infrastructure_plan as rules;

/// How the existing extension begins its refusal to delete a VSwitch.
pub const PROTECTED: &str = "protected: attempt to DeleteZoneByVSwitches during reconcile. Details: ";

/// Declares everything.
pub fn desired<'i>(input: &'i Input<'i>, world: &World, state: State) -> Result<Desired<'i>, RequestError> {
    let mut desired = Desired { resources: Vec::new(), state, findings: PlanFindings::new(input.request) };
    let layout = Layout::new(input, world, &mut desired.state)?;
    for &declare in &[
        image_copies::declare,
        role::declare,
        key_pair::declare,
        vpc::declare,
        security_group::declare,
        ipv6::declare,
        vswitches::declare,
        nat_gateway::declare,
        routes::declare,
        egress::declare,
        leftovers::declare,
    ] {
        declare(&layout, &mut desired);
    }
    Ok(desired)
}

impl Desired<'_> {
    /// Adds that a recorded resource has neither the tags nor the name of the Shoot: it may be one that the
    /// configuration named before. Where the plan deletes the network, that resource stays.
    fn report_not_ours(&mut self, layout: &Layout<'_>, what: &str, id: &str) {
        if layout.wanted {
            let detail =
                format!("the state records the {what} {id}, which has neither the tags nor the name of the Shoot");
            places::network(&mut self.findings, &rules::PLAN_003, detail);
        }
    }
}

#[cfg(test)]
mod tests;
