//! Hashes of pools: a hash that changes replaces every node of its pool. Which fields change it, by the new rule
//! (a pool with a node agent Secret), by the old one, and for pools whose nodes are updated in place.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use super::cases::{cases, live, made_cases, request, workers};

/// A pool of the first case, for each rule.
fn base(rule: &str) -> (Value, &'static Value) {
    let case = made_cases().next().unwrap();
    let mut request = request(case);
    let mut pool = json!({
        "name": "p", "machineType": "ecs.g6.large", "minimum": 1, "maximum": 3, "maxSurge": 1, "maxUnavailable": 0,
        "machineImage": { "name": "gardenlinux", "version": "1877.3.0" }, "kubernetesVersion": "1.33.2",
        "userDataSecretRef": case["in"]["worker"]["spec"]["pools"][0]["userDataSecretRef"],
        "volume": { "size": "50Gi", "type": "cloud_essd", "encrypted": false },
        "dataVolumes": [{ "name": "d", "size": "20Gi", "type": "cloud_essd", "encrypted": false }],
        "zones": [case["in"]["worker"]["spec"]["infrastructureProviderStatus"]["vpc"]["vswitches"][0]["zone"]],
        "nodeAgentSecretName": "gardener-node-agent-p-1",
    });
    match rule {
        "old" => drop(pool.as_object_mut().unwrap().remove("nodeAgentSecretName")),
        "in place" => pool["updateStrategy"] = "AutoInPlaceUpdate".into(),
        "in place, by hand" => pool["updateStrategy"] = "ManualInPlaceUpdate".into(),
        _ => {}
    }
    request["worker"]["spec"]["pools"] = json!([pool]);
    let shoot = &mut request["cluster"]["shoot"];
    shoot["spec"]["provider"]["workers"] = json!([{ "name": "p", "cri": { "name": "containerd" } }]);
    shoot["status"]["credentials"] = json!({ "rotation": {
        "certificateAuthorities": { "lastInitiationTime": "2025-03-01T10:00:00Z" },
        "serviceAccountKey": { "lastInitiationTime": "2025-03-02T10:00:00Z" },
    } });
    (request, case)
}

fn hash(request: &Value, case: &Value) -> String {
    let answer = workers(request, &live(case));
    answer["pools"][0]["hash"].as_str().unwrap_or_else(|| panic!("{}", answer["findings"])).to_owned()
}

#[test]
fn each_field_changes_the_hash_or_leaves_it() {
    const POOL: &str = "/worker/spec/pools/0";
    const SHOOT: &str = "/cluster/shoot";
    // The field, another value, and whether the hash changes: by the new rule, by the old one, in place.
    let rows = [
        (POOL, "nodeAgentSecretName", json!("gardener-node-agent-p-2"), [true, true, true]),
        (POOL, "kubernetesVersion", json!("1.34.0"), [false, true, true]),
        (POOL, "kubernetesVersion", json!("1.33.9"), [false, false, false]),
        (POOL, "machineType", json!("ecs.c7.xlarge"), [false, true, false]),
        (POOL, "machineImage", json!({ "name": "gardenlinux", "version": "1592.1.0" }), [false, true, true]),
        (POOL, "volume/size", json!("60Gi"), [false, true, false]),
        (POOL, "volume/type", json!("cloud_ssd"), [false, true, false]),
        (POOL, "volume/encrypted", Value::Null, [true, true, false]),
        (POOL, "volume/name", json!("root"), [false, false, false]),
        (POOL, "dataVolumes/0/size", json!("30Gi"), [true, true, false]),
        (POOL, "dataVolumes/0/type", json!("cloud_ssd"), [true, true, false]),
        (POOL, "dataVolumes/0/encrypted", json!(true), [true, true, false]),
        (POOL, "dataVolumes/0/name", json!("other"), [false, false, false]),
        (POOL, "providerConfig", json!({ "kind": "x" }), [false, true, false]),
        (POOL, "kubeletConfig", json!({ "kubeReserved": { "cpu": "1" } }), [false, false, true]),
        (POOL, "kubeletConfig", json!({ "kubeReserved": { "memory": "2Gi" } }), [false, false, true]),
        (POOL, "kubeletConfig", json!({ "kubeReserved": { "pid": "1k" } }), [false, false, true]),
        (POOL, "kubeletConfig", json!({ "kubeReserved": { "ephemeralStorage": "1Gi" } }), [false, false, true]),
        (POOL, "kubeletConfig", json!({ "evictionHard": { "imageFSAvailable": "9%" } }), [false, false, true]),
        (POOL, "kubeletConfig", json!({ "evictionHard": { "imageFSInodesFree": "9%" } }), [false, false, true]),
        (POOL, "kubeletConfig", json!({ "evictionHard": { "memoryAvailable": "1Gi" } }), [false, false, true]),
        (POOL, "kubeletConfig", json!({ "evictionHard": { "nodeFSAvailable": "9%" } }), [false, false, true]),
        (POOL, "kubeletConfig", json!({ "evictionHard": { "nodeFSInodesFree": "9%" } }), [false, false, true]),
        (POOL, "kubeletConfig", json!({ "evictionSoft": { "memoryAvailable": "1Gi" } }), [false, false, false]),
        (POOL, "kubeletConfig", json!({ "cpuManagerPolicy": "static" }), [false, false, true]),
        (POOL, "kubeletConfig", json!({ "maxPods": 9 }), [false, false, false]),
        (POOL, "labels", json!({ "a": "b" }), [false, false, false]),
        (POOL, "annotations", json!({ "a": "b" }), [false, false, false]),
        (POOL, "taints", json!([{ "key": "a", "effect": "NoSchedule" }]), [false, false, false]),
        (POOL, "minimum", json!(0), [false, false, false]),
        (POOL, "maximum", json!(9), [false, false, false]),
        (POOL, "maxSurge", json!("50%"), [false, false, false]),
        (POOL, "maxUnavailable", json!(1), [false, false, false]),
        (POOL, "architecture", json!("arm64"), [false, false, false]),
        (POOL, "nodeTemplate", json!({ "capacity": { "cpu": "2" } }), [false, false, false]),
        (POOL, "priority", json!(3), [false, false, false]),
        (POOL, "machineControllerManager", json!({ "maxEvictRetries": 1 }), [false, false, false]),
        (POOL, "machineControllerManager", json!({ "machinePreserveTimeout": "72h" }), [false, false, false]),
        (POOL, "machineControllerManager", json!({ "autoPreserveFailedMachineMax": 1 }), [false, false, false]),
        (POOL, "clusterAutoscaler", json!({ "scaleDownUnneededTime": "1h" }), [false, false, false]),
        (SHOOT, "status/technicalID", json!("shoot--other"), [false, false, false]),
        (SHOOT, "spec/provider/workers/0/cri/name", json!("docker"), [false, true, false]),
        (SHOOT, "spec/systemComponents", json!({ "nodeLocalDNS": { "enabled": true } }), [false, true, false]),
        (
            SHOOT,
            "status/credentials/rotation/certificateAuthorities/lastInitiationTime",
            json!("2025-03-01T10:00:01Z"),
            [false, true, true],
        ),
        (
            SHOOT,
            "status/credentials/rotation/serviceAccountKey/pendingWorkersRollouts",
            json!([{ "name": "p", "lastInitiationTime": "2025-01-01T00:00:00Z" }]),
            [false, true, true],
        ),
        (
            SHOOT,
            "status/credentials/rotation/serviceAccountKey/pendingWorkersRollouts",
            json!([{ "name": "other", "lastInitiationTime": "2025-01-01T00:00:00Z" }]),
            [false, false, false],
        ),
        (
            SHOOT,
            "status/credentials/rotation/etcdEncryptionKey",
            json!({ "lastInitiationTime": "2025-01-01T00:00:00Z" }),
            [false, false, false],
        ),
    ];
    for (index, rule) in [(0, "new"), (1, "old"), (2, "in place"), (2, "in place, by hand")] {
        let (base, case) = base(rule);
        let before = hash(&base, case);
        assert_eq!(hash(&base, case), before);
        for (of, field, value, changes) in &rows {
            if rule == "old" && *field == "nodeAgentSecretName" {
                continue;
            }
            let mut request = base.clone();
            let pointer = format!("{of}/{field}");
            let (parent, key) = pointer.rsplit_once('/').unwrap();
            request.pointer_mut(parent).unwrap()[key] = value.clone();
            assert_eq!(hash(&request, case) != before, changes[index], "{rule}: {field} = {value}");
        }
    }
}

/// The status of the Worker has this hash. It covers what the nodes can take up without being replaced.
#[test]
fn a_pool_that_is_updated_in_place_has_a_hash_of_that() {
    let in_place =
        |request: &Value, case: &Value| workers(request, &live(case))["pools"][0]["inPlaceHash"].clone();
    for (rule, has) in [("new", false), ("old", false), ("in place", true), ("in place, by hand", true)] {
        let (base, case) = base(rule);
        let before = in_place(&base, case);
        let is_hash = |text: &str| text.len() == 16 && text.bytes().all(|byte| byte.is_ascii_hexdigit());
        assert_eq!(before.as_str().is_some_and(is_hash), has, "{rule}: {before}");
        for (field, value, changes) in [
            ("kubernetesVersion", json!("1.34.0"), true),
            ("machineImage", json!({ "name": "gardenlinux", "version": "1592.1.0" }), true),
            ("kubeletConfig", json!({ "kubeReserved": { "pid": "1k" } }), true),
            ("kubernetesVersion", json!("1.33.9"), false),
            ("nodeAgentSecretName", json!("gardener-node-agent-p-2"), false),
            ("machineType", json!("ecs.c7.xlarge"), false),
            ("dataVolumes/0/size", json!("30Gi"), false),
        ] {
            let mut request = base.clone();
            let pointer = format!("/worker/spec/pools/0/{field}");
            let (parent, key) = pointer.rsplit_once('/').unwrap();
            request.pointer_mut(parent).unwrap()[key] = value.clone();
            assert_eq!(in_place(&request, case) != before, has && changes, "{rule}: {field} = {value}");
        }
    }
}

/// A pool with the new rule that gets the old one, or the other way round, would be rolled: the rules differ.
#[test]
fn the_old_hash_is_not_the_new_one() {
    let hashes = ["new", "old", "in place"].map(|rule| {
        let (request, case) = base(rule);
        hash(&request, case)
    });
    assert!(hashes.iter().all(|hash| hash.len() == 5 && hash.bytes().all(|byte| byte.is_ascii_hexdigit())));
    assert!(hashes[0] != hashes[1] && hashes[1] != hashes[2] && hashes[0] != hashes[2], "{hashes:?}");
}

/// gardenlet gives pools the Secret's name one by one, when their nodes are replaced anyway: those that have no name
/// yet stay as they are, and whichever release of gardenlet wrote the Worker does not matter.
#[test]
fn each_pool_has_the_hash_of_its_own_rule_whichever_gardenlet_wrote_the_worker() {
    let (of_new, of_old) = (base("new"), base("old"));
    let hashes = [&of_new, &of_old].map(|(request, case)| hash(request, case));
    let (mut both, case) = base("new");
    let pools = [&of_new, &of_old].map(|(request, _)| request["worker"]["spec"]["pools"][0].clone());
    both["worker"]["spec"]["pools"] = json!(pools);
    both["worker"]["spec"]["pools"][1]["name"] = json!("q");
    both["cluster"]["shoot"]["spec"]["provider"]["workers"] = json!([{ "name": "p", "cri": { "name": "containerd" } }, { "name": "q", "cri": { "name": "containerd" } }]);
    for gardener in [Value::Null, json!({ "version": "v1.143.1" }), json!({ "version": "v1.150.0" })] {
        both["cluster"]["shoot"]["status"]["gardener"] = gardener.clone();
        let answer = workers(&both, &live(case));
        let now = [0, 1].map(|index| answer["pools"][index]["hash"].as_str().unwrap_or_default().to_owned());
        assert_eq!(now, hashes, "{gardener}");
    }
}

/// Each recorded variant says which field of which earlier case it changes: our hashes change or stay as those of
/// the existing extension do.
#[test]
fn hashes_of_recorded_variants_change_and_stay_as_those_of_the_existing_extension() {
    let hashes = |answer: &Value| -> BTreeMap<String, String> {
        let pools = answer["pools"].as_array().cloned().unwrap_or_default();
        let entry = |pool: Value| (pool["name"].as_str().unwrap().to_owned(), pool["hash"].to_string());
        pools.into_iter().map(entry).collect()
    };
    let by_number: BTreeMap<&str, &Value> =
        cases().iter().map(|case| (case["id"].as_str().unwrap().rsplit('-').next().unwrap(), case)).collect();
    let (mut changed, mut stayed) = (0, 0);
    for case in made_cases().filter(|case| case["in"]["variant"].is_object()) {
        let Some(base) = by_number.get(case["in"]["variant"]["of"].to_string().as_str()) else { continue };
        if !base["out"]["error"].is_null() || !base["out"]["panic"].is_null() {
            continue;
        }
        let ours = [base, case].map(|case| hashes(&workers(&request(case), &live(case))));
        let theirs = [&base["out"], &case["out"]].map(hashes);
        for name in theirs[0].keys().filter(|name| theirs[1].contains_key(*name)) {
            let is_same = theirs[0][name] == theirs[1][name];
            assert_eq!(ours[0][name] == ours[1][name], is_same, "{} {name}", case["in"]["variant"]);
            if is_same { stayed += 1 } else { changed += 1 }
        }
    }
    assert!(changed >= 20 && stayed >= 60, "{changed} changed, {stayed} stayed");
}
