//! DNSRecords on the wire: what becomes of the rows of a name, in how many calls, and after a kill at each of them.

use std::path::{Path, PathBuf};

use serde_json::{Value, json};
use trellis_simulator::cloud::{Fault, Occurrence, When};

use crate::infrastructure::site::{Site, TECHNICAL_ID, done, reported, shoot};

/// The domain that the account has.
const DOMAIN: &str = "dev.example.com";

/// A cloud with a domain, in which somebody has two rows that are nobody's business here.
fn site() -> Site {
    let site = Site::new();
    site.call("alidns", "AddDomain", &[("DomainName", DOMAIN)]);
    add(&site, "api2", "A", "192.0.2.9");
    add(&site, "api", "TXT", "of a person");
    site
}

fn add(site: &Site, rr: &str, record_type: &str, value: &str) {
    let parameters = [("DomainName", DOMAIN), ("RR", rr), ("Type", record_type), ("Value", value), ("TTL", "600")];
    site.call("alidns", "AddDomainRecord", &parameters);
}

/// The manifest of a record with these values.
fn manifest(site: &Site, values: &[&str], ttl: u32) -> PathBuf {
    site.write(
        "record.json",
        &json!({
            "apiVersion": "extensions.gardener.cloud/v1alpha1",
            "kind": "DNSRecord",
            "metadata": { "name": "e2e-external", "namespace": "shoot--dev--e2e", "uid": "5f0f3e0a-0000-4000-8000-000000000001" },
            "spec": {
                "type": "alicloud-dns",
                "secretRef": { "name": "dnsrecord-e2e-external", "namespace": "shoot--dev--e2e" },
                "name": format!("api.{DOMAIN}"),
                "recordType": "A",
                "values": values,
                "ttl": ttl,
            },
        }),
    )
}

/// The values of the name with their TTL, sorted; and how many rows others have.
fn rows(site: &Site) -> (Vec<(String, u64)>, usize) {
    let all = site.call("alidns", "DescribeDomainRecords", &[("DomainName", DOMAIN)]);
    let all = all["DomainRecords"]["Record"].as_array().unwrap().clone();
    let is_ours = |row: &&Value| row["RR"] == "api" && row["Type"] == "A";
    let of = |row: &Value| (row["Value"].as_str().unwrap().to_owned(), row["TTL"].as_u64().unwrap());
    let mut ours: Vec<_> = all.iter().filter(is_ours).map(of).collect();
    ours.sort_unstable();
    (ours.clone(), all.len() - ours.len())
}

/// The actions of a command that works.
fn actions(site: &Site, operation: &str, manifest: &Path) -> Vec<String> {
    let before = site.cloud().last_record();
    let output = site.command(&[operation, "--yes"], manifest).output().unwrap();
    assert!(output.status.success(), "{}", reported(&output));
    site.calls(before).iter().map(|call| call.action.clone().unwrap()).collect()
}

#[test]
fn a_record_is_made_kept_changed_and_deleted_in_no_more_calls_than_by_the_existing_extension() {
    let site = site();
    let record = manifest(&site, &["198.51.100.4"], 600);
    assert_eq!(
        actions(&site, "apply", &record),
        ["DescribeDomains", "DescribeDomainRecords", "AddDomainRecord"],
        "the existing extension makes four calls"
    );
    assert_eq!(actions(&site, "apply", &record), ["DescribeDomainRecords"]);
    let ours = |value: &str, ttl| (vec![(value.to_owned(), ttl)], 2);
    assert_eq!(rows(&site), ours("198.51.100.4", 600));

    let record = manifest(&site, &["198.51.100.5"], 600);
    assert_eq!(
        actions(&site, "apply", &record),
        ["DescribeDomainRecords", "AddDomainRecord", "DeleteDomainRecord"]
    );
    assert_eq!(rows(&site), ours("198.51.100.5", 600));

    let record = manifest(&site, &["198.51.100.5"], 900);
    assert_eq!(actions(&site, "apply", &record), ["DescribeDomainRecords", "UpdateDomainRecord"]);
    assert_eq!(rows(&site), ours("198.51.100.5", 900));

    assert_eq!(actions(&site, "destroy", &record), ["DescribeDomainRecords", "DeleteDomainRecord"]);
    assert_eq!(rows(&site), (Vec::new(), 2), "what others have stays");
}

#[test]
fn a_run_that_is_killed_at_any_call_is_finished_by_the_next_one() {
    for operation in ["apply", "destroy"] {
        for when in [When::Before, When::After] {
            for nth in 1..=6 {
                let site = site();
                add(&site, "api", "A", "192.0.2.1");
                let record = manifest(&site, &["198.51.100.4", "198.51.100.5"], 600);
                let is_killed = site.kill_at(site.command(&[operation, "--yes"], &record), nth, when);
                actions(&site, operation, &record);
                let values: Vec<_> = rows(&site).0.into_iter().map(|(value, _)| value).collect();
                let wanted: &[&str] = if operation == "apply" { &["198.51.100.4", "198.51.100.5"] } else { &[] };
                assert_eq!(values, wanted, "{operation}, killed {when:?} call {nth}: {is_killed}");
                assert_eq!(rows(&site).1, 2);
            }
        }
    }
}

#[test]
fn an_answer_that_is_damaged_deletes_nothing_and_is_no_deletion() {
    let damages = ["empty", "cut", "noEnd", "html"].map(|how| (how, "DescribeDomainRecords"));
    std::thread::scope(|scope| {
        for (how, action) in damages.into_iter().chain([("empty", "DescribeDomains")]) {
            scope.spawn(move || {
                let site = site();
                add(&site, "api", "A", "192.0.2.1");
                let record = manifest(&site, &["198.51.100.4"], 600);
                let fault: Fault = serde_json::from_value(json!({ "kind": "garbled", "how": how })).unwrap();
                site.order(&format!("alidns:{action}"), Occurrence::All, fault);
                let output = site.command(&["destroy", "--yes"], &record).output().unwrap();
                assert!(!output.status.success(), "{how} {action}: {}", reported(&output));
                assert_eq!(rows_of_world(&site), 1, "{how} {action}");
            });
        }
    });
}

/// How many rows the name has, when lists are damaged.
fn rows_of_world(site: &Site) -> usize {
    site.cloud().delete_faults(None);
    rows(site).0.len()
}

#[test]
fn a_ttl_that_the_edition_refuses_names_what_to_set() {
    let site = site();
    let record = manifest(&site, &["198.51.100.4"], 120);
    let refusal =
        json!({ "kind": "error", "code": "QuotaExceeded.TTL", "status": 400, "message": "The TTL is too small." });
    site.order("alidns:AddDomainRecord", Occurrence::All, serde_json::from_value(refusal).unwrap());
    let output = site.command(&["apply", "--yes"], &record).output().unwrap();
    assert!(!output.status.success());
    let text = reported(&output);
    assert!(text.contains("set `spec.ttl` of the DNSRecord to 600 or more"), "{text}");
}

#[test]
fn next_to_a_network_the_records_of_its_namespace_are_no_second_choice() {
    let site = site();
    let record = manifest(&site, &["198.51.100.4"], 600);
    let network = site.write("shoot.json", &shoot(1, &json!({})));
    let output = site.command(&["plan", network.to_str().unwrap()], &record).output().unwrap();
    let (said, text) = (reported(&output), done(output));
    assert!(text.contains(TECHNICAL_ID) && !text.contains("DNS record"), "{text}");
    let left = ["note: DNSRecord shoot--dev--e2e/e2e-external (", "is left out", "give it without the Shoot"];
    assert!(left.iter().all(|words| said.contains(words)), "{said}");
}

#[test]
fn a_deletion_names_the_values_that_go() {
    let site = site();
    let record = manifest(&site, &["198.51.100.4", "198.51.100.5"], 600);
    actions(&site, "apply", &record);
    let text = done(site.command(&["plan", "--destroy"], &record).output().unwrap());
    assert!(text.contains("      values: 198.51.100.4, 198.51.100.5\n"), "{text}");
    assert!(site.destroy(&record).contains("values: 198.51.100.4, 198.51.100.5\n"));
}
