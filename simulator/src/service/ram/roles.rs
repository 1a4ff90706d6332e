//! Roles, as both APIs know them.

use serde_json::{Value, json};

use super::trust::Trust;
use crate::action::{Call, CloudError, ErrorCode};
use crate::settings::Quota;
use crate::world::World;
use crate::world::ram::Role;

/// <https://www.alibabacloud.com/help/en/ram/product-overview/limits-1>
pub(super) const QUOTA: Quota = Quota::new("roles", 1000);

/// Most characters of a trust policy.
const LONGEST: usize = 2048;

pub(crate) const CHARACTERS: ErrorCode = ErrorCode::new(
    400,
    "InvalidParameter.RoleName.InvalidChars",
    "The specified role name contains invalid characters.",
);
pub(crate) const LENGTH: ErrorCode =
    ErrorCode::new(400, "InvalidParameter.RoleName.Length", "The maximum length of the role name is exceeded.");
pub(crate) const NOT_FOUND: ErrorCode = ErrorCode::new(404, "EntityNotExist.Role", "The role does not exist.");
pub(crate) const EXISTS: ErrorCode = ErrorCode::new(409, "EntityAlreadyExists.Role", "The role already exists.");
pub(crate) const TOO_MANY: ErrorCode =
    ErrorCode::new(409, "LimitExceeded.Role", "The count of roles beyond the current limits.");
pub(crate) const POLICY_LENGTH: ErrorCode = ErrorCode::new(
    400,
    "InvalidParameter.AssumeRolePolicyDocument.Length",
    "The parameter - \"AssumeRolePolicyDocument\" beyond the length limit.",
);
pub(crate) const POLICY: ErrorCode =
    ErrorCode::new(400, "MalformedPolicyDocument", "The policy document is malformed.");
pub(crate) const LINKED: ErrorCode = ErrorCode::new(
    403,
    "NoPermission.ServiceLinkedRole",
    "A service-linked role can only be deleted as such, by DeleteServiceLinkedRole.",
);

impl Role {
    /// Its name in policies, where it is in small letters.
    pub fn arn(&self, account: &str) -> String {
        format!("acs:ram::{account}:role/{}", self.role_name.to_ascii_lowercase())
    }

    /// The role as actions answer it.
    pub(crate) fn row(&self, account: &str) -> Value {
        json!({
            "RoleId": self.role_id,
            "RoleName": self.role_name,
            "RolePrincipalName":
                format!("{}@role.{account}.onaliyunservice.com", self.role_name.to_ascii_lowercase()),
            "Arn": self.arn(account),
            "Description": self.description,
            "AssumeRolePolicyDocument": self.assume_role_policy_document,
            "MaxSessionDuration": self.max_session_duration,
            "IsServiceLinkedRole": self.service.is_some(),
            "LatestDeletionTask": self.latest_deletion_task,
            "CreateDate": self.create_date,
            "UpdateDate": self.create_date,
        })
    }
}

/// The parameter `RoleName`, which one of the two APIs does not declare as required although it is.
pub(crate) fn name<'a>(call: &'a Call<'_>) -> Result<&'a str, CloudError> {
    let name = call.given("RoleName").ok_or_else(|| CloudError::missing("RoleName"))?;
    if name.chars().count() > 64 {
        return Err((&LENGTH).into());
    }
    // Names of services' roles have an underscore before their suffix.
    if !name.chars().all(|letter| letter.is_ascii_alphanumeric() || ".-_".contains(letter)) {
        return Err((&CHARACTERS).into());
    }
    Ok(name)
}

/// The role that `RoleName` names.
pub(crate) fn get<'a>(world: &'a World, call: &Call<'_>) -> Result<&'a Role, CloudError> {
    world.account(call).ram.role(name(call)?).ok_or_else(|| (&NOT_FOUND).into())
}

/// `CreateRole` of both APIs.
pub(crate) fn create(world: &mut World, call: &Call<'_>) -> Result<Value, CloudError> {
    let name = name(call)?;
    let document =
        call.given("AssumeRolePolicyDocument").ok_or_else(|| CloudError::missing("AssumeRolePolicyDocument"))?;
    if document.len() > LONGEST {
        return Err((&POLICY_LENGTH).into());
    }
    Trust::parse(document).map_err(|why| POLICY.because(why))?;
    let roles = &world.account(call).ram;
    if roles.role(name).is_some() {
        return Err((&EXISTS).into());
    }
    call.within(&QUOTA, roles.roles.len(), &TOO_MANY)?;
    let role = Role {
        role_id: id(world),
        role_name: name.to_owned(),
        description: call.text("Description").to_owned(),
        assume_role_policy_document: document.to_owned(),
        max_session_duration: call.integer("MaxSessionDuration").unwrap_or(3600),
        service: None,
        create_date: call.time(),
        latest_deletion_task: None,
    };
    let answer = json!({ "Role": role.row(&call.caller.account) });
    world.account_mut(&call.caller.account).ram.roles.insert(role);
    Ok(answer)
}

/// `DeleteRole` of both APIs.
pub(crate) fn delete(world: &mut World, call: &Call<'_>) -> Result<Value, CloudError> {
    let role = get(world, call)?;
    if role.service.is_some() {
        return Err((&LINKED).into());
    }
    let id = role.role_id.clone();
    world.account_mut(&call.caller.account).ram.roles.remove(&id);
    Ok(json!({}))
}

/// A new identifier of a role: eighteen digits, the first a three.
pub(crate) fn id(world: &mut World) -> String {
    (300_000_000_000_000_000 + world.number()).to_string()
}
