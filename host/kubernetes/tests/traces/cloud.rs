//! The cloud of a test.

use serde_json::{Value, json};
use trellis_simulator::cloud::Order;

use trellis_testing::loopback::Loopback;

/// A cloud in which nothing takes time.
pub struct Site {
    loopback: Loopback,
    pub url: String,
}

impl Site {
    pub fn new() -> Self {
        let loopback = Loopback::new(json!({ "delays": { "*": 0 } }));
        let url = loopback.url.clone();
        Self { loopback, url }
    }

    /// Orders a fault.
    pub fn order(&self, order: Value) {
        let order: Order = serde_json::from_value(order).unwrap();
        self.loopback.gateway.cloud().order(order).unwrap();
    }
}
