//! Tags of resources: how responses have them, and the steps that change them.

use super::queries::Region;
use crate::call::Argument;
use crate::collections::{NameMap, sorted};
use crate::gardener::planning::Tags;
use crate::gardener::planning::entry::Entry;
use crate::gardener::planning::steps::{step, tag_text};
use crate::plan::{Attribute, Difference};

/// The tags of an entry, sorted. Some actions spell their members `Key`, others `TagKey`; network load balancers
/// have a list without a name of its own.
pub fn tags_of(entry: &Entry<'_>) -> Tags {
    let list: &[&str] = if entry.has_list(&["Tags"]) { &["Tags"] } else { &["Tags", "Tag"] };
    let text = |tag: &Entry<'_>, keys: &[&str]| tag.first(keys).to_owned();
    sorted(entry.each(list, |tag| (text(tag, &["Key", "TagKey"]), text(tag, &["Value", "TagValue"]))))
}

impl Tagged {
    /// The API that tags such resources, and its action that removes tags.
    fn service(self) -> (&'static str, &'static str) {
        match self.0 {
            "instance" | "securitygroup" => ("ecs", "UntagResources"),
            _ => ("vpc", "UnTagResources"),
        }
    }
}

impl Region<'_> {
    /// One tag of a resource as an attribute: a plan sets it, and leaves all others as they are.
    pub fn mark(
        self,
        resource: &str,
        (kind, id): (Tagged, &str),
        wanted: &(String, String),
        found: &Tags,
    ) -> Attribute {
        let mark = vec![wanted.clone()];
        let (ids, tag) = (Argument::List(vec![id.into()]), tags(&mark));
        let parameters = [("ResourceType", kind.0.into()), ("ResourceId", (&ids).into()), ("Tag", (&tag).into())];
        let steps = vec![step(resource, "tag", self.call(kind.service().0, "TagResources", &parameters))];
        let found: Tags = found.iter().filter(|(key, _)| *key == wanted.0).cloned().collect();
        let (wanted, found) = (tag_text(&mark), tag_text(&found));
        Attribute { name: "tag", wanted, found, difference: Difference::Update(steps, None) }
    }

    /// The tags of a resource as an attribute: a plan sets the wanted ones, and removes all others but those that
    /// the cloud keeps for itself.
    pub fn tags(self, resource: &str, (kind, id): (Tagged, &str), wanted: &Tags, found: &Tags) -> Attribute {
        let (mut found, mut steps) = (found.clone(), Vec::new());
        found.retain(|(key, _)| !key.starts_with("acs:") && !key.starts_with("aliyun"));
        let (service, untag) = kind.service();
        let missing: Tags = wanted.iter().filter(|tag| !found.contains(tag)).cloned().collect();
        let foreign = found.iter().filter(|(key, _)| wanted.iter().all(|(known, _)| known != key));
        let foreign: Vec<Argument> = foreign.map(|(key, _)| key.as_str().into()).collect();
        let resource_ids = Argument::List(vec![id.into()]);
        let mut set = |verb, action, name, change: &Argument| {
            let ids = (&resource_ids).into();
            let parameters = [("ResourceType", kind.0.into()), ("ResourceId", ids), (name, change.into())];
            steps.push(step(resource, verb, self.call(service, action, &parameters)));
        };
        if !missing.is_empty() {
            set("tag", "TagResources", "Tag", &tags(&missing));
        }
        if !foreign.is_empty() {
            set("untag", untag, "TagKey", &Argument::List(foreign));
        }
        let (wanted, found) = (tag_text(wanted), tag_text(&found));
        Attribute { name: "tags", wanted, found, difference: Difference::Update(steps, None) }
    }
}

/// A kind of resource, as the APIs of tags call it.
#[derive(Clone, Copy, Debug)]
pub struct Tagged(pub &'static str);

/// Tags as a parameter.
pub fn tags(tags: &Tags) -> Argument {
    let tag = |(key, value): &(String, String)| {
        Argument::Object(NameMap::from([("Key", key.as_str().into()), ("Value", value.as_str().into())]))
    };
    Argument::List(tags.iter().map(tag).collect())
}
