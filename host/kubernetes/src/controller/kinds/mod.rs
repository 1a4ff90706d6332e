//! What controllers do for each kind: [`infrastructure`] and [`dns_record`] by runs of the policy's plans ([`planned`]), [`control_plane`] by what the policy renders, [`worker`] by the machines that the policy makes.

pub mod control_plane;
pub mod dns_record;
pub mod infrastructure;
pub mod planned;
pub mod worker;
