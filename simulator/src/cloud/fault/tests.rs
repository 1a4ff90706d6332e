use serde_json::{Value, json};

use super::*;
use crate::service::{ecs, oss, sts, vpc};

fn order(fault: &Value) -> Result<Order, String> {
    let order: Order =
        serde_json::from_value(json!({ "action": "*", "fault": fault })).map_err(|e| e.to_string())?;
    order.check().map_err(|error| error.to_string())
}

#[test]
fn a_share_is_exact_in_every_five_calls() {
    for (share, of_five) in [(0.2, 1), (0.4, 2), (0.6, 3), (1.0, 5)] {
        let occurrence = Occurrence::Share(share.try_into().unwrap());
        for start in 1..100 {
            let hits = (start..start + 5).filter(|n| occurrence.hits(*n)).count();
            assert_eq!(hits, of_five, "{share} from {start}");
        }
    }
}

#[test]
fn an_occurrence_is_one_or_each_of_so_many() {
    let hit = |occurrence: Value| {
        let occurrence: Occurrence = serde_json::from_value(occurrence).unwrap();
        (1..=7).filter(|n| occurrence.hits(*n)).collect::<Vec<_>>()
    };
    assert_eq!(hit(json!("all")), [1, 2, 3, 4, 5, 6, 7]);
    assert_eq!(hit(json!({ "nth": 3 })), [3]);
    assert_eq!(hit(json!({ "every": 3 })), [3, 6]);
    assert_eq!(hit(json!({ "share": 0.3 })), [4, 7]);
}

#[test]
fn a_fault_refuses_as_its_service_does() {
    for (fault, service, status, code) in [
        (json!({ "kind": "throttle" }), &vpc::SERVICE, 400, "Throttling.User"),
        (json!({ "kind": "throttle", "by": "api" }), &vpc::SERVICE, 400, "Throttling.Api"),
        (json!({ "kind": "throttle" }), &oss::SERVICE, 503, "QpsLimitExceeded"),
        (json!({ "kind": "error", "code": "InternalError" }), &vpc::SERVICE, 500, "InternalError"),
        (json!({ "kind": "error", "code": "ServiceUnavailable" }), &vpc::SERVICE, 503, "ServiceUnavailable"),
        (json!({ "kind": "error", "code": "InvalidVpcId.NotFound" }), &vpc::SERVICE, 404, "InvalidVpcId.NotFound"),
        (json!({ "kind": "error", "code": "DependencyViolation" }), &vpc::SERVICE, 400, "DependencyViolation"),
        (json!({ "kind": "error", "code": "DependencyViolation" }), &ecs::SERVICE, 403, "DependencyViolation"),
        (json!({ "kind": "error", "code": "Odd", "status": 418 }), &vpc::SERVICE, 418, "Odd"),
        (json!({ "kind": "quota" }), &vpc::SERVICE, 400, "QuotaExceeded"),
        (json!({ "kind": "quota", "code": "QuotaExceeded.Vpc" }), &vpc::SERVICE, 400, "QuotaExceeded.Vpc"),
        (json!({ "kind": "unauthorised" }), &vpc::SERVICE, 403, "Forbidden.RAM"),
        (json!({ "kind": "unauthorised" }), &sts::SERVICE, 403, "NoPermission"),
        (json!({ "kind": "unauthorised" }), &oss::SERVICE, 403, "AccessDenied"),
    ] {
        let refused = order(&fault).unwrap().fault.refusal(service).unwrap();
        assert_eq!((refused.status, &*refused.code), (status, code), "{fault}");
    }
    let fault = json!({ "kind": "throttle", "retryAfter": 2.5 });
    let refused = order(&fault).unwrap().fault.refusal(&vpc::SERVICE).unwrap();
    assert_eq!(refused.retry_after, Some(Duration::from_millis(2500)));
    assert_eq!(order(&json!({ "kind": "hold", "when": "after" })).unwrap().fault.refusal(&vpc::SERVICE), None);
}

#[test]
fn what_is_no_fault_is_refused() {
    for (fault, words) in [
        (json!({ "kind": "flood" }), "unknown variant `flood`"),
        (json!({ "kind": "hold" }), "missing field `when`"),
        (json!({ "kind": "unauthorised", "why": 1 }), "unknown field `why`"),
        (json!({ "kind": "throttle", "retryAfter": -1 }), "a time must be from 0"),
        (json!({ "kind": "error", "code": "Odd" }), "`fault.status` is needed for the code `Odd`"),
        (json!({ "kind": "error", "code": "Odd", "status": 200 }), "`fault.status` must be from 400 to 599"),
        (json!({ "kind": "error", "code": "a b", "status": 500 }), "`fault.code` must be 1 to 128"),
        (json!({ "kind": "quota", "code": "" }), "`fault.code` must be 1 to 128"),
        (json!({ "kind": "slow", "milliseconds": 86_400_001 }), "`fault.milliseconds` must be at most"),
    ] {
        let error = order(&fault).unwrap_err();
        assert!(error.contains(words), "{fault}: {error}");
    }
    for (order, words) in [
        (json!({ "action": "vpc:X", "fault": { "kind": "quota" } }), "names the action `X`"),
        (json!({ "action": "*", "account": "me", "fault": { "kind": "quota" } }), "`account` must have"),
        (json!({ "action": "*", "region": "moon", "fault": { "kind": "quota" } }), "`region` must be a region"),
        (json!({ "action": "*", "times": 0, "fault": { "kind": "quota" } }), "nonzero"),
        (json!({ "action": "*", "occurrence": { "share": 0 }, "fault": { "kind": "quota" } }), "a share must be"),
        (json!({ "action": "*", "occurrence": { "nth": 0 }, "fault": { "kind": "quota" } }), "nonzero"),
    ] {
        let read = serde_json::from_value::<Order>(order.clone()).map_err(|error| error.to_string());
        let error = read.and_then(|order| order.check().map_err(|error| error.to_string())).unwrap_err();
        assert!(error.contains(words), "{order}: {error}");
    }
}
