//! What names and ids of Azure must be (AZ-FLT).

use crate::document::Path;
use crate::provider::azure::resource_id::ResourceId;
use crate::report::{ErrorType, Report, Rule};
use crate::text::{TextRule, check_uuid};

const NOT_EMPTY: &str = "must not be empty";

/// A name of the service that an endpoint leads to.
pub const SERVICE_ENDPOINT: TextRule = TextRule::pattern(r"^Microsoft\.[A-Za-z0-9.]+$").length(9, 120);
/// The name of a resource group.
pub const RESOURCE_GROUP: TextRule = TextRule::without(r"^[A-Za-z0-9_().-]{1,89}[A-Za-z0-9_()-]$", |text, _| {
    let fits = |byte: u8| byte.is_ascii_alphanumeric() || b"_().-".contains(&byte);
    (2..=90).contains(&text.len()) && text.bytes().all(fits) && !text.ends_with('.')
})
.required(NOT_EMPTY)
.length(0, 90);
/// The name of a virtual network.
pub const VNET: TextRule = TextRule::pattern(r"^[A-Za-z0-9][\w.-]*[\w]$").length(2, 64);
/// The name of a resource that has no rules of its own.
pub const RESOURCE: TextRule = TextRule::pattern(r"^[A-Za-z0-9][\w-]*$").length(3, 120);
/// The name of a public address.
pub const PUBLIC_IP: TextRule = TextRule::pattern(r"^[A-Za-z0-9][\w-]*$").required(NOT_EMPTY).length(0, 80);
/// The URI of a storage account's blobs.
pub const STORAGE_URI: TextRule =
    TextRule::pattern(r"^https://[a-z0-9-]{3,24}\.blob\.core[^\s]+/[^\s]+$").required(NOT_EMPTY);
/// An image of the marketplace.
pub const URN: TextRule = TextRule::pattern(r"^[\w-]+:[\w-]+:[\w.-]+:[\w.-]+$").required(NOT_EMPTY).length(0, 256);
/// An image of a shared gallery.
pub const SHARED_GALLERY: TextRule =
    TextRule::pattern(r"^/SharedGalleries/[\w-]+/Images/[\w-]+/Versions/[\w.-]+$")
        .required(NOT_EMPTY)
        .length(0, 512);
/// An image of a community gallery.
pub const COMMUNITY_GALLERY: TextRule =
    TextRule::pattern(r"^/CommunityGalleries/[\w-]+/Images/[\w-]+/Versions/[\w.-]+$")
        .required(NOT_EMPTY)
        .length(0, 512);

/// Judges the subscription and the resource group that a resource id names.
pub fn resource_id(rule: &'static Rule, id: &ResourceId<'_>, path: &Path<'_>, report: &mut Report<'_>) {
    if !id.subscription.is_empty()
        && let Err(error) = check_uuid(id.subscription)
    {
        let detail = format!("must be a valid Azure subscription ID: {error}");
        report.error(rule, path, ErrorType::Invalid, detail);
    }
    if !id.resource_group.is_empty() {
        let (field, pointer) = (path.key("resourceGroupName").field(), path.pointer());
        report.text(rule, &Path::root(&field, &pointer), id.resource_group, &RESOURCE_GROUP);
    }
}
