//! What the cloud has of a bastion, and of the network that it stands in.

use super::choice::{self, Offers};
use super::input::{GROUP, GROUP_ID, INSTANCE, INSTANCE_ID, Input, Network, is_tag_of_bastions};
use crate::call::{Argument, Query};
use crate::document::Value;
use crate::gardener::planning::Tags;
use crate::gardener::planning::entry::Entry;
use crate::gardener::planning::facts::{Api, Facts, OnFailure};
use crate::gardener::planning::steps::{Listing, Parameters};
use crate::plan::{is_pending, recorded_value};
use crate::policy::{RequestError, State};
use crate::provider::alicloud::queries::{CLIENT_UNAVAILABLE, CREDENTIALS_UNAVAILABLE, IMAGES, Region, VSWITCHES};
use crate::provider::alicloud::responses;
use crate::provider::alicloud::rules::bastion_plan as rules;
use crate::provider::alicloud::security_groups::{self, SecurityGroup, groups_by};
use crate::provider::alicloud::tags::tags_of;
use crate::report::Rule;

/// Instances in a response.
pub const INSTANCES: Listing = Listing { list: "/Instances/Instance", key: "InstanceId" };
/// VPCs in a response.
const VPCS: &str = "/Vpcs/Vpc";

/// Code of the error by which a trial says that the call would be allowed.
const ALLOWED: &str = "DryRunOperation";

/// The APIs of networks and servers.
pub static API: Api = responses::api(
    &[
        (CREDENTIALS_UNAVAILABLE, &rules::BAST_002, "could not get Alicloud credentials"),
        (CLIENT_UNAVAILABLE, &rules::BAST_002, "could not create Alicloud client"),
    ],
    &rules::BAST_015,
);

/// What the facts say of a bastion.
#[derive(Clone, Debug, Default)]
pub struct World {
    /// The security groups that are the bastion's.
    pub groups: Vec<SecurityGroup>,
    /// The instances that are the bastion's.
    pub instances: Vec<Instance>,
    /// What has the name of the bastion, and may be somebody else's: what it is, with its id.
    pub strangers: Vec<String>,
    /// The part of the network that is missing, as the existing extension says it.
    pub missing: Option<(&'static Rule, &'static str, String)>,
    /// The architecture of the image; empty where no instance has to be made.
    pub architecture: String,
    /// The machine types that the zone offers; none where no instance has to be made.
    pub offers: Offers,
    /// Whether nobody has asked the cloud.
    pub is_imagined: bool,
}

/// An instance.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Instance {
    /// `InstanceId`
    pub id: String,
    /// `InstanceName`
    pub name: String,
    /// `Status`: `Pending`, `Starting`, `Running`, `Stopping` or `Stopped`.
    pub status: String,
    /// `PublicIpAddress.IpAddress`, the first.
    pub public_ip: String,
    /// `SecurityGroupIds.SecurityGroupId`
    pub groups: Vec<String>,
    /// `Tags`
    pub tags: Tags,
}

/// Whose something is that a response shows.
enum Whose {
    /// The bastion's.
    Ours,
    /// Nothing shows whose it is.
    Unknown,
    /// Another Bastion's of the same name, before or after this one.
    Others,
}

impl World {
    /// The group of the bastion: the recorded one, else the first that is found.
    pub fn group(&self, recorded: &State) -> Option<&SecurityGroup> {
        let known = recorded_value(recorded, GROUP);
        self.groups.iter().find(|group| Some(group.id.as_str()) == known).or_else(|| self.groups.first())
    }

    /// The instance of the bastion: the recorded one, else the first that is found.
    pub fn instance(&self, recorded: &State) -> Option<&Instance> {
        let known = recorded_value(recorded, INSTANCE);
        let is_known = |instance: &&Instance| Some(instance.id.as_str()) == known;
        self.instances.iter().find(is_known).or_else(|| self.instances.first())
    }
}

/// What is the bastion's.
struct Ours<'i> {
    input: &'i Input<'i>,
    recorded: &'i State,
    /// Whether a person said that what has the name of the bastion is the bastion's.
    consents: bool,
    /// Whether what has that name, and no tag, is the bastion's, because the seed reconciled the Bastion with the
    /// existing extension, which sets no tags.
    is_known: bool,
}

/// Reads what there is of a bastion, and asks what nobody knows yet.
pub fn observe(input: &Input<'_>, recorded: &State, facts: &mut Facts<'_>) -> World {
    let mut world = World::default();
    let is_unrecorded = [GROUP, INSTANCE].iter().all(|key| recorded.get(key).is_none());
    let ours = Ours {
        input,
        recorded,
        consents: facts.may_adopt(),
        is_known: is_unrecorded && input.request.is_known_to_seed(),
    };
    let groups = ours.observe_groups(facts, &mut world);
    let instances = ours.observe_instances(facts, &mut world);
    // What is there already needs no network any more, but the group of the nodes, which its rules name.
    let is_whole = !world.groups.is_empty() && !world.instances.is_empty();
    let is_settled = is_whole || !world.strangers.is_empty() || groups.is_none() || instances.is_none();
    if let Some(network) = input.network.as_ref().filter(|_| !is_settled) {
        check_network(network, Region(input.region), facts, &mut world);
        if world.instances.is_empty() && world.missing.is_none() {
            world.offers = choice::offers(input, network, recorded, &world.architecture, facts);
        }
    }
    world
}

/// Reads what has the name of the bastion, and what has the recorded id where that has another name.
fn found<T>(
    facts: &mut Facts<'_>,
    by_name: Query,
    by_id: impl Fn(&str) -> Query,
    recorded: Option<&str>,
    read: impl Fn(&mut Facts<'_>, Query) -> Option<Vec<T>>,
    id: impl Fn(&T) -> &str,
) -> Option<Vec<T>> {
    let mut all = read(facts, by_name)?;
    if let Some(recorded) = recorded.filter(|recorded| all.iter().all(|one| id(one) != *recorded)) {
        all.extend(read(facts, by_id(recorded))?);
    }
    Some(all)
}

impl Ours<'_> {
    fn observe_groups(&self, facts: &mut Facts<'_>, world: &mut World) -> Option<()> {
        let Self { input, recorded, .. } = self;
        let region = Region(input.region);
        let known = recorded_value(recorded, GROUP);
        let all = found(
            facts,
            groups_by(region, "SecurityGroupName", &input.group_name()),
            |id| groups_by(region, "SecurityGroupId", id),
            known,
            security_groups::groups,
            |group| &group.id,
        )?;
        for mut group in all {
            let is_recorded = known == Some(group.id.as_str());
            match self.whose(is_recorded, is_pending(recorded, GROUP_ID), &group.tags) {
                Whose::Ours => {
                    if !input.is_deletion() {
                        group.rules = security_groups::rules(facts, region, &group.id);
                    }
                    world.groups.push(group);
                }
                Whose::Others if input.is_deletion() => {}
                Whose::Unknown | Whose::Others => world.strangers.push(format!("security group {}", group.id)),
            }
        }
        Some(())
    }

    fn observe_instances(&self, facts: &mut Facts<'_>, world: &mut World) -> Option<()> {
        let Self { input, recorded, .. } = self;
        let region = Region(input.region);
        let known = recorded_value(recorded, INSTANCE);
        let all = found(
            facts,
            instances_by(region, "InstanceName", &input.name),
            |id| instances_by(region, "InstanceIds", &in_list(id)),
            known,
            |facts, query| facts.list(query, INSTANCES.list, None, Instance::read),
            |instance| &instance.id,
        )?;
        if all.is_empty() {
            return may_list_instances(region, facts);
        }
        for instance in all {
            let is_recorded = known == Some(instance.id.as_str());
            match self.whose(is_recorded, is_pending(recorded, INSTANCE_ID), &instance.tags) {
                Whose::Ours => world.instances.push(instance),
                Whose::Others if input.is_deletion() => {}
                Whose::Unknown | Whose::Others => world.strangers.push(format!("instance {}", instance.id)),
            }
        }
        Some(())
    }

    /// Whose something is that has the name of the bastion, or the recorded id.
    fn whose(&self, is_recorded: bool, is_pending: bool, tags: &Tags) -> Whose {
        if is_recorded || tags.contains(&self.input.tag()) {
            Whose::Ours
        } else if tags.iter().any(|(key, _)| is_tag_of_bastions(key)) {
            match (self.consents, self.input.uid) {
                (true, _) => Whose::Ours,
                // Nobody can say whether the uid of the tag is that of a manifest without one.
                (false, "") => Whose::Unknown,
                (false, _) => Whose::Others,
            }
        } else if self.consents || self.is_known || (is_pending && tags.is_empty()) {
            // What a run is making may show its tags a little later than itself.
            Whose::Ours
        } else {
            Whose::Unknown
        }
    }
}

/// Whether the account may list instances at all. The cloud answers a RAM user who may not with an empty list.
fn may_list_instances(region: Region<'_>, facts: &mut Facts<'_>) -> Option<()> {
    let query = region.query("ecs", "DescribeInstances", &[("DryRun", "true".into())]);
    if facts.error_code(&query) == Some(ALLOWED) {
        return Some(());
    }
    let on_failure = OnFailure {
        rule: &rules::BAST_008,
        place: ("", ""),
        doing: "listing",
        what: "the instances of the account",
    };
    if let Some(response) = facts.response(&query, Some(on_failure)) {
        // An account that sees an instance may list them.
        let count = response.pointer(INSTANCES.list).map(Value::items).unwrap_or_default().len();
        if count == 0 {
            let problem = "does not say whether the account may list instances";
            facts.fail(RequestError::Fact { query: query.id, problem });
            return None;
        }
        return Some(());
    }
    None
}

/// Looks for the parts of the network, in the order of the existing extension; the first that is missing counts.
fn check_network(network: &Network, region: Region<'_>, facts: &mut Facts<'_>, world: &mut World) {
    type Part<'a> = (&'static Rule, &'static str, &'a str, &'a str, Query, &'static str);
    let pages =
        |service, action, size, parameters: &Parameters<'_>| region.pages(service, action, size, parameters);
    let parts: [Part<'_>; 4] = [
        (
            &rules::BAST_003,
            "vpc",
            "vpc",
            &network.vpc,
            pages("vpc", "DescribeVpcs", "50", &[("VpcId", network.vpc.as_str().into())]),
            VPCS,
        ),
        (
            &rules::BAST_004,
            "vswitches",
            "vswitches",
            &network.vswitch,
            pages("vpc", "DescribeVSwitches", "50", &[("VSwitchId", network.vswitch.as_str().into())]),
            VSWITCHES.list,
        ),
        (
            &rules::BAST_005,
            "machineImages",
            "machineImages",
            &network.image,
            pages("ecs", "DescribeImages", "100", &[("ImageId", network.image.as_str().into())]),
            IMAGES.list,
        ),
        (
            &rules::BAST_006,
            "securityGroup",
            "shoot security group",
            &network.nodes,
            groups_by(region, "SecurityGroupId", &network.nodes),
            security_groups::SECURITY_GROUPS.list,
        ),
    ];
    for (rule, field, words, id, query, list) in parts {
        let what = format!("{words} {id} from alicloud provider");
        let on_failure = OnFailure { rule, place: ("", ""), doing: "getting", what: &what };
        let read =
            |entry: &Entry<'_>| (entry.text(&["Architecture"]).to_owned(), entry.text(&["ZoneId"]).to_owned());
        let Some(found) = facts.list(query, list, Some(on_failure), read) else { continue };
        let Some((architecture, zone)) = found.into_iter().next() else {
            world.missing.get_or_insert((rule, field, format!("could not get {what}: it does not exist")));
            continue;
        };
        if field == "vswitches" && zone.is_empty() {
            world.missing.get_or_insert((rule, field, format!("could not get {what}: it has no zone")));
        }
        if field == "machineImages" {
            world.architecture = architecture;
        }
    }
}

/// Instances by one of their members.
pub fn instances_by(region: Region<'_>, member: &'static str, value: &str) -> Query {
    let parameters = [(member, value.into())];
    region.pages_by_token("ecs", "DescribeInstances", Some(("MaxResults", "100")), &parameters)
}

/// An id in a list, as the API takes it.
fn in_list(id: &str) -> String {
    format!("[\"{id}\"]")
}

/// The id that the state has, in a list as the API takes it.
pub fn recorded_in_list() -> Argument {
    let id = Argument::Reference { key: INSTANCE.to_owned() };
    Argument::Concat { concat: vec!["[\"".into(), id, "\"]".into()] }
}

impl Instance {
    /// An instance as a run makes it.
    pub fn imagined(input: &Input<'_>, id: String, group: &str) -> Self {
        Self {
            id,
            name: input.name.clone(),
            status: "Running".to_owned(),
            public_ip: "(public address)".to_owned(),
            groups: vec![group.to_owned()],
            tags: vec![input.tag()],
        }
    }

    fn read(entry: &Entry<'_>) -> Self {
        let mut addresses = entry.texts(&["PublicIpAddress", "IpAddress"]);
        addresses.truncate(1);
        Self {
            id: entry.id("InstanceId").to_owned(),
            name: entry.text(&["InstanceName"]).to_owned(),
            status: entry.text(&["Status"]).to_owned(),
            public_ip: addresses.pop().unwrap_or_default(),
            groups: entry.texts(&["SecurityGroupIds", "SecurityGroupId"]),
            tags: tags_of(entry),
        }
    }
}
