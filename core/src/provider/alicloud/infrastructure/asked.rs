//! Whether an entry of a list is what was asked for. The entry itself tells: a filter of the cloud is a request, and what is
//! changed or deleted on its word alone may be somebody else's.

use super::facts::Entry;
use crate::call::{Argument, Call};

/// Whether an entry in the response to a call has every value that the call asks for. One that lacks a member by which the
/// call chooses is not of the API's shape, which the entry remembers.
pub fn is_asked_for(call: &Call, entry: &Entry<'_>) -> bool {
    call.parameters.iter().all(|(name, argument)| match (name, argument) {
        // These choose no entries; a load balancer's server groups are not told with its id.
        ("LoadBalancerId" | "MaxResult" | "MaxResults" | "PageSize" | "RegionId" | "ResourceType", _) => true,
        // The response as a whole tells this one.
        ("SecurityGroupId", _) if call.action == "DescribeSecurityGroupAttribute" => true,
        ("Tag", Argument::List(tags)) => {
            let found = entry.tags();
            let has = |tag: &Argument| match tag {
                Argument::Object(tag) => found.iter().any(|(key, value)| {
                    tag.get("Key").is_some_and(|wanted| is(wanted, key))
                        && tag.get("Value").is_some_and(|wanted| is(wanted, value))
                }),
                _ => false,
            };
            tags.iter().all(has)
        }
        ("RouteEntryType", kind) => is_kind(entry, "Type", kind),
        ("RouteTableType", kind) => is_kind(entry, "RouteTableType", kind),
        // Ids with commas between them.
        ("AllocationId" | "ImageId", Argument::Text(ids)) => ids.split(',').any(|id| id == entry.id(name)),
        (_, Argument::List(values)) => {
            let found = entry.id(name);
            values.iter().any(|value| is(value, &found))
        }
        (_, value) => is(value, &entry.id(name)),
    })
}

fn is(argument: &Argument, value: &str) -> bool {
    matches!(argument, Argument::Text(text) if text == value)
}

/// Whether an entry is of a kind, as far as it tells.
fn is_kind(entry: &Entry<'_>, member: &str, kind: &Argument) -> bool {
    let found = entry.text(&[member]);
    found.is_empty() || is(kind, &found)
}
