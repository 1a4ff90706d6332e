//! A call that an action carries out.

use std::cell::RefCell;
use std::ops::Deref;
use std::sync::LazyLock;
use std::time::Duration;

use hyper::body::Bytes;
use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use super::{Action, Arguments, CloudError, ErrorCode, Service};
use crate::resource::{Phase, Status};
use crate::settings::{Quota, Seconds, Settings};
use crate::world::{Account, Region, World};

/// Who calls.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Caller {
    /// The number of the account.
    pub account: String,
    /// The access key that signed.
    pub access_key: String,
    /// The identity that the access key stands for.
    pub principal: Principal,
    /// Whether the caller may not call the action, and the cloud shows nothing instead of an error.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub sees_nothing: bool,
}

/// The identity that an access key stands for.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Principal {
    /// The account itself.
    Account,
    /// A RAM user of the account.
    User(String),
    /// A role that was assumed.
    Role {
        /// The role's name.
        role: String,
        /// The session's name.
        session: String,
    },
}

/// A call whose signature and parameters are in order.
#[derive(Debug)]
pub struct Call<'a> {
    /// The service that is called.
    pub service: &'static Service,
    /// The action that is called.
    pub action: &'static Action,
    /// Who calls.
    pub caller: &'a Caller,
    /// The region of the call.
    pub region: &'a str,
    /// The simulator's time.
    pub now: Timestamp,
    /// The arguments of the call; [`Call`] derefs to them.
    pub arguments: Arguments,
    /// The content of an object, for the actions that take one.
    pub body: &'a Bytes,
    /// The settings of the cloud.
    pub settings: &'a Settings,
    /// The content that the answer has in addition to the declared fields.
    pub(crate) sent: RefCell<Bytes>,
}

impl Call<'_> {
    /// How long the transition takes that this call starts.
    pub fn takes(&self) -> Duration {
        let set = self.settings.delays.get(self.service.code, self.action.name);
        set.map_or(self.action.takes, Seconds::duration)
    }

    /// Answers with content in addition to the declared fields, as the reading of an object does.
    pub fn send(&self, content: Bytes) {
        self.sent.replace(content);
    }

    /// The time as the cloud writes it, such as `2026-01-02T03:04:05Z`.
    pub fn time(&self) -> String {
        self.now.strftime("%Y-%m-%dT%H:%M:%SZ").to_string()
    }

    /// A status that becomes another, both as the action declares.
    pub fn turn(&self, status: Status, takes: Duration, to: Status) -> Phase {
        self.declares(status);
        self.declares(to);
        Phase::turn(status, self.now, takes, to)
    }

    /// A last status, after which the resource is gone, as the action declares.
    pub fn leave(&self, status: Status, takes: Duration) -> Phase {
        self.declares(status);
        Phase::leave(status, self.now, takes)
    }

    fn declares(&self, status: Status) {
        debug_assert!(
            self.action.states.contains(&status),
            "{} sets {}, which it does not declare",
            self.action.name,
            status.as_str()
        );
    }

    /// Refuses the call where there are as many resources as a quota allows.
    pub fn within(&self, quota: &Quota, count: usize, error: &'static ErrorCode) -> Result<(), CloudError> {
        if count < self.settings.quota(quota) { Ok(()) } else { Err(error.into()) }
    }
}

impl Deref for Call<'_> {
    type Target = Arguments;

    fn deref(&self) -> &Arguments {
        &self.arguments
    }
}

/// What a call is about.
impl World {
    /// What the caller has in the region of the call.
    pub fn region(&self, call: &Call<'_>) -> &Region {
        static NOTHING: LazyLock<Region> = LazyLock::new(Region::default);
        self.account(call).region(call.region).unwrap_or(&NOTHING)
    }

    /// What the caller has in the region of the call, to be changed.
    pub fn region_mut(&mut self, call: &Call<'_>) -> &mut Region {
        self.account_mut(&call.caller.account).region_mut(call.region)
    }

    /// What the caller has in no region.
    pub fn account(&self, call: &Call<'_>) -> &Account {
        static NOTHING: LazyLock<Account> = LazyLock::new(Account::default);
        self.account_of(&call.caller.account).unwrap_or(&NOTHING)
    }
}
