//! `trellis ram-policy`

use std::collections::{BTreeMap, BTreeSet};

use clap::Args;
use serde::Serialize;

use super::session::unknown_provider;
use super::{Streams, Trouble};
use trellis_policies::engine::Engine;
use trellis_policies::policy::Policy;

const AFTER_HELP: &str = "\
Examples:
  trellis ram-policy > policy.json
  aliyun ram CreatePolicy --PolicyName trellis --PolicyDocument \"$(trellis ram-policy)\"";

/// Print the least RAM policy for the calls that plans of a provider can make.
///
/// It is for the RAM user whose access key the Shoot's Secret has.
#[derive(Args, Debug)]
#[command(after_help = AFTER_HELP)]
pub(super) struct Arguments {
    /// The provider; by default the one that makes such calls.
    #[arg(long, value_name = "NAME")]
    provider: Option<String>,
}

/// Why there is no RAM policy.
#[derive(Debug, thiserror::Error)]
pub(super) enum RamPolicyError {
    #[error("the policy of `{0}` names no calls that it makes")]
    NoCalls(String),
    #[error("no policy names the calls that it makes")]
    Nobody,
    #[error("several policies name the calls that they make: {0}")]
    Several(String),
}

/// A RAM policy document.
#[derive(Debug, Serialize)]
#[serde(rename_all = "PascalCase")]
struct Document {
    version: &'static str,
    statement: Vec<Statement>,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "PascalCase")]
struct Statement {
    effect: &'static str,
    action: Vec<String>,
    resource: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    condition: Option<Condition>,
}

/// Keys of a request that must have these values.
#[derive(Debug, Serialize)]
#[serde(rename_all = "PascalCase")]
struct Condition {
    string_equals: BTreeMap<&'static str, &'static str>,
}

/// Services whose actions RAM knows under another service's code.
const OTHER_CODES: [(&str, &str); 1] = [("resourcemanager", "ram")];
/// Calls that every identity may make.
const FREE: [&str; 1] = ["sts:GetCallerIdentity"];
/// Actions that another action makes in its caller's name: a stack of ROS copies an image for its creator.
const IMPLIED: [(&str, &[&str]); 1] = [("ros:CreateStack", &["ecs:CopyImage", "ecs:DescribeImages"])];
/// Actions that RAM narrows down by a key of the request: roles are made for this service alone.
const CONDITIONS: [(&str, &str, &str); 1] =
    [("ram:CreateServiceLinkedRole", "ram:ServiceName", "nat.aliyuncs.com")];

impl Arguments {
    pub(super) fn run(&self, engine: &dyn Engine, streams: &mut Streams<'_>) -> Result<(), Trouble> {
        let calls = self.calls(engine)?;
        let text = serde_json::to_string_pretty(&document(&calls)).unwrap_or_default();
        streams.print(&format!("{text}\n"))
    }

    fn calls(&self, engine: &dyn Engine) -> Result<Vec<String>, Trouble> {
        let known = engine.providers();
        if let Some(name) = &self.provider {
            if !known.contains(name) {
                return Err(unknown_provider(name, &known));
            }
            let calls = calls_of(engine, name)?;
            return if calls.is_empty() { Err(RamPolicyError::NoCalls(name.clone()).into()) } else { Ok(calls) };
        }
        let mut found = Vec::new();
        for name in known {
            let calls = calls_of(engine, &name)?;
            if !calls.is_empty() {
                found.push((name, calls));
            }
        }
        match found.len() {
            0 => Err(RamPolicyError::Nobody.into()),
            1 => Ok(found.pop().map(|(_, calls)| calls).unwrap_or_default()),
            _ => {
                let names: Vec<String> = found.iter().map(|(name, _)| format!("`{name}`")).collect();
                Err(RamPolicyError::Several(names.join(", ")).into())
            }
        }
    }
}

fn calls_of(engine: &dyn Engine, provider: &str) -> Result<Vec<String>, Trouble> {
    let policy = Policy::load(engine, provider)
        .map_err(|failure| Trouble::NoInfo { provider: provider.to_owned(), failure })?;
    Ok(policy.info().calls.clone())
}

/// A statement a service, and one for each condition.
fn document(calls: &[String]) -> Document {
    let mut actions = BTreeSet::new();
    for call in calls.iter().filter(|call| !FREE.contains(&call.as_str())) {
        let (service, action) = call.split_once(':').unwrap_or(("", call));
        let code = OTHER_CODES.iter().find(|(of, _)| *of == service).map_or(service, |(_, code)| code);
        actions.insert(format!("{code}:{action}"));
        let implied = IMPLIED.iter().find(|(of, _)| of == call).map(|(_, implied)| *implied).unwrap_or_default();
        actions.extend(implied.iter().map(|&action| action.to_owned()));
    }
    let mut statements: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for action in actions {
        let condition = CONDITIONS.iter().any(|(of, ..)| *of == action);
        let (service, _) = action.split_once(':').unwrap_or_default();
        // An action with a condition gets a statement of its own, after the others of its service.
        let key = if condition { format!("{service}:{action}") } else { service.to_owned() };
        statements.entry(key).or_default().push(action);
    }
    Document { version: "1", statement: statements.into_values().map(statement).collect() }
}

fn statement(action: Vec<String>) -> Statement {
    let condition = CONDITIONS.iter().find(|(of, ..)| action.iter().any(|action| action == of));
    let condition = condition.map(|(_, key, value)| Condition { string_equals: BTreeMap::from([(*key, *value)]) });
    Statement { effect: "Allow", action, resource: "*", condition }
}

impl RamPolicyError {
    /// What the person can do.
    pub(super) fn help(&self) -> Option<String> {
        match self {
            Self::Several(_) => Some("choose one with `--provider NAME`".to_owned()),
            Self::NoCalls(_) | Self::Nobody => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn calls_become_actions_by_the_codes_of_ram() {
        let calls = [
            "vpc:CreateVpc",
            "resourcemanager:GetRole",
            "vpc:CreateNatGateway",
            "resourcemanager:CreateServiceLinkedRole",
            "sts:GetCallerIdentity",
            "ros:CreateStack",
        ];
        let document = document(&calls.map(str::to_owned));
        let wanted = serde_json::json!({
            "Version": "1",
            "Statement": [
                { "Effect": "Allow", "Action": ["ecs:CopyImage", "ecs:DescribeImages"], "Resource": "*" },
                { "Effect": "Allow", "Action": ["ram:GetRole"], "Resource": "*" },
                {
                    "Effect": "Allow", "Action": ["ram:CreateServiceLinkedRole"], "Resource": "*",
                    "Condition": { "StringEquals": { "ram:ServiceName": "nat.aliyuncs.com" } },
                },
                { "Effect": "Allow", "Action": ["ros:CreateStack"], "Resource": "*" },
                { "Effect": "Allow", "Action": ["vpc:CreateNatGateway", "vpc:CreateVpc"], "Resource": "*" },
            ],
        });
        assert_eq!(serde_json::to_value(document).unwrap(), wanted);
    }
}
