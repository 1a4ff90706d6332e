//! The refusal of a call, as it goes over the wire.

use std::borrow::Cow;
use std::time::Duration;

use crate::action::{CloudError, ErrorCode, Service};
use crate::oss as wire;
use crate::service::oss;

/// A call is refused.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refused {
    /// The status of the HTTP answer.
    pub status: u16,
    /// The code.
    pub code: Cow<'static, str>,
    /// What it says.
    pub message: Cow<'static, str>,
    /// Further elements of the error.
    pub details: Vec<(&'static str, String)>,
    /// The time after which the client may try again, where the error has one.
    pub retry_after: Option<Duration>,
}

impl Refused {
    /// An error in the words of a service: OSS has other words for the common errors.
    pub fn of(service: &Service, error: CloudError) -> Self {
        if service.code == oss::SERVICE.code { wire::translate(error).into() } else { error.into() }
    }

    /// Adds the time after which the client may try again.
    pub fn after(mut self, time: Duration) -> Self {
        self.retry_after = Some(time);
        self
    }

    /// The headers from which SDKs learn when to try again: the newest SDKs read the first header, older SDKs read
    /// the others.
    pub fn headers(&self) -> Vec<(&'static str, String)> {
        let Some(time) = self.retry_after.filter(|time| !time.is_zero()) else { return Vec::new() };
        let left = time.as_millis().max(1);
        let rate = format!("Limit:1,Remain:0,TimeLeft:{left},Reset:{left}");
        vec![
            ("x-acs-retry-after", left.to_string()),
            ("x-ratelimit-user-api", rate.clone()),
            ("x-ratelimit-user", rate),
        ]
    }
}

impl From<&'static ErrorCode> for Refused {
    fn from(error: &'static ErrorCode) -> Self {
        Self {
            status: error.status,
            code: error.code.into(),
            message: error.message.into(),
            details: Vec::new(),
            retry_after: None,
        }
    }
}

impl From<CloudError> for Refused {
    fn from(error: CloudError) -> Self {
        Self {
            status: error.error.status,
            code: error.code().to_owned().into(),
            message: error.message().to_owned().into(),
            details: error.detail.into_iter().collect(),
            retry_after: None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::action::common;

    #[test]
    fn every_generation_of_sdks_learns_when_to_try_again() {
        let refused = Refused::from(&common::THROTTLED).after(Duration::from_micros(1_500_400));
        let reported: Vec<_> = refused.headers();
        let rate = "Limit:1,Remain:0,TimeLeft:1500,Reset:1500".to_owned();
        assert_eq!(
            reported,
            [
                ("x-acs-retry-after", "1500".to_owned()),
                ("x-ratelimit-user-api", rate.clone()),
                ("x-ratelimit-user", rate),
            ]
        );
        assert!(Refused::from(&common::INTERNAL).headers().is_empty());
    }
}
