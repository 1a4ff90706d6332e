//! What controllers do for each kind: [`infrastructure`] by a run of the policy's plans, [`control_plane`] by what
//! the policy renders, [`worker`] by the machines that the policy makes.

pub mod control_plane;
pub mod infrastructure;
pub mod worker;
