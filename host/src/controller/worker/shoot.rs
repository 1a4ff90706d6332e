//! What the Shoot says of its sleep (reference: gardener-contract 2.9).

use serde::Deserialize;

use crate::controller::cluster::Cluster;

/// Whether a Shoot sleeps.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Hibernation {
    /// Whether it should sleep.
    pub is_enabled: bool,
    /// Whether it should, and does.
    pub is_reached: bool,
}

impl Hibernation {
    /// That of the Shoot of a Cluster.
    pub fn of(cluster: &Cluster) -> Self {
        #[derive(Default, Deserialize)]
        #[serde(default)]
        struct Shoot {
            spec: Spec,
            status: Status,
        }
        #[derive(Default, Deserialize)]
        #[serde(default)]
        struct Spec {
            hibernation: Option<Enabled>,
        }
        #[derive(Default, Deserialize)]
        #[serde(default)]
        struct Enabled {
            enabled: Option<bool>,
        }
        #[derive(Default, Deserialize)]
        #[serde(default, rename_all = "camelCase")]
        struct Status {
            is_hibernated: Option<bool>,
        }
        let text = cluster.parts().find_map(|(name, part)| (name == "shoot").then(|| part.get()));
        let shoot: Shoot = text.and_then(|text| serde_json::from_str(text).ok()).unwrap_or_default();
        let is_enabled = shoot.spec.hibernation.and_then(|hibernation| hibernation.enabled).unwrap_or_default();
        Self { is_enabled, is_reached: is_enabled && shoot.status.is_hibernated.unwrap_or_default() }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn the_shoot_tells_whether_it_should_sleep_and_whether_it_does() {
        for (spec, status, expected) in [
            (json!({}), json!({}), (false, false)),
            (json!({ "hibernation": { "enabled": true } }), json!({}), (true, false)),
            (json!({ "hibernation": { "enabled": true } }), json!({ "isHibernated": true }), (true, true)),
            (json!({ "hibernation": { "enabled": false } }), json!({ "isHibernated": true }), (false, false)),
            (json!({ "hibernation": {} }), json!({ "isHibernated": false }), (false, false)),
        ] {
            let shoot = json!({ "spec": spec, "status": status });
            let cluster = json!({ "metadata": { "name": "a" }, "spec": { "shoot": shoot } });
            let Hibernation { is_enabled, is_reached } =
                Hibernation::of(&serde_json::from_str(&cluster.to_string()).unwrap());
            assert_eq!((is_enabled, is_reached), expected, "{shoot}");
        }
    }
}
