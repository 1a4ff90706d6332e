//! A cloud for unit tests: one account, one region, a clock that is stepped.

use std::time::Duration;

use hyper::body::Bytes;
use jiff::Timestamp;
use serde_json::Value;

use crate::action::{Caller, CloudError, Principal};
use crate::cloud::{Clock, Cloud, Operation};
use crate::service::SERVICES;
use crate::settings::Settings;
use crate::world::World;

/// The cloud that a test talks to.
pub(crate) struct TestCloud {
    /// For what this does not offer.
    pub(crate) cloud: Cloud,
}

/// The account of tests.
pub(crate) const ACCOUNT: &str = "1000000000000001";
/// The region of tests; its zones are `cn-shanghai-a` and so on.
pub(crate) const REGION: &str = "cn-shanghai";

/// A call by the account of tests in their region, which says nothing more than what is given.
pub(crate) fn operation(service: &str, action: &str, parameters: &[(&str, &str)]) -> Operation {
    let service = SERVICES.iter().find(|known| known.code == service).expect("a service");
    let action = service.action(action).expect("an action");
    let parameters = parameters.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect();
    let caller = Caller {
        account: ACCOUNT.to_owned(),
        access_key: "test".to_owned(),
        principal: Principal::Account,
        sees_nothing: false,
    };
    Operation { service, action, caller, region: REGION.to_owned(), parameters, body: Bytes::new() }
}

impl TestCloud {
    pub(crate) fn new() -> Self {
        Self::with(Settings::default())
    }

    pub(crate) fn with(settings: Settings) -> Self {
        let clock = Clock::still("2026-01-02T03:04:05Z".parse::<Timestamp>().unwrap());
        Self { cloud: Cloud::new(World::default(), clock, settings) }
    }

    /// Goes forward by seconds.
    pub(crate) fn step(&self, seconds: u64) {
        self.cloud.step(Duration::from_secs(seconds)).unwrap();
    }

    /// Calls an action, with `RegionId` added where it is declared and not given.
    pub(crate) fn try_call(
        &self,
        service: &str,
        action: &str,
        parameters: &[(&str, &str)],
    ) -> Result<Value, CloudError> {
        let mut operation = operation(service, action, parameters);
        let given = operation.parameters.iter().find(|(name, _)| name == "RegionId");
        match given.map(|(_, region)| region.clone()) {
            Some(region) => operation.region = region,
            None if operation.action.parameter("RegionId").is_some() => {
                operation.parameters.push(("RegionId".to_owned(), REGION.to_owned()));
            }
            None => {}
        }
        let before = self.cloud.world();
        let answer = self.cloud.execute(&operation);
        if answer.is_err() {
            assert!(before == self.cloud.world(), "{action} changed the world although it refused");
        }
        answer.map(|answer| Value::Object(answer.fields))
    }

    /// Calls an action that succeeds.
    pub(crate) fn call(&self, service: &str, action: &str, parameters: &[(&str, &str)]) -> Value {
        self.try_call(service, action, parameters).unwrap_or_else(|error| panic!("{action}: {error}"))
    }

    /// Calls an action that succeeds and gives a text of its answer.
    pub(crate) fn text(&self, service: &str, action: &str, parameters: &[(&str, &str)], field: &str) -> String {
        let answer = self.call(service, action, parameters);
        answer[field].as_str().unwrap_or_else(|| panic!("{action} answers {answer}")).to_owned()
    }

    /// Calls an action that is refused, and gives the code of the error.
    pub(crate) fn refused(&self, service: &str, action: &str, parameters: &[(&str, &str)]) -> String {
        match self.try_call(service, action, parameters) {
            Ok(answer) => panic!("{action} is not refused: {answer}"),
            Err(error) => error.code().to_owned(),
        }
    }
}
