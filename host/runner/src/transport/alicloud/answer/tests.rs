use hyper::header::{HeaderName, HeaderValue};
use proptest::prelude::*;

use super::*;
use crate::transport::answer::LONGEST;

fn answer(status: u16, headers: &[(&'static str, &str)], body: &str) -> Answer {
    let header = |(name, value): &(&'static str, &str)| {
        (HeaderName::from_static(name), HeaderValue::from_str(value).unwrap())
    };
    Answer { status, headers: headers.iter().map(header).collect(), body: body.to_owned().into() }
}

#[test]
fn errors_are_read_in_both_spellings() {
    for body in [
        r#"{"Code":"C","Message":"m","RequestId":"r","HostId":"h","Recommend":"x"}"#,
        r#"{"code":"C","message":"m","requestId":"r","hostId":"h"}"#,
    ] {
        let failure = response(&answer(403, &[], body)).unwrap_err();
        assert_eq!((failure.code.as_str(), failure.message.as_str(), failure.http_status), ("C", "m", 403));
        assert_eq!((failure.request_id.as_deref(), failure.host_id.as_deref()), (Some("r"), Some("h")));
        assert!(!failure.ambiguous);
    }
}

#[test]
fn the_request_is_named_by_a_header_where_the_content_does_not() {
    let failure = response(&answer(503, &[("x-acs-request-id", "r")], "busy")).unwrap_err();
    assert_eq!((failure.code.as_str(), failure.request_id.as_deref()), (UNREADABLE_ANSWER, Some("r")));
    assert!(failure.ambiguous);
}

#[test]
fn a_code_without_words_is_still_a_code() {
    let failure = response(&answer(400, &[], r#"{"Code":"C","Message":""}"#)).unwrap_err();
    assert_eq!((failure.code.as_str(), failure.message.as_str()), ("C", "the cloud says nothing more"));
}

#[test]
fn only_who_breaks_down_may_have_done_it() {
    for (status, code, ambiguous) in [
        (500, "InternalError", true),
        (503, "ServiceUnavailable", true),
        (503, "Throttling.Api", false),
        (503, "Rejected.Throttling", false),
        (503, "QpsLimitExceeded", false),
        (503, "TotalQpsLimitExceeded", false),
        (503, "ActiveRequestLimitExceeded", false),
        (503, "UploadTrafficRateLimitExceeded", false),
        (503, "SlowDown", false),
        (400, "IncorrectStatus", false),
    ] {
        let failure = response(&answer(status, &[], &format!(r#"{{"Code":"{code}"}}"#))).unwrap_err();
        assert_eq!(failure.ambiguous, ambiguous, "{code}");
    }
}

#[test]
fn how_long_to_wait_is_read_in_every_form() {
    let asked = |headers: &[(&'static str, &str)]| response(&answer(400, headers, "{}")).unwrap_err().retry_after;
    let milliseconds = |time| Some(Duration::from_millis(time));
    let throttled = |headers: &[(&'static str, &str)]| {
        response(&answer(400, headers, r#"{"Code":"Throttling.User"}"#)).unwrap_err().retry_after
    };
    let rate = "Limit:1,Remain:0,TimeLeft:1500,Reset:1500";
    assert_eq!(throttled(&[("x-acs-retry-after", "250")]), milliseconds(250));
    assert_eq!(throttled(&[("x-ratelimit-user-api", rate)]), milliseconds(1500));
    assert_eq!(throttled(&[("x-ratelimit-user", "Limit:1, TimeLeft:7")]), milliseconds(7));
    assert_eq!(throttled(&[("retry-after", "3")]), milliseconds(3000));
    assert_eq!(asked(&[("retry-after", "3")]), milliseconds(3000));
    for long in ["18446744073709551615", "601"] {
        assert_eq!(asked(&[("retry-after", long)]), Some(LONGEST));
    }
    for none in ["", "0", "-1", "soon", "Wed, 21 Oct 2015 07:28:00 GMT", "1e3"] {
        assert_eq!(asked(&[("retry-after", none)]), None, "{none}");
    }
}

#[test]
fn of_several_waits_the_longest_holds() {
    let throttled = |headers: &[(&'static str, &str)]| {
        response(&answer(429, headers, r#"{"Code":"Busy"}"#)).unwrap_err().retry_after
    };
    let (short, long) = ("Limit:1,Remain:0,TimeLeft:100,Reset:100", "Limit:1,Remain:0,TimeLeft:1500,Reset:1500");
    for headers in [
        [("x-acs-retry-after", "250"), ("x-ratelimit-user", long)],
        [("x-acs-retry-after", "1500"), ("x-ratelimit-user-api", short)],
        [("x-ratelimit-user-api", short), ("x-ratelimit-user", long)],
        [("x-ratelimit-user-api", long), ("x-ratelimit-user", short)],
    ] {
        assert_eq!(throttled(&headers), Some(Duration::from_millis(1500)), "{headers:?}");
    }
}

#[test]
fn rates_that_are_reported_of_other_errors_ask_nobody_to_wait() {
    let rate = "Limit:500,Remain:499,TimeLeft:60000,Reset:60000";
    let headers = [("x-acs-retry-after", "60000"), ("x-ratelimit-user-api", rate), ("x-ratelimit-user", rate)];
    for (status, code, wait) in [
        (400, "IncorrectVpcStatus", None),
        (500, "InternalError", None),
        (503, "Throttling.Api", Some(Duration::from_mins(1))),
    ] {
        let failure = response(&answer(status, &headers, &format!(r#"{{"Code":"{code}"}}"#))).unwrap_err();
        assert_eq!(failure.retry_after, wait, "{code}");
    }
}

proptest! {
    #[test]
    fn any_answer_is_a_response_or_a_failure(status in 200_u16..600, body in ".{0,400}") {
        match response(&answer(status, &[], &body)) {
            Ok(response) => prop_assert!(response.is_object() && status < 300),
            Err(failure) => {
                prop_assert_eq!(failure.http_status, status);
                prop_assert!(!failure.code.is_empty() && !failure.message.is_empty());
            }
        }
    }
}
