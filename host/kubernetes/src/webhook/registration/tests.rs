use super::*;
use crate::api_server::resource::DEPLOYMENTS;
use crate::controller::runtime::testing::Server;

fn entry(name: &'static str, path: &'static str, action: Action, target: Target) -> Entry {
    Entry {
        name,
        path,
        action,
        target,
        sees: std::slice::from_ref(&DEPLOYMENTS),
        namespaces: LabelSelector::default(),
        objects: LabelSelector::default(),
    }
}

fn registration(reach: Reach) -> Registration {
    Registration {
        extension: Extension::new("provider-alicloud", "extension-a"),
        reach,
        webhooks: vec![
            entry("seedprovider", "/seedprovider", Action::Mutates, Target::Own),
            entry("shoot", "/shoot", Action::Mutates, Target::Shoots),
            entry("controlplane", "/controlplane", Action::Mutates, Target::Own),
        ],
        owner: Some("extension-a".to_owned()),
        is_self_hosted: false,
    }
}

fn service() -> Reach {
    Reach::Service { namespace: "extension-a".to_owned(), port: 443 }
}

fn service_url() -> Reach {
    Reach::ServiceUrl { namespace: "extension-a".to_owned(), port: 443 }
}

#[test]
fn names_are_those_of_gardener() {
    for (name, namespace, object) in [
        ("provider-alicloud", "extension-provider-alicloud-x", "gardener-extension-provider-alicloud"),
        ("provider-alicloud", "runtime-extension-a", "gardener-extension-provider-alicloud-runtime"),
        ("admission-alicloud", "garden", "gardener-extension-admission-alicloud"),
        ("gardener-x", "", "gardener-x"),
    ] {
        assert_eq!(Extension::new(name, namespace).object(), object);
    }
}

#[test]
fn a_webhook_is_registered_as_gardener_registers_it_with_the_defaults_of_the_api_server() {
    let all = registration(service()).own(b"CA");
    let [(Action::Mutates, object)] = all.as_slice() else { panic!("{all:?}") };
    assert_eq!(
        object["metadata"],
        json!({
            "name": "gardener-extension-provider-alicloud",
            "labels": { "remediation.webhook.shoot.gardener.cloud/exclude": "true" },
        })
    );
    let names: Vec<&str> =
        object["webhooks"].as_array().unwrap().iter().map(|entry| entry["name"].as_str().unwrap()).collect();
    let expected =
        ["controlplane.alicloud.extensions.gardener.cloud", "seedprovider.alicloud.extensions.gardener.cloud"];
    assert_eq!(names, expected, "sorted, and without that of Shoots");
    assert_eq!(
        object["webhooks"][0],
        json!({
            "name": "controlplane.alicloud.extensions.gardener.cloud",
            "clientConfig": {
                "service": {
                    "namespace": "extension-a", "name": "gardener-extension-provider-alicloud",
                    "path": "/controlplane", "port": 443,
                },
                "caBundle": "Q0E=",
            },
            "rules": [{
                "operations": ["CREATE", "UPDATE"], "apiGroups": ["apps"], "apiVersions": ["v1"],
                "resources": ["deployments"], "scope": "*",
            }],
            "failurePolicy": "Fail",
            "matchPolicy": "Exact",
            "namespaceSelector": {},
            "objectSelector": {},
            "sideEffects": "None",
            "timeoutSeconds": 10,
            "admissionReviewVersions": ["v1", "v1beta1"],
            "reinvocationPolicy": "Never",
        })
    );
}

#[test]
fn what_validates_is_another_object_of_the_same_name() {
    let mut registration = registration(service());
    registration.webhooks.push(entry("validator", "/webhooks/validate", Action::Validates, Target::Own));
    let all = registration.own(b"CA");
    let kinds: Vec<&str> = all.iter().map(|(action, _)| action.resource().kind).collect();
    assert_eq!(kinds, ["MutatingWebhookConfiguration", "ValidatingWebhookConfiguration"]);
    let [mutates, validates] = [0, 1].map(|at: usize| &all[at].1);
    assert_eq!(mutates["metadata"], validates["metadata"]);
    assert!(validates["webhooks"][0].get("reinvocationPolicy").is_none(), "it is no member of that kind");
}

#[test]
fn api_servers_reach_the_server_in_each_mode() {
    let name = "gardener-extension-provider-alicloud";
    let by_service = json!({ "namespace": "extension-a", "name": name, "path": "/controlplane", "port": 443 });
    let by_url = |path: &str| json!(format!("https://{name}.extension-a:443{path}"));
    let url = Reach::url("192.0.2.7:9443").unwrap();
    for (reach, own, shoots) in [
        (service(), json!({ "service": by_service }), by_url("/shoot")),
        (service_url(), json!({ "url": by_url("/controlplane") }), by_url("/shoot")),
        (url, json!({ "url": "https://192.0.2.7:9443/controlplane" }), json!("https://192.0.2.7:9443/shoot")),
    ] {
        let registration = registration(reach.clone());
        let mut client = registration.own(b"")[0].1["webhooks"][0]["clientConfig"].take();
        client.as_object_mut().unwrap().shift_remove("caBundle");
        assert_eq!(client, own, "{reach:?}");
        let in_shoots = &registration.in_shoots(b"CA")[0].1;
        assert_eq!(in_shoots["metadata"]["name"], "gardener-extension-provider-alicloud-shoot");
        let webhook = &in_shoots["webhooks"][0];
        assert_eq!((&webhook["clientConfig"]["url"], &webhook["failurePolicy"]), (&shoots, &json!("Ignore")));
    }
}

#[test]
fn the_certificate_names_the_server_as_api_servers_call_it() {
    let extension = Extension::new("provider-alicloud", "extension-a");
    let name = "gardener-extension-provider-alicloud";
    let in_cluster = vec![name.to_owned(), format!("{name}.extension-a"), format!("{name}.extension-a.svc")];
    for (reach, names, addresses) in [
        (service(), in_cluster.clone(), vec![]),
        (service_url(), in_cluster, vec![]),
        (Reach::Service { namespace: String::new(), port: 443 }, vec![name.to_owned()], vec![]),
        (Reach::url("host.example:9443").unwrap(), vec!["host.example".to_owned()], vec![]),
        (Reach::url("192.0.2.7:9443").unwrap(), vec![], vec!["192.0.2.7"]),
        (Reach::url("[2001:db8::1]").unwrap(), vec![], vec!["2001:db8::1"]),
    ] {
        let addresses = addresses.into_iter().map(|address| address.parse().unwrap()).collect();
        assert_eq!(reach.names(&extension), (names, addresses), "{reach:?}");
    }
}

#[test]
fn what_is_no_host_is_refused() {
    for text in ["", "https://host", "host:", "host:port", "host/path", "a@host", ":9443", "a b", "host:99999"] {
        assert!(Reach::url(text).is_err(), "{text}");
    }
}

#[test]
fn in_a_self_hosted_shoot_all_is_registered_in_the_cluster_itself() {
    let registration = Registration { is_self_hosted: true, ..registration(service()) };
    let own = &registration.own(b"CA")[0].1["webhooks"];
    let shoot = &own[2];
    assert_eq!(shoot["name"], "shoot.alicloud.extensions.gardener.cloud");
    assert_eq!(
        (&shoot["failurePolicy"], &shoot["clientConfig"]["service"]["path"]),
        (&json!("Ignore"), &json!("/shoot"))
    );
    assert!(registration.in_shoots(b"CA").is_empty());
}

fn garden() -> Server {
    Server::default().with(&NAMESPACES, json!({ "metadata": { "name": "extension-a", "uid": "u" } }))
}

#[tokio::test]
async fn what_is_registered_is_owned_by_the_namespace_and_not_written_again() {
    let (server, registration) = (garden(), registration(service()));
    registration.write(&server.objects(), b"CA").await.unwrap();
    let name = registration.extension.object();
    let written = server.object(&MUTATING_WEBHOOKS, "", &name).unwrap();
    assert_eq!(
        written["metadata"]["ownerReferences"],
        json!([{
            "apiVersion": "v1", "kind": "Namespace", "name": "extension-a", "uid": "u", "controller": true,
            "blockOwnerDeletion": false,
        }])
    );
    server.requests();
    registration.write(&server.objects(), b"CA").await.unwrap();
    let again = server.requests();
    assert!(again.iter().all(|request| request.starts_with("GET")), "{again:?}");
}

#[tokio::test]
async fn another_bundle_and_what_somebody_changed_are_corrected_and_what_others_own_stays() {
    let (server, registration) = (garden(), registration(service()));
    let name = registration.extension.object();
    let other = json!({
        "metadata": { "name": name, "annotations": { "other": "x" } },
        "webhooks": [{ "name": "old", "clientConfig": { "caBundle": "" } }],
    });
    let server = server.with(&MUTATING_WEBHOOKS, other);
    registration.write(&server.objects(), b"CA").await.unwrap();
    registration.write(&server.objects(), b"CA2").await.unwrap();
    let written = server.object(&MUTATING_WEBHOOKS, "", &name).unwrap();
    assert_eq!(written["metadata"]["annotations"], json!({ "other": "x" }));
    let bundles: Vec<&Value> =
        written["webhooks"].as_array().unwrap().iter().map(|entry| &entry["clientConfig"]["caBundle"]).collect();
    assert_eq!(bundles, [&json!("Q0Ey"), &json!("Q0Ey")]);
}

#[tokio::test]
async fn without_its_owner_nothing_is_registered() {
    let (server, registration) = (Server::default(), registration(service()));
    let error = registration.write(&server.objects(), b"CA").await.unwrap_err();
    assert!(error.to_string().contains("no namespace `extension-a`"), "{error}");
    assert!(server.object(&MUTATING_WEBHOOKS, "", &registration.extension.object()).is_none());
}
