//! The machine type of a bastion: a small one that the zone offers, and on which the image runs.

use super::input::{Input, Network};
use crate::call::{Argument, Query};
use crate::document::Value;
use crate::gardener::planning::entry::Entry;
use crate::gardener::planning::facts::{Facts, OnFailure};
use crate::plan::recorded_value;
use crate::policy::{RequestError, State};
use crate::provider::alicloud::queries::Region;
use crate::provider::alicloud::rules::bastion_plan as rules;

/// Key of the state that has the machine type that a run chose.
pub const MACHINE_TYPE: &str = "InstanceType";
/// Key of the state that has the image that a run chose.
pub const IMAGE: &str = "ImageId";
/// Key of the state that has the VSwitch that a run chose.
pub const VSWITCH: &str = "VSwitchId";
/// Key of the state that has the zone of that VSwitch.
pub const ZONE: &str = "ZoneId";

/// How many cores a bastion may have, the best first.
const CORES: [&str; 2] = ["1", "2"];
/// Most machine types in one question.
const MOST: usize = 10;

/// Machine types that the zone offers, the best first, with their architectures.
pub type Offers = Vec<Offer>;

/// A machine type.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Offer {
    /// Such as `ecs.t5-lc1m1.small`.
    pub name: String,
    /// `X86` or `ARM`.
    pub architecture: String,
}

/// What an instance is made from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Choice {
    /// Where it stands, and its image.
    pub network: Network,
    /// Its machine type.
    pub machine_type: String,
}

/// Asks which machine types the zone offers, and for which architectures they are.
pub fn offers(
    input: &Input<'_>,
    network: &Network,
    recorded: &State,
    image: &str,
    facts: &mut Facts<'_>,
) -> Offers {
    let region = Region(input.region);
    let zone = recorded_choice(recorded).map_or(network.zone.as_str(), |choice| choice.zone);
    let mut names: Vec<String> = Vec::new();
    if let Some(name) = named_by_profile(input) {
        names.push(name.to_owned());
    } else {
        let small = CORES.map(|cores| available(facts, region, zone, cores));
        let [Some(one), Some(two)] = small else { return Offers::new() };
        for name in one.into_iter().chain(two) {
            if !names.contains(&name) {
                names.push(name);
            }
        }
        // A run that ended while it made the instance chose one of them, perhaps not of the first.
        let chosen = recorded_choice(recorded).map(|choice| choice.machine_type);
        names.sort_by_key(|name| Some(name.as_str()) != chosen);
    }
    names.truncate(MOST);
    if names.is_empty() || image.is_empty() {
        return Offers::new();
    }
    let list = Argument::List(names.iter().map(|name| name.as_str().into()).collect());
    let query = region.pages_by_token("ecs", "DescribeInstanceTypes", None, &[("InstanceTypes", (&list).into())]);
    let read = |entry: &Entry<'_>| Offer {
        name: entry.id("InstanceTypeId").to_owned(),
        architecture: entry.text(&["CpuArchitecture"]).to_owned(),
    };
    let on_failure = failing("reading the machine types of", zone);
    let known = facts.list(query, "/InstanceTypes/InstanceType", Some(on_failure), read).unwrap_or_default();
    let of_name = |name: &String| known.iter().find(|offer| offer.name == *name).cloned();
    names.iter().filter_map(of_name).collect()
}

/// The names of the machine types with so many cores that the zone has.
fn available(facts: &mut Facts<'_>, region: Region<'_>, zone: &str, cores: &str) -> Option<Vec<String>> {
    let parameters = [
        ("DestinationResource", "InstanceType".into()),
        ("InstanceChargeType", "PostPaid".into()),
        ("NetworkCategory", "vpc".into()),
        ("Cores", cores.into()),
        ("ZoneId", zone.into()),
    ];
    let query = region.query("ecs", "DescribeAvailableResource", &parameters);
    let response = facts.response(&query, Some(failing("reading what is offered in", zone)))?;
    let names = names_in(&query, response);
    names.map_err(|error| facts.fail(error)).ok()
}

fn names_in(query: &Query, response: &Value<'_>) -> Result<Vec<String>, RequestError> {
    let response = Entry::new(response);
    let zones = response.each(&["AvailableZones", "AvailableZone"], |zone| {
        zone.each(&["AvailableResources", "AvailableResource"], |resource| {
            resource.each(&["SupportedResources", "SupportedResource"], |offer| {
                (offer.id("Value").to_owned(), offer.text(&["Status"]) == "Available")
            })
        })
    });
    response.check(query)?;
    let offers = zones.into_iter().flatten().flatten();
    Ok(offers.filter(|(_, is_available)| *is_available).map(|(name, _)| name).collect())
}

fn failing<'m>(doing: &'m str, what: &'m str) -> OnFailure<'m> {
    OnFailure { rule: &rules::BAST_015, place: ("", ""), doing, what }
}

/// What a run chose that ended while it made the instance.
struct Recorded<'s> {
    zone: &'s str,
    machine_type: &'s str,
    image: &'s str,
    vswitch: &'s str,
}

fn recorded_choice(recorded: &State) -> Option<Recorded<'_>> {
    let value = |key| recorded_value(recorded, key);
    Some(Recorded {
        zone: value(ZONE)?,
        machine_type: value(MACHINE_TYPE)?,
        image: value(IMAGE)?,
        vswitch: value(VSWITCH)?,
    })
}

/// What the instance is made from. What a run chose before stands as long as it is offered, because the cloud knows an
/// instance that it is making by the same token and the same parameters again.
pub fn choose(
    input: &Input<'_>,
    network: &Network,
    recorded: &State,
    image: &str,
    offers: &Offers,
) -> Result<Choice, String> {
    let wanted = architecture(image);
    let is_fitting = |offer: &&Offer| offer.architecture == wanted;
    if let Some(before) = recorded_choice(recorded)
        && (before.image == network.image)
        && let Some(offer) = offers.iter().filter(is_fitting).find(|offer| offer.name == before.machine_type)
    {
        let network =
            Network { vswitch: before.vswitch.to_owned(), zone: before.zone.to_owned(), ..network.clone() };
        return Ok(Choice { network, machine_type: offer.name.clone() });
    }
    if let Some(name) = named_by_profile(input) {
        return match offers.iter().find(|offer| offer.name == name) {
            Some(offer) if offer.architecture == wanted => {
                Ok(Choice { network: network.clone(), machine_type: name.to_owned() })
            }
            Some(offer) => Err(format!(
                "machine type {name} of spec.bastion.machineType is for {}, and image {} for {wanted}",
                offer.architecture, network.image
            )),
            None => Err(format!("machine type {name} of spec.bastion.machineType does not exist in the region")),
        };
    }
    let name = offers.iter().find(is_fitting).map(|offer| offer.name.as_str());
    let name = name.or_else(|| of_profile(input, &wanted)).ok_or_else(|| {
        format!(
            "no machine type with one or two cores that zone {} offers runs image {}, which is for {wanted}, and the \
             CloudProfile has none for it",
            network.zone, network.image
        )
    })?;
    Ok(Choice { network: network.clone(), machine_type: name.to_owned() })
}

/// What machine types say of an architecture that images have.
fn architecture(image: &str) -> String {
    match image {
        "x86_64" | "amd64" => "X86".to_owned(),
        "arm64" | "aarch64" => "ARM".to_owned(),
        other => other.split('_').next().unwrap_or_default().to_ascii_uppercase(),
    }
}

/// The machine type that the CloudProfile names for bastions.
fn named_by_profile<'r>(input: &Input<'r>) -> Option<&'r str> {
    let name = input.request.cloud_profile?.text_at(&["spec", "bastion", "machineType", "name"]);
    (!name.is_empty()).then_some(name)
}

/// The first usable machine type of the CloudProfile that is for an architecture.
fn of_profile<'r>(input: &Input<'r>, wanted: &str) -> Option<&'r str> {
    let profile = input.request.cloud_profile?;
    let types = profile.at(&["spec", "machineTypes"]).map(Value::items).unwrap_or_default();
    let is_for = |machine: &&Value<'_>| {
        let own = match machine.text_at(&["architecture"]) {
            "" => machine
                .at(&["capabilities", "architecture"])
                .and_then(|values| values.items().first()?.as_str())
                .unwrap_or("amd64"),
            own => own,
        };
        !matches!(machine.get("usable"), Some(Value::Bool(false))) && architecture(own) == wanted
    };
    types.iter().find(is_for).map(|machine| machine.text_at(&["name"])).filter(|name| !name.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn architectures_of_images_are_those_of_machine_types() {
        for (image, machine) in
            [("x86_64", "X86"), ("amd64", "X86"), ("arm64", "ARM"), ("aarch64", "ARM"), ("riscv_64", "RISCV")]
        {
            assert_eq!(architecture(image), machine);
        }
    }
}
