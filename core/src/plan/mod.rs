//! Planning, without a word of any cloud: resources as they are wanted and as they are found become changes and steps.
//!
//! A provider declares each [`Resource`] that it wants or finds, with the steps that would make, mend or remove it;
//! [`plan`] compares, picks the steps that are needed, orders them by what stands on what, and takes care of records.

mod change;
mod diff;
mod order;
mod ownership;
mod record;
mod resource;

pub use ownership::{ACCOUNT, Caller, Unowned};
pub use record::{DELETED, is_pending, recorded};
pub use resource::{Attribute, Difference, Kind, Refused, Resource};

use self::order::Order;
use crate::policy::{Plan, State};

/// Why there can be no plan.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Forbidden {
    /// It is not known to be ours what would be changed or given up.
    Unowned(Unowned),
    /// Resources do not allow it.
    Refused(Vec<Refused>),
}

/// Plans from resources and the state. Where nothing else decides, what is declared first is made first and removed last.
///
/// `identity` tells this infrastructure from all others; it goes into the idempotency tokens of steps that create.
pub fn plan(
    identity: &str,
    mut state: State,
    resources: Vec<Resource>,
    caller: &Caller<'_>,
) -> Result<Plan, Forbidden> {
    let mut entries = diff::entries(resources);
    let refused = diff::decide(&mut entries, &state);
    let gone = ownership::gone(&entries, caller.recorded);
    ownership::judge(&entries, &gone, caller).map_err(Forbidden::Unowned)?;
    if !refused.is_empty() {
        return Err(Forbidden::Refused(refused));
    }
    record::settle(&mut state, &entries);
    record::attach(identity, &state, &mut entries);
    ownership::bind(&entries, &mut state, caller);
    let order = Order::of(&entries);
    let (steps, made_by) = order.steps(&mut entries);
    let listed: Vec<usize> = order.places(&entries).collect();
    Ok(Plan {
        awaited: ownership::awaited(&entries, &state),
        state,
        gone,
        resources: change::resources(&entries, &listed),
        changes: change::changes(&entries, &listed, made_by),
        steps,
        notes: change::notes(&entries, &listed),
    })
}

#[cfg(test)]
mod tests;
