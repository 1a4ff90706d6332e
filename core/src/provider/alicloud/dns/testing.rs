//! A cloud that answers as Alidns does, for tests of plans.

use std::fmt::Write as _;

use serde_json::{Value, json};

use super::plan;
use crate::document::parse;
use crate::policy::PlanRequest;

/// A cloud with domains and rows, which answers as Alidns does.
pub(super) struct Cloud {
    pub(super) domains: Vec<(&'static str, &'static str)>,
    pub(super) rows: Vec<Value>,
    /// Rows that no list has yet.
    pub(super) hidden: Vec<Value>,
}

pub(super) fn row(id: &str, domain: &str, rr: &str, record_type: &str, value: &str) -> Value {
    json!({ "RecordId": id, "DomainName": domain, "RR": rr, "Type": record_type, "Value": value, "TTL": 120, "Line": "default" })
}

impl Cloud {
    pub(super) fn new(rows: Vec<Value>) -> Self {
        Self {
            domains: vec![("example.com", "d-1"), ("foo.example.com", "d-2"), ("bar.org", "d-3")],
            rows,
            hidden: Vec::new(),
        }
    }

    fn answer(&self, query: &Value) -> Value {
        let call = &query["call"];
        let parameter = |name: &str| call["parameters"][name].as_str().unwrap_or_default();
        match call["action"].as_str().unwrap() {
            "GetCallerIdentity" => json!({ "response": { "AccountId": "1000000000000001" } }),
            "DescribeDomains" => {
                let of = |(name, id): &(&str, &str)| json!({ "DomainName": name, "DomainId": id });
                let domains: Vec<_> = self.domains.iter().map(of).collect();
                json!({ "response": { "TotalCount": domains.len(), "Domains": { "Domain": domains } } })
            }
            "DescribeDomainRecordInfo" => {
                match self.rows.iter().chain(&self.hidden).find(|row| row["RecordId"] == parameter("RecordId")) {
                    Some(row) => json!({ "response": row }),
                    None => {
                        json!({ "error": { "code": "DomainRecordNotBelongToUser", "message": "no", "httpStatus": 400 } })
                    }
                }
            }
            "DescribeDomainRecords" => {
                let (domain, word) = (parameter("DomainName"), parameter("RRKeyWord"));
                if self.domains.iter().all(|(known, _)| *known != domain) {
                    let error = json!({ "code": "InvalidDomainName.NoExist", "message": "no", "httpStatus": 400 });
                    return json!({ "error": error });
                }
                let is_found =
                    |row: &&Value| row["DomainName"] == domain && row["RR"].as_str().unwrap().contains(word);
                let rows: Vec<_> = self.rows.iter().filter(is_found).collect();
                json!({ "response": { "TotalCount": rows.len(), "DomainRecords": { "Record": rows } } })
            }
            other => panic!("{other}"),
        }
    }

    /// The last answer, and the actions that were asked, the account's left out.
    pub(super) fn plan(&self, request: &Value) -> (Value, Vec<String>) {
        let mut request = request.clone();
        request["facts"] = json!([]);
        let mut asked = Vec::new();
        for _ in 0..4 {
            let answer = planned(&request);
            let Some(queries) = answer["queries"].as_array() else { return (answer, asked) };
            for query in queries {
                let fact = json!({ "query": query["id"], "answer": self.answer(query) });
                request["facts"].as_array_mut().unwrap().push(fact);
                let action = query["call"]["action"].as_str().unwrap().to_owned();
                asked.extend(Some(action).filter(|action| action != "GetCallerIdentity"));
            }
        }
        panic!("the questions do not end");
    }
}

pub(super) fn planned(request: &Value) -> Value {
    let text = request.to_string();
    let document = parse(&text).unwrap();
    serde_json::to_value(plan(&PlanRequest::read(&document).unwrap()).unwrap()).unwrap()
}

pub(super) fn request(operation: &str, spec: &Value) -> Value {
    let mut record = json!({ "metadata": { "name": "foo-external", "namespace": "shoot--dev--foo", "uid": "u" }, "spec": {
        "type": "alicloud-dns", "name": "api.foo.example.com", "recordType": "A", "values": ["198.51.100.4"] } });
    record["spec"].as_object_mut().unwrap().extend(spec.as_object().unwrap().clone());
    json!({ "request": { "operation": operation, "dnsRecord": record }, "state": {} })
}

/// Each step as one line: the action with its arguments but the region, what it records and what it concludes.
pub(super) fn steps(answer: &Value) -> Vec<String> {
    let steps = answer["plan"]["steps"].as_array().unwrap_or_else(|| panic!("{answer}"));
    let line = |step: &Value| {
        let call = &step["call"];
        let arguments = call["parameters"].as_object().unwrap().iter().filter(|(name, _)| *name != "RegionId");
        let mut line = call["action"].as_str().unwrap().to_owned();
        for (name, value) in arguments {
            let _ = write!(line, " {name}={}", value.as_str().unwrap());
        }
        for (member, sign) in [("record", "->"), ("conclude", "=")] {
            for (key, value) in step[member].as_object().into_iter().flatten() {
                let _ = write!(line, " {key}{sign}{}", value.as_str().unwrap_or("none"));
            }
        }
        line
    };
    steps.iter().map(line).collect()
}
