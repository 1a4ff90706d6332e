//! Which of Gardener's rules the policy has, and which it lacks: the one list.

use crate::policy::{Scope, Section};

/// A section of Gardener's rules, by its name in plain words.
struct Rules {
    name: &'static str,
    /// The kinds of object that the section judges.
    kinds: &'static [&'static str],
    /// The parts of the object that the section is about; none where it is about all of it, or about other
    /// objects.
    pointers: &'static [&'static str],
}

const ALL_KINDS: &[&str] = super::KINDS;
const PROFILES: &[&str] = &["CloudProfile", "NamespacedCloudProfile"];
const SEED: &[&str] = &["Seed"];
const SHOOT: &[&str] = &["Shoot"];

/// The sections that the policy has. `structure` is which fields there are, `values` what may stand in them and
/// what may change, and `profile` what the CloudProfile offers.
const PARTS: &[Rules] = &[
    Rules { name: "structure", kinds: ALL_KINDS, pointers: &[] },
    Rules { name: "values", kinds: super::rules::KINDS, pointers: &[] },
    Rules { name: "profile", kinds: SHOOT, pointers: &[] },
];

/// The sections that the policy lacks, in the order of the fact sheet.
const NOT_CHECKED: &[Rules] = &[
    Rules { name: "the seed", kinds: SHOOT, pointers: &["/spec/seedName", "/spec/seedSelector"] },
    Rules {
        name: "what needs other objects (quotas, seeds, and projects and bindings that are not given)",
        kinds: SHOOT,
        pointers: &[],
    },
    Rules { name: "what needs the Shoots of the profile", kinds: PROFILES, pointers: &[] },
    Rules { name: "the values of a Seed, and what may change in it", kinds: SEED, pointers: &[] },
];

/// What a verdict on an object of the kind covers, or, without a kind, every verdict.
pub fn of(parity: &'static str, kind: Option<&str>) -> Scope {
    let of_kind = |section: &&Rules| kind.is_none_or(|kind| section.kinds.contains(&kind));
    let lacking = || NOT_CHECKED.iter().filter(of_kind);
    let with_places = lacking().filter(|section| !section.pointers.is_empty());
    Scope {
        checked: vec![parity.into()],
        parts: PARTS.iter().filter(of_kind).map(|section| section.name).collect(),
        not_checked: lacking().map(|section| section.name.into()).collect(),
        sections: with_places.map(|&Rules { name, pointers, .. }| Section { name, pointers }).collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_scope_names_what_concerns_the_kind() {
        let shoot = of("gardener v1", Some("Shoot"));
        assert!(shoot.parts.contains(&"profile") && shoot.not_checked.contains(&"the seed".into()));
        assert!(!shoot.not_checked.contains(&"what needs the Shoots of the profile".into()));
        let profile = of("gardener v1", Some("CloudProfile"));
        assert_eq!(profile.parts, ["structure", "values"]);
        assert_eq!(profile.not_checked, ["what needs the Shoots of the profile"]);
        let seed = of("gardener v1", Some("Seed"));
        assert_eq!(
            (seed.parts, seed.not_checked),
            (vec!["structure"], vec!["the values of a Seed, and what may change in it".into()])
        );
        let all = of("gardener v1", None);
        assert_eq!(all.not_checked.len(), NOT_CHECKED.len());
    }

    #[test]
    fn no_section_is_both_there_and_missing() {
        for Rules { name, kinds, .. } in PARTS.iter().chain(NOT_CHECKED) {
            assert_eq!(PARTS.iter().chain(NOT_CHECKED).filter(|other| other.name == *name).count(), 1, "{name}");
            assert!(kinds.iter().all(|kind| ALL_KINDS.contains(kind)), "{name}");
        }
    }
}
