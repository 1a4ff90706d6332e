//! ECS: security groups, images and instances.

pub mod available_resources;
pub mod image_copies;
pub mod image_sharing;
pub mod images;
mod instance_addresses;
pub mod instance_types;
pub mod instances;
pub mod key_pairs;
pub mod life_cycle;
mod long_tags;
pub mod network_interfaces;
mod paging;
pub mod public_addresses;
pub mod regions;
pub mod rule_changes;
mod rule_parameters;
pub mod rules;
pub mod run_instances;
pub mod security_groups;
mod system_images;
pub mod tags;
mod visible_images;

use std::collections::BTreeSet;

use crate::action::{Call, CloudError, ErrorCode, Form, Rule, Service};

/// The service.
pub const SERVICE: Service = Service {
    name: "Ecs",
    version: "2014-05-26",
    code: "ecs",
    actions: &[
        security_groups::ACTIONS,
        rules::ACTIONS,
        rule_changes::ACTIONS,
        images::ACTIONS,
        image_sharing::ACTIONS,
        image_copies::ACTIONS,
        run_instances::ACTIONS,
        instances::ACTIONS,
        life_cycle::ACTIONS,
        public_addresses::ACTIONS,
        key_pairs::ACTIONS,
        network_interfaces::ACTIONS,
        instance_types::ACTIONS,
        available_resources::ACTIONS,
        regions::ACTIONS,
        tags::ACTIONS,
    ],
    quotas: &[
        &security_groups::QUOTA,
        &security_groups::INSTANCES,
        &rule_changes::QUOTA,
        &image_copies::QUOTA,
        &image_sharing::QUOTA,
        &run_instances::QUOTA,
        &tags::QUOTA,
    ],
};

/// The name of a resource.
const NAME: Form = Form::Text(&Rule {
    what: "2 to 128 letters, digits, `.`, `_`, `-` and `:`, the first a letter",
    check: |text| {
        (2..=128).contains(&text.chars().count())
            && text.starts_with(char::is_alphabetic)
            && text.chars().all(|char| char.is_alphanumeric() || ".:_-".contains(char))
    },
});

/// The description of a resource.
const DESCRIPTION: Form = Form::Text(&Rule {
    what: "2 to 256 characters, not beginning with http:// or https://",
    check: |text| (2..=256).contains(&text.chars().count()) && !web(text),
});

fn web(text: &str) -> bool {
    text.starts_with("http://") || text.starts_with("https://")
}

const DUPLICATE_TAG: ErrorCode = ErrorCode::new(400, "Duplicate.TagKey", "The Tag.N.Key contain duplicate key.");

/// Refuses when the parameter `Tag` has a key twice.
fn distinct_tags(call: &Call<'_>) -> Result<(), CloudError> {
    let mut keys = BTreeSet::new();
    if call.records("Tag").iter().all(|tag| keys.insert(tag.text("Key"))) {
        Ok(())
    } else {
        Err((&DUPLICATE_TAG).into())
    }
}

/// Whether a JSON list of a call, if it was given, has a value. An empty list has none.
fn listed(call: &Call<'_>, name: &str, value: &str) -> bool {
    !call.has(name) || call.texts(name).iter().any(|listed| listed == value)
}

/// Whether a text of a call, if it was given, is this value.
fn same(call: &Call<'_>, name: &str, value: &str) -> bool {
    call.given(name).is_none_or(|given| given == value)
}

#[cfg(test)]
mod tests;
