//! Admission in a garden: objects that people send are judged, and Shoots get their defaults, before the garden's
//! API server stores them (`gardener-contract` 5.5).
//!
//! [`process::run`] is the process. [`judge`] answers a review: [`reviewed`] says whether there is anything to
//! judge, [`conversation`] asks the policy until nothing is open, [`garden`] and [`cloud`] answer the policy's
//! queries within what [`reads`] allows, and [`wording`] puts what the policy says into words. [`registered`] says
//! which objects the garden's API server sends; [`leader`] registers that there.

pub mod cloud;
pub mod conversation;
pub mod garden;
pub mod judge;
pub mod kinds;
pub mod leader;
pub mod parts;
pub mod process;
pub mod published;
pub mod reads;
pub mod registered;
pub mod reviewed;
#[cfg(test)]
mod tests;
pub mod wording;

pub use parts::{Admission, Mode};
