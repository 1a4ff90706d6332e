//! Stacks: `CreateStack`, `DeleteStack`.

use std::collections::BTreeMap;
use std::time::Duration;

use serde_json::{Value, json};

use super::template::{Copy, Scope, Template, text};
use super::{NOT_FOUND, not_found, stack_id};
use crate::action::{
    ANY, Action, BOOLEAN, Call, CloudError, ErrorCode, Form, InForm, Parameter, Rule, Shape, TAGS, TEXT, TOKEN,
    common, field, list, optional, records, required,
};
use crate::regions::region;
use crate::resource::Status;
use crate::service::ecs::image_copies::ImageCopy;
use crate::settings::Quota;
use crate::world::ros::{CopiedImage, Output, Stack};
use crate::world::{World, scramble};

/// The actions of this file.
pub const ACTIONS: &[Action] = &[CREATE, DELETE];

/// <https://www.alibabacloud.com/help/en/ros/product-overview/limits>
pub(super) const QUOTA: Quota = Quota::new("stacks", 200);

/// The number of deleted stacks that a region keeps.
const DELETED: usize = 100;

const EXISTS: ErrorCode = ErrorCode::new(409, "StackExists", "The Stack already exists.");
const TEMPLATE: ErrorCode = ErrorCode::new(400, "InvalidTemplate", "The template is invalid.");
const INVALID: ErrorCode = ErrorCode::new(400, "StackValidationFailed", "The validation of the stack failed.");
const BUSY: ErrorCode = ErrorCode::new(409, "ActionInProgress", "The stack already has an action in progress.");
const PROTECTED: ErrorCode =
    ErrorCode::new(409, "StackDeletionProtected", "The stack cannot be deleted: its deletion protection is on.");

const NAME: Form = Form::Text(&Rule {
    what: "1 to 255 letters, digits, `-` and `_`, the first a letter or digit",
    check: |text| {
        (1..=255).contains(&text.len())
            && text.starts_with(|first: char| first.is_ascii_alphanumeric())
            && text.chars().all(|letter| letter.is_ascii_alphanumeric() || "-_".contains(letter))
    },
});

/// The tags of a stack: as elsewhere, but in the plural.
const STACK_TAGS: Parameter = optional("Tags", TAGS.form);

const CREATE: Action = Action::write("CreateStack", create)
    .in_form(InForm::These(&["TemplateBody"]))
    .parameters(&[
        required("RegionId", TEXT),
        required("StackName", NAME),
        optional("TemplateBody", ANY),
        optional("Parameters", records(200, &[required("ParameterKey", TEXT), optional("ParameterValue", ANY)])),
        optional("TimeoutInMinutes", Form::Integer(10, 1440)).or("60"),
        optional("DisableRollback", BOOLEAN).or("false"),
        optional("DeletionProtection", Form::OneOf(&["Enabled", "Disabled"])).or("Disabled"),
        optional("ClientToken", TOKEN),
        STACK_TAGS,
    ])
    .left_out(&[
        "CreateOption",
        "CreateOptions",
        "NotificationURLs",
        "Parallelism",
        "RamRoleName",
        "ResourceGroupId",
        "StackPolicyBody",
        "StackPolicyURL",
        "TemplateId",
        "TemplateScratchId",
        "TemplateScratchRegionId",
        "TemplateURL",
        "TemplateVersion",
    ])
    .answer(&[field("StackId", Shape::Text)])
    .errors(&[&EXISTS, &TEMPLATE, &INVALID])
    // An encrypted copy takes that long.
    .through(&[
        Status::CreateInProgress,
        Status::CreateComplete,
        Status::CreateFailed,
        Status::CreateRollbackInProgress,
        Status::CreateRollbackComplete,
        Status::Creating,
        Status::Available,
    ])
    .takes(Duration::from_mins(10));

/// The time until a copy fails, and the time to clean up after that.
const FAILS_IN: Duration = Duration::from_secs(10);

fn create(world: &mut World, call: &Call<'_>) -> Result<Value, CloudError> {
    let body = call.given("TemplateBody").ok_or_else(|| CloudError::missing("TemplateBody"))?;
    let template = Template::parse(body).map_err(|why| TEMPLATE.because(why))?;
    let invalid = |why: String| INVALID.because(why);
    let given = call.records("Parameters").iter();
    let given = given.map(|given| (given.text("ParameterKey"), given.text("ParameterValue"))).collect();
    let parameters = template.parameters(&given).map_err(invalid)?;
    let name = call.text("StackName");
    let stacks = &world.region(call).ros.stacks;
    if stacks.iter().any(|stack| !stack.is_deleted() && stack.stack_name == name) {
        return Err(EXISTS.because(format!("The Stack ({name}) already exists.")));
    }
    call.within(&QUOTA, stacks.iter().filter(|stack| !stack.is_deleted()).count(), &common::QUOTA)?;

    let own = [
        ("ALIYUN::AccountId", call.caller.account.as_str()),
        ("ALIYUN::Region", call.region),
        ("ALIYUN::StackName", name),
    ];
    let mut scope = Scope { parameters, ..Scope::default() };
    scope.parameters.extend(own.map(|(name, value)| (name.to_owned(), value.into())));
    let copies = template.copies(&scope).map_err(invalid)?;
    if let Some((resource, copy)) = copies.iter().find(|(_, copy)| region(&copy.destination_region_id).is_none()) {
        let region = &copy.destination_region_id;
        return Err(invalid(format!("Property error: Resources.{resource}: there is no region {region}.")));
    }
    // References of outputs are checked before any image is made.
    for (resource, copy) in &copies {
        scope.attributes.insert(resource.clone(), attributes(copy, call, String::new()));
    }
    template.outputs(&scope).map_err(invalid)?;

    let id = uuid(world);
    let mut images = Vec::new();
    let mut failure = None;
    for (resource, copy) in copies {
        match start(world, call, &copy) {
            Ok(image_id) => {
                scope.attributes.insert(resource.clone(), attributes(&copy, call, image_id.clone()));
                images.push(CopiedImage { resource, region_id: copy.destination_region_id, image_id });
            }
            Err(error) => {
                failure =
                    Some(format!("Resource CREATE failed: ResponseException: resources.{resource}: {error}"));
                break;
            }
        }
    }
    let keep = call.flag("DisableRollback") == Some(true);
    let phase = match (&failure, keep) {
        (None, _) => call.turn(Status::CreateInProgress, call.takes(), Status::CreateComplete),
        (Some(_), true) => call.turn(Status::CreateInProgress, FAILS_IN, Status::CreateFailed),
        (Some(_), false) => {
            for image in images.drain(..) {
                remove(world, call, &image);
            }
            call.turn(Status::CreateInProgress, FAILS_IN, Status::CreateRollbackInProgress)
                .then(FAILS_IN, Status::CreateRollbackComplete)
        }
    };
    let outputs = if failure.is_none() { template.outputs(&scope).unwrap_or_default() } else { Vec::new() };
    let outputs = outputs.into_iter().map(|(key, value, description)| Output {
        key,
        value,
        description: description.unwrap_or_else(|| "No description given".to_owned()),
    });
    let stack = Stack {
        stack_id: id.clone(),
        stack_name: name.to_owned(),
        description: template.description.clone(),
        parameters: scope.parameters.iter().map(|(name, value)| (name.clone(), text(value))).collect(),
        images,
        outputs: outputs.collect(),
        timeout: call.integer("TimeoutInMinutes").unwrap_or(60),
        disable_rollback: keep,
        deletion_protection: call.text("DeletionProtection") == "Enabled",
        failure,
        create_time: time(call),
        update_time: String::new(),
        tags: call
            .records("Tags")
            .iter()
            .map(|tag| (tag.text("Key").to_owned(), tag.text("Value").to_owned()))
            .collect(),
        phase,
    };
    let stacks = &mut world.region_mut(call).ros.stacks;
    stacks.insert(stack);
    let mut old = stacks.iter().filter(|stack| stack.is_deleted()).count().saturating_sub(DELETED);
    stacks.retain(|stack| {
        let forget = old > 0 && stack.is_deleted();
        old -= usize::from(forget);
        !forget
    });
    Ok(json!({ "StackId": id }))
}

/// Starts a copy, and gives the identifier of the new image.
fn start(world: &mut World, call: &Call<'_>, copy: &Copy) -> Result<String, CloudError> {
    let tags = copy.tag.iter().flatten().map(|tag| (tag.key.clone(), tag.value.clone()));
    let copy = ImageCopy {
        account: &call.caller.account,
        image_id: &copy.image_id,
        from: copy.source_region_id.as_deref().unwrap_or(call.region),
        to: &copy.destination_region_id,
        name: copy.destination_image_name.as_deref().unwrap_or_default(),
        description: copy.destination_description.as_deref().unwrap_or_default(),
        encrypted: copy.encrypted.as_ref().map(super::template::Flag::is),
        kms_key_id: copy.kms_key_id.as_deref().unwrap_or_default(),
        tags: tags.collect(),
    };
    copy.start(world, call, call.takes())
}

fn attributes(copy: &Copy, call: &Call<'_>, image_id: String) -> BTreeMap<&'static str, String> {
    let source = copy.source_region_id.as_deref().unwrap_or(call.region);
    BTreeMap::from([
        ("ImageId", image_id),
        ("DestinationRegionId", copy.destination_region_id.clone()),
        ("SourceRegionId", source.to_owned()),
    ])
}

fn remove(world: &mut World, call: &Call<'_>, image: &CopiedImage) {
    world.account_mut(&call.caller.account).region_mut(&image.region_id).ecs.images.remove(&image.image_id);
}

/// A new identifier of a stack.
fn uuid(world: &mut World) -> String {
    let number = world.number();
    let (high, low) = (scramble(number), scramble(!number));
    let (first, second, third) = (high >> 32, (high >> 16) & 0xffff, high & 0xffff);
    format!("{first:08x}-{second:04x}-{third:04x}-{:04x}-{:012x}", low >> 48, low & 0xffff_ffff_ffff)
}

/// The time as this service writes it, without a zone.
fn time(call: &Call<'_>) -> String {
    call.now.strftime("%Y-%m-%dT%H:%M:%S").to_string()
}

const DELETE: Action = Action::write("DeleteStack", delete)
    .parameters(&[
        required("RegionId", TEXT),
        required("StackId", TEXT),
        optional("RetainAllResources", BOOLEAN),
        optional("RetainResources", list(200, &TEXT)),
    ])
    .left_out(&["DeleteOptions", "Parallelism", "RamRoleName"])
    .errors(&[&NOT_FOUND, &BUSY, &PROTECTED])
    .through(&[Status::DeleteInProgress, Status::DeleteComplete, Status::DeleteFailed])
    .takes(Duration::from_secs(10));

/// An image in use stays, and with it the stack.
fn delete(world: &mut World, call: &Call<'_>) -> Result<Value, CloudError> {
    let id = stack_id(call)?;
    let stack = world.region(call).ros.stacks.get(id).filter(|stack| !stack.is_deleted());
    let stack = stack.ok_or_else(|| not_found(id))?;
    if stack.phase.due().is_some() {
        return Err(BUSY.because(format!("Stack {} already has an action in progress.", stack.stack_name)));
    }
    if stack.deletion_protection {
        return Err((&PROTECTED).into());
    }
    let retained = |image: &CopiedImage| {
        call.flag("RetainAllResources") == Some(true) || call.texts("RetainResources").contains(&image.resource)
    };
    let images: Vec<CopiedImage> = stack.images.iter().filter(|image| !retained(image)).cloned().collect();
    let used = images.iter().find(|image| in_use(world, call, image));
    let failure = used.map(|image| {
        format!("Resource DELETE failed: resources.{}: the image {} is in use", image.resource, image.image_id)
    });
    let to = if failure.is_some() { Status::DeleteFailed } else { Status::DeleteComplete };
    if failure.is_none() {
        for image in &images {
            remove(world, call, image);
        }
    }
    if let Some(stack) = world.region_mut(call).ros.stacks.get_mut(id) {
        if failure.is_none() {
            stack.images.clear();
        }
        stack.failure = failure;
        stack.update_time = time(call);
        stack.phase = call.turn(Status::DeleteInProgress, call.takes(), to);
    }
    Ok(json!({}))
}

/// Whether an image is shared, or instances were made of it.
fn in_use(world: &World, call: &Call<'_>, copied: &CopiedImage) -> bool {
    let mut regions = world.account(call).regions();
    let Some((_, region)) = regions.find(|(name, _)| *name == copied.region_id) else { return false };
    let shared = region.ecs.images.get(&copied.image_id).is_some_and(|image| !image.shared.is_empty());
    shared || region.ecs.instances.iter().any(|instance| instance.image_id == copied.image_id)
}

#[cfg(test)]
mod tests;
