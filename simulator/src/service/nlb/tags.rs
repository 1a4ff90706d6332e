//! The tags of load balancers: `TagResources`, `UntagResources`, `ListTagResources`.

use serde_json::{Value, json};

use super::{NO_PAGE, NOT_FOUND};
use crate::action::{
    Action, BOOLEAN, Call, CloudError, ErrorCode, Form, InForm, Parameter, Shape, TAG_FILTER, TAGS, TEXT, TOKEN,
    field, items, list, optional, record, records, required, slice, start,
};
use crate::world::World;

/// The actions of this file.
pub const ACTIONS: &[Action] = &[TAG, UNTAG, LIST];

/// Most tags of a load balancer.
const MOST: usize = 20;

const TOO_MANY: ErrorCode =
    ErrorCode::new(400, "QuotaExceeded.TagNum", "The quota of tags of the resource is exceeded.");
const NOTHING: ErrorCode = ErrorCode::new(400, "MissingParam.TagKey", "The parameter of TagKey is missing.");
const NO_FILTER: ErrorCode =
    ErrorCode::new(400, "MissingParam.ResourceId", "The parameter of ResourceId or Tag is missing.");

/// What can have tags here.
const TYPE: Form = Form::OneOf(&["loadbalancer"]);
const IDS: Form = list(50, &TEXT);
const SOME_TAGS: Parameter = match TAGS.form {
    Form::Records { most, of } => required("Tag", records(most, of)),
    _ => TAGS,
};

const TAG: Action = Action::write("TagResources", tag)
    .in_form(InForm::Everything)
    .parameters(&[
        optional("RegionId", TEXT),
        required("ResourceType", TYPE),
        required("ResourceId", IDS),
        SOME_TAGS,
        optional("ClientToken", TOKEN),
        optional("DryRun", BOOLEAN),
    ])
    .errors(&[&NOT_FOUND, &TOO_MANY]);

fn tag(world: &mut World, call: &Call<'_>) -> Result<Value, CloudError> {
    for id in call.texts("ResourceId") {
        let mut tags = world.region(call).nlb.load_balancers.get(id).ok_or(&NOT_FOUND)?.tags.clone();
        tags.set(call);
        if tags.len() > MOST {
            return Err((&TOO_MANY).into());
        }
    }
    let balancers = &mut world.region_mut(call).nlb.load_balancers;
    for id in call.texts("ResourceId") {
        if let Some(balancer) = balancers.get_mut(id) {
            balancer.tags.set(call);
        }
    }
    Ok(json!({}))
}

const UNTAG: Action = Action::write("UntagResources", untag)
    .in_form(InForm::Everything)
    .parameters(&[
        optional("RegionId", TEXT),
        required("ResourceType", TYPE),
        required("ResourceId", IDS),
        optional("TagKey", list(20, &TEXT)),
        optional("All", BOOLEAN),
        optional("ClientToken", TOKEN),
        optional("DryRun", BOOLEAN),
    ])
    .errors(&[&NOT_FOUND, &NOTHING]);

fn untag(world: &mut World, call: &Call<'_>) -> Result<Value, CloudError> {
    let all = call.flag("All") == Some(true);
    if !all && !call.has("TagKey") {
        return Err((&NOTHING).into());
    }
    for id in call.texts("ResourceId") {
        world.region(call).nlb.load_balancers.get(id).ok_or(&NOT_FOUND)?;
    }
    let balancers = &mut world.region_mut(call).nlb.load_balancers;
    for id in call.texts("ResourceId") {
        let Some(balancer) = balancers.get_mut(id) else { continue };
        // Keys are what counts where they are named.
        if call.has("TagKey") {
            call.texts("TagKey").iter().for_each(|key| balancer.tags.remove(key));
        } else {
            balancer.tags.clear();
        }
    }
    Ok(json!({}))
}

const LIST: Action = Action::read("ListTagResources", listed)
    .in_form(InForm::Everything)
    .parameters(&[
        optional("RegionId", TEXT),
        required("ResourceType", TYPE),
        optional("ResourceId", IDS),
        optional("MaxResults", Form::Integer(1, 50)).or("50"),
        optional("NextToken", TEXT),
        TAG_FILTER,
    ])
    .answer(&[
        field("TotalCount", Shape::Integer),
        field("MaxResults", Shape::Integer),
        field("NextToken", Shape::Text),
        field("TagResources", items(&ROW)),
    ])
    .errors(&[&NO_PAGE, &NO_FILTER]);

const ROW: Shape = record(&[
    field("AliUid", Shape::Integer),
    field("Category", Shape::Text),
    field("RegionNo", Shape::Text),
    field("ResourceId", Shape::Text),
    field("ResourceType", Shape::Text),
    field("Scope", Shape::Text),
    field("TagKey", Shape::Text),
    field("TagValue", Shape::Text),
]);

fn listed(world: &World, call: &Call<'_>) -> Result<Value, CloudError> {
    let start = start(call, &NO_PAGE)?;
    let ids = call.texts("ResourceId");
    if ids.is_empty() && !call.has("Tag") {
        return Err((&NO_FILTER).into());
    }
    let account = call.caller.account.parse::<i64>().ok();
    let balancers = world.region(call).nlb.load_balancers.iter();
    let rows: Vec<Value> = balancers
        .filter(|balancer| ids.is_empty() || ids.contains(&balancer.load_balancer_id))
        .flat_map(|balancer| balancer.tags.wanted(call).map(move |tag| (&balancer.load_balancer_id, tag)))
        .map(|(id, (key, value))| {
            json!({
                "AliUid": account,
                "Category": "Custom",
                "RegionNo": call.region,
                "ResourceId": id,
                "ResourceType": "loadbalancer",
                "Scope": "public",
                "TagKey": key,
                "TagValue": value,
            })
        })
        .collect();
    let most = call.integer("MaxResults").unwrap_or(50);
    let (page, total, token) = slice(call, start, usize::try_from(most).unwrap_or(50), rows);
    Ok(json!({ "TotalCount": total, "MaxResults": most, "NextToken": token, "TagResources": page }))
}

#[cfg(test)]
mod tests;
