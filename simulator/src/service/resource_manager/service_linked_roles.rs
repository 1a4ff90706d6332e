//! Roles that belong to services: `CreateServiceLinkedRole`, `DeleteServiceLinkedRole`.

use serde_json::{Value, json};

use crate::action::{ANY, Action, Call, CloudError, ErrorCode, Shape, TEXT, field, record, required};
use crate::service::ram::roles::{CHARACTERS, EXISTS, LENGTH, NOT_FOUND, get, id};
use crate::world::ram::{DeletionTask, Role};
use crate::world::{Region, World};

/// The actions of this file.
pub const ACTIONS: &[Action] = &[CREATE, DELETE];

const UNKNOWN: ErrorCode =
    ErrorCode::new(400, "InvalidParameter.ServiceName", "The service does not support service-linked roles.");
const NOT_LINKED: ErrorCode =
    ErrorCode::new(404, "EntityNotExist.ServiceLinkedRole", "This role exists but is not a Service Linked Role.");

/// A service, the role that belongs to it, and whether it is needed in a region.
struct Linked {
    service: &'static str,
    role: &'static str,
    needed: fn(&Region) -> bool,
}

const fn linked(service: &'static str, role: &'static str) -> Linked {
    Linked { service, role, needed: |_| false }
}

/// <https://www.alibabacloud.com/help/en/ram/user-guide/alibaba-cloud-services-that-support-service-linked-roles>
const LINKED: &[Linked] = &[
    Linked {
        service: "nat.aliyuncs.com",
        role: "AliyunServiceRoleForNatgw",
        needed: |region| !region.vpc.nat_gateways.is_empty(),
    },
    Linked {
        service: "nlb.aliyuncs.com",
        role: "AliyunServiceRoleForNlb",
        needed: |region| !region.nlb.load_balancers.is_empty(),
    },
    linked("alb.aliyuncs.com", "AliyunServiceRoleForAlb"),
    linked("logdelivery.slb.aliyuncs.com", "AliyunServiceRoleForSlbLogDelivery"),
    linked("ess.aliyuncs.com", "AliyunServiceRoleForAutoScaling"),
    linked("config.aliyuncs.com", "AliyunServiceRoleForConfig"),
    linked("actiontrail.aliyuncs.com", "AliyunServiceRoleForActionTrail"),
    linked("polardb.aliyuncs.com", "AliyunServiceRoleForPolarDB"),
    linked("mongodb.aliyuncs.com", "AliyunServiceRoleForMongoDB"),
];

const CREATE: Action = Action::write("CreateServiceLinkedRole", create)
    .parameters(&[required("ServiceName", TEXT)])
    .left_out(&["CustomSuffix", "Description"])
    .answer(&[field(
        "Role",
        record(&[
            field("RoleId", Shape::Text),
            field("RoleName", Shape::Text),
            field("RolePrincipalName", Shape::Text),
            field("Arn", Shape::Text),
            field("Description", Shape::Text),
            field("AssumeRolePolicyDocument", Shape::Text),
            field("IsServiceLinkedRole", Shape::Boolean),
            field("CreateDate", Shape::Text),
        ]),
    )])
    .errors(&[&UNKNOWN, &EXISTS]);

fn create(world: &mut World, call: &Call<'_>) -> Result<Value, CloudError> {
    let service = call.text("ServiceName");
    let linked = LINKED.iter().find(|linked| linked.service == service).ok_or(&UNKNOWN)?;
    if world.account(call).ram.role(linked.role).is_some() {
        return Err((&EXISTS).into());
    }
    let trust = json!({
        "Statement": [{ "Action": "sts:AssumeRole", "Effect": "Allow", "Principal": { "Service": [service] } }],
        "Version": "1",
    });
    let role = Role {
        role_id: id(world),
        role_name: linked.role.to_owned(),
        description: format!("The role that {service} works with."),
        assume_role_policy_document: trust.to_string(),
        max_session_duration: 3600,
        service: Some(service.to_owned()),
        create_date: call.time(),
        latest_deletion_task: None,
    };
    let answer = json!({ "Role": role.row(&call.caller.account) });
    world.account_mut(&call.caller.account).ram.roles.insert(role);
    Ok(answer)
}

const DELETE: Action = Action::write("DeleteServiceLinkedRole", delete)
    .parameters(&[required("RoleName", ANY)])
    .answer(&[field("DeletionTaskId", Shape::Text)])
    .errors(&[&CHARACTERS, &LENGTH, &NOT_FOUND, &NOT_LINKED]);

/// The answer is the same whether the role can be deleted or not: clients ask for the result of the task later. A
/// role that is needed stays.
fn delete(world: &mut World, call: &Call<'_>) -> Result<Value, CloudError> {
    let role = get(world, call)?;
    let service = role.service.as_deref().ok_or(&NOT_LINKED)?;
    let linked = LINKED.iter().find(|linked| linked.service == service);
    let needed =
        linked.is_some_and(|linked| world.account(call).regions().any(|(_, region)| (linked.needed)(region)));
    let (role_id, role_name) = (role.role_id.clone(), role.role_name.clone());
    let task = format!("task/{role_name}/{}", world.id(""));
    let roles = &mut world.account_mut(&call.caller.account).ram.roles;
    if needed {
        if let Some(role) = roles.get_mut(&role_id) {
            role.latest_deletion_task =
                Some(DeletionTask { create_date: call.time(), deletion_task_id: task.clone() });
        }
    } else {
        roles.remove(&role_id);
    }
    Ok(json!({ "DeletionTaskId": task }))
}

#[cfg(test)]
mod tests {
    use crate::testing::TestCloud;

    const CODE: &str = "resourcemanager";
    const NAT: [(&str, &str); 1] = [("RoleName", "AliyunServiceRoleForNatgw")];

    #[test]
    fn a_service_gets_its_role_once() {
        let cloud = TestCloud::new();
        assert_eq!(cloud.refused(CODE, "GetRole", &NAT), "EntityNotExist.Role");
        cloud.call(CODE, "CreateServiceLinkedRole", &[("ServiceName", "nat.aliyuncs.com")]);
        let role = cloud.call(CODE, "GetRole", &NAT)["Role"].clone();
        assert_eq!(role["IsServiceLinkedRole"], true);
        assert!(role["AssumeRolePolicyDocument"].as_str().unwrap().contains("nat.aliyuncs.com"));
        let again = cloud.refused(CODE, "CreateServiceLinkedRole", &[("ServiceName", "nat.aliyuncs.com")]);
        assert_eq!(again, "EntityAlreadyExists.Role");
        let unknown = cloud.refused(CODE, "CreateServiceLinkedRole", &[("ServiceName", "cat.aliyuncs.com")]);
        assert_eq!(unknown, "InvalidParameter.ServiceName");
    }

    #[test]
    fn a_role_of_a_service_is_deleted_as_such() {
        let cloud = TestCloud::new();
        cloud.call(CODE, "CreateServiceLinkedRole", &[("ServiceName", "nat.aliyuncs.com")]);
        for service in ["ram", CODE] {
            assert_eq!(cloud.refused(service, "DeleteRole", &NAT), "NoPermission.ServiceLinkedRole");
        }
        let task = cloud.text(CODE, "DeleteServiceLinkedRole", &NAT, "DeletionTaskId");
        assert!(task.starts_with("task/AliyunServiceRoleForNatgw/"), "{task}");
        assert_eq!(cloud.refused(CODE, "DeleteServiceLinkedRole", &NAT), "EntityNotExist.Role");

        let trust = r#"{"Version":"1","Statement":[{"Effect":"Allow","Action":"sts:AssumeRole","Principal":{"Service":["ecs.aliyuncs.com"]}}]}"#;
        let name = [("RoleName", "worker")];
        cloud.call(CODE, "CreateRole", &[name[0], ("AssumeRolePolicyDocument", trust)]);
        assert_eq!(cloud.refused(CODE, "DeleteServiceLinkedRole", &name), "EntityNotExist.ServiceLinkedRole");
    }
}
