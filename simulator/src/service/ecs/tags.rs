//! Tags of resources: `TagResources`, `UntagResources`, `ListTagResources`.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use super::paging::{BAD_TOKEN, TOKEN as NEXT_TOKEN};
use super::{DUPLICATE_TAG, distinct_tags};
use crate::action::{
    Action, BOOLEAN, Call, CloudError, ErrorCode, Form, Parameter, Shape, TAG_FILTER, TAGS, TEXT, common, field,
    items, list, optional, record, required, slice, start,
};
use crate::resource::Tags;
use crate::settings::Quota;
use crate::world::World;
use crate::world::ecs::State;

/// The actions of this file.
pub const ACTIONS: &[Action] = &[TAG, UNTAG, LIST];

/// Tags of a resource.
pub(super) const QUOTA: Quota = Quota::new("tags", 20);
/// How many tags a page has.
const PAGE: usize = 50;

const NOT_FOUND: ErrorCode =
    ErrorCode::new(404, "InvalidResourceId.NotFound", "The specified ResourceIds are not found in our records.");
const NO_SUCH_TYPE: ErrorCode = ErrorCode::new(
    404,
    "InvalidResourceType.NotFound",
    "The ResourceType provided does not exist in our records.",
);
const TOO_MANY_RESOURCES: ErrorCode =
    ErrorCode::new(400, "NumberExceed.ResourceIds", "The ResourceIds parameter's number is exceed , Valid : 50");
const TOO_MANY_TAGS: ErrorCode =
    ErrorCode::new(400, "NumberExceed.Tags", "The Tags parameter's number is exceed , Valid : 20");
const QUOTA_EXCEEDED: ErrorCode =
    ErrorCode::new(400, "OperationDenied.QuotaExceed", "The quota of tags on resource is beyond permitted range.");

/// The kinds of resources that have tags here.
const TYPE: Parameter =
    required("ResourceType", Form::OneOf(&["instance", "image", "securitygroup"])).malformed(&NO_SUCH_TYPE);
const RESOURCES: Form = list(50, &TEXT);

impl State {
    /// The resources of a kind with their tags.
    fn tagged<'a>(&'a self, kind: &str) -> Vec<(&'a str, &'a Tags)> {
        match kind {
            "instance" => self.instances.iter().map(|one| (one.instance_id.as_str(), &one.tags)).collect(),
            "image" => self.images.iter().map(|one| (one.image_id.as_str(), &one.tags)).collect(),
            _ => self.security_groups.iter().map(|one| (one.security_group_id.as_str(), &one.tags)).collect(),
        }
    }

    /// The tags of a resource of a kind, to be changed.
    fn tags_mut(&mut self, kind: &str, id: &str) -> Option<&mut Tags> {
        match kind {
            "instance" => self.instances.get_mut(id).map(|one| &mut one.tags),
            "image" => self.images.get_mut(id).map(|one| &mut one.tags),
            _ => self.security_groups.get_mut(id).map(|one| &mut one.tags),
        }
    }
}

const TAG: Action = Action::write("TagResources", tag)
    .parameters(&[
        required("RegionId", TEXT),
        TYPE,
        required("ResourceId", RESOURCES).malformed(&TOO_MANY_RESOURCES),
        Parameter { required: true, ..TAGS }.malformed(&TOO_MANY_TAGS),
    ])
    .errors(&[&NOT_FOUND, &NO_SUCH_TYPE, &TOO_MANY_RESOURCES, &TOO_MANY_TAGS, &QUOTA_EXCEEDED, &DUPLICATE_TAG]);

fn tag(world: &mut World, call: &Call<'_>) -> Result<Value, CloudError> {
    distinct_tags(call)?;
    let resources = world.region(call).ecs.tagged(call.text("ResourceType"));
    for id in call.texts("ResourceId") {
        let (_, tags) = resources.iter().find(|(known, _)| known == id).ok_or(&NOT_FOUND)?;
        let given = call.records("Tag").iter().map(|tag| tag.text("Key"));
        let keys: BTreeSet<&str> = tags.iter().map(|(key, _)| key).chain(given).collect();
        call.within(&QUOTA, keys.len() - 1, &QUOTA_EXCEEDED)?;
    }
    change(world, call, |tags| tags.set(call))
}

const UNTAG: Action = Action::write("UntagResources", untag)
    .parameters(&[
        required("RegionId", TEXT),
        TYPE,
        required("ResourceId", RESOURCES).malformed(&TOO_MANY_RESOURCES),
        optional("TagKey", list(20, &TEXT)).malformed(&TOO_MANY_TAGS),
        optional("All", BOOLEAN),
    ])
    .errors(&[&NOT_FOUND, &NO_SUCH_TYPE, &TOO_MANY_RESOURCES, &TOO_MANY_TAGS]);

/// A call without keys and without `All` does nothing.
fn untag(world: &mut World, call: &Call<'_>) -> Result<Value, CloudError> {
    let resources = world.region(call).ecs.tagged(call.text("ResourceType"));
    if call.texts("ResourceId").iter().any(|id| !resources.iter().any(|(known, _)| known == id)) {
        return Err((&NOT_FOUND).into());
    }
    let keys = call.texts("TagKey");
    change(world, call, |tags| {
        if keys.is_empty() && call.flag("All") == Some(true) {
            tags.clear();
        }
        for key in keys {
            tags.remove(key);
        }
    })
}

/// Changes the tags of all resources of a call.
fn change(world: &mut World, call: &Call<'_>, change: impl Fn(&mut Tags)) -> Result<Value, CloudError> {
    let ecs = &mut world.region_mut(call).ecs;
    for id in call.texts("ResourceId") {
        if let Some(tags) = ecs.tags_mut(call.text("ResourceType"), id) {
            change(tags);
        }
    }
    Ok(json!({}))
}

const TAG_RESOURCE: Shape = record(&[
    field("ResourceId", Shape::Text),
    field("ResourceType", Shape::Text),
    field("TagKey", Shape::Text),
    field("TagValue", Shape::Text),
]);

const LIST: Action = Action::read("ListTagResources", list_tags)
    .parameters(&[
        required("RegionId", TEXT),
        TYPE,
        optional("ResourceId", RESOURCES).malformed(&TOO_MANY_RESOURCES),
        optional("NextToken", TEXT),
        TAG_FILTER,
    ])
    .left_out(&["TagFilter"])
    .answer(&[field("TagResources", record(&[field("TagResource", items(&TAG_RESOURCE))])), NEXT_TOKEN])
    .errors(&[&NO_SUCH_TYPE, &TOO_MANY_RESOURCES, &BAD_TOKEN]);

fn list_tags(world: &World, call: &Call<'_>) -> Result<Value, CloudError> {
    let ids = call.texts("ResourceId");
    if ids.is_empty() && !call.has("Tag") {
        return Err(
            common::MISSING_PARAMETER.because("At least one of ResourceId.N and Tag.N has to be supplied.")
        );
    }
    let kind = call.text("ResourceType");
    let resources = world.region(call).ecs.tagged(kind).into_iter();
    let resources = resources.filter(|(id, _)| ids.is_empty() || ids.iter().any(|wanted| wanted == id));
    let rows =
        resources.flat_map(|(id, tags)| tags.wanted(call).map(move |(key, value)| (id, key, value))).collect();
    let (rows, _, token) = slice(call, start(call, &BAD_TOKEN)?, PAGE, rows);
    let rows: Vec<Value> = rows
        .into_iter()
        .map(
            |(id, key, value)| json!({ "ResourceId": id, "ResourceType": kind, "TagKey": key, "TagValue": value }),
        )
        .collect();
    Ok(json!({ "TagResources": { "TagResource": rows }, "NextToken": token.unwrap_or_default() }))
}
