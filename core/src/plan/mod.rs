//! Planning, without a word of any cloud: from the resources that are wanted and found to changes and steps.
//!
//! A provider declares each [`Resource`] that it wants or finds, with the steps that would create, update or
//! delete it. [`plan`] compares, picks the steps that are needed, puts them in order, and adds what they write to
//! the state.

mod arena;
mod change;
mod decide;
mod effects;
mod order;
mod ownership;
mod planned;
mod record;
mod resource;

pub use ownership::{ACCOUNT, Caller, Unowned};
pub use record::{DELETED, is_pending, recorded_value};
pub use resource::{Attribute, Cause, Difference, Obstacle, Resource, ResourceKind};

use self::order::Order;
use crate::policy::{Afterwards, Plan, State};

/// Why there can be no plan.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Forbidden {
    /// Nobody knows whether what the plan would change or give up is ours.
    Unowned(Unowned),
    /// These resources are in the way.
    Obstacles(Vec<Obstacle>),
}

/// Makes a plan from resources and the state.
///
/// `identity` distinguishes the subject from all others; it goes into the idempotency tokens of steps that create.
pub fn plan(
    identity: &str,
    mut state: State,
    resources: Vec<Resource>,
    caller: &Caller<'_>,
) -> Result<Plan, Forbidden> {
    let mut all = planned::link(resources);
    let obstacles = decide::decide(&mut all, &state);
    let gone = ownership::gone(&all, caller.recorded);
    ownership::check(&all, &gone, caller).map_err(Forbidden::Unowned)?;
    if !obstacles.is_empty() {
        return Err(Forbidden::Obstacles(obstacles));
    }
    effects::record_observation(&mut state, &all);
    effects::complete_steps(identity, &state, &mut all);
    ownership::record_account(&all, &mut state, caller);
    let is_partial = all.iter().any(|planned| planned.is_deleted() && planned.resource.is_partial);
    let order = Order::of(&all);
    let steps = order.take_steps(&mut all);
    let listed = order.listed(&all);
    Ok(Plan {
        awaited: ownership::awaited(&all, &state),
        state,
        gone,
        resources: change::resources(&all, &listed),
        changes: change::changes(&all, &listed),
        steps,
        notes: change::notes(&all, &listed),
        afterwards: is_partial.then_some(Afterwards::More),
    })
}

#[cfg(test)]
mod tests;
