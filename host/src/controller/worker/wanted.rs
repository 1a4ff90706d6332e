//! What the policy wants: its answer to `workers`, as far as the controller looks into it.

use serde::Deserialize;
use serde_json::{Map, Value};

/// The machines that a Worker stands for. It holds user data, and nothing prints it.
#[derive(Default, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Wanted {
    /// The machine deployments, in the order of pools and of their zones.
    #[serde(rename = "machineDeployments", default)]
    pub deployments: Vec<WantedDeployment>,
    /// The worker pools.
    #[serde(default)]
    pub pools: Vec<Pool>,
    /// The machine classes and their Secrets.
    #[serde(default)]
    pub objects: Vec<Value>,
    /// `status.providerStatus` of the Worker: the images in use.
    #[serde(default)]
    pub provider_status: Option<Value>,
}

/// A worker pool.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Pool {
    /// Its name.
    pub name: String,
    /// For `status.inPlaceUpdates` of the Worker, where nodes are updated in place.
    #[serde(default)]
    pub in_place_hash: Option<String>,
}

/// A machine deployment: the nodes of a pool in a zone.
#[derive(Debug, Deserialize)]
#[serde(try_from = "Map<String, Value>")]
pub struct WantedDeployment {
    /// Its name.
    pub name: String,
    /// The name of the machine class.
    pub class_name: String,
    /// The name of the class's Secret.
    pub secret_name: String,
    /// Smallest number of machines.
    pub minimum: i64,
    /// Largest number of machines.
    pub maximum: i64,
    /// The order in which the cluster autoscaler considers pools.
    pub priority: Option<i64>,
    /// Whether nodes are updated in place.
    pub is_in_place: bool,
    /// Everything that the policy says of it.
    pub entry: Map<String, Value>,
}

impl TryFrom<Map<String, Value>> for WantedDeployment {
    type Error = serde_json::Error;

    fn try_from(entry: Map<String, Value>) -> Result<Self, serde_json::Error> {
        #[derive(Deserialize)]
        #[serde(rename_all = "camelCase")]
        struct Head {
            name: String,
            class_name: String,
            secret_name: String,
            minimum: i64,
            maximum: i64,
            #[serde(default)]
            priority: Option<i64>,
        }
        let value = Value::Object(entry);
        let Head { name, class_name, secret_name, minimum, maximum, priority } = Head::deserialize(&value)?;
        let is_in_place = super::text(&value, "/strategy/type") == "InPlaceUpdate";
        let Value::Object(entry) = value else { return Err(serde::de::Error::custom("not an object")) };
        Ok(Self { name, class_name, secret_name, minimum, maximum, priority, is_in_place, entry })
    }
}

impl Wanted {
    /// Reads an answer; none where it has another form.
    pub fn read(answer: Value) -> Option<Self> {
        serde_json::from_value(answer).ok()
    }

    /// Whether a machine deployment is wanted.
    pub fn has_deployment(&self, name: &str) -> bool {
        self.deployments.iter().any(|deployment| deployment.name == name)
    }

    /// Whether a machine class is wanted.
    pub fn has_class(&self, name: &str) -> bool {
        self.deployments.iter().any(|deployment| deployment.class_name == name)
    }

    /// Whether the Secret of a machine class is wanted.
    pub fn has_secret(&self, name: &str) -> bool {
        self.deployments.iter().any(|deployment| deployment.secret_name == name)
    }

    /// The objects of a kind.
    pub fn objects_of<'w>(&'w self, kind: &'w str) -> impl Iterator<Item = &'w Value> {
        self.objects.iter().filter(move |object| super::text(object, "/kind") == kind)
    }
}
