//! What the Shoot says of its sleep (reference: gardener-contract 2.9).

use crate::controller::runtime::cluster::Cluster;

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
        let is_enabled = cluster.hibernates();
        Self { is_enabled, is_reached: is_enabled && cluster.is_hibernated() }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn the_shoot_shows_whether_it_should_sleep_and_whether_it_does() {
        for (spec, status, expected) in [
            (json!({}), json!({}), (false, false)),
            (json!({ "hibernation": { "enabled": true } }), json!({}), (true, false)),
            (json!({ "hibernation": { "enabled": true } }), json!({ "hibernated": true }), (true, true)),
            (json!({ "hibernation": { "enabled": false } }), json!({ "hibernated": true }), (false, false)),
            (json!({ "hibernation": {} }), json!({ "hibernated": false }), (false, false)),
        ] {
            let shoot = json!({ "spec": spec, "status": status });
            let cluster = json!({ "metadata": { "name": "a" }, "spec": { "shoot": shoot } });
            let Hibernation { is_enabled, is_reached } =
                Hibernation::of(&serde_json::from_str(&cluster.to_string()).unwrap());
            assert_eq!((is_enabled, is_reached), expected, "{shoot}");
        }
    }
}
