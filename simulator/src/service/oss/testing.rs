//! A cloud for the tests of this service.

use hyper::body::Bytes;

use super::SERVICE;
use crate::action::{Answer, Caller, CloudError, Principal};
use crate::cloud::Operation;
use crate::service::SERVICES;
use crate::settings::Settings;
use crate::testing::{ACCOUNT, REGION, TestCloud};

/// The cloud as an account uses it in a region.
pub(super) struct Oss {
    cloud: std::rc::Rc<TestCloud>,
    account: String,
    region: String,
}

impl Oss {
    pub(super) fn new() -> Self {
        Self::with(Settings::default())
    }

    pub(super) fn with(settings: Settings) -> Self {
        let cloud = std::rc::Rc::new(TestCloud::with(settings));
        Self { cloud, account: ACCOUNT.to_owned(), region: REGION.to_owned() }
    }

    /// With a bucket of the name `bucket`.
    pub(super) fn with_bucket() -> Self {
        let cloud = Self::new();
        cloud.call("PutBucket", &[("bucket", "bucket")]);
        cloud
    }

    pub(super) fn other_account(&self) -> Self {
        Self { cloud: self.cloud.clone(), account: "1000000000000002".to_owned(), region: self.region.clone() }
    }

    pub(super) fn in_region(&self, region: &str) -> Self {
        Self { cloud: self.cloud.clone(), account: self.account.clone(), region: region.to_owned() }
    }

    pub(super) fn step(&self, seconds: u64) {
        self.cloud.step(seconds);
    }

    /// Calls an action with a body.
    pub(super) fn call_or(
        &self,
        action: &str,
        parameters: &[(&str, &str)],
        body: &[u8],
    ) -> Result<Answer, CloudError> {
        let service = SERVICES.iter().find(|service| service.code == SERVICE.code).unwrap();
        let operation = Operation {
            service,
            action: service.action(action).unwrap_or_else(|| panic!("no action {action}")),
            caller: Caller {
                account: self.account.clone(),
                access_key: "test".to_owned(),
                principal: Principal::Account,
                sees_nothing: false,
            },
            region: self.region.clone(),
            parameters: parameters.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect(),
            body: Bytes::copy_from_slice(body),
        };
        let before = self.cloud.cloud.world();
        let answer = self.cloud.cloud.execute(&operation);
        if answer.is_err() {
            assert!(before == self.cloud.cloud.world(), "{action} changed the world although it refused");
        }
        answer
    }

    /// Calls an action that succeeds.
    pub(super) fn call(&self, action: &str, parameters: &[(&str, &str)]) -> Answer {
        self.call_or(action, parameters, b"").unwrap_or_else(|error| panic!("{action}: {error}"))
    }

    /// Whether an action succeeds, else the code of its error.
    pub(super) fn attempt(&self, action: &str, parameters: &[(&str, &str)]) -> Result<(), &'static str> {
        self.call_or(action, parameters, b"").map(|_| ()).map_err(|error| error.error.code)
    }

    /// Puts an object into the bucket `bucket`.
    pub(super) fn put(&self, key: &str, content: &[u8]) {
        self.call_or("PutObject", &[("bucket", "bucket"), ("key", key)], content).unwrap();
    }

    /// The keys in the bucket `bucket`.
    pub(super) fn keys(&self) -> String {
        let result = self.call("ListObjects", &[("bucket", "bucket")]).fields["ListBucketResult"].clone();
        let rows = result["Contents"].as_array().unwrap().iter();
        rows.map(|row| row["Key"].as_str().unwrap().to_owned()).collect::<Vec<_>>().join(" ")
    }
}
