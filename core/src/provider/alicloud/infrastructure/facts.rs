//! Answers of the cloud, looked up and read.

use std::cell::Cell;

use super::asked::is_asked_for;
use super::errors::{self, Errors};
use super::input::Input;
use super::world::Tags;
use crate::call::{Argument, Call, FactAnswer, Paging, Query};
use crate::collections::sorted;
use crate::document::{Path, Value};
use crate::policy::{PlanRequest, RequestError};
use crate::provider::alicloud::classify::classify;
use crate::provider::alicloud::queries::{CLIENT_UNAVAILABLE, CREDENTIALS_UNAVAILABLE};
use crate::provider::alicloud::rules::infrastructure_checks as rules;
use crate::report::{ErrorType, Report, Rule};

/// Codes of errors that tell that what is asked about is not there: then nothing is found, and nothing failed.
const GONE: &[&str] = &[
    "Forbidden.VpcNotFound",
    "InvalidAllocationId.NotFound",
    "InvalidNatGatewayId.NotFound",
    "InvalidRouteTableId.NotFound",
    "InvalidSecurityGroupId.NotFound",
    "InvalidSnatTableId.NotFound",
    "InvalidVpcID.NotFound",
    "InvalidVpcId.NotFound",
];

/// What a response about one security group names it by.
const GROUP: &str = "SecurityGroupId";

/// What is wrong with a response whose entries cannot be read.
const WRONG_SHAPE: &str = "has an entry in its response that is not of the API's shape";

/// Facts of a request, by the queries that they answer.
#[derive(Debug)]
pub struct Facts<'f> {
    request: &'f PlanRequest<'f>,
    input: &'f Input<'f>,
    report: Report<'f>,
    unanswered: Vec<Query>,
    /// Gardener error codes of the answers that are errors.
    codes: Vec<&'static str>,
}

/// What a failure of a query means.
#[derive(Clone, Copy, Debug)]
pub struct Means<'m> {
    /// The rule that it breaks.
    pub rule: &'static Rule,
    /// The place in the configuration, as it is printed and as a pointer.
    pub place: (&'static str, &'static str),
    /// What was being done.
    pub doing: &'m str,
    /// What it was done to.
    pub what: &'m str,
}

/// What became of all queries.
#[derive(Debug)]
pub enum Outcome {
    /// All are answered.
    Known,
    /// These are not answered yet.
    Unanswered(Vec<Query>),
    /// Some failed.
    Failed(Errors),
}

impl<'f> Facts<'f> {
    /// The facts of a request.
    pub fn new(request: &'f PlanRequest<'f>, input: &'f Input<'f>) -> Self {
        let report = Report::new(request.request.document());
        Self { request, input, report, unanswered: Vec::new(), codes: Vec::new() }
    }

    /// The answer to a query; `None` where it is not known, `null` where what is asked about is not there.
    pub fn answer(&mut self, query: &Query, means: Option<Means<'_>>) -> Option<&'f Value<'f>> {
        static NOTHING: Value<'static> = Value::Null;
        match self.known(query) {
            None => {
                self.ask(query);
                None
            }
            Some(FactAnswer::Response(response)) => Some(response),
            Some(FactAnswer::Error { code, .. }) if GONE.contains(&code) => Some(&NOTHING),
            Some(FactAnswer::Error { code, message, http_status }) => {
                self.fail(query, means, code, message, http_status);
                None
            }
        }
    }

    /// What a query was answered with, an error too.
    pub fn known(&self, query: &Query) -> Option<FactAnswer<'f>> {
        self.request.fact(query)
    }

    /// Asks what is not known yet.
    pub fn ask(&mut self, query: &Query) {
        if self.unanswered.iter().all(|known| known.id != query.id) {
            self.unanswered.push(query.clone());
        }
    }

    /// The entries of a list in the response to a query that are what it asks for, each read by `read`; `None` where they are
    /// not known.
    pub fn list<T>(
        &mut self,
        query: Query,
        list: &[&str],
        means: Option<Means<'_>>,
        read: impl Fn(&Entry<'f>) -> T,
    ) -> Result<Option<Vec<T>>, RequestError> {
        let mut found = Vec::new();
        let is_known = self.each(query, list, means, &mut |entry| found.push(read(entry)))?;
        Ok(is_known.then_some(found))
    }

    /// Reads each entry of such a list; whether they are known. Apart from [`list`](Self::list), so that a compiled policy
    /// holds it once and not for each type of entry.
    fn each(
        &mut self,
        query: Query,
        list: &[&str],
        means: Option<Means<'_>>,
        read: &mut dyn FnMut(&Entry<'f>),
    ) -> Result<bool, RequestError> {
        let Some(response) = self.answer(&query, means) else { return Ok(false) };
        match entries(&query, response, list, read) {
            Ok(()) => Ok(true),
            Err(problem) => Err(RequestError::Fact { query: query.id, problem }),
        }
    }

    /// The code of the error that a query was answered with.
    pub fn error_code(&self, query: &Query) -> Option<&'f str> {
        match self.known(query) {
            Some(FactAnswer::Error { code, .. }) => Some(code),
            _ => None,
        }
    }

    /// What became of all queries. Where one failed, the others are not asked.
    pub fn outcome(self) -> Outcome {
        let (findings, _) = self.report.into_parts();
        if !findings.is_empty() {
            let mut errors = Errors::new(findings);
            if errors.codes.is_empty() {
                errors.codes = self.codes;
                errors.codes.sort_unstable();
                errors.codes.dedup();
            }
            Outcome::Failed(errors)
        } else if self.unanswered.is_empty() {
            Outcome::Known
        } else {
            Outcome::Unanswered(self.unanswered)
        }
    }

    fn fail(&mut self, query: &Query, means: Option<Means<'_>>, code: &str, message: &str, http_status: i64) {
        let (rule, (field, pointer), detail) = match code {
            CREDENTIALS_UNAVAILABLE => {
                (&rules::ICV_002, ("", ""), format!("could not get Alicloud credentials: {message}"))
            }
            CLIENT_UNAVAILABLE => (&rules::ICV_003, ("", ""), format!("create aliclient actor failed: {message}")),
            _ => {
                let Call { service, action, .. } = query.call;
                let unknown = Means { rule: &rules::PLAN_001, place: ("", ""), doing: service, what: action };
                let Means { rule, place, doing, what } = means.unwrap_or(unknown);
                (rule, place, format!("{doing} {what} failed: {}", errors::cause(code, message)))
            }
        };
        let pointer = if field.is_empty() { String::new() } else { self.input.pointer(pointer) };
        let entry = self.report.error(rule, &Path::root(field, &pointer), ErrorType::Internal, detail);
        let error = crate::policy::CallError {
            service: query.call.service,
            action: query.call.action,
            code,
            message,
            http_status,
        };
        if code != CREDENTIALS_UNAVAILABLE && code != CLIENT_UNAVAILABLE {
            let classified = classify(&error);
            entry.remedy(classified.message);
            self.codes.extend(classified.codes);
        }
    }
}

/// Reads each entry of a list in a response that is what a query asks for. The list must be whole; what is wrong with it, if
/// anything is.
fn entries<'f>(
    Query { call, paging, .. }: &Query,
    response: &'f Value<'f>,
    list: &[&str],
    read: &mut dyn FnMut(&Entry<'f>),
) -> Result<(), &'static str> {
    let list = match (response, response.at(list)) {
        (Value::Null, _) => return Ok(()),
        (_, Some(Value::Array(list))) => list,
        _ => return Err("lacks the list of the API in its response"),
    };
    if *paging == Paging::PageNumber
        && let Some(Value::Number(total)) = response.get("TotalCount")
        && total.parse::<usize>().is_ok_and(|total| total > list.len())
    {
        return Err("has fewer entries than `TotalCount` says; the entries of all pages belong together");
    }
    let about = response.get(GROUP).and_then(Value::as_str);
    if call.parameters.get(GROUP).zip(about).is_some_and(|(asked, about)| *asked != Argument::from(about)) {
        return Err("is about another security group than was asked for");
    }
    for value in list {
        let entry = Entry::new(value);
        if is_asked_for(call, &entry) {
            read(&entry);
        }
        if entry.is_wrong.get() {
            return Err(WRONG_SHAPE);
        }
    }
    Ok(())
}

/// An entry of a list in a response, or a response.
#[derive(Debug)]
pub struct Entry<'f> {
    value: &'f Value<'f>,
    is_wrong: Cell<bool>,
}

impl<'f> Entry<'f> {
    /// An entry that nothing was read of yet.
    pub fn new(value: &'f Value<'f>) -> Self {
        Self { value, is_wrong: Cell::new(!matches!(value, Value::Object(_))) }
    }

    /// Whether all that was read was of the API's shape.
    pub fn check(&self, query: &Query) -> Result<(), RequestError> {
        if self.is_wrong.get() {
            return Err(RequestError::Fact { query: query.id.clone(), problem: WRONG_SHAPE });
        }
        Ok(())
    }

    /// A member that is never absent.
    pub fn id(&self, key: &str) -> String {
        let id = self.text(&[key]);
        if id.is_empty() {
            self.is_wrong.set(true);
        }
        id
    }

    /// A text; empty where there is none.
    pub fn text(&self, keys: &[&str]) -> String {
        match self.value.at(keys) {
            None => String::new(),
            Some(Value::String(text) | Value::Number(text)) => text.clone().into_owned(),
            Some(_) => {
                self.is_wrong.set(true);
                String::new()
            }
        }
    }

    /// The first text that is not empty.
    pub fn first(&self, keys: &[&str]) -> String {
        keys.iter().map(|key| self.text(&[key])).find(|text| !text.is_empty()).unwrap_or_default()
    }

    /// Whether a member is true.
    pub fn flag(&self, keys: &[&str]) -> bool {
        match self.value.at(keys) {
            Some(Value::Bool(flag)) => *flag,
            None => false,
            Some(_) => {
                self.is_wrong.set(true);
                false
            }
        }
    }

    /// The entries of a list of its own; none where there is no list.
    pub fn each<T>(&self, list: &[&str], read: impl Fn(&Entry<'f>) -> T) -> Vec<T> {
        let mut found = Vec::new();
        self.visit(list, &mut |entry| found.push(read(entry)));
        found
    }

    fn visit(&self, list: &[&str], read: &mut dyn FnMut(&Entry<'f>)) {
        let list = match self.value.at(list) {
            Some(Value::Array(list)) => list.as_slice(),
            None => &[],
            Some(_) => {
                self.is_wrong.set(true);
                &[]
            }
        };
        for value in list {
            let entry = Entry::new(value);
            read(&entry);
            self.is_wrong.set(self.is_wrong.get() || entry.is_wrong.get());
        }
    }

    /// The texts of a list of its own.
    pub fn texts(&self, list: &[&str]) -> Vec<String> {
        let text = |entry: &Entry<'f>| {
            entry.is_wrong.set(false);
            entry.text(&[])
        };
        self.each(list, text)
    }

    /// Tags, sorted. Some actions spell them with `Key`, others with `TagKey`; those of network load balancers are a list by
    /// themselves.
    pub fn tags(&self) -> Tags {
        let is_plain = matches!(self.value.at(&["Tags"]), Some(Value::Array(_)));
        let list: &[&str] = if is_plain { &["Tags"] } else { &["Tags", "Tag"] };
        sorted(self.each(list, |tag| (tag.first(&["Key", "TagKey"]), tag.first(&["Value", "TagValue"]))))
    }

    /// Whether a member is there.
    pub fn has(&self, key: &str) -> bool {
        self.value.get(key).is_some()
    }
}
