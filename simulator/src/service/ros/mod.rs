//! ROS: stacks that copy images, which is what encrypted images are made with.

mod stack_reads;
mod stacks;
mod template;

use crate::action::{Call, CloudError, ErrorCode, Service, common};

/// The service.
pub const SERVICE: Service = Service {
    name: "ROS",
    version: "2019-09-10",
    code: "ros",
    actions: &[stacks::ACTIONS, stack_reads::ACTIONS],
    quotas: &[&stacks::QUOTA],
};

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
