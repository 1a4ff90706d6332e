//! What the rules on a NamespacedCloudProfile and its parent go by.

use crate::document::Value;
use crate::provider::gardener::cloud_profile::Check;

/// A NamespacedCloudProfile together with its parent.
pub struct Extension<'c> {
    /// What the parent offers.
    pub parent: &'c Value<'c>,
    /// The specification, in the form of the parent.
    pub spec: &'c Value<'c>,
    /// The old specification; none where the object is new.
    pub old: Option<&'c Value<'c>>,
    /// What the old object offered together with its parent.
    pub old_status: &'c Value<'c>,
    /// The capabilities of the parent, and the time.
    pub check: Check<'c>,
}
