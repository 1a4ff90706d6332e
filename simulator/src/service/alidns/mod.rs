//! Domains and their records.

mod domains;
mod record_form;
mod record_reads;
mod records;

use crate::action::{Call, CloudError, ErrorCode, Form, Service};
use crate::world::World;
use crate::world::alidns::Domain;

/// The service.
pub const SERVICE: Service = Service {
    name: "Alidns",
    version: "2015-01-09",
    code: "alidns",
    actions: &[domains::ACTIONS, records::ACTIONS, record_reads::ACTIONS],
    quotas: &[&domains::QUOTA, &records::QUOTA, &records::LEAST_TTL],
};

const NO_DOMAIN: ErrorCode =
    ErrorCode::new(400, "InvalidDomainName.NoExist", "The domain is not exist in aliyun DNS system.");
const FOREIGN_DOMAIN: ErrorCode =
    ErrorCode::new(400, "IncorrectDomainUser", "The domain name does not belong to this user.");

/// The language of remarks, of which there are none here.
const LANGUAGE: Form = Form::OneOf(&["zh", "en"]);

/// The caller's domain that `DomainName` names.
fn domain<'a>(world: &'a World, call: &Call<'_>) -> Result<&'a Domain, CloudError> {
    let name = call.text("DomainName").to_lowercase();
    let mine = world.account(call).alidns.domains.iter().find(|domain| domain.domain_name == name);
    mine.ok_or_else(|| if anyone(world, &name) { (&FOREIGN_DOMAIN).into() } else { (&NO_DOMAIN).into() })
}

/// Whether any account has a domain.
fn anyone(world: &World, name: &str) -> bool {
    let mut domains = world.accounts().flat_map(|(_, account)| &account.alidns.domains);
    domains.any(|domain| domain.domain_name == name)
}
