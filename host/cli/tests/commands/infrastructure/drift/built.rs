//! A network that is built and recorded, to which a test can go back after every change.

use std::path::PathBuf;

use serde_json::Value;
use tempfile::TempDir;

use crate::infrastructure::layout::{Layout, Scene};
use crate::infrastructure::site::{copy, reported};

/// A Shoot's network, the record of it, and how both were before a change.
pub(super) struct Built {
    pub(super) scene: Scene,
    /// The recorded state.
    state: Value,
    kept: TempDir,
    /// The network as it should be.
    pub(super) wanted: Value,
}

impl Built {
    pub(super) fn new(layout: Layout) -> Self {
        let scene = Scene::new(layout, 2);
        scene.site.apply(&scene.manifest);
        let kept = TempDir::new().unwrap();
        copy(&scene.site.state(), &kept.path().join("state"));
        scene.site.cloud().put_snapshot("built").unwrap();
        let recorded: Value = serde_json::from_str(&scene.site.recorded()).unwrap();
        let wanted = scene.site.world();
        Self { scene, state: recorded["state"].clone(), kept, wanted }
    }

    fn kept(&self) -> PathBuf {
        self.kept.path().join("state")
    }

    pub(super) fn reset(&self) {
        self.scene.site.cloud().restore_snapshot("built").unwrap();
        copy(&self.kept(), &self.scene.site.state());
    }

    /// A recorded id; `b/` stands for the keys of the second zone.
    pub(super) fn id(&self, key: &str) -> String {
        let key = match key.split_once('/') {
            Some((zone, last)) if zone.len() == 1 => format!("Zones/eu-central-1{zone}/{last}"),
            _ => key.to_owned(),
        };
        self.state[&key].as_str().unwrap_or_else(|| panic!("nothing is recorded under `{key}`")).to_owned()
    }

    /// Calls an action; a value that begins with `@` is a recorded id.
    pub(super) fn call(&self, service: &str, action: &str, parameters: &[(&str, &str)]) -> Value {
        let values: Vec<_> = parameters.iter().map(|(_, value)| self.value(value)).collect();
        let parameters: Vec<_> =
            parameters.iter().zip(&values).map(|((name, _), value)| (*name, value.as_str())).collect();
        self.scene.site.call(service, action, &parameters)
    }

    pub(super) fn vpc(&self, action: &str, parameters: &[(&str, &str)]) -> Value {
        self.call("vpc", action, parameters)
    }

    pub(super) fn ecs(&self, action: &str, parameters: &[(&str, &str)]) -> Value {
        self.call("ecs", action, parameters)
    }

    fn value(&self, value: &str) -> String {
        value.strip_prefix('@').map_or_else(|| value.to_owned(), |key| self.id(key))
    }

    pub(super) fn entry(&self, destination: &str) -> Option<String> {
        let parameters = [("RouteTableId", "@RouteTable"), ("DestinationCidrBlock", destination)];
        let found = self.vpc("DescribeRouteEntryList", &parameters);
        found["RouteEntrys"]["RouteEntry"][0]["RouteEntryId"].as_str().map(str::to_owned)
    }

    pub(super) fn delete_entry(&self, destination: &str) {
        if let Some(entry) = self.entry(destination) {
            self.vpc("DeleteRouteEntry", &[("RouteEntryId", &entry)]);
        }
    }

    pub(super) fn delete_snat_entry(&self, zone: &str) {
        let entry = format!("@{zone}/SnatEntry");
        self.vpc("DeleteSnatEntry", &[("SnatTableId", "@SnatTable"), ("SnatEntryId", &entry)]);
    }

    pub(super) fn unassociate_eip(&self, zone: &str) {
        self.delete_snat_entry(zone);
        let eip = format!("@{zone}/NATGatewayElasticIP");
        self.vpc(
            "UnassociateEipAddress",
            &[("AllocationId", &eip), ("InstanceId", "@NatGateway"), ("InstanceType", "Nat")],
        );
    }

    pub(super) fn unassociate_route_table(&self, zone: &str) {
        let vswitch = format!("@{zone}/VSwitch");
        self.vpc("UnassociateRouteTable", &[("RouteTableId", "@RouteTable"), ("VSwitchId", &vswitch)]);
    }

    pub(super) fn delete_vswitch(&self, zone: &str) {
        self.unassociate_route_table(zone);
        self.vpc("DeleteVSwitch", &[("VSwitchId", &format!("@{zone}/VSwitch"))]);
    }

    pub(super) fn delete_route_table(&self) {
        self.unassociate_route_table("a");
        self.unassociate_route_table("b");
        self.delete_entry("0.0.0.0/0");
        self.delete_entry("::/0");
        self.vpc("DeleteRouteTable", &[("RouteTableId", "@RouteTable")]);
    }

    pub(super) fn delete_nat_gateway(&self) {
        self.delete_entry("0.0.0.0/0");
        self.vpc("DeleteNatGateway", &[("NatGatewayId", "@NatGateway"), ("Force", "true")]);
    }

    /// The lines of a plan: changes with the attributes that differ, `!` where something is disrupted, and notes.
    pub(super) fn plan(&self) -> Vec<String> {
        let output =
            self.scene.site.command(&["plan", "--format", "json"], &self.scene.manifest).output().unwrap();
        let answer: Value = serde_json::from_slice(&output.stdout)
            .unwrap_or_else(|error| panic!("{error}: {}", reported(&output)));
        let text = |value: &Value| value.as_str().unwrap_or_default().replace("eu-central-1", "");
        let list = |value: &Value| value.as_array().cloned().unwrap_or_default();
        let mut lines = Vec::new();
        for change in list(&answer["plan"]["changes"]) {
            let attributes = change["before"].as_object().or(change["after"].as_object());
            let names: Vec<_> = match change["action"].as_str() {
                Some("update" | "replace" | "adopt") => {
                    attributes.map(|attributes| attributes.keys().cloned().collect()).unwrap_or_default()
                }
                _ => Vec::new(),
            };
            let mut line = format!("{} {}", text(&change["action"]), text(&change["id"]));
            if !names.is_empty() {
                line = format!("{line}: {}", names.join(", "));
            }
            if change["disruption"].is_string() {
                line += " !";
            }
            lines.push(line);
        }
        for note in list(&answer["plan"]["notes"]) {
            lines.push(format!("note {}: {}", text(&note["id"]), text(&note["attribute"])));
        }
        for finding in list(&answer["findings"]) {
            lines.push(format!("refused {}", text(&finding["rule"])));
        }
        lines
    }
}
