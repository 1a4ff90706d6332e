//! A model of a cloud: objects that refer to each other, seen late, made once a token.

use std::collections::BTreeMap;

use serde_json::{Value, json};

/// What an object may refer to by its fields.
const REFERENCES: [&str; 6] = ["network", "subnet", "gateway", "address", "binding", "table"];

/// Kinds that go with the object that a field of theirs names.
const CONTAINED: [(&str, &str); 3] = [("binding", "gateway"), ("rule", "gateway"), ("route", "table")];

pub type Fields = BTreeMap<String, String>;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Object {
    pub id: String,
    pub kind: String,
    /// Tags: whose it is, and what it is for.
    pub owner: String,
    pub role: String,
    pub fields: Fields,
    /// Whether somebody else made it.
    pub foreign: bool,
    appears: u64,
    /// When it was deleted.
    gone: Option<u64>,
}

#[derive(Clone, Debug, Default)]
pub struct Cloud {
    objects: Vec<Object>,
    /// What was answered to calls with a token.
    answers: BTreeMap<String, Value>,
    clock: u64,
    /// How long it takes until an effect is seen.
    lag: u64,
    serial: usize,
}

impl Object {
    pub fn field(&self, name: &str) -> Option<&str> {
        self.fields.get(name).map(String::as_str)
    }

    fn refers_to(&self, id: &str) -> bool {
        REFERENCES.iter().any(|name| self.field(name) == Some(id))
    }

    fn is_within(&self, id: &str) -> bool {
        CONTAINED.iter().any(|(kind, field)| *kind == self.kind && self.field(field) == Some(id))
    }
}

impl Cloud {
    pub fn new(lag: u64) -> Self {
        Self { lag, ..Self::default() }
    }

    /// An object of somebody else.
    pub fn place(&mut self, id: &str, kind: &str, owner: &str, role: &str, fields: &[(&str, &str)]) {
        let fields = fields.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect();
        let [id, kind, owner, role] = [id, kind, owner, role].map(str::to_owned);
        self.objects.push(Object { id, kind, owner, role, fields, foreign: true, appears: 0, gone: None });
    }

    /// Lets time pass until everything is seen.
    pub fn wait(&mut self) {
        self.clock += self.lag + 1;
    }

    /// Lets so much time pass that no token is known any more.
    pub fn forget_tokens(&mut self) {
        self.wait();
        self.answers.clear();
    }

    /// What there is.
    pub fn live(&self) -> impl Iterator<Item = &Object> {
        self.objects.iter().filter(|object| object.gone.is_none())
    }

    /// What is seen.
    pub fn visible(&self) -> impl Iterator<Item = &Object> {
        self.objects.iter().filter(|object| {
            self.clock >= object.appears && object.gone.is_none_or(|gone| self.clock < gone + self.lag)
        })
    }

    /// Somebody else's objects.
    pub fn foreign(&self) -> Vec<Object> {
        self.live().filter(|object| object.foreign).cloned().collect()
    }

    /// The object with an id, for somebody who meddles with it.
    pub fn meddle(&mut self, id: &str) -> Option<&mut Object> {
        self.objects.iter_mut().find(|object| object.id == id && object.gone.is_none())
    }

    /// Deletes an object with all that refers to it.
    pub fn wreck(&mut self, id: &str) {
        let users: Vec<String> =
            self.live().filter(|object| object.refers_to(id)).map(|object| object.id.clone()).collect();
        for user in users {
            self.wreck(&user);
        }
        self.bury(id);
    }

    /// Makes a call; the error of one that the cloud refuses.
    pub fn call(&mut self, action: &str, parameters: Fields, token: Option<String>) -> Result<Value, String> {
        self.clock += 1;
        if let Some(answer) = token.as_ref().and_then(|token| self.answers.get(token)) {
            return Ok(answer.clone());
        }
        let answer = match action {
            "Describe" => json!({ "objects": self.visible().map(Self::shown).collect::<Vec<_>>() }),
            "Create" => self.create(parameters)?,
            "Update" => self.update(parameters)?,
            "Delete" => self.delete(&parameters["id"])?,
            _ => return Err(format!("no action {action}")),
        };
        if let Some(token) = token {
            self.answers.insert(token, answer.clone());
        }
        Ok(answer)
    }

    fn shown(object: &Object) -> Value {
        let mut shown = json!({ "id": object.id, "kind": object.kind, "role": object.role });
        for (name, value) in &object.fields {
            shown[name] = value.as_str().into();
        }
        shown
    }

    fn create(&mut self, mut fields: Fields) -> Result<Value, String> {
        let mut take = |name: &str| fields.remove(name).unwrap_or_default();
        let [kind, owner, role] = ["kind", "owner", "role"].map(&mut take);
        for name in REFERENCES {
            if let Some(id) = fields.get(name)
                && self.live().all(|object| object.id != *id)
                && *id != "main"
            {
                return Err(format!("{role} refers to {name} `{id}`, which is not there"));
            }
        }
        if let Some(twin) = self.live().find(|object| !object.foreign && object.role == role) {
            // Binding twice the same is no error.
            if kind == "binding" && twin.fields == fields {
                return Ok(json!({}));
            }
            return Err(format!("{role} is made twice: there is {}", twin.id));
        }
        self.serial += 1;
        let id = format!("{kind}-{}", self.serial);
        if kind == "address" {
            fields.insert("ip".to_owned(), format!("10.0.0.{}", self.serial));
        }
        if kind == "gateway" {
            fields.insert("protected".to_owned(), "yes".to_owned());
        }
        let answer = json!({ "id": id });
        let appears = self.clock + self.lag;
        self.objects.push(Object { id, kind, owner, role, fields, foreign: false, appears, gone: None });
        Ok(answer)
    }

    fn update(&mut self, mut fields: Fields) -> Result<Value, String> {
        let id = fields.remove("id").unwrap_or_default();
        let Some(object) = self.meddle(&id) else {
            // What is to be deleted and is gone is as it should be.
            let is_way_to_deletion = fields.contains_key("protected");
            return if is_way_to_deletion {
                Ok(json!({}))
            } else {
                Err(format!("`{id}` to be updated is not there"))
            };
        };
        if object.foreign {
            return Err(format!("`{id}` to be updated is somebody else's"));
        }
        for mark in ["owner", "role"] {
            if let Some(value) = fields.remove(mark) {
                *(if mark == "owner" { &mut object.owner } else { &mut object.role }) = value;
            }
        }
        object.fields.extend(fields);
        Ok(json!({}))
    }

    fn delete(&mut self, id: &str) -> Result<Value, String> {
        let Some(object) = self.meddle(id) else { return Ok(json!({})) };
        if object.foreign {
            return Err(format!("`{id}` to be deleted is somebody else's"));
        }
        if object.field("protected") == Some("yes") {
            return Err(format!("`{id}` is protected"));
        }
        let mut going: Vec<String> = vec![id.to_owned()];
        going.extend(self.live().filter(|object| object.is_within(id)).map(|object| object.id.clone()));
        for object in self.live().filter(|object| !going.contains(&object.id)) {
            if let Some(used) = going.iter().find(|used| object.refers_to(used)) {
                return Err(format!("`{used}` is still used by `{}`", object.id));
            }
        }
        for id in going {
            self.bury(&id);
        }
        Ok(json!({}))
    }

    fn bury(&mut self, id: &str) {
        let clock = self.clock;
        if let Some(object) = self.meddle(id) {
            object.gone = Some(clock);
        }
    }
}
