//! Names and labels of Secrets, as Gardener's `manager.ObjectMeta` makes them.

use std::collections::BTreeMap;

use trellis_policies::digest::Digest;

/// Labels of a Secret.
pub type Labels = BTreeMap<String, String>;

/// The name of the configuration.
pub const NAME: &str = "name";
/// Who keeps the Secret.
pub const MANAGED_BY: &str = "managed-by";
/// The value of [`MANAGED_BY`].
pub const MANAGER: &str = "secrets-manager";
/// Which one of those keeps the Secret.
pub const IDENTITY: &str = "manager-identity";
/// The hash of the configuration ([`hash`](super::hash)).
pub const CONFIGURATION: &str = "checksum-of-config";
/// The digest of the authority that signed.
pub const SIGNED_BY: &str = "checksum-of-signing-ca";
/// On a bundle: the authority.
pub const BUNDLE_FOR: &str = "bundle-for";
/// `true`: gardenlet takes the Secret along when the control plane moves to another seed.
pub const PERSIST: &str = "persist";
/// The second at which the rotation began that made the Secret, since 1970; empty where none did.
pub const ROTATED: &str = "last-rotation-initiation-time";
/// The second from which a certificate is valid; of a bundle, when it was made.
pub const ISSUED: &str = "issued-at-time";
/// The second until which a certificate is valid.
pub const VALID_UNTIL: &str = "valid-until-time";
/// After which share of its time a certificate is renewed, in percent.
pub const RENEW_AFTER: &str = "renew-after-validity-percentage";
/// On a Secret of anybody: the configuration that takes its data, rather than make new ones.
pub const USE_DATA_FOR: &str = "secrets-manager-use-data-for-name";

/// The longest value of a label.
const LONGEST_VALUE: usize = 63;

/// What name and labels of a Secret are made of.
#[derive(Clone, Copy, Debug)]
pub struct Identity<'i> {
    /// Which manager keeps the Secret.
    pub manager: &'i str,
    /// The name of the configuration.
    pub name: &'i str,
    /// The hash of the configuration.
    pub configuration: u64,
    /// The digest of the authority that signs.
    pub signer: Option<&'i str>,
    /// The second at which the rotation began; empty where none did.
    pub rotated: &'i str,
    /// Whether gardenlet takes the Secret along.
    pub persist: bool,
    /// The authority that it is the bundle of.
    pub bundle_for: Option<&'i str>,
}

impl Identity<'_> {
    /// The labels of the Secret, without those that state its lifetime.
    pub fn labels(&self) -> Labels {
        let labels = [
            (NAME, Some(self.name)),
            (MANAGED_BY, Some(MANAGER)),
            (IDENTITY, Some(self.manager)),
            (ROTATED, Some(self.rotated)),
            (SIGNED_BY, self.signer_value()),
            (PERSIST, self.persist.then_some("true")),
            (BUNDLE_FOR, self.bundle_for),
        ];
        let labels = labels.into_iter().filter_map(|(key, value)| Some((key.to_owned(), value?.to_owned())));
        labels.chain([(CONFIGURATION.to_owned(), self.configuration.to_string())]).collect()
    }

    /// The name of the Secret.
    pub fn object(&self) -> String {
        let made_of = format!("{}{}", self.configuration, self.signer_value().unwrap_or_default());
        let name = format!("{}-{:.8}", self.name, sha256(&made_of));
        if self.rotated.is_empty() { name } else { format!("{name}-{:.5}", sha256(self.rotated)) }
    }

    fn signer_value(&self) -> Option<&str> {
        self.signer.map(|digest| digest.get(..LONGEST_VALUE).unwrap_or(digest))
    }
}

/// The digest of a text, as text.
fn sha256(text: &str) -> String {
    Digest::of(text.as_bytes()).to_string()
}
