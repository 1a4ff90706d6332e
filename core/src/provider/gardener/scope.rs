//! Which of Gardener's rules the policy has, and which it lacks: the one list.

use crate::policy::Scope;

/// A section of Gardener's rules, by its name in plain words.
struct Section {
    name: &'static str,
    /// The kinds of object that the section judges.
    kinds: &'static [&'static str],
}

const ALL_KINDS: &[&str] = super::KINDS;
const PROFILES: &[&str] = &["CloudProfile", "NamespacedCloudProfile"];
const SHOOT: &[&str] = &["Shoot"];

/// The sections that the policy has. `workers` are names, labels, worker pools and the kubelet; what may change is part of each.
const PARTS: &[Section] = &[
    Section { name: "structure", kinds: ALL_KINDS },
    Section { name: "profile", kinds: SHOOT },
    Section { name: "workers", kinds: SHOOT },
    Section { name: "network", kinds: SHOOT },
];

/// The sections that the policy lacks, in the order of the fact sheet.
const NOT_CHECKED: &[Section] = &[
    Section { name: "operation annotations", kinds: SHOOT },
    Section { name: "addons", kinds: SHOOT },
    Section { name: "DNS", kinds: SHOOT },
    Section { name: "extensions and resources", kinds: SHOOT },
    Section {
        name: "the control plane's configuration (kube-apiserver, kube-controller-manager, kube-scheduler, kube-proxy, \
               cluster autoscaler, etcd)",
        kinds: SHOOT,
    },
    Section { name: "maintenance", kinds: SHOOT },
    Section { name: "monitoring", kinds: SHOOT },
    Section { name: "hibernation", kinds: SHOOT },
    Section { name: "the seed", kinds: SHOOT },
    Section {
        name: "what needs other objects (quotas, seeds, and projects and bindings that are not given)",
        kinds: SHOOT,
    },
    Section { name: "the profile's own rules", kinds: PROFILES },
    Section { name: "what needs the Shoots of the profile", kinds: PROFILES },
];

/// What a verdict on an object of the kind covers, or, without a kind, every verdict.
pub fn of(parity: &'static str, kind: Option<&str>) -> Scope {
    let names = |sections: &[Section]| {
        let of_kind = |section: &&Section| kind.is_none_or(|kind| section.kinds.contains(&kind));
        sections.iter().filter(of_kind).map(|section| section.name).collect()
    };
    Scope { checked: vec![parity], parts: names(PARTS), not_checked: names(NOT_CHECKED) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_scope_names_what_concerns_the_kind() {
        let shoot = of("gardener v1", Some("Shoot"));
        assert!(shoot.parts.contains(&"profile") && shoot.not_checked.contains(&"addons"));
        assert!(!shoot.not_checked.contains(&"the profile's own rules"));
        let profile = of("gardener v1", Some("CloudProfile"));
        assert_eq!(profile.parts, ["structure"]);
        assert_eq!(profile.not_checked, ["the profile's own rules", "what needs the Shoots of the profile"]);
        let all = of("gardener v1", None);
        assert_eq!(all.not_checked.len(), NOT_CHECKED.len());
    }

    #[test]
    fn no_section_is_both_there_and_missing() {
        for Section { name, kinds } in PARTS.iter().chain(NOT_CHECKED) {
            assert_eq!(PARTS.iter().chain(NOT_CHECKED).filter(|other| other.name == *name).count(), 1, "{name}");
            assert!(kinds.iter().all(|kind| ALL_KINDS.contains(kind)), "{name}");
        }
    }
}
