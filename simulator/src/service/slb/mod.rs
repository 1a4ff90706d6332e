//! Classic load balancers and the groups of servers behind them.

mod load_balancers;
mod server_groups;

use std::net::Ipv4Addr;

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use crate::action::{ErrorCode, Form, Rule, Service, Shape, field, items, record};
use crate::world::{Table, Transitions};

pub use load_balancers::LoadBalancer;
pub use server_groups::{Backend, ServerGroup};

/// The service.
pub const SERVICE: Service = Service {
    name: "Slb",
    version: "2014-05-15",
    code: "slb",
    actions: &[load_balancers::ACTIONS, load_balancers::reads::ACTIONS, server_groups::ACTIONS],
    quotas: &[&load_balancers::QUOTA],
};

/// The state of the service in a region of an account. None of it has transitions.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct State {
    /// Load balancers.
    pub load_balancers: Table<LoadBalancer>,
    /// The groups of servers of all load balancers.
    pub server_groups: Table<ServerGroup>,
}

impl State {
    /// The addresses that load balancers have.
    pub fn addresses(&self) -> impl Iterator<Item = Ipv4Addr> {
        self.load_balancers.iter().map(|balancer| balancer.address)
    }

    /// The addresses that load balancers have in a VSwitch, which cannot be deleted as long as there are any.
    pub fn addresses_in(&self, v_switch_id: &str) -> impl Iterator<Item = Ipv4Addr> {
        let there = self.load_balancers.iter().filter(move |balancer| balancer.v_switch_id == v_switch_id);
        there.map(|balancer| balancer.address)
    }
}

impl Transitions for State {
    fn due(&self) -> Option<Timestamp> {
        None
    }

    fn end_transitions(&mut self, _at: Timestamp) {}
}

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
