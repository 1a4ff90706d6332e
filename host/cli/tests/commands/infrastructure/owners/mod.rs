//! Whose network it is: another account's credentials, lost states, networks that are gone, and what was applied
//! before.

mod accounts;
mod records;

use std::path::{Path, PathBuf};

use serde_json::{Value, json};
use trellis_simulator::Options;

use crate::infrastructure::site::{REGION, Site, reported, settings, shoot};

const FIRST: &str = "1000000000000001";
const SECOND: &str = "2000000000000002";

/// A cloud with two accounts, and keys `first`, `second`, and `blind`: of the first account, without STS.
fn site() -> Site {
    let all = ["vpc:*", "ecs:*", "slb:*", "nlb:*", "resourcemanager:*", "ros:*"];
    let accounts = json!({ "accounts": [
        { "id": FIRST, "accessKeys": [
            { "id": "first", "secret": "secret-first" },
            { "id": "again", "secret": "secret-again", "user": "other" },
            { "id": "blind", "secret": "secret-blind", "user": "blind", "allow": all },
        ] },
        { "id": SECOND, "accessKeys": [{ "id": "second", "secret": "secret-second" }] },
    ] });
    Site::of(Options {
        accounts: serde_json::from_value(accounts).unwrap(),
        region: REGION.to_owned(),
        settings: settings(json!({ "delays": { "*": 0 } })),
        ..Options::default()
    })
}

fn key(site: &Site, id: &str) -> PathBuf {
    write_key(site, &format!("{id}.json"), id)
}

fn write_key(site: &Site, file: &str, id: &str) -> PathBuf {
    let data = json!({ "accessKeyID": id, "accessKeySecret": format!("secret-{id}") });
    site.write(
        file,
        &json!({ "apiVersion": "v1", "kind": "Secret", "metadata": { "name": id }, "stringData": data }),
    )
}

fn manifest(site: &Site) -> PathBuf {
    site.write("shoot.json", &shoot(1, &json!({})))
}

/// Exit code and output of a command with a key.
fn run(site: &Site, id: &str, arguments: &[&str], manifest: &Path) -> (Option<i32>, String) {
    let mut command = site.command(arguments, manifest);
    let output = command.arg("--credentials").arg(key(site, id)).output().unwrap();
    (output.status.code(), reported(&output))
}

fn works(site: &Site, id: &str, arguments: &[&str], manifest: &Path) -> String {
    let (code, reported) = run(site, id, arguments, manifest);
    assert_eq!(code, Some(0), "{reported}");
    reported
}

fn refused(site: &Site, id: &str, arguments: &[&str], manifest: &Path, words: &[&str]) -> String {
    let (code, reported) = run(site, id, arguments, manifest);
    assert_eq!(code, Some(1), "{reported}");
    for words in words {
        assert!(reported.contains(words), "{words}: {reported}");
    }
    reported
}

fn state(site: &Site) -> Value {
    serde_json::from_str(&site.recorded()).unwrap()
}
