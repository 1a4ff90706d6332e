//! The admission plug-ins that the API server of Kubernetes has, by version, and what Gardener allows of them.

use super::listing::Entry;

/// The plug-ins, sorted by name. `R` marks those that Gardener needs, `C` those that may have a configuration.
const LINES: &str = include_str!("admission_plugins.txt");

/// The plug-ins of a library that knows no newer minor version of Kubernetes 1.
fn all(newest: u64) -> impl Iterator<Item = Entry<'static>> {
    LINES.lines().filter_map(move |line| Entry::of(line).known_to(newest))
}

/// Finds a plug-in of a library that knows no newer minor version of Kubernetes 1.
pub fn find(name: &str, newest: u64) -> Option<Entry<'static>> {
    all(newest).find(|entry| entry.name == name)
}

/// The names of all plug-ins of a library that knows no newer minor version of Kubernetes 1.
pub fn names(newest: u64) -> Vec<&'static str> {
    all(newest).map(|entry| entry.name).collect()
}

/// Whether nobody can switch a plug-in off.
pub fn is_required(plugin: &Entry<'_>) -> bool {
    plugin.has('R')
}

/// Whether a plug-in may have a configuration.
pub fn is_configurable(plugin: &Entry<'_>) -> bool {
    plugin.has('C')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plug_ins_are_found_by_name() {
        assert_eq!(names(35).len(), 38);
        let names = names(36);
        assert_eq!(names.len(), 42);
        assert!(names.is_sorted_by(|one, next| one < next));
        for (name, is_needed, has_configuration) in [
            ("PodSecurity", true, true),
            ("NodeRestriction", true, false),
            ("ResourceQuota", false, true),
            ("AlwaysPullImages", false, false),
        ] {
            let plugin = find(name, 36).unwrap();
            assert_eq!((is_required(&plugin), is_configurable(&plugin)), (is_needed, has_configuration), "{name}");
        }
        assert_eq!(find("podsecurity", 36), None);
        assert_eq!(find("PersistentVolumeLabel", 36).and_then(|plugin| plugin.interval.removed), Some(31));
    }
}
