//! Which provider an object belongs to.

use super::{Request, RequestError, judged_kind, parent, wrong_type};
use crate::call::Known;
use crate::document::Value;
use crate::document::decode::{DecodeError, Found};
use crate::text::join;

/// Where the check of the provider looks at the parent of a NamespacedCloudProfile, as pointers into the context.
pub const PARENT_READ: &[&str] = &["/cloudProfile/metadata/name", "/cloudProfile/spec/type"];

/// The beginning of the labels by which a Secret names providers.
const SECRET_LABEL: &str = "provider.shoot.gardener.cloud/";

/// Refuses an object that names another provider. The policy judges an object that names no provider. An object of
/// an unknown kind names no provider.
pub(super) fn is_of_provider(request: &Request<'_>, provider: &'static str) -> Result<(), RequestError> {
    let object = request.object;
    let kind = judged_kind(object).unwrap_or_default();
    let pointer = match kind {
        "Shoot" | "BackupBucket" => "/spec/provider/type",
        "CloudProfile" | "Infrastructure" | "ControlPlane" | "Worker" | "Bastion" => "/spec/type",
        "WorkloadIdentity" => "/spec/targetSystem/type",
        "Seed" => "/spec/backup/provider",
        "NamespacedCloudProfile" => "/spec/parent",
        "SecretBinding" | "CredentialsBinding" => "/provider/type",
        "Secret" | "InternalSecret" => "/metadata/labels",
        _ => return Ok(()),
    };
    let found = match kind {
        "NamespacedCloudProfile" => {
            let name = object.at(&["spec", "parent", "name"]).and_then(Value::as_str).unwrap_or_default();
            match parent(request, name) {
                Known::Found(parent) => parent.at(&["spec", "type"]).and_then(Value::as_str).unwrap_or_default(),
                Known::Failed(_) | Known::Unknown(_) => "",
            }
            .to_owned()
        }
        "Secret" | "InternalSecret" => join(&labels(object).collect::<Vec<_>>(), ","),
        _ => text(object, pointer)?.to_owned(),
    };
    // A binding may name several providers.
    if found.is_empty() || found.split(',').any(|one| one.trim() == provider) {
        return Ok(());
    }
    let whose = match kind {
        "Seed" => "the backup of the ",
        "NamespacedCloudProfile" => "the parent of the ",
        _ => "the ",
    };
    Err(RequestError::OtherProvider { what: format!("{whose}{kind}"), found, provider, pointer })
}

/// Refuses objects that name another provider, each with its kind and the place of its type.
pub(super) fn are_of_provider(
    objects: [(Option<&Value<'_>>, &'static str, &'static str); 2],
    provider: &'static str,
) -> Result<(), RequestError> {
    objects.into_iter().try_for_each(|object| is_of_type(object, &[provider], provider))
}

/// Refuses an object of another type than these.
pub(super) fn is_of_type(
    (object, kind, pointer): (Option<&Value<'_>>, &'static str, &'static str),
    types: &[&str],
    provider: &'static str,
) -> Result<(), RequestError> {
    let found = object.and_then(|object| object.pointer(pointer)).and_then(Value::as_str).unwrap_or_default();
    if found.is_empty() || types.contains(&found) {
        return Ok(());
    }
    let (what, found) = (format!("the {kind}"), found.to_owned());
    Err(RequestError::OtherProvider { what, found, provider, pointer })
}

fn text<'v>(object: &'v Value<'v>, pointer: &'static str) -> Result<&'v str, RequestError> {
    match object.pointer(pointer) {
        None | Some(Value::Null) => Ok(""),
        Some(Value::String(text)) => Ok(text),
        Some(other) => Err(wrong_type(&DecodeError::Mismatch {
            field: pointer.trim_start_matches('/').replace('/', "."),
            pointer: pointer.to_owned(),
            expected: "a string",
            found: Found::Kind(other.kind()),
        })),
    }
}

/// The providers that a Secret's labels name.
fn labels<'v>(secret: &'v Value<'v>) -> impl Iterator<Item = &'v str> {
    let labels = match secret.at(&["metadata", "labels"]) {
        Some(Value::Object(labels)) => labels.as_slice(),
        _ => &[],
    };
    let set = labels.iter().filter(|(_, value)| value.as_str() == Some("true"));
    set.filter_map(|(label, _)| label.strip_prefix(SECRET_LABEL))
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    fn ask(provider: &str, function: &str, request: &Value) -> Value {
        serde_json::from_str(&crate::call(provider, function, &request.to_string())).unwrap()
    }

    /// An object of each kind that names a provider, and where it does.
    fn named(provider: &str) -> Vec<(&'static str, Value)> {
        let label = format!("provider.shoot.gardener.cloud/{provider}");
        let parent = json!({ "metadata": { "name": "p" }, "spec": { "type": provider } });
        let object = |kind: &str, rest: Value| {
            let mut object = json!({ "kind": kind });
            object.as_object_mut().unwrap().extend(rest.as_object().unwrap().clone());
            json!({ "object": object })
        };
        let mut child = object("NamespacedCloudProfile", json!({ "spec": { "parent": { "name": "p" } } }));
        child["context"] = json!({ "cloudProfile": parent });
        vec![
            ("/spec/provider/type", object("Shoot", json!({ "spec": { "provider": { "type": provider } } }))),
            (
                "/spec/provider/type",
                object("BackupBucket", json!({ "spec": { "provider": { "type": provider } } })),
            ),
            ("/spec/type", object("CloudProfile", json!({ "spec": { "type": provider } }))),
            ("/spec/backup/provider", object("Seed", json!({ "spec": { "backup": { "provider": provider } } }))),
            ("/provider/type", object("SecretBinding", json!({ "provider": { "type": provider } }))),
            ("/provider/type", object("CredentialsBinding", json!({ "provider": { "type": provider } }))),
            (
                "/metadata/labels",
                object("Secret", json!({ "metadata": { "labels": { label.as_str(): "true" } } })),
            ),
            ("/metadata/labels", object("InternalSecret", json!({ "metadata": { "labels": { label: "true" } } }))),
            (
                "/spec/targetSystem/type",
                object("WorkloadIdentity", json!({ "spec": { "targetSystem": { "type": provider } } })),
            ),
            ("/spec/type", object("Worker", json!({ "spec": { "type": provider } }))),
            ("/spec/parent", child),
        ]
    }

    #[test]
    fn an_infrastructure_of_another_provider_is_an_error_too() {
        let shoot = json!({ "spec": { "provider": { "type": "other" } } });
        let infrastructure = json!({ "spec": { "type": "other" } });
        for (request, pointer) in [
            (json!({ "operation": "reconcile", "cluster": { "shoot": shoot } }), "/spec/provider/type"),
            (json!({ "operation": "reconcile", "infrastructure": infrastructure }), "/spec/type"),
        ] {
            for function in ["plan", "status"] {
                let error = &ask("alicloud", function, &json!({ "request": request }))["error"];
                assert_eq!((&error["code"], &error["pointer"]), (&json!("OtherProvider"), &json!(pointer)));
            }
        }
    }

    #[test]
    fn an_object_of_another_provider_is_an_error_with_the_place_of_its_type() {
        for provider in crate::providers() {
            for (pointer, request) in named("other") {
                for function in ["validate", "default", "addresses"] {
                    let error = &ask(provider, function, &request)["error"];
                    assert_eq!(error["code"], "OtherProvider", "{provider} {function} {request}");
                    assert_eq!(error["pointer"], pointer);
                    let message = error["message"].as_str().unwrap();
                    assert!(
                        message.contains("`other`") && message.contains(&format!("`{provider}`")),
                        "{message}"
                    );
                }
            }
        }
    }

    #[test]
    fn an_object_that_names_the_provider_or_none_is_judged() {
        for provider in crate::providers() {
            for (_, request) in named(provider).into_iter().chain(named("")) {
                let code = &ask(provider, "validate", &request)["error"]["code"];
                assert!(code.is_null() || code == "UnsupportedKind", "{provider} {request}: {code}");
            }
        }
    }

    #[test]
    fn a_type_that_is_no_text_makes_the_object_malformed() {
        let shoot =
            |kind: Value| json!({ "object": { "kind": "Shoot", "spec": { "provider": { "type": kind } } } });
        let error = &ask("alicloud", "validate", &shoot(json!(5)))["error"];
        assert_eq!((&error["code"], &error["pointer"]), (&json!("Malformed"), &json!("/spec/provider/type")));
        assert_eq!(ask("alicloud", "validate", &shoot(Value::Null))["verdict"], "accept");
    }

    #[test]
    fn a_binding_for_several_providers_is_judged_by_each_of_them() {
        let binding = json!({ "kind": "SecretBinding", "provider": { "type": "aws, alicloud" } });
        assert!(ask("alicloud", "validate", &json!({ "object": binding }))["error"].is_null());
        assert_eq!(
            ask("equinixmetal", "validate", &json!({ "object": binding }))["error"]["code"],
            "OtherProvider"
        );
    }

    #[test]
    fn a_seed_is_judged_by_its_backup_and_not_by_where_it_runs() {
        let seed = |backup: Value| json!({ "object": { "kind": "Seed", "spec": { "provider": { "type": "aws" }, "backup": backup } } });
        let of_alicloud = seed(json!({ "provider": "alicloud" }));
        assert_eq!(ask("alicloud", "validate", &of_alicloud)["findings"][0]["rule"], "ALI-BUCKET-014");
        assert_eq!(ask("alicloud", "validate", &seed(Value::Null))["verdict"], "accept");
    }

    #[test]
    fn the_parent_of_a_profile_may_come_as_a_fact() {
        let parent = json!({ "metadata": { "name": "p" }, "spec": { "type": "aws" } });
        let query = "kubernetes/get/core.gardener.cloud/v1beta1/CloudProfile//p";
        let request = json!({
            "object": { "kind": "NamespacedCloudProfile", "spec": { "parent": { "name": "p" } } },
            "facts": [{ "query": query, "answer": { "response": parent } }],
        });
        assert_eq!(ask("alicloud", "validate", &request)["error"]["code"], "OtherProvider");
    }
}
