//! Reads of stacks: `GetStack`, `ListStacks`.

use serde_json::{Value, json};

use super::{NOT_FOUND, not_found, stack_id};
use crate::action::{
    Action, COUNT, Call, CloudError, Form, Shape, TAG_FILTER, TEXT, TIME, field, items, like, list, optional,
    page, record, required,
};
use crate::resource::Status;
use crate::world::World;
use crate::world::ros::Stack;

/// The actions of this file.
pub const ACTIONS: &[Action] = &[GET, LIST];

const TAGS: Shape = items(&record(&[field("Key", Shape::Text), field("Value", Shape::Text)]));

const GET: Action = Action::read("GetStack", get)
    .parameters(&[
        required("RegionId", TEXT),
        required("StackId", TEXT),
        optional("OutputOption", Form::OneOf(&["Enabled", "Disabled"])).or("Enabled"),
    ])
    .left_out(&["ClientToken", "LogOption", "ShowResourceProgress"])
    .answer(&[
        field("StackId", Shape::Text),
        field("StackName", Shape::Text),
        field("StackType", Shape::Text),
        field("Status", Shape::Text),
        field("StatusReason", Shape::Text),
        field("Description", Shape::Text),
        field("TemplateDescription", Shape::Text),
        field("RegionId", Shape::Text),
        field("Parameters", items(&PARAMETER)),
        field("Outputs", items(&Shape::Map)),
        field("Tags", TAGS),
        field("TimeoutInMinutes", Shape::Integer),
        field("DisableRollback", Shape::Boolean),
        field("DeletionProtection", Shape::Text),
        field("ServiceManaged", Shape::Boolean),
        field("StackDriftStatus", Shape::Text),
        field("CreateTime", Shape::Text),
        field("UpdateTime", Shape::Text),
    ])
    .errors(&[&NOT_FOUND]);

const PARAMETER: Shape = record(&[field("ParameterKey", Shape::Text), field("ParameterValue", Shape::Text)]);

fn get(world: &World, call: &Call<'_>) -> Result<Value, CloudError> {
    let id = stack_id(call)?;
    let stack = world.region(call).ros.stacks.get(id).ok_or_else(|| not_found(id))?;
    let parameters: Vec<Value> = stack
        .parameters
        .iter()
        .map(|(name, value)| json!({ "ParameterKey": name, "ParameterValue": value }))
        .collect();
    let reported = stack.phase.status == Status::CreateComplete && call.text("OutputOption") == "Enabled";
    let mut answer = stack.row(call.region);
    if let Some(answer) = answer.as_object_mut() {
        answer.insert("Description".to_owned(), json!(stack.description));
        answer.insert("TemplateDescription".to_owned(), json!(stack.description));
        answer.insert("Parameters".to_owned(), json!(parameters));
        answer.insert("Outputs".to_owned(), if reported { json!(stack.outputs) } else { json!([]) });
    }
    Ok(answer)
}

const LIST: Action = Action::read("ListStacks", listed)
    .parameters(&[
        required("RegionId", TEXT),
        optional("StackId", TEXT),
        optional("StackIds", list(50, &TEXT)),
        optional("StackName", list(50, &TEXT)),
        optional("Status", list(50, &TEXT)),
        optional("StartTime", TIME),
        optional("EndTime", TIME),
        optional("PageNumber", COUNT).or("1"),
        optional("PageSize", Form::Integer(1, 50)).or("10"),
        TAG_FILTER,
    ])
    .left_out(&["ParentStackId", "ResourceGroupId", "ShowNestedStack"])
    .answer(&[
        field("TotalCount", Shape::Integer),
        field("PageNumber", Shape::Integer),
        field("PageSize", Shape::Integer),
        field("Stacks", items(&STACK)),
    ]);

const STACK: Shape = record(&[
    field("StackId", Shape::Text),
    field("StackName", Shape::Text),
    field("StackType", Shape::Text),
    field("Status", Shape::Text),
    field("StatusReason", Shape::Text),
    field("RegionId", Shape::Text),
    field("Tags", TAGS),
    field("TimeoutInMinutes", Shape::Integer),
    field("DisableRollback", Shape::Boolean),
    field("DeletionProtection", Shape::Text),
    field("ServiceManaged", Shape::Boolean),
    field("StackDriftStatus", Shape::Text),
    field("CreateTime", Shape::Text),
    field("UpdateTime", Shape::Text),
]);

/// Deleted stacks are listed only where a call names their identifier or status.
fn listed(world: &World, call: &Call<'_>) -> Result<Value, CloudError> {
    let among = |parameter, value: &str| {
        let wanted = call.texts(parameter);
        wanted.is_empty() || wanted.iter().any(|wanted| like(wanted, value))
    };
    let deleted = call.has("StackId") || call.has("StackIds") || call.has("Status");
    let rows = world.region(call).ros.stacks.iter().filter(|stack| {
        (deleted || !stack.is_deleted())
            && call.given("StackId").is_none_or(|id| id == stack.stack_id)
            && among("StackIds", &stack.stack_id)
            && among("StackName", &stack.stack_name)
            && among("Status", stack.phase.status.as_str())
            && call.given("StartTime").is_none_or(|time| time.trim_end_matches('Z') <= stack.create_time.as_str())
            && call.given("EndTime").is_none_or(|time| time.trim_end_matches('Z') >= stack.create_time.as_str())
            && stack.tags.matches(call)
    });
    let page = page(call, rows, |stack| stack.row(call.region));
    Ok(json!({
        "TotalCount": page.total,
        "PageNumber": page.number,
        "PageSize": page.size,
        "Stacks": page.rows,
    }))
}

impl Stack {
    /// Why it is in its state.
    fn reason(&self) -> &str {
        match (self.phase.status, &self.failure) {
            (Status::CreateInProgress, _) => "Stack CREATE started",
            (Status::CreateComplete, _) => "Stack CREATE completed successfully",
            (Status::DeleteInProgress, _) => "Stack DELETE started",
            (Status::DeleteComplete, _) => "Stack DELETE completed successfully",
            (_, failure) => failure.as_deref().unwrap_or_default(),
        }
    }

    fn row(&self, region: &str) -> Value {
        let tags: Vec<Value> =
            self.tags.iter().map(|(key, value)| json!({ "Key": key, "Value": value })).collect();
        json!({
            "StackId": self.stack_id,
            "StackName": self.stack_name,
            "StackType": "ROS",
            "Status": self.phase.status,
            "StatusReason": self.reason(),
            "RegionId": region,
            "Tags": tags,
            "TimeoutInMinutes": self.timeout,
            "DisableRollback": self.disable_rollback,
            "DeletionProtection": if self.deletion_protection { "Enabled" } else { "Disabled" },
            "ServiceManaged": false,
            "StackDriftStatus": "NOT_CHECKED",
            "CreateTime": self.create_time,
            "UpdateTime": Some(&self.update_time).filter(|time| !time.is_empty()),
        })
    }
}
