//! Zones to add to a Shoot: which names they may have, and how they get into its list of zones.

use super::{Outer, impossible};
use crate::collections::NameMap;
use crate::document::decode::Mode;
use crate::document::{PatchOperation, Path, Value};
use crate::gardener::provider_config::Config;
use crate::gardener::shoot::{IN_INFRASTRUCTURE, INFRASTRUCTURE_POINTER, infrastructure_config};
use crate::gardener::types::cloud_profile::zone_names;
use crate::policy::{Request, RequestError};

const NETWORKS: Path<'_> = IN_INFRASTRUCTURE.key("networks");
const ZONES: Path<'_> = NETWORKS.key("zones");

/// Reads the configuration that gets zones. A misspelt field may be the one that has the zones, and is refused.
pub fn read_networks<'v, C: Config<'v>>(shoot: &'v Value<'v>, outer: Outer) -> Result<C, RequestError> {
    let refuse = |message: &str| impossible(message.to_owned(), Some(INFRASTRUCTURE_POINTER.to_owned()));
    let written = infrastructure_config(shoot).ok_or_else(|| {
        let key = outer.key;
        refuse(&format!(
            "there is no `spec.provider.infrastructureConfig` to add zones to; add one with `networks.{key}`"
        ))
    })?;
    let config = C::read(written, Mode::Lenient).map_err(|_| {
        refuse("`spec.provider.infrastructureConfig` cannot be read; `validate` says how to fix it")
    })?;
    match C::read(written, Mode::Strict) {
        Ok(_) => Ok(config),
        Err(error) => Err(impossible(
            format!("`spec.provider.infrastructureConfig` cannot be read: {error}"),
            Some(format!("{INFRASTRUCTURE_POINTER}{}", error.pointer())),
        )),
    }
}

/// The names of the zones that a Shoot has, and of those that are added.
#[derive(Debug)]
pub struct NewZones<'v> {
    names: NameMap<'v, usize>,
    listed: usize,
    region: &'v str,
    /// The zones that the CloudProfile offers in the region; none where nobody gives the CloudProfile.
    offered: Vec<&'v str>,
}

impl<'v> NewZones<'v> {
    /// Takes the names of the zones that a Shoot has.
    pub fn next_to(names: impl Iterator<Item = &'v str>, region: &'v str, request: &Request<'v>) -> Self {
        let (mut known, mut listed) = (NameMap::new(), 0);
        for name in names {
            known.or_insert_with(name, || listed);
            listed += 1;
        }
        let profile = request.context("cloudProfile");
        let offered = profile.map(|profile| zone_names(profile, region).collect()).unwrap_or_default();
        Self { names: known, listed, region, offered }
    }

    /// The zones of the region that are not used yet.
    pub fn unused(&self) -> Vec<String> {
        let names = self.offered.iter().filter(|name| !self.names.contains(name));
        names.map(|name| (*name).to_owned()).collect()
    }

    /// Adds a zone at the end of the list. Refuses one without a name, one whose name another zone has, and one
    /// that the region lacks; without zones in the profile, any name will do.
    pub fn add(&mut self, name: &'v str) -> Result<(), RequestError> {
        if name.is_empty() {
            return Err(impossible(
                "a zone to add has an empty `name`; name a zone of the region".to_owned(),
                None,
            ));
        }
        match self.names.get(name) {
            Some(index) if *index < self.listed => {
                return Err(impossible(
                    format!("the zone `{name}` is listed already; name another zone of the region"),
                    Some(ZONES.index(*index).key("name").pointer()),
                ));
            }
            Some(_) => {
                return Err(impossible(format!("the zone `{name}` is to be added twice; name it once"), None));
            }
            None => {}
        }
        if !self.offered.is_empty() && !self.offered.contains(&name) {
            let (offered, region) = (self.offered.join("`, `"), self.region);
            let message = format!(
                "the CloudProfile has no zone `{name}` in the region `{region}`; choose one of `{offered}`"
            );
            return Err(impossible(message, Some("/spec/region".to_owned())));
        }
        self.names.insert(name, usize::MAX);
        Ok(())
    }
}

/// Appends entries to the list of zones, and makes the list where the Shoot has none.
pub fn add_to_list(shoot: &Value<'_>, entries: Vec<Value<'_>>) -> Vec<PatchOperation> {
    let networks = infrastructure_config(shoot).and_then(|config| config.get("networks"));
    let (zones, has_networks) = (networks.and_then(|networks| networks.get("zones")), networks.is_some());
    let list = ZONES.pointer();
    if entries.is_empty() {
        Vec::new()
    } else if zones.is_some() {
        entries.iter().map(|entry| PatchOperation::add(format!("{list}/-"), entry)).collect()
    } else if has_networks {
        vec![PatchOperation::add(list, &Value::Array(entries))]
    } else {
        let networks = Value::object([("zones", Value::Array(entries))]);
        vec![PatchOperation::add(NETWORKS.pointer(), &networks)]
    }
}
