//! Shoots: the two-zone example under names of its own.

use std::path::Path;
use std::sync::OnceLock;

use serde_json::{Value, json};
use trellis_simulator::cloud::{ACCESS_KEY, ACCESS_KEY_SECRET};

/// A Shoot and the namespace that its extension resources are in.
#[derive(Clone, Debug)]
pub struct Shoot {
    /// Also that of its Infrastructure.
    pub name: String,
    /// `shoot.status.technicalID` until the Shoot moves.
    pub namespace: String,
    pub document: Value,
}

impl Shoot {
    /// The two-zone example with this name.
    pub fn new(name: &str) -> Self {
        let mut document = example("two-zones.yaml").clone();
        let namespace = format!("shoot--dev--{name}");
        document["metadata"]["name"] = name.into();
        document["metadata"]["uid"] = format!("uid-of-{name}").into();
        document["status"] = json!({ "technicalID": namespace });
        Self { name: name.to_owned(), namespace, document }
    }

    /// The same Shoot in another namespace, as in the next seed of a migration.
    pub fn moved(&self, suffix: &str) -> Self {
        Self { namespace: format!("{}-{suffix}", self.namespace), ..self.clone() }
    }

    /// Changes the document.
    pub fn with(mut self, change: impl FnOnce(&mut Value)) -> Self {
        change(&mut self.document);
        self
    }

    /// Adds a third zone.
    pub fn with_third_zone(self) -> Self {
        self.with(|shoot| {
            let zones = &mut shoot["spec"]["provider"]["infrastructureConfig"]["networks"]["zones"];
            let zone = json!({ "name": "eu-central-1c", "workers": "10.250.64.0/19" });
            zones.as_array_mut().unwrap().push(zone);
        })
    }

    /// Adds an annotation to the Shoot.
    pub fn annotated(self, key: &str, value: &str) -> Self {
        self.with(|shoot| shoot["metadata"]["annotations"][key] = value.into())
    }

    /// Takes all zones but the first.
    pub fn with_one_zone(self) -> Self {
        self.with(|shoot| {
            let zones = &mut shoot["spec"]["provider"]["infrastructureConfig"]["networks"]["zones"];
            zones.as_array_mut().unwrap().truncate(1);
            shoot["spec"]["provider"]["workers"][0]["zones"] = json!(["eu-central-1a"]);
        })
    }

    /// The ControlPlane or the Worker of the Shoot. They know the Infrastructure by its status.
    pub fn part(&self, kind: &'static str, infrastructure: &Value) -> Part<'_> {
        Part { shoot: self, kind, infrastructure: infrastructure["providerStatus"].clone() }
    }

    /// The CloudProfile of the examples, with the third zone.
    pub fn cloud_profile(&self) -> Value {
        let mut profile = example("cloudprofile-regions.yaml").clone();
        let regions = profile["spec"]["regions"].as_array_mut().unwrap();
        let region = regions.iter_mut().find(|region| region["name"] == self.document["spec"]["region"]).unwrap();
        region["zones"].as_array_mut().unwrap().push(json!({ "name": "eu-central-1c" }));
        profile
    }
}

/// A ControlPlane or a Worker of a Shoot.
#[derive(Clone, Debug)]
pub struct Part<'s> {
    pub shoot: &'s Shoot,
    pub kind: &'static str,
    infrastructure: Value,
}

/// What gardenlet is asked about.
pub trait Asked {
    /// A request of gardenlet's protocol.
    fn request(&self, command: &str) -> Value;
}

/// The Infrastructure of a Shoot.
impl Asked for Shoot {
    fn request(&self, command: &str) -> Value {
        request(self, "Infrastructure", command)
    }
}

impl Asked for Part<'_> {
    fn request(&self, command: &str) -> Value {
        let mut request = request(self.shoot, self.kind, command);
        if self.kind == "Worker" {
            request["cloudProfile"] = self.shoot.cloud_profile();
        }
        request["spec"] = json!({ "infrastructureProviderStatus": self.infrastructure });
        request
    }
}

/// A Bastion in the network of a Shoot, which a person asked for.
#[derive(Clone, Debug)]
pub struct Bastion<'s> {
    pub shoot: &'s Shoot,
    /// The ranges from which the person connects.
    pub ingress: &'static [&'static str],
    pub is_forced: bool,
}

impl Bastion<'_> {
    pub const NAME: &'static str = "of-a-person";
}

impl Asked for Bastion<'_> {
    fn request(&self, command: &str) -> Value {
        let spec = json!({
            "sshPublicKey": "c3NoLXJzYSBB", "ingress": self.ingress, "forceDeletion": self.is_forced,
        });
        json!({
            "command": command, "kind": "Bastion", "namespace": self.shoot.namespace, "name": Self::NAME,
            "spec": spec, "shoot": self.shoot.document, "annotateOperation": false,
        })
    }
}

fn request(shoot: &Shoot, kind: &str, command: &str) -> Value {
    json!({
        "command": command, "kind": kind, "namespace": shoot.namespace, "name": shoot.name,
        "shoot": shoot.document,
    })
}

/// The Seed of all Shoots.
pub fn seed() -> Value {
    let mut seed = example("seed.yaml").clone();
    // Nobody here needs a domain, and Gardener's types have forgotten the credentials of the example.
    seed["spec"].as_object_mut().unwrap().remove("dns");
    seed
}

/// The credentials that the simulator takes.
pub fn credentials() -> Value {
    json!({ "accessKeyID": ACCESS_KEY, "accessKeySecret": ACCESS_KEY_SECRET })
}

/// An example of this repository.
fn example(name: &'static str) -> &'static Value {
    static READ: OnceLock<std::sync::Mutex<std::collections::BTreeMap<&str, &Value>>> = OnceLock::new();
    let mut read = READ.get_or_init(Default::default).lock().unwrap();
    read.entry(name).or_insert_with(|| {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples").join(name);
        let text = std::fs::read_to_string(path).unwrap();
        Box::leak(Box::new(serde_saphyr::from_str(&text).unwrap()))
    })
}
