//! By which parts of a CloudProfile an object is judged.

use std::sync::LazyLock;

use serde::Deserialize;

use super::place::is_within;

/// What the npm package has, too.
const TABLE: &str = include_str!("profile_parts.json");

#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Table {
    /// Keys of a place in a Shoot, and the parts of the CloudProfile by which what stands there is judged. The first
    /// key that the place has counts.
    judged_by: Vec<(String, Vec<String>)>,
    /// Keys that only describe an entry of a part: no rule judges a Shoot by them.
    describing: Vec<String>,
}

static PARTS: LazyLock<Table> = LazyLock::new(|| serde_json::from_str(TABLE).unwrap_or_default());

/// Whether what stands at a place of an object is judged by a part of its CloudProfile in which one of the places
/// `profile` is. A NamespacedCloudProfile is judged together with all of its parent.
pub fn is_judged_by(kind: &str, pointer: &str, profile: &[&str]) -> bool {
    let has = |pointer: &str, key: &str| pointer.split('/').any(|part| part == key);
    if kind == "NamespacedCloudProfile" {
        return !profile.is_empty();
    }
    let parts = PARTS.judged_by.iter().find(|(key, _)| has(pointer, key)).map_or(&[][..], |(_, parts)| parts);
    let is_describing = |place: &str| PARTS.describing.iter().any(|key| has(place, key));
    let is_of = |place: &str| parts.iter().any(|part| is_within(place, part) || is_within(part, place));
    profile.iter().any(|place| is_of(place) && !is_describing(place))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_can_be_read() {
        assert!(serde_json::from_str::<Table>(TABLE).is_ok());
    }

    #[test]
    fn a_place_is_judged_by_the_part_of_its_first_key_in_the_table() {
        let image = "/spec/provider/workers/0/machine/image/version";
        for (kind, pointer, profile, expected) in [
            ("Shoot", image, "/spec/machineImages/0/versions", true),
            ("Shoot", image, "/spec/providerConfig", true),
            ("Shoot", image, "/spec", true),
            ("Shoot", image, "/spec/regions", false),
            ("Shoot", "/spec/provider/workers/0/machine/type", "/spec/machineTypes/2/name", true),
            ("Shoot", "/spec/provider/workers/0/machine/type", "/spec/machineImages", false),
            ("Shoot", "/spec/provider/workers/0/machine/type", "/spec/machineTypes/2/cpu", false),
            ("Shoot", "/spec/provider/type", "/spec/type", true),
            ("Shoot", "/spec/networking/nodes", "/spec", false),
            ("NamespacedCloudProfile", "/spec", "/spec/volumeTypes", true),
        ] {
            assert_eq!(is_judged_by(kind, pointer, &[profile]), expected, "{kind} {pointer} by {profile}");
        }
    }
}
