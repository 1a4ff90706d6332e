use serde_json::json;

use super::*;
use crate::controller::runtime::testing::Server;

const ENTRY: &str = "shoot--a--b--u";

fn more() -> BTreeMap<String, String> {
    BTreeMap::from([("bucketName".to_owned(), "b".to_owned())])
}

fn server() -> Server {
    Server::default().with(&NAMESPACES, json!({ "metadata": { "name": "shoot--a--b" } }))
}

fn written(server: &Server, name: &str) -> Option<Value> {
    server.object(&SECRETS, "shoot--a--b", name)
}

#[test]
fn the_name_of_an_entry_says_where_its_secret_is() {
    for (entry, namespace, name) in [
        (ENTRY, "shoot--a--b", "etcd-backup"),
        ("source-shoot--a--b--u", "shoot--a--b", "source-etcd-backup"),
        ("garden--u", "garden", "etcd-backup"),
        ("nothing", "nothing", "etcd-backup"),
    ] {
        assert_eq!(EtcdSecret::of(entry), EtcdSecret { entry, namespace, name });
    }
}

#[tokio::test]
async fn there_is_a_place_for_the_secret_while_the_namespace_stays() {
    let going = json!({ "metadata": { "name": "shoot--a--b", "deletionTimestamp": "2026-01-01T00:00:00Z" } });
    for (server, has_place) in
        [(server(), true), (Server::default(), false), (Server::default().with(&NAMESPACES, going), false)]
    {
        assert_eq!(EtcdSecret::of(ENTRY).has_place(&server.objects()).await, Ok(has_place));
    }
}

#[tokio::test]
async fn the_secret_has_the_credentials_the_bucket_and_nothing_else() {
    let (server, secret) = (server(), EtcdSecret::of(ENTRY));
    let credentials = json!({
        "metadata": { "labels": { "a": "b" }, "annotations": { "gardener.cloud/timestamp": "t" } },
        "data": { "accessKeyID": "aWQ=", "more": "bQ==" },
    });
    let data = json!({ "accessKeyID": "aWQ=", "more": "bQ==", "bucketName": "Yg==" });
    for (what, requests) in [
        ("new", vec!["GET secrets/etcd-backup", "POST secrets/etcd-backup"]),
        ("the same", vec!["GET secrets/etcd-backup"]),
    ] {
        assert_eq!(secret.write(&server.objects(), &credentials, &more()).await, Ok(()), "{what}");
        assert_eq!(server.requests(), requests, "{what}");
    }
    let made = written(&server, "etcd-backup").unwrap();
    assert_eq!(made["data"], data);
    assert_eq!(made["metadata"]["annotations"], json!({ CREATED_BY: ENTRY }));
    assert_eq!(made["metadata"].get("labels"), None);

    let mut old = made.clone();
    old["data"]["token"] = json!("gone");
    old["data"]["accessKeyID"] = json!("b2xk");
    old["metadata"]["annotations"] = json!({ CREATED_BY: "another", "x": "y" });
    old["metadata"]["labels"] = json!({ "x": "y" });
    let server = server.with(&SECRETS, old);
    assert_eq!(secret.write(&server.objects(), &credentials, &more()).await, Ok(()));
    assert_eq!(server.requests(), ["GET secrets/etcd-backup", "PATCH secrets/etcd-backup"]);
    let now = written(&server, "etcd-backup").unwrap();
    assert_eq!((&now["data"], &now["metadata"]["annotations"]), (&data, &made["metadata"]["annotations"]));
    assert_eq!(now["metadata"].get("labels"), None);
}

#[tokio::test]
async fn a_secret_of_another_entry_stays() {
    for (annotations, stays) in [
        (json!({}), false),
        (json!({ CREATED_BY: ENTRY }), false),
        (json!({ CREATED_BY: "" }), false),
        (json!({ CREATED_BY: "shoot--a--b--v" }), true),
    ] {
        let metadata = json!({ "namespace": "shoot--a--b", "name": "etcd-backup", "annotations": annotations });
        let server = server().with(&SECRETS, json!({ "metadata": metadata }));
        assert_eq!(EtcdSecret::of(ENTRY).delete(&server.objects()).await, Ok(()));
        assert_eq!(written(&server, "etcd-backup").is_some(), stays, "{annotations}");
        assert_eq!(
            EtcdSecret::of("source-shoot--a--b--u").delete(&server.objects()).await,
            Ok(()),
            "there is none"
        );
    }
}

#[test]
fn an_entry_and_its_copy_share_the_objects_of_one_bucket() {
    let entry =
        |name: &str, bucket: &str| json!({ "metadata": { "name": name }, "spec": { "bucketName": bucket } });
    let one = entry(ENTRY, "b");
    for (other, is_shared) in [
        (entry("source-shoot--a--b--u", "b"), true),
        (entry("source-shoot--a--b--u", "c"), false),
        (entry("source-shoot--a--b--v", "b"), false),
        (entry("shoot--a--b--uu", "b"), false),
    ] {
        assert_eq!((share_backups(&one, &other), share_backups(&other, &one)), (is_shared, is_shared), "{other}");
    }
}
