//! Facts of a request: what the cloud has answered, and what has still to be asked.

use super::entry::{Entry, each_of};
use super::error_words::{has_advice, words};
use super::errors::{Errors, said};
use super::findings::PlanFindings;
use crate::call::{Call, FactAnswer, Query};
use crate::document::{Path, Value};
use crate::plan::{ACCOUNT, recorded_value};
use crate::policy::{CallError, Classification, Consent, PlanRequest, RequestError, State};
use crate::report::{ErrorType, Report, Rule};

/// What the APIs of one cloud have of their own.
#[derive(Debug)]
pub struct Api {
    /// Whether an error says that what is asked about does not exist: by its code and the status of the response.
    /// Then nothing is found, and nothing failed.
    pub is_gone: fn(&str, i64) -> bool,
    /// Checks a response as a whole: whether it has the entries of all pages, and is about what the call asks for.
    /// The number is that of the entries in its list. The error says what is wrong with it.
    pub check: fn(&Query, &Value<'_>, usize) -> Result<(), &'static str>,
    /// Whether an entry of a list is what the call asks for. The entry itself shows it: a filter is a request to
    /// the cloud, and what a plan changes or deletes on the word of a filter alone may be somebody else's.
    pub is_asked_for: fn(&Call, &Entry<'_>) -> bool,
    /// What people call the cloud.
    pub cloud: &'static str,
    /// Classifies the error of a query.
    pub classify: fn(&CallError<'_>) -> Classification,
    /// Whether an error of that code says that the cloud refuses the credentials.
    pub refuses_credentials: fn(&str) -> bool,
    /// Gardener's codes of the text of an error.
    pub codes: fn(&str) -> Vec<&'static str>,
    /// Codes of errors that the host gives where it could not even call: each with the rule that it breaks, and
    /// how the finding about it begins.
    pub not_called: &'static [(&'static str, &'static Rule, &'static str)],
    /// The rule that a failed query breaks where no other rule needs it.
    pub unreadable: &'static Rule,
}

/// What the finding about a failed query says.
#[derive(Clone, Copy, Debug)]
pub struct OnFailure<'m> {
    /// The rule that the failure breaks.
    pub rule: &'static Rule,
    /// The place in the configuration: as it is printed, and as a pointer.
    pub place: (&'static str, &'static str),
    /// What failed.
    pub doing: &'m str,
    /// What it was done to.
    pub what: &'m str,
}

/// The facts of a request, and what is found out while they are read.
#[derive(Debug)]
pub struct Facts<'f> {
    api: &'static Api,
    request: &'f PlanRequest<'f>,
    report: Report<'f>,
    unanswered: Vec<Query>,
    /// What is wrong with the first response that cannot be read.
    unreadable: Option<RequestError>,
    /// Gardener's codes of the answers that are errors.
    codes: Vec<&'static str>,
    /// Whether a finding says that the cloud refuses the credentials.
    are_credentials_refused: bool,
}

/// What the facts say of the account that the credentials belong to.
#[derive(Debug, Default)]
pub struct KnownAccount {
    /// Its id; empty where nobody knows it.
    pub id: String,
    /// Why the cloud does not say it; empty where it does, and where nobody has asked.
    pub error: String,
    /// Gardener's codes of that error.
    pub codes: Vec<&'static str>,
}

/// What became of all queries.
#[derive(Debug)]
pub enum FactOutcome {
    /// All are answered.
    Known,
    /// These are not answered yet.
    Unanswered(Vec<Query>),
    /// Some failed.
    Failed(Errors),
}

impl<'f> Facts<'f> {
    /// The facts of a request.
    pub fn new(api: &'static Api, request: &'f PlanRequest<'f>) -> Self {
        let report = Report::new(request.request.document());
        Self {
            api,
            request,
            report,
            unanswered: Vec::new(),
            unreadable: None,
            codes: Vec::new(),
            are_credentials_refused: false,
        }
    }

    /// What a query was answered with, also where that is an error.
    pub fn known(&self, query: &Query) -> Option<FactAnswer<'f>> {
        self.request.fact(query)
    }

    /// Whether somebody agreed to take over what only a name shows to be ours.
    pub fn may_adopt(&self) -> bool {
        self.request.consent.adopt || Consent::annotated(&self.request.request).adopt
    }

    /// Asks a query.
    pub fn ask(&mut self, query: Query) {
        if self.unanswered.iter().all(|known| known.id != query.id) {
            self.unanswered.push(query);
        }
    }

    /// The response to a query, which is asked where it is not answered yet. `None` where there is no response;
    /// `null` where what is asked about does not exist.
    pub fn response(&mut self, query: &Query, on_failure: Option<OnFailure<'_>>) -> Option<&'f Value<'f>> {
        static NOTHING: Value<'static> = Value::Null;
        match self.known(query) {
            None => {
                self.ask(query.clone());
                None
            }
            Some(FactAnswer::Response(response)) => Some(response),
            Some(FactAnswer::Error { code, http_status, .. }) if (self.api.is_gone)(code, http_status) => {
                Some(&NOTHING)
            }
            Some(FactAnswer::Error { code, message, http_status }) => {
                self.report_failure(query, on_failure, code, message, http_status);
                None
            }
        }
    }

    /// Keeps what is wrong with a response, or with the request, for the [outcome](Self::outcome). The first error
    /// counts.
    pub fn fail(&mut self, error: RequestError) {
        self.unreadable.get_or_insert(error);
    }

    /// The entries that a query asks for, each read by `read`, by a pointer to their list in the response; `None`
    /// where there is no response, or one that cannot be read.
    pub fn list<T>(
        &mut self,
        query: Query,
        list: &str,
        on_failure: Option<OnFailure<'_>>,
        read: impl Fn(&Entry<'f>) -> T,
    ) -> Option<Vec<T>> {
        let mut found = Vec::new();
        let is_known = self.each(query, list, on_failure, &mut |entry| found.push(read(entry)));
        is_known.then_some(found)
    }

    /// Reads each entry that a query asks for; whether there is a response that can be read. Apart from
    /// [`list`](Self::list), so that a compiled policy holds it once and not for each type that is read.
    fn each(
        &mut self,
        query: Query,
        list: &str,
        on_failure: Option<OnFailure<'_>>,
        read: &mut dyn FnMut(&Entry<'f>),
    ) -> bool {
        if self.known(&query).is_none() {
            self.ask(query);
            return false;
        }
        let Some(response) = self.response(&query, on_failure) else { return false };
        if matches!(response, Value::Null) {
            return true;
        }
        match self.read_each(&query, response, list, read) {
            Ok(()) => true,
            Err(error) => {
                self.fail(error);
                false
            }
        }
    }

    /// Reads each entry of a response that its query asks for.
    fn read_each(
        &self,
        query: &Query,
        response: &'f Value<'f>,
        list: &str,
        read: &mut dyn FnMut(&Entry<'f>),
    ) -> Result<(), RequestError> {
        if let Some(Value::Array(entries)) = response.pointer(list) {
            let wrong = |problem| RequestError::Fact { query: query.id.clone(), problem };
            (self.api.check)(query, response, entries.len()).map_err(wrong)?;
        }
        let is_asked_for = self.api.is_asked_for;
        each_of(query, response, list, &mut |entry| {
            if is_asked_for(&query.call, entry) {
                read(entry);
            }
        })
    }

    /// The account that the credentials belong to, by the `identity` of the query. Where the cloud does not say, the
    /// other facts are read all the same.
    pub fn account(&mut self, query: Query) -> KnownAccount {
        let mut account = KnownAccount::default();
        match self.known(&query) {
            None => self.ask(query),
            Some(FactAnswer::Error { code, message, http_status }) => {
                let Call { service, action, .. } = query.call;
                let error = CallError { service, action, code, message, http_status };
                account.error = said(code, message);
                account.codes = (self.api.classify)(&error).codes;
            }
            Some(FactAnswer::Response(response)) => {
                let entry = Entry::new(response);
                let pointer = query.identity.unwrap_or_default();
                let keys: Vec<&str> = pointer.split('/').skip(1).collect();
                entry.id_at(&keys).clone_into(&mut account.id);
                if let Err(error) = entry.check(&query) {
                    self.fail(error);
                }
            }
        }
        account
    }

    /// The error where the state is of another account than the credentials.
    pub fn other_account(&self, state: &State, account: &str, rule: &'static Rule) -> Option<Errors> {
        let known = recorded_value(state, ACCOUNT).filter(|known| *known != account && !account.is_empty())?;
        let detail = format!("the state is of account {known}, and the credentials belong to account {account}");
        let mut findings = PlanFindings::new(self.request.request);
        findings.whole(rule, detail);
        Some(Errors::new(findings.into_findings(), self.api.codes))
    }

    /// The code of the error that a query was answered with.
    pub fn error_code(&self, query: &Query) -> Option<&'f str> {
        match self.known(query) {
            Some(FactAnswer::Error { code, .. }) => Some(code),
            _ => None,
        }
    }

    /// What became of all queries. Where one failed, nobody has to ask the others.
    pub fn outcome(self) -> Result<FactOutcome, RequestError> {
        if let Some(error) = self.unreadable {
            return Err(error);
        }
        let (findings, _) = self.report.into_parts();
        Ok(if !findings.is_empty() {
            let mut errors = Errors::new(findings, self.api.codes);
            if errors.codes.is_empty() {
                errors.codes = self.codes;
                errors.codes.sort_unstable();
                errors.codes.dedup();
            }
            FactOutcome::Failed(errors)
        } else if self.unanswered.is_empty() {
            FactOutcome::Known
        } else {
            FactOutcome::Unanswered(self.unanswered)
        })
    }

    fn report_failure(
        &mut self,
        query: &Query,
        on_failure: Option<OnFailure<'_>>,
        code: &str,
        message: &str,
        http_status: i64,
    ) {
        let Call { service, action, .. } = query.call;
        if let Some((_, rule, words)) = self.api.not_called.iter().find(|(known, ..)| *known == code) {
            self.report.error(rule, &Path::root("", ""), ErrorType::Internal, format!("{words}: {message}"));
            return;
        }
        let error = CallError { service, action, code, message, http_status };
        let classified = (self.api.classify)(&error);
        // Credentials that the cloud refuses once it refuses for every call, and no place in the configuration is
        // wrong.
        let refuses_credentials = (self.api.refuses_credentials)(code);
        if refuses_credentials && std::mem::replace(&mut self.are_credentials_refused, true) {
            return;
        }
        let unknown = OnFailure { rule: self.api.unreadable, place: ("", ""), doing: service, what: action };
        let OnFailure { rule, place: (field, pointer), doing, what } =
            on_failure.filter(|_| !refuses_credentials).unwrap_or(unknown);
        let pointer = match field {
            "" => String::new(),
            _ => format!("{}{pointer}", self.request.request.config_pointer()),
        };
        let detail = format!("{doing} {what} failed: {}", said(code, words(message)));
        let entry = self.report.error(rule, &Path::root(field, &pointer), ErrorType::Internal, detail);
        // The finding has the cloud's own words: without advice the remedy of the rule says more.
        if has_advice(self.api.cloud, &classified.message, &error) {
            entry.remedy(classified.message);
        }
        self.codes.extend(classified.codes);
    }
}
