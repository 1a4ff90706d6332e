//! `CreateRole`, `GetRole`, `ListRoles`, `DeleteRole`.

use serde_json::{Value, json};

use super::roles::{
    CHARACTERS, EXISTS, LENGTH, LINKED, NOT_FOUND, POLICY, POLICY_LENGTH, TOO_MANY, create, delete, get,
};
use crate::action::{ANY, Action, Call, CloudError, Form, Shape, TEXT, field, items, optional, record};
use crate::world::World;

/// The actions of this file.
pub const ACTIONS: &[Action] = &[CREATE, GET, LIST, DELETE];

const CREATE: Action = Action::write("CreateRole", create)
    .parameters(&[
        optional("RoleName", ANY),
        optional("Description", TEXT),
        optional("AssumeRolePolicyDocument", ANY),
        optional("MaxSessionDuration", Form::Integer(3600, 43200)),
    ])
    .left_out(&["AllowConsoleLogin", "Tag"])
    .answer(&[field(
        "Role",
        record(&[
            field("RoleId", Shape::Text),
            field("RoleName", Shape::Text),
            field("Arn", Shape::Text),
            field("Description", Shape::Text),
            field("AssumeRolePolicyDocument", Shape::Text),
            field("MaxSessionDuration", Shape::Integer),
            field("CreateDate", Shape::Text),
        ]),
    )])
    .errors(&[&CHARACTERS, &LENGTH, &EXISTS, &TOO_MANY, &POLICY, &POLICY_LENGTH]);

const GET: Action = Action::read("GetRole", get_role)
    .parameters(&[optional("RoleName", ANY)])
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
            field("IsServiceLinkedRole", Shape::Boolean),
            field("LatestDeletionTask", DELETION_TASK),
            field("CreateDate", Shape::Text),
            field("UpdateDate", Shape::Text),
        ]),
    )])
    .errors(&[&CHARACTERS, &LENGTH, &NOT_FOUND]);

const DELETION_TASK: Shape = record(&[field("CreateDate", Shape::Text), field("DeletionTaskId", Shape::Text)]);

fn get_role(world: &World, call: &Call<'_>) -> Result<Value, CloudError> {
    Ok(json!({ "Role": get(world, call)?.row(&call.caller.account) }))
}

const LIST: Action = Action::read("ListRoles", list)
    .parameters(&[optional("Marker", TEXT), optional("MaxItems", Form::Integer(1, 1000)).or("100")])
    .left_out(&["Tag"])
    .answer(&[
        field("IsTruncated", Shape::Boolean),
        field("Marker", Shape::Text),
        field("Roles", record(&[field("Role", items(&ROLE))])),
    ]);

const ROLE: Shape = record(&[
    field("RoleId", Shape::Text),
    field("RoleName", Shape::Text),
    field("Arn", Shape::Text),
    field("Description", Shape::Text),
    field("MaxSessionDuration", Shape::Integer),
    field("CreateDate", Shape::Text),
    field("UpdateDate", Shape::Text),
]);

/// A marker is the identifier of the last role before the page; roles are listed in the order of their creation,
/// which is that of their identifiers.
fn list(world: &World, call: &Call<'_>) -> Result<Value, CloudError> {
    let marker = call.text("Marker");
    if !marker.bytes().all(|byte| byte.is_ascii_digit()) {
        return Err(CloudError::invalid("Marker", "one that this action has given"));
    }
    let most = call.integer("MaxItems").and_then(|most| usize::try_from(most).ok()).unwrap_or(100);
    let roles = world.account(call).ram.roles.iter().filter(|role| role.role_id.as_str() > marker);
    let mut page: Vec<_> = roles.take(most + 1).collect();
    let truncated = page.len() > most;
    page.truncate(most);
    Ok(json!({
        "IsTruncated": truncated,
        "Marker": page.last().filter(|_| truncated).map(|role| &role.role_id),
        "Roles": { "Role": page.iter().map(|role| role.row(&call.caller.account)).collect::<Vec<_>>() },
    }))
}

const DELETE: Action = Action::write("DeleteRole", delete).parameters(&[optional("RoleName", ANY)]).errors(&[
    &CHARACTERS,
    &LENGTH,
    &NOT_FOUND,
    &LINKED,
]);

#[cfg(test)]
mod tests {
    use serde_json::json;

    use crate::settings::Settings;
    use crate::testing::TestCloud;

    const TRUST: &str = r#"{"Version":"1","Statement":[{"Effect":"Allow","Action":"sts:AssumeRole","Principal":{"RAM":["acs:ram::1000000000000001:root"]}}]}"#;

    fn create(cloud: &TestCloud, name: &str) {
        cloud.call("ram", "CreateRole", &[("RoleName", name), ("AssumeRolePolicyDocument", TRUST)]);
    }

    #[test]
    fn a_role_comes_and_goes() {
        let cloud = TestCloud::new();
        let name = [("RoleName", "Deployer")];
        assert_eq!(cloud.refused("ram", "GetRole", &name), "EntityNotExist.Role");
        create(&cloud, "Deployer");
        let role = cloud.call("ram", "GetRole", &[("RoleName", "deployer")])["Role"].clone();
        assert_eq!(role["Arn"], "acs:ram::1000000000000001:role/deployer");
        assert_eq!(role["RoleName"], "Deployer");
        assert_eq!(role["MaxSessionDuration"], 3600);
        assert_eq!(role["IsServiceLinkedRole"], false);
        assert_eq!(role["AssumeRolePolicyDocument"], TRUST);
        cloud.call("ram", "DeleteRole", &name);
        assert_eq!(cloud.refused("ram", "DeleteRole", &name), "EntityNotExist.Role");
    }

    #[test]
    fn roles_are_listed_in_pages() {
        let cloud = TestCloud::new();
        for name in ["a", "b", "c"] {
            create(&cloud, name);
        }
        let first = cloud.call("ram", "ListRoles", &[("MaxItems", "2")]);
        assert_eq!(first["IsTruncated"], true);
        let marker = first["Marker"].as_str().unwrap();
        let second = cloud.call("ram", "ListRoles", &[("MaxItems", "2"), ("Marker", marker)]);
        assert_eq!(second["IsTruncated"], false);
        assert_eq!(second["Marker"], json!(null));
        assert_eq!(second.pointer("/Roles/Role/0/RoleName"), Some(&json!("c")));
        assert_eq!(cloud.refused("ram", "ListRoles", &[("Marker", "x")]), "InvalidMarker");
    }

    #[test]
    fn what_is_wrong_with_a_new_role_is_said() {
        let cloud = TestCloud::with(Settings { quotas: [("roles".to_owned(), 1)].into(), ..Settings::default() });
        create(&cloud, "one");
        let both = ["ram", "resourcemanager"];
        let long = "a".repeat(65);
        let document = " ".repeat(2049);
        for (name, document, code) in [
            ("", TRUST, "MissingRoleName"),
            ("two", "", "MissingAssumeRolePolicyDocument"),
            (&long, TRUST, "InvalidParameter.RoleName.Length"),
            ("two roles", TRUST, "InvalidParameter.RoleName.InvalidChars"),
            ("two", "{}", "MalformedPolicyDocument"),
            ("two", &document, "InvalidParameter.AssumeRolePolicyDocument.Length"),
            ("ONE", TRUST, "EntityAlreadyExists.Role"),
            ("two", TRUST, "LimitExceeded.Role"),
        ] {
            let parameters = [("RoleName", name), ("AssumeRolePolicyDocument", document)];
            for service in both {
                assert_eq!(cloud.refused(service, "CreateRole", &parameters), code, "{service} {name}");
            }
        }
        for (name, code) in
            [(&*long, "InvalidParameter.RoleName.Length"), ("two roles", "InvalidParameter.RoleName.InvalidChars")]
        {
            for (service, action) in
                both.iter().flat_map(|service| [(service, "GetRole"), (service, "DeleteRole")])
            {
                assert_eq!(cloud.refused(service, action, &[("RoleName", name)]), code, "{service} {action}");
            }
            let refused = cloud.refused(both[1], "DeleteServiceLinkedRole", &[("RoleName", name)]);
            assert_eq!(refused, code);
        }
    }
}
