//! Network load balancers.

mod load_balancers;
mod tags;

use crate::action::{ErrorCode, Form, Rule, Service};

/// The service.
pub const SERVICE: Service = Service {
    name: "Nlb",
    version: "2022-04-30",
    code: "nlb",
    actions: &[load_balancers::ACTIONS, load_balancers::reads::ACTIONS, tags::ACTIONS],
    quotas: &[&load_balancers::QUOTA],
};

/// The `l` in `loadBalancer` is small: clients look for that.
const NOT_FOUND: ErrorCode =
    ErrorCode::new(404, "ResourceNotFound.loadBalancer", "The specified resource of loadbalancer is not found.");
const NO_PAGE: ErrorCode = ErrorCode::new(400, "IllegalParam.nextToken", "The param of nextToken is illegal.");

/// The name of a load balancer, and the reason of its protection.
const NAME: Form = Form::Text(&Rule {
    what: "2 to 128 letters, digits, `.`, `_` and `-`, the first a letter",
    check: |text| {
        (2..=128).contains(&text.chars().count())
            && text.starts_with(char::is_alphabetic)
            && text.chars().all(|letter| letter.is_alphanumeric() || "._-".contains(letter))
    },
});
