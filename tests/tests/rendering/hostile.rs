//! Texts that nobody means well with, in every place that reaches a template.

use std::cell::RefCell;

use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;
use proptest::test_runner::{Config, TestCaseError, TestRunner};
use serde_json::{Map, Value, json};
use trellis_core::text::base64::encode;

use super::cases::{ask, base, holds_credentials, render};
use super::oracle::{Templates, with_values};

/// Most bytes of a name.
const MAX_NAME: usize = 253;

/// The images of the policy.
const IMAGES: [&str; 10] = [
    "alicloud-controller-manager",
    "csi-attacher",
    "csi-liveness-probe",
    "csi-node-driver-registrar",
    "csi-plugin-alicloud",
    "csi-plugin-alicloud-init",
    "csi-provisioner",
    "csi-resizer",
    "csi-snapshot-controller",
    "csi-snapshotter",
];

/// How many texts a request takes.
pub const TEXTS: usize = 14 + IMAGES.len() + 2 * SEVERAL;

/// How many feature gates and ranges of pods a request has.
const SEVERAL: usize = 20;

/// Texts that end a scalar, begin another one, or mean something to a template engine.
const NASTY: [&str; 40] = [
    "",
    " ",
    "a",
    "\"",
    "\\",
    "\\\"",
    "'",
    "\n",
    "\r\n",
    "\t",
    "\0",
    "\u{1b}[2J",
    "\u{7f}",
    "\u{85}",
    "\u{a0}",
    "\u{2028}",
    "\u{2029}",
    "\u{feff}",
    "\u{fffe}",
    "\u{e000}h0\u{e001}",
    "🌱",
    "e\u{301}",
    "{{region}}",
    "{{{toJson this}}}",
    "{{#if a}}",
    "{{/if}}",
    "}}",
    "\n- name: evil\n  value: \"",
    "\",\"evil\":\"",
    ": ",
    " #",
    "- a",
    "? a",
    "!!binary YQ==",
    "&a *a",
    "---\n...\n",
    "null",
    "true",
    "1e3",
    "%YAML 1.1",
];

/// Any of them, some behind each other, anything at all, or something long.
fn texts() -> impl Strategy<Value = String> {
    prop_oneof![
        4 => select(&NASTY[..]).prop_map(str::to_owned),
        3 => vec(select(&NASTY[..]), 2..8).prop_map(|texts| texts.concat()),
        3 => any::<String>(),
        1 => (select(&NASTY[..]), 500_usize..3000).prop_map(|(text, times)| text.repeat(times)),
    ]
}

/// As many texts as a request takes.
pub fn all_texts() -> impl Strategy<Value = Vec<String>> {
    vec(texts(), TEXTS)
}

/// The start of a text that fits into a name.
fn name(text: &str) -> &str {
    let end = (0..=MAX_NAME.min(text.len())).rev().find(|end| text.is_char_boundary(*end)).unwrap_or(0);
    &text[..end]
}

/// A request with these texts in all places, and with the facts that it needs.
pub fn hostile(base: &Value, texts: &[String]) -> Value {
    let [namespace, shoot, region, kubeconfig, rest @ ..] = texts else { panic!("too few texts") };
    let [pods, vpc, vswitch, zone, table, id, secret, file, other, tag, rest @ ..] = rest else {
        panic!("too few texts")
    };
    let (gates, rest) = rest.split_at(SEVERAL);
    let (more_pods, images) = rest.split_at(SEVERAL);
    let gates: Map<String, Value> =
        gates.iter().map(|gate| (gate.clone(), gate.len().is_multiple_of(2).into())).collect();
    let mut request = base.clone();
    let (namespace, shoot, region, kubeconfig) = (name(namespace), name(shoot), name(region), name(kubeconfig));
    let control_plane = &mut request["controlPlane"];
    control_plane["metadata"]["namespace"] = namespace.into();
    control_plane["spec"]["region"] = region.into();
    control_plane["spec"]["providerConfig"]["cloudControllerManager"]["featureGates"] = gates.into();
    let network = &mut control_plane["spec"]["infrastructureProviderStatus"]["vpc"];
    network["id"] = vpc.as_str().into();
    network["routeTableID"] = table.as_str().into();
    network["vswitches"] = json!([{ "id": vswitch, "purpose": "nodes", "zone": zone }]);
    let cluster = &mut request["cluster"];
    cluster["metadata"]["annotations"]["generic-token-kubeconfig.secret.gardener.cloud/name"] = kubeconfig.into();
    cluster["shoot"]["metadata"]["name"] = shoot.into();
    cluster["shoot"]["spec"]["networking"]["pods"] = pods.as_str().into();
    cluster["shoot"]["status"]["networking"] = json!({ "pods": more_pods });
    let image = |(index, (name, text)): (usize, (&&str, &String))| match index % 3 {
        0 => json!({ "name": name, "ref": text }),
        1 => json!({ "name": name, "repository": text }),
        _ => json!({ "name": name, "repository": text, "tag": tag }),
    };
    request["images"] = IMAGES.iter().zip(images).enumerate().map(image).collect();
    let data = json!({
        "accessKeyID": encode(format!("k{id}").as_bytes()),
        "accessKeySecret": encode(format!("s{secret}").as_bytes()),
        "credentialsFile": encode(format!("f{file}").as_bytes()),
        "other": encode(other.as_bytes()),
    });
    let query = format!(
        "kubernetes/get/v1/Secret/{}/cloudprovider",
        base["controlPlane"]["spec"]["secretRef"]["namespace"].as_str().unwrap()
    );
    request["facts"] = json!([{ "query": query, "answer": { "response": { "data": data } } }]);
    request
}

/// How often a property is tried: `PROPTEST_CASES`, or as often as an ordinary run has time for.
pub fn tries(ordinary: u32) -> Config {
    let wanted = std::env::var("PROPTEST_CASES").ok().and_then(|cases| cases.parse().ok());
    Config { cases: wanted.unwrap_or(ordinary), failure_persistence: None, ..Config::default() }
}

#[test]
fn hostile_values_render_as_handlebars_renders_them() {
    let base = with_values(base());
    let templates = RefCell::new(Templates::new());
    let property = |texts: Vec<String>| {
        let answer = ask(&hostile(&base, &texts));
        let compared = templates.borrow_mut().compare(&answer).map_err(TestCaseError::fail)?;
        prop_assert!(compared >= 16, "{compared} objects are compared");
        Ok(())
    };
    TestRunner::new(tries(60)).run(&all_texts(), property).unwrap();
}

/// What the clusters hold is a value too: the digests that are kept.
#[test]
fn digests_that_a_cluster_holds_are_values_too() {
    let base = with_values(base());
    let mut templates = Templates::new();
    for text in NASTY {
        let held = |annotation: &str| json!({ "spec": { "template": { "metadata": { "annotations": { annotation: text } } } } });
        let contents = render(&base, &holds_credentials)["values"].clone();
        let secret = |key: &str, content: &Value| {
            Some(json!({ "data": Map::from_iter([(key.to_owned(), content.clone())]) }))
        };
        let answer = render(&base, &|parameters| match parameters["name"].as_str()? {
            "cloud-controller-manager" => Some(held("checksum/secret-cloud-provider-config")),
            "csi-disk-plugin-alicloud" => Some(held("checksum/secret-csi-diskplugin-alicloud")),
            "cloud-provider-config" => {
                secret("cloudprovider.conf", &contents["seed-controlplane"]["cloudProviderConfig"])
            }
            "csi-diskplugin-alicloud" => {
                secret("credentialsFile", &contents["shoot-system-components"]["credentialsFile"])
            }
            _ => holds_credentials(parameters),
        });
        assert_eq!(answer["values"]["seed-controlplane"]["cloudProviderConfigChecksum"], text);
        assert_eq!(answer["values"]["shoot-system-components"]["credentialsFileChecksum"], text);
        templates.compare(&answer).unwrap();
    }
}
