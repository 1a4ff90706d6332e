//! Certificates over their life, next to what Gardener's secrets manager makes of them.

use std::collections::BTreeMap;

use jiff::Timestamp;
use serde_json::{Value, json};
use trellis_core::gardener::rendering;

use super::decide::{Step, decide};
use super::existing::ExistingSecret;
use super::keeper::{CurrentCertificates, KeepError, Keeper};
use super::name::ISSUED;
use super::recorded::{Recorded, RecordedKeys};
use super::testing::{Kill, Killed, Memory};
use super::{DesiredCertificates, Rotation};

const AUTHORITY: &str = "ca-provider-alicloud-controlplane";
const SERVER: &str = "cloud-controller-manager-server";
const NAMESPACE: &str = "shoot--dev--two-zones";

/// What the policy of Alibaba Cloud answers.
fn kept_secrets() -> Vec<Value> {
    let identity = "provider-alicloud-controlplane";
    let bundle = "ca-provider-alicloud-controlplane-bundle";
    let shoot = trellis_core::document::parse("{}").unwrap();
    let authority = rendering::CertificateAuthority { name: AUTHORITY, bundle, identity };
    let mut secrets = Vec::from(authority.secrets(&shoot));
    let server = "cloud-controller-manager";
    secrets.push(authority.server_certificate(SERVER, server, NAMESPACE));
    secrets.push(rendering::shoot_access(server));
    secrets.iter().map(|secret| serde_json::to_value(secret).unwrap()).collect()
}

fn wanted() -> DesiredCertificates {
    DesiredCertificates::read(&kept_secrets()).unwrap()
}

fn time(text: &str) -> Timestamp {
    text.parse().unwrap()
}

fn rotation(began: &str, phase: &str) -> Rotation {
    let rotation = json!({ "lastInitiationTime": began, "phase": phase });
    Rotation::of(&json!({ "status": { "credentials": { "rotation": { "certificateAuthorities": rotation } } } }))
}

/// Keeps and cleans, as a reconcile does.
async fn reconcile(
    memory: &Memory,
    rotation: Rotation,
    now: Timestamp,
) -> Result<CurrentCertificates, KeepError<Killed>> {
    let keeper = Keeper::with_keys(memory, RecordedKeys::shared());
    let kept = keeper.keep(NAMESPACE, &wanted(), rotation, now).await?;
    keeper.clean(&kept).await?;
    Ok(kept)
}

#[tokio::test]
async fn what_gardener_has_made_stays_as_it_is_in_all_phases_of_a_rotation() {
    for (name, later) in
        [("none", None), ("preparing", Some("Prepared")), ("completing", Some("Completed")), ("renewed", None)]
    {
        let recorded = Recorded::read(name);
        assert_eq!(recorded.namespace(), NAMESPACE);
        let memory = Memory::new(recorded.secrets());
        let phases =
            [recorded.rotation()].into_iter().chain(later.map(|phase| rotation("2026-04-01T08:00:00Z", phase)));
        for rotation in phases {
            let kept = reconcile(&memory, rotation, recorded.now()).await.unwrap();
            assert_eq!(memory.writes(), Vec::<String>::new(), "{name}");
            assert_eq!(json!(kept.secrets()), *recorded.current(), "{name}");
        }
    }
}

#[tokio::test]
async fn after_gardener_a_rotation_goes_on_with_the_names_that_gardener_gives() {
    for (before, after) in [("none", "preparing"), ("preparing", "completing"), ("none", "renewed")] {
        let (before, after) = (Recorded::read(before), Recorded::read(after));
        let memory = Memory::new(before.secrets());
        memory.at(after.now(), None);
        let kept = reconcile(&memory, after.rotation(), after.now()).await.unwrap();
        // The name of a bundle or of a server depends on its authority's certificate, which is another one here.
        let stem = |name: &Value, kind: &str| name.as_str().unwrap().strip_prefix(kind).unwrap().len();
        for (kind, object) in after.current().as_object().unwrap() {
            let own = json!(kept.secrets()[kind]);
            assert_eq!(stem(&own, kind), stem(object, kind), "{kind}");
            if kind == AUTHORITY {
                assert_eq!(own, *object);
            }
        }
        let kinds = |secrets: &[Value]| -> Vec<BTreeMap<String, bool>> {
            let labels = |secret: &Value| {
                let labels = secret["metadata"]["labels"].as_object().unwrap().clone();
                labels.into_iter().map(|(key, value)| (format!("{key}: {}", value == ""), true)).collect()
            };
            let mut all: Vec<BTreeMap<String, bool>> = secrets.iter().map(labels).collect();
            all.sort();
            all
        };
        assert_eq!(kinds(&memory.secrets()), kinds(after.secrets()));
    }
}

/// A life of certificates: each act begins where the one before ended.
fn acts() -> Vec<(&'static str, Rotation, &'static str)> {
    let began = "2026-04-01T08:00:00Z";
    vec![
        ("created", Rotation::default(), "2026-03-01T12:00:00Z"),
        ("unchanged", Rotation::default(), "2026-03-01T13:00:00Z"),
        ("preparing", rotation(began, "Preparing"), "2026-04-01T08:05:00Z"),
        ("prepared", rotation(began, "Prepared"), "2026-04-02T08:05:00Z"),
        ("completing", rotation(began, "Completing"), "2026-04-03T08:05:00Z"),
        ("completed", rotation(began, "Completed"), "2026-04-04T08:05:00Z"),
        ("renewed", rotation(began, "Completed"), "2034-05-01T00:00:00Z"),
        ("renewed, unchanged", rotation(began, "Completed"), "2034-05-02T00:00:00Z"),
        ("rotated again", rotation("2035-01-01T00:00:00Z", "Preparing"), "2035-01-01T00:01:00Z"),
    ]
}

/// Kinds of the Secrets, with all labels but those of hashes and times.
fn shape(memory: &Memory) -> Vec<Vec<(String, String)>> {
    let shape = |secret: &Value| {
        let labels = ExistingSecret::read(secret).unwrap().labels.into_iter();
        labels.filter(|(key, _)| !key.ends_with("-time") && !key.starts_with("checksum")).collect::<Vec<_>>()
    };
    let mut all: Vec<_> = memory.secrets().iter().map(shape).collect();
    all.sort();
    all
}

#[tokio::test]
async fn whenever_the_process_is_killed_the_next_one_finishes_and_makes_nothing_twice() {
    let memory = Memory::default();
    for (act, rotation, now) in acts() {
        let (before, now) = (memory.clone(), time(now));
        memory.at(now, None);
        let at_first = memory.writes().len();
        reconcile(&memory, rotation, now).await.unwrap();
        let writes = memory.writes().split_off(at_first);
        let made = |writes: &[String]| writes.iter().filter(|write| write.starts_with("create")).count();
        for write in 1..=writes.len() {
            for kill in [Kill::Before(write), Kill::After(write)] {
                let other = before.clone();
                other.at(now, Some(kill));
                let killed = reconcile(&other, rotation, now).await;
                assert!(matches!(killed, Err(KeepError::Store(Killed))), "{act} {kill:?} {killed:?}");
                let later = now + jiff::SignedDuration::from_secs(30);
                other.at(later, None);
                reconcile(&other, rotation, later).await.unwrap();
                let all = other.writes().split_off(at_first);
                assert_eq!(made(&all), made(&writes), "{act} {kill:?}: {all:?}");
                assert_eq!(shape(&other), shape(&memory), "{act} {kill:?}");
                let until = other.writes();
                reconcile(&other, rotation, later).await.unwrap();
                assert_eq!(other.writes(), until, "{act} {kill:?}: settled");
            }
        }
    }
}

#[tokio::test]
async fn a_rotation_makes_an_authority_and_a_bundle_of_two_and_signs_again_when_it_completes() {
    let memory = Memory::default();
    let mut last = CurrentCertificates::default();
    let mut made = Vec::new();
    for (act, rotation, now) in acts() {
        memory.at(time(now), None);
        let from = memory.writes().len();
        let kept = reconcile(&memory, rotation, time(now)).await.unwrap();
        let writes = memory.writes().split_off(from);
        let kinds = |verb: &str| writes.iter().filter(|write| write.starts_with(verb)).count();
        let bundle = &kept.secrets()[&format!("{AUTHORITY}-bundle")];
        let bundle =
            memory.secrets().iter().filter_map(ExistingSecret::read).find(|held| held.name == *bundle).unwrap();
        let certificates =
            String::from_utf8_lossy(bundle.data.get("bundle.crt").unwrap()).matches("BEGIN").count();
        let changed = |kind: &str| last.secrets().get(kind) != kept.secrets().get(kind);
        made.push((
            act,
            kinds("create"),
            kinds("patch"),
            kinds("delete"),
            certificates,
            changed(AUTHORITY),
            changed(SERVER),
        ));
        last = kept;
    }
    let expected = [
        ("created", 3, 0, 0, 1, true, true),
        ("unchanged", 0, 0, 0, 1, false, false),
        ("preparing", 2, 0, 1, 2, true, false),
        ("prepared", 0, 0, 0, 2, false, false),
        ("completing", 2, 0, 3, 1, false, true),
        ("completed", 0, 0, 0, 1, false, false),
        ("renewed", 1, 0, 1, 1, false, true),
        ("renewed, unchanged", 0, 0, 0, 1, false, false),
        ("rotated again", 2, 0, 1, 2, true, false),
    ];
    assert_eq!(made, expected);
}

#[tokio::test]
async fn a_certificate_is_renewed_after_80_percent_of_its_time_or_10_days_before_its_end() {
    let recorded = Recorded::read("none");
    for (issued, until, now, is_renewed) in [
        (0, 1_000 * 86_400, 800 * 86_400, false),
        (0, 1_000 * 86_400, 800 * 86_400 + 1, true),
        (0, 20 * 86_400, 10 * 86_400, false),
        (0, 20 * 86_400, 10 * 86_400 + 1, true),
    ] {
        let mut held = recorded.held();
        for held in held.iter_mut().filter(|held| held.name.starts_with(SERVER)) {
            held.labels.insert(ISSUED.to_owned(), format!("{issued}"));
            held.labels.insert("valid-until-time".to_owned(), format!("{until}"));
        }
        let now = Timestamp::from_second(now).unwrap();
        let step = decide(&held, &wanted(), Rotation::default(), now).unwrap();
        match step {
            Step::Make(blank) => assert!(is_renewed && blank.configuration == SERVER, "{blank:?}"),
            Step::Settled(_) => assert!(!is_renewed, "{until} {now}"),
        }
    }
}

#[tokio::test]
async fn labels_are_fixed_and_strange_ones_go() {
    let recorded = Recorded::read("none");
    let mut secrets = recorded.secrets().to_vec();
    for secret in &mut secrets {
        secret["metadata"]["labels"]["strange"] = json!("x");
        secret["metadata"]["labels"]["issued-at-time"] = json!("1772366400");
        secret["immutable"] = json!(false);
    }
    let memory = Memory::new(&secrets);
    reconcile(&memory, Rotation::default(), recorded.now()).await.unwrap();
    assert_eq!(memory.writes().len(), 3, "{:?}", memory.writes());
    assert_eq!(memory.secrets(), recorded.secrets());
}

#[tokio::test]
async fn data_that_somebody_provides_are_used() {
    let recorded = Recorded::read("none");
    let theirs = recorded.secrets().iter().find(|secret| secret["data"]["ca.key"].is_string()).unwrap();
    let mut provided = theirs.clone();
    provided["metadata"]["name"] = json!("provided");
    provided["metadata"]["labels"] = json!({ "secrets-manager-use-data-for-name": AUTHORITY });
    let memory = Memory::new(std::slice::from_ref(&provided));
    reconcile(&memory, Rotation::default(), recorded.now()).await.unwrap();
    let made =
        memory.secrets().into_iter().find(|secret| secret["metadata"]["name"] == theirs["metadata"]["name"]);
    assert_eq!(made.unwrap()["data"], theirs["data"]);
    let mut other = provided.clone();
    other["metadata"]["name"] = json!("another");
    let memory = Memory::new(&[provided, other]);
    let refused = reconcile(&memory, Rotation::default(), recorded.now()).await;
    assert!(matches!(refused, Err(KeepError::SeveralData(_))), "{refused:?}");
}

#[tokio::test]
async fn a_secret_of_the_name_that_has_other_labels_is_taken() {
    let recorded = Recorded::read("none");
    let memory = Memory::new(&[]);
    for secret in recorded.secrets() {
        let mut bare = secret.clone();
        bare["metadata"]["labels"] = json!({});
        memory.put(bare);
    }
    reconcile(&memory, Rotation::default(), recorded.now()).await.unwrap();
    assert!(memory.writes().iter().all(|write| write.starts_with("patch")), "{:?}", memory.writes());
    let names =
        |secrets: &[Value]| secrets.iter().map(|secret| secret["metadata"]["name"].clone()).collect::<Vec<_>>();
    assert_eq!(names(&memory.secrets()), names(recorded.secrets()));
}

#[tokio::test]
async fn with_no_certificates_all_secrets_of_the_manager_go_and_no_others() {
    let recorded = Recorded::read("preparing");
    let memory = Memory::new(recorded.secrets());
    let labels = json!({ "managed-by": "secrets-manager", "manager-identity": "gardenlet" });
    memory.put(
        json!({ "metadata": { "name": "ca", "labels": labels, "creationTimestamp": "2026-03-01T12:00:00Z" } }),
    );
    let keeper = Keeper::new(&memory);
    keeper.delete("provider-alicloud-controlplane").await.unwrap();
    let left: Vec<Value> = memory.secrets().into_iter().map(|secret| secret["metadata"]["name"].clone()).collect();
    assert_eq!(left, ["ca"]);
    keeper.delete("").await.unwrap();
    assert_eq!(memory.secrets().len(), 1, "no manager, no Secrets");
}

#[tokio::test]
async fn no_key_is_shown() {
    let memory = Memory::default();
    let kept = reconcile(&memory, Rotation::default(), time("2026-03-01T12:00:00Z")).await.unwrap();
    let held: Vec<ExistingSecret> = memory.secrets().iter().filter_map(ExistingSecret::read).collect();
    let blank = decide(&[], &wanted(), Rotation::default(), time("2026-03-01T12:00:00Z")).unwrap();
    let without_server: Vec<ExistingSecret> =
        held.iter().filter(|held| !held.name.starts_with(SERVER)).cloned().collect();
    let server = decide(&without_server, &wanted(), Rotation::default(), time("2026-03-01T12:00:00Z")).unwrap();
    let shown = format!("{kept:?} {held:?} {blank:?} {server:?}");
    for secret in memory.secrets() {
        for (_, value) in secret["data"].as_object().unwrap() {
            assert!(!shown.contains(&value.as_str().unwrap()[40..80]), "{shown}");
        }
    }
    assert!(!shown.contains("BEGIN"), "{shown}");
}

type Change = fn(&mut Vec<Value>);

#[test]
fn what_a_policy_gets_wrong_is_said() {
    let cases: [(&str, Change); 6] = [
        ("several managers", |all| all[1]["labels"]["manager-identity"] = json!("other")),
        ("no label `name`", |all| all[1]["labels"]["name"] = Value::Null),
        ("none of its Secrets", |all| all[2]["certificate"]["authority"] = json!("other")),
        ("must have the name", |all| all[0]["labels"]["name"] = json!("other")),
        ("no `certificate.commonName`", |all| all[2]["certificate"]["commonName"] = Value::Null),
        ("no certificate", |all| all[1]["dataKeys"] = json!([])),
    ];
    for (words, change) in cases {
        let mut secrets = kept_secrets();
        change(&mut secrets);
        let said = DesiredCertificates::read(&secrets).unwrap_err().to_string();
        assert!(said.contains(words), "{said}");
    }
}

#[tokio::test]
async fn after_a_move_to_another_seed_authorities_stay_and_all_else_has_the_names_of_before() {
    let recorded = Recorded::read("preparing");
    let is_taken_along = |secret: &&Value| secret["metadata"]["labels"]["persist"] == "true";
    let mut along: Vec<Value> = recorded.secrets().iter().filter(is_taken_along).cloned().collect();
    for secret in &mut along {
        secret["metadata"]["creationTimestamp"] = json!("2026-04-02T00:00:00Z");
    }
    assert_eq!(along.len(), 2);
    let memory = Memory::new(&along);
    let kept = reconcile(&memory, recorded.rotation(), time("2026-04-02T00:01:00Z")).await.unwrap();
    assert_eq!(memory.writes().len(), 2, "a bundle and a server: {:?}", memory.writes());
    assert_eq!(json!(kept.secrets()), *recorded.current());
}
