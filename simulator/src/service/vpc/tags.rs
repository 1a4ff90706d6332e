//! The tags of all kinds: `TagResources`, `UnTagResources` (spelled so), `ListTagResources`.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use crate::action::{
    Action, BOOLEAN, Call, CloudError, ErrorCode, Form, Parameter, Rule, Shape, TAG_FILTER, TAG_WORD, TEXT, field,
    items, list, optional, record, records, required, slice, start,
};
use crate::resource::{Resource, Table, Tags};
use crate::world::World;
use crate::world::vpc::State;

/// The actions of this file.
pub const ACTIONS: &[Action] = &[TAG, UNTAG, LIST];

/// How many tags a resource may have; the cloud does not raise it.
const MOST: usize = 20;

const TYPE_UNKNOWN: ErrorCode =
    ErrorCode::new(400, "InvalidInstanceType.NotFound", "The instance type is not found");
const NOT_FOUND: ErrorCode = ErrorCode::new(400, "InvalidInstanceIds.NotFound", "The instanceIds are not found");
const TOO_MANY_IDS: ErrorCode =
    ErrorCode::new(400, "SizeLimitExceeded.ResourceId", "The maximum number of resource IDs is exceeded.");
const TOO_MANY_TAGS: ErrorCode =
    ErrorCode::new(400, "SizeLimitExceeded.TagNum", "The maximum number of tags is exceeded.");
const KEY_MALFORMED: ErrorCode = ErrorCode::new(400, "InvalidTagKey", "The tag keys are not valid.");
const VALUE_MALFORMED: ErrorCode = ErrorCode::new(400, "InvalidTagValue", "The tag values are not valid.");
const DUPLICATE: ErrorCode =
    ErrorCode::new(400, "Forbidden.TagKey.Duplicated", "The specified tag key already exists.");
const FULL: ErrorCode = ErrorCode::new(400, "QuotaExceeded.TagNum", "Custom Tags quota exceeded");
const NEITHER: ErrorCode = ErrorCode::new(
    400,
    "BothEmpty.TagsAndResources",
    "The specified Tags and ResourcesIds are not allow to both empty.",
);
const TOKEN_MALFORMED: ErrorCode =
    ErrorCode::new(400, "InvalidParameter.NextToken", "The specified NextToken is not valid.");

/// The kinds of resources that have tags.
const TYPES: &[&str] = &["VPC", "VSWITCH", "ROUTETABLE", "EIP", "NATGATEWAY", "IPV6GATEWAY"];

/// The cloud does not mind the case of the letters.
const TYPE: Parameter = required(
    "ResourceType",
    Form::Text(&Rule {
        what: "one of VPC, VSWITCH, ROUTETABLE, EIP, NATGATEWAY, IPV6GATEWAY",
        check: |text| TYPES.iter().any(|known| known.eq_ignore_ascii_case(text)),
    }),
)
.malformed(&TYPE_UNKNOWN);

const IDS: Form = list(50, &TEXT);

/// The kind that a call is about, as it is declared.
fn kind(call: &Call<'_>) -> &'static str {
    let wanted = call.text("ResourceType");
    TYPES.iter().find(|known| known.eq_ignore_ascii_case(wanted)).copied().unwrap_or_default()
}

/// The tags of all resources of a kind.
fn all<'a>(state: &'a State, kind: &str) -> Vec<(&'a str, &'a Tags)> {
    fn of<'a, T: Resource>(table: &'a Table<T>, tags: fn(&'a T) -> &'a Tags) -> Vec<(&'a str, &'a Tags)> {
        table.iter().map(|resource| (resource.id(), tags(resource))).collect()
    }
    match kind {
        "VPC" => of(&state.vpcs, |vpc| &vpc.tags),
        "VSWITCH" => of(&state.vswitches, |vswitch| &vswitch.tags),
        "ROUTETABLE" => of(&state.route_tables, |table| &table.tags),
        "EIP" => of(&state.eips, |eip| &eip.tags),
        "NATGATEWAY" => of(&state.nat_gateways, |gateway| &gateway.tags),
        "IPV6GATEWAY" => of(&state.ipv6_gateways, |gateway| &gateway.tags),
        _ => Vec::new(),
    }
}

/// The tags of a resource, to be changed.
fn one<'a>(state: &'a mut State, kind: &str, id: &str) -> Option<&'a mut Tags> {
    match kind {
        "VPC" => state.vpcs.get_mut(id).map(|vpc| &mut vpc.tags),
        "VSWITCH" => state.vswitches.get_mut(id).map(|vswitch| &mut vswitch.tags),
        "ROUTETABLE" => state.route_tables.get_mut(id).map(|table| &mut table.tags),
        "EIP" => state.eips.get_mut(id).map(|eip| &mut eip.tags),
        "NATGATEWAY" => state.nat_gateways.get_mut(id).map(|gateway| &mut gateway.tags),
        "IPV6GATEWAY" => state.ipv6_gateways.get_mut(id).map(|gateway| &mut gateway.tags),
        _ => None,
    }
}

/// The tags of the resources that a call is about; all of these have to exist.
fn named<'a>(state: &'a State, call: &Call<'_>) -> Result<Vec<&'a Tags>, CloudError> {
    let all = all(state, kind(call));
    let tags = |wanted: &String| all.iter().find(|(id, _)| id == wanted).map(|(_, tags)| *tags);
    call.texts("ResourceId").iter().map(|id| tags(id).ok_or_else(|| (&NOT_FOUND).into())).collect()
}

/// Changes the tags of the resources that a call is about.
fn change(world: &mut World, call: &Call<'_>, mut change: impl FnMut(&mut Tags)) {
    let state = &mut world.region_mut(call).vpc;
    for id in call.texts("ResourceId") {
        if let Some(tags) = one(state, kind(call), id) {
            change(tags);
        }
    }
}

const TAG: Action = Action::write("TagResources", tag)
    .parameters(&[
        required("RegionId", TEXT),
        TYPE,
        required("ResourceId", IDS).malformed(&TOO_MANY_IDS),
        required(
            "Tag",
            records(
                MOST,
                &[
                    required("Key", TAG_WORD).malformed(&KEY_MALFORMED).missing(&KEY_MALFORMED),
                    optional("Value", TAG_WORD).malformed(&VALUE_MALFORMED),
                ],
            ),
        )
        .malformed(&TOO_MANY_TAGS),
    ])
    .errors(&[
        &TYPE_UNKNOWN,
        &NOT_FOUND,
        &TOO_MANY_IDS,
        &TOO_MANY_TAGS,
        &KEY_MALFORMED,
        &VALUE_MALFORMED,
        &DUPLICATE,
        &FULL,
    ]);

fn tag(world: &mut World, call: &Call<'_>) -> Result<Value, CloudError> {
    let keys: BTreeSet<&str> = call.records("Tag").iter().map(|tag| tag.text("Key")).collect();
    if keys.len() < call.records("Tag").len() {
        return Err((&DUPLICATE).into());
    }
    for tags in named(&world.region(call).vpc, call)? {
        let kept = tags.iter().filter(|(key, _)| !keys.contains(key)).count();
        if kept + keys.len() > MOST {
            return Err((&FULL).into());
        }
    }
    change(world, call, |tags| tags.set(call));
    Ok(json!({}))
}

const UNTAG: Action = Action::write("UnTagResources", untag)
    .parameters(&[
        required("RegionId", TEXT),
        TYPE,
        required("ResourceId", IDS).malformed(&TOO_MANY_IDS),
        optional("TagKey", list(MOST, &TEXT)).malformed(&TOO_MANY_TAGS),
        optional("All", BOOLEAN),
    ])
    .errors(&[&TYPE_UNKNOWN, &NOT_FOUND, &TOO_MANY_IDS, &TOO_MANY_TAGS]);

fn untag(world: &mut World, call: &Call<'_>) -> Result<Value, CloudError> {
    named(&world.region(call).vpc, call)?;
    let keys = call.texts("TagKey");
    // All of them count only where none is named.
    let all = keys.is_empty() && call.flag("All") == Some(true);
    change(world, call, |tags| {
        if all {
            tags.clear();
        }
        for key in keys {
            tags.remove(key);
        }
    });
    Ok(json!({}))
}

const LIST: Action = Action::read("ListTagResources", list_tags)
    .parameters(&[
        required("RegionId", TEXT),
        TYPE,
        optional("ResourceId", IDS).malformed(&TOO_MANY_IDS),
        TAG_FILTER.malformed(&TOO_MANY_TAGS),
        optional("MaxResults", Form::Integer(1, 50)).or("50"),
        optional("NextToken", TEXT),
    ])
    .answer(&[
        field("NextToken", Shape::Text),
        field(
            "TagResources",
            record(&[field(
                "TagResource",
                items(&record(&[
                    field("ResourceId", Shape::Text),
                    field("ResourceType", Shape::Text),
                    field("TagKey", Shape::Text),
                    field("TagValue", Shape::Text),
                ])),
            )]),
        ),
    ])
    .errors(&[&TYPE_UNKNOWN, &TOO_MANY_IDS, &TOO_MANY_TAGS, &KEY_MALFORMED, &NEITHER, &TOKEN_MALFORMED]);

fn list_tags(world: &World, call: &Call<'_>) -> Result<Value, CloudError> {
    let (ids, filter) = (call.texts("ResourceId"), call.records("Tag"));
    if ids.is_empty() && filter.is_empty() {
        return Err((&NEITHER).into());
    }
    if filter.iter().any(|tag| !tag.has("Key")) {
        return Err((&KEY_MALFORMED).into());
    }
    let start = start(call, &TOKEN_MALFORMED)?;
    let most = call.integer("MaxResults").and_then(|most| usize::try_from(most).ok()).unwrap_or(50);
    let kind = kind(call);
    let mut rows = Vec::new();
    for (id, tags) in all(&world.region(call).vpc, kind) {
        if ids.is_empty() || ids.iter().any(|wanted| wanted == id) {
            rows.extend(tags.wanted(call).map(|(key, value)| (id, key, value)));
        }
    }
    let (rows, _, token) = slice(call, start, most, rows);
    let rows = rows.into_iter().map(
        |(id, key, value)| json!({ "ResourceId": id, "ResourceType": kind, "TagKey": key, "TagValue": value }),
    );
    Ok(json!({ "NextToken": token, "TagResources": { "TagResource": rows.collect::<Vec<_>>() } }))
}

#[cfg(test)]
mod tests;
