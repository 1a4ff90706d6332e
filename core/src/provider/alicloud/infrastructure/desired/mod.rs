//! What is wanted of the cloud, and what is found there: every resource of a Shoot's network, with the steps that make, mend
//! and remove it (`alicloud-cloud` 1.9, 2.1 to 2.15).
//!
//! Ids are passed as references to the recorded state where something may have to be made first, so that what is there and
//! what will be read alike.

mod egress;
mod images;
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

use super::input::Input;
use super::world::World;
use crate::gardener::infrastructure::findings::PlanFindings;
use crate::plan::Resource;
use crate::policy::{RequestError, State};
use crate::provider::alicloud::rules::infrastructure_plan as rules;

/// How a refusal to remove a VSwitch begins, as the existing extension words it.
pub const PROTECTED: &str = "protected: attempt to DeleteZoneByVSwitches during reconcile. Details: ";

/// What is declared.
#[derive(Debug)]
pub struct Desired<'i> {
    /// Resources, each after those that it stands on.
    pub resources: Vec<Resource>,
    /// The state, with what is known by observation and that the existing extension does not record.
    pub state: State,
    /// What forbids a plan.
    pub findings: PlanFindings<'i>,
}

/// Declares everything.
pub fn desired<'i>(input: &'i Input<'i>, world: &World, state: State) -> Result<Desired<'i>, RequestError> {
    let mut desired = Desired { resources: Vec::new(), state, findings: PlanFindings::new(input.request) };
    let layout = Layout::new(input, world, &mut desired.state)?;
    for declare in [
        images::declare,
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
    // What is not there has no status to speak of.
    for resource in desired.resources.iter_mut().filter(|resource| resource.found.is_none()) {
        resource.attributes.retain(|attribute| attribute.name != "status");
    }
    Ok(desired)
}

impl Desired<'_> {
    /// Refuses to take for the Shoot's what is only recorded as such: it may be what the configuration named before. Where
    /// the network goes, it stays.
    fn not_ours(&mut self, layout: &Layout<'_>, what: &str, id: &str) {
        if layout.wanted {
            let detail =
                format!("the {what} {id} is reference, and has neither the tags nor the name of the Shoot's");
            self.findings.network(&rules::PLAN_003, detail);
        }
    }

    /// Records what is found of a resource under a key that the existing extension does not have: that is no change.
    fn record(&mut self, key: &str, value: Option<&str>) {
        if let Some(value) = value
            && self.state.get(key).is_none_or(|known| known != value)
        {
            self.state.insert(key, value.to_owned());
        }
    }
}

#[cfg(test)]
mod tests;
