//! What a request wants of a Bastion.

use crate::cidr::Cidr;
use crate::document::Value;
use crate::gardener::planning::Tags;
use crate::policy::{PlanOperation, PlanSubject};
use crate::provider::alicloud::api::InfrastructureStatus;
use crate::text::{base64, digest::sha256};

/// Id of the security group in the plan.
pub const GROUP_ID: &str = "securitygroup";
/// Id of the instance in the plan.
pub const INSTANCE_ID: &str = "instance";

/// Key of the state that has the id of the security group.
pub const GROUP: &str = "SecurityGroup";
/// Key of the state that has the id of the instance.
pub const INSTANCE: &str = "Instance";
/// Key of the state that has the public address.
pub const PUBLIC_IP: &str = "PublicIP";

/// Key of the tag that has the uid of the Bastion.
const TAG: &str = "bastion.trellis.gardener.cloud/uid";
/// How many bytes of namespace and name are in the names of resources.
const READABLE: usize = 33;
/// How many digits of the hash that distinguishes names.
const DIGITS: usize = 5;

/// What is wanted.
#[derive(Clone, Debug)]
pub struct Input<'r> {
    /// The request.
    pub request: PlanSubject<'r>,
    /// The region of the Shoot.
    pub region: &'r str,
    /// The name of the instance, and the beginning of that of the group.
    pub name: String,
    /// What distinguishes the Bastion from others of its name, before and after it.
    pub uid: &'r str,
    /// The ranges that may connect, each once, as networks.
    pub ingress: Vec<Cidr>,
    /// The script that the instance runs when it starts, as base64.
    pub user_data: String,
    /// The network of the Shoot; absent in a deletion, which does not need it.
    pub network: Option<Network>,
}

/// The network that a bastion stands in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Network {
    /// The VPC.
    pub vpc: String,
    /// The VSwitch.
    pub vswitch: String,
    /// Its zone.
    pub zone: String,
    /// The image.
    pub image: String,
    /// The security group of the nodes.
    pub nodes: String,
}

impl<'r> Input<'r> {
    /// Reads a request, whose form is checked elsewhere.
    pub fn read(request: &PlanSubject<'r>, network: Option<Network>) -> Self {
        let object = request.document();
        Self {
            request: *request,
            region: request.region(),
            name: name(object.text_at(&["metadata", "namespace"]), object.text_at(&["metadata", "name"])),
            uid: request.uid(),
            ingress: ingress(object),
            user_data: user_data(object).map(|script| base64::encode(&script)).unwrap_or_default(),
            network,
        }
    }

    /// The name of the security group.
    pub fn group_name(&self) -> String {
        format!("{}-sg", self.name)
    }

    /// The tag that shows whose something is.
    pub fn tag(&self) -> (String, String) {
        let value = if self.uid.is_empty() { self.name.as_str() } else { self.uid };
        (TAG.to_owned(), value.to_owned())
    }

    /// Whether tags show that something is the bastion's; a manifest without a uid goes on with what is tagged.
    pub fn is_marked(&self, tags: &Tags) -> bool {
        tags.contains(&self.tag()) || (self.uid.is_empty() && tags.iter().any(|(key, _)| is_tag_of_bastions(key)))
    }

    /// Whether the bastion is to go.
    pub fn is_deletion(&self) -> bool {
        self.request.operation == PlanOperation::Delete
    }
}

/// Whether a key is that of the tag of bastions.
pub fn is_tag_of_bastions(key: &str) -> bool {
    key == TAG
}

/// The name of the instance of a Bastion.
fn name(namespace: &str, name: &str) -> String {
    let whole = format!("{namespace}-{name}");
    let mut readable = whole.clone();
    while readable.len() > READABLE {
        readable.pop();
    }
    let mut hash = sha256(whole.as_bytes());
    hash.truncate(DIGITS);
    format!("{readable}-bastion-{hash}")
}

/// The ranges that may connect, each once; what is none is left out, as the form says that it is wrong.
fn ingress(object: &Value<'_>) -> Vec<Cidr> {
    let mut ranges: Vec<Cidr> = Vec::new();
    for item in object.at(&["spec", "ingress"]).map(Value::items).unwrap_or_default() {
        let range = Cidr::parse(item.text_at(&["ipBlock", "cidr"]));
        let network = range.and_then(|range| Cidr::parse(&range.network().to_string()));
        ranges.extend(network.filter(|network| !ranges.contains(network)));
    }
    ranges
}

/// The script that the instance runs; `None` where it is no base64.
pub fn user_data(object: &Value<'_>) -> Option<Vec<u8>> {
    base64::decode(object.text_at(&["spec", "userData"]))
}

/// The network in the status of an Infrastructure. The error says what it lacks, as the existing extension does.
pub fn network(status: &InfrastructureStatus<'_>) -> Result<Network, &'static str> {
    let vswitch =
        status.vpc.vswitches.first().filter(|vswitch| !vswitch.id.is_empty() && !vswitch.zone.is_empty());
    let image = status.machine_images.first().filter(|image| !image.id.is_empty());
    let group = status.vpc.security_groups.first().filter(|group| !group.id.is_empty());
    if status.vpc.id.is_empty() {
        return Err("vpc id must be not empty for infrastructure provider status");
    }
    Ok(Network {
        vpc: status.vpc.id.to_owned(),
        vswitch: vswitch.ok_or("vswitches id must be not empty for infrastructure provider status")?.id.to_owned(),
        zone: vswitch.map(|vswitch| vswitch.zone).unwrap_or_default().to_owned(),
        image: image.ok_or("machineImages id must be not empty for infrastructure provider status")?.id.to_owned(),
        nodes: group
            .ok_or("shoot securityGroups id must be not empty for infrastructure provider status")?
            .id
            .to_owned(),
    })
}

#[cfg(test)]
mod tests {
    use super::name;

    #[test]
    fn names_are_those_of_the_existing_extension() {
        assert_eq!(name("shoot--a--b", "c"), "shoot--a--b-c-bastion-fa240");
        let long = name("shoot--project-name--cluster-name", "bastion1");
        assert!(long.starts_with("shoot--project-name--cluster-name-bastion-"), "{long}");
        assert_eq!(name("n", &"ä".repeat(40)).matches('ä').count(), 15, "a name is cut between characters");
    }
}
