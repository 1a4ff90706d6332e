//! Network load balancers.

mod load_balancers;
mod tags;

use std::net::Ipv4Addr;

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use crate::action::{ErrorCode, Form, Rule, Service};
use crate::world::{Table, Transitions};

pub use load_balancers::{LoadBalancer, Protection, Zone};

/// The service.
pub const SERVICE: Service = Service {
    name: "Nlb",
    version: "2022-04-30",
    code: "nlb",
    actions: &[load_balancers::ACTIONS, load_balancers::reads::ACTIONS, tags::ACTIONS],
    quotas: &[&load_balancers::QUOTA],
};

/// The state of the service in a region of an account.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct State {
    /// Load balancers.
    pub load_balancers: Table<LoadBalancer>,
}

impl State {
    /// The public addresses that load balancers have.
    pub fn public_addresses(&self) -> impl Iterator<Item = Ipv4Addr> {
        self.zones().filter_map(|zone| zone.public_address)
    }

    /// The addresses that load balancers have in a VSwitch, which cannot be deleted as long as there are any.
    pub fn addresses_in(&self, v_switch_id: &str) -> impl Iterator<Item = Ipv4Addr> {
        self.zones().filter(move |zone| zone.v_switch_id == v_switch_id).map(|zone| zone.private_address)
    }

    fn zones(&self) -> impl Iterator<Item = &Zone> {
        self.load_balancers.iter().flat_map(|balancer| &balancer.zones)
    }
}

impl Transitions for State {
    fn due(&self) -> Option<Timestamp> {
        self.load_balancers.due()
    }

    fn end_transitions(&mut self, at: Timestamp) {
        self.load_balancers.end_transitions(at);
    }
}

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
