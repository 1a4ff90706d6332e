//! The parts of a policy, made of the policy itself: a module that names one policy holds the code of no other
//! one.

use super::{
    ADDRESSING, Addressing, JUDGING, MUTATING, Mutates, PLANNING, Part, Plans, Policy, RENDERING, Renders, Table,
};

/// What judges and completes objects.
pub fn judging(policy: &'static dyn Policy) -> Box<dyn Part> {
    Box::new(Table::of(JUDGING, policy).reading(policy.reads()))
}

/// What answers about Shoots: their addresses, and what an edit does to their nodes.
pub fn addressing(policy: &'static dyn Addressing) -> Box<dyn Part> {
    Box::new(Table::of(ADDRESSING, policy).reading(policy.reads()))
}

/// What plans subjects, and classifies errors.
pub fn planning(policy: &'static dyn Plans) -> Box<dyn Part> {
    Box::new(Table::of(PLANNING, policy).calling(policy.calls()).planning(policy.planned()))
}

/// What renders objects and makes machines.
pub fn rendering(policy: &'static dyn Renders) -> Box<dyn Part> {
    Box::new(Table::of(RENDERING, policy))
}

/// What changes the objects that webhooks see.
pub fn mutating(policy: &'static dyn Mutates) -> Box<dyn Part> {
    Box::new(Table::of(MUTATING, policy).changing_for(policy.webhooks()))
}
