//! What a module answers about Shoots: their addresses, and what an edit does to their nodes.

mod addresses;
mod rollout;
mod zones;

use super::part::{call, names};
use super::{About, Function, Part, Reads, Request, RequestError, judged_kind, unsupported};
use crate::functions;
#[cfg(feature = "schema")]
use crate::schema::{answer, request, request_with_null};

pub use addresses::{
    AddressConflict, AddressFamily, AddressGap, AddressRange, AddressRole, AddressSpace, Addresses, ConflictKind,
    UnreadableRange, ZoneChoice,
};
pub use rollout::{Cause, NodeChange, PoolRollout, Range, Rollout};
pub use zones::{AddedZones, NewZone};

/// The functions.
pub const ADDRESSING: &[Function<Addressing>] = functions! {
    "addresses": "Says the address space of an object.", addresses::addresses,
        Some(request_with_null::<super::request::shape::Request>) => answer::<Addresses>;
    "zones": "Chooses address ranges for zones to add to an object.", zones::zones,
        Some(request_with_null::<zones::shape::ZonesRequest>) => answer::<AddedZones>;
    "rollout": "Says what an edit of a Shoot does to its nodes.", rollout::rollout,
        Some(request::<rollout::shape::RolloutRequest>) => answer::<Rollout>;
};

/// Chooses ranges for zones to be added to a Shoot.
type Zones = fn(&Request<'_>, &[NewZone<'_>]) -> Result<AddedZones, RequestError>;
/// Shows what an edit of a Shoot does to its nodes.
type RollOut = fn(&Request<'_>) -> Result<Rollout, RequestError>;

/// What a policy answers about Shoots.
pub struct Addressing {
    /// What the policy is.
    pub about: About,
    /// What the functions read of the context.
    pub reads: Reads,
    /// Shows the address space of a Shoot.
    pub addresses: fn(&Request<'_>) -> Result<Addresses, RequestError>,
    /// Chooses ranges for zones to be added to a Shoot; none where a zone has no range of its own.
    pub zones: Option<Zones>,
    /// Shows what an edit of a Shoot does to its nodes; none where Trellis does not make the worker pools yet.
    pub rollout: Option<RollOut>,
}

impl Part for Addressing {
    fn about(&self) -> About {
        self.about
    }

    fn names(&self) -> Vec<&'static str> {
        names(ADDRESSING, |name| match name {
            "zones" => self.zones.is_some(),
            "rollout" => self.rollout.is_some(),
            _ => true,
        })
    }

    fn reads(&self) -> Reads {
        self.reads
    }

    fn call(&self, function: &str, request: &str) -> Option<Result<String, RequestError>> {
        call(ADDRESSING, self, function, request)
    }
}

fn is_shoot(request: &Request<'_>) -> Result<(), RequestError> {
    if judged_kind(request.object) == Some("Shoot") { Ok(()) } else { Err(unsupported(request.object)) }
}
