use serde_json::{Value, json};

use crate::cloud::{Accounts, Clock, Cloud, seed};
use crate::settings::Settings;
use crate::testing::{ACCOUNT, TestCloud};
use crate::world::World;

const IMAGE: &str = "m-original";

/// A cloud with an image in it.
fn cloud(settings: Settings) -> TestCloud {
    let image = |id| json!([{ "id": id, "name": "gardenlinux", "region": "cn-shanghai" }]);
    let accounts = json!({ "accounts": [
        { "id": ACCOUNT, "accessKeys": [], "images": image(IMAGE) },
        { "id": "2", "accessKeys": [], "images": image("m-other") },
    ] });
    let accounts: Accounts = serde_json::from_value(accounts).unwrap();
    let mut world = World::default();
    seed(&mut world, &accounts);
    let clock = Clock::still("2026-01-02T03:04:05Z".parse().unwrap());
    TestCloud { cloud: Cloud::new(world, clock, settings) }
}

/// The template that the infrastructure of a shoot uses.
fn template() -> Value {
    let properties = [
        "KMSKeyId",
        "DestinationRegionId",
        "Encrypted",
        "ImageId",
        "DestinationDescription",
        "Tag",
        "DestinationImageName",
    ];
    let references: serde_json::Map<String, Value> =
        properties.iter().map(|name| ((*name).to_owned(), json!({ "Ref": name }))).collect();
    json!({
        "ROSTemplateFormatVersion": "2015-09-01",
        "Parameters": {
            "KMSKeyId": { "Type": "String", "Default": null },
            "DestinationRegionId": { "Type": "String" },
            "Encrypted": { "Type": "Boolean", "Default": true },
            "ImageId": { "Type": "String" },
            "DestinationDescription": { "Type": "String" },
            "Tag": { "Type": "Json", "Default": [] },
            "DestinationImageName": { "Type": "String" },
        },
        "Resources": { "CopyImage": { "Type": "ALIYUN::ECS::CopyImage", "Properties": references } },
        "Outputs": { "ImageId": { "Value": { "Fn::GetAtt": ["CopyImage", "ImageId"] } } },
    })
}

fn try_create(
    cloud: &TestCloud,
    name: &str,
    image: &str,
    region: &str,
    more: &[(&str, &str)],
) -> Result<String, String> {
    let body = template().to_string();
    let create = [
        ("StackName", name),
        ("TemplateBody", &body),
        ("TimeoutInMinutes", "120"),
        ("Parameters.1.ParameterKey", "ImageId"),
        ("Parameters.1.ParameterValue", image),
        ("Parameters.2.ParameterKey", "DestinationDescription"),
        ("Parameters.2.ParameterValue", "a copy"),
        ("Parameters.3.ParameterKey", "DestinationImageName"),
        ("Parameters.3.ParameterValue", name),
        ("Parameters.4.ParameterKey", "DestinationRegionId"),
        ("Parameters.4.ParameterValue", region),
    ];
    let answer = cloud.try_call("ros", "CreateStack", &[&create, more].concat());
    answer.map(|answer| answer["StackId"].as_str().unwrap().to_owned()).map_err(|error| error.code().to_owned())
}

fn create(cloud: &TestCloud, name: &str, more: &[(&str, &str)]) -> String {
    try_create(cloud, name, IMAGE, "cn-shanghai", more).unwrap()
}

fn got(cloud: &TestCloud, id: &str) -> Value {
    cloud.call("ros", "GetStack", &[("StackId", id)])
}

fn images(cloud: &TestCloud, region: &str) -> Vec<Value> {
    let answer = cloud.call("ecs", "DescribeImages", &[("RegionId", region), ("ImageOwnerAlias", "self")]);
    answer["Images"]["Image"].as_array().unwrap().clone()
}

#[test]
fn a_stack_copies_an_image_and_takes_it_along_when_it_goes() {
    let cloud = cloud(Settings::default());
    let id = create(&cloud, "encrypt_image_1", &[("Tags.1.Key", "gardener-managed"), ("Tags.1.Value", "true")]);
    let stack = got(&cloud, &id);
    assert_eq!(stack["Status"], "CREATE_IN_PROGRESS");
    assert_eq!(stack["Outputs"], json!([]));
    assert_eq!(stack["Tags"], json!([{ "Key": "gardener-managed", "Value": "true" }]));
    assert_eq!(stack["CreateTime"], "2026-01-02T03:04:05");
    assert_eq!(cloud.refused("ros", "DeleteStack", &[("StackId", &id)]), "ActionInProgress");
    cloud.step(600);
    let stack = got(&cloud, &id);
    assert_eq!(stack["Status"], "CREATE_COMPLETE");
    let output = &stack["Outputs"][0];
    assert_eq!(output["OutputKey"], "ImageId");
    let reported = images(&cloud, "cn-shanghai");
    let copy = reported.iter().find(|image| image["ImageId"] == output["OutputValue"]).unwrap();
    assert_eq!((&copy["ImageName"], &copy["Status"]), (&json!("encrypt_image_1"), &json!("Available")));
    assert_eq!(copy["Description"], "a copy");
    let disabled = cloud.call("ros", "GetStack", &[("StackId", &id), ("OutputOption", "Disabled")]);
    assert_eq!(disabled["Outputs"], json!([]));
    let parameters = stack["Parameters"].as_array().unwrap();
    assert!(parameters.contains(&json!({ "ParameterKey": "Encrypted", "ParameterValue": "true" })));
    assert!(parameters.contains(&json!({ "ParameterKey": "ALIYUN::Region", "ParameterValue": "cn-shanghai" })));

    cloud.call("ros", "DeleteStack", &[("StackId", &id)]);
    assert_eq!(got(&cloud, &id)["Status"], "DELETE_IN_PROGRESS");
    cloud.step(10);
    assert_eq!(got(&cloud, &id)["Status"], "DELETE_COMPLETE");
    assert_eq!(images(&cloud, "cn-shanghai").len(), 1);
    assert_eq!(cloud.refused("ros", "DeleteStack", &[("StackId", &id)]), "StackNotFound");
    create(&cloud, "encrypt_image_1", &[]);
}

#[test]
fn a_copy_may_be_in_another_region_and_stay() {
    let cloud = cloud(Settings::default());
    let id = try_create(&cloud, "one", IMAGE, "cn-beijing", &[]).unwrap();
    cloud.step(600);
    assert_eq!(images(&cloud, "cn-beijing").len(), 1);
    cloud.call("ros", "DeleteStack", &[("StackId", &id), ("RetainResources.1", "CopyImage")]);
    assert_eq!(images(&cloud, "cn-beijing").len(), 1);
}

#[test]
fn a_stack_whose_image_is_shared_cannot_be_deleted() {
    let cloud = cloud(Settings::default());
    let plain = [("Parameters.5.ParameterKey", "Encrypted"), ("Parameters.5.ParameterValue", "false")];
    let id = create(&cloud, "one", &plain);
    cloud.step(600);
    let image = got(&cloud, &id)["Outputs"][0]["OutputValue"].as_str().unwrap().to_owned();
    cloud.call("ecs", "ModifyImageSharePermission", &[("ImageId", &image), ("AddAccount.1", "2")]);
    cloud.call("ros", "DeleteStack", &[("StackId", &id)]);
    cloud.step(10);
    let stack = got(&cloud, &id);
    assert_eq!(stack["Status"], "DELETE_FAILED");
    assert!(stack["StatusReason"].as_str().unwrap().contains(&image), "{stack}");
    assert_eq!(images(&cloud, "cn-shanghai").len(), 2);
    cloud.call("ros", "DeleteStack", &[("StackId", &id), ("RetainAllResources", "true")]);
    cloud.step(10);
    assert_eq!(got(&cloud, &id)["Status"], "DELETE_COMPLETE");
}

#[test]
fn a_stack_without_an_image_to_copy_fails() {
    let cloud = cloud(Settings::default());
    for (rollback, then, last) in [
        ("false", "CREATE_ROLLBACK_IN_PROGRESS", "CREATE_ROLLBACK_COMPLETE"),
        ("true", "CREATE_FAILED", "CREATE_FAILED"),
    ] {
        let more = [("DisableRollback", rollback)];
        let id = try_create(&cloud, &format!("stack-{rollback}"), "m-none", "cn-shanghai", &more).unwrap();
        assert_eq!(got(&cloud, &id)["Status"], "CREATE_IN_PROGRESS");
        cloud.step(10);
        assert_eq!(got(&cloud, &id)["Status"], then);
        cloud.step(10);
        let stack = got(&cloud, &id);
        assert_eq!(stack["Status"], last);
        assert!(stack["StatusReason"].as_str().unwrap().contains("InvalidImageId.NotFound"), "{stack}");
        assert_eq!(stack["Outputs"], json!([]));
    }
}

#[test]
fn stacks_are_found_by_what_they_have() {
    let cloud = cloud(Settings::default());
    let one = create(&cloud, "one", &[("Tags.1.Key", "k")]);
    cloud.step(600);
    let two = create(&cloud, "two", &[]);
    let found = |parameters: &[(&str, &str)]| -> Vec<String> {
        let answer = cloud.call("ros", "ListStacks", parameters);
        let rows = answer["Stacks"].as_array().unwrap().iter();
        rows.map(|row| row["StackName"].as_str().unwrap().to_owned()).collect()
    };
    for (parameters, names) in [
        (&[][..], &["one", "two"][..]),
        (&[("StackName.1", "two")], &["two"]),
        (&[("StackName.1", "o*"), ("StackName.2", "x")], &["one"]),
        (&[("StackId", one.as_str())], &["one"]),
        (&[("StackIds.1", two.as_str())], &["two"]),
        (&[("Status.1", "CREATE_COMPLETE")], &["one"]),
        (&[("Tag.1.Key", "k")], &["one"]),
        (&[("StartTime", "2026-01-02T03:10:00Z")], &["two"]),
        (&[("EndTime", "2026-01-02T03:10:00Z")], &["one"]),
        (&[("PageSize", "1"), ("PageNumber", "2")], &["two"]),
    ] {
        assert_eq!(found(parameters), names, "{parameters:?}");
    }
    cloud.call("ros", "DeleteStack", &[("StackId", &one)]);
    cloud.step(10);
    assert_eq!(found(&[]), ["two"]);
    assert_eq!(found(&[("Status.1", "DELETE_COMPLETE")]), ["one"]);
    assert_eq!(found(&[("StackId", &one)]), ["one"]);
    assert_eq!(cloud.refused("ros", "ListStacks", &[("PageSize", "51")]), "InvalidPageSize");
}

#[test]
fn what_is_wrong_with_a_stack_is_said() {
    let cloud = cloud(Settings { quotas: [("stacks".to_owned(), 1)].into(), ..Settings::default() });
    let id = create(&cloud, "one", &[("DeletionProtection", "Enabled")]);
    cloud.step(600);
    let shanghai = "cn-shanghai";
    assert_eq!(try_create(&cloud, "one", IMAGE, shanghai, &[]).unwrap_err(), "StackExists");
    assert_eq!(try_create(&cloud, "two", IMAGE, shanghai, &[]).unwrap_err(), "QuotaExceeded");
    assert_eq!(try_create(&cloud, "two words", IMAGE, shanghai, &[]).unwrap_err(), "InvalidStackName");
    let more = [("Parameters.5.ParameterKey", "Colour"), ("Parameters.5.ParameterValue", "red")];
    assert_eq!(try_create(&cloud, "two", IMAGE, shanghai, &more).unwrap_err(), "StackValidationFailed");
    for (name, body, code) in [
        ("two", "", "MissingTemplateBody"),
        ("two", "Resources: {}", "InvalidTemplate"),
        ("two", &template().to_string(), "StackValidationFailed"),
    ] {
        let create = [("StackName", name), ("TemplateBody", body)];
        assert_eq!(cloud.refused("ros", "CreateStack", &create), code, "{body}");
    }
    assert_eq!(cloud.refused("ros", "DeleteStack", &[("StackId", &id)]), "StackDeletionProtected");
    for action in ["GetStack", "DeleteStack"] {
        assert_eq!(cloud.refused("ros", action, &[("StackId", "one")]), "InvalidParameter");
        let unknown = [("StackId", "00000000-0000-0000-0000-000000000000")];
        assert_eq!(cloud.refused("ros", action, &unknown), "StackNotFound");
    }
}

#[test]
fn a_template_is_checked_before_anything_is_made() {
    let cloud = cloud(Settings::default());
    let unknown_region = try_create(&cloud, "one", IMAGE, "cn-nowhere", &[]);
    assert_eq!(unknown_region.unwrap_err(), "StackValidationFailed");
    let body = json!({
        "ROSTemplateFormatVersion": "2015-09-01",
        "Resources": { "Copy": { "Type": "ALIYUN::ECS::CopyImage", "Properties": {
            "ImageId": IMAGE, "DestinationRegionId": { "Ref": "ALIYUN::Region" },
        }}},
        "Outputs": { "Size": { "Value": { "Fn::GetAtt": ["Copy", "Size"] } } },
    });
    let create = [("StackName", "one"), ("TemplateBody", &body.to_string())];
    assert_eq!(cloud.refused("ros", "CreateStack", &create), "StackValidationFailed");
    assert_eq!(images(&cloud, "cn-shanghai").len(), 1);
}
