use serde_json::json;

use super::{cloud, group, texts, vpc};
use crate::settings::Settings;

#[test]
fn tags_are_set_listed_and_removed() {
    let cloud = cloud(Settings::default());
    let vpc = vpc(&cloud);
    let (one, two) = (group(&cloud, &vpc), group(&cloud, &vpc));
    let listed = |parameters: &[(&str, &str)]| {
        let parameters = [&[("ResourceType", "securitygroup")], parameters].concat();
        cloud.call("ecs", "ListTagResources", &parameters)
    };
    let tag = [
        ("ResourceType", "securitygroup"),
        ("ResourceId.1", one.as_str()),
        ("ResourceId.2", &two),
        ("Tag.1.Key", "kubernetes.io/cluster/a"),
        ("Tag.1.Value", "1"),
        ("Tag.2.Key", "Name"),
    ];
    cloud.call("ecs", "TagResources", &tag);
    assert_eq!(
        listed(&[("ResourceId.1", &one)])["TagResources"]["TagResource"],
        json!([
            { "ResourceId": one, "ResourceType": "securitygroup", "TagKey": "Name", "TagValue": "" },
            { "ResourceId": one, "ResourceType": "securitygroup", "TagKey": "kubernetes.io/cluster/a", "TagValue": "1" },
        ])
    );
    let untag = [("ResourceType", "securitygroup"), ("ResourceId.1", one.as_str())];
    cloud.call("ecs", "UntagResources", &untag);
    cloud.call("ecs", "UntagResources", &[untag.as_slice(), &[("TagKey.1", "Name"), ("All", "true")]].concat());
    let with = |filter: &[(&str, &str)]| texts(&listed(filter), "/TagResources/TagResource", "ResourceId");
    // Of what is found, the tags of the filter alone are listed.
    assert_eq!(with(&[("Tag.1.Key", "Name")]), [two.as_str()]);
    assert_eq!(
        with(&[("Tag.1.Key", "kubernetes.io/cluster/a"), ("Tag.1.Value", "1")]),
        [one.clone(), two.clone()]
    );
    assert_eq!(with(&[("ResourceId.1", &two)]).len(), 2);
    cloud.call("ecs", "UntagResources", &[untag.as_slice(), &[("All", "true")]].concat());
    assert_eq!(with(&[("ResourceId.1", &one)]), [""; 0]);
    cloud.call("ecs", "TagResources", &[("ResourceType", "image"), ("ResourceId.1", "m-own"), ("Tag.1.Key", "k")]);
    let answer = cloud.call("ecs", "DescribeImages", &[("Tag.1.Key", "k")]);
    assert_eq!(texts(&answer, "/Images/Image", "ImageId"), ["m-own"]);
}

#[test]
fn tags_are_listed_in_pages() {
    let cloud = cloud(Settings::default());
    let vpc = vpc(&cloud);
    for _ in 0..51 {
        cloud.call("ecs", "CreateSecurityGroup", &[("VpcId", &vpc), ("Tag.1.Key", "k")]);
    }
    let list = [("ResourceType", "securitygroup"), ("Tag.1.Key", "k")];
    let first = cloud.call("ecs", "ListTagResources", &list);
    let token = first["NextToken"].as_str().unwrap();
    let rest = cloud.call("ecs", "ListTagResources", &[list.as_slice(), &[("NextToken", token)]].concat());
    assert_eq!(rest["TagResources"]["TagResource"].as_array().unwrap().len(), 1);
    assert_eq!(rest["NextToken"], "");
}

#[test]
fn what_cannot_be_tagged_is_refused() {
    let cloud = cloud(Settings::default());
    let many: Vec<String> = (1..=51).map(|n| format!("ResourceId.{n}")).collect();
    let many: Vec<(&str, &str)> = many.iter().map(|name| (name.as_str(), "m-own")).collect();
    let keys: Vec<String> = (1..=21).map(|n| format!("{n}")).collect();
    let tags: Vec<String> = (1..=21).map(|n| format!("Tag.{n}.Key")).collect();
    let tags: Vec<(&str, &str)> =
        tags.iter().zip(&keys).map(|(name, key)| (name.as_str(), key.as_str())).collect();
    let names: Vec<String> = (1..=21).map(|n| format!("TagKey.{n}")).collect();
    let names: Vec<(&str, &str)> =
        names.iter().zip(&keys).map(|(name, key)| (name.as_str(), key.as_str())).collect();
    let image = &[("ResourceType", "image")][..];
    let own = &[("ResourceType", "image"), ("ResourceId.1", "m-own")][..];
    let none = &[("ResourceType", "image"), ("ResourceId.1", "m-none")][..];
    let disk = &[("ResourceType", "moon"), ("ResourceId.1", "m-own")][..];
    let key = &[("Tag.1.Key", "k")][..];
    for (action, parameters, code) in [
        ("TagResources", [none, key].concat(), "InvalidResourceId.NotFound"),
        ("TagResources", [disk, key].concat(), "InvalidResourceType.NotFound"),
        ("TagResources", [image, &many, key].concat(), "NumberExceed.ResourceIds"),
        ("TagResources", [own, &tags].concat(), "NumberExceed.Tags"),
        ("TagResources", [own, key, &[("Tag.2.Key", "k")]].concat(), "Duplicate.TagKey"),
        ("TagResources", own.to_vec(), "MissingTag"),
        ("UntagResources", none.to_vec(), "InvalidResourceId.NotFound"),
        ("UntagResources", disk.to_vec(), "InvalidResourceType.NotFound"),
        ("UntagResources", [image, &many].concat(), "NumberExceed.ResourceIds"),
        ("UntagResources", [own, &names].concat(), "NumberExceed.Tags"),
        ("ListTagResources", image.to_vec(), "MissingParameter"),
        ("ListTagResources", disk.to_vec(), "InvalidResourceType.NotFound"),
        ("ListTagResources", [image, &many].concat(), "NumberExceed.ResourceIds"),
        ("ListTagResources", [own, &[("NextToken", "x")]].concat(), "InvalidParameter.NextToken"),
    ] {
        assert_eq!(cloud.refused("ecs", action, &parameters), code, "{action} {parameters:?}");
    }
    cloud.call("ecs", "TagResources", &[own, &tags[..20]].concat());
    assert_eq!(cloud.refused("ecs", "TagResources", &[own, key].concat()), "OperationDenied.QuotaExceed");
    cloud.call("ecs", "TagResources", &[own, &tags[..1]].concat());
}
