//! The rules of the Equinix Metal policy in words, one file a section. Findings, help texts and the rule
//! reference quote them.

use crate::report::Rule;

pub mod advice;
pub mod cloud_profile;
pub mod consistency;
pub mod credentials;
pub mod decoding;
pub mod defaults;
pub mod lookup;

/// Every rule, by section, in the order of the fact sheet; what is only advised comes last.
pub const SECTIONS: &[&[&Rule]] = &[
    decoding::ALL,
    cloud_profile::ALL,
    credentials::ALL,
    consistency::ALL,
    defaults::ALL,
    lookup::ALL,
    advice::ALL,
];

const SHOOT: &[&str] = &["Shoot"];
const PROFILES: &[&str] = &["CloudProfile", "NamespacedCloudProfile"];
/// Kinds by which the content of a Secret is judged.
const SECRETS: &[&str] = &["Secret", "SecretBinding", "CredentialsBinding"];
