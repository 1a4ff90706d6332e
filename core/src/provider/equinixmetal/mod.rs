//! Equinix Metal.
//!
//! The existing extension has no admission component. So no rule rejects: a rule warns of what the existing
//! extension fails on later, and `default` changes nothing. Every rule has the id that the fact sheet
//! `equinixmetal` gives it. The policy accepts a Seed without a rule, and refuses a BackupBucket as unsupported,
//! for the existing extension fills none.

pub mod api;
mod boot;
mod credentials;
pub mod rules;
mod validate;

use crate::gardener::addresses::{Ranges, describe};
use crate::gardener::types::shoot::Shoot;
use crate::policy::{
    About, Addresses, Addressing, Entry, Judging, PARENT_READ, ReadsByKind, Request, RequestError, read,
};

/// Provider type, as in `spec.provider.type`.
pub const TYPE: &str = "equinixmetal";

/// What `default` reads of the context, by kind of object.
const DEFAULT_READS: ReadsByKind = &[
    ("CloudProfile", &[]),
    ("CredentialsBinding", &[]),
    ("NamespacedCloudProfile", PARENT_READ),
    ("Secret", &[]),
    ("SecretBinding", &[]),
    ("Seed", &[]),
    ("Shoot", &[]),
];

const ABOUT: About = About {
    provider: TYPE,
    parity: "provider-equinix-metal v2.21.0-dev",
    api_version: api::API_VERSION,
    kinds: api::KINDS,
};

/// The policy in the list of providers.
pub const ENTRY: Entry = Entry { addressing: Some(&ADDRESSING), ..Entry::of(&JUDGING) };

/// What judges and completes objects.
pub static JUDGING: Judging = Judging {
    about: ABOUT,
    reads: &[("default", DEFAULT_READS), ("validate", validate::READS)],
    rules: rules::SECTIONS,
    validate: &[
        ("CloudProfile", validate::cloud_profile),
        ("CredentialsBinding", validate::binding),
        ("NamespacedCloudProfile", validate::cloud_profile),
        ("Secret", validate::secret),
        ("SecretBinding", validate::binding),
        ("Seed", |_, _| Ok(())),
        ("Shoot", validate::shoot),
    ],
    default: &[],
    general: None,
    #[cfg(feature = "schema")]
    schemas: api::schemas,
};

/// What answers about Shoots.
pub static ADDRESSING: Addressing =
    Addressing { about: ABOUT, reads: &[("addresses", &[("Shoot", &[])])], addresses, zones: None, rollout: None };

/// Shows the ranges of nodes, pods and services. Equinix Metal alone decides which addresses a server gets.
fn addresses(request: &Request<'_>) -> Result<Addresses, RequestError> {
    let shoot: Shoot<'_> = read(request.object)?;
    let mut ranges = Ranges::default();
    ranges.add_shoot(request.object, &shoot.spec.networking.unwrap_or_default());
    let spaces = describe(&ranges.spaces(None).each_ref(), &|_, _, _| None);
    Ok(Addresses { spaces, unreadable: ranges.unreadable, zones: None })
}
