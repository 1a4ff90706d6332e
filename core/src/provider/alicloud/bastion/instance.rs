//! The instance of a bastion.

use super::choice::{Choice, IMAGE, MACHINE_TYPE, VSWITCH, ZONE};
use super::group;
use super::input::{GROUP, GROUP_ID, INSTANCE, INSTANCE_ID as ID, Input, PUBLIC_IP};
use super::world::{INSTANCES, Instance, World, recorded_in_list};
use crate::call::{Argument, Call};
use crate::gardener::planning::steps::{self, create, ids, reference, report, step, text, update};
use crate::plan::{Attribute, Difference, Resource, ResourceKind, is_pending, recorded_value};
use crate::policy::{Condition, Probe, State, Step};
use crate::provider::alicloud::queries::Region;
use crate::provider::alicloud::security_groups::SecurityGroup;
use crate::provider::alicloud::tags::{Tagged, tags};

/// The kind of the instance.
const KIND: ResourceKind = ResourceKind { name: "instance", billed: true, association: false };
/// Most megabits a second that leave the instance, as with the existing extension.
const BANDWIDTH: &str = "5";
/// Seconds that a run waits until an instance runs, or is gone.
const LIMIT: u32 = 300;
/// What the public address is, once it is there; which one, only the cloud says.
const ASSIGNED: &str = "assigned";

const RUNNING: &str = "Running";
/// The attribute that says which security group the instance is in.
pub const GROUP_OF: &str = "security group";
/// Its value where that is the bastion's.
const OWN: &str = "the bastion's";

/// Declares the instance; every further one that is the bastion's has to go.
pub fn declare(input: &Input<'_>, world: &World, recorded: &State, choice: Option<&Choice>) -> Vec<Resource> {
    let found = world.instance(recorded);
    let first = world.group(recorded);
    let uses = |instance: &Instance| {
        let is_in = |group: &&SecurityGroup| instance.groups.contains(&group.id);
        world.groups.iter().filter(is_in).map(|group| group::id(group, first)).collect()
    };
    let mut resource = unwanted(input, ID, found, &input.name);
    resource.uses = found.map(uses).unwrap_or_default();
    resource.key = Some(INSTANCE.to_owned());
    resource.keys = [PUBLIC_IP, IMAGE, MACHINE_TYPE, VSWITCH, ZONE].map(str::to_owned).into();
    resource.wanted = !input.is_deletion();
    resource.needs = ids(&[GROUP_ID]);
    if let Some(choice) = choice {
        resource.create = vec![run(input, choice)];
        resource.attributes = vec![
            report("image", text(&choice.network.image), ""),
            report("machine type", text(&choice.machine_type), ""),
            report("zone", text(&choice.network.zone), ""),
        ];
    }
    if let Some(found) = found.filter(|_| resource.wanted) {
        let is_marked = input.is_marked(&found.tags);
        resource.unmarked = !is_marked && recorded_value(recorded, INSTANCE) != Some(found.id.as_str());
        resource.attributes = attributes(input, found, first, is_pending(recorded, ID));
        if !is_marked {
            let instance = (Tagged("instance"), found.id.as_str());
            resource.attributes.push(Region(input.region).mark(ID, instance, &input.tag(), &found.tags));
        }
    }
    let mut resources = vec![resource];
    let others = world.instances.iter().filter(|instance| found.is_none_or(|found| found.id != instance.id));
    resources.extend(others.map(|instance| {
        let id = format!("{ID}/{}", instance.id);
        Resource { uses: uses(instance), ..unwanted(input, &id, Some(instance), &instance.name) }
    }));
    resources
}

/// An instance that has to go, where it is found.
fn unwanted(input: &Input<'_>, id: &str, found: Option<&Instance>, name: &str) -> Resource {
    let mut resource = Resource::new(id, &KIND, name);
    let Some(found) = found else { return resource };
    let region = Region(input.region);
    let parameters = [("InstanceId", found.id.as_str().into()), ("Force", "true".into())];
    let look = region.ecs("DescribeInstances", &[("InstanceIds", format!("[\"{}\"]", found.id).as_str().into())]);
    let gone = INSTANCES.gone(look, found.id.as_str().into(), LIMIT);
    resource.found = Some(found.id.clone());
    resource.delete = vec![step(id, "delete", region.ecs("DeleteInstance", &parameters)).until(gone)];
    resource.attributes = vec![report("public address", None, &found.public_ip)];
    resource.disruption = Some("People who are logged in through it lose their connections.".to_owned());
    resource
}

/// The step that makes the instance.
fn run(input: &Input<'_>, choice: &Choice) -> Step {
    let region = Region(input.region);
    let tag = tags(&vec![input.tag()]);
    let Choice { network, machine_type } = choice;
    let parameters = [
        ("ImageId", network.image.as_str().into()),
        ("InstanceName", input.name.as_str().into()),
        ("InstanceType", machine_type.as_str().into()),
        ("InternetMaxBandwidthOut", BANDWIDTH.into()),
        ("SecurityGroupId", reference(GROUP)),
        ("Tag", (&tag).into()),
        ("UserData", input.user_data.as_str().into()),
        ("VSwitchId", network.vswitch.as_str().into()),
        ("ZoneId", network.zone.as_str().into()),
    ];
    let call = region.ecs("RunInstances", &parameters);
    let mut step = create(ID, call, INSTANCE, "/InstanceIdSets/InstanceIdSet/0").until(running(region));
    for (key, value) in
        [(IMAGE, &network.image), (MACHINE_TYPE, machine_type), (VSWITCH, &network.vswitch), (ZONE, &network.zone)]
    {
        step.remember.insert(key, Some(value.clone()));
    }
    step
}

fn look(region: Region<'_>) -> Call {
    let ids: Argument = recorded_in_list();
    region.ecs("DescribeInstances", &[("InstanceIds", (&ids).into())])
}

fn running(region: Region<'_>) -> Probe {
    let success = Condition::Among { at: "/Status", among: &[RUNNING] };
    INSTANCES.probe(look(region), reference(INSTANCE), success, LIMIT)
}

fn attributes(
    input: &Input<'_>,
    found: &Instance,
    group: Option<&SecurityGroup>,
    is_pending: bool,
) -> Vec<Attribute> {
    let region = Region(input.region);
    let is_on_its_way = matches!(found.status.as_str(), RUNNING | "Pending" | "Starting") || is_pending;
    let refuse = |name, wanted: &str, found: String, remedy| Attribute {
        name,
        wanted: text(wanted),
        found: Some(found),
        difference: Difference::Refuse(remedy),
    };
    let status = if is_on_its_way {
        steps::status(ID, RUNNING, &found.status, running(region))
    } else {
        let remedy = format!("instance {} is {}, and Trellis does not start it", found.id, found.status);
        refuse("status", RUNNING, found.status.clone(), remedy)
    };
    let allocate = region.ecs("AllocatePublicIpAddress", &[("InstanceId", reference(INSTANCE))]);
    let address = if found.public_ip.is_empty() { "" } else { ASSIGNED };
    let is_in = group.is_some_and(|group| found.groups.contains(&group.id));
    let groups = found.groups.join(", ");
    // Without its group, anybody whom another group lets in reaches it.
    let remedy = format!(
        "instance {} is in security group {groups}, and not in the bastion's, whose rules do not count for it",
        found.id
    );
    let group = refuse(GROUP_OF, OWN, if is_in { OWN.to_owned() } else { groups }, remedy);
    vec![
        report("name", text(&input.name), &found.name),
        group,
        status,
        update("public address", text(ASSIGNED), address, vec![step(ID, "address", allocate)]),
    ]
}
