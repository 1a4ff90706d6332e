//! What exists: accounts, their regions, and what is in them, a file for each service. Actions are in
//! [`crate::service`].

pub mod alidns;
pub mod ecs;
mod id;
pub mod nlb;
pub mod oss;
pub mod ram;
pub mod ros;
pub mod slb;
pub mod sts;
mod tokens;
pub mod vpc;

use std::collections::{BTreeMap, BTreeSet};

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use crate::resource::Transitions;

pub(crate) use id::scramble;
pub(crate) use tokens::{Known, Tokens};

/// All that exists.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct World {
    /// The next number that an identifier is made of.
    next: u64,
    accounts: BTreeMap<String, Account>,
    /// The numbers of the accounts that there are, whether they have anything or not.
    #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
    declared: BTreeSet<String>,
    /// The client tokens that were used.
    pub(crate) tokens: Tokens,
}

/// What an account has.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Account {
    /// What its regions have.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    regions: BTreeMap<String, Region>,
    /// Roles.
    pub ram: ram::State,
    /// Sessions of assumed roles.
    pub sts: sts::State,
    /// Domains and their records.
    pub alidns: alidns::State,
    /// Buckets and their objects, of all regions.
    pub oss: oss::State,
}

/// What an account has in a region.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Region {
    /// Networks.
    pub vpc: vpc::State,
    /// Security groups, images and instances.
    pub ecs: ecs::State,
    /// Classic load balancers.
    pub slb: slb::State,
    /// Network load balancers.
    pub nlb: nlb::State,
    /// Stacks.
    pub ros: ros::State,
}

impl Region {
    fn services(&self) -> [&dyn Transitions; 5] {
        [&self.vpc, &self.ecs, &self.slb, &self.nlb, &self.ros]
    }

    fn services_mut(&mut self) -> [&mut dyn Transitions; 5] {
        [&mut self.vpc, &mut self.ecs, &mut self.slb, &mut self.nlb, &mut self.ros]
    }
}

impl World {
    /// A new identifier, such as `vpc-` and twenty letters and digits. The same calls get the same identifiers.
    pub fn id(&mut self, prefix: &str) -> String {
        self.next += 1;
        id::id(prefix, self.next)
    }

    /// A new number, one more than the one before.
    pub fn number(&mut self) -> u64 {
        self.next += 1;
        self.next
    }

    /// What an account has, if it has anything.
    pub fn account_of(&self, account: &str) -> Option<&Account> {
        self.accounts.get(account)
    }

    /// What an account has, to be changed.
    pub fn account_mut(&mut self, account: &str) -> &mut Account {
        self.accounts.entry(account.to_owned()).or_default()
    }

    /// Declares that there is an account.
    pub fn declare(&mut self, account: &str) {
        self.declared.insert(account.to_owned());
    }

    /// Whether there is an account.
    pub fn knows(&self, account: &str) -> bool {
        self.declared.contains(account) || self.accounts.contains_key(account)
    }

    /// Forgets accounts and regions that have nothing.
    pub(crate) fn tidy(&mut self) {
        self.accounts.retain(|_, account| {
            account.regions.retain(|_, region| *region != Region::default());
            *account != Account::default()
        });
    }

    /// What each account has in a region.
    pub fn in_region(&self, region: &str) -> impl Iterator<Item = (&str, &Region)> {
        self.accounts().filter_map(move |(number, account)| Some((number, account.regions.get(region)?)))
    }

    /// All accounts that have something.
    pub fn accounts(&self) -> impl Iterator<Item = (&str, &Account)> {
        self.accounts.iter().map(|(number, account)| (number.as_str(), account))
    }

    /// When the next transition is over.
    pub fn due(&self) -> Option<Timestamp> {
        let regions = self.accounts.values().flat_map(|account| account.regions.values());
        let buckets = self.accounts.values().filter_map(|account| account.oss.due());
        regions.flat_map(Region::services).filter_map(Transitions::due).chain(buckets).min()
    }

    /// Ends the transitions that are over at a time.
    pub fn end_transitions(&mut self, at: Timestamp) {
        let regions = self.accounts.values_mut().flat_map(|account| account.regions.values_mut());
        for service in regions.flat_map(Region::services_mut) {
            service.end_transitions(at);
        }
        for account in self.accounts.values_mut() {
            account.oss.end_transitions(at);
        }
    }
}

impl Account {
    /// What the account has in its regions.
    pub fn regions(&self) -> impl Iterator<Item = (&str, &Region)> {
        self.regions.iter().map(|(name, region)| (name.as_str(), region))
    }

    /// What the account has in a region, if it has anything there.
    pub fn region(&self, region: &str) -> Option<&Region> {
        self.regions.get(region)
    }

    /// What the account has in a region, to be changed.
    pub fn region_mut(&mut self, region: &str) -> &mut Region {
        self.regions.entry(region.to_owned()).or_default()
    }
}
