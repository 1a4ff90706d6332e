//! The parts of an OperatingSystemConfig that webhooks change.

use crate::document::Value;
use crate::kube::semver::SemVer;

use super::named;

/// The label with the name of the pool.
const POOL: &str = "worker.gardener.cloud/pool";

/// An OperatingSystemConfig.
#[derive(Clone, Copy, Debug)]
pub struct OperatingSystemConfig<'o, 'v> {
    object: &'o Value<'v>,
}

/// The content of a file.
#[derive(Clone, Debug)]
pub struct Content<'o> {
    /// The place of the data.
    pub pointer: String,
    /// The name of the encoding.
    pub encoding: &'o str,
    /// The data.
    pub data: &'o str,
}

impl<'o, 'v> OperatingSystemConfig<'o, 'v> {
    /// Takes an object for one.
    pub const fn of(object: &'o Value<'v>) -> Self {
        Self { object }
    }

    /// Whether the configuration is for nodes that run, and not for those that start.
    pub fn is_reconcile(self) -> bool {
        self.object.at(&["spec", "purpose"]).and_then(Value::as_str) == Some("reconcile")
    }

    /// The pool of its nodes, where a label names it.
    pub fn pool(self) -> Option<&'o str> {
        self.object.at(&["metadata", "labels", POOL]).and_then(Value::as_str)
    }

    /// The content of a unit, with its place; `None` where there is no such unit, or no content.
    pub fn unit(self, name: &str) -> Option<(String, &'o str)> {
        let (index, unit) = named(self.list("units"), "name", name)?;
        Some((format!("/spec/units/{index}/content"), unit.get("content")?.as_str()?))
    }

    /// The content of a file; `None` where there is no such file, or where it stands in a Secret.
    pub fn file(self, path: &str) -> Option<Content<'o>> {
        let (index, file) = named(self.list("files"), "path", path)?;
        let inline = file.at(&["content", "inline"])?;
        let text = |key| inline.get(key).and_then(Value::as_str).unwrap_or_default();
        let pointer = format!("/spec/files/{index}/content/inline/data");
        Some(Content { pointer, encoding: text("encoding"), data: text("data") })
    }

    fn list(self, name: &str) -> &'o [Value<'v>] {
        self.object.at(&["spec", name]).map(Value::items).unwrap_or_default()
    }
}

/// The Kubernetes version of a pool's nodes: its own, else the Shoot's. `Err` with a version that is none.
pub fn effective_version<'s>(shoot: &'s Value<'s>, pool: Option<&str>) -> Result<&'s str, &'s str> {
    let of = |object: &'s Value<'s>, keys: &[&str]| object.at(keys).and_then(Value::as_str);
    let checked = |version: &'s str| SemVer::parse(version).map(|_| version).ok_or(version);
    let version = checked(of(shoot, &["spec", "kubernetes", "version"]).unwrap_or_default())?;
    let workers = shoot.at(&["spec", "provider", "workers"]).map(Value::items).unwrap_or_default();
    let of_pool = pool.and_then(|pool| named(workers, "name", pool));
    match of_pool.and_then(|(_, pool)| of(pool, &["kubernetes", "version"])) {
        Some(of_pool) => checked(of_pool),
        None => Ok(version),
    }
}
