//! Faults on order.

use std::sync::Mutex;
use std::time::Duration;

use super::Call;

/// What becomes of a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault {
    /// 409, without an effect.
    Conflict,
    /// 429 with `Retry-After` in seconds, without an effect.
    TooMany(u64),
    /// 500, without an effect.
    Internal,
    /// It goes on after this time.
    Slow(Duration),
    /// It has its effect, and the connection breaks before the answer.
    AnswerLost,
}

/// Which requests.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum On {
    Writes,
    /// All but watches.
    Requests,
    Watches,
    /// Creations of one kind, by its plural.
    Creations(&'static str),
}

impl On {
    fn matches(self, call: &Call) -> bool {
        match self {
            Self::Writes => call.writes(),
            Self::Requests => call.verb != "watch",
            Self::Watches => call.verb == "watch",
            Self::Creations(plural) => call.verb == "create" && call.path.rsplit('/').next() == Some(plural),
        }
    }
}

/// A fault of every n-th of some requests.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Order {
    pub on: On,
    pub every: u64,
    pub fault: Fault,
}

struct Standing {
    order: Order,
    met: u64,
    hit: u64,
}

#[derive(Default)]
pub(super) struct Orders(Mutex<Vec<Standing>>);

impl Orders {
    pub(super) fn add(&self, order: Order) {
        self.0.lock().unwrap().push(Standing { order, met: 0, hit: 0 });
    }

    pub(super) fn clear(&self) -> Vec<(Order, u64)> {
        self.0.lock().unwrap().drain(..).map(|standing| (standing.order, standing.hit)).collect()
    }

    /// The fault of this request; of several, the one that was ordered first.
    pub(super) fn of(&self, call: &Call) -> Option<Fault> {
        let mut found = None;
        for standing in self.0.lock().unwrap().iter_mut().filter(|standing| standing.order.on.matches(call)) {
            standing.met += 1;
            if standing.met.is_multiple_of(standing.order.every) && found.is_none() {
                standing.hit += 1;
                found = Some(standing.order.fault);
            }
        }
        found
    }
}
