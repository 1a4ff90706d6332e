//! What a configuration needs of the cloud (ALI-ICV): judged before every plan that makes or mends.

use super::input::Input;
use super::world::World;
use crate::policy::State;
use crate::report::Finding;

/// What forbids a plan; [`Errors::new`](super::errors::Errors::new) adds the codes.
pub fn check(input: &Input<'_>, world: &World, state: &State) -> Vec<Finding> {
    let _ = (input, world, state);
    Vec::new()
}
