//! Images for other accounts: `ModifyImageSharePermission`, `DescribeImageSharePermission`.

use serde_json::{Value, json};

use super::images::NOT_FOUND;
use super::visible_images::VisibleImage;
use crate::action::{
    Action, BOOLEAN, COUNT, Call, CloudError, ErrorCode, Form, Shape, TEXT, field, items, list, optional, page,
    record, required,
};
use crate::settings::Quota;
use crate::world::World;
use crate::world::ecs::Image;

/// The actions of this file.
pub const ACTIONS: &[Action] = &[MODIFY, DESCRIBE];

/// How many accounts an image may be shared with.
pub(super) const QUOTA: Quota = Quota::new("imageShares", 50);

const PUBLIC: ErrorCode = ErrorCode::new(403, "Image.Public", "The specified image is public image.");
const UNKNOWN_ACCOUNT: ErrorCode = ErrorCode::new(
    404,
    "InvalidAccount.NotFound",
    "The specified account in parameter \"AddAccount.n\" or \"RemoveAccount.n\" does not exist.",
);
const OWN_ACCOUNT: ErrorCode =
    ErrorCode::new(404, "InvalidAccount.Forbbiden", "The specified Account does not yourself.");
const TOO_MANY: ErrorCode =
    ErrorCode::new(403, "QuotaExceed.ShareImageUser", "The shared Image user Quota exceeds.");
const ENCRYPTED: ErrorCode = ErrorCode::new(
    403,
    "OperationDeined.EncryptedSnapshot",
    "The image contains encrypted snapshots, which do not support share.",
);

/// The number of accounts that a call may name; further ones are ignored.
const HEEDED: usize = 10;

const MODIFY: Action = Action::write("ModifyImageSharePermission", modify)
    .parameters(&[
        required("RegionId", TEXT),
        required("ImageId", TEXT),
        optional("AddAccount", list(100, &TEXT)),
        optional("RemoveAccount", list(100, &TEXT)),
        optional("DryRun", BOOLEAN),
    ])
    .left_out(&["IsPublic", "LaunchPermission"])
    .errors(&[&NOT_FOUND, &PUBLIC, &UNKNOWN_ACCOUNT, &OWN_ACCOUNT, &TOO_MANY, &ENCRYPTED]);

fn modify(world: &mut World, call: &Call<'_>) -> Result<Value, CloudError> {
    let image = own(world, call)?;
    let add = call.texts("AddAccount").iter().take(HEEDED);
    let remove = call.texts("RemoveAccount").iter().take(HEEDED);
    for account in add.clone().chain(remove.clone()) {
        if *account == call.caller.account {
            return Err((&OWN_ACCOUNT).into());
        }
        if !world.knows(account) {
            return Err(UNKNOWN_ACCOUNT.because(format!(
                "The specified account {account} in parameter \"AddAccount.n\" or \"RemoveAccount.n\" does not exist."
            )));
        }
    }
    if add.len() > 0 && image.encrypted && image.kms_key_id.is_empty() {
        return Err((&ENCRYPTED).into());
    }
    let mut shared = image.shared.clone();
    for account in add {
        if !shared.contains_key(account) {
            call.within(&QUOTA, shared.len(), &TOO_MANY)?;
            shared.insert(account.clone(), call.time());
        }
    }
    for account in remove {
        shared.remove(account);
    }
    if let Some(image) = world.region_mut(call).ecs.images.get_mut(call.text("ImageId")) {
        image.shared = shared;
    }
    Ok(json!({}))
}

/// The image of a call, which has to be the caller's own.
fn own<'a>(world: &'a World, call: &'a Call<'_>) -> Result<&'a Image, CloudError> {
    match VisibleImage::find(world, &call.caller.account, call.region, call.text("ImageId")) {
        Some(VisibleImage::Own(image)) => Ok(image),
        Some(VisibleImage::System(_)) => Err((&PUBLIC).into()),
        Some(VisibleImage::Shared(..)) | None => Err((&NOT_FOUND).into()),
    }
}

const ACCOUNT: Shape = record(&[field("AliyunId", Shape::Text), field("SharedTime", Shape::Text)]);

const DESCRIBE: Action = Action::read("DescribeImageSharePermission", describe)
    .parameters(&[
        required("RegionId", TEXT),
        required("ImageId", TEXT),
        optional("PageNumber", COUNT).or("1"),
        optional("PageSize", Form::Integer(1, 100)).or("10"),
    ])
    .answer(&[
        field("TotalCount", Shape::Integer),
        field("PageNumber", Shape::Integer),
        field("PageSize", Shape::Integer),
        field("RegionId", Shape::Text),
        field("ImageId", Shape::Text),
        field("Accounts", record(&[field("Account", items(&ACCOUNT))])),
        field("ShareGroups", record(&[field("ShareGroup", items(&record(&[field("Group", Shape::Text)])))])),
    ])
    .errors(&[&NOT_FOUND, &PUBLIC]);

fn describe(world: &World, call: &Call<'_>) -> Result<Value, CloudError> {
    let image = own(world, call)?;
    let row = |(account, since): (&String, &String)| json!({ "AliyunId": account, "SharedTime": since });
    let mut answer = page(call, image.shared.iter(), row).answer("Accounts", "Account");
    if let Some(answer) = answer.as_object_mut() {
        answer.insert("RegionId".to_owned(), json!(call.region));
        answer.insert("ImageId".to_owned(), json!(image.image_id));
        answer.insert("ShareGroups".to_owned(), json!({ "ShareGroup": [] }));
    }
    Ok(answer)
}
