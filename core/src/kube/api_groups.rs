//! The API groups and resources that versions of Kubernetes serve, and those that Gardener needs.

use super::listing::{Entry, Interval};
use crate::text::{join, quote};

/// Group-versions, each with its resources behind it, which a blank begins. `R` marks what a Shoot with workers
/// needs, `W` what one without workers needs.
const LINES: &str = include_str!("api_groups.txt");

/// A group-version or a resource of `runtimeConfig`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Api {
    /// The versions of Kubernetes that have it.
    pub interval: Interval,
    /// What makes that nobody can switch it off: itself, its group-version, or its resources.
    pub required: Vec<String>,
}

/// Finds a group-version, such as `apps/v1`, or a resource, such as `apps/v1/deployments`, in a library that knows
/// no newer minor version of Kubernetes 1 than `newest`. The error is what Gardener says.
pub fn find(api: &str, has_workers: bool, newest: u64) -> Result<Api, String> {
    let (group, resource) = match api.bytes().filter(|byte| *byte == b'/').count() {
        0 => (api, None),
        1 => match api.strip_prefix("v1/") {
            Some(resource) => ("v1", Some(resource)),
            None => (api, None),
        },
        2 => api.rsplit_once('/').map_or((api, None), |(group, resource)| (group, Some(resource))),
        _ => return Err(join(&["invalid API Group format ", &quote(api)], "")),
    };
    let flag = if has_workers { 'R' } else { 'W' };
    let mut lines = LINES.lines().skip_while(|line| Entry::of(line).name != group || line.starts_with(' '));
    let unknown = |what: &str| join(&["unknown API group version ", what, &quote(api)], "");
    let Some(of_group) = lines.next().and_then(|line| Entry::of(line).known_to(newest)) else {
        return Err(unknown(if resource.is_some() { "resource " } else { "" }));
    };
    let mut resources =
        lines.map_while(|line| line.strip_prefix(' ')).filter_map(|line| Entry::of(line).known_to(newest));
    let is_group_required = of_group.has(flag);
    let Some(resource) = resource else {
        let required = if is_group_required {
            vec![group.to_owned()]
        } else {
            resources.filter(|entry| entry.has(flag)).map(|entry| join(&[group, entry.name], "/")).collect()
        };
        return Ok(Api { interval: of_group.interval, required });
    };
    let found = resources.find(|entry| entry.name == resource).ok_or_else(|| unknown("resource "))?;
    let required = if found.has(flag) { Some(api) } else { is_group_required.then_some(group) };
    Ok(Api { interval: found.interval, required: required.into_iter().map(str::to_owned).collect() })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_list_is_sorted() {
        let groups: Vec<&str> =
            LINES.lines().filter(|line| !line.starts_with(' ')).map(|line| Entry::of(line).name).collect();
        assert_eq!((groups.len(), LINES.lines().count()), (55, 214));
        assert!(groups.is_sorted_by(|one, next| one < next));
    }

    #[test]
    fn groups_and_resources_are_found() {
        let from = |added, removed| Interval { added, removed };
        for (api, has_workers, interval, required) in [
            ("apps/v1", true, from(None, None), vec!["apps/v1"]),
            ("apps/v1", false, from(None, None), vec![]),
            ("apps/v1/deployments", true, from(None, None), vec!["apps/v1"]),
            ("v1/pods", false, from(None, None), vec!["v1"]),
            ("autoscaling/v2", true, from(None, None), vec!["autoscaling/v2/horizontalpodautoscalers"]),
            ("node.k8s.io/v1/runtimeclasses", true, from(None, None), vec!["node.k8s.io/v1/runtimeclasses"]),
            ("events.k8s.io/v1", false, from(None, None), vec!["events.k8s.io/v1/events"]),
            ("resource.k8s.io/v1", true, from(Some(34), None), vec![]),
            ("coordination.k8s.io/v1alpha1/leasecandidates", true, from(Some(31), Some(32)), vec![]),
        ] {
            let required = required.into_iter().map(str::to_owned).collect();
            assert_eq!(find(api, has_workers, 36), Ok(Api { interval, required }), "{api}");
        }
    }

    #[test]
    fn what_is_not_there_is_reported() {
        for (api, words) in [
            ("", "unknown API group version \"\""),
            ("apps", "unknown API group version \"apps\""),
            ("foo/v1", "unknown API group version \"foo/v1\""),
            ("v1/foo", "unknown API group version resource \"v1/foo\""),
            ("apps/v1/foo", "unknown API group version resource \"apps/v1/foo\""),
            ("foo/v1/foo", "unknown API group version resource \"foo/v1/foo\""),
            ("a/b/c/d", "invalid API Group format \"a/b/c/d\""),
            (" leases", "unknown API group version \" leases\""),
        ] {
            assert_eq!(find(api, true, 36), Err(words.to_owned()), "{api}");
        }
    }
}
