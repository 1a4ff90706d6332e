//! The address space of Shoots: it shows the conflicts that `validate` complains about, and zones that are added
//! cause none.

#![expect(clippy::unwrap_used, reason = "a broken answer must fail the test")]
#![expect(clippy::indexing_slicing, reason = "an index into a JSON value yields null where there is nothing")]

mod alicloud;
mod aws;
mod azure;

use std::collections::BTreeSet;

use json_patch::Patch;
use proptest::prelude::{TestCaseError, prop_assert, prop_assert_eq};
use serde_json::{Value, json};
use trellis_core::cidr::Cidr;
use trellis_tests::{corpus, vectors};

/// A cloud whose zones have ranges.
struct Cloud {
    provider: &'static str,
    /// Rules about two ranges.
    rules: &'static [&'static str],
    /// The range, as a pointer, that a rule wants others to lie in; none for other rules.
    outer: fn(rule: &str) -> Option<&'static str>,
    /// A rule whose findings point at a member of a zone that the zone does not have.
    by_position: Option<(&'static str, &'static str)>,
    /// Rules about ranges that are written as numbers.
    of_numbers: &'static [&'static str],
    /// The name of a further zone.
    name: fn(usize) -> String,
    /// Longest prefix of a subnet.
    longest: u64,
}

impl Cloud {
    fn call(&self, function: &str, request: &Value) -> Value {
        serde_json::from_str(&trellis_core::call(self.provider, function, &request.to_string())).unwrap()
    }

    /// Rules that complain about a pair of ranges, with the place and the words.
    fn findings(&self, request: &Value) -> BTreeSet<(String, String, String)> {
        let answer = self.call("validate", request);
        let findings = answer["findings"].as_array().into_iter().flatten();
        let about_ranges = findings.filter(|finding| {
            self.rules.contains(&finding["rule"].as_str().unwrap()) && !is_about_one_range(finding)
        });
        about_ranges
            .map(|finding| (text(&finding["rule"]), text(&finding["pointer"]), text(&finding["detail"])))
            .collect()
    }

    /// Whether ranges are of different protocols, or no ranges at all.
    fn is_beyond_a_picture(&self, object: &Value, rule: &str, pointer: &str) -> bool {
        let outer = (self.outer)(rule).unwrap_or(pointer);
        let cidr = |pointer| object.pointer(pointer).and_then(Value::as_str).and_then(Cidr::parse);
        match (cidr(outer), cidr(pointer)) {
            (Some(outer), Some(inner)) => outer.family() != inner.family(),
            _ => !self.of_numbers.contains(&rule),
        }
    }

    fn added_zones_cause_no_finding(&self, object: &Value, lengths: &[Option<u8>]) -> Result<(), TestCaseError> {
        let zone = |(index, length)| json!({ "name": (self.name)(index), "prefixLength": length });
        let add: Vec<Value> = lengths.iter().enumerate().map(zone).collect();
        let answer = self.call("zones", &json!({ "object": object, "add": add }));
        if !answer["error"].is_null() {
            prop_assert_eq!(&answer["error"]["code"], "Impossible", "{}", answer);
            return Ok(());
        }
        let wider = patched(object, &answer);
        let (before, after) =
            (self.findings(&json!({ "object": object })), self.findings(&json!({ "object": wider })));
        prop_assert!(after.is_subset(&before), "{answer}: {:?}", after.difference(&before));
        for zone in answer["zones"].as_array().unwrap() {
            prop_assert_eq!(wider.pointer(zone["pointer"].as_str().unwrap()), Some(&zone["cidr"]));
            prop_assert_eq!(&self.call("addresses", &json!({ "object": wider }))["error"], &Value::Null);
        }
        // One after the other is the same as all at once.
        let one_by_one = add.iter().fold(object.clone(), |object, zone| {
            patched(&object, &self.call("zones", &json!({ "object": object, "add": [zone] })))
        });
        prop_assert_eq!(one_by_one, wider);
        Ok(())
    }

    fn a_zone_has_room_where_the_address_space_says_so(
        &self,
        object: &Value,
        length: u8,
    ) -> Result<(), TestCaseError> {
        let space = self.call("addresses", &json!({ "object": object }));
        let choice = &space["zones"];
        prop_assert!(choice.is_null() || choice["longest"] == self.longest, "{}", choice);
        let add = |zone: Value| self.call("zones", &json!({ "object": object, "add": [zone] }));
        let has_room = choice["shortest"].as_u64().is_some_and(|shortest| u64::from(length) >= shortest);
        let answer = add(json!({ "name": (self.name)(0), "prefixLength": length }));
        prop_assert_eq!(answer["error"].is_null(), has_room, "{} {}", space, answer);
        if has_room {
            let answer = add(json!({ "name": (self.name)(0) }));
            let suffix = format!("/{}", choice["prefixLength"]);
            prop_assert!(answer["zones"][0]["cidr"].as_str().unwrap().ends_with(&suffix), "{} {}", choice, answer);
        }
        Ok(())
    }
}

fn text(value: &Value) -> String {
    value.as_str().unwrap_or_default().to_owned()
}

/// A rule that compares a range with others may look at the range alone, too.
fn is_about_one_range(finding: &Value) -> bool {
    let detail = text(&finding["detail"]);
    detail.starts_with("must be valid canonical CIDR") || detail.starts_with("invalid CIDR address")
}

/// Compares conflicts with findings; returns how many there are.
fn compare(cloud: &Cloud, object: &Value) -> usize {
    let request = json!({ "object": object });
    let found: BTreeSet<_> =
        cloud.findings(&request).into_iter().map(|(rule, pointer, _)| (rule, pointer)).collect();
    let answer = cloud.call("addresses", &request);
    let mut shown = BTreeSet::new();
    for space in answer["spaces"].as_array().into_iter().flatten() {
        for conflict in space["conflicts"].as_array().unwrap() {
            let second = usize::try_from(conflict["ranges"][1].as_u64().unwrap()).unwrap();
            let mut pointer = text(&space["ranges"][second]["pointer"]);
            if let Some((rule, member)) = cloud.by_position
                && conflict["rule"] == rule
            {
                pointer.push_str(member);
            }
            if !conflict["rule"].is_null() {
                shown.insert((text(&conflict["rule"]), pointer));
            }
        }
    }
    let reported: BTreeSet<_> =
        found.into_iter().filter(|(rule, pointer)| !cloud.is_beyond_a_picture(object, rule, pointer)).collect();
    assert_eq!(shown, reported, "{object}\n{answer}");
    shown.len()
}

#[test]
fn conflicts_are_those_that_validate_complains_about() {
    for cloud in [&alicloud::CLOUD, &aws::CLOUD, &azure::CLOUD] {
        let corpus = corpus::cases().into_iter().filter(|case| case.provider == cloud.provider);
        let requests = corpus.filter_map(|case| serde_json::from_str::<Value>(&case.request).ok());
        let vectors = vectors::admissions();
        let vectors = vectors.iter().filter(|admission| admission.provider == cloud.provider);
        let objects = requests.map(|request| request["object"].clone());
        let objects =
            objects.chain(vectors.flat_map(|admission| &admission.cases).map(|case| case.field("new").clone()));
        let shoots = objects.filter(|object| object["kind"] == "Shoot" && !is_malformed(cloud, object));
        let counts: Vec<usize> = shoots.map(|object| compare(cloud, &object)).collect();
        let conflicts: usize = counts.iter().sum();
        assert!(counts.len() > 800 && conflicts > 100, "{conflicts} conflicts in {} Shoots", counts.len());
    }
}

fn is_malformed(cloud: &Cloud, object: &Value) -> bool {
    !cloud.call("validate", &json!({ "object": object }))["error"].is_null()
}

fn patched(object: &Value, answer: &Value) -> Value {
    let patch: Patch = serde_json::from_value(answer["patch"].clone()).unwrap();
    let mut object = object.clone();
    json_patch::patch(&mut object, &patch).unwrap();
    object
}
