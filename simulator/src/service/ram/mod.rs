//! Roles. The resource manager's API reads and changes the same ones.

mod actions;
pub(crate) mod roles;
pub(crate) mod trust;

use crate::action::Service;

/// The service.
pub const SERVICE: Service = Service {
    name: "Ram",
    version: "2015-05-01",
    code: "ram",
    actions: &[actions::ACTIONS],
    quotas: &[&roles::QUOTA],
};
