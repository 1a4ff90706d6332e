//! Controllers of a seed: they reconcile extension resources of Gardener with the policy of a provider.
//!
//! [`process::seed::run`] is the process. [`runtime`] is the same for every kind: [`queue`](runtime::queue) turns
//! events of objects into reconciles, [`trigger`](runtime::trigger) says which events do so, and
//! [`reconcile`](runtime::reconcile) is one reconcile: what is written before and after an operation. An
//! [`Actuator`](runtime::actuator::Actuator) does the operation; [`kinds`] has one for each kind. [`health_check`]
//! writes conditions. [`webhooks`] change objects before they are stored.

pub mod health_check;
pub mod kinds;
pub mod process;
pub mod runtime;
pub mod webhooks;
