//! ResourceManager: roles again, by the API that the existing extension uses.

use crate::action::Service;

/// The service.
pub const SERVICE: Service =
    Service { name: "ResourceManager", version: "2020-03-31", code: "resourcemanager", actions: &[] };
