//! The tags of all kinds: `TagResources`, `UnTagResources` (spelled so), `ListTagResources`.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use super::State;
use crate::action::{
    Action, BOOLEAN, Call, CloudError, ErrorCode, Form, Parameter, Rule, Shape, TEXT, field, items, list,
    optional, record, records, required,
};
use crate::world::{Resource, TAG_FILTER, TAG_WORD, Table, Tags, World, slice, start};

/// What can be done with the tags of all kinds.
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
mod tests {
    use serde_json::{Value, json};

    use super::super::fixture::Network;

    fn rows(answer: &Value) -> Vec<(String, String)> {
        let rows = answer.pointer("/TagResources/TagResource").and_then(Value::as_array).unwrap();
        let text = |row: &Value, field: &str| row[field].as_str().unwrap().to_owned();
        rows.iter().map(|row| (text(row, "ResourceId"), text(row, "TagKey"))).collect()
    }

    #[test]
    fn every_kind_has_tags() {
        let network = Network::new();
        let gateway = network.gateway();
        let address = network.address();
        let table = network.text("vpc", "CreateRouteTable", &[("VpcId", &network.vpc)], "RouteTableId");
        let ipv6 = network.text("vpc", "CreateVpc", &[("EnableIpv6", "true")], "VpcId");
        network.step(60);
        let ipv6 = network.text("vpc", "CreateIpv6Gateway", &[("VpcId", &ipv6)], "Ipv6GatewayId");
        network.step(60);
        for (kind, id) in [
            ("VPC", &network.vpc),
            ("VSWITCH", &network.vswitch),
            ("NATGATEWAY", &gateway.id),
            ("EIP", &address.id),
            ("ROUTETABLE", &table),
            ("IPV6GATEWAY", &ipv6),
        ] {
            let lower = kind.to_lowercase();
            let one = [("ResourceType", lower.as_str()), ("ResourceId.1", id)];
            network.call("vpc", "TagResources", &[one[0], one[1], ("Tag.1.Key", "k"), ("Tag.1.Value", "v")]);
            let row = network.get("ListTagResources", &one, "/TagResources/TagResource/0");
            let wanted = json!({ "ResourceId": id, "ResourceType": kind, "TagKey": "k", "TagValue": "v" });
            assert_eq!(row, Some(wanted));
            network.call("vpc", "UnTagResources", &[one[0], one[1], ("TagKey.1", "k")]);
            assert_eq!(rows(&network.call("vpc", "ListTagResources", &one)), []);
        }
    }

    #[test]
    fn a_value_is_replaced_and_all_are_removed() {
        let network = Network::new();
        let one = [("ResourceType", "VPC"), ("ResourceId.1", network.vpc.as_str())];
        let tag = |value| {
            network.call("vpc", "TagResources", &[one[0], one[1], ("Tag.1.Key", "k"), ("Tag.1.Value", value)])
        };
        let value = || network.get("ListTagResources", &one, "/TagResources/TagResource/0/TagValue");
        tag("v");
        tag("w");
        assert_eq!(value(), Some(json!("w")));
        network.call("vpc", "UnTagResources", &one);
        network.call("vpc", "UnTagResources", &[one[0], one[1], ("All", "true"), ("TagKey.1", "other")]);
        assert_eq!(value(), Some(json!("w")), "all are removed only where no key is named");
        network.call("vpc", "UnTagResources", &[one[0], one[1], ("All", "true")]);
        assert_eq!(value(), None);
    }

    #[test]
    fn resources_are_found_by_all_of_their_tags() {
        let network = Network::new();
        let (both, one) = (network.address(), network.address());
        for (id, keys) in [(&both.id, &["a", "b", "c"][..]), (&one.id, &["a"])] {
            for key in keys {
                let parameters = [
                    ("ResourceType", "EIP"),
                    ("ResourceId.1", id.as_str()),
                    ("Tag.1.Key", key),
                    ("Tag.1.Value", "1"),
                ];
                network.call("vpc", "TagResources", &parameters);
            }
        }
        let found = |filter: &[(&str, &str)]| {
            let mut parameters = vec![("ResourceType", "EIP")];
            parameters.extend(filter);
            rows(&network.call("vpc", "ListTagResources", &parameters))
        };
        let row = |id: &str, key: &str| (id.to_owned(), key.to_owned());
        assert_eq!(found(&[("Tag.1.Key", "a")]), [row(&both.id, "a"), row(&one.id, "a")]);
        let two = [("Tag.1.Key", "a"), ("Tag.1.Value", "1"), ("Tag.2.Key", "b")];
        assert_eq!(found(&two), [row(&both.id, "a"), row(&both.id, "b")]);
        assert_eq!(found(&[two[0], ("Tag.1.Value", "2")]), []);
        assert_eq!(found(&[two[0], ("ResourceId.1", &one.id)]), [row(&one.id, "a")]);
        assert_eq!(found(&[("ResourceId.1", "eip-x")]), []);
    }

    #[test]
    fn a_list_goes_on_with_its_token() {
        let network = Network::new();
        let address = network.address();
        let base = [("ResourceType", "EIP"), ("ResourceId.1", address.id.as_str())];
        for key in ["a", "b", "c"] {
            network.call("vpc", "TagResources", &[base[0], base[1], ("Tag.1.Key", key)]);
        }
        let page = network.call("vpc", "ListTagResources", &[base[0], base[1], ("MaxResults", "2")]);
        assert_eq!(rows(&page).len(), 2);
        let token = page["NextToken"].as_str().unwrap();
        let rest = network.call("vpc", "ListTagResources", &[base[0], base[1], ("NextToken", token)]);
        assert_eq!(rows(&rest), [(address.id.clone(), "c".to_owned())]);
        assert_eq!(rest.get("NextToken"), None);
        let forged = [base[0], base[1], ("NextToken", "x")];
        assert_eq!(network.refused("vpc", "ListTagResources", &forged), "InvalidParameter.NextToken");
    }

    #[test]
    fn what_cannot_be_tagged_is_refused() {
        let network = Network::new();
        let vpc = network.vpc.as_str();
        let good = [("ResourceType", "VPC"), ("ResourceId.1", vpc), ("Tag.1.Key", "k")];
        let long = "k".repeat(129);
        for (more, error) in [
            (vec![("ResourceType", "VPNGATEWAY")], "InvalidInstanceType.NotFound"),
            (vec![("ResourceId.2", "vpc-x")], "InvalidInstanceIds.NotFound"),
            (vec![("Tag.1.Key", "")], "InvalidTagKey"),
            (vec![("Tag.1.Key", "acs:k")], "InvalidTagKey"),
            (vec![("Tag.1.Key", &long)], "InvalidTagKey"),
            (vec![("Tag.1.Value", "aliyun")], "InvalidTagValue"),
            (vec![("Tag.2.Key", "k")], "Forbidden.TagKey.Duplicated"),
        ] {
            let mut parameters: Vec<_> =
                good.iter().filter(|pair| more.iter().all(|(name, _)| *name != pair.0)).copied().collect();
            parameters.extend(more.clone());
            assert_eq!(network.refused("vpc", "TagResources", &parameters), error, "{more:?}");
        }
        let filters = [(&[][..], "BothEmpty.TagsAndResources"), (&[("Tag.1.Value", "v")], "InvalidTagKey")];
        for (filter, error) in filters {
            let mut parameters = vec![("ResourceType", "VPC")];
            parameters.extend(filter);
            assert_eq!(network.refused("vpc", "ListTagResources", &parameters), error, "{filter:?}");
        }
        for action in ["UnTagResources", "ListTagResources"] {
            let unknown = [("ResourceType", "VPNGATEWAY"), good[1]];
            assert_eq!(network.refused("vpc", action, &unknown), "InvalidInstanceType.NotFound");
        }
    }

    #[test]
    fn numbers_are_limited() {
        let network = Network::new();
        let vpc = network.vpc.as_str();
        let numbered = |prefix: &str, suffix: &str, value: &str, count: usize| -> Vec<(String, String)> {
            (1..=count).map(|n| (format!("{prefix}.{n}{suffix}"), value.replace('#', &n.to_string()))).collect()
        };
        let call = |action: &str, lists: Vec<(String, String)>| {
            let mut parameters = vec![("ResourceType", "VPC")];
            parameters.extend(lists.iter().map(|(name, value)| (name.as_str(), value.as_str())));
            network.try_call("vpc", action, &parameters).map(|_| ()).map_err(|error| error.error.code)
        };
        let id = || numbered("ResourceId", "", vpc, 1);
        let tags = |key: &str, count| [id(), numbered("Tag", ".Key", key, count)].concat();
        assert_eq!(call("TagResources", tags("k#", 21)), Err("SizeLimitExceeded.TagNum"));
        assert_eq!(call("TagResources", tags("k#", 20)), Ok(()));
        assert_eq!(call("TagResources", tags("k#", 20)), Ok(()), "the same keys need no room");
        assert_eq!(call("TagResources", tags("other", 1)), Err("QuotaExceeded.TagNum"));
        let keys = [id(), numbered("TagKey", "", "k#", 21)].concat();
        assert_eq!(call("UnTagResources", keys), Err("SizeLimitExceeded.TagNum"));
        assert_eq!(call("ListTagResources", tags("k#", 21)), Err("SizeLimitExceeded.TagNum"));
        let ids = numbered("ResourceId", "", vpc, 51);
        for action in ["UnTagResources", "ListTagResources"] {
            assert_eq!(call(action, ids.clone()), Err("SizeLimitExceeded.ResourceId"));
        }
        let tagged = [ids, numbered("Tag", ".Key", "k", 1)].concat();
        assert_eq!(call("TagResources", tagged), Err("SizeLimitExceeded.ResourceId"));
        let unknown = [("ResourceId.1".to_owned(), "vpc-x".to_owned())];
        assert_eq!(call("UnTagResources", unknown.to_vec()), Err("InvalidInstanceIds.NotFound"));
    }
}
