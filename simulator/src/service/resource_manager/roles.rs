//! `CreateRole`, `GetRole`, `ListRoles`, `DeleteRole`.

use serde_json::{Value, json};

use crate::action::{
    ANY, Action, COUNT, Call, CloudError, Form, Shape, TEXT, field, items, optional, page, record, required,
};
use crate::service::ram::roles::{
    CHARACTERS, EXISTS, LENGTH, LINKED, NOT_FOUND, POLICY, POLICY_LENGTH, TOO_MANY, create, delete, get,
};
use crate::world::World;

/// The actions of this file.
pub const ACTIONS: &[Action] = &[CREATE, GET, LIST, DELETE];

const CREATE: Action = Action::write("CreateRole", create)
    .parameters(&[
        required("RoleName", ANY),
        required("AssumeRolePolicyDocument", ANY),
        optional("Description", TEXT),
        optional("MaxSessionDuration", Form::Integer(3600, 43200)),
    ])
    .answer(&[field(
        "Role",
        record(&[
            field("RoleId", Shape::Text),
            field("RoleName", Shape::Text),
            field("RolePrincipalName", Shape::Text),
            field("Arn", Shape::Text),
            field("Description", Shape::Text),
            field("AssumeRolePolicyDocument", Shape::Text),
            field("MaxSessionDuration", Shape::Integer),
            field("CreateDate", Shape::Text),
        ]),
    )])
    .errors(&[&CHARACTERS, &LENGTH, &EXISTS, &TOO_MANY, &POLICY, &POLICY_LENGTH]);

const ROLE: Shape = record(&[
    field("RoleId", Shape::Text),
    field("RoleName", Shape::Text),
    field("RolePrincipalName", Shape::Text),
    field("Arn", Shape::Text),
    field("Description", Shape::Text),
    field("AssumeRolePolicyDocument", Shape::Text),
    field("MaxSessionDuration", Shape::Integer),
    field("IsServiceLinkedRole", Shape::Boolean),
    field("LatestDeletionTask", DELETION_TASK),
    field("CreateDate", Shape::Text),
    field("UpdateDate", Shape::Text),
]);

/// A list has all members of a role but the policy.
const LISTED: Shape = record(&[
    field("RoleId", Shape::Text),
    field("RoleName", Shape::Text),
    field("RolePrincipalName", Shape::Text),
    field("Arn", Shape::Text),
    field("Description", Shape::Text),
    field("MaxSessionDuration", Shape::Integer),
    field("IsServiceLinkedRole", Shape::Boolean),
    field("LatestDeletionTask", DELETION_TASK),
    field("CreateDate", Shape::Text),
    field("UpdateDate", Shape::Text),
]);

const DELETION_TASK: Shape = record(&[field("CreateDate", Shape::Text), field("DeletionTaskId", Shape::Text)]);

const GET: Action = Action::read("GetRole", get_role)
    .parameters(&[required("RoleName", ANY)])
    .left_out(&["Language"])
    .answer(&[field("Role", ROLE)])
    .errors(&[&CHARACTERS, &LENGTH, &NOT_FOUND]);

fn get_role(world: &World, call: &Call<'_>) -> Result<Value, CloudError> {
    Ok(json!({ "Role": get(world, call)?.row(&call.caller.account) }))
}

const LIST: Action = Action::read("ListRoles", list)
    .parameters(&[optional("PageNumber", COUNT).or("1"), optional("PageSize", Form::Integer(1, 100)).or("10")])
    .left_out(&["Language"])
    .answer(&[
        field("TotalCount", Shape::Integer),
        field("PageNumber", Shape::Integer),
        field("PageSize", Shape::Integer),
        field("Roles", record(&[field("Role", items(&LISTED))])),
    ]);

fn list(world: &World, call: &Call<'_>) -> Result<Value, CloudError> {
    let roles = world.account(call).ram.roles.iter();
    Ok(page(call, roles, |role| role.row(&call.caller.account)).answer("Roles", "Role"))
}

const DELETE: Action = Action::write("DeleteRole", delete).parameters(&[required("RoleName", ANY)]).errors(&[
    &CHARACTERS,
    &LENGTH,
    &NOT_FOUND,
    &LINKED,
]);

#[cfg(test)]
mod tests {
    use serde_json::json;

    use crate::testing::TestCloud;

    #[test]
    fn both_apis_know_the_same_roles() {
        let cloud = TestCloud::new();
        let trust = r#"{"Version":"1","Statement":[{"Effect":"Allow","Action":"sts:AssumeRole","Principal":{"Service":["ecs.aliyuncs.com"]}}]}"#;
        let (name, code) = ([("RoleName", "worker")], "resourcemanager");
        cloud.call(code, "CreateRole", &[name[0], ("AssumeRolePolicyDocument", trust)]);
        let role = cloud.call(code, "GetRole", &name)["Role"].clone();
        assert_eq!(role["RolePrincipalName"], "worker@role.1000000000000001.onaliyunservice.com");
        assert_eq!(cloud.call("ram", "GetRole", &name)["Role"], role);
        let listed = cloud.call(code, "ListRoles", &[]);
        assert_eq!(listed["TotalCount"], 1);
        assert_eq!(listed.pointer("/Roles/Role/0/Arn"), role.get("Arn"));
        assert_eq!(listed.pointer("/Roles/Role/0/AssumeRolePolicyDocument"), None);
        assert_eq!(cloud.call(code, "ListRoles", &[("PageNumber", "2")])["Roles"], json!({ "Role": [] }));
        cloud.call("ram", "DeleteRole", &name);
        assert_eq!(cloud.refused(code, "DeleteRole", &name), "EntityNotExist.Role");
    }
}
