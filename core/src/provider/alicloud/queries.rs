//! Queries of Alibaba Cloud: how they are built, and those that judging and planning both ask, with what reads
//! their responses.
//!
//! Source of parameters and page sizes: the models of the official SDKs.

use crate::call::{Argument, Call, Paging, Query};
use crate::collections::NameMap;
use crate::document::Value;
use crate::gardener::planning::entry::{Entry, each_of};
use crate::gardener::planning::queries::query_id;
use crate::gardener::planning::steps::{Listing, Parameters};
use crate::policy::RequestError;
use crate::text::join;

/// Code of a fact's error where nobody could read the credentials of the account.
pub const CREDENTIALS_UNAVAILABLE: &str = "CredentialsUnavailable";
/// Code of a fact's error where nobody could make a client for the account.
pub const CLIENT_UNAVAILABLE: &str = "ClientUnavailable";

/// Beginnings of the codes of errors that say that the cloud refuses the credentials.
const CREDENTIALS_REFUSED: &[&str] =
    &["IncompleteSignature", "InvalidAccessKey", "InvalidSecurityToken", "SignatureDoesNotMatch"];

/// Most ids in one parameter, with commas between them or as a list.
const MAX_IDS: usize = 50;

/// VSwitches in a response.
pub const VSWITCHES: Listing = Listing { list: "/VSwitches/VSwitch", key: "VSwitchId" };
/// Images in a response.
pub const IMAGES: Listing = Listing { list: "/Images/Image", key: "ImageId" };

/// Makes calls and queries in one region; in none where its name is empty.
#[derive(Clone, Copy, Debug)]
pub struct Region<'a>(pub &'a str);

impl Region<'_> {
    /// A call.
    pub fn call(self, service: &'static str, action: &'static str, parameters: &Parameters<'_>) -> Call {
        let mut arguments: NameMap<'static, Argument> = NameMap::new();
        for (name, parameter) in parameters {
            arguments.insert(name, parameter.argument());
        }
        if !self.0.is_empty() {
            arguments.insert("RegionId", self.0.into());
        }
        Call { service, action, parameters: arguments, ..Call::default() }
    }

    /// A query whose response is in one piece.
    pub fn query(self, service: &'static str, action: &'static str, parameters: &Parameters<'_>) -> Query {
        let id = query_id(service, action, self.0, parameters);
        Query { id, call: self.call(service, action, parameters), paging: Paging::None, identity: None }
    }

    /// A query whose response has pages by number, of so many entries each.
    pub fn pages(
        self,
        service: &'static str,
        action: &'static str,
        page_size: &'static str,
        parameters: &Parameters<'_>,
    ) -> Query {
        let mut query = self.query(service, action, parameters);
        query.call.parameters.insert("PageSize", page_size.into());
        Query { paging: Paging::PageNumber, ..query }
    }

    /// A query whose response has pages by token, of so many entries each where a size is given.
    pub fn pages_by_token(
        self,
        service: &'static str,
        action: &'static str,
        page_size: Option<(&'static str, &'static str)>,
        parameters: &Parameters<'_>,
    ) -> Query {
        let mut query = self.query(service, action, parameters);
        if let Some((name, size)) = page_size {
            query.call.parameters.insert(name, size.into());
        }
        Query { paging: Paging::NextToken, ..query }
    }
}

/// Whether an error of that code says that the cloud refuses the credentials.
pub fn refuses_credentials(code: &str) -> bool {
    CREDENTIALS_REFUSED.iter().any(|start| code.starts_with(start))
}

/// The account that the credentials belong to.
pub fn account(region: &str) -> Query {
    Query { identity: Some("/AccountId"), ..Region(region).query("sts", "GetCallerIdentity", &[]) }
}

/// The VSwitches of a VPC.
pub fn vswitches(region: &str, vpc: &str) -> Query {
    Region(region).pages("vpc", "DescribeVSwitches", "50", &[("VpcId", vpc.into())])
}

/// Images that the account sees, by their ids.
pub fn images(region: &str, ids: &[&str]) -> Vec<Query> {
    in_chunks(ids, &|ids| {
        Region(region).pages("ecs", "DescribeImages", "100", &[("ImageId", join(ids, ",").as_str().into())])
    })
}

/// A query for each chunk of ids that fits into one parameter.
pub fn in_chunks(ids: &[&str], query: &dyn Fn(&[&str]) -> Query) -> Vec<Query> {
    let mut queries = Vec::new();
    for ids in ids.chunks(MAX_IDS) {
        queries.push(query(ids));
    }
    queries
}

/// An image, as the account sees it.
pub fn image(region: &str, id: &str) -> Query {
    Region(region).pages("ecs", "DescribeImages", "100", &[("ImageId", id.into())])
}

/// A VSwitch, as a response to [`vswitches`] has it. What the response leaves out is empty.
#[derive(Clone, Copy, Debug)]
pub struct VSwitch<'r> {
    /// `VSwitchId`
    pub id: &'r str,
    /// `VSwitchName`
    pub name: &'r str,
    /// `ZoneId`
    pub zone: &'r str,
    /// `CidrBlock`
    pub cidr: &'r str,
    /// `Ipv6CidrBlock`; empty without IPv6.
    pub ipv6_cidr: &'r str,
    /// `Status`: `Pending` or `Available`.
    pub status: &'r str,
    /// `RouteTable.RouteTableId`: the table that it is associated with.
    pub route_table: &'r str,
}

impl<'r> VSwitch<'r> {
    /// Reads one.
    pub fn read(entry: &Entry<'r>) -> Self {
        Self {
            id: entry.id("VSwitchId"),
            name: entry.text(&["VSwitchName"]),
            zone: entry.text(&["ZoneId"]),
            cidr: entry.text(&["CidrBlock"]),
            ipv6_cidr: entry.text(&["Ipv6CidrBlock"]),
            status: entry.text(&["Status"]),
            route_table: entry.text(&["RouteTable", "RouteTableId"]),
        }
    }
}

/// An image, as a response to [`images`] has it.
#[derive(Clone, Copy, Debug)]
pub struct Image<'r> {
    /// `ImageId`
    pub id: &'r str,
    /// `ImageOwnerAlias`: `system`, `self`, `others` or `marketplace`.
    pub owner: &'r str,
}

impl<'r> Image<'r> {
    /// Reads one.
    pub fn read(entry: &Entry<'r>) -> Self {
        Self { id: entry.text(&["ImageId"]), owner: entry.text(&["ImageOwnerAlias"]) }
    }
}

/// Each VSwitch in a response to [`vswitches`].
pub fn vswitches_in<'r>(query: &Query, response: &'r Value<'r>) -> Result<Vec<VSwitch<'r>>, RequestError> {
    let mut found = Vec::new();
    each_of(query, response, VSWITCHES.list, &mut |entry| found.push(VSwitch::read(entry)))?;
    let wrong = |problem| RequestError::Fact { query: query.id.clone(), problem };
    has_all_pages(response, found.len()).map_err(wrong)?;
    if found.iter().any(|vswitch| vswitch.cidr.is_empty()) {
        return Err(wrong("has a VSwitch without `CidrBlock`"));
    }
    Ok(found)
}

/// Whether a response to [`image`] shows an image of Alibaba Cloud's own. An image that the account does not see
/// is none.
pub fn is_system_image(query: &Query, response: &Value<'_>) -> Result<bool, RequestError> {
    let mut found = Vec::new();
    each_of(query, response, IMAGES.list, &mut |entry| found.push(Image::read(entry)))?;
    match found.first() {
        Some(Image { owner: "", .. }) => {
            let problem = "has an image without `ImageOwnerAlias`";
            Err(RequestError::Fact { query: query.id.clone(), problem })
        }
        first => Ok(first.is_some_and(|image| image.owner == "system")),
    }
}

/// Checks that a response has the entries of all pages.
pub fn has_all_pages(response: &Value<'_>, entries: usize) -> Result<(), &'static str> {
    match response.get("TotalCount") {
        Some(Value::Number(total)) if total.parse::<usize>().is_ok_and(|total| total > entries) => {
            Err("has fewer entries than `TotalCount` says; the entries of all pages belong together")
        }
        _ => Ok(()),
    }
}
