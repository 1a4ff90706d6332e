//! How a simulator starts.

use jiff::Timestamp;

use crate::cloud::{Accounts, Clock, Cloud, NoRate, Settings};
use crate::gateway::Gateway;
use crate::service::ecs;
use crate::world::{self, World};

/// How a simulator starts.
#[derive(Clone, Debug)]
pub struct Options {
    /// Who may call.
    pub accounts: Accounts,
    /// The region of requests that name none.
    pub region: String,
    /// How the cloud behaves.
    pub settings: Settings,
    /// How fast its time goes: 1 as real time, 0 when it is only stepped.
    pub rate: f64,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            accounts: Accounts::built_in(),
            region: "cn-shanghai".to_owned(),
            settings: Settings::default(),
            rate: 1.0,
        }
    }
}

/// Why a simulator does not start.
#[derive(Debug, thiserror::Error)]
pub enum StartError {
    /// There is no such region.
    #[error("there is no region `{0}`")]
    Region(String),
    /// A clock does not go so.
    #[error(transparent)]
    Rate(#[from] NoRate),
}

impl Options {
    /// Makes the cloud and what stands before it.
    pub fn start(self) -> Result<Gateway, StartError> {
        let Self { accounts, region, settings, rate } = self;
        if world::region(&region).is_none() {
            return Err(StartError::Region(region));
        }
        let mut clock = Clock::at(Timestamp::now());
        clock.set_rate(rate)?;
        let mut world = World::default();
        ecs::seed(&mut world, &accounts);
        Ok(Gateway::new(Cloud::new(world, clock, settings), accounts, &region))
    }
}
