//! The faults that were ordered, and the calls that wait for one of them.

use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use serde::Serialize;
use tokio::sync::oneshot;

use super::fault::{Fault, Order, OrderError, When};
use super::{Operation, Origin};

/// How many faults there may be.
const MOST: usize = 1000;

/// The faults that were ordered. A call is met by one after the other, in the order in which they were ordered, up
/// to the first that hits it.
#[derive(Debug, Default)]
pub(super) struct Faults(Mutex<Orders>);

#[derive(Debug, Default)]
struct Orders {
    ordered: Vec<Ordered>,
    /// The number of all faults and held calls so far, from which the next gets its own.
    faults: u64,
    calls: u64,
}

#[derive(Debug)]
struct Ordered {
    id: u64,
    order: Order,
    met: u64,
    hits: u64,
    held: BTreeMap<u64, Waiting>,
}

#[derive(Debug)]
struct Waiting {
    held: HeldCall,
    /// Dropped to release the call.
    _release: oneshot::Sender<()>,
}

/// The report on an ordered fault: its order, and the calls that it met.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct FaultReport {
    /// Its number.
    pub id: u64,
    /// The order.
    #[serde(flatten)]
    pub order: Order,
    /// The number of calls that it was for.
    pub met: u64,
    /// The number of these calls that it hit.
    pub hits: u64,
    /// The calls that it holds now.
    pub held: Vec<HeldCall>,
}

/// A call that is held.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct HeldCall {
    /// Its number, by which it is released.
    pub call: u64,
    /// The service.
    pub service: &'static str,
    /// The action.
    pub action: &'static str,
    /// The account that calls.
    pub account: String,
    /// The region that is meant.
    pub region: String,
    /// The identifier of the request.
    pub request_id: String,
    /// Whether it waits with or without its effect.
    pub when: When,
}

/// A fault that hit a call.
#[derive(Clone, Debug)]
pub(super) struct Hit {
    pub(super) id: u64,
    pub(super) fault: Fault,
}

impl Faults {
    fn orders(&self) -> MutexGuard<'_, Orders> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Orders a fault, and gives its number.
    pub(super) fn order(&self, order: Order) -> Result<FaultReport, OrderError> {
        let order = order.check()?;
        let mut orders = self.orders();
        if orders.ordered.len() >= MOST {
            return Err(OrderError::TooMany(MOST));
        }
        orders.faults += 1;
        let ordered = Ordered { id: orders.faults, order, met: 0, hits: 0, held: BTreeMap::new() };
        let report = ordered.report();
        orders.ordered.push(ordered);
        Ok(report)
    }

    /// All faults.
    pub(super) fn list(&self) -> Vec<FaultReport> {
        self.orders().ordered.iter().map(Ordered::report).collect()
    }

    /// Deletes a fault, or all, and so releases the calls that it holds. Returns how many faults there were.
    pub(super) fn delete(&self, id: Option<u64>) -> usize {
        let mut orders = self.orders();
        let before = orders.ordered.len();
        orders.ordered.retain(|ordered| id.is_some_and(|id| id != ordered.id));
        before - orders.ordered.len()
    }

    /// Releases one or all of the calls that one fault holds, or that all faults hold. Returns how many.
    pub(super) fn release(&self, fault: Option<u64>, call: Option<u64>) -> usize {
        let mut orders = self.orders();
        let ordered = orders.ordered.iter_mut().filter(|ordered| fault.is_none_or(|id| id == ordered.id));
        ordered.fold(0, |released, ordered| {
            let before = ordered.held.len();
            ordered.held.retain(|number, _| call.is_some_and(|call| call != *number));
            released + before - ordered.held.len()
        })
    }

    /// Meets a call with the faults, up to the first that hits it.
    pub(super) fn meet(&self, operation: &Operation) -> Option<Hit> {
        let mut orders = self.orders();
        let mut ordered = orders.ordered.iter_mut().filter(|ordered| ordered.order.is_for(operation));
        let hit = ordered.find_map(|ordered| {
            ordered.met += 1;
            let spent = ordered.order.times.is_some_and(|times| ordered.hits >= times.get());
            if spent || !ordered.order.occurrence.hits(ordered.met) {
                return None;
            }
            ordered.hits += 1;
            Some(Hit { id: ordered.id, fault: ordered.order.fault.clone() })
        });
        drop(orders);
        hit
    }

    /// Waits until a call is released; at once if the fault is deleted already.
    pub(super) async fn hold(&self, fault: u64, operation: &Operation, seen: &Origin, when: When) {
        let (release, released) = oneshot::channel();
        let call = {
            let mut orders = self.orders();
            orders.calls += 1;
            let call = orders.calls;
            let Some(ordered) = orders.ordered.iter_mut().find(|ordered| ordered.id == fault) else { return };
            let held = HeldCall {
                call,
                service: operation.service.code,
                action: operation.action.name,
                account: operation.caller.account.clone(),
                region: operation.region.clone(),
                request_id: seen.request_id.clone(),
                when,
            };
            ordered.held.insert(call, Waiting { held, _release: release });
            call
        };
        let _forget = ForgetHeld { faults: self, fault, call };
        // It is dropped, not sent.
        let _ = released.await;
    }
}

impl Ordered {
    fn report(&self) -> FaultReport {
        FaultReport {
            id: self.id,
            order: self.order.clone(),
            met: self.met,
            hits: self.hits,
            held: self.held.values().map(|waiting| waiting.held.clone()).collect(),
        }
    }
}

/// Forgets a held call when it is released, and when its client is gone.
struct ForgetHeld<'a> {
    faults: &'a Faults,
    fault: u64,
    call: u64,
}

impl Drop for ForgetHeld<'_> {
    fn drop(&mut self) {
        if let Some(ordered) = self.faults.orders().ordered.iter_mut().find(|ordered| ordered.id == self.fault) {
            ordered.held.remove(&self.call);
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;
    use crate::testing::operation;

    fn ordered(orders: &[Value]) -> Faults {
        let faults = Faults::default();
        for order in orders {
            faults.order(serde_json::from_value(order.clone()).unwrap()).unwrap();
        }
        faults
    }

    #[test]
    fn a_fault_is_for_the_calls_that_it_names() {
        let quota = json!({ "kind": "quota" });
        for (order, is_for) in [
            (json!({ "action": "*", "fault": quota }), true),
            (json!({ "action": "vpc:CreateVpc", "fault": quota }), true),
            (json!({ "action": "vpc:DeleteVpc", "fault": quota }), false),
            (json!({ "action": "*", "account": "1000000000000001", "fault": quota }), true),
            (json!({ "action": "*", "account": "2", "fault": quota }), false),
            (json!({ "action": "*", "region": "cn-shanghai", "fault": quota }), true),
            (json!({ "action": "*", "region": "cn-beijing", "fault": quota }), false),
        ] {
            let hit = ordered(std::slice::from_ref(&order)).meet(&operation("vpc", "CreateVpc", &[]));
            assert_eq!(hit.is_some(), is_for, "{order}");
        }
    }

    #[test]
    fn a_call_is_hit_by_one_fault_and_counted() {
        let faults = ordered(&[
            json!({ "action": "*", "occurrence": { "every": 2 }, "times": 2, "fault": { "kind": "throttle" } }),
            json!({ "action": "*", "occurrence": { "nth": 2 }, "fault": { "kind": "quota" } }),
        ]);
        let call = operation("vpc", "CreateVpc", &[]);
        let hits: Vec<_> = (0..8).map(|_| faults.meet(&call).map(|hit| hit.id)).collect();
        // The second call of the second fault is the third of all.
        assert_eq!(hits, [None, Some(1), Some(2), Some(1), None, None, None, None]);
        let counts: Vec<_> = faults.list().iter().map(|report| (report.met, report.hits)).collect();
        assert_eq!(counts, [(8, 2), (6, 1)]);
        assert_eq!(faults.delete(Some(1)), 1);
        assert_eq!(faults.delete(Some(1)), 0);
        assert_eq!(faults.list().len(), 1);
        assert_eq!(faults.delete(None), 1);
    }

    #[test]
    fn there_are_only_so_many_faults() {
        let order = json!({ "action": "*", "fault": { "kind": "quota" } });
        let faults = ordered(&vec![order.clone(); MOST]);
        let error = faults.order(serde_json::from_value(order).unwrap()).unwrap_err();
        assert_eq!(error, OrderError::TooMany(MOST));
    }
}
