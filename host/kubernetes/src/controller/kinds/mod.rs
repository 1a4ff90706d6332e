//! What controllers do for each kind: [`infrastructure`] by runs of the policy's plans, which are [`planned`] like those
//! of other kinds, [`control_plane`] by what the policy renders, [`worker`] by the machines that the policy makes.

pub mod control_plane;
pub mod infrastructure;
pub mod planned;
pub mod worker;
