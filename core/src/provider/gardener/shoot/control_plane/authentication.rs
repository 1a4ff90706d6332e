//! Who may ask the kube-apiserver: authentication, authorization and service accounts (GDN-API-016 to 020, 031 to
//! 040).

use super::{API_SERVER, gate};
use crate::collections::NameSet;
use crate::document::{Path, Value};
use crate::kube::duration::Duration;
use crate::provider::gardener::fields::{items, text, texts};
use crate::provider::gardener::garden::Garden;
use crate::provider::gardener::rules::api_server as rules;
use crate::provider::gardener::shoot::Check;
use crate::report::{ErrorType, Report, Rule};
use crate::text::Url;
use crate::text::join;

/// Judges the structured authentication and authorization.
pub fn structured(server: &Value<'_>, report: &mut Report<'_>) {
    if let Some(authentication) = server.get("structuredAuthentication") {
        let path = API_SERVER.key("structuredAuthentication");
        if gate(server, "StructuredAuthenticationConfiguration") == Some(false) {
            let detail = "requires feature gate StructuredAuthenticationConfiguration to be enabled";
            report.error(&rules::GDN_API_016, &path, ErrorType::Forbidden, detail);
        }
        config_map(&rules::GDN_API_017, authentication, &path, report);
    }
    if let Some(authorization) = server.get("structuredAuthorization") {
        let path = API_SERVER.key("structuredAuthorization");
        if gate(server, "StructuredAuthorizationConfiguration") == Some(false) {
            let detail = "requires feature gate StructuredAuthorizationConfiguration to be enabled";
            report.error(&rules::GDN_API_018, &path, ErrorType::Forbidden, detail);
        }
        config_map(&rules::GDN_API_019, authorization, &path, report);
        let is_named = !text(authorization, &["configMapName"]).is_empty();
        if is_named && items(authorization, &["kubeconfigs"]).is_empty() {
            let detail = "must provide kubeconfig secret references if an authorization config is configured";
            report.error(&rules::GDN_API_020, &path.key("kubeconfigs"), ErrorType::Required, detail);
        }
    }
}

fn config_map(rule: &'static Rule, configuration: &Value<'_>, path: &Path<'_>, report: &mut Report<'_>) {
    if text(configuration, &["configMapName"]).is_empty() {
        report.error(rule, &path.key("configMapName"), ErrorType::Forbidden, "must provide a name");
    }
}

/// Judges the configuration of service accounts.
pub fn service_accounts(check: &Check<'_>, server: &Value<'_>, report: &mut Report<'_>) {
    let Some(accounts) = server.get("serviceAccountConfig") else { return };
    let path = API_SERVER.key("serviceAccountConfig");
    if let Ok(longest) = Duration::parse(text(accounts, &["maxTokenExpiration"])) {
        let zero = Duration::default();
        let fault = if longest < zero {
            Some((&rules::GDN_API_031, ErrorType::Invalid, "can not be negative"))
        } else if longest > zero && longest < Duration::from_hours(720) {
            Some((&rules::GDN_API_032, ErrorType::Forbidden, "must be at least 720h (30d)"))
        } else if longest > Duration::from_hours(2160) {
            Some((&rules::GDN_API_033, ErrorType::Forbidden, "must be at most 2160h (90d)"))
        } else {
            None
        };
        if let Some((rule, error_type, detail)) = fault {
            report.error(rule, &path.key("maxTokenExpiration"), error_type, detail);
        }
    }
    let issuer = accounts.get("issuer").and_then(Value::as_str);
    if let Some(issuer) = issuer {
        judge_issuer(check.garden, &rules::GDN_API_034, issuer, &path.key("issuer"), report);
    }
    let accepted = items(accounts, &["acceptedIssuers"]);
    let before =
        check.old.and_then(|old| old.at(&["spec", "kubernetes", "kubeAPIServer", "serviceAccountConfig"]));
    // Gardener accepts what it stored before it had these rules.
    if before.is_some_and(|before| items(before, &["acceptedIssuers"]) == accepted) {
        return;
    }
    let all = path.key("acceptedIssuers");
    let mut seen = NameSet::new();
    for (index, other) in texts(accepted).enumerate() {
        let place = all.index(index);
        judge_issuer(check.garden, &rules::GDN_API_035, other, &place, report);
        if issuer == Some(other) {
            let detail = join(&["acceptedIssuers cannot contains the issuer field value:", other], " ");
            report.error(&rules::GDN_API_036, &place, ErrorType::Invalid, detail).fix_removal_from(accepted);
        }
        if !seen.insert(other) {
            report.error(&rules::GDN_API_037, &place, ErrorType::Duplicate, "").fix_removal_from(accepted);
        }
    }
}

/// Judges the URL of an issuer.
fn judge_issuer(garden: Garden, rule: &'static Rule, issuer: &str, path: &Path<'_>, report: &mut Report<'_>) {
    let url = if garden.is_from(144) { Url::parse_strictly(issuer) } else { Url::parse(issuer) };
    let is = |test: fn(&Url<'_>) -> bool| url.as_ref().is_some_and(test);
    for (is_wrong, detail) in [
        (!is(|url| !url.host.is_empty()), "must be a valid URL and have https scheme"),
        (is(|url| !url.fragment.is_empty()), "must not contain a fragment"),
        (is(|url| url.has_user), "must not contain a username or password"),
        (is(|url| !url.query.is_empty()), "must not contain a query"),
        (is(|url| url.scheme != "https"), "must have https scheme"),
    ] {
        if is_wrong {
            report.error(rule, path, ErrorType::Invalid, detail);
        }
    }
}

/// Judges the audiences of tokens.
pub fn audiences(audiences: &[Value<'_>], report: &mut Report<'_>) {
    let all = API_SERVER.key("apiAudiences");
    let mut seen = NameSet::new();
    for (index, audience) in texts(audiences).enumerate() {
        let path = all.index(index);
        if !seen.insert(audience) {
            report.error(&rules::GDN_API_039, &path, ErrorType::Duplicate, "").fix_removal_from(audiences);
        }
        if audience.bytes().any(|byte| byte == b',') {
            report.error(&rules::GDN_API_040, &path, ErrorType::Invalid, "audience must not contain commas");
        }
    }
}
