//! What responses about networks and servers have of their own.

use crate::call::{Argument, Call, Paging, Query};
use crate::document::Value;
use crate::gardener::planning::entry::Entry;
use crate::gardener::planning::facts::Api;
use crate::provider::alicloud::classify::{CLOUD, classify};
use crate::provider::alicloud::error_codes::codes;
use crate::provider::alicloud::queries::{has_all_pages, refuses_credentials};
use crate::provider::alicloud::tags::tags_of;
use crate::report::Rule;

/// Codes of errors that say that what is asked about does not exist.
const GONE: &[&str] = &[
    "Forbidden.VpcNotFound",
    "InvalidAllocationId.NotFound",
    "InvalidNatGatewayId.NotFound",
    "InvalidRouteTableId.NotFound",
    "InvalidSecurityGroupId.NotFound",
    "InvalidSnatTableId.NotFound",
    "InvalidVpcID.NotFound",
    "InvalidVpcId.NotFound",
];

/// The member by which a response about one security group names it.
const GROUP: &str = "SecurityGroupId";

/// The APIs of networks and servers, for what breaks rules of its own where it cannot call or read: where nobody could
/// read the credentials, where nobody could make a client, and where a query failed that no other rule needs.
pub const fn api(
    not_called: &'static [(&'static str, &'static Rule, &'static str)],
    unreadable: &'static Rule,
) -> Api {
    Api {
        is_gone: |code, _| is_gone(code),
        check,
        is_asked_for,
        cloud: CLOUD,
        classify,
        refuses_credentials,
        codes,
        not_called,
        unreadable,
    }
}

fn is_gone(code: &str) -> bool {
    GONE.contains(&code)
}

fn check(query: &Query, response: &Value<'_>, entries: usize) -> Result<(), &'static str> {
    if query.paging == Paging::PageNumber {
        has_all_pages(response, entries)?;
    }
    let about = response.get(GROUP).and_then(Value::as_str);
    if query.call.parameters.get(GROUP).zip(about).is_some_and(|(asked, about)| *asked != Argument::from(about)) {
        return Err("is about another security group than was asked for");
    }
    Ok(())
}

/// Whether an entry in the response to a call has every value that the call asks for. One that lacks a member by
/// which the call chooses is not of the API's shape.
fn is_asked_for(call: &Call, entry: &Entry<'_>) -> bool {
    call.parameters.iter().all(|(name, argument)| match (name, argument) {
        // These choose no entries; the server groups of a load balancer do not show its id.
        ("LoadBalancerId" | "MaxResult" | "MaxResults" | "PageSize" | "RegionId" | "ResourceType", _) => true,
        // The response as a whole shows this one.
        (GROUP, _) if call.action == "DescribeSecurityGroupAttribute" => true,
        ("Tag", Argument::List(wanted)) => {
            let found = tags_of(entry);
            let has = |tag: &Argument| match tag {
                Argument::Object(tag) => found.iter().any(|(key, value)| {
                    tag.get("Key").is_some_and(|wanted| is(wanted, key))
                        && tag.get("Value").is_some_and(|wanted| is(wanted, value))
                }),
                _ => false,
            };
            wanted.iter().all(has)
        }
        // An id in a list, and names under another member.
        ("InstanceIds", Argument::Text(list)) => list.contains(&format!("\"{}\"", entry.id("InstanceId"))),
        ("InstanceTypes", Argument::List(names)) => {
            let found = entry.id("InstanceTypeId");
            names.iter().any(|name| is(name, found))
        }
        ("RouteEntryType", kind) => is_kind(entry, "Type", kind),
        ("RouteTableType", kind) => is_kind(entry, "RouteTableType", kind),
        // Ids with commas between them.
        ("AllocationId" | "ImageId", Argument::Text(ids)) => ids.split(',').any(|id| id == entry.id(name)),
        (_, Argument::List(values)) => {
            let found = entry.id(name);
            values.iter().any(|value| is(value, found))
        }
        (_, value) => is(value, entry.id(name)),
    })
}

fn is(argument: &Argument, value: &str) -> bool {
    matches!(argument, Argument::Text(text) if text == value)
}

/// Whether an entry is of a kind, as far as it says.
fn is_kind(entry: &Entry<'_>, member: &str, kind: &Argument) -> bool {
    let found = entry.text(&[member]);
    found.is_empty() || is(kind, found)
}
