use super::*;
use crate::certificates::pem::Parsed;
use crate::certificates::recorded::{Recorded, RecordedKeys};
use crate::certificates::testing::Memory;

const HOLD: Duration = Duration::from_mins(1);

fn extension() -> Extension {
    Extension::new("provider-alicloud", "n")
}

fn reach() -> Reach {
    Reach::Service { namespace: "n".to_owned(), port: 443 }
}

fn managed(memory: &Memory) -> Managed<&Memory> {
    Managed::new(Keeper::with_keys(memory, RecordedKeys::shared()), "n", &extension(), &reach(), HOLD)
}

fn time(text: &str) -> Timestamp {
    text.parse().unwrap()
}

fn count(bundle: &[u8]) -> usize {
    String::from_utf8_lossy(bundle).matches("BEGIN CERTIFICATE").count()
}

#[test]
fn names_are_those_of_gardener() {
    let wanted = wanted(&extension(), &reach());
    assert_eq!(wanted.identity, "gardener-extension-provider-alicloud-webhook");
    assert_eq!(wanted.authorities[0].name, "ca-provider-alicloud-webhook");
    let server = &wanted.servers[0];
    assert_eq!(
        (server.name.as_str(), server.common_name.as_str()),
        ("provider-alicloud-webhook-server", "provider-alicloud")
    );
    assert!(!server.has_authority);
}

#[tokio::test]
async fn the_first_process_makes_the_certificates_and_the_next_one_takes_them() {
    let memory = Memory::default();
    let now = time("2026-03-01T12:00:00Z");
    memory.at(now, None);
    let first = managed(&memory).first(now).await.unwrap();
    assert_eq!(memory.writes().len(), 3, "authority, bundle, server: {:?}", memory.writes());
    assert_eq!(managed(&memory).first(now).await.unwrap(), first);
    assert_eq!(memory.writes().len(), 3);
    let certificate = Parsed::read(first.certificate()).unwrap();
    assert!(certificate.lifetime().1 > now.as_second() && !first.key().is_empty());
    assert!(!format!("{first:?}").contains("BEGIN"));
}

/// What one look of the leader makes of certificates of 1 March, and which authority signs.
#[tokio::test]
async fn an_authority_is_renewed_after_20_days_and_the_old_one_is_trusted_for_a_day_more() {
    let memory = Memory::default();
    let began = "2026-03-01T12:00:00Z";
    memory.at(time(began), None);
    managed(&memory).first(time(began)).await.unwrap();
    let mut story = Vec::new();
    for now in [
        began,
        "2026-03-21T11:59:00Z",
        "2026-03-21T12:05:00Z",
        "2026-03-22T12:00:00Z",
        "2026-03-22T12:10:00Z",
        "2026-04-10T12:00:00Z",
        "2026-04-10T12:10:00Z",
    ] {
        memory.at(time(now), None);
        let writes = memory.writes().len();
        let (bundle, kept) = managed(&memory).keep(time(now)).await.unwrap();
        managed(&memory).clean(&kept).await.unwrap();
        let writes = memory.writes().split_off(writes);
        let made = writes.iter().filter(|write| write.starts_with("create")).count();
        story.push((now, made, writes.len() - made, count(&bundle)));
        let served = managed(&memory).first(time(now)).await.unwrap();
        let newest = Parsed::read(&bundle).unwrap().certificate;
        let shown = Parsed::read(served.certificate()).unwrap().certificate;
        assert_eq!(
            shown.tbs_certificate().issuer(),
            newest.tbs_certificate().subject(),
            "{now}: the current authority signs, and is the first of the bundle"
        );
    }
    assert_eq!(
        story,
        [
            (began, 0, 0, 1),
            ("2026-03-21T11:59:00Z", 0, 0, 1),
            // Authority, bundle of two, server; the old bundle and the old certificate go.
            ("2026-03-21T12:05:00Z", 3, 2, 2),
            ("2026-03-22T12:00:00Z", 0, 0, 2),
            // The bundle without the old authority; the old authority and the bundle of two go.
            ("2026-03-22T12:10:00Z", 1, 2, 1),
            ("2026-04-10T12:00:00Z", 0, 0, 1),
            ("2026-04-10T12:10:00Z", 3, 2, 2),
        ]
    );
}

#[tokio::test]
async fn a_shoots_rotation_and_an_authority_by_its_age_have_nothing_to_do_with_each_other() {
    let memory = Memory::default();
    let now = time("2026-03-01T12:00:00Z");
    memory.at(now, None);
    let keeper = Keeper::with_keys(&memory, RecordedKeys::shared());
    let completing = Rotation { began: Some(now), is_completing: true };
    let kept = keeper.keep("n", &wanted(&extension(), &reach()), Rotation::default(), now).await.unwrap();
    let again = keeper.keep("n", &wanted(&extension(), &reach()), completing, now).await.unwrap();
    assert_eq!(kept, again);
}

#[test]
fn a_new_certificate_waits_until_api_servers_can_know_its_authority() {
    let now = time("2026-03-01T12:00:00Z");
    let held = |name: &str, age: i64| {
        let mut held = Recorded::read("none").held().remove(0);
        name.clone_into(&mut held.name);
        held.created = now - SignedDuration::from_secs(age);
        held
    };
    for (all, serving, chosen) in [
        (vec![], None, None),
        (vec![], Some("gone"), None),
        (vec![held("only", 0)], None, Some("only")),
        (vec![held("only", 0)], Some("only"), Some("only")),
        (vec![held("new", 5), held("old", 500)], None, Some("old")),
        (vec![held("old", 500), held("new", 5)], Some("old"), Some("old")),
        (vec![held("old", 500), held("new", 5)], Some("new"), Some("new")),
        (vec![held("old", 500), held("new", 60)], Some("old"), Some("new")),
        // The one that is served is gone: the process keeps it.
        (vec![held("new", 5)], Some("old"), None),
        (vec![held("new", 60)], Some("old"), Some("new")),
    ] {
        let names: Vec<&str> = all.iter().map(|held| held.name.as_str()).collect();
        assert_eq!(
            choose(&all, serving, now, HOLD).map(|held| held.name.as_str()),
            chosen,
            "{names:?} {serving:?}"
        );
    }
}

#[test]
fn a_process_alone_has_certificates_that_no_secret_holds() {
    let reach = Reach::url("127.0.0.1:9443").unwrap();
    let now = time("2026-03-01T12:00:00Z");
    let (served, bundle) = unmanaged(&extension(), &reach, &RecordedKeys::shared(), now).unwrap();
    let authority = Parsed::read(&bundle).unwrap();
    let shown = Parsed::read(served.certificate()).unwrap();
    assert_eq!(shown.certificate.tbs_certificate().issuer(), authority.certificate.tbs_certificate().subject());
    assert!(authority.lifetime().1 > time("2036-02-01T00:00:00Z").as_second());
    assert_eq!(served.secret, "");
}
