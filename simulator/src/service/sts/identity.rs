//! `GetCallerIdentity`.

use serde_json::{Value, json};
use sha2::{Digest, Sha256};

use crate::action::{Action, Call, CloudError, Principal, Shape, field};
use crate::world::World;

/// The actions of this file.
pub const ACTIONS: &[Action] = &[IDENTITY];

const IDENTITY: Action = Action::read("GetCallerIdentity", identity).answer(&[
    field("IdentityType", Shape::Text),
    field("AccountId", Shape::Text),
    field("PrincipalId", Shape::Text),
    field("UserId", Shape::Text),
    field("RoleId", Shape::Text),
    field("Arn", Shape::Text),
]);

fn identity(world: &World, call: &Call<'_>) -> Result<Value, CloudError> {
    let account = &call.caller.account;
    Ok(match &call.caller.principal {
        Principal::Account => json!({
            "IdentityType": "Account",
            "AccountId": account,
            "PrincipalId": account,
            "UserId": account,
            "Arn": format!("acs:ram::{account}:root"),
        }),
        Principal::User(user) => {
            let id = user_id(account, user);
            json!({
                "IdentityType": "RAMUser",
                "AccountId": account,
                "PrincipalId": id,
                "UserId": id,
                "Arn": format!("acs:ram::{account}:user/{user}"),
            })
        }
        Principal::Role { role, session } => {
            let known = world.account(call).sts.session(&call.caller.access_key);
            let role_id = known.map(|session| session.role_id.as_str()).unwrap_or_default();
            json!({
                "IdentityType": "AssumedRoleUser",
                "AccountId": account,
                "PrincipalId": format!("{role_id}:{session}"),
                "RoleId": role_id,
                "Arn": format!("acs:ram::{account}:assumed-role/{role}/{session}"),
            })
        }
    })
}

/// The identifier of a RAM user, a number. Users are declared by name alone, so that it is made of that.
fn user_id(account: &str, user: &str) -> String {
    let digest = Sha256::digest(format!("{account}/{user}"));
    let number = digest.iter().take(8).fold(0_u64, |number, byte| number << 8 | u64::from(*byte));
    (200_000_000_000_000_000 + number % 100_000_000_000_000_000).to_string()
}
