//! Domains: `AddDomain`, `DescribeDomains`, `DeleteDomain`.

use serde_json::{Value, json};

use super::record_form::is_host;
use super::{FOREIGN_DOMAIN, LANGUAGE, NO_DOMAIN, anyone, domain};
use crate::action::{
    Action, COUNT, Call, CloudError, ErrorCode, Form, Shape, TEXT, field, items, optional, page, record, required,
};
use crate::settings::Quota;
use crate::world::World;
use crate::world::alidns::Domain;

/// The actions of this file.
pub const ACTIONS: &[Action] = &[ADD, DESCRIBE, DELETE];

/// The cloud's number is not documented.
pub(super) const QUOTA: Quota = Quota::new("domains", 1000);

/// The name servers of every domain.
const SERVERS: [&str; 2] = ["vip1.alidns.com", "vip2.alidns.com"];

const FORMAT: ErrorCode = ErrorCode::new(400, "InvalidDomainName.Format", "The format of domain is error.");
const TWICE: ErrorCode = ErrorCode::new(
    400,
    "InvalidDomainName.Duplicate",
    "The domain name is duplicated in this user's domain list.",
);
const TAKEN: ErrorCode = ErrorCode::new(400, "DomainAddedByOthers", "The domain name was added by another user.");
const TOO_MANY: ErrorCode =
    ErrorCode::new(400, "QuotaExceeded.Domain", "The number of domain names has been out of MAX count.");

const DNS_SERVERS: Shape = record(&[field("DnsServer", items(&Shape::Text))]);

const ADD: Action = Action::write("AddDomain", add)
    .parameters(&[required("DomainName", TEXT), optional("Lang", LANGUAGE)])
    .left_out(&["GroupId", "ResourceGroupId"])
    .answer(&[
        field("DomainId", Shape::Text),
        field("DomainName", Shape::Text),
        field("PunyCode", Shape::Text),
        field("DnsServers", DNS_SERVERS),
    ])
    .errors(&[&FORMAT, &TWICE, &TAKEN, &TOO_MANY]);

fn add(world: &mut World, call: &Call<'_>) -> Result<Value, CloudError> {
    let name = call.text("DomainName").to_lowercase();
    if !name.contains('.') || !is_host(&name) {
        return Err((&FORMAT).into());
    }
    let domains = &world.account(call).alidns.domains;
    if domains.iter().any(|domain| domain.domain_name == name) {
        return Err((&TWICE).into());
    }
    if anyone(world, &name) {
        return Err((&TAKEN).into());
    }
    call.within(&QUOTA, domains.len(), &TOO_MANY)?;
    let domain = Domain { domain_id: world.id(""), domain_name: name, create_time: call.now };
    let answer = json!({
        "DomainId": domain.domain_id,
        "DomainName": domain.domain_name,
        "PunyCode": domain.domain_name,
        "DnsServers": { "DnsServer": SERVERS },
    });
    world.account_mut(&call.caller.account).alidns.domains.insert(domain);
    Ok(answer)
}

const DESCRIBE: Action = Action::read("DescribeDomains", describe)
    .parameters(&[
        optional("KeyWord", TEXT),
        optional("SearchMode", Form::OneOf(&["LIKE", "EXACT"])).or("LIKE"),
        optional("PageNumber", COUNT).or("1"),
        optional("PageSize", Form::Integer(1, 100)).or("20"),
        optional("Lang", LANGUAGE),
    ])
    .left_out(&["GroupId", "ResourceGroupId", "Starmark"])
    .answer(&[
        field("TotalCount", Shape::Integer),
        field("PageNumber", Shape::Integer),
        field("PageSize", Shape::Integer),
        field("Domains", record(&[field("Domain", items(&DOMAIN))])),
    ]);

const DOMAIN: Shape = record(&[
    field("DomainId", Shape::Text),
    field("DomainName", Shape::Text),
    field("PunyCode", Shape::Text),
    field("AliDomain", Shape::Boolean),
    field("Starmark", Shape::Boolean),
    field("RecordCount", Shape::Integer),
    field("CreateTime", Shape::Text),
    field("CreateTimestamp", Shape::Integer),
    field("DnsServers", DNS_SERVERS),
]);

fn describe(world: &World, call: &Call<'_>) -> Result<Value, CloudError> {
    let dns = &world.account(call).alidns;
    let wanted = call.text("KeyWord").to_lowercase();
    let rows = dns.domains.iter().filter(|domain| match call.text("SearchMode") {
        "EXACT" => wanted.is_empty() || domain.domain_name == wanted,
        _ => domain.domain_name.contains(&wanted),
    });
    let answer = page(call, rows, |domain| {
        json!({
            "DomainId": domain.domain_id,
            "DomainName": domain.domain_name,
            "PunyCode": domain.domain_name,
            "AliDomain": false,
            "Starmark": false,
            "RecordCount": dns.records.iter().filter(|record| record.domain_id == domain.domain_id).count(),
            "CreateTime": domain.create_time.strftime("%Y-%m-%dT%H:%MZ").to_string(),
            "CreateTimestamp": domain.create_time.as_millisecond(),
            "DnsServers": { "DnsServer": SERVERS },
        })
    });
    Ok(answer.answer("Domains", "Domain"))
}

const DELETE: Action = Action::write("DeleteDomain", delete)
    .parameters(&[required("DomainName", TEXT), optional("Lang", LANGUAGE)])
    .answer(&[field("DomainName", Shape::Text)])
    .errors(&[&NO_DOMAIN, &FOREIGN_DOMAIN]);

/// Its records go with it.
fn delete(world: &mut World, call: &Call<'_>) -> Result<Value, CloudError> {
    let Domain { domain_id, domain_name, .. } = domain(world, call)?.clone();
    let dns = &mut world.account_mut(&call.caller.account).alidns;
    dns.domains.remove(&domain_id);
    dns.records.retain(|record| record.domain_id != domain_id);
    Ok(json!({ "DomainName": domain_name }))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use crate::action::Action;
    use crate::service::alidns::SERVICE;
    use crate::settings::Settings;
    use crate::testing::{TestCloud, operation};

    #[test]
    fn a_domain_comes_and_goes_with_its_records() {
        let cloud = TestCloud::new();
        let name = [("DomainName", "Example.com")];
        let answer = cloud.call("alidns", "AddDomain", &name);
        assert_eq!(answer["DomainName"], "example.com");
        let record = [name[0], ("RR", "www"), ("Type", "A"), ("Value", "192.0.2.1")];
        cloud.call("alidns", "AddDomainRecord", &record);
        let domains = cloud.call("alidns", "DescribeDomains", &[]);
        assert_eq!(domains["PageSize"], 20);
        let domain = &domains["Domains"]["Domain"][0];
        assert_eq!(domain["DomainId"], answer["DomainId"]);
        assert_eq!(domain["RecordCount"], 1);
        assert_eq!(domain["CreateTime"], "2026-01-02T03:04Z");
        cloud.call("alidns", "DeleteDomain", &name);
        assert_eq!(cloud.call("alidns", "DescribeDomains", &[])["TotalCount"], 0);
        cloud.call("alidns", "AddDomain", &name);
        assert_eq!(cloud.call("alidns", "DescribeDomainRecords", &name)["TotalCount"], 0);
    }

    #[test]
    fn domains_are_found_by_words_in_pages() {
        let cloud = TestCloud::new();
        for name in ["one.example.com", "two.example.com", "example.com"] {
            cloud.call("alidns", "AddDomain", &[("DomainName", name)]);
        }
        for (word, mode, count) in
            [("", "LIKE", 3), ("EXAMPLE", "LIKE", 3), ("one", "LIKE", 1), ("example.com", "EXACT", 1)]
        {
            let found = cloud.call("alidns", "DescribeDomains", &[("KeyWord", word), ("SearchMode", mode)]);
            assert_eq!(found["TotalCount"], count, "{word} {mode}");
        }
        let page = cloud.call("alidns", "DescribeDomains", &[("PageSize", "2"), ("PageNumber", "2")]);
        assert_eq!(page.pointer("/Domains/Domain/0/DomainName"), Some(&json!("example.com")));
        assert_eq!(cloud.refused("alidns", "DescribeDomains", &[("PageSize", "101")]), "InvalidPageSize");
    }

    #[test]
    fn what_is_wrong_with_a_domain_is_said() {
        let cloud =
            TestCloud::with(Settings { quotas: [("domains".to_owned(), 1)].into(), ..Settings::default() });
        cloud.call("alidns", "AddDomain", &[("DomainName", "example.com")]);
        for (name, code) in [
            ("example", "InvalidDomainName.Format"),
            ("exa mple.com", "InvalidDomainName.Format"),
            ("EXAMPLE.com", "InvalidDomainName.Duplicate"),
            ("other.com", "QuotaExceeded.Domain"),
        ] {
            assert_eq!(cloud.refused("alidns", "AddDomain", &[("DomainName", name)]), code, "{name}");
        }
        let other = |action: &Action, name: &str| {
            let given = [("DomainName", name), ("RR", "www"), ("Type", "A"), ("Value", "192.0.2.1")];
            let given: Vec<_> = given.into_iter().filter(|(name, _)| action.parameter(name).is_some()).collect();
            let mut operation = operation("alidns", action.name, &given);
            "2".clone_into(&mut operation.caller.account);
            cloud.cloud.execute(&operation).unwrap_err().code().to_owned()
        };
        for action in SERVICE.actions().filter(|action| action.parameter("DomainName").is_some()) {
            let (foreign, unknown) = match action.name {
                "AddDomain" => ("DomainAddedByOthers", None),
                _ => ("IncorrectDomainUser", Some("InvalidDomainName.NoExist")),
            };
            assert_eq!(other(action, "example.com"), foreign, "{}", action.name);
            if let Some(code) = unknown {
                assert_eq!(other(action, "example.org"), code, "{}", action.name);
            }
        }
    }
}
