//! The records of the last calls, and the counts of all calls.

use std::collections::{BTreeMap, VecDeque};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use jiff::Timestamp;
use serde::Serialize;
use tokio::time::Instant;

use super::record::cut;
use super::{Ending, Operation, Origin, Outcome, Pattern, Record, Rejection};

/// How many calls are kept where nothing else is said.
pub const RECORDS: usize = 10_000;
/// How many codes an action's counts name. There is a limit because some codes contain text of clients.
const CODES: usize = 64;

/// How often each action was called, including calls whose records are gone.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Counts {
    /// All calls.
    pub calls: u64,
    /// By action, such as `vpc:CreateVpc`; all actions that do not exist count together as `unknown`.
    pub actions: BTreeMap<String, ActionCounts>,
}

/// How often an action was called.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct ActionCounts {
    /// All calls.
    pub calls: u64,
    /// Those that changed the world.
    pub effects: u64,
    /// By the code of the error; those without one by how they ended, such as `answered`. The codes beyond the
    /// first 64 count together as `other`.
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
    /// With this outcome.
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
pub(super) struct Records(Mutex<CallLog>);

#[derive(Debug)]
struct CallLog {
    most: usize,
    /// The number of the last call.
    last: u64,
    records: VecDeque<Arc<Record>>,
    counts: Counts,
}

impl Default for Records {
    fn default() -> Self {
        let kept = CallLog { most: RECORDS, last: 0, records: VecDeque::new(), counts: Counts::default() };
        Self(Mutex::new(kept))
    }
}

impl Records {
    fn kept(&self) -> MutexGuard<'_, CallLog> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Keeps so many from now on.
    pub(super) fn keep(&self, most: usize) {
        let mut kept = self.kept();
        kept.most = most;
        while kept.records.len() > most {
            kept.records.pop_front();
        }
    }

    /// Forgets all records, and counts from zero. The numbers of calls go on.
    pub(super) fn clear(&self) {
        let mut kept = self.kept();
        kept.records.clear();
        kept.counts = Counts::default();
    }

    /// The records that are wanted, the oldest first.
    pub(super) fn list(&self, query: &Query) -> Vec<Arc<Record>> {
        let kept = self.kept();
        let after = kept.records.partition_point(|record| record.sequence <= query.after);
        let wanted = kept.records.iter().skip(after).filter(|record| query.wants(record));
        wanted.take(query.limit.unwrap_or(usize::MAX)).cloned().collect()
    }

    pub(super) fn counts(&self) -> Counts {
        self.kept().counts.clone()
    }

    /// The number of the last call.
    pub(super) fn last(&self) -> u64 {
        self.kept().last
    }

    fn push(&self, mut record: Record) {
        let mut kept = self.kept();
        kept.last += 1;
        record.sequence = kept.last;
        kept.counts.count(&record);
        if kept.most == 0 {
            return;
        }
        if kept.records.len() >= kept.most {
            kept.records.pop_front();
        }
        kept.records.push_back(Arc::new(record));
    }

    /// Records a call that was refused early.
    pub(super) fn reject(&self, rejection: &Rejection<'_>, seen: Origin, now: Timestamp) {
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
    pub(super) fn begin(&self, operation: &Operation, seen: Origin, now: Timestamp) -> Entry<'_> {
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
            Outcome::Answer(_) | Outcome::Garbled(..) => {
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

#[cfg(test)]
mod tests {
    use crate::action::Answer;

    use super::*;
    use crate::action::common;
    use crate::cloud::secret::HIDDEN;
    use crate::service::vpc;
    use crate::testing::operation;

    fn seen(request_id: &str) -> Origin {
        Origin { request_id: request_id.to_owned(), ..Origin::default() }
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
