//! Gardener's own API server takes and refuses the objects of the corpus as Trellis says.

use std::collections::{BTreeMap, BTreeSet};
use std::time::SystemTime;

use serde_json::value::RawValue;
use serde_json::{Value, json};
use trellis_testing::points;
use trellis_tests::corpus;

use super::mistakes;
use super::stage::{Person, Stage, path_of};

/// The release of the API server of the landscape.
const RELEASE: &str = "1.141.0";

/// An object of the corpus that a person creates.
struct Sent {
    case: String,
    kind: String,
    /// As it is written: it may have a key twice.
    object: Box<RawValue>,
    profile: Value,
}

impl Sent {
    /// Those of the corpus that need nothing but their profile.
    fn all() -> Vec<Self> {
        let cases = corpus::cases().into_iter();
        let of_gardener = cases.filter(|case| case.provider == "gardener" && case.function == "validate");
        of_gardener.filter_map(Self::read).collect()
    }

    /// Those that differ from an accepted one in one field, each field once.
    fn with_a_mistake(all: &[Self]) -> Vec<Self> {
        let mut seen = BTreeSet::new();
        let mut made = Vec::new();
        for good in all.iter().filter(|sent| sent.kind == "Shoot" && sent.judged("2026-06-01T00:00:00Z").0 == "accept") {
            let object: Value = serde_json::from_str(good.object.get()).unwrap();
            for (place, changed) in mistakes::of(&object, &mut seen) {
                let object = serde_json::value::to_raw_value(&changed).unwrap();
                made.push(Self { case: place, kind: "Shoot".to_owned(), object, profile: good.profile.clone() });
            }
        }
        made
    }

    fn read(case: corpus::Case) -> Option<Self> {
        let mut request: BTreeMap<String, Box<RawValue>> = serde_json::from_str(&case.request).ok()?;
        let context: Value = serde_json::from_str(request.remove("context")?.get()).ok()?;
        let is_plain = |key: &String| matches!(key.as_str(), "cloudProfile" | "gardenerVersion" | "request");
        let object = request.remove("object")?;
        let read: Value = serde_json::from_str(object.get()).ok()?;
        let is_new = request.is_empty() && context.as_object()?.keys().all(is_plain);
        is_new.then(|| Self {
            case: case.name,
            kind: read["kind"].as_str().unwrap_or_default().to_owned(),
            object,
            profile: context["cloudProfile"].clone(),
        })
    }

    /// What Trellis says: the verdict, and the ids of the rules with their details.
    fn judged(&self, now: &str) -> (String, Vec<String>) {
        let mut context = json!({ "gardenerVersion": RELEASE, "request": true });
        if self.profile.is_object() {
            context["cloudProfile"] = self.profile.clone();
        }
        let ask = |function: &str, object: &str| -> Value {
            let request = format!(r#"{{"object":{object},"context":{context},"now":"{now}"}}"#);
            serde_json::from_str(&trellis_core::call("gardener", function, &request)).unwrap()
        };
        let completed = ask("default", self.object.get());
        if let Some(error) = completed.get("error") {
            return ("reject".to_owned(), vec![error.to_string()]);
        }
        let object = if completed["patch"].as_array().is_some_and(|patch| !patch.is_empty()) {
            completed["object"].to_string()
        } else {
            self.object.get().to_owned()
        };
        let answer = ask("validate", &object);
        let findings = answer["findings"].as_array().cloned().unwrap_or_default();
        let errors = findings.iter().filter(|finding| finding["severity"] == "error");
        let text = |finding: &Value, member: &str| finding[member].as_str().unwrap_or_default().to_owned();
        let errors = errors.map(|finding| {
            format!("{} {}: {}", text(finding, "rule"), text(finding, "field"), text(finding, "detail"))
        });
        (text(&answer, "verdict"), errors.collect())
    }

    /// Why the API server refuses it; empty where it takes it.
    async fn refusal(&self, person: &Person) -> String {
        let read: Value = serde_json::from_str(self.object.get()).unwrap();
        let told = person.dry_run_of(&path_of(&read), self.object.get().to_owned()).await;
        if told.code == 201 { String::new() } else { format!("{}: {}", told.code, told.refusal()) }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "make verify"]
async fn gardeners_api_server_takes_and_refuses_as_trellis_says() {
    let stage = Stage::new().await;
    let person = stage.person();
    let mut all = Sent::all();
    all.extend(Sent::with_a_mistake(&all));
    let all = points::chosen("verdicts", all, |sent| vec![sent.kind.clone()]);
    let profile = &all.iter().find(|one| one.profile.is_object()).unwrap().profile;
    stage.fill(profile).await;
    let now = trellis_testing_now();
    let mut counts: BTreeMap<(String, String, bool), usize> = BTreeMap::new();
    let mut out = String::new();
    for one in &all {
        let (verdict, errors) = one.judged(&now);
        let refusal = one.refusal(&person).await;
        *counts.entry((one.kind.clone(), verdict.clone(), refusal.is_empty())).or_default() += 1;
        if (verdict == "reject") == refusal.is_empty() {
            out += &format!("{} {}: {verdict} {errors:?}\n    {refusal}\n", one.kind, one.case);
        }
    }
    std::fs::write("/tmp/w/s8/verdicts.txt", format!("{counts:#?}\n{out}")).unwrap();
}

fn trellis_testing_now() -> String {
    let _ = SystemTime::now();
    "2026-11-29T14:00:00Z".to_owned()
}
