//! What is promised of recorded states.

use std::fs;
use std::path::Path;
use std::sync::atomic::{AtomicU32, Ordering};

use serde_json::value::RawValue;

use super::*;
use crate::document::Consent;
use crate::document::{Plan, State};
use crate::plan::ledger::StateStore as _;

const NAME: &str = "shoot--foo--bar";

fn identity() -> SubjectId {
    SubjectId {
        kind: None,
        cloud: None,
        name: NAME.to_owned(),
        provider: "alicloud".to_owned(),
        region: "cn-shanghai".to_owned(),
        uid: None,
    }
}

fn state(pairs: &[(&str, &str)]) -> State {
    pairs.iter().map(|(key, value)| ((*key).to_owned(), (*value).to_owned())).collect()
}

fn directory() -> (tempfile::TempDir, StateDirectory) {
    let root = tempfile::tempdir().unwrap();
    let directory = StateDirectory::new(root.path().join("states"));
    (root, directory)
}

/// Saves a state as a run would.
fn save(recorded: &Recorded<'_>, state: &State) {
    let mut saving = std::pin::pin!(recorded.save(state));
    let mut context = std::task::Context::from_waker(std::task::Waker::noop());
    let std::task::Poll::Ready(result) = saving.as_mut().poll(&mut context) else { panic!("it does not wait") };
    result.unwrap();
}

fn contents(folder: &Path) -> Vec<String> {
    let mut names: Vec<_> =
        fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort_unstable();
    names
}

fn last(ending: &str) -> LastRun {
    LastRun {
        at: jiff::Timestamp::UNIX_EPOCH,
        operation: "reconcile".to_owned(),
        ending: ending.to_owned(),
        done: true,
    }
}

#[test]
fn what_is_saved_is_read_again() {
    let (_root, directory) = directory();
    assert_eq!(directory.names().unwrap(), Vec::<String>::new());
    let lock = directory.lock(NAME, "trellis apply").unwrap();
    let recorded = lock.open(identity()).unwrap();
    assert_eq!(recorded.state(), None);
    save(&recorded, &state(&[("VPC", "vpc-1")]));
    save(&recorded, &state(&[("VPC", "vpc-2")]));
    let document = directory.read(NAME).unwrap().unwrap();
    assert_eq!((document.serial, document.state["VPC"].as_str()), (2, "vpc-2"));
    assert_eq!(directory.names().unwrap(), [NAME]);
    assert_eq!(contents(lock.folder()), ["lock", "state.json"]);
}

#[test]
fn a_state_begins_with_a_salt_where_there_is_no_uid_and_keeps_it() {
    let (_root, directory) = directory();
    let with_uid = SubjectId { uid: Some("1".to_owned()), ..identity() };
    let salt_in = |identity: SubjectId, document: Option<StateDocument>| {
        let lock = directory.lock(NAME, "trellis apply").unwrap();
        document.inspect(|document| lock.import(document, true).unwrap());
        let recorded = lock.open(identity).unwrap();
        let salt = recorded.salt().map(str::to_owned);
        save(&recorded, &state(&[("VPC", "vpc-1")]));
        assert_eq!(directory.read(NAME).unwrap().unwrap().salt, salt);
        salt
    };
    let before = StateDocument::new(identity(), state(&[("VPC", "vpc-1")]));
    assert_eq!(salt_in(identity(), Some(before)), None, "an older version began it");
    let empty = || Some(StateDocument::new(identity(), State::new()));
    assert_eq!(salt_in(with_uid.clone(), empty()), None);
    let first = salt_in(identity(), empty()).unwrap();
    assert_eq!(first.len(), 32);
    assert_eq!(salt_in(identity(), None), Some(first.clone()));
    assert_eq!(salt_in(with_uid, None), Some(first.clone()), "a run that began without the uid");
    fs::remove_dir_all(directory.folder(NAME).unwrap()).unwrap();
    let second = salt_in(identity(), None).unwrap();
    assert_ne!(first, second);
}

#[test]
fn a_run_without_changes_writes_nothing() {
    let (_root, directory) = directory();
    let lock = directory.lock(NAME, "trellis apply").unwrap();
    let recorded = lock.open(identity()).unwrap();
    save(&recorded, &state(&[("VPC", "vpc-1")]));
    recorded.finish(last("everything is as it is wanted"), true).unwrap();
    let path = lock.folder().join("state.json");
    fs::remove_file(&path).unwrap();
    let later = LastRun { at: jiff::Timestamp::MAX, ..last("everything is as it is wanted") };
    save(&recorded, &state(&[("VPC", "vpc-1")]));
    recorded.finish(later, false).unwrap();
    assert!(!path.exists());
    recorded.finish(last("not everything is done"), false).unwrap();
    assert!(path.exists());
}

#[test]
fn one_run_at_a_time_and_others_learn_whose_it_is() {
    let (_root, directory) = directory();
    let lock = directory.lock(NAME, "trellis apply").unwrap();
    let error = directory.lock(NAME, "trellis destroy").unwrap_err().to_string();
    assert!(error.starts_with("`shoot--foo--bar` is in use by `trellis apply`, process "), "{error}");
    assert!(error.contains(&std::process::id().to_string()));
    assert!(directory.unlock(NAME).unwrap_err().to_string().contains("in use"), "the holder is alive");
    drop(lock);
    assert!(directory.lock(NAME, "trellis destroy").unwrap().former().is_none());
}

#[test]
fn of_many_who_want_it_at_a_time_one_has_it() {
    let (_root, directory) = directory();
    let inside = AtomicU32::new(0);
    let held = AtomicU32::new(0);
    std::thread::scope(|scope| {
        for _ in 0..8 {
            scope.spawn(|| {
                for _ in 0..50 {
                    if let Ok(_lock) = directory.lock(NAME, "trellis apply") {
                        assert_eq!(inside.fetch_add(1, Ordering::SeqCst), 0);
                        held.fetch_add(1, Ordering::SeqCst);
                        std::thread::yield_now();
                        inside.fetch_sub(1, Ordering::SeqCst);
                    }
                }
            });
        }
    });
    assert!(held.load(Ordering::SeqCst) > 0);
}

#[test]
fn what_a_crash_left_of_a_lock_is_no_obstacle_and_can_be_cleared() {
    let (_root, directory) = directory();
    let folder = directory.folder(NAME).unwrap();
    fs::create_dir_all(&folder).unwrap();
    assert_eq!(directory.unlock(NAME).unwrap(), None);
    let text = r#"{"pid":1,"host":"there","command":"trellis apply","since":"2026-01-01T00:00:00Z"}"#;
    fs::write(folder.join("lock"), text).unwrap();
    let lock = directory.lock(NAME, "trellis apply").unwrap();
    assert_eq!(
        lock.former().unwrap().to_string(),
        "`trellis apply`, process 1 on there, since 2026-01-01T00:00:00Z"
    );
    drop(lock);
    fs::write(folder.join("lock"), text).unwrap();
    assert_eq!(directory.unlock(NAME).unwrap().unwrap().pid, 1);
    assert_eq!(directory.unlock(NAME).unwrap(), None);
    fs::write(folder.join("lock"), "\u{1}garbage").unwrap();
    assert!(directory.lock(NAME, "trellis apply").is_ok());
}

#[test]
fn the_state_of_another_infrastructure_is_not_touched() {
    let (_root, directory) = directory();
    let lock = directory.lock(NAME, "trellis apply").unwrap();
    let with_uid = |uid: &str| SubjectId { uid: Some(uid.to_owned()), ..identity() };
    save(&lock.open(with_uid("1")).unwrap(), &state(&[("VPC", "vpc-1")]));
    assert!(lock.open(identity()).is_ok(), "a file without uid is the same Shoot");
    assert!(lock.open(with_uid("1")).is_ok());
    let check = "check `--cloud`, the region and `--state-dir`";
    let again = "if somebody made the Infrastructure again, run `trellis state rebind shoot--foo--bar --uid";
    let cloud = |cloud: &str| SubjectId { cloud: Some(cloud.to_owned()), ..with_uid("1") };
    save(&lock.open(cloud("simulated")).unwrap(), &state(&[("VPC", "vpc-1")]));
    for (other, advice, others) in [
        (with_uid("2"), format!("{again} 2` to go on"), Some(check)),
        (with_uid("`; reboot"), format!("{again} UID` to go on"), Some(check)),
        (SubjectId { region: "cn-beijing".to_owned(), ..with_uid("2") }, format!("{check}; {again} 2`"), None),
        (
            cloud("real"),
            format!(
                "{check}; if it moved to this cloud on purpose, run `trellis state rebind shoot--foo--bar --cloud real`"
            ),
            Some("uid"),
        ),
        (SubjectId { provider: "equinixmetal".to_owned(), ..identity() }, check.to_owned(), Some("rebind")),
        (SubjectId { region: "cn-beijing".to_owned(), ..identity() }, check.to_owned(), Some("rebind")),
        (SubjectId { kind: Some("BackupBucket".to_owned()), ..identity() }, check.to_owned(), Some("rebind")),
    ] {
        let error = lock.open(other).unwrap_err();
        let (text, help) = (error.to_string(), error.help().unwrap());
        assert!(
            text.starts_with("the recorded state belongs to `shoot--foo--bar` on `alicloud` in `cn-shanghai`"),
            "{text}"
        );
        assert!(help.starts_with(&advice) && others.is_none_or(|other| !help.contains(other)), "{help}");
    }
}

#[test]
fn the_state_of_an_infrastructure_names_no_kind_and_that_of_another_subject_does() {
    let infrastructure = StateDocument::new(identity(), State::new());
    assert!(infrastructure.text().contains("\"identity\": {\n    \"technicalId\": \"shoot--foo--bar\""));
    let bucket =
        SubjectId { kind: Some("BackupBucket".to_owned()), name: "backupbucket.b".to_owned(), ..identity() };
    let bucket = StateDocument::new(bucket, State::new());
    for (document, kind) in [(infrastructure, "Infrastructure"), (bucket, "BackupBucket")] {
        let read = StateDocument::read(&document.text()).unwrap();
        assert_eq!((read.identity.kind(), &read), (kind, &document));
    }
}

#[test]
fn a_uid_that_becomes_known_is_recorded() {
    let (_root, directory) = directory();
    let lock = directory.lock(NAME, "trellis apply").unwrap();
    save(&lock.open(identity()).unwrap(), &state(&[("VPC", "vpc-1")]));
    let known = SubjectId { uid: Some("1".to_owned()), ..identity() };
    save(&lock.open(known.clone()).unwrap(), &state(&[("VPC", "vpc-1")]));
    assert_eq!(directory.read(NAME).unwrap().unwrap().identity, known);
}

#[test]
fn files_that_are_no_state_are_reported_and_left_alone() {
    let (_root, directory) = directory();
    let lock = directory.lock(NAME, "trellis apply").unwrap();
    let whole = StateDocument::new(identity(), state(&[("VPC", "vpc-1")])).text();
    let torn = &whole[..whole.len() / 2];
    let newer = whole.replace("trellis-state/1", "trellis-state/2");
    let wrong = whole.replace("\"serial\": 0", "\"serial\": \"x\"");
    for (text, reported) in [
        (torn, "it is not JSON"),
        ("", "it is not JSON"),
        (r#"{"kind":"Shoot"}"#, "it is not a state that trellis recorded"),
        (&newer, "its format `trellis-state/2` is newer"),
        (&wrong, "its contents are not what `trellis-state/1` has"),
    ] {
        let path = lock.folder().join("state.json");
        fs::write(&path, text).unwrap();
        let error = lock.open(identity()).unwrap_err().to_string();
        assert!(error.contains(reported) && error.contains("state import --force"), "{error}");
        assert_eq!(fs::read_to_string(&path).unwrap(), text);
        lock.import(&StateDocument::new(identity(), State::new()), true).unwrap();
        assert_eq!(fs::read_to_string(lock.folder().join("state.json.bak")).unwrap(), text);
        assert!(lock.open(identity()).is_ok());
    }
}

#[test]
fn what_a_crash_left_of_a_file_is_no_obstacle() {
    let (_root, directory) = directory();
    let lock = directory.lock(NAME, "trellis apply").unwrap();
    save(&lock.open(identity()).unwrap(), &state(&[("VPC", "vpc-1")]));
    fs::write(lock.folder().join(".new-abcdef"), "{\"format\":").unwrap();
    assert_eq!(lock.open(identity()).unwrap().state(), Some(state(&[("VPC", "vpc-1")])));
}

#[test]
fn an_import_replaces_nothing_unless_it_is_asked_to() {
    let (_root, directory) = directory();
    let lock = directory.lock(NAME, "trellis state import").unwrap();
    let first = StateDocument::new(identity(), state(&[("VPC", "vpc-1")]));
    lock.import(&StateDocument::read(&first.text()).unwrap(), false).unwrap();
    let second = StateDocument::new(identity(), state(&[("VPC", "vpc-2")]));
    assert!(lock.import(&second, false).unwrap_err().to_string().contains("--force"));
    assert_eq!(directory.read(NAME).unwrap().unwrap(), first);
    lock.import(&second, true).unwrap();
    assert_eq!(directory.read(NAME).unwrap().unwrap(), second);
    let backup = fs::read_to_string(lock.folder().join("state.json.bak")).unwrap();
    assert_eq!(StateDocument::read(&backup).unwrap(), first);
}

#[test]
fn technical_ids_cannot_lead_out_of_the_directory() {
    let (_root, directory) = directory();
    for name in ["", "..", "../x", "a/b", "a\\b", ".hidden", "a\0b", "x.", &"x".repeat(201)] {
        assert!(matches!(directory.lock(name, "trellis apply"), Err(StateError::Name(_))), "{name:?}");
    }
}

#[test]
fn a_saved_plan_holds_for_what_it_was_made_of() {
    let raw = |text: &str| RawValue::from_string(text.to_owned()).unwrap();
    let request = raw(r#"{"operation":"reconcile","cluster":{"shoot":{}}}"#);
    let recorded = StateDocument::new(identity(), state(&[("VPC", "vpc-1")]));
    let saved =
        SavedPlan::new(identity(), request.clone(), vec![Consent::Adopt], Some(&recorded), Plan::default());
    let saved = SavedPlan::read(&saved.text()).unwrap();
    let reordered = raw(r#"{ "cluster": { "shoot": {} }, "operation": "reconcile" }"#);
    assert!(saved.check(&identity(), &reordered, Some(&recorded)).is_ok());
    let delete = raw(r#"{"operation":"delete","cluster":{"shoot":{}}}"#);
    assert!(matches!(saved.check(&identity(), &delete, Some(&recorded)), Err(SavedPlanError::Request)));
    assert!(matches!(saved.check(&identity(), &request, None), Err(SavedPlanError::State)));
    let mut later = recorded.clone();
    later.serial += 1;
    assert!(matches!(saved.check(&identity(), &request, Some(&later)), Err(SavedPlanError::State)));
    let mut other = recorded;
    other.state = state(&[("VPC", "vpc-2")]);
    assert!(matches!(saved.check(&identity(), &request, Some(&other)), Err(SavedPlanError::State)));
}

#[test]
fn a_saved_plan_that_was_edited_or_is_of_another_version_is_refused() {
    let request = RawValue::from_string("{}".to_owned()).unwrap();
    let text = SavedPlan::new(identity(), request, Vec::new(), None, Plan::default()).text();
    let edited = text.replace("\"state\": {}", "\"state\": {\"VPC\": \"vpc-9\"}");
    assert_ne!(edited, text);
    assert!(matches!(SavedPlan::read(&edited), Err(SavedPlanError::Edited)));
    let version =
        text.replace(&format!("\"trellis\": \"{}\"", env!("CARGO_PKG_VERSION")), "\"trellis\": \"9.0.0\"");
    assert!(matches!(SavedPlan::read(&version), Err(SavedPlanError::Version { made }) if made == "9.0.0"));
    assert!(matches!(SavedPlan::read("{}"), Err(SavedPlanError::Other)));
    assert!(matches!(SavedPlan::read("nonsense"), Err(SavedPlanError::Syntax(_))));
}

#[test]
fn what_is_recorded_of_one_cloud_is_not_touched_from_another() {
    let (_root, directory) = directory();
    let of = |cloud: Option<&str>| SubjectId { cloud: cloud.map(str::to_owned), ..identity() };
    let lock = directory.lock("shoot--dev--one", "trellis apply").unwrap();
    lock.import(&StateDocument::new(of(Some("real")), state(&[("VPC", "vpc-1")])), false).unwrap();
    let Err(StateError::Foreign { recorded, given }) = lock.open(of(Some("simulated"))) else {
        panic!("it is opened")
    };
    assert!(recorded.to_string().ends_with("of the cloud `real`"), "{recorded}");
    assert!(given.to_string().ends_with("of the cloud `simulated`"), "{given}");
    assert!(lock.open(of(Some("real"))).is_ok());
    assert!(lock.open(of(None)).is_ok(), "where no cloud is called, which one does not matter");
}

#[test]
fn a_saved_plan_is_for_its_own_cloud_and_is_not_edited() {
    let request = RawValue::from_string(r#"{"operation":"reconcile"}"#.to_owned()).unwrap();
    let of = |cloud: &str| SubjectId { cloud: Some(cloud.to_owned()), ..identity() };
    let saved = SavedPlan::new(of("simulated"), request.clone(), Vec::new(), None, Plan::default());
    assert!(saved.check(&of("simulated"), &request, None).is_ok());
    assert!(matches!(saved.check(&of("real"), &request, None), Err(SavedPlanError::Foreign { .. })));
    let region = identity().region;
    for (from, to) in [("simulated", "real"), (region.as_str(), "us-east-1"), ("reconcile", "delete")] {
        let edited = saved.text().replace(from, to);
        assert!(matches!(SavedPlan::read(&edited), Err(SavedPlanError::Edited)), "{from}");
    }
}
