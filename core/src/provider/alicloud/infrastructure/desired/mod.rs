//! What is wanted of the cloud, and what is found there: every resource of a Shoot's network, with the steps that make, mend
//! and remove it (`alicloud-cloud` 1.9, 2.1 to 2.15).
//!
//! Ids are passed as references to the recorded state where something may have to be made first, so that what is there and
//! what will be read alike.

mod egress;
mod ipv6;
mod key_pair;
mod leftovers;
mod nat_gateway;
mod role;
mod routes;
mod scene;
mod security_group;
mod vpc;
mod vswitches;

pub use scene::{Scene, Zone};

use super::input::Input;
use super::world::World;
use crate::plan::Resource;
use crate::policy::State;
use crate::report::Finding;

/// What is declared.
#[derive(Debug)]
pub struct Desired {
    /// Resources, each after those that it stands on.
    pub resources: Vec<Resource>,
    /// The state, with what is known by observation and that the existing extension does not record.
    pub state: State,
    /// What forbids a plan.
    pub findings: Vec<Finding>,
}

/// Declares everything.
pub fn desired(input: &Input<'_>, world: &World, state: State) -> Desired {
    let mut desired = Desired { resources: Vec::new(), state, findings: Vec::new() };
    let scene = Scene::new(input, world, &mut desired.state);
    for declare in [
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
        declare(&scene, &mut desired);
    }
    desired
}

impl Desired {
    /// Records what is found of a resource under a key that the existing extension does not have: that is no change.
    fn record(&mut self, key: &str, value: Option<&str>) {
        if let Some(value) = value
            && self.state.get(key).is_none_or(|known| known != value)
        {
            self.state.insert(key, value.to_owned());
        }
    }
}
