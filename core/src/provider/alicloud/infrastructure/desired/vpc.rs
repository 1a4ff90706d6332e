//! The VPC (`alicloud-cloud` 2.3).

use super::{Desired, Layout};
use crate::plan::{Resource, ResourceKind};
use crate::policy::{Condition, Probe, Step};
use crate::provider::alicloud::infrastructure::names::VPC;
use crate::provider::alicloud::infrastructure::steps::{
    Region, SHORT, Tagged, VPCS, create, reference, report, status, step, tags, text, update,
};
use crate::provider::alicloud::infrastructure::world::Vpc;
use crate::provider::alicloud::security_groups::SecurityGroup;

const KIND: ResourceKind = ResourceKind { name: "VPC", billed: false, association: false };

/// Its id in the plan.
pub const ID: &str = "vpc";

/// Declares it.
pub fn declare(layout: &Layout<'_>, desired: &mut Desired<'_>) {
    let Layout { input, region, .. } = layout;
    let found = layout.world.vpc.as_ref();
    let name = layout.names.name("vpc");
    let mut vpc = Resource::new(ID, &KIND, &name);
    vpc.wanted = layout.wanted;
    vpc.found = found.map(|vpc| vpc.id.clone());
    vpc.key = Some(VPC.to_owned());
    vpc.foreign = !layout.has_managed_vpc();

    if let Some(other) = found.filter(|found| !vpc.foreign && !layout.is_ours(&found.tags, &found.name, &vpc.name))
    {
        vpc.foreign = true;
        vpc.name.clone_from(&other.name);
        desired.report_not_ours(layout, "VPC", &other.id);
        desired.resources.push(vpc);
        return;
    }
    if let Some(configured) = input.vpc() {
        // To delete the network, nobody has to read the VPC that the person brings.
        vpc.found = vpc.found.or_else(|| (!layout.wanted).then(|| configured.to_owned()));
        vpc.name = found.and_then(|vpc| text(&vpc.name)).or_else(|| vpc.found.clone()).unwrap_or_default();
        desired.resources.push(vpc);
        return;
    }
    let cidr = input.config.networks.vpc.cidr.unwrap_or_default();
    let wanted_tags = layout.names.tags(input.technical_id.clone().into_owned());
    let tag = tags(&wanted_tags);
    let mut parameters =
        vec![("VpcName", vpc.name.as_str().into()), ("CidrBlock", cidr.into()), ("Tag", (&tag).into())];
    if input.is_dual_stack() {
        parameters.push(("EnableIpv6", "true".into()));
    }
    vpc.create = vec![
        create(ID, region.vpc("CreateVpc", &parameters), VPC, "/VpcId")
            .until(ready(*region, input.is_dual_stack())),
    ];
    let none = Vpc::default();
    let seen = found.unwrap_or(&none);
    vpc.unmarked = !layout.names.are_ours(&seen.tags);
    let id = || seen.id.as_str().into();
    let ipv6 = if seen.ipv6_cidr.is_empty() { "" } else { "on" };
    let enable = region.vpc("ModifyVpcAttribute", &[("VpcId", id()), ("EnableIPv6", "true".into())]);
    let enable = step(ID, "enable-ipv6", enable).until(ready(*region, true));
    vpc.attributes = vec![
        report("name", Some(vpc.name.clone()), &seen.name),
        report("cidr", text(cidr), &seen.cidr),
        status(ID, &seen.status, ready(*region, false)),
        update("ipv6", input.is_dual_stack().then(|| "on".to_owned()), ipv6, vec![enable]),
        region.tags(ID, (Tagged("VPC"), &seen.id), &wanted_tags, &seen.tags),
    ];
    let delete = region.vpc("DeleteVpc", &[("VpcId", id()), ("ForceDelete", "true".into())]);
    let look = region.vpc("DescribeVpcs", &[("VpcId", id())]);
    let remedy = remedy(&layout.world.foreign_security_groups);
    vpc.delete = vec![Step { remedy, ..step(ID, "delete", delete).until(VPCS.gone(look, id(), SHORT)) }];
    desired.resources.push(vpc);
}

/// What the person has to do before the cloud deletes a VPC that has these security groups of others.
fn remedy(groups: &[SecurityGroup]) -> Option<String> {
    let named: Vec<String> =
        groups.iter().map(|SecurityGroup { id, name, .. }| format!("{id} (`{name}`)")).collect();
    (!named.is_empty()).then(|| {
        format!(
            "The VPC has security groups that are not the Shoot's: {}. Alibaba Cloud does not delete the VPC before you delete \
             these groups.",
            named.join(", ")
        )
    })
}

/// A probe that waits until the VPC is available.
fn ready(region: Region<'_>, ipv6: bool) -> Probe {
    let look = region.vpc("DescribeVpcs", &[("VpcId", reference(VPC))]);
    let mut probe = VPCS.available(look, reference(VPC), SHORT);
    if ipv6 {
        probe.success.push(Condition::Present { present: "/Ipv6CidrBlock" });
    }
    probe
}
