//! Regions and their zones: `DescribeRegions`, `DescribeZones`.

use serde_json::{Value, json};

use crate::action::{
    Action, Call, CloudError, Form, Shape, TEXT, common, field, items, optional, record, required,
};
use crate::regions::{REGIONS, region};
use crate::world::World;

/// The actions of this file.
pub const ACTIONS: &[Action] = &[REGION_LIST, ZONE_LIST];

const REGION: Shape = record(&[
    field("LocalName", Shape::Text),
    field("RegionEndpoint", Shape::Text),
    field("RegionId", Shape::Text),
]);

const REGION_LIST: Action = Action::read("DescribeRegions", regions)
    .parameters(&[
        optional("AcceptLanguage", Form::OneOf(&["en-US"])),
        optional("ProductType", Form::OneOf(&["VPC"])),
    ])
    .answer(&[field("Regions", record(&[field("Region", items(&REGION))]))]);

fn regions(_: &World, _: &Call<'_>) -> Result<Value, CloudError> {
    let regions = REGIONS.iter().map(
        |region| json!({ "RegionId": region.id, "LocalName": region.name, "RegionEndpoint": endpoint(region.id) }),
    );
    Ok(json!({ "Regions": { "Region": regions.collect::<Vec<_>>() } }))
}

/// The oldest regions are behind one endpoint, as the cloud's SDKs have it.
fn endpoint(region: &str) -> String {
    const CENTRAL: [&str; 9] = [
        "cn-beijing",
        "cn-qingdao",
        "cn-shanghai",
        "cn-hangzhou",
        "cn-shenzhen",
        "cn-hongkong",
        "us-west-1",
        "us-east-1",
        "ap-southeast-1",
    ];
    if CENTRAL.contains(&region) { "vpc.aliyuncs.com".to_owned() } else { format!("vpc.{region}.aliyuncs.com") }
}

const ZONE: Shape =
    record(&[field("LocalName", Shape::Text), field("ZoneId", Shape::Text), field("ZoneType", Shape::Text)]);

const ZONE_LIST: Action = Action::read("DescribeZones", zones)
    .parameters(&[
        required("RegionId", TEXT),
        optional("AcceptLanguage", Form::OneOf(&["en-us"])),
        optional("ZoneType", Form::OneOf(&["AvailabilityZone"])),
    ])
    .answer(&[field("Zones", record(&[field("Zone", items(&ZONE))]))]);

fn zones(_: &World, call: &Call<'_>) -> Result<Value, CloudError> {
    let region = region(call.region).ok_or(&common::INVALID_REGION)?;
    let zones = region.zones().map(|zone| {
        let letter = zone.chars().last().unwrap_or_default().to_ascii_uppercase();
        json!({
            "ZoneId": zone,
            "LocalName": format!("{} Zone {letter}", region.name),
            "ZoneType": "AvailabilityZone",
        })
    });
    Ok(json!({ "Zones": { "Zone": zones.collect::<Vec<_>>() } }))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use crate::testing::TestCloud;

    #[test]
    fn regions_have_endpoints_and_zones() {
        let cloud = TestCloud::new();
        let regions = cloud.call("vpc", "DescribeRegions", &[]);
        let find = |id: &str| {
            let regions = regions["Regions"]["Region"].as_array().unwrap();
            regions.iter().find(|region| region["RegionId"] == id).cloned().unwrap()
        };
        assert_eq!(find("cn-shanghai")["RegionEndpoint"], "vpc.aliyuncs.com");
        assert_eq!(
            find("eu-central-1"),
            json!({
                "RegionId": "eu-central-1",
                "LocalName": "Germany (Frankfurt)",
                "RegionEndpoint": "vpc.eu-central-1.aliyuncs.com",
            })
        );

        let zones = cloud.call("vpc", "DescribeZones", &[("RegionId", "eu-central-1")]);
        assert_eq!(
            zones["Zones"]["Zone"][1],
            json!({
                "ZoneId": "eu-central-1b",
                "LocalName": "Germany (Frankfurt) Zone B",
                "ZoneType": "AvailabilityZone",
            })
        );
        let unknown = cloud.refused("vpc", "DescribeZones", &[("RegionId", "xx-nowhere-1")]);
        assert_eq!(unknown, "InvalidRegionId.NotFound");
    }
}
