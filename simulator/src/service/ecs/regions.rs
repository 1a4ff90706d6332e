//! Regions and zones: `DescribeRegions`, `DescribeZones`.

use serde_json::{Value, json};

use super::available_resources::DISKS;
use super::instance_types::INSTANCE_TYPES;
use crate::action::{
    Action, BOOLEAN, Call, CloudError, Form, Shape, TEXT, common, field, items, optional, record, required,
};
use crate::regions::{REGIONS, region};
use crate::world::World;

/// The actions of this file.
pub const ACTIONS: &[Action] = &[REGIONS_OF_ALL, ZONES];

const REGION: Shape = record(&[
    field("RegionId", Shape::Text),
    field("RegionEndpoint", Shape::Text),
    field("LocalName", Shape::Text),
    field("Status", Shape::Text),
]);

const REGIONS_OF_ALL: Action = Action::read("DescribeRegions", regions)
    .parameters(&[
        optional(
            "InstanceChargeType",
            Form::OneOf(&["PrePaid", "PostPaid", "SpotWithPriceLimit", "SpotAsPriceGo"]),
        ),
        optional("ResourceType", Form::OneOf(&["instance", "disk"])),
        optional("AcceptLanguage", Form::OneOf(&["en-US"])),
    ])
    .answer(&[field("Regions", record(&[field("Region", items(&REGION))]))]);

fn regions(_: &World, _: &Call<'_>) -> Result<Value, CloudError> {
    let regions: Vec<Value> = REGIONS
        .iter()
        .map(|region| {
            json!({
                "RegionId": region.id,
                "RegionEndpoint": format!("ecs.{}.aliyuncs.com", region.id),
                "LocalName": region.name,
                "Status": "available",
            })
        })
        .collect();
    Ok(json!({ "Regions": { "Region": regions } }))
}

const ZONE: Shape = record(&[
    field("ZoneId", Shape::Text),
    field("ZoneType", Shape::Text),
    field("LocalName", Shape::Text),
    field("AvailableInstanceTypes", record(&[field("InstanceTypes", items(&Shape::Text))])),
    field("AvailableDiskCategories", record(&[field("DiskCategories", items(&Shape::Text))])),
    field("AvailableResourceCreation", record(&[field("ResourceTypes", items(&Shape::Text))])),
]);

const ZONES: Action = Action::read("DescribeZones", zones)
    .parameters(&[
        required("RegionId", TEXT),
        optional("InstanceChargeType", Form::OneOf(&["PrePaid", "PostPaid"])),
        optional("SpotStrategy", Form::OneOf(&["NoSpot", "SpotWithPriceLimit", "SpotAsPriceGo"])),
        optional("AcceptLanguage", Form::OneOf(&["en-US"])),
        optional("Verbose", BOOLEAN).or("true"),
    ])
    .answer(&[field("Zones", record(&[field("Zone", items(&ZONE))]))]);

fn zones(_: &World, call: &Call<'_>) -> Result<Value, CloudError> {
    let region = region(call.region).ok_or(&common::INVALID_REGION)?;
    let detailed = call.flag("Verbose") == Some(true);
    let zones: Vec<Value> = region
        .zones()
        .map(|zone| {
            let types: Vec<&str> = INSTANCE_TYPES.iter().map(|kind| kind.id).collect();
            let ending = zone.rsplit(|end: char| end == '-' || end.is_ascii_digit()).next().unwrap_or_default();
            json!({
                "ZoneId": zone,
                "ZoneType": "AvailabilityZone",
                "LocalName": format!("{} Zone {}", region.name, ending.to_uppercase()),
                "AvailableInstanceTypes": detailed.then(|| json!({ "InstanceTypes": types })),
                "AvailableDiskCategories": detailed.then(|| json!({ "DiskCategories": DISKS })),
                "AvailableResourceCreation":
                    detailed.then(|| json!({ "ResourceTypes": ["VSwitch", "IoOptimized", "Instance", "Disk"] })),
            })
        })
        .collect();
    Ok(json!({ "Zones": { "Zone": zones } }))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use crate::regions::REGIONS;
    use crate::testing::TestCloud;

    #[test]
    fn regions_and_their_zones_are_reported() {
        let cloud = TestCloud::new();
        let answer = cloud.call("ecs", "DescribeRegions", &[]);
        assert_eq!(answer["Regions"]["Region"].as_array().unwrap().len(), REGIONS.len());
        let answer = cloud.call("ecs", "DescribeZones", &[("RegionId", "eu-central-1"), ("Verbose", "false")]);
        let zone = json!({
            "ZoneId": "eu-central-1b",
            "ZoneType": "AvailabilityZone",
            "LocalName": "Germany (Frankfurt) Zone B",
        });
        assert_eq!(answer["Zones"]["Zone"][1], zone);
        let answer = cloud.call("ecs", "DescribeZones", &[]);
        assert_eq!(answer["Zones"]["Zone"][0]["LocalName"], "China (Shanghai) Zone A");
        assert!(answer["Zones"]["Zone"][0]["AvailableInstanceTypes"]["InstanceTypes"].is_array());
    }
}
