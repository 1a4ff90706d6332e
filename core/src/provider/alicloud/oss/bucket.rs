//! A bucket of OSS, and how it is asked about and changed.

use crate::call::{Argument, Call, Query};
use crate::document::Value;
use crate::gardener::planning::facts::{Api, Facts, OnFailure};
use crate::gardener::planning::steps::Parameters;
use crate::policy::RequestError;
use crate::provider::alicloud::classify::{CLOUD, classify};
use crate::provider::alicloud::error_codes::codes;
use crate::provider::alicloud::queries::{Region, refuses_credentials};
use crate::report::Rule as ReportRule;

/// The service.
const SERVICE: &str = "oss";

/// Code of the error about a bucket that does not exist.
const NO_BUCKET: &str = "NoSuchBucket";

/// What is wrong with a response that lacks what every response to its call has.
pub const WRONG_SHAPE: &str = "is not of the API's shape";

/// What is wrong with the name of a bucket; `None` where it may be one.
pub fn name_fault(name: &str) -> Option<&'static str> {
    let is_name = (3..=63).contains(&name.len()) && is_label(name);
    (!is_name).then_some(
        "must be the name of a bucket: 3 to 63 lower case letters, digits and `-`, and no `-` at the ends",
    )
}

/// What is wrong with a region; `None` where it may be one.
pub fn region_fault(region: &str) -> Option<&'static str> {
    (region.is_empty() || !is_label(region)).then_some("must be a region, such as `cn-shanghai`")
}

fn is_label(text: &str) -> bool {
    let is_part = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-';
    text.bytes().all(is_part) && !text.starts_with('-') && !text.ends_with('-')
}

/// A finding about credentials that nobody could read, and about a client that nobody could make.
pub type NotCalled = &'static [(&'static str, &'static ReportRule, &'static str)];

/// The API of OSS, with the rules that a call breaks if it fails.
pub const fn api(unreadable: &'static ReportRule, not_called: NotCalled) -> Api {
    Api {
        is_gone: |code, status| code == NO_BUCKET && status == 404,
        // Each response is read whole, with the end of its list.
        check: |_, _, _| Ok(()),
        is_asked_for: |_, _| true,
        cloud: CLOUD,
        classify,
        refuses_credentials,
        codes,
        not_called,
        unreadable,
    }
}

/// What is known of something.
#[derive(Debug)]
pub enum Answer<T> {
    /// Nobody knows, or the answer cannot be read.
    Unknown,
    /// A whole answer says that there is none.
    Nothing,
    /// It is there.
    Found(T),
}

/// A bucket in a region.
#[derive(Clone, Copy, Debug)]
pub struct Bucket<'a> {
    /// Its region.
    pub region: &'a str,
    /// Its name.
    pub name: &'a str,
    /// The rule that a query about it breaks where the query fails.
    pub unreadable: &'static ReportRule,
}

impl Bucket<'_> {
    /// A query about the bucket.
    pub fn query(&self, action: &'static str, parameters: &Parameters<'_>) -> Query {
        Region(self.region).query(SERVICE, action, &[&[("bucket", self.name.into())], parameters].concat())
    }

    /// A call that changes the bucket.
    pub fn call(&self, action: &'static str, parameters: &Parameters<'_>) -> Call {
        Region(self.region).call(SERVICE, action, &[&[("bucket", self.name.into())], parameters].concat())
    }

    /// A call whose document has one element.
    pub fn call_with(&self, action: &'static str, element: &'static str, value: Argument) -> Call {
        let body = Argument::data([(element, value)]);
        self.call(action, &[("body", (&body).into())])
    }

    /// The response to a query; `null` where the bucket does not exist, and `None` where there is no response.
    pub fn response<'f>(&self, query: &Query, facts: &mut Facts<'f>) -> Option<&'f Value<'f>> {
        let on_failure =
            OnFailure { rule: self.unreadable, place: ("", ""), doing: query.call.action, what: self.name };
        facts.response(query, Some(on_failure))
    }

    /// The response to a query about a bucket that exists; `null` where it has nothing of what is asked about, as
    /// the code of the error says.
    pub fn response_of_existing<'f>(
        &self,
        query: &Query,
        none: &str,
        facts: &mut Facts<'f>,
    ) -> Option<&'f Value<'f>> {
        static NOTHING: Value<'static> = Value::Null;
        if facts.error_code(query) == Some(none) {
            return Some(&NOTHING);
        }
        let response = self.response(query, facts)?;
        if matches!(response, Value::Null) {
            facts.fail(wrong(query, "says that the bucket does not exist, and another answer says that it does"));
            return None;
        }
        Some(response)
    }
}

/// The error of a response that cannot be read.
pub fn wrong(query: &Query, problem: &'static str) -> RequestError {
    RequestError::Fact { query: query.id.clone(), problem }
}
