//! Images are created as copies, and deleted: `CopyImage`, `DeleteImage`.

use std::collections::BTreeMap;
use std::time::Duration;

use serde_json::{Value, json};

use super::images::NOT_FOUND;
use super::visible_images::VisibleImage;
use super::{DESCRIPTION, DUPLICATE_TAG, NAME, distinct_tags};
use crate::action::{
    Action, BOOLEAN, Call, CloudError, ErrorCode, Shape, TAGS, TEXT, TOKEN, common, field, optional, required,
};
use crate::regions::region;
use crate::resource::{Status, Tags};
use crate::settings::Quota;
use crate::world::World;
use crate::world::ecs::Image;

/// The actions of this file.
pub const ACTIONS: &[Action] = &[COPY, DELETE];

/// Custom images of an account in a region.
pub(super) const QUOTA: Quota = Quota::new("images", 100);

const STATUS: ErrorCode = ErrorCode::new(400, "IncorrectImageStatus", "The image not available.");
const BAD_NAME: ErrorCode =
    ErrorCode::new(400, "InvalidImageName.Malformed", "The specified destination Image name is wrongly formed.");
const NAME_TAKEN: ErrorCode =
    ErrorCode::new(400, "InvalidImageName.Duplicated", "The destination image is exist.");
const BAD_DESCRIPTION: ErrorCode = ErrorCode::new(
    400,
    "InvalidDescription.Malformed",
    "The specified destination description is wrongly formed.",
);
const NO_DESTINATION: ErrorCode =
    ErrorCode::new(400, "DestinationRegion.NotFound", "The destination region not found");
const SAME_REGION_ONLY: ErrorCode = ErrorCode::new(
    403,
    "OperationDenied.SameRegionOnly",
    "The image shared from others can not be copied to another region directly.",
);
const QUOTA_EXCEEDED: ErrorCode = ErrorCode::new(403, "QuotaExceed.Image", "The Image Quota exceeds.");
const COPYING: ErrorCode = ErrorCode::new(403, "OperationDenied.ImageCopying", "The Image is coping.");
const SHARED: ErrorCode = ErrorCode::new(403, "ImageUseShared", "The specified image has been shared to others.");
const USED: ErrorCode =
    ErrorCode::new(403, "ImageUsingByInstance", "The specified image has been used to create instances.");

/// How long a copy takes.
pub(crate) const COPY_TAKES: Duration = Duration::from_mins(2);

/// A copy of an image that is to be made.
#[derive(Debug)]
pub(crate) struct ImageCopy<'a> {
    /// The account that makes the copy.
    pub(crate) account: &'a str,
    /// The image.
    pub(crate) image_id: &'a str,
    /// The region of the image.
    pub(crate) from: &'a str,
    /// The region of the copy.
    pub(crate) to: &'a str,
    /// The name of the copy.
    pub(crate) name: &'a str,
    /// What the copy is for.
    pub(crate) description: &'a str,
    /// Whether it is encrypted; without this, as the image is.
    pub(crate) encrypted: Option<bool>,
    /// The key of the encryption; empty for the service's own.
    pub(crate) kms_key_id: &'a str,
    /// Its tags.
    pub(crate) tags: Tags,
}

impl ImageCopy<'_> {
    /// Starts the copy, and returns its identifier.
    pub(crate) fn start(self, world: &mut World, call: &Call<'_>, takes: Duration) -> Result<String, CloudError> {
        let found = VisibleImage::find(world, self.account, self.from, self.image_id).ok_or(&NOT_FOUND)?;
        let original = match found {
            VisibleImage::Shared(..) if self.from != self.to => return Err((&SAME_REGION_ONLY).into()),
            VisibleImage::Own(image) | VisibleImage::Shared(image, _) => image,
            // Only custom images can be copied.
            VisibleImage::System(_) => return Err((&NOT_FOUND).into()),
        };
        if original.phase.status != Status::Available {
            return Err((&STATUS).into());
        }
        region(self.to).ok_or(&NO_DESTINATION)?;
        let there = world.in_region(self.to).find(|(account, _)| *account == self.account);
        let count = there.map_or(0, |(_, region)| region.ecs.images.len());
        let same_name =
            there.is_some_and(|(_, region)| region.ecs.images.iter().any(|image| image.image_name == self.name));
        if same_name && !self.name.is_empty() {
            return Err((&NAME_TAKEN).into());
        }
        call.within(&QUOTA, count, &QUOTA_EXCEEDED)?;
        let mut copy = Image {
            image_name: self.name.to_owned(),
            description: self.description.to_owned(),
            is_copied: true,
            encrypted: self.encrypted.unwrap_or(original.encrypted),
            kms_key_id: self.kms_key_id.to_owned(),
            shared: BTreeMap::new(),
            creation_time: call.time(),
            tags: self.tags,
            phase: call.turn(Status::Creating, takes, Status::Available),
            ..original.clone()
        };
        copy.image_id = world.id("m-");
        let id = copy.image_id.clone();
        world.account_mut(self.account).region_mut(self.to).ecs.images.insert(copy);
        Ok(id)
    }
}

const COPY: Action = Action::write("CopyImage", copy)
    .parameters(&[
        required("RegionId", TEXT),
        required("ImageId", TEXT),
        optional("DestinationRegionId", TEXT),
        optional("DestinationImageName", NAME).malformed(&BAD_NAME),
        optional("DestinationDescription", DESCRIPTION).malformed(&BAD_DESCRIPTION),
        optional("Encrypted", BOOLEAN),
        optional("KMSKeyId", TEXT),
        optional("DryRun", BOOLEAN),
        optional("ClientToken", TOKEN),
        TAGS,
    ])
    .left_out(&["EncryptAlgorithm", "ResourceGroupId"])
    .answer(&[field("ImageId", Shape::Text)])
    .errors(&[
        &NOT_FOUND,
        &STATUS,
        &NO_DESTINATION,
        &SAME_REGION_ONLY,
        &NAME_TAKEN,
        &QUOTA_EXCEEDED,
        &BAD_NAME,
        &BAD_DESCRIPTION,
        &DUPLICATE_TAG,
    ])
    .through(&[Status::Creating, Status::Available])
    .takes(COPY_TAKES);

fn copy(world: &mut World, call: &Call<'_>) -> Result<Value, CloudError> {
    distinct_tags(call)?;
    if call.has("KMSKeyId") && call.flag("Encrypted") != Some(true) {
        return Err(common::INVALID_PARAMETER.because("KMSKeyId is only for a copy with Encrypted=true."));
    }
    let copy = ImageCopy {
        account: &call.caller.account,
        image_id: call.text("ImageId"),
        from: call.region,
        to: call.given("DestinationRegionId").unwrap_or(call.region),
        name: call.text("DestinationImageName"),
        description: call.text("DestinationDescription"),
        encrypted: call.flag("Encrypted"),
        kms_key_id: call.text("KMSKeyId"),
        tags: Tags::read(call),
    };
    Ok(json!({ "ImageId": copy.start(world, call, call.takes())? }))
}

const DELETE: Action = Action::write("DeleteImage", delete)
    .parameters(&[
        required("RegionId", TEXT),
        required("ImageId", TEXT),
        optional("Force", BOOLEAN),
        optional("DryRun", BOOLEAN),
    ])
    .errors(&[&COPYING, &SHARED, &USED]);

/// The deletion of an image that does not exist succeeds.
fn delete(world: &mut World, call: &Call<'_>) -> Result<Value, CloudError> {
    let ecs = &world.region(call).ecs;
    let id = call.text("ImageId");
    let Some(image) = ecs.images.get(id) else { return Ok(json!({})) };
    if image.phase.status == Status::Creating {
        return Err((&COPYING).into());
    }
    if call.flag("Force") != Some(true) {
        if !image.shared.is_empty() {
            return Err((&SHARED).into());
        }
        if ecs.instances.iter().any(|instance| instance.image_id == id) {
            return Err((&USED).into());
        }
    }
    world.region_mut(call).ecs.images.remove(id);
    Ok(json!({}))
}
