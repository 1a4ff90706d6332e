//! What was called: the last calls, and counts of all.

use std::collections::{BTreeMap, VecDeque};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use tokio::time::Instant;

use super::secret::{HIDDEN, is_secret};
use super::{Operation, Outcome, Pattern};
use crate::action::Service;

/// How many calls are kept where nothing else is said.
pub const RECORDS: usize = 10_000;
/// The longest value that is kept, in characters; longer ones are cut.
const LONGEST: usize = 256;
/// The most that is kept of the parameters of a call, in bytes.
const MOST: usize = 8 << 10;
/// How many codes are counted by name for an action; what a client sends is part of some.
const CODES: usize = 64;

/// What is known of a call beside what it asks.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Seen {
    /// The identifier of the request.
    pub request_id: String,
    /// How it is signed, such as `ACS3-HMAC-SHA256`.
    pub signature: &'static str,
    /// Where it comes from, such as `127.0.0.1:50123`.
    pub peer: String,
    /// The client, as it calls itself.
    pub user_agent: String,
}

/// A call that was refused before it was known what it asks, or who asks.
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
    /// Whether some parameters are left out, for there were too many.
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
    /// The client went away before.
    Gone,
}

impl Ending {
    fn as_str(self) -> &'static str {
        match self {
            Self::Answered => "answered",
            Self::Refused => "refused",
            Self::TimedOut => "timedOut",
            Self::Reset => "reset",
            Self::Gone => "gone",
        }
    }
}

/// How often each action was called, also before the calls that are kept.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Counts {
    /// All calls.
    pub calls: u64,
    /// By action, such as `vpc:CreateVpc`; those that do not exist together as `unknown`.
    pub actions: BTreeMap<String, ActionCounts>,
}

/// How often an action was called.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct ActionCounts {
    /// All calls.
    pub calls: u64,
    /// Those that changed the world.
    pub effects: u64,
    /// By the code of the error; those without one by how they ended, such as `answered`. The codes beyond the first
    /// 64 count together as `other`.
    pub codes: BTreeMap<String, u64>,
}

/// Which records are wanted.
#[derive(Clone, Debug, Default)]
pub struct Query {
    /// Of these actions.
    pub action: Pattern,
    /// Of this account.
    pub account: Option<String>,
    /// Of this region.
    pub region: Option<String>,
    /// That ended so.
    pub outcome: Option<Ending>,
    /// With this code.
    pub code: Option<String>,
    /// With a greater number than this.
    pub after: u64,
    /// At most so many, the first of them.
    pub limit: Option<usize>,
}

/// The calls that were made.
#[derive(Debug)]
pub(super) struct Records(Mutex<Ring>);

#[derive(Debug)]
struct Ring {
    most: usize,
    /// The number of the last call.
    last: u64,
    records: VecDeque<Arc<Record>>,
    counts: Counts,
}

impl Default for Records {
    fn default() -> Self {
        let ring = Ring { most: RECORDS, last: 0, records: VecDeque::new(), counts: Counts::default() };
        Self(Mutex::new(ring))
    }
}

impl Records {
    fn ring(&self) -> MutexGuard<'_, Ring> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Keeps so many from now on.
    pub(super) fn keep(&self, most: usize) {
        let mut ring = self.ring();
        ring.most = most;
        while ring.records.len() > most {
            ring.records.pop_front();
        }
    }

    /// Forgets all, and counts from zero. Numbers go on.
    pub(super) fn clear(&self) {
        let mut ring = self.ring();
        ring.records.clear();
        ring.counts = Counts::default();
    }

    /// The records that are wanted, the oldest first.
    pub(super) fn list(&self, query: &Query) -> Vec<Arc<Record>> {
        let ring = self.ring();
        let after = ring.records.partition_point(|record| record.sequence <= query.after);
        let wanted = ring.records.iter().skip(after).filter(|record| query.wants(record));
        wanted.take(query.limit.unwrap_or(usize::MAX)).cloned().collect()
    }

    pub(super) fn counts(&self) -> Counts {
        self.ring().counts.clone()
    }

    /// The number of the last call.
    pub(super) fn last(&self) -> u64 {
        self.ring().last
    }

    fn push(&self, mut record: Record) {
        let mut ring = self.ring();
        ring.last += 1;
        record.sequence = ring.last;
        ring.counts.count(&record);
        if ring.most == 0 {
            return;
        }
        if ring.records.len() >= ring.most {
            ring.records.pop_front();
        }
        ring.records.push_back(Arc::new(record));
    }

    /// Records a call that was refused early.
    pub(super) fn reject(&self, rejection: &Rejection<'_>, seen: Seen, now: Timestamp) {
        let mut record = Record::new(seen, now);
        record.account = rejection.account.map(cut);
        record.access_key = rejection.access_key.map(cut);
        record.region = rejection.region.map(cut);
        record.service = rejection.service.map(|service| service.code);
        record.action = rejection.action.map(cut);
        record.take_parameters(rejection.parameters);
        record.outcome = Ending::Refused;
        record.status = Some(rejection.status);
        record.code = Some(cut(rejection.code));
        self.push(record);
    }

    /// Begins to record a call; it is recorded when that is dropped.
    pub(super) fn begin(&self, operation: &Operation, seen: Seen, now: Timestamp) -> Entry<'_> {
        let mut record = Record::new(seen, now);
        record.account = Some(operation.caller.account.clone());
        record.access_key = Some(operation.caller.access_key.clone());
        record.region = Some(operation.region.clone());
        record.service = Some(operation.service.code);
        record.action = Some(operation.action.name.to_owned());
        record.take_parameters(&operation.parameters);
        Entry { records: self, record: Some(record), begun: Instant::now() }
    }
}

/// A call under way.
pub(super) struct Entry<'a> {
    records: &'a Records,
    record: Option<Record>,
    begun: Instant,
}

impl Entry<'_> {
    /// Notes the fault that hit it.
    pub(super) fn hit(&mut self, fault: u64) {
        if let Some(record) = &mut self.record {
            record.fault = Some(fault);
        }
    }

    /// Notes that it changed the world.
    pub(super) fn effect(&mut self) {
        if let Some(record) = &mut self.record {
            record.effect = true;
        }
    }

    /// Notes how it ended.
    pub(super) fn end(mut self, outcome: &Outcome) {
        let Some(record) = &mut self.record else { return };
        match outcome {
            Outcome::Answer(_) => {
                record.outcome = Ending::Answered;
                record.status = Some(200);
            }
            Outcome::Refused(refused) => {
                record.outcome = Ending::Refused;
                record.status = Some(refused.status);
                record.code = Some(cut(&refused.code));
            }
            Outcome::Never => record.outcome = Ending::TimedOut,
            Outcome::Reset => record.outcome = Ending::Reset,
        }
    }
}

impl Drop for Entry<'_> {
    fn drop(&mut self) {
        if let Some(mut record) = self.record.take() {
            record.milliseconds = u64::try_from(self.begun.elapsed().as_millis()).unwrap_or(u64::MAX);
            self.records.push(record);
        }
    }
}

impl Record {
    fn new(seen: Seen, now: Timestamp) -> Self {
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

    fn take_parameters(&mut self, parameters: &[(String, String)]) {
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

    /// Under which name it counts.
    fn name(&self) -> String {
        let service = crate::service::SERVICES.iter().find(|service| Some(service.code) == self.service);
        let known =
            service.zip(self.action.as_deref()).filter(|(service, action)| service.action(action).is_some());
        known.map_or_else(|| "unknown".to_owned(), |(service, action)| format!("{}:{action}", service.code))
    }
}

impl Counts {
    fn count(&mut self, record: &Record) {
        self.calls += 1;
        let action = self.actions.entry(record.name()).or_default();
        action.calls += 1;
        action.effects += u64::from(record.effect);
        let code = record.code.as_deref().unwrap_or(record.outcome.as_str());
        let code = if action.codes.contains_key(code) || action.codes.len() < CODES { code } else { "other" };
        *action.codes.entry(code.to_owned()).or_default() += 1;
    }
}

impl Query {
    fn wants(&self, record: &Record) -> bool {
        let alike = |wanted: &Option<String>, is: &Option<String>| wanted.is_none() || wanted == is;
        let names = (record.service.unwrap_or_default(), record.action.as_deref().unwrap_or_default());
        self.action.matches_names(names.0, names.1)
            && alike(&self.account, &record.account)
            && alike(&self.region, &record.region)
            && alike(&self.code, &record.code)
            && self.outcome.is_none_or(|outcome| outcome == record.outcome)
    }
}

fn cut(text: &str) -> String {
    match text.char_indices().nth(LONGEST) {
        Some((end, _)) => text.get(..end).unwrap_or_default().to_owned() + "…",
        None => text.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use crate::action::Answer;

    use super::*;
    use crate::action::common;
    use crate::service::vpc;
    use crate::testing::operation;

    fn seen(request_id: &str) -> Seen {
        Seen { request_id: request_id.to_owned(), ..Seen::default() }
    }

    fn answered(records: &Records, parameters: &[(&str, &str)]) {
        let entry = records.begin(&operation("vpc", "CreateVpc", parameters), seen("R"), Timestamp::UNIX_EPOCH);
        entry.end(&Outcome::Answer(Answer::default()));
    }

    #[test]
    fn only_the_last_calls_are_kept_but_all_are_counted() {
        let records = Records::default();
        records.keep(3);
        for _ in 0..5 {
            answered(&records, &[]);
        }
        let sequences: Vec<_> = records.list(&Query::default()).iter().map(|record| record.sequence).collect();
        assert_eq!(sequences, [3, 4, 5]);
        assert_eq!(records.counts().actions["vpc:CreateVpc"].codes["answered"], 5);
        records.keep(1);
        assert_eq!(records.list(&Query::default()).len(), 1);
        records.clear();
        assert_eq!(records.counts(), Counts::default());
        answered(&records, &[]);
        assert_eq!(records.list(&Query::default())[0].sequence, 6, "numbers go on");
        records.keep(0);
        answered(&records, &[]);
        assert!(records.list(&Query::default()).is_empty());
        assert_eq!((records.counts().calls, records.last()), (2, 7));
    }

    #[test]
    fn values_are_cut_and_secrets_left_out() {
        let records = Records::default();
        let long = "é".repeat(300);
        answered(&records, &[("Description", &long), ("Password", "hunter2"), ("SecurityToken", "t")]);
        let record = &records.list(&Query::default())[0];
        assert_eq!(record.parameters["Description"], "é".repeat(256) + "…");
        assert_eq!(record.parameters["Password"], HIDDEN);
        assert_eq!(record.parameters["SecurityToken"], HIDDEN);
        assert!(!record.more_parameters);

        let names: Vec<_> = (0..1000).map(|number| format!("Permissions.{number}.Policy")).collect();
        let many: Vec<_> = names.iter().map(|name| (name.as_str(), "accept")).collect();
        answered(&records, &many);
        let record = &records.list(&Query::default())[1];
        assert!(record.more_parameters && record.parameters.len() < 400, "{}", record.parameters.len());
    }

    #[test]
    fn what_clients_make_up_is_counted_together() {
        let records = Records::default();
        for number in 0..200 {
            let (action, code) = (format!("Create{number}"), format!("Missing{number}"));
            let rejection = Rejection {
                action: Some(&action),
                status: 404,
                code: "InvalidAction.NotFound",
                ..Rejection::default()
            };
            records.reject(&rejection, seen("R"), Timestamp::UNIX_EPOCH);
            let service = Some(&vpc::SERVICE);
            let rejection = Rejection { service, action: Some("CreateVpc"), code: &code, ..rejection };
            records.reject(&rejection, seen("R"), Timestamp::UNIX_EPOCH);
        }
        let counts = records.counts();
        assert_eq!(counts.actions.keys().collect::<Vec<_>>(), ["unknown", "vpc:CreateVpc"]);
        assert_eq!(counts.actions["unknown"].codes["InvalidAction.NotFound"], 200);
        assert_eq!(counts.actions["vpc:CreateVpc"].codes["other"], 200 - 64);
    }

    #[test]
    fn records_are_asked_for_by_what_they_are() {
        let records = Records::default();
        answered(&records, &[]);
        let refuse = |region: &str| {
            let mut call = operation("vpc", "DescribeVpcs", &[]);
            region.clone_into(&mut call.region);
            let entry = records.begin(&call, seen("R"), Timestamp::UNIX_EPOCH);
            entry.end(&Outcome::Refused((&common::THROTTLED).into()));
        };
        refuse("cn-shanghai");
        refuse("cn-beijing");
        drop(records.begin(&operation("vpc", "CreateVpc", &[]), seen("R"), Timestamp::UNIX_EPOCH));
        let all = Query::default;
        for (query, sequences) in [
            (all(), &[1, 2, 3, 4][..]),
            (Query { action: "vpc:CreateVpc".parse().unwrap(), ..all() }, &[1, 4]),
            (Query { region: Some("cn-beijing".to_owned()), ..all() }, &[3]),
            (Query { account: Some("2".to_owned()), ..all() }, &[]),
            (Query { outcome: Some(Ending::Refused), ..all() }, &[2, 3]),
            (Query { outcome: Some(Ending::Gone), ..all() }, &[4]),
            (Query { code: Some("Throttling.User".to_owned()), ..all() }, &[2, 3]),
            (Query { after: 2, ..all() }, &[3, 4]),
            (Query { after: 1, limit: Some(1), ..all() }, &[2]),
            (Query { after: 9, ..all() }, &[]),
        ] {
            let found: Vec<_> = records.list(&query).iter().map(|record| record.sequence).collect();
            assert_eq!(found, sequences, "{query:?}");
        }
    }
}
