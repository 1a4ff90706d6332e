//! What an edit of a Shoot does to its nodes.

use serde_json::{Value, json};

/// A Shoot with a pool of three nodes in one zone.
fn shoot() -> Value {
    json!({
        "apiVersion": "core.gardener.cloud/v1beta1", "kind": "Shoot",
        "metadata": { "name": "s", "namespace": "garden-dev" },
        "spec": {
            "region": "eu-central-1",
            "kubernetes": { "version": "1.33.2", "kubelet": { "kubeReserved": { "cpu": "80m", "memory": "1Gi" } } },
            "provider": { "type": "alicloud", "workers": [{
                "name": "cpu", "minimum": 3, "maximum": 3, "maxSurge": 1, "maxUnavailable": 0, "zones": ["a"],
                "machine": { "type": "ecs.g7.large", "image": { "name": "gardenlinux", "version": "1592.9.0" } },
                "cri": { "name": "containerd" },
                "labels": { "team": "a" },
                "volume": { "type": "cloud_essd", "size": "50Gi", "encrypted": false },
                "dataVolumes": [{ "name": "data", "size": "20Gi", "type": "cloud_essd" }],
            }] },
        },
    })
}

/// The answer to an edit of a Shoot: `edits` are places and values; `null` removes.
fn edited(base: &Value, edits: &[(&str, Value)]) -> Value {
    let mut new = base.clone();
    for (pointer, value) in edits {
        let (parent, key) = pointer.rsplit_once('/').unwrap();
        for (at, _) in parent.match_indices('/').chain([(parent.len(), "")]).filter(|(at, _)| *at > 0) {
            if new.pointer(&parent[..at]).is_none() {
                let (above, key) = parent[..at].rsplit_once('/').unwrap();
                new.pointer_mut(above).unwrap()[key] = json!({});
            }
        }
        let parent = new.pointer_mut(parent).unwrap();
        match (parent, value) {
            (Value::Object(members), Value::Null) => drop(members.remove(key)),
            (Value::Array(items), Value::Null) => drop(items.remove(key.parse().unwrap())),
            (Value::Array(items), value) => items[key.parse::<usize>().unwrap()] = value.clone(),
            (parent, value) => parent[key] = value.clone(),
        }
    }
    rollout(&new, base)
}

fn rollout(new: &Value, old: &Value) -> Value {
    let request = json!({ "object": new, "oldObject": old }).to_string();
    serde_json::from_str(&trellis_core::call("alicloud", "rollout", &request)).unwrap()
}

fn pool(field: &str) -> String {
    format!("/spec/provider/workers/0/{field}")
}

#[test]
fn an_edit_of_a_machine_type_rolls_the_nodes_one_at_a_time() {
    let answer = edited(&shoot(), &[(&pool("machine/type"), "ecs.g7.xlarge".into())]);
    let expected = json!({ "pools": [{
        "name": "cpu", "change": "rolled",
        "causes": [{ "field": "machine.type", "pointer": "/spec/provider/workers/0/machine/type" }],
        "before": { "minimum": 3, "maximum": 3 }, "after": { "minimum": 3, "maximum": 3 },
        "atOnce": { "minimum": 1, "maximum": 1 },
        "summary": "3 nodes of pool `cpu` roll, 1 at a time, because `machine.type` changes",
    }], "undecided": [] });
    assert_eq!(answer, expected);
}

/// Fields of a pool and of its Shoot, each with another value, what becomes of the nodes, and what becomes of
/// nodes that are updated in place. The rules are those of the hashes: `gardener-contract` 3.5 and
/// `alicloud-policy` 5.6.
#[test]
fn each_field_rolls_nodes_changes_them_or_leaves_them() {
    let (rolled, changed, resized, same) = ("rolled", "updatedInPlace", "resized", "unchanged");
    let rows = [
        ("/spec/kubernetes/version", json!("1.34.0"), rolled, changed),
        ("/spec/kubernetes/version", json!("1.33.3"), changed, changed),
        (&pool("kubernetes"), json!({ "version": "1.32.9" }), rolled, changed),
        (&pool("kubernetes"), json!({ "version": "1.33.2" }), same, same),
        (&pool("machine/type"), json!("ecs.g7.xlarge"), rolled, same),
        (&pool("machine/image/name"), json!("ubuntu"), rolled, same),
        (&pool("machine/image/version"), json!("1877.0.0"), rolled, changed),
        (&pool("volume/size"), json!("60Gi"), rolled, same),
        (&pool("volume/type"), json!("cloud_ssd"), rolled, same),
        (&pool("volume/encrypted"), json!(true), rolled, same),
        (&pool("volume/encrypted"), Value::Null, rolled, same),
        (&pool("volume/name"), json!("root"), same, same),
        (&pool("dataVolumes/0/size"), json!("30Gi"), rolled, same),
        (&pool("dataVolumes/0/type"), json!("cloud_ssd"), rolled, same),
        (&pool("dataVolumes/0/encrypted"), json!(true), rolled, same),
        (&pool("dataVolumes/0/name"), json!("other"), same, same),
        (&pool("dataVolumes/0"), Value::Null, rolled, same),
        (&pool("cri/name"), json!("docker"), rolled, same),
        (&pool("cri/containerRuntimes"), json!([{ "type": "gvisor" }]), changed, changed),
        ("/spec/kubernetes/kubelet/kubeReserved/cpu", json!("100m"), rolled, changed),
        ("/spec/kubernetes/kubelet/kubeReserved/memory", json!("1024Mi"), changed, changed),
        ("/spec/kubernetes/kubelet/kubeReserved/pid", json!("1k"), rolled, changed),
        ("/spec/kubernetes/kubelet/kubeReserved/ephemeralStorage", json!("1Gi"), rolled, changed),
        (&pool("kubernetes"), json!({ "kubelet": { "kubeReserved": { "memory": "2Gi" } } }), rolled, changed),
        ("/spec/kubernetes/kubelet/evictionHard", json!({ "memoryAvailable": "200Mi" }), rolled, changed),
        ("/spec/kubernetes/kubelet/evictionSoft", json!({ "memoryAvailable": "300Mi" }), changed, changed),
        ("/spec/kubernetes/kubelet/cpuManagerPolicy", json!("static"), rolled, changed),
        ("/spec/kubernetes/kubelet/maxPods", json!(200), changed, changed),
        ("/spec/systemComponents", json!({ "nodeLocalDNS": { "enabled": true } }), rolled, changed),
        ("/metadata/annotations", json!({ "gardener.cloud/operation": "rotate-ca-start" }), rolled, changed),
        (
            "/metadata/annotations",
            json!({ "gardener.cloud/operation": "rotate-credentials-start-without-workers-rollout" }),
            same,
            same,
        ),
        ("/metadata/annotations", json!({ "gardener.cloud/operation": "reconcile" }), same, same),
        (&pool("labels/team"), json!("b"), changed, changed),
        (&pool("annotations"), json!({ "a": "b" }), changed, changed),
        (&pool("taints"), json!([{ "key": "a", "effect": "NoSchedule" }]), changed, changed),
        (&pool("caBundle"), json!("x"), changed, changed),
        (&pool("sysctls"), json!({ "a": "b" }), changed, changed),
        (&pool("minimum"), json!(2), resized, resized),
        (&pool("maximum"), json!(9), resized, resized),
        (&pool("maxSurge"), json!(2), same, same),
        (&pool("zones"), json!(["a", "b"]), resized, resized),
        (&pool("machine/architecture"), json!("arm64"), changed, changed),
        (&pool("annotations"), json!({}), same, same),
        ("/spec/hibernation", json!({ "enabled": true }), resized, resized),
        ("/metadata/annotations", json!({ "gardener.cloud/operation": "rollout-workers=*" }), rolled, changed),
        ("/metadata/annotations", json!({ "gardener.cloud/operation": "rollout-workers=x,cpu" }), rolled, changed),
        ("/metadata/annotations", json!({ "gardener.cloud/operation": "rollout-workers=x" }), same, same),
        (
            "/metadata/annotations",
            json!({ "gardener.cloud/operation": "reconcile;rotate-rollout-workers=cpu" }),
            rolled,
            changed,
        ),
        (
            "/metadata/annotations",
            json!({ "maintenance.gardener.cloud/operation": "rotate-credentials-start" }),
            rolled,
            changed,
        ),
        (&pool("priority"), json!(2), same, same),
        (&pool("machineControllerManager"), json!({ "maxEvictRetries": 3 }), same, same),
        (&pool("clusterAutoscaler"), json!({ "scaleDownUnneededTime": "1h" }), same, same),
        ("/spec/maintenance", json!({ "autoUpdate": {} }), same, same),
        ("/spec/region", json!("x"), same, same),
    ];
    for (pointer, value, on_rolling, in_place) in rows {
        for (strategy, expected) in [
            (Value::Null, on_rolling),
            (json!("AutoInPlaceUpdate"), in_place),
            (json!("ManualInPlaceUpdate"), in_place),
        ] {
            let mut base = shoot();
            if strategy.is_string() {
                base["spec"]["provider"]["workers"][0]["updateStrategy"] = strategy;
            }
            let answer = edited(&base, &[(pointer, value.clone())]);
            assert_eq!(answer["pools"][0]["change"], expected, "{pointer} {value}: {answer}");
            let causes = answer["pools"][0]["causes"].as_array().map_or(0, Vec::len);
            assert_eq!(
                causes,
                usize::from(expected == rolled || expected == changed),
                "{pointer} {value}: {answer}"
            );
        }
    }
}

#[test]
fn a_sentence_says_what_happens() {
    let two_zones = [(pool("zones"), json!(["a", "b"])), (pool("minimum"), json!(2)), (pool("maximum"), json!(4))];
    let with = |edits: &[(String, Value)]| {
        let mut base = shoot();
        for (pointer, value) in edits {
            let (parent, key) = pointer.rsplit_once('/').unwrap();
            base.pointer_mut(parent).unwrap()[key] = value.clone();
        }
        base
    };
    let machine = (pool("machine/type"), json!("m"));
    let asleep = ("/spec/hibernation".to_owned(), json!({ "enabled": true }));
    let rows = [
        (with(&[]), vec![], "pool `cpu` keeps its nodes as they are"),
        // The zone without a share of the surge goes without a node.
        (
            with(&two_zones),
            vec![machine.clone()],
            "2 to 4 nodes of pool `cpu` roll, 2 at a time, because `machine.type` changes",
        ),
        (
            with(&[(pool("maxSurge"), json!("50%")), (pool("maximum"), json!(6))]),
            vec![machine.clone(), (pool("volume/size"), json!("9Gi"))],
            "3 to 6 nodes of pool `cpu` roll, 2 to 3 at a time, because `machine.type` and `volume.size` change",
        ),
        (
            with(&[(pool("minimum"), json!(1)), (pool("maximum"), json!(1))]),
            vec![machine.clone()],
            "1 node of pool `cpu` rolls, 1 at a time, because `machine.type` changes",
        ),
        (
            with(&[(pool("updateStrategy"), json!("ManualInPlaceUpdate"))]),
            vec![(pool("machine/image/version"), json!("2"))],
            "3 nodes of pool `cpu` are updated in place, once somebody selects them, because `machine.image.version` changes",
        ),
        (
            with(&[]),
            vec![(pool("labels/team"), json!("b")), (pool("taints"), json!([{ "key": "a" }]))],
            "`labels` and `taints` change on the nodes of pool `cpu`, which stay",
        ),
        (
            with(&[("/spec/hibernation".to_owned(), json!({ "enabled": true }))]),
            vec![machine.clone()],
            "pool `cpu` gets new nodes when the Shoot wakes up, because `machine.type` changes",
        ),
        (
            with(&[]),
            vec![(pool("zones"), json!(["b"])), (pool("maximum"), json!(5))],
            "no node of pool `cpu` is replaced; it gets zone `b`; its nodes in zone `a` go; it has 3 to 5 nodes instead of 3",
        ),
        (
            with(&[]),
            vec![(pool("minimum"), json!(0)), (pool("maximum"), json!(0)), machine.clone()],
            "no node of pool `cpu` is replaced; it has 0 nodes instead of 3",
        ),
        (
            with(&[(pool("minimum"), json!(0)), (pool("maximum"), json!(0))]),
            vec![machine.clone()],
            "pool `cpu` has no nodes",
        ),
        (
            with(&[(pool("zones"), json!(["a", "b", "c"]))]),
            vec![(pool("zones"), json!(["c"]))],
            "no node of pool `cpu` is replaced; its nodes in zones `a` and `b` go",
        ),
        (
            with(&[]),
            vec![asleep.clone(), machine.clone()],
            "pool `cpu` gets new nodes when the Shoot wakes up, because `machine.type` changes; its 3 nodes go while the Shoot hibernates",
        ),
        (
            with(&[("/spec/hibernation".to_owned(), json!({ "enabled": true }))]),
            vec![("/spec/hibernation/enabled".to_owned(), json!(false))],
            "no node of pool `cpu` is replaced; it gets 3 nodes when the Shoot wakes up",
        ),
        (
            with(&[("/spec/hibernation".to_owned(), json!({ "enabled": true }))]),
            vec![(pool("maximum"), json!(5))],
            "pool `cpu` has no nodes; it will have 3 to 5 nodes instead of 3",
        ),
    ];
    for (base, edits, expected) in rows {
        let edits: Vec<(&str, Value)> =
            edits.iter().map(|(pointer, value)| (pointer.as_str(), value.clone())).collect();
        assert_eq!(edited(&base, &edits)["pools"][0]["summary"], expected);
    }
}

#[test]
fn pools_come_and_go_and_their_order_does_not_count() {
    let mut old = shoot();
    let mut second = old["spec"]["provider"]["workers"][0].clone();
    second["name"] = "mem".into();
    old["spec"]["provider"]["workers"].as_array_mut().unwrap().push(second);
    let mut new = old.clone();
    new["spec"]["provider"]["workers"].as_array_mut().unwrap().reverse();
    let changes = |answer: &Value| {
        let pools = answer["pools"].as_array().unwrap().iter();
        pools.map(|pool| format!("{} {}", pool["name"], pool["change"]).replace('"', "")).collect::<Vec<_>>()
    };
    assert_eq!(changes(&rollout(&new, &old)), ["mem unchanged", "cpu unchanged"]);
    new["spec"]["provider"]["workers"][0]["name"] = "gpu".into();
    let answer = rollout(&new, &old);
    assert_eq!(changes(&answer), ["gpu added", "cpu unchanged", "mem removed"]);
    assert_eq!(answer["pools"][0]["summary"], "pool `gpu` is new, with 3 nodes");
    assert_eq!(answer["pools"][2]["summary"], "pool `mem` goes with its 3 nodes");
}

/// The local DNS of nodes depends on several values; the cause is the one that changes.
#[test]
fn the_cause_is_a_value_that_the_edit_changes() {
    let mut base = shoot();
    base["spec"]["systemComponents"] = json!({ "nodeLocalDNS": { "enabled": true } });
    base["spec"]["kubernetes"]["kubeProxy"] = json!({ "enabled": true, "mode": "IPTables" });
    let causes = |answer: &Value| {
        let causes = answer["pools"][0]["causes"].as_array().cloned().unwrap_or_default();
        causes.iter().map(|cause| cause["field"].as_str().unwrap().to_owned()).collect::<Vec<_>>()
    };
    let version = ("/spec/kubernetes/version", json!("1.34.1"));
    assert_eq!(causes(&edited(&base, std::slice::from_ref(&version))), ["spec.kubernetes.version"]);
    base["spec"]["kubernetes"]["version"] = version.1;
    let ipvs = edited(&base, &[("/spec/kubernetes/kubeProxy/mode", json!("IPVS"))]);
    assert_eq!(causes(&ipvs), ["spec.kubernetes.kubeProxy.mode"]);
    let off = edited(&base, &[("/spec/systemComponents/nodeLocalDNS/enabled", json!(false))]);
    assert_eq!(off["pools"][0]["change"], "updatedInPlace", "{off}");
    assert_eq!(causes(&off), ["spec.systemComponents.nodeLocalDNS.enabled"]);
}

/// The old hash and the new one cover different values, and a Shoot does not say which one a pool has.
#[test]
fn what_depends_on_the_hash_that_a_pool_has_is_undecided() {
    let reserved = ("/spec/kubernetes/kubelet/kubeReserved/cpu", json!("1"));
    let config = (pool("providerConfig"), json!({ "kind": "x" }));
    let none = (pool("minimum"), pool("maximum"));
    let rows = [
        (vec![reserved.clone()], "rolled", 1),
        (vec![(config.0.as_str(), config.1.clone())], "unchanged", 1),
        (vec![reserved.clone(), ("/spec/kubernetes/version", json!("1.34.1"))], "rolled", 0),
        // A pool that loses all of its nodes has none that could roll.
        (vec![reserved, (none.0.as_str(), json!(0)), (none.1.as_str(), json!(0))], "resized", 0),
    ];
    for (edits, change, undecided) in rows {
        let answer = edited(&shoot(), &edits);
        assert_eq!(answer["pools"][0]["change"], change, "{answer}");
        assert_eq!(answer["undecided"].as_array().unwrap().len(), undecided, "{answer}");
    }
}

#[test]
fn a_request_without_a_shoot_before_and_after_is_an_error() {
    let call = |request: Value| -> Value {
        serde_json::from_str(&trellis_core::call("alicloud", "rollout", &request.to_string())).unwrap()
    };
    let shoot = shoot();
    let mut other = shoot.clone();
    other["spec"]["provider"]["type"] = "aws".into();
    let (mut renamed, mut garbled) = (shoot.clone(), shoot.clone());
    renamed["metadata"]["name"] = "t".into();
    garbled["spec"]["provider"]["workers"] = json!([5]);
    let profile = json!({ "kind": "CloudProfile", "apiVersion": "core.gardener.cloud/v1beta1" });
    for (request, code) in [
        (json!({ "object": shoot }), "Malformed"),
        (json!({ "object": shoot, "oldObject": profile }), "Malformed"),
        (json!({ "object": profile, "oldObject": profile }), "UnsupportedKind"),
        (json!({ "object": other, "oldObject": other }), "OtherProvider"),
        (json!({ "object": shoot, "oldObject": renamed }), "Malformed"),
        (json!({ "object": garbled, "oldObject": shoot }), "Malformed"),
        (json!({ "object": shoot, "oldObject": garbled }), "Malformed"),
        (json!({ "object": shoot, "oldObject": shoot, "context": {} }), "Malformed"),
    ] {
        let answer = call(request);
        assert_eq!(answer["error"]["code"], code, "{answer}");
    }
}
