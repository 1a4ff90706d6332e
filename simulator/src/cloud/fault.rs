//! Faults, and the calls that they hit.

use std::num::NonZeroU64;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::garbling::Garbling;
use super::{Operation, Pattern, Refused};
use crate::action::{ErrorCode, Service, common};
use crate::regions;
use crate::service::SERVICES;
use crate::settings::Seconds;

/// A fault, and the calls that it is for.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct Order {
    /// The actions.
    pub action: Pattern,
    /// The account; without one, all.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub account: Option<String>,
    /// The region; without one, all.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub region: Option<String>,
    /// Which of those calls.
    #[serde(default)]
    pub occurrence: Occurrence,
    /// How many calls at most.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub times: Option<NonZeroU64>,
    /// What goes wrong.
    pub fault: Fault,
}

/// The calls that a fault hits, of all calls that it is for. They are counted from the order of the fault on.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Occurrence {
    /// All.
    #[default]
    All,
    /// The call of this number alone.
    Nth(NonZeroU64),
    /// Each call whose number is a multiple of this one.
    Every(NonZeroU64),
    /// This part of the calls, spread evenly: with 0.2, each fifth.
    Share(Share),
}

/// A part of a whole: above 0, at most 1, in millionths.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "f64", into = "f64")]
pub struct Share(u32);

/// A number is not a part of a whole.
#[derive(Clone, Copy, Debug, thiserror::Error)]
#[error("a share must be from 0.000001 to 1")]
pub struct NoShare;

/// What goes wrong.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", deny_unknown_fields, rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum Fault {
    /// The call is refused, as too many.
    Throttle {
        /// The one whose calls are too many.
        #[serde(default)]
        by: Flow,
        /// When to try again, in seconds: 1 where nothing is said. At 0, the answer does not say.
        #[serde(default = "second")]
        retry_after: Seconds,
    },
    /// The call is refused with an error.
    Error {
        /// Its code, such as `InternalError`.
        code: String,
        /// Its HTTP status; for a code that the simulator knows, its own where nothing is said.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        status: Option<u16>,
        /// The message; for a code that the simulator knows, its own where nothing is said.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        message: Option<String>,
        /// Whether the error stays with the client token of the call: later calls with that token get
        /// `IdempotentFailed`.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        uses_token: bool,
    },
    /// The call is refused for a quota.
    Quota {
        /// The code of the quota, such as `QuotaExceeded.Vpc`.
        #[serde(default = "quota")]
        code: String,
    },
    /// The call is refused for a lack of permission.
    Unauthorised {},
    /// The call is never answered.
    Timeout {
        /// Whether it has an effect.
        when: When,
    },
    /// The connection is cut.
    Reset {
        /// Whether the call has an effect.
        when: When,
    },
    /// The call is carried out later.
    Slow {
        /// After how many milliseconds of real time, at most a day.
        milliseconds: u64,
    },
    /// The call waits until it is released.
    Hold {
        /// Whether it waits with or without its effect.
        when: When,
    },
    /// The call is carried out, and its answer is damaged on its way.
    Garbled {
        /// What becomes of the answer.
        how: Garbling,
    },
}

/// The one whose calls are too many.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Flow {
    /// This account.
    #[default]
    User,
    /// All accounts together.
    Api,
}

/// Whether a fault hits a call before or after the effect of the call.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum When {
    /// Before the effect: there is none, or not yet.
    Before,
    /// After the effect.
    After,
}

/// Why a fault cannot be ordered.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum OrderError {
    /// The account is not a number of an account.
    #[error("`account` must have 1 to 16 digits, not `{0}`")]
    Account(String),
    /// There is no such region.
    #[error("`region` must be a region of the cloud, such as `cn-shanghai`, not `{0}`")]
    Region(String),
    /// The code could not be sent.
    #[error("`fault.code` must be 1 to 128 visible ASCII characters, not `{0}`")]
    Code(String),
    /// The status is missing for an unknown code.
    #[error(
        "`fault.status` is needed for the code `{0}`, which the simulator does not know: a number from 400 to 599"
    )]
    NoStatus(String),
    /// The status is not that of an error.
    #[error("`fault.status` must be from 400 to 599, not {0}")]
    Status(u16),
    /// The message is too long.
    #[error("`fault.message` must have at most 1024 bytes")]
    Message,
    /// The call would take too long.
    #[error("`fault.milliseconds` must be at most 86400000, which is a day")]
    Slow,
    /// There are too many faults.
    #[error("there are {0} faults already, and no more are kept: delete some")]
    TooMany(usize),
}

/// The most milliseconds that a call is slowed by.
const SLOWEST: u64 = 24 * 60 * 60 * 1000;

/// The code of RAM, STS and ResourceManager where other services have `Forbidden.RAM`.
const NO_PERMISSION: ErrorCode = ErrorCode::new(
    403,
    "NoPermission",
    "You are not authorized to do this action. You should be authorized by RAM.",
);
/// The code of OSS where other services have `Forbidden.RAM`.
const ACCESS_DENIED: ErrorCode =
    ErrorCode::new(403, "AccessDenied", "You have no right to access this object because of bucket acl.");
/// The error of OSS for too many calls.
const QPS_LIMIT: ErrorCode =
    ErrorCode::new(503, "QpsLimitExceeded", "Please reduce your request rate on the requested resource.");

fn second() -> Seconds {
    Duration::from_secs(1).into()
}

fn quota() -> String {
    common::QUOTA.code.to_owned()
}

/// The error of this code that all actions may give, or one action: of this service, if one of its does.
fn known(code: &str, service: Option<&Service>) -> Option<&'static ErrorCode> {
    let of = |service: &Service| service.actions().flat_map(|action| action.errors.iter().copied());
    let shared = common::ALL.iter().copied();
    let mut all = shared.chain(service.into_iter().flat_map(of)).chain(SERVICES.iter().flat_map(of));
    all.find(|error| error.code == code)
}

impl Order {
    /// Checks the order.
    pub fn check(self) -> Result<Self, OrderError> {
        if let Some(account) = &self.account
            && !((1..=16).contains(&account.len()) && account.bytes().all(|byte| byte.is_ascii_digit()))
        {
            return Err(OrderError::Account(account.clone()));
        }
        if let Some(region) = &self.region
            && regions::region(region).is_none()
        {
            return Err(OrderError::Region(region.clone()));
        }
        self.fault.check()?;
        Ok(self)
    }

    /// Whether the fault is for a call.
    pub(super) fn is_for(&self, operation: &Operation) -> bool {
        self.action.matches(operation.service, operation.action)
            && self.account.as_ref().is_none_or(|account| *account == operation.caller.account)
            && self.region.as_ref().is_none_or(|region| *region == operation.region)
    }
}

impl Fault {
    fn check(&self) -> Result<(), OrderError> {
        let visible = |code: &String| {
            if (1..=128).contains(&code.len()) && code.bytes().all(|byte| byte.is_ascii_graphic()) {
                Ok(())
            } else {
                Err(OrderError::Code(code.clone()))
            }
        };
        match self {
            Self::Error { code, status, message, .. } => {
                visible(code)?;
                match status {
                    Some(status) if !(400..=599).contains(status) => return Err(OrderError::Status(*status)),
                    None if known(code, None).is_none() => return Err(OrderError::NoStatus(code.clone())),
                    _ => {}
                }
                match message {
                    Some(message) if message.len() > 1024 => Err(OrderError::Message),
                    _ => Ok(()),
                }
            }
            Self::Quota { code } => visible(code),
            Self::Slow { milliseconds } if *milliseconds > SLOWEST => Err(OrderError::Slow),
            _ => Ok(()),
        }
    }

    /// Whether the refusal stays with the client token of the call.
    pub(super) fn uses_token(&self) -> bool {
        matches!(self, Self::Error { uses_token: true, .. })
    }

    /// The refusal that the fault makes of a call of a service, if it makes one.
    pub(super) fn refusal(&self, service: &Service) -> Option<Refused> {
        let of_code = |code: &str, general: &'static ErrorCode| {
            let mut refused = Refused::from(known(code, Some(service)).unwrap_or(general));
            refused.code = code.to_owned().into();
            refused
        };
        Some(match self {
            Self::Throttle { by, retry_after } => {
                let error = match (service.code, by) {
                    ("oss", _) => &QPS_LIMIT,
                    (_, Flow::User) => &common::THROTTLED,
                    (_, Flow::Api) => &common::THROTTLED_API,
                };
                Refused::from(error).after(retry_after.duration())
            }
            Self::Error { code, status, message, .. } => {
                let mut refused = of_code(code, &common::INTERNAL);
                refused.status = status.unwrap_or(refused.status);
                if let Some(message) = message {
                    refused.message = message.clone().into();
                }
                refused
            }
            Self::Quota { code } => of_code(code, &common::QUOTA),
            Self::Unauthorised {} => Refused::from(match service.code {
                "ram" | "sts" | "resourcemanager" => &NO_PERMISSION,
                "oss" => &ACCESS_DENIED,
                _ => &common::FORBIDDEN,
            }),
            Self::Timeout { .. }
            | Self::Reset { .. }
            | Self::Slow { .. }
            | Self::Hold { .. }
            | Self::Garbled { .. } => return None,
        })
    }
}

impl Occurrence {
    /// Whether the fault hits the n-th call.
    pub(super) fn hits(self, n: u64) -> bool {
        match self {
            Self::All => true,
            Self::Nth(nth) => n == nth.get(),
            Self::Every(every) => n.is_multiple_of(every.get()),
            Self::Share(share) => share.of(n) > share.of(n.saturating_sub(1)),
        }
    }
}

impl Share {
    const WHOLE: u32 = 1_000_000;

    /// This part of a number, rounded down.
    fn of(self, number: u64) -> u128 {
        u128::from(number) * u128::from(self.0) / u128::from(Self::WHOLE)
    }
}

impl TryFrom<f64> for Share {
    type Error = NoShare;

    fn try_from(share: f64) -> Result<Self, NoShare> {
        let millionths = (share * f64::from(Self::WHOLE)).round();
        if !(1.0..=f64::from(Self::WHOLE)).contains(&millionths) {
            return Err(NoShare);
        }
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "it is from 1 to a million")]
        Ok(Self(millionths as u32))
    }
}

impl From<Share> for f64 {
    fn from(share: Share) -> Self {
        Self::from(share.0) / Self::from(Share::WHOLE)
    }
}

#[cfg(test)]
mod tests;
