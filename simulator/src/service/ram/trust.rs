//! Trust policies: who may assume a role.

use serde::Deserialize;

use crate::action::{Caller, Principal};

/// Who may assume a role.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "PascalCase", deny_unknown_fields)]
pub(crate) struct Trust {
    version: String,
    statement: Vec<Statement>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "PascalCase", deny_unknown_fields)]
struct Statement {
    effect: Effect,
    action: Words,
    principal: Principals,
}

#[derive(Debug, PartialEq, Deserialize)]
enum Effect {
    Allow,
    Deny,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
struct Principals {
    #[serde(rename = "RAM")]
    ram: Words,
    #[serde(rename = "Service")]
    service: Words,
    #[serde(rename = "Federated")]
    federated: Words,
}

#[derive(Debug, Deserialize)]
#[serde(untagged)]
enum Words {
    One(String),
    Many(Vec<String>),
}

impl Default for Words {
    fn default() -> Self {
        Self::Many(Vec::new())
    }
}

impl Words {
    fn iter(&self) -> impl Iterator<Item = &str> {
        match self {
            Self::One(word) => std::slice::from_ref(word),
            Self::Many(words) => words,
        }
        .iter()
        .map(String::as_str)
    }
}

impl Trust {
    /// Reads a policy. The error says what is wrong with it.
    pub(crate) fn parse(text: &str) -> Result<Self, String> {
        let trust: Self = serde_json::from_str(text).map_err(|error| error.to_string())?;
        if trust.version != "1" {
            return Err("Version must be \"1\"".to_owned());
        }
        if trust.statement.is_empty() {
            return Err("Statement is empty".to_owned());
        }
        for Statement { action, principal, .. } in &trust.statement {
            if !action.iter().any(|action| action == "sts:AssumeRole") {
                return Err("Action must be \"sts:AssumeRole\"".to_owned());
            }
            let Principals { ram, service, federated } = principal;
            if ram.iter().chain(service.iter()).chain(federated.iter()).next().is_none() {
                return Err("Principal is empty".to_owned());
            }
        }
        Ok(trust)
    }

    /// Whether a caller may assume the role.
    pub(crate) fn trusts(&self, caller: &Caller) -> bool {
        let account = &caller.account;
        let root = format!("acs:ram::{account}:root");
        let own = match &caller.principal {
            Principal::Account => root.clone(),
            Principal::User(user) => format!("acs:ram::{account}:user/{user}"),
            Principal::Role { role, .. } => format!("acs:ram::{account}:role/{role}"),
        };
        let meant = |statement: &&Statement| {
            let mut names = statement.principal.ram.iter();
            names.any(|name| name == "*" || name == root || name.eq_ignore_ascii_case(&own))
        };
        let mut effects = self.statement.iter().filter(meant).map(|statement| &statement.effect).peekable();
        effects.peek().is_some() && effects.all(|effect| *effect == Effect::Allow)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn policy(effect: &str, principal: &str) -> String {
        format!(
            r#"{{"Version":"1","Statement":[{{"Effect":"{effect}","Action":"sts:AssumeRole","Principal":{principal}}}]}}"#
        )
    }

    #[test]
    fn who_is_named_or_of_a_named_account_is_trusted() {
        let user = |account: &str| Caller {
            account: account.to_owned(),
            access_key: String::new(),
            principal: Principal::User("Alice".to_owned()),
            sees_nothing: false,
        };
        for (effect, principal, trusted) in [
            ("Allow", r#"{"RAM":["acs:ram::1:root"]}"#, true),
            ("Allow", r#"{"RAM":"acs:ram::1:root"}"#, true),
            ("Allow", r#"{"RAM":["acs:ram::1:user/alice"]}"#, true),
            ("Allow", r#"{"RAM":["acs:ram::1:user/bob"]}"#, false),
            ("Allow", r#"{"RAM":["acs:ram::2:root"]}"#, false),
            ("Allow", r#"{"Service":["ecs.aliyuncs.com"]}"#, false),
            ("Deny", r#"{"RAM":["acs:ram::1:root"]}"#, false),
        ] {
            let trust = Trust::parse(&policy(effect, principal)).unwrap();
            assert_eq!(trust.trusts(&user("1")), trusted, "{effect} {principal}");
        }
    }

    #[test]
    fn what_is_wrong_with_a_policy_is_said() {
        let good = policy("Allow", r#"{"RAM":"acs:ram::1:root"}"#);
        for (text, part) in [
            ("no".to_owned(), "expected ident"),
            (good.replace("\"1\"", "\"2\""), "Version"),
            (good.replace("sts:AssumeRole", "ecs:*"), "Action"),
            (good.replace("\"RAM\":\"acs:ram::1:root\"", ""), "Principal is empty"),
            (good.replace("Allow", "Perhaps"), "unknown variant `Perhaps`"),
            (good.replace("Effect", "Condition"), "unknown field `Condition`"),
            (r#"{"Version":"1","Statement":[]}"#.to_owned(), "Statement is empty"),
        ] {
            let why = Trust::parse(&text).unwrap_err();
            assert!(why.contains(part), "{text}: {why}");
        }
    }
}
