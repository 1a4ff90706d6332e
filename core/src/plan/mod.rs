//! Planning, without a word of any cloud: resources as they are wanted and as they are found become changes and steps.
//!
//! A provider declares each [`Resource`] that it wants or finds, with the steps that would make, mend or remove it;
//! [`plan`] compares, picks the steps that are needed, orders them by what stands on what, and takes care of records.

mod resource;

pub use resource::{Attribute, Difference, Kind, Refused, Resource, plan};
