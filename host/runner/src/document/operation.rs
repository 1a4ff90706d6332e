//! What is to become of an infrastructure.

use super::Operation;

impl Operation {
    /// Its name in requests.
    pub fn name(self) -> &'static str {
        match self {
            Self::Reconcile => "reconcile",
            Self::Delete => "delete",
            Self::Restore => "restore",
            Self::Migrate => "migrate",
        }
    }
}
