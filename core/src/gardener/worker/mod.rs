//! What every provider's worker pools have: the frame that makes their machines, shares of zones, hashes, machine deployments, user data, and what an
//! edit does to nodes (`gardener-contract` 1.5, 3.4, 3.5).

mod deployment;
mod draft;
mod hash;
mod inputs;
mod pool;
mod rollout;
mod share;
mod user_data;
mod words;

pub use deployment::{Machines, machine_deployment};
pub use draft::{ClassValues, MakesMachines, PoolAt, WorkerDraft, WorkerPools, WorkerRules, workers};
pub use hash::{HashError, in_place_hash, pool_hash};
pub use inputs::{Covered, Input, PoolIn, plain};
pub use pool::{CountOrPercentText, Image, Pool, WorkerSpec};
pub use rollout::{OwnInputs, rollout};
pub use share::{NotPercent, Zone, share, share_of};
pub use user_data::{UserData, user_data};
