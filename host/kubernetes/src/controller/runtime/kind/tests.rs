use std::collections::BTreeSet;

use super::*;

#[test]
fn every_kind_of_this_file_stands_in_the_table() {
    let names = |text: &'static str| text.split_once(": Kind =").map(|(name, _)| name);
    let declared: Vec<&str> =
        include_str!("../kind.rs").split("\npub static ").skip(1).filter_map(names).collect();
    assert_eq!(declared.len(), KINDS.len(), "{declared:?} are declared; KINDS lacks one, or has one twice");
    for kind in KINDS {
        let of_name =
            KINDS.iter().filter(|other| other.controller == kind.controller || other.plural == kind.plural);
        assert_eq!(of_name.count(), 1, "{}", kind.name);
    }
}

#[test]
fn the_process_may_write_the_objects_of_every_kind() {
    let role = include_str!("../../../../../../charts-templates/run/clusterrole.yaml");
    for plural in KINDS.map(|kind| kind.plural) {
        for resource in [plural.to_owned(), format!("{plural}/status"), format!("{plural}/finalizers")] {
            let line = format!("\n  - {resource}\n");
            assert!(role.contains(&line), "charts-templates/run/clusterrole.yaml lacks `{resource}`");
        }
    }
}

/// Of a ClusterRole: a group, a resource, the names where they are narrowed, and a verb each.
fn permissions(role: &str) -> BTreeSet<[String; 4]> {
    let role: serde_json::Value = serde_saphyr::from_str(role).unwrap();
    let texts = |value: &serde_json::Value| -> Vec<String> { serde_json::from_value(value.clone()).unwrap() };
    let mut all = BTreeSet::new();
    for rule in role["rules"].as_array().unwrap() {
        let names = rule["resourceNames"].to_string();
        for group in texts(&rule["apiGroups"]) {
            for resource in texts(&rule["resources"]) {
                all.extend(
                    texts(&rule["verbs"])
                        .into_iter()
                        .map(|verb| [group.clone(), resource.clone(), names.clone(), verb]),
                );
            }
        }
    }
    all
}

#[test]
fn in_a_garden_the_process_may_do_nothing_that_it_may_not_do_in_a_seed() {
    let seed = permissions(include_str!("../../../../../../charts-templates/run/clusterrole.yaml"));
    for role in [
        include_str!("../../../../../../charts-templates/run-garden/clusterrole.yaml"),
        include_str!("../../../../../../charts-templates/run-garden/clusterrole-watch.yaml"),
    ] {
        let of_garden = permissions(role);
        assert!(of_garden.is_subset(&seed), "{:?}", of_garden.difference(&seed).collect::<Vec<_>>());
    }
}
