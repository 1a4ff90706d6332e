//! Images: `DescribeImages`.

use jiff::Timestamp;
use serde_json::{Value, json};

use super::instance_types::instance_type;
use super::long_tags::LONG_TAGS;
use super::same;
use super::visible_images::{VisibleImage, visible};
use crate::action::{
    Action, COUNT, Call, CloudError, ErrorCode, Form, INTEGER, Rule, Shape, TAG_FILTER, TEXT, field, items, like,
    optional, page, record, required,
};
use crate::resource::Tags;
use crate::world::World;

/// The actions of this file.
pub const ACTIONS: &[Action] = &[DESCRIBE];

pub(super) const NOT_FOUND: ErrorCode =
    ErrorCode::new(404, "InvalidImageId.NotFound", "The specified ImageId does not exist.");

const DISK: Shape = record(&[
    field("Device", Shape::Text),
    field("Encrypted", Shape::Boolean),
    field("Format", Shape::Text),
    field("ImportOSSBucket", Shape::Text),
    field("ImportOSSObject", Shape::Text),
    field("Progress", Shape::Text),
    field("Size", Shape::Text),
    field("SnapshotId", Shape::Text),
    field("Type", Shape::Text),
]);

const IMAGE: Shape = record(&[
    field("Architecture", Shape::Text),
    field("BootMode", Shape::Text),
    field("CreationTime", Shape::Text),
    field("Description", Shape::Text),
    field("DiskDeviceMappings", record(&[field("DiskDeviceMapping", items(&DISK))])),
    field("ImageFamily", Shape::Text),
    field("ImageId", Shape::Text),
    field("ImageName", Shape::Text),
    field("ImageOwnerAlias", Shape::Text),
    field("ImageOwnerId", Shape::Integer),
    field("ImageVersion", Shape::Text),
    field("IsCopied", Shape::Boolean),
    field("IsPublic", Shape::Boolean),
    field("IsSelfShared", Shape::Text),
    field("IsSubscribed", Shape::Boolean),
    field("IsSupportCloudinit", Shape::Boolean),
    field("IsSupportIoOptimized", Shape::Boolean),
    field("OSName", Shape::Text),
    field("OSNameEn", Shape::Text),
    field("OSType", Shape::Text),
    field("Platform", Shape::Text),
    field("ProductCode", Shape::Text),
    field("Progress", Shape::Text),
    field("ResourceGroupId", Shape::Text),
    field("Size", Shape::Integer),
    field("Status", Shape::Text),
    field("Tags", LONG_TAGS),
    field("Usage", Shape::Text),
]);

/// The statuses that images are asked for by.
const STATUSES: [&str; 7] =
    ["Creating", "Waiting", "Available", "UnAvailable", "CreateFailed", "Deprecated", "ALL"];

const DESCRIBE: Action = Action::read("DescribeImages", describe)
    .parameters(&[
        required("RegionId", TEXT),
        optional("ImageId", Form::Commas(100)),
        optional("ImageName", TEXT),
        optional("ImageFamily", TEXT),
        optional("ImageOwnerAlias", Form::OneOf(&["system", "self", "others", "marketplace"])),
        optional("ImageOwnerId", INTEGER),
        optional("Architecture", Form::OneOf(&["i386", "x86_64", "arm64"])),
        optional("OSType", Form::OneOf(&["linux", "windows"])),
        optional("InstanceType", TEXT),
        optional(
            "Status",
            Form::Text(&Rule {
                what: "statuses of images with commas between them, or ALL",
                check: |text| text.split(',').all(|status| STATUSES.contains(&status)),
            }),
        )
        .or("Available"),
        optional("Usage", Form::OneOf(&["instance", "none"])),
        optional("PageNumber", COUNT).or("1"),
        optional("PageSize", Form::Integer(1, 100)).or("10"),
        TAG_FILTER,
    ])
    .left_out(&[
        "ActionType",
        "DryRun",
        "Filter",
        "IsPublic",
        "IsSupportCloudinit",
        "IsSupportIoOptimized",
        "ResourceGroupId",
        "ShowExpired",
        "SnapshotId",
        "Usable",
    ])
    .answer(&[
        field("TotalCount", Shape::Integer),
        field("PageNumber", Shape::Integer),
        field("PageSize", Shape::Integer),
        field("RegionId", Shape::Text),
        field("Images", record(&[field("Image", items(&IMAGE))])),
    ]);

fn describe(world: &World, call: &Call<'_>) -> Result<Value, CloudError> {
    let caller = call.caller.account.as_str();
    let ids = call.texts("ImageId");
    let statuses: Vec<&str> = call.text("Status").split(',').collect();
    let wanted = call.given("InstanceType").map(instance_type);
    let rows = visible(world, caller, call.region).filter(|image| {
        (ids.is_empty() || ids.iter().any(|id| id == image.id()))
            && call.given("ImageName").is_none_or(|name| like(name, image.name()))
            && same(call, "ImageFamily", image.family())
            && same(call, "ImageOwnerAlias", image.alias())
            && call.integer("ImageOwnerId").is_none_or(|owner| image.owner(caller) == Some(owner))
            && same(call, "Architecture", image.architecture())
            && same(call, "OSType", image.os().1)
            && wanted.is_none_or(|kind| kind.is_some_and(|kind| kind.runs(image.architecture())))
            && (statuses.contains(&"ALL") || statuses.contains(&image.status().as_str()))
            && call.given("Usage").is_none_or(|usage| usage == self::usage(world, call, *image))
            && match image {
                VisibleImage::Own(image) => image.tags.matches(call),
                VisibleImage::Shared(..) | VisibleImage::System(_) => Tags::default().matches(call),
            }
    });
    let mut answer = page(call, rows, |image| answer(image, caller, usage(world, call, image), call.now))
        .answer("Images", "Image");
    if let Some(answer) = answer.as_object_mut() {
        answer.insert("RegionId".to_owned(), json!(call.region));
    }
    Ok(answer)
}

/// Whether instances of the caller use an image.
fn usage(world: &World, call: &Call<'_>, image: VisibleImage<'_>) -> &'static str {
    let used = world.region(call).ecs.instances.iter().any(|instance| instance.image_id == image.id());
    if used { "instance" } else { "none" }
}

fn answer(image: VisibleImage<'_>, caller: &str, usage: &str, now: Timestamp) -> Value {
    let custom = image.custom();
    let progress = custom.map_or_else(|| "100%".to_owned(), |image| image.progress(now));
    let (os_name, os_type) = image.os();
    let arm = image.architecture() == "arm64";
    let (created, platform, shared) = match image {
        VisibleImage::Own(image) => {
            let shared = if image.shared.is_empty() { "False" } else { "True" };
            (image.creation_time.as_str(), image.platform.as_str(), shared)
        }
        VisibleImage::Shared(image, _) => (image.creation_time.as_str(), image.platform.as_str(), ""),
        VisibleImage::System(image) => (image.created, image.platform, ""),
    };
    let disks: Vec<Value> = custom
        .iter()
        .map(|image| {
            json!({
                "Device": "/dev/xvda",
                "Encrypted": image.encrypted,
                "Format": "",
                "ImportOSSBucket": "",
                "ImportOSSObject": "",
                "Progress": progress,
                "Size": image.size.to_string(),
                "SnapshotId": image.image_id.replacen("m-", "s-", 1),
                "Type": "system",
            })
        })
        .collect();
    json!({
        "Architecture": image.architecture(),
        "BootMode": if arm { "UEFI" } else { "BIOS" },
        "CreationTime": created,
        "Description": custom.map_or("", |image| &image.description),
        "DiskDeviceMappings": { "DiskDeviceMapping": disks },
        "ImageFamily": image.family(),
        "ImageId": image.id(),
        "ImageName": image.name(),
        "ImageOwnerAlias": image.alias(),
        "ImageOwnerId": image.owner(caller),
        "ImageVersion": "",
        "IsCopied": custom.is_some_and(|image| image.is_copied),
        "IsPublic": custom.is_none(),
        "IsSelfShared": shared,
        "IsSubscribed": false,
        "IsSupportCloudinit": true,
        "IsSupportIoOptimized": true,
        "OSName": os_name,
        "OSNameEn": os_name,
        "OSType": os_type,
        "Platform": platform,
        "ProductCode": "",
        "Progress": progress,
        "ResourceGroupId": "",
        "Size": image.size(),
        "Status": image.status(),
        "Tags": match image {
            VisibleImage::Own(image) => image.tags.listed_long(),
            VisibleImage::Shared(..) | VisibleImage::System(_) => Tags::default().listed_long(),
        },
        "Usage": usage,
    })
}
