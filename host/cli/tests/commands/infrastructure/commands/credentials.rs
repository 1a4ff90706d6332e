//! The credentials of a run: which cloud they are for, what they must be allowed, and who may see them.

use std::fs;
use std::path::PathBuf;

use serde_json::{Value, json};
use trellis_simulator::Options;
use trellis_simulator::cloud::ACCESS_KEY;

use super::{ended, manifest, trellis};
use crate::infrastructure::site::{REGION, Site, TECHNICAL_ID, done, settings, shoot};

const SECRET: &str = "TheSecretThatNobodyMaySee";

fn secret(site: &Site, id: &str) -> PathBuf {
    let secret = json!({
        "apiVersion": "v1", "kind": "Secret", "metadata": { "name": "core-alicloud", "namespace": "garden-dev" },
        "stringData": { "accessKeyID": id, "accessKeySecret": SECRET },
    });
    site.write("secret.json", &secret)
}

#[test]
fn credentials_that_are_refused_are_reported_without_their_secret() {
    let site = Site::new();
    let manifest = manifest(&site);
    for id in [ACCESS_KEY, "LTAI5tNobodyKnowsThis"] {
        let secret = secret(&site, id);
        let mut plan = site.command(&["plan"], &manifest);
        let mut apply = site.command(&["apply", "--yes", "--format", "json"], &manifest);
        for command in [&mut plan, &mut apply] {
            let (code, stdout, stderr) = ended(&command.arg("--credentials").arg(&secret).output().unwrap());
            assert_eq!(code, Some(1), "{stdout}{stderr}");
            assert!(stdout.contains("ERR_INFRA_UNAUTH"), "{stdout}");
            assert!(!stdout.contains(SECRET) && !stderr.contains(SECRET), "{stdout}{stderr}");
        }
    }
    let states = fs::read_dir(site.state().join(TECHNICAL_ID)).unwrap();
    for file in states {
        assert!(!fs::read_to_string(file.unwrap().path()).unwrap().contains(SECRET));
    }
    assert!(site.calls(0).len() <= 40, "no retry storm: {}", site.calls(0).len());
}

#[test]
fn the_real_cloud_is_called_only_when_it_is_named() {
    let site = Site::new();
    let (manifest, secret) = (manifest(&site), secret(&site, ACCESS_KEY));
    let run = |arguments: &[&str]| {
        let mut command = trellis(&[&["plan"], arguments].concat());
        command.arg("--state-dir").arg(site.state()).arg(&manifest);
        ended(&command.output().unwrap())
    };
    let secret = secret.to_str().unwrap();
    let (code, _, stderr) = run(&["--credentials", secret]);
    assert_eq!(code, Some(1));
    assert!(stderr.contains("credentials are given, but no cloud is named"), "{stderr}");
    let (code, _, stderr) = run(&["--cloud", "real"]);
    assert_eq!(code, Some(1));
    assert!(stderr.contains("there are no credentials for the real cloud, eu-central-1"), "{stderr}");
    let (code, _, stderr) = run(&["--cloud", "http://192.0.2.1"]);
    assert_eq!(code, Some(1));
    assert!(stderr.contains("there are no credentials for the cloud at http://192.0.2.1"), "{stderr}");
    let (code, _, stderr) = run(&["--cloud", "alicloud"]);
    assert_eq!(code, Some(1));
    assert!(stderr.contains("write `simulated`, `real`, or an address"), "{stderr}");
}

#[test]
fn the_least_ram_policy_is_enough() {
    let policy: Value = serde_json::from_str(&done(trellis(&["ram-policy"]).output().unwrap())).unwrap();
    let statements = policy["Statement"].as_array().unwrap();
    let actions = |statement: &Value| statement["Action"].as_array().unwrap().clone();
    let roles = |action: &Value| action == "ram:CreateServiceLinkedRole";
    let of_roles = statements.iter().find(|statement| actions(statement).iter().any(roles)).unwrap();
    let condition = json!({ "StringEquals": { "ram:ServiceName": "nat.aliyuncs.com" } });
    assert_eq!((actions(of_roles).len(), &of_roles["Condition"]), (1, &condition));
    // The simulator goes by the names of services, where RAM has codes of its own.
    let text = |action: Value| action.as_str().unwrap().replace("ram:", "resourcemanager:");
    let mut allow: Vec<String> = statements.iter().flat_map(actions).map(text).collect();
    allow.push("sts:GetCallerIdentity".to_owned());
    let key = json!({ "id": "LTAI5tLeast", "secret": SECRET, "user": "trellis", "allow": allow });
    let accounts = json!({ "accounts": [{ "id": "1000000000000001", "accessKeys": [key] }] });
    let site = Site::of(Options {
        accounts: serde_json::from_value(accounts).unwrap(),
        settings: settings(json!({ "delays": { "*": 0 } })),
        region: REGION.to_owned(),
        ..Options::default()
    });
    let custom = json!({ "vpc": { "cidr": "10.250.0.0/16", "useCustomRouteTable": true } });
    let manifest = site.write("shoot.yaml", &shoot(2, &custom));
    let secret = secret(&site, "LTAI5tLeast");
    for arguments in [["apply", "--yes"], ["destroy", "--yes"]] {
        done(site.command(&arguments, &manifest).arg("--credentials").arg(&secret).output().unwrap());
    }
    site.assert_empty();
}
