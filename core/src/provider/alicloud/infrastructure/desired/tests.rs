//! The declarations, against the table in the documentation.

use std::collections::BTreeMap;

use super::desired;
use crate::plan::{Difference, Resource};
use crate::provider::alicloud::infrastructure::imagine;
use crate::provider::alicloud::infrastructure::testing::{NS, managed, request, with_input};
use crate::provider::alicloud::infrastructure::world::{RouteTable, World};
use serde_json::json;

const PAGE: &str = include_str!("../../../../../../docs/infrastructure.md");

/// What differences mean, by resource and attribute.
type Meanings = BTreeMap<(String, String), Vec<&'static str>>;

fn meaning(difference: &Difference) -> &'static str {
    match difference {
        Difference::Update(..) => "updated",
        Difference::Replace => "replaced",
        Difference::Refuse(_) => "refused",
        Difference::Report => "reported",
    }
}

/// Adds what resources declare.
fn note(meanings: &mut Meanings, resources: &[Resource]) {
    for resource in resources {
        for attribute in &resource.attributes {
            let known = meanings.entry((resource.kind.name.to_owned(), attribute.name.to_owned())).or_default();
            let mut all = vec![meaning(&attribute.difference)];
            // What would have to be removed may be protected against that.
            if matches!(attribute.difference, Difference::Replace) && resource.protected.is_some() {
                all.push("refused");
            }
            for meaning in all {
                if !known.contains(&meaning) {
                    known.push(meaning);
                }
            }
        }
    }
}

/// What is declared of a network of all kinds of resources, changed in some way.
fn declared(meanings: &mut Meanings, is_custom: bool, change: impl Fn(&mut World)) {
    let mut document = request("reconcile", &managed(), &["a", "b"], &json!({}));
    let config = &mut document["request"]["infrastructure"]["spec"]["providerConfig"];
    config["dualStack"] = json!({ "enabled": true });
    config["networks"]["vpc"]["useCustomRouteTable"] = json!(is_custom);
    with_input(&document, |input, _, _| {
        let (mut world, state) = imagine::made(input, input).unwrap();
        change(&mut world);
        note(meanings, &desired(input, &world, state).unwrap().resources);
    });
}

#[test]
fn every_attribute_is_in_the_documentation_with_what_a_difference_means() {
    let mut meanings = Meanings::new();
    declared(&mut meanings, true, |_| {});
    declared(&mut meanings, true, |world| world.vswitches[0].ipv6_cidr.clear());
    declared(&mut meanings, true, |world| "vsw-others".clone_into(&mut world.nat_gateways[0].vswitch));
    declared(&mut meanings, false, |world| {
        world.route_tables.push(RouteTable { name: format!("{NS}-rt"), ..RouteTable::default() });
    });

    let mut documented = Meanings::new();
    let rows = PAGE.lines().skip_while(|line| !line.starts_with("| resource |")).skip(2);
    for row in rows.take_while(|line| line.starts_with('|')) {
        let cells: Vec<&str> = row.trim_matches('|').split('|').map(str::trim).collect();
        let reported = ["updated", "replaced", "refused", "reported"].into_iter();
        let words: Vec<&str> = cells[3].split(|char: char| !char.is_alphabetic()).collect();
        let reported = reported.filter(|word| words.contains(word)).collect();
        documented.insert((cells[0].to_owned(), cells[1].to_owned()), reported);
    }
    for known in meanings.values_mut().chain(documented.values_mut()) {
        known.sort_unstable();
    }
    assert_eq!(meanings, documented);
}
