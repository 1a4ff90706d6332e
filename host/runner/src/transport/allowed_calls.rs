//! Which calls plans may make. The operator decides that, and no policy.

use std::collections::{BTreeMap, BTreeSet};

use crate::call::failure::{CallFailure, NOT_ALLOWED};

/// The calls that the policies of this release make, by provider type and by the role of the account that makes
/// them. `cargo xtask providers` writes the file.
const CALLS: &str = include_str!("allowed_calls/calls.json");
/// Those of the calls that change nothing, by provider type, from the same step.
const HARMLESS: &str = include_str!("allowed_calls/harmless.json");

/// Calls by the role of an account.
type Calls = BTreeMap<String, BTreeSet<String>>;

/// The calls and the hosts that plans of one provider may have.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AllowedCalls {
    /// Such as `vpc:CreateVpc`, by the role of the account; `None` for all.
    calls: Option<Calls>,
    /// Further calls, for every account.
    more: BTreeSet<String>,
    /// Patterns of the hosts of other regions than that of a run; `None` for all.
    hosts: Option<Vec<String>>,
}

impl AllowedCalls {
    /// What the policy of a provider may call in this release; nothing for a provider that is not known here. The
    /// list is part of this program: it is not what a loaded policy says of itself.
    pub fn of(provider: &str) -> Self {
        let mut known: BTreeMap<String, Calls> = serde_json::from_str(CALLS).unwrap_or_default();
        let calls = Some(known.remove(provider).unwrap_or_default());
        Self { calls, more: BTreeSet::new(), hosts: Some(Vec::new()) }
    }

    /// The same, and no call that may change something.
    pub fn of_reads(provider: &str) -> Self {
        let mut allowed_calls = Self::of(provider);
        let mut known: BTreeMap<String, BTreeSet<String>> = serde_json::from_str(HARMLESS).unwrap_or_default();
        let harmless = known.remove(provider).unwrap_or_default();
        for calls in allowed_calls.calls.iter_mut().flat_map(BTreeMap::values_mut) {
            calls.retain(|call| harmless.contains(call));
        }
        allowed_calls
    }

    /// Every call, in every region.
    pub fn all() -> Self {
        Self { calls: None, more: BTreeSet::new(), hosts: None }
    }

    /// The same, and a call such as `vpc:CreateVpc`.
    pub fn with_call(mut self, call: &str) -> Self {
        self.more.insert(call.to_owned());
        self
    }

    /// The same, and calls for other regions at a host such as `vpc.cn-hangzhou.aliyuncs.com`, or at all hosts of
    /// a domain, such as `*.aliyuncs.com`.
    pub fn with_host(mut self, pattern: &str) -> Self {
        if let Some(hosts) = &mut self.hosts {
            hosts.push(pattern.to_owned());
        }
        self
    }

    /// Checks the action of a call of the account with a role.
    pub(super) fn check_call(&self, role: &str, service: &str, action: &str) -> Result<(), CallFailure> {
        let call = format!("{service}:{action}");
        let Some(calls) = &self.calls else { return Ok(()) };
        if self.more.contains(&call) || calls.get(role).is_some_and(|calls| calls.contains(&call)) {
            return Ok(());
        }
        Err(CallFailure::own(
            NOT_ALLOWED,
            format!(
                "the policy asks for the call `{call}` of the account `{role}`, which this host does not allow; its operator can \
                 allow it with `--allow-call {call}`"
            ),
        ))
    }

    /// Checks the region of a call, and the host that the call goes to. `own` is the region of the run.
    pub(super) fn check_region(&self, region: &str, own: &str, host: &str) -> Result<(), CallFailure> {
        let is_allowed = |pattern: &String| match pattern.strip_prefix('*') {
            Some(domain) => domain.starts_with('.') && host.ends_with(domain),
            None => pattern == host,
        };
        match &self.hosts {
            Some(hosts) if region != own && !hosts.iter().any(is_allowed) => Err(CallFailure::own(
                NOT_ALLOWED,
                format!(
                    "the policy asks for a call for the region `{region}` at `{host}`, and this run is for `{own}`; the operator \
                     can allow that with `--allow-host {host}`"
                ),
            )),
            _ => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_no_list_has_is_not_allowed() {
        let alicloud = AllowedCalls::of("alicloud");
        assert!(alicloud.check_call("shoot", "vpc", "CreateVpc").is_ok());
        assert!(alicloud.check_call("imageOwner", "ecs", "ModifyImageSharePermission").is_ok());
        for (role, service, action) in [
            ("shoot", "ecs", "StopInstance"),
            ("shoot", "ram", "CreateUser"),
            ("shoot", "vpc", "createVpc"),
            ("shoot", "ecs", "ModifyImageSharePermission"),
            ("imageOwner", "vpc", "CreateVpc"),
            ("other", "vpc", "CreateVpc"),
            ("", "", ""),
        ] {
            let failure = alicloud.check_call(role, service, action).unwrap_err();
            assert_eq!(
                (failure.code.as_str(), failure.ambiguous),
                (NOT_ALLOWED, false),
                "{role} {service}:{action}"
            );
        }
        assert!(alicloud.with_call("ecs:StopInstance").check_call("shoot", "ecs", "StopInstance").is_ok());
        assert!(AllowedCalls::of("nobody").check_call("shoot", "vpc", "CreateVpc").is_err());
        assert!(AllowedCalls::all().check_call("any", "any", "Thing").is_ok());
    }

    #[test]
    fn reads_change_nothing() {
        let reads = AllowedCalls::of_reads("alicloud");
        assert!(reads.check_call("shoot", "ecs", "DescribeImages").is_ok());
        for (role, service, action) in [
            ("shoot", "vpc", "CreateVpc"),
            ("shoot", "ecs", "TagResources"),
            ("imageOwner", "ecs", "ModifyImageSharePermission"),
        ] {
            assert!(reads.check_call(role, service, action).is_err(), "{role} {service}:{action}");
        }
    }

    #[test]
    fn other_regions_are_called_at_the_hosts_that_the_operator_names() {
        let some =
            AllowedCalls::of("alicloud").with_host("vpc.a.org").with_host("*.example.org").with_host("*oops");
        for (region, host, is_allowed) in [
            ("own", "vpc.own.org", true),
            ("other", "vpc.a.org", true),
            ("other", "a.example.org", true),
            ("other", "example.org", false),
            ("other", "aexample.org", false),
            // One host serves several regions.
            ("other", "vpc.own.org", false),
            ("other", "noops", false),
        ] {
            assert_eq!(some.check_region(region, "own", host).is_ok(), is_allowed, "{region} at {host}");
        }
        assert!(AllowedCalls::all().check_region("other", "own", "any").is_ok());
    }
}
