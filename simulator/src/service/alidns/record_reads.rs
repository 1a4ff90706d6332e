//! Reads of records: `DescribeDomainRecords`, `DescribeDomainRecordInfo`.

use jiff::Timestamp;
use serde_json::{Value, json};

use super::records::{LINE, NOT_FOUND};
use super::{FOREIGN_DOMAIN, LANGUAGE, NO_DOMAIN, domain};
use crate::action::{
    Action, COUNT, Call, CloudError, Form, Shape, TEXT, field, items, optional, page, record, required,
};
use crate::world::World;
use crate::world::alidns::Record;

/// The actions of this file.
pub const ACTIONS: &[Action] = &[DESCRIBE, INFO];

const DESCRIBE: Action = Action::read("DescribeDomainRecords", describe)
    .parameters(&[
        required("DomainName", TEXT),
        optional("SearchMode", Form::OneOf(&["LIKE", "EXACT", "ADVANCED", "COMBINATION"])),
        optional("KeyWord", TEXT),
        optional("RRKeyWord", TEXT),
        optional("TypeKeyWord", TEXT),
        optional("ValueKeyWord", TEXT),
        optional("Type", TEXT),
        optional("Line", LINE),
        optional("Status", Form::OneOf(&["Enable", "Disable"])),
        optional("Direction", Form::OneOf(&["DESC", "ASC"])).or("DESC"),
        optional("PageNumber", COUNT).or("1"),
        optional("PageSize", Form::Integer(1, 500)).or("20"),
        optional("Lang", LANGUAGE),
    ])
    .left_out(&["GroupId", "OrderBy"])
    .answer(&[
        field("TotalCount", Shape::Integer),
        field("PageNumber", Shape::Integer),
        field("PageSize", Shape::Integer),
        field("DomainRecords", record(&[field("Record", items(&RECORD))])),
    ])
    .errors(&[&NO_DOMAIN, &FOREIGN_DOMAIN]);

const RECORD: Shape = record(&[
    field("RecordId", Shape::Text),
    field("DomainName", Shape::Text),
    field("RR", Shape::Text),
    field("Type", Shape::Text),
    field("Value", Shape::Text),
    field("TTL", Shape::Integer),
    field("Line", Shape::Text),
    field("Priority", Shape::Integer),
    field("Status", Shape::Text),
    field("Locked", Shape::Boolean),
    field("CreateTimestamp", Shape::Integer),
    field("UpdateTimestamp", Shape::Integer),
]);

fn describe(world: &World, call: &Call<'_>) -> Result<Value, CloudError> {
    let domain = domain(world, call)?;
    let records = &world.account(call).alidns.records;
    let mut rows: Vec<&Record> =
        records.iter().filter(|record| record.domain_id == domain.domain_id && wanted(call, record)).collect();
    if call.text("Direction") == "DESC" {
        rows.reverse();
    }
    let answer = page(call, rows.into_iter(), |record| record.row(&domain.domain_name));
    Ok(answer.answer("DomainRecords", "Record"))
}

/// Whether a record matches the search. Some modes of the search use only some of the parameters.
fn wanted(call: &Call<'_>, record: &Record) -> bool {
    let exactly =
        |parameter, value: &str| call.given(parameter).is_none_or(|wanted| wanted.eq_ignore_ascii_case(value));
    let within = |parameter, value: &str| {
        call.given(parameter).is_none_or(|wanted| value.to_lowercase().contains(&wanted.to_lowercase()))
    };
    let columns = |word: fn(&str, &str) -> bool| {
        let Some(wanted) = call.given("KeyWord") else { return true };
        word(&record.rr.to_lowercase(), &wanted.to_lowercase())
            || word(&record.value.to_lowercase(), &wanted.to_lowercase())
    };
    let rest = || {
        exactly("TypeKeyWord", &record.kind)
            && exactly("Type", &record.kind)
            && exactly("Line", &record.line)
            && exactly("Status", "Enable")
    };
    let mode = call.given("SearchMode").or_else(|| call.has("KeyWord").then_some("LIKE"));
    match mode {
        Some("LIKE") => columns(|value, wanted| value.contains(wanted)),
        Some("EXACT") => columns(|value, wanted| value == wanted),
        Some("COMBINATION") => {
            exactly("RRKeyWord", &record.rr) && exactly("ValueKeyWord", &record.value) && rest()
        }
        _ => within("RRKeyWord", &record.rr) && within("ValueKeyWord", &record.value) && rest(),
    }
}

const INFO: Action = Action::read("DescribeDomainRecordInfo", info)
    .parameters(&[required("RecordId", TEXT), optional("Lang", LANGUAGE)])
    .left_out(&["UserClientIp"])
    .answer(&[
        field("RecordId", Shape::Text),
        field("DomainId", Shape::Text),
        field("DomainName", Shape::Text),
        field("PunyCode", Shape::Text),
        field("RR", Shape::Text),
        field("Type", Shape::Text),
        field("Value", Shape::Text),
        field("TTL", Shape::Integer),
        field("Line", Shape::Text),
        field("Priority", Shape::Integer),
        field("Status", Shape::Text),
        field("Locked", Shape::Boolean),
    ])
    .errors(&[&NOT_FOUND]);

fn info(world: &World, call: &Call<'_>) -> Result<Value, CloudError> {
    let dns = &world.account(call).alidns;
    let record = dns.records.get(call.text("RecordId")).ok_or(&NOT_FOUND)?;
    let domain = dns.domains.get(&record.domain_id).ok_or(&NOT_FOUND)?;
    Ok(record.row(&domain.domain_name))
}

impl Record {
    fn row(&self, domain: &str) -> Value {
        json!({
            "RecordId": self.record_id,
            "DomainId": self.domain_id,
            "DomainName": domain,
            "PunyCode": domain,
            "RR": self.rr,
            "Type": self.kind,
            "Value": self.value,
            "TTL": self.ttl,
            "Line": self.line,
            "Priority": self.priority,
            "Status": "ENABLE",
            "Locked": false,
            "CreateTimestamp": self.created.as_millisecond(),
            "UpdateTimestamp": self.updated.map(Timestamp::as_millisecond),
        })
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use crate::settings::Settings;
    use crate::testing::TestCloud;

    const DOMAIN: (&str, &str) = ("DomainName", "example.com");

    fn cloud() -> TestCloud {
        with(Settings::default())
    }

    fn with(settings: Settings) -> TestCloud {
        let cloud = TestCloud::with(settings);
        cloud.call("alidns", "AddDomain", &[DOMAIN]);
        cloud
    }

    fn add(cloud: &TestCloud, rr: &str, kind: &str, value: &str) -> String {
        let parameters = [DOMAIN, ("RR", rr), ("Type", kind), ("Value", value), ("TTL", "120")];
        cloud.text("alidns", "AddDomainRecord", &parameters, "RecordId")
    }

    fn found(cloud: &TestCloud, parameters: &[(&str, &str)]) -> Vec<String> {
        let parameters: Vec<_> = [DOMAIN].iter().chain(parameters).copied().collect();
        let answer = cloud.call("alidns", "DescribeDomainRecords", &parameters);
        let rows = answer["DomainRecords"]["Record"].as_array().unwrap().iter();
        rows.map(|row| format!("{} {} {}", row["RR"], row["Type"], row["Value"]).replace('"', "")).collect()
    }

    #[test]
    fn a_record_comes_changes_and_goes() {
        let cloud = cloud();
        let id = add(&cloud, "api.foo", "a", "192.0.2.1");
        let info = || cloud.call("alidns", "DescribeDomainRecordInfo", &[("RecordId", &id)]);
        let at = info();
        assert_eq!((&at["Type"], &at["TTL"], &at["Line"]), (&json!("A"), &json!(120), &json!("default")));
        assert_eq!(at["Status"], "ENABLE");
        assert_eq!(at["DomainName"], "example.com");
        let same = [("RecordId", id.as_str()), ("RR", "api.foo"), ("Type", "A"), ("Value", "192.0.2.1")];
        let update = |ttl| {
            let parameters: Vec<_> = same.iter().copied().chain([("TTL", ttl)]).collect();
            cloud.try_call("alidns", "UpdateDomainRecord", &parameters)
        };
        assert_eq!(update("120").unwrap_err().code(), "DomainRecordDuplicate");
        cloud.step(1);
        assert_eq!(update("300").unwrap()["RecordId"], id);
        assert_eq!(info()["TTL"], 300);
        let rows = cloud.call("alidns", "DescribeDomainRecords", &[DOMAIN]);
        let row = &rows["DomainRecords"]["Record"][0];
        let time = |field: &str| row[field].as_i64().unwrap();
        assert_eq!(time("UpdateTimestamp") - time("CreateTimestamp"), 1000);
        cloud.call("alidns", "DeleteDomainRecord", &[("RecordId", &id)]);
        for action in ["DeleteDomainRecord", "DescribeDomainRecordInfo"] {
            let gone = cloud.refused("alidns", action, &[("RecordId", &id)]);
            assert_eq!(gone, "DomainRecordNotBelongToUser", "{action}");
        }
        assert_eq!(update("600").unwrap_err().code(), "DomainRecordNotBelongToUser");
    }

    #[test]
    fn records_are_found_as_the_mode_of_the_search_says() {
        let cloud = cloud();
        add(&cloud, "www", "A", "192.0.2.1");
        add(&cloud, "www2", "A", "192.0.2.2");
        add(&cloud, "comment-www", "TXT", "www of foo");
        let all = ["comment-www TXT www of foo", "www2 A 192.0.2.2", "www A 192.0.2.1"];
        for (parameters, rows) in [
            (&[][..], &[0, 1, 2][..]),
            (&[("Direction", "ASC")], &[2, 1, 0]),
            (&[("RRKeyWord", "WWW")], &[0, 1, 2]),
            (&[("RRKeyWord", "www"), ("TypeKeyWord", "A")], &[1, 2]),
            (&[("RRKeyWord", "ww"), ("SearchMode", "ADVANCED")], &[0, 1, 2]),
            (&[("RRKeyWord", "www"), ("SearchMode", "COMBINATION")], &[2]),
            (&[("ValueKeyWord", "192.0.2.1")], &[2]),
            (&[("ValueKeyWord", "foo")], &[0]),
            (&[("KeyWord", "www")], &[0, 1, 2]),
            (&[("KeyWord", "www"), ("SearchMode", "EXACT")], &[2]),
            (&[("Type", "TXT")], &[0]),
            (&[("Line", "telecom")], &[]),
            (&[("Status", "Disable")], &[]),
            (&[("PageSize", "2"), ("PageNumber", "2")], &[2]),
        ] {
            let rows: Vec<&str> = rows.iter().map(|row| all[*row]).collect();
            assert_eq!(found(&cloud, parameters), rows, "{parameters:?}");
        }
        assert_eq!(
            cloud.refused("alidns", "DescribeDomainRecords", &[DOMAIN, ("PageSize", "501")]),
            "InvalidPageSize"
        );
        assert_eq!(
            cloud.refused("alidns", "DescribeDomainRecords", &[("DomainName", "example.org")]),
            "InvalidDomainName.NoExist"
        );
    }

    #[test]
    fn all_records_of_a_name_can_be_deleted_at_once() {
        let cloud = cloud();
        for value in ["192.0.2.1", "192.0.2.2"] {
            add(&cloud, "www", "A", value);
        }
        add(&cloud, "www", "TXT", "a");
        add(&cloud, "www2", "A", "192.0.2.1");
        let delete = |kind| -> Value {
            cloud.call("alidns", "DeleteSubDomainRecords", &[DOMAIN, ("RR", "www"), ("Type", kind)])["TotalCount"]
                .clone()
        };
        assert_eq!(delete("a"), "2");
        assert_eq!(delete(""), "1");
        assert_eq!(delete(""), "0");
        assert_eq!(found(&cloud, &[]), ["www2 A 192.0.2.1"]);
    }

    #[test]
    fn what_is_wrong_with_a_record_is_said() {
        let settings = Settings {
            quotas: [("leastTtl".to_owned(), 60), ("recordsOfName".to_owned(), 1)].into(),
            ..Settings::default()
        };
        let cloud = with(settings);
        let first = add(&cloud, "www", "A", "192.0.2.1");
        let second = add(&cloud, "alias", "CNAME", "www.example.com");
        add(&cloud, "@", "CNAME", "www.example.com");
        add(&cloud, "@", "TXT", "next to the alias");
        for (rr, kind, value, ttl, code) in [
            ("www", "A", "192.0.2.1", "600", "DomainRecordDuplicate"),
            ("WWW", "A", "192.0.2.1", "600", "DomainRecordDuplicate"),
            ("www", "A", "192.0.2.2", "600", "QuotaExceeded.Record"),
            ("www", "CNAME", "example.com", "600", "DomainRecordConflict"),
            ("alias", "TXT", "a", "600", "DomainRecordConflict"),
            ("a b", "A", "192.0.2.1", "600", "InvalidRR.Format"),
            ("new", "A", "example.com", "600", "SubDomainInvalid.Value"),
            ("new", "A", "192.0.2.1", "59", "QuotaExceeded.TTL"),
            ("new", "A", "192.0.2.1", "86401", "QuotaExceeded.TTL"),
            ("new", "CAT", "miaow", "600", "InvalidType"),
            ("new", "MX", "mx.example.com", "600", "MissingPriority"),
            ("", "A", "192.0.2.1", "600", "MissingRR"),
        ] {
            let parameters = [DOMAIN, ("RR", rr), ("Type", kind), ("Value", value), ("TTL", ttl)];
            assert_eq!(cloud.refused("alidns", "AddDomainRecord", &parameters), code, "{rr} {kind} {value} {ttl}");
        }
        for (id, rr, kind, code) in [
            (&first, "alias", "A", "DomainRecordConflict"),
            (&second, "www", "CNAME", "DomainRecordConflict"),
            (&first, "a b", "A", "InvalidRR.Format"),
        ] {
            let value = if kind == "A" { "192.0.2.1" } else { "www.example.com" };
            let parameters = [("RecordId", id.as_str()), ("RR", rr), ("Type", kind), ("Value", value)];
            assert_eq!(cloud.refused("alidns", "UpdateDomainRecord", &parameters), code, "{rr} {kind}");
        }
        for (value, ttl, code) in
            [("example.com", "600", "SubDomainInvalid.Value"), ("192.0.2.9", "59", "QuotaExceeded.TTL")]
        {
            let parameters =
                [("RecordId", first.as_str()), ("RR", "www"), ("Type", "A"), ("Value", value), ("TTL", ttl)];
            assert_eq!(cloud.refused("alidns", "UpdateDomainRecord", &parameters), code, "{value} {ttl}");
        }
        let unknown = [("DomainName", "example.org"), ("RR", "a"), ("Type", "A"), ("Value", "192.0.2.1")];
        assert_eq!(cloud.refused("alidns", "AddDomainRecord", &unknown), "InvalidDomainName.NoExist");
        let mail = [DOMAIN, ("RR", "mail"), ("Type", "MX"), ("Value", "mx.example.com"), ("Priority", "10")];
        let id = cloud.text("alidns", "AddDomainRecord", &mail, "RecordId");
        assert_eq!(cloud.call("alidns", "DescribeDomainRecordInfo", &[("RecordId", &id)])["Priority"], 10);
    }
}
