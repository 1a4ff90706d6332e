//! Credentials of AWS: the access key in a Secret (AWS-SEC), and the role that a WorkloadIdentity assumes
//! (AWS-WID).

use std::borrow::Cow;

use super::rules::credentials as rules;
use crate::gardener::checks::credentials_fault::CredentialsFault;
use crate::gardener::checks::spelling::Spelling;
use crate::gardener::types::secret::Values;
use crate::report::{ErrorType, Rule};
use crate::text::{TextRule, quote};

/// A key of a Secret.
#[derive(Debug)]
pub struct Key {
    /// Its name.
    pub name: &'static str,
    /// The name that a Secret for DNS may use instead. The existing extension prefers this one.
    pub alias: &'static str,
    /// A Secret has the key, and it is not empty; none where a Secret need not have it.
    required: Option<[&'static Rule; 2]>,
    /// A value keeps a rule.
    format: &'static Rule,
    must: TextRule,
}

/// The id of the access key.
pub const ACCESS_KEY_ID: Key = Key {
    name: "accessKeyID",
    alias: "AWS_ACCESS_KEY_ID",
    required: Some([&rules::SEC_003, &rules::SEC_004]),
    format: &rules::SEC_005,
    must: TextRule::pattern(r"^[A-Z0-9]+$").length(20, 20).hidden(),
};
/// The secret of the access key.
pub const SECRET_ACCESS_KEY: Key = Key {
    name: "secretAccessKey",
    alias: "AWS_SECRET_ACCESS_KEY",
    required: Some([&rules::SEC_006, &rules::SEC_007]),
    format: &rules::SEC_008,
    must: TextRule::pattern(r"^[A-Za-z0-9/+=]+$").length(40, 40).hidden(),
};
/// The region whose endpoints are called.
pub const REGION: Key = Key {
    name: "region",
    alias: "AWS_REGION",
    required: None,
    format: &rules::SEC_009,
    must: TextRule::pattern(r"^[a-z-]+-\d+$").length(0, 32),
};

/// All keys, in the order in which the existing extension judges them.
pub static KEYS: [Key; 3] = [ACCESS_KEY_ID, SECRET_ACCESS_KEY, REGION];

/// What the ARN of a role must be.
pub const ROLE_ARN: TextRule =
    TextRule::pattern(r"^arn:aws[a-z0-9-]*:iam::\d{12}:role(/[\w+=,.@-]+)*/[\w+=,.@-]+$")
        .required("cannot be empty");

impl Key {
    /// The name by which a Secret has the key.
    pub fn in_secret(&self, values: &Values<'_>) -> &'static str {
        if values.get(self.alias).is_some() { self.alias } else { self.name }
    }

    fn faults(&self, values: &Values<'_>, secret: &str, faults: &mut Vec<CredentialsFault>) {
        let name = self.in_secret(values);
        let mut fault = |rule, error_type, detail, reported: Cow<'static, str>| {
            faults.push(CredentialsFault::of_secret(rule, Some(name), error_type, detail).with_value(reported));
        };
        let nothing = Cow::Borrowed("");
        match (values.get(name), self.required) {
            (None, Some([missing, _])) => {
                let detail = format!("missing required field \"{name}\" in secret {secret}");
                fault(missing, ErrorType::Required, detail, nothing);
            }
            (Some([]), Some([_, empty])) => {
                let detail = format!("field \"{name}\" cannot be empty in secret {secret}");
                fault(empty, ErrorType::Required, detail, nothing);
            }
            (None | Some([]), None) => {}
            (Some(value), _) => {
                let text = String::from_utf8_lossy(value);
                for wrong in self.must.faults(&text) {
                    let reported = if self.must.is_hidden() { "\"(hidden)\"".into() } else { quote(&text).into() };
                    fault(self.format, ErrorType::Invalid, wrong.detail, reported);
                }
            }
        }
    }
}

/// The misspelt keys of a Secret. Of the names of a Secret for DNS, only those that are there count.
pub fn spelling<'s>(values: &Values<'s>) -> Spelling<'s> {
    let has = |name: &str| values.get(name).is_some();
    let names = KEYS.iter().map(|key| if has(key.alias) && !has(key.name) { key.alias } else { key.name });
    Spelling::of(values, &names.collect::<Vec<_>>(), &rules::SEC_002)
}

/// All that is wrong with the values of a Secret, which is given with its namespace, in the order of the existing
/// extension.
pub fn faults(values: &Values<'_>, secret: &str) -> Vec<CredentialsFault> {
    let mut faults = Vec::new();
    for Key { name, alias, .. } in
        KEYS.iter().filter(|key| [key.name, key.alias].iter().all(|name| values.get(name).is_some()))
    {
        let detail = format!("cannot have both \"{name}\" and \"{alias}\" in secret {secret}");
        let fault = CredentialsFault::of_secret(&rules::SEC_001, None, ErrorType::Invalid, detail);
        faults.push(fault.with_value("\"(multiple keys)\""));
    }
    let is_known = |name: &&str| KEYS.iter().any(|key| [key.name, key.alias].contains(name));
    for name in values.keys().filter(|name| !is_known(name)) {
        let detail = format!("unexpected field {} in secret {secret}", quote(name));
        faults.push(CredentialsFault::of_secret(&rules::SEC_002, Some(name), ErrorType::Forbidden, detail));
    }
    for key in &KEYS {
        key.faults(values, secret, &mut faults);
    }
    faults
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::document::parse;
    use crate::gardener::checks::credentials_fault::refusal;
    use crate::gardener::types::secret::Secret;

    const ID: &str = "AKIA0123456789ABCDEF";
    const SECRET: &str = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJ0/+=";

    fn reported(data: &[(&str, &str)]) -> Vec<String> {
        let members: Vec<String> = data.iter().map(|(key, value)| format!("\"{key}\":\"{value}\"")).collect();
        let text = format!(r#"{{"kind":"Secret","stringData":{{{}}}}}"#, members.join(","));
        let object = parse(&text).unwrap();
        let values = Values::of(&Secret::read(&object).unwrap()).unwrap();
        let reported = |fault: &CredentialsFault| refusal(std::slice::from_ref(fault)).unwrap_or_default();
        faults(&values, "garden/aws")
            .iter()
            .map(|fault| format!("{} {}", fault.rule.id, reported(fault)))
            .collect()
    }

    #[test]
    fn each_rule_of_a_secret_has_its_words() {
        let [id, secret] = [("accessKeyID", ID), ("secretAccessKey", SECRET)];
        for (data, expected) in [
            (vec![id, secret], vec![]),
            (vec![id, secret, ("region", "eu-central-1")], vec![]),
            (vec![id, secret, ("region", "")], vec![]),
            (
                vec![
                    ("AWS_ACCESS_KEY_ID", ID),
                    ("AWS_SECRET_ACCESS_KEY", SECRET),
                    ("AWS_REGION", "us-gov-west-1"),
                ],
                vec![],
            ),
            (
                vec![id, ("AWS_ACCESS_KEY_ID", ID), secret],
                vec![
                    "AWS-SEC-001 secret.data: Invalid value: \"(multiple keys)\": cannot have both \"accessKeyID\" and \
                      \"AWS_ACCESS_KEY_ID\" in secret garden/aws",
                ],
            ),
            (
                vec![id, secret, ("token", "x")],
                vec!["AWS-SEC-002 secret.data[token]: Forbidden: unexpected field \"token\" in secret garden/aws"],
            ),
            (
                vec![],
                vec![
                    "AWS-SEC-003 secret.data[accessKeyID]: Required value: missing required field \"accessKeyID\" in secret \
                     garden/aws",
                    "AWS-SEC-006 secret.data[secretAccessKey]: Required value: missing required field \"secretAccessKey\" in \
                     secret garden/aws",
                ],
            ),
            (
                vec![("AWS_ACCESS_KEY_ID", ""), ("secretAccessKey", "")],
                vec![
                    "AWS-SEC-004 secret.data[AWS_ACCESS_KEY_ID]: Required value: field \"AWS_ACCESS_KEY_ID\" cannot be empty \
                     in secret garden/aws",
                    "AWS-SEC-007 secret.data[secretAccessKey]: Required value: field \"secretAccessKey\" cannot be empty in \
                     secret garden/aws",
                ],
            ),
            (
                vec![("accessKeyID", "akia"), secret],
                vec![
                    "AWS-SEC-005 secret.data[accessKeyID]: Invalid value: \"(hidden)\": does not match expected regex \
                     ^[A-Z0-9]+$",
                    "AWS-SEC-005 secret.data[accessKeyID]: Invalid value: \"(hidden)\": must not be fewer than 20 \
                     characters, got 4",
                ],
            ),
            (
                vec![id, ("secretAccessKey", "abcdefghijklmnopqrstuvwxyzABCDEFGHIJ0/+=x")],
                vec![
                    "AWS-SEC-008 secret.data[secretAccessKey]: Invalid value: \"(hidden)\": must not be more than 40 \
                      characters, got 41",
                ],
            ),
            (
                vec![id, secret, ("region", "eu-central")],
                vec![
                    "AWS-SEC-009 secret.data[region]: Invalid value: \"eu-central\": does not match expected regex \
                      ^[a-z-]+-\\d+$",
                ],
            ),
        ] {
            assert_eq!(reported(&data), expected, "{data:?}");
        }
    }

    #[test]
    fn the_arn_of_a_role_has_a_partition_an_account_and_a_path() {
        for (arn, is_right) in [
            ("arn:aws:iam::123456789012:role/gardener", true),
            ("arn:aws-cn:iam::123456789012:role/a/b/gardener", true),
            ("arn:aws:iam::123456789012:role/", false),
            ("arn:aws:iam::12345678901:role/gardener", false),
            ("arn:aws:iam::123456789012:role//x", false),
            ("arn:aws:iam::123456789012:user/gardener", false),
            ("", false),
        ] {
            assert_eq!(ROLE_ARN.faults(arn).is_empty(), is_right, "{arn}");
        }
    }
}
