//! Classic load balancers and the groups of servers behind them.

mod load_balancers;
mod server_groups;

use crate::action::{ErrorCode, Form, Rule, Service, Shape, field, items, record};

/// The service.
pub const SERVICE: Service = Service {
    name: "Slb",
    version: "2014-05-15",
    code: "slb",
    actions: &[load_balancers::ACTIONS, load_balancers::reads::ACTIONS, server_groups::ACTIONS],
    quotas: &[&load_balancers::QUOTA],
};

/// <https://github.com/aliyun/terraform-provider-alicloud> waits for it after deletions.
const NOT_FOUND: ErrorCode =
    ErrorCode::new(404, "InvalidLoadBalancerId.NotFound", "The specified LoadBalancerId does not exist.");

/// The name of a load balancer, and the reason of its protection.
const NAME: Form = Form::Text(&Rule {
    what: "1 to 80 letters, digits, `.`, `_`, `/` and `-`, the first a letter or digit",
    check: |text| {
        text.chars().count() <= 80
            && text.starts_with(char::is_alphanumeric)
            && text.chars().all(|letter| letter.is_alphanumeric() || "._/-".contains(letter))
    },
});

/// How tags stand in the answers of this service.
const TAGS_SHAPE: Shape = record(&[field("Tag", items(&TAG))]);

const TAG: Shape = record(&[field("TagKey", Shape::Text), field("TagValue", Shape::Text)]);
