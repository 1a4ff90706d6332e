//! Sessions of roles that are assumed: `AssumeRole`.

use std::time::Duration;

use jiff::Timestamp;
use serde_json::{Value, json};

use crate::action::{
    Action, Call, CloudError, ErrorCode, Form, Principal, Rule, Shape, TEXT, field, optional, record, required,
};
use crate::service::ram::trust::Trust;
use crate::signature::Secret;
use crate::world::World;
use crate::world::ram::Role;
use crate::world::sts::Session;

/// The actions of this file.
pub const ACTIONS: &[Action] = &[ASSUME];

/// How long a session is remembered after its end, so that calls with it get the right error.
const REMEMBERED: Duration = Duration::from_hours(1);
/// How many sessions an account has; older ones are forgotten. The cloud has no such limit.
const MOST: usize = 10_000;

const NO_ROLE: ErrorCode = ErrorCode::new(404, "EntityNotExist.Role", "The specified Role not exists.");
const ROOT: ErrorCode = ErrorCode::new(403, "NoPermission", "Roles may not be assumed by root accounts.");
const NOT_TRUSTED: ErrorCode = ErrorCode::new(
    403,
    "NoPermission",
    "You are not authorized to do this action. You should be authorized by RAM.",
);
const ARN: ErrorCode = ErrorCode::new(400, "InvalidParameter.RoleArn", "The parameter RoleArn is wrongly formed.");
const NAME: ErrorCode =
    ErrorCode::new(400, "InvalidParameter.RoleSessionName", "The parameter RoleSessionName is wrongly formed.");
const DURATION: ErrorCode = ErrorCode::new(
    400,
    "InvalidParameter.DurationSeconds",
    "The Min/Max value of DurationSeconds is 15min and the MaxSessionDuration of the role.",
);

const ASSUME: Action = Action::write("AssumeRole", assume)
    .parameters(&[
        required("RoleArn", TEXT),
        required("RoleSessionName", SESSION_NAME).malformed(&NAME),
        optional("DurationSeconds", Form::Integer(900, 43200)).or("3600").malformed(&DURATION),
    ])
    .left_out(&["ExternalId", "Policy", "SourceIdentity"])
    .answer(&[
        field("AssumedRoleUser", record(&[field("Arn", Shape::Text), field("AssumedRoleId", Shape::Text)])),
        field(
            "Credentials",
            record(&[
                field("AccessKeyId", Shape::Text),
                field("AccessKeySecret", Shape::Text),
                field("SecurityToken", Shape::Text),
                field("Expiration", Shape::Text),
            ]),
        ),
    ])
    .errors(&[&NO_ROLE, &ROOT, &NOT_TRUSTED, &ARN, &NAME, &DURATION]);

const SESSION_NAME: Form = Form::Text(&Rule {
    what: "2 to 64 letters, digits, `.`, `@`, `-` and `_`",
    check: |text| {
        (2..=64).contains(&text.len())
            && text.chars().all(|letter| letter.is_ascii_alphanumeric() || ".@-_".contains(letter))
    },
});

fn assume(world: &mut World, call: &Call<'_>) -> Result<Value, CloudError> {
    let (account, name) = call
        .text("RoleArn")
        .strip_prefix("acs:ram::")
        .and_then(|rest| rest.split_once(":role/"))
        .filter(|(account, name)| !account.is_empty() && !name.is_empty())
        .ok_or(&ARN)?;
    if call.caller.principal == Principal::Account {
        return Err((&ROOT).into());
    }
    let role = role(world, account, name).ok_or(&NO_ROLE)?;
    let trusted = Trust::parse(&role.assume_role_policy_document).is_ok_and(|trust| trust.trusts(call.caller));
    if !trusted {
        return Err((&NOT_TRUSTED).into());
    }
    let seconds = call.integer("DurationSeconds").unwrap_or(3600);
    if seconds > role.max_session_duration {
        return Err((&DURATION).into());
    }
    let (role_id, role_name) = (role.role_id.clone(), role.role_name.to_ascii_lowercase());

    let expiration = Timestamp::from_second(call.now.as_second() + seconds).unwrap_or(Timestamp::MAX);
    let session_name = call.text("RoleSessionName");
    let access_key_id = world.id("STS.N");
    let access_key_secret = world.id("") + &world.id("");
    let security_token = format!("CAIS{}{}{}{}", world.id(""), world.id(""), world.id(""), world.id(""));
    let answer = json!({
        "AssumedRoleUser": {
            "Arn": format!("acs:ram::{account}:assumed-role/{role_name}/{session_name}"),
            "AssumedRoleId": format!("{role_id}:{session_name}"),
        },
        "Credentials": {
            "AccessKeyId": access_key_id,
            "AccessKeySecret": access_key_secret,
            "SecurityToken": security_token,
            "Expiration": expiration.strftime("%Y-%m-%dT%H:%M:%SZ").to_string(),
        },
    });
    let oldest = call.now.checked_sub(REMEMBERED).unwrap_or(Timestamp::MIN);
    let account = account.to_owned();
    let sessions = &mut world.account_mut(&account).sts.sessions;
    sessions.retain(|session| session.expiration > oldest);
    sessions.drain(..(sessions.len() + 1).saturating_sub(MOST));
    sessions.push(Session {
        access_key_id,
        access_key_secret: Secret::new(access_key_secret),
        security_token: Secret::new(security_token),
        role_id,
        role_name,
        session_name: session_name.to_owned(),
        expiration,
    });
    Ok(answer)
}

fn role<'a>(world: &'a World, account: &str, name: &str) -> Option<&'a Role> {
    let (_, account) = world.accounts().find(|(number, _)| *number == account)?;
    account.ram.role(name)
}

#[cfg(test)]
mod tests {
    use serde_json::{Map, Value, json};

    use crate::action::{Caller, CloudError, Principal};
    use crate::cloud::Operation;
    use crate::service::{SERVICES, sts};
    use crate::testing::{ACCOUNT, REGION, TestCloud};

    const TRUST: &str = r#"{"Version":"1","Statement":[{"Effect":"Allow","Action":"sts:AssumeRole","Principal":{"RAM":["acs:ram::1000000000000001:user/alice"]}}]}"#;
    const DEPLOYER: &str = "acs:ram::1000000000000001:role/deployer";

    fn cloud() -> TestCloud {
        let cloud = TestCloud::new();
        cloud.call("ram", "CreateRole", &[("RoleName", "Deployer"), ("AssumeRolePolicyDocument", TRUST)]);
        cloud
    }

    fn call(
        cloud: &TestCloud,
        caller: Caller,
        action: &str,
        parameters: &[(&str, &str)],
    ) -> Result<Map<String, Value>, CloudError> {
        let service = SERVICES.iter().find(|service| service.code == "sts").unwrap();
        let parameters =
            parameters.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect();
        let (action, region) = (service.action(action).unwrap(), REGION.to_owned());
        cloud
            .cloud
            .execute(&Operation { service, action, caller, region, parameters, body: hyper::body::Bytes::new() })
            .map(|answer| answer.fields)
    }

    fn user(account: &str, name: &str) -> Caller {
        let principal = Principal::User(name.to_owned());
        Caller { account: account.to_owned(), access_key: "key".to_owned(), principal, sees_nothing: false }
    }

    fn assume(cloud: &TestCloud, caller: Caller, parameters: &[(&str, &str)]) -> Result<Value, CloudError> {
        call(cloud, caller, "AssumeRole", parameters).map(Value::Object)
    }

    #[test]
    fn a_trusted_user_gets_credentials_that_end() {
        let cloud = cloud();
        let parameters = [("RoleArn", DEPLOYER), ("RoleSessionName", "s1"), ("DurationSeconds", "900")];
        let answer = assume(&cloud, user(ACCOUNT, "alice"), &parameters).unwrap();
        assert_eq!(
            answer.pointer("/AssumedRoleUser/Arn"),
            Some(&json!("acs:ram::1000000000000001:assumed-role/deployer/s1"))
        );
        assert_eq!(answer.pointer("/Credentials/Expiration"), Some(&json!("2026-01-02T03:19:05Z")));
        let text = |field: &str| answer["Credentials"][field].as_str().unwrap().to_owned();
        let (key, secret, token) = (text("AccessKeyId"), text("AccessKeySecret"), text("SecurityToken"));
        assert!(key.starts_with("STS."), "{key}");

        let world = cloud.cloud.world();
        let (session, caller) = sts::session(&world, &key).unwrap();
        assert!(session.has_token(&token) && !session.has_token("other"));
        assert!(!session.is_over("2026-01-02T03:19:04Z".parse().unwrap()));
        assert!(session.is_over("2026-01-02T03:19:05Z".parse().unwrap()));
        let printed = format!("{world:?}");
        assert!(!printed.contains(&secret) && !printed.contains(&token), "a secret is printed");

        let identity = Value::Object(call(&cloud, caller, "GetCallerIdentity", &[]).unwrap());
        assert_eq!(identity["IdentityType"], "AssumedRoleUser");
        assert_eq!(identity["Arn"], answer["AssumedRoleUser"]["Arn"]);
        assert_eq!(identity["PrincipalId"], answer["AssumedRoleUser"]["AssumedRoleId"]);
    }

    #[test]
    fn a_session_is_forgotten_some_time_after_its_end() {
        let cloud = cloud();
        let parameters = [("RoleArn", DEPLOYER), ("RoleSessionName", "s1"), ("DurationSeconds", "900")];
        let mut keys = Vec::new();
        for _ in 0..3 {
            let answer = assume(&cloud, user(ACCOUNT, "alice"), &parameters).unwrap();
            keys.push(answer["Credentials"]["AccessKeyId"].as_str().unwrap().to_owned());
            cloud.step(3600);
        }
        let world = cloud.cloud.world();
        let known: Vec<bool> = keys.iter().map(|key| sts::session(&world, key).is_some()).collect();
        assert_eq!(known, [false, true, true]);
    }

    #[test]
    fn who_may_not_assume_a_role_is_refused() {
        let cloud = cloud();
        let root = Caller {
            account: ACCOUNT.to_owned(),
            access_key: String::new(),
            principal: Principal::Account,
            sees_nothing: false,
        };
        let alice = || user(ACCOUNT, "alice");
        for (caller, arn, name, seconds, code) in [
            (root, DEPLOYER, "s1", "", "NoPermission"),
            (user(ACCOUNT, "bob"), DEPLOYER, "s1", "", "NoPermission"),
            (user("2", "alice"), DEPLOYER, "s1", "", "NoPermission"),
            (alice(), "acs:ram::1000000000000001:role/other", "s1", "", "EntityNotExist.Role"),
            (alice(), "acs:ram::2:role/deployer", "s1", "", "EntityNotExist.Role"),
            (alice(), "deployer", "s1", "", "InvalidParameter.RoleArn"),
            (alice(), DEPLOYER, "s", "", "InvalidParameter.RoleSessionName"),
            (alice(), DEPLOYER, "s1", "899", "InvalidParameter.DurationSeconds"),
            (alice(), DEPLOYER, "s1", "3601", "InvalidParameter.DurationSeconds"),
        ] {
            let parameters = [("RoleArn", arn), ("RoleSessionName", name), ("DurationSeconds", seconds)];
            let error = assume(&cloud, caller, &parameters).unwrap_err();
            assert_eq!(error.code(), code, "{arn} {name} {seconds}");
        }
    }

    #[test]
    fn accounts_and_users_learn_who_they_are() {
        let cloud = cloud();
        let identity = cloud.call("sts", "GetCallerIdentity", &[]);
        assert_eq!(
            identity,
            json!({
                "IdentityType": "Account",
                "AccountId": ACCOUNT,
                "PrincipalId": ACCOUNT,
                "UserId": ACCOUNT,
                "Arn": format!("acs:ram::{ACCOUNT}:root"),
            })
        );
        let identity = |name| Value::Object(call(&cloud, user(ACCOUNT, name), "GetCallerIdentity", &[]).unwrap());
        let alice = identity("alice");
        assert_eq!(alice["IdentityType"], "RAMUser");
        assert_eq!(alice["Arn"], format!("acs:ram::{ACCOUNT}:user/alice"));
        assert_eq!(alice["UserId"], alice["PrincipalId"]);
        assert_eq!(alice["UserId"].as_str().unwrap().len(), 18);
        assert_ne!(alice["UserId"], identity("bob")["UserId"]);
    }
}
