//! What a plan deletes with a network although no configuration names it: load balancers that the cluster left
//! behind, and further security groups and elastic IPs of ours (`alicloud-cloud` 2.15).

use super::{Desired, Layout, egress, nat_gateway, security_group, vpc};
use crate::call::Argument;
use crate::plan::{Resource, ResourceKind};
use crate::policy::Step;
use crate::provider::alicloud::infrastructure::steps::{LOAD_BALANCERS, LONG, ids, step};
use crate::provider::alicloud::infrastructure::world::{LoadBalancer, LoadBalancerKind};

const LOAD_BALANCER: ResourceKind = ResourceKind { name: "load balancer", billed: true, association: false };

/// Declares them, where the plan deletes the network.
pub fn declare(layout: &Layout<'_>, desired: &mut Desired<'_>) {
    if layout.wanted {
        return;
    }
    let balancers = layout.world.load_balancers.iter().map(|balancer| load_balancer(layout, balancer));
    desired.resources.extend(balancers);
    let declared = |desired: &Desired<'_>, id: &String| {
        desired.resources.iter().any(|resource| resource.found.as_ref() == Some(id))
    };
    let name = layout.names.name("sg");
    for group in &layout.world.security_groups {
        let ours = group.name == name || layout.names.are_ours(&group.tags);
        if !ours || declared(desired, &group.id) {
            continue;
        }
        let id = format!("securitygroups/{}", group.id);
        let call = layout.region.ecs("DeleteSecurityGroup", &[("SecurityGroupId", group.id.as_str().into())]);
        let mut resource = Resource::new(&id, &security_group::KIND, &group.name);
        resource.found = Some(group.id.clone());
        resource.uses = ids(&[vpc::ID]);
        resource.delete = vec![step(&id, "delete", call)];
        desired.resources.push(resource);
    }
    let prefix = layout.names.name("eip-natgw-z");
    for eip in &layout.world.eips {
        let number =
            eip.tags.iter().find(|(key, _)| key == "Name").and_then(|(_, name)| name.strip_prefix(&prefix));
        let is_numbered = number.is_some_and(|number| number.parse::<u16>().is_ok());
        let is_free = eip.instance.is_empty() || layout.is_associated(eip);
        if !is_numbered || !is_free || !layout.names.are_ours(&eip.tags) || declared(desired, &eip.id) {
            continue;
        }
        let id = format!("eips/{}", eip.id);
        let call = layout.region.vpc("ReleaseEipAddress", &[("AllocationId", eip.id.as_str().into())]);
        let mut resource = Resource::new(&id, &egress::EIP, &eip.name);
        resource.found = Some(eip.id.clone());
        resource.uses = ids(&[nat_gateway::ID]);
        resource.delete = vec![step(&id, "release", call)];
        desired.resources.push(resource);
    }
}

/// A load balancer. The plan deletes it before the VSwitches, as it may be in any of them.
fn load_balancer(layout: &Layout<'_>, balancer: &LoadBalancer) -> Resource {
    let id = format!("loadbalancers/{}", balancer.id);
    let parameter = || ("LoadBalancerId", balancer.id.as_str().into());
    let region = layout.region;
    let (unprotect, delete, until) = match balancer.kind {
        LoadBalancerKind::Slb => (
            region.call(
                "slb",
                "SetLoadBalancerDeleteProtection",
                &[parameter(), ("DeleteProtection", "off".into())],
            ),
            region.call("slb", "DeleteLoadBalancer", &[parameter()]),
            None,
        ),
        LoadBalancerKind::Nlb => {
            let ids = Argument::List(vec![balancer.id.as_str().into()]);
            let look = region.call("nlb", "ListLoadBalancers", &[("LoadBalancerIds", (&ids).into())]);
            let off = ("DeletionProtectionEnabled", "false".into());
            (
                region.call("nlb", "UpdateLoadBalancerProtection", &[parameter(), off]),
                region.call("nlb", "DeleteLoadBalancer", &[parameter()]),
                Some(LOAD_BALANCERS.gone(look, balancer.id.as_str().into(), LONG)),
            )
        }
    };
    let mut steps = Vec::new();
    if balancer.protected {
        steps.push(step(&id, "unprotect", unprotect));
    }
    steps.push(Step { until, ..step(&id, "delete", delete) });
    let mut uses = ids(&[vpc::ID, security_group::ID]);
    uses.extend(layout.zones.iter().map(|zone| zone.id("vswitch")));
    uses.extend(layout.surplus.iter().map(|vswitch| format!("vswitches/{}", vswitch.id)));
    let mut resource = Resource::new(&id, &LOAD_BALANCER, &balancer.name);
    resource.found = Some(balancer.id.clone());
    resource.uses = uses;
    resource.delete = steps;
    resource.disruption = Some("What the cluster's Service offered through it is no longer reached.".to_owned());
    resource
}
