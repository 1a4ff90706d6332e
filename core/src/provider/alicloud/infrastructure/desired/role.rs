//! The role by which NAT gateways act on networks. An account needs it once (`alicloud-cloud` 2.9).

use super::{Desired, Layout};
use crate::plan::{Resource, ResourceKind};
use crate::provider::alicloud::infrastructure::places;
use crate::provider::alicloud::infrastructure::steps::step;
use crate::provider::alicloud::infrastructure::world::Role;
use crate::provider::alicloud::rules::infrastructure_plan as rules;

const KIND: ResourceKind = ResourceKind { name: "service-linked role", billed: false, association: false };

/// Its id in the plan.
pub const ID: &str = "role";

/// Its name.
pub use crate::provider::alicloud::infrastructure::queries::NAT_ROLE as NAME;

/// Declares it, where the plan creates a NAT gateway, which needs the role. The role stays for ever.
pub fn declare(layout: &Layout<'_>, desired: &mut Desired<'_>) {
    let Some(role) = layout.world.nat_role.filter(|_| layout.wanted) else { return };
    if role == Role::Other {
        let detail = format!("the role {NAME} is not a service-linked role");
        places::network(&mut desired.findings, &rules::PLAN_005, detail);
    }
    let call = layout.region.call(
        "resourcemanager",
        "CreateServiceLinkedRole",
        &[("ServiceName", "nat.aliyuncs.com".into())],
    );
    let mut resource = Resource::new(ID, &KIND, NAME);
    resource.wanted = true;
    resource.found = (role != Role::Missing).then(|| NAME.to_owned());
    resource.create = vec![step(ID, "create", call)];
    desired.resources.push(resource);
}
