//! Gardener's own API server takes and refuses objects as Trellis says: those of the corpus, and those that differ
//! from an accepted one in one field.

use std::collections::{BTreeMap, BTreeSet};
use std::io::{self, Write as _};

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use jiff::Timestamp;
use serde_json::value::{RawValue, to_raw_value};
use serde_json::{Value, json};
use trellis_testing::points;
use trellis_tests::corpus;

use super::mistakes;
use super::stage::{Answer, Stage, path_of};

/// The release of the API server of the landscape.
const RELEASE: &str = "1.149.3";

/// Parts of refusals that are about other objects, which the garden of the test lacks, and about what Trellis says
/// that it does not check.
const ABOUT_OTHERS: [&str; 5] = [
    " not found",
    "already exists",
    "given Shoot uses non-registered",
    "the length of the shoot name and the project name must not exceed",
    "Seed.core.gardener.cloud \"cloud-eu\" is invalid",
];

/// The rule by which the store alone refuses a new object: nothing is stored in a dry run.
const OF_STORE: &str = "GDN-META-021 ";

/// Rules about what defaults take away: a key that is there twice, and an image without a name, of which Gardener
/// makes a label before it chooses one.
const BEFORE_DEFAULTS: [&str; 3] = ["DEC-2", "GDN-META-023", "GDN-WRK-005"];

/// An object that a person creates.
struct Sent {
    /// The case of the corpus, or the field that was changed and how.
    name: String,
    kind: String,
    /// As it is written: it may have a key twice.
    object: Box<RawValue>,
    profile: Value,
}

/// What Trellis says of an object.
struct Said {
    verdict: String,
    /// The errors: rule, field and detail.
    errors: Vec<String>,
}

impl Sent {
    /// Those of the corpus that need nothing but a profile.
    fn all() -> Vec<Self> {
        let cases = corpus::cases().into_iter();
        let of_gardener = cases.filter(|case| case.provider == "gardener" && case.function == "validate");
        of_gardener.filter_map(Self::read).collect()
    }

    fn read(case: corpus::Case) -> Option<Self> {
        let mut request: BTreeMap<String, Box<RawValue>> = serde_json::from_str(&case.request).ok()?;
        let context: Value = serde_json::from_str(request.remove("context")?.get()).ok()?;
        let is_plain = |key: &String| matches!(key.as_str(), "cloudProfile" | "gardenerVersion" | "request");
        let object = request.remove("object")?;
        let read: Value = serde_json::from_str(object.get()).ok()?;
        let is_served = read["apiVersion"] == "core.gardener.cloud/v1beta1" && read["kind"].is_string();
        let is_new = is_served && request.is_empty() && context.as_object()?.keys().all(is_plain);
        is_new.then(|| Self {
            name: case.name,
            kind: read["kind"].as_str().unwrap_or_default().to_owned(),
            object,
            profile: context["cloudProfile"].clone(),
        })
    }

    /// Objects that differ from an accepted Shoot in one field, each field once.
    fn with_a_mistake(all: &[Self], now: &str) -> Vec<Self> {
        let mut seen = BTreeSet::new();
        let mut made = Vec::new();
        let is_good = |sent: &&Self| sent.kind == "Shoot" && sent.judged(now).verdict == "accept";
        for good in all.iter().filter(is_good) {
            let object: Value = serde_json::from_str(good.object.get()).unwrap();
            for (name, changed) in mistakes::of(&object, &mut seen) {
                let object = to_raw_value(&changed).unwrap();
                made.push(Self { name, kind: good.kind.clone(), object, profile: good.profile.clone() });
            }
        }
        made
    }

    fn judged(&self, now: &str) -> Said {
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
            return Said { verdict: "reject".to_owned(), errors: vec![error.to_string()] };
        }
        let written = ask("validate", self.object.get());
        let answer = ask("validate", &completed["object"].to_string());
        let text = |finding: &Value, member: &str| finding[member].as_str().unwrap_or_default().to_owned();
        let before = written["findings"].as_array().into_iter().flatten();
        let before = before.filter(|finding| BEFORE_DEFAULTS.iter().any(|rule| finding["rule"] == *rule));
        let found = answer["findings"].as_array().into_iter().flatten().chain(before);
        let errors: Vec<String> = found
            .filter(|finding| finding["severity"] == "error")
            .map(|finding| {
                format!("{} {}: {}", text(finding, "rule"), text(finding, "field"), text(finding, "detail"))
            })
            .collect();
        let verdict = if errors.is_empty() { text(&answer, "verdict") } else { "reject".to_owned() };
        Said { verdict, errors }
    }
}

/// Whether an answer says nothing of the object itself.
fn is_about_others(reported: &Answer) -> bool {
    ABOUT_OTHERS.iter().any(|part| reported.refusal().contains(part))
}

/// How an answer differs from what Trellis said, where it does.
fn difference(sent: &Sent, said: &Said, reported: &Answer) -> Option<String> {
    let (is_taken, refusal) = (reported.code == 201, reported.refusal());
    let is_same = match said.verdict.as_str() {
        "reject" => !is_taken,
        "accept" => is_taken,
        _ => true,
    };
    (!is_same && !is_about_others(reported)).then(|| {
        format!(
            "{} {}: Trellis: {} {:?}; Gardener: {} {refusal}",
            sent.kind, sent.name, said.verdict, said.errors, reported.code
        )
    })
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "make verify"]
async fn gardeners_api_server_takes_and_refuses_as_trellis_says() {
    let stage = Stage::new().await;
    let person = stage.person();
    let now = Timestamp::now().to_string();
    let mut all = Sent::all();
    // One garden has one profile of a name: that of most cases.
    let profile = all.iter().find(|sent| sent.name == "dec-shoot-is-accepted").unwrap().profile.clone();
    all.retain(|sent| sent.profile == profile || sent.profile.is_null());
    all.extend(Sent::with_a_mistake(&all, &now));
    let count = all.len();
    let all = points::chosen("verdicts", all, |sent| vec![sent.kind.clone()]);
    let metadata = json!({ "name": "demo", "namespace": "garden-dev" });
    let key =
        json!({ "accessKeyID": STANDARD.encode("LTAI4Fake"), "accessKeySecret": STANDARD.encode("a".repeat(30)) });
    stage.fill(&json!({ "apiVersion": "v1", "kind": "Secret", "metadata": metadata, "data": key })).await;
    let binding = json!({
        "apiVersion": "security.gardener.cloud/v1alpha1",
        "kind": "CredentialsBinding",
        "metadata": metadata,
        "provider": { "type": "alicloud" },
        "credentialsRef": { "apiVersion": "v1", "kind": "Secret", "name": "demo", "namespace": "garden-dev" },
    });
    stage.fill(&binding).await;
    stage.fill(&profile).await;

    let mut differences = Vec::new();
    let mut counts: BTreeMap<(String, bool), usize> = BTreeMap::new();
    let mut not_compared = 0;
    for sent in &all {
        let said = sent.judged(&now);
        let read: Value = serde_json::from_str(sent.object.get()).unwrap();
        let (path, text) = (path_of(&read), sent.object.get().to_owned());
        let is_of_store = !said.errors.is_empty() && said.errors.iter().all(|error| error.starts_with(OF_STORE));
        let reported =
            if is_of_store { person.store(&path, text).await } else { person.dry_run_of(&path, text).await };
        if said.verdict == "undecided" || said.verdict == "accept" && is_about_others(&reported) {
            not_compared += 1;
            continue;
        }
        *counts.entry((said.verdict.clone(), reported.code == 201)).or_default() += 1;
        differences.extend(difference(sent, &said, &reported));
    }
    // Not by `println`, because that is not shown of a test that succeeds.
    let _ = writeln!(io::stderr(), "verdicts: {counts:?}, and {not_compared} not compared");
    assert!(differences.is_empty(), "{}", differences.join("\n"));
    assert!(not_compared * 5 < all.len(), "{not_compared} of {}", all.len());
    // Both verdicts are among them, and none is alone because of what the garden lacks.
    let number =
        |verdict: &str, is_taken: bool| counts.get(&(verdict.to_owned(), is_taken)).copied().unwrap_or_default();
    assert!(number("accept", true) * 10 > all.len() && number("reject", false) * 4 > all.len(), "{counts:?}");
    assert!(count > 1_500, "{count}");
}
