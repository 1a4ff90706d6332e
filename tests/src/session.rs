//! Plans and runs them against a [`Cloud`], as the host does, one step after the other.

use serde_json::{Map, Value, json};

use crate::cloud::Cloud;

/// A Shoot's network: what is wanted, what is recorded, and the cloud.
#[derive(Clone, Debug)]
pub struct Session {
    /// The request of the next plan.
    pub request: Value,
    /// The recorded state; null while there is none.
    pub state: Value,
    /// The cloud.
    pub cloud: Cloud,
}

/// Most rounds of queries that a plan may need.
const ROUNDS: usize = 6;

impl Session {
    /// Asks for a plan until it needs no more queries; the whole answer.
    pub fn plan(&mut self) -> Value {
        self.asked().1
    }

    /// Asks for a plan until it needs no more queries; the last request, and the whole answer.
    ///
    /// # Panics
    ///
    /// If the questions do not end.
    pub fn asked(&mut self) -> (Value, Value) {
        let mut facts: Vec<Value> = Vec::new();
        for _ in 0..ROUNDS {
            let mut request = json!({ "request": self.request, "facts": facts });
            if self.state.is_object() {
                request["state"] = self.state.clone();
            }
            let answer = trellis_core::call("alicloud", "plan", &request.to_string());
            let answer: Value = serde_json::from_str(&answer).unwrap_or_default();
            let Some(queries) = answer["queries"].as_array() else { return (request, answer) };
            for query in queries {
                let answer = match self.cloud.call(&query["call"]) {
                    Ok(response) => json!({ "response": response }),
                    Err(code) => json!({ "error": { "code": code, "message": "", "httpStatus": 404 } }),
                };
                facts.push(json!({ "query": query["id"], "answer": answer }));
            }
        }
        panic!("after {ROUNDS} rounds there are still queries")
    }

    /// Plans and runs the plan; the plan.
    ///
    /// # Panics
    ///
    /// If there is none, or it does not do what it says.
    pub fn apply(&mut self) -> Value {
        let answer = self.plan();
        let plan = &answer["plan"];
        assert!(plan.is_object(), "there is no plan: {answer:#}");
        self.run(plan);
        plan.clone()
    }

    /// Looks again, as the host does after a run, and keeps what is known then.
    pub fn look(&mut self) {
        if let Some(state) = self.plan().pointer("/plan/state") {
            self.state = state.clone();
        }
    }

    /// Runs a plan.
    ///
    /// # Panics
    ///
    /// If the cloud refuses a step, or what it waits for does not hold.
    pub fn run(&mut self, plan: &Value) {
        self.state = plan["state"].clone();
        let mut done: Vec<&str> = Vec::new();
        for step in plan["steps"].as_array().into_iter().flatten() {
            let id = step["id"].as_str().unwrap_or_default();
            for earlier in step["after"].as_array().into_iter().flatten() {
                assert!(done.contains(&earlier.as_str().unwrap_or_default()), "{id} comes before {earlier}");
            }
            self.step(step);
            done.push(id);
        }
    }

    /// Runs a step, and sees that what it waits for holds at once.
    fn step(&mut self, step: &Value) {
        let id = &step["id"];
        self.write(&step["remember"]);
        let call = self.resolved(&step["call"]);
        let answer = self.cloud.call(&call).unwrap_or_else(|code| panic!("{id}: {code}: {call:#}"));
        self.record(&step["record"], &answer);
        for condition in step["expect"].as_array().into_iter().flatten() {
            assert!(holds(condition, Some(&answer)), "{id}: {condition} does not hold of {answer}");
        }
        if let Some(probe) = step.get("until") {
            let call = self.resolved(&probe["call"]);
            let answer = self.cloud.call(&call).unwrap_or_else(|code| panic!("{id}: {code}: {call:#}"));
            let found = match probe.get("item") {
                None => Some(answer),
                Some(item) => {
                    let list = answer.pointer(item["list"].as_str().unwrap_or_default());
                    let (key, value) = (item["key"].as_str().unwrap_or_default(), self.argument(&item["value"]));
                    let list = list.unwrap_or_else(|| panic!("{id}: no list {item} in {answer}"));
                    list.as_array().into_iter().flatten().find(|entry| entry[key] == value).cloned()
                }
            };
            for condition in probe["success"].as_array().into_iter().flatten() {
                assert!(holds(condition, found.as_ref()), "{id}: {condition} does not hold of {found:?}");
            }
            for condition in probe["failure"].as_array().into_iter().flatten() {
                assert!(!holds(condition, found.as_ref()), "{id}: {condition} holds of {found:?}");
            }
            self.record(&probe["record"], &found.unwrap_or_default());
        }
        self.write(&step["conclude"]);
    }

    fn write(&mut self, effects: &Value) {
        let Some(state) = self.state.as_object_mut() else { return };
        for (key, value) in effects.as_object().into_iter().flatten() {
            if value.is_null() {
                state.remove(key);
            } else {
                state.insert(key.clone(), value.clone());
            }
        }
    }

    fn record(&mut self, record: &Value, answer: &Value) {
        let entries = record.as_object().into_iter().flatten();
        let effects: Map<String, Value> = entries
            .map(|(key, pointer)| {
                let value = at(answer, pointer.as_str().unwrap_or_default());
                (key.clone(), value.unwrap_or_else(|| panic!("no {pointer} in {answer}")).clone())
            })
            .collect();
        self.write(&Value::Object(effects));
    }

    /// A call with the values that its references have now.
    fn resolved(&self, call: &Value) -> Value {
        let mut call = call.clone();
        let parameters = call["parameters"].as_object().into_iter().flatten();
        call["parameters"] =
            Value::Object(parameters.map(|(name, value)| (name.clone(), self.argument(value))).collect());
        call
    }

    fn argument(&self, argument: &Value) -> Value {
        match argument {
            Value::Array(entries) => entries.iter().map(|entry| self.argument(entry)).collect(),
            Value::Object(members) => {
                if let Some(key) = members.get("ref").and_then(Value::as_str) {
                    let value = self.state.get(key);
                    return value.unwrap_or_else(|| panic!("the state has no `{key}`: {:#}", self.state)).clone();
                }
                if let Some(parts) = members.get("concat").and_then(Value::as_array) {
                    let parts: Vec<Value> = parts.iter().map(|part| self.argument(part)).collect();
                    return parts.iter().filter_map(Value::as_str).collect::<String>().into();
                }
                Value::Object(members.iter().map(|(name, value)| (name.clone(), self.argument(value))).collect())
            }
            other => other.clone(),
        }
    }
}

/// The value at a pointer, in which `<member>=<text>` stands for the item of a list whose member is that text.
fn at<'v>(value: &'v Value, pointer: &str) -> Option<&'v Value> {
    pointer.split('/').skip(1).try_fold(value, |value, token| match token.split_once('=') {
        Some((member, text)) => value.as_array()?.iter().find(|item| item[member] == text),
        None => value.pointer(&format!("/{token}")),
    })
}

fn holds(condition: &Value, found: Option<&Value>) -> bool {
    if condition["gone"] == true {
        return found.is_none();
    }
    let at = |key: &str| {
        let pointer = condition[key].as_str().unwrap_or_default();
        found.and_then(|found| at(found, pointer)).and_then(Value::as_str).unwrap_or_default()
    };
    let listed = |key: &str| condition[key].as_array().into_iter().flatten().filter_map(Value::as_str);
    if condition.get("among").is_some() {
        listed("among").any(|text| text == at("at"))
    } else if condition.get("ends").is_some() {
        listed("ends").any(|text| at("at").ends_with(text))
    } else {
        !at("present").is_empty()
    }
}
