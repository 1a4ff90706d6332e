//! A call on its way through the cloud: faults that hit it, the rates that limit it, its record.

use std::time::Duration;

use jiff::Timestamp;
use tokio::time::sleep;

use super::fault::{Fault, When};
use super::faults::Hit;
use super::records::Entry;
use super::{Cloud, Operation, Origin, Outcome, Refused, Rejection};
use crate::action::common;

impl Cloud {
    /// Carries out and records a call. Ordered faults may hit it, and the rates of the settings limit it.
    ///
    /// The server drops this future when the client of the call goes away: the rest of the call is not carried
    /// out.
    pub async fn call(&self, operation: Operation, seen: Origin) -> Outcome {
        let mut entry = self.records.begin(&operation, seen.clone(), self.now());
        let outcome = match self.faults.meet(&operation) {
            None => self.admit(&operation, &mut entry),
            Some(hit) => {
                entry.hit(hit.id);
                self.fail(hit, &operation, &seen, &mut entry).await
            }
        };
        entry.end(&outcome);
        outcome
    }

    /// Records a request that was refused before its action or its caller was known.
    pub fn refused(&self, rejection: &Rejection<'_>, seen: Origin) {
        self.records.reject(rejection, seen, self.now());
    }

    /// What time it is in the cloud.
    pub fn now(&self) -> Timestamp {
        self.state().clock.now()
    }

    async fn fail(&self, hit: Hit, operation: &Operation, seen: &Origin, entry: &mut Entry<'_>) -> Outcome {
        if let Some(refused) = hit.fault.refusal(operation.service) {
            if hit.fault.uses_token()
                && let Some(token) = operation.token()
                && !self.state().world.tokens.is_used(&token)
            {
                self.attempts.fail(token);
            }
            return Outcome::Refused(refused);
        }
        match hit.fault {
            Fault::Slow { milliseconds } => {
                self.later(sleep(Duration::from_millis(milliseconds)), operation, entry).await
            }
            Fault::Hold { when: When::Before } => {
                self.later(self.faults.hold(hit.id, operation, seen, When::Before), operation, entry).await
            }
            Fault::Hold { when: When::After } => {
                let outcome = self.admit(operation, entry);
                self.faults.hold(hit.id, operation, seen, When::After).await;
                outcome
            }
            Fault::Timeout { when } => {
                if when == When::After {
                    self.admit(operation, entry);
                }
                Outcome::Never
            }
            Fault::Reset { when } => {
                if when == When::After {
                    self.admit(operation, entry);
                }
                Outcome::Reset
            }
            Fault::Garbled { how } => match self.admit(operation, entry) {
                Outcome::Answer(answer) => Outcome::Garbled(answer, how),
                outcome => outcome,
            },
            // They refuse.
            Fault::Throttle { .. } | Fault::Error { .. } | Fault::Quota { .. } | Fault::Unauthorised {} => {
                self.admit(operation, entry)
            }
        }
    }

    /// Carries out a call after a wait. Meanwhile no other call with the same client token is carried out.
    async fn later(
        &self,
        wait: impl Future<Output = ()>,
        operation: &Operation,
        entry: &mut Entry<'_>,
    ) -> Outcome {
        match self.attempts.begin(operation.token()) {
            Ok(in_work) => {
                wait.await;
                drop(in_work);
                self.admit(operation, entry)
            }
            Err(error) => Outcome::Refused(Refused::of(operation.service, error.into())),
        }
    }

    /// Carries out a call, unless the rate is exceeded or its client token is not free.
    fn admit(&self, operation: &Operation, entry: &mut Entry<'_>) -> Outcome {
        let Operation { service, action, caller, .. } = operation;
        if let Some(rate) = self.settings().throttle.get(service.code, action.name)
            && let Err(left) = self.throttle.admit(&caller.account, service, action, rate)
        {
            let error = (&common::THROTTLED).into();
            return Outcome::Refused(Refused::of(service, error).after(left));
        }
        let free = self.attempts.check(operation.token().as_deref());
        let done = free.map_err(Into::into).and_then(|()| self.state().execute(operation));
        match done {
            Ok(done) => {
                if done.effect {
                    entry.effect();
                }
                Outcome::Answer(done.answer)
            }
            Err(error) => Outcome::Refused(Refused::of(operation.service, error)),
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};
    use tokio::time::{Instant, timeout};

    use super::*;
    use crate::cloud::{Ending, Filter, Garbling, Query};
    use crate::settings::{PerAction, Rate, Settings};
    use crate::testing::{REGION, TestCloud, operation};

    fn order(test: &TestCloud, fault: &Value) -> u64 {
        let order = json!({ "action": "vpc:CreateVpc", "fault": fault });
        test.cloud.order(serde_json::from_value(order).unwrap()).unwrap().id
    }

    fn create() -> Operation {
        operation("vpc", "CreateVpc", &[("RegionId", REGION)])
    }

    async fn call(test: &TestCloud) -> Outcome {
        test.cloud.call(create(), Origin { request_id: "R".to_owned(), ..Origin::default() }).await
    }

    fn vpcs(test: &TestCloud) -> usize {
        let filter = Filter { kind: Some("vpc:vpcs".to_owned()), ..Filter::default() };
        let vpcs = test.cloud.inventory(&filter);
        vpcs.pointer("/1000000000000001/cn-shanghai/vpc:vpcs").and_then(Value::as_array).map_or(0, Vec::len)
    }

    fn endings(test: &TestCloud) -> Vec<(Ending, Option<u64>, bool)> {
        let records = test.cloud.records(&Query::default());
        records.iter().map(|record| (record.outcome, record.fault, record.effect)).collect()
    }

    #[tokio::test]
    async fn a_call_is_carried_out_and_recorded() {
        let test = TestCloud::new();
        assert!(matches!(call(&test).await, Outcome::Answer(_)));
        let bad = operation("vpc", "CreateVpc", &[("RegionId", REGION), ("Colour", "red")]);
        assert!(
            matches!(test.cloud.call(bad, Origin::default()).await, Outcome::Refused(refused) if refused.status == 400)
        );
        test.cloud
            .refused(&Rejection { action: Some("Fly"), status: 404, ..Rejection::default() }, Origin::default());
        let refused = (Ending::Refused, None, false);
        assert_eq!(endings(&test), [(Ending::Answered, None, true), refused, refused]);
    }

    #[tokio::test]
    async fn reads_dry_runs_and_repetitions_have_no_effect() {
        let test = TestCloud::new();
        let region = ("RegionId", REGION);
        for (action, parameters) in [
            ("CreateVpc", vec![region, ("ClientToken", "t")]),
            ("CreateVpc", vec![region, ("ClientToken", "t")]),
            ("CreateVpc", vec![region, ("DryRun", "true")]),
            ("DescribeVpcs", vec![region]),
        ] {
            test.cloud.call(operation("vpc", action, &parameters), Origin::default()).await;
        }
        let effects: Vec<_> = endings(&test).iter().map(|ending| ending.2).collect();
        assert_eq!(effects, [true, false, false, false]);
    }

    #[tokio::test]
    async fn a_fault_is_on_one_side_of_the_effect() {
        for (fault, outcome, effects) in [
            (json!({ "kind": "timeout", "when": "before" }), Outcome::Never, 0),
            (json!({ "kind": "timeout", "when": "after" }), Outcome::Never, 1),
            (json!({ "kind": "reset", "when": "before" }), Outcome::Reset, 0),
            (json!({ "kind": "reset", "when": "after" }), Outcome::Reset, 1),
        ] {
            let test = TestCloud::new();
            order(&test, &fault);
            assert_eq!(call(&test).await, outcome, "{fault}");
            assert_eq!(vpcs(&test), effects, "{fault}");
            let ending = if outcome == Outcome::Never { Ending::TimedOut } else { Ending::Reset };
            assert_eq!(endings(&test), [(ending, Some(1), effects == 1)], "{fault}");
        }
    }

    #[tokio::test]
    async fn a_call_whose_answer_is_damaged_has_its_effect() {
        let test = TestCloud::new();
        order(&test, &json!({ "kind": "garbled", "how": "noEnd" }));
        assert!(matches!(call(&test).await, Outcome::Garbled(_, Garbling::NoEnd)));
        assert_eq!((vpcs(&test), endings(&test)), (1, vec![(Ending::Answered, Some(1), true)]));
    }

    #[tokio::test]
    async fn a_refusal_that_was_ordered_has_no_effect() {
        for fault in [
            json!({ "kind": "throttle" }),
            json!({ "kind": "error", "code": "InternalError" }),
            json!({ "kind": "quota" }),
            json!({ "kind": "unauthorised" }),
        ] {
            let test = TestCloud::new();
            order(&test, &fault);
            assert!(matches!(call(&test).await, Outcome::Refused(_)), "{fault}");
            assert_eq!((vpcs(&test), endings(&test)), (0, vec![(Ending::Refused, Some(1), false)]), "{fault}");
        }
    }

    #[tokio::test(start_paused = true)]
    async fn a_slow_call_is_carried_out_later() {
        let test = TestCloud::new();
        order(&test, &json!({ "kind": "slow", "milliseconds": 5000 }));
        let begun = Instant::now();
        assert!(matches!(call(&test).await, Outcome::Answer(_)));
        assert_eq!(begun.elapsed().as_millis(), 5000);
        assert_eq!(test.cloud.records(&Query::default())[0].milliseconds, 5000);
        // Its client goes away while it waits.
        assert!(timeout(Duration::from_secs(1), call(&test)).await.is_err());
        assert_eq!(vpcs(&test), 1);
        assert_eq!(endings(&test)[1], (Ending::Gone, Some(1), false));
    }

    #[tokio::test(start_paused = true)]
    async fn a_held_call_waits_until_it_is_released() {
        for (when, meanwhile) in [("before", 0), ("after", 1)] {
            let test = TestCloud::new();
            let id = order(&test, &json!({ "kind": "hold", "when": when }));
            for release in 0..4 {
                let before = vpcs(&test);
                let mut call = std::pin::pin!(call(&test));
                assert!(timeout(Duration::from_mins(1), &mut call).await.is_err());
                assert_eq!(vpcs(&test) - before, meanwhile);
                let [report] = &test.cloud.faults()[..] else { panic!("a fault") };
                let [held] = &report.held[..] else { panic!("a held call") };
                assert_eq!((held.action, held.request_id.as_str()), ("CreateVpc", "R"));
                let released = match release {
                    0 => test.cloud.release(Some(id), Some(held.call)),
                    1 => test.cloud.release(Some(id), None),
                    2 => test.cloud.release(None, None),
                    _ => test.cloud.delete_faults(Some(id)),
                };
                assert_eq!(released, 1);
                assert!(matches!(call.await, Outcome::Answer(_)));
                assert_eq!(vpcs(&test) - before, 1);
            }
        }
    }

    async fn call_with(test: &TestCloud, token: &str) -> String {
        let create = operation("vpc", "CreateVpc", &[("RegionId", REGION), ("ClientToken", token)]);
        match test.cloud.call(create, Origin::default()).await {
            Outcome::Refused(refused) => refused.code.into_owned(),
            Outcome::Answer(answer) => answer.fields["VpcId"].as_str().unwrap().to_owned(),
            other => panic!("{other:?}"),
        }
    }

    #[tokio::test]
    async fn a_failure_stays_with_its_token_where_the_fault_says_so() {
        for uses_token in [true, false] {
            let test = TestCloud::new();
            let before = call_with(&test, "before").await;
            let fault = json!({ "kind": "error", "code": "InternalError", "usesToken": uses_token });
            order(&test, &fault);
            assert_eq!(call_with(&test, "t").await, "InternalError");
            assert_eq!(call_with(&test, "before").await, "InternalError");
            assert!(matches!(call(&test).await, Outcome::Refused(_)), "a call without a token");
            test.cloud.delete_faults(Some(1));
            let after = call_with(&test, "t").await;
            assert_eq!(after == "IdempotentFailed", uses_token, "{after}");
            assert!(call_with(&test, "u").await.starts_with("vpc-"), "another token");
            assert_eq!(call_with(&test, "before").await, before, "this one had its effect before");
            test.cloud.delete_faults(None);
            assert!(call_with(&test, "t").await.starts_with("vpc-"));
        }
    }

    #[tokio::test(start_paused = true)]
    async fn while_a_call_waits_its_token_is_in_work() {
        for fault in
            [json!({ "kind": "hold", "when": "before" }), json!({ "kind": "slow", "milliseconds": 600_000 })]
        {
            let test = TestCloud::new();
            let order = json!({ "action": "vpc:CreateVpc", "occurrence": { "nth": 1 }, "fault": fault });
            let id = test.cloud.order(serde_json::from_value(order).unwrap()).unwrap().id;
            let mut first = std::pin::pin!(call_with(&test, "t"));
            assert!(timeout(Duration::from_mins(1), &mut first).await.is_err());
            assert_eq!(call_with(&test, "t").await, "IdempotentProcessing", "{fault}");
            assert!(call_with(&test, "u").await.starts_with("vpc-"), "{fault}");
            test.cloud.release(Some(id), None);
            let made = first.await;
            assert_eq!((call_with(&test, "t").await, vpcs(&test)), (made, 2), "{fault}");
        }
    }

    #[tokio::test(start_paused = true)]
    async fn a_token_is_free_when_the_client_of_its_call_goes() {
        let test = TestCloud::new();
        order(&test, &json!({ "kind": "hold", "when": "before" }));
        assert!(timeout(Duration::from_mins(1), call_with(&test, "t")).await.is_err());
        test.cloud.delete_faults(None);
        assert!(call_with(&test, "t").await.starts_with("vpc-"));
    }

    #[tokio::test(start_paused = true)]
    async fn a_held_call_whose_client_goes_leaves_nothing_behind() {
        for (when, effects) in [("before", 0), ("after", 1)] {
            let test = TestCloud::new();
            let id = order(&test, &json!({ "kind": "hold", "when": when }));
            assert!(timeout(Duration::from_mins(1), call(&test)).await.is_err());
            assert!(test.cloud.faults()[0].held.is_empty());
            assert_eq!(test.cloud.release(Some(id), None), 0);
            assert_eq!(vpcs(&test), effects);
            assert_eq!(endings(&test), [(Ending::Gone, Some(id), effects == 1)]);
        }
    }

    #[tokio::test(start_paused = true)]
    async fn calls_beyond_a_rate_are_throttled_with_the_time_that_is_left() {
        let settings = json!({ "throttle": { "vpc:*": { "calls": 1, "seconds": 4 } } });
        let test = TestCloud::with(serde_json::from_value::<Settings>(settings).unwrap());
        assert!(matches!(call(&test).await, Outcome::Answer(_)));
        tokio::time::advance(Duration::from_secs(1)).await;
        let Outcome::Refused(refused) = call(&test).await else { panic!("a refusal") };
        assert_eq!((refused.status, &*refused.code), (400, "Throttling.User"));
        assert_eq!(refused.retry_after, Some(Duration::from_secs(3)));
        assert_eq!(vpcs(&test), 1);
        tokio::time::advance(Duration::from_secs(3)).await;
        assert!(matches!(call(&test).await, Outcome::Answer(_)));

        // Other settings begin again.
        let rate = Rate { calls: 1, seconds: 4 };
        let settings = Settings { throttle: PerAction::all(rate), ..Settings::default() };
        test.cloud.set_settings(settings).unwrap();
        assert!(matches!(call(&test).await, Outcome::Answer(_)));
    }
}
