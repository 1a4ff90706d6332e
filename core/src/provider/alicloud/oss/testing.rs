//! A small cloud with one bucket, and a run that carries plans out in it.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use crate::document::parse;
use crate::policy::{PlanAnswer, PlanRequest, RequestError};

/// The account of the credentials.
pub const ACCOUNT: &str = "1000000000000001";
/// The bucket.
pub const NAME: &str = "b-5f0f3e0a";

/// How a policy plans.
pub type Planner = fn(&PlanRequest<'_>) -> Result<PlanAnswer, RequestError>;

/// A cloud with a bucket, or without one.
pub struct Oss {
    pub bucket: Option<Bucket>,
    /// The account in which the bucket of that name is, where it is out of reach.
    pub is_of_others: bool,
    /// Most entries of a page.
    pub page: usize,
    /// The action that is answered otherwise, and how.
    pub fault: Option<(&'static str, Value)>,
    /// The actions that were called, with what distinguishes them.
    pub calls: Vec<String>,
    /// How many more changes are made before the process is killed: before the call, or after it.
    pub kill: Option<(usize, bool)>,
}

/// A bucket.
#[derive(Clone)]
pub struct Bucket {
    pub owner: String,
    pub location: String,
    pub encryption: String,
    pub rules: Vec<Value>,
    /// State and days of its retention.
    pub worm: Option<(&'static str, i64)>,
    /// Keys, each with its time.
    pub objects: BTreeMap<String, String>,
    /// Keys that have the mark.
    pub marked: Vec<String>,
    pub uploads: Vec<String>,
}

/// How a run ended.
#[derive(Debug, PartialEq)]
pub enum Ended {
    Done,
    /// The rules that forbid a plan.
    Refused(Vec<String>),
    /// A step failed with a code.
    Failed(String),
    /// After three plans things still differ.
    Unsettled,
    Killed,
    /// An answer cannot be read.
    Unreadable,
}

/// A rule that drops unfinished uploads.
pub fn abort_rule(days: &str) -> Value {
    json!({ "ID": "x", "Prefix": "", "Status": "Enabled", "AbortMultipartUpload": { "Days": days } })
}

impl Bucket {
    /// A bucket of the account without anything.
    pub fn bare() -> Self {
        Self {
            owner: ACCOUNT.to_owned(),
            location: "oss-cn-shanghai".to_owned(),
            encryption: "None".to_owned(),
            rules: Vec::new(),
            worm: None,
            objects: BTreeMap::new(),
            marked: Vec::new(),
            uploads: Vec::new(),
        }
    }

    /// A bucket as the existing extension makes it.
    pub fn ours() -> Self {
        Self { encryption: "AES256".to_owned(), rules: vec![abort_rule("7")], ..Self::bare() }
    }

    /// The same with objects.
    pub fn with(self, keys: &[&str]) -> Self {
        let objects = keys.iter().map(|key| ((*key).to_owned(), "2026-01-02T03:04:05.000Z".to_owned()));
        Self { objects: objects.collect(), ..self }
    }
}

fn error(code: &str, status: u16) -> Value {
    json!({ "error": { "code": code, "message": "no", "httpStatus": status } })
}

impl Oss {
    pub fn new(bucket: Option<Bucket>) -> Self {
        Self { bucket, is_of_others: false, page: 1_000, fault: None, calls: Vec::new(), kill: None }
    }

    pub fn keys(&self) -> Vec<&str> {
        self.bucket.iter().flat_map(|bucket| bucket.objects.keys()).map(String::as_str).collect()
    }

    /// The actions since the last question, the account's left out.
    pub fn take_calls(&mut self) -> Vec<String> {
        std::mem::take(&mut self.calls)
    }

    fn answer(&mut self, query: &Value) -> Value {
        let call = &query["call"];
        let action = call["action"].as_str().unwrap();
        if action == "GetCallerIdentity" {
            return json!({ "response": { "AccountId": ACCOUNT } });
        }
        self.calls.push(action.to_owned());
        let text = |name: &str| call["parameters"][name].as_str().unwrap_or_default().to_owned();
        assert_eq!((text("bucket").as_str(), text("RegionId").as_str()), (NAME, "cn-shanghai"));
        if let Some((_, fault)) = self.fault.as_ref().filter(|(of, _)| *of == action) {
            return fault.clone();
        }
        if self.is_of_others {
            return error("AccessDenied", 403);
        }
        let Some(bucket) = &self.bucket else { return error("NoSuchBucket", 404) };
        match action {
            "GetBucketInfo" => json!({ "response": { "BucketInfo": { "Bucket": {
                "Name": NAME, "Location": bucket.location, "Owner": { "ID": bucket.owner },
                "ServerSideEncryptionRule": { "SSEAlgorithm": bucket.encryption } } } } }),
            "GetBucketLifecycle" if bucket.rules.is_empty() => error("NoSuchLifecycle", 404),
            "GetBucketLifecycle" => json!({ "response": { "LifecycleConfiguration": { "Rule": bucket.rules } } }),
            "GetBucketWorm" => match bucket.worm {
                None => error("NoSuchWORMConfiguration", 404),
                Some((state, days)) => json!({ "response": { "WormConfiguration": {
                    "WormId": "W1", "State": state, "RetentionPeriodInDays": days.to_string(),
                    "CreationDate": "2026-01-02T03:04:05.000Z" } } }),
            },
            "ListObjects" => {
                assert_eq!((text("max-keys").as_str(), text("encoding-type").as_str()), ("1000", "url"));
                let (prefix, marker) = (text("prefix"), text("marker"));
                let found: Vec<_> = bucket
                    .objects
                    .iter()
                    .filter(|(key, _)| key.starts_with(&prefix) && **key > marker)
                    .map(
                        |(key, time)| json!({ "Key": key, "LastModified": time, "Owner": { "ID": bucket.owner } }),
                    )
                    .collect();
                let page: Vec<_> = found.iter().take(self.page).collect();
                let is_truncated = page.len() < found.len();
                let next = page.last().filter(|_| is_truncated).map(|last| last["Key"].clone());
                json!({ "response": { "ListBucketResult": {
                    "Name": NAME, "Prefix": prefix, "Marker": marker, "NextMarker": next.unwrap_or_default(),
                    "IsTruncated": is_truncated.to_string(), "Contents": page } } })
            }
            "ListMultipartUploads" => {
                let all = bucket.uploads.iter().take(self.page);
                let page: Vec<_> = all.map(|key| json!({ "Key": key, "UploadId": format!("id-{key}") })).collect();
                let is_truncated = page.len() < bucket.uploads.len();
                let next = bucket.uploads.get(page.len()).filter(|_| is_truncated);
                json!({ "response": { "ListMultipartUploadsResult": {
                    "Bucket": NAME, "Prefix": "", "NextKeyMarker": next, "IsTruncated": is_truncated.to_string(),
                    "Upload": page } } })
            }
            other => panic!("{other}"),
        }
    }

    /// Carries out a call that changes something.
    fn change(&mut self, call: &Value, state: &Value) -> Result<Value, String> {
        let action = call["action"].as_str().unwrap();
        let parameter = |name: &str| match &call["parameters"][name] {
            Value::Object(reference) => state[reference["ref"].as_str().unwrap()].as_str().unwrap().to_owned(),
            text => text.as_str().unwrap_or_default().to_owned(),
        };
        let body = plain(&call["parameters"]["body"]);
        let days = || body["RetentionPeriodInDays"].as_i64().unwrap();
        let mut line = action.to_owned();
        if action == "DeleteMultipleObjects" {
            assert_eq!(body.get("Quiet"), None);
        }
        for text in [parameter("wormId"), parameter("key")].iter().filter(|text| !text.is_empty()) {
            line = format!("{line} {text}");
        }
        self.calls.push(line);
        if let Some((_, fault)) = self.fault.as_ref().filter(|(of, _)| *of == action) {
            return Err(fault["error"]["code"].as_str().unwrap().to_owned());
        }
        if action == "PutBucket" {
            if self.is_of_others || self.bucket.is_some() {
                return Err("BucketAlreadyExists".to_owned());
            }
            assert_eq!(body, json!({ "StorageClass": "Standard" }));
            self.bucket = Some(Bucket::bare());
            return Ok(json!({}));
        }
        let bucket = self.bucket.as_mut().ok_or("NoSuchBucket")?;
        let is_held = bucket.worm.is_some_and(|(state, _)| state != "Expired");
        match action {
            "PutBucketEncryption" => {
                let algorithm = &body["ApplyServerSideEncryptionByDefault"]["SSEAlgorithm"];
                bucket.encryption = algorithm.as_str().unwrap().to_owned();
            }
            "PutBucketLifecycle" => bucket.rules = body["Rule"].as_array().unwrap().clone(),
            "InitiateBucketWorm" if bucket.worm.is_some() => {
                return Err("WORMConfigurationAlreadyExists".to_owned());
            }
            "InitiateBucketWorm" => {
                bucket.worm = Some(("InProgress", days()));
                return Ok(json!({ "x-oss-worm-id": "W1" }));
            }
            "CompleteBucketWorm" => bucket.worm = bucket.worm.map(|(_, days)| ("Locked", days)),
            "ExtendBucketWorm" => {
                assert!(bucket.worm.is_some_and(|(state, old)| state == "Locked" && old < days()));
                bucket.worm = Some(("Locked", days()));
            }
            "AbortBucketWorm" => bucket.worm = None,
            "DeleteMultipleObjects" => {
                let keys = body["Object"].as_array().unwrap();
                assert!(!keys.is_empty() && keys.len() <= self.page);
                for key in keys.iter().filter(|_| !is_held) {
                    bucket.objects.remove(key["Key"].as_str().unwrap());
                }
            }
            "PutObjectTagging" => {
                let tag = json!([{ "Key": "gc-marked-for-deletion", "Value": "true" }]);
                assert_eq!(body["TagSet"]["Tag"], tag);
                bucket.marked.push(parameter("key"));
            }
            "AbortMultipartUpload" => {
                assert_eq!(parameter("uploadId"), format!("id-{}", parameter("key")));
                bucket.uploads.retain(|key| *key != parameter("key"));
            }
            "DeleteBucket" if bucket.objects.is_empty() && bucket.uploads.is_empty() => self.bucket = None,
            "DeleteBucket" => return Err("BucketNotEmpty".to_owned()),
            other => panic!("{other}"),
        }
        Ok(json!({}))
    }

    /// The last answer of the policy once all its questions are answered.
    pub fn plan(&mut self, planner: Planner, request: &Value) -> Result<Value, RequestError> {
        let mut request = request.clone();
        request["facts"] = json!([]);
        for _ in 0..6 {
            let text = request.to_string();
            let document = parse(&text).unwrap();
            let answer = serde_json::to_value(planner(&PlanRequest::read(&document)?)?).unwrap();
            let Some(queries) = answer["queries"].as_array() else { return Ok(answer) };
            for query in queries {
                let fact = json!({ "query": query["id"], "answer": self.answer(query) });
                request["facts"].as_array_mut().unwrap().push(fact);
            }
        }
        panic!("the questions do not end");
    }

    /// Makes of the cloud what the request wants, as a host does. The request keeps the state.
    pub fn run(&mut self, planner: Planner, request: &mut Value) -> Ended {
        let (mut counted, mut last) = (0, Value::Null);
        for _ in 0..100 {
            let Ok(answer) = self.plan(planner, request) else { return Ended::Unreadable };
            let findings = answer["findings"].as_array().cloned().unwrap_or_default();
            let rules: Vec<_> = findings.iter().filter(|finding| finding["severity"] == "error").collect();
            if !rules.is_empty() {
                return Ended::Refused(
                    rules.iter().map(|finding| finding["rule"].as_str().unwrap().to_owned()).collect(),
                );
            }
            let plan = &answer["plan"];
            let steps = plan["steps"].as_array().unwrap();
            let (is_settled, is_part) =
                (plan["changes"].as_array().unwrap().is_empty(), plan["afterwards"] == "more");
            assert!(!is_settled || steps.is_empty());
            if is_part && last == *plan || !is_settled && !is_part && counted == 3 {
                return Ended::Unsettled;
            }
            request["state"] = plan["state"].clone();
            if let Some(ended) = self.apply(steps, &mut request["state"]) {
                return ended;
            }
            if is_settled || plan["afterwards"] == "done" {
                return Ended::Done;
            }
            counted += usize::from(!is_part);
            last = plan.clone();
        }
        panic!("the run does not end");
    }

    fn apply(&mut self, steps: &[Value], state: &mut Value) -> Option<Ended> {
        let mut done: Vec<&Value> = Vec::new();
        for step in steps {
            let after = step["after"].as_array().unwrap();
            assert!(after.iter().all(|earlier| done.contains(&earlier)), "{step} after {done:?}");
            write(state, &step["remember"]);
            if self.kill == Some((0, false)) {
                return Some(Ended::Killed);
            }
            let response = match self.change(&step["call"], state) {
                Ok(response) => response,
                Err(code) => return Some(Ended::Failed(code)),
            };
            if self.kill == Some((0, true)) {
                return Some(Ended::Killed);
            }
            self.kill = self.kill.map(|(left, is_after)| (left - 1, is_after));
            for (key, pointer) in step["record"].as_object().into_iter().flatten() {
                state[key] = response.pointer(pointer.as_str().unwrap()).unwrap().clone();
            }
            write(state, &step["conclude"]);
            done.push(&step["id"]);
        }
        None
    }
}

/// What an argument stands for.
fn plain(argument: &Value) -> Value {
    match argument {
        Value::Object(members) => match members.get("object") {
            Some(Value::Object(members)) => {
                members.iter().map(|(name, value)| (name.clone(), plain(value))).collect()
            }
            _ => panic!("{argument}"),
        },
        Value::Array(entries) => entries.iter().map(plain).collect(),
        other => other.clone(),
    }
}

fn write(state: &mut Value, effects: &Value) {
    for (key, value) in effects.as_object().into_iter().flatten() {
        if value.is_null() {
            state.as_object_mut().unwrap().remove(key);
        } else {
            state[key] = value.clone();
        }
    }
}
