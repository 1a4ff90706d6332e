//! Machine images: shared with the account of the Shoot, and copied with encryption (`alicloud-cloud` 2.8).

use super::{Desired, Layout};
use crate::call::{Argument, Call};
use crate::collections::{Entries, NameMap};
use crate::plan::{Resource, ResourceKind};
use crate::policy::{Condition, Probe, Step};
use crate::provider::alicloud::infrastructure::pool_images::PoolImage;
use crate::provider::alicloud::infrastructure::steps::{IMAGES, Parameters, SHORT, create, reference, step};
use crate::provider::alicloud::rules::infrastructure_plan as rules;

const SHARE: ResourceKind = ResourceKind { name: "share of an image", billed: false, association: true };
const COPY: ResourceKind = ResourceKind { name: "encrypted image", billed: false, association: false };

/// Status of a stack that has created everything.
const COMPLETE: &str = "CREATE_COMPLETE";
/// Pointer to the id of the copy in the answer about a stack.
const IMAGE: &str = "/Outputs/OutputKey=ImageId/OutputValue";
/// Statuses of a stack that has failed, or that shows no copy although it has ended.
const FAILED: &[&str] = &["_FAILED", "ROLLBACK_COMPLETE"];
const ENDED: &[&str] =
    &[COMPLETE, "UPDATE_COMPLETE", "DELETE_COMPLETE", "IMPORT_CREATE_COMPLETE", "IMPORT_UPDATE_COMPLETE"];

/// What a stack creates: one copy of an image.
const TEMPLATE: &str = r#"{"ROSTemplateFormatVersion":"2015-09-01","Parameters":{"ImageId":{"Type":"String"},"DestinationRegionId":{"Type":"String"},"DestinationImageName":{"Type":"String"},"DestinationDescription":{"Type":"String"},"KMSKeyId":{"Type":"String","Default":null},"Encrypted":{"Type":"Boolean","Default":true},"Tag":{"Type":"Json","Default":[]}},"Resources":{"CopyImage":{"Type":"ALIYUN::ECS::CopyImage","Properties":{"ImageId":{"Ref":"ImageId"},"DestinationRegionId":{"Ref":"DestinationRegionId"},"DestinationImageName":{"Ref":"DestinationImageName"},"DestinationDescription":{"Ref":"DestinationDescription"},"KMSKeyId":{"Ref":"KMSKeyId"},"Encrypted":{"Ref":"Encrypted"},"Tag":{"Ref":"Tag"}}}},"Outputs":{"ImageId":{"Value":{"Fn::GetAtt":["CopyImage","ImageId"]}}}}"#;

/// Declares the shares and copies that are missing. Those that exist stay for ever.
pub fn declare(layout: &Layout<'_>, desired: &mut Desired<'_>) {
    for missing in &layout.images.missing {
        desired.findings.worker(&rules::PLAN_006, Some(missing.worker), missing.detail.clone());
    }
    for image in layout.images.images.iter().filter(|image| image.copy.is_none()) {
        let id = format!("images/{}/{}/{}", image.name, image.version, image.source);
        let seen = layout.world.images.iter().find(|seen| seen.id == image.source);
        let share = format!("{id}/share");
        if image.share
            && seen.is_some_and(|seen| !seen.visible)
            && desired.resources.iter().all(|resource| resource.id != share)
        {
            desired.resources.push(share_of(layout, &share, image));
        }
        if !image.encrypted {
            continue;
        }
        let name = image.stack(layout.input.region);
        if seen.is_some_and(|seen| seen.owner == "system") {
            desired.findings.worker(&rules::PLAN_007, None, image.owned_by_alibaba_cloud());
        }
        if layout.world.stacks.iter().filter(|stack| stack.name == name).count() > 1 {
            desired.findings.worker(&rules::PLAN_008, None, format!("more than one stack is named {name}"));
        }
        desired.resources.push(copy_of(layout, &format!("{id}/encrypted"), share, image));
    }
}

/// The share of an image, which its owner gives to the Shoot's account.
fn share_of(layout: &Layout<'_>, id: &str, image: &PoolImage<'_>) -> Resource {
    let accounts = Argument::List(vec![layout.world.account.as_str().into()]);
    let parameters = [("ImageId", image.source.into()), ("AddAccount", (&accounts).into())];
    let call =
        Call { account: Some("imageOwner"), ..layout.region.ecs("ModifyImageSharePermission", &parameters) };
    let look = layout.region.ecs("DescribeImages", &[("ImageId", image.source.into())]);
    let there = Condition::Present { present: "/ImageId" };
    let mut resource = Resource::new(id, &SHARE, image.source);
    resource.wanted = true;
    resource.create = vec![step(id, "share", call).until(IMAGES.probe(look, image.source.into(), there, SHORT))];
    resource
}

/// The encrypted copy of an image, which a stack of ROS makes.
fn copy_of(layout: &Layout<'_>, id: &str, share: String, image: &PoolImage<'_>) -> Resource {
    let region = layout.input.region;
    let (key, name) = (image.key(), image.stack(region));
    let stack_key = format!("Stacks/{name}");
    let known = layout.world.stacks.iter().find(|stack| stack.name == name);
    let stack = || known.map_or_else(|| reference(&stack_key), |stack| stack.id.as_str().into());
    let ros = |action, parameters: &Parameters<'_>| layout.region.call("ros", action, parameters);
    let until = Probe {
        call: ros("GetStack", &[("StackId", stack())]),
        item: None,
        success: vec![
            Condition::Among { at: "/Status", among: &[COMPLETE] },
            Condition::Present { present: IMAGE },
        ],
        failure: vec![
            Condition::Ends { at: "/Status", ends: FAILED },
            Condition::Among { at: "/Status", among: ENDED },
        ],
        record: [(key.clone(), IMAGE)].into_iter().collect(),
        interval: 10,
        limit: 15 * 60,
    };
    let first = if known.is_some() {
        step(id, "wait", ros("GetStack", &[("StackId", stack())]))
    } else {
        let pair = |names: [&'static str; 2], key: &str, value: &str| {
            Argument::Object(NameMap::from([(names[0], key.into()), (names[1], value.into())]))
        };
        let parameter = |key, value: &str| pair(["ParameterKey", "ParameterValue"], key, value);
        let tag = |key: &str, value: &str| pair(["Key", "Value"], key, value);
        let of_template = Argument::List(vec![
            parameter("ImageId", image.source),
            parameter("DestinationDescription", &image.description()),
            parameter("DestinationImageName", &image.destination(region)),
            parameter("DestinationRegionId", region),
        ]);
        let tags = Argument::List(vec![
            tag("gardener-managed", "true"),
            tag("do-not-delete", "true"),
            tag(image.name, image.version),
        ]);
        let parameters = [
            ("StackName", name.as_str().into()),
            ("TimeoutInMinutes", "120".into()),
            ("TemplateBody", TEMPLATE.into()),
            ("Parameters", (&of_template).into()),
            ("Tags", (&tags).into()),
        ];
        create(id, ros("CreateStack", &parameters), &stack_key, "/StackId")
    };
    let mut resource = Resource::new(id, &COPY, &image.destination(region));
    resource.wanted = true;
    resource.key = Some(key);
    resource.needs = vec![share];
    resource.create =
        vec![Step { until: Some(until), conclude: Entries::from_iter([(stack_key, None)]), ..first }];
    resource
}
