//! The types and disks that instances can have: `DescribeAvailableResource`.

use serde_json::{Value, json};

use super::instance_types::{INSTANCE_TYPES, InstanceType, instance_type};
use crate::action::{
    Action, COUNT, Call, CloudError, ErrorCode, Form, Rule, Shape, TEXT, common, field, items, optional, record,
    required,
};
use crate::regions::region;
use crate::world::World;

/// The actions of this file.
pub const ACTIONS: &[Action] = &[DESCRIBE];

/// The categories of disks.
pub(super) const DISKS: &[&str] =
    &["cloud_efficiency", "cloud_ssd", "cloud_essd", "cloud_auto", "cloud_essd_entry", "cloud"];

pub(super) const NO_ZONE: ErrorCode =
    ErrorCode::new(404, "InvalidZoneId.NotFound", "The specified zone does not exist.");

const RESOURCE: Shape = record(&[
    field("Value", Shape::Text),
    field("Status", Shape::Text),
    field("StatusCategory", Shape::Text),
    field("Min", Shape::Integer),
    field("Max", Shape::Integer),
    field("Unit", Shape::Text),
]);
const RESOURCES: Shape = record(&[
    field("Type", Shape::Text),
    field("SupportedResources", record(&[field("SupportedResource", items(&RESOURCE))])),
]);
const ZONE: Shape = record(&[
    field("RegionId", Shape::Text),
    field("ZoneId", Shape::Text),
    field("Status", Shape::Text),
    field("StatusCategory", Shape::Text),
    field("AvailableResources", record(&[field("AvailableResource", items(&RESOURCES))])),
]);

const DESCRIBE: Action = Action::read("DescribeAvailableResource", describe)
    .parameters(&[
        required("RegionId", TEXT),
        required(
            "DestinationResource",
            Form::OneOf(&["Zone", "IoOptimized", "InstanceType", "Network", "SystemDisk", "DataDisk"]),
        ),
        optional("ZoneId", TEXT),
        optional("InstanceType", TEXT),
        optional("Cores", COUNT),
        optional(
            "Memory",
            Form::Text(&Rule { what: "a number", check: |text| text.parse::<f64>().is_ok_and(f64::is_finite) }),
        ),
        optional("InstanceChargeType", Form::OneOf(&["PostPaid", "PrePaid"])),
        optional("IoOptimized", Form::OneOf(&["optimized"])),
        optional("NetworkCategory", Form::OneOf(&["vpc"])),
        optional("ResourceType", Form::OneOf(&["instance", "disk"])).or("instance"),
        optional("SystemDiskCategory", Form::OneOf(DISKS)),
        optional("DataDiskCategory", Form::OneOf(DISKS)),
        optional("SpotStrategy", Form::OneOf(&["NoSpot", "SpotWithPriceLimit", "SpotAsPriceGo"])),
    ])
    .left_out(&["DedicatedHostId", "Scope", "SpotDuration"])
    .answer(&[field("AvailableZones", record(&[field("AvailableZone", items(&ZONE))]))])
    .errors(&[&NO_ZONE]);

fn describe(_: &World, call: &Call<'_>) -> Result<Value, CloudError> {
    let known = region(call.region).ok_or(&common::INVALID_REGION)?;
    if call.given("ZoneId").is_some_and(|zone| !known.has_zone(zone)) {
        return Err((&NO_ZONE).into());
    }
    let wanted = call.given("InstanceType");
    let destination = call.text("DestinationResource");
    if destination == "SystemDisk" && call.text("ResourceType") == "instance" && wanted.is_none() {
        return Err(common::MISSING_PARAMETER.because(
            "The input parameter \"InstanceType\" that is mandatory for processing this request is not supplied.",
        ));
    }
    let memory = call.given("Memory").and_then(|text| text.parse::<f64>().ok());
    let fits = |kind: &&InstanceType| {
        let size = f64::from(i32::try_from(kind.memory).unwrap_or(i32::MAX));
        wanted.is_none_or(|wanted| wanted == kind.id)
            && call.integer("Cores").is_none_or(|cores| cores == kind.cores)
            && memory.is_none_or(|memory| memory.to_bits() == size.to_bits())
    };
    let sizes =
        |category: &str| json!({ "Min": if category == "cloud" { 5 } else { 20 }, "Max": 2048, "Unit": "GiB" });
    let disks = |wanted: Option<&str>| -> Vec<Value> {
        let disks = DISKS.iter().filter(|disk| wanted.is_none_or(|wanted| wanted == **disk));
        disks.map(|disk| in_stock(disk, sizes(disk))).collect()
    };
    let resources: Vec<Value> = match destination {
        "InstanceType" => INSTANCE_TYPES.iter().filter(fits).map(|kind| in_stock(kind.id, json!({}))).collect(),
        "Network" => vec![in_stock("vpc", json!({}))],
        "IoOptimized" => vec![in_stock("optimized", json!({}))],
        "SystemDisk" => disks(call.given("SystemDiskCategory")),
        "DataDisk" => disks(call.given("DataDiskCategory")),
        _ => Vec::new(),
    };
    // No zone offers a type that does not exist.
    let somewhere = wanted.is_none_or(|wanted| instance_type(wanted).is_some());
    let asked = |zone: &String| somewhere && call.given("ZoneId").is_none_or(|asked| asked == zone);
    let zones: Vec<Value> = known
        .zones()
        .filter(asked)
        .map(|zone| {
            let resources = (destination != "Zone").then(|| {
                json!({ "AvailableResource": [
                    { "Type": destination, "SupportedResources": { "SupportedResource": resources } },
                ] })
            });
            json!({
                "RegionId": call.region,
                "ZoneId": zone,
                "Status": "Available",
                "StatusCategory": "WithStock",
                "AvailableResources": resources,
            })
        })
        .collect();
    Ok(json!({ "AvailableZones": { "AvailableZone": zones } }))
}

fn in_stock(value: &str, mut more: Value) -> Value {
    if let Some(more) = more.as_object_mut() {
        more.insert("Value".to_owned(), json!(value));
        more.insert("Status".to_owned(), json!("Available"));
        more.insert("StatusCategory".to_owned(), json!("WithStock"));
    }
    more
}

#[cfg(test)]
mod tests {
    use serde_json::Value;

    use crate::testing::TestCloud;

    fn values(cloud: &TestCloud, parameters: &[(&str, &str)]) -> Vec<String> {
        let answer = cloud.call("ecs", "DescribeAvailableResource", parameters);
        let path = "/AvailableZones/AvailableZone/0/AvailableResources/AvailableResource/0/SupportedResources/SupportedResource";
        let found = answer.pointer(path).and_then(Value::as_array).cloned().unwrap_or_default();
        found.iter().map(|resource| resource["Value"].as_str().unwrap().to_owned()).collect()
    }

    #[test]
    fn types_are_to_be_had_by_their_cores() {
        let cloud = TestCloud::new();
        let asked = [
            ("DestinationResource", "InstanceType"),
            ("InstanceChargeType", "PostPaid"),
            ("NetworkCategory", "vpc"),
            ("ZoneId", "cn-shanghai-b"),
            ("Cores", "1"),
        ];
        assert_eq!(values(&cloud, &asked), ["ecs.t5-lc1m1.small", "ecs.n4.small"]);
        let asked = [("DestinationResource", "InstanceType"), ("Cores", "2"), ("Memory", "16")];
        assert_eq!(values(&cloud, &asked), ["ecs.r7.large"]);
    }

    #[test]
    fn other_resources_are_to_be_had() {
        let cloud = TestCloud::new();
        for (destination, first) in
            [("Network", "vpc"), ("IoOptimized", "optimized"), ("DataDisk", "cloud_efficiency")]
        {
            assert_eq!(values(&cloud, &[("DestinationResource", destination)])[0], first);
        }
        let asked = [
            ("DestinationResource", "SystemDisk"),
            ("InstanceType", "ecs.g7.large"),
            ("SystemDiskCategory", "cloud_essd"),
        ];
        assert_eq!(values(&cloud, &asked), ["cloud_essd"]);
        let zones = |kind: &str| {
            let asked = [("DestinationResource", "Zone"), ("InstanceType", kind)];
            let answer = cloud.call("ecs", "DescribeAvailableResource", &asked);
            answer["AvailableZones"]["AvailableZone"].as_array().unwrap().len()
        };
        assert_eq!((zones("ecs.g7.large"), zones("ecs.none")), (10, 0));
    }

    #[test]
    fn what_makes_no_sense_is_refused() {
        let cloud = TestCloud::new();
        for (parameters, code) in [
            (&[("DestinationResource", "SystemDisk")][..], "MissingParameter"),
            (&[("DestinationResource", "Zone"), ("ZoneId", "cn-beijing-a")], "InvalidZoneId.NotFound"),
            (&[("DestinationResource", "Moon")], "InvalidDestinationResource"),
        ] {
            assert_eq!(cloud.refused("ecs", "DescribeAvailableResource", parameters), code, "{parameters:?}");
        }
    }
}
