//! Secrets with credentials, and the bindings that refer to them (OS-SEC, OS-CRED).

use super::advice;
use crate::document::Path;
use crate::gardener::checks::bindings::{BindingRules, check_binding};
use crate::gardener::checks::kinds::{INTERNAL_SECRET, SECRET};
use crate::gardener::checks::secrets::{self, Supported};
use crate::gardener::checks::spelling::{Spelling, follow};
use crate::gardener::types::secret::{Secret, Values};
use crate::policy::{Request, RequestError};
use crate::provider::openstack::credentials::{
    APPLICATION_ID, APPLICATION_NAME, APPLICATION_SECRET, Check, KEYS, Key, Needed, PASSWORD, USERNAME, flag,
};
use crate::provider::openstack::rules::credentials as rules;
use crate::report::{ErrorType, Report, Reported, Rule};
use crate::text::{Url, quote};

/// The credentials that OpenStack takes.
pub const SUPPORTED: Supported = Supported { kinds: &[SECRET, INTERNAL_SECRET], looks_up_all: true };

const BINDINGS: BindingRules = BindingRules {
    secret_binding: &rules::CRED_002,
    credentials_binding: |_| &rules::CRED_004,
    supported: &rules::CRED_004,
    credentials: SUPPORTED,
    checked: "its content",
    workload_identity: None,
};

/// Judges a Secret. An update that changes no value is accepted.
pub fn secret(request: &Request<'_>, report: &mut Report<'_>) -> Result<(), RequestError> {
    let Some((secret, values)) = secrets::changed(request, report)? else { return Ok(()) };
    Data { secret: &secret, values: &values, field: "secret.data", pointer: None, is_for_dns: false }
        .judge(report);
    advice::secret::secret(&secret, &values, report);
    Ok(())
}

/// Judges a SecretBinding or a CredentialsBinding by the Secret behind it.
pub fn binding(request: &Request<'_>, report: &mut Report<'_>) -> Result<(), RequestError> {
    check_binding(
        request,
        &BINDINGS,
        |secret, values, place, report| {
            Data { secret, values, field: "secret.data", pointer: Some(place), is_for_dns: false }.judge(report);
        },
        report,
    )
}

/// The data of a Secret, to judge.
pub struct Data<'s> {
    /// The Secret.
    pub secret: &'s Secret<'s>,
    /// Its values.
    pub values: &'s Values<'s>,
    /// How findings print the place of the data.
    pub field: &'s str,
    /// Where findings point in another object than the Secret.
    pub pointer: Option<&'s str>,
    /// Whether the Secret is that of a DNS provider, whose keys may have other names.
    pub is_for_dns: bool,
}

impl Data<'_> {
    /// Judges each key, the way to authenticate, and what other keys there are.
    pub fn judge(&self, report: &mut Report<'_>) {
        let aliases = KEYS.iter().filter_map(|key| key.alias).filter(|_| self.is_for_dns);
        let names: Vec<&'static str> = KEYS.iter().map(|key| key.name).chain(aliases).collect();
        let spelling = Spelling::of(self.values, &names, &rules::SEC_021);
        for key in &KEYS {
            let name = self.name(key);
            self.key(key, name, &spelling, report);
        }
        self.authentication(&spelling, report);
        for name in self.values.keys().filter(|name| !names.contains(name)) {
            let detail = format!("unexpected field {}", quote(name));
            let entry = error(&rules::SEC_021, self.place(name), ErrorType::Forbidden, detail, report);
            spelling.suggest(name, |key| self.pointer(key), entry);
        }
    }

    fn key(&self, key: &Key, name: &str, spelling: &Spelling<'_>, report: &mut Report<'_>) {
        let is_required = key.needed == Needed::Always || self.is_for_dns && key.needed == Needed::ForDns;
        let Some(value) = self.values.get(name) else {
            if is_required {
                let detail = format!("missing required field \"{name}\"");
                let entry = error(&rules::SEC_001, self.place(name), ErrorType::Required, detail, report);
                follow(entry, spelling.cause(name, |key| self.pointer(key)).as_ref());
            }
            return;
        };
        let text = String::from_utf8_lossy(value);
        match key.check {
            _ if text.is_empty() => {
                let (rule, when) =
                    if is_required { (&rules::SEC_002, "") } else { (&rules::SEC_003, " when key is set") };
                let detail = format!("field \"{name}\" cannot be empty{when}");
                error(rule, self.place(name), ErrorType::Invalid, detail, report);
            }
            Check::Text(rule, must) => {
                for fault in must.faults(&text) {
                    error(rule, self.place(name), ErrorType::Invalid, fault.detail, report);
                }
            }
            Check::Url => {
                for detail in url_faults(&text) {
                    error(&rules::SEC_011, self.place(name), ErrorType::Invalid, detail.to_owned(), report);
                }
            }
            Check::Certificate => {
                let lines = [
                    (&rules::SEC_012, "-----BEGIN CERTIFICATE-----"),
                    (&rules::SEC_013, "-----END CERTIFICATE-----"),
                ];
                for (rule, line) in lines.into_iter().filter(|(_, line)| !text.contains(line)) {
                    error(rule, self.place(name), ErrorType::Invalid, format!("must contain '{line}'"), report);
                }
            }
            Check::Flag => {
                if flag(value).is_none() {
                    let detail = "supported values: \"true\", \"false\"";
                    error(&rules::SEC_014, self.place(name), ErrorType::NotSupported, detail.to_owned(), report);
                }
            }
        }
    }

    /// Judges whether the Secret has one complete way to authenticate: the first of those that it begins.
    fn authentication(&self, spelling: &Spelling<'_>, report: &mut Report<'_>) {
        let has = |key: &Key| self.values.get(self.name(key)).is_some_and(|value| !value.is_empty());
        let whole = || (self.field.to_owned(), self.pointer(None));
        let [user, password, id, name, secret] =
            [&USERNAME, &PASSWORD, &APPLICATION_ID, &APPLICATION_NAME, &APPLICATION_SECRET]
                .map(|key| self.name(key));
        let lacks = |rule, key: &Key, other: &str, report: &mut Report<'_>| {
            let detail = format!("{} is required when {other} is provided", self.name(key));
            let place = (format!("{}.{}", self.field, key.name), self.pointer(Some(self.name(key))));
            let entry = error(rule, place, ErrorType::Required, detail, report);
            follow(entry, spelling.cause(self.name(key), |key| self.pointer(key)).as_ref());
        };
        if has(&PASSWORD) && has(&APPLICATION_SECRET) {
            let detail = format!("cannot specify both {password} and {secret}");
            error(&rules::SEC_015, whole(), ErrorType::Invalid, detail, report);
        } else if has(&APPLICATION_ID) {
            if !has(&APPLICATION_SECRET) {
                lacks(&rules::SEC_016, &APPLICATION_SECRET, id, report);
            }
        } else if has(&APPLICATION_NAME) {
            if !has(&APPLICATION_SECRET) {
                lacks(&rules::SEC_017, &APPLICATION_SECRET, name, report);
            }
            if !has(&USERNAME) {
                lacks(&rules::SEC_018, &USERNAME, name, report);
            }
        } else if has(&PASSWORD) {
            if !has(&USERNAME) {
                lacks(&rules::SEC_019, &USERNAME, password, report);
            }
        } else {
            let detail = format!(
                "must provide one of the following authentication methods: (1) {id} + {secret}, (2) {user} + {name} + \
                 {secret}, (3) {user} + {password}"
            );
            let cause = [user, password, id, name, secret]
                .iter()
                .find_map(|key| spelling.cause(key, |key| self.pointer(key)));
            follow(error(&rules::SEC_020, whole(), ErrorType::Required, detail, report), cause.as_ref());
        }
    }

    /// The place of a key.
    fn place(&self, key: &str) -> (String, String) {
        (format!("{}[{key}]", self.field), self.pointer(Some(key)))
    }

    /// The name by which the Secret has a key. The standard name wins.
    fn name(&self, key: &Key) -> &'static str {
        let alias = key.alias.filter(|alias| self.is_for_dns && self.values.get(alias).is_some());
        alias.filter(|_| self.values.get(key.name).is_none()).unwrap_or(key.name)
    }

    /// Where findings about a key, or about the whole data, point.
    fn pointer(&self, key: Option<&str>) -> String {
        self.pointer.map_or_else(|| self.secret.place(key), str::to_owned)
    }
}

/// Reports what is wrong at a place, which is a field and a pointer. No value is shown, also where the pointer
/// leads to a reference to the Secret.
fn error<'r>(
    rule: &'static Rule,
    (field, pointer): (String, String),
    error_type: ErrorType,
    detail: String,
    report: &'r mut Report<'_>,
) -> Reported<'r> {
    report.error(rule, &Path::root(&field, &pointer), error_type, detail).hide_value()
}

fn url_faults(text: &str) -> Vec<&'static str> {
    let Some(url) = Url::parse(text) else { return vec!["must be a valid URL"] };
    let mut faults = Vec::new();
    if !matches!(url.scheme.as_str(), "http" | "https") {
        faults.push("must use http:// or https:// scheme");
    }
    if url.host.is_empty() {
        faults.push("must include a host");
    }
    faults
}
