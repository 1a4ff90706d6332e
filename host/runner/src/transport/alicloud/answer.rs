//! What Alibaba Cloud says in an answer.

use std::time::Duration;

use serde_json::Value;

use crate::call::CallFailure;
use crate::call::failure::UNREADABLE_ANSWER;
use crate::transport::answer::{Answer, bounded};

/// The response of an RPC call; else the failure.
pub(super) fn response(answer: &Answer) -> Result<Value, CallFailure> {
    let content = serde_json::from_slice::<Value>(&answer.body).ok().filter(Value::is_object);
    match content {
        Some(response) if answer.is_success() => Ok(response),
        content => Err(failure(answer, content.as_ref())),
    }
}

fn failure(answer: &Answer, content: Option<&Value>) -> CallFailure {
    // Some services write these names in lower case.
    let member = |names: [&str; 2]| {
        let found = names.iter().find_map(|name| content?.get(name)?.as_str());
        found.filter(|text| !text.is_empty()).map(str::to_owned)
    };
    let code = member(["Code", "code"]);
    let message = match (member(["Message", "message"]), &code) {
        (Some(message), _) => message,
        (None, Some(_)) => "the cloud says nothing more".to_owned(),
        (None, None) => format!("the answer does not come from the cloud: `{}`", answer.shown()),
    };
    let code = code.unwrap_or_else(|| UNREADABLE_ANSWER.to_owned());
    refusal(answer, code, message, member(["RequestId", "requestId"]), member(["HostId", "hostId"]))
}

/// Words in the codes of calls that are refused because there are too many. OSS has a code for each of its limits.
const THROTTLED: [&str; 6] =
    ["Throttl", "QpsLimit", "RequestLimitExceeded", "TrafficRateLimitExceeded", "CpuLimitExceeded", "SlowDown"];

/// The failure that the answer reports.
pub(super) fn refusal(
    answer: &Answer,
    code: String,
    message: String,
    request_id: Option<String>,
    host_id: Option<String>,
) -> CallFailure {
    let throttled = THROTTLED.iter().any(|word| code.contains(word));
    let asks = throttled || answer.status == 429;
    CallFailure {
        // A service that refuses a call did nothing; a service that fails may have done something.
        ambiguous: !throttled && (answer.is_success() || answer.status >= 500),
        code,
        message,
        http_status: answer.status,
        request_id: request_id.or_else(|| answer.header("x-acs-request-id").map(str::to_owned)),
        host_id,
        retry_after: if asks { rest(answer) } else { answer.retry_after() },
        ..CallFailure::default()
    }
}

/// How long a throttled caller has to wait: the longest of all times in the answer. Alibaba Cloud gives them in
/// milliseconds; its older services do so in every answer, throttled or not.
fn rest(answer: &Answer) -> Option<Duration> {
    let milliseconds = |text: &str| text.trim().parse().ok().map(Duration::from_millis);
    let left = |name: &str| {
        let mut fields = answer.header(name)?.split(',');
        fields.find_map(|field| milliseconds(field.trim().strip_prefix("TimeLeft:")?))
    };
    let named = [
        answer.header("x-acs-retry-after").and_then(milliseconds),
        left("x-ratelimit-user-api"),
        left("x-ratelimit-user"),
        answer.retry_after(),
    ];
    bounded(named.into_iter().flatten().max())
}

#[cfg(test)]
mod tests;
