//! A toy policy, and the command line run on it.

#![expect(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test double may panic")]

use std::collections::BTreeMap;

use serde::Deserialize;
use serde_json::value::RawValue;
use serde_json::{Value, json};
use trellis_cli::Opened;
use trellis_policies::answer::RuleWords;
use trellis_policies::engine::{CallError, Engine, Function, PolicyFile, SchemasError, WordsError};

use crate::outcome::{Outcome, outcome};

/// The rule that nothing can break.
const INFORMATIVE: &str = "ACM-OLD-001";

/// Two providers: `acme` with some rules of every sort, `umbra` with one.
#[derive(Clone, Copy)]
pub(crate) struct Toy;

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Request {
    object: Box<RawValue>,
    old_object: Option<Value>,
    #[serde(default)]
    context: Value,
    #[serde(default)]
    facts: Vec<Value>,
    #[serde(default)]
    ratchet: bool,
}

impl Request {
    /// The first answer to a query.
    fn fact(&self, query: &str) -> Option<&Value> {
        self.facts.iter().find(|fact| fact["query"] == query).map(|fact| &fact["answer"])
    }
}

impl Engine for Toy {
    fn call(&self, provider: &str, function: Function, request: &str) -> Result<String, CallError> {
        let answer = match (provider, function) {
            ("acme", Function::Rules) => rules(),
            ("umbra", Function::Rules) => {
                json!({ "rules": [rule("UMB-INF-001", &["Shoot"], "create", "validate", "error")] })
            }
            (_, Function::Info) => json!({ "provider": provider, "version": "0.1.0", "parity": "v1.2.3" }),
            _ => match serde_json::from_str::<Request>(request) {
                Err(error) => json!({ "error": { "code": "Malformed", "message": error.to_string() } }),
                Ok(request) => {
                    let object: Value = serde_json::from_str(request.object.get()).unwrap();
                    if function == Function::Default {
                        return Ok(default(&object, request.object.get()));
                    }
                    validate(provider, &object, &request)
                }
            },
        };
        Ok(answer.to_string())
    }

    fn providers(&self) -> Vec<String> {
        vec!["acme".to_owned(), "umbra".to_owned()]
    }

    fn schemas(&self, provider: &str) -> Result<BTreeMap<String, Value>, SchemasError> {
        Ok(BTreeMap::from([
            ("InfrastructureConfig".to_owned(), json!({ "title": provider })),
            ("ValidateRequest".to_owned(), json!({ "type": "object" })),
        ]))
    }

    fn words(&self, _: &str) -> Result<BTreeMap<String, RuleWords>, WordsError> {
        let rules = rules();
        let ids = rules["rules"].as_array().into_iter().flatten().filter_map(|rule| rule["id"].as_str());
        Ok(ids.chain(["UMB-INF-001"]).map(|id| (id.to_owned(), words(id))).collect())
    }

    fn file(&self, _: &str) -> Option<&PolicyFile> {
        None
    }
}

fn rule(id: &str, kinds: &[&str], operation: &str, effect: &str, severity: &str) -> Value {
    let severity = if severity.is_empty() { Value::Null } else { severity.into() };
    json!({
        "id": id, "kinds": kinds, "operation": operation, "effect": effect, "severity": severity,
    })
}

fn words(id: &str) -> RuleWords {
    RuleWords {
        summary: format!("What {id} asks for."),
        why: format!("Why {id} exists."),
        fix: format!("How to fix {id}."),
        informative: (id == INFORMATIVE).then(|| "nothing can break it".to_owned()),
    }
}

fn rules() -> Value {
    let mut informative = rule(INFORMATIVE, &["Shoot"], "both", "validate", "error");
    informative["informative"] = true.into();
    json!({ "rules": [
        rule("ACM-NET-001", &["Shoot"], "both", "validate", "error"),
        rule("ACM-NET-002", &["Shoot"], "update", "validate", "error"),
        rule("ACM-REG-001", &["Shoot"], "create", "validate", "error"),
        rule("ACM-CPC-001", &["Shoot"], "both", "validate", "error"),
        rule("ACM-IMG-001", &["Shoot"], "create", "validate", "error"),
        rule("ACM-KEY-001", &["Shoot"], "both", "validate", "error"),
        rule("ACM-ADV-001", &["Shoot"], "both", "validate", "warning"),
        rule("ACM-SEC-001", &["Secret"], "both", "validate", "error"),
        rule("ACM-CLP-001", &["CloudProfile"], "both", "validate", "error"),
        rule("ACM-DEF-001", &["Shoot"], "both", "default", ""),
        informative,
    ] })
}

/// Sets `spec.provider.controlPlaneConfig`, to something wrong where the purpose is `testing`.
fn default(object: &Value, text: &str) -> String {
    let config = &object["spec"]["provider"]["controlPlaneConfig"];
    if config.is_string() {
        let error = json!({ "code": "Denied", "message": "the config is a text", "pointer": "/spec/provider/controlPlaneConfig" });
        return json!({ "error": error }).to_string();
    }
    if config.is_object() {
        return format!(r#"{{"object":{text},"patch":[],"changes":[],"undecided":[]}}"#);
    }
    let mode = if object["spec"]["purpose"] == "testing" { "wrong" } else { "right" };
    let config = format!(r#"{{"mode":"{mode}"}}"#);
    let object = text.replace(r#""provider":{"#, &format!(r#""provider":{{"controlPlaneConfig":{config},"#));
    let pointer = "/spec/provider/controlPlaneConfig";
    let patch = json!([{ "op": "add", "path": pointer, "value": { "mode": mode } }]);
    let changes = json!([{ "rule": "ACM-DEF-001", "pointer": pointer, "reason": "the controller needs a mode" }]);
    format!(r#"{{"object":{object},"patch":{patch},"changes":{changes},"undecided":[]}}"#)
}

fn finding(rule: &str, severity: &str, place: (&str, &str), bad_value: &Value, detail: &str) -> Value {
    let (field, pointer) = place;
    let error_type = if severity == "error" { "FieldValueInvalid" } else { "Warning" };
    json!({
        "rule": rule, "severity": severity, "type": error_type, "field": field, "pointer": pointer,
        "badValue": bad_value, "detail": detail, "remedy": format!("fix {field}"),
    })
}

fn validate(provider: &str, object: &Value, request: &Request) -> Value {
    let mut findings = Vec::new();
    let mut undecided = Vec::new();
    match object["kind"].as_str() {
        _ if provider != "acme" => {}
        Some("Shoot") => shoot(object, request, &mut findings, &mut undecided),
        Some("CloudProfile") if object["spec"]["regions"].is_null() => {
            findings.push(finding(
                "ACM-CLP-001",
                "error",
                ("spec.regions", "/spec/regions"),
                &Value::Null,
                "must be set",
            ));
        }
        Some("Secret") => {
            let key = &object["data"]["key"];
            if key.as_str().is_none_or(|key| key.len() < 16) {
                // A policy that does not keep the value to itself.
                findings.push(finding("ACM-SEC-001", "error", ("data.key", "/data/key"), key, "is too short"));
            }
        }
        _ => {}
    }
    let rejected = findings.iter().any(|finding| finding["severity"] == "error");
    let verdict = match (rejected, undecided.is_empty()) {
        (true, _) => "reject",
        (false, false) => "undecided",
        (false, true) => "accept",
    };
    let truncated = if object["spec"]["purpose"] == "evaluation" { vec!["error", "warning"] } else { Vec::new() };
    let scope = json!({ "checked": ["provider-acme v1.0.0"], "notChecked": ["gardener"] });
    json!({
        "verdict": verdict, "findings": findings, "truncated": truncated, "undecided": undecided, "scope": scope,
    })
}

fn shoot(object: &Value, request: &Request, findings: &mut Vec<Value>, undecided: &mut Vec<Value>) {
    let spec = &object["spec"];
    let network = ("networks.cidr", "/spec/provider/infrastructureConfig/networks/cidr");
    let cidr = &spec["provider"]["infrastructureConfig"]["networks"]["cidr"];
    if cidr != "10.0.0.0/16" {
        let severity = if request.ratchet { "warning" } else { "error" };
        let mut wrong = finding("ACM-NET-001", severity, network, cidr, "must be canonical");
        if cidr.is_string() {
            wrong["fix"] = json!([{ "op": "replace", "path": network.1, "value": "10.0.0.0/16" }]);
        }
        findings.push(wrong);
    }
    if let Some(old) = &request.old_object
        && old["spec"]["provider"]["infrastructureConfig"]["networks"]["cidr"] != *cidr
    {
        findings.push(finding("ACM-NET-002", "error", network, cidr, "field is immutable"));
    }
    let profile = &request.context["cloudProfile"];
    if let Some(regions) = profile["spec"]["regions"].as_array()
        && !regions.contains(&spec["region"])
    {
        let region = ("spec.region", "/spec/region");
        let mut wrong = finding("ACM-REG-001", "error", region, &spec["region"], "is none of the CloudProfile");
        wrong["choices"] = json!(regions);
        findings.push(wrong);
    }
    if !spec["regoin"].is_null() {
        let place = ("", "/spec/regoin");
        let mut wrong = finding("ACM-REG-001", "error", place, &spec["regoin"], "unknown field \"spec.regoin\"");
        wrong["atKey"] = json!(true);
        wrong["fix"] = json!([{ "op": "move", "from": "/spec/regoin", "path": "/spec/region" }]);
        findings.push(wrong);
    }
    let mode = &spec["provider"]["controlPlaneConfig"]["mode"];
    if mode == "wrong" {
        let place = ("mode", "/spec/provider/controlPlaneConfig/mode");
        findings.push(finding("ACM-CPC-001", "error", place, mode, "is wrong"));
    }
    if spec["kubernetes"]["version"].is_number() {
        let place = ("spec.kubernetes.version", "/spec/kubernetes/version");
        findings.push(finding("ACM-ADV-001", "warning", place, &spec["kubernetes"]["version"], "is a number"));
    }
    if spec["image"].is_string() && request.fact("image").is_none() {
        let query = json!({ "id": "image", "call": {} });
        undecided.push(json!({ "rule": "ACM-IMG-001", "why": "who owns the image is not known", "query": query }));
    }
    if let Some(name) = spec["credentialsBindingName"].as_str() {
        key(name, request, findings, undecided);
    }
}

/// Reads the binding of a Shoot, then the Secret that the binding names.
fn key(name: &str, request: &Request, findings: &mut Vec<Value>, undecided: &mut Vec<Value>) {
    let mut ask = |id: &str, api_version: &str, kind: &str, name: &Value| {
        let parameters =
            json!({ "apiVersion": api_version, "kind": kind, "namespace": "garden-dev", "name": name });
        let call = json!({ "service": "kubernetes", "action": "get", "parameters": parameters });
        let why = format!("{kind} {name} is not known");
        undecided.push(json!({ "rule": "ACM-KEY-001", "why": why, "query": { "id": id, "call": call } }));
    };
    let Some(binding) = request.fact("binding") else {
        return ask("binding", "security.gardener.cloud/v1alpha1", "CredentialsBinding", &name.into());
    };
    let Some(secret) = request.fact("secret") else {
        return ask("secret", "v1", "Secret", &binding["response"]["credentialsRef"]["name"]);
    };
    if secret["response"]["data"]["key"].is_null() {
        let place = ("spec.credentialsBindingName", "/spec/credentialsBindingName");
        findings.push(finding("ACM-KEY-001", "error", place, &name.into(), "leads to a Secret without a key"));
    }
}

/// Runs `trellis` with the toy policies.
pub(crate) fn trellis(arguments: &[&str], stdin: &str) -> Outcome {
    trellis_bytes(arguments, stdin.as_bytes(), false)
}

/// The same with any bytes, or with a terminal, as standard input.
pub(crate) fn trellis_bytes(arguments: &[&str], stdin: &[u8], stdin_is_terminal: bool) -> Outcome {
    outcome(|| Opened::new(Toy), arguments, stdin, stdin_is_terminal)
}
