//! What controllers do for each kind: [`infrastructure`], [`bastion`], [`backup_bucket`] and [`dns_record`] by runs of the
//! policy's plans ([`planned`]), [`backup_entry`] by a Secret and such a run, [`control_plane`] by what the policy renders,
//! [`worker`] by the machines that the policy makes.

pub mod backup_bucket;
pub mod backup_entry;
pub mod bastion;
pub mod control_plane;
pub mod dns_record;
pub mod infrastructure;
pub mod planned;
mod secret_finalizer;
#[cfg(test)]
mod testing;
pub mod worker;
