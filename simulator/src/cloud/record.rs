//! The record of a call.

use std::collections::BTreeMap;

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use super::secret::{HIDDEN, is_secret};
use crate::action::Service;

/// The longest value that a record keeps, in characters; longer ones are cut.
const LONGEST: usize = 256;
/// The most bytes of parameters that a record keeps.
const MOST: usize = 8 << 10;

/// Where a call comes from.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Origin {
    /// The identifier of the request.
    pub request_id: String,
    /// How it is signed, such as `ACS3-HMAC-SHA256`.
    pub signature: &'static str,
    /// Where it comes from, such as `127.0.0.1:50123`.
    pub peer: String,
    /// The client, as it calls itself.
    pub user_agent: String,
}

/// A call that was refused before its action or its caller was known.
#[derive(Clone, Copy, Debug, Default)]
pub struct Rejection<'a> {
    /// The service, if it is known.
    pub service: Option<&'static Service>,
    /// The action as it was sent.
    pub action: Option<&'a str>,
    /// The account, if it is known.
    pub account: Option<&'a str>,
    /// The access key as it was sent.
    pub access_key: Option<&'a str>,
    /// The region, if it is known.
    pub region: Option<&'a str>,
    /// Names and values, without what every request has.
    pub parameters: &'a [(String, String)],
    /// The status of the answer.
    pub status: u16,
    /// The code of the answer.
    pub code: &'a str,
}

/// A call that was made.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Record {
    /// Its number, from 1, in the order in which calls ended.
    pub sequence: u64,
    /// The simulator's time when it came.
    pub time: Timestamp,
    /// The real time when it came.
    pub wall_time: Timestamp,
    /// How long it took, in milliseconds of real time.
    pub milliseconds: u64,
    /// The account.
    pub account: Option<String>,
    /// The access key.
    pub access_key: Option<String>,
    /// The region.
    pub region: Option<String>,
    /// The service.
    pub service: Option<&'static str>,
    /// The action.
    pub action: Option<String>,
    /// Names and values, long ones cut, without secrets.
    pub parameters: BTreeMap<String, String>,
    /// Whether some parameters are left out because there were too many.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub more_parameters: bool,
    /// The identifier of the request.
    pub request_id: String,
    /// How it was signed.
    pub signature: &'static str,
    /// Where it came from.
    pub peer: String,
    /// The client.
    pub user_agent: String,
    /// How it ended.
    pub outcome: Ending,
    /// The status of the answer, if there was one.
    pub status: Option<u16>,
    /// The code of the error, if it was refused.
    pub code: Option<String>,
    /// The fault that hit it.
    pub fault: Option<u64>,
    /// Whether it changed the world.
    pub effect: bool,
}

/// How a call ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Ending {
    /// It was answered.
    Answered,
    /// It was refused.
    Refused,
    /// It is never answered.
    TimedOut,
    /// The connection was cut.
    Reset,
    /// The client went away before the end.
    Gone,
}

impl Ending {
    pub(super) fn as_str(self) -> &'static str {
        match self {
            Self::Answered => "answered",
            Self::Refused => "refused",
            Self::TimedOut => "timedOut",
            Self::Reset => "reset",
            Self::Gone => "gone",
        }
    }
}

impl Record {
    pub(super) fn new(seen: Origin, now: Timestamp) -> Self {
        Self {
            sequence: 0,
            time: now,
            wall_time: Timestamp::now(),
            milliseconds: 0,
            account: None,
            access_key: None,
            region: None,
            service: None,
            action: None,
            parameters: BTreeMap::new(),
            more_parameters: false,
            request_id: seen.request_id,
            signature: seen.signature,
            peer: seen.peer,
            user_agent: cut(&seen.user_agent),
            outcome: Ending::Gone,
            status: None,
            code: None,
            fault: None,
            effect: false,
        }
    }

    pub(super) fn take_parameters(&mut self, parameters: &[(String, String)]) {
        let mut room = MOST;
        for (name, value) in parameters {
            let value = if is_secret(name) { HIDDEN.to_owned() } else { cut(value) };
            let name = cut(name);
            let Some(left) = room.checked_sub(name.len() + value.len()) else {
                self.more_parameters = true;
                return;
            };
            room = left;
            self.parameters.insert(name, value);
        }
    }

    /// The name under which the call counts.
    pub(super) fn name(&self) -> String {
        let service = crate::service::SERVICES.iter().find(|service| Some(service.code) == self.service);
        let known =
            service.zip(self.action.as_deref()).filter(|(service, action)| service.action(action).is_some());
        known.map_or_else(|| "unknown".to_owned(), |(service, action)| format!("{}:{action}", service.code))
    }
}

/// A text, cut where it is too long.
pub(super) fn cut(text: &str) -> String {
    match text.char_indices().nth(LONGEST) {
        Some((end, _)) => text.get(..end).unwrap_or_default().to_owned() + "…",
        None => text.to_owned(),
    }
}
