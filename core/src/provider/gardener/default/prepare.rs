//! What the API server rewrites before it judges a Shoot (PREP).

use super::fill::{entry, put, put_absent, remove};
use super::operations;
use crate::document::Value;
use crate::kube::duration::Duration;
use crate::kube::semver::SemVer;
use crate::policy::{Defaulted, Request};
use crate::provider::gardener::fields::{items, text};
use crate::provider::gardener::garden::Garden;
use crate::provider::gardener::rules::default as rules;

const SEED: &[&str] = &["spec", "seedName"];
const REFERENCE: &[&str] = &["spec", "cloudProfile"];
const KIND: &[&str] = &["spec", "cloudProfile", "kind"];
const NAME: &[&str] = &["spec", "cloudProfile", "name"];
const OLD_NAME: &[&str] = &["spec", "cloudProfileName"];
const EVENTS: &[&str] = &["spec", "kubernetes", "kubeAPIServer", "eventTTL"];
/// The longest that an update lets events live, in nanoseconds.
const DAY: Duration = Duration::from_nanoseconds(24 * 3_600 * 1_000_000_000);

/// Rewrites what the API server rewrites.
pub fn default<'r>(request: &Request<'r>, garden: Garden, old: Option<&Value<'r>>, defaulted: &mut Defaulted<'r>) {
    let subresource = request.context("subresource").and_then(Value::as_str).unwrap_or_default();
    if subresource == "status" {
        return;
    }
    if let Some(old) = old {
        if subresource != "binding" && !garden.is_from(144) {
            seed(old, defaulted);
        }
        operations::tidy(defaulted);
    }
    credentials_of_dns(defaulted);
    if let Some(old) = old {
        operations::take(old, defaulted);
    }
    profile(request, old, defaulted);
    if old.is_some()
        && !garden.is_from(147)
        && Duration::parse(text(&defaulted.object, EVENTS)).is_ok_and(|kept| kept > DAY)
    {
        let reason = "the API server keeps events for a day at most";
        put(defaulted, &rules::PREP_008, ("", EVENTS), Value::string("24h0m0s"), reason);
    }
}

/// Puts the Seed back that the old Shoot had (PREP-2).
fn seed<'r>(old: &Value<'r>, defaulted: &mut Defaulted<'r>) {
    let reason = "only the scheduler, and operators by the subresource `binding`, choose the Seed";
    let before = old.at(SEED);
    if defaulted.object.at(SEED) != before {
        defaulted.overrule(&rules::PREP_002, "/spec/seedName".to_owned(), before.cloned(), reason);
    }
}

/// Whether a version is of that minor version of Kubernetes 1 or a later one; none where nobody can read the
/// version.
fn is_from(shoot: &Value<'_>, first: &'static str) -> Option<bool> {
    let version = SemVer::parse(text(shoot, &["spec", "kubernetes", "version"]))?;
    Some(version >= SemVer::parse(first)?)
}

/// Names the profile in the way of the Kubernetes version (PREP-3).
fn profile<'r>(request: &Request<'r>, old: Option<&Value<'r>>, defaulted: &mut Defaulted<'r>) {
    if defaulted.object.at(&["metadata", "deletionTimestamp"]).is_some() {
        return;
    }
    let rule = &rules::PREP_003;
    let is_new = is_from(&defaulted.object, "1.34.0-0") == Some(true);
    let older = text(&defaulted.object, OLD_NAME).to_owned();
    if !is_new && !older.is_empty() && defaulted.object.at(REFERENCE).is_none() {
        let reference = [("kind", Value::string("CloudProfile")), ("name", Value::string(older.clone()))];
        let reason = "`cloudProfile` takes the place of `cloudProfileName`";
        put(defaulted, rule, ("", REFERENCE), Value::object(reference), reason);
        // The API server keeps both; a new Shoot that is written with both is refused.
        if old.is_none() {
            remove(defaulted, rule, OLD_NAME, reason);
        }
    }
    if defaulted.object.at(REFERENCE).is_none() {
        return;
    }
    if text(&defaulted.object, KIND).is_empty() {
        let reason = "a profile is a CloudProfile unless you say otherwise";
        put(defaulted, rule, ("", KIND), Value::string("CloudProfile"), reason);
    }
    let is_cloud_profile = text(&defaulted.object, KIND) == "CloudProfile";
    let name = text(&defaulted.object, NAME).to_owned();
    let reason = "`cloudProfile` takes the place of `cloudProfileName`";
    if is_new {
        // Nobody stores the older name with such a version, because the person edits the version of what is
        // stored.
        let is_unchanged = request.is_itself() || old.is_some_and(|old| text(old, OLD_NAME) == older);
        if is_unchanged && !older.is_empty() && is_cloud_profile && name == older {
            remove(defaulted, rule, OLD_NAME, reason);
        }
    } else if !is_cloud_profile {
        remove(defaulted, rule, OLD_NAME, reason);
    } else if old.is_some()
        && name != older
        && (!older.is_empty() || is_from(&defaulted.object, "1.33.0-0") != Some(true))
    {
        let reason = "`cloudProfileName` has to name the same profile as `cloudProfile`";
        put(defaulted, rule, ("", OLD_NAME), Value::string(name), reason);
    }
}

/// Writes the credentials of DNS providers in both ways (PREP-4).
fn credentials_of_dns(defaulted: &mut Defaulted<'_>) {
    if is_from(&defaulted.object, "1.35.0-0") == Some(true) {
        return;
    }
    for index in 0..items(&defaulted.object, &["spec", "dns", "providers"]).len() {
        let base = entry("/spec/dns/providers", index);
        let Some(provider) = defaulted.object.pointer(&base) else { return };
        let of = |key| text(provider, &["credentialsRef", key]);
        let secret = provider.at(&["secretName"]).and_then(Value::as_str);
        if let Some(secret) = secret {
            let members = [("apiVersion", "v1"), ("kind", "Secret"), ("name", secret)];
            let reference = Value::object(members.map(|(key, text)| (key, Value::string(text.to_owned()))));
            let reason = "`credentialsRef` takes the place of `secretName`";
            put_absent(defaulted, &rules::PREP_004, (&base, &["credentialsRef"]), reference, reason);
        } else if of("apiVersion") == "v1" && of("kind") == "Secret" {
            let name = Value::string(of("name").to_owned());
            let reason = "`secretName` has to name the same Secret as `credentialsRef`";
            put(defaulted, &rules::PREP_004, (&base, &["secretName"]), name, reason);
        }
    }
}
