use serde_json::{Value, json};

use super::testing::{Cloud, planned, request, row, steps};
use super::{plan, status};
use crate::document::parse;
use crate::policy::{PlanRequest, StatusRequest};

const ADD: &str = "AddDomainRecord DomainName=foo.example.com RR=api TTL=120 Type=A Value=198.51.100.4 \
                   Record/198.51.100.4->/RecordId";

#[test]
fn a_new_record_lies_in_the_longest_domain_and_costs_three_calls() {
    let (answer, asked) = Cloud::new(Vec::new()).plan(&request("reconcile", &json!({})));
    assert_eq!(asked, ["DescribeDomains", "DescribeDomainRecords"]);
    assert_eq!(steps(&answer), [ADD]);
    assert_eq!(answer["plan"]["afterwards"], "done");
    assert_eq!(
        answer["plan"]["state"],
        json!({ "Account": "1000000000000001", "Name": "api.foo.example.com A", "Zone": "foo.example.com:d-2" })
    );
    assert_eq!(answer["plan"]["changes"][0]["action"], "create");
}

#[test]
fn a_zone_is_asked_for_known_or_found() {
    let domain = |spec: Value, status: &str| {
        let mut request = request("reconcile", &spec);
        request["request"]["dnsRecord"]["status"] = json!({ "zone": status });
        let (answer, asked) = Cloud::new(Vec::new()).plan(&request);
        let call = &answer["plan"]["steps"][0]["call"]["parameters"];
        let text = |value: &Value| value.as_str().unwrap_or("none").to_owned();
        (text(&call["DomainName"]), text(&call["RR"]), text(&answer["plan"]["state"]["Zone"]), asked.len())
    };
    let is = |domain: &str, rr: &str, zone: &str, asked: usize| {
        (domain.to_owned(), rr.to_owned(), zone.to_owned(), asked)
    };
    let zone = |zone: &str| json!({ "zone": zone });
    assert_eq!(domain(json!({}), "example.com:d-1"), is("example.com", "api.foo", "example.com:d-1", 1));
    assert_eq!(domain(zone("example.com"), ""), is("example.com", "api.foo", "example.com", 1));
    assert_eq!(domain(zone("d-1"), ""), is("example.com", "api.foo", "example.com:d-1", 2));
    assert_eq!(domain(zone("d-1"), "foo.example.com:d-2"), is("example.com", "api.foo", "example.com:d-1", 2));
    assert_eq!(domain(zone("d-2"), "foo.example.com:d-2"), is("foo.example.com", "api", "foo.example.com:d-2", 1));
    assert_eq!(domain(zone("foo.example.com"), "foo.example.com:d-2").3, 1);
    let apex = json!({ "name": "bar.org" });
    assert_eq!(domain(apex, ""), is("bar.org", "@", "bar.org:d-3", 2));
    let everything = json!({ "name": "*.bar.org" });
    assert_eq!(domain(everything, ""), is("bar.org", "*", "bar.org:d-3", 2));
}

#[test]
fn a_name_without_a_domain_or_outside_of_its_zone_has_no_plan_whatever_is_to_be_done() {
    for operation in ["reconcile", "delete"] {
        for (spec, rule, detail) in [
            (
                json!({ "name": "api.other.net" }),
                "ALI-DNS-002",
                "could not find DNS domain name for name api.other.net",
            ),
            (
                json!({ "name": "apifoo.example.comm" }),
                "ALI-DNS-002",
                "could not find DNS domain name for name apifoo.example.comm",
            ),
            (json!({ "zone": "d-9" }), "ALI-DNS-002", "DNS domain with id d-9 not found"),
            (
                json!({ "zone": "bar.org" }),
                "ALI-DNS-003",
                "name api.foo.example.com does not match domain name bar.org",
            ),
        ] {
            let (answer, _) = Cloud::new(Vec::new()).plan(&request(operation, &spec));
            assert_eq!(answer["findings"][0]["rule"], rule, "{answer}");
            assert_eq!((&answer["findings"][0]["detail"], &answer["plan"]), (&json!(detail), &Value::Null));
            assert_eq!(answer["codes"], json!(["ERR_CONFIGURATION_PROBLEM"]));
        }
    }
}

#[test]
fn what_is_as_wanted_is_asked_for_once_and_left_alone() {
    let cloud = Cloud::new(vec![
        row("r-1", "foo.example.com", "api", "A", "198.51.100.4"),
        row("r-2", "foo.example.com", "API", "A", "198.51.100.9"),
        row("r-3", "foo.example.com", "api", "TXT", "other type"),
        row("r-4", "foo.example.com", "my-api", "A", "198.51.100.8"),
        json!({ "RecordId": "r-5", "DomainName": "foo.example.com", "RR": "api", "Type": "A", "Value": "198.51.100.7",
                "TTL": 600, "Line": "telecom" }),
    ]);
    let mut request = request("reconcile", &json!({}));
    request["state"] = json!({ "Account": "1000000000000001", "Zone": "foo.example.com:d-2" });
    let (answer, asked) = cloud.plan(&request);
    assert_eq!((asked, steps(&answer)), (vec!["DescribeDomainRecords".to_owned()], vec![]));
    assert_eq!(answer["plan"]["state"]["Record/198.51.100.4"], "r-1");
}

#[test]
fn new_values_are_there_before_old_ones_go_and_only_another_ttl_is_updated() {
    let mut other = row("r-2", "foo.example.com", "api", "A", "198.51.100.5");
    other["TTL"] = json!(600);
    let cloud = Cloud::new(vec![
        row("r-1", "foo.example.com", "api", "A", "192.0.2.1"),
        other,
        row("r-3", "foo.example.com", "api", "A", "198.51.100.5"),
    ]);
    let (answer, _) =
        cloud.plan(&request("reconcile", &json!({ "values": ["198.51.100.4", "198.51.100.5", "198.51.100.4"] })));
    assert_eq!(
        steps(&answer),
        [
            ADD,
            "DeleteDomainRecord RecordId=r-1 Record/192.0.2.1=none",
            "DeleteDomainRecord RecordId=r-3",
            "UpdateDomainRecord RR=api RecordId=r-2 TTL=120 Type=A Value=198.51.100.5",
        ]
    );
    let after: Vec<_> =
        answer["plan"]["steps"].as_array().unwrap().iter().map(|step| step["after"].clone()).collect();
    assert_eq!(after[1], json!(["records/add-0"]), "{after:?}");
    let change = &answer["plan"]["changes"][0];
    assert_eq!(
        (&change["action"], change["before"]["values"].as_str()),
        (&json!("update"), Some("192.0.2.1, 198.51.100.5, 198.51.100.5"))
    );
    assert_eq!(change["after"]["values"], "198.51.100.4, 198.51.100.5");
}

#[test]
fn only_values_that_no_run_recorded_are_named_as_what_was_there_before() {
    let cloud = Cloud::new(vec![row("r-1", "foo.example.com", "api", "A", "192.0.2.1")]);
    let mut request = request("reconcile", &json!({}));
    let disruption = |request: &Value| cloud.plan(request).0["plan"]["changes"][0]["disruption"].clone();
    assert_eq!(disruption(&request), "What was there before this object goes: 192.0.2.1.");
    request["state"] = json!({ "Zone": "foo.example.com:d-2" });
    assert_eq!(disruption(&request), Value::Null);
    request["state"] = json!({});
    request["request"]["dnsRecord"]["spec"]["values"] = json!(["192.0.2.1", "192.0.2.2"]);
    assert_eq!(disruption(&request), Value::Null, "nothing goes");
}

#[test]
fn records_that_say_whose_a_name_is_go_with_the_first_reconcile_alone() {
    let cloud = Cloud::new(vec![
        row("r-1", "foo.example.com", "api", "A", "198.51.100.4"),
        row("m-1", "foo.example.com", "comment-api", "TXT", "owner"),
        row("m-2", "foo.example.com", "*.comment-ingress", "TXT", "owner"),
    ]);
    let mut first = request("reconcile", &json!({}));
    assert_eq!(steps(&cloud.plan(&first).0), ["DeleteDomainRecord RecordId=m-1"]);
    let mut next = first.clone();
    next["state"] = json!({ "Account": "1000000000000001", "Zone": "foo.example.com:d-2" });
    assert_eq!(steps(&cloud.plan(&next).0), [""; 0], "a zone is recorded: a run has looked");
    first["request"]["dnsRecord"]["status"] = json!({ "lastOperation": { "type": "Reconcile" } });
    assert_eq!(steps(&cloud.plan(&first).0), [""; 0]);
    let wildcard = request("reconcile", &json!({ "name": "*.ingress.foo.example.com" }));
    let removed = steps(&cloud.plan(&wildcard).0);
    assert_eq!(removed[1..], ["DeleteDomainRecord RecordId=m-2"]);
}

#[test]
fn a_deletion_takes_what_is_listed_and_what_is_recorded_and_no_more() {
    let cloud = Cloud::new(vec![
        row("r-1", "foo.example.com", "api", "A", "198.51.100.4"),
        row("r-2", "foo.example.com", "api", "AAAA", "2001:db8::1"),
        row("r-3", "foo.example.com", "api2", "A", "198.51.100.4"),
    ]);
    let mut delete = request("delete", &json!({}));
    delete["state"] =
        json!({ "Account": "1000000000000001", "Zone": "foo.example.com:d-2", "Record/192.0.2.7": "r-7" });
    let (answer, asked) = cloud.plan(&delete);
    assert_eq!(asked, ["DescribeDomainRecords", "DescribeDomainRecordInfo"]);
    assert_eq!(
        steps(&answer).iter().map(|step| step.split(' ').nth(1).unwrap()).collect::<Vec<_>>(),
        ["RecordId=r-1", "RecordId=r-7"]
    );
}

#[test]
fn a_recorded_row_that_became_another_one_is_left_alone_and_forgotten() {
    for edited in [
        row("r-7", "foo.example.com", "elsewhere", "A", "192.0.2.7"),
        row("r-7", "foo.example.com", "api", "CNAME", "example.org"),
        json!({ "RecordId": "r-7", "DomainName": "foo.example.com", "RR": "api", "Type": "A", "Value": "192.0.2.7",
                "TTL": 600, "Line": "telecom" }),
    ] {
        let cloud = Cloud::new(vec![row("r-1", "foo.example.com", "api", "A", "198.51.100.4"), edited]);
        for (operation, removed) in [("reconcile", 0), ("delete", 1)] {
            let mut request = request(operation, &json!({}));
            request["state"] =
                json!({ "Account": "1000000000000001", "Zone": "foo.example.com:d-2", "Record/192.0.2.7": "r-7" });
            let (answer, _) = cloud.plan(&request);
            assert!(!answer.to_string().contains("r-7"), "{answer}");
            assert_eq!(steps(&answer).len(), removed);
        }
    }
}

#[test]
fn a_row_that_no_list_has_yet_is_ours_where_it_says_so() {
    let hidden = row("r-7", "foo.example.com", "api", "A", "192.0.2.7");
    let mut request = request("delete", &json!({}));
    request["state"] =
        json!({ "Account": "1000000000000001", "Zone": "foo.example.com:d-2", "Record/192.0.2.7": "r-7" });
    let cloud = Cloud { hidden: vec![hidden], ..Cloud::new(Vec::new()) };
    assert_eq!(steps(&cloud.plan(&request).0).len(), 1);
    request["request"]["operation"] = json!("reconcile");
    request["request"]["dnsRecord"]["spec"]["values"] = json!(["192.0.2.7"]);
    assert_eq!(steps(&cloud.plan(&request).0), [""; 0], "it is not added once more");
}

#[test]
fn the_form_of_a_record_is_checked_before_the_first_call() {
    let fields = |operation: &str, spec: Value| -> Vec<String> {
        let answer = planned(&request(operation, &spec));
        let findings = answer["findings"].as_array().cloned().unwrap_or_default();
        findings.iter().map(|finding| finding["field"].as_str().unwrap().to_owned()).collect()
    };
    for (spec, field) in [
        (json!({ "values": ["1.2.3.4", 5] }), "spec.values[1]"),
        (json!({ "values": "1.2.3.4" }), "spec.values"),
        (json!({ "values": ["hello"] }), "spec.values[0]"),
        (json!({ "values": vec!["1.2.3.4"; 101] }), "spec.values"),
        (json!({ "recordType": "AAAA" }), "spec.values[0]"),
        (json!({ "recordType": "CNAME", "values": ["a.example.org", "b.example.org"] }), "spec.values"),
        (json!({ "recordType": "MX", "values": ["mail.example.org"] }), "spec.recordType"),
        (json!({ "recordType": "CNAME", "values": ["192.0.2.1"] }), "spec.values[0]"),
        (json!({ "name": "api.foo.example.com." }), "spec.name"),
        (json!({ "name": "a.*.foo.example.com" }), "spec.name"),
        (json!({ "name": "*a.foo.example.com" }), "spec.name"),
        (json!({ "zone": ["d-2"] }), "spec.zone"),
        (json!({ "region": 1 }), "spec.region"),
        (json!({ "ttl": 0 }), "spec.ttl"),
        (json!({ "ttl": 1.5 }), "spec.ttl"),
        (json!({ "ttl": "600" }), "spec.ttl"),
    ] {
        assert_eq!(fields("reconcile", spec.clone()), [field], "{spec}");
    }
    assert_eq!(
        fields("reconcile", json!({ "recordType": "AAAA", "values": ["2001:db8::1"], "ttl": 86400 })),
        [""; 0]
    );
    assert_eq!(fields("delete", json!({ "values": ["hello"], "ttl": 0 })), [""; 0], "a deletion needs neither");
}

#[test]
fn a_record_that_was_made_keeps_its_name_and_its_type() {
    for operation in ["reconcile", "delete"] {
        for (name, field) in
            [("other.foo.example.com A", "spec.name"), ("api.foo.example.com CNAME", "spec.recordType")]
        {
            let mut request = request(operation, &json!({}));
            request["state"] = json!({ "Account": "1000000000000001", "Name": name });
            let finding = planned(&request)["findings"][0].clone();
            assert_eq!((finding["rule"].as_str(), finding["field"].as_str()), (Some("ALI-DNS-007"), Some(field)));
        }
    }
}

#[test]
fn a_value_with_commas_is_not_several_values() {
    let rows = ["a", "b"].map(|value| row(value, "foo.example.com", "api", "TXT", value));
    let record = json!({ "recordType": "TXT", "values": ["a, b"] });
    assert_eq!(steps(&Cloud::new(rows.to_vec()).plan(&request("reconcile", &record)).0).len(), 3);
}

#[test]
fn a_domain_that_is_gone_is_a_deletion_only_in_the_recorded_account() {
    let cloud = Cloud { domains: Vec::new(), ..Cloud::new(Vec::new()) };
    let mut delete = request("delete", &json!({ "zone": "foo.example.com" }));
    let (unknown, _) = cloud.plan(&delete);
    assert_eq!((unknown["findings"][0]["rule"].as_str(), &unknown["plan"]), (Some("ALI-DNS-002"), &Value::Null));
    delete["state"] = json!({ "Account": "1000000000000001" });
    assert_eq!(steps(&cloud.plan(&delete).0), [""; 0]);
}

#[test]
fn an_answer_without_its_list_or_of_another_domain_is_never_no_records() {
    for response in [
        json!({}),
        json!({ "TotalCount": 0 }),
        json!({ "TotalCount": 3, "DomainRecords": { "Record": [] } }),
        json!({ "DomainRecords": { "Record": [{ "RecordId": "r-1" }] } }),
        json!({ "TotalCount": 1, "DomainRecords": { "Record": [row("r-1", "bar.org", "api", "A", "192.0.2.1")] } }),
    ] {
        let mut request = request("delete", &json!({ "zone": "foo.example.com" }));
        request["facts"] = json!([]);
        for query in planned(&request)["queries"].as_array().unwrap() {
            let is_account = query["call"]["action"] == "GetCallerIdentity";
            let answer = if is_account { json!({ "AccountId": "1000000000000001" }) } else { response.clone() };
            let fact = json!({ "query": query["id"], "answer": { "response": answer } });
            request["facts"].as_array_mut().unwrap().push(fact);
        }
        let text = request.to_string();
        let document = parse(&text).unwrap();
        let answer = plan(&PlanRequest::read(&document).unwrap());
        assert!(answer.is_err(), "{response}: {answer:?}");
    }
}

#[test]
fn what_lacks_a_name_a_type_or_a_value_is_no_record() {
    let answer = planned(&request("reconcile", &json!({ "name": "", "recordType": null, "values": [] })));
    let fields: Vec<_> = answer["findings"].as_array().unwrap().iter().map(|finding| &finding["field"]).collect();
    assert_eq!(fields, ["spec.name", "spec.recordType", "spec.values"]);
}

#[test]
fn a_preview_asks_nothing_and_compares_with_an_older_record() {
    let mut preview = request("reconcile", &json!({}));
    preview["baseline"] = json!("empty");
    assert!(steps(&planned(&preview))[0].contains("DomainName=(domain of the account) RR=(name in the domain)"));
    let older = request("reconcile", &json!({ "values": ["192.0.2.1"], "ttl": 600 }))["request"].clone();
    preview["baseline"] = older;
    let change = planned(&preview)["plan"]["changes"][0].clone();
    assert_eq!(
        (change["before"]["values"].as_str(), change["after"]["values"].as_str()),
        (Some("192.0.2.1"), Some("198.51.100.4"))
    );
}

#[test]
fn the_status_has_the_zone_and_the_state_in_its_own_form() {
    let request = json!({ "request": request("reconcile", &json!({}))["request"], "state": { "Zone": "foo.example.com:d-2" } });
    let text = request.to_string();
    let document = parse(&text).unwrap();
    let answer = status(&StatusRequest::read(&document).unwrap()).unwrap();
    let answer: Value = serde_json::from_str(&crate::document::write(&answer)).unwrap();
    assert_eq!(answer["zone"], "foo.example.com:d-2");
    assert_eq!(
        (&answer["state"]["kind"], &answer["state"]["data"]["Zone"]),
        (&json!("DNSRecordState"), &answer["zone"])
    );
}
