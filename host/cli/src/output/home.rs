//! Where the project is at home.

/// The address of the project's repository, without a slash at its end; empty as long as nobody has published it.
/// Output has no links until then.
const HOME: &str = "";

/// The address of the project.
pub(super) fn address() -> Option<&'static str> {
    published(HOME)
}

/// The address of what `docs/rules` says of a rule of a policy.
pub(super) fn of_rule(policy: &str, rule: &str) -> Option<String> {
    rule_at(HOME, policy, rule)
}

fn rule_at(home: &str, policy: &str, rule: &str) -> Option<String> {
    let home = published(home)?;
    Some(format!("{home}/blob/main/docs/rules/{policy}.md#{}", rule.to_ascii_lowercase()))
}

fn published(home: &str) -> Option<&str> {
    Some(home).filter(|home| !home.is_empty())
}

#[cfg(test)]
mod tests {
    use super::rule_at;

    #[test]
    fn a_rule_has_an_address_as_soon_as_the_project_has_one() {
        let address = "https://example.org/trellis/blob/main/docs/rules/aws.md#aws-inf-001";
        for (home, expected) in [("", None), ("https://example.org/trellis", Some(address))] {
            assert_eq!(rule_at(home, "aws", "AWS-INF-001").as_deref(), expected, "{home:?}");
        }
    }
}
