//! What Gardener itself checks of Shoots, CloudProfiles and NamespacedCloudProfiles of every provider, and the
//! structure of Seeds.
//!
//! The rules are those of Gardener's API server. Every rule has the id that the fact sheet `gardener-core` gives
//! it.

mod cloud_profile;
mod default;
mod fields;
mod garden;
mod merge;
mod namespaced_profile;
mod profile;
pub mod rules;
mod same;
mod scope;
mod sent;
mod shoot;
pub mod structure;

#[cfg(feature = "schema")]
use std::collections::BTreeMap;

use garden::Garden;

use crate::document::{Value, parse, write};
use crate::policy::{
    About, CORE, Defaulted, Entry, General, Judging, MergeRequest, ReadsByKind, Request, RequestError, join,
    judged_kind, kind_of,
};
use crate::report::Report;

/// The name of the policy. It is no provider type, because no cloud has it.
pub const TYPE: &str = "gardener";

/// The policy in the list of policies.
pub const ENTRY: Entry = Entry::of(&JUDGING);

/// What judges and completes objects.
pub static JUDGING: Judging = Judging {
    about: About { provider: TYPE, parity: garden::PARITY, api_version: CORE, kinds: KINDS },
    reads: &[("default", DEFAULT_READS), ("validate", READS)],
    rules: rules::SECTIONS,
    validate: &[
        ("CloudProfile", |request, report| validate(request, "CloudProfile", report)),
        ("NamespacedCloudProfile", |request, report| validate(request, "NamespacedCloudProfile", report)),
        ("Seed", |request, report| validate(request, "Seed", report)),
        ("Shoot", |request, report| validate(request, "Shoot", report)),
    ],
    default: &[
        ("CloudProfile", |request| default(request, "CloudProfile")),
        ("NamespacedCloudProfile", |request| default(request, "NamespacedCloudProfile")),
        ("Seed", |request| default(request, "Seed")),
        ("Shoot", |request| default(request, "Shoot")),
    ],
    general: Some(General { kind, scope: |kind| scope::of(garden::PARITY, kind), join, merge }),
    // Gardener's own API has no configuration kinds.
    #[cfg(feature = "schema")]
    schemas: |_| BTreeMap::new(),
};

/// The kinds that the policy judges.
const KINDS: &[&str] = &["CloudProfile", "NamespacedCloudProfile", "Seed", "Shoot"];

/// What the policy reads of the context of a Shoot: of a profile not the configuration of its provider, which is
/// most of its text.
const READS_OF_SHOOT: &[&str] = &[
    "/ahead",
    "/cloudProfile/kind",
    "/cloudProfile/metadata/name",
    "/cloudProfile/metadata/namespace",
    "/cloudProfile/spec/controlPlane",
    "/cloudProfile/spec/kubernetes",
    "/cloudProfile/spec/limits",
    "/cloudProfile/spec/machineCapabilities",
    "/cloudProfile/spec/machineImages",
    "/cloudProfile/spec/machineTypes",
    "/cloudProfile/spec/parent",
    "/cloudProfile/spec/regions",
    "/cloudProfile/spec/type",
    "/cloudProfile/spec/volumeTypes",
    "/cloudProfile/status/cloudProfileSpec",
    "/credentialsBinding",
    "/featureGates",
    "/gardenerVersion",
    "/objects",
    "/openapi",
    "/project",
    "/request",
    "/secretBinding",
    "/subresource",
];

/// What `validate` reads of the context, by kind of object.
const READS: ReadsByKind = &[
    ("CloudProfile", &["/featureGates", "/gardenerVersion", "/openapi"]),
    ("NamespacedCloudProfile", &["/cloudProfile", "/featureGates", "/gardenerVersion", "/objects", "/openapi"]),
    ("Seed", structure::READS),
    ("Shoot", READS_OF_SHOOT),
];

/// What `default` reads of the context, by kind of object.
const DEFAULT_READS: ReadsByKind = &[
    ("CloudProfile", default::READS_OF_PROFILE),
    ("NamespacedCloudProfile", default::READS_OF_PROFILE),
    ("Seed", default::READS_OF_PROFILE),
    ("Shoot", READS_OF_SHOOT),
];

fn validate(request: &Request<'_>, kind: &str, report: &mut Report<'_>) -> Result<(), RequestError> {
    let garden = Garden::read(request)?;
    garden.enter(report);
    if request.is_sent() {
        sent::judge(request.object, request.old_object, report);
    }
    let is_readable =
        structure::judge(request, kind, garden, default::is_filled_in, report)? == structure::Readable::Yes;
    // Of a Seed, only the structure is judged.
    if kind == "Seed" {
        return Ok(());
    }
    if !is_readable {
        report.leaves_out("all but the structure, as long as a value has a wrong type");
    } else if kind == "Shoot" {
        let old = request.old_object.map(|old| default::stored(old, garden));
        shoot::judge(request, old.as_ref(), report)?;
        profile::judge(request, old.as_ref(), report)?;
    } else {
        profile_of_kind(request, kind, report)?;
    }
    Ok(())
}

fn default<'r>(request: &Request<'r>, kind: &str) -> Result<Defaulted<'r>, RequestError> {
    let garden = Garden::read(request)?;
    // Of an object that the API server cannot read, nothing is filled in: `validate` says what is wrong.
    if structure::judge(request, kind, garden, |_, _| false, &mut Report::new(request.object))?
        == structure::Readable::No
    {
        return Ok(Defaulted::unchanged(request.object));
    }
    let settled = default::settled(request);
    Ok(match kind {
        "Seed" => settled,
        "Shoot" => return default::shoot(request, settled),
        "CloudProfile" => {
            let mut defaulted = default::cloud_profile(request.object, settled);
            default::sync(request, &mut defaulted);
            default::drop_outdated(request, kind, &mut defaulted)?;
            defaulted
        }
        _ => {
            let mut defaulted = default::namespaced_cloud_profile(settled);
            default::drop_outdated(request, kind, &mut defaulted)?;
            defaulted
        }
    })
}

fn merge(request: &str) -> Result<String, RequestError> {
    Ok(write(&merge::merge(&MergeRequest::read(&parse(request)?)?)?))
}

/// Judges a CloudProfile or a NamespacedCloudProfile. What the API server drops of what a person sends is not
/// judged.
fn profile_of_kind(request: &Request<'_>, kind: &str, report: &mut Report<'_>) -> Result<(), RequestError> {
    let judge = if kind == "CloudProfile" { cloud_profile::judge } else { namespaced_profile::judge };
    let dropped = default::dropped(request, kind)?;
    if !request.is_sent() || dropped.is_empty() {
        return judge(request, request.old_object, report);
    }
    let left = dropped.without(request.object);
    let mut found = report.of_release(&left);
    judge(&request.about(&left), request.old_object, &mut found)?;
    report.adopt(found, |pointer| dropped.place(pointer));
    Ok(())
}

/// The kind of an object that the policy judges.
fn kind<'v>(object: &'v Value<'v>) -> Option<&'v str> {
    let (kind, api_version) = kind_of(object);
    // The rule on `apiVersion` reports a version without its group.
    let is_old = api_version.split('/').next() == Some(structure::OLD_GROUP);
    let is_gardeners = judged_kind(object).is_some() || !api_version.contains('/') || is_old;
    (is_gardeners && KINDS.contains(&kind)).then_some(kind)
}
