//! `ResourceManager`: the roles of [`ram`](super::ram) by another API, and those that belong to services.

mod roles;
mod service_linked_roles;

use crate::action::Service;

/// The service.
pub const SERVICE: Service = Service {
    name: "ResourceManager",
    version: "2020-03-31",
    code: "resourcemanager",
    actions: &[roles::ACTIONS, service_linked_roles::ACTIONS],
    quotas: &[],
};
