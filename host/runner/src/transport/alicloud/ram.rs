//! Policies of RAM: what an account needs to be allowed.

use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;

use crate::transport::AllowedCalls;

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
/// Calls that RAM allows by the name of another action.
const OTHER_NAMES: [(&str, &str); 1] = [("oss:DeleteMultipleObjects", "oss:DeleteObject")];
/// Calls that every identity may make.
const FREE: [&str; 1] = ["sts:GetCallerIdentity"];
/// Actions that another action makes in its caller's name: a stack of ROS copies an image for its creator.
const IMPLIED: [(&str, &[&str]); 1] = [("ros:CreateStack", &["ecs:CopyImage", "ecs:DescribeImages"])];
/// Actions that RAM narrows down by a key of the request: roles are made for this service alone.
const CONDITIONS: [(&str, &str, &str); 1] =
    [("ram:CreateServiceLinkedRole", "ram:ServiceName", "nat.aliyuncs.com")];

impl AllowedCalls {
    /// The least permissions that allow calls, as the cloud takes them: a RAM policy document.
    pub fn least(calls: &[String]) -> String {
        // Never fails: the document has keys that are texts.
        serde_json::to_string_pretty(&document(calls)).unwrap_or_default()
    }
}

/// A statement a service, and one for each condition.
fn document(calls: &[String]) -> Document {
    let mut actions = BTreeSet::new();
    for call in calls.iter().filter(|call| !FREE.contains(&call.as_str())) {
        let (service, action) = call.split_once(':').unwrap_or(("", call));
        let code = OTHER_CODES.iter().find(|(of, _)| *of == service).map_or(service, |(_, code)| code);
        let other = OTHER_NAMES.iter().find(|(of, _)| of == call).map(|(_, name)| (*name).to_owned());
        actions.insert(other.unwrap_or_else(|| format!("{code}:{action}")));
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
            "oss:ListObjects",
            "oss:DeleteMultipleObjects",
        ];
        let document = document(&calls.map(str::to_owned));
        let wanted = serde_json::json!({
            "Version": "1",
            "Statement": [
                { "Effect": "Allow", "Action": ["ecs:CopyImage", "ecs:DescribeImages"], "Resource": "*" },
                { "Effect": "Allow", "Action": ["oss:DeleteObject", "oss:ListObjects"], "Resource": "*" },
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
