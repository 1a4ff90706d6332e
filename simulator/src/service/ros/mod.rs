//! ROS: stacks that copy images, which is what encrypted images are made with.

mod stack_reads;
mod stacks;
mod template;

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use crate::action::{Call, CloudError, ErrorCode, Service, common};
use crate::world::{Table, Transitions};

pub use stacks::{CopiedImage, Output, Stack};

/// The service.
pub const SERVICE: Service = Service {
    name: "ROS",
    version: "2019-09-10",
    code: "ros",
    actions: &[stacks::ACTIONS, stack_reads::ACTIONS],
    quotas: &[&stacks::QUOTA],
};

/// The state of the service in a region of an account.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct State {
    /// Stacks, also some that are deleted.
    pub stacks: Table<Stack>,
}

impl Transitions for State {
    fn due(&self) -> Option<Timestamp> {
        self.stacks.due()
    }

    fn end_transitions(&mut self, at: Timestamp) {
        self.stacks.end_transitions(at);
    }
}

const NOT_FOUND: ErrorCode = ErrorCode::new(404, "StackNotFound", "The Stack could not be found.");

/// The error for a stack that is not there.
fn not_found(id: &str) -> CloudError {
    NOT_FOUND.because(format!("The Stack ({id}) could not be found."))
}

/// The parameter `StackId`, which has to look like one.
fn stack_id<'a>(call: &'a Call<'_>) -> Result<&'a str, CloudError> {
    let id = call.text("StackId");
    let lengths = id.split('-').map(str::len);
    let digit = |letter: char| matches!(letter, '0'..='9' | 'a'..='f' | '-');
    if lengths.eq([8, 4, 4, 4, 12]) && id.chars().all(digit) {
        Ok(id)
    } else {
        Err(common::INVALID_PARAMETER.because(format!(
            "The specified parameter StackId is invalid, \"{id}\" does not match pattern \
             \"^[0-9a-f]{{8}}[-][0-9a-f]{{4}}[-][0-9a-f]{{4}}[-][0-9a-f]{{4}}[-][0-9a-f]{{12}}$\"."
        )))
    }
}
